// A body whose modes change while it moves: what it goes on with.
//
// Modes are known by their names. Those that stay keep their amplitudes and rates, in whatever
// order they come; new ones begin at 0, at rest, so that the shape does not jump; what is left out
// is gone. The origin of the body's frame is the centre of mass at rest: where the mass points have
// changed, the frame moves with it, and the body stays where it is.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "nodes/kernels/modal_keys.h"

namespace sinew::kernels {

// From modes to others.
class ModeChange {
 public:
  ModeChange(std::span<const std::string> before, std::span<const std::string> now);

  // A list by mode as the modes are now; `fresh`: what new ones have.
  template <class T>
  void carry(std::vector<T>& list, std::span<const T> fresh) const {
    std::vector<T> now(fresh.begin(), fresh.end());
    for (std::size_t m = 0; m < from_.size(); ++m) {
      if (from_[m] < list.size()) now[m] = list[from_[m]];
    }
    list = std::move(now);
  }

 private:
  std::vector<std::size_t> from_;  // of each mode: which it was; beyond the last: new
};

// `moved`: by how much the centre of mass at rest lies elsewhere than before, m.
void carry_over(const ModeChange& change, std::size_t modes, const Vec3d& moved, ModalState& state);
// New modes of keys that have passed are as `rest` says, so that they come without a rate.
void carry_over(const ModeChange& change, std::span<const double> rest, const Vec3d& moved,
                ModalKeys& keys);
void carry_over(const ModeChange& change, std::size_t modes, ModalOffset& offset);

}  // namespace sinew::kernels
