#include "nodes/kernels/even_mesh.h"

#include <algorithm>
#include <cmath>

#include "nodes/geometry/parallel.h"

namespace sinew::kernels {
namespace {

// How far the direction of a face may turn in one operation, as a cosine.
constexpr double least_turn = 0.35;
// How far vertices stay from the plane of a mirror, in edge lengths.
constexpr double off_border = 0.1;
constexpr std::size_t stop_interval = 4096;

double sine_of_least_angle(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const double ab = (b - a).norm(), bc = (c - b).norm(), ca = (a - c).norm();
  const double twice_area = (b - a).cross(c - a).norm();
  // The least angle is opposite to the shortest edge.
  const double longest = std::max({ab, bc, ca});
  const double product = ab * bc * ca / std::min({ab, bc, ca});
  return longest > 0 ? twice_area / product : 0;
}

struct Probe {
  double value;
  Vec3d gradient;
};
// Four corners of a cube: value and first derivatives from four calls.
Probe probe_at(const Implicit& f, const Vec3d& p, double probe) {
  static const Vec3d corners[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  Probe result{0, {0, 0, 0}};
  for (const Vec3d& k : corners) {
    const double value = f(p + probe * k);
    result.value += 0.25 * value;
    result.gradient += value / (4 * probe) * k;
  }
  return result;
}

}  // namespace

EvenMesh::EvenMesh(std::vector<Vec3d> positions, std::span<const Triangle> triangles)
    : positions_(std::move(positions)) {
  const std::size_t n = positions_.size();
  sizes.assign(n, 1);
  out_.assign(n, none);
  border_.assign(n, 0);
  corner_.reserve(3 * triangles.size());
  for (const Triangle& t : triangles) corner_.insert(corner_.end(), t.begin(), t.end());
  twin_.assign(corner_.size(), none);
  // Half edges by their lower vertex; a vertex has few, so that a walk finds the twin.
  std::vector<uint32_t> first(n, none), following(corner_.size(), none);
  for (uint32_t h = 0; h < corner_.size(); ++h) {
    const uint32_t low = std::min(from(h), to(h));
    for (uint32_t g = first[low]; g != none; g = following[g]) {
      if (twin_[g] == none && from(g) == to(h) && to(g) == from(h)) {
        join(g, h);
        break;
      }
    }
    following[h] = first[low];
    first[low] = h;
    out_[from(h)] = h;
  }
  for (uint32_t h = 0; h < corner_.size(); ++h) {
    if (twin_[h] != none) continue;
    border_[from(h)] = border_[to(h)] = 1;
    half_ = true;
  }
  for (const uint32_t h : out_) live_vertices_ += h != none;
}

void EvenMesh::join(uint32_t h, uint32_t g) {
  if (h != none) twin_[h] = g;
  if (g != none) twin_[g] = h;
}

std::size_t EvenMesh::border_vertex_count() const {
  std::size_t count = 0;
  for (std::size_t v = 0; v < out_.size(); ++v) count += out_[v] != none && border_[v];
  return count;
}

Vec3d EvenMesh::area_vector(uint32_t triangle) const {
  const Vec3d& a = positions_[corner_[3 * triangle]];
  const Vec3d& b = positions_[corner_[3 * triangle + 1]];
  const Vec3d& c = positions_[corner_[3 * triangle + 2]];
  return 0.5 * (b - a).cross(c - a);
}

std::vector<double> EvenMesh::vertex_areas() const {
  std::vector<double> areas(positions_.size(), 0);
  for (uint32_t t = 0; 3 * t < corner_.size(); ++t) {
    if (dead(3 * t)) continue;
    const double third = area_vector(t).norm() / 3;
    for (uint32_t k = 0; k < 3; ++k) areas[corner_[3 * t + k]] += third;
  }
  return areas;
}

std::vector<Vec3d> EvenMesh::vertex_normals() const {
  std::vector<Vec3d> normals(positions_.size(), Vec3d(0, 0, 0));
  for (uint32_t t = 0; 3 * t < corner_.size(); ++t) {
    if (dead(3 * t)) continue;
    const Vec3d area = area_vector(t);
    for (uint32_t k = 0; k < 3; ++k) normals[corner_[3 * t + k]] += area;
  }
  for (std::size_t v = 0; v < normals.size(); ++v) {
    if (border_[v]) normals[v].x() = 0;
    const double length = normals[v].norm();
    if (length > 0) normals[v] /= length;
  }
  return normals;
}

int EvenMesh::valence(uint32_t vertex) const {
  int count = 0;
  for_neighbours(vertex, [&](uint32_t) { ++count; });
  return count;
}

bool EvenMesh::connected(uint32_t a, uint32_t b) const {
  bool found = false;
  for_neighbours(a, [&](uint32_t v) { found |= v == b; });
  return found;
}

// --- splitting --------------------------------------------------------------------------------

// The longest edge first: any other order can go on for ever, halving the short sides of triangles
// whose long side was passed already.
void EvenMesh::split_long(double longest, CancelView stop) {
  std::vector<std::pair<double, uint32_t>> edges;  // length over the wished one, half edge
  for (int pass = 0; pass < 20; ++pass) {
    stop.check();
    edges.clear();
    for (uint32_t h = 0; h < corner_.size(); ++h) {
      if (dead(h) || (twin_[h] != none && twin_[h] < h)) continue;
      const double ratio = length(h) / wished(h);
      if (ratio > longest) edges.push_back({-ratio, h});
    }
    if (edges.empty()) return;
    stoppable_sort(edges.begin(), edges.end());
    for (const auto& [ratio, h] : edges) {
      // A split beside it may have put another edge there, to be looked at in the next pass.
      if (length(h) > longest * wished(h)) split(h);
    }
  }
}

// The triangle (a, b, c) of h becomes (a, m, c) and (m, b, c), that of its twin (b, a, d) becomes
// (b, m, d) and (m, a, d).
void EvenMesh::split(uint32_t h) {
  const uint32_t a = from(h), b = to(h), g = twin_[h];
  const uint32_t m = static_cast<uint32_t>(positions_.size());
  positions_.push_back(0.5 * (positions_[a] + positions_[b]));
  sizes.push_back(0.5 * (sizes[a] + sizes[b]));
  border_.push_back(g == none);
  out_.push_back(none);
  ++live_vertices_;
  const auto cut = [&](uint32_t edge) {
    const uint32_t after = next(edge), last = previous(edge), end = corner_[after];
    const uint32_t fresh = static_cast<uint32_t>(corner_.size());
    corner_.insert(corner_.end(), {m, end, corner_[last]});
    twin_.insert(twin_.end(), {none, none, none});
    join(fresh + 1, twin_[after]);
    corner_[after] = m;
    join(after, fresh + 2);
    out_[end] = fresh + 1;
    out_[m] = fresh;
    return fresh;  // the half edge from m to the end of the edge
  };
  const uint32_t h2 = cut(h);
  if (g == none) return;
  const uint32_t g2 = cut(g);
  join(h, g2);
  join(g, h2);
}

// --- collapsing -------------------------------------------------------------------------------

void EvenMesh::collapse_short(double shortest, double longest, CancelView stop) {
  for (uint32_t h = 0; h < corner_.size(); ++h) {
    if (h % stop_interval == 0) stop.check();
    if (dead(h) || (twin_[h] != none && twin_[h] < h)) continue;
    if (length(h) >= shortest * wished(h)) continue;
    const uint32_t a = from(h), b = to(h);
    if (border_[a] && border_[b] && twin_[h] != none) continue;
    Vec3d target = 0.5 * (positions_[a] + positions_[b]);
    if (border_[a] != border_[b]) target = positions_[border_[a] ? a : b];
    if (may_collapse(h, target, longest)) collapse(h, target);
  }
}

bool EvenMesh::may_collapse(uint32_t h, const Vec3d& target, double longest) const {
  const uint32_t a = from(h), b = to(h);
  marks_.clear();
  bool fits = true;
  const double limit = longest * wished(h);
  for_neighbours(a, [&](uint32_t v) {
    marks_.push_back(v);
    fits &= v == b || (positions_[v] - target).norm() <= limit;
  });
  int common = 0;
  for_neighbours(b, [&](uint32_t v) {
    common += std::find(marks_.begin(), marks_.end(), v) != marks_.end();
    fits &= v == a || (positions_[v] - target).norm() <= limit;
  });
  if (!fits || common != (twin_[h] == none ? 1 : 2)) return false;
  if (border_[a] != border_[b]) {
    // What was next to the inner vertex is next to the border then: not to another part of it.
    const uint32_t inner = border_[a] ? b : a, outer = border_[a] ? a : b;
    bool crosses = false;
    for_neighbours(
        inner, [&](uint32_t v) { crosses |= border_[v] && v != outer && !connected(outer, v); });
    if (crosses) return false;
  }
  // The two vertices opposite to the edge lose a neighbour, and must keep three (two at a border).
  for (const uint32_t g : {h, twin_[h]}) {
    if (g == none) continue;
    const uint32_t opposite = from(previous(g));
    if (valence(opposite) <= 3) return false;
  }
  return keeps_faces(a, b, target) && keeps_faces(b, a, target);
}

// Whether the faces around `moved`, except those with `other`, look where they did.
bool EvenMesh::keeps_faces(uint32_t moved, uint32_t other, const Vec3d& target) const {
  bool good = true;
  for_outgoing(moved, [&](uint32_t h) {
    const uint32_t u = to(h), v = from(previous(h));
    if (!good || u == other || v == other) return;
    const Vec3d before = area_vector(h / 3);
    const Vec3d after = 0.5 * (positions_[u] - target).cross(positions_[v] - target);
    good = before.dot(after) > least_turn * before.norm() * after.norm() &&
           sine_of_least_angle(target, positions_[u], positions_[v]) > 0.05;
  });
  return good;
}

void EvenMesh::collapse(uint32_t h, const Vec3d& target) {
  const uint32_t a = from(h), b = to(h), g = twin_[h];
  marks_.clear();
  for_outgoing(a, [&](uint32_t o) { marks_.push_back(o); });
  for (const uint32_t o : marks_) corner_[o] = b;
  positions_[b] = target;
  sizes[b] = 0.5 * (sizes[a] + sizes[b]);
  border_[b] = border_[a] | border_[b];
  out_[a] = none;
  --live_vertices_;
  uint32_t alive = none;
  const auto remove = [&](uint32_t edge) {
    const uint32_t after = next(edge), last = previous(edge), tip = corner_[last];
    const uint32_t x = twin_[after], y = twin_[last];  // x: tip -> end, y: start -> tip
    join(x, y);
    if (x == none && y != none) twin_[y] = none;
    if (y == none && x != none) twin_[x] = none;
    out_[tip] = x != none ? x : next(y);
    alive = y != none ? y : next(x);
    for (const uint32_t k : {edge, after, last}) corner_[k] = twin_[k] = none;
  };
  remove(h);
  if (g != none) {
    const uint32_t first = alive;
    remove(g);
    // Both name the vertex that stays; take one whose triangle is there.
    alive = !dead(first) ? first : alive;
  }
  out_[b] = alive;
}

// --- flipping ---------------------------------------------------------------------------------

bool EvenMesh::may_flip(uint32_t h) const {
  const uint32_t g = twin_[h];
  if (g == none) return false;
  const uint32_t a = from(h), b = to(h), c = from(previous(h)), d = from(previous(g));
  // An edge from border to border across the inside would coincide with its mirror image.
  if (c == d || (border_[c] && border_[d]) || connected(c, d)) return false;
  const Vec3d &pa = positions_[a], &pb = positions_[b], &pc = positions_[c], &pd = positions_[d];
  const Vec3d n0 = area_vector(h / 3).normalized(), n1 = area_vector(g / 3).normalized();
  const Vec3d m0 = (pd - pa).cross(pc - pa).normalized(),
              m1 = (pc - pb).cross(pd - pb).normalized();
  const Vec3d mean = (n0 + n1).normalized();
  const double bend = n0.dot(n1);
  // A flip must not turn a face over, nor make a sharper ridge than there was.
  return m0.dot(mean) > 0.5 && m1.dot(mean) > 0.5 && m0.dot(m1) > std::min(bend, 0.9) - 0.1;
}

// (a, b, c) and (b, a, d) become (a, d, c) and (d, b, c).
void EvenMesh::flip(uint32_t h) {
  const uint32_t g = twin_[h];
  const uint32_t hn = next(h), hp = previous(h), gn = next(g), gp = previous(g);
  const uint32_t a = from(h), b = to(h), c = from(hp), d = from(gp);
  const uint32_t bc = twin_[hn], ad = twin_[gn];
  // h's triangle: (a, d, c), edges a->d = h, d->c = hn, c->a = hp.
  // g's triangle: (b, c, d), edges b->c = g, c->d = gn, d->b = gp.
  corner_[h] = a, corner_[hn] = d, corner_[hp] = c;
  corner_[g] = b, corner_[gn] = c, corner_[gp] = d;
  twin_[h] = twin_[g] = none;
  join(h, ad);
  join(g, bc);
  join(hn, gn);
  out_[a] = h, out_[d] = hn, out_[c] = hp, out_[b] = g;
}

void EvenMesh::flip_for_valence(CancelView stop) {
  std::vector<int> valences(positions_.size(), 0);
  for (uint32_t v = 0; v < valences.size(); ++v) valences[v] = valence(v);
  const auto cost = [&](uint32_t v, int change) {
    const int off = valences[v] + change - (border_[v] ? 4 : 6);
    return off * off;
  };
  for (uint32_t h = 0; h < corner_.size(); ++h) {
    if (h % stop_interval == 0) stop.check();
    if (dead(h) || twin_[h] == none || twin_[h] < h) continue;
    const uint32_t a = from(h), b = to(h), c = from(previous(h)), d = from(previous(twin_[h]));
    const int before = cost(a, 0) + cost(b, 0) + cost(c, 0) + cost(d, 0);
    const int after = cost(a, -1) + cost(b, -1) + cost(c, 1) + cost(d, 1);
    if (after >= before || valences[a] <= 3 || valences[b] <= 3 || !may_flip(h)) continue;
    flip(h);
    --valences[a], --valences[b], ++valences[c], ++valences[d];
  }
}

void EvenMesh::flip_for_angles(CancelView stop) {
  for (uint32_t h = 0; h < corner_.size(); ++h) {
    if (h % stop_interval == 0) stop.check();
    if (dead(h) || twin_[h] == none || twin_[h] < h) continue;
    const uint32_t a = from(h), b = to(h), c = from(previous(h)), d = from(previous(twin_[h]));
    const Vec3d &pa = positions_[a], &pb = positions_[b], &pc = positions_[c], &pd = positions_[d];
    const double before =
        std::min(sine_of_least_angle(pa, pb, pc), sine_of_least_angle(pb, pa, pd));
    const double after = std::min(sine_of_least_angle(pa, pd, pc), sine_of_least_angle(pd, pb, pc));
    if (after <= before * 1.001 || valence(a) <= 3 || valence(b) <= 3 || !may_flip(h)) continue;
    flip(h);
  }
}

// --- moving -----------------------------------------------------------------------------------

// The point of f = 0 near `start`: a few Newton steps along the gradient. Within a thin part the
// gradient may lead to the other side, away from the mesh's own normal; then the search goes along
// the normal instead.
Vec3d EvenMesh::onto(const Implicit& f, double probe, const Vec3d& start, uint32_t vertex,
                     const Vec3d& normal, int steps) const {
  const double reach = sizes[vertex];
  const bool inner = half_ && !border_[vertex];
  const auto kept = [&](Vec3d p) {
    if (inner) p.x() = std::max(p.x(), off_border * reach);
    return p;
  };
  Vec3d p = start;
  bool good = true;
  for (int step = 0; good && step < steps; ++step) {
    Probe here = probe_at(f, p, probe);
    if (border_[vertex]) here.gradient.x() = 0;
    const double square = here.gradient.squaredNorm();
    good = square > 1e-6 && here.gradient.dot(normal) >= 0;
    if (!good) break;
    const double way = here.value / square;
    p -= here.gradient * std::clamp(way, -reach, reach);
    if (std::abs(way) < 0.01 * probe) break;
  }
  if (good && p.allFinite() && (p - start).norm() < reach) return kept(p);
  // Along the normal, outwards from inside and inwards from outside.
  double value = f(start), along = 0;
  const double sign = value < 0 ? 1 : -1;
  for (int step = 0; step < 24 && along < reach; ++step) {
    const double advance = std::max(std::abs(value), 0.01 * reach);
    const double there = f(start + sign * (along + advance) * normal);
    if ((there < 0) != (value < 0)) {
      return kept(start + sign * (along + advance * value / (value - there)) * normal);
    }
    along += advance;
    value = there;
  }
  return kept(start);
}

void EvenMesh::project(const Implicit& f, double probe, int steps, CancelView stop) {
  const std::vector<Vec3d> normals = vertex_normals();
  parallel_blocks(
      positions_.size(),
      [&](std::size_t begin, std::size_t end) {
        if (stop()) return;
        for (std::size_t i = begin; i < end; ++i) {
          const uint32_t v = static_cast<uint32_t>(i);
          if (out_[v] == none) continue;
          positions_[v] = onto(f, probe, positions_[v], v, normals[v], steps);
        }
      },
      256);
  stop.check();
}

void EvenMesh::relax(const Implicit& f, double probe, double amount, CancelView stop) {
  const std::vector<Vec3d> normals = vertex_normals();
  std::vector<Vec3d> moved = positions_;
  parallel_blocks(
      positions_.size(),
      [&](std::size_t begin, std::size_t end) {
        if (stop()) return;
        for (std::size_t i = begin; i < end; ++i) {
          const uint32_t v = static_cast<uint32_t>(i);
          if (out_[v] == none) continue;
          const Vec3d& p = positions_[v];
          Vec3d sum(0, 0, 0);
          double weights = 0;
          if (border_[v]) {
            for_neighbours(v, [&](uint32_t u) {
              if (!border_[u] || (positions_[u] - p).x() != 0) return;
              const double w = (positions_[u] - p).norm() / (sizes[u] + sizes[v]);
              sum += w * 0.5 * (positions_[u] + p);
              weights += w;
            });
          } else {
            for_outgoing(v, [&](uint32_t h) {
              const uint32_t a = to(h), b = from(previous(h));
              const double size = sizes[a] + sizes[b] + sizes[v];
              const double w = area_vector(h / 3).norm() / (size * size);
              sum += w * (positions_[a] + positions_[b] + p) / 3;
              weights += w;
            });
          }
          if (!(weights > 0)) continue;
          Vec3d shift = amount * 1.5 * (sum / weights - p);
          shift -= shift.dot(normals[v]) * normals[v];
          if (border_[v]) shift.x() = 0;
          Vec3d start = p + shift;
          if (half_ && !border_[v]) start.x() = std::max(start.x(), 3 * off_border * sizes[v]);
          moved[v] = onto(f, probe, start, v, normals[v], 1);
        }
      },
      256);
  stop.check();
  positions_ = std::move(moved);
}

void EvenMesh::quarter(const Implicit& f, double probe, CancelView stop) {
  const std::size_t half_edges = corner_.size();
  std::vector<uint32_t> middle(half_edges, none);
  for (uint32_t h = 0; h < half_edges; ++h) {
    if (dead(h) || (twin_[h] != none && twin_[h] < h)) continue;
    middle[h] = static_cast<uint32_t>(positions_.size());
    if (twin_[h] != none) middle[twin_[h]] = middle[h];
    positions_.push_back(0.5 * (positions_[from(h)] + positions_[to(h)]));
    sizes.push_back(0.5 * (sizes[from(h)] + sizes[to(h)]));
  }
  std::vector<Triangle> finer;
  finer.reserve(half_edges / 3 * 4);
  for (uint32_t h = 0; h < half_edges; h += 3) {
    if (dead(h)) continue;
    const uint32_t a = corner_[h], b = corner_[h + 1], c = corner_[h + 2];
    const uint32_t ab = middle[h], bc = middle[h + 1], ca = middle[h + 2];
    finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
  }
  std::vector<double> halved = std::move(sizes);
  for (double& s : halved) s *= 0.5;
  *this = EvenMesh(std::move(positions_), finer);
  sizes = std::move(halved);
  project(f, probe, 2, stop);
}

// --- out --------------------------------------------------------------------------------------

Mesh EvenMesh::to_mesh() const {
  std::vector<uint32_t> index(positions_.size(), none);
  std::vector<Vec3f> points;
  points.reserve(live_vertices_);
  for (std::size_t v = 0; v < positions_.size(); ++v) {
    if (out_[v] == none) continue;
    index[v] = static_cast<uint32_t>(points.size());
    points.push_back(positions_[v].cast<float>());
  }
  Topology topology;
  for (uint32_t h = 0; h < corner_.size(); h += 3) {
    if (dead(h)) continue;
    topology.triangles.push_back({index[corner_[h]], index[corner_[h + 1]], index[corner_[h + 2]]});
  }
  return Mesh(std::move(topology), std::move(points));
}

Mesh EvenMesh::to_mirrored_mesh() const {
  Mesh half = to_mesh();
  Topology topology = *half.topology;
  std::vector<Vec3f> points = half.positions;
  std::vector<uint32_t> image(points.size());
  std::size_t i = 0;
  for (std::size_t v = 0; v < positions_.size(); ++v) {
    if (out_[v] == none) continue;
    if (border_[v]) {
      points[i].x() = 0;
      image[i] = static_cast<uint32_t>(i);
    } else {
      image[i] = static_cast<uint32_t>(points.size());
      points.push_back({-points[i].x(), points[i].y(), points[i].z()});
    }
    ++i;
  }
  const std::size_t count = topology.triangles.size();
  for (std::size_t t = 0; t < count; ++t) {
    const Triangle& side = topology.triangles[t];
    topology.triangles.push_back({image[side[0]], image[side[2]], image[side[1]]});
  }
  return Mesh(std::move(topology), std::move(points));
}

}  // namespace sinew::kernels
