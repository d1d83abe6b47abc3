// The integral over time of a product of roots of charts, or of one over them:
//   Phi(t) = integral from 0 to t of the product of f_k(x)^(+-1/2) dx
// as the phases of a damped swing need it [Hurmusiadis, eqs. 6.25, 6.27 and 7.13].
//
// Charts are cubics between their points, which may reach 0 there: a root is then not smooth, and
// one over it is not even bounded. So each interval on which all charts are cubics is cut in the
// middle, and each half is measured from its outer end in w with h = w^2: what is
// sqrt(c1 h + ...) becomes w sqrt(c1 + ...). Towards that end, panels in w halve in size as far as
// the smallest value there asks for; on each one 16 points of Gauss are exact to about 1e-13.
// Where the integral diverges (one over the root of a double zero) it is cut off at 1e-24 of the
// interval: a large number, but a finite one.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "nodes/geometry/chart.h"

namespace sinew::kernels {

// One chart under a root. Values below 0 count as 0; while a chart is 0 all along, its factor is 0
// with either power.
struct RootFactor {
  Chart chart;       // clamped, on a linear axis
  double first = 0;  // where its first point lies on the time axis
  double last = 1;   // and its last one, >= first
  bool inverse = false;
};

class RootIntegral {
 public:
  // At most two factors, over [0, until]; none: Phi(t) = t.
  RootIntegral(std::span<const RootFactor> factors, double until);

  // Clamped to [0, until]; O(log n) for n points.
  double operator()(double t) const;
  double total() const { return total_; }

 private:
  // c0 + h (c1 + h (c2 + h c3)) with h in [0, 1] from the outer end of a half.
  struct Polynomial {
    double c0 = 1, c1 = 0, c2 = 0, c3 = 0;
    double at(double h) const { return c0 + h * (c1 + h * (c2 + h * c3)); }
  };
  struct Half {
    double origin = 0;  // the outer end
    double length = 0;  // seconds
    bool backwards = false;
    std::array<Polynomial, 2> under = {};
    std::size_t first_panel = 0, last_panel = 0;

    // Where it begins in time.
    double start() const { return backwards ? origin - length : origin; }
  };
  // A part of a half: from w0 to w1, in the order of time. Those at the outer end are too short to
  // be told apart by time, but not by w.
  struct Panel {
    double w0, w1;
    double before;  // Phi at w0
  };

  double integrand(const Half& half, double w) const;
  double part(const Half& half, const Panel& panel, double w) const;
  int levels_of(const Half& half) const;
  void add_half(Half half);

  std::size_t count_ = 0;
  std::array<bool, 2> inverse_ = {false, false};
  std::vector<Half> halves_;
  std::vector<Panel> panels_;
  double until_ = 0, total_ = 0;
};

}  // namespace sinew::kernels
