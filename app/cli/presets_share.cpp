// Presets that come from others and go to others: packs, what differs, newer versions, and presets
// put onto other things.
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/open_graph.h"
#include "app/cli/presets_command.h"
#include "app/cli/program.h"
#include "app/cli/say.h"
#include "app/library/installing.h"
#include "app/library/meta_words.h"
#include "app/library/opening.h"
#include "app/library/pack_trial.h"
#include "app/library/places.h"
#include "app/library/put_on.h"
#include "app/library/readers.h"
#include "app/library/text_diff.h"
#include "app/library/upgrade.h"
#include "graph/atomic_file.h"
#include "graph/evaluator.h"
#include "graph/preset_pack.h"

namespace sinew::cli {

namespace {

namespace fs = std::filesystem;

Result<PresetPack> open_pack(const std::string& file) {
  const Result<std::string> bytes = read_file(file, PackLimits{}.packed_bytes);
  if (!bytes) return Error{bytes.error()};
  return read_pack(*bytes, registry(), library::limits_for_packs());
}

bool is_pack(const std::string& word) { return lower_ending(word) == ".sinew"; }

fs::path folder_of(const std::string& file) {
  std::error_code ec;
  return fs::absolute(file, ec).parent_path().lexically_normal();
}

// A document of the library, a file, or what is in a pack. `out`: what is made of it, if anything
// is, will lie there.
Result<GraphDoc> open_any(const library::LibraryIndex& index, const std::string& word,
                          const std::string& out = "") {
  if (is_pack(word)) {
    Result<PresetPack> pack = open_pack(word);
    if (!pack) return Error{fmt::format("{}: {}", word, pack.error())};
    // The document is one of its files.
    if (!out.empty() && pack->files.size() > 1)
      return Error{fmt::format("{}: it reads files that are in the pack; install it first", word)};
    return std::move(pack->doc);
  }
  const Result<fs::path> file = find_preset(index, word);
  if (!file) return Error{file.error()};
  Result<GraphDoc> doc = out.empty() ? load_document(*file, registry())
                                     : library::open_elsewhere(*file, registry(), folder_of(out));
  if (!doc) return Error{fmt::format("{}: {}", file->string(), doc.error())};
  return doc;
}

void print_diff(const library::TextDiff& diff) {
  for (const library::DiffLine& line : diff.lines) {
    const char* mark = "  ";
    if (line.kind == library::DiffLine::removed) mark = "- ";
    if (line.kind == library::DiffLine::added) mark = "+ ";
    if (line.kind == library::DiffLine::skipped) mark = "@ ";
    say("{}{}\n", mark, line.text);
  }
}

Json json_of(const library::TextDiff& diff) {
  Json lines = Json::array();
  for (const library::DiffLine& line : diff.lines) {
    if (line.kind == library::DiffLine::removed) lines.push_back("-" + line.text);
    if (line.kind == library::DiffLine::added) lines.push_back("+" + line.text);
  }
  return {{"added", diff.added}, {"removed", diff.removed}, {"lines", lines}};
}

void print_carried(const library::Carried& carried) {
  for (const std::string& line : carried.fitted) say("fitted: {}\n", line);
  for (const std::string& line : carried.kept) say("as it was: {}\n", line);
  for (const std::string& line : carried.lost) say("not carried over: {}\n", line);
}

// From one column of nodes to the next, canvas pixels.
constexpr double column = 260;

Result<void> apply(GraphDoc& doc, const Command& command) { return History(doc).apply(command); }

// A new document: the mesh, the motion as a group, and what it shows.
class MotionDocument {
 public:
  Result<void> begin(const std::string& on, const std::string& out) {
    const NodeType* type = registry().find(on);
    NodeDoc node;
    node.id = "body";
    if (!type) {
      std::error_code ec;
      if (!fs::is_regular_file(on, ec))
        return Error{fmt::format("there is no mesh '{}', and no node type of that name", on)};
      const library::Reader reader = library::reader_for(registry(), on);
      if (!reader.type) return Error{fmt::format("no node reads meshes like '{}'", on)};
      type = reader.type;
      node.label = fs::path(on).stem().string();
      const fs::path there = fs::absolute(on, ec).lexically_normal();
      node.params[reader.input->name] = there.lexically_relative(folder_of(out)).generic_string();
    }
    if (type->outputs.empty() || type->outputs.front().type->name != "mesh")
      return Error{fmt::format("'{}' makes no mesh", on)};
    node.type = type->id;
    node.version = type->version;
    body_ = {node.id, type->outputs.front().name};
    return apply(doc_, add_node(doc_, "", node, 0, 0));
  }

