// Where the nodes are, how far each reaches, and the rows of shape functions.
#include "nodes/kernels/meshless_nodes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <unordered_set>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/counter_random.h"
#include "nodes/kernels/distance_grid.h"
#include "nodes/kernels/grid_distance.h"
#include "nodes/kernels/measure.h"
#include "nodes/kernels/meshless_grid.h"
#include "nodes/kernels/meshless_surface.h"

namespace sinew::kernels {
namespace {

using Probe = MaterialGrid::Probe;

// How much farther than needed a node reaches, for smoothness; and up to where distances are known.
constexpr double reach_margin = 1.15, known_reach = 2.2;
// The part of the candidates that may be given a radius of their own.
constexpr double may_stretch = 0.1;

// Places that may become nodes, and stand for the whole body: grid points inside, and one vertex of
// every cell that has any.
struct Candidates {
  std::vector<Vec3d> places;
  std::vector<uint32_t> points;  // of the grid; none for vertices
  std::vector<Probe> probes;     // of vertices, in their order after the grid points
  std::size_t grid_points = 0;
};

double distance_to(const Candidates& all, std::size_t c, const GridMarch& march) {
  return c < all.grid_points ? march.at(all.points[c]) : march.at(all.probes[c - all.grid_points]);
}

Candidates find_candidates(const MaterialGrid& grid, const Mesh& mesh, CancelView stop) {
  Candidates all;
  for (uint32_t p = 0; p < grid.point_count(); ++p) {
    if (!grid.inside(p)) continue;
    all.places.push_back(grid.position(p));
    all.points.push_back(p);
  }
  all.grid_points = all.places.size();
  std::unordered_set<uint64_t> taken;
  std::vector<Vec3f> vertices;
  const Vec3d origin = grid.surface().box().min();
  for (const Vec3f& v : mesh.positions) {
    const Eigen::Matrix<int64_t, 3, 1> cell =
        ((v.cast<double>() - origin) / grid.cell()).array().floor().cast<int64_t>();
    const uint64_t key = static_cast<uint64_t>(cell[0] + 4096) << 42 |
                         static_cast<uint64_t>(cell[1] + 4096) << 21 |
                         static_cast<uint64_t>(cell[2] + 4096);
    if (taken.insert(key).second) vertices.push_back(v);
  }
  for (const Probe& probe : grid.probes(vertices, stop)) {
    if (!probe.seen && probe.instead == MaterialGrid::none) continue;
    all.places.push_back(probe.place);
    all.probes.push_back(probe);
  }
  return all;
}

// Farthest points first [Adams10, section 4.2].
class FarthestPoints {
 public:
  FarthestPoints(std::shared_ptr<const MaterialGrid> grid, const Candidates& all, uint64_t seed,
                 CancelView stop)
      : all_(all),
        march_(std::move(grid)),
        stop_(stop),
        nearest_(all.places.size(), unreachable),
        owner_(all.places.size(), 0) {
    CounterRandom random(seed, uint64_t{0x6e6f6465});
    next_ = static_cast<std::size_t>(random.uniform() * static_cast<double>(all.places.size()));
  }

  // The next point. What it cannot reach is counted with `lost()`.
  const Vec3d& add() {
    const Vec3d place = all_.places[next_];
    march_.run({&place, 1}, Wave::curved, spacing_, stop_);
    const uint32_t number = static_cast<uint32_t>(points_.size());
    points_.push_back(place);
    const bool is_first = number == 0;
    lost_ = 0;
    spacing_ = 0;
    for (std::size_t c = 0; c < nearest_.size(); ++c) {
      const double d = c == next_ ? 0 : distance_to(all_, c, march_);
      if (d < nearest_[c]) {
        nearest_[c] = d;
        owner_[c] = number;
      }
    }
    for (std::size_t c = 0; c < nearest_.size(); ++c) {
      if (nearest_[c] == unreachable) {
        if (c < all_.grid_points) ++lost_;
      } else if (nearest_[c] > spacing_) {
        spacing_ = nearest_[c];
        next_ = c;
      }
    }
    if (is_first) first_lost_ = lost_;
    return points_.back();
  }

  // Begins again in the largest part, if the first point was in a small one.
  bool in_small_part() const { return 2 * first_lost_ > all_.grid_points; }
  void restart_elsewhere() {
    const auto lost = std::find(nearest_.begin(), nearest_.end(), unreachable);
    next_ = static_cast<std::size_t>(lost - nearest_.begin());
    std::fill(nearest_.begin(), nearest_.end(), unreachable);
    points_.clear();
    spacing_ = unreachable;
  }

