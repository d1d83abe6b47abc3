#include "nodes/kernels/wave_front.h"

#include <algorithm>
#include <cmath>

namespace sinew::kernels {

namespace {

// Rounding may put the way just beside an edge it runs along, or the source just off its line.
constexpr double slack = 1e-9;

// The square of a height that should not be negative: 0 within rounding, or -1 if it is.
double height2(double value, double length2) {
  if (value >= 0) return value;
  return value > -slack * length2 ? 0 : -1;
}

}  // namespace

double through_edge(Wave wave, const Vec3d& a, double da, const Vec3d& b, double db,
                    const Vec3d& c) {
  const Vec3d ab = b - a, ac = c - a;
  const double along = std::min(da + ac.norm(), db + (c - b).norm());
  const double length2 = ab.squaredNorm(), length = std::sqrt(length2);
  if (!(length > 0)) return along;
  // In the plane of the three: a at the origin, b on the x axis, c above it.
  const double cx = ab.dot(ac) / length;
  const double cy = std::sqrt(std::max(0.0, ac.squaredNorm() - cx * cx));
  const double lower = -slack * length, upper = (1 + slack) * length;
  if (wave == Wave::curved) {
    const double sx = (da * da - db * db + length2) / (2 * length);
    const double sy2 = height2(da * da - sx * sx, length2);
    if (sy2 >= 0) {
      const double sy = std::sqrt(sy2), rise = sy + cy;
      if (!(rise > 0)) return along;
      const double crossing = sx + (cx - sx) * (sy / rise);
      if (crossing < lower || crossing > upper) return along;
      return std::min(along, std::hypot(cx - sx, rise));
    }
    // No point is that close to both ends: they belong to a set.
  }
  const double u = (db - da) / length, v2 = 1 - u * u;
  if (!(v2 > 0)) return along;
  const double v = std::sqrt(v2);
  const double crossing = cx - u * (cy / v);
  if (crossing < lower || crossing > upper) return along;
  return std::min(along, std::max(da + u * cx + v * cy, std::min(da, db)));
}

double through_face(Wave wave, const Vec3d& a, double da, const Vec3d& b, double db, const Vec3d& c,
                    double dc, const Vec3d& e) {
  const auto around = [&] {
    return std::min({through_edge(wave, a, da, b, db, e), through_edge(wave, b, db, c, dc, e),
                     through_edge(wave, c, dc, a, da, e)});
  };
  const Vec3d ab = b - a, ac = c - a, ae = e - a;
  const double bx2 = ab.squaredNorm(), bx = std::sqrt(bx2);
  const Vec3d normal = ab.cross(ac);
  const double area = normal.norm();  // twice
  if (!(area > 1e-12 * std::max(bx2, ac.squaredNorm()))) return around();
  // a at the origin, b on the x axis, c in the upper half of the plane z = 0, e above or below it.
  const Vec3d ex = ab / bx, ez = normal / area, ey = ez.cross(ex);
  const double cx = ac.dot(ex), cy = ac.dot(ey);
  const double px = ae.dot(ex), py = ae.dot(ey), pz = std::abs(ae.dot(ez));
  const auto on_face = [&](double x, double y) {
    const double wc = y / cy, wb = (x - wc * cx) / bx;
    return wb >= -slack && wc >= -slack && wb + wc <= 1 + slack;
  };
  if (wave == Wave::curved) {
    const double sx = (da * da - db * db + bx2) / (2 * bx);
    const double sy = (da * da - dc * dc + cx * cx + cy * cy - 2 * sx * cx) / (2 * cy);
    const double sz2 = height2(da * da - sx * sx - sy * sy, bx2);
    if (sz2 >= 0) {
      const double sz = std::sqrt(sz2), rise = sz + pz;
      if (!(rise > 0)) return around();
      const double t = sz / rise;
      if (!on_face(sx + t * (px - sx), sy + t * (py - sy))) return around();
      return std::sqrt((px - sx) * (px - sx) + (py - sy) * (py - sy) + rise * rise);
    }
  }
  const double gx = (db - da) / bx, gy = (dc - da - gx * cx) / cy, gz2 = 1 - gx * gx - gy * gy;
  if (!(gz2 > 0)) return around();
  const double gz = std::sqrt(gz2), back = pz / gz;
  if (!on_face(px - gx * back, py - gy * back)) return around();
  return std::max(da + gx * px + gy * py + gz * pz, std::min({da, db, dc}));
}

}  // namespace sinew::kernels
