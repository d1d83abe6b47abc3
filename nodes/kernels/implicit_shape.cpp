#include "nodes/kernels/implicit_shape.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::kernels {
namespace {

constexpr double far = 1e30;  // outside

Vec3d mirrored(const Vec3d& v) { return {-v.x(), v.y(), v.z()}; }

Ellipsoid mirrored(Ellipsoid part) {
  part.centre = mirrored(part.centre);
  // The image of a rotation by a reflection; the sign of one axis does not matter.
  part.frame.row(0) *= -1;
  return part;
}

Limb mirrored(Limb part) {
  for (Vec3d& p : part.points) p = mirrored(p);
  part.flat_axis = mirrored(part.flat_axis);
  return part;
}

// First-order distance: the value of |q / r| - 1 over the length of its gradient.
double ellipsoid_value(const Ellipsoid& e, const Vec3d& p) {
  const Vec3d q = e.frame.transpose() * (p - e.centre);
  const Vec3d scaled = q.cwiseQuotient(e.radii);
  const double k0 = scaled.norm(), k1 = scaled.cwiseQuotient(e.radii).norm();
  if (!(k1 > 0)) return -e.radii.minCoeff();
  return k0 * (k0 - 1) / k1;
}

// Distance to the common outline of a circle of radius r1 at 0 and one of radius r2 at x = width.
double blade_section(double x, double y, double width, double r1, double r2) {
  const double slope = (r1 - r2) / std::max(width, 1e-30);
  if (std::abs(slope) >= 1) return std::hypot(x, y) - std::max(r1, r2);
  const double level = std::sqrt(1 - slope * slope);
  const double along = -slope * y + level * x;  // of the straight side, from where it begins
  if (along < 0) return std::hypot(x, y) - r1;
  if (along > level * width) return std::hypot(x - width, y) - r2;
  return level * y + slope * x - r1;
}

struct Nearest {
  double value, radius, t;
  std::size_t piece;
};

void look_at(const LimbPieces& limb, std::size_t begin, std::size_t end, const Vec3d& q,
             Nearest& best) {
  for (std::size_t i = begin; i < end; ++i) {
    const LimbPieces::Piece& piece = limb.pieces[i];
    const Vec3d from_start = q - piece.start;
    double t = from_start.dot(piece.edge) * piece.inverse_square;
    if (limb.hull) {
      const double off = (from_start - t * piece.edge).squaredNorm();
      const double most = best.value + piece.radius + std::max(piece.radius_change, 0.0);
      if (most < 0 || off >= most * most) continue;
      t += piece.lean * std::sqrt(off);
    }
    t = std::clamp(t, 0.0, 1.0);
    const double r = piece.radius + t * piece.radius_change;
    const double square = (from_start - t * piece.edge).squaredNorm();
    const double reach = best.value + r;  // farther away than this, it is not the nearest
    if (reach < 0 || square >= reach * reach) continue;
    best = {std::sqrt(square) - r, r, t, i};
  }
}

// The run whose box is nearest first: most of the others are then too far away.
void look_at_runs(const LimbPieces& limb, const Vec3d& q, Nearest& best) {
  std::size_t first = 0;
  double least = std::numeric_limits<double>::max();
  for (std::size_t k = 0; k < limb.runs.size(); ++k) {
    const double square = limb.runs[k].box.squaredExteriorDistance(q);
    if (square >= least) continue;
    least = square;
    first = k;
  }
  look_at(limb, limb.runs[first].begin, limb.runs[first].end, q, best);
  for (std::size_t k = 0; k < limb.runs.size(); ++k) {
    const LimbPieces::Run& run = limb.runs[k];
    const double reach = best.value + run.radius;
    if (k == first || reach < 0 || run.box.squaredExteriorDistance(q) >= reach * reach) continue;
    look_at(limb, run.begin, run.end, q, best);
  }
}

// The nearest place of the axis is looked for in the blade's plane, and the section then drawn
// there: no place of it is nearer than in that plane.
double limb_value(const LimbPieces& limb, const Vec3d& p, double limit) {
  Nearest best{limit, 0, 0, limb.pieces.size()};
  const double level = limb.blade ? p.dot(limb.flat_axis) : 0;
  const Vec3d q = limb.blade ? Vec3d(p - level * limb.flat_axis) : p;
  if (limb.runs.empty()) {
    look_at(limb, 0, limb.pieces.size(), q, best);
  } else {
    look_at_runs(limb, q, best);
  }
  if (!limb.blade || best.piece == limb.pieces.size()) return best.value;
  const LimbPieces::Piece& piece = limb.pieces[best.piece];
  const double height = level - (piece.level + best.t * piece.level_change);
  return blade_section(best.value + best.radius, std::abs(height),
                       std::max(best.radius - limb.rim, 0.0),
                       std::max(limb.flatness * best.radius, limb.rim), limb.rim);
}

// About as many runs as pieces in each, and none for short limbs.
void add_runs(LimbPieces& limb) {
  const double pieces = static_cast<double>(limb.pieces.size());
  const std::size_t in_run = static_cast<std::size_t>(std::lround(std::sqrt(pieces)));
  if (!limb.hull || in_run < 4) return;
  for (std::size_t begin = 0; begin < limb.pieces.size(); begin += in_run) {
    LimbPieces::Run run{begin, std::min(begin + in_run, limb.pieces.size()), {}, 0};
    for (std::size_t i = run.begin; i < run.end; ++i) {
      const LimbPieces::Piece& piece = limb.pieces[i];
      run.box.extend(piece.start).extend(piece.start + piece.edge);
      run.radius = std::max({run.radius, piece.radius, piece.radius + piece.radius_change});
    }
    limb.runs.push_back(run);
  }
}

LimbPieces pieces_of(const Limb& limb) {
  LimbPieces result;
  result.blade = limb.flatness < 1;
  result.hull = limb.hull;
  result.flatness = limb.flatness;
  result.rim = limb.rim;
  result.flat_axis = limb.flat_axis.normalized();
  const auto level = [&](std::size_t i) { return limb.points[i].dot(result.flat_axis); };
  const auto flat = [&](std::size_t i) {
    return Vec3d(limb.points[i] - (result.blade ? level(i) : 0) * result.flat_axis);
  };
  const std::size_t count = limb.points.size();
  for (std::size_t i = 0; i + 1 < std::max<std::size_t>(count, 2); ++i) {
    const std::size_t j = std::min(i + 1, count - 1);
    const Vec3d edge = flat(j) - flat(i);
    const double square = edge.squaredNorm();
    const double widens = limb.radii[j] - limb.radii[i], rest = square - widens * widens;
    // Where a ball holds the other one, it is the nearest.
    const double lean = rest > 1e-6 * square ? widens / std::sqrt(square * rest) : widens * 1e30;
    result.pieces.push_back({flat(i), edge, square > 0 ? 1 / square : 0, limb.radii[i], widens,
                             level(i), level(j) - level(i), lean});
  }
  add_runs(result);
  return result;
}

}  // namespace