  Result<library::Carried> put(const GraphDoc& motion) {
    doc_.settings = motion.settings;
    const NodeDoc& body = doc_.graph.nodes.front();
    const NodeType* type = registry().find(body.type);
    doc_.meta.title = fmt::format("{}: {}", body.label.empty() && type ? type->label : body.label,
                                  motion.meta.title);
    doc_.meta.tags = motion.meta.tags;
    for (const char* key : {"picture_frame", "period", "settles"})
      if (motion.meta.extra.contains(key)) doc_.meta.extra[key] = motion.meta.extra[key];
    Result<library::PutOn> put =
        library::put_motion(doc_, "", motion, registry(), body_, column, 0);
    if (!put) return Error{put.error()};
    if (const Result<void> ok = apply(doc_, put->command); !ok) return Error{ok.error()};
    if (const auto cameras = motion.graph.layout.extra.find("cameras");
        cameras != motion.graph.layout.extra.end())
      doc_.graph.layout.extra["cameras"] = *cameras;
    add_viewers(put->node);
    return put->carried;
  }

  const GraphDoc& doc() const { return doc_; }

 private:
  void add_viewers(const std::string& instance) {
    const NodeType* view = nullptr;
    for (const NodeType* t : registry().nodes())
      if (t->viewer) view = t;
    if (!view) return;
    const std::string group = doc_.graph.find(instance)->group;
    double y = 0;
    for (const InterfaceItem& item : std::vector<InterfaceItem>(doc_.groups.at(group).outputs)) {
      NodeDoc node;
      node.id = unused_id(doc_.graph, "view");
      node.type = view->id;
      node.version = view->version;
      node.label = item.name;
      (void)apply(doc_, add_node(doc_, "", node, 2 * column, y));
      (void)apply(
          doc_, add_link(doc_, "", {{instance, item.id}, {node.id, view->inputs[0].name}}, false));
      y += 110;
    }
  }

