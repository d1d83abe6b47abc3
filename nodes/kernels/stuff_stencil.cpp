#include "nodes/kernels/stuff_stencil.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/tet_measure.h"

namespace sinew::kernels {

namespace {

bool is_long(int i, int j) { return (i ^ j) == 1; }

// The determinant of the barycentric coordinates of the corners, with cut points in the middle of
// their edges: which way round the tetrahedron is, whatever the shape.
bool is_positive(const std::array<StencilCorner, 4>& tet) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Zero();
  for (int k = 0; k < 4; ++k) {
    m(k, tet[k].i) += 1;
    m(k, tet[k].j) += 1;
  }
  return m.determinant() > 0;
}

void add(Stencil& s, StencilCorner a, StencilCorner b, StencilCorner c, StencilCorner d) {
  std::array<StencilCorner, 4>& t = s.tets[s.count++];
  t = {a, b, c, d};
  if (!is_positive(t)) std::swap(t[2], t[3]);
}

StencilCorner at(int i) { return {static_cast<uint8_t>(i), static_cast<uint8_t>(i)}; }
StencilCorner cut(int i, int j) { return {static_cast<uint8_t>(i), static_cast<uint8_t>(j)}; }

// Two inside, two outside: a wedge with the triangles (a, cuts) and (b, cuts).
int fill_wedge(int a, int b, int m, int n, bool a_first_m, bool a_first_n,
               std::array<Stencil, 2>& out) {
  if (a_first_m == a_first_n) {
    if (!a_first_m) std::swap(a, b);
    for (Stencil& s : out) add(s, at(a), at(b), cut(b, m), cut(b, n));
    add(out[0], at(a), cut(a, m), cut(a, n), cut(b, m));
    add(out[0], at(a), cut(a, n), cut(b, m), cut(b, n));
    add(out[1], at(a), cut(a, m), cut(a, n), cut(b, n));
    add(out[1], at(a), cut(a, m), cut(b, m), cut(b, n));
    return 2;
  }
  if (!a_first_m) std::swap(m, n);
  // Diagonals from a on the face of m and from b on that of n: the third must meet both.
  add(out[0], at(a), cut(a, m), cut(a, n), cut(b, m));
  add(out[0], at(a), at(b), cut(a, n), cut(b, m));
  add(out[0], at(b), cut(b, n), cut(a, n), cut(b, m));
  return 1;
}

}  // namespace

int choose_stencils(const std::array<int, 4>& side, const std::array<bool, 4>& even,
                    std::array<Stencil, 2>& out) {
  out[0].count = out[1].count = 0;
  std::array<int, 4> in{}, on{}, off{};
  int ins = 0, ons = 0, offs = 0;
  for (int k = 0; k < 4; ++k) {
    if (side[k] > 0) in[ins++] = k;
    if (side[k] == 0) on[ons++] = k;
    if (side[k] < 0) off[offs++] = k;
  }
  // Whether the diagonal of the face p, q, n starts at p.
  auto starts = [&](int p, int q, int n) {
    return is_long(p, n) != is_long(q, n) ? is_long(q, n) : even[p];
  };
  if (ins == 0) return 0;
  if (offs == 0) {
    out[0].count = 1;
    out[0].tets[0] = {at(0), at(1), at(2), at(3)};
  } else if (ins == 1) {
    // Its neighbours outside move in along their edges: it stays the way round it is.
    out[0].count = 1;
    for (int k = 0; k < 4; ++k) out[0].tets[0][k] = side[k] < 0 ? cut(in[0], k) : at(k);
  } else if (ins == 2 && ons == 1) {
    const int n = off[0], z = on[0];
    int a = in[0], b = in[1];
    if (!starts(a, b, n)) std::swap(a, b);
    add(out[0], at(a), at(b), cut(b, n), at(z));
    add(out[0], at(a), cut(b, n), cut(a, n), at(z));
  } else if (ins == 2) {
    return fill_wedge(in[0], in[1], off[0], off[1], starts(in[0], in[1], off[0]),
                      starts(in[0], in[1], off[1]), out);
  } else {
    const int n = off[0];
    int a = in[0], b = in[1], c = in[2];
    if (!starts(a, b, n)) std::swap(a, b);
    if (!starts(b, c, n)) std::swap(b, c);
    if (!starts(a, b, n)) std::swap(a, b);
    add(out[0], at(a), at(b), at(c), cut(c, n));
    add(out[0], at(a), at(b), cut(b, n), cut(c, n));
    add(out[0], at(a), cut(a, n), cut(b, n), cut(c, n));
  }
  return 1;
}

