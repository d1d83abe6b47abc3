#include "graph/over_time.h"

#include <limits>

#include "graph/frame_time.h"

namespace sinew {

ValueOverTime::ValueOverTime(Value value, double fps) : value_(std::move(value)), fps_(fps) {
  if (!value_ || !value_.is<Animation>()) return;
  animation_ = &value_.as<Animation>();
  if (animation_->held.empty()) sampled_ = std::make_shared<Sampled>();
}

double ValueOverTime::first() const {
  if (!animation_) return 0;
  return sampled_ ? -std::numeric_limits<double>::infinity() : animation_->held.front().first;
}

double ValueOverTime::last() const {
  if (!animation_) return 0;
  return sampled_ ? std::numeric_limits<double>::infinity() : animation_->held.back().first;
}

const Value& ValueOverTime::value_at(double frame) const {
  if (!animation_) return value_;
  if (!sampled_) return animation_->held_at(frame);
  const std::lock_guard lock(sampled_->mutex);
  const auto [it, fresh] = sampled_->values.try_emplace(frame);
  if (fresh) it->second = animation_->at({frame, seconds_at(frame, fps_)});
  return it->second;
}

}  // namespace sinew
