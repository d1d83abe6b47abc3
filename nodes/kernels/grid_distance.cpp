#include "nodes/kernels/grid_distance.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "nodes/geometry/parallel.h"

namespace sinew::kernels {

namespace {

// The box's sides do not fall on grid points, which could not tell whether they are inside: it
// begins this far, in cells, after the first point of each axis.
constexpr std::array<double, 3> shift = {0.381966, 0.414214, 0.449490};
constexpr std::size_t most_points = std::size_t{1} << 28;
// A way may begin and end this close to the surface, in cells, since vertices lie on it.
constexpr double touch = 1e-4;
constexpr int search_cells = 3;
constexpr std::size_t rows_at_once = 64;

}  // namespace

MaterialGrid::MaterialGrid(std::shared_ptr<const SurfaceTree> surface, int cells, CancelView stop)
    : surface_(std::move(surface)) {
  if (cells < 2) throw std::invalid_argument("a grid needs at least two cells");
  const Eigen::AlignedBox3d& box = surface_->box();
  if (surface_->empty() || !(box.sizes().maxCoeff() > 0)) return;
  cell_ = box.sizes().maxCoeff() / cells;
  std::size_t count = 1;
  for (int k = 0; k < 3; ++k) {
    origin_[k] = box.min()[k] - shift[k] * cell_;
    size_[k] = static_cast<int>(std::ceil(box.sizes()[k] / cell_ + shift[k])) + 2;
    stride_[k] = static_cast<uint32_t>(count);
    count *= static_cast<std::size_t>(size_[k]);
  }
  if (count > most_points) throw std::invalid_argument("the grid would have too many points");
  links_.assign(count, 0);
  for (int axis = 0; axis < 3; ++axis) block_rows(axis, stop);
  find_inside(stop);
  join_inside();
}

Vec3d MaterialGrid::position(uint32_t point) const {
  const uint32_t z = point / stride_[2], y = point % stride_[2] / stride_[1],
                 x = point % stride_[1];
  return origin_ + cell_ * Vec3d(x, y, z);
}

// Marks the edges along an axis that cross the surface.
void MaterialGrid::block_rows(int axis, CancelView stop) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3, last = size_[axis] - 1;
  const std::size_t rows = static_cast<std::size_t>(size_[u]) * static_cast<std::size_t>(size_[v]);
  const Vec3d direction = cell_ * Vec3d::Unit(axis);
  const uint8_t blocked = link_bit(axis, true);
  parallel_blocks(
      rows,
      [&](std::size_t begin, std::size_t end) {
        stop.check();
        for (std::size_t row = begin; row < end; ++row) {
          const uint32_t first =
              static_cast<uint32_t>(row % static_cast<std::size_t>(size_[u])) * stride_[u] +
              static_cast<uint32_t>(row / static_cast<std::size_t>(size_[u])) * stride_[v];
          for (int i = 0; i < last;) {
            const Vec3d from = position(first + static_cast<uint32_t>(i) * stride_[axis]);
            const std::optional<RayHit> hit = surface_->first_hit(from, direction, last - i);
            if (!hit) break;
            const int at = std::min(i + static_cast<int>(hit->t), last - 1);
            links_[first + static_cast<uint32_t>(at) * stride_[axis]] |= blocked;
            // A surface through a grid point bars both of its edges.
            if (hit->t - std::floor(hit->t) < touch && at > 0) {
              links_[first + static_cast<uint32_t>(at - 1) * stride_[axis]] |= blocked;
            }
            i = at + 1;
          }
        }
      },
      rows_at_once);
}

// Between two crossings of a row nothing changes, unless the surface has holes: then the ends or
// the middle differ, and each point is asked.
void MaterialGrid::find_inside(CancelView stop) {
  const std::size_t rows = static_cast<std::size_t>(size_[1]) * static_cast<std::size_t>(size_[2]);
  const uint32_t length = static_cast<uint32_t>(size_[0]);
  parallel_blocks(
      rows,
      [&](std::size_t begin, std::size_t end) {
        stop.check();
        for (std::size_t row = begin; row < end; ++row) {
          const uint32_t first = static_cast<uint32_t>(row) * length;
          for (uint32_t i = 0; i < length;) {
            uint32_t j = i;
            while (j + 1 < length && !(links_[first + j] & link_bit(0, true))) ++j;
            const auto asked = [&](uint32_t k) { return surface_->inside(position(first + k)); };
            const bool in = asked(i);
            const bool alike = i == j || (in == asked(j) && in == asked((i + j) / 2));
            for (uint32_t k = i; k <= j; ++k) {
              if (alike ? in : asked(k)) links_[first + k] |= inside_bit;
            }
            i = j + 1;
          }
        }
      },
      rows_at_once);
}

