// Meshes from files and to files.
//
// OBJ and PLY have parallel readers of our own (obj_reader.h, ply_reader.h); every other format
// comes through assimp, in a process of its own (foreign_files.h). All of them keep what a file
// says: the order and number of its vertices, except in formats that have no shared vertices (STL,
// glTF, ...), where vertices at the same place are joined.
#pragma once

#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "nodes/geometry/mesh.h"

namespace sinew {

// A file that cannot be read or written. The message is one line that names the file, the place in
// it where there is one, and the reason: "cannot read 'x.obj': line 17: face refers to vertex 9,
// but there are only 8".
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class UpAxis : uint8_t { y, z };

struct LoadOptions {
  UpAxis file_up = UpAxis::y;    // the axis that points up in the file
  UpAxis target_up = UpAxis::y;  // the axis that shall point up in the mesh
  float scale = 1;               // metres per unit of the file; finite and not 0
  bool join_vertices = true;     // in formats that have no shared vertices
};

// What became of the file, for a message to the user.
struct LoadReport {
  std::vector<std::string> unread;    // what it has that no mesh has: "3 materials" (unread.h)
  std::size_t polygons = 0;           // faces in the file
  std::size_t dropped_triangles = 0;  // degenerate ones, left out by the triangulation
  std::size_t joined_vertices = 0;    // that were at the place of another one
  std::size_t mended_vertices = 0;    // that were not finite, and are at 0 0 0 now
};

// Reads a mesh; the format is taken from the file's ending. Throws FileError or Stopped.
Mesh load_mesh(const std::filesystem::path& path, const LoadOptions& options = {},
               LoadReport* report = nullptr, CancelView cancel = {});

// Units and up axis of places from a file, in place. Throws FormatError where one is too far away.
void adapt_places(std::span<Vec3f> places, const LoadOptions& options);

// The bytes of a file with one of the savable endings; ply and stl are binary. Polygons are written
// as triangles. Throws FormatError.
std::string encode_mesh(const Mesh& mesh, const std::string& ending);

// What the mesh has that these bytes have not, as words: "texture coordinates".
std::vector<std::string> lost_in_file(const Mesh& mesh, const std::string& ending);

// Writes these bytes straight to the file, for tests and benchmarks: nodes write through
// write_mesh_file (nodes/values.h), with which a file is whole or untouched. Throws FileError.
void save_mesh(const Mesh& mesh, const std::filesystem::path& path);

// Endings in lower case, without the dot: "obj", ...
std::vector<std::string> loadable_endings();
std::vector<std::string> savable_endings();

}  // namespace sinew