double smooth_min(double a, double b, double blend) {
  const double overlap = std::max(blend - std::abs(a - b), 0.0);
  return std::min(a, b) - (overlap > 0 ? overlap * overlap / (4 * blend) : 0);
}

double smooth_max(double a, double b, double blend) { return -smooth_min(-a, -b, blend); }

Limb smooth_limb(const Limb& through, int pieces) {
  const std::size_t count = through.points.size();
  if (count < 3) return through;
  Limb fine = through;
  fine.points.clear();
  fine.radii.clear();
  const auto spline = [](const auto& a, const auto& b, const auto& c, const auto& d, double t) {
    const double t2 = t * t, t3 = t2 * t;
    return 0.5 * ((-t3 + 2 * t2 - t) * a + (3 * t3 - 5 * t2 + 2) * b + (-3 * t3 + 4 * t2 + t) * c +
                  (t3 - t2) * d);
  };
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const std::size_t h = i > 0 ? i - 1 : 0, j = i + 1, k = std::min(i + 2, count - 1);
    for (int n = 0; n < pieces; ++n) {
      const double t = static_cast<double>(n) / pieces;
      fine.points.push_back(
          spline(through.points[h], through.points[i], through.points[j], through.points[k], t)
              .eval());
      const double r =
          spline(through.radii[h], through.radii[i], through.radii[j], through.radii[k], t);
      const auto [least, most] = std::minmax(through.radii[i], through.radii[j]);
      fine.radii.push_back(std::clamp(r, 0.9 * least, 1.1 * most));
    }
  }
  fine.points.push_back(through.points.back());
  fine.radii.push_back(through.radii.back());
  return fine;
}

ImplicitShape& ImplicitShape::put(const Ellipsoid& part, double blend, bool removes) {
  Part p{Kind::ellipsoid, removes, blend, {}, 1, part, {}, {}, {}};
  const Vec3d reach = part.frame.cwiseAbs() * part.radii;
  p.box = Eigen::AlignedBox3d(part.centre - reach, part.centre + reach);
  p.slack = part.radii.maxCoeff() / part.radii.minCoeff();
  parts_.push_back(std::move(p));
  return *this;
}

