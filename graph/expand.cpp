// Groups are expanded in place. An instance "bell" becomes two forwarding nodes around a copy of
// the group's graph: one end carries what the instance is given to the group's insides, the other
// carries the results out. Keys pass through forwarding nodes unchanged, so twins inside two
// instances with the same values share their results.
#include <fmt/format.h>

#include <algorithm>

#include "graph/compiler.h"
#include "graph/label.h"

namespace sinew {
namespace {

constexpr size_t max_group_depth = 32;

// A group's socket as a declaration would state it. Range, unit and choices are optional fields.
InputInfo interface_input(const InterfaceItem& item, const TypeInfo& type) {
  InputInfo info;
  info.name = item.id;
  info.label = item.name.empty() ? label_from_name(item.id) : item.name;
  info.doc = item.doc;
  info.type = &type;
  info.optional = true;  // what is inside may have a standard value of its own
  if (item.extra.contains("min") && item.extra["min"].is_number()) info.min = item.extra["min"];
  if (item.extra.contains("max") && item.extra["max"].is_number()) info.max = item.extra["max"];
  if (item.extra.contains("unit") && item.extra["unit"].is_string())
    info.unit = item.extra["unit"].get<std::string>();
  if (item.extra.contains("choices") && item.extra["choices"].is_array())
    for (const Json& name : item.extra["choices"])
      if (name.is_string()) info.choices.push_back(name.get<std::string>());
  return info;
}

}  // namespace

int Compiler::push(FlatNode node) {
  flat_.push_back(std::move(node));
  return static_cast<int>(flat_.size()) - 1;
}

const NodeType* Compiler::own_type(NodeType type) {
  shape_->own_types.push_back(std::make_unique<NodeType>(std::move(type)));
  return shape_->own_types.back().get();
}

// The names of a choice that a group's socket leads to, where the interface does not list them.
std::vector<std::string> Compiler::inner_choices(const GroupDoc& group,
                                                 const std::string& socket) const {
  for (const LinkDoc& link : group.graph.links) {
    if (link.from.socket != socket) continue;
    const NodeDoc* from = group.graph.find(link.from.node);
    const NodeDoc* to = group.graph.find(link.to.node);
    const NodeType* type = to ? registry_.find(to->type) : nullptr;
    if (!from || !type || from->type != "group.input") continue;
    const int input = type->find_input(link.to.socket);
    if (input >= 0 && !type->inputs[input].choices.empty()) return type->inputs[input].choices;
  }
  return {};
}

// The two ends of a group have one input and one output for each socket: what goes in comes out.
const NodeType* Compiler::group_end(const std::string& name, bool inputs) {
  const NodeType*& type = group_types_[(inputs ? "i/" : "o/") + name];
  if (type) return type;
  const GroupDoc& group = doc_.groups.at(name);
  std::vector<Message>& problems = group_problems_[name];
  NodeType end;
  end.id = "group";
  end.label = group.meta.title.empty() ? name : group.meta.title;
  end.role = NodeRole::forward;
  for (const InterfaceItem& item : inputs ? group.inputs : group.outputs) {
    const TypeInfo* value_type = registry_.find_type(item.type);
    InputInfo info = interface_input(item, value_type ? *value_type : type_of<Any>());
    if (!value_type) {
      info.generic = "unknown:" + item.id;
      problems.push_back({Severity::error, fmt::format("socket '{}' of group '{}' has a type that "
                                                       "this build does not know: '{:.60}'",
                                                       item.id, name, item.type)});
    }
    if (inputs && info.type == &type_of<Choice>() && info.choices.empty())
      info.choices = inner_choices(group, item.id);
    if (inputs && !item.standard.is_null() && value_type) {
      Result<Value> v = read_literal(info, item.standard);
      if (v) {
        info.standard = *v;
      } else {
        problems.push_back({Severity::error, fmt::format("the standard value of socket '{}' of "
                                                         "group '{}': {}",
                                                         item.id, name, v.error())});
      }
    }
    OutputInfo out;
    out.name = item.id;
    out.label = info.label;
    out.doc = item.doc;
    out.type = info.type;
    out.generic = info.generic;
    out.choices = info.choices;
    end.inputs.push_back(std::move(info));
    end.outputs.push_back(std::move(out));
  }
  return type = own_type(std::move(end));
}

Compiler::Ends Compiler::add_group(const NodeDoc& node, const Pending& pending) {
  FlatNode flat;
  flat.doc = &node;
  flat.path = pending.prefix + node.id;
  auto broken = [&](std::string text) {
    flat.type = registry_.find(node.type);
    flat.unknown = true;
    flat.messages.push_back({Severity::error, std::move(text)});
    const int at = push(std::move(flat));
    return Ends{at, at};
  };
  if (!doc_.groups.contains(node.group))
    return broken(fmt::format("there is no group '{}' in this document", node.group));
  if (std::find(pending.inside.begin(), pending.inside.end(), node.group) != pending.inside.end())
    return broken(fmt::format("group '{}' contains itself; take this instance out", node.group));
  if (pending.inside.size() >= max_group_depth)
    return broken(fmt::format("groups are nested deeper than {}", max_group_depth));

  flat.type = group_end(node.group, true);
  if (node.muted) {
    // Nothing inside runs: one forwarding node with the group's sockets stands for the instance.
    NodeType muted = *flat.type;
    muted.outputs = group_end(node.group, false)->outputs;
    flat.type = own_type(std::move(muted));
    const int at = push(std::move(flat));
    return {at, at};
  }
  const NodeType* outputs = group_end(node.group, false);
  flat.messages = group_problems_[node.group];
  flat.hidden = true;
  FlatNode out;
  out.type = outputs;
  out.path = flat.path;
  const Ends ends{push(std::move(flat)), push(std::move(out))};
  Pending inner{&doc_.groups.at(node.group).graph, flat_[ends.sink].path + "/", ends.sink,
                ends.source, pending.inside};
  inner.inside.push_back(node.group);
  pending_.push_back(std::move(inner));
  return ends;
}

Compiler::Ends Compiler::add_node(const NodeDoc& node, const Pending& pending) {
  const NodeType* type = registry_.find(node.type);
  FlatNode flat;
  flat.doc = &node;
  flat.path = pending.prefix + node.id;
  flat.type = type;
  if (!type) {
    NodeType unknown;
    unknown.id = node.type;
    unknown.version = node.version;
    flat.type = own_type(std::move(unknown));
    flat.unknown = true;
    flat.messages.push_back(
        {Severity::error, fmt::format("this build does not know the type '{}'; the node is kept "
                                      "as it is",
                                      node.type)});
  } else if (node.version > type->version) {
    flat.unknown = true;
    flat.messages.push_back(
        {Severity::error, fmt::format("it was made by a newer Sinew (version {} of its type, this "
                                      "build has {}); the node is kept as it is",
                                      node.version, type->version)});
  } else if (type->role == NodeRole::group) {
    return add_group(node, pending);
  } else if (type->role == NodeRole::group_input || type->role == NodeRole::group_output) {
    const bool in = type->role == NodeRole::group_input;
    if (pending.inner_in >= 0) return in ? Ends{-1, pending.inner_in} : Ends{pending.inner_out, -1};
    flat.messages.push_back({Severity::error, "it belongs inside a group"});
    flat.unknown = true;
  }
  const int at = push(std::move(flat));
  return {at, at};
}

void Compiler::add_links(const Pending& pending,
                         const std::unordered_map<std::string_view, Ends>& ends) {
  for (const LinkDoc& link : pending.body->links) {
    const auto from = ends.find(link.from.node), to = ends.find(link.to.node);
    const std::string text = fmt::format("{}.{} -> {}.{}", link.from.node, link.from.socket,
                                         link.to.node, link.to.socket);
    const int sink = to == ends.end() ? -1 : to->second.sink;
    const int source = from == ends.end() ? -1 : from->second.source;
    if (sink < 0 || source < 0) {
      const std::string_view missing = source < 0 ? link.from.node : link.to.node;
      std::string what =
          fmt::format("the link {} has no end: there is no such node '{}'", text, missing);
      if (sink >= 0) {
        complain(sink, std::move(what));
      } else if (source >= 0) {
        complain(source, std::move(what));
      } else {
        shape_->general.push_back({pending.prefix, "", {Severity::error, std::move(what)}});
      }
      continue;
    }
    if (flat_[sink].unknown) continue;  // kept in the document, but there is nothing to bind
    const int input = flat_[sink].type->find_input(link.to.socket);
    if (input < 0) {
      complain(sink, fmt::format("it has no input '{}' for the link {}", link.to.socket, text));
      continue;
    }
    flat_[sink].links.push_back({input, source, link.from.socket});
  }
}

void Compiler::expand(const Pending& pending) {
  std::unordered_map<std::string_view, Ends> ends;
  ends.reserve(pending.body->nodes.size());
  for (const NodeDoc& node : pending.body->nodes) {
    if (flat_.size() >= options_.max_nodes) {
      too_large_ = true;
      return;
    }
    const Ends e = add_node(node, pending);
    ends[node.id] = e;
    const std::string path = pending.prefix + node.id;
    if (e.sink >= 0) shape_->sinks.emplace(path, e.sink);
    if (e.source >= 0) shape_->sources.emplace(path, e.source);
  }
  add_links(pending, ends);
}

}  // namespace sinew
