#include "graph/preset_pack.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "graph/atomic_file.h"
#include "graph/evaluator.h"
#include "graph/json_reader.h"
#include "graph/made_files.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// Files that others stand beside would have to be taken apart to be found all.
constexpr std::string_view lonely[] = {".gltf", ".node", ".ele"};

std::string hash_of(std::string_view content) {
  return KeyHasher(0x7061636b).text(content).finish().hex();
}

std::string hash_of(const std::vector<ArchiveFile>& files) {
  KeyHasher hasher(0x7061636c);
  for (const ArchiveFile& f : files) hasher.text(f.name).text(f.content);
  return hasher.finish().hex();
}

// Every text that a parameter may have: itself, or those of its steps.
void for_texts(Json& value, const std::function<void(Json&)>& visit) {
  if (value.is_string()) return visit(value);
  if (!value.is_object()) return;
  const auto steps = value.find("steps");
  if (steps == value.end() || !steps->is_array()) return;
  for (Json& step : *steps)
    if (step.is_array() && step.size() == 2 && step[1].is_string()) visit(step[1]);
}

struct FileParameter {
  NodeDoc* node;
  const InputInfo* input;
  const GraphBody* graph;
};

// All inputs of all nodes that name files, in groups, too.
void for_files(GraphDoc& doc, const Registry& registry,
               const std::function<void(const FileParameter&)>& visit) {
  const auto in_graph = [&](GraphBody& graph) {
    for (NodeDoc& node : graph.nodes) {
      const NodeType* type = registry.find(node.type);
      if (!type) continue;
      for (const InputInfo& input : type->inputs)
        if (input.file != FileUse::none) visit({&node, &input, &graph});
    }
  };
  in_graph(doc.graph);
  for (auto& [name, group] : doc.groups) in_graph(group.graph);
}

std::string named(const NodeDoc& node) {
  return fmt::format("node '{}' ({})", node.id, shortened(node.type));
}

bool is_linked(const FileParameter& p) {
  return std::any_of(p.graph->links.begin(), p.graph->links.end(), [&](const LinkDoc& l) {
    return l.to.node == p.node->id && l.to.socket == p.input->name;
  });
}

// Gathers what the nodes of a document read, and names it anew.
class FileGatherer {
 public:
  explicit FileGatherer(fs::path folder) : folder_(std::move(folder)) {}

  void take(const FileParameter& p) {
    const auto param = p.node->params.find(p.input->name);
    if (is_linked(p))
      return fail(fmt::format("{}: '{}' comes by a link; a pack needs the name of the file itself",
                              named(*p.node), p.input->name));
    if (param == p.node->params.end()) return;
    for_texts(param->second, [&](Json& text) {
      const std::string name = text.get<std::string>();
      if (name.empty() || !error_.empty()) return;
      if (p.input->file == FileUse::write) {
        if (!flaw_of_inner_name(name).empty())
          fail(fmt::format("{}: it writes to '{}'; name a file beside the document", named(*p.node),
                           shortened(name)));
        return;
      }
      text = inner_name(*p.node, name);
    });
  }

  const std::string& error() const { return error_; }
  const std::vector<ArchiveFile>& files() const { return files_; }

 private:
  void fail(std::string text) {
    if (error_.empty()) error_ = std::move(text);
  }

  std::string inner_name(const NodeDoc& node, const std::string& name) {
    const fs::path path = folder_ / name;
    if (const auto known = names_.find(path.lexically_normal().string()); known != names_.end())
      return known->second;
    const std::string ending = path.extension().string();
    if (std::find(std::begin(lonely), std::end(lonely), ending) != std::end(lonely))
      fail(
          fmt::format("{}: '{}' has other files beside it; save it as one file, such as .glb or "
                      ".msh",
                      named(node), shortened(name)));
    Result<std::string> content = read_file(path, ArchiveLimits{}.bytes);
    if (!content) {
      fail(fmt::format("{}: '{}' {}", named(node), shortened(name), content.error()));
      return name;
    }
    // A plain name, and one of its own.
    std::string stem;
    for (const char c : path.stem().string())
      stem += std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' ? c : '_';
    stem = stem.substr(0, 60);
    std::string inner = fmt::format("files/{}{}", stem, ending);
    for (int i = 2; std::any_of(files_.begin(), files_.end(),
                                [&](const ArchiveFile& f) { return f.name == inner; });
         ++i)
      inner = fmt::format("files/{}_{}{}", stem, i, ending);
    files_.push_back({inner, std::move(*content)});
    names_[path.lexically_normal().string()] = inner;
    return inner;
  }

  fs::path folder_;
  std::map<std::string, std::string> names_;
  std::vector<ArchiveFile> files_;
  std::string error_;
};

