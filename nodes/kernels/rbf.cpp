#include "nodes/kernels/rbf.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/dispatch.h"
#include "nodes/kernels/tile_cholesky.h"

namespace sinew::kernels {

namespace {

constexpr double same_place = 1e-7;       // of the box
constexpr double contradiction = 1e-6;    // of the range of the values
constexpr double flat = 1e-5;             // thinner than this part of the box is a plane, or a line
constexpr double refined_enough = 1e-11;  // of the range
constexpr int most_refinements = 12;
constexpr std::size_t most_linear = 4;  // columns of P
constexpr std::size_t tile = TileCholesky::tile_size;

// Different places in the unit box, and what the field must be there.
struct Constraints {
  std::vector<double> x, y, z;
  std::vector<double> values;  // column after column
  std::size_t columns = 0;
  std::vector<double> soft;  // added to the diagonal of K
  std::vector<char> exact;   // whether it counts for the residual
  double resolution = 0;     // of the coordinates, which were floats

  std::size_t size() const { return x.size(); }
};

// The points of a set that are chosen, in the order given.
Constraints subset(const Constraints& all, std::span<const std::size_t> chosen) {
  Constraints part;
  part.columns = all.columns;
  part.resolution = all.resolution;
  for (const std::size_t i : chosen) {
    part.x.push_back(all.x[i]);
    part.y.push_back(all.y[i]);
    part.z.push_back(all.z[i]);
    part.soft.push_back(all.soft[i]);
    part.exact.push_back(all.exact[i]);
  }
  for (std::size_t c = 0; c < all.columns; ++c) {
    for (const std::size_t i : chosen) part.values.push_back(all.values[c * all.size() + i]);
  }
  return part;
}

std::vector<double> ranges_of(std::span<const double> values, std::size_t columns) {
  std::vector<double> ranges(columns, 0.0);
  if (values.empty()) return ranges;
  const std::size_t n = values.size() / columns;
  for (std::size_t c = 0; c < columns; ++c) {
    const auto [low, high] =
        std::minmax_element(values.begin() + static_cast<std::ptrdiff_t>(c * n),
                            values.begin() + static_cast<std::ptrdiff_t>((c + 1) * n));
    ranges[c] = *high - *low;
  }
  return ranges;
}

// The indices of constraints that are finite.
std::vector<std::size_t> finite_ones(std::span<const Vec3f> points, std::span<const double> values,
                                     std::size_t columns) {
  std::vector<std::size_t> good;
  for (std::size_t i = 0; i < points.size(); ++i) {
    bool finite = points[i].allFinite();
    for (std::size_t c = 0; c < columns; ++c) {
      finite = finite && std::isfinite(values[c * points.size() + i]);
    }
    if (finite) good.push_back(i);
  }
  return good;
}

// Moves points into the unit box (longest side 1, middle at 0).
void fit_box(std::span<const Vec3f> points, std::span<const std::size_t> good, RbfField& field,
             double& resolution) {
  Eigen::AlignedBox3d box;
  for (const std::size_t i : good) box.extend(points[i].cast<double>());
  field.offset = box.center();
  const double longest = box.sizes().maxCoeff();
  field.scale = longest > 0 ? 1 / longest : 1;
  const double far = std::max(box.min().cwiseAbs().maxCoeff(), box.max().cwiseAbs().maxCoeff());
  resolution = far * field.scale * std::numeric_limits<float>::epsilon();
}

// Merges constraints at the same place into the first of them, with the mean of their values.
Constraints merge(std::span<const Vec3f> points, std::span<const double> values,
                  std::size_t columns, const RbfOptions& options, RbfField& field) {
  const std::vector<std::size_t> good = finite_ones(points, values, columns);
  Constraints all;
  all.columns = columns;
  field.report.dropped = points.size() - good.size();
  if (good.empty()) return all;
  fit_box(points, good, field, all.resolution);

  struct Place {
    std::array<int64_t, 3> cell;
    std::size_t index;
  };
  std::vector<Place> places;
  places.reserve(good.size());
  for (const std::size_t i : good) {
    const Vec3d u = (points[i].cast<double>() - field.offset) * field.scale;
    Place p;
    for (int k = 0; k < 3; ++k) {
      p.cell[static_cast<std::size_t>(k)] = std::llround(u[k] / same_place);
    }
    p.index = i;
    places.push_back(p);
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return a.cell != b.cell ? a.cell < b.cell : a.index < b.index;
  });
  // Groups, in the order of their first constraints.
  std::vector<std::pair<std::size_t, std::size_t>> groups;
  for (std::size_t i = 0; i < places.size();) {
    std::size_t end = i + 1;
    while (end < places.size() && places[end].cell == places[i].cell) ++end;
    groups.emplace_back(i, end);
    i = end;
  }
  std::sort(groups.begin(), groups.end(), [&](const auto& a, const auto& b) {
    return places[a.first].index < places[b.first].index;
  });
  field.report.merged = places.size() - groups.size();

