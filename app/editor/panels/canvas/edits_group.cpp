// Groups: what goes in, what comes out, what is exposed.
#include <fmt/format.h>

#include "app/editor/panels/canvas/edits.h"
#include "graph/commands_build.h"

namespace sinew::editor::canvas {
namespace {

const NodeDoc* find_role(const Session& session, const GraphBody& body, NodeRole role) {
  for (const NodeDoc& node : body.nodes) {
    const NodeType* type = session.type_of(node);
    if (type && type->role == role) return &node;
  }
  return nullptr;
}

}  // namespace

Result<Command> expose_input(const Session& session, const Model& model, int index, int input) {
  const auto found = session.doc().groups.find(session.graph_name());
  if (found == session.doc().groups.end())
    return Error{"only what is inside a group can be exposed in it"};
  const GroupDoc& group = found->second;
  const Node& node = model.nodes()[static_cast<std::size_t>(index)];
  const InputInfo& info = *node.inputs[static_cast<std::size_t>(input)].input;
  if (!info.type || !info.generic.empty())
    return Error{fmt::format("'{}' takes anything; link it, and the group knows what", info.label)};

  Steps steps(session, fmt::format("Expose {}", info.label));
  IdPool ids;
  for (const InterfaceItem& item : group.inputs) ids.take(item.id);
  InterfaceItem item;
  item.id = ids.take(info.name);
  if (item.id != info.label) item.name = info.label;
  item.type = info.type->name;
  item.doc = info.doc;
  // An instance that sets nothing behaves as before.
  if (const Json* value = session.param(node.id, info.name))
    item.standard = *value;
  else if (info.standard.is<Choice>() &&
           static_cast<std::size_t>(info.standard.as<Choice>().index) < info.choices.size())
    item.standard = info.choices[static_cast<std::size_t>(info.standard.as<Choice>().index)];
  else
    item.standard = info.standard.to_json();
  if (std::isfinite(info.min)) item.extra["min"] = info.min;
  if (std::isfinite(info.max)) item.extra["max"] = info.max;
  if (!info.unit.empty()) item.extra["unit"] = info.unit;
  if (!info.choices.empty()) item.extra["choices"] = info.choices;
  std::vector<InterfaceItem> inputs = group.inputs;
  inputs.push_back(item);

  std::string border;
  if (const NodeDoc* given = find_role(session, steps.body(), NodeRole::group_input)) {
    border = given->id;
  } else {
    NodeDoc made;
    for (const NodeType* type : session.registry().nodes())
      if (type->role == NodeRole::group_input) made.type = type->id;
    border = made.id = unused_id(steps.body(), "input");
    steps.add(add_node(steps.doc(), session.graph_name(), std::move(made),
                       static_cast<double>(model.bounds().from.x) - 250,
                       static_cast<double>(node.at.y)));
  }
  steps.add(edit::SetInterface{session.graph_name(), std::move(inputs), group.outputs});
  steps.link({{border, item.id}, {node.id, info.name}}, info.multi);
  return steps.take();
}

}  // namespace sinew::editor::canvas
