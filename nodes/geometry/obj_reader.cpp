#include "nodes/geometry/obj_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>

#include "nodes/geometry/format_error.h"
#include "nodes/geometry/parallel.h"
#include "nodes/geometry/parse_number.h"
#include "nodes/geometry/polygon_soup.h"
#include "nodes/geometry/unread.h"

namespace sinew {

namespace {

constexpr std::size_t nowhere = SIZE_MAX;
constexpr int32_t no_uv = INT32_MIN;
constexpr std::size_t most_names = 10000;  // that are told apart, of groups and of materials

// What one chunk says. Indices are kept as written until the counts of earlier chunks are known:
// from 0 on for absolute ones, and counted from the chunk's start for relative ones, whose corners
// are listed.
struct Chunk {
  std::string_view text;
  std::vector<Vec3f> positions;
  std::vector<Vec2f> uvs;
  PolygonBlock faces;
  std::vector<int32_t> corner_uvs;  // texture index of each corner, or empty if no face has one
  std::vector<std::size_t> relative_corners, relative_uvs;
  // What is not read.
  std::set<std::string> groups, materials;
  bool normals = false, colours = false, smoothing = false, lines = false;
  const char* bad = nullptr;  // where reading stopped, with the reason
  std::string problem;
};

inline const char* skip_blank(const char* p, const char* end) {
  while (p < end && (*p == ' ' || *p == '\t')) ++p;
  return p;
}

inline bool at_end(const char* p, const char* end) { return p >= end || *p == '\r' || *p == '#'; }

class ChunkReader {
 public:
  explicit ChunkReader(Chunk& chunk) : chunk_(chunk) {
    // A vertex line has about 30 bytes, a face line about 20.
    chunk_.positions.reserve(chunk.text.size() / 64);
    chunk_.faces.corners.reserve(chunk.text.size() / 16);
  }

  void read() {
    const char* p = chunk_.text.data();
    const char* const end = p + chunk_.text.size();
    while (p < end && !chunk_.bad) {
      const char* line_end = static_cast<const char*>(std::memchr(p, '\n', end - p));
      if (!line_end) line_end = end;
      if (line_end > p && is_continued(p, line_end) && line_end < end) {
        p = read_continued(p, end);
        continue;
      }
      read_line(p, line_end);
      p = line_end + 1;
    }
  }

 private:
  static bool is_continued(const char* begin, const char* line_end) {
    const char* last = line_end - 1;
    if (*last == '\r' && last > begin) --last;
    return *last == '\\';
  }

  // Joins the lines that end in a backslash into one, reads it, and returns the start of the next.
  const char* read_continued(const char* p, const char* end) {
    std::string joined;
    const char* const start = p;
    while (p < end) {
      const char* line_end = static_cast<const char*>(std::memchr(p, '\n', end - p));
      if (!line_end) line_end = end;
      const bool more = line_end > p && is_continued(p, line_end);
      const char* keep = line_end;
      if (more) {
        while (*--keep != '\\') {
        }
      }
      joined.append(p, keep).push_back(' ');
      p = line_end < end ? line_end + 1 : end;
      if (!more) break;
    }
    read_line(joined.data(), joined.data() + joined.size());
    if (chunk_.bad) chunk_.bad = start;
    return p;
  }

  void read_line(const char* p, const char* end) {
    p = skip_blank(p, end);
    if (end - p < 2) return;
    const bool blank_second = p[1] == ' ' || p[1] == '\t';
    if (p[0] == 'v' && blank_second) {
      read_vertex(p + 2, end);
    } else if (p[0] == 'f' && blank_second) {
      read_face(p + 2, end);
    } else if (p[0] == 'v' && p[1] == 't' && end - p > 2 && (p[2] == ' ' || p[2] == '\t')) {
      read_uv(p + 3, end);
    } else {
      note_unread(p, end);
    }
  }

