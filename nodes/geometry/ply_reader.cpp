#include "nodes/geometry/ply_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>

#include "nodes/geometry/format_error.h"
#include "nodes/geometry/parallel.h"
#include "nodes/geometry/parse_number.h"
#include "nodes/geometry/ply_header.h"
#include "nodes/geometry/polygon_soup.h"
#include "nodes/geometry/unread.h"

namespace sinew {

namespace {

using namespace ply;

constexpr std::size_t block_records = 16384;

template <class T>
T load(const char* p, bool swap) {
  std::array<char, sizeof(T)> raw;
  std::memcpy(raw.data(), p, sizeof(T));
  if (swap) std::reverse(raw.begin(), raw.end());
  return std::bit_cast<T>(raw);
}

double load_real(const char* p, Scalar type, bool swap) {
  switch (type) {
    case Scalar::int8:
      return load<int8_t>(p, swap);
    case Scalar::uint8:
      return load<uint8_t>(p, swap);
    case Scalar::int16:
      return load<int16_t>(p, swap);
    case Scalar::uint16:
      return load<uint16_t>(p, swap);
    case Scalar::int32:
      return load<int32_t>(p, swap);
    case Scalar::uint32:
      return load<uint32_t>(p, swap);
    case Scalar::float32:
      return load<float>(p, swap);
    case Scalar::float64:
      return load<double>(p, swap);
  }
  return 0;
}

// Every integer type of PLY is exact in a double. What is no index at all becomes -1.
int64_t load_integer(const char* p, Scalar type, bool swap) {
  const double value = load_real(p, type, swap);
  return std::abs(value) < 1e15 ? static_cast<int64_t>(value) : -1;
}

// The x, y and z of a vertex element, or FormatError.
std::array<int, 3> find_coordinates(const Element& element) {
  const std::array<int, 3> found = {element.find("x"), element.find("y"), element.find("z")};
  for (const int k : found) {
    if (k < 0 || element.properties[static_cast<std::size_t>(k)].is_list) {
      throw FormatError("its vertices have no x, y and z");
    }
  }
  return found;
}

int find_corners(const Element& element) {
  for (const char* name : {"vertex_indices", "vertex_index"}) {
    const int found = element.find(name);
    if (found >= 0 && element.properties[static_cast<std::size_t>(found)].is_list) return found;
  }
  throw FormatError("its faces have no list of vertex_indices");
}

[[noreturn]] void fail_short(const Element& element, uint64_t record) {
  throw FormatError(
      fmt::format("the file ends within {} {} of {}", element.name, record, element.count));
}

[[noreturn]] void fail_index(uint64_t face, int64_t index, std::size_t vertices) {
  throw FormatError(fmt::format("face {} refers to vertex {}, but there are only {} (from 0)", face,
                                index, vertices));
}

// Reads the body of a binary file, element by element.
class BinaryBody {
 public:
  BinaryBody(std::string_view bytes, const Header& header, LoadReport& report, CancelView cancel)
      : bytes_(bytes), at_(header.size), report_(report), cancel_(cancel) {
    const bool little = header.format == Format::little_endian;
    swap_ = little != (std::endian::native == std::endian::little);
  }

  void skip(const Element& element) {
    if (element.properties.empty()) return;
    if (!element.has_list()) {
      at_ += element.count * element.minimal_size();  // checked against the file's size
      if (at_ > bytes_.size()) fail_short(element, element.count);
      return;
    }
    for (uint64_t i = 0; i < element.count; ++i) at_ = record_end(element, i, at_);
  }

  std::vector<Vec3f> read_vertices(const Element& element) {
    const std::array<int, 3> xyz = find_coordinates(element);
    if (element.count > INT32_MAX) throw FormatError("it has too many vertices");
    if (element.has_list()) return read_walking(element, xyz);
    const std::size_t stride = element.minimal_size();
    const std::size_t count = element.count;
    if (count * stride > bytes_.size() - at_) fail_short(element, (bytes_.size() - at_) / stride);
    std::array<std::size_t, 3> offset;
    std::array<Scalar, 3> type;
    for (int k = 0; k < 3; ++k) {
      const std::size_t p = static_cast<std::size_t>(xyz[k]);
      offset[k] = 0;
      for (std::size_t q = 0; q < p; ++q) offset[k] += scalar_size(element.properties[q].type);
      type[k] = element.properties[p].type;
    }
    const bool plain = !swap_ && offset[1] == offset[0] + 4 && offset[2] == offset[0] + 8 &&
                       std::count(type.begin(), type.end(), Scalar::float32) == 3;
    std::vector<Vec3f> positions(count);
    const char* const first = bytes_.data() + at_;
    parallel_blocks(
        count,
        [&](std::size_t begin, std::size_t end) {
          const char* record = first + begin * stride;
          if (plain && stride == 12) {
            std::memcpy(static_cast<void*>(&positions[begin]), record, (end - begin) * 12);
          } else if (plain) {
            record += offset[0];
            for (std::size_t i = begin; i < end; ++i, record += stride) {
              std::memcpy(positions[i].data(), record, 12);
            }
          } else {
            for (std::size_t i = begin; i < end; ++i, record += stride) {
              for (int k = 0; k < 3; ++k) {
                positions[i][k] = static_cast<float>(load_real(record + offset[k], type[k], swap_));
              }
            }
          }
        },
        block_records);
    at_ += count * stride;
    return positions;
  }