// What a preset says of itself is shown in lists and on terminals: it is short, and has no control
// characters. Empty: it is so.
std::string flaw_of_words(const Meta& meta) {
  constexpr std::size_t longest_line = 200, longest_text = 10000, most_tags = 50;
  const auto is_plain = [](const std::string& text, std::size_t longest, bool lines) {
    return text.size() <= longest && std::none_of(text.begin(), text.end(), [&](char c) {
             return (static_cast<unsigned char>(c) < 0x20 && !(lines && c == '\n')) || c == 0x7F;
           });
  };
  for (const auto& [what, text] : std::vector<std::pair<const char*, const std::string*>>{
           {"title", &meta.title}, {"author", &meta.author}, {"licence", &meta.licence}})
    if (!is_plain(*text, longest_line, false))
      return fmt::format("its {} is longer than {} letters, or has control characters in it", what,
                         longest_line);
  if (!is_plain(meta.description, longest_text, true))
    return fmt::format("its description is longer than {} letters, or has control characters in it",
                       longest_text);
  if (meta.tags.size() > most_tags) return fmt::format("it has more than {} tags", most_tags);
  for (const std::string& tag : meta.tags)
    if (!is_plain(tag, longest_line, false))
      return "a tag is too long, or has control characters in it";
  return "";
}

// What a document from a stranger may not have; empty: nothing of it.
std::string flaw_of_strangers(GraphDoc& doc, const Registry& registry,
                              const std::vector<ArchiveFile>& files) {
  std::string flaw;
  const auto fail = [&](std::string text) {
    if (flaw.empty()) flaw = std::move(text);
  };
  const auto check_types = [&](const GraphBody& graph) {
    for (const NodeDoc& node : graph.nodes) {
      const NodeType* type = registry.find(node.type);
      if (!type)
        fail(fmt::format("{}: this Sinew does not know such a node", named(node)));
      else if (node.version > type->version)
        fail(fmt::format("{}: it has version {}, and this Sinew knows {}; a newer one is needed",
                         named(node), node.version, type->version));
    }
  };
  check_types(doc.graph);
  for (const auto& [name, group] : doc.groups) check_types(group.graph);
  for_files(doc, registry, [&](const FileParameter& p) {
    if (is_linked(p))
      return fail(fmt::format("{}: what '{}' is would only be known when it runs", named(*p.node),
                              p.input->name));
    const auto param = p.node->params.find(p.input->name);
    if (param == p.node->params.end()) return;
    for_texts(param->second, [&](Json& text) {
      const std::string name = text.get<std::string>();
      if (name.empty()) return;
      if (const std::string bad = flaw_of_inner_name(name); !bad.empty())
        return fail(fmt::format("{}: {}", named(*p.node), bad));
      const bool there = std::any_of(files.begin(), files.end(),
                                     [&](const ArchiveFile& f) { return f.name == name; });
      if (p.input->file == FileUse::read && !there)
        fail(fmt::format("{}: '{}' is not in the pack", named(*p.node), shortened(name)));
      if (p.input->file == FileUse::write && there)
        fail(fmt::format("{}: it would write over '{}'", named(*p.node), shortened(name)));
    });
  });
  return flaw;
}

Result<void> write_all(const std::vector<ArchiveFile>& files, const fs::path& folder) {
  for (const ArchiveFile& f : files) {
    std::error_code ec;
    fs::create_directories((folder / f.name).parent_path(), ec);
    if (const Result<void> ok = write_file_atomically(folder / f.name, f.content); !ok)
      return Error{fmt::format("'{}' {}", (folder / f.name).string(), ok.error())};
  }
  return {};
}

// A folder that goes when it is no longer needed.
struct Scratch {
  fs::path path;
  ~Scratch() {
    std::error_code ec;
    if (!path.empty()) fs::remove_all(path, ec);
  }
};

Result<void> make_scratch(const fs::path& beside, std::string_view name, Scratch& scratch) {
  std::error_code ec;
  fs::create_directories(beside, ec);
  for (int attempt = 0; attempt < 100; ++attempt) {
    const fs::path path =
        beside / fmt::format(".{}-{}-{}", name, static_cast<long>(::getpid()), attempt);
    if (!fs::create_directory(path, ec)) continue;
    scratch.path = path;
    return {};
  }
  return Error{fmt::format("no folder can be made in '{}': {}", beside.string(), ec.message())};
}