  std::size_t lost() const { return first_lost_; }
  double spacing() const { return spacing_; }  // of the farthest place from all points, m
  const std::vector<Vec3d>& points() const { return points_; }
  // Parts of the inside that are nearest to each point.
  std::vector<double> shares() const {
    std::vector<double> shares(points_.size(), 0);
    double total = 0;
    for (std::size_t c = 0; c < all_.grid_points; ++c) {
      if (nearest_[c] == unreachable) continue;
      shares[owner_[c]] += 1;
      total += 1;
    }
    // Points at the skin may be nearest to no grid point: they have a little all the same.
    for (double& s : shares) {
      total += 0.1;
      s += 0.1;
    }
    for (double& s : shares) s /= total;
    return shares;
  }

 private:
  const Candidates& all_;
  GridMarch march_;
  CancelView stop_;
  std::vector<double> nearest_;
  std::vector<uint32_t> owner_;
  std::vector<Vec3d> points_;
  std::size_t next_ = 0, lost_ = 0, first_lost_ = 0;
  double spacing_ = unreachable;
};

// The nodes that each of some places has in reach.
class Reach {
 public:
  std::vector<std::vector<NodeInReach>> lists;

  Reach(std::shared_ptr<const MaterialGrid> grid, std::span<const Vec3d> nodes,
        std::span<const Vec3d> places, const std::vector<const Probe*>& probes,
        std::span<const uint32_t> points, double until, CancelView stop)
      : lists(places.size()) {
    struct Entry {
      uint32_t place;
      NodeInReach node;
    };
    std::vector<std::vector<Entry>> found(nodes.size());
    // One march for each lane of work: its memory is as large as the grid.
    constexpr std::size_t lane = 8;
    parallel_blocks(
        nodes.size(),
        [&](std::size_t begin, std::size_t end) {
          GridMarch march(grid);
          for (std::size_t n = begin; n < end; ++n) {
            march.run({&nodes[n], 1}, Wave::curved, until, stop);
            for (std::size_t i = 0; i < places.size(); ++i) {
              if ((places[i] - nodes[n]).squaredNorm() > until * until) continue;
              const Probe* probe = probes[i];
              double d = probe ? march.at(*probe) : march.at(points[i]);
              // Differences are only that good: no way is shorter than the straight one.
              d = std::max(d, (places[i] - nodes[n]).norm());
              if (!(d < until)) continue;
              const Vec3d gradient = probe ? march.gradient_at(*probe) : Vec3d(0, 0, 0);
              found[n].push_back(
                  {static_cast<uint32_t>(i), {static_cast<uint32_t>(n), d, gradient}});
            }
          }
        },
        lane);
    for (const auto& entries : found) {
      for (const Entry& e : entries) lists[e.place].push_back(e.node);
    }
  }
};

// The least radius with which all but a few of the candidates are covered; unreachable if none is
// enough. Asks only every so many candidates where there are many.
double least_radius(const Candidates& all, std::span<const Vec3d> nodes, const Reach& reach,
                    double until) {
  const std::size_t every = std::max<std::size_t>(1, all.places.size() / 6000);
  std::vector<std::size_t> asked;
  for (std::size_t c = 0; c < all.places.size(); c += every) {
    if (!reach.lists[c].empty()) asked.push_back(c);
  }
  if (asked.empty()) return unreachable;
  const auto bad_part = [&](double radius) {
    const std::size_t bad = parallel_reduce_ordered(
        asked.size(), std::size_t{0},
        [&](std::size_t begin, std::size_t end) {
          std::size_t count = 0;
          for (std::size_t i = begin; i < end; ++i) {
            const std::size_t c = asked[i];
            count += !covers(all.places[c], nodes, reach.lists[c], radius);
          }
          return count;
        },
        std::plus<>(), 256);
    return static_cast<double>(bad) / static_cast<double>(std::max<std::size_t>(1, asked.size()));
  };
  double high = until, low = 0.3 * until / known_reach;
  if (bad_part(high) > may_stretch) return unreachable;
  for (int i = 0; i < 12; ++i) {
    const double middle = 0.5 * (low + high);
    (bad_part(middle) > may_stretch ? low : high) = middle;
  }
  return high;
}

// The places are their own probes: where they are asked for, inside of the body.
std::vector<const Probe*> pointers_to(const std::vector<Probe>& probes) {
  std::vector<const Probe*> pointers;
  for (const Probe& p : probes) pointers.push_back(&p);
  return pointers;
}

Reach candidates_reach(std::shared_ptr<const MaterialGrid> grid, const Candidates& all,
                       std::span<const Vec3d> nodes, double until, CancelView stop) {
  std::vector<const Probe*> probes(all.places.size(), nullptr);
  for (std::size_t c = all.grid_points; c < probes.size(); ++c) {
    probes[c] = &all.probes[c - all.grid_points];
  }
  return Reach(std::move(grid), nodes, all.places, probes, all.points, until, stop);
}

// Rows for places that may lie where the grid sees nothing: those take the ways of the nearest
// place that it sees, and the step to them.
class RowMaker {
 public:
  RowMaker(std::shared_ptr<const MaterialGrid> grid, std::span<const Vec3d> nodes, double radius,
           CancelView stop)
      : grid_(std::move(grid)), nodes_(nodes), radius_(radius), stop_(stop) {}