  // Triangles as they are, or polygons; `vertices` is the number of positions.
  void read_faces(const Element& element, std::size_t vertices, std::vector<Triangle>& triangles,
                  std::vector<PolygonBlock>& blocks) {
    if (element.count > UINT32_MAX) throw FormatError("it has too many faces");
    if (element.count == 0) return;
    const Layout layout = layout_of(element);
    if (layout.uniform && read_uniform_triangles(element, layout, vertices, triangles)) return;
    read_polygons(element, layout, vertices, blocks);
  }

 private:
  // Where the corner list is in a record, if what is before it has a fixed size.
  struct Layout {
    std::size_t corners_property = 0;
    Scalar count_type = Scalar::uint8, index_type = Scalar::int32;
    bool uniform = true;     // the corner list is the only list
    std::size_t before = 0;  // bytes of the record before the list
    std::size_t after = 0;   // and after it
  };

  Layout layout_of(const Element& element) const {
    Layout layout;
    layout.corners_property = static_cast<std::size_t>(find_corners(element));
    const Property& list = element.properties[layout.corners_property];
    layout.count_type = list.count_type;
    layout.index_type = list.type;
    for (std::size_t p = 0; p < element.properties.size(); ++p) {
      if (p == layout.corners_property) continue;
      layout.uniform &= !element.properties[p].is_list;
      const std::size_t size = scalar_size(element.properties[p].type);
      (p < layout.corners_property ? layout.before : layout.after) += size;
    }
    return layout;
  }

  // True if every face is a proper triangle with valid corners; then they are all in `triangles`.
  bool read_uniform_triangles(const Element& element, const Layout& layout, std::size_t vertices,
                              std::vector<Triangle>& triangles) {
    const std::size_t count_size = scalar_size(layout.count_type);
    const std::size_t index_size = scalar_size(layout.index_type);
    const std::size_t stride = layout.before + count_size + 3 * index_size + layout.after;
    const std::size_t count = element.count;
    if (count > (bytes_.size() - at_) / stride) return false;
    triangles.resize(count);
    std::atomic<bool> all = true;
    const char* const first = bytes_.data() + at_ + layout.before;
    const bool plain = !swap_ && index_size == 4 && layout.index_type != Scalar::float32;
    parallel_blocks(
        count,
        [&](std::size_t begin, std::size_t end) {
          if (cancel_() || !all.load(std::memory_order_relaxed)) return;
          const char* record = first + begin * stride;
          bool good = true;
          if (plain && count_size == 1) {
            good = plain_triangles(record, stride, begin, end, vertices, triangles);
          } else {
            for (std::size_t i = begin; i < end && good; ++i, record += stride) {
              good = load_integer(record, layout.count_type, swap_) == 3;
              for (std::size_t k = 0; k < 3 && good; ++k) {
                const int64_t v =
                    load_integer(record + count_size + k * index_size, layout.index_type, swap_);
                triangles[i][k] = static_cast<uint32_t>(v);
                good = v >= 0 && v < static_cast<int64_t>(vertices);
              }
              const Triangle& t = triangles[i];
              good = good && t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
            }
          }
          if (!good) all = false;
        },
        block_records);
    cancel_.check();
    if (!all) {
      triangles.clear();
      return false;
    }
    report_.polygons += count;
    at_ += count * stride;
    return true;
  }

  // The common layout: a byte with the count, then three 32-bit indices of this machine's order.
  static bool plain_triangles(const char* record, std::size_t stride, std::size_t begin,
                              std::size_t end, std::size_t vertices,
                              std::vector<Triangle>& triangles) {
    unsigned bad = 0;
    const uint32_t limit = static_cast<uint32_t>(vertices);
    for (std::size_t i = begin; i < end; ++i, record += stride) {
      Triangle t;
      std::memcpy(t.data(), record + 1, 12);
      bad |= static_cast<unsigned>(record[0] != 3) | (t[0] >= limit) | (t[1] >= limit) |
             (t[2] >= limit) | (t[0] == t[1]) | (t[1] == t[2]) | (t[2] == t[0]);
      triangles[i] = t;
    }
    return bad == 0;
  }

