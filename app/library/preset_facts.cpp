#include "app/library/preset_facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "app/library/animation.h"
#include "app/library/meta_words.h"

namespace sinew::library {

namespace {

// A value in a few words.
std::string words_of(const Json& value, const std::string& type) {
  constexpr std::size_t longest = 60;
  if (is_animated(&value)) return "changes over time";
  if (is_recorded(&value)) return "recorded";
  if (value.is_string()) return value.get<std::string>();
  const std::string text = value.dump();
  if (value.is_number() || value.is_boolean()) return text;
  if (value.is_array() && value.size() <= 4 && text.size() <= longest) return text;
  // "joint_keys" are keys, a "chart" is one.
  std::string kind = type;
  std::replace(kind.begin(), kind.end(), '_', ' ');
  return kind.ends_with('s') ? kind : "a " + kind;
}

std::string range_of(const InputInfo& info) {
  if (!info.choices.empty()) return fmt::format("{}", fmt::join(info.choices, ", "));
  const bool low = std::isfinite(info.min), high = std::isfinite(info.max);
  if (low && high) return fmt::format("{:g} to {:g}", info.min, info.max);
  if (low) return fmt::format("from {:g}", info.min);
  return high ? fmt::format("to {:g}", info.max) : "";
}

std::string value_of(const GraphDoc& doc, const NodeDoc& node, const InputInfo& info) {
  const auto is_link = [&](const LinkDoc& l) {
    return l.to.node == node.id && l.to.socket == info.name;
  };
  if (std::any_of(doc.graph.links.begin(), doc.graph.links.end(), is_link)) return "its own";
  if (const auto set = node.params.find(info.name); set != node.params.end())
    return words_of(set->second, info.type->name);
  if (!info.standard) return "none";
  const Json standard = info.standard.to_json();
  if (!info.choices.empty() && standard.is_number_integer()) {
    const auto i = standard.get<std::size_t>();
    return i < info.choices.size() ? info.choices[i] : "";
  }
  return words_of(standard, info.type->name);
}

}  // namespace

std::vector<PresetParameter> parameters_of(const GraphDoc& doc, const Registry& registry) {
  std::vector<PresetParameter> list;
  for (const Endpoint& name : named_sockets(doc.meta, "expose")) {
    const NodeDoc* node = doc.graph.find(name.node);
    const NodeType* type = node ? registry.find(node->type) : nullptr;
    const int input = type ? type->find_input(name.socket) : -1;
    if (input < 0) continue;
    const InputInfo& info = type->inputs[static_cast<std::size_t>(input)];
    const std::string value = value_of(doc, *node, info);
    const bool is_number = value.find_first_of("0123456789") < 2;  // "-3", "[1, 2]"
    list.push_back({name.node + "." + name.socket, node->label.empty() ? type->label : node->label,
                    info.label, info.type->name, value, is_number ? info.unit : "", range_of(info),
                    info.doc});
  }
  return list;
}

}  // namespace sinew::library