// Runs the nodes that read files, and nothing else, for so long at most; what they say is wrong.
std::string flaw_of_files(const GraphDoc& doc, const Registry& registry,
                          const std::vector<ArchiveFile>& files, const PackLimits& limits) {
  CompileOptions compile;
  compile.max_nodes = limits.nodes;
  const GraphPtr graph = CompiledGraph::compile(doc, registry, compile);
  for (const NodeMessage& m : graph->general_messages())
    if (m.message.severity == Severity::error) return m.message.text;
  std::vector<Target> readers;
  for (int i = 0; i < graph->size(); ++i) {
    const CompiledNode& node = graph->node(i);
    const bool reads = std::any_of(node.type->inputs.begin(), node.type->inputs.end(),
                                   [](const InputInfo& in) { return in.file == FileUse::read; });
    const bool alone = std::all_of(node.inputs.begin(), node.inputs.end(),
                                   [](const InputSource& s) { return s.links.empty(); });
    if (reads && alone && !node.type->outputs.empty()) readers.push_back({i, 0});
  }
  if (readers.empty()) return "";
  Scratch scratch;
  if (const Result<void> ok = make_scratch(fs::temp_directory_path(), "sinew-pack", scratch); !ok)
    return ok.error();
  if (const Result<void> ok = write_all(files, scratch.path); !ok) return ok.error();
  Context context;
  context.folder = scratch.path;
  context.fps = doc.settings.fps;
  context.frame = context.start_frame = doc.settings.first_frame;
  context.last_frame = doc.settings.last_frame;
  std::atomic<bool> cancel{false};
  std::mutex mutex;
  std::condition_variable done;
  bool finished = false;
  std::thread watch([&] {
    std::unique_lock lock(mutex);
    if (!done.wait_for(lock, std::chrono::duration<double>(limits.seconds),
                       [&] { return finished; }))
      cancel = true;
  });
  Evaluator evaluator;
  const Evaluation e = evaluator.evaluate(*graph, readers, context, &cancel);
  {
    const std::lock_guard lock(mutex);
    finished = true;
  }
  done.notify_all();
  watch.join();
  if (e.cancelled) return fmt::format("its files take longer than {:g} s to read", limits.seconds);
  for (const NodeMessage& m : e.messages(*graph))
    if (m.message.severity == Severity::error)
      return fmt::format("node '{}' ({}): {}", m.path, m.type, m.message.text);
  return "";
}

Result<Json> read_manifest(const std::vector<ArchiveFile>& files) {
  const auto manifest = std::find_if(files.begin(), files.end(),
                                     [](const ArchiveFile& f) { return f.name == pack_manifest; });
  if (manifest == files.end()) return Error{"it is not a pack: it has no manifest"};
  Json json = Json::parse(manifest->content, nullptr, false);
  const auto is = [&](const char* name, bool (Json::*kind)() const noexcept) {
    return json.is_object() && json.contains(name) && (json[name].*kind)();
  };
  if (json.is_discarded() || !is("sinew_pack", &Json::is_number_integer) ||
      !is("name", &Json::is_string) || !is("version", &Json::is_string) ||
      !is("files", &Json::is_object))
    return Error{"its manifest cannot be read"};
  if (json["sinew_pack"] != 1)
    return Error{fmt::format("it has format {}, and this Sinew knows 1; a newer one is needed",
                             shortened(json["sinew_pack"].dump()))};
  return json;
}

}  // namespace

std::string flaw_of_preset_name(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash != std::string_view::npos && valid_id(name.substr(0, slash)) &&
      valid_id(name.substr(slash + 1)))
    return "";
  return fmt::format(
      "the name '{}' is not of the form namespace/name, with letters, digits, '_' and "
      "'-'",
      shortened(name));
}

bool is_semantic_version(std::string_view version) {
  int parts = 0;
  for (std::size_t at = 0; at <= version.size(); ++parts) {
    const std::size_t end = std::min(version.find('.', at), version.size());
    const std::string_view part = version.substr(at, end - at);
    if (part.empty() || part.size() > 6 ||
        part.find_first_not_of("0123456789") != std::string_view::npos)
      return false;
    at = end + 1;
  }
  return parts == 3;
}

Result<std::string> pack_preset(const fs::path& document, const Registry& registry) {
  Result<GraphDoc> doc = load_document(document, registry);
  if (!doc) return Error{doc.error()};
  if (const std::string flaw = flaw_of_preset_name(doc->meta.name); !flaw.empty())
    return Error{flaw + "; say it in its meta block: \"name\""};
  if (!is_semantic_version(doc->meta.version))
    return Error{"its meta block has no \"version\" of the form 1.0.0"};
  FileGatherer gatherer(document.parent_path());
  for_files(*doc, registry, [&](const FileParameter& p) { gatherer.take(p); });
  if (!gatherer.error().empty()) return Error{gatherer.error()};
  std::vector<ArchiveFile> files = gatherer.files();
  files.push_back({std::string(pack_document), write_document(*doc)});
  Json manifest = {{"sinew_pack", 1},
                   {"name", doc->meta.name},
                   {"version", doc->meta.version},
                   {"files", Json::object()}};
  for (const ArchiveFile& f : files) manifest["files"][f.name] = hash_of(f.content);
  files.push_back({std::string(pack_manifest), manifest.dump(2) + "\n"});
  Result<std::string> bytes = pack_archive(std::move(files));
  if (!bytes) return bytes;
  // What others would refuse is not handed out.
  if (const Result<PresetPack> pack = read_pack(*bytes, registry); !pack)
    return Error{pack.error()};
  return bytes;
}