  // How many of the places, from the `first` on, were given a radius of their own.
  std::size_t stretched(std::size_t first) const {
    return static_cast<std::size_t>(stretched_.end() -
                                    std::lower_bound(stretched_.begin(), stretched_.end(), first));
  }

  ShapeRows rows(std::span<const Vec3f> points) {
    std::vector<Probe> probes = grid_->probes(points, stop_);
    std::vector<Vec3d> places(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) places[i] = points[i].cast<double>();
    adopt_lost(places, probes);
    Reach reach(grid_, nodes_, places, pointers_to(probes), {}, radius_ * (1 + 1e-9), stop_);
    widen(places, probes, reach);
    return make(places, reach);
  }

 private:
  void adopt_lost(const std::vector<Vec3d>& places, std::vector<Probe>& probes) const {
    std::vector<std::size_t> seen, lost;
    for (std::size_t i = 0; i < probes.size(); ++i) {
      (probes[i].seen || probes[i].instead != MaterialGrid::none ? seen : lost).push_back(i);
    }
    if (seen.empty()) return;
    for (const std::size_t i : lost) {
      std::size_t best = seen[0];
      for (const std::size_t s : seen) {
        if ((places[s] - places[i]).squaredNorm() < (places[best] - places[i]).squaredNorm()) {
          best = s;
        }
      }
      probes[i] = probes[best];
    }
  }

  // Those that are not covered look farther.
  void widen(const std::vector<Vec3d>& places, const std::vector<Probe>& probes, Reach& reach) {
    std::vector<uint8_t> bad(places.size(), 0);
    parallel_blocks(places.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        bad[i] = !covers(places[i], nodes_, reach.lists[i], radius_);
      }
    });
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < bad.size(); ++i) {
      if (bad[i]) which.push_back(i);
    }
    stretched_ = which;
    for (double until = 2 * radius_; !which.empty(); until *= 2) {
      std::vector<Vec3d> some;
      std::vector<const Probe*> their;
      for (const std::size_t i : which) {
        some.push_back(places[i]);
        their.push_back(&probes[i]);
      }
      Reach wide(grid_, nodes_, some, their, {}, until, stop_);
      std::vector<std::size_t> still;
      for (std::size_t k = 0; k < which.size(); ++k) {
        if (!covers(some[k], nodes_, wide.lists[k], until) &&
            wide.lists[k].size() < nodes_.size() && until < 64 * radius_) {
          still.push_back(which[k]);
        }
        reach.lists[which[k]] = std::move(wide.lists[k]);
      }
      which = std::move(still);
    }
  }

  ShapeRows make(const std::vector<Vec3d>& places, const Reach& reach) const {
    // In blocks, joined in their order.
    constexpr std::size_t block = 1024;
    std::vector<ShapeRows> parts((places.size() + block - 1) / block);
    parallel_blocks(
        places.size(),
        [&](std::size_t begin, std::size_t end) {
          stop_.check();
          ShapeRows& rows = parts[begin / block];
          for (std::size_t i = begin; i < end; ++i) {
            if (append_shape_row(places[i], nodes_, reach.lists[i], radius_, rows)) continue;
            nearest_node_row(places[i], rows);
          }
        },
        block);
    ShapeRows all;
    all.first.push_back(0);
    for (const ShapeRows& part : parts) {
      const uint32_t start = static_cast<uint32_t>(all.node.size());
      for (std::size_t i = 1; i < part.first.size(); ++i)
        all.first.push_back(start + part.first[i]);
      all.node.insert(all.node.end(), part.node.begin(), part.node.end());
      all.value.insert(all.value.end(), part.value.begin(), part.value.end());
      all.gradient.insert(all.gradient.end(), part.gradient.begin(), part.gradient.end());
    }
    return all;
  }

  // Where no way leads: the straight distances of the nearest nodes that span space.
  void nearest_node_row(const Vec3d& place, ShapeRows& rows) const {
    rows.first.pop_back();
    std::vector<NodeInReach> reach;
    for (uint32_t n = 0; n < nodes_.size(); ++n) {
      const Vec3d away = place - nodes_[n];
      const double d = away.norm();
      reach.push_back({n, d, d > 0 ? Vec3d(away / d) : Vec3d(0, 0, 0)});
    }
    append_shape_row(place, nodes_, reach, radius_, rows);
  }

  std::shared_ptr<const MaterialGrid> grid_;
  std::span<const Vec3d> nodes_;
  double radius_;
  CancelView stop_;
  std::vector<std::size_t> stretched_;
};

