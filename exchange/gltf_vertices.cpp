#include "exchange/gltf_vertices.h"

#include <algorithm>
#include <numeric>

namespace sinew::exchange {
namespace {

// Normals of corners that are nearer than 3 degrees are one.
constexpr float cos_alike = 0.9986f;
// A vertex in very many triangles, the tip of a fan, is compared with so many of its sides.
constexpr std::size_t most_compared = 16;

Vec3f normal_of(const render::CornerVertex& corner) {
  constexpr float one = 32767;
  return Vec3f(corner.nx, corner.ny, corner.nz) / one;
}

// One of the vertices that a vertex of the body becomes.
struct Side {
  uint32_t vertex;
  Vec3f normal;
  Vec2f uv;
};

}  // namespace

GltfVertices::GltfVertices(const Mesh& first) : topology_(first.topology) {
  const std::size_t count = first.vertex_count();
  std::string error;  // a mesh that was shown has no flaw
  tables_ = render::CornerTables::make(first.triangles(), count, error);
  triangles_.assign(first.triangles().begin(), first.triangles().end());
  origins_.resize(count);
  std::iota(origins_.begin(), origins_.end(), 0u);
  const std::vector<Vec2f>& uvs = topology_->corner_uvs;
  if (!uvs.empty()) uvs_.assign(count, Vec2f(0, 0));
  if (!tables_) return;
  find_corners(first.positions);
  std::vector<Side> sides;
  for (std::size_t v = 0; v < count; ++v) {
    sides.clear();
    for (const uint32_t c : tables_->corners_of(v)) {
      const Vec3f normal = normal_of(corners_[c]);
      const Vec2f uv = uvs.empty() ? Vec2f(0, 0) : Vec2f(uvs[c][0], 1 - uvs[c][1]);
      const std::size_t begin = sides.size() - std::min(sides.size(), most_compared);
      auto side = std::find_if(
          sides.begin() + static_cast<std::ptrdiff_t>(begin), sides.end(), [&](const Side& s) {
            return s.uv == uv && (s.normal.dot(normal) > cos_alike || s.normal == normal);
          });
      if (side == sides.end()) {
        const auto vertex = static_cast<uint32_t>(sides.empty() ? v : origins_.size());
        if (!sides.empty()) {
          origins_.push_back(static_cast<uint32_t>(v));
          if (!uvs.empty()) uvs_.emplace_back(0, 0);
        }
        if (!uvs.empty()) uvs_[vertex] = uv;
        side = sides.insert(sides.end(), {vertex, normal, uv});
      }
      triangles_[c / 3][c % 3] = side->vertex;
    }
  }
}

void GltfVertices::find_corners(std::span<const Vec3f> places) {
  corners_.resize(3 * topology_->triangles.size());
  std::string error;
  if (!render::expand_corners(places, topology_->triangles, *tables_, scratch_, corners_, error))
    std::fill(corners_.begin(), corners_.end(), render::CornerVertex{});
}

std::vector<Vec3f> GltfVertices::normals(std::span<const Vec3f> places) {
  std::vector<Vec3f> sums(origins_.size(), Vec3f(0, 0, 0));
  if (tables_) {
    find_corners(places);
    for (std::size_t c = 0; c < corners_.size(); ++c)
      sums[triangles_[c / 3][c % 3]] += normal_of(corners_[c]);
  }
  for (Vec3f& n : sums) {
    const float length = n.norm();
    n = length > 1e-3f ? Vec3f(n / length) : Vec3f(0, 1, 0);
  }
  return sums;
}

}  // namespace sinew::exchange
