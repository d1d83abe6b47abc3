#include "nodes/kernels/subdivide.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "nodes/geometry/parallel.h"
#include "nodes/geometry/stoppable_resize.h"
#include "nodes/kernels/adjacency.h"

namespace sinew::kernels {

namespace {

bool is_sharp(const EdgeTable::Edge& edge) { return edge.triangles != 2; }

double beta(std::size_t n, LoopWeights weights) {
  if (weights == LoopWeights::warren) return n == 3 ? 3.0 / 16 : 3.0 / (8.0 * n);
  const double c = 3.0 / 8 + std::cos(2 * std::numbers::pi / n) / 4;
  return (5.0 / 8 - c * c) / n;
}

Vec3f edge_point(const EdgeTable::Edge& edge, std::span<const Vec3f> p) {
  const Vec3d ends = p[edge.a].cast<double>() + p[edge.b].cast<double>();
  if (is_sharp(edge)) return (0.5 * ends).cast<float>();
  const Vec3d wings = p[edge.opposite[0]].cast<double>() + p[edge.opposite[1]].cast<double>();
  return (0.375 * ends + 0.125 * wings).cast<float>();
}

Vec3f vertex_point(uint32_t v, std::span<const uint32_t> neighbours, const EdgeTable& table,
                   std::span<const Vec3f> p, LoopWeights weights) {
  if (neighbours.empty()) return p[v];
  Vec3d sum = Vec3d::Zero(), sharp_sum = Vec3d::Zero();
  int sharp = 0;
  for (const uint32_t u : neighbours) {
    sum += p[u].cast<double>();
    if (is_sharp(table.edges[table.find(v, u)])) {
      sharp_sum += p[u].cast<double>();
      ++sharp;
    }
  }
  const Vec3d here = p[v].cast<double>();
  if (sharp == 2) return (0.75 * here + 0.125 * sharp_sum).cast<float>();
  if (sharp != 0) return p[v];
  const std::size_t n = neighbours.size();
  const double b = beta(n, weights);
  return ((1 - n * b) * here + b * sum).cast<float>();
}

// Corners first, then the triangle of the three edge points; each keeps its parent's orientation.
Topology split(const Topology& old, const EdgeTable& table, uint32_t first_edge_vertex) {
  Topology result;
  const std::size_t count = old.triangles.size();
  stoppable_resize(result.triangles, 4 * count);
  if (!old.corner_uvs.empty()) stoppable_resize(result.corner_uvs, 12 * count);
  parallel_blocks(count, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      const Triangle& v = old.triangles[t];
      std::array<uint32_t, 3> e;
      for (int k = 0; k < 3; ++k) e[k] = first_edge_vertex + table.of_triangle[t][k];
      Triangle* out = &result.triangles[4 * t];
      for (int k = 0; k < 3; ++k) out[k] = {v[k], e[k], e[(k + 2) % 3]};
      out[3] = e;
      if (old.corner_uvs.empty()) continue;
      const Vec2f* uv = &old.corner_uvs[3 * t];
      std::array<Vec2f, 3> mid;
      for (int k = 0; k < 3; ++k) mid[k] = 0.5f * (uv[k] + uv[(k + 1) % 3]);
      Vec2f* out_uv = &result.corner_uvs[12 * t];
      for (int k = 0; k < 3; ++k) {
        out_uv[3 * k] = uv[k];
        out_uv[3 * k + 1] = mid[k];
        out_uv[3 * k + 2] = mid[(k + 2) % 3];
        out_uv[9 + k] = mid[k];
      }
    }
  });
  return result;
}

Mesh subdivide_once(const Mesh& mesh, LoopWeights weights, CancelView cancel) {
  const std::span<const Vec3f> p = mesh.positions;
  const EdgeTable table = build_edges(mesh.triangles(), p.size());
  const Rows neighbours = vertex_neighbours(mesh.triangles(), p.size());
  if (p.size() + table.edges.size() > UINT32_MAX || mesh.triangle_count() > UINT32_MAX / 4) {
    throw std::length_error("the subdivided mesh does not fit 32-bit indices");
  }
  cancel.check();
  std::vector<Vec3f> positions;
  stoppable_resize(positions, p.size() + table.edges.size());
  parallel_blocks(p.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      positions[v] = vertex_point(static_cast<uint32_t>(v), neighbours[v], table, p, weights);
    }
  });
  cancel.check();
  parallel_blocks(table.edges.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e) {
      positions[p.size() + e] = edge_point(table.edges[e], p);
    }
  });
  cancel.check();
  return Mesh(split(*mesh.topology, table, static_cast<uint32_t>(p.size())), std::move(positions));
}

Mesh without_degenerate(const Mesh& mesh) {
  const auto degenerate = [](const Triangle& t) {
    return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
  };
  const Topology& old = *mesh.topology;
  if (std::none_of(old.triangles.begin(), old.triangles.end(), degenerate)) return mesh;
  Topology kept;
  for (std::size_t t = 0; t < old.triangles.size(); ++t) {
    if (degenerate(old.triangles[t])) continue;
    kept.triangles.push_back(old.triangles[t]);
    for (std::size_t k = 0; k < 3 && !old.corner_uvs.empty(); ++k) {
      kept.corner_uvs.push_back(old.corner_uvs[3 * t + k]);
    }
  }
  return Mesh(std::move(kept), mesh.positions);
}

}  // namespace

uint64_t subdivided_triangle_count(uint64_t triangles, int levels) {
  for (int i = 0; i < levels; ++i) {
    if (triangles > UINT64_MAX / 4) return UINT64_MAX;
    triangles *= 4;
  }
  return triangles;
}

Mesh subdivide_loop(const Mesh& mesh, int levels, LoopWeights weights, CancelView cancel) {
  if (levels <= 0) return mesh;
  Mesh result = without_degenerate(mesh);
  for (int i = 0; i < levels; ++i) result = subdivide_once(result, weights, cancel);
  return result;
}

}  // namespace sinew::kernels