std::vector<Vec3f> as_floats(std::span<const Vec3d> points) {
  std::vector<Vec3f> floats;
  for (const Vec3d& p : points) floats.push_back(p.cast<float>());
  return floats;
}

// Vertices that stand for the surface: farthest first, straight distances.
std::vector<uint32_t> spread_vertices(const Mesh& mesh, std::size_t count, CancelView stop) {
  const std::size_t all = mesh.vertex_count();
  // Of very many vertices, some.
  const std::size_t every = std::max<std::size_t>(1, all / 20000);
  std::vector<uint32_t> from;
  for (std::size_t v = 0; v < all; v += every) from.push_back(static_cast<uint32_t>(v));
  count = std::min(count, from.size());
  std::vector<float> nearest(from.size(), std::numeric_limits<float>::max());
  std::vector<uint32_t> chosen;
  std::size_t next = 0;
  while (chosen.size() < count) {
    stop.check();
    chosen.push_back(from[next]);
    const Vec3f place = mesh.positions[from[next]];
    float best = -1;
    for (std::size_t i = 0; i < from.size(); ++i) {
      nearest[i] = std::min(nearest[i], (mesh.positions[from[i]] - place).squaredNorm());
      if (nearest[i] > best) {
        best = nearest[i];
        next = i;
      }
    }
    if (!(best > 0)) break;
  }
  return chosen;
}

// The way from a node back to where the march began, against the growth of the distance.
std::vector<Vec3f> way_back(const MaterialGrid& grid, const GridMarch& march, const Vec3d& from,
                            const Vec3d& to, double length) {
  std::vector<Vec3f> way{from.cast<float>()};
  Vec3d at = from;
  const double step = grid.cell();
  if (length > 1.02 * (from - to).norm() + 0.2 * step) {
    for (int i = 0; i < 400 && (at - to).norm() > 1.5 * step; ++i) {
      const Probe here = grid.probe(at);
      const Vec3d down = march.gradient_at(here);
      if (!(down.norm() > 0.1)) break;
      at = grid.probe(here.place - step * down.normalized()).place;
      way.push_back(at.cast<float>());
    }
  }
  way.push_back(to.cast<float>());
  return way;
}

// Nodes that feel each other, each with a few of its nearest.
std::vector<NodeLink> find_links(std::shared_ptr<const MaterialGrid> grid,
                                 std::span<const Vec3d> nodes, double radius, CancelView stop) {
  const std::vector<Vec3f> places = as_floats(nodes);
  const std::vector<Probe> probes = grid->probes(places, stop);
  std::vector<std::vector<NodeLink>> found(nodes.size());
  constexpr std::size_t most = 6;
  parallel_blocks(
      nodes.size(),
      [&](std::size_t begin, std::size_t end) {
        GridMarch march(grid);
        for (std::size_t n = begin; n < end; ++n) {
          march.run({&nodes[n], 1}, Wave::curved, radius, stop);
          std::vector<std::pair<double, uint32_t>> near;
          for (uint32_t m = 0; m < nodes.size(); ++m) {
            const double d = m == n ? radius : march.at(probes[m]);
            if (d < radius) near.push_back({d, m});
          }
          std::sort(near.begin(), near.end());
          if (near.size() > most) near.resize(most);
          for (const auto& [d, m] : near) {
            found[n].push_back(
                {{m, static_cast<uint32_t>(n)}, d, way_back(*grid, march, nodes[m], nodes[n], d)});
          }
        }
      },
      8);
  std::vector<NodeLink> links;
  for (const auto& of_node : found) {
    for (const NodeLink& link : of_node) {
      // Both ends may have found it: the one of the smaller number keeps it.
      const auto [a, b] = link.nodes;
      const auto& others = found[a];
      const bool both = std::any_of(others.begin(), others.end(),
                                    [&, b = b](const NodeLink& o) { return o.nodes[0] == b; });
      if (b < a || !both) links.push_back(link);
    }
  }
  return links;
}

