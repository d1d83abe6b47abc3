#include "app/editor/titles.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/label.h"

namespace sinew::editor {

std::string title_of_group(const GraphDoc& doc, const std::string& group) {
  const auto found = doc.groups.find(group);
  if (found != doc.groups.end() && !found->second.meta.title.empty())
    return found->second.meta.title;
  // "ns/bell@1.0" is a bell.
  const std::string name = group.substr(group.rfind('/') + 1);
  return label_from_name(name.substr(0, name.find('@')));
}

std::string title_of(const Session& session, const NodeDoc& node) {
  if (!node.label.empty()) return node.label;
  if (!node.group.empty()) return title_of_group(session.doc(), node.group);
  const NodeType* type = session.type_of(node);
  return type ? type->label : node.type;
}

std::string title_of_path(const Session& session, const std::string& path) {
  std::string title;
  const GraphBody* body = &session.doc().graph;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string id = path.substr(at, end - at);
    const NodeDoc* node = body ? body->find(id) : nullptr;
    title += (title.empty() ? "" : " / ") + (node ? title_of(session, *node) : id);
    body = node && !node->group.empty() ? session.doc().body(node->group) : nullptr;
    at = end + 1;
  }
  return title;
}

std::string title_of(const Session& session, const std::string& node) {
  const NodeDoc* found = session.body().find(node);
  return found ? title_of(session, *found) : node;
}

std::string title_of_output(const Session& session, const std::string& name) {
  const Result<Target> target = session.graph()->find_output(name);
  if (!target) return name;
  const std::string title = title_of_path(session, name.substr(0, name.rfind('.')));
  const std::vector<OutputInfo>& outputs = session.graph()->node(target->node).type->outputs;
  if (outputs.size() < 2) return title;
  return fmt::format("{}: {}", title, outputs[static_cast<std::size_t>(target->output)].label);
}

}  // namespace sinew::editor
