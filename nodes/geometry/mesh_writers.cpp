#include "nodes/geometry/mesh_writers.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <bit>
#include <cstring>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nodes/geometry/parallel.h"

namespace sinew {

static_assert(std::endian::native == std::endian::little, "the writers copy memory as it is");

namespace {

constexpr std::size_t lines_per_piece = 16384;

// Formats `count` lines in parallel pieces that keep their order.
template <class Line>
void format_lines(std::size_t count, const Line& line, std::vector<std::string>& pieces) {
  const std::size_t first = pieces.size();
  pieces.resize(first + (count + lines_per_piece - 1) / lines_per_piece);
  parallel_blocks(
      count,
      [&](std::size_t begin, std::size_t end) {
        std::string& piece = pieces[first + begin / lines_per_piece];
        auto out = std::back_inserter(piece);
        for (std::size_t i = begin; i < end; ++i) line(out, i);
      },
      lines_per_piece);
}

std::string joined(std::span<const std::string_view> pieces) {
  std::size_t size = 0;
  for (const std::string_view piece : pieces) size += piece.size();
  std::string whole;
  whole.reserve(size);
  for (const std::string_view piece : pieces) whole += piece;
  return whole;
}

template <class T>
char* put(char* at, const T& value) {
  std::memcpy(at, &value, sizeof(T));
  return at + sizeof(T);
}

}  // namespace

std::string encode_obj(const Mesh& mesh) {
  std::vector<std::string> pieces = {"# Sinew\n"};
  format_lines(
      mesh.vertex_count(),
      [&](auto& out, std::size_t i) {
        const Vec3f& p = mesh.positions[i];
        fmt::format_to(out, "v {} {} {}\n", p[0], p[1], p[2]);
      },
      pieces);
  const std::vector<Vec2f>& uvs = mesh.topology->corner_uvs;
  format_lines(
      uvs.size(),
      [&](auto& out, std::size_t i) { fmt::format_to(out, "vt {} {}\n", uvs[i][0], uvs[i][1]); },
      pieces);
  format_lines(
      mesh.triangle_count(),
      [&](auto& out, std::size_t i) {
        const Triangle& t = mesh.triangles()[i];
        if (uvs.empty()) {
          fmt::format_to(out, "f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
        } else {
          fmt::format_to(out, "f {}/{} {}/{} {}/{}\n", t[0] + 1, 3 * i + 1, t[1] + 1, 3 * i + 2,
                         t[2] + 1, 3 * i + 3);
        }
      },
      pieces);
  const std::vector<std::string_view> views(pieces.begin(), pieces.end());
  return joined(views);
}

std::string encode_ply(const Mesh& mesh) {
  const std::string header = fmt::format(
      "ply\nformat binary_little_endian 1.0\ncomment Sinew\n"
      "element vertex {}\nproperty float x\nproperty float y\nproperty float z\n"
      "element face {}\nproperty list uchar uint vertex_indices\nend_header\n",
      mesh.vertex_count(), mesh.triangle_count());
  constexpr std::size_t record = 13;
  std::string faces(record * mesh.triangle_count(), '\0');
  parallel_blocks(mesh.triangle_count(), [&](std::size_t begin, std::size_t end) {
    char* at = faces.data() + record * begin;
    for (std::size_t i = begin; i < end; ++i) at = put(put(at, uint8_t{3}), mesh.triangles()[i]);
  });
  const std::span<const std::byte> positions = bytes_of(mesh.positions);
  const std::string_view pieces[] = {
      header, {reinterpret_cast<const char*>(positions.data()), positions.size()}, faces};
  return joined(pieces);
}

std::string encode_stl(const Mesh& mesh) {
  // The first word must not be "solid", which marks the text variant.
  constexpr std::size_t head = 84, record = 50;
  std::string bytes(head + record * mesh.triangle_count(), '\0');
  std::memcpy(bytes.data(), "binary STL, Sinew", 17);
  put(bytes.data() + 80, static_cast<uint32_t>(mesh.triangle_count()));
  parallel_blocks(mesh.triangle_count(), [&](std::size_t begin, std::size_t end) {
    char* at = bytes.data() + head + record * begin;
    for (std::size_t i = begin; i < end; ++i) {
      const Triangle& t = mesh.triangles()[i];
      const Vec3f &a = mesh.positions[t[0]], &b = mesh.positions[t[1]], &c = mesh.positions[t[2]];
      const Vec3d ab = (b - a).cast<double>(), ac = (c - a).cast<double>();
      at = put(at, Vec3f(ab.cross(ac).normalized().cast<float>()));
      at = put(put(put(put(at, a), b), c), uint16_t{0});
    }
  });
  return bytes;
}

}  // namespace sinew
