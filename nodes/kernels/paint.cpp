#include "nodes/kernels/paint.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "nodes/kernels/point_grid.h"
#include "nodes/kernels/polyline.h"
#include "nodes/kernels/vectors.h"

namespace sinew::kernels {

namespace {

// Parts of the body's diagonal.
constexpr double row_least = 1.0 / 80;      // between rows of a brush
constexpr double area_spacing = 1.0 / 24;   // between places of faces and regions
constexpr double unpainted_gap = 1.0 / 12;  // from the paint to the background
constexpr double paint_gap = 1.0 / 48;      // from a stroke to what it paints over
constexpr double cut_cell = 1.0 / 48;       // of the flood on a cross-section
constexpr double far_away = 0.1;            // strokes beyond this do not act
constexpr double on_a_face = 1e-6;          // places of faces that are this close are one
// Where a brush has ended and the field is again what it was, in parts of its radius: without these
// places it would go on far beyond, or swing over to the other side of the background.
constexpr double soft_apron[] = {1.4, 2.0, 3.0};
constexpr double flat_apron[] = {1.8, 2.6, 3.6};

constexpr std::size_t most_rows = 400;
constexpr std::size_t most_seeds = 1000;  // points of a face or region stroke that count
constexpr std::size_t most_cut_cells = 8000;
constexpr double infinity = std::numeric_limits<double>::infinity();

// Of places that have the background's value.
constexpr uint32_t no_stroke = std::numeric_limits<uint32_t>::max();

struct Place {
  Vec3d point;
  double value;
  uint32_t stroke;
  double firmness = 1;  // 0: it does not count, 1: it is met
  bool of_face = false;
};

// A place on the line of a stroke.
struct Row {
  Vec3d centre, along, normal;
};

// A place that a brush would paint, `across` from its line.
struct Sample {
  Vec3d point;
  double across;
  double depth;  // below the surface; only on a cut
};

double line_distance(const Vec3d& p, std::span<const Row> rows) {
  double least = infinity;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    least = std::min(
        least, segment_distance2(p, rows[i].centre, rows[std::min(i + 1, rows.size() - 1)].centre));
  }
  return std::sqrt(least);
}

// How strong a brush is at a part 0 .. 1 of its radius.
double falloff_at(StrokeFalloff falloff, double part) {
  part = std::clamp(part, 0.0, 1.0);
  if (falloff == StrokeFalloff::flat) return 1;
  if (falloff == StrokeFalloff::linear) return 1 - part;
  return 1 - part * part * (3 - 2 * part);
}

// Places along the line through the points, evenly spaced, both ends included.
std::vector<Row> rows_along(std::span<const Vec3f> points, double spacing) {
  std::vector<Row> rows;
  if (points.empty()) return rows;
  const Polyline line(points);
  const double length = line.length();
  std::size_t count = 1;
  if (length > 0) {
    count = 1 + static_cast<std::size_t>(std::clamp(std::ceil(length / spacing - 1e-6), 1.0,
                                                    static_cast<double>(most_rows)));
  }
  const double step = count > 1 ? length / static_cast<double>(count - 1) : 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double s = step * static_cast<double>(i);
    rows.push_back({line.at(s),
                    line.at(std::min(length, s + step / 2)) - line.at(std::max(0.0, s - step / 2)),
                    Vec3d::Zero()});
  }
  return rows;
}

class Painter {
 public:
  Painter(const PaintSurface& surface, const PaintOptions& options, CancelView stop)
      : surface_(surface),
        options_(options),
        stop_(stop),
        size_(std::max(surface.diagonal(), 1e-30)) {}

  StrokeOutcome apply(const Stroke& stroke, uint32_t index);
  void surround(uint32_t index);
  // Leaves at most `count` places, evenly.
  void thin(std::size_t count);
  const std::vector<Place>& places() const { return places_; }

