// What is dropped onto the window, or imported: documents open, presets become groups on the
// canvas, and what a node can read becomes such a node.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/editor/editor.h"
#include "app/editor/folder_list.h"
#include "app/library/meta_words.h"
#include "app/library/opening.h"
#include "app/library/preset_group.h"
#include "app/library/readers.h"
#include "graph/atomic_file.h"

namespace sinew::editor {
namespace {

namespace fs = std::filesystem;

// Whether a file is a document of ours, as far as its beginning says.
bool is_document(const fs::path& path) {
  if (!has_ending(path.filename().string(), {"json"})) return false;
  const Result<std::string> text = read_file(path, DocumentLimits{}.file_bytes);
  return text && text->substr(0, 4096).find("\"sinew\"") != std::string::npos;
}

// Letters, digits and underscores of a file's name.
std::string id_from(const fs::path& file, const std::string& otherwise) {
  std::string id;
  for (const char c : file.stem().string())
    id += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return valid_id(id) ? id : otherwise;
}

// Canvas pixels, from one node to the next: below it, and on its right.
constexpr float between_dropped = 110, between_columns = 260;

}  // namespace

void Editor::drop(const fs::path& path, float x, float y) {
  drops_.push_back({path, ImVec2(x, y)});
}

void Editor::take_drops() {
  const std::vector<Drop> drops = std::exchange(drops_, {});
  if (drops.empty()) return;
  if (asking()) return notify(NoticeKind::info, "Answer the question first, then drop again");
  std::vector<fs::path> to_read, documents, packs;
  for (const Drop& d : drops) {
    const std::string name = d.path.filename().string();
    std::error_code ec;
    if (fs::is_directory(d.path, ec))
      notify(NoticeKind::warning, fmt::format("{} is a folder; drop files", name));
    else if (has_ending(name, {"sinew"}))
      packs.push_back(d.path);
    else if (is_document(d.path))
      documents.push_back(d.path);
    else if (reader_for(session.registry(), name).type)
      to_read.push_back(d.path);
    else
      notify(NoticeKind::warning, fmt::format("Sinew cannot do anything with {}", name));
  }
  const ImVec2 pixel = drops.front().at;
  const bool on_canvas = is_canvas(pixel);
  if (!to_read.empty()) load_into_nodes(to_read, pixel);
  if (!packs.empty()) install_packs(packs);
  if (documents.empty()) return;
  if (!on_canvas) {
    if (documents.size() > 1)
      notify(NoticeKind::info, fmt::format("One document is open at a time: {}",
                                           documents.front().filename().string()));
    return open_file(documents.front());
  }
  ImVec2 at = canvas_place(pixel);
  for (const fs::path& path : documents) {
    insert_preset(path, at.x, at.y);
    at.y += between_dropped;
  }
}

bool Editor::is_canvas(ImVec2 pixel) const {
  return std::any_of(panels_.begin(), panels_.end(),
                     [&](const auto& p) { return p.second->ground_at(pixel).has_value(); });
}

ImVec2 Editor::canvas_place(std::optional<ImVec2> pixel) const {
  for (const auto& [name, p] : panels_) {
    if (pixel) {
      if (const std::optional<ImVec2> ground = p->ground_at(*pixel)) return *ground;
      continue;
    }
    const auto area = areas_.find(name);
    if (area == areas_.end()) continue;
    const ImVec2 middle((area->second.from.x + area->second.to.x) / 2,
                        (area->second.from.y + area->second.to.y) / 2);
    if (const std::optional<ImVec2> ground = p->ground_at(middle)) return free_place(*ground);
  }
  return free_place({0, 0});
}

// Not right on top of another node.
ImVec2 Editor::free_place(ImVec2 at) const {
  constexpr float near = 24;
  const auto taken = [&] {
    for (const auto& [id, layout] : session.body().layout.nodes) {
      const auto place = place_of(session.body().layout, id);
      if (place && std::abs(static_cast<float>(place->first) - at.x) < near &&
          std::abs(static_cast<float>(place->second) - at.y) < near)
        return true;
    }
    return false;
  };
  for (int tries = 0; tries < 100 && taken(); ++tries) at = ImVec2(at.x + near, at.y + near);
  return at;
}

namespace {

// A row for a node and its viewer that covers nothing: below what is there.
ImVec2 free_row(const GraphBody& graph, ImVec2 at) {
  const auto covers = [&](const auto& item) {
    const auto place = place_of(graph.layout, item.first);
    if (!place) return false;
    const float x = static_cast<float>(place->first) - at.x,
                y = static_cast<float>(place->second) - at.y;
    return x > -between_columns && x < 2 * between_columns && std::abs(y) < between_dropped;
  };
  const auto& taken = graph.layout.nodes;
  for (int tries = 0; tries < 1000 && std::any_of(taken.begin(), taken.end(), covers); ++tries)
    at.y += between_dropped / 2;
  return at;
}

// Edits that add nodes one after the other, so that ids and places are not taken twice.
class Adding {
 public:
  Adding(const GraphDoc& doc, std::string graph) : work_(doc), graph_(std::move(graph)) {}

  std::string node(const NodeType& type, const std::string& id, const std::string& label,
                   std::map<std::string, Json> params, ImVec2 at) {
    NodeDoc made;
    made.type = type.id;
    made.version = type.version;
    made.id = unused_id(body(), id);
    made.label = label;
    made.params = std::move(params);
    const std::string name = made.id;
    for (const Edit& edit : add_node(work_, graph_, std::move(made), at.x, at.y).edits) take(edit);
    nodes.insert(name);
    return name;
  }
  void viewer_for(const Registry& registry, const NodeType& type, const std::string& id,
                  ImVec2 at) {
    for (const NodeType* viewer : registry.nodes()) {
      if (!viewer->viewer || viewer->inputs.empty() || type.outputs.empty()) continue;
      const std::string name = node(*viewer, "view", "", {}, at);
      const LinkDoc link{{id, type.outputs.front().name}, {name, viewer->inputs.front().name}};
      return take(edit::InsertLink{graph_, body().links.size(), link});
    }
  }
  const GraphBody& body() const { return *work_.body(graph_); }
  const GraphDoc& after() const { return work_; }

