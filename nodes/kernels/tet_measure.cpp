#include "nodes/kernels/tet_measure.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "nodes/geometry/parallel.h"

namespace sinew::kernels {

namespace {

constexpr double degrees = 180 / std::numbers::pi;

bool repeats(const Tetrahedron& t, int k) { return std::find(&t[0], &t[k], t[k]) != &t[k]; }

// The link of one vertex, taken apart. Kept between vertices, so that nothing is allocated for
// most of them.
class Link {
 public:
  OneRing classify(std::span<const Tetrahedron> tets, std::span<const uint32_t> around,
                   uint32_t v) {
    if (around.empty()) return OneRing::none;
    corners_.clear();
    edges_.clear();
    for (const uint32_t t : around) {
      Triangle face{};
      int n = 0;
      for (const uint32_t u : tets[t]) {
        if (u != v && n < 3) face[n++] = u;
      }
      const uint32_t triangle = static_cast<uint32_t>(corners_.size() / 3);
      for (int k = 0; k < 3; ++k) {
        corners_.push_back(face[k]);
        edges_.push_back({std::minmax(face[k], face[(k + 1) % 3]), triangle});
      }
    }
    return judge();
  }

 private:
  struct Edge {
    std::pair<uint32_t, uint32_t> ends;
    uint32_t triangle;
  };

  OneRing judge() {
    const std::size_t triangles = corners_.size() / 3;
    std::sort(corners_.begin(), corners_.end());
    const long vertices = std::unique(corners_.begin(), corners_.end()) - corners_.begin();
    std::sort(edges_.begin(), edges_.end(), [](const Edge& a, const Edge& b) {
      return std::tie(a.ends, a.triangle) < std::tie(b.ends, b.triangle);
    });
    parent_.resize(triangles);
    for (uint32_t t = 0; t < triangles; ++t) parent_[t] = t;
    std::size_t parts = triangles, distinct = 0;
    bool boundary = false, manifold = true;
    for (std::size_t i = 0; i < edges_.size(); ++distinct) {
      std::size_t j = i + 1;
      for (; j < edges_.size() && edges_[j].ends == edges_[i].ends; ++j) {
        parts -= join(edges_[i].triangle, edges_[j].triangle);
      }
      boundary |= j == i + 1;
      manifold &= j <= i + 2;
      i = j;
    }
    const long euler = vertices - static_cast<long>(distinct) + static_cast<long>(triangles);
    const bool whole = manifold && parts == 1;
    if (boundary) return whole && euler == 1 ? OneRing::half : OneRing::pinched;
    return whole && euler == 2 ? OneRing::closed : OneRing::open;
  }

  uint32_t root(uint32_t t) {
    while (parent_[t] != t) t = parent_[t] = parent_[parent_[t]];
    return t;
  }
  bool join(uint32_t a, uint32_t b) {
    a = root(a), b = root(b);
    if (a == b) return false;
    parent_[std::max(a, b)] = std::min(a, b);
    return true;
  }

  std::vector<uint32_t> corners_;
  std::vector<Edge> edges_;
  std::vector<uint32_t> parent_;
};

}  // namespace

TetCorners corners_of(std::span<const Vec3f> points, const Tetrahedron& tet) {
  return {points[tet[0]].cast<double>(), points[tet[1]].cast<double>(),
          points[tet[2]].cast<double>(), points[tet[3]].cast<double>()};
}

double tet_volume(const TetCorners& c) {
  return (c[1] - c[0]).cross(c[2] - c[0]).dot(c[3] - c[0]) / 6;
}

std::array<double, 6> dihedral_angles(const TetCorners& c) {
  // The corners that are not on edge k are those of edge 5 - k.
  const double six_volumes = 6 * std::abs(tet_volume(c));
  std::array<double, 6> angles;
  for (std::size_t k = 0; k < 6; ++k) {
    const Vec3d& from = c[tet_edges[k][0]];
    const Vec3d e = c[tet_edges[k][1]] - from;
    const Vec3d m = e.cross(c[tet_edges[5 - k][0]] - from);
    const Vec3d n = e.cross(c[tet_edges[5 - k][1]] - from);
    angles[k] = std::atan2(six_volumes * e.norm(), m.dot(n));
  }
  return angles;
}

double mean_ratio(const TetCorners& c) {
  double squares = 0;
  for (const auto& [a, b] : tet_edges) squares += (c[b] - c[a]).squaredNorm();
  if (squares == 0) return 0;
  const double volume = tet_volume(c);
  const double root = std::cbrt(3 * std::abs(volume));
  return std::copysign(std::min(1.0, 12 * root * root / squares), volume);
}

TetMeasures measure_tets(const TetMesh& solid, CancelView stop) {
  const std::size_t count = solid.tet_count();
  TetMeasures m;
  for (auto* list : {&m.volume, &m.least_angle, &m.greatest_angle, &m.quality}) list->resize(count);
  parallel_blocks(count, [&](std::size_t begin, std::size_t end) {
    if (stop()) return;
    for (std::size_t t = begin; t < end; ++t) {
      const TetCorners corners = corners_of(solid.positions, solid.tets()[t]);
      const std::array<double, 6> angles = dihedral_angles(corners);
      const auto [least, greatest] = std::minmax_element(angles.begin(), angles.end());
      m.volume[t] = static_cast<float>(tet_volume(corners));
      m.least_angle[t] = static_cast<float>(*least * degrees);
      m.greatest_angle[t] = static_cast<float>(*greatest * degrees);
      m.quality[t] = static_cast<float>(mean_ratio(corners));
    }
  });
  stop.check();
  return m;
}

double total_volume(const TetMesh& solid) {
  return parallel_reduce_ordered(
      solid.tet_count(), 0.0,
      [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t t = begin; t < end; ++t) {
          sum += tet_volume(corners_of(solid.positions, solid.tets()[t]));
        }
        return sum;
      },
      [](double a, double b) { return a + b; });
}

