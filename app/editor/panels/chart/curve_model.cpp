#include "app/editor/panels/chart/curve_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::editor {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double least_ratio = 1e-6;

bool is_pair(const Json& json) {
  return json.is_array() && json.size() == 2 && json[0].is_number() && json[1].is_number();
}

bool read_points(const Json& json, std::vector<CurvePoint>& points) {
  if (!json.is_array()) return false;
  for (const Json& p : json) {
    if (!is_pair(p)) return false;
    points.push_back({p[0].get<double>(), p[1].get<double>(), {}, {}});
  }
  return true;
}

std::optional<double> number_or_nothing(const Json& json) {
  return json.is_number() ? std::optional(json.get<double>()) : std::nullopt;
}

void read_tangents(const Json& json, std::vector<CurvePoint>& points) {
  if (!json.is_array()) return;
  for (std::size_t i = 0; i < std::min(json.size(), points.size()); ++i) {
    const Json& t = json[i];
    if (t.is_array() && t.size() == 2) {
      points[i].in = number_or_nothing(t[0]);
      points[i].out = number_or_nothing(t[1]);
    } else {
      points[i].in = points[i].out = number_or_nothing(t);
    }
  }
}

Json points_json(const std::vector<CurvePoint>& points) {
  Json list = Json::array();
  for (const CurvePoint& p : points) list.push_back(Json::array({p.x, p.y}));
  return list;
}

Json tangents_json(const std::vector<CurvePoint>& points) {
  Json list = Json::array();
  const auto side = [](const std::optional<double>& slope) {
    return slope ? Json(*slope) : Json();
  };
  for (const CurvePoint& p : points) {
    if (p.in == p.out) {
      list.push_back(side(p.in));
    } else {
      list.push_back(Json::array({side(p.in), side(p.out)}));
    }
  }
  return list;
}

std::string word(const Json& json, const char* name, const std::string& standard) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : standard;
}

// How close two points may come.
double least_gap(const CurveModel& m) {
  const double span = std::max(m.last_x() - m.first_x(), m.period);
  return 1e-6 * (span > 0 ? span : 1);
}

}  // namespace

double CurveModel::cycle() const { return std::max(period, last_x() - first_x()); }

std::optional<CurveModel> CurveModel::read(const Json& json) {
  CurveModel m;
  if (json.is_number()) {
    m.points = {{0, json.get<double>(), {}, {}}};
    return m;
  }
  if (json.is_array()) {
    if (!read_points(json, m.points) || m.points.empty()) return std::nullopt;
    return m;
  }
  if (!json.is_object() || !json.contains("points")) return std::nullopt;
  if (!read_points(json["points"], m.points) || m.points.empty()) return std::nullopt;
  if (json.contains("back")) read_points(json["back"], m.back);
  if (json.contains("tangents")) read_tangents(json["tangents"], m.points);
  m.interpolation = word(json, "interpolation", m.interpolation);
  m.extension = word(json, "extension", m.extension);
  m.axis = word(json, "axis", m.axis);
  m.x_unit = word(json, "x_unit", {});
  m.y_unit = word(json, "y_unit", {});
  if (json.contains("period") && json["period"].is_number()) m.period = json["period"];
  if (json.contains("bounds") && is_pair(json["bounds"]))
    m.bounds = {json["bounds"][0].get<double>(), json["bounds"][1].get<double>()};
  if (json.contains("marks") && json["marks"].is_object())
    for (const auto& [name, x] : json["marks"].items())
      if (x.is_number()) m.marks.emplace_back(name, x.get<double>());
  return m;
}

Json CurveModel::write() const {
  Json json = {{"points", points_json(points)}};
  const bool drawn =
      std::any_of(points.begin(), points.end(), [](const auto& p) { return p.in || p.out; });
  if (drawn) json["tangents"] = tangents_json(points);
  if (interpolation != "smooth") json["interpolation"] = interpolation;
  if (extension != "clamped") json["extension"] = extension;
  if (period != 0) json["period"] = period;
  if (axis != "linear") json["axis"] = axis;
  if (bounds) json["bounds"] = Json::array({bounds->first, bounds->second});
  if (!back.empty()) json["back"] = points_json(back);
  for (const auto& [name, x] : marks) json["marks"][name] = x;
  if (!x_unit.empty()) json["x_unit"] = x_unit;
  if (!y_unit.empty()) json["y_unit"] = y_unit;
  return json.size() == 1 ? json["points"] : json;
}

const CurvePoint* CurveModel::find(PointRef ref) const {
  const std::vector<CurvePoint>& list = way(ref.back);
  return ref.index < list.size() ? &list[ref.index] : nullptr;
}

double CurveModel::within_bounds(double y) const {
  if (ratio()) y = std::clamp(y, least_ratio, 1 / least_ratio);
  return bounds ? std::clamp(y, bounds->first, bounds->second) : y;
}