namespace {

class Cutter {
 public:
  Cutter(const SurfaceTree& tree, const Lattice& lattice, CancelView stop)
      : tree_(tree), lattice_(lattice), stop_(stop) {}

  TetSoup run() {
    collect_edges();
    find_cuts();
    warp();
    fill();
    compact();
    return std::move(out_);
  }

 private:
  struct Edge {
    uint32_t a, b;  // a < b
    auto operator<=>(const Edge&) const = default;
  };

  void collect_edges() {
    StopCheck check;
    for (const Tetrahedron& t : lattice_.uniform) {
      check();
      for (int i = 0; i < 4; ++i) {
        for (int j = i + 1; j < 4; ++j) {
          if (lattice_.inside[t[i]] != lattice_.inside[t[j]]) {
            edges_.push_back({std::min(t[i], t[j]), std::max(t[i], t[j])});
          }
        }
      }
    }
    stop_.check();
    stoppable_sort(edges_.begin(), edges_.end());
    edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
    first_.assign(lattice_.points.size() + 1, 0);
    for (const Edge& e : edges_) ++first_[e.a + 1];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  }
  uint32_t find(uint32_t a, uint32_t b) const {
    if (a > b) std::swap(a, b);
    const auto begin = edges_.begin() + first_[a], end = edges_.begin() + first_[a + 1];
    return static_cast<uint32_t>(std::lower_bound(begin, end, Edge{a, b}) - edges_.begin());
  }
  bool is_long_edge(const Edge& e) const {
    return (lattice_.points[e.a][0] & 1) == (lattice_.points[e.b][0] & 1);
  }
  double alpha(const Edge& e) const { return is_long_edge(e) ? alpha_long : alpha_short; }

  // Where between p, inside, and q, outside, the surface is left: the first triangle behind which
  // it is outside. With no triangle there, a hole is being closed, and halving finds the place.
  double leave(const Vec3d& p, const Vec3d& q, std::vector<RayHit>& hits) const {
    const Vec3d d = q - p;
    tree_.all_hits(p, d, 1, hits);
    if (hits.empty()) {
      double low = 0, high = 1;
      for (int i = 0; i < 12; ++i) {
        const double middle = (low + high) / 2;
        (tree_.inside(p + middle * d) ? low : high) = middle;
      }
      return (low + high) / 2;
    }
    for (std::size_t i = 0; i + 1 < hits.size(); ++i) {
      if (hits[i + 1].t - hits[i].t < 1e-9) continue;  // one edge, two triangles
      if (!tree_.inside(p + (hits[i].t + hits[i + 1].t) / 2 * d)) return hits[i].t;
    }
    return hits.back().t;
  }

  void find_cuts() {
    t_.resize(edges_.size());
    parallel_blocks(
        edges_.size(),
        [&](std::size_t begin, std::size_t end) {
          if (stop_()) return;
          std::vector<RayHit> hits;
          for (std::size_t i = begin; i < end; ++i) {
            const Edge& e = edges_[i];
            const Vec3d a = lattice_.position(e.a), b = lattice_.position(e.b);
            t_[i] = lattice_.inside[e.a] ? leave(a, b, hits) : 1 - leave(b, a, hits);
            // A point that must stay is never near the surface, only near where holes are closed.
            if (lattice_.fixed[e.a]) t_[i] = std::max(t_[i], alpha(e));
            if (lattice_.fixed[e.b]) t_[i] = std::min(t_[i], 1 - alpha(e));
          }
        },
        64);
    stop_.check();
  }
  Vec3d cut_point(uint32_t edge) const {
    const Edge& e = edges_[edge];
    return (1 - t_[edge]) * lattice_.position(e.a) + t_[edge] * lattice_.position(e.b);
  }