std::vector<double> vertex_volumes(const TetMesh& solid) {
  std::vector<double> shares(solid.vertex_count(), 0.0);
  StopCheck check;
  for (const Tetrahedron& t : solid.tets()) {
    check();
    const double quarter = tet_volume(corners_of(solid.positions, t)) / 4;
    for (const uint32_t v : t) shares[v] += quarter;
  }
  return shares;
}

Rows vertex_tets(std::span<const Tetrahedron> tets, std::size_t vertex_count) {
  // A tetrahedron that names a vertex twice is still one tetrahedron of it.
  Rows rows;
  rows.offsets.assign(vertex_count + 1, 0);
  StopCheck check;
  for (const Tetrahedron& t : tets) {
    check();
    for (int k = 0; k < 4; ++k) rows.offsets[t[k] + 1] += !repeats(t, k);
  }
  for (std::size_t v = 0; v < vertex_count; ++v) rows.offsets[v + 1] += rows.offsets[v];
  rows.items.resize(rows.offsets.back());
  std::vector<uint32_t> at(rows.offsets.begin(), rows.offsets.end() - 1);
  for (std::size_t i = 0; i < tets.size(); ++i) {
    check();
    for (int k = 0; k < 4; ++k) {
      if (!repeats(tets[i], k)) rows.items[at[tets[i][k]]++] = static_cast<uint32_t>(i);
    }
  }
  return rows;
}

Rows tet_vertex_neighbours(std::span<const Tetrahedron> tets, std::size_t vertex_count) {
  return tet_vertex_neighbours(tets, vertex_tets(tets, vertex_count));
}

Rows tet_vertex_neighbours(std::span<const Tetrahedron> tets, const Rows& around) {
  const std::size_t count = around.size();
  Rows rows;
  rows.offsets.assign(count + 1, 0);
  // Each block collects its rows, which are then put one after the other.
  std::vector<std::vector<uint32_t>> parts((count + default_block - 1) / default_block);
  parallel_blocks(count, [&](std::size_t begin, std::size_t end) {
    std::vector<uint32_t>& part = parts[begin / default_block];
    part.reserve(16 * (end - begin));
    std::vector<uint32_t> found;
    for (std::size_t v = begin; v < end; ++v) {
      found.clear();
      for (const uint32_t t : around[v]) {
        for (const uint32_t u : tets[t]) {
          if (u != v) found.push_back(u);
        }
      }
      std::sort(found.begin(), found.end());
      found.erase(std::unique(found.begin(), found.end()), found.end());
      part.insert(part.end(), found.begin(), found.end());
      rows.offsets[v + 1] = static_cast<uint32_t>(found.size());
    }
  });
  for (std::size_t v = 0; v < count; ++v) rows.offsets[v + 1] += rows.offsets[v];
  rows.items.resize(rows.offsets.back());
  parallel_blocks(count, [&](std::size_t begin, std::size_t) {
    const std::vector<uint32_t>& part = parts[begin / default_block];
    std::copy(part.begin(), part.end(), rows.items.begin() + rows.offsets[begin]);
  });
  return rows;
}

std::vector<OneRing> one_rings(std::span<const Tetrahedron> tets, const Rows& around,
                               CancelView stop) {
  std::vector<OneRing> rings(around.size());
  parallel_blocks(around.size(), [&](std::size_t begin, std::size_t end) {
    if (stop()) return;
    Link link;
    for (std::size_t v = begin; v < end; ++v) {
      rings[v] = link.classify(tets, around[v], static_cast<uint32_t>(v));
    }
  });
  stop.check();
  return rings;
}

SolidReport inspect_solid(const TetMesh& solid, TetMeasures* measures, CancelView stop) {
  SolidReport report;
  report.tets = solid.tet_count();
  const TetMeasures each = measure_tets(solid, stop);
  if (report.tets > 0) {
    report.least_angle = *std::min_element(each.least_angle.begin(), each.least_angle.end());
    report.greatest_angle =
        *std::max_element(each.greatest_angle.begin(), each.greatest_angle.end());
    report.least_quality = *std::min_element(each.quality.begin(), each.quality.end());
  }
  StopCheck check;
  for (std::size_t t = 0; t < report.tets; ++t) {
    check();
    // A volume that is too small for a float has a sign all the same.
    const double volume = tet_volume(corners_of(solid.positions, solid.tets()[t]));
    report.inverted += volume < 0;
    report.flat += volume == 0;
    report.mean_quality += each.quality[t] / static_cast<double>(report.tets);
  }
  report.volume = total_volume(solid);

  const Rows around = vertex_tets(solid.tets(), solid.vertex_count());
  for (const OneRing ring : one_rings(solid.tets(), around, stop)) {
    check();
    report.interior_vertices += ring == OneRing::closed || ring == OneRing::open;
    report.open_rings += ring == OneRing::open;
    report.pinched_vertices += ring == OneRing::pinched;
    report.loose_vertices += ring == OneRing::none;
  }
  if (measures) *measures = each;
  return report;
}

}  // namespace sinew::kernels
