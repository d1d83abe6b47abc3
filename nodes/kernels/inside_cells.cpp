#include "nodes/kernels/inside_cells.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/adjacency.h"

namespace sinew::kernels {

namespace {

using Offset = std::array<int, 3>;

// The six along the axes first, in the order of MaterialGrid: downwards, upwards.
constexpr std::array<Offset, InsideCells::directions> make_offsets() {
  std::array<Offset, InsideCells::directions> all{};
  std::size_t count = 6;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    all[2 * axis][axis] = -1;
    all[2 * axis + 1][axis] = 1;
  }
  for (int z = -1; z <= 1; ++z) {
    for (int y = -1; y <= 1; ++y) {
      for (int x = -1; x <= 1; ++x) {
        if (x * x + y * y + z * z > 1) all[count++] = {x, y, z};
      }
    }
  }
  return all;
}
constexpr auto offsets = make_offsets();

// The directions along the axes that an offset consists of, increasing.
int axis_parts(const Offset& offset, std::array<int, 3>& parts) {
  int count = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (offset[axis] != 0) parts[count++] = 2 * axis + (offset[axis] > 0);
  }
  return count;
}

constexpr std::size_t at_once = 1024;

}  // namespace

// ---- The surface --------------------------------------------------------------------------------

double BodySurface::depth(const Vec3d& place, double most) const {
  std::optional<SurfacePoint> found = skin->closest(place, 1.0001 * most);
  if (!found) found = skin->closest(place);
  return found ? std::sqrt(found->distance2) : 0;
}

bool BodySurface::clear(const Vec3d& a, const Vec3d& b, double margin) const {
  const double length = (b - a).norm();
  double most = std::numeric_limits<double>::infinity();
  for (double t = 0;;) {
    const Vec3d p = length > 0 ? Vec3d(a + t / length * (b - a)) : a;
    const double free = depth(p, most);
    if (!(free >= margin)) return false;
    if (!closed && !inside(p)) return false;
    if (t >= length) return true;
    // A hole has no triangles: where there may be one, steps are short enough to notice.
    const double step = std::min(length - t, closed ? free : std::min(free, length / 16));
    t = step < length - t ? t + step : length;
    most = free + step;
  }
}

bool BodySurface::stays_inside(const Vec3d& a, const Vec3d& b) const {
  std::vector<RayHit> hits;
  whole->all_hits(a, b - a, 1, hits);
  double from = 0;
  for (std::size_t i = 0; i <= hits.size(); ++i) {
    const double to = i < hits.size() ? hits[i].t : 1;
    // An edge that two triangles share is hit twice.
    if (to - from > 1e-9 && !inside(a + 0.5 * (from + to) * (b - a))) return false;
    from = to;
  }
  return true;
}

namespace {

// Whether a triangle lies inside of the body. Through an outward one the winding number falls by
// one, so that it is known on both sides if it is on one.
bool lies_inside(const Mesh& mesh, const Triangle& t, const SurfaceTree& whole) {
  const Vec3d a = mesh.positions[t[0]].cast<double>(), b = mesh.positions[t[1]].cast<double>(),
              c = mesh.positions[t[2]].cast<double>();
  const Vec3d normal = (b - a).cross(c - a);
  const double size = std::sqrt(normal.norm());
  if (!(size > 0)) return false;
  const Vec3d below = (a + b + c) / 3 - 1e-3 * size * normal.normalized();
  const double winding = whole.winding_number(below);
  return std::abs(winding) > 0.5 && std::abs(winding - 1) > 0.5;
}

}  // namespace

BodySurface body_surface(const Mesh& mesh, CancelView stop) {
  BodySurface body;
  body.whole = body.skin = std::make_shared<const SurfaceTree>(mesh, stop);
  body.closed = inspect_topology(mesh.triangles(), mesh.vertex_count()).boundary_edges == 0;
  const std::span<const Triangle> triangles = mesh.triangles();
  std::vector<uint8_t> hidden(triangles.size(), 0);
  const auto ask = [&](std::size_t every) {
    parallel_blocks((triangles.size() + every - 1) / every,
                    [&](std::size_t begin, std::size_t end) {
                      stop.check();
                      for (std::size_t i = begin; i < end; ++i) {
                        hidden[i * every] = lies_inside(mesh, triangles[i * every], *body.whole);
                      }
                    },
                    at_once);
    return std::count(hidden.begin(), hidden.end(), 1);
  };
  // Hardly any mesh has such triangles: some are asked first.
  if (ask(1 + triangles.size() / 10000) == 0) return body;
  if (ask(1) == static_cast<std::ptrdiff_t>(triangles.size())) return body;
  Topology seen;
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    if (!hidden[i]) seen.triangles.push_back(triangles[i]);
  }
  body.overlaps = true;
  body.skin = std::make_shared<const SurfaceTree>(Mesh(std::move(seen), mesh.positions), stop);
  return body;
}

