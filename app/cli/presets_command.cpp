#include "app/cli/presets_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/cli/program.h"
#include "app/cli/say.h"
#include "app/library/places.h"
#include "app/library/preset_facts.h"

namespace sinew::cli {

namespace {

namespace fs = std::filesystem;
using library::PresetInfo;

Json json_of(const PresetInfo& p) {
  Json json = {{"name", p.name},
               {"title", p.title},
               {"category", p.category},
               {"version", p.meta.version},
               {"tags", p.meta.tags},
               {"file", p.file.string()},
               {"own", p.own}};
  if (!p.error.empty()) json["error"] = p.error;
  return json;
}

void print_list(const std::vector<const PresetInfo*>& list, bool json, bool by_category) {
  if (json) {
    Json all = Json::array();
    for (const PresetInfo* p : list) all.push_back(json_of(*p));
    say_lines(json_text(all));
    return;
  }
  std::size_t widest = 0;
  for (const PresetInfo* p : list) widest = std::max(widest, p->name.size());
  std::string category;
  for (const PresetInfo* p : list) {
    if (by_category && p->category != category) {
      if (!category.empty()) say("\n");
      say("{}\n", p->category);
      category = p->category;
    }
    say("  {:{}}  {}{}\n", p->name, widest, p->title,
        p->error.empty() ? "" : "  (" + p->error + ")");
  }
}

int run_list(const PresetsOptions& options) {
  const library::LibraryIndex index = open_library(options);
  std::vector<const PresetInfo*> list;
  std::vector<std::string> categories, tags;
  for (const PresetInfo& p : index.presets()) {
    categories.push_back(p.category);
    tags.insert(tags.end(), p.meta.tags.begin(), p.meta.tags.end());
    const bool has_tag =
        std::find(p.meta.tags.begin(), p.meta.tags.end(), options.tag) != p.meta.tags.end();
    if ((options.category.empty() || p.category == options.category) &&
        (options.tag.empty() || has_tag))
      list.push_back(&p);
  }
  if (list.empty() && !(options.category.empty() && options.tag.empty())) {
    const bool category = !options.category.empty();
    const std::string& word = category ? options.category : options.tag;
    print_error("", fmt::format("no preset has the {} '{}'{}", category ? "category" : "tag", word,
                                did_you_mean(word, category ? categories : tags)));
    return call_error;
  }
  print_list(list, options.json, true);
  return done;
}

int run_search_library(const PresetsOptions& options) {
  const std::string words = fmt::format("{}", fmt::join(options.words, " "));
  const library::LibraryIndex index = open_library(options);
  std::vector<std::pair<int, const PresetInfo*>> found;
  for (const PresetInfo& p : index.presets())
    if (const int score = library::preset_score(p, words); score >= 0)
      found.emplace_back(score, &p);
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  // Letters that are strewn over a title fit many; beside a good one they are noise.
  constexpr int good = 4;
  std::vector<const PresetInfo*> list;
  for (const auto& [score, p] : found)
    if (score * good >= found.front().first) list.push_back(p);
  if (list.empty() && !options.json)
    say("no preset is about '{}'\n", words);
  else
    print_list(list, options.json, false);
  return done;
}

void print_parameters(const std::vector<library::PresetParameter>& list) {
  if (list.empty()) return;
  say("\nparameters\n");
  for (const library::PresetParameter& p : list) {
    say("  {:24} {} {}: {}{}{}\n", p.path, p.node, p.label, p.value,
        p.unit.empty() ? "" : " " + p.unit, p.range.empty() ? "" : "; " + p.range);
    if (!p.doc.empty()) say("  {:24} {}\n", "", p.doc);
  }
}

Json json_of(const std::vector<library::PresetParameter>& list) {
  Json all = Json::array();
  for (const library::PresetParameter& p : list)
    all.push_back({{"path", p.path},
                   {"node", p.node},
                   {"label", p.label},
                   {"type", p.type},
                   {"value", p.value},
                   {"unit", p.unit},
                   {"range", p.range},
                   {"doc", p.doc}});
  return all;
}

int run_show(const PresetsOptions& options) {
  const library::LibraryIndex index = open_library(options);
  const Result<fs::path> file = find_preset(index, options.words.front());
  if (!file) return print_error("", file.error()), call_error;
  const PresetInfo info = library::describe_preset(*file, file->parent_path(), registry());
  if (!info.error.empty()) return print_error(file->string(), info.error), call_error;
  const Result<GraphDoc> doc = load_document(*file, registry());
  if (!doc) return print_error(file->string(), doc.error()), call_error;
  const std::vector<library::PresetParameter> parameters = library::parameters_of(*doc, registry());
  const Settings& s = doc->settings;
  if (options.json) {
    Json json = json_of(info);
    json["description"] = info.meta.description;
    json["author"] = info.meta.author;
    json["licence"] = info.meta.licence;
    json["nodes"] = info.nodes;
    json["uses"] = info.uses;
    json["first_frame"] = s.first_frame;
    json["last_frame"] = s.last_frame;
    json["fps"] = s.fps;
    json["goes_onto_meshes"] = info.has_body;
    json["gives_a_material"] = info.has_material;
    json["parameters"] = json_of(parameters);
    json["used_by"] = index.used_by(info);
    say_lines(json_text(json));
    return done;
  }
  say("{} ({} {})\n{}\n\n", info.title, info.name, info.meta.version, info.meta.description);
  say("category  {}\ntags      {}\nauthor    {}\nlicence   {}\nfile      {}\n", info.category,
      fmt::format("{}", fmt::join(info.meta.tags, ", ")), info.meta.author, info.meta.licence,
      file->string());
  say("frames    {} to {}, {:g} a second\nnodes     {}: {}\n", s.first_frame, s.last_frame, s.fps,
      info.nodes, fmt::format("{}", fmt::join(info.uses, ", ")));
  if (info.has_material)
    say("put       sinew presets put {} --on DOCUMENT.json -o OUT.json\n", info.name);
  else if (info.has_body)
    say("put       sinew presets put {} --on MESH -o OUT.json\n", info.name);
  print_parameters(parameters);
  return done;
}

}  // namespace

library::LibraryIndex open_library(const PresetsOptions& options) {
  constexpr double patience = 60;  // seconds, for thousands of presets on a slow line
  library::LibraryIndex index(
      registry(), library::find_presets({}),
      options.library.empty() ? library::own_presets_folder() : fs::path(options.library));
  (void)index.update(patience);
  return index;
}

Result<fs::path> find_preset(const library::LibraryIndex& index, const std::string& word) {
  std::error_code ec;
  if (fs::is_regular_file(word, ec)) return fs::path(word);
  std::vector<std::string> names;
  const PresetInfo* last_part = nullptr;
  for (const PresetInfo& p : index.presets()) {
    const fs::path plain = fs::path(p.file).replace_extension();
    const std::string in_folder =
        plain.parent_path().filename().string() + "/" + plain.filename().string();
    const std::string last = p.name.substr(p.name.rfind('/') + 1);
    if (word == p.name) return p.file;
    // What came in a pack is not taken for what comes with the program, or is one's own.
    const bool fits =
        word == last || (!p.installed && (word == in_folder || word == plain.filename()));
    if (fits && (!last_part || (last_part->installed && !p.installed))) last_part = &p;
    names.push_back(p.name);
    names.push_back(last);
  }
  if (last_part) return last_part->file;
  return Error{
      fmt::format("there is no file and no preset '{}'{}", word, did_you_mean(word, names))};
}

int run_presets(const PresetsOptions& options) {
  using Act = PresetsOptions::Act;
  switch (options.act) {
    case Act::list:
      return run_list(options);
    case Act::search:
      return run_search_library(options);
    case Act::show:
      return run_show(options);
    case Act::install:
      return run_install(options);
    case Act::pack:
      return run_pack(options);
    case Act::diff:
      return run_diff(options);
    case Act::upgrade:
      return run_upgrade(options);
    case Act::put:
      return run_put(options);
    case Act::try_files:
      return run_trial(options);
    case Act::preview:
    case Act::check:
      break;  // main knows whether there is a renderer
  }
  return call_error;
}

}  // namespace sinew::cli