ShapeRows some_rows(const ShapeRows& rows, std::span<const uint32_t> which) {
  ShapeRows some;
  some.first.push_back(0);
  for (const uint32_t i : which) {
    const auto begin = static_cast<std::ptrdiff_t>(rows.first[i]);
    const auto end = static_cast<std::ptrdiff_t>(rows.first[i + 1]);
    some.node.insert(some.node.end(), rows.node.begin() + begin, rows.node.begin() + end);
    some.value.insert(some.value.end(), rows.value.begin() + begin, rows.value.begin() + end);
    some.gradient.insert(some.gradient.end(), rows.gradient.begin() + begin,
                         rows.gradient.begin() + end);
    some.first.push_back(static_cast<uint32_t>(some.node.size()));
  }
  return some;
}

// A place that no node holds: those there are lie in a plane.
bool has_empty_row(const ShapeRows& rows) {
  return std::adjacent_find(rows.first.begin(), rows.first.end()) != rows.first.end();
}

// Of the grid of distances from the surface.
constexpr int distance_cells = 48;

// Nodes one after another until they cover the body, and the radius with which they do.
class Covering {
 public:
  Covering(std::shared_ptr<const MaterialGrid> grid, const Mesh& mesh, const NodeSampling& sampling,
           CancelView stop)
      : grid_(std::move(grid)),
        stop_(stop),
        asked_(sampling),
        all_(find_candidates(*grid_, mesh, stop)),
        farthest_(grid_, all_, sampling.seed, stop) {
    farthest_.add();
    if (farthest_.in_small_part()) {
      farthest_.restart_elsewhere();
      farthest_.add();
    }
  }

  // The radius of the nodes that were asked for, in count or by their radius; unreachable if they
  // do not cover the body.
  double find() {
    count_ = static_cast<std::size_t>(std::max(asked_.count, 4));
    double radius = radius_of(count_);
    // With a radius: as many more as it takes.
    while (asked_.count == 0 && radius == unreachable && count_ < most_nodes) {
      raise_count();
      radius = radius_of(count_);
    }
    if (asked_.radius == 0) {
      for (double more = 1.5; radius == unreachable && more < 20; more *= 1.5) {
        radius = radius_within(more * known_reach * spacing());
      }
    }
    if (radius == unreachable || farthest_.points().size() < 4) return unreachable;
    return asked_.radius > 0 ? asked_.radius : radius * reach_margin;
  }

  // About how many nodes would do; 0: that is not known. Not to be gone on with.
  std::size_t find_needed() {
    while (count_ < most_nodes) {
      raise_count();
      const bool covered = radius_of(count_) != unreachable;
      if (farthest_.points().size() < count_) break;
      if (covered) return count_;
    }
    return 0;
  }

  void add_until(std::size_t count) {
    while (farthest_.points().size() < count && farthest_.spacing() > 1e-6 * grid_->cell()) {
      farthest_.add();
    }
  }
  const FarthestPoints& points() const { return farthest_; }

 private:
  void raise_count() {
    count_ = std::min<std::size_t>(most_nodes, count_ + std::max<std::size_t>(2, count_ / 6));
  }
  // Where every place is a node, none is far from all.
  double spacing() const { return std::max(farthest_.spacing(), grid_->cell()); }
  double radius_of(std::size_t count) {
    add_until(count);
    return radius_within(asked_.radius > 0 ? asked_.radius : known_reach * spacing());
  }
  double radius_within(double until) const {
    const Reach reach = candidates_reach(grid_, all_, farthest_.points(), until, stop_);
    return least_radius(all_, farthest_.points(), reach, until);
  }

  std::shared_ptr<const MaterialGrid> grid_;
  CancelView stop_;
  NodeSampling asked_;
  Candidates all_;
  FarthestPoints farthest_;
  std::size_t count_ = 0;
};

