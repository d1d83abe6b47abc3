// Moves nodes of a graph into a group of their own.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_set>

#include "graph/commands.h"
#include "graph/commands_build.h"
#include "graph/document_check.h"

namespace sinew {
namespace {

class GroupMaker {
 public:
  GroupMaker(const GraphBody& body, const std::vector<std::string>& ids,
             const SocketTypes& type_of_socket)
      : body_(body), chosen_(ids.begin(), ids.end()), type_of_(type_of_socket) {}

  std::optional<Error> check() const;
  void move_nodes(const std::string& group_name);
  void move_links();
  // Whether the rest of the graph with the instance is still free of cycles.
  bool is_sound() const;
  Command command(const std::string& graph, std::string group_name);
  // What is shown of the nodes is shown inside of the instance.
  std::string moved(const std::string& path) const {
    return is_inside(path.substr(0, path.find_first_of("/."))) ? instance_.id + "/" + path : path;
  }

 private:
  bool is_inside(const std::string& node) const { return chosen_.count(node) > 0; }
  std::string type_of(const LinkDoc& link) const;
  // The socket of the group that stands for an endpoint; made when first asked for.
  std::pair<std::string, bool> socket_for(const LinkDoc& link, bool incoming);

  const GraphBody& body_;
  std::unordered_set<std::string> chosen_;
  const SocketTypes& type_of_;
  GroupDoc group_;
  NodeDoc instance_;
  std::string input_, output_;  // ids of the two nodes that stand for the group's own sockets
  size_t place_ = 0;            // of the instance among the nodes that stay
  double x_ = 0, y_ = 0;        // ... and on the canvas
  IdPool input_ids_, output_ids_;
  std::map<std::pair<std::string, std::string>, std::string> inputs_, outputs_;  // by source
  std::vector<LinkChange> changes_;
};

std::optional<Error> GroupMaker::check() const {
  if (chosen_.empty()) return Error{"there are no nodes to make a group of"};
  for (const std::string& id : chosen_) {
    const NodeDoc* node = body_.find(id);
    if (!node) return Error{fmt::format("there is no node '{}'", id)};
    if (is_border(*node)) {
      return Error{fmt::format("node '{}' is the border of its group and cannot leave it", id)};
    }
  }
  return std::nullopt;
}

void GroupMaker::move_nodes(const std::string& group_name) {
  double left = 0, right = 0, sum_x = 0, sum_y = 0, placed = 0;
  GraphBody rest;
  bool is_first = true;
  for (const NodeDoc& node : body_.nodes) {
    if (!is_inside(node.id)) {
      rest.nodes.push_back(node);
      continue;
    }
    if (std::exchange(is_first, false)) place_ = rest.nodes.size();
    group_.graph.nodes.push_back(node);
    const auto layout = body_.layout.nodes.find(node.id);
    if (layout != body_.layout.nodes.end()) group_.graph.layout.nodes.insert(*layout);
    if (const auto at = position_of(body_, node.id)) {
      left = placed == 0 ? at->first : std::min(left, at->first);
      right = placed == 0 ? at->first : std::max(right, at->first);
      sum_x += at->first;
      sum_y += at->second;
      ++placed;
    }
  }
  if (placed > 0) {
    x_ = std::round(sum_x / placed);
    y_ = std::round(sum_y / placed);
  }
  IdPool inner(group_.graph);
  const double margin = 250;  // pixels of the canvas: a node's width and some air
  const auto add_border = [&](const char* base, const char* type, double x) {
    NodeDoc border;
    border.id = inner.take(base);
    border.type = type;
    group_.graph.layout.nodes[border.id] = position_json(x, y_);
    group_.graph.nodes.push_back(border);
    return border.id;
  };
  input_ = add_border("input", "group.input", left - margin);
  output_ = add_border("output", "group.output", right + margin);

  const size_t slash = group_name.rfind('/');
  const std::string name = group_name.substr(slash == std::string::npos ? 0 : slash + 1);
  instance_.id = IdPool(rest).take(id_from(name.substr(0, name.find('@'))));
  instance_.type = "group";
  instance_.group = group_name;
}

// The source knows best what flows; a source of any type leaves it to the socket that it feeds.
std::string GroupMaker::type_of(const LinkDoc& link) const {
  const std::string type = type_of_(link.from, true);
  return type.empty() || type == "any" ? type_of_(link.to, false) : type;
}

std::pair<std::string, bool> GroupMaker::socket_for(const LinkDoc& link, bool incoming) {
  auto& known = incoming ? inputs_ : outputs_;
  const auto [found, is_new] = known.try_emplace({link.from.node, link.from.socket});
  if (is_new) {
    InterfaceItem item;
    item.id = incoming ? input_ids_.take(link.to.socket) : output_ids_.take(link.from.socket);
    item.type = type_of(link);
    found->second = item.id;
    (incoming ? group_.inputs : group_.outputs).push_back(std::move(item));
  }
  return {found->second, is_new};
}

void GroupMaker::move_links() {
  auto& inner = group_.graph.links;
  for (size_t i = 0; i < body_.links.size(); ++i) {
    const LinkDoc& link = body_.links[i];
    const bool from = is_inside(link.from.node), to = is_inside(link.to.node);
    if (from && to) {
      inner.push_back(link);
      changes_.push_back({i, std::nullopt});
    } else if (to) {
      const auto [socket, is_new] = socket_for(link, true);
      inner.push_back({{input_, socket}, link.to});
      changes_.push_back({i, std::nullopt});
      if (is_new) changes_.back().link = LinkDoc{link.from, {instance_.id, socket}};
    } else if (from) {
      const auto [socket, is_new] = socket_for(link, false);
      if (is_new) inner.push_back({link.from, {output_, socket}});
      changes_.push_back({i, LinkDoc{{instance_.id, socket}, link.to}});
    }
  }
}

bool GroupMaker::is_sound() const {
  GraphBody rest;
  for (const NodeDoc& node : body_.nodes) {
    if (!is_inside(node.id)) rest.nodes.push_back(node);
  }
  rest.nodes.push_back(instance_);
  for (const LinkDoc& link : body_.links) {
    if (!is_inside(link.from.node) && !is_inside(link.to.node)) rest.links.push_back(link);
  }
  for (const LinkChange& change : changes_) {
    if (change.link) rest.links.push_back(*change.link);
  }
  return !find_link_cycle(rest);
}

Command GroupMaker::command(const std::string& graph, std::string group_name) {
  Command command{fmt::format("Make the group {}", group_name), {}, {}};
  append_unlinks(command.edits, graph, body_.links, changes_);
  for (const NodeDoc& node : body_.nodes) {
    if (!is_inside(node.id)) continue;
    if (body_.layout.nodes.count(node.id)) {
      command.edits.push_back(edit::SetNodeLayout{graph, node.id, std::nullopt});
    }
    command.edits.push_back(edit::EraseNode{graph, node.id});
  }
  const std::string id = instance_.id;
  command.edits.push_back(edit::InsertGroup{std::move(group_name), std::move(group_)});
  command.edits.push_back(edit::InsertNode{graph, place_, std::move(instance_)});
  command.edits.push_back(edit::SetNodeLayout{graph, id, position_json(x_, y_)});
  append_relinks(command.edits, graph, changes_);
  return command;
}

}  // namespace

Result<Command> make_group(const GraphDoc& doc, std::string graph,
                           const std::vector<std::string>& ids, std::string group_name,
                           const SocketTypes& type_of_socket) {
  const GraphBody* body = doc.body(graph);
  if (!body) return Error{fmt::format("there is no group '{}'", graph)};
  if (!valid_group_name(group_name)) {
    return Error{fmt::format("'{}' cannot be the name of a group", group_name)};
  }
  if (doc.groups.count(group_name)) {
    return Error{fmt::format("there already is a group '{}'", group_name)};
  }
  GroupMaker maker(*body, ids, type_of_socket);
  if (const auto error = maker.check()) return *error;
  maker.move_nodes(group_name);
  maker.move_links();
  if (!maker.is_sound()) {
    return Error{"a node outside of the group would lie between nodes inside: take it in, too"};
  }
  const auto shown =
      move_shown(doc, graph, [&](const std::string& path) { return maker.moved(path); });
  Command command = maker.command(graph, std::move(group_name));
  if (shown) command.edits.push_back(*shown);
  return command;
}

}  // namespace sinew
