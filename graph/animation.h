// A parameter that changes over time: numbers that follow charts, or values of any type, each of
// which holds from its frame on. Most nodes only see its value at the moment; inputs that are
// declared as `whole_time` are given all of it.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "graph/value.h"

namespace sinew {

struct Animation {
  std::vector<std::pair<double, Value>> held;  // frames increasing; empty: numbers follow charts
  const TypeInfo* type = nullptr;              // of the value that the numbers become
  std::vector<Value> curves;  // one per component; empty where it stays `constants[i]`
  std::vector<double> constants;
  double min = 0, max = 0;  // charts are clamped to the declared range

  Value at(TimePoint time) const;
};

// As a value it is what inputs of `whole_time` are given in place of their own type.
SINEW_VALUE_TYPE(Animation);

}  // namespace sinew