// How far the chosen points can go to the left and to the right together.
std::pair<double, double> CurveModel::room_for(const std::set<PointRef>& chosen) const {
  const double gap = least_gap(*this);
  double left = -infinite, right = infinite;
  // The ends of a way back are where those of the way there are: each moves with the other.
  const auto is_chosen = [&](bool is_back, std::size_t i) {
    if (chosen.contains({is_back, i})) return true;
    if (back.empty()) return false;
    if (i == 0) return chosen.contains({!is_back, 0});
    return i + 1 == way(is_back).size() && chosen.contains({!is_back, way(!is_back).size() - 1});
  };
  for (const bool is_back : {false, true}) {
    const std::vector<CurvePoint>& list = way(is_back);
    for (std::size_t i = 0; i + 1 < list.size(); ++i) {
      const double free = std::max(list[i + 1].x - list[i].x - gap, 0.0);
      const bool a = is_chosen(is_back, i), b = is_chosen(is_back, i + 1);
      if (a && !b) right = std::min(right, free);
      if (b && !a) left = std::max(left, -free);
    }
  }
  if (cyclic() && period > 0) {
    const double free = std::max(period - (last_x() - first_x()), 0.0);
    const bool a = is_chosen(false, 0), b = is_chosen(false, points.size() - 1);
    if (b && !a) right = std::min(right, free);
    if (a && !b) left = std::max(left, -free);
  }
  return {left, right};
}

void CurveModel::keep_ends() {
  if (back.empty()) return;
  back.front().x = first_x();
  back.back().x = last_x();
}

void CurveModel::move(const CurveModel& from, const std::set<PointRef>& chosen, double dx,
                      double dy) {
  const auto [left, right] = from.room_for(chosen);
  dx = std::clamp(dx, left, right);
  *this = from;
  for (const PointRef& ref : chosen) {
    if (!find(ref)) continue;
    CurvePoint& p = way(ref.back)[ref.index];
    const double before = p.x;
    p.x += dx;
    p.y = within_bounds(ratio() ? p.y * dy : p.y + dy);
    if (back.empty()) continue;
    // An end takes that of the other way with it.
    std::vector<CurvePoint>& other = way(!ref.back);
    if (before == from.way(!ref.back).front().x) other.front().x = p.x;
    if (before == from.way(!ref.back).back().x) other.back().x = p.x;
  }
}

void CurveModel::round_off(const std::set<PointRef>& chosen, double pixel_x, double pixel_y) {
  for (const PointRef& ref : chosen) {
    if (!find(ref)) continue;
    std::vector<CurvePoint>& list = way(ref.back);
    CurvePoint& p = list[ref.index];
    p.y = within_bounds(tidy(p.y, ratio() ? p.y * pixel_y : pixel_y));
    const bool is_end = ref.index == 0 || ref.index + 1 == list.size();
    if (!back.empty() && is_end) continue;
    const double x = tidy(p.x, pixel_x), before = p.x;
    if (ref.index > 0 && !(x > list[ref.index - 1].x)) continue;
    if (ref.index + 1 < list.size() && !(x < list[ref.index + 1].x)) continue;
    p.x = x;
    if (period > 0 && last_x() - first_x() > period) p.x = before;
  }
}

void CurveModel::place(PointRef ref, double x, double y) {
  const CurvePoint* p = find(ref);
  if (!p) return;
  const auto [left, right] = room_for({ref});
  const CurvePoint before = *p;
  const double wanted = std::clamp(x, before.x + left, before.x + right);
  move(CurveModel(*this), {ref}, wanted - before.x, ratio() ? 1 : 0);
  way(ref.back)[ref.index].x = wanted;
  way(ref.back)[ref.index].y = within_bounds(y);
  if (ref.back && ref.index == 0) points.front().x = wanted;
  if (ref.back && ref.index + 1 == back.size()) points.back().x = wanted;
  keep_ends();
}

std::optional<PointRef> CurveModel::add(bool is_back, double x, double y) {
  std::vector<CurvePoint>& list = way(is_back);
  if (is_back && list.empty()) return std::nullopt;
  // A cyclic curve is the same in every round.
  if (cyclic() && !is_back) x -= std::floor((x - first_x()) / cycle()) * cycle();
  // Outside of a loop both ways would need the point.
  if (!back.empty()) x = std::clamp(x, first_x(), last_x());
  const auto place = std::lower_bound(list.begin(), list.end(), x,
                                      [](const CurvePoint& p, double at) { return p.x < at; });
  const double gap = least_gap(*this);
  if (place != list.end() && place->x - x < gap) return std::nullopt;
  if (place != list.begin() && x - std::prev(place)->x < gap) return std::nullopt;
  const auto index = static_cast<std::size_t>(place - list.begin());
  list.insert(place, {x, within_bounds(y), {}, {}});
  return PointRef{is_back, index};
}

