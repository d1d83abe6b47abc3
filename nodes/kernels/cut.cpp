#include "nodes/kernels/cut.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/cut_fill.h"
#include "nodes/kernels/measure.h"
#include "nodes/kernels/outline_cap.h"
#include "nodes/kernels/surface_tree.h"

namespace sinew::kernels {

namespace {

using DirectedEdge = std::array<uint32_t, 2>;
constexpr uint32_t none = UINT32_MAX;

// Heights over the plane; 0 for what is as good as on it.
std::vector<double> heights_of(std::span<const Vec3f> points, const CutPlane& plane) {
  const Eigen::AlignedBox3f box = bounding_box(points);
  const double nearly = box.isEmpty() ? 0 : 1e-6 * box.diagonal().cast<double>().norm();
  std::vector<double> heights(points.size());
  parallel_blocks(points.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double s = plane.normal.dot(points[i].cast<double>() - plane.point);
      heights[i] = std::abs(s) <= nearly ? 0 : s;
    }
  });
  return heights;
}

// Collects what is left, each vertex and each cut edge once.
class Remains {
 public:
  Remains(std::span<const Vec3f> points, std::span<const float> values, const CutPlane& plane)
      : points_(points),
        values_(values),
        s_(heights_of(points, plane)),
        kept_(points.size(), none) {}

  bool below(uint32_t v) const { return s_[v] < 0; }
  bool all_below() const {
    return std::all_of(s_.begin(), s_.end(), [](double s) { return s < 0; });
  }

  uint32_t keep(uint32_t v) {
    if (kept_[v] == none) kept_[v] = add(points_[v], values_.empty() ? 0 : values_[v], s_[v] == 0);
    return kept_[v];
  }
  // Where the edge from a, below, to b, above or on the plane, meets the plane.
  uint32_t between(uint32_t a, uint32_t b) {
    if (s_[b] == 0) return keep(b);
    const uint64_t key = static_cast<uint64_t>(a) << 32 | b;
    const auto [at, fresh] = cut_.try_emplace(key, none);
    if (!fresh) return at->second;
    const double t = s_[a] / (s_[a] - s_[b]);
    const Vec3d from = points_[a].cast<double>(), to = points_[b].cast<double>();
    double value = 0;
    if (!values_.empty()) value = (1 - t) * values_[a] + t * values_[b];
    at->second = add(((1 - t) * from + t * to).cast<float>(), static_cast<float>(value), true);
    return at->second;
  }

  // Clips triangles and notes the edges that lie on the plane, reversed: the cap's outline.
  void clip(std::span<const Triangle> whole, CancelView stop) {
    for (std::size_t i = 0; i < whole.size(); ++i) {
      if (i % 4096 == 0) stop.check();
      clip(whole[i], static_cast<uint32_t>(i));
    }
  }
  void clip(const Triangle& t, uint32_t source) {
    if (!below(t[0]) && !below(t[1]) && !below(t[2])) return;
    std::array<uint32_t, 4> ring{};
    std::size_t n = 0;
    for (int k = 0; k < 3; ++k) {
      const uint32_t a = t[k], b = t[(k + 1) % 3];
      if (s_[a] <= 0) ring[n++] = keep(a);
      if (s_[a] < 0 && s_[b] > 0) ring[n++] = between(a, b);
      if (s_[a] > 0 && s_[b] < 0) ring[n++] = between(b, a);
    }
    for (std::size_t k = 0; k < n; ++k) {
      const uint32_t a = ring[k], b = ring[(k + 1) % n];
      if (on_plane_[a] && on_plane_[b] && a != b) outline.push_back({b, a});
    }
    emit(std::span(ring).first(n), source);
  }

  void emit(std::span<const uint32_t> ring, uint32_t source) {
    for (std::size_t k = 2; k < ring.size(); ++k) {
      if (ring[0] == ring[k - 1] || ring[k - 1] == ring[k] || ring[k] == ring[0]) continue;
      triangles.push_back({ring[0], ring[k - 1], ring[k]});
      sources.push_back(source);
    }
  }