// ---- Cells --------------------------------------------------------------------------------------

InsideCells::InsideCells(const BodySurface& surface, int cells, CancelView stop)
    : surface_(surface), grid_(std::make_shared<const MaterialGrid>(surface.whole, cells, stop)) {
  const std::array<int, 3>& along = grid_->points_along();
  const std::array<int64_t, 3> stride = {1, along[0], int64_t{along[0]} * along[1]};
  for (std::size_t d = 0; d < directions; ++d) {
    for (std::size_t k = 0; k < 3; ++k) steps_[d] += stride[k] * offsets[d][k];
  }
  cell_at_.assign(grid_->point_count(), none);
  for (uint32_t p = 0; p < grid_->point_count(); ++p) {
    if (!grid_->inside(p)) continue;
    cell_at_[p] = static_cast<uint32_t>(points_.size());
    points_.push_back(p);
  }
  join(stop);
  keep_largest();
  add_diagonals();
  find_depths(stop);
}

double InsideCells::step_length(int direction) {
  const Offset& o = offsets[static_cast<std::size_t>(direction)];
  return std::sqrt(static_cast<double>(o[0] * o[0] + o[1] * o[1] + o[2] * o[2]));
}

void InsideCells::join(CancelView stop) {
  ways_.assign(points_.size(), 0);
  parallel_blocks(
      points_.size(),
      [&](std::size_t begin, std::size_t end) {
        stop.check();
        for (std::size_t c = begin; c < end; ++c) {
          const uint32_t p = points_[c];
          for (int axis = 0; axis < 3; ++axis) {
            for (const bool up : {false, true}) {
              const uint32_t q = grid_->neighbour(p, axis, up);
              bool free = grid_->joined(p, axis, up);
              if (!free && surface_.overlaps && grid_->inside(q)) {
                // Asked from the lower end, so that both ends are told the same.
                free = surface_.stays_inside(grid_->position(std::min(p, q)),
                                             grid_->position(std::max(p, q)));
              }
              if (free) ways_[c] |= 1u << (2 * axis + up);
            }
          }
        }
      },
      at_once);
}

void InsideCells::keep_largest() {
  std::vector<uint32_t> piece(points_.size(), none);
  std::vector<uint32_t> open;
  for (uint32_t c = 0; c < points_.size(); ++c) {
    if (piece[c] != none) continue;
    const uint32_t number = static_cast<uint32_t>(pieces_.size());
    pieces_.push_back(0);
    piece[c] = number;
    open.assign(1, c);
    while (!open.empty()) {
      const uint32_t at = open.back();
      open.pop_back();
      ++pieces_.back();
      for (int d = 0; d < 6; ++d) {
        const uint32_t to = next(at, d);
        if (to == none || piece[to] != none) continue;
        piece[to] = number;
        open.push_back(to);
      }
    }
  }
  if (pieces_.empty()) return;
  const auto largest = std::max_element(pieces_.begin(), pieces_.end());
  const uint32_t kept = static_cast<uint32_t>(largest - pieces_.begin());
  std::size_t count = 0;
  for (std::size_t c = 0; c < points_.size(); ++c) {
    cell_at_[points_[c]] = none;
    if (piece[c] != kept) continue;
    cell_at_[points_[c]] = static_cast<uint32_t>(count);
    points_[count] = points_[c];
    ways_[count++] = ways_[c];
  }
  points_.resize(count);
  ways_.resize(count);
  std::sort(pieces_.begin(), pieces_.end(), std::greater<>());
}

// A step across is free if some order of its parts is.
void InsideCells::add_diagonals() {
  std::vector<uint32_t> more(points_.size(), 0);
  parallel_blocks(
      points_.size(),
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
          for (std::size_t d = 6; d < directions; ++d) {
            std::array<int, 3> parts{};
            const int count = axis_parts(offsets[d], parts);
            bool free = false;
            do {
              uint32_t at = static_cast<uint32_t>(c);
              for (int k = 0; k < count && at != none; ++k) at = next(at, parts[k]);
              free = at != none;
            } while (!free && std::next_permutation(parts.begin(), parts.begin() + count));
            if (free) more[c] |= 1u << d;
          }
        }
      },
      at_once);
  for (std::size_t c = 0; c < points_.size(); ++c) ways_[c] |= more[c];
}