  // The first word of a line that says nothing about the mesh.
  void note_unread(const char* p, const char* end) {
    const char* const word_end = std::find_if(p, end, [](char c) { return c == ' ' || c == '\t'; });
    const std::string_view word(p, static_cast<std::size_t>(word_end - p));
    const char* const name = skip_blank(word_end, end);
    if (at_end(name, end)) return;
    if (word == "vn") {
      chunk_.normals = true;
    } else if (word == "s") {
      chunk_.smoothing |= *name != '0' && !(end - name >= 3 && std::string_view(name, 3) == "off");
    } else if (word == "l" || word == "p") {
      chunk_.lines = true;
    } else if (word == "g" || word == "o" || word == "usemtl") {
      std::set<std::string>& names = word == "usemtl" ? chunk_.materials : chunk_.groups;
      if (names.size() < most_names) names.emplace(name, end);
    }
  }

  void fail(const char* where, std::string problem) {
    chunk_.bad = where;
    chunk_.problem = std::move(problem);
  }

  void read_vertex(const char* p, const char* end) {
    Vec3f position;
    for (int k = 0; k < 3; ++k) {
      p = skip_blank(p, end);
      const char* const next = parse_float(p, end, position[k]);
      if (!next) return fail(p, "a vertex needs three numbers");
      p = next;
    }
    chunk_.positions.push_back(position);
    if (chunk_.positions.size() == 1) chunk_.colours = has_colour(p, end);
  }

  // Three numbers after the coordinates, as several tools write them; one is a weight.
  static bool has_colour(const char* p, const char* end) {
    float number;
    for (int k = 0; k < 3; ++k) {
      p = skip_blank(p, end);
      if (at_end(p, end) || !(p = parse_float(p, end, number))) return false;
    }
    return true;
  }

  void read_uv(const char* p, const char* end) {
    Vec2f uv(0, 0);
    for (int k = 0; k < 2; ++k) {
      p = skip_blank(p, end);
      const char* const next = parse_float(p, end, uv[k]);
      if (!next) {
        if (k == 0) return fail(p, "a texture coordinate needs a number");
        break;
      }
      p = next;
    }
    if (!uv.allFinite()) uv = Vec2f(0, 0);
    chunk_.uvs.push_back(uv);
  }

  // An index as written becomes one from 0 on, or one relative to the chunk's start.
  static bool resolve(int64_t written, std::size_t count, std::size_t corner, int32_t& index,
                      std::vector<std::size_t>& relative) {
    const int64_t value = written > 0 ? written - 1 : static_cast<int64_t>(count) + written;
    if (written == 0 || value > INT32_MAX || value < -int64_t{INT32_MAX}) return false;
    if (written < 0) relative.push_back(corner);
    index = static_cast<int32_t>(value);
    return true;
  }

  void read_face(const char* p, const char* end) {
    std::vector<uint32_t>& corners = chunk_.faces.corners;
    const std::size_t first = corners.size();
    for (p = skip_blank(p, end); !at_end(p, end); p = skip_blank(p, end)) {
      int64_t written;
      const char* next = parse_integer(p, end, written);
      int32_t index;
      if (!next) return fail(p, "a face needs vertex numbers");
      if (!resolve(written, chunk_.positions.size(), corners.size(), index,
                   chunk_.relative_corners)) {
        return fail(p, fmt::format("face refers to vertex {}, which cannot be", written));
      }
      if (next < end && *next == '/') next = read_corner_rest(next + 1, end, corners.size());
      if (!next) return;
      if (next < end && *next != ' ' && *next != '\t' && *next != '\r' && *next != '#') {
        return fail(p, "a face needs vertex numbers");
      }
      corners.push_back(static_cast<uint32_t>(index));
      if (!chunk_.corner_uvs.empty()) chunk_.corner_uvs.resize(corners.size(), no_uv);
      p = next;
    }
    chunk_.faces.end_polygon(corners.size() - first);
  }

