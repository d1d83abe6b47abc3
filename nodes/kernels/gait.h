// How well a controller makes a body move: a motion is simulated, measured, and judged
// [Faloutsos97, sections 6.2 and 6.3, table 2 and equation 8].
//
// So that a goal means the same for a thimble and a table, lengths are counted in sizes L of the
// body, and energy in what lifts it by its own size, m |g| L (with 9.81 m/s^2 where nothing falls).
//   E_c   integral of |Qu . gamma'|, mode by mode: what the controller spends
//   t_x   way of the centre of mass along the direction
//   t_x'  its mean velocity there over the last third
#pragma once

#include <memory>

#include "nodes/kernels/modal_motion.h"

namespace sinew::kernels {

enum class GaitCost : uint8_t {
  distance,    // 1 / t_x: far, whatever it costs
  effort,      // E_c / t_x
  bound,       // E_c / (c t_x t_x')
  fast_bound,  // the same with 5 c
  shuffle,     // E_c / (5 c t_x)
  weights,     // K1 E_c - K2 t_x
};

// K1 beside K2 = 1 at which most bodies get on, and do not waste; with 1 they do best to stand
// still.
inline constexpr double standard_price = 0.2;

struct GaitGoal {
  GaitCost cost = GaitCost::weights;
  double k1 = standard_price, k2 = 1;  // of `weights`
  double constant = 1;                 // c
  Vec3d direction{1, 0, 0};            // of any length
  double aside = 0;                    // cost of each size that it ends beside the direction
  double height = 0;                   // reward for each size that the centre rises at most
  double upright = 0;                  // cost of the mean tilt, 0 to 1 for upside down
  double smooth = 0;                   // cost of the mean square of accelerations, in |g|
  double seconds = 4;
  double frame = 0.04;  // s: how often it is looked at
};

// Where the paper sets "a high value": it did not go forward, or goes backwards at the end.
inline constexpr double failed_gait = 1e6;

struct GaitMeasure {
  double effort = 0;  // E_c
  double way = 0, speed = 0, aside = 0, rise = 0, tilt = 0, jerk = 0;
};

class Gait {
 public:
  Gait(std::shared_ptr<const ModalModel> model, const ModalSettings& settings,
       const ModalState& start, const GaitGoal& goal);

  GaitMeasure measure(const ModalControl& control);
  double cost(const GaitMeasure& measured) const;

 private:
  ModalStepper stepper_;
  ModalSettings settings_;
  ModalState start_;
  GaitGoal goal_;
};

}  // namespace sinew::kernels