// Turns the marks of crossings into links between neighbours inside.
void MaterialGrid::join_inside() {
  const std::array<uint32_t, 3> size = {static_cast<uint32_t>(size_[0]),
                                        static_cast<uint32_t>(size_[1]),
                                        static_cast<uint32_t>(size_[2])};
  uint32_t point = 0;
  for (uint32_t z = 0; z < size[2]; ++z) {
    for (uint32_t y = 0; y < size[1]; ++y) {
      for (uint32_t x = 0; x < size[0]; ++x, ++point) {
        const std::array<uint32_t, 3> at = {x, y, z};
        const bool in = inside(point);
        inside_count_ += in;
        for (int axis = 0; axis < 3; ++axis) {
          const uint8_t up = link_bit(axis, true);
          const bool blocked = (links_[point] & up) != 0;
          links_[point] = static_cast<uint8_t>(links_[point] & ~up);
          if (blocked || !in || at[axis] + 1 == size[axis]) continue;
          if (!inside(point + stride_[axis])) continue;
          links_[point] |= up;
          links_[point + stride_[axis]] |= link_bit(axis, false);
        }
      }
    }
  }
}

bool MaterialGrid::free_way(const Vec3d& a, const Vec3d& b, double spare) const {
  const Vec3d way = b - a;
  const double length = way.norm(), slack = touch * cell_;
  if (length <= slack + spare) return true;
  return !surface_->first_hit(a + spare / length * way, way, 1 - (slack + spare) / length);
}

std::array<int, 3> MaterialGrid::cell_of(const Vec3d& place) const {
  std::array<int, 3> cell;
  for (int k = 0; k < 3; ++k) {
    const double x = std::floor((place[k] - origin_[k]) / cell_);
    cell[k] = static_cast<int>(std::clamp(x, 0.0, static_cast<double>(size_[k] - 2)));
  }
  return cell;
}

uint32_t MaterialGrid::corner(uint32_t first, int k) const {
  return first + (k & 1 ? stride_[0] : 0) + (k & 2 ? stride_[1] : 0) + (k & 4 ? stride_[2] : 0);
}

MaterialGrid::Probe MaterialGrid::look_around(const Vec3d& place) const {
  Probe probe;
  probe.place = place;
  const std::array<int, 3> cell = cell_of(place);
  probe.first = index(cell[0], cell[1], cell[2]);
  for (int k = 0; k < 8; ++k) {
    const uint32_t point = corner(probe.first, k);
    if (inside(point) && sees(point, place)) probe.seen |= static_cast<uint8_t>(1 << k);
  }
  if (probe.seen) return probe;
  std::vector<std::pair<double, uint32_t>> others;
  for_points_near(cell, search_cells, [&](uint32_t point) {
    if (inside(point)) others.push_back({(position(point) - place).squaredNorm(), point});
  });
  std::sort(others.begin(), others.end());
  for (const auto& [distance2, point] : others) {
    if (!sees(point, place)) continue;
    probe.instead = point;
    break;
  }
  return probe;
}

MaterialGrid::Probe MaterialGrid::probe(const Vec3d& point) const {
  if (empty()) return {};
  const Probe direct = look_around(point);
  if (direct.seen || direct.instead != none) return direct;
  // Outside, or in material too thin for the grid.
  const std::optional<SurfacePoint> closest = surface_->closest(point);
  if (surface_->inside(point)) return direct;
  Probe moved = look_around(closest->point);
  moved.moved = std::sqrt(closest->distance2);
  return moved;
}

