// A U of two legs and a gap, as a surface and as a solid: whoever measures through it must go down
// one leg and up the other, however thin the gap is.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "nodes/geometry/tet_mesh.h"
#include "nodes/kernels/tet_primitives.h"

namespace sinew::test {

// Legs of width `leg` along x, `gap` between them, depth `leg` along z, `height` along y in all,
// `bottom` of it below the gap. It begins at the origin.
struct UShape {
  float leg = 1, gap = 0.5f, height = 4, bottom = 1;
  int cells = 4;  // across a leg

  float width() const { return 2 * leg + gap; }
  // The inner top edges of both legs, in the middle of the depth.
  Vec3f left_tip() const { return {leg, height, leg / 2}; }
  Vec3f right_tip() const { return {leg + gap, height, leg / 2}; }
  // From one tip to the other: down the inner side, across, and up again.
  float way() const { return 2 * (height - bottom) + gap; }

  // Cells along x: leg, gap, leg; one cell of the gap.
  int across() const { return 2 * cells + 1; }
  int up() const { return static_cast<int>(static_cast<float>(cells) * height / leg + 0.5f); }
  bool in_gap(int x, int y) const {
    return x == cells && y >= static_cast<int>(static_cast<float>(cells) * bottom / leg + 0.5f);
  }
  Vec3f place(int x, int y, int z) const {
    const float step = leg / static_cast<float>(cells);
    const float beyond = x > cells ? gap - step : 0;
    return {step * static_cast<float>(x) + beyond,
            height * static_cast<float>(y) / static_cast<float>(up()),
            step * static_cast<float>(z)};
  }
};

inline Mesh make_u_mesh(const UShape& u) {
  const int nx = u.across(), ny = u.up(), nz = u.cells;
  const auto filled = [&](int x, int y, int z) {
    return x >= 0 && x < nx && y >= 0 && y < ny && z >= 0 && z < nz && !u.in_gap(x, y);
  };
  std::map<std::array<int, 3>, uint32_t> index;
  std::vector<Vec3f> points;
  Topology topology;
  const auto vertex = [&](const std::array<int, 3>& at) {
    const auto [it, fresh] = index.emplace(at, static_cast<uint32_t>(points.size()));
    if (fresh) points.push_back(u.place(at[0], at[1], at[2]));
    return it->second;
  };
  for (int x = 0; x < nx; ++x) {
    for (int y = 0; y < ny; ++y) {
      for (int z = 0; z < nz; ++z) {
        if (!filled(x, y, z)) continue;
        for (int axis = 0; axis < 3; ++axis) {
          for (const int side : {0, 1}) {
            std::array<int, 3> next{x, y, z};
            next[axis] += side ? 1 : -1;
            if (filled(next[0], next[1], next[2])) continue;
            std::array<int, 3> a{x, y, z};
            a[axis] += side;
            std::array<int, 3> b = a, c = a, d = a;
            b[(axis + 1) % 3] += 1;
            c[(axis + 1) % 3] += 1;
            c[(axis + 2) % 3] += 1;
            d[(axis + 2) % 3] += 1;
            if (!side) std::swap(b, d);
            topology.triangles.push_back({vertex(a), vertex(b), vertex(c)});
            topology.triangles.push_back({vertex(a), vertex(c), vertex(d)});
          }
        }
      }
    }
  }
  return {std::move(topology), std::move(points)};
}

inline TetMesh make_u_solid(const UShape& u) {
  const int nx = u.across(), ny = u.up(), nz = u.cells;
  // A box of unit cells about the origin, from which the gap is taken out.
  const TetMesh box = kernels::make_tet_box(
      Vec3f(static_cast<float>(nx), static_cast<float>(ny), static_cast<float>(nz)), {nx, ny, nz});
  const Vec3f corner =
      Vec3f(static_cast<float>(nx), static_cast<float>(ny), static_cast<float>(nz)) / 2;
  std::vector<uint32_t> index(box.vertex_count(), 0xFFFFFFFF);
  std::vector<Vec3f> points;
  std::vector<Tetrahedron> tets;
  for (Tetrahedron t : box.tets()) {
    Vec3f middle(0, 0, 0);
    for (const uint32_t v : t) middle += 0.25f * (box.positions[v] + corner);
    if (u.in_gap(static_cast<int>(middle.x()), static_cast<int>(middle.y()))) continue;
    for (uint32_t& v : t) {
      if (index[v] == 0xFFFFFFFF) {
        index[v] = static_cast<uint32_t>(points.size());
        const Vec3f p = box.positions[v] + corner;
        points.push_back(u.place(static_cast<int>(p.x() + 0.5f), static_cast<int>(p.y() + 0.5f),
                                 static_cast<int>(p.z() + 0.5f)));
      }
      v = index[v];
    }
    tets.push_back(t);
  }
  return {std::move(tets), std::move(points)};
}

inline uint32_t closest_vertex(std::span<const Vec3f> points, const Vec3f& to) {
  uint32_t best = 0;
  for (uint32_t v = 1; v < points.size(); ++v) {
    if ((points[v] - to).norm() < (points[best] - to).norm()) best = v;
  }
  return best;
}

}  // namespace sinew::test