void CurveModel::remove(const std::set<PointRef>& chosen) {
  for (const bool is_back : {false, true}) {
    std::vector<CurvePoint>& list = way(is_back);
    for (std::size_t i = list.size(); i-- > 0;) {
      if (!chosen.contains({is_back, i}) || list.size() == 1) continue;
      if (!back.empty() && (i == 0 || i + 1 == list.size())) continue;
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

int CurveModel::set_points(std::vector<CurvePoint> list) {
  const std::size_t given = list.size();
  std::stable_sort(list.begin(), list.end(),
                   [](const CurvePoint& a, const CurvePoint& b) { return a.x < b.x; });
  list.erase(std::unique(list.begin(), list.end(),
                         [](const CurvePoint& a, const CurvePoint& b) { return a.x == b.x; }),
             list.end());
  if (list.empty()) return 0;
  for (CurvePoint& p : list) p.y = within_bounds(p.y);
  points = std::move(list);
  back.clear();
  if (period > 0) set_period(period);
  return static_cast<int>(given - points.size());
}

void CurveModel::set_ratio(bool on) {
  if (on == ratio()) return;
  axis = on ? "ratio" : "linear";
  // Slopes of y become slopes of log y, and the other way round.
  for (CurvePoint& p : points) {
    for (std::optional<double>* slope : {&p.in, &p.out})
      if (*slope)
        *slope = on ? (p.y > 0 ? std::optional(**slope / p.y) : std::nullopt)
                    : std::optional(**slope * p.y);
  }
  if (!on) return;
  double least = infinite;
  for (const bool is_back : {false, true})
    for (const CurvePoint& p : way(is_back))
      if (p.y > 0) least = std::min(least, p.y);
  if (bounds && !(bounds->first > 0)) bounds.reset();
  for (const bool is_back : {false, true})
    for (CurvePoint& p : way(is_back))
      if (!(p.y > 0)) p.y = std::isfinite(least) ? least : 1;
}

void CurveModel::set_cyclic(bool on) {
  extension = on ? "cyclic" : "clamped";
  if (!on) period = 0;
}

void CurveModel::set_period(double wanted) {
  const double span = last_x() - first_x();
  period = wanted <= 0 ? 0 : std::max(wanted, span);
}

void CurveModel::add_back() {
  if (points.size() < 2) return;
  back = points;
  for (CurvePoint& p : back) p.in = p.out = std::nullopt;
}

namespace {

struct Extent {
  double low = infinite, high = -infinite;
};

Extent values_of(const CurveModel& m) {
  Extent e;
  for (const bool is_back : {false, true})
    for (const CurvePoint& p : m.way(is_back))
      e.low = std::min(e.low, p.y), e.high = std::max(e.high, p.y);
  return e;
}

}  // namespace

CurveModel start_from(const CurveModel& current, const CurveModel& start) {
  CurveModel m = start;
  const double old_length =
      current.cyclic() ? current.cycle() : current.last_x() - current.first_x();
  const double new_length = start.cyclic() ? start.cycle() : start.last_x() - start.first_x();
  const double scale = old_length > 0 && new_length > 0 ? old_length / new_length : 1;
  const double shift = current.first_x() - start.first_x() * scale;
  const auto moved = [&](double x) { return x * scale + shift; };
  for (const bool is_back : {false, true})
    for (CurvePoint& p : m.way(is_back)) {
      p.x = moved(p.x);
      if (p.in) *p.in /= scale;
      if (p.out) *p.out /= scale;
    }
  for (auto& [name, x] : m.marks) x = moved(x);
  m.period *= scale;
  if (m.period > 0) m.set_period(m.period);
  if (!current.x_unit.empty()) m.x_unit = current.x_unit;
  if (!current.y_unit.empty()) m.y_unit = current.y_unit;
  if (current.ratio() != start.ratio()) return m;
  m.bounds = current.bounds;
  if (m.ratio()) {
    for (const bool is_back : {false, true})
      for (CurvePoint& p : m.way(is_back)) p.y = m.within_bounds(p.y);
    return m;
  }
  // Between the same two values, if there are two.
  const Extent a = values_of(current), b = values_of(start);
  const double stretch = a.high > a.low && b.high > b.low ? (a.high - a.low) / (b.high - b.low) : 1;
  const double lift = stretch == 1 && !(a.high > a.low) ? 0 : a.low - b.low * stretch;
  for (const bool is_back : {false, true})
    for (CurvePoint& p : m.way(is_back)) {
      p.y = m.within_bounds(p.y * stretch + lift);
      if (p.in) *p.in *= stretch;
      if (p.out) *p.out *= stretch;
    }
  return m;
}

double tidy(double value, double pixel) {
  if (!(pixel > 0) || !std::isfinite(pixel) || !std::isfinite(value)) return value;
  const double power = std::floor(std::log10(pixel));
  if (power >= 0) {
    const double step = std::pow(10, power);
    return std::round(value / step) * step;
  }
  // Dividing by a whole number gives the shortest decimal; multiplying by 0.001 does not.
  const double parts = std::pow(10, std::min(-power, 15.0));
  return std::round(value * parts) / parts;
}

}  // namespace sinew::editor