std::vector<MaterialGrid::Probe> MaterialGrid::probes(std::span<const Vec3f> points,
                                                      CancelView stop) const {
  std::vector<Probe> result(points.size());
  parallel_blocks(
      points.size(),
      [&](std::size_t begin, std::size_t end) {
        stop.check();
        for (std::size_t i = begin; i < end; ++i) result[i] = probe(points[i].cast<double>());
      },
      256);
  return result;
}

// ---- Marching -----------------------------------------------------------------------------------

GridMarch::GridMarch(std::shared_ptr<const MaterialGrid> grid)
    : grid_(std::move(grid)), points_(grid_->point_count()) {}

void GridMarch::offer(uint32_t point, double distance) {
  if (!(distance < points_[point].distance)) return;
  if (points_[point].distance == unreachable) touched_.push_back(point);
  points_[point].distance = distance;
  heap_.push_back({distance, point});
  std::push_heap(heap_.begin(), heap_.end(), later);
}

// Straight distances for what the source sees nearby.
void GridMarch::start_from(uint32_t source) {
  const MaterialGrid& grid = *grid_;
  const Vec3d place = sources_[source];
  const double reach = exact_cells * grid.cell();
  bool any = false;
  const auto begin_at = [&](uint32_t point, double distance) {
    any = true;
    if (distance < points_[point].distance) {
      points_[point].root = source;
      points_[point].straight = true;
    }
    offer(point, distance);
  };
  grid.for_points_near(grid.cell_of(place), exact_cells, [&](uint32_t point) {
    if (!grid.inside(point)) return;
    const double distance = (grid.position(point) - place).norm();
    if (distance > reach) return;
    if (distance >= points_[point].distance) {
      any = true;
    } else if (distance < clearance_[source] || grid.sees(point, place)) {
      begin_at(point, distance);
    }
  });
  if (any) return;
  const MaterialGrid::Probe probe = grid.look_around(place);
  if (probe.instead == MaterialGrid::none) return;
  begin_at(probe.instead, (grid.position(probe.instead) - place).norm());
}

void GridMarch::run(std::span<const Vec3d> sources, Wave wave, double until, CancelView stop) {
  stop.check();
  wave_ = wave;
  for (const uint32_t point : touched_) {
    points_[point] = {};
  }
  touched_.clear();
  heap_.clear();
  sources_.clear();
  clearance_.clear();
  roots_.clear();
  settled_count_ = 0;
  if (grid_->empty()) return;
  for (const Vec3d& source : sources) {
    const Vec3d place = grid_->probe(source).place;
    sources_.push_back(place);
    clearance_.push_back(std::sqrt(grid_->surface().closest(place)->distance2));
    roots_.push_back({place, 0});
    start_from(static_cast<uint32_t>(sources_.size() - 1));
  }
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const Entry entry = heap_.back();
    heap_.pop_back();
    if (points_[entry.point].settled || entry.distance != points_[entry.point].distance) continue;
    if (entry.distance > until) break;
    if (!points_[entry.point].straight) take_root(entry.point);
    points_[entry.point].settled = true;
    if (++settled_count_ % 4096 == 0) stop.check();
    for (int axis = 0; axis < 3; ++axis) {
      for (const bool up : {false, true}) {
        if (!grid_->joined(entry.point, axis, up)) continue;
        const uint32_t next = grid_->neighbour(entry.point, axis, up);
        // A straight distance is not bettered by a difference scheme.
        if (!points_[next].settled && !points_[next].straight) offer(next, solve(next));
      }
    }
  }
  for (const uint32_t point : touched_) {
    if (!points_[point].settled) points_[point].distance = unreachable;
  }
}

// Where the last straight piece of the way to a point begins: a source, or where it had to bend.
// Beside the surface, differences know too few neighbours, and the straight way is better.
void GridMarch::take_root(uint32_t point) {
  if (wave_ == Wave::flat) return;
  uint32_t from = MaterialGrid::none;
  for (int axis = 0; axis < 3; ++axis) {
    bool up = false;
    if (!upwind(point, axis, up)) continue;
    const uint32_t next = grid_->neighbour(point, axis, up);
    if (from == MaterialGrid::none || points_[next].distance < points_[from].distance) from = next;
  }
  points_[point].root = points_[from].root;
  if (grid_->enclosed(point)) return;
  const Root& root = roots_[points_[point].root];
  const Vec3d place = grid_->position(point);
  const double straight = root.distance + (place - root.place).norm();
  const double distance = points_[point].distance;
  // If both agree, no ray needs to tell.
  const bool agree = std::abs(straight - distance) < 1e-3 * grid_->cell();
  if (agree || grid_->sees(point, root.place)) {
    points_[point].distance = std::min(points_[point].distance, straight);
  } else {
    points_[point].root = static_cast<uint32_t>(roots_.size());
    roots_.push_back({grid_->position(from), points_[from].distance});
  }
}

