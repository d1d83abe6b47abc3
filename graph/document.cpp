#include "graph/document.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/atomic_file.h"
#include "graph/document_archive.h"
#include "graph/document_check.h"
#include "graph/json_reader.h"
#include "graph/pack_folder.h"
#include "graph/plain_text.h"
#include "graph/stranger.h"
#include "graph/upgrade.h"

namespace sinew {
namespace {

bool is_id_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

void check_format(const Json& tree) {
  if (!tree.is_object()) {
    throw DocumentFlaw{{}, "not a Sinew document: it must be an object in braces"};
  }
  const auto format = tree.find("sinew");
  if (format == tree.end()) {
    throw DocumentFlaw{{},
                       fmt::format("not a Sinew document: it must begin with \"sinew\": {}, the "
                                   "number of the format",
                                   document_format)};
  }
  const bool is_whole = format->is_number_integer();
  if (!is_whole || (!format->is_number_unsigned() && format->get<int64_t>() < 1) || *format == 0) {
    throw DocumentFlaw{{"sinew"}, "\"sinew\" must be the number of the format, from 1"};
  }
  if (format->get<uint64_t>() > static_cast<uint64_t>(document_format)) {
    throw DocumentFlaw{{"sinew"},
                       fmt::format("the document has format {}, and this Sinew reads formats up to "
                                   "{}: it needs a newer Sinew",
                                   format->get<uint64_t>(), document_format)};
  }
}

GraphDoc decode(Json& tree, const DocumentLimits& limits) {
  check_format(tree);
  GraphDoc doc;
  TreeInputArchive archive(tree, limits);
  archive(doc);
  return doc;
}

}  // namespace

const NodeDoc* GraphBody::find(std::string_view id) const {
  const auto found =
      std::find_if(nodes.begin(), nodes.end(), [&](const NodeDoc& n) { return n.id == id; });
  return found == nodes.end() ? nullptr : &*found;
}

GraphBody* GraphDoc::body(std::string_view group) {
  if (group.empty()) return &graph;
  const auto found = groups.find(std::string(group));
  return found == groups.end() ? nullptr : &found->second.graph;
}

const GraphBody* GraphDoc::body(std::string_view group) const {
  return const_cast<GraphDoc*>(this)->body(group);
}

bool valid_id(std::string_view id) {
  return !id.empty() && id.size() <= longest_id && std::all_of(id.begin(), id.end(), is_id_char);
}

bool valid_group_name(std::string_view name) {
  return !name.empty() && name.size() <= longest_group_name && valid_utf8(name) &&
         std::none_of(name.begin(), name.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

Result<GraphDoc> parse_document(std::string_view text, const Registry& registry,
                                std::vector<NodeMessage>* notes, const DocumentLimits& limits) {
  Result<Json> tree = read_json(text, {limits.file_bytes, limits.tree_bytes, limits.string_bytes,
                                       limits.depth, limits.plain});
  if (!tree) return Error{tree.error()};
  try {
    GraphDoc doc = decode(*tree, limits);
    *tree = nullptr;
    if (auto flaw = find_flaw(doc)) throw std::move(*flaw);
    upgrade_nodes(doc, registry, notes);
    return doc;
  } catch (const DocumentFlaw& flaw) {
    return Error{at_offset(text, locate(text, flaw.path), flaw.text)};
  }
}

std::string write_document(const GraphDoc& doc) {
  CanonicalOutputArchive archive;
  archive(doc);
  return archive.writer().finish();
}

Result<LoadedDocument> load_with_text(const std::filesystem::path& path, const Registry& registry,
                                      std::vector<NodeMessage>* notes,
                                      const DocumentLimits& limits) {
  const Result<std::optional<PackFolder>> pack = pack_folder_around(path);
  if (!pack) return Error{pack.error()};
  if (*pack)
    if (const std::string flaw = flaw_of_place(**pack, path); !flaw.empty()) return Error{flaw};
  const DocumentLimits bounds = *pack ? stranger_limits() : limits;
  Result<std::string> text = read_file(path, bounds.file_bytes);
  if (!text) return Error{text.error()};
  Result<GraphDoc> doc = parse_document(*text, registry, notes, bounds);
  if (!doc) return Error{doc.error()};
  if (*pack)
    if (const std::string flaw = flaw_of_installed(*doc, registry, **pack); !flaw.empty())
      return Error{flaw};
  return LoadedDocument{std::move(*doc), std::move(*text), *pack ? (*pack)->name : ""};
}

Result<GraphDoc> load_document(const std::filesystem::path& path, const Registry& registry,
                               std::vector<NodeMessage>* notes, const DocumentLimits& limits) {
  Result<LoadedDocument> loaded = load_with_text(path, registry, notes, limits);
  if (!loaded) return Error{loaded.error()};
  return std::move(loaded->doc);
}

Result<void> save_document(const GraphDoc& doc, const std::filesystem::path& path) {
  const Result<std::optional<PackFolder>> pack = pack_folder_around(path);
  if (!pack) return Error{pack.error()};
  if (*pack)
    return Error{
        fmt::format("the folder holds the pack '{}' as it was installed; save it elsewhere",
                    plain_line((*pack)->name))};
  return write_file_atomically(path, write_document(doc));
}

}  // namespace sinew