  std::set<std::string> nodes;
  std::vector<Edit> edits;

 private:
  void take(const Edit& edit) {
    (void)apply_edit(work_, edit);
    edits.push_back(edit);
  }

  GraphDoc work_;
  std::string graph_;
};

}  // namespace

void Editor::load_into_nodes(const std::vector<fs::path>& files, std::optional<ImVec2> pixel) {
  const GraphBody& body = session.body();
  const bool has_viewer = std::any_of(body.nodes.begin(), body.nodes.end(), [&](const NodeDoc& n) {
    const NodeType* type = session.type_of(n);
    return type && type->viewer;
  });
  // What was dropped is seen at once: by a viewer, as what is there is seen. A graph without any
  // shows what nobody takes.
  const bool views = session.graph_name().empty() && (has_viewer || body.nodes.empty());
  const ImVec2 start = canvas_place(pixel);
  Adding adding(session.doc(), session.graph_name());
  for (const fs::path& file : files) {
    const Reader reader = reader_for(session.registry(), file.filename().string());
    const ImVec2 at = free_row(adding.body(), start);
    const std::string id = adding.node(*reader.type, id_from(file, "file"), file.stem().string(),
                                       {{reader.input->name, session.name_of_file(file)}}, at);
    if (views)
      adding.viewer_for(session.registry(), *reader.type, id, ImVec2(at.x + between_columns, at.y));
  }
  // Where outputs were chosen to be shown, viewers alone are not looked at.
  const bool shown_by_choice = !player.shown().empty() || !session.graph_name().empty();
  if (shown_by_choice)
    if (std::optional<Edit> shown = show_also(adding.after(), adding.nodes))
      adding.edits.push_back(*shown);
  const std::string title = files.size() == 1
                                ? fmt::format("Add {}", files.front().filename().string())
                                : fmt::format("Add {} files", files.size());
  if (!session.apply({title, adding.edits, {}})) return;  // the frame tells why
  session.seal();
  session.select(adding.nodes);
}

// The flags that show what is shown now and what these nodes give; nothing if it is seen anyway.
std::optional<Edit> Editor::show_also(const GraphDoc& after, const std::set<std::string>& nodes) {
  const GraphPtr graph = CompiledGraph::compile(after, session.registry());
  const auto names_of = [&](int node, const std::string& path, std::vector<std::string>& names) {
    const CompiledNode& n = graph->node(node);
    for (std::size_t i = 0; i < n.output_types.size(); ++i)
      if (n.output_types[i] && can_show(*n.output_types[i]))
        names.push_back(path + "." + n.type->outputs[i].name);
  };
  std::vector<std::string> names = player.shown();
  bool has_viewers = false;
  for (const Target& t : graph->default_targets()) {
    has_viewers = has_viewers || graph->node(t.node).type->viewer;
    if (player.shown().empty() && graph->node(t.node).type->viewer)
      names_of(t.node, graph->node(t.node).path, names);
  }
  if (names.empty() && !has_viewers && session.graph_name().empty()) return std::nullopt;
  for (const std::string& id : nodes)
    if (const int node = graph->find_node(session.path_of(id)); node >= 0)
      names_of(node, session.path_of(id), names);
  if (names.empty()) return std::nullopt;
  return edit::SetGraphLayout{"", Player::shown_key, Json(names)};
}

void Editor::insert_preset(const fs::path& path, double x, double y) {
  const Result<GraphDoc> doc = library::open_elsewhere(path, session.registry());
  if (!doc) return notify(NoticeKind::error, path.filename().string() + ": " + doc.error());
  GraphDoc preset = *doc;
  if (preset.meta.title.empty()) preset.meta.title = path.stem().string();
  Result<Command> command =
      insert_as_group(session.doc(), session.graph_name(), preset, session.registry(), x, y);
  if (!command) return notify(NoticeKind::error, path.filename().string() + ": " + command.error());
  std::set<std::string> made;
  for (const Edit& edit : command->edits)
    if (const auto* insert = std::get_if<edit::InsertNode>(&edit))
      if (insert->graph == session.graph_name()) made.insert(insert->node.id);
  GraphDoc after = session.doc();
  for (const Edit& edit : command->edits) (void)apply_edit(after, edit);
  if (std::optional<Edit> shown = show_also(after, made)) command->edits.push_back(*shown);
  if (!session.apply(std::move(*command))) return;
  session.seal();
  session.select(made);
}

void Editor::import_dialog() {
  std::vector<std::string> endings;
  for (const NodeType* type : session.registry().nodes())
    for (const InputInfo& input : type->inputs)
      if (input.file == FileUse::read)
        for (const std::string& ending : input.file_endings)
          if (std::find(endings.begin(), endings.end(), ending) == endings.end())
            endings.push_back(ending);
  ask_file({"Import a mesh", endings, false, "meshes", "", [this](const fs::path& path) {
              if (!reader_for(session.registry(), path.filename().string()).type)
                return notify(NoticeKind::warning,
                              fmt::format("No node reads files like {}", path.filename().string()));
              load_into_nodes({path}, {});
            }});
}

}  // namespace sinew::editor
