// Who is next to whom, in compressed rows: the neighbours of vertex i are
// neighbours[offsets[i]] .. neighbours[offsets[i + 1]], so that kernels gather instead of scatter.
#pragma once

#include <span>
#include <vector>

#include "nodes/geometry/mesh.h"

namespace sinew::kernels {

struct Rows {
  std::vector<uint32_t> offsets;  // one more than there are rows
  std::vector<uint32_t> items;

  std::size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
  std::span<const uint32_t> operator[](std::size_t row) const {
    return std::span(items).subspan(offsets[row], offsets[row + 1] - offsets[row]);
  }
};

// For each vertex its triangles, in increasing order.
Rows vertex_triangles(std::span<const Triangle> triangles, std::size_t vertex_count);

// For each vertex the vertices it shares an edge with, in increasing order, each once.
Rows vertex_neighbours(std::span<const Triangle> triangles, std::size_t vertex_count);

// The same from the vertices' triangles. `on_boundary`, if given, tells for each vertex whether one
// of its edges has only one triangle.
Rows vertex_neighbours(std::span<const Triangle> triangles, const Rows& around,
                       std::vector<char>* on_boundary = nullptr);

// The undirected edges of a mesh, ordered by (a, b).
struct EdgeTable {
  struct Edge {
    uint32_t a, b;       // a < b
    uint32_t triangles;  // how many share it: 1 at a boundary, 2 inside, more: non-manifold
    std::array<uint32_t, 2> opposite;  // the third vertices of the first two of these triangles
    bool operator==(const Edge&) const = default;
  };
  std::vector<Edge> edges;
  std::vector<uint32_t> first_of_vertex;             // edges with a = v start here
  std::vector<std::array<uint32_t, 3>> of_triangle;  // edges (v0 v1), (v1 v2), (v2 v0)

  // The index of an edge that exists.
  std::size_t find(uint32_t a, uint32_t b) const;
};
// Degenerate triangles (a repeated vertex) must not be in the input.
EdgeTable build_edges(std::span<const Triangle> triangles, std::size_t vertex_count);

// What the connectivity says about the surface.
struct TopologyReport {
  std::size_t edges = 0;
  std::size_t boundary_edges = 0;
  std::size_t non_manifold_edges = 0;  // three or more triangles
  std::size_t flipped_edges = 0;       // two triangles that run through it in the same direction
  std::size_t used_vertices = 0;
  std::size_t degenerate_triangles = 0;
  long euler = 0;  // used vertices - edges + triangles
  bool watertight() const {
    return boundary_edges == 0 && non_manifold_edges == 0 && flipped_edges == 0 &&
           degenerate_triangles == 0;
  }
};
TopologyReport inspect_topology(std::span<const Triangle> triangles, std::size_t vertex_count);

}  // namespace sinew::kernels