  const std::vector<double> ranges = ranges_of(values, columns);
  all.values.resize(columns * groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto [begin, end] = groups[g];
    const Vec3d u = (points[places[begin].index].cast<double>() - field.offset) * field.scale;
    all.x.push_back(u[0]);
    all.y.push_back(u[1]);
    all.z.push_back(u[2]);
    double length = options.softness.empty() ? 0 : std::numeric_limits<double>::infinity();
    for (std::size_t i = begin; i < end && !options.softness.empty(); ++i) {
      length = std::min(length, options.softness[places[i].index]);
    }
    all.soft.push_back(std::pow(length * field.scale, 3) + std::pow(options.smoothing, 3));
    all.exact.push_back(length == 0);
    bool contradicts = false;
    for (std::size_t c = 0; c < columns; ++c) {
      const double first = values[c * points.size() + places[begin].index];
      double low = first, high = first, sum = 0;
      for (std::size_t i = begin; i < end; ++i) {
        const double v = values[c * points.size() + places[i].index];
        low = std::min(low, v);
        high = std::max(high, v);
        sum += v - first;
      }
      contradicts = contradicts || high - low > contradiction * ranges[c];
      all.values[c * groups.size() + g] = first + sum / static_cast<double>(end - begin);
    }
    field.report.contradictions += contradicts;
  }
  return all;
}

// t[64 x 64] <- |p_i - p_j|^3 - V_i . Y_j - Y_i . V_j for consecutive points from row and column.
SINEW_CLONES void fill_tile(const double* __restrict x, const double* __restrict y,
                            const double* __restrict z, const double* const* __restrict v,
                            const double* const* __restrict yy, std::size_t row, std::size_t column,
                            double* __restrict t) {
  const double *v0 = v[0] + row, *v1 = v[1] + row, *v2 = v[2] + row, *v3 = v[3] + row;
  const double *y0 = yy[0] + row, *y1 = yy[1] + row, *y2 = yy[2] + row, *y3 = yy[3] + row;
  const double *px = x + row, *py = y + row, *pz = z + row;
  for (std::size_t j = 0; j < tile; ++j) {
    const std::size_t q = column + j;
    const double qx = x[q], qy = y[q], qz = z[q];
    const double a0 = v[0][q], a1 = v[1][q], a2 = v[2][q], a3 = v[3][q];
    const double b0 = yy[0][q], b1 = yy[1][q], b2 = yy[2][q], b3 = yy[3][q];
    for (std::size_t i = 0; i < tile; ++i) {
      const double dx = px[i] - qx, dy = py[i] - qy, dz = pz[i] - qz;
      const double d = dx * dx + dy * dy + dz * dz;
      t[j * tile + i] =
          d * std::sqrt(d) - (((v0[i] * b0 + y0[i] * a0) + (v1[i] * b1 + y1[i] * a1)) +
                              ((v2[i] * b2 + y2[i] * a2) + (v3[i] * b3 + y3[i] * a3)));
    }
  }
}

double dot(const double* a, const double* b, std::size_t from, std::size_t to) {
  double sum = 0;
  for (std::size_t i = from; i < to; ++i) sum += a[i] * b[i];
  return sum;
}

// The factorised system of one set of centres.
class System {
 public:
  System(const Constraints& c, CancelView stop);