  CutBody take() {
    Topology topology;
    topology.triangles = std::move(triangles);
    CutBody body;
    body.mesh = Mesh(std::move(topology), std::move(positions));
    if (!values_.empty()) body.values = std::move(carried);
    body.source = std::move(sources);
    return body;
  }

  std::vector<Vec3f> positions;
  std::vector<float> carried;
  std::vector<Triangle> triangles;
  std::vector<uint32_t> sources;  // of the triangles
  std::vector<DirectedEdge> outline;

 private:
  uint32_t add(const Vec3f& p, float value, bool on_plane) {
    positions.push_back(p);
    carried.push_back(value);
    on_plane_.push_back(on_plane);
    return static_cast<uint32_t>(positions.size() - 1);
  }

  std::span<const Vec3f> points_;
  std::span<const float> values_;
  std::vector<double> s_;
  std::vector<uint32_t> kept_;
  std::unordered_map<uint64_t, uint32_t> cut_;  // by (below, above)
  std::vector<char> on_plane_;
};

double six_volumes(const TetMesh& solid, const Tetrahedron& t) {
  const Vec3d a = solid.positions[t[0]].cast<double>();
  const Vec3d b = solid.positions[t[1]].cast<double>() - a;
  const Vec3d c = solid.positions[t[2]].cast<double>() - a;
  const Vec3d d = solid.positions[t[3]].cast<double>() - a;
  return b.cross(c).dot(d);
}

// The section through one tetrahedron. With the corners ordered so that those below come first and
// the tetrahedron stays positive, the rings below face those above.
void cap_tet(Remains& remains, const TetMesh& solid, uint32_t index) {
  const Tetrahedron& tet = solid.tets()[index];
  Tetrahedron v = tet;
  const auto lower_first = [&](uint32_t a, uint32_t b) {
    return remains.below(a) && !remains.below(b);
  };
  bool odd = false;
  for (int i = 1; i < 4; ++i) {
    for (int k = i; k > 0 && lower_first(v[k], v[k - 1]); --k) {
      std::swap(v[k], v[k - 1]);
      odd = !odd;
    }
  }
  const auto low = std::count_if(v.begin(), v.end(), [&](uint32_t i) { return remains.below(i); });
  if (low == 0 || low == 4) return;
  std::array<uint32_t, 4> ring{};
  std::size_t n = 3;
  if (low == 1) {
    ring = {remains.between(v[0], v[1]), remains.between(v[0], v[2]), remains.between(v[0], v[3])};
  } else if (low == 3) {
    ring = {remains.between(v[0], v[3]), remains.between(v[1], v[3]), remains.between(v[2], v[3])};
  } else {
    ring = {remains.between(v[0], v[2]), remains.between(v[0], v[3]), remains.between(v[1], v[3]),
            remains.between(v[1], v[2])};
    n = 4;
  }
  if (odd != (six_volumes(solid, tet) < 0)) std::reverse(ring.begin(), ring.begin() + n);
  n = std::unique(ring.begin(), ring.begin() + n) - ring.begin();
  if (n > 1 && ring[0] == ring[n - 1]) --n;
  if (n > 2) remains.emit(std::span(ring).first(n), index);
}

// Moves the rim of a cap to the skin's outline.
void draw_rim(Remains& cap, const Remains& skin, CancelView stop) {
  struct Rim {
    int edges = 0;  // of one triangle only
    double longest2 = 0;
  };
  std::unordered_map<uint64_t, int> uses;
  StopCheck check;
  const auto key = [](uint32_t a, uint32_t b) {
    return static_cast<uint64_t>(std::min(a, b)) << 32 | std::max(a, b);
  };
  for (const Triangle& t : cap.triangles) {
    check();
    for (int k = 0; k < 3; ++k) ++uses[key(t[k], t[(k + 1) % 3])];
  }
  std::vector<Rim> rim(cap.positions.size());
  for (const Triangle& t : cap.triangles) {
    check();
    for (int k = 0; k < 3; ++k) {
      const uint32_t a = t[k], b = t[(k + 1) % 3];
      const double length2 = (cap.positions[a] - cap.positions[b]).cast<double>().squaredNorm();
      const bool single = uses[key(a, b)] == 1;
      for (const uint32_t v : {a, b}) {
        rim[v].edges += single;
        rim[v].longest2 = std::max(rim[v].longest2, length2);
      }
    }
  }
  // The outline as triangles without area.
  Topology lines;
  for (const auto& [a, b] : skin.outline) lines.triangles.push_back({a, b, b});
  if (lines.triangles.empty()) return;
  const SurfaceTree tree(Mesh(std::move(lines), skin.positions), stop);
  parallel_blocks(rim.size(), [&](std::size_t begin, std::size_t end) {
    stop.check();
    for (std::size_t v = begin; v < end; ++v) {
      if (rim[v].edges == 0) continue;
      const double within = 0.5 * std::sqrt(rim[v].longest2);
      const auto near = tree.closest(cap.positions[v].cast<double>(), within);
      if (near) cap.positions[v] = near->point.cast<float>();
    }
  });
}

