#include "nodes/kernels/stuff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <stdexcept>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/embed.h"
#include "nodes/kernels/measure.h"
#include "nodes/kernels/stuff_lattice.h"
#include "nodes/kernels/stuff_stencil.h"
#include "nodes/kernels/tet_cleanup.h"
#include "nodes/kernels/tet_measure.h"

namespace sinew::kernels {

namespace {

// The box's sides are never whole numbers of cells: a box's faces lie between lattice points.
constexpr double spare = 0.4;
// Pieces of fewer tetrahedra are crumbs.
constexpr std::size_t crumb = 24;
// A vertex of the surface that is further out than this, in cells, has lost its part of the body:
// the tip of a cone of 30 degrees is not.
constexpr double lost_from = 2;
constexpr double volume_tolerance = 0.015;
constexpr std::size_t many_vertices = 60000;  // where raising the resolution by itself ends

// Whether every edge is run through as often in one direction as in the other: then winding numbers
// are whole and change only at the surface.
bool is_closed(const Mesh& mesh) {
  std::vector<std::pair<uint64_t, int>> edges;
  edges.reserve(3 * mesh.triangle_count());
  StopCheck check;
  for (const Triangle& t : mesh.triangles()) {
    check();
    for (int k = 0; k < 3; ++k) {
      const uint64_t a = t[k], b = t[(k + 1) % 3];
      if (a != b) edges.emplace_back(a < b ? a << 32 | b : b << 32 | a, a < b ? 1 : -1);
    }
  }
  stoppable_sort(edges.begin(), edges.end());
  for (std::size_t i = 0; i < edges.size();) {
    check();
    int sum = 0;
    const uint64_t key = edges[i].first;
    for (; i < edges.size() && edges[i].first == key; ++i) sum += edges[i].second;
    if (sum != 0) return false;
  }
  return true;
}

class Stuffing {
 public:
  Stuffing(const Mesh& surface, const StuffOptions& options, CancelView stop)
      : surface_(surface), options_(options), stop_(stop), tree_(checked(surface), stop) {
    length_ = tree_.box().sizes().maxCoeff();
    if (!(length_ > 0)) throw std::invalid_argument("the mesh has no size: all points are one");
    const SurfaceMeasures measures = measure_surface(surface);
    area_ = measures.area;
    if (!(area_ > 0)) throw std::invalid_argument("the mesh has no area: nothing is enclosed");
    enclosed_ = std::abs(measures.signed_volume);
    closed_ = is_closed(surface);
    if (closed_) euler_ = euler_of(surface.triangles());
  }

  StuffResult run() {
    return options_.vertices > 0 ? by_vertices() : by_resolution(options_.resolution);
  }

 private:
  static const Mesh& checked(const Mesh& surface) {
    if (const std::optional<std::string> flaw = validate(surface)) {
      throw std::invalid_argument(*flaw);
    }
    if (surface.triangle_count() == 0) {
      throw std::invalid_argument("the mesh has no faces; give it a closed surface");
    }
    return surface;
  }

  double cell_of(int resolution) const { return length_ / (resolution - spare); }
  // Lattice cells, by experience: some layers of finest ones along the surface, and all that is
  // inside if nothing is coarser there.
  double cells_needed(int resolution) const {
    const double cell = cell_of(resolution);
    const double along = 7 * area_ / (cell * cell);
    const double inside = tree_.box().volume() / (cell * cell * cell);
    return std::min(8 * inside + 1000, along + inside / std::pow(8.0, options_.coarsening));
  }
  int largest_resolution() const {
    int low = 2, high = 4096;
    while (low < high) {
      const int middle = (low + high + 1) / 2;
      (cells_needed(middle) <= max_stuffing_cells ? low : high) = middle;
      if (low != middle) high = middle - 1;
    }
    return low;
  }
  void refuse_too_many(int resolution) const {
    const double cells = cells_needed(resolution);
    if (cells <= max_stuffing_cells) return;
    throw std::invalid_argument(
        fmt::format("a resolution of {} would need about {:.0f} million tetrahedra; at most {} "
                    "is possible for this mesh",
                    resolution, std::max(1.0, 4e-6 * cells), largest_resolution()));
  }

