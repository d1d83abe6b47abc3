#include "nodes/geometry/mesh_writers.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <cmath>
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

std::string encode_obj(const Mesh& mesh, const VertexExtras& extras) {
  std::vector<std::string> pieces = {"# Sinew\n"};
  format_lines(
      mesh.vertex_count(),
      [&](auto& out, std::size_t i) {
        const Vec3f& p = mesh.positions[i];
        fmt::format_to(out, "v {} {} {}", p[0], p[1], p[2]);
        if (!extras.colours.empty()) {
          const Vec3f& c = extras.colours[i];
          fmt::format_to(out, " {:.4g} {:.4g} {:.4g}", c[0], c[1], c[2]);
        }
        fmt::format_to(out, "\n");
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

std::string encode_ply(const Mesh& mesh, const VertexExtras& extras) {
  const bool coloured = !extras.colours.empty(), numbered = !extras.numbers.empty();
  std::string properties = "property float x\nproperty float y\nproperty float z\n";
  if (coloured) properties += "property uchar red\nproperty uchar green\nproperty uchar blue\n";
  if (numbered) properties += fmt::format("property float {}\n", extras.name);
  const std::string header = fmt::format(
      "ply\nformat binary_little_endian 1.0\ncomment Sinew\n"
      "element vertex {}\n{}element face {}\nproperty list uchar uint vertex_indices\nend_header\n",
      mesh.vertex_count(), properties, mesh.triangle_count());
  const std::size_t vertex = 12 + (coloured ? 3u : 0u) + (numbered ? 4u : 0u);
  std::string vertices(vertex * mesh.vertex_count(), '\0');
  parallel_blocks(mesh.vertex_count(), [&](std::size_t begin, std::size_t end) {
    char* at = vertices.data() + vertex * begin;
    for (std::size_t i = begin; i < end; ++i) {
      at = put(at, mesh.positions[i]);
      for (int c = 0; coloured && c < 3; ++c)
        at = put(at, static_cast<uint8_t>(
                         std::lround(255 * std::clamp(extras.colours[i][c], 0.0f, 1.0f))));
      if (numbered) at = put(at, extras.numbers[i]);
    }
  });
  constexpr std::size_t record = 13;
  std::string faces(record * mesh.triangle_count(), '\0');
  parallel_blocks(mesh.triangle_count(), [&](std::size_t begin, std::size_t end) {
    char* at = faces.data() + record * begin;
    for (std::size_t i = begin; i < end; ++i) at = put(put(at, uint8_t{3}), mesh.triangles()[i]);
  });
  const std::string_view pieces[] = {header, vertices, faces};
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