 private:
  double step_of(const Stroke& s) const { return std::max(0.5 * s.radius, row_least * size_); }
  double reach_of(const Stroke& s) const { return std::max(2.0 * s.radius, far_away * size_); }
  Vec3d smooth_normal(const PaintSurface::Foot& at, double scale) const;
  std::vector<Row> project(const Stroke& s, StrokeOutcome& outcome) const;
  std::vector<double> offsets_of(const Stroke& s) const;
  void walk_out(const Stroke& s, const Vec3d& from, const Vec3d& normal, const Vec3d& towards,
                std::span<const double> offsets, std::vector<Sample>& out) const;
  std::vector<Sample> samples_of(const Stroke& s, std::span<const Row> rows, double step) const;
  void add_sample(const Stroke& s, const Vec3d& where, double across,
                  std::vector<Sample>& out) const;
  void keep_off_surface(std::vector<Sample>& samples) const;
  void brush(const Stroke& s, uint32_t index, StrokeOutcome& outcome);
  void erase(const Stroke& s, StrokeOutcome& outcome);
  void face(const Stroke& s, uint32_t index, StrokeOutcome& outcome);
  void region(const Stroke& s, uint32_t index, StrokeOutcome& outcome);
  void cut_region(const Stroke& s, uint32_t index, StrokeOutcome& outcome);
  std::set<uint32_t> polygons_at(const Stroke& s, StrokeOutcome& outcome) const;
  std::vector<PaintSurface::Foot> seeds(const Stroke& s, StrokeOutcome& outcome) const;
  // Removes places within a distance of at most 0, and weakens those that are a little farther.
  std::size_t weaken(const std::function<double(const Vec3d&)>& distance);
  void replace(std::span<const Vec3d> points, std::span<const double> firmness, double value,
               uint32_t index, StrokeOutcome& outcome);
  double before(const Vec3d& point, double within) const;
  double distance_to_paint(const Vec3d& point) const;
  double depth_of(const Vec3d& point) const {
    const auto found = surface_.closest(point);
    return found ? (found->point - point).norm() : 0;
  }

  const PaintSurface& surface_;
  const PaintOptions& options_;
  CancelView stop_;
  double size_;
  std::vector<Place> places_;
};

StrokeOutcome Painter::apply(const Stroke& stroke, uint32_t index) {
  StrokeOutcome outcome;
  outcome.distance = infinity;
  const bool cut = stroke.on == StrokePlace::cut;
  switch (stroke.tool) {
    case StrokeTool::brush:
      brush(stroke, index, outcome);
      break;
    case StrokeTool::erase:
      erase(stroke, outcome);
      break;
    case StrokeTool::region:
      cut ? cut_region(stroke, index, outcome) : region(stroke, index, outcome);
      break;
    case StrokeTool::face:
      if (!cut) {
        face(stroke, index, outcome);
        break;
      }
      // A cross-section has no faces of its own: a disc at each point.
      for (std::size_t i = 0; i < std::min(stroke.points.size(), most_seeds); ++i) {
        Stroke disc = stroke;
        disc.points = {stroke.points[i]};
        disc.falloff = StrokeFalloff::flat;
        brush(disc, index, outcome);
      }
  }
  if (places_.size() > 4 * options_.max_constraints) thin(2 * options_.max_constraints);
  return outcome;
}

// The mean normal of the surface within about `scale`: at an edge it looks between both sides.
Vec3d Painter::smooth_normal(const PaintSurface::Foot& at, double scale) const {
  const Vec3d own = at.normal;
  Vec3d sum = own;
  for (int k = 0; k < 6; ++k) {
    const Vec3d probe = at.point + (k < 3 ? scale : -scale) * Vec3d::Unit(k % 3);
    const auto found = surface_.closest(probe);
    if (found && found->normal.dot(own) > -0.5) sum += found->normal;
  }
  return sum.squaredNorm() > 1e-12 ? sum.normalized() : Vec3d(0, 1, 0);
}

// The line of a stroke, moved to where it acts; rows that are too far away are left out.
std::vector<Row> Painter::project(const Stroke& s, StrokeOutcome& outcome) const {
  std::vector<Row> rows = rows_along(s.points, step_of(s)), kept;
  const Vec3d normal = s.plane_normal.cast<double>().normalized();
  for (Row& row : rows) {
    stop_.check();
    if (s.on == StrokePlace::cut) {
      row.centre -= normal.dot(row.centre - s.plane_point.cast<double>()) * normal;
      row.normal = normal;
      const auto found = surface_.closest(row.centre);
      if (!found) continue;
      const double distance = surface_.tree().inside(row.centre) ? 0 : found->distance;
      outcome.distance = std::min(outcome.distance, distance);
      if (distance > s.radius) continue;
    } else {
      const auto found = surface_.land(row.centre);
      if (!found) continue;
      outcome.distance = std::min(outcome.distance, found->distance);
      if (found->distance > reach_of(s)) continue;
      row.centre = found->point;
      row.normal = smooth_normal(*found, std::max(0.5 * s.radius, 0.25 * row_least * size_));
    }
    kept.push_back(row);
  }
  return kept;
}