  // The texture and normal numbers after a corner's first slash; the normal's is not used.
  const char* read_corner_rest(const char* p, const char* end, std::size_t corner) {
    int64_t written;
    if (const char* const next = parse_integer(p, end, written)) {
      int32_t index;
      if (!resolve(written, chunk_.uvs.size(), corner, index, chunk_.relative_uvs)) {
        fail(p, fmt::format("face refers to texture coordinate {}, which cannot be", written));
        return nullptr;
      }
      chunk_.corner_uvs.resize(corner, no_uv);
      chunk_.corner_uvs.push_back(index);
      p = next;
    }
    if (p < end && *p == '/') {
      ++p;
      if (const char* const next = parse_integer(p, end, written)) p = next;
    }
    return p;
  }

  Chunk& chunk_;
};

std::vector<std::string> unread_in(const std::vector<Chunk>& chunks) {
  std::vector<std::string> unread;
  std::set<std::string> groups, materials;
  for (const Chunk& chunk : chunks) {
    groups.insert(chunk.groups.begin(), chunk.groups.end());
    materials.insert(chunk.materials.begin(), chunk.materials.end());
    if (chunk.normals) add_unread(unread, "normals");
    if (chunk.colours) add_unread(unread, "vertex colours");
    if (chunk.smoothing) add_unread(unread, "smoothing groups");
    if (chunk.lines) add_unread(unread, "lines and points");
  }
  if (!materials.empty()) unread.insert(unread.begin(), counted(materials.size(), "material"));
  // One group holds all faces.
  if (groups.size() > 1) unread.insert(unread.begin(), counted(groups.size(), "group"));
  return unread;
}

// Cuts at ends of lines that are not continued.
std::vector<Chunk> cut(std::string_view text, std::size_t chunk_bytes) {
  std::vector<Chunk> chunks;
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t end = std::min(text.size(), begin + std::max<std::size_t>(chunk_bytes, 1));
    while (end < text.size()) {
      end = text.find('\n', end - 1);
      if (end == std::string_view::npos) {
        end = text.size();
        break;
      }
      std::size_t last = end++;
      if (last > begin && text[last - 1] == '\r') --last;
      if (!(last > begin && text[last - 1] == '\\')) break;
      ++end;
    }
    end = std::min(end, text.size());
    chunks.emplace_back().text = text.substr(begin, end - begin);
    begin = end;
  }
  return chunks;
}

std::size_t line_of(std::string_view text, const char* where) {
  return 1 + static_cast<std::size_t>(std::count(text.data(), where, '\n'));
}

// The line of a chunk's n-th face, found only when there is something to report.
std::size_t line_of_face(std::string_view text, const Chunk& chunk, std::size_t corner) {
  const char* p = chunk.text.data();
  const char* const end = p + chunk.text.size();
  std::size_t seen = 0;
  while (p < end) {
    Chunk line;
    const char* next = p;
    do {
      const void* const found = std::memchr(next, '\n', end - next);
      next = found ? static_cast<const char*>(found) + 1 : end;
      // Continued lines are read together with the next.
    } while (next < end && next - p >= 2 &&
             (next[-2] == '\\' || (next - p >= 3 && next[-2] == '\r' && next[-3] == '\\')));
    line.text = {p, static_cast<std::size_t>(next - p)};
    ChunkReader(line).read();
    seen += line.faces.corners.size();
    if (seen > corner) break;
    p = next;
  }
  return line_of(text, p);
}

struct Totals {
  std::vector<std::size_t> positions, uvs;  // before each chunk, and at the end in all
};

Totals count(const std::vector<Chunk>& chunks, std::string_view text) {
  Totals totals;
  totals.positions.assign(1, 0);
  totals.uvs.assign(1, 0);
  for (const Chunk& chunk : chunks) {
    if (chunk.bad) {
      throw FormatError(fmt::format("line {}: {}", line_of(text, chunk.bad), chunk.problem));
    }
    totals.positions.push_back(totals.positions.back() + chunk.positions.size());
    totals.uvs.push_back(totals.uvs.back() + chunk.uvs.size());
  }
  if (totals.positions.back() == 0) throw FormatError("there are no vertices in it");
  if (totals.positions.back() > INT32_MAX) throw FormatError("it has too many vertices");
  return totals;
}

// Makes the chunk's indices absolute; returns the first corner whose vertex does not exist.
std::size_t make_absolute(Chunk& chunk, std::size_t base, std::size_t total) {
  std::vector<uint32_t>& corners = chunk.faces.corners;
  for (const std::size_t c : chunk.relative_corners) corners[c] += static_cast<uint32_t>(base);
  // An index below 0 wraps to a large number.
  for (std::size_t c = 0; c < corners.size(); ++c) {
    if (corners[c] >= total) return c;
  }
  return nowhere;
}

// Texture coordinates of the chunk's corners; the first corner with a wrong one, or nowhere.
std::size_t look_up_uvs(Chunk& chunk, std::size_t base, const std::vector<Vec2f>& uvs) {
  if (chunk.corner_uvs.empty()) return nowhere;
  std::vector<int64_t> index(chunk.corner_uvs.begin(), chunk.corner_uvs.end());
  for (const std::size_t c : chunk.relative_uvs) index[c] += static_cast<int64_t>(base);
  chunk.faces.uvs.resize(index.size(), Vec2f(0, 0));
  for (std::size_t c = 0; c < index.size(); ++c) {
    if (chunk.corner_uvs[c] == no_uv) continue;
    if (index[c] < 0 || index[c] >= static_cast<int64_t>(uvs.size())) return c;
    chunk.faces.uvs[c] = uvs[static_cast<std::size_t>(index[c])];
  }
  return nowhere;
}

}  // namespace

