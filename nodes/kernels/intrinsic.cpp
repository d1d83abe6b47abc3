#include "nodes/kernels/intrinsic.h"

#include <algorithm>
#include <cmath>

#include "nodes/geometry/stop_check.h"

namespace sinew::kernels {

namespace {

constexpr uint32_t none = 0xFFFFFFFF;
constexpr double mollify =
    1e-5;  // of the mean length: how far a triangle stays from having no area

// Half-edge 3 t + k runs from corner k of triangle t to the next.
uint32_t next_of(uint32_t half) { return half % 3 == 2 ? half - 2 : half + 1; }

struct Edge {
  uint32_t low, high, half;
  bool upwards;
};

// For each half-edge the one on the other side, or none where the edge is not to be flipped.
std::vector<uint32_t> pair_up(IntrinsicTriangles& surface) {
  std::vector<Edge> edges;
  edges.reserve(3 * surface.triangles.size());
  for (uint32_t t = 0; t < surface.triangles.size(); ++t) {
    for (uint32_t k = 0; k < 3; ++k) {
      const uint32_t a = surface.triangles[t][k], b = surface.triangles[t][(k + 1) % 3];
      edges.push_back({std::min(a, b), std::max(a, b), 3 * t + k, a < b});
    }
  }
  stoppable_sort(edges.begin(), edges.end(), [](const Edge& x, const Edge& y) {
    return x.low != y.low ? x.low < y.low : x.high != y.high ? x.high < y.high : x.half < y.half;
  });
  std::vector<uint32_t> twin(edges.size(), none);
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t end = i + 1;
    while (end < edges.size() && edges[end].low == edges[i].low &&
           edges[end].high == edges[i].high) {
      ++end;
    }
    if (end == i + 1) surface.on_border[edges[i].low] = surface.on_border[edges[i].high] = 1;
    if (end == i + 2 && edges[i].upwards != edges[i + 1].upwards) {
      twin[edges[i].half] = edges[i + 1].half;
      twin[edges[i + 1].half] = edges[i].half;
    }
    i = end;
  }
  return twin;
}

class Flipper {
 public:
  explicit Flipper(IntrinsicTriangles& surface)
      : s_(surface), twin_(pair_up(surface)), queued_(twin_.size(), 1) {
    for (uint32_t half = 0; half < twin_.size(); ++half) queue_.push_back(half);
  }

  void run(CancelView stop) {
    // Flips come to an end in exact arithmetic; the limit is for rounding.
    const std::size_t limit = 100 * twin_.size();
    for (std::size_t i = 0; i < queue_.size() && i < limit; ++i) {
      if (i % 4096 == 0) stop.check();
      const uint32_t half = queue_[i];
      queued_[half] = 0;
      const uint32_t other = twin_[half];
      if (other == none || half / 3 == other / 3) continue;
      if (cotangent(half) + cotangent(other) < -1e-9 && flip(half, other)) ++s_.flips;
    }
  }

 private:
  double& length(uint32_t half) { return s_.lengths[half / 3][half % 3]; }
  uint32_t& origin(uint32_t half) { return s_.triangles[half / 3][half % 3]; }
  // Of the angle opposite of the half-edge.
  double cotangent(uint32_t half) {
    const double l = length(half), m = length(next_of(half)), n = length(next_of(next_of(half)));
    const double area = lay_out({l, m, n}).area;
    return area > 0 ? (m * m + n * n - l * l) / (4 * area) : 0;
  }
  void enqueue(uint32_t half) {
    if (queued_[half]) return;
    queued_[half] = 1;
    queue_.push_back(half);
  }

