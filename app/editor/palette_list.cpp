#include "app/editor/palette_list.h"

#include <algorithm>

#include "app/editor/editor.h"
#include "app/editor/folder_list.h"
#include "app/library/names.h"
#include "app/ui/widgets.h"

namespace sinew::editor {
namespace {

constexpr std::size_t most_nodes = 5000;

void add_actions(Editor& editor, std::vector<PaletteEntry>& all) {
  for (const Action& a : editor.actions.all()) {
    if (!a.run || (a.enabled && !a.enabled())) continue;
    all.push_back({"action " + a.id, a.title, a.menu, a.doc,
                   a.shortcut.substr(0, a.shortcut.find(' ')),
                   a.checked && a.checked() ? ui::Icon::check : ui::Icon::right, a.run});
  }
}

void add_types(Editor& editor, std::vector<PaletteEntry>& all) {
  for (const NodeType* type : editor.session.registry().nodes()) {
    // The ends of groups and their instances are made by other means.
    if (type->role == NodeRole::group || type->role == NodeRole::group_input ||
        type->role == NodeRole::group_output)
      continue;
    all.push_back({"add " + type->id, "Add: " + type->label, type->category, type->doc, "",
                   ui::Icon::plus, [&editor, type] {
                     NodeDoc node;
                     node.type = type->id;
                     node.version = type->version;
                     const std::string base = type->id.substr(type->id.rfind('.') + 1);
                     node.id = unused_id(editor.session.body(), base);
                     const std::string id = node.id;
                     const ImVec2 at = editor.canvas_place({});
                     if (editor.session.apply(add_node(
                             editor.session.doc(), editor.session.graph_name(), node, at.x, at.y)))
                       editor.session.select_only(id);
                   }});
  }
}

void add_nodes_of(Editor& editor, const GraphBody& body, const std::string& path, int depth,
                  std::vector<PaletteEntry>& all, std::size_t limit) {
  const Session& session = editor.session;
  for (const NodeDoc& node : body.nodes) {
    if (all.size() >= limit) return;
    const NodeType* type = session.type_of(node);
    const std::string label = !node.label.empty() ? node.label : type ? type->label : node.id;
    const std::string whole = path + node.id;
    all.push_back({"go " + whole, "Go to: " + label, whole, type ? type->label : node.type, "",
                   ui::Icon::pointer, [&editor, whole] {
                     if (editor.session.go_to_node(whole)) (void)editor.actions.run("canvas.frame");
                   }});
    const GraphBody* inside = node.group.empty() ? nullptr : session.doc().body(node.group);
    if (inside && depth > 0) add_nodes_of(editor, *inside, whole + "/", depth - 1, all, limit);
  }
}

void add_files(Editor& editor, std::vector<PaletteEntry>& all) {
  for (const RecentFiles::File& f : editor.recent.all())
    if (!f.missing)
      all.push_back({"file " + f.path.string(), "Open: " + f.path.filename().string(),
                     shown_path(f.path.parent_path()), "", "", ui::Icon::file,
                     [&editor, path = f.path] { editor.open_file(path); }});
  for (const PresetInfo& p : editor.library.presets())
    if (p.error.empty())
      all.push_back({"preset " + p.name, "Preset: " + p.title, p.name, p.meta.description, "",
                     ui::Icon::star, [&editor, file = p.file] { editor.open_preset(file, true); }});
}

// How far back it was used; 0: never.
int freshness(const std::vector<std::string>& recent, const std::string& key) {
  const auto found = std::find(recent.begin(), recent.end(), key);
  return found == recent.end() ? 0 : static_cast<int>(recent.end() - found);
}

}  // namespace

std::vector<PaletteEntry> palette_entries(Editor& editor) {
  std::vector<PaletteEntry> all;
  add_actions(editor, all);
  add_types(editor, all);
  add_nodes_of(editor, editor.session.doc().graph, "", 4, all, all.size() + most_nodes);
  add_files(editor, all);
  return all;
}

std::vector<std::size_t> find_entries(const std::vector<PaletteEntry>& entries,
                                      const std::string& letters,
                                      const std::vector<std::string>& recent, std::size_t most) {
  struct Found {
    int score;
    std::size_t index;
  };
  std::vector<Found> found;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const PaletteEntry& e = entries[i];
    const int fresh = freshness(recent, e.key);
    if (letters.empty()) {
      if (fresh > 0 || e.key.starts_with("action ")) found.push_back({fresh, i});
      continue;
    }
    int score = library::fuzzy_score(letters, e.title);
    if (score >= 0) score = 2 * score + 40;
    // Also by the menu that it stands in ("file open"), by its key and by what it does.
    score = std::max(score, library::fuzzy_score(letters, e.where + " " + e.title));
    if (score < 0 && e.shortcut == letters) score = 1;
    if (score < 0 && letters.size() > 2 && e.doc.find(letters) != std::string::npos) score = 0;
    if (score >= 0) found.push_back({score + std::min(fresh, 10), i});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Found& a, const Found& b) { return a.score > b.score; });
  if (found.size() > most) found.resize(most);
  std::vector<std::size_t> indices;
  for (const Found& f : found) indices.push_back(f.index);
  return indices;
}

}  // namespace sinew::editor
