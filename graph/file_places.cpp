#include "graph/file_places.h"

#include <algorithm>

#include "graph/file_parameters.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr std::ptrdiff_t most_levels_up = 2;

fs::path whole_path(const fs::path& path) {
  std::error_code ec;
  return fs::absolute(path, ec).lexically_normal();
}

// The graph of the document that holds this node; "": its own.
std::string graph_of(const GraphDoc& doc, const NodeDoc* node) {
  const auto holds = [&](const GraphBody& graph) {
    return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                       [&](const NodeDoc& n) { return &n == node; });
  };
  for (const auto& [name, group] : doc.groups)
    if (holds(group.graph)) return name;
  return "";
}

}  // namespace

std::string file_name_from(const fs::path& folder, const fs::path& file) {
  const fs::path whole = whole_path(file);
  if (folder.empty()) return whole.string();
  const fs::path way = whole.lexically_relative(whole_path(folder / "."));
  const auto ups = std::count(way.begin(), way.end(), fs::path(".."));
  return way.empty() || ups > most_levels_up ? whole.string() : way.generic_string();
}

std::vector<Edit> edits_for_place(const GraphDoc& doc, const Registry& registry,
                                  const fs::path& from, const fs::path& to) {
  std::vector<Edit> edits;
  const bool stays = whole_path(from / ".") == whole_path(to / ".");
  GraphDoc moved = doc;
  for_files(moved, registry, [&](const FileParameter& p) {
    if (!p.value || p.linked || p.input->file != FileUse::read) return;
    const Json before = *p.value;
    for_names(p, [&](std::string& name) {
      if (stays && fs::path(name).is_relative()) return;
      name = file_name_from(to, from / name);
    });
    if (*p.value == before) return;
    edits.push_back(edit::SetParam{graph_of(moved, p.node), p.node->id, p.input->name, *p.value});
  });
  return edits;
}

}  // namespace sinew