  // Triangles (a b c) and (b a d) become (a d c) and (d b c).
  bool flip(uint32_t half, uint32_t other) {
    const uint32_t bc = next_of(half), ca = next_of(bc), ad = next_of(other), db = next_of(ad);
    const FlatTriangle up = lay_out({length(half), length(bc), length(ca)});
    const FlatTriangle down = lay_out({length(half), length(ad), length(db)});
    // The lower one is laid out from b to a ... d: mirrored, d lies below.
    const std::array<double, 3> seen{length(half), length(db), length(ad)};
    const FlatTriangle below = lay_out(seen);
    if (!(up.area > 0 && down.area > 0)) return false;
    const Vec2d c = up.corners[2], d(below.corners[2].x(), -below.corners[2].y());
    const double cd = (c - d).norm();
    const std::array<double, 3> first{length(ad), cd, length(ca)},
        second{length(db), length(bc), cd};
    if (!(lay_out(first).area > 0 && lay_out(second).area > 0)) return false;

    const uint32_t t = half / 3, s = other / 3;
    const uint32_t va = origin(half), vb = origin(bc), vc = origin(ca), vd = origin(db);
    // Where the four outer half-edges go.
    const std::array<uint32_t, 4> from{ad, ca, db, bc}, to{3 * t, 3 * t + 2, 3 * s, 3 * s + 1};
    std::array<uint32_t, 4> across;
    for (int i = 0; i < 4; ++i) {
      across[i] = twin_[from[i]];
      for (int j = 0; j < 4; ++j) {
        if (twin_[from[i]] == from[j]) across[i] = to[j];
      }
    }
    s_.triangles[t] = {va, vd, vc};
    s_.triangles[s] = {vd, vb, vc};
    s_.lengths[t] = first;
    s_.lengths[s] = second;
    for (int i = 0; i < 4; ++i) {
      twin_[to[i]] = across[i];
      if (across[i] != none) twin_[across[i]] = to[i];
    }
    twin_[3 * t + 1] = 3 * s + 2;
    twin_[3 * s + 2] = 3 * t + 1;
    for (const uint32_t outer : to) enqueue(outer);
    return true;
  }

  IntrinsicTriangles& s_;
  std::vector<uint32_t> twin_, queue_;
  std::vector<char> queued_;
};

}  // namespace

FlatTriangle lay_out(const std::array<double, 3>& lengths) {
  const double a = lengths[0], b = lengths[1], c = lengths[2];
  // Heron's formula in the order that does not cancel [Kahan14].
  std::array<double, 3> l = lengths;
  std::sort(l.begin(), l.end());
  const double product = (l[2] + (l[1] + l[0])) * (l[0] - (l[2] - l[1])) * (l[0] + (l[2] - l[1])) *
                         (l[2] + (l[1] - l[0]));
  FlatTriangle flat;
  flat.area = product > 0 ? std::sqrt(product) / 4 : 0;
  flat.corners[0] = {0, 0};
  flat.corners[1] = {a, 0};
  flat.corners[2] =
      a > 0 ? Vec2d((a * a + c * c - b * b) / (2 * a), 2 * flat.area / a) : Vec2d(0, c);
  return flat;
}

IntrinsicTriangles intrinsic_delaunay(const Mesh& mesh, CancelView stop) {
  stop.check();
  IntrinsicTriangles surface;
  surface.vertex_count = mesh.vertex_count();
  surface.on_border.assign(mesh.vertex_count(), 0);
  double sum = 0;
  for (const Triangle& t : mesh.triangles()) {
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
    std::array<double, 3> l;
    for (int k = 0; k < 3; ++k) {
      l[k] = (mesh.positions[t[(k + 1) % 3]].cast<double>() - mesh.positions[t[k]].cast<double>())
                 .norm();
      sum += l[k];
    }
    surface.triangles.push_back(t);
    surface.lengths.push_back(l);
  }
  if (surface.triangles.empty() || !(sum > 0)) {
    surface.triangles.clear();
    surface.lengths.clear();
    return surface;
  }
  const double mean = sum / (3.0 * static_cast<double>(surface.triangles.size()));
  double extra = 0;
  for (const std::array<double, 3>& l : surface.lengths) {
    const double longest = std::max({l[0], l[1], l[2]});
    extra = std::max(extra, mollify * mean + 2 * longest - (l[0] + l[1] + l[2]));
  }
  for (std::array<double, 3>& l : surface.lengths) {
    for (double& x : l) x += extra;
  }
  Flipper(surface).run(stop);
  sum = 0;
  for (const std::array<double, 3>& l : surface.lengths) sum += l[0] + l[1] + l[2];
  surface.mean_length = sum / (3.0 * static_cast<double>(surface.triangles.size()));
  return surface;
}

}  // namespace sinew::kernels
