// Which curves the chart editor shows: the chart that is looked at, with the others of its plot;
// those of a literal that has several (graph/literal_forms.h); or those of a parameter that follows
// charts over time, one for each of its numbers.
#pragma once

#include <imgui.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "app/editor/editor.h"
#include "app/editor/panels/chart/curve_model.h"
#include "app/editor/panels/chart/running.h"

namespace sinew::editor {

// Where in the parameter of a node a chart is written.
struct CurvePlace {
  std::string node, input;
  int component = -1;  // of an animation of several numbers
  int step = -1;       // of a parameter that has another chart from some frame on
  bool animation = false;
  int part = -1;  // of a literal with several curves
  // Which of those of one parameter it is.
  int which() const { return std::max({component, part, 0}); }
  bool is_one_of_several() const { return animation || part >= 0; }
  bool operator==(const CurvePlace&) const = default;
};

struct ShownCurve {
  CurvePlace place;
  std::string path;  // of its node, from the document's own graph on
  // Copies: a change makes a new graph, and the declaration of a group's socket goes with the old.
  std::string name, label, doc;
  std::optional<CurveClock> clock;  // of a chart; an animation is over time in any case
  ImU32 colour = 0;
  CurveModel model;
  Value value;                       // of the curve's type, to be drawn; empty: not known (yet)
  Value in_effect;                   // counts in its place
  std::vector<RunningMark> running;  // who is where on it
  // Why it cannot be changed here; empty: it can. And the path of the node that it comes from, if
  // it is linked or of another graph.
  std::string locked, source;
  bool only_points = false;  // how they are joined and what lies outside cannot be changed
  bool editable() const { return locked.empty(); }
};

// Whether the parameter carries curves that can be shown.
bool has_curves(const Session& session, const NodeDoc& node, const InputInfo& info);
// The first input of the node that does; nothing if none does.
std::optional<ChartFocus> first_chart(const Session& session, const NodeDoc& node);
// The first output of the node that is a curve, only to be seen.
std::optional<ChartFocus> first_given_chart(const Session& session, const NodeDoc& node);

// The socket of a node that carries a curve of that name: an input, or else an output.
std::optional<SocketRef> find_curve(const NodeType& type, const std::string& name);
// Whether there is such a curve.
bool is_there(const Session& session, const ChartFocus& focus);

std::vector<ShownCurve> shown_curves(Editor& editor, const ChartFocus& focus);

// The whole parameter, with this chart in its place; or why that cannot be.
Result<Json> with_curve(const Session& session, const CurvePlace& place, const Json& chart);

// The number that an input of a node has now, if it is known without an evaluation.
std::optional<double> number_now(const Editor& editor, const std::string& node,
                                 const std::string& input);

// Where the running time is on the x axis of a curve; nothing if its x is not time.
std::optional<double> time_on(const Editor& editor, const ShownCurve& curve);
// The frame that a place on the x axis means, for charts over time itself.
std::optional<double> frame_at(const Editor& editor, const ShownCurve& curve, double x);
// What one frame is on the x axis.
std::optional<double> frame_length(const Editor& editor, const ShownCurve& curve);

}  // namespace sinew::editor
