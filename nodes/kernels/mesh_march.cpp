#include "nodes/kernels/mesh_march.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew::kernels {

namespace {

// The vertices that wait to be settled, the nearest first, equal ones by their index. A vertex that
// came closer is entered again; its older entry is dropped when it comes up.
class Front {
 public:
  explicit Front(std::size_t vertices) : distance_(vertices, unreachable), settled_(vertices, 0) {}

  double operator[](uint32_t v) const { return distance_[v]; }
  // Only what is closer beyond rounding.
  void offer(uint32_t v, double d) {
    if (!(d < distance_[v] * (1 - 1e-12))) return;
    distance_[v] = d;
    heap_.push_back({d, v});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }
  bool next(uint32_t& v) {
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), later);
      const Entry entry = heap_.back();
      heap_.pop_back();
      if (entry.distance != distance_[entry.vertex]) continue;
      // On sheets that lie on each other vertices could bring one another closer for ever.
      if (settled_[entry.vertex] == most_settlings) continue;
      ++settled_[entry.vertex];
      v = entry.vertex;
      return true;
    }
    return false;
  }
  std::vector<double> take() { return std::move(distance_); }

 private:
  struct Entry {
    double distance;
    uint32_t vertex;
  };
  static constexpr uint8_t most_settlings = 64;
  static bool later(const Entry& a, const Entry& b) {
    return a.distance != b.distance ? a.distance > b.distance : a.vertex > b.vertex;
  }
  std::vector<double> distance_;
  std::vector<uint8_t> settled_;  // how often
  std::vector<Entry> heap_;
};

// settle(v, front) offers new distances to the neighbours of v.
template <class Settle>
std::vector<double> march(std::size_t vertices, std::span<const MarchStart> starts,
                          const Settle& settle, double until, CancelView stop) {
  stop.check();
  Front front(vertices);
  for (const MarchStart& s : starts) front.offer(s.vertex, s.distance);
  uint32_t v = 0;
  for (std::size_t count = 1; front.next(v); ++count) {
    if (count % 1024 == 0) stop.check();
    if (front[v] > until) break;
    settle(v, front);
  }
  std::vector<double> distances = front.take();
  if (until < unreachable) {
    for (double& d : distances) d = d <= until ? d : unreachable;
  }
  return distances;
}

}  // namespace

namespace {

template <class Corners>
std::vector<MarchStart> from_corners(std::span<const Vec3f> positions, const Corners& corners,
                                     const Vec3d& point) {
  std::vector<MarchStart> starts;
  for (const uint32_t v : corners) {
    starts.push_back({v, (positions[v].cast<double>() - point).norm()});
  }
  return starts;
}

// The least barycentric weight of a point: not negative within the tetrahedron.
double least_weight(const TetMesh& solid, const Tetrahedron& t, const Vec3d& point) {
  const Vec3d a = solid.positions[t[0]].cast<double>();
  const Vec3d b = solid.positions[t[1]].cast<double>() - a;
  const Vec3d c = solid.positions[t[2]].cast<double>() - a;
  const Vec3d d = solid.positions[t[3]].cast<double>() - a, p = point - a;
  const double volume = b.cross(c).dot(d);
  if (volume == 0) return -unreachable;
  const double wb = p.cross(c).dot(d) / volume, wc = b.cross(p).dot(d) / volume,
               wd = b.cross(c).dot(p) / volume;
  return std::min({1 - wb - wc - wd, wb, wc, wd});
}

}  // namespace

PlacedStart start_on_surface(const Mesh& mesh, const SurfaceTree& tree, const Vec3d& point) {
  const std::optional<SurfacePoint> closest = tree.closest(point);
  if (!closest) return {};
  PlacedStart placed{
      from_corners(mesh.positions, mesh.triangles()[closest->triangle], closest->point),
      std::sqrt(closest->distance2)};
  for (int k = 0; k < 3; ++k) {
    placed.corners[static_cast<std::size_t>(k)].weight = std::max(0.0, closest->weights[k]);
  }
  return placed;
}

PlacedStart start_in_solid(const TetMesh& solid, const Vec3d& point) {
  const Tetrahedron* best = nullptr;
  double most = -1e-6;
  for (const Tetrahedron& t : solid.tets()) {
    const double least = least_weight(solid, t, point);
    if (least <= most) continue;
    most = least;
    best = &t;
    if (least >= 0) break;
  }
  if (best) return {from_corners(solid.positions, *best, point), 0};
  const Mesh boundary(Topology{solid.topology->boundary, {}, {}}, solid.positions);
  return start_on_surface(boundary, SurfaceTree(boundary), point);
}

std::vector<MarchStart> start_from_set(std::span<const float> field, float threshold) {
  std::vector<MarchStart> starts;
  for (std::size_t v = 0; v < field.size(); ++v) {
    if (field[v] > threshold) starts.push_back({static_cast<uint32_t>(v), 0});
  }
  return starts;
}

std::vector<double> march_surface(const Mesh& mesh, const Rows& around,
                                  std::span<const MarchStart> starts, Wave wave, double until,
                                  CancelView stop) {
  const auto at = [&](uint32_t v) -> Vec3d { return mesh.positions[v].cast<double>(); };
  return march(
      mesh.vertex_count(), starts,
      [&](uint32_t a, Front& front) {
        const Vec3d pa = at(a);
        const double da = front[a];
        for (const uint32_t t : around[a]) {
          const Triangle& corners = mesh.triangles()[t];
          const int k = corners[0] == a ? 0 : corners[1] == a ? 1 : 2;
          const uint32_t b = corners[(k + 1) % 3], c = corners[(k + 2) % 3];
          for (const auto& [other, to] : {std::pair(b, c), std::pair(c, b)}) {
            const double db = front[other];
            if (front[to] <= std::min(da, db)) continue;
            front.offer(to, db < unreachable ? through_edge(wave, pa, da, at(other), db, at(to))
                                             : da + (at(to) - pa).norm());
          }
        }
      },
      until, stop);
}

std::vector<double> march_solid(const TetMesh& solid, const Rows& around,
                                std::span<const MarchStart> starts, Wave wave, double until,
                                CancelView stop) {
  const auto at = [&](uint32_t v) -> Vec3d { return solid.positions[v].cast<double>(); };
  return march(
      solid.vertex_count(), starts,
      [&](uint32_t a, Front& front) {
        const Vec3d pa = at(a);
        const double da = front[a];
        for (const uint32_t t : around[a]) {
          const Tetrahedron& corners = solid.tets()[t];
          for (const uint32_t to : corners) {
            if (to == a) continue;
            // The other two, if their distances are known.
            uint32_t known[2];
            int count = 0;
            double least = da;
            for (const uint32_t v : corners) {
              if (v == a || v == to || front[v] == unreachable || count == 2) continue;
              known[count++] = v;
              least = std::min(least, front[v]);
            }
            if (front[to] <= least) continue;
            const Vec3d pt = at(to);
            if (count == 2) {
              front.offer(to, through_face(wave, pa, da, at(known[0]), front[known[0]],
                                           at(known[1]), front[known[1]], pt));
            } else if (count == 1) {
              front.offer(to, through_edge(wave, pa, da, at(known[0]), front[known[0]], pt));
            } else {
              front.offer(to, da + (pt - pa).norm());
            }
          }
        }
      },
      until, stop);
}

}  // namespace sinew::kernels
