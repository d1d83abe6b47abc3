#include "app/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

namespace sinew {

Target origin_of(const CompiledGraph& graph, Target at) {
  for (;;) {
    const CompiledNode& node = graph.node(at.node);
    if (node.forward.empty() || node.forward[at.output] < 0) return at;
    const std::vector<LinkSource>& links = node.inputs[node.forward[at.output]].links;
    if (links.empty() || links[0].output < 0) return at;
    at = {links[0].node, links[0].output};
  }
}

namespace {

// What a person calls it: as the viewer is labelled, else as what made it is called, with the
// output where there are several.
std::string title_of(const GraphDoc& doc, const CompiledGraph& graph, Target target) {
  const auto label_of = [&](const CompiledNode& node) {
    const NodeDoc* written = doc.graph.find(node.path);
    return written ? written->label : std::string();
  };
  if (std::string own = label_of(graph.node(target.node)); !own.empty()) return own;
  const Target origin = origin_of(graph, target);
  const CompiledNode& node = graph.node(origin.node);
  std::string title = label_of(node);
  if (title.empty()) title = node.type->label;
  if (node.type->outputs.size() < 2) return title;
  return fmt::format("{}: {}", title, node.type->outputs[origin.output].label);
}

// Places and words are seen where somebody asks for them: without a viewer they say nothing.
bool can_be_seen(const CompiledGraph& graph, Target target) {
  const CompiledNode& node = graph.node(target.node);
  const TypeInfo* type = node.output_types[target.output];
  const bool quiet = type == &type_of<Vec3>() || type == &type_of<std::string>();
  return type && can_show(*type) && (node.type->viewer || !quiet);
}

const TargetResult* result_of(const Evaluation& evaluation, Target target) {
  for (const TargetResult& r : evaluation.targets)
    if (r.target == target) return &r;
  return nullptr;
}

// The only value that a scale of the list shows; nothing if there are several.
std::optional<float> only_value(const draw::DrawList& list, int scale) {
  std::optional<float> only;
  bool several = false;
  const auto look_at = [&](std::span<const float> values) {
    if (!only && !values.empty()) only = values[0];
    several =
        several || std::any_of(values.begin(), values.end(), [&](float x) { return x != only; });
  };
  for (const draw::Mesh& m : list.meshes)
    if (m.scale == scale) look_at(m.values);
  for (const draw::Points& p : list.points)
    if (p.scale == scale) look_at(p.values);
  return several ? std::nullopt : only;
}

bool measures_the_same(const draw::ColourScale& a, const draw::ColourScale& b) {
  return a.title == b.title && a.unit == b.unit;
}

void widen(draw::ColourScale& scale, const draw::ColourScale& by) {
  scale.low = std::min(scale.low, by.low);
  scale.high = std::max(scale.high, by.high);
  if (scale.map == by.map) return;
  // Values that lie on both sides of 0 in some frames only.
  scale.map = draw::ColourMap::diverging;
  scale.high = std::max(-scale.low, scale.high);
  scale.low = -scale.high;
}

}  // namespace

void SteadyScales::see(const draw::DrawList& list) {
  for (std::size_t i = 0; i < list.scales.size(); ++i) {
    draw::ColourScale seen = list.scales[i];
    const auto kept = std::find_if(scales_.begin(), scales_.end(), [&](const draw::ColourScale& s) {
      return measures_the_same(s, seen);
    });
    // Round a single number a scale reaches as far as it likes, which says nothing of other frames.
    if (const std::optional<float> only = only_value(list, static_cast<int>(i));
        only &&
        std::abs(0.5f * seen.low + 0.5f * seen.high - *only) < 1e-3f * (seen.high - seen.low)) {
      seen.low = seen.high = *only;
      if (kept != scales_.end()) seen.map = kept->map;
    } else if (kept != scales_.end() && !(kept->low < kept->high)) {
      kept->map = seen.map;
    }
    if (kept == scales_.end())
      scales_.push_back(seen);
    else
      widen(*kept, seen);
  }
}

void SteadyScales::see(const SteadyScales& others) {
  draw::DrawList list;
  list.scales = others.scales_;
  see(list);
}

void SteadyScales::apply(draw::DrawList& list) const {
  std::vector<draw::ColourScale> before = std::move(list.scales);
  list.scales.clear();
  std::vector<int> now;
  for (draw::ColourScale& scale : before) {
    for (const draw::ColourScale& kept : scales_)
      if (measures_the_same(kept, scale) && kept.low < kept.high) scale = kept;
    now.push_back(list.add(scale));
  }
  for (draw::Mesh& m : list.meshes)
    if (m.scale >= 0) m.scale = now[static_cast<std::size_t>(m.scale)];
  for (draw::Points& p : list.points)
    if (p.scale >= 0) p.scale = now[static_cast<std::size_t>(p.scale)];
}

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
  Drawn drawn;
  drawn.problems = show_all(all, options, drawn.list);
  return drawn;
}

}  // namespace sinew
