// What the program sinew-read (reader/) answers, as bytes: it reads one file in a format that comes
// through assimp, and whoever asked believes nothing of its answer. Counts are bounded before
// memory is asked for, and whatever refers to something is checked: of a mesh here, of a rig by
// check_rig().
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "nodes/geometry/polygon_soup.h"
#include "nodes/geometry/rig.h"

namespace sinew {

// All meshes of a scene as one list of points and polygons, the transforms of its nodes applied.
struct ForeignMesh {
  std::vector<Vec3f> positions;
  PolygonBlock faces;
  std::vector<std::string> unread = {};  // what the file has beyond that; see unread.h
};

// Thrown by those who take an answer: reading took more memory than it may, in bytes.
struct MemoryLimitReached {
  uint64_t limit;
};

// With this code it ends where even that could not be said.
inline constexpr int reader_has_no_memory = 3;

// Each takes or gives as many bytes as are asked for, or throws.
using ByteSink = std::function<void(const void*, std::size_t)>;
using ByteSource = std::function<void(void*, std::size_t)>;

void give_mesh(ForeignMesh mesh, const ByteSink& sink);
void give_rig(Rig rig, const ByteSink& sink);
// Why the file cannot be read: one line.
void give_flaw(std::string_view reason, const ByteSink& sink);
// Takes no memory and throws nothing, for it is called when there is none.
void give_memory_limit(uint64_t limit, void (*sink)(const void*, std::size_t));

// Throw FormatError with the reason if it is one, or if the answer is nonsense or longer than
// `most_bytes`; and MemoryLimitReached.
ForeignMesh take_mesh(const ByteSource& source, std::size_t most_bytes);
Rig take_rig(const ByteSource& source, std::size_t most_bytes);

// A text of whoever knows as a part of a message: one line, and of a sensible length.
std::string one_line(std::string_view text);

}  // namespace sinew
