#include "app/editor/expose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/library/animation.h"
#include "graph/commands_build.h"
#include "graph/label.h"

namespace sinew::editor {

using namespace library;

namespace {

constexpr double apart = 260;  // of a new node from the one that it feeds or is fed by

// What keeps a value useful outside of its node: range, unit, names.
Json meaning_of(const InputInfo& info) {
  Json extra = Json::object();
  if (std::isfinite(info.min)) extra["min"] = info.min;
  if (std::isfinite(info.max)) extra["max"] = info.max;
  if (!info.unit.empty()) extra["unit"] = info.unit;
  if (!info.choices.empty()) extra["choices"] = info.choices;
  return extra;
}

// What an instance has that says nothing: the document's value, or the standard one. What changes
// over time is no standard: the instances that there are keep it.
Json standard_of(const InputInfo& info, const Json* given) {
  if (given && !is_animated(given) && !is_recorded(given)) return *given;
  if (!info.standard) return {};
  if (!info.choices.empty()) {
    const auto index = static_cast<std::size_t>(info.standard.as<Choice>().index);
    return index < info.choices.size() ? Json(info.choices[index]) : Json();
  }
  return info.standard.to_json();
}

NodeRole border_role(GroupSide side) {
  return side == GroupSide::input ? NodeRole::group_input : NodeRole::group_output;
}

// All instances of a group, wherever they are, with the names of their graphs.
void for_each_instance(const GraphDoc& doc, const std::string& group,
                       const std::function<void(const std::string&, const NodeDoc&)>& see) {
  const auto look = [&](const std::string& graph, const GraphBody& body) {
    for (const NodeDoc& node : body.nodes)
      if (node.group == group) see(graph, node);
  };
  look("", doc.graph);
  for (const auto& [name, other] : doc.groups) look(name, other.graph);
}

const std::vector<InterfaceItem>& items_of(const GroupDoc& group, GroupSide side) {
  return side == GroupSide::input ? group.inputs : group.outputs;
}

edit::SetInterface with_items(const std::string& name, const GroupDoc& group, GroupSide side,
                              std::vector<InterfaceItem> items) {
  if (side == GroupSide::input) return {name, std::move(items), group.outputs};
  return {name, group.inputs, std::move(items)};
}

// A socket more, its border node if there is none yet, and the link to what is inside.
Command add_socket(const Session& session, GroupSide side, InterfaceItem item,
                   const Endpoint& inside, const std::string& title) {
  const std::string& name = session.graph_name();
  const GroupDoc& group = session.doc().groups.at(name);
  const GraphBody& body = session.body();
  std::vector<InterfaceItem> items = items_of(group, side);
  IdPool ids;
  for (const InterfaceItem& one : items) ids.take(one.id);
  item.id = ids.take(item.id);
  if (item.name == label_from_name(item.id)) item.name.clear();
  const std::string id = item.id;
  items.push_back(std::move(item));

  Command command{title, {}, {}};
  command.edits.push_back(with_items(name, group, side, std::move(items)));
  const auto found = std::find_if(body.nodes.begin(), body.nodes.end(),
                                  [&](const NodeDoc& n) { return is_border(session, n, side); });
  std::string border = found == body.nodes.end() ? "" : found->id;
  if (border.empty()) {
    NodeDoc made;
    const bool in = side == GroupSide::input;
    made.id = border = unused_id(body, in ? "input" : "output");
    for (const NodeType* type : session.registry().nodes())
      if (type->role == border_role(side)) {
        made.type = type->id;
        made.version = type->version;
      }
    const auto [x, y] = position_of(body, inside.node).value_or(std::pair(0.0, 0.0));
    Command added = add_node(session.doc(), name, std::move(made), in ? x - apart : x + apart, y);
    command.edits.insert(command.edits.end(), added.edits.begin(), added.edits.end());
  }
  const Endpoint outside{border, id};
  command.edits.push_back(edit::InsertLink{
      name, body.links.size(),
      side == GroupSide::input ? LinkDoc{outside, inside} : LinkDoc{inside, outside}});
  return command;
}

}  // namespace

bool is_border(const Session& session, const NodeDoc& node, GroupSide side) {
  const NodeType* type = session.type_of(node);
  return type && type->role == border_role(side);
}

std::string why_not_exposed(const Session& session, const std::string& node,
                            const std::string& input) {
  if (session.graph_name().empty()) return "only what is inside a group can be exposed";
  const InputInfo* info = session.input_of(node, input);
  if (!info) return "there is no such input";
  if (session.link_into(node, input)) return "it is linked already";
  if (info->takes_anything()) return "its type is not known until it is linked";
  return {};
}

std::string why_output_not_exposed(const Session& session, const std::string& node,
                                   const std::string& output) {
  if (session.graph_name().empty()) return "only what is inside a group can be exposed";
  const NodeDoc* doc = session.body().find(node);
  if (!doc) return "there is no such node";
  const std::vector<OutputInfo>& outputs = session.outputs_of(*doc);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i].name == output)
      return session.output_type(*doc, i) ? "" : "its type is not known until it is linked";
  return "there is no such output";
}

