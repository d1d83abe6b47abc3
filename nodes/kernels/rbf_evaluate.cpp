// The values and gradients of solved fields. Points are handled in groups, as a structure of
// arrays, and every sum runs over the centres in their order, so that vector loops over points
// change no bit.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/dispatch.h"
#include "nodes/kernels/rbf.h"

namespace sinew::kernels {

namespace {

constexpr std::size_t group = 128;

struct Group {
  alignas(64) double x[group], y[group], z[group];
};

void load(const RbfField& field, const Vec3f* points, std::size_t count, Group& g) {
  for (std::size_t i = 0; i < count; ++i) {
    g.x[i] = (static_cast<double>(points[i][0]) - field.offset[0]) * field.scale;
    g.y[i] = (static_cast<double>(points[i][1]) - field.offset[1]) * field.scale;
    g.z[i] = (static_cast<double>(points[i][2]) - field.offset[2]) * field.scale;
  }
  for (std::size_t i = count; i < group; ++i) g.x[i] = g.y[i] = g.z[i] = 0;
}

// 2 q^(3/2) = 2 s^3 (1 + e)^(3/2) with the root s of q in single precision, |e| < 1.2e-7:
// s (3 q - s^2) leaves an error of 3/8 e^2 < 6e-15.
inline double fast_double_cube(double q) {
  const double s = static_cast<double>(std::sqrt(static_cast<float>(q)));
  return s * (3 * q - s * s);
}

inline double squared(double x, double y, double z) { return x * x + y * y + z * z; }

// sum[i] += sum_j w_j |p_i - c_j|^3, the centres in threes: of the first the root is taken in
// double precision, of the others the fast way, since the one keeps the divider busy and the other
// the multipliers.
SINEW_CLONES void add_fast_cubes(const double* __restrict cx, const double* __restrict cy,
                                 const double* __restrict cz, const double* __restrict w,
                                 std::size_t centres, const Group& g, double* __restrict sum) {
  std::size_t j = 0;
  for (; j + 3 <= centres; j += 3) {
    const double x0 = cx[j], y0 = cy[j], z0 = cz[j], w0 = w[j];
    const double x1 = cx[j + 1], y1 = cy[j + 1], z1 = cz[j + 1], w1 = 0.5 * w[j + 1];
    const double x2 = cx[j + 2], y2 = cy[j + 2], z2 = cz[j + 2], w2 = 0.5 * w[j + 2];
    for (std::size_t i = 0; i < group; ++i) {
      const double q0 = squared(g.x[i] - x0, g.y[i] - y0, g.z[i] - z0);
      const double q1 = squared(g.x[i] - x1, g.y[i] - y1, g.z[i] - z1);
      const double q2 = squared(g.x[i] - x2, g.y[i] - y2, g.z[i] - z2);
      sum[i] += w0 * (q0 * std::sqrt(q0)) + (w1 * fast_double_cube(q1) + w2 * fast_double_cube(q2));
    }
  }
  for (; j < centres; ++j) {
    for (std::size_t i = 0; i < group; ++i) {
      const double q = squared(g.x[i] - cx[j], g.y[i] - cy[j], g.z[i] - cz[j]);
      sum[i] += w[j] * (q * std::sqrt(q));
    }
  }
}

// sum[i] += sum_j w_j |p_i - c_j|^3; two centres at a time, but added one after the other.
SINEW_CLONES void add_cubes(const double* __restrict cx, const double* __restrict cy,
                            const double* __restrict cz, const double* __restrict w,
                            std::size_t centres, const Group& g, double* __restrict sum) {
  std::size_t j = 0;
  for (; j + 2 <= centres; j += 2) {
    const double x0 = cx[j], y0 = cy[j], z0 = cz[j], w0 = w[j];
    const double x1 = cx[j + 1], y1 = cy[j + 1], z1 = cz[j + 1], w1 = w[j + 1];
    for (std::size_t i = 0; i < group; ++i) {
      const double dx0 = g.x[i] - x0, dy0 = g.y[i] - y0, dz0 = g.z[i] - z0;
      const double dx1 = g.x[i] - x1, dy1 = g.y[i] - y1, dz1 = g.z[i] - z1;
      const double q0 = dx0 * dx0 + dy0 * dy0 + dz0 * dz0;
      const double q1 = dx1 * dx1 + dy1 * dy1 + dz1 * dz1;
      sum[i] = (sum[i] + w0 * q0 * std::sqrt(q0)) + w1 * q1 * std::sqrt(q1);
    }
  }
  for (; j < centres; ++j) {
    for (std::size_t i = 0; i < group; ++i) {
      const double dx = g.x[i] - cx[j], dy = g.y[i] - cy[j], dz = g.z[i] - cz[j];
      const double q = dx * dx + dy * dy + dz * dz;
      sum[i] += w[j] * q * std::sqrt(q);
    }
  }
}

// The same for several columns of weights: each root is drawn once.
SINEW_CLONES void add_cubes_of(const RbfField& f, const Group& g, double* __restrict cube,
                               double* __restrict sums) {
  const std::size_t centres = f.x.size();
  const double *cx = f.x.data(), *cy = f.y.data(), *cz = f.z.data();
  for (std::size_t j = 0; j < centres; ++j) {
    for (std::size_t i = 0; i < group; ++i) {
      const double dx = g.x[i] - cx[j], dy = g.y[i] - cy[j], dz = g.z[i] - cz[j];
      const double q = dx * dx + dy * dy + dz * dz;
      cube[i] = q * std::sqrt(q);
    }
    for (std::size_t c = 0; c < f.columns; ++c) {
      const double w = f.weights[c * centres + j];
      double* __restrict sum = sums + c * group;
      for (std::size_t i = 0; i < group; ++i) sum[i] += w * cube[i];
    }
  }
}

// (u, v, s)[i] += sum_j 3 w_j |p_i - c_j| (p_i - c_j)
SINEW_CLONES void add_slopes(const double* __restrict cx, const double* __restrict cy,
                             const double* __restrict cz, const double* __restrict w,
                             std::size_t centres, const Group& g, double* __restrict u,
                             double* __restrict v, double* __restrict s) {
  for (std::size_t j = 0; j < centres; ++j) {
    const double weight = 3 * w[j];
    for (std::size_t i = 0; i < group; ++i) {
      const double dx = g.x[i] - cx[j], dy = g.y[i] - cy[j], dz = g.z[i] - cz[j];
      const double r = weight * std::sqrt(dx * dx + dy * dy + dz * dz);
      u[i] += r * dx;
      v[i] += r * dy;
      s[i] += r * dz;
    }
  }
}

// Whether squares of distances are numbers in single precision.
bool near(const Group& g) {
  double far = 0;
  for (std::size_t i = 0; i < group; ++i) {
    far = std::max({far, std::abs(g.x[i]), std::abs(g.y[i]), std::abs(g.z[i])});
  }
  return far < 1e9;
}

// load_group(first, count, group) gives the points.
template <class Number, class Load>
void evaluate_all(const RbfField& f, std::size_t points, const Load& load_group,
                  std::span<Number> out, CancelView stop) {
  const std::size_t groups = (points + group - 1) / group, centres = f.centre_count();
  parallel_blocks(
      groups,
      [&](std::size_t begin, std::size_t end) {
        Group g;
        std::vector<double> sums(f.columns * group), cube(group);
        for (std::size_t b = begin; b < end && !stop(); ++b) {
          const std::size_t first = b * group, count = std::min(group, points - first);
          load_group(first, count, g);
          for (std::size_t c = 0; c < f.columns; ++c) {
            const auto& l = f.linear[c];
            for (std::size_t i = 0; i < group; ++i) {
              sums[c * group + i] = l[0] + (l[1] * g.x[i] + l[2] * g.y[i] + l[3] * g.z[i]);
            }
          }
          if (f.columns == 1) {
            const bool fast = std::is_same_v<Number, float> && near(g);
            (fast ? add_fast_cubes : add_cubes)(f.x.data(), f.y.data(), f.z.data(),
                                                f.weights.data(), centres, g, sums.data());
          } else {
            add_cubes_of(f, g, cube.data(), sums.data());
          }
          for (std::size_t c = 0; c < f.columns; ++c) {
            for (std::size_t i = 0; i < count; ++i) {
              out[c * points + first + i] = static_cast<Number>(sums[c * group + i]);
            }
          }
        }
      },
      8);
  stop.check();
}

}  // namespace

void evaluate(const RbfField& field, std::span<const Vec3f> points, std::span<float> out,
              CancelView stop) {
  evaluate_all(
      field, points.size(),
      [&](std::size_t first, std::size_t count, Group& g) {
        load(field, &points[first], count, g);
      },
      out, stop);
}

void evaluate(const RbfField& field, std::span<const Vec3f> points, std::span<double> out,
              CancelView stop) {
  evaluate_all(
      field, points.size(),
      [&](std::size_t first, std::size_t count, Group& g) {
        load(field, &points[first], count, g);
      },
      out, stop);
}

void evaluate_unit_box(const RbfField& field, std::span<const double> x, std::span<const double> y,
                       std::span<const double> z, std::span<double> out, CancelView stop) {
  evaluate_all(
      field, x.size(),
      [&](std::size_t first, std::size_t count, Group& g) {
        g = Group{};
        std::copy_n(&x[first], count, g.x);
        std::copy_n(&y[first], count, g.y);
        std::copy_n(&z[first], count, g.z);
      },
      out, stop);
}

void evaluate_gradient(const RbfField& f, std::span<const Vec3f> points, std::span<Vec3f> out,
                       std::size_t column, CancelView stop) {
  const std::size_t groups = (points.size() + group - 1) / group, centres = f.centre_count();
  const auto& l = f.linear[column];
  parallel_blocks(
      groups,
      [&](std::size_t begin, std::size_t end) {
        Group g, slope;
        for (std::size_t b = begin; b < end && !stop(); ++b) {
          const std::size_t first = b * group, count = std::min(group, points.size() - first);
          load(f, &points[first], count, g);
          std::fill_n(slope.x, group, l[1]);
          std::fill_n(slope.y, group, l[2]);
          std::fill_n(slope.z, group, l[3]);
          add_slopes(f.x.data(), f.y.data(), f.z.data(), f.weights.data() + column * centres,
                     centres, g, slope.x, slope.y, slope.z);
          for (std::size_t i = 0; i < count; ++i) {
            out[first + i] =
                (f.scale * Vec3d(slope.x[i], slope.y[i], slope.z[i])).template cast<float>();
          }
        }
      },
      8);
  stop.check();
}

double evaluate_at(const RbfField& f, const Vec3f& point, std::size_t column) {
  const Vec3d p = (point.cast<double>() - f.offset) * f.scale;
  const std::size_t centres = f.centre_count();
  const auto& l = f.linear[column];
  double sum = l[0] + (l[1] * p[0] + l[2] * p[1] + l[3] * p[2]);
  for (std::size_t j = 0; j < centres; ++j) {
    const double dx = p[0] - f.x[j], dy = p[1] - f.y[j], dz = p[2] - f.z[j];
    const double q = dx * dx + dy * dy + dz * dz;
    sum += f.weights[column * centres + j] * q * std::sqrt(q);
  }
  return sum;
}

}  // namespace sinew::kernels
