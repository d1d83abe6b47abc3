#include "nodes/kernels/activation.h"

#include <algorithm>

#include "nodes/values/common.h"

namespace sinew {

using namespace values;

namespace {

Json describe_activation(const Activation& activation) {
  std::size_t touches = 0;
  for (const Response& r : activation.responses) touches += r.touches.size();
  Json facts = {{"count", activation.count},
                {"time", activation.time},
                {"responses", activation.responses.size()},
                {"touches", touches}};
  if (activation.count == 0) return facts;
  kernels::ActivationScratch scratch;
  std::vector<float> signal(activation.count);
  kernels::activation_signal(activation, 0, {}, scratch, signal);
  const auto [low, high] = std::minmax_element(signal.begin(), signal.end());
  facts["primary"] = {{"min", shortest_decimal(1 + *low)}, {"max", shortest_decimal(1 + *high)}};
  return facts;
}

}  // namespace

template <>
const TypeInfo& type_of<Activation>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<Activation>(
        "activation", "What the tissue at each vertex does of itself, now and at any other time.",
        0xC0392B);
    t.per_element = true;
    t.describe = [](const void* p) { return describe_activation(content<Activation>(p)); };
    return t;
  }();
  return info;
}

}  // namespace sinew
