#include "graph/animation.h"

#include <cmath>
#include <limits>

namespace sinew {

Value Animation::at(TimePoint time) const {
  if (!held.empty()) {
    size_t last = 0;
    while (last + 1 < held.size() && held[last + 1].first <= time.frame) ++last;
    return held[last].second;
  }
  std::vector<double> numbers(constants);
  for (size_t i = 0; i < curves.size(); ++i)
    if (curves[i]) numbers[i] = curves[i].type()->sample(curves[i].data(), time);
  const double largest = std::numeric_limits<float>::max();
  for (double& x : numbers)
    x = std::fmin(std::fmax(x, std::fmax(min, -largest)), std::fmin(max, largest));
  return type->from_numbers(numbers);
}

namespace {

// As it stands in documents, but for the range, which comes from the declaration.
Json animation_json(const Animation& animation) {
  Json list = Json::array();
  for (const auto& [frame, value] : animation.held) list.push_back({frame, value.to_json()});
  if (!animation.held.empty()) return {{"steps", std::move(list)}};
  for (size_t i = 0; i < animation.curves.size(); ++i) {
    const Value& curve = animation.curves[i];
    list.push_back(curve ? curve.to_json() : Json(animation.constants[i]));
  }
  return {{"animate", std::move(list)}};
}

}  // namespace

template <>
const TypeInfo& type_of<Animation>() {
  static const TypeInfo info = [] {
    TypeInfo t;
    t.name = "animation";
    t.doc = "A parameter that changes over time.";
    t.bytes = [](const void*) { return sizeof(Animation); };
    t.to_json = [](const void* p) { return animation_json(*static_cast<const Animation*>(p)); };
    return t;
  }();
  return info;
}

}  // namespace sinew