  // One point after the other: a point that has moved takes cut points away from its neighbours.
  void warp() {
    const std::size_t count = lattice_.points.size();
    side_.resize(count);
    out_.points.resize(count);
    for (uint32_t p = 0; p < count; ++p) {
      side_[p] = lattice_.inside[p] ? 1 : -1;
      out_.points[p] = lattice_.position(p);
    }
    std::vector<uint32_t> start(count + 1, 0), around(2 * edges_.size());
    for (const Edge& e : edges_) {
      ++start[e.a + 1];
      ++start[e.b + 1];
    }
    for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
    std::vector<uint32_t> next(start.begin(), start.end() - 1);
    for (uint32_t i = 0; i < edges_.size(); ++i) {
      around[next[edges_[i].a]++] = i;
      around[next[edges_[i].b]++] = i;
    }
    for (uint32_t p = 0; p < count; ++p) {
      if (lattice_.fixed[p]) continue;
      double nearest = 2;
      uint32_t onto = 0;
      for (uint32_t k = start[p]; k < start[p + 1]; ++k) {
        const Edge& e = edges_[around[k]];
        if (side_[e.a] == 0 || side_[e.b] == 0) continue;
        const double t = e.a == p ? t_[around[k]] : 1 - t_[around[k]];
        const double length = is_long_edge(e) ? 1 : std::sqrt(0.75);
        if (t < alpha(e) && t * length < nearest) {
          nearest = t * length;
          onto = around[k];
        }
      }
      if (nearest == 2) continue;
      out_.points[p] = cut_point(onto);
      side_[p] = 0;
    }
  }

  uint32_t id(const Tetrahedron& t, StencilCorner c) {
    if (c.i == c.j) return t[c.i];
    const uint32_t edge = find(t[c.i], t[c.j]);
    if (id_of_cut_[edge] == 0) {
      id_of_cut_[edge] = static_cast<uint32_t>(out_.points.size());
      out_.points.push_back(cut_point(edge));
    }
    return id_of_cut_[edge];
  }
  // How far the worst angle is from 0 and from pi: what the two diagonals of a free quadrilateral
  // compete by.
  double worst(const Stencil& s, const Tetrahedron& t) {
    double least = std::numbers::pi;
    for (int k = 0; k < s.count; ++k) {
      TetCorners p;
      for (int c = 0; c < 4; ++c) p[c] = out_.points[id(t, s.tets[k][c])];
      for (const double angle : dihedral_angles(p)) {
        least = std::min({least, angle, std::numbers::pi - angle});
      }
    }
    return least;
  }

  void fill() {
    id_of_cut_.assign(edges_.size(), 0);
    out_.tets.reserve(lattice_.graded.size() + lattice_.uniform.size());
    std::array<Stencil, 2> stencils;
    std::size_t done = 0;
    for (const Tetrahedron& t : lattice_.uniform) {
      if (done++ % 4096 == 0) stop_.check();
      std::array<int, 4> side{};
      std::array<bool, 4> even{};
      for (int k = 0; k < 4; ++k) {
        const auto& p = lattice_.points[t[k]];
        side[k] = side_[t[k]];
        even[k] = ((p[0] + p[1] + p[2]) >> 1 & 1) == 0;
      }
      const int count = choose_stencils(side, even, stencils);
      if (count == 0) continue;
      const Stencil& s =
          count == 2 && worst(stencils[1], t) > worst(stencils[0], t) ? stencils[1] : stencils[0];
      for (int k = 0; k < s.count; ++k) {
        const auto& c = s.tets[k];
        // In this order: numbers must not depend on how a compiler orders a list.
        const uint32_t v0 = id(t, c[0]), v1 = id(t, c[1]), v2 = id(t, c[2]), v3 = id(t, c[3]);
        out_.tets.push_back({v0, v1, v2, v3});
      }
    }
    out_.tets.insert(out_.tets.end(), lattice_.graded.begin(), lattice_.graded.end());
  }

  void compact() {
    std::vector<uint32_t> number(out_.points.size(), 0);
    for (const Tetrahedron& t : out_.tets) {
      for (const uint32_t v : t) number[v] = 1;
    }
    std::size_t kept = 0;
    for (std::size_t v = 0; v < number.size(); ++v) {
      if (!number[v]) continue;
      number[v] = static_cast<uint32_t>(kept);
      out_.points[kept++] = out_.points[v];
    }
    out_.points.resize(kept);
    for (Tetrahedron& t : out_.tets) {
      for (uint32_t& v : t) v = number[v];
    }
  }

  const SurfaceTree& tree_;
  const Lattice& lattice_;
  CancelView stop_;
  std::vector<Edge> edges_;
  std::vector<uint32_t> first_;  // edges with that a start here
  std::vector<double> t_;        // from a to b
  std::vector<int8_t> side_;     // per point
  std::vector<uint32_t> id_of_cut_;
  TetSoup out_;
};

}  // namespace

TetSoup cut_lattice(const SurfaceTree& tree, const Lattice& lattice, CancelView stop) {
  return Cutter(tree, lattice, stop).run();
}

}  // namespace sinew::kernels
