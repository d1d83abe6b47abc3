#include "graph/stranger.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/archive.h"
#include "graph/file_parameters.h"
#include "graph/json_reader.h"
#include "graph/plain_text.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_line = 200, longest_label = 1000, longest_text = 10000;
constexpr std::size_t most_tags = 50;

// What is shown in lists and on terminals is short, and one line.
class Words {
 public:
  void line(std::string_view what, const std::string& text, std::size_t longest = longest_line) {
    if (flaw_.empty() && (text.size() > longest || !is_plain(text)))
      flaw_ = fmt::format("its {} is longer than {} letters, or has control characters in it", what,
                          longest);
  }
  void lines(std::string_view what, const std::string& text) {
    if (flaw_.empty() && (text.size() > longest_text || !is_plain(text, true)))
      flaw_ = fmt::format("its {} is longer than {} letters, or has control characters in it", what,
                          longest_text);
  }

  void meta(const Meta& meta) {
    line("name", meta.name);
    line("version", meta.version);
    line("title", meta.title);
    line("author", meta.author);
    line("licence", meta.licence);
    lines("description", meta.description);
    if (meta.tags.size() > most_tags && flaw_.empty())
      flaw_ = fmt::format("it has more than {} tags", most_tags);
    for (const std::string& tag : meta.tags) line("tag", tag);
    for (const auto& [key, value] : meta.extra.items()) {
      line("meta block", key);
      if (value.is_string()) line(shortened(key), value.get_ref<const std::string&>());
      if (!value.is_array()) continue;
      for (const Json& one : value)
        if (one.is_string()) line(shortened(key), one.get_ref<const std::string&>());
    }
  }

  void graph(const GraphBody& graph) {
    for (const NodeDoc& node : graph.nodes) line("label", node.label, longest_label);
  }

  void group(const std::string& name, const GroupDoc& group) {
    line("group's name", name);
    meta(group.meta);
    graph(group.graph);
    for (const auto* items : {&group.inputs, &group.outputs})
      for (const InterfaceItem& item : *items) {
        line("group's socket", item.name, longest_label);
        lines("group's socket", item.doc);
      }
  }

  const std::string& flaw() const { return flaw_; }

 private:
  std::string flaw_;
};

std::string flaw_of_words(const GraphDoc& doc) {
  Words words;
  words.meta(doc.meta);
  words.graph(doc.graph);
  for (const auto& [name, group] : doc.groups) words.group(name, group);
  return words.flaw();
}

// "obj" of "a/B.OBJ".
std::string ending_of(const std::string& name) {
  std::string ending = fs::path(name).extension().string();
  if (!ending.empty()) ending.erase(0, 1);
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

// What is wrong with a name of a file; empty: nothing.
std::string flaw_of_name(const FileParameter& p, const std::string& name,
                         const std::set<std::string>& files) {
  if (std::string bad = flaw_of_inner_name(name); !bad.empty()) return bad;
  if (p.input->file == FileUse::write) {
    const bool there = files.contains(name) || name == pack_manifest || name == pack_document;
    return there ? fmt::format("it would write over '{}'", shortened(name)) : "";
  }
  if (!files.contains(name)) return fmt::format("'{}' is not in the pack", shortened(name));
  const std::vector<std::string>& endings = p.input->file_endings;
  const bool known = std::find(endings.begin(), endings.end(), ending_of(name)) != endings.end();
  if (!known || name == pack_manifest || name == pack_document)
    return fmt::format("'{}' is no file that it can read", shortened(name));
  return "";
}

}  // namespace

DocumentLimits stranger_limits() {
  DocumentLimits limits;
  limits.file_bytes = limits.tree_bytes = std::size_t{48} << 20;
  limits.nodes = 20000;
  limits.links = 100000;
  limits.plain = true;
  return limits;
}

std::string flaw_of_stranger(GraphDoc& doc, const Registry& registry,
                             const std::set<std::string>& files) {
  std::string flaw = flaw_of_words(doc);
  for_files(doc, registry, [&](const FileParameter& p) {
    if (p.linked && flaw.empty())
      flaw = fmt::format("{}: what '{}' is would only be known when it runs", words_for(*p.node),
                         p.input->name);
    for_names(p, [&](const std::string& name) {
      if (!flaw.empty()) return;
      if (const std::string bad = flaw_of_name(p, name, files); !bad.empty())
        flaw = fmt::format("{}: {}", words_for(*p.node), bad);
    });
  });
  return flaw;
}

std::string flaw_of_place(const PackFolder& pack, const fs::path& file) {
  std::error_code ec;
  if (fs::equivalent(file, pack.document(), ec)) return "";
  return fmt::format("it lies in the folder of the pack '{}', which has one document, {}",
                     plain_line(pack.name), pack_document);
}

std::string flaw_of_installed(GraphDoc& doc, const Registry& registry, const PackFolder& pack) {
  std::error_code ec;
  if (doc.meta.name != pack.name)
    return fmt::format("it names itself '{}', and was installed as '{}'", shortened(doc.meta.name),
                       plain_line(pack.name));
  std::string flaw = flaw_of_stranger(doc, registry, pack.files);
  std::set<std::string> seen;
  std::uintmax_t bytes = 0;
  for_files(doc, registry, [&](const FileParameter& p) {
    for_names(p, [&](const std::string& name) {
      if (!flaw.empty() || !seen.insert(name).second) return;
      if (!leads_into(pack.folder / name, pack.folder))
        flaw = fmt::format("{}: '{}' is a link that leads out of the folder of its pack",
                           words_for(*p.node), shortened(name));
      const std::uintmax_t size = fs::file_size(pack.folder / name, ec);
      bytes += ec ? 0 : size;
    });
  });
  if (flaw.empty() && bytes > ArchiveLimits{}.bytes)
    flaw = fmt::format("what it reads is larger than {} MB", ArchiveLimits{}.bytes >> 20);
  return flaw;
}

}  // namespace sinew
