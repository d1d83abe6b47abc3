#include "nodes/kernels/modal_carry.h"

#include <algorithm>

namespace sinew::kernels {
namespace {

// The frame of a body with another origin.
void move_frame(const Vec3d& moved, const Eigen::Quaterniond& turn, const Vec3d& spin, Vec3d& place,
                Vec3d& velocity) {
  const Vec3d arm = turn * moved;
  place += arm;
  velocity += spin.cross(arm);
}

}  // namespace

ModeChange::ModeChange(std::span<const std::string> before, std::span<const std::string> now) {
  for (const std::string& name : now) {
    from_.push_back(
        static_cast<std::size_t>(std::find(before.begin(), before.end(), name) - before.begin()));
  }
}

void carry_over(const ModeChange& change, std::size_t modes, const Vec3d& moved,
                ModalState& state) {
  const std::vector<double> zero(modes, 0.0);
  const std::vector<uint8_t> awake(modes, 0);
  const std::vector<float> stirred(modes, 0.0f);
  const std::span<const double> none(zero);
  change.carry(state.amplitudes, none);
  change.carry(state.rates, none);
  change.carry(state.asleep, std::span<const uint8_t>(awake));
  change.carry(state.still, std::span<const float>(stirred));
  move_frame(moved, state.turn, state.spin, state.place, state.velocity);
  if (state.ahead > 0) {
    ModalMoment& before = state.before;
    change.carry(before.amplitudes, none);
    change.carry(before.rates, none);
    move_frame(moved, before.turn, before.spin, before.place, before.velocity);
  }
  // Where it is held, and what its energy can be, is found anew.
  state.grips.clear();
  state.bound = std::numeric_limits<double>::infinity();
}

void carry_over(const ModeChange& change, std::span<const double> rest, const Vec3d& moved,
                ModalKeys& keys) {
  for (ModalKey& key : keys.last) {
    change.carry(key.amplitudes, rest);
    key.place += key.turn * moved;
  }
}

void carry_over(const ModeChange& change, std::size_t modes, ModalOffset& offset) {
  if (offset.amplitudes.empty()) return;
  const std::vector<double> zero(modes, 0.0);
  change.carry(offset.amplitudes, std::span<const double>(zero));
  change.carry(offset.rates, std::span<const double>(zero));
}

}  // namespace sinew::kernels