// The rows of all samples and vertices; false where no node holds one of them. In one go: every
// march is read at all places.
bool fill_rows(MeshlessBody& body, const std::shared_ptr<const MaterialGrid>& grid,
               std::size_t& stretched, CancelView stop) {
  RowMaker maker(grid, body.nodes, body.radius, stop);
  std::vector<Vec3f> places = as_floats(body.samples);
  places.insert(places.end(), body.rest.positions.begin(), body.rest.positions.end());
  const ShapeRows all_rows = maker.rows(places);
  const auto rows_of = [&](std::size_t first, std::size_t many) {
    std::vector<uint32_t> list(many);
    std::iota(list.begin(), list.end(), static_cast<uint32_t>(first));
    return some_rows(all_rows, list);
  };
  body.at_samples = rows_of(0, body.samples.size());
  body.at_vertices = rows_of(body.samples.size(), body.rest.vertex_count());
  stretched = maker.stretched(body.samples.size());
  return !has_empty_row(all_rows);
}

// What plays the surface, and what meets others.
void fill_surface(MeshlessBody& body, const SurfaceTree& surface, CancelView stop) {
  const Mesh& mesh = body.rest;
  const auto tiles = std::make_shared<const MeshlessSurface>(mesh.positions, vertex_normals(mesh),
                                                             body.at_vertices, body.nodes.size());
  body.surface_bytes = tiles->bytes();
  body.surface = tiles;
  body.touching =
      spread_vertices(mesh, std::clamp<std::size_t>(8 * body.nodes.size(), 160, 600), stop);
  body.at_touching = some_rows(body.at_vertices, body.touching);
  body.distances =
      std::make_shared<const DistanceGrid>(make_distance_grid(surface, distance_cells, stop));
}

MeshlessSampling sample_in(const std::shared_ptr<const SurfaceTree>& surface, const Mesh& mesh,
                           const NodeSampling& sampling, CancelView stop) {
  MeshlessSampling made;
  const FittingGrid fitting = fitting_grid(surface, sampling.cells, stop);
  const std::shared_ptr<const MaterialGrid>& grid = fitting.grid;
  made.parts = fitting.parts.count;
  made.part_volume = fitting.parts.small_volume;
  made.cells = fitting.cells;
  made.cell = grid->cell();
  if (made.parts == 0) made.problem = SamplingProblem::nothing_inside;
  if (made.parts > 1) made.problem = SamplingProblem::parts;
  if (made.problem != SamplingProblem::none) return made;

  Covering covering(grid, mesh, sampling, stop);
  const auto refuse = [&] {
    made.problem = SamplingProblem::too_few_nodes;
    made.body = {};
    made.needed = covering.find_needed();
    return made;
  };
  MeshlessBody& body = made.body;
  body.radius = covering.find();
  if (body.radius == unreachable) return refuse();
  body.rest = mesh;
  body.size = grid->surface().box().sizes().maxCoeff();
  body.nodes = covering.points().points();
  body.masses = covering.points().shares();
  covering.add_until(2 * body.nodes.size());
  body.samples = covering.points().points();
  body.volumes = covering.points().shares();
  if (!fill_rows(body, grid, made.stretched, stop)) return refuse();
  fill_surface(body, *surface, stop);
  body.links = find_links(grid, body.nodes, body.radius, stop);
  return made;
}

// A finer resolution with which the body is in one part and has its nodes, or is in one part at
// least; 0 if there is none.
int joining_cells(const std::shared_ptr<const SurfaceTree>& surface, const Mesh& mesh,
                  NodeSampling sampling, const MeshlessSampling& apart, CancelView stop) {
  int joins = 0;
  for (const int cells : finer_cells(apart.cells)) {
    if (parts_of(MaterialGrid(surface, cells, stop)).count != 1) continue;
    if (joins == 0) joins = cells;
    sampling.cells = cells;
    if (sample_in(surface, mesh, sampling, stop).problem == SamplingProblem::none) return cells;
  }
  return joins;
}

}  // namespace

MeshlessSampling sample_meshless(const Mesh& mesh, const NodeSampling& sampling, CancelView stop) {
  MeshlessSampling made;
  if (mesh.triangle_count() == 0) {
    made.problem = SamplingProblem::nothing_inside;
    return made;
  }
  const auto surface = std::make_shared<const SurfaceTree>(mesh, stop);
  made = sample_in(surface, mesh, sampling, stop);
  if (made.problem != SamplingProblem::parts && made.problem != SamplingProblem::nothing_inside) {
    return made;
  }
  made.pieces = surface_pieces(mesh);
  // Pieces stay pieces, however finely one looks.
  if (made.pieces == 1 || made.parts == 0)
    made.joins = joining_cells(surface, mesh, sampling, made, stop);
  return made;
}

}  // namespace sinew::kernels
