#include "nodes/voo_words.h"

#include <algorithm>

#include "nodes/kernels/chart_ops.h"

namespace sinew {

namespace {

// Paths carry a moment, which is another in every frame and means nothing to a recipe.
VooSet without_moments(VooSet set) {
  for (VooMember& member : set.members) {
    for (VooTravel& travel : member.travels) travel.path.time = 0;
  }
  for (VooTie& tie : set.ties) {
    if (tie.path) tie.path->time = 0;
  }
  return set;
}

// Each value holds from its frame on.
std::vector<Chart> stepped_charts(const Animation& animation, double dt) {
  std::vector<Chart> charts;
  for (const auto& [frame, value] : animation.held) {
    const std::vector<double> numbers = value.type()->to_numbers(value.data());
    charts.resize(numbers.size(), {.interpolation = Interpolation::stepped, .x_unit = "s"});
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      charts[k].points.push_back({frame * dt, numbers[k]});
    }
  }
  return charts;
}

std::vector<Chart> animated_charts(const Animation& animation, double dt) {
  if (!animation.held.empty()) return stepped_charts(animation, dt);
  std::vector<Chart> charts;
  for (std::size_t k = 0; k < animation.curves.size(); ++k) {
    const Value& curve = animation.curves[k];
    charts.push_back(curve ? over_seconds(curve.as<Chart>(), dt)
                           : Chart::constant(animation.constants[k]));
  }
  return charts;
}

}  // namespace

Chart over_seconds(Chart chart, double dt) {
  if (chart.x_unit != "frames") return chart;
  chart = kernels::scale_x(chart, dt, 0);
  chart.x_unit = "s";
  return chart;
}

void declare_which(Declaration& d, In<std::string>& which) {
  d.in(which, "which", std::string())
      .doc(
          "The operators that are meant, by name or number, separated by commas; * stands for any "
          "letters. Empty: all of them.");
}

std::vector<std::size_t> read_which(Exec& e, const In<std::string>& which, const VooSet& set) {
  std::vector<std::size_t> found = named_members(set, e.get(which));
  if (found.empty() && set.size() > 0) {
    std::string names;
    for (std::size_t i = 0; i < std::min<std::size_t>(set.size(), 8); ++i) {
      names += (i > 0 ? ", " : "") + called(set, i);
    }
    e.error("'which' names no operator; there are {}{}", names, set.size() > 8 ? ", ..." : "");
  }
  return found;
}

VooSet joined_sets(const Exec& e, const InList<VooSet>& sets) {
  VooSet all;
  for (const VooSet* set : e.get(sets)) append(all, *set);
  return all;
}

std::vector<Chart> charts_over_seconds(const Exec& e, const In<float>& in) {
  if (const Animation* animation = e.animation(in)) return animated_charts(*animation, e.dt());
  return {Chart::constant(static_cast<double>(e.get(in)))};
}

std::vector<Chart> charts_over_seconds(const Exec& e, const In<Vec3>& in) {
  if (const Animation* animation = e.animation(in)) return animated_charts(*animation, e.dt());
  const Vec3& v = e.get(in);
  return {Chart::constant(static_cast<double>(v.x)), Chart::constant(static_cast<double>(v.y)),
          Chart::constant(static_cast<double>(v.z))};
}

bool is_always(const Chart& chart, double y) {
  return chart.tangents.empty() && std::all_of(chart.points.begin(), chart.points.end(),
                                               [&](const ChartPoint& p) { return p.y == y; });
}

std::shared_ptr<const kernels::VooMotion> prepared_motion(Exec& e, const VooSet& set) {
  VooSet recipe = without_moments(set);
  const std::string name = content_name("voo motion", recipe);
  return e.prepared<kernels::VooMotion>(name, [&] {
    return stoppable(e,
                     [&](CancelView stop) { return kernels::VooMotion(std::move(recipe), stop); });
  });
}

}  // namespace sinew
