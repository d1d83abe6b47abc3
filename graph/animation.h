// A parameter that changes over time: numbers that follow charts, or values of any type, each of
// which holds from its frame on. Most nodes only see its value at the moment; inputs that are
// declared as `whole_time` are given all of it, also of what comes by a link and differs from frame
// to frame.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "graph/value.h"

namespace sinew {

struct Animation {
  std::vector<std::pair<double, Value>> held;  // frames increasing; empty: numbers follow charts
  // The held values are what a link brought at each frame of the document: moments of something
  // that may move on in between, not steps. Frames that are not among them are as the one before.
  bool sampled = false;
  const TypeInfo* type = nullptr;  // of the value that the numbers become
  std::vector<Value> curves;       // one per component; empty where it stays `constants[i]`
  std::vector<double> constants;
  double min = 0, max = 0;  // charts are clamped to the declared range

  Value at(TimePoint time) const;
  // Which of the held values holds at a frame: the first also before it.
  const Value& held_at(double frame) const;
};

// As a value it is what inputs of `whole_time` are given in place of their own type.
SINEW_VALUE_TYPE(Animation);

}  // namespace sinew