  // Everything but the skin.
  StuffResult fill(int resolution) const {
    refuse_too_many(resolution);
    StuffResult result;
    result.resolution = resolution;
    result.cell = cell_of(resolution);
    const double furthest =
        std::max(tree_.box().min().cwiseAbs().maxCoeff(), tree_.box().max().cwiseAbs().maxCoeff());
    if (result.cell < 256.0 * std::numeric_limits<float>::epsilon() * furthest) {
      throw std::invalid_argument(
          "the mesh is too far from the origin for its size; move it nearer before filling it");
    }
    LatticeOptions lattice_options;
    lattice_options.cell = result.cell;
    lattice_options.coarsening = options_.coarsening;
    lattice_options.max_cells = 4 * max_stuffing_cells;
    TetSoup soup;
    {
      Lattice lattice;
      try {
        lattice = build_lattice(tree_, lattice_options, stop_);
      } catch (const std::length_error&) {
        throw std::invalid_argument(fmt::format(
            "a resolution of {} needs too many cells for this mesh; lower it", resolution));
      }
      // Overlaps are counted twice by the surface's own volume.
      const bool simple = lattice.highest_winding < 1.5 && lattice.lowest_winding > -1.5 &&
                          !(lattice.highest_winding > 0.5 && lattice.lowest_winding < -0.5);
      if (closed_ && simple) result.surface_volume = enclosed_;
      soup = cut_lattice(tree_, lattice, stop_);
    }
    const CleanupReport report = clean_up(soup.points, soup.tets, crumb, stop_);
    result.bodies = report.bodies;
    result.crumbs = report.crumbs;
    std::vector<Vec3f> points(soup.points.size());
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = soup.points[i].cast<float>();
    result.solid = TetMesh(std::move(soup.tets), std::move(points));
    measure(result);
    if (result.surface_volume > 0) {
      result.same_shape = euler_of(result.solid.topology->boundary) == euler_;
    }
    return result;
  }

  void measure(StuffResult& result) const {
    struct Sums {
      double low, high, volume;
    };
    const TetMesh& solid = result.solid;
    const Sums sums = parallel_reduce_ordered(
        solid.tet_count(), Sums{std::numbers::pi, 0, 0},
        [&](std::size_t begin, std::size_t end) {
          Sums s{std::numbers::pi, 0, 0};
          for (std::size_t t = begin; t < end; ++t) {
            const TetCorners corners = corners_of(solid.positions, solid.tets()[t]);
            for (const double angle : dihedral_angles(corners)) {
              s.low = std::min(s.low, angle);
              s.high = std::max(s.high, angle);
            }
            s.volume += tet_volume(corners);
          }
          return s;
        },
        [](const Sums& a, const Sums& b) {
          return Sums{std::min(a.low, b.low), std::max(a.high, b.high), a.volume + b.volume};
        });
    result.smallest = sums.low * 180 / std::numbers::pi;
    result.largest = sums.high * 180 / std::numbers::pi;
    result.volume = sums.volume;
  }

  // Hangs the surface in the solid and looks for parts of it that the solid does not reach.
  void add_skin(StuffResult& result) const {
    std::vector<double> distance2;
    TetTopology topology = *result.solid.topology;
    topology.skin = surface_.topology;
    topology.embedding =
        embed_points(TetTree(result.solid, stop_), surface_.positions, stop_, &distance2);
    result.solid = TetMesh(std::move(topology), std::move(result.solid.positions));

    const double limit = lost_from * result.cell;
    std::vector<char> lost(distance2.size(), 0);
    std::vector<char> used(distance2.size(), 0);
    for (const Triangle& t : surface_.triangles()) {
      for (const uint32_t v : t) used[v] = 1;
    }
    for (std::size_t i = 0; i < lost.size(); ++i) {
      lost[i] = used[i] && distance2[i] > limit * limit;
      result.lost_vertices += lost[i];
    }
    if (result.lost_vertices == 0) return;
    // How thick the lost parts are: from the middles of their triangles straight inwards.
    std::vector<double> thickness;
    for (const Triangle& t : surface_.triangles()) {
      if (!lost[t[0]] && !lost[t[1]] && !lost[t[2]]) continue;
      const Vec3d a = surface_.positions[t[0]].cast<double>(),
                  b = surface_.positions[t[1]].cast<double>(),
                  c = surface_.positions[t[2]].cast<double>();
      const Vec3d normal = (b - a).cross(c - a).normalized();
      if (!(normal.norm() > 0.5)) continue;
      const Vec3d start = (a + b + c) / 3 - 1e-6 * length_ * normal;
      const std::optional<RayHit> hit = tree_.first_hit(start, -normal);
      thickness.push_back(hit ? hit->t : 0);
      if (thickness.size() % 1024 == 0) stop_.check();
    }
    // Edges and tips are thinner than any cell: most of it counts.
    double thin = result.cell / 2;
    if (!thickness.empty()) {
      const auto quarter = thickness.begin() + static_cast<std::ptrdiff_t>(thickness.size() / 4);
      std::nth_element(thickness.begin(), quarter, thickness.end());
      thin = std::clamp(*quarter, result.cell / 4, result.cell);
    }
    result.wanted_resolution =
        std::max(result.resolution + 1, static_cast<int>(std::ceil(length_ / (0.7 * thin))));
  }

