#include <algorithm>
#include <cmath>

#include "nodes/geometry/modes.h"
#include "nodes/geometry/pose_graph.h"
#include "nodes/values/common.h"
#include "nodes/values/forms.h"

namespace sinew::values {
namespace {

// Sums of times are no round numbers; documents are to stay readable.
double tidied(double seconds) { return std::round(seconds * 1e6) / 1e6; }

// When each pose begins.
std::vector<double> starts_of(const PoseGraph& graph) {
  std::vector<double> starts;
  double at = 0;
  for (const GraphPose& pose : graph.poses) {
    starts.push_back(tidied(at));
    at += pose.time;
  }
  return starts;
}

Sheet sheet_of(const PoseGraph& graph) {
  Sheet sheet{graph.modes, {}, {graph.frequency, graph.damping}};
  for (const GraphPose& pose : graph.poses) {
    std::vector<double> row = {pose.time};
    row.insert(row.end(), pose.amplitudes.begin(), pose.amplitudes.end());
    sheet.rows.push_back(std::move(row));
  }
  return sheet;
}

Result<Json> written(const PoseGraph& graph) {
  if (const auto wrong = validate(graph)) return Error{*wrong};
  return pose_graph_to_json(graph);
}

Result<Json> from_sheet(const Sheet& sheet) {
  PoseGraph graph;
  graph.modes = sheet.columns;
  for (const std::vector<double>& row : sheet.rows) {
    graph.poses.push_back({row.empty() ? 0 : row[0], {row.begin() + !row.empty(), row.end()}});
  }
  if (sheet.whole.size() == 2) {
    graph.frequency = sheet.whole[0];
    graph.damping = sheet.whole[1];
  }
  return written(graph);
}

std::vector<CurvesForm::Curve> curves_of(const PoseGraph& graph) {
  std::vector<CurvesForm::Curve> curves;
  if (graph.poses.empty()) return curves;
  const std::vector<double> starts = starts_of(graph);
  for (size_t mode = 0; mode < graph.modes.size(); ++mode) {
    Json points = Json::array();
    for (size_t i = 0; i < starts.size(); ++i) {
      points.push_back({starts[i], graph.poses[i].amplitudes[mode]});
    }
    curves.push_back({graph.modes[mode],
                      {{"points", std::move(points)},
                       {"interpolation", "stepped"},
                       {"extension", "cyclic"},
                       {"period", tidied(graph.cycle())},
                       {"x_unit", "s"}}});
  }
  return curves;
}

// The poses that the points of one mode's curve begin: the same ones where there are as many, else
// those at the same times, and in between new ones that keep what the other modes do there.
std::vector<GraphPose> poses_at(const PoseGraph& graph, const Chart& chart) {
  if (chart.points.size() == graph.poses.size()) return graph.poses;
  const std::vector<double> starts = starts_of(graph);
  std::vector<GraphPose> poses;
  for (const ChartPoint& point : chart.points) {
    const auto after = std::upper_bound(starts.begin(), starts.end(), point.x + 1e-6);
    const auto there = static_cast<size_t>(std::max<std::ptrdiff_t>(after - starts.begin(), 1)) - 1;
    poses.push_back(graph.poses[there]);
  }
  return poses;
}

// The first pose begins with the cycle, wherever its point was put.
Result<Json> with_curve(const PoseGraph& graph, size_t mode, const Json& json) {
  const Result<Chart> chart = chart_from_json(json);
  if (!chart) return Error{chart.error()};
  if (mode >= graph.modes.size() || chart->points.empty()) return Error{"there is no such mode"};
  PoseGraph next = graph;
  next.poses = poses_at(graph, *chart);
  const double end =
      chart->period > 0 ? chart->period : std::max(chart->last_x(), tidied(graph.cycle()));
  double start = 0;
  for (size_t i = 0; i < next.poses.size(); ++i) {
    const bool last = i + 1 == next.poses.size();
    const double stop = last ? end : chart->points[i + 1].x;
    next.poses[i].time = std::max(tidied(stop - start), shortest_pose);
    next.poses[i].amplitudes[mode] =
        std::clamp(chart->points[i].y, -largest_amplitude, largest_amplitude);
    start += next.poses[i].time;
  }
  return written(next);
}

}  // namespace

LiteralForms pose_graph_forms() {
  SheetForm sheet;
  sheet.row = "pose";
  sheet.column = "mode";
  sheet.lead = {
      {"time", "s", "For how long the pose is wanted.", 0.25, shortest_pose, longest_pose}};
  sheet.cell = {"amplitude",      "", "The amplitude of the mode.", 0, -largest_amplitude,
                largest_amplitude};
  sheet.whole = {{"frequency", "x", "How stiffly poses are held: times the frequency of each mode.",
                  4, 0, 1000},
                 {"damping", "", "Parts of the critical damping.", 1, 0, 100}};
  sheet.read = [](const void* p) { return sheet_of(content<PoseGraph>(p)); };
  sheet.write = from_sheet;
  CurvesForm curves;
  curves.doc = "A pose begins at each point. All modes share the times of the poses.";
  curves.read = [](const void* p) { return curves_of(content<PoseGraph>(p)); };
  curves.write = [](const void* p, size_t which, const Json& chart) {
    return with_curve(content<PoseGraph>(p), which, chart);
  };
  return {std::move(sheet), std::move(curves), {}};
}

}  // namespace sinew::values
