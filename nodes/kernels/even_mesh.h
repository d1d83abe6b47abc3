// A triangle mesh that is made even in place: long edges are split, short ones collapsed, edges
// flipped towards valence six, and vertices moved along the surface towards the middle of their
// neighbours, again and again [Botsch04]. No operation changes the topology: a collapse is done
// only if the two vertices have no common neighbour but those opposite to their edge (the link
// condition), a flip only if the new edge does not exist yet. So a manifold stays one, with the
// same Euler number, whatever length is asked for.
//
// A mesh with a border keeps it: border vertices move along it only, within the plane x = 0. That
// is how half of a symmetric body is worked on, which is mirrored in the end.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "nodes/geometry/mesh.h"

namespace sinew::kernels {

// Negative inside, metres near the surface (or about so: steps are corrected by the gradient).
using Implicit = std::function<double(const Vec3d&)>;

class EvenMesh {
 public:
  // A manifold, with a border in x = 0 or without one.
  EvenMesh(std::vector<Vec3d> positions, std::span<const Triangle> triangles);

  // The wished length of edges at each vertex, metres; one for each of positions().
  std::vector<double> sizes;

  std::span<const Vec3d> positions() const { return positions_; }
  bool used(std::size_t vertex) const { return out_[vertex] != none; }
  std::size_t vertex_count() const { return live_vertices_; }
  std::size_t border_vertex_count() const;
  std::vector<double> vertex_areas() const;   // a third of the triangles around; 0 if not used
  std::vector<Vec3d> vertex_normals() const;  // unit, area-weighted; 0 if not used

  // The edges above `longest` times the wished length are halved, those below `shortest` collapsed.
  void split_long(double longest, CancelView stop = {});
  void collapse_short(double shortest, double longest, CancelView stop = {});
  // Towards valence six (four at the border), then towards larger angles.
  void flip_for_valence(CancelView stop = {});
  void flip_for_angles(CancelView stop = {});
  // Along the surface towards the middle of the neighbours, and back onto f = 0. `probe` is the
  // distance of differences.
  void relax(const Implicit& f, double probe, double amount, CancelView stop = {});
  void project(const Implicit& f, double probe, int steps, CancelView stop = {});
  // One triangle into four: 4 V - 3 Euler vertices. Middles are brought onto f = 0.
  void quarter(const Implicit& f, double probe, CancelView stop = {});

  // The vertices in use, renumbered, and their triangles.
  Mesh to_mesh() const;
  // The same with its mirror image at x = 0, joined at the border.
  Mesh to_mirrored_mesh() const;

  // Calls visit(neighbour) for the vertices around one.
  template <class Visit>
  void for_neighbours(uint32_t vertex, const Visit& visit) const;

 private:
  static constexpr uint32_t none = UINT32_MAX;
  static uint32_t next(uint32_t h) { return h % 3 == 2 ? h - 2 : h + 1; }
  static uint32_t previous(uint32_t h) { return h % 3 == 0 ? h + 2 : h - 1; }
  uint32_t from(uint32_t h) const { return corner_[h]; }
  uint32_t to(uint32_t h) const { return corner_[next(h)]; }
  bool dead(uint32_t h) const { return corner_[h] == none; }
  double length(uint32_t h) const { return (positions_[to(h)] - positions_[from(h)]).norm(); }
  double wished(uint32_t h) const { return 0.5 * (sizes[to(h)] + sizes[from(h)]); }
  Vec3d area_vector(uint32_t triangle) const;

  template <class Visit>
  void for_outgoing(uint32_t vertex, const Visit& visit) const;
  void join(uint32_t h, uint32_t g);
  void split(uint32_t h);
  bool may_collapse(uint32_t h, const Vec3d& target, double longest) const;
  bool keeps_faces(uint32_t moved, uint32_t other, const Vec3d& target) const;
  void collapse(uint32_t h, const Vec3d& target);
  bool may_flip(uint32_t h) const;
  void flip(uint32_t h);
  bool connected(uint32_t a, uint32_t b) const;
  int valence(uint32_t vertex) const;
  Vec3d onto(const Implicit& f, double probe, const Vec3d& start, uint32_t vertex,
             const Vec3d& normal, int steps) const;

  std::vector<Vec3d> positions_;
  std::vector<uint32_t> corner_;  // three per triangle; `none` if the triangle is gone
  std::vector<uint32_t> twin_;    // of the half edge from corner h to the next one; none: border
  std::vector<uint32_t> out_;     // a half edge that starts at the vertex; none: not used
  std::vector<char> border_;      // of vertices
  bool half_ = false;             // there is a border, and all else lies at x > 0
  std::size_t live_vertices_ = 0;
  mutable std::vector<uint32_t> marks_;  // scratch of connected() and may_collapse()
};

template <class Visit>
void EvenMesh::for_outgoing(uint32_t vertex, const Visit& visit) const {
  const uint32_t start = out_[vertex];
  if (start == none) return;
  uint32_t h = start;
  do {
    visit(h);
    h = twin_[previous(h)];
  } while (h != none && h != start);
  if (h == start) return;
  for (uint32_t g = twin_[start]; g != none; g = twin_[g]) {
    g = next(g);
    visit(g);
  }
}

template <class Visit>
void EvenMesh::for_neighbours(uint32_t vertex, const Visit& visit) const {
  for_outgoing(vertex, [&](uint32_t h) {
    visit(to(h));
    if (twin_[previous(h)] == none) visit(from(previous(h)));
  });
}

}  // namespace sinew::kernels