bool GridMarch::upwind(uint32_t point, int axis, bool& up) const {
  double best = unreachable;
  for (const bool side : {false, true}) {
    if (!grid_->joined(point, axis, side)) continue;
    const uint32_t next = grid_->neighbour(point, axis, side);
    if (!points_[next].settled || !(points_[next].distance < best)) continue;
    best = points_[next].distance;
    up = side;
  }
  return best < unreachable;
}

// The upwind neighbours, the nearest first.
int GridMarch::terms_of(uint32_t point, std::array<Term, 3>& terms) const {
  int count = 0;
  for (int axis = 0; axis < 3; ++axis) {
    bool up = false;
    if (!upwind(point, axis, up)) continue;
    const uint32_t next = grid_->neighbour(point, axis, up);
    Term term{points_[next].distance, points_[next].distance, 1};
    if (wave_ == Wave::flat && grid_->joined(next, axis, up)) {
      const uint32_t second = grid_->neighbour(next, axis, up);
      if (points_[second].settled && points_[second].distance <= points_[next].distance) {
        term.base = (4 * points_[next].distance - points_[second].distance) / 3;
        term.weight = 2.25;
      }
    }
    int at = count++;
    for (; at > 0 && terms[at - 1].first > term.first; --at) terms[at] = terms[at - 1];
    terms[at] = term;
  }
  return count;
}

double GridMarch::solve(uint32_t point) const {
  std::array<Term, 3> terms;
  const int count = terms_of(point, terms);
  return wave_ == Wave::curved ? solve_curved({terms.data(), static_cast<std::size_t>(count)})
                               : solve_flat({terms.data(), static_cast<std::size_t>(count)});
}

double GridMarch::solve_curved(std::span<const Term> terms) const {
  const double h = grid_->cell(), h2 = h * h;
  double found = terms[0].first + h, sum = 0, sum2 = 0;
  for (std::size_t m = 0; m < terms.size(); ++m) {
    const double a = h2 - terms[m].first * terms[m].first;
    sum += a;
    sum2 += a * a;
    const double n = static_cast<double>(m + 1), half = 2 * h2 - sum;
    const double root = half * half - n * sum2;
    if (root < 0) break;
    const double squared = (half + std::sqrt(root)) / n;
    // The last neighbour is the farthest: if the way comes from its side, it does for all.
    if (!(squared + a >= 0)) break;
    found = std::min(found, std::sqrt(std::max(squared, 0.0)));
  }
  return std::max(found, terms[0].first);
}

double GridMarch::solve_flat(std::span<const Term> terms) const {
  const double h = grid_->cell();
  // Add one axis after another while the wave reaches the point later than their neighbours.
  double found = terms[0].base + h / std::sqrt(terms[0].weight);
  double sum = 0, sum_b = 0, sum_bb = 0;
  for (const Term& term : terms) {
    if (found <= term.first) break;
    // About the first neighbour's distance, so that nothing cancels far from the source.
    const double b = term.base - terms[0].first;
    sum += term.weight;
    sum_b += term.weight * b;
    sum_bb += term.weight * b * b;
    const double root = sum_b * sum_b - sum * (sum_bb - h * h);
    if (root < 0) break;
    const double d = terms[0].first + (sum_b + std::sqrt(root)) / sum;
    if (!(d >= term.first)) break;
    found = d;
  }
  return std::max(found, terms[0].first);
}