void append(CutBody& body, CutBody cap) {
  const uint32_t first = static_cast<uint32_t>(body.mesh.vertex_count());
  Topology topology = *body.mesh.topology;
  for (const Triangle& t : cap.mesh.triangles())
    topology.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  std::vector<Vec3f> positions = std::move(body.mesh.positions);
  positions.insert(positions.end(), cap.mesh.positions.begin(), cap.mesh.positions.end());
  body.values.insert(body.values.end(), cap.values.begin(), cap.values.end());
  body.source.insert(body.source.end(), cap.source.begin(), cap.source.end());
  body.cap_triangles = cap.mesh.triangle_count();
  body.mesh = Mesh(std::move(topology), std::move(positions));
}

void cap_solid(Remains& remains, const TetMesh& solid, CancelView stop) {
  for (std::size_t t = 0; t < solid.tet_count(); ++t) {
    if (t % 4096 == 0) stop.check();
    cap_tet(remains, solid, static_cast<uint32_t>(t));
  }
}

}  // namespace

CutBody cut_mesh(const Mesh& mesh, std::span<const float> values, const CutPlane& plane,
                 bool with_cap, CancelView stop) {
  Remains remains(mesh.positions, values, plane);
  if (remains.all_below()) {
    CutBody whole{mesh, {values.begin(), values.end()}, 0, 0};
    whole.source.resize(mesh.triangle_count());
    std::iota(whole.source.begin(), whole.source.end(), 0u);
    return whole;
  }
  remains.clip(mesh.triangles(), stop);
  OutlineCap cap;
  if (with_cap) {
    cap = cap_outlines(remains.positions, remains.outline, plane.normal, stop);
    remains.triangles.insert(remains.triangles.end(), cap.triangles.begin(), cap.triangles.end());
  }
  CutBody body = remains.take();
  body.cap_triangles = cap.triangles.size();
  body.source.resize(body.mesh.triangle_count(), 0);
  body.open_outlines = cap.open_outlines;
  return body;
}

CutBody cut_solid(const TetMesh& solid, std::span<const float> values, const CutPlane& plane,
                  CutOutside outside, bool with_cap, CancelView stop) {
  Remains inside(solid.positions, values, plane);
  if (outside == CutOutside::boundary || !solid.has_skin()) {
    inside.clip(solid.topology->boundary, stop);
    const std::size_t before = inside.triangles.size();
    if (with_cap) cap_solid(inside, solid, stop);
    CutBody body = inside.take();
    body.cap_triangles = body.mesh.triangle_count() - before;
    return body;
  }
  const Mesh surface = surface_of(solid);
  const std::vector<float> on_skin =
      values.empty() ? std::vector<float>() : carry_to_skin(solid, values);
  Remains skin(surface.positions, on_skin, plane);
  skin.clip(surface.triangles(), stop);
  if (with_cap) {
    cap_solid(inside, solid, stop);
    draw_rim(inside, skin, stop);
    const OutlineCap filled = cap_outlines(skin.positions, skin.outline, plane.normal, stop);
    fill_gaps({inside.positions, inside.carried, inside.triangles, inside.sources}, skin.positions,
              filled.triangles, plane.normal, stop);
  }
  CutBody body = skin.take();
  if (with_cap) append(body, inside.take());
  return body;
}

}  // namespace sinew::kernels