  static long euler_of(std::span<const Triangle> triangles) {
    uint32_t last = 0;
    for (const Triangle& t : triangles) last = std::max({last, t[0], t[1], t[2]});
    return inspect_topology(triangles, last + 1).euler;
  }
  static double off(const StuffResult& result) {
    return result.surface_volume > 0 ? std::abs(result.volume / result.surface_volume - 1) : 0;
  }

  StuffResult by_resolution(int resolution) const {
    const int asked = resolution, most = std::min(4 * resolution, largest_resolution());
    bool raise = options_.keep_thin;
    StuffResult result, before;
    StuffResult coarsest;  // that has all but the shape
    if (raise) {
      // Walls and tubes need at least a cell across: 2 V / A is their thickness or their radius.
      const double thickness = 2 * enclosed_ / area_;
      if (closed_ && thickness > 0) {
        const double cells = std::min(1e6, length_ / (0.8 * thickness));
        resolution =
            std::clamp(static_cast<int>(std::ceil(cells)), resolution, std::max(resolution, most));
      }
    }
    for (;;) {
      try {
        result = fill(resolution);
        if (result.solid.tet_count() > 0) {
          add_skin(result);
        } else if (!encloses()) {
          refuse_empty(result);
        }
      } catch (const std::invalid_argument&) {
        // What was not asked for is no reason to refuse what was.
        if (resolution == asked) throw;
        if (before.solid.tet_count() > 0) return before;
        resolution = asked;
        raise = false;
        continue;
      }
      const bool fits = result.solid.tet_count() > 0 && off(result) <= volume_tolerance &&
                        result.lost_vertices == 0;
      const int next = std::min(most, (3 * resolution + 1) / 2);
      const bool room = next > resolution &&
                        static_cast<double>(result.solid.vertex_count()) * std::pow(next, 2.3) <
                            many_vertices * std::pow(resolution, 2.3);
      if ((fits && result.same_shape) || !raise || !room) break;
      if (fits && coarsest.solid.tet_count() == 0) coarsest = result;
      before = std::move(result);
      resolution = next;
    }
    // Parts that touch stay together however fine the cells are: then finer ones are for nothing.
    if (!result.same_shape && coarsest.solid.tet_count() > 0) return coarsest;
    if (result.solid.tet_count() == 0) refuse_empty(result);
    return result;
  }

  bool encloses() const { return closed_ && enclosed_ > 1e-9 * length_ * area_; }
  [[noreturn]] void refuse_empty(const StuffResult& result) const {
    if (encloses()) {
      throw std::invalid_argument(fmt::format(
          "at a resolution of {} all of the mesh is thinner than a cell; try {}", result.resolution,
          static_cast<int>(std::ceil(length_ * area_ / (1.4 * enclosed_)))));
    }
    throw std::invalid_argument(
        "the mesh encloses nothing that could be filled; give it a closed surface");
  }

  // The number of vertices grows with a power of the resolution between 2 and 3.
  StuffResult by_vertices() const {
    const double target = static_cast<double>(options_.vertices);
    const int most = largest_resolution();
    StuffResult best;
    double best_off = std::numeric_limits<double>::infinity();
    int resolution = std::clamp(
        static_cast<int>(std::lround(length_ * std::sqrt(target / (5 * area_)))), 2, most);
    int low = 1, high = most + 1;  // known too small, known too large
    for (int round = 0; round < 6 && resolution > low && resolution < high; ++round) {
      StuffResult result = fill(resolution);
      const double count = static_cast<double>(result.solid.vertex_count());
      if (count == 0 && !encloses()) refuse_empty(result);
      const double away = count > 0 ? std::abs(std::log(count / target)) : 1e6;
      (count < target ? low : high) = resolution;
      const int used = resolution;
      const double factor = count > 0 ? std::pow(target / count, 1 / 2.3) : 2;
      if (away < best_off) {
        best_off = away;
        best = std::move(result);
      }
      if (best_off < 0.05) break;
      resolution = static_cast<int>(std::lround(used * factor));
      resolution = std::clamp(resolution, low + 1, std::max(low + 1, high - 1));
    }
    if (best.solid.tet_count() == 0) refuse_empty(best);
    add_skin(best);
    return best;
  }

  const Mesh& surface_;
  StuffOptions options_;
  CancelView stop_;
  SurfaceTree tree_;
  double length_ = 0, area_ = 0, enclosed_ = 0;
  bool closed_ = false;
  long euler_ = 0;  // of the surface, if it is closed
};

}  // namespace

StuffResult stuff_surface(const Mesh& surface, const StuffOptions& options, CancelView stop) {
  return Stuffing(surface, options, stop).run();
}

}  // namespace sinew::kernels