  GraphDoc doc_;
  Endpoint body_;
};

// What the new document says of itself when it runs: strokes that miss the new body, and the like.
bool tell_messages(const GraphDoc& doc, const std::string& file, bool quiet) {
  const GraphPtr graph = CompiledGraph::compile(doc, registry());
  Evaluator evaluator;
  const Evaluation e = evaluator.evaluate(*graph, context_of(doc, file, doc.settings.first_frame));
  for (const NodeMessage& m : e.messages(*graph))
    if (m.message.severity != Severity::info && !quiet) print_message(file, m);
  return !e.failed();
}

int tell_what_was_put(const PresetsOptions& options, const GraphDoc& doc,
                      const library::Carried& carried) {
  if (!options.json) print_carried(carried);
  const bool runs = tell_messages(doc, options.out, options.json);
  if (options.json)
    say_lines(json_text({{"file", options.out},
                         {"ok", runs},
                         {"fitted", carried.fitted},
                         {"as_it_was", carried.kept},
                         {"not_carried_over", carried.lost}}));
  else
    say("wrote {}{}\n", options.out, runs ? "" : ", which does not run yet");
  return runs ? done : graph_error;
}

int put_onto_mesh(const PresetsOptions& options, const GraphDoc& motion) {
  MotionDocument made;
  if (const Result<void> ok = made.begin(options.on, options.out); !ok)
    return print_error("", ok.error()), call_error;
  const Result<library::Carried> carried = made.put(motion);
  if (!carried) return print_error(options.words.front(), carried.error()), call_error;
  if (const Result<void> saved = save_document(made.doc(), options.out); !saved)
    return print_error(options.out, saved.error()), call_error;
  return tell_what_was_put(options, made.doc(), *carried);
}

int put_onto_document(const PresetsOptions& options, const library::LibraryIndex& index,
                      const GraphDoc& material) {
  Result<GraphDoc> into = open_any(index, options.on, options.out);
  if (!into) return print_error("", into.error()), call_error;
  double left = 0;
  for (const auto& [id, layout] : into->graph.layout.nodes)
    if (const auto place = library::place_of(into->graph.layout, id))
      left = std::min(left, place->first);
  Result<library::PutOn> put =
      library::put_material(*into, "", material, registry(), {}, left - column, 0);
  if (!put) return print_error(options.on, put.error()), call_error;
  if (const Result<void> ok = apply(*into, put->command); !ok)
    return print_error(options.on, ok.error()), call_error;
  // It is no longer the preset that it was.
  into->meta.name.clear();
  into->meta.version.clear();
  into->meta.title += fmt::format(" ({})", material.meta.title);
  if (const Result<void> saved = save_document(*into, options.out); !saved)
    return print_error(options.out, saved.error()), call_error;
  return tell_what_was_put(options, *into, put->carried);
}

// A document is written: not over a mesh, nor over what it reads.
int refuse_out(const PresetsOptions& options) {
  if (lower_ending(options.out) != ".json")
    return print_error(options.out,
                       "a document is written there: give a name that ends with .json"),
           call_error;
  std::error_code ec;
  if (!options.on.empty() && lower_ending(options.on) != ".json" &&
      fs::equivalent(options.on, options.out, ec))
    return print_error(options.out, "it would be written over what it reads"), call_error;
  return done;
}

}  // namespace

int run_put(const PresetsOptions& options) {
  if (options.on.empty() || options.out.empty())
    return print_error("", "say what it is put on (--on) and where that is written (-o OUT.json)"),
           call_error;
  if (const int wrong = refuse_out(options); wrong != done) return wrong;
  const library::LibraryIndex index = open_library(options);
  const Result<GraphDoc> preset = open_any(index, options.words.front(), options.out);
  if (!preset) return print_error("", preset.error()), call_error;
  const bool material = library::has_material(*preset, registry());
  std::error_code ec;
  const bool onto_document = lower_ending(options.on) == ".json" ||
                             (!fs::exists(options.on, ec) && !registry().find(options.on) &&
                              find_preset(index, options.on));
  if (material && onto_document) return put_onto_document(options, index, *preset);
  if (!library::has_body(*preset, registry()) && material)
    return print_error("", "a material is put on a document: --on FILE.json"), call_error;
  return put_onto_mesh(options, *preset);
}

int run_install(const PresetsOptions& options) {
  const fs::path into =
      options.library.empty() ? library::own_presets_folder() : fs::path(options.library);
  const library::LibraryIndex index = open_library(options);
  int code = done;
  Json reports = Json::array();
  for (const std::string& file : options.words) {
    Result<PresetPack> pack = open_pack(file);
    const Result<InstalledPack> installed =
        pack ? library::take_pack(*pack, index, into, options.replace)
             : Result<InstalledPack>(Error{pack.error()});
    if (!installed) {
      print_error(file, installed.error());
      code = call_error;
      continue;
    }
    reports.push_back({{"name", pack->name},
                       {"version", pack->version},
                       {"file", installed->document.string()},
                       {"was_there", installed->was_there}});
    if (!options.json)
      say("{} {} {}: {}\n", pack->name, pack->version,
          installed->was_there ? "is there already" : "installed", installed->document.string());
  }
  if (options.json) say_lines(json_text(reports));
  return code;
}

int run_trial(const PresetsOptions& options) {
  const library::TrialAnswer answer = library::try_here(options.words.front(), registry());
  say("{}", answer.words);
  return answer.code;
}

int run_pack(const PresetsOptions& options) {
  const library::LibraryIndex index = open_library(options);
  const Result<fs::path> file = find_preset(index, options.words.front());
  if (!file) return print_error("", file.error()), call_error;
  const Result<std::string> bytes = pack_preset(*file, registry(), library::limits_for_packs());
  if (!bytes) return print_error(file->string(), bytes.error()), call_error;
  const std::string out = options.out.empty() ? file->stem().string() + ".sinew" : options.out;
  if (!is_pack(out)) return print_error(out, "a pack's name ends with .sinew"), call_error;
  if (const Result<void> ok = write_file_atomically(out, *bytes); !ok)
    return print_error(out, ok.error()), call_error;
  say("{}: {} bytes\n", out, bytes->size());
  return done;
}

int run_diff(const PresetsOptions& options) {
  const library::LibraryIndex index = open_library(options);
  const Result<GraphDoc> before = open_any(index, options.words[0]);
  if (!before) return print_error("", before.error()), call_error;
  // A pack alone is compared with what the library has of its name.
  if (options.words.size() < 2 && !is_pack(options.words[0]))
    return print_error("", "name two presets, or a pack to compare with what is installed"),
           call_error;
  if (options.words.size() < 2 && !index.find(before->meta.name))
    return print_error(options.words[0],
                       fmt::format("'{}' is not in your library yet", before->meta.name)),
           call_error;
  const Result<GraphDoc> after = options.words.size() > 1 ? open_any(index, options.words[1])
                                                          : open_any(index, before->meta.name);
  if (!after) return print_error("", after.error()), call_error;
  const bool alone = options.words.size() < 2;
  const library::TextDiff diff = library::diff_lines(write_document(alone ? *after : *before),
                                                     write_document(alone ? *before : *after));
  if (options.json)
    say_lines(json_text(json_of(diff)));
  else if (diff.added + diff.removed == 0)
    say("they are the same\n");
  else
    print_diff(diff);
  return done;
}

int run_upgrade(const PresetsOptions& options) {
  const std::string& file = options.words.front();
  if (!options.out.empty())
    if (const int wrong = refuse_out(options); wrong != done) return wrong;
  std::vector<NodeMessage> notes;
  Result<GraphDoc> doc = open_document(file, notes);
  if (!doc) return print_error(file, doc.error()), call_error;
  const library::LibraryIndex index = open_library(options);
  Json reports = Json::array();
  bool changed = false;
  std::vector<std::string> groups;
  for (const auto& [name, group] : doc->groups) groups.push_back(name);
  for (const std::string& name : groups) {
    const library::PresetInfo* preset =
        index.find(library::preset_of_group(name, doc->groups.at(name)));
    if (!preset || !preset->error.empty()) continue;
    if (!library::is_newer(preset->meta.version, doc->groups.at(name).meta.version)) continue;
    const Result<GraphDoc> next = library::open_elsewhere(
        preset->file, registry(), folder_of(options.out.empty() ? file : options.out));
    if (!next) return print_error(preset->file.string(), next.error()), call_error;
    const Result<library::GroupUpgrade> up = library::upgrade_group(*doc, name, *next, registry());
    if (!up) return print_error(file, up.error()), call_error;
    const library::TextDiff diff = library::diff_lines(up->before, up->after);
    reports.push_back({{"name", up->name},
                       {"from", up->from},
                       {"to", up->to},
                       {"kept", up->kept},
                       {"lost", up->lost},
                       {"diff", json_of(diff)}});
    if (!options.json) {
      say("{}: {} -> {}\n", up->name, up->from.empty() ? "no version" : up->from, up->to);
      print_diff(diff);
      for (const std::string& line : up->kept) say("kept: {}\n", line);
      for (const std::string& line : up->lost) say("has no place any more: {}\n", line);
    }
    if (const Result<void> ok = apply(*doc, up->command); !ok)
      return print_error(file, ok.error()), call_error;
    changed = true;
  }
  if (options.json) say_lines(json_text(reports));
  if (!changed) {
    if (!options.json)
      say("{}: {}\n", file,
          groups.empty() ? "it holds no presets" : "the library has nothing newer");
    return done;
  }
  if (options.out.empty()) {
    if (!options.json) say("nothing was written; -o {} takes it over\n", file);
    return done;
  }
  if (const Result<void> saved = save_document(*doc, options.out); !saved)
    return print_error(options.out, saved.error()), call_error;
  if (!options.json) say("wrote {}\n", options.out);
  return done;
}

}  // namespace sinew::cli
