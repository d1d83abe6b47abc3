// Any bytes as a file with tetrahedra: no crash, no leak, no great appetite for memory, errors of
// one line; and what is read is sound and reads back as the same solid from every format.
//
// '$' starts a file of Gmsh and '#' one of VTK; anything else is TetGen's pair, with a zero byte
// between the points and the tetrahedra.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "nodes/geometry/format_error.h"
#include "nodes/geometry/tet_io.h"
#include "nodes/geometry/tetgen_reader.h"

namespace {

using namespace sinew;

void demand(bool holds, const char* what, std::string_view text) {
  if (holds) return;
  fmt::print(stderr, "{}: {}\n", what, text);
  std::abort();
}

TetMesh read(std::string_view bytes, TetLoadReport& report) {
  if (bytes.starts_with('$')) return parse_tets(bytes, "msh", report);
  if (bytes.starts_with('#')) return parse_tets(bytes, "vtk", report);
  const std::size_t gap = std::min(bytes.find('\0'), bytes.size());
  TetgenPoints points = parse_tetgen_node(bytes.substr(0, gap));
  TetSoup soup;
  soup.tets = parse_tetgen_ele(bytes.substr(std::min(gap + 1, bytes.size())), points, report);
  soup.positions = std::move(points.positions);
  return mend(std::move(soup), report);
}

std::optional<TetMesh> read_or_complain(std::string_view bytes) {
  try {
    TetLoadReport report;
    return read(bytes, report);
  } catch (const FormatError& error) {
    const std::string_view what = error.what();
    demand(!what.empty() && what.find('\n') == std::string_view::npos, "not one line", what);
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::optional<TetMesh> solid =
      read_or_complain({reinterpret_cast<const char*>(data), size});
  if (!solid || solid->tet_count() == 0) return 0;
  demand(!validate(*solid), "an unsound solid", validate(*solid).value_or(""));
  for (const FileEncoding encoding : {FileEncoding::text, FileEncoding::binary}) {
    for (const MshVersion version : {MshVersion::v2_2, MshVersion::v4_1}) {
      for (const char* ending : {"msh", "vtk"}) {
        const std::string bytes = encode_tets(*solid, ending, {encoding, version})[0].bytes;
        const std::optional<TetMesh> again = read_or_complain(bytes);
        demand(again && *again == *solid, "it does not read back", ending);
      }
    }
  }
  const std::vector<EncodedFile> pair = encode_tets(*solid, "node");
  const std::optional<TetMesh> again =
      read_or_complain(pair[0].bytes + std::string(1, '\0') + pair[1].bytes);
  demand(again && *again == *solid, "it does not read back", "node");
  return 0;
}
