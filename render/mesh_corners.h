// From a mesh to what the graphics card draws: three corners for each triangle, each with a place
// and a normal of its own. Corners, not shared vertices, because edges stay sharp where the surface
// bends sharply, wire needs to know which corner it is at, and values may be given per triangle.
//
// A corner's normal is the mean over the triangles j round its vertex, weighted by area a_j and by
// how little they bend away from the corner's own triangle i:
//   n ~ sum_j a_j w(n_i . n_j) n_j,   w = 1 up to 35 degrees, 0 from 60 on, smooth between.
// So a body is round where it is round and a box keeps its edges; and because w is continuous,
// nothing jumps while the body deforms. It is a function of the positions alone: the same frame
// looks the same whatever was drawn before.
//
// Where all triangles round a vertex lie within 17.5 degrees of their mean, every w is 1 and the
// corners share one normal: the usual case, and the fast one. A vertex with very many triangles is
// the tip of a fan: there each keeps its own normal, or the work would grow with their square.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "render/camera.h"
#include "render/draw_list.h"

namespace sinew::render {

// As it lies in the vertex buffer: 20 bytes.
struct CornerVertex {
  float x, y, z;
  int16_t nx, ny, nz, unused;
};

// What follows from the triangles alone: made once for a topology.
class CornerTables {
 public:
  // Nothing, and what is wrong, if a triangle refers to a vertex that is not there.
  static std::shared_ptr<const CornerTables> make(std::span<const draw::Triangle> triangles,
                                                  std::size_t vertices, std::string& error);

  // Corner k of triangle t is 3 t + k.
  std::span<const uint32_t> corners_of(std::size_t vertex) const {
    return std::span(items_).subspan(offsets_[vertex], offsets_[vertex + 1] - offsets_[vertex]);
  }
  std::size_t vertex_count() const { return offsets_.size() - 1; }

 private:
  std::vector<uint32_t> offsets_, items_;
};

// A triangle's unit normal and twice its area; all zero if it has none.
struct Facing {
  float x = 0, y = 0, z = 0, area = 0;
};

// Kept from frame to frame, so that nothing is allocated while a body moves.
struct CornerScratch {
  std::vector<Facing> triangles;
};

// The first position that is not three numbers, if there is one.
std::optional<std::size_t> first_bad_position(std::span<const draw::Point> positions);

// Fills three corners for each triangle. Returns the box of all corners, or nothing and a message
// with the first bad vertex if a position is not a number.
std::optional<Box> expand_corners(std::span<const draw::Point> positions,
                                  std::span<const draw::Triangle> triangles,
                                  const CornerTables& tables, CornerScratch& scratch,
                                  std::span<CornerVertex> out, std::string& error);

// Unit normals of the vertices, with no regard to edges; 0 where there is none.
std::vector<draw::Point> mean_normals(const draw::Mesh& mesh, const CornerTables& tables);

// One value for each corner.
void expand_values(const draw::Mesh& mesh, std::span<float> out);

// Four bytes for each corner: which corner it is, as (1,0,0), (0,1,0), (0,0,1). An edge inside of a
// polygon is no edge: its coordinate stays 1 all over the triangle.
void expand_edges(std::span<const draw::Triangle> triangles,
                  std::span<const uint32_t> polygon_of_triangle,
                  std::span<std::array<uint8_t, 4>> out);

}  // namespace sinew::render
