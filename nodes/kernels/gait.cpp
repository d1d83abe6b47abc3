#include "nodes/kernels/gait.h"

#include <algorithm>
#include <cmath>

namespace sinew::kernels {

Gait::Gait(std::shared_ptr<const ModalModel> model, const ModalSettings& settings,
           const ModalState& start, const GaitGoal& goal)
    : stepper_(std::move(model)), settings_(settings), start_(start), goal_(goal) {}

GaitMeasure Gait::measure(const ModalControl& control) {
  const ModalModel& model = stepper_.model();
  const double size = std::max(model.size, 1e-12);
  const double pull = settings_.gravity.norm();
  const double weight = pull > 0 ? pull : 9.81;
  const Vec3d ahead = goal_.direction.norm() > 0 ? goal_.direction.normalized() : Vec3d(1, 0, 0);
  const Vec3d up = pull > 0 ? Vec3d(-settings_.gravity / pull) : Vec3d(0, 1, 0);
  const Vec3d own_up = start_.turn.conjugate() * up;
  settings_.control = &control;
  ModalState state = start_;
  const ModalEnergy first = modal_energy(model, state, settings_.gravity);
  const int frames = std::max(1, static_cast<int>(std::lround(goal_.seconds / goal_.frame)));
  const int late = frames - std::max(1, frames / 3);
  GaitMeasure out;
  Vec3d velocity = first.velocity, late_place = first.centre, last = first.centre;
  for (int frame = 0; frame < frames; ++frame) {
    if (frame == late) late_place = last;
    if (!stepper_.advance(settings_, goal_.frame, state)) return {.way = -1};
    const ModalState shown = modal_at_frame(state);
    const ModalEnergy now = modal_energy(model, shown, settings_.gravity);
    const double acceleration = (now.velocity - velocity).norm() / goal_.frame / weight;
    out.jerk += acceleration * acceleration / frames;
    out.tilt += (1 - up.dot(shown.turn * own_up)) / 2 / frames;
    out.rise = std::max(out.rise, up.dot(now.centre - first.centre) / size);
    velocity = now.velocity;
    last = now.centre;
  }
  const Vec3d way = (last - first.centre) / size;
  out.way = ahead.dot(way);
  const Vec3d flat = way - up * up.dot(way);
  out.aside = (flat - ahead * ahead.dot(flat)).norm();
  out.speed = ahead.dot(last - late_place) / size / ((frames - late) * goal_.frame);
  out.effort = modal_at_frame(state).books.effort / (model.total * weight * size);
  return out;
}

double Gait::cost(const GaitMeasure& m) const {
  const bool forward = m.way > 1e-4 && m.way * m.speed >= 0;
  const double c = goal_.constant;
  double cost = 0;
  switch (goal_.cost) {
    case GaitCost::distance:
      cost = forward ? 1 / m.way : failed_gait;
      break;
    case GaitCost::effort:
      cost = forward ? m.effort / m.way : failed_gait;
      break;
    case GaitCost::bound:
    case GaitCost::fast_bound: {
      const double factor = goal_.cost == GaitCost::bound ? c : 5 * c;
      cost = forward && m.speed > 1e-4 ? m.effort / (factor * m.way * m.speed) : failed_gait;
      break;
    }
    case GaitCost::shuffle:
      cost = forward ? m.effort / (5 * c * m.way) : failed_gait;
      break;
    case GaitCost::weights:
      cost = goal_.k1 * m.effort - goal_.k2 * m.way;
      break;
  }
  // One that does not go forward is the better for every step in that direction.
  if (cost == failed_gait) cost -= std::clamp(m.way, -1.0, 1.0);
  return cost + goal_.aside * m.aside - goal_.height * m.rise + goal_.upright * m.tilt +
         goal_.smooth * m.jerk;
}

}  // namespace sinew::kernels
