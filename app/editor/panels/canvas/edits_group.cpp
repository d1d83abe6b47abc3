// Groups: taken apart again.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/editor/panels/canvas/edits.h"
#include "graph/commands_build.h"

namespace sinew::editor::canvas {
namespace {

// Puts the inside of a group in the place of one of its instances.
class Ungrouper {
 public:
  Ungrouper(const Session& session, const NodeDoc& instance, const GroupDoc& group)
      : session_(session),
        instance_(instance),
        group_(group),
        steps_(session, "Take the group apart") {}

  Command run() {
    outside_ = steps_.body().links;
    const auto [x, y] = position_of(steps_.body(), instance_.id).value_or(std::pair(0.0, 0.0));
    steps_.add(remove_nodes(steps_.doc(), session_.graph_name(), {instance_.id}));
    name_nodes();
    collect_links();
    insert_nodes(x, y);
    for (const LinkDoc& link : links_) steps_.link(link, true);
    if (auto shown = move_shown(session_.doc(), session_.graph_name(),
                                [&](const std::string& path) { return moved(path); }))
      steps_.add(std::move(*shown));
    drop_group();
    return steps_.take();
  }

 private:
  bool is_border(const NodeDoc& node, NodeRole role) const {
    const NodeType* type = session_.type_of(node);
    return type && type->role == role;
  }

  void name_nodes() {
    IdPool ids(steps_.body());
    for (const NodeDoc& node : group_.graph.nodes) {
      if (is_border(node, NodeRole::group_input))
        input_ = node.id;
      else if (is_border(node, NodeRole::group_output))
        output_ = node.id;
      else
        ids_[node.id] = ids.take(node.id);
    }
  }

  void collect_links() {
    for (const LinkDoc& link : group_.graph.links) {
      std::vector<Endpoint> from, to;
      if (link.from.node == input_) {
        for (const LinkDoc& l : outside_)
          if (l.to.node == instance_.id && l.to.socket == link.from.socket) from.push_back(l.from);
        if (from.empty()) set_value(link);
      } else if (const auto id = ids_.find(link.from.node); id != ids_.end()) {
        from.push_back({id->second, link.from.socket});
      }
      if (link.to.node == output_) {
        for (const LinkDoc& l : outside_)
          if (l.from.node == instance_.id && l.from.socket == link.to.socket) to.push_back(l.to);
      } else if (const auto id = ids_.find(link.to.node); id != ids_.end()) {
        to.push_back({id->second, link.to.socket});
      }
      for (const Endpoint& a : from)
        for (const Endpoint& b : to) links_.push_back({a, b});
    }
  }

  // What the instance says, or else the group, becomes the parameter of the node inside.
  void set_value(const LinkDoc& link) {
    const auto set = instance_.params.find(link.from.socket);
    Json value = set != instance_.params.end() ? set->second : Json();
    for (const InterfaceItem& item : group_.inputs)
      if (value.is_null() && item.id == link.from.socket) value = item.standard;
    if (!value.is_null()) values_[link.to.node][link.to.socket] = std::move(value);
  }

  // What is shown of the inside is shown of what came out; an output of the instance is what was
  // linked to it inside.
  std::string moved(const std::string& path) const {
    const std::string& own = instance_.id;
    if (path.starts_with(own + ".")) {
      for (const LinkDoc& link : group_.graph.links)
        if (link.to.node == output_ && link.to.socket == path.substr(own.size() + 1))
          if (const auto id = ids_.find(link.from.node); id != ids_.end())
            return id->second + "." + link.from.socket;
      return path;
    }
    if (!path.starts_with(own + "/")) return path;
    const std::string rest = path.substr(own.size() + 1);
    const std::size_t end = std::min(rest.find_first_of("/."), rest.size());
    const auto id = ids_.find(rest.substr(0, end));
    return id == ids_.end() ? path : id->second + rest.substr(end);
  }

  void insert_nodes(double x, double y) {
    double left = 0, top = 0;
    bool any = false;
    for (const auto& [id, fresh] : ids_)
      if (const auto at = position_of(group_.graph, id)) {
        left = any ? std::min(left, at->first) : at->first;
        top = any ? std::min(top, at->second) : at->second;
        any = true;
      }
    for (const NodeDoc& inner : group_.graph.nodes) {
      const auto fresh = ids_.find(inner.id);
      if (fresh == ids_.end()) continue;
      NodeDoc node = inner;
      node.id = fresh->second;
      for (auto& [input, value] : values_[inner.id]) node.params[input] = value;
      steps_.add(edit::InsertNode{session_.graph_name(), steps_.body().nodes.size(), node});
      const auto found = group_.graph.layout.nodes.find(inner.id);
      if (found == group_.graph.layout.nodes.end()) continue;
      Json layout = found->second;
      if (const auto at = position_of(group_.graph, inner.id))
        layout["at"] = position_json(x + at->first - left, y + at->second - top)["at"];
      steps_.add(edit::SetNodeLayout{session_.graph_name(), node.id, std::move(layout)});
    }
  }

  // A group that nobody uses any more goes.
  void drop_group() {
    const auto uses = [&](const GraphBody& body) {
      return std::any_of(body.nodes.begin(), body.nodes.end(),
                         [&](const NodeDoc& n) { return n.group == instance_.group; });
    };
    if (uses(steps_.doc().graph)) return;
    for (const auto& [name, other] : steps_.doc().groups)
      if (uses(other.graph)) return;
    steps_.add(edit::EraseGroup{instance_.group});
  }

  const Session& session_;
  const NodeDoc instance_;
  const GroupDoc group_;
  Steps steps_;
  std::string input_, output_;
  std::vector<LinkDoc> outside_, links_;
  std::map<std::string, std::string> ids_;  // from inside to outside
  std::map<std::string, std::map<std::string, Json>> values_;
};

}  // namespace

Result<Command> ungroup(const Session& session, const std::string& instance) {
  const NodeDoc* node = session.body().find(instance);
  const auto group = node ? session.doc().groups.find(node->group) : session.doc().groups.end();
  if (group == session.doc().groups.end())
    return Error{"only an instance of a group can be taken apart"};
  return Ungrouper(session, *node, group->second).run();
}

}  // namespace sinew::editor::canvas
