#include "app/library/upgrade.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "app/library/preset_group.h"

namespace sinew::library {

namespace {

std::array<int, 3> parts_of(std::string_view version) {
  std::array<int, 3> parts{-1, -1, -1};
  for (int& part : parts) {
    const std::size_t end = std::min(version.find('.'), version.size());
    std::from_chars(version.data(), version.data() + end, part);
    version.remove_prefix(std::min(end + 1, version.size()));
  }
  return parts;
}

bool has_item(const std::vector<InterfaceItem>& items, const std::string& id,
              const std::string& type) {
  return std::any_of(items.begin(), items.end(), [&](const InterfaceItem& item) {
    return item.id == id && (type.empty() || item.type == type);
  });
}

std::string type_in(const std::vector<InterfaceItem>& items, const std::string& id) {
  for (const InterfaceItem& item : items)
    if (item.id == id) return item.type;
  return "";
}

std::string as_text(const GroupDoc& group) {
  GraphDoc doc;
  doc.meta = group.meta;
  doc.graph = group.graph;
  return write_document(doc);
}

class Upgrading {
 public:
  Upgrading(const GroupDoc& before, const GroupDoc& after, GroupUpgrade& result)
      : before_(before), after_(after), result_(result) {}

  void instances_in(const std::string& graph, const GraphBody& body, const std::string& next) {
    for (const NodeDoc& node : body.nodes) {
      if (node.group != result_.group) continue;
      const std::string name = node.label.empty() ? node.id : node.label;
      for (const auto& [input, value] : node.params) {
        const bool stays = is_kept(input);
        (stays ? result_.kept : result_.lost)
            .push_back(fmt::format("'{}': {} = {}", name, input, shortened(value.dump())));
        if (!stays) add(edit::SetParam{graph, node.id, input, std::nullopt});
      }
      for (const LinkDoc& l : body.links) unlink_if_gone(graph, node, name, l);
      add(edit::SetGroupRef{graph, node.id, next});
    }
  }

  void add(Edit e) { result_.command.edits.push_back(std::move(e)); }

 private:
  static std::string shortened(std::string text) {
    constexpr std::size_t longest = 60;
    return text.size() > longest ? text.substr(0, longest - 3) + "..." : text;
  }

  bool is_kept(const std::string& input) const {
    return has_item(after_.inputs, input, type_in(before_.inputs, input));
  }

  void unlink_if_gone(const std::string& graph, const NodeDoc& node, const std::string& name,
                      const LinkDoc& l) {
    const bool in = l.to.node == node.id, out = l.from.node == node.id;
    if (!in && !out) return;
    const bool stays =
        in ? is_kept(l.to.socket)
           : has_item(after_.outputs, l.from.socket, type_in(before_.outputs, l.from.socket));
    const std::string what =
        in ? fmt::format("'{}': {} linked from {}", name, l.to.socket, l.from.node)
           : fmt::format("'{}': {} linked to {}", name, l.from.socket, l.to.node);
    (stays ? result_.kept : result_.lost).push_back(what);
    if (!stays) add(edit::EraseLink{graph, l});
  }

  const GroupDoc &before_, &after_;
  GroupUpgrade& result_;
};

}  // namespace

bool is_newer(std::string_view a, std::string_view b) { return parts_of(a) > parts_of(b); }

std::string preset_of_group(const std::string& group_name, const GroupDoc& group) {
  if (!group.meta.name.empty()) return group.meta.name;
  const std::size_t at = group_name.find('@');
  return at == std::string::npos ? "" : group_name.substr(0, at);
}

Result<GroupUpgrade> upgrade_group(const GraphDoc& doc, const std::string& group,
                                   const GraphDoc& preset, const Registry& registry) {
  const auto found = doc.groups.find(group);
  if (found == doc.groups.end()) return Error{fmt::format("there is no group '{}'", group)};
  Result<GroupDoc> next = group_from_document(preset, registry);
  if (!next) return Error{next.error()};
  GroupUpgrade result;
  result.group = group;
  result.name = preset_of_group(group, found->second);
  result.from = found->second.meta.version;
  result.to = preset.meta.version;
  result.before = as_text(found->second);
  result.after = as_text(*next);
  result.command.title = fmt::format("Upgrade {}", preset.meta.title);
  std::string name = group_name_of(preset.meta);
  for (int i = 2; doc.groups.contains(name); ++i)
    name = fmt::format("{}-{}", group_name_of(preset.meta), i);
  Upgrading upgrading(found->second, *next, result);
  for (const auto& [inner, content] : preset.groups)
    if (!doc.groups.contains(inner)) upgrading.add(edit::InsertGroup{inner, content});
  upgrading.add(edit::InsertGroup{name, *next});
  upgrading.instances_in("", doc.graph, name);
  for (const auto& [other, content] : doc.groups)
    if (other != group) upgrading.instances_in(other, content.graph, name);
  upgrading.add(edit::EraseGroup{group});
  return result;
}

}  // namespace sinew::library
