#include "app/scene.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {
namespace {

// Where a value was made, behind reroutes and viewers: that node's name says what it is.
Target origin_of(const CompiledGraph& graph, Target at) {
  for (;;) {
    const CompiledNode& node = graph.node(at.node);
    if (node.forward.empty() || node.forward[at.output] < 0) return at;
    const std::vector<LinkSource>& links = node.inputs[node.forward[at.output]].links;
    if (links.empty() || links[0].output < 0) return at;
    at = {links[0].node, links[0].output};
  }
}

std::string title_of(const GraphDoc& doc, const CompiledGraph& graph, Target target) {
  const std::string& path = graph.node(origin_of(graph, target).node).path;
  const NodeDoc* written = doc.graph.find(path);
  if (written && !written->label.empty()) return written->label;
  return path.substr(path.rfind('/') + 1);  // of a node inside of a group, its own name
}

bool can_be_seen(const CompiledGraph& graph, Target target) {
  const TypeInfo* type = graph.node(target.node).output_types[target.output];
  return type && can_show(*type);
}

const TargetResult* result_of(const Evaluation& evaluation, Target target) {
  for (const TargetResult& r : evaluation.targets)
    if (r.target == target) return &r;
  return nullptr;
}

}  // namespace

Result<Scene> Scene::plan(const GraphDoc& doc, GraphPtr graph, std::vector<Target> shown) {
  Scene scene;
  scene.graph_ = std::move(graph);
  const CompiledGraph& g = *scene.graph_;
  const auto name_of = [&](Target t) {
    return g.node(t.node).path + "." + g.node(t.node).type->outputs[t.output].name;
  };
  if (shown.empty()) {
    for (const Target& t : g.default_targets())
      if (can_be_seen(g, t)) shown.push_back(t);
    if (shown.empty())
      return Error{"there is nothing to see: no output is a body, a field or directions on one"};
  }
  for (const Target& t : shown) {
    const TypeInfo* type = g.node(t.node).output_types[t.output];
    if (type && !can_show(*type))
      return Error{
          fmt::format("'{}' is a {}, which cannot be seen; show a mesh, a solid, a field, "
                      "directions, obstacles or a chart",
                      name_of(t), type->name)};
    Part part{t, {}, name_of(t), title_of(doc, g, t)};
    if (const std::optional<Target> body = g.body_of(t)) part.body = *body;
    scene.parts_.push_back(std::move(part));
  }
  for (const Part& part : scene.parts_)
    for (const Target& t : {part.value, part.body})
      if (t.node >= 0 &&
          std::find(scene.targets_.begin(), scene.targets_.end(), t) == scene.targets_.end())
        scene.targets_.push_back(t);
  return scene;
}

bool Scene::moves() const {
  return std::any_of(targets_.begin(), targets_.end(),
                     [&](const Target& t) { return graph_->varies(t.node); });
}

Scene::Drawn Scene::draw(const Evaluation& evaluation, const ShowOptions& options) const {
  std::vector<Shown> all;
  for (const Part& part : parts_) {
    const TargetResult* value = result_of(evaluation, part.value);
    if (!value || !value->value) continue;  // its error is among the evaluation's messages
    Shown shown{part.source, part.title, value->value, value->key, {}, {}};
    if (const TargetResult* body =
            part.body.node < 0 ? nullptr : result_of(evaluation, part.body)) {
      shown.body = body->value;
      shown.body_key = body->key;
    }
    all.push_back(std::move(shown));
  }
  // A body that is shown with colours or directions on it is not shown once more without.
  std::erase_if(all, [&](const Shown& one) {
    return !one.body && std::any_of(all.begin(), all.end(), [&](const Shown& other) {
      return other.body && other.body_key == one.key;
    });
  });
  Drawn drawn;
  for (const Shown& shown : all)
    if (const Result<void> ok = show(shown, options, drawn.list); !ok)
      drawn.problems.push_back(ok.error());
  return drawn;
}

}  // namespace sinew