double GridMarch::at(const MaterialGrid::Probe& probe) const {
  const MaterialGrid& grid = *grid_;
  if (!probe.seen) {
    if (probe.instead == MaterialGrid::none) return unreachable;
    return points_[probe.instead].distance + (grid.position(probe.instead) - probe.place).norm();
  }
  double straight = unreachable;
  uint32_t last = MaterialGrid::none;
  const Vec3d base = grid.position(probe.first);
  const Vec3d x = ((probe.place - base) / grid.cell()).cwiseMax(0).cwiseMin(1);
  double whole = 0, planes = 0, weights = 0;
  bool all = probe.seen == 255;
  for (int k = 0; k < 8; ++k) {
    if (!(probe.seen >> k & 1)) continue;
    const uint32_t point = grid.corner(probe.first, k);
    if (points_[point].distance == unreachable) {
      all = false;
      continue;
    }
    const uint32_t source = points_[point].root;
    if (points_[point].straight && source != last) {
      const double r = (probe.place - sources_[source]).norm();
      if (r <= exact_cells * grid.cell() && r < straight &&
          (r < clearance_[source] ||
           grid.free_way(sources_[source], probe.place, touch * grid.cell()))) {
        straight = r;
      }
      last = source;
    }
    const double w =
        (k & 1 ? x[0] : 1 - x[0]) * (k & 2 ? x[1] : 1 - x[1]) * (k & 4 ? x[2] : 1 - x[2]);
    whole += w * points_[point].distance;
    const double plane_weight = std::max(w, 1e-6);
    weights += plane_weight;
    planes += plane_weight *
              (points_[point].distance + gradient(point).dot(probe.place - grid.position(point)));
  }
  if (straight < unreachable) return straight;
  if (all) return whole;
  return weights > 0 ? std::max(0.0, planes / weights) : unreachable;
}

Vec3d GridMarch::gradient_at(const MaterialGrid::Probe& probe) const {
  const MaterialGrid& grid = *grid_;
  const auto away_from = [&](const Vec3d& place) {
    const Vec3d away = probe.place - place;
    const double length = away.norm();
    return length > 0 ? Vec3d(away / length) : Vec3d(0, 0, 0);
  };
  if (!probe.seen) {
    return probe.instead == MaterialGrid::none ? Vec3d(0, 0, 0)
                                               : away_from(grid.position(probe.instead));
  }
  const Vec3d base = grid.position(probe.first);
  const Vec3d x = ((probe.place - base) / grid.cell()).cwiseMax(0).cwiseMin(1);
  Vec3d sum(0, 0, 0);
  double weights = 0;
  bool one_root = wave_ == Wave::curved;
  uint32_t root = MaterialGrid::none;
  for (int k = 0; k < 8; ++k) {
    if (!(probe.seen >> k & 1)) continue;
    const uint32_t point = grid.corner(probe.first, k);
    if (points_[point].distance == unreachable) continue;
    if (root == MaterialGrid::none) root = points_[point].root;
    one_root = one_root && root == points_[point].root;
    const double w = std::max(
        1e-6, (k & 1 ? x[0] : 1 - x[0]) * (k & 2 ? x[1] : 1 - x[1]) * (k & 4 ? x[2] : 1 - x[2]));
    sum += w * gradient(point);
    weights += w;
  }
  if (one_root && root != MaterialGrid::none) return away_from(roots_[root].place);
  return weights > 0 ? Vec3d(sum / weights) : Vec3d(0, 0, 0);
}

// The direction in which the distance grows at a settled point.
Vec3d GridMarch::gradient(uint32_t point) const {
  const bool straight = wave_ == Wave::curved && !grid_->enclosed(point);
  if (straight || points_[point].straight) {
    const Vec3d away = grid_->position(point) - roots_[points_[point].root].place;
    const double length = away.norm();
    return length > 0 ? Vec3d(away / length) : Vec3d(0, 0, 0);
  }
  Vec3d g(0, 0, 0);
  for (int axis = 0; axis < 3; ++axis) {
    bool up = false;
    if (!upwind(point, axis, up)) continue;
    const double fall =
        points_[point].distance - points_[grid_->neighbour(point, axis, up)].distance;
    if (fall > 0) g[axis] = (up ? -fall : fall) / grid_->cell();
  }
  const double length = g.norm();
  return length > 1 ? Vec3d(g / length) : g;
}

}  // namespace sinew::kernels
