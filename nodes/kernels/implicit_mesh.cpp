#include "nodes/kernels/implicit_mesh.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nodes/geometry/parallel.h"

namespace sinew::kernels {
namespace {

constexpr double longest_edge = 4.0 / 3, shortest_edge = 4.0 / 5;
constexpr double widest_range = 4;         // of edge lengths, longest to shortest
constexpr double steepest = 0.35;          // change of the edge length in a metre along the surface
constexpr int most_even_vertices = 12000;  // beyond, quartering

struct Body {
  const Implicit& f;
  double probe;
};

void round_of_work(EvenMesh& mesh, const Body& body, CancelView stop) {
  mesh.split_long(longest_edge, stop);
  mesh.collapse_short(shortest_edge, longest_edge, stop);
  mesh.flip_for_valence(stop);
  mesh.relax(body.f, body.probe, 0.7, stop);
}

// The larger curvature at each vertex, 1/m: how fast the normal turns along the edges.
std::vector<double> curvatures(const EvenMesh& mesh) {
  const std::vector<Vec3d> normals = mesh.vertex_normals();
  const std::span<const Vec3d> at = mesh.positions();
  std::vector<double> curvature(at.size(), 0), smooth(at.size(), 0);
  for (uint32_t v = 0; v < at.size(); ++v) {
    if (!mesh.used(v)) continue;
    mesh.for_neighbours(v, [&](uint32_t u) {
      const double length = (at[u] - at[v]).norm();
      if (length > 0) {
        curvature[v] = std::max(curvature[v], (normals[u] - normals[v]).norm() / length);
      }
    });
  }
  for (int pass = 0; pass < 2; ++pass) {
    for (uint32_t v = 0; v < at.size(); ++v) {
      if (!mesh.used(v)) continue;
      double sum = curvature[v], count = 1;
      mesh.for_neighbours(v, [&](uint32_t u) { sum += curvature[u], ++count; });
      smooth[v] = sum / count;
    }
    curvature.swap(smooth);
  }
  return curvature;
}

// Edge lengths that follow the curvature, up to a factor.
void wish_sizes(EvenMesh& mesh, const ImplicitMeshOptions& options) {
  const std::vector<double> curvature = curvatures(mesh);
  const std::span<const Vec3d> at = mesh.positions();
  const double flat = 8 / options.box.sizes().maxCoeff();  // below this, nothing is gained
  double largest = 0;
  for (uint32_t v = 0; v < at.size(); ++v) {
    if (!mesh.used(v)) continue;
    mesh.sizes[v] = std::pow(1 / (curvature[v] + flat), options.adaptivity);
    largest = std::max(largest, mesh.sizes[v]);
  }
  for (double& size : mesh.sizes) size = std::clamp(size / largest, 1 / widest_range, 1.0);
}

// Vertices that these sizes will give: an even mesh has sqrt(3)/2 l^2 of area per vertex.
double expected_vertices(const EvenMesh& mesh) {
  const std::vector<double> areas = mesh.vertex_areas();
  double count = 0;
  for (std::size_t v = 0; v < areas.size(); ++v) {
    if (mesh.used(v)) count += areas[v] / (0.5 * std::sqrt(3.0) * mesh.sizes[v] * mesh.sizes[v]);
  }
  return count;
}

void scale_sizes(EvenMesh& mesh, double factor) {
  for (double& size : mesh.sizes) size *= factor;
}

// A size may not exceed that of a neighbour by more than a part of their distance, else long
// triangles would lie between small and large ones.
void grade_sizes(EvenMesh& mesh) {
  const std::span<const Vec3d> at = mesh.positions();
  bool changed = true;
  for (int pass = 0; pass < 30 && changed; ++pass) {
    changed = false;
    for (uint32_t v = 0; v < at.size(); ++v) {
      if (!mesh.used(v)) continue;
      double limit = mesh.sizes[v];
      mesh.for_neighbours(v, [&](uint32_t u) {
        limit = std::min(limit, mesh.sizes[u] + steepest * (at[u] - at[v]).norm());
      });
      changed |= limit < mesh.sizes[v] * 0.999;
      mesh.sizes[v] = limit;
    }
  }
}

double full_count(const EvenMesh& mesh, bool mirrored) {
  const double count = static_cast<double>(mesh.vertex_count());
  return mirrored ? 2 * count - static_cast<double>(mesh.border_vertex_count()) : count;
}

// Rounds of work, with all sizes scaled so that the count comes to what is wished.
void make_even(EvenMesh& mesh, const Body& body, double wished, bool mirrored, CancelView stop) {
  constexpr int rounds = 10;
  const double part = mirrored ? 0.5 : 1;
  scale_sizes(mesh, std::sqrt(expected_vertices(mesh) / (part * wished)));
  grade_sizes(mesh);
  scale_sizes(mesh, std::sqrt(expected_vertices(mesh) / (part * wished)));
  for (int round = 0; round < rounds; ++round) {
    round_of_work(mesh, body, stop);
    mesh.relax(body.f, body.probe, 0.7, stop);
    if (round < 2 || round == rounds - 1) continue;
    scale_sizes(mesh, std::pow(full_count(mesh, mirrored) / wished, 0.5));
  }
  for (int pass = 0; pass < 3; ++pass) {
    mesh.flip_for_angles(stop);
    mesh.relax(body.f, body.probe, 0.7, stop);
  }
  mesh.flip_for_angles(stop);
}

// Leaves out the connected parts of the surface that enclose a hollow: those whose volume, by the
// divergence theorem, is negative. A border in x = 0 adds nothing to it.
void fill_hollows(GridSurface& surface) {
  std::vector<uint32_t> root(surface.positions.size());
  std::iota(root.begin(), root.end(), 0u);
  const auto find = [&](uint32_t v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  for (const Triangle& t : surface.triangles) {
    root[find(t[1])] = find(t[0]);
    root[find(t[2])] = find(t[0]);
  }
  std::vector<double> volume(root.size(), 0);
  const auto& at = surface.positions;
  for (const Triangle& t : surface.triangles) {
    volume[find(t[0])] += at[t[0]].dot(at[t[1]].cross(at[t[2]]));
  }
  std::erase_if(surface.triangles, [&](const Triangle& t) { return volume[find(t[0])] < 0; });
}

}  // namespace

Mesh mesh_implicit(const Implicit& f, const ImplicitMeshOptions& options, CancelView stop) {
  GridSurface found = find_on_grid(f, options, stop);
  if (!options.keep_hollows) fill_hollows(found);
  if (found.triangles.empty()) return Mesh();
  const Body body{f, 0.02 * options.cell};
  EvenMesh mesh(std::move(found.positions), found.triangles);
  found = {};
  std::fill(mesh.sizes.begin(), mesh.sizes.end(), 1.1 * options.cell);
  for (int round = 0; round < 3; ++round) round_of_work(mesh, body, stop);
  wish_sizes(mesh, options);
  int quarters = 0;
  double wished = std::max(options.vertices, 4);
  for (; wished > most_even_vertices; wished /= 4) ++quarters;
  make_even(mesh, body, wished, options.mirror_x, stop);
  for (int level = 0; level < quarters; ++level) {
    mesh.quarter(f, body.probe, stop);
    mesh.relax(f, body.probe, 0.3, stop);
  }
  mesh.project(f, body.probe, 4, stop);
  return options.mirror_x ? mesh.to_mirrored_mesh() : mesh.to_mesh();
}

}  // namespace sinew::kernels