ImplicitShape& ImplicitShape::put(const Limb& part, double blend, bool removes) {
  Part p{Kind::limb, removes,         blend, {}, part.flatness < 1 ? 2.0 : 1.0,
         {},         pieces_of(part), {},    {}};
  for (std::size_t i = 0; i < part.points.size(); ++i) {
    const Vec3d reach = Vec3d::Constant(std::max(part.radii[i], part.flatness < 1 ? part.rim : 0));
    p.box.extend(Eigen::AlignedBox3d(part.points[i] - reach, part.points[i] + reach));
  }
  parts_.push_back(std::move(p));
  return *this;
}

ImplicitShape& ImplicitShape::put(Implicit f, const Eigen::AlignedBox3d& box, double blend,
                                  bool removes) {
  parts_.push_back({Kind::function, removes, blend, box, 2, {}, {}, std::move(f), {}});
  return *this;
}

ImplicitShape& ImplicitShape::add(const ImplicitShape& group, double blend) {
  parts_.push_back({Kind::group,
                    false,
                    blend,
                    group.box(),
                    2,
                    {},
                    {},
                    {},
                    std::make_shared<const ImplicitShape>(group)});
  return *this;
}

ImplicitShape& ImplicitShape::add(const Ellipsoid& p, double blend) { return put(p, blend, false); }
ImplicitShape& ImplicitShape::add(const Limb& p, double blend) { return put(p, blend, false); }
ImplicitShape& ImplicitShape::add(Implicit f, const Eigen::AlignedBox3d& box, double blend) {
  return put(std::move(f), box, blend, false);
}
ImplicitShape& ImplicitShape::add_pair(const Ellipsoid& p, double blend) {
  return put(p, blend, false).put(mirrored(p), blend, false);
}
ImplicitShape& ImplicitShape::add_pair(const Limb& p, double blend) {
  return put(p, blend, false).put(mirrored(p), blend, false);
}
ImplicitShape& ImplicitShape::cut(const Ellipsoid& p, double blend) { return put(p, blend, true); }
ImplicitShape& ImplicitShape::cut(const Limb& p, double blend) { return put(p, blend, true); }
ImplicitShape& ImplicitShape::cut(Implicit f, const Eigen::AlignedBox3d& box, double blend) {
  return put(std::move(f), box, blend, true);
}
ImplicitShape& ImplicitShape::cut_pair(const Ellipsoid& p, double blend) {
  return put(p, blend, true).put(mirrored(p), blend, true);
}
ImplicitShape& ImplicitShape::cut_pair(const Limb& p, double blend) {
  return put(p, blend, true).put(mirrored(p), blend, true);
}

double ImplicitShape::value(const Part& part, const Vec3d& p, double limit) {
  switch (part.kind) {
    case Kind::ellipsoid:
      return ellipsoid_value(part.ellipsoid, p);
    case Kind::limb:
      return limb_value(part.limb, p, limit);
    case Kind::function:
      return part.function(p);
    case Kind::group:
      return part.group->value_below(p, limit);
  }
  return 0;
}

double ImplicitShape::operator()(const Vec3d& p) const { return value_below(p, far); }

double ImplicitShape::value_below(const Vec3d& p, double limit) const {
  double d = far;
  for (const Part& part : parts_) {
    // A part too far away to matter is not looked at. Parts just above the limit may bring each
    // other below it.
    const double matters =
        part.removes ? part.blend - d : part.blend + std::min(d, limit + part.blend);
    const double reach = part.slack * matters;
    if (matters <= 0 || part.box.squaredExteriorDistance(p) >= reach * reach) continue;
    if (part.removes) {
      d = smooth_max(d, -value(part, p, matters), part.blend);
    } else {
      d = smooth_min(d, value(part, p, matters), part.blend);
    }
  }
  return d;
}

Eigen::AlignedBox3d ImplicitShape::box() const {
  Eigen::AlignedBox3d all;
  for (const Part& part : parts_) {
    if (part.removes) continue;
    const Vec3d room = Vec3d::Constant(0.3 * part.blend) + 0.02 * part.box.sizes();
    all.extend(Eigen::AlignedBox3d(part.box.min() - room, part.box.max() + room));
  }
  return all;
}

}  // namespace sinew::kernels