  int dimension() const { return static_cast<int>(m_) - 1; }
  bool ridge() const { return ridge_; }
  // Adds the solution for these right-hand sides to the field's weights and linear parts.
  void solve_and_add(std::span<const double> values, RbfField& field, CancelView stop);

 private:
  void span_directions(const Constraints& c);
  void householder();
  void reflect(double* column) const;       // <- Q^T column
  void reflect_back(double* column) const;  // <- Q column
  void assemble(CancelView stop);
  RbfField plain_field(std::size_t columns) const;

  std::size_t n_, m_ = 0, padded_;
  std::vector<double> x_, y_, z_;  // padded
  std::vector<double> soft_;
  Vec3d middle_{0, 0, 0};
  std::array<Vec3d, 3> axes_;
  std::array<std::vector<double>, most_linear> v_, y_of_v_;  // reflectors, and Y of the update
  Eigen::Matrix4d r_ = Eigen::Matrix4d::Zero(), t_ = Eigen::Matrix4d::Zero();
  TileCholesky reduced_{0};
  bool ridge_ = false;
};

System::System(const Constraints& c, CancelView stop)
    : n_(c.size()),
      padded_((c.size() / tile + 2) * tile),
      x_(c.x),
      y_(c.y),
      z_(c.z),
      soft_(c.soft) {
  span_directions(c);
  householder();
  x_.resize(padded_, 0.0);
  y_.resize(padded_, 0.0);
  z_.resize(padded_, 0.0);
  if (n_ <= m_) return;
  // Y = M - V S / 2 with M = K V T and S = T^T V^T M: Q^T K Q = K - V Y^T - Y V^T.
  RbfField columns = plain_field(m_);
  for (std::size_t k = 0; k < m_; ++k) {
    std::copy_n(v_[k].begin(), n_, columns.weights.begin() + static_cast<std::ptrdiff_t>(k * n_));
  }
  std::vector<double> kv(m_ * n_);
  evaluate_unit_box(columns, c.x, c.y, c.z, kv, stop);
  for (std::size_t k = 0; k < m_; ++k) {
    for (std::size_t i = 0; i < n_; ++i) kv[k * n_ + i] += soft_[i] * v_[k][i];
  }
  Eigen::Matrix4d vm = Eigen::Matrix4d::Zero();
  for (std::size_t k = 0; k < most_linear; ++k) y_of_v_[k].assign(padded_, 0.0);
  for (std::size_t k = 0; k < m_; ++k) {
    for (std::size_t l = 0; l <= k; ++l) {
      const double factor = t_(static_cast<int>(l), static_cast<int>(k));
      for (std::size_t i = 0; i < n_; ++i) y_of_v_[k][i] += kv[l * n_ + i] * factor;
    }
  }
  for (std::size_t k = 0; k < m_; ++k) {
    for (std::size_t l = 0; l < m_; ++l) {
      vm(static_cast<int>(k), static_cast<int>(l)) = dot(v_[k].data(), y_of_v_[l].data(), 0, n_);
    }
  }
  Eigen::Matrix4d s = t_.transpose() * vm;
  s = (0.25 * (s + s.transpose())).eval();
  for (std::size_t k = 0; k < m_; ++k) {
    for (std::size_t l = 0; l < m_; ++l) {
      const double factor = s(static_cast<int>(l), static_cast<int>(k));
      for (std::size_t i = 0; i < n_; ++i) y_of_v_[k][i] -= v_[l][i] * factor;
    }
  }
  // Twice the pivot that rounding alone can make.
  const double least = 1e-16 * static_cast<double>(n_);
  reduced_ = TileCholesky(n_ - m_);
  for (double ridge = 0; ridge <= 1.1e-9; ridge = ridge > 0 ? ridge * 100 : 1e-15) {
    assemble(stop);
    for (std::size_t i = m_; i < n_; ++i) reduced_.add_to_diagonal(i - m_, soft_[i]);
    if (ridge > 0) reduced_.add_to_diagonal(ridge * static_cast<double>(n_));
    ridge_ = ridge > 0;
    if (reduced_.factor(ridge > 0 ? 0 : least, stop)) return;
  }
  // Points so close that not even the ridge helps: keep the linear part alone.
  reduced_ = TileCholesky(0);
}

// The middle, and the directions in which the points have an extent.
void System::span_directions(const Constraints& c) {
  const double count = static_cast<double>(n_);
  for (std::size_t i = 0; i < n_; ++i) middle_ += Vec3d(c.x[i], c.y[i], c.z[i]);
  middle_ /= count;
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (std::size_t i = 0; i < n_; ++i) {
    const Vec3d d = Vec3d(c.x[i], c.y[i], c.z[i]) - middle_;
    spread += d * d.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(spread / count);
  const double least = std::max(flat, 4 * c.resolution);
  m_ = 1;
  for (int k = 2; k >= 0; --k) {  // the largest first
    const Vec3d axis = eigen.eigenvectors().col(k);
    double low = 0, high = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      const double u = axis.dot(Vec3d(c.x[i], c.y[i], c.z[i]) - middle_);
      low = std::min(low, u);
      high = std::max(high, u);
    }
    if (high - low > least && m_ < n_) axes_[m_++ - 1] = axis;
  }
}

// P = [1, coordinates along the axes] = Q R, Q = H_0 H_1 .. = I - V T V^T.
void System::householder() {
  std::array<std::vector<double>, most_linear> p;
  for (std::size_t k = 0; k < m_; ++k) {
    p[k].assign(n_, 1.0);
    for (std::size_t i = 0; k > 0 && i < n_; ++i) {
      p[k][i] = axes_[k - 1].dot(Vec3d(x_[i], y_[i], z_[i]) - middle_);
    }
  }
  for (auto& v : v_) v.assign(padded_, 0.0);
  for (std::size_t k = 0; k < m_; ++k) {
    const int kk = static_cast<int>(k);
    const double length = std::sqrt(dot(p[k].data(), p[k].data(), k, n_));
    const double head = p[k][k] > 0 ? -length : length;
    for (std::size_t i = k; i < n_; ++i) v_[k][i] = p[k][i];
    v_[k][k] -= head;
    const double square = dot(v_[k].data(), v_[k].data(), k, n_);
    const double tau = square > 0 ? 2 / square : 0;
    for (std::size_t l = k; l < m_; ++l) {
      const double s = tau * dot(v_[k].data(), p[l].data(), k, n_);
      for (std::size_t i = k; i < n_; ++i) p[l][i] -= s * v_[k][i];
    }
    for (std::size_t l = 0; l < m_; ++l) {
      if (l >= k) r_(kk, static_cast<int>(l)) = p[l][k];
    }
    // T grows by a column: -tau T (V^T v).
    for (int a = 0; a < kk; ++a) {
      double s = 0;
      for (int b = a; b < kk; ++b) {
        s += t_(a, b) * dot(v_[static_cast<std::size_t>(b)].data(), v_[k].data(), k, n_);
      }
      t_(a, kk) = -tau * s;
    }
    t_(kk, kk) = tau;
  }
}

void System::reflect(double* column) const {
  for (std::size_t k = 0; k < m_; ++k) {
    const double s =
        t_(static_cast<int>(k), static_cast<int>(k)) * dot(v_[k].data(), column, k, n_);
    for (std::size_t i = k; i < n_; ++i) column[i] -= s * v_[k][i];
  }
}

void System::reflect_back(double* column) const {
  for (std::size_t k = m_; k-- > 0;) {
    const double s =
        t_(static_cast<int>(k), static_cast<int>(k)) * dot(v_[k].data(), column, k, n_);
    for (std::size_t i = k; i < n_; ++i) column[i] -= s * v_[k][i];
  }
}

void System::assemble(CancelView stop) {
  std::array<const double*, most_linear> v, y;
  for (std::size_t k = 0; k < most_linear; ++k) {
    v[k] = v_[k].data() + m_;
    y[k] = y_of_v_[k].data() + m_;
  }
  parallel_each(reduced_.tiles(), [&](std::size_t row) {
    for (std::size_t column = 0; column <= row && !stop(); ++column) {
      fill_tile(x_.data() + m_, y_.data() + m_, z_.data() + m_, v.data(), y.data(), row * tile,
                column * tile, reduced_.tile(row, column));
    }
  });
  stop.check();
}

RbfField System::plain_field(std::size_t columns) const {
  RbfField field;
  field.columns = columns;
  field.x.assign(x_.begin(), x_.begin() + static_cast<std::ptrdiff_t>(n_));
  field.y.assign(y_.begin(), y_.begin() + static_cast<std::ptrdiff_t>(n_));
  field.z.assign(z_.begin(), z_.begin() + static_cast<std::ptrdiff_t>(n_));
  field.weights.assign(columns * n_, 0.0);
  field.linear.assign(columns, {0, 0, 0, 0});
  return field;
}

void System::solve_and_add(std::span<const double> values, RbfField& field, CancelView stop) {
  const std::size_t columns = field.columns;
  RbfField step = plain_field(columns);
  std::vector<double> reflected(values.begin(), values.end());
  parallel_each(columns, [&](std::size_t c) {
    double* b = reflected.data() + c * n_;
    reflect(b);
    if (reduced_.size() > 0) {
      double* w = step.weights.data() + c * n_;
      std::copy(b + m_, b + n_, w + m_);
      reduced_.solve({w + m_, n_ - m_});
      reflect_back(w);
    }
  });
  // R c = the first rows of Q^T (v - K w).
  std::vector<double> rest(columns * n_);
  evaluate_unit_box(step, step.x, step.y, step.z, rest, stop);
  const int m = static_cast<int>(m_);
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t i = 0; i < n_; ++i) {
      rest[c * n_ + i] += soft_[i] * step.weights[c * n_ + i];
      rest[c * n_ + i] = values[c * n_ + i] - rest[c * n_ + i];
    }
    reflect(rest.data() + c * n_);
    Eigen::Vector4d a = Eigen::Vector4d::Zero();
    for (int k = m - 1; k >= 0; --k) {
      double s = rest[c * n_ + static_cast<std::size_t>(k)];
      for (int l = k + 1; l < m; ++l) s -= r_(k, l) * a[l];
      a[k] = s / r_(k, k);
    }
    Vec3d slope(0, 0, 0);
    for (int k = 1; k < m; ++k) slope += a[k] * axes_[static_cast<std::size_t>(k - 1)];
    step.linear[c] = {a[0] - slope.dot(middle_), slope[0], slope[1], slope[2]};
  }
  for (std::size_t i = 0; i < field.weights.size(); ++i) field.weights[i] += step.weights[i];
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t k = 0; k < 4; ++k) field.linear[c][k] += step.linear[c][k];
  }
}