  // Any mixture of polygons and lists: one walk finds the records, then blocks are read in
  // parallel.
  void read_polygons(const Element& element, const Layout& layout, std::size_t vertices,
                     std::vector<PolygonBlock>& blocks) {
    std::vector<std::size_t> starts;
    for (uint64_t i = 0; i < element.count; ++i) {
      if (i % block_records == 0) {
        cancel_.check();
        starts.push_back(at_);
      }
      at_ = record_end(element, i, at_);
    }
    blocks.resize(starts.size());
    struct Wrong {
      uint64_t face = UINT64_MAX;
      int64_t index = 0;
    };
    std::vector<Wrong> wrong(starts.size());
    parallel_blocks(
        element.count,
        [&](std::size_t begin, std::size_t end) {
          const std::size_t b = begin / block_records;
          std::size_t record = starts[b];
          for (std::size_t i = begin; i < end; ++i) {
            const std::size_t next = record_end(element, i, record);
            const std::size_t list = list_start(element, layout.corners_property, record);
            const std::size_t size = static_cast<std::size_t>(
                load_integer(bytes_.data() + list, layout.count_type, swap_));
            const char* p = bytes_.data() + list + scalar_size(layout.count_type);
            for (std::size_t k = 0; k < size; ++k, p += scalar_size(layout.index_type)) {
              const int64_t v = load_integer(p, layout.index_type, swap_);
              if (v < 0 || v >= static_cast<int64_t>(vertices)) {
                wrong[b] = {i, v};
                return;
              }
              blocks[b].corners.push_back(static_cast<uint32_t>(v));
            }
            blocks[b].end_polygon(size);
            record = next;
          }
        },
        block_records);
    for (const Wrong& w : wrong) {
      if (w.face != UINT64_MAX) fail_index(w.face, w.index, vertices);
    }
  }

  // The place of a property's value or list in the record at `record`, which is known to be whole.
  std::size_t list_start(const Element& element, std::size_t property, std::size_t record) const {
    for (std::size_t p = 0; p < property; ++p) record = property_end(element.properties[p], record);
    return record;
  }

  std::size_t property_end(const Property& property, std::size_t at) const {
    if (!property.is_list) return at + scalar_size(property.type);
    const std::size_t head = scalar_size(property.count_type);
    if (head > bytes_.size() || at > bytes_.size() - head) return SIZE_MAX;
    const int64_t count = load_integer(bytes_.data() + at, property.count_type, swap_);
    if (count < 0 || count > static_cast<int64_t>(bytes_.size())) return SIZE_MAX;
    return at + head + static_cast<std::size_t>(count) * scalar_size(property.type);
  }

  std::size_t record_end(const Element& element, uint64_t record, std::size_t at) const {
    for (const Property& property : element.properties) {
      at = property_end(property, at);
      if (at > bytes_.size()) fail_short(element, record);
    }
    return at;
  }

  std::vector<Vec3f> read_walking(const Element& element, const std::array<int, 3>& xyz) {
    std::vector<Vec3f> positions(element.count);
    for (uint64_t i = 0; i < element.count; ++i) {
      const std::size_t end = record_end(element, i, at_);
      for (int k = 0; k < 3; ++k) {
        const std::size_t p = static_cast<std::size_t>(xyz[k]);
        positions[i][k] = static_cast<float>(load_real(bytes_.data() + list_start(element, p, at_),
                                                       element.properties[p].type, swap_));
      }
      at_ = end;
    }
    return positions;
  }

  std::string_view bytes_;
  std::size_t at_;
  LoadReport& report_;
  CancelView cancel_;
  bool swap_ = false;
};

// Reads the body of a text file, value by value.
class AsciiBody {
 public:
  AsciiBody(std::string_view bytes, const Header& header, CancelView cancel)
      : p_(bytes.data() + header.size), end_(bytes.data() + bytes.size()), cancel_(cancel) {}

  void skip(const Element& element) {
    if (element.properties.empty()) return;  // whatever their count
    for (uint64_t i = 0; i < element.count; ++i) {
      for (const Property& property : element.properties) skip_property(element, i, property);
    }
  }

