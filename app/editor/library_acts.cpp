// What is done with presets beyond opening and inserting them: put onto what is there, taken over
// from packs, replaced by newer versions.
#include <fmt/format.h>

#include "app/editor/editor.h"
#include "app/library/installing.h"
#include "app/library/meta_words.h"
#include "app/library/opening.h"
#include "app/library/pack_trial.h"
#include "app/library/preset_group.h"
#include "app/library/put_on.h"
#include "app/library/upgrade.h"
#include "graph/atomic_file.h"
#include "graph/preset_pack.h"

namespace sinew::editor {
namespace {

namespace fs = std::filesystem;

// The output of a chosen node that a motion could move: a mesh.
std::optional<Endpoint> chosen_body(const Session& session) {
  const GraphPtr graph = session.graph();
  for (const std::string& id : session.selection()) {
    const int node = graph->find_node(session.path_of(id));
    if (node < 0) continue;
    const CompiledNode& n = graph->node(node);
    for (std::size_t i = 0; i < n.output_types.size(); ++i)
      if (n.output_types[i] && stand_in_for(session.registry(), *n.output_types[i]))
        return Endpoint{id, n.type->outputs[i].name};
  }
  return std::nullopt;
}

std::string told(const library::Carried& carried) {
  std::string text = fmt::format("{} fitted", carried.fitted.size());
  if (!carried.kept.empty()) text += fmt::format(", {} as they were", carried.kept.size());
  return text;
}

}  // namespace

// Below what is chosen, else where there is room.
ImVec2 Editor::place_beside_chosen() const {
  constexpr float right = 40, below = 150;
  for (const std::string& id : session.selection())
    if (const auto place = place_of(session.body().layout, id))
      return free_place(ImVec2(static_cast<float>(place->first) + right,
                               static_cast<float>(place->second) + below));
  return canvas_place({});
}

void Editor::put_preset(const fs::path& path) {
  const std::string file = path.filename().string();
  const Result<GraphDoc> preset = library::open_elsewhere(path, session.registry());
  if (!preset) return notify(NoticeKind::error, file + ": " + preset.error());
  const ImVec2 at = place_beside_chosen();
  Result<library::PutOn> put = Error{"it has no body that could be another one, and no material"};
  if (library::has_material(*preset, session.registry())) {
    put = library::put_material(session.doc(), session.graph_name(), *preset, session.registry(),
                                session.selection(), at.x, at.y);
  } else if (library::has_body(*preset, session.registry())) {
    const std::optional<Endpoint> body = chosen_body(session);
    if (!body)
      return notify(NoticeKind::info, "Choose the node with the mesh that is to move, then put on");
    put = library::put_motion(session.doc(), session.graph_name(), *preset, session.registry(),
                              *body, at.x, at.y);
  }
  if (!put)
    return notify(NoticeKind::error, fmt::format("{}: {}", preset->meta.title, put.error()));
  // A document without places is arranged as a whole, what is new with it.
  if (session.body().layout.nodes.empty())
    std::erase_if(put->command.edits, [&](const Edit& edit) {
      const auto* layout = std::get_if<edit::SetNodeLayout>(&edit);
      return layout && layout->graph == session.graph_name();
    });
  GraphDoc after = session.doc();
  for (const Edit& edit : put->command.edits) (void)apply_edit(after, edit);
  if (std::optional<Edit> shown = show_also(after, {put->node}))
    put->command.edits.push_back(*shown);
  if (!session.apply(std::move(put->command))) return;  // the frame tells why
  session.seal();
  session.select({put->node});
  notify(NoticeKind::info, fmt::format("{}: {}", preset->meta.title, told(put->carried)));
  for (const std::string& line : put->carried.lost)
    notify(NoticeKind::warning, "Not carried over: " + line);
}

void Editor::install_packs(const std::vector<fs::path>& packs) {
  if (library.own_folder().empty())
    return notify(NoticeKind::warning, "There is no folder for presets of your own");
  bool changed = false;
  for (const fs::path& path : packs) {
    const std::string file = path.filename().string();
    const Result<std::string> bytes = read_file(path, PackLimits{}.packed_bytes);
    const Result<PresetPack> pack =
        bytes ? read_pack(*bytes, session.registry(), library::limits_for_packs())
              : Result<PresetPack>(Error{bytes.error()});
    if (!pack) {
      notify(NoticeKind::error, file + ": " + pack.error());
      continue;
    }
    const Result<InstalledPack> installed =
        library::take_pack(*pack, library, library.own_folder(), false);
    if (!installed && library::is_in_own_namespace(pack->name)) {
      notify(NoticeKind::error, file + ": " + installed.error());
      continue;
    }
    if (!installed) {
      // Another version is there: the person says which one it shall be.
      ask({fmt::format("Replace {}?", pack->name),
           fmt::format("{} is in your library in another version. This pack has version {}.",
                       pack->name, pack->version),
           {{"Replace",
             [this, pack = *pack] {
               const Result<InstalledPack> replaced =
                   install_pack(pack, library.own_folder(), true);
               if (!replaced) return notify(NoticeKind::error, replaced.error());
               notify(NoticeKind::info, fmt::format("{} {} installed", pack.name, pack.version));
               refresh_library();
             }},
            {"Keep what is there", [] {}}}});
      continue;
    }
    notify(NoticeKind::info,
           fmt::format("{} {} {}", pack->name, pack->version,
                       installed->was_there ? "is in your library already" : "installed"));
    changed = changed || !installed->was_there;
  }
  if (changed) refresh_library();
}

void Editor::upgrade_presets() {
  int done = 0;
  std::vector<std::string> lost;
  std::vector<std::string> groups;
  for (const auto& [name, group] : session.doc().groups) groups.push_back(name);
  for (const std::string& name : groups) {
    const auto group = session.doc().groups.find(name);
    const PresetInfo* newer = library.find(library::preset_of_group(name, group->second));
    if (!newer || !newer->error.empty() ||
        !library::is_newer(newer->meta.version, group->second.meta.version))
      continue;
    const Result<GraphDoc> preset = library::open_elsewhere(newer->file, session.registry());
    if (!preset) return notify(NoticeKind::error, newer->file.string() + ": " + preset.error());
    Result<library::GroupUpgrade> up =
        library::upgrade_group(session.doc(), name, *preset, session.registry());
    if (!up) return notify(NoticeKind::error, up.error());
    lost.insert(lost.end(), up->lost.begin(), up->lost.end());
    if (!session.apply(std::move(up->command))) return;
    session.seal();
    ++done;
  }
  if (done == 0) return notify(NoticeKind::info, "All presets in this document are the newest");
  notify(NoticeKind::info, fmt::format("{} preset{} upgraded", done, done == 1 ? "" : "s"));
  for (const std::string& line : lost)
    notify(NoticeKind::warning, "Has no place any more: " + line);
}

}  // namespace sinew::editor
