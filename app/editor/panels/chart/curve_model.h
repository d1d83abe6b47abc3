// A chart as documents write it (docs/format.md), taken apart so that a hand can change it, and put
// together again. What a hand must not do is not possible here: points never pass each other, a
// period is never shorter than its points, ratios stay above 0.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "graph/json.h"

namespace sinew::editor {

struct CurvePoint {
  double x = 0, y = 0;
  std::optional<double> in, out;  // drawn slopes; on a ratio axis those of log y
  bool operator==(const CurvePoint&) const = default;
};

// A point of a curve: of the way there, or of the way back.
struct PointRef {
  bool back = false;
  std::size_t index = 0;
  auto operator<=>(const PointRef&) const = default;
};

struct CurveModel {
  std::vector<CurvePoint> points, back;
  std::string interpolation = "smooth", extension = "clamped", axis = "linear";
  double period = 0;
  std::optional<std::pair<double, double>> bounds;
  std::vector<std::pair<std::string, double>> marks;
  std::string x_unit, y_unit;

  bool ratio() const { return axis == "ratio"; }
  bool smooth() const { return interpolation == "smooth"; }
  bool cyclic() const { return extension == "cyclic" && points.size() > 1; }
  double first_x() const { return points.empty() ? 0 : points.front().x; }
  double last_x() const { return points.empty() ? 0 : points.back().x; }
  // How long one round is: the period, or from the first point to the last.
  double cycle() const;

  // A list of points, an object, or a number: a curve that has this value everywhere. Nothing for
  // what is no chart.
  static std::optional<CurveModel> read(const Json& json);
  // The list of points alone where that says everything.
  Json write() const;

  std::vector<CurvePoint>& way(bool is_back) { return is_back ? back : points; }
  const std::vector<CurvePoint>& way(bool is_back) const { return is_back ? back : points; }
  const CurvePoint* find(PointRef ref) const;

  // ---- What a hand does
  // Moves the chosen points of `from` by so much in x, and in y by so much or, on a ratio axis, by
  // this factor; as far as the others, the bounds and the period let them. This becomes the result.
  void move(const CurveModel& from, const std::set<PointRef>& chosen, double dx, double dy);
  // Rounds the chosen points to numbers that a pixel of this size tells apart; on a ratio axis
  // `pixel_y` is a part of the value. Whatever would pass a neighbour stays as it is.
  void round_off(const std::set<PointRef>& chosen, double pixel_x, double pixel_y);
  // One point to a place, as far as it can go.
  void place(PointRef ref, double x, double y);
  // Where it is now, or nothing if there is a point already at this x.
  std::optional<PointRef> add(bool is_back, double x, double y);
  // The last point stays, and so do the ends of a way back.
  void remove(const std::set<PointRef>& chosen);
  // Points in the order of x, without those at the same x; how many were left out.
  int set_points(std::vector<CurvePoint> list);
  // Values above 0 on a ratio axis: what is not becomes the least one that is, or 1.
  void set_ratio(bool on);
  void set_cyclic(bool on);
  void set_period(double wanted);
  void add_back();
  double within_bounds(double y) const;

 private:
  std::pair<double, double> room_for(const std::set<PointRef>& chosen) const;
  void keep_ends();
};

// The shape of `start` where `current` is drawn: over its range of x, and of y if both are of the
// same kind of axis; units are those of what is drawn already, where it has any.
CurveModel start_from(const CurveModel& current, const CurveModel& start);

// So many digits that a neighbouring pixel is another number: documents stay readable.
double tidy(double value, double pixel);

}  // namespace sinew::editor
