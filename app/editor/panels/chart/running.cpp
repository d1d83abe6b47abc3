#include "app/editor/panels/chart/running.h"

#include <cmath>

#include "app/editor/panels/chart/shown_curves.h"
#include "graph/handed_on.h"

namespace sinew::editor {
namespace {

// A number that an output gave in the newest evaluation.
std::optional<double> number_from(Editor& editor, const std::string& path, int output) {
  editor.player.watch({editor.session.graph()->find_node(path), output});
  const auto& shot = editor.player.shot();
  const TargetResult* result = shot ? shot->result(path, output) : nullptr;
  if (!result || !result->value.is<float>()) return std::nullopt;
  const double number = static_cast<double>(result->value.as<float>());
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

}  // namespace

void Runners::update(const Session& session) {
  if (seen_ == session.graph_revision()) return;
  seen_ = session.graph_revision();
  runners_.clear();
  const CompiledGraph& graph = *session.graph();
  for (int i = 0; i < graph.size(); ++i) {
    const CompiledNode& node = graph.node(i);
    for (const RunningInfo& info : node.type->running)
      for (const Target& maker : makers_of(graph, i, info.input)) {
        const CompiledNode& made = graph.node(maker.node);
        if (find_curve(*made.type, info.curve))
          runners_.push_back({node.path, info.x, info.y, made.path, info.curve});
      }
  }
}

std::vector<RunningMark> Runners::on(Editor& editor, const std::string& path,
                                     const std::string& curve) const {
  std::vector<RunningMark> marks;
  for (const Runner& runner : runners_) {
    if (runner.maker != path || runner.curve != curve) continue;
    const auto x = number_from(editor, runner.path, runner.x);
    const auto y = number_from(editor, runner.path, runner.y);
    if (x && y) marks.push_back({runner.path, *x, *y});
  }
  return marks;
}

std::optional<ChartFocus> Runners::curve_of(const Session& session, const NodeDoc& node) const {
  const std::string path = session.path_of(node.id);
  for (const Runner& runner : runners_) {
    if (runner.path != path) continue;
    const std::string id = runner.maker.substr(runner.maker.rfind('/') + 1);
    const NodeDoc* here = session.body().find(id);
    const InputInfo* info = session.input_of(id, runner.curve);
    if (here && info && session.path_of(id) == runner.maker && has_curves(session, *here, *info))
      return ChartFocus{id, runner.curve};
    return ChartFocus{runner.maker, runner.curve, true};
  }
  return std::nullopt;
}

}  // namespace sinew::editor