void Painter::add_sample(const Stroke& s, const Vec3d& where, double across,
                         std::vector<Sample>& out) const {
  if (s.on == StrokePlace::cut) {
    if (surface_.tree().inside(where)) out.push_back({where, across, depth_of(where)});
  } else if (const auto found = surface_.land(where)) {
    out.push_back({found->point, across, 0});
  }
}

// How far from its line a brush demands values, in parts of its radius.
std::vector<double> Painter::offsets_of(const Stroke& s) const {
  if (!(s.radius > 0)) return {};
  const bool flat = s.falloff == StrokeFalloff::flat;
  std::vector<double> offsets =
      flat ? std::vector<double>{0.5, 1} : std::vector<double>{1.0 / 3, 2.0 / 3, 1};
  if (!options_.surround) return offsets;
  const std::span<const double> apron = flat ? std::span<const double>(flat_apron) : soft_apron;
  offsets.insert(offsets.end(), apron.begin(), apron.end());
  return offsets;
}

// Samples from a place of the line outwards. On the surface it goes along it, step by step, so that
// a brush that is wide against a thin body goes round it; on a cut, straight.
void Painter::walk_out(const Stroke& s, const Vec3d& from, const Vec3d& normal,
                       const Vec3d& towards, std::span<const double> offsets,
                       std::vector<Sample>& out) const {
  if (s.on == StrokePlace::cut) {
    for (const double part : offsets) {
      add_sample(s, from + part * s.radius * towards, part * s.radius, out);
    }
    return;
  }
  const Vec3d plane = normal.cross(towards).normalized();
  Vec3d at = from, direction = towards;
  double gone = 0;
  for (const double part : offsets) {
    const double across = part * s.radius;
    // Steps short against the body, so that landing does not shorten the way much.
    const int steps =
        std::clamp(static_cast<int>(std::ceil((across - gone) / (2 * row_least * size_))), 1, 8);
    for (int k = 0; k < steps; ++k) {
      const auto found = surface_.land(at + (across - gone) / steps * direction);
      if (!found) return;
      at = found->point;
      // Over an edge the way goes on as the surface does, but it stays in its plane: bumps must
      // not turn it aside.
      const Vec3d up = found->normal - found->normal.dot(plane) * plane;
      if (up.squaredNorm() > 0.01) direction = plane.cross(up).normalized();
    }
    gone = across;
    out.push_back({at, across, 0});
  }
}

// Places across each row, and half a disc beyond both ends; those near the line first.
std::vector<Sample> Painter::samples_of(const Stroke& s, std::span<const Row> rows,
                                        double step) const {
  std::vector<Sample> samples;
  for (const Row& row : rows) add_sample(s, row.centre, 0, samples);
  const std::vector<double> offsets = offsets_of(s);
  const auto walk = [&](const Vec3d& from, const Vec3d& normal, const Vec3d& towards) {
    walk_out(s, from, normal, towards, offsets, samples);
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    stop_.check();
    const Row& row = rows[i];
    Vec3d side = row.along.cross(row.normal);
    side = side.squaredNorm() > 1e-20 * row.along.squaredNorm() ? side.normalized()
                                                                : any_perpendicular(row.normal);
    walk(row.centre, row.normal, side);
    walk(row.centre, row.normal, -side);
    const Vec3d onwards = row.normal.cross(side);
    const int turns = std::max(2, static_cast<int>(std::lround(3.14159 * s.radius / step)));
    for (int end = 0; end < 2; ++end) {
      if (i != (end == 0 ? 0 : rows.size() - 1)) continue;
      for (int t = 1; t < turns; ++t) {
        const double angle = 3.14159265358979 * (static_cast<double>(t) / turns - 0.5);
        walk(row.centre, row.normal,
             std::cos(angle) * (end == 0 ? -1.0 : 1.0) * onwards + std::sin(angle) * side);
      }
    }
  }
  std::stable_sort(samples.begin(), samples.end(),
                   [](const Sample& a, const Sample& b) { return a.across < b.across; });
  keep_off_surface(samples);
  return samples;
}

