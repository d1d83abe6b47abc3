// Solids of tetrahedra from files and to files: Gmsh (.msh), VTK legacy (.vtk), TetGen (.node with
// .ele).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "nodes/geometry/mesh_io.h"
#include "nodes/geometry/tet_mesh.h"
#include "nodes/geometry/tet_soup.h"
#include "nodes/geometry/tet_writers.h"

namespace sinew {

// Reads a solid; the format is taken from the file's ending. Of TetGen's pair either may be named.
// What can be mended is, and counted in `report` (tet_soup.h). Throws FileError or Stopped.
TetMesh load_tets(const std::filesystem::path& path, const LoadOptions& options = {},
                  TetLoadReport* report = nullptr, CancelView cancel = {});

// The bytes of a file (msh, vtk) as a mended solid. Throws FormatError or Stopped.
TetMesh parse_tets(std::string_view bytes, const std::string& ending, TetLoadReport& report,
                   CancelView cancel = {});

struct TetSaveOptions {
  FileEncoding encoding = FileEncoding::binary;  // TetGen's files are always text
  MshVersion msh = MshVersion::v4_1;
};

// One file of those that a solid is written to: its bytes, and the ending of its name.
struct EncodedFile {
  std::string ending;
  std::string bytes;
};
// The name of such a file beside another, in the same case: "X.ELE" has "X.NODE".
std::filesystem::path with_ending(const std::filesystem::path& path, const std::string& ending);
// One file, or two with "node" and "ele". Throws FormatError.
std::vector<EncodedFile> encode_tets(const TetMesh& solid, const std::string& ending,
                                     const TetSaveOptions& options = {});

// Endings in lower case, without the dot; all are read and written.
std::vector<std::string> tet_endings();

}  // namespace sinew
