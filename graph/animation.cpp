#include "graph/animation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

const Value& Animation::held_at(double frame) const {
  const auto after = std::upper_bound(held.begin() + 1, held.end(), frame,
                                      [](double f, const auto& next) { return f < next.first; });
  return (after - 1)->second;
}

Value Animation::at(TimePoint time) const {
  if (!held.empty()) return held_at(time.frame);
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
    t.bytes = [](const void* p) {
      size_t bytes = sizeof(Animation);
      for (const auto& [frame, value] : static_cast<const Animation*>(p)->held)
        bytes += sizeof(frame) + sizeof(value) + value.bytes();
      return bytes;
    };
    t.to_json = [](const void* p) { return animation_json(*static_cast<const Animation*>(p)); };
    return t;
  }();
  return info;
}

}  // namespace sinew