Mesh parse_obj(std::string_view text, LoadReport& report, CancelView cancel,
               std::size_t chunk_bytes) {
  std::vector<Chunk> chunks = cut(text, chunk_bytes);
  parallel_each(chunks.size(), [&](std::size_t i) {
    if (!cancel()) ChunkReader(chunks[i]).read();
  });
  cancel.check();
  const Totals totals = count(chunks, text);
  report.unread = unread_in(chunks);
  const std::size_t vertices = totals.positions.back();

  std::vector<Vec3f> positions(vertices);
  std::vector<Vec2f> uvs(totals.uvs.back());
  std::vector<std::size_t> wrong_vertex(chunks.size(), nowhere), wrong_uv(chunks.size(), nowhere);
  parallel_each(chunks.size(), [&](std::size_t i) {
    std::copy(chunks[i].positions.begin(), chunks[i].positions.end(),
              positions.begin() + static_cast<std::ptrdiff_t>(totals.positions[i]));
    std::copy(chunks[i].uvs.begin(), chunks[i].uvs.end(),
              uvs.begin() + static_cast<std::ptrdiff_t>(totals.uvs[i]));
    chunks[i].positions = {};
    wrong_vertex[i] = make_absolute(chunks[i], totals.positions[i], vertices);
  });
  parallel_each(chunks.size(),
                [&](std::size_t i) { wrong_uv[i] = look_up_uvs(chunks[i], totals.uvs[i], uvs); });
  bool any_uvs = false;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    any_uvs |= !chunks[i].faces.uvs.empty();
    const bool vertex = wrong_vertex[i] != nowhere;
    if (!vertex && wrong_uv[i] == nowhere) continue;
    const std::size_t corner = vertex ? wrong_vertex[i] : wrong_uv[i];
    const int64_t index = vertex ? int64_t{static_cast<int32_t>(chunks[i].faces.corners[corner])}
                                 : chunks[i].corner_uvs[corner];
    throw FormatError(fmt::format("line {}: face refers to {} {}, but there are only {}",
                                  line_of_face(text, chunks[i], corner),
                                  vertex ? "vertex" : "texture coordinate", index + 1,
                                  vertex ? vertices : uvs.size()));
  }
  std::vector<PolygonBlock> blocks;
  blocks.reserve(chunks.size());
  for (Chunk& chunk : chunks) {
    if (any_uvs) chunk.faces.uvs.resize(chunk.faces.corners.size(), Vec2f(0, 0));
    blocks.push_back(std::move(chunk.faces));
  }
  mend_places(positions, report);
  Topology topology = assemble(positions, blocks, report, cancel);
  return Mesh(std::move(topology), std::move(positions));
}

}  // namespace sinew