// values - f at all constraints, less what softness allows if the field's centres are these
// constraints; returns the largest, over the range of its column.
double misses(const RbfField& field, const Constraints& c, std::span<const double> ranges,
              bool softened, std::vector<double>& miss, CancelView stop) {
  miss.resize(c.values.size());
  evaluate_unit_box(field, c.x, c.y, c.z, miss, stop);
  double worst = 0;
  for (std::size_t i = 0; i < miss.size(); ++i) {
    const std::size_t place = i % c.size();
    miss[i] = c.values[i] - miss[i];
    if (softened) miss[i] -= c.soft[place] * field.weights[i];
    const double range = ranges[i / c.size()];
    if (range > 0 && (softened || c.exact[place])) {
      worst = std::max(worst, std::abs(miss[i]) / range);
    }
    if (!std::isfinite(miss[i])) worst = std::numeric_limits<double>::infinity();
  }
  return worst;
}

// Solves for these centres, and refines as long as it helps.
void solve_for(const Constraints& c, std::span<const double> ranges, RbfField& field,
               CancelView stop) {
  System system(c, stop);
  field.x = c.x;
  field.y = c.y;
  field.z = c.z;
  field.columns = c.columns;
  field.weights.assign(c.columns * c.size(), 0.0);
  field.linear.assign(c.columns, {0, 0, 0, 0});
  field.report.used = c.size();
  field.report.dimension = system.dimension();
  field.report.ridge = system.ridge();
  system.solve_and_add(c.values, field, stop);
  std::vector<double> miss, next_miss;
  double worst = misses(field, c, ranges, true, miss, stop);
  for (int i = 0; i < most_refinements && worst > refined_enough; ++i) {
    RbfField better = field;
    system.solve_and_add(miss, better, stop);
    const double next = misses(better, c, ranges, true, next_miss, stop);
    if (!(next < 0.9 * worst)) break;
    field.weights.swap(better.weights);
    field.linear.swap(better.linear);
    miss.swap(next_miss);
    worst = next;
  }
  field.report.residual = misses(field, c, ranges, false, miss, stop);
}