Result<void> expose(Session& session, const std::string& node, const std::string& input) {
  if (std::string why = why_not_exposed(session, node, input); !why.empty())
    return Error{std::move(why)};
  const InputInfo& info = *session.input_of(node, input);
  const Json* given = session.param(node, input);
  InterfaceItem item;
  item.id = input;
  item.name = info.label;
  item.type = info.type->name;
  item.standard = standard_of(info, given);
  item.doc = info.doc;
  item.extra = meaning_of(info);
  Command command = add_socket(session, GroupSide::input, std::move(item), {node, input},
                               fmt::format("Expose {}", info.label));
  if (is_animated(given) || is_recorded(given)) {
    const auto& set = std::get<edit::SetInterface>(command.edits.front());
    const std::string socket = set.inputs.back().id;
    for_each_instance(session.doc(), session.graph_name(),
                      [&](const std::string& graph, const NodeDoc& instance) {
                        command.edits.push_back(edit::SetParam{graph, instance.id, socket, *given});
                      });
  }
  return session.apply(std::move(command));
}

Result<void> expose_output(Session& session, const std::string& node, const std::string& output,
                           const std::vector<Edit>& also) {
  if (std::string why = why_output_not_exposed(session, node, output); !why.empty())
    return Error{std::move(why)};
  const NodeDoc& doc = *session.body().find(node);
  const std::vector<OutputInfo>& outputs = session.outputs_of(doc);
  const auto found = std::find_if(outputs.begin(), outputs.end(),
                                  [&](const OutputInfo& info) { return info.name == output; });
  InterfaceItem item;
  item.id = output;
  item.name = found->label;
  item.type = session.output_type(doc, static_cast<std::size_t>(found - outputs.begin()))->name;
  item.doc = found->doc;
  Command command = add_socket(session, GroupSide::output, std::move(item), {node, output},
                               fmt::format("Expose {}", found->label));
  command.edits.insert(command.edits.end(), also.begin(), also.end());
  return session.apply(std::move(command));
}

Result<void> unexpose(Session& session, GroupSide side, const std::string& socket) {
  const std::string name = session.graph_name();
  const auto group = session.doc().groups.find(name);
  if (group == session.doc().groups.end()) return Error{"this is no group"};
  std::vector<InterfaceItem> items = items_of(group->second, side);
  Command command{
      fmt::format("Remove {} from the group", socket_name(session, side, socket)), {}, {}};
  if (std::erase_if(items, [&](const InterfaceItem& item) { return item.id == socket; }) == 0)
    return Error{"the group has no such socket"};
  const bool in = side == GroupSide::input;
  // Inside: links of the border. Outside: links of the instances, on the other side of them.
  const auto unlink = [&](const std::string& graph, const GraphBody& body, const NodeDoc& node,
                          bool from) {
    for (const LinkDoc& link : body.links) {
      const Endpoint& end = from ? link.from : link.to;
      if (end.node == node.id && end.socket == socket)
        command.edits.push_back(edit::EraseLink{graph, link});
    }
  };
  for (const NodeDoc& node : group->second.graph.nodes)
    if (is_border(session, node, side)) unlink(name, group->second.graph, node, in);
  for_each_instance(session.doc(), name, [&](const std::string& graph, const NodeDoc& instance) {
    unlink(graph, *session.doc().body(graph), instance, !in);
    if (in && instance.params.contains(socket))
      command.edits.push_back(edit::SetParam{graph, instance.id, socket, std::nullopt});
  });
  command.edits.push_back(with_items(name, group->second, side, std::move(items)));
  return session.apply(std::move(command));
}

std::string socket_name(const Session& session, GroupSide side, const std::string& socket) {
  const auto group = session.doc().groups.find(session.graph_name());
  if (group == session.doc().groups.end()) return socket;
  for (const InterfaceItem& item : items_of(group->second, side))
    if (item.id == socket && !item.name.empty()) return item.name;
  return label_from_name(socket);
}

Result<void> rename_socket(Session& session, GroupSide side, const std::string& socket,
                           const std::string& name) {
  const auto group = session.doc().groups.find(session.graph_name());
  if (group == session.doc().groups.end()) return Error{"this is no group"};
  std::vector<InterfaceItem> items = items_of(group->second, side);
  for (InterfaceItem& item : items)
    if (item.id == socket) item.name = name == label_from_name(item.id) ? "" : name;
  if (items == items_of(group->second, side)) return {};
  return session.apply({fmt::format("Rename {}", socket_name(session, side, socket)),
                        {with_items(group->first, group->second, side, std::move(items))},
                        {}});
}

}  // namespace sinew::editor