// Samples of a cut keep away from the surface, whose own paint may demand something else there; in
// thin bodies they keep to the middle.
void Painter::keep_off_surface(std::vector<Sample>& samples) const {
  double deepest = 0;
  for (const Sample& s : samples) deepest = std::max(deepest, s.depth);
  const double least = std::min(paint_gap * size_, 0.5 * deepest);
  std::erase_if(samples, [&](const Sample& s) { return s.depth < least; });
}

void Painter::brush(const Stroke& s, uint32_t index, StrokeOutcome& outcome) {
  const std::vector<Row> rows = project(s, outcome);
  const double step = step_of(s);
  const std::vector<Sample> samples = samples_of(s, rows, step);
  const int parts = s.falloff == StrokeFalloff::flat ? 2 : 3;
  const double least = 0.45 * (s.radius > 0 ? std::min<double>(step, s.radius / parts) : step);
  // Lines that cross themselves demand the same place twice: the first, nearer to the line, counts.
  std::vector<Place> painted;
  PointGrid grid(least);
  const Vec3d origin = surface_.tree().box().center();
  for (const Sample& sample : samples) {
    stop_.check();
    if (!grid.add_if_free(sample.point - origin)) continue;
    const double part =
        s.radius > 0 ? std::min(sample.across, line_distance(sample.point, rows)) / s.radius : 0;
    const bool beyond = sample.across > 1.01 * s.radius;
    if (beyond) {
      // Other paint stays as it is.
      const double room = s.falloff == StrokeFalloff::flat
                              ? std::min<double>(area_spacing * size_, s.radius)
                              : 0.5 * step;
      const double away = distance_to_paint(sample.point) / room - 1;
      if (part > 1.2 && away > 0) {
        painted.push_back({sample.point, options_.background, index, std::min(away, 1.0)});
      }
      continue;
    }
    double value = s.value;
    if (s.falloff != StrokeFalloff::flat) {
      const double old = before(sample.point, 2 * area_spacing * size_);
      value = old + (s.value - old) * falloff_at(s.falloff, part);
    }
    painted.push_back({sample.point, value, index});
  }
  outcome.touches = outcome.touches || !painted.empty();
  outcome.constraints += painted.size();
  if (painted.empty()) return;
  weaken([&](const Vec3d& p) { return line_distance(p, rows) - s.radius; });
  places_.insert(places_.end(), painted.begin(), painted.end());
}

void Painter::erase(const Stroke& s, StrokeOutcome& outcome) {
  const std::vector<Row> rows = project(s, outcome);
  outcome.touches = !rows.empty();
  if (rows.empty()) return;
  outcome.constraints = weaken([&](const Vec3d& p) { return line_distance(p, rows) - s.radius; });
  if (outcome.constraints == 0 || !options_.surround) return;
  // Close to what remains nothing else would demand the background.
  PointGrid grid(0.45 * step_of(s));
  const Vec3d origin = surface_.tree().box().center();
  Stroke within = s;
  within.falloff = StrokeFalloff::flat;
  for (const Sample& sample : samples_of(within, rows, step_of(s))) {
    if (sample.across > 0.75 * s.radius || !grid.add_if_free(sample.point - origin)) continue;
    places_.push_back({sample.point, options_.background, no_stroke});
  }
}

// The places of the surface that the points of a stroke mean.
std::vector<PaintSurface::Foot> Painter::seeds(const Stroke& s, StrokeOutcome& outcome) const {
  std::vector<PaintSurface::Foot> found;
  for (std::size_t i = 0; i < std::min(s.points.size(), most_seeds); ++i) {
    const auto closest = surface_.land(s.points[i].cast<double>());
    if (!closest) continue;
    outcome.distance = std::min(outcome.distance, closest->distance);
    if (closest->distance <= far_away * size_) found.push_back(*closest);
  }
  return found;
}

// The triangles of the polygons that the points of a stroke mean.
std::set<uint32_t> Painter::polygons_at(const Stroke& s, StrokeOutcome& outcome) const {
  const std::vector<uint32_t>& polygons = surface_.mesh().topology->polygon_of_triangle;
  std::set<uint32_t> triangles;
  for (const PaintSurface::Foot& seed : seeds(s, outcome)) {
    uint32_t first = seed.triangle, last = seed.triangle;
    if (!polygons.empty()) {
      while (first > 0 && polygons[first - 1] == polygons[seed.triangle]) --first;
      while (last + 1 < polygons.size() && polygons[last + 1] == polygons[seed.triangle]) ++last;
    }
    for (uint32_t t = first; t <= last; ++t) triangles.insert(t);
  }
  return triangles;
}

