#include "nodes/kernels/lattice_basis.h"

#include <algorithm>

namespace sinew::kernels {

LatticeAxis::LatticeAxis(LatticeBasis basis, uint32_t count)
    : count_(count), degree_(lattice_degree(basis, count)) {
  const int inner = static_cast<int>(count) - degree_;  // spans between knots
  for (int i = 0; i < degree_; ++i) knots_.push_back(0);
  for (int i = 0; i <= inner; ++i) knots_.push_back(static_cast<double>(i) / inner);
  for (int i = 0; i < degree_; ++i) knots_.push_back(1);
}

namespace {

// Four points and one polynomial, the most common case, written out.
void cubic_at(double s, double inside, LatticeAxis::Weights& out) {
  const double a = inside, b = 1 - inside;
  const auto put = [](auto& into, double i, double j, double k, double l) {
    into[0] = i, into[1] = j, into[2] = k, into[3] = l;
  };
  put(out.first, -3 * b * b, 3 * b * (b - 2 * a), 3 * a * (2 * b - a), 3 * a * a);
  put(out.value, b * b * b, 3 * a * b * b, 3 * a * a * b, a * a * a);
  if (s != inside) {
    for (std::size_t i = 0; i < 4; ++i) out.value[i] += (s - inside) * out.first[i];
    put(out.second, 0, 0, 0, 0);
  } else {
    put(out.second, 6 * b, 6 * (a - 2 * b), 6 * (b - 2 * a), 6 * a);
  }
}

}  // namespace

void LatticeAxis::at(double s, Weights& out) const {
  const double inside = std::clamp(s, 0.0, 1.0);
  if (count_ == 4) return cubic_at(s, inside, out);  // of either basis
  const auto n = static_cast<int>(count_);
  // The span of knots that the place lies in.
  int span = degree_;
  while (span + 1 < n && inside >= knots_[static_cast<std::size_t>(span) + 1]) ++span;

  // Row p: the values of N_i,p for i = span - p ... span; only these are not 0.
  std::array<std::array<double, most_lattice_count + 1>, 3> rows{};  // degrees d, d - 1, d - 2
  std::array<double, most_lattice_count + 1> now{}, next{};
  now[0] = 1;
  const auto keep = [&](int p) {
    if (degree_ - p < 3) rows[static_cast<std::size_t>(degree_ - p)] = now;
  };
  const auto knot = [&](int i) { return knots_[static_cast<std::size_t>(i)]; };
  keep(0);
  for (int p = 1; p <= degree_; ++p) {
    next.fill(0);
    for (int r = 0; r < p; ++r) {  // N_(span - p + 1 + r), p - 1
      const int i = span - p + 1 + r;
      const double width = knot(i + p) - knot(i);
      const double part = width > 0 ? now[static_cast<std::size_t>(r)] / width : 0;
      next[static_cast<std::size_t>(r)] += (knot(i + p) - inside) * part;
      next[static_cast<std::size_t>(r) + 1] += (inside - knot(i)) * part;
    }
    now = next;
    keep(p);
  }

  std::fill_n(out.value.begin(), count_, 0.0);
  std::fill_n(out.first.begin(), count_, 0.0);
  std::fill_n(out.second.begin(), count_, 0.0);
  for (int r = 0; r <= degree_; ++r) {
    out.value[static_cast<std::size_t>(span - degree_ + r)] = rows[0][static_cast<std::size_t>(r)];
  }
  // The derivative of a sum of N_i,p-1 with weights c, as weights of degree p.
  const auto raise = [&](int p, auto& low, auto& high) {
    std::fill(high.begin(), high.end(), 0.0);
    for (int r = 0; r < p; ++r) {
      const int i = span - p + 1 + r;
      const double width = knot(i + p) - knot(i);
      const double part = width > 0 ? p * low[static_cast<std::size_t>(r)] / width : 0;
      high[static_cast<std::size_t>(r)] -= part;
      high[static_cast<std::size_t>(r) + 1] += part;
    }
  };
  std::array<double, most_lattice_count + 1> once{}, twice{};
  if (degree_ >= 1) {
    raise(degree_, rows[1], once);
    for (int r = 0; r <= degree_; ++r) {
      out.first[static_cast<std::size_t>(span - degree_ + r)] = once[static_cast<std::size_t>(r)];
    }
  }
  if (s != inside) {
    for (uint32_t i = 0; i < count_; ++i) out.value[i] += (s - inside) * out.first[i];
  } else if (degree_ >= 2) {
    raise(degree_ - 1, rows[2], once);
    raise(degree_, once, twice);
    for (int r = 0; r <= degree_; ++r) {
      out.second[static_cast<std::size_t>(span - degree_ + r)] = twice[static_cast<std::size_t>(r)];
    }
  }
}

}  // namespace sinew::kernels
