#include "graph/file_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "graph/json_reader.h"

namespace sinew {
namespace {

void in_graph(GraphBody& graph, const Registry& registry,
              const std::function<void(const FileParameter&)>& visit) {
  std::set<std::pair<std::string, std::string>> linked;
  for (const LinkDoc& l : graph.links) linked.emplace(l.to.node, l.to.socket);
  for (NodeDoc& node : graph.nodes) {
    const NodeType* type = registry.find(node.type);
    if (!type) continue;
    for (const InputInfo& input : type->inputs) {
      if (input.file == FileUse::none) continue;
      const auto value = node.params.find(input.name);
      visit({&input, linked.contains({node.id, input.name}),
             value == node.params.end() ? nullptr : &value->second, &node});
    }
  }
}

// What sockets of groups hand on to: the input inside that names a file, or nothing. Each socket is
// looked at once, since groups may hold each other in ways without number.
class FileSockets {
 public:
  FileSockets(const GraphDoc& doc, const Registry& registry) : doc_(doc), registry_(registry) {}

  // The input that is given what comes into a group by one of its sockets.
  const InputInfo* handed_to(const std::string& group, const std::string& item) {
    // While it is being found it leads nowhere, so that a group in itself ends.
    const auto [known, is_new] = known_.try_emplace({group, item}, nullptr);
    return is_new ? known->second = find(group, item) : known->second;
  }

 private:
  const InputInfo* find(const std::string& group, const std::string& item);

  const GraphDoc& doc_;
  const Registry& registry_;
  std::map<std::pair<std::string, std::string>, const InputInfo*> known_;
};

const InputInfo* FileSockets::find(const std::string& group, const std::string& item) {
  const auto found = doc_.groups.find(group);
  if (found == doc_.groups.end()) return nullptr;
  const GraphBody& graph = found->second.graph;
  for (const LinkDoc& l : graph.links) {
    const NodeDoc* from = graph.find(l.from.node);
    const NodeDoc* to = graph.find(l.to.node);
    const NodeType* border = from ? registry_.find(from->type) : nullptr;
    if (!border || border->role != NodeRole::group_input || l.from.socket != item || !to) continue;
    if (!to->group.empty()) {
      if (const InputInfo* deeper = handed_to(to->group, l.to.socket)) return deeper;
      continue;
    }
    const NodeType* type = registry_.find(to->type);
    if (!type) continue;
    for (const InputInfo& input : type->inputs)
      if (input.name == l.to.socket && input.file != FileUse::none) return &input;
  }
  return nullptr;
}

// What instances are given that their groups hand on to nodes inside.
void in_instances(GraphDoc& doc, GraphBody& graph, FileSockets& sockets,
                  const std::function<void(const FileParameter&)>& visit) {
  for (NodeDoc& node : graph.nodes) {
    const auto group = doc.groups.find(node.group);
    if (node.group.empty() || group == doc.groups.end()) continue;
    for (const InterfaceItem& item : group->second.inputs) {
      const auto value = node.params.find(item.id);
      const InputInfo* inside =
          value == node.params.end() ? nullptr : sockets.handed_to(node.group, item.id);
      if (!inside) continue;
      const bool linked = std::any_of(
          graph.links.begin(), graph.links.end(),
          [&](const LinkDoc& l) { return l.to.node == node.id && l.to.socket == item.id; });
      InputInfo outside = *inside;
      outside.name = item.id;
      visit({&outside, linked, &value->second, &node});
    }
  }
}

void take_text(Json& value, const std::function<void(std::string&)>& visit) {
  if (!value.is_string()) return;
  auto& name = value.get_ref<std::string&>();
  if (!name.empty()) visit(name);
}

}  // namespace

void for_files(GraphDoc& doc, const Registry& registry,
               const std::function<void(const FileParameter&)>& visit) {
  in_graph(doc.graph, registry, visit);
  for (auto& [name, group] : doc.groups) in_graph(group.graph, registry, visit);
  FileSockets sockets(doc, registry);
  in_instances(doc, doc.graph, sockets, visit);
  for (auto& [name, group] : doc.groups) in_instances(doc, group.graph, sockets, visit);
}

void for_names(const FileParameter& parameter, const std::function<void(std::string&)>& visit) {
  if (!parameter.value) return;
  Json& value = *parameter.value;
  take_text(value, visit);
  if (!value.is_object()) return;
  const auto steps = value.find("steps");
  if (steps == value.end() || !steps->is_array()) return;
  for (Json& step : *steps)
    if (step.is_array() && step.size() == 2) take_text(step[1], visit);
}

std::string words_for(const NodeDoc& node) {
  return fmt::format("node '{}' ({})", node.id, shortened(node.type));
}

void carry_files(GraphDoc& doc, const Registry& registry, const std::filesystem::path& from,
                 const std::filesystem::path& to) {
  namespace fs = std::filesystem;
  std::error_code ec;
  const fs::path old_place = fs::absolute(from, ec), new_place = fs::absolute(to, ec);
  for_files(doc, registry, [&](const FileParameter& p) {
    if (p.input->file != FileUse::read) return;
    for_names(p, [&](std::string& name) {
      if (fs::path(name).is_absolute()) return;
      const fs::path whole = (old_place / name).lexically_normal();
      name = to.empty() ? whole.string()
                        : whole.lexically_relative(new_place.lexically_normal()).generic_string();
    });
  });
}

}  // namespace sinew