void Painter::face(const Stroke& s, uint32_t index, StrokeOutcome& outcome) {
  const std::set<uint32_t> triangles = polygons_at(s, outcome);
  std::vector<Vec3d> points;
  std::set<uint32_t> corners;
  for (const uint32_t index_of : triangles) {
    const Triangle& t = surface_.triangles()[index_of];
    const Vec3d a = surface_.mesh().positions[t[0]].cast<double>(),
                b = surface_.mesh().positions[t[1]].cast<double>(),
                c = surface_.mesh().positions[t[2]].cast<double>();
    for (const uint32_t v : t) {
      if (corners.insert(v).second) points.push_back(surface_.mesh().positions[v].cast<double>());
    }
    const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
    // The middles of the n^2 parts of the triangle.
    const int n =
        std::clamp(static_cast<int>(std::ceil(longest / (2 * area_spacing * size_))), 1, 12);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; i + j < n; ++j) {
        for (int flipped = 0; flipped < (i + j + 1 < n ? 2 : 1); ++flipped) {
          const double u = (i + (flipped ? 2 : 1) / 3.0) / n, v = (j + (flipped ? 2 : 1) / 3.0) / n;
          points.push_back((1 - u - v) * a + u * b + v * c);
        }
      }
    }
  }
  // Faces painted before keep what they have, however close they are, but for shared corners.
  PointGrid here(on_a_face * size_);
  const Vec3d origin = surface_.tree().box().center();
  for (const Vec3d& p : points) here.add_if_free(p - origin);
  std::vector<Place> faces;
  for (const Place& p : places_) {
    if (p.of_face && here.is_free(p.point - origin)) faces.push_back(p);
  }
  std::erase_if(places_, [](const Place& p) { return p.of_face; });
  replace(points, {}, s.value, index, outcome);
  for (Place& p : places_) p.of_face = p.stroke == index;
  places_.insert(places_.end(), faces.begin(), faces.end());
}

void Painter::region(const Stroke& s, uint32_t index, StrokeOutcome& outcome) {
  const std::vector<PaintSurface::Foot> found = seeds(s, outcome);
  if (surface_.surfels().empty()) return;
  std::vector<char> taken(surface_.surfels().size(), 0);
  for (const PaintSurface::Foot& seed : found) {
    stop_.check();
    if (taken[surface_.nearest_surfel(seed.point)]) continue;
    for (const uint32_t i : surface_.flood(seed.point, s.angle)) taken[i] = 1;
  }
  if (found.empty()) return;
  std::vector<Vec3d> points;
  std::vector<double> firmness;
  for (const Surfel& m : surface_.medium()) {
    stop_.check();
    if (!taken[surface_.nearest_surfel(m.point)]) continue;
    points.push_back(m.point);
    firmness.push_back(m.firmness);
  }
  replace(points, firmness, s.value, index, outcome);
}

// The piece of a cross-section that is connected with each point, by a grid in the plane.
void Painter::cut_region(const Stroke& s, uint32_t index, StrokeOutcome& outcome) {
  const Vec3d normal = s.plane_normal.cast<double>().normalized(), u = any_perpendicular(normal),
              v = normal.cross(u);
  const double cell = cut_cell * size_;
  std::vector<Sample> samples;
  for (std::size_t k = 0; k < std::min<std::size_t>(s.points.size(), 16); ++k) {
    Vec3d seed = s.points[k].cast<double>();
    seed -= normal.dot(seed - s.plane_point.cast<double>()) * normal;
    const auto closest = surface_.closest(seed);
    if (!closest) continue;
    const bool inside = surface_.tree().inside(seed);
    outcome.distance = std::min(outcome.distance, inside ? 0 : closest->distance);
    if (!inside) continue;
    std::map<std::pair<int, int>, bool> known = {{{0, 0}, true}};
    std::vector<std::pair<int, int>> front = {{0, 0}};
    while (!front.empty() && known.size() < most_cut_cells) {
      stop_.check();
      const auto [i, j] = front.back();
      front.pop_back();
      for (const auto& [di, dj] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
        const std::pair<int, int> next = {i + di, j + dj};
        if (known.count(next)) continue;
        const bool in = surface_.tree().inside(seed + cell * (next.first * u + next.second * v));
        known[next] = in;
        if (in) front.push_back(next);
      }
    }
    for (const auto& [at, in] : known) {
      if (in && at.first % 2 == 0 && at.second % 2 == 0) {
        const Vec3d p = seed + cell * (at.first * u + at.second * v);
        samples.push_back({p, 0, depth_of(p)});
      }
    }
  }
  keep_off_surface(samples);
  std::vector<Vec3d> points;
  for (const Sample& sample : samples) points.push_back(sample.point);
  replace(points, {}, s.value, index, outcome);
}

