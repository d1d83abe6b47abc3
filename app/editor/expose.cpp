#include "app/editor/expose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/editor/animation.h"
#include "graph/commands_build.h"

namespace sinew::editor {
namespace {

constexpr double apart = 260;  // of a new node from the one that it feeds

// What keeps a value useful outside of its node: range, unit, names.
Json meaning_of(const InputInfo& info) {
  Json extra = Json::object();
  if (std::isfinite(info.min)) extra["min"] = info.min;
  if (std::isfinite(info.max)) extra["max"] = info.max;
  if (!info.unit.empty()) extra["unit"] = info.unit;
  if (!info.choices.empty()) extra["choices"] = info.choices;
  return extra;
}

// What counts now: the document's value, or the standard one. Values over time stay inside, since
// an instance is given one value.
Json standard_of(const InputInfo& info, const Json* given) {
  if (given && !is_animated(given) && !is_recorded(given)) return *given;
  if (!info.standard) return {};
  if (!info.choices.empty()) {
    const auto index = static_cast<std::size_t>(info.standard.as<Choice>().index);
    return index < info.choices.size() ? Json(info.choices[index]) : Json();
  }
  return info.standard.to_json();
}

}  // namespace

std::string why_not_exposed(const Session& session, const std::string& node,
                            const std::string& input) {
  if (session.graph_name().empty()) return "only what is inside a group can be exposed";
  const InputInfo* info = session.input_of(node, input);
  if (!info) return "there is no such input";
  if (session.link_into(node, input)) return "it is linked already";
  if (!info->generic.empty()) return "its type is not known until it is linked";
  return {};
}

Result<void> expose(Session& session, const std::string& node, const std::string& input) {
  if (std::string why = why_not_exposed(session, node, input); !why.empty())
    return Error{std::move(why)};
  const InputInfo& info = *session.input_of(node, input);
  const std::string& name = session.graph_name();
  const GroupDoc& group = session.doc().groups.at(name);
  const GraphBody& body = session.body();

  IdPool ids;
  for (const InterfaceItem& one : group.inputs) ids.take(one.id);
  InterfaceItem item;
  item.id = ids.take(input);
  if (item.id != info.label) item.name = info.label;
  item.type = info.type->name;
  item.standard = standard_of(info, session.param(node, input));
  item.doc = info.doc;
  item.extra = meaning_of(info);
  std::vector<InterfaceItem> inputs = group.inputs;
  inputs.push_back(item);

  Command command{fmt::format("Expose {}", info.label), {}, {}};
  command.edits.push_back(edit::SetInterface{name, std::move(inputs), group.outputs});
  const auto end = std::find_if(body.nodes.begin(), body.nodes.end(), [&](const NodeDoc& n) {
    const NodeType* type = session.type_of(n);
    return type && type->role == NodeRole::group_input;
  });
  std::string from = end == body.nodes.end() ? "" : end->id;
  if (from.empty()) {
    NodeDoc made;
    made.id = from = unused_id(body, "input");
    for (const NodeType* type : session.registry().nodes())
      if (type->role == NodeRole::group_input) made.type = type->id;
    const auto [x, y] = position_of(body, node).value_or(std::pair(0.0, 0.0));
    Command added = add_node(session.doc(), name, std::move(made), x - apart, y);
    command.edits.insert(command.edits.end(), added.edits.begin(), added.edits.end());
  }
  command.edits.push_back(
      edit::InsertLink{name, body.links.size(), LinkDoc{{from, item.id}, {node, input}}});
  return session.apply(std::move(command));
}

}  // namespace sinew::editor