Result<PresetPack> read_pack(std::string_view bytes, const Registry& registry,
                             const PackLimits& limits) {
  if (bytes.size() > limits.packed_bytes)
    return Error{fmt::format("it is larger than {} MB", limits.packed_bytes >> 20)};
  Result<std::vector<ArchiveFile>> files = unpack_archive(bytes, limits.archive);
  if (!files) return Error{files.error()};
  const Result<Json> manifest = read_manifest(*files);
  if (!manifest) return Error{manifest.error()};
  std::erase_if(*files, [](const ArchiveFile& f) { return f.name == pack_manifest; });
  const Json& hashes = (*manifest)["files"];
  for (const ArchiveFile& f : *files)
    if (!hashes.contains(f.name) || hashes[f.name] != hash_of(f.content))
      return Error{fmt::format("'{}' is not what the manifest says", f.name)};
  if (hashes.size() != files->size()) return Error{"files of the manifest are missing"};
  const auto document = std::find_if(files->begin(), files->end(),
                                     [](const ArchiveFile& f) { return f.name == pack_document; });
  if (document == files->end()) return Error{"it has no preset.json"};
  DocumentLimits document_limits;
  Result<GraphDoc> doc = parse_document(document->content, registry, nullptr, document_limits);
  if (!doc) return Error{fmt::format("preset.json: {}", doc.error())};
  PresetPack pack;
  pack.name = doc->meta.name;
  pack.version = doc->meta.version;
  if (const std::string flaw = flaw_of_preset_name(pack.name); !flaw.empty()) return Error{flaw};
  if (!is_semantic_version(pack.version))
    return Error{fmt::format("the version '{}' is not of the form 1.0.0", shortened(pack.version))};
  if ((*manifest)["name"] != pack.name || (*manifest)["version"] != pack.version)
    return Error{"its manifest tells another name or version than its document"};
  if (const std::string flaw = flaw_of_words(doc->meta); !flaw.empty()) return Error{flaw};
  if (const std::string flaw = flaw_of_strangers(*doc, registry, *files); !flaw.empty())
    return Error{flaw};
  if (const std::string flaw = flaw_of_files(*doc, registry, *files, limits); !flaw.empty())
    return Error{flaw};
  pack.hash = hash_of(*files);
  pack.doc = std::move(*doc);
  pack.files = std::move(*files);
  return pack;
}

Result<InstalledPack> install_pack(const PresetPack& pack, const fs::path& library, bool replace) {
  const std::size_t slash = pack.name.find('/');
  const fs::path space = library / pack.name.substr(0, slash);
  const fs::path folder = space / pack.name.substr(slash + 1);
  InstalledPack installed{folder / std::string(pack_document), false};
  std::error_code ec;
  if (fs::exists(folder, ec)) {
    bool same = true;
    for (const ArchiveFile& f : pack.files) {
      const Result<std::string> there = read_file(folder / f.name, f.content.size() + 1);
      same = same && there && *there == f.content;
    }
    if (same) {
      installed.was_there = true;
      return installed;
    }
    if (!replace)
      return Error{
          fmt::format("'{}' is in the library already, and differs; see sinew presets diff, "
                      "or install it with --replace",
                      pack.name)};
  }
  const Result<MadeFolders> made = MadeFolders::make(space);
  if (!made) return Error{fmt::format("the folder '{}' {}", space.string(), made.error())};
  Scratch scratch, old;
  if (const Result<void> ok = make_scratch(space, "installing", scratch); !ok)
    return Error{ok.error()};
  if (const Result<void> ok = write_all(pack.files, scratch.path); !ok) return Error{ok.error()};
  // What was there steps aside first, so that at no moment half of each is there.
  if (fs::exists(folder, ec)) {
    if (const Result<void> ok = make_scratch(space, "replaced", old); !ok) return Error{ok.error()};
    fs::rename(folder, old.path / "old", ec);
    if (ec) return Error{fmt::format("'{}' cannot be replaced: {}", folder.string(), ec.message())};
  }
  fs::rename(scratch.path, folder, ec);
  if (ec) {
    std::error_code back;
    if (!old.path.empty()) fs::rename(old.path / "old", folder, back);
    return Error{fmt::format("'{}' cannot be made: {}", folder.string(), ec.message())};
  }
  scratch.path.clear();
  return installed;
}

}  // namespace sinew