std::size_t Painter::weaken(const std::function<double(const Vec3d&)>& distance) {
  const std::size_t count = places_.size();
  for (Place& p : places_) {
    stop_.check();
    p.firmness = std::min(p.firmness, std::max(0.0, distance(p.point) / (2 * paint_gap * size_)));
  }
  std::erase_if(places_, [](const Place& p) { return p.firmness <= 0; });
  return count - places_.size();
}

// New places with one value instead of what was demanded close to them.
void Painter::replace(std::span<const Vec3d> points, std::span<const double> firmness, double value,
                      uint32_t index, StrokeOutcome& outcome) {
  outcome.touches = !points.empty();
  outcome.constraints = points.size();
  if (points.empty()) return;
  weaken([&](const Vec3d& p) {
    double least = infinity;
    for (const Vec3d& q : points) least = std::min(least, (p - q).squaredNorm());
    return std::sqrt(least) - 0.5 * paint_gap * size_;
  });
  for (std::size_t i = 0; i < points.size(); ++i) {
    places_.push_back({points[i], value, index, firmness.empty() ? 1 : firmness[i]});
  }
}

// What earlier strokes demand closest to a point, or the background.
double Painter::before(const Vec3d& point, double within) const {
  double least = within * within, value = options_.background;
  for (const Place& p : places_) {
    const double d2 = (p.point - point).squaredNorm();
    if (d2 < least) {
      least = d2;
      value = p.value;
    }
  }
  return value;
}

double Painter::distance_to_paint(const Vec3d& point) const {
  double least = infinity;
  for (const Place& p : places_) least = std::min(least, (p.point - point).squaredNorm());
  return std::sqrt(least);
}

// The background, where nothing else is demanded.
void Painter::surround(uint32_t index) {
  if (places_.empty()) return;
  std::vector<Place> unpainted;
  for (const Surfel& s : surface_.sparse()) {
    stop_.check();
    const double firmness = std::min(1.0, distance_to_paint(s.point) / (unpainted_gap * size_) - 1);
    if (firmness > 0) {
      unpainted.push_back({s.point, options_.background, index, std::min(firmness, s.firmness)});
    }
  }
  places_.insert(places_.end(), unpainted.begin(), unpainted.end());
}

void Painter::thin(std::size_t count) {
  double distance = size_ / 400;
  while (places_.size() > count) {
    stop_.check();
    PointGrid grid(distance);
    std::vector<Place> kept;
    const Vec3d origin = surface_.tree().box().center();
    for (const Place& p : places_) {
      if (grid.add_if_free(p.point - origin)) kept.push_back(p);
    }
    places_ = std::move(kept);
    distance *= 1.2;
  }
}

}  // namespace

PaintConstraints paint_constraints(const PaintSurface& surface, const Strokes& strokes,
                                   const PaintOptions& options, CancelView stop) {
  PaintConstraints result;
  if (surface.empty()) {
    result.outcomes.resize(strokes.size());
    for (StrokeOutcome& o : result.outcomes) o.distance = infinity;
    return result;
  }
  Painter painter(surface, options, stop);
  for (std::size_t i = 0; i < strokes.size(); ++i) {
    stop.check();
    result.outcomes.push_back(painter.apply(strokes.strokes[i], static_cast<uint32_t>(i)));
  }
  result.before_thinning = painter.places().size();
  painter.thin(options.max_constraints);
  if (options.surround) painter.surround(static_cast<uint32_t>(strokes.size()));
  for (const Place& p : painter.places()) {
    result.points.push_back(p.point.cast<float>());
    result.values.push_back(p.value);
    result.softness.push_back(std::pow(1 - p.firmness, 2) * surface.diagonal());
    result.stroke.push_back(std::min(p.stroke, static_cast<uint32_t>(strokes.size())));
  }
  return result;
}

}  // namespace sinew::kernels