// Spread over the set: each next one is the farthest from those that are chosen.
std::vector<std::size_t> spread_out(const Constraints& all, std::size_t count) {
  std::vector<std::size_t> chosen = {0};
  std::vector<double> distance(all.size(), std::numeric_limits<double>::infinity());
  while (chosen.size() < count) {
    const std::size_t last = chosen.back();
    std::size_t farthest = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double dx = all.x[i] - all.x[last], dy = all.y[i] - all.y[last],
                   dz = all.z[i] - all.z[last];
      distance[i] = std::min(distance[i], dx * dx + dy * dy + dz * dz);
      if (distance[i] > distance[farthest]) farthest = i;
    }
    chosen.push_back(farthest);
  }
  return chosen;
}

// Too many for one system: start with some, add the worst of the others in rounds.
void solve_greedily(const Constraints& all, std::span<const double> ranges,
                    const RbfOptions& options, RbfField& field, CancelView stop) {
  std::vector<std::size_t> chosen =
      spread_out(all, std::max<std::size_t>(1, options.max_centres / 4));
  std::vector<char> taken(all.size(), 0);
  for (const std::size_t i : chosen) taken[i] = 1;
  std::vector<double> miss;
  while (true) {
    solve_for(subset(all, chosen), ranges, field, stop);
    field.report.residual = misses(field, all, ranges, false, miss, stop);
    if (field.report.residual <= options.tolerance || chosen.size() >= options.max_centres) break;
    std::vector<std::pair<double, std::size_t>> worst;
    for (std::size_t i = 0; i < all.size(); ++i) {
      double size = 0;
      for (std::size_t c = 0; c < all.columns; ++c) {
        if (ranges[c] > 0) size = std::max(size, std::abs(miss[c * all.size() + i]) / ranges[c]);
      }
      if (!taken[i] && size > options.tolerance) worst.emplace_back(-size, i);
    }
    if (worst.empty()) break;
    const std::size_t more = std::min({worst.size(), options.max_centres - chosen.size(),
                                       std::max<std::size_t>(1, chosen.size() / 2)});
    std::sort(worst.begin(), worst.end());
    for (std::size_t i = 0; i < more; ++i) {
      taken[worst[i].second] = 1;
      chosen.push_back(worst[i].second);
    }
  }
  field.report.left_out = all.size() - chosen.size();
}

}  // namespace

std::size_t RbfField::bytes() const {
  return sizeof *this + (3 * x.size() + weights.size() + 4 * linear.size()) * sizeof(double);
}

RbfField solve_rbf(std::span<const Vec3f> points, std::span<const double> values,
                   std::size_t columns, const RbfOptions& options, CancelView stop) {
  RbfField field;
  field.columns = columns;
  field.linear.assign(columns, {0, 0, 0, 0});
  const Constraints all = merge(points, values, columns, options, field);
  if (all.size() == 0 || columns == 0) return field;
  const std::vector<double> ranges = ranges_of(all.values, columns);
  if (all.size() <= std::max<std::size_t>(options.max_centres, 1)) {
    solve_for(all, ranges, field, stop);
  } else {
    solve_greedily(all, ranges, options, field, stop);
  }
  return field;
}

}  // namespace sinew::kernels