  std::vector<Vec3f> read_vertices(const Element& element) {
    const std::array<int, 3> xyz = find_coordinates(element);
    if (element.count > INT32_MAX) throw FormatError("it has too many vertices");
    std::vector<Vec3f> positions(element.count);
    for (uint64_t i = 0; i < element.count; ++i) {
      if (i % block_records == 0) cancel_.check();
      for (std::size_t p = 0; p < element.properties.size(); ++p) {
        const auto found = std::find(xyz.begin(), xyz.end(), static_cast<int>(p));
        if (found == xyz.end()) {
          skip_property(element, i, element.properties[p]);
        } else {
          positions[i][found - xyz.begin()] = next_float(element, i);
        }
      }
    }
    return positions;
  }

  void read_faces(const Element& element, std::size_t vertices, std::vector<PolygonBlock>& blocks) {
    const std::size_t corners = static_cast<std::size_t>(find_corners(element));
    for (uint64_t i = 0; i < element.count; ++i) {
      if (i % block_records == 0) {
        cancel_.check();
        blocks.emplace_back();
      }
      for (std::size_t p = 0; p < element.properties.size(); ++p) {
        if (p != corners) {
          skip_property(element, i, element.properties[p]);
          continue;
        }
        const std::size_t size = next_count(element, i);
        for (std::size_t k = 0; k < size; ++k) {
          const int64_t v = next_integer(element, i);
          if (v < 0 || v >= static_cast<int64_t>(vertices)) fail_index(i, v, vertices);
          blocks.back().corners.push_back(static_cast<uint32_t>(v));
        }
        blocks.back().end_polygon(size);
      }
    }
  }

 private:
  void skip_blank(const Element& element, uint64_t record) {
    while (p_ < end_ && (*p_ == ' ' || *p_ == '\n' || *p_ == '\r' || *p_ == '\t')) ++p_;
    if (p_ == end_) fail_short(element, record);
  }
  [[noreturn]] void fail_number(const Element& element, uint64_t record) const {
    throw FormatError(fmt::format("{} {} has something other than a number", element.name, record));
  }
  float next_float(const Element& element, uint64_t record) {
    skip_blank(element, record);
    float value;
    const char* const next = parse_float(p_, end_, value);
    if (!next) fail_number(element, record);
    p_ = next;
    return value;
  }
  int64_t next_integer(const Element& element, uint64_t record) {
    skip_blank(element, record);
    int64_t value;
    const char* const next = parse_integer(p_, end_, value);
    if (!next) fail_number(element, record);
    p_ = next;
    return value;
  }
  std::size_t next_count(const Element& element, uint64_t record) {
    const int64_t count = next_integer(element, record);
    if (count < 0 || count > end_ - p_) fail_short(element, record);
    return static_cast<std::size_t>(count);
  }
  void skip_property(const Element& element, uint64_t record, const Property& property) {
    const std::size_t count = property.is_list ? next_count(element, record) : 1;
    for (std::size_t k = 0; k < count; ++k) next_float(element, record);
  }

  const char* p_;
  const char* end_;
  CancelView cancel_;
};

}  // namespace

Mesh parse_ply(std::string_view bytes, LoadReport& report, CancelView cancel) {
  const Header header = read_header(bytes);
  report.unread = unread_in(header);
  const bool ascii = header.format == Format::ascii;
  BinaryBody binary(bytes, header, report, cancel);
  AsciiBody text(bytes, header, cancel);
  std::vector<Vec3f> positions;
  std::vector<Triangle> triangles;
  std::vector<PolygonBlock> blocks;
  bool have_vertices = false;
  for (const Element& element : header.elements) {
    if (element.name == "vertex" && !have_vertices) {
      positions = ascii ? text.read_vertices(element) : binary.read_vertices(element);
      have_vertices = true;
    } else if (element.name == "face" && blocks.empty() && triangles.empty()) {
      if (!have_vertices) throw FormatError("its faces come before its vertices");
      ascii ? text.read_faces(element, positions.size(), blocks)
            : binary.read_faces(element, positions.size(), triangles, blocks);
    } else if (element.name == "tristrips" && element.count > 0) {
      throw FormatError("its faces are triangle strips, which are not read");
    } else {
      ascii ? text.skip(element) : binary.skip(element);
    }
  }
  if (positions.empty()) throw FormatError("there are no vertices in it");
  mend_places(positions, report);
  Topology topology;
  if (blocks.empty()) {
    topology.triangles = std::move(triangles);
  } else {
    topology = assemble(positions, blocks, report, cancel);
  }
  return Mesh(std::move(topology), std::move(positions));
}

}  // namespace sinew
