// The vertices of a body as glTF wants them, where everything with a normal or a texture coordinate
// of its own is a vertex of its own. The first ones are the body's, in their order; behind them
// come the further sides of those that lie on an edge or a seam.
//
// Edges are where they are drawn (render/mesh_corners.h), as the body is at its first frame: a file
// has one set of triangles for all frames.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "nodes/geometry/mesh.h"
#include "render/mesh_corners.h"

namespace sinew::exchange {

class GltfVertices {
 public:
  explicit GltfVertices(const Mesh& first);

  std::size_t count() const { return origins_.size(); }
  std::span<const Triangle> triangles() const { return triangles_; }
  // One each, v downwards, as glTF has it; or empty.
  std::span<const Vec2f> uvs() const { return uvs_; }

  // What the body has for each of its vertices, for each of ours.
  template <class T>
  std::vector<T> spread(const std::vector<T>& list) const {
    std::vector<T> all;
    all.reserve(origins_.size());
    for (const uint32_t v : origins_) all.push_back(list[v]);
    return all;
  }

  // Unit normals where the body's vertices are at these places, as it is drawn there.
  std::vector<Vec3f> normals(std::span<const Vec3f> places);

 private:
  void find_corners(std::span<const Vec3f> places);

  std::shared_ptr<const Topology> topology_;
  std::shared_ptr<const render::CornerTables> tables_;
  render::CornerScratch scratch_;
  std::vector<render::CornerVertex> corners_;  // as drawn where they were asked for last
  std::vector<uint32_t> origins_;              // which of the body's vertices each is
  std::vector<Triangle> triangles_;
  std::vector<Vec2f> uvs_;
};

}  // namespace sinew::exchange
