// Strain creep as a function of time [Hurmusiadis, section 7.2].
//
// The thesis moves each vertex by a part of its plastic strain rate (7.5),
//   dQ_ve = [1 - nu g (1 - mu creep(t))] dQ_p,     Q_p = damp (F - I) q,
// step by step. g = grad(delta), damp and q are the vertex's own and do not change with time, and F
// (3 x 3) is the VOO's and the same for all: so the integral over time is one matrix for all
// vertices,
//   G(t) = integral from t_b to t of creep(x - t_b) dF(x),
//   Q_ve = damp [(F - I) - nu g (F - F_b) + nu mu g G] q,      F_b = F(t_b),
// which is damp [(1 - nu g)(F - I) + nu mu g G] q where the motion begins at rest. It depends on
// no time step and needs no state.
//
// By parts, G = creep(t - t_b) (F - F_b) - integral of creep' (F - F_b), which wants no derivative
// of F, is exact for a constant creep, and changes no more once the creep is over. The integral is
// taken on a grid that is fixed in time, cut at the points of the chart and at the given breaks of
// F, and halved wherever two halves differ from the whole by more than the tolerance.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <span>
#include <vector>

#include "nodes/geometry/material.h"

namespace sinew::kernels {

// F at any time, seconds.
using DeformationAt = std::function<Eigen::Matrix3d(double)>;

class CreepIntegral {
 public:
  // `creep` is stretched over `duration` > 0 seconds from `begin` on. `breaks`: moments at which F
  // jumps or bends, in any order; others are found, at a price. `tolerance` is that of each panel,
  // in parts of the largest entry of F - F_b. F is asked for between `begin` and `begin + duration`
  // now, and at and a little before t later.
  CreepIntegral(const Chart& creep, double duration, double begin, DeformationAt f,
                std::span<const double> breaks = {}, double tolerance = 1e-10);

  // G(t); zero until `begin`.
  Eigen::Matrix3d at(double t) const;
  const Eigen::Matrix3d& start() const { return start_; }  // F_b
  std::size_t panel_count() const { return panels_.size(); }

 private:
  struct Panel {
    double from, to;         // seconds
    Eigen::Matrix3d before;  // the integral up to `from`
  };
  Eigen::Matrix3d change(double t) const { return f_(t) - start_; }
  Eigen::Matrix3d whole(double from, double to) const;
  // Calls visit(from, to, integral) for parts that are fine enough, in their order.
  template <class Visit>
  void refine(double from, double to, const Eigen::Matrix3d& coarse, int depth,
              const Visit& visit) const;
  void add_interval(double from, double to);
  double value_between(double from, double to) const;

  DeformationAt f_;
  double begin_, end_, tolerance_;
  Eigen::Matrix3d start_ = Eigen::Matrix3d::Zero();
  ChartPieces creep_;  // over seconds since begin_
  bool stepped_ = false;
  std::vector<Panel> panels_;
  Eigen::Matrix3d sum_ = Eigen::Matrix3d::Zero();  // of all panels so far
};

// How a vertex is moved by a creeping VOO: Q_ve = damp (plastic + g viscous) q.
struct CreepFactors {
  Eigen::Matrix3d plastic;  // F - I
  Eigen::Matrix3d viscous;  // nu (mu G - (F - F_b))
};
// With nu = 0 the viscous part is zero: plastic.
CreepFactors creep_factors(const Material& material, const Eigen::Matrix3d& f,
                           const Eigen::Matrix3d& g, const Eigen::Matrix3d& start);

}  // namespace sinew::kernels
