// The one place where LBFGSpp is used: limited-memory BFGS with a line search for the strong Wolfe
// conditions [Nocedal06, algorithms 7.5 and 3.5], on top of the library's matrices and search.
//
// What the library's own driver does not do: it begins with a step of 1, since our variables are
// scaled such that the Hessian is near the identity; it goes on from the best point where the line
// search ends for lack of digits, instead of throwing; it can be stopped; and its memory can be
// kept from one problem to the next that is like it.
#pragma once

#include <LBFGS.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "nodes/geometry/types.h"

namespace sinew::kernels {

struct LbfgsSettings {
  int memory = 8;
  int most_iterations = 500;
  double least_gradient = 1e-9;  // ends where the gradient is that short
  double least_change =
      0;  // ends where ten iterations, or thirty evaluations, have gained less than this part
  // Begins with the curvature that the last problem had: for problems that are like each other, in
  // the same variables.
  bool keep_memory = false;
};

struct LbfgsOutcome {
  double value = 0;
  double gradient = 0;  // its length
  int iterations = 0, evaluations = 0;
  bool converged = false;
};

class Lbfgs {
 public:
  explicit Lbfgs(const LbfgsSettings& settings = {}) : settings_(settings) {
    search_.m = settings.memory;
    search_.linesearch = LBFGSpp::LBFGS_LINESEARCH_BACKTRACKING_STRONG_WOLFE;
    search_.max_linesearch = 20;
    search_.ftol = 1e-4;
    search_.wolfe = 0.9;
  }

  LbfgsSettings& settings() { return settings_; }

  // f(x, gradient) gives the value and overwrites the gradient. x is where it begins, and then the
  // best point found.
  template <class Function>
  LbfgsOutcome minimise(Function&& f, Eigen::VectorXd& x, CancelView stop = {}) {
    LbfgsOutcome outcome;
    const auto counted = [&](const Eigen::VectorXd& at, Eigen::VectorXd& gradient) {
      ++outcome.evaluations;
      const double value = f(at, gradient);
      // Far out everything may overflow: the search then comes back.
      if (std::isfinite(value) && gradient.allFinite()) return value;
      gradient.setZero();
      return 1e300;
    };
    const auto n = static_cast<int>(x.size());
    const bool kept = settings_.keep_memory && !fresh_ && gradient_.size() == n;
    gradient_.resize(n);
    direction_.resize(n);
    double value = counted(x, gradient_);
    double earlier = value;
    int looked_at = -1, evaluated = 0;
    poor_ = 0;
    begin_direction(kept);
    for (outcome.iterations = 0;; ++outcome.iterations) {
      outcome.gradient = gradient_.norm();
      outcome.converged = outcome.gradient <= settings_.least_gradient;
      if (outcome.converged || outcome.iterations >= settings_.most_iterations) break;
      if (outcome.iterations - looked_at >= 10 || outcome.evaluations - evaluated >= 30) {
        if (earlier - value <= settings_.least_change * std::abs(value)) {
          outcome.converged = true;
          break;
        }
        earlier = value;
        looked_at = outcome.iterations;
        evaluated = outcome.evaluations;
      }
      stop.check();
      before_.noalias() = x;
      gradient_before_.noalias() = gradient_;
      const double value_before = value;
      if (!step(counted, value, x)) {
        // Back to where it was; once more straight downhill, then the digits are used up.
        x.noalias() = before_;
        gradient_.noalias() = gradient_before_;
        value = value_before;
        if (fresh_) {
          outcome.converged = true;
          break;
        }
        begin_direction(false);
        continue;
      }
      // Where the function jumps, searches go on without end and gain next to nothing.
      if (poor_ >= 3) {
        outcome.converged = true;
        break;
      }
      change_.noalias() = x - before_;
      gradient_change_.noalias() = gradient_ - gradient_before_;
      const double curvature = change_.dot(gradient_change_);
      if (curvature > 1e-12 * gradient_change_.squaredNorm()) {
        matrix_.add_correction(change_, gradient_change_);
        fresh_ = false;
      }
      begin_direction(true);
    }
    outcome.value = value;
    return outcome;
  }

 private:
  // Downhill: by the curvature that is known, or straight.
  void begin_direction(bool known) {
    if (known) {
      matrix_.apply_Hv(gradient_, -1.0, direction_);
      if (direction_.dot(gradient_) < 0) return;
    }
    matrix_.reset(static_cast<int>(gradient_.size()), settings_.memory);
    direction_.noalias() = -gradient_;
    fresh_ = true;
  }

  // Along direction_ from before_; false if nothing was gained.
  template <class Function>
  bool step(const Function& counted, double& value, Eigen::VectorXd& x) {
    double length = 1;
    const double start = value;
    try {
      LBFGSpp::LineSearchNocedalWright<double>::LineSearch(counted, value, x, gradient_, length,
                                                           direction_, before_, search_);
    } catch (const std::logic_error&) {
      return false;
    } catch (const std::runtime_error&) {
      ++poor_;
      return value < start;
    }
    poor_ = 0;
    return value < start;
  }

  LbfgsSettings settings_;
  bool fresh_ = true;  // no curvature is known yet
  int poor_ = 0;       // searches in a row that ended without what they look for
  LBFGSpp::LBFGSParam<double> search_;
  LBFGSpp::BFGSMat<double> matrix_;
  Eigen::VectorXd gradient_, direction_, before_, gradient_before_, change_, gradient_change_;
};

}  // namespace sinew::kernels
