#include "app/editor/panels/canvas/edits.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/editor/panels/canvas/fit.h"
#include "app/editor/titles.h"
#include "graph/commands_build.h"

namespace sinew::editor::canvas {
namespace {

const Node& at(const Model& model, int node) {
  return model.nodes()[static_cast<std::size_t>(node)];
}

std::string some(std::size_t count, const char* verb) {
  return count == 1 ? fmt::format("{} a node", verb) : fmt::format("{} {} nodes", verb, count);
}

// The layout of a node with its place; what else is in it stays.
Json placed(const GraphBody& body, const std::string& id, ImVec2 to) {
  const auto found = body.layout.nodes.find(id);
  Json layout = found != body.layout.nodes.end() && found->second.is_object() ? found->second
                                                                              : Json::object();
  layout["at"] = position_json(std::round(static_cast<double>(to.x)),
                               std::round(static_cast<double>(to.y)))["at"];
  return layout;
}

std::vector<std::string> ids_of(const Model& model, const std::vector<int>& nodes) {
  std::vector<std::string> ids;
  for (const int i : nodes) ids.push_back(at(model, i).id);
  return ids;
}

}  // namespace

Steps::Steps(const Session& session, std::string title)
    : doc_(session.doc()), graph_(session.graph_name()) {
  command_.title = std::move(title);
}

void Steps::add(Edit edit) {
  // What is refused here is refused there, too, with the same words.
  (void)apply_edit(doc_, edit);
  command_.edits.push_back(std::move(edit));
}

void Steps::add(Command command) {
  for (Edit& edit : command.edits) add(std::move(edit));
}

void Steps::link(const LinkDoc& link, bool multi) { add(add_link(doc_, graph_, link, multi)); }

void Steps::unlink(const LinkDoc& link) { add(edit::EraseLink{graph_, link}); }

LinkDoc link_doc(const Model& model, const Link& link) {
  const Node& from = at(model, link.from);
  const Node& to = at(model, link.to);
  return {{from.id, from.outputs[static_cast<std::size_t>(link.output)].name()},
          {to.id, to.inputs[static_cast<std::size_t>(link.input)].name()}};
}

Command move_nodes(const Session& session, const Model& model, const std::vector<int>& nodes,
                   const std::vector<ImVec2>& to, std::string title) {
  Command command{std::move(title), {}, {}};
  const GraphBody& body = session.body();
  std::vector<bool> moved(model.nodes().size(), false);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = at(model, nodes[i]);
    moved[static_cast<std::size_t>(nodes[i])] = true;
    command.edits.push_back(
        edit::SetNodeLayout{session.graph_name(), node.id, placed(body, node.id, to[i])});
  }
  // What was arranged by us stays where the person saw it, now that places are kept.
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const Node& node = model.nodes()[i];
    if (!moved[i] && !node.placed)
      command.edits.push_back(
          edit::SetNodeLayout{session.graph_name(), node.id, placed(body, node.id, node.at)});
  }
  return command;
}

Command set_layout(const Session& session, const Model& model, const std::vector<int>& nodes,
                   const char* member, const std::optional<Json>& value, std::string title) {
  Command command{std::move(title), {}, {}};
  for (const int i : nodes) {
    const Node& node = at(model, i);
    Json layout = placed(session.body(), node.id, node.at);
    if (value)
      layout[member] = *value;
    else
      layout.erase(member);
    command.edits.push_back(edit::SetNodeLayout{session.graph_name(), node.id, std::move(layout)});
  }
  return command;
}

Command connect(const Session& session, const LinkDoc& link, bool multi,
                const std::optional<LinkDoc>& detached) {
  Steps steps(session, "Link");
  if (detached) steps.unlink(*detached);
  steps.link(link, multi);
  return steps.take();
}

Command remove_links(const Session& session, const std::vector<LinkDoc>& links) {
  Command command{
      links.size() == 1 ? "Remove a link" : fmt::format("Cut {} links", links.size()), {}, {}};
  for (const LinkDoc& link : links)
    command.edits.push_back(edit::EraseLink{session.graph_name(), link});
  return command;
}

std::optional<Command> insert_on_link(const Session& session, const Model& model, int node,
                                      const Link& link, const std::optional<Command>& first) {
  const Node& between = at(model, node);
  const Pin& to = at(model, link.to).inputs[static_cast<std::size_t>(link.input)];
  const Pin& from = at(model, link.from).outputs[static_cast<std::size_t>(link.output)];
  const int in = best_input(session.registry(), between, from.type);
  const int out = best_output(session.registry(), between, *to.input);
  if (in < 0 || out < 0) return std::nullopt;
  Steps steps(session, "Insert on a link");
  if (first) steps.add(*first);
  const LinkDoc old = link_doc(model, link);
  const Pin& input = between.inputs[static_cast<std::size_t>(in)];
  steps.unlink(old);
  steps.link({old.from, {between.id, input.name()}}, input.input->multi);
  steps.link({{between.id, between.outputs[static_cast<std::size_t>(out)].name()}, old.to},
             to.input->multi);
  return steps.take();
}

std::optional<Command> bend_link(const Session& session, const Model& model, const Link& link,
                                 ImVec2 place) {
  const NodeType* type = nullptr;
  for (const NodeType* t : session.registry().nodes())
    if (t->role == NodeRole::forward && !t->viewer) type = t;
  if (!type || type->inputs.empty() || type->outputs.empty()) return std::nullopt;
  const Pin& to = at(model, link.to).inputs[static_cast<std::size_t>(link.input)];
  Steps steps(session, "Bend a link");
  NodeDoc node;
  node.type = type->id;
  node.version = type->version;
  node.id = unused_id(steps.body(), type->id);
  const std::string id = node.id;
  steps.add(add_node(steps.doc(), session.graph_name(), std::move(node), std::round(place.x),
                     std::round(place.y)));
  const LinkDoc old = link_doc(model, link);
  steps.unlink(old);
  steps.link({old.from, {id, type->inputs[0].name}}, false);
  steps.link({{id, type->outputs[0].name}, old.to}, to.input->multi);
  return steps.take();
}

