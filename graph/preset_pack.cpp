#include "graph/preset_pack.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "graph/atomic_file.h"
#include "graph/evaluator.h"
#include "graph/file_parameters.h"
#include "graph/json_reader.h"
#include "graph/made_files.h"
#include "graph/pack_folder.h"
#include "graph/scratch_folder.h"
#include "graph/stranger.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// Beginnings of the names of folders for a while.
constexpr std::string_view trial_folder = "sinew-pack", install_folder = "installing";
// In one for an installation: what stood in its place. Older versions made folders of their own.
constexpr std::string_view old_folder = "old", former_folder = "replaced";

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

// Gathers what the nodes of a document read, and names it anew.
class FileGatherer {
 public:
  explicit FileGatherer(fs::path folder) : folder_(std::move(folder)) {}

  void take(const FileParameter& p) {
    if (p.linked)
      return fail(fmt::format("{}: '{}' comes by a link; a pack needs the name of the file itself",
                              words_for(*p.node), p.input->name));
    for_names(p, [&](std::string& name) {
      if (!error_.empty()) return;
      if (p.input->file == FileUse::write) {
        if (!flaw_of_inner_name(name).empty())
          fail(fmt::format("{}: it writes to '{}'; name a file beside the document",
                           words_for(*p.node), shortened(name)));
        return;
      }
      name = inner_name(*p.node, name);
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
                      words_for(node), shortened(name)));
    Result<std::string> content = read_file(path, ArchiveLimits{}.bytes);
    if (!content) {
      fail(fmt::format("{}: '{}' {}", words_for(node), shortened(name), content.error()));
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

// What a document in a pack may not have beyond what no stranger's may; empty: nothing of it.
std::string flaw_of_types(const GraphDoc& doc, const Registry& registry) {
  const auto flaw_in = [&](const GraphBody& graph) -> std::string {
    for (const NodeDoc& node : graph.nodes) {
      const NodeType* type = registry.find(node.type);
      if (!type) return fmt::format("{}: this Sinew does not know such a node", words_for(node));
      if (node.version > type->version)
        return fmt::format("{}: it has version {}, and this Sinew knows {}; a newer one is needed",
                           words_for(node), node.version, type->version);
    }
    return "";
  };
  std::string flaw = flaw_in(doc.graph);
  for (const auto& [name, group] : doc.groups)
    if (flaw.empty()) flaw = flaw_in(group.graph);
  return flaw;
}

// A pack holds its document and what that reads: anything else in it would never be looked at.
std::string flaw_of_extras(GraphDoc& doc, const Registry& registry,
                           const std::set<std::string>& names) {
  std::set<std::string> read;
  for_files(doc, registry, [&](const FileParameter& p) {
    if (p.input->file == FileUse::read)
      for_names(p, [&](const std::string& name) { read.insert(name); });
  });
  for (const std::string& name : names)
    if (name != pack_document && !read.contains(name))
      return fmt::format("it holds '{}', which its preset does not read", name);
  return "";
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

// The nodes that read files, and nothing from other nodes.
std::vector<Target> readers_in(const CompiledGraph& graph) {
  std::vector<Target> readers;
  for (int i = 0; i < graph.size(); ++i) {
    const CompiledNode& node = graph.node(i);
    const bool reads = std::any_of(node.type->inputs.begin(), node.type->inputs.end(),
                                   [](const InputInfo& in) { return in.file == FileUse::read; });
    const bool alone = std::all_of(node.inputs.begin(), node.inputs.end(),
                                   [](const InputSource& s) { return s.links.empty(); });
    if (reads && alone && !node.type->outputs.empty()) readers.push_back({i, 0});
  }
  return readers;
}

// The nodes that read files, each by itself, once for every file that it may ever read: neither a
// link nor a frame at which nobody looks hides one. Those that cannot run without a link are not
// among them.
GraphDoc readers_alone(GraphDoc doc, const Registry& registry) {
  GraphDoc alone;
  alone.settings = doc.settings;
  std::set<std::string> ids;
  for_files(doc, registry, [&](const FileParameter& p) {
    const NodeType* type = registry.find(p.node->type);
    if (p.input->file != FileUse::read || !type || !p.node->group.empty()) return;
    if (std::any_of(type->inputs.begin(), type->inputs.end(),
                    [](const InputInfo& in) { return in.required(); }))
      return;
    std::set<std::string> names;
    for_names(p, [&](const std::string& name) { names.insert(name); });
    for (const std::string& name : names) {
      NodeDoc& node = alone.graph.nodes.emplace_back(*p.node);
      node.muted = false;
      node.params[p.input->name] = name;
      for (int k = 2; !ids.insert(node.id).second; ++k)
        node.id = fmt::format("{}_{}", p.node->id, k);
    }
  });
  return alone;
}

GraphPtr compile_small(const GraphDoc& doc, const Registry& registry, const PackLimits& limits) {
  CompileOptions compile;
  compile.max_nodes = limits.nodes;
  return CompiledGraph::compile(doc, registry, compile);
}

// Puts the files into a folder where they can be tried.
std::string flaw_of_files(const GraphDoc& doc, const Registry& registry,
                          const std::vector<ArchiveFile>& files, const PackLimits& limits) {
  const GraphPtr graph = compile_small(doc, registry, limits);
  for (const NodeMessage& m : graph->general_messages())
    if (m.message.severity == Severity::error) return m.message.text;
  if (readers_in(*graph).empty() && readers_alone(doc, registry).graph.nodes.empty()) return "";
  std::error_code ec;
  const fs::path temporary = fs::temp_directory_path(ec);
  if (ec) return fmt::format("there is no folder for temporary files: {}", ec.message());
  remove_left_folders(temporary, trial_folder);
  const Result<ScratchFolder> scratch = ScratchFolder::make(temporary, trial_folder);
  if (!scratch) return scratch.error();
  if (const Result<void> ok = write_all(files, scratch->path()); !ok) return ok.error();
  std::string flaw = limits.trial ? limits.trial(scratch->path())
                                  : flaw_of_reading(doc, registry, scratch->path(), limits);
  // Where it was tried is nobody's business.
  const std::string place = scratch->path().string() + "/";
  for (std::size_t at = 0; (at = flaw.find(place)) != std::string::npos;)
    flaw.erase(at, place.size());
  return flaw;
}

PackManifest manifest_of(const std::string& name, const std::string& version,
                         const std::vector<ArchiveFile>& files) {
  PackManifest manifest{name, version, {}};
  for (const ArchiveFile& f : files) manifest.hashes[f.name] = hash_of(f.content);
  return manifest;
}

// Takes the manifest out of the files, which must be what it says.
Result<PackManifest> take_manifest(std::vector<ArchiveFile>& files) {
  const auto found = std::find_if(files.begin(), files.end(),
                                  [](const ArchiveFile& f) { return f.name == pack_manifest; });
  if (found == files.end()) return Error{"it is not a pack: it has no manifest"};
  Result<PackManifest> manifest = parse_manifest(found->content);
  if (!manifest) return manifest;
  files.erase(found);
  for (const ArchiveFile& f : files) {
    const auto hash = manifest->hashes.find(f.name);
    if (hash == manifest->hashes.end() || hash->second != hash_of(f.content))
      return Error{fmt::format("'{}' is not what the manifest says", f.name)};
  }
  if (manifest->hashes.size() != files.size()) return Error{"files of the manifest are missing"};
  return manifest;
}

// Whether a folder has these files, as they are.
bool holds(const fs::path& folder, const std::vector<ArchiveFile>& files) {
  return std::all_of(files.begin(), files.end(), [&](const ArchiveFile& f) {
    const Result<std::string> there = read_file(folder / f.name, f.content.size() + 1);
    return there && *there == f.content;
  });
}

// What was there is taken away and what is new put in its place, at one moment where the file
// system can do that. Else what was there steps aside into the scratch folder, under its name.
Result<void> put_in_place(const fs::path& made, const fs::path& folder, const fs::path& scratch) {
  if (::renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, folder.c_str(), RENAME_EXCHANGE) == 0)
    return {};
  const fs::path aside = scratch / old_folder;
  std::error_code ec, back;
  const bool is_there = fs::exists(fs::symlink_status(folder, ec));
  if (is_there) {
    fs::create_directory(aside, ec);
    fs::rename(folder, aside / folder.filename(), ec);
    if (ec) return Error{fmt::format("'{}' cannot be replaced: {}", folder.string(), ec.message())};
  }
  fs::rename(made, folder, ec);
  if (!ec) return {};
  if (is_there) fs::rename(aside / folder.filename(), folder, back);
  return Error{fmt::format("'{}' cannot be made: {}", folder.string(), ec.message())};
}

// Folders of installations that were interrupted. What had stepped aside for another version that
// never came goes back.
void remove_left_installations(const fs::path& space) {
  const auto put_back = [&](const fs::path& left) {
    std::error_code ec, ignored;
    for (fs::directory_iterator it(left / old_folder, ec), end; !ec && it != end; it.increment(ec))
      if (const fs::path place = space / it->path().filename(); !fs::exists(place, ignored))
        fs::rename(it->path(), place, ignored);
  };
  remove_left_folders(space, install_folder, put_back);
  remove_left_folders(space, former_folder);
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

Result<std::string> pack_preset(const fs::path& document, const Registry& registry,
                                const PackLimits& limits) {
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
  files.push_back({std::string(pack_manifest),
                   write_manifest(manifest_of(doc->meta.name, doc->meta.version, files))});
  Result<std::string> bytes = pack_archive(std::move(files));
  if (!bytes) return bytes;
  // What others would refuse is not handed out.
  if (const Result<PresetPack> pack = read_pack(*bytes, registry, limits); !pack)
    return Error{pack.error()};
  return bytes;
}

Result<PresetPack> read_pack(std::string_view bytes, const Registry& registry,
                             const PackLimits& limits) {
  if (bytes.size() > limits.packed_bytes)
    return Error{fmt::format("it is larger than {} MB", limits.packed_bytes >> 20)};
  Result<std::vector<ArchiveFile>> files = unpack_archive(bytes, limits.archive);
  if (!files) return Error{files.error()};
  const Result<PackManifest> manifest = take_manifest(*files);
  if (!manifest) return Error{manifest.error()};
  std::set<std::string> names;
  const ArchiveFile* document = nullptr;
  for (const ArchiveFile& f : *files) {
    names.insert(f.name);
    if (f.name == pack_document) document = &f;
  }
  if (!document) return Error{"it has no preset.json"};
  DocumentLimits document_limits = stranger_limits();
  document_limits.nodes = std::min(document_limits.nodes, limits.nodes);
  Result<GraphDoc> doc = parse_document(document->content, registry, nullptr, document_limits);
  if (!doc) return Error{fmt::format("preset.json: {}", doc.error())};
  PresetPack pack;
  pack.name = doc->meta.name;
  pack.version = doc->meta.version;
  if (const std::string flaw = flaw_of_preset_name(pack.name); !flaw.empty()) return Error{flaw};
  if (!is_semantic_version(pack.version))
    return Error{fmt::format("the version '{}' is not of the form 1.0.0", shortened(pack.version))};
  if (manifest->name != pack.name || manifest->version != pack.version)
    return Error{"its manifest tells another name or version than its document"};
  for (const std::string& flaw :
       {flaw_of_types(*doc, registry), flaw_of_stranger(*doc, registry, names),
        flaw_of_extras(*doc, registry, names)})
    if (!flaw.empty()) return Error{flaw};
  if (const std::string flaw = flaw_of_files(*doc, registry, *files, limits); !flaw.empty())
    return Error{flaw};
  pack.hash = hash_of(*files);
  pack.doc = std::move(*doc);
  pack.files = std::move(*files);
  return pack;
}

std::string flaw_of_reading(const GraphDoc& doc, const Registry& registry, const fs::path& folder,
                            const PackLimits& limits) {
  const GraphPtr graphs[] = {compile_small(doc, registry, limits),
                             compile_small(readers_alone(doc, registry), registry, limits)};
  Context context;
  context.folder = folder;
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
  std::string flaw;
  for (const GraphPtr& graph : graphs) {
    if (!flaw.empty()) break;
    const Evaluation e = evaluator.evaluate(*graph, readers_in(*graph), context, &cancel);
    if (e.cancelled)
      flaw = fmt::format("its files take longer than {:g} s to read", limits.seconds);
    for (const NodeMessage& m : e.messages(*graph))
      if (flaw.empty() && (m.message.severity == Severity::error || m.message.of_damage))
        flaw = fmt::format("node '{}' ({}): {}", m.path, m.type, m.message.text);
  }
  {
    const std::lock_guard lock(mutex);
    finished = true;
  }
  done.notify_all();
  watch.join();
  return flaw;
}

Result<InstalledPack> install_pack(const PresetPack& pack, const fs::path& library, bool replace) {
  const std::size_t slash = pack.name.find('/');
  const fs::path space = library / pack.name.substr(0, slash);
  const fs::path folder = space / pack.name.substr(slash + 1);
  InstalledPack installed{folder / std::string(pack_document), false};
  remove_left_installations(space);
  std::vector<ArchiveFile> files = pack.files;
  files.push_back({std::string(pack_manifest),
                   write_manifest(manifest_of(pack.name, pack.version, pack.files))});
  std::error_code ec;
  const bool is_there = fs::exists(folder, ec);
  if (is_there && holds(folder, files)) {
    installed.was_there = true;
    return installed;
  }
  if (is_there && replace && !pack_folder_at(folder))
    return Error{
        fmt::format("'{}' is there and is no pack that was installed; move it away, or it "
                    "would be lost",
                    folder.string())};
  if (is_there && !replace) {
    if (!holds(folder, pack.files))
      return Error{
          fmt::format("'{}' is in the library already, and differs; see sinew presets diff, "
                      "or install it with --replace",
                      pack.name)};
    // What older versions installed has no manifest and gets one; what else lies there stays.
    const fs::path manifest = folder / std::string(pack_manifest);
    if (const Result<void> ok = write_file_atomically(manifest, files.back().content); !ok)
      return Error{fmt::format("'{}' {}", manifest.string(), ok.error())};
    return installed;
  }
  const Result<MadeFolders> made_space = MadeFolders::make(space);
  if (!made_space)
    return Error{fmt::format("the folder '{}' {}", space.string(), made_space.error())};
  const Result<ScratchFolder> scratch = ScratchFolder::make(space, install_folder);
  if (!scratch) return Error{scratch.error()};
  // In a folder of its own, which others may look into as into any other.
  const fs::path made = scratch->path() / "pack";
  fs::create_directory(made, ec);
  if (const Result<void> ok = write_all(files, made); !ok) return Error{ok.error()};
  if (const Result<void> ok = put_in_place(made, folder, scratch->path()); !ok)
    return Error{ok.error()};
  return installed;
}

void remove_left_packs(const fs::path& library) {
  std::error_code ec;
  remove_left_folders(fs::temp_directory_path(ec), trial_folder);
  for (fs::directory_iterator it(library, ec), end; !ec && it != end; it.increment(ec))
    remove_left_installations(it->path());
}

}  // namespace sinew