std::vector<uint32_t> InsideCells::along_axes(uint32_t from, uint32_t to) const {
  for (std::size_t d = 6; d < directions; ++d) {
    if (next(from, static_cast<int>(d)) != to) continue;
    std::array<int, 3> parts{};
    const int count = axis_parts(offsets[d], parts);
    do {
      std::vector<uint32_t> between;
      uint32_t at = from;
      for (int k = 0; k < count && at != none; ++k) {
        at = next(at, parts[k]);
        if (at != none && at != to) between.push_back(at);
      }
      if (at == to) return between;
    } while (std::next_permutation(parts.begin(), parts.begin() + count));
  }
  return {};
}

// The place of the surface that was closest to the neighbour is nearly as close, which spares most
// of the search.
void InsideCells::find_depths(CancelView stop) {
  depths_.assign(points_.size(), 0);
  parallel_blocks(
      points_.size(),
      [&](std::size_t begin, std::size_t end) {
        stop.check();
        std::optional<SurfacePoint> last;
        for (std::size_t c = begin; c < end; ++c) {
          const Vec3d at = place(static_cast<uint32_t>(c));
          const double within = last ? 1.0001 * (last->point - at).norm() : unreachable;
          std::optional<SurfacePoint> found = surface_.skin->closest(at, within);
          if (!found) found = surface_.skin->closest(at);
          depths_[c] = found ? std::sqrt(found->distance2) : 0;
          last = found;
        }
      },
      at_once);
}

uint32_t InsideCells::near(const Vec3d& place, int around) const {
  const Vec3d from = (place - grid_->position(0)) / cell();
  const std::array<int, 3>& along = grid_->points_along();
  const Eigen::Vector3i middle = from.array().round().cast<int>();
  uint32_t best = none;
  double best_distance = std::numeric_limits<double>::infinity();
  for (int z = middle.z() - around; z <= middle.z() + around; ++z) {
    for (int y = middle.y() - around; y <= middle.y() + around; ++y) {
      for (int x = middle.x() - around; x <= middle.x() + around; ++x) {
        if (std::min({x, y, z}) < 0 || x >= along[0] || y >= along[1] || z >= along[2]) continue;
        const std::size_t point =
            static_cast<std::size_t>(x) +
            static_cast<std::size_t>(along[0]) *
                (static_cast<std::size_t>(y) +
                 static_cast<std::size_t>(along[1]) * static_cast<std::size_t>(z));
        const double distance = (from - Vec3d(x, y, z)).squaredNorm();
        if (cell_at_[point] == none || !(distance < best_distance)) continue;
        best = cell_at_[point];
        best_distance = distance;
      }
    }
  }
  return best;
}

// ---- Distances through the inside ---------------------------------------------------------------

double InsideCells::arrival(const std::vector<double>& time, uint32_t c, double slowness) const {
  std::array<double, 3> from{};
  int count = 0;
  for (int axis = 0; axis < 3; ++axis) {
    double best = unreachable;
    for (const int d : {2 * axis, 2 * axis + 1}) {
      const uint32_t other = next(c, d);
      if (other != none) best = std::min(best, time[other]);
    }
    if (!(best < unreachable)) continue;
    int at = count++;
    for (; at > 0 && from[at - 1] > best; --at) from[at] = from[at - 1];
    from[at] = best;
  }
  double found = from[0] + slowness, sum = from[0], squares = from[0] * from[0];
  for (int m = 1; m < count && from[m] < found; ++m) {
    sum += from[m];
    squares += from[m] * from[m];
    const double n = m + 1, root = sum * sum - n * (squares - slowness * slowness);
    if (root < 0) break;
    found = (sum + std::sqrt(root)) / n;
  }
  return found;
}

std::vector<double> InsideCells::distances(std::span<const uint32_t> from, bool from_balls,
                                           CancelView stop) const {
  std::vector<double> distance(size(), unreachable);
  std::vector<uint32_t> known(from.begin(), from.end());
  for (const uint32_t c : from) distance[c] = from_balls ? -depth(c) : 0;
  if (from.size() == 1 && !from_balls) {
    // The ball about the start is free, and its distances are straight.
    const Vec3d start = place(from[0]);
    const double reach = std::max(depth(from[0]), 1.001 * cell());
    for (std::size_t i = 0; i < known.size(); ++i) {
      for (int d = 0; d < directions; ++d) {
        const uint32_t to = next(known[i], d);
        if (to == none || distance[to] < unreachable) continue;
        const double straight = (place(to) - start).norm();
        if (straight > reach) continue;
        distance[to] = straight;
        known.push_back(to);
      }
    }
  }
  march(
      distance, known, [this](uint32_t) { return cell(); }, stop);
  return distance;
}

}  // namespace sinew::kernels