Added add_node_with_link(const Session& session, NodeDoc node, ImVec2 place,
                         const std::optional<LinkEnd>& end) {
  const NodeType* type = session.registry().find(node.type);
  Steps steps(session, "Add " + title_of(session, node));
  if (type) node.version = type->version;
  const std::string base =
      id_from(!node.group.empty() ? node.group.substr(node.group.rfind('/') + 1)
                                  : node.type.substr(node.type.rfind('.') + 1));
  node.id = unused_id(steps.body(), base);
  const std::string id = node.id;
  const std::string group = node.group;
  steps.add(add_node(steps.doc(), session.graph_name(), std::move(node),
                     std::round(static_cast<double>(place.x)),
                     std::round(static_cast<double>(place.y))));
  if (!end) return {steps.take(), id};
  const Registry& registry = session.registry();
  // The sockets of an instance are those of its group.
  std::vector<InputInfo> inputs = type ? type->inputs : std::vector<InputInfo>();
  std::vector<OutputInfo> outputs = type ? type->outputs : std::vector<OutputInfo>();
  if (const auto found = session.doc().groups.find(group); found != session.doc().groups.end()) {
    for (const InterfaceItem& item : found->second.inputs) {
      InputInfo info;
      info.name = item.id;
      info.type = registry.find_type(item.type);
      inputs.push_back(std::move(info));
    }
    for (const InterfaceItem& item : found->second.outputs) {
      OutputInfo info;
      info.name = item.id;
      info.type = registry.find_type(item.type);
      outputs.push_back(std::move(info));
    }
  }
  if (end->beyond) steps.unlink({end->at, *end->beyond});
  if (end->is_output) {
    const int in = best_input(registry, inputs, end->type);
    if (in >= 0) {
      const InputInfo& info = inputs[static_cast<std::size_t>(in)];
      steps.link({end->at, {id, info.name}}, info.multi);
    }
  }
  if (end->input) {
    const int out = best_output(registry, outputs, *end->input);
    if (out >= 0)
      steps.link({{id, outputs[static_cast<std::size_t>(out)].name}, end->beyond.value_or(end->at)},
                 end->input->multi);
  }
  return {steps.take(), id};
}

Command dissolve(const Session& session, const Model& model, const std::vector<int>& nodes) {
  Steps steps(session, some(nodes.size(), "Dissolve"));
  for (const int index : nodes) {
    const Node& node = at(model, index);
    const std::vector<LinkDoc> links = steps.body().links;
    for (const LinkDoc& out : links) {
      if (out.from.node != node.id) continue;
      const InputInfo* wants = session.input_of(out.to.node, out.to.socket);
      if (!wants) continue;
      // What came in first and fits there goes on.
      for (const LinkDoc& in : links) {
        const NodeDoc* source = in.to.node == node.id ? steps.body().find(in.from.node) : nullptr;
        if (!source || in.from.node == node.id) continue;
        const int from = model.find(in.from.node);
        const int socket = from < 0 ? -1 : at(model, from).find_output(in.from.socket);
        if (socket < 0) continue;
        const TypeInfo* type = at(model, from).outputs[static_cast<std::size_t>(socket)].type;
        if (fit(session.registry(), type, *wants) == 0) continue;
        steps.unlink(out);
        steps.link({in.from, out.to}, wants->multi);
        break;
      }
    }
    steps.add(remove_nodes(steps.doc(), session.graph_name(), {node.id}));
  }
  return steps.take();
}

Json frames_json(const Session& session) {
  const Json& extra = session.body().layout.extra;
  const auto found = extra.find("frames");
  Json frames = found != extra.end() && found->is_array() ? *found : Json::array();
  // A file may say anything; here each of them has members.
  for (Json& one : frames)
    if (!one.is_object()) one = Json::object();
  return frames;
}

Command set_frames(const Session& session, Json frames, std::string title) {
  std::optional<Json> value;
  if (!frames.empty()) value = std::move(frames);
  return {std::move(title),
          {edit::SetGraphLayout{session.graph_name(), "frames", std::move(value)}},
          {}};
}

Result<Command> group_nodes(const Session& session, const Model& model,
                            const std::vector<int>& nodes, std::string* instance) {
  std::string name = "group";
  for (int i = 2; session.doc().groups.contains(name); ++i) name = fmt::format("group-{}", i);
  const auto type_of_socket = [&](const Endpoint& end, bool output) -> std::string {
    const int i = model.find(end.node);
    if (i < 0) return {};
    const int socket =
        output ? at(model, i).find_output(end.socket) : at(model, i).find_input(end.socket);
    if (socket < 0) return {};
    const auto& pins = output ? at(model, i).outputs : at(model, i).inputs;
    const TypeInfo* type = pins[static_cast<std::size_t>(socket)].type;
    return type ? type->name : "any";
  };
  Result<Command> command =
      make_group(session.doc(), session.graph_name(), ids_of(model, nodes), name, type_of_socket);
  if (!command) return command;
  for (const Edit& edit : command->edits)
    if (const auto* insert = std::get_if<edit::InsertNode>(&edit); insert && instance)
      *instance = insert->node.id;
  return command;
}

}  // namespace sinew::editor::canvas
