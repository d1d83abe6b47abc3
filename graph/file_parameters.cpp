#include "graph/file_parameters.h"

#include <fmt/format.h>

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
    for_names(p, [&](std::string& name) {
      if (fs::path(name).is_absolute()) return;
      const fs::path whole = (old_place / name).lexically_normal();
      name = to.empty() ? whole.string()
                        : whole.lexically_relative(new_place.lexically_normal()).generic_string();
    });
  });
}

}  // namespace sinew
