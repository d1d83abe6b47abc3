#include "graph/pack_folder.h"

#include <fmt/format.h>

#include "graph/atomic_file.h"
#include "graph/json_reader.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// A thousand files with long names need a fifth of it.
constexpr std::size_t most_manifest_bytes = 1 << 20;
constexpr int manifest_format = 1;
constexpr std::size_t most_listed = 1000;

bool is_file(const fs::path& path) {
  std::error_code ec;
  return fs::is_regular_file(path, ec);
}

// The name that a document's text gives itself; empty: none.
std::string name_in(const fs::path& document) {
  const Result<std::string> text = read_file(document, JsonLimits{}.text_bytes);
  const Result<Json> json = text ? read_json(*text) : Result<Json>(Error{text.error()});
  if (!json || !json->is_object()) return "";
  const auto meta = json->find("meta");
  if (meta == json->end() || !meta->is_object()) return "";
  const auto name = meta->find("name");
  return name != meta->end() && name->is_string() ? name->get<std::string>() : "";
}

std::set<std::string> files_below(const fs::path& folder) {
  std::set<std::string> names;
  std::error_code ec;
  fs::recursive_directory_iterator it(folder, ec);
  for (const fs::recursive_directory_iterator end; !ec && it != end && names.size() < most_listed;
       it.increment(ec)) {
    std::error_code unknown;
    if (it->is_regular_file(unknown))
      names.insert(it->path().lexically_relative(folder).generic_string());
  }
  return names;
}

fs::path whole(const fs::path& path) {
  std::error_code ec;
  return fs::absolute(path, ec).lexically_normal();
}

std::optional<PackFolder> nearest_above(const fs::path& file) {
  for (fs::path at = file.parent_path(); !at.empty(); at = at.parent_path()) {
    if (std::optional<PackFolder> found = pack_folder_at(at)) return found;
    if (at == at.parent_path()) break;
  }
  return std::nullopt;
}

}  // namespace

Result<PackManifest> parse_manifest(std::string_view text) {
  JsonLimits limits;
  limits.text_bytes = limits.string_bytes = most_manifest_bytes;
  limits.depth = 8;
  limits.plain = true;
  const Result<Json> json = read_json(text, limits);
  const auto is = [&](const char* name, bool (Json::*kind)() const noexcept) {
    return json->is_object() && json->contains(name) && ((*json)[name].*kind)();
  };
  if (!json) return Error{fmt::format("its manifest cannot be read: {}", json.error())};
  if (!is("sinew_pack", &Json::is_number_integer) || !is("name", &Json::is_string) ||
      !is("version", &Json::is_string) || !is("files", &Json::is_object))
    return Error{"its manifest cannot be read"};
  if ((*json)["sinew_pack"] != manifest_format)
    return Error{fmt::format("it has format {}, and this Sinew knows {}; a newer one is needed",
                             shortened((*json)["sinew_pack"].dump()), manifest_format)};
  PackManifest manifest{(*json)["name"], (*json)["version"], {}};
  for (const auto& [name, hash] : (*json)["files"].items()) {
    if (!hash.is_string()) return Error{"its manifest cannot be read"};
    manifest.hashes[name] = hash;
  }
  return manifest;
}

std::string write_manifest(const PackManifest& manifest) {
  const Json json = {{"sinew_pack", manifest_format},
                     {"name", manifest.name},
                     {"version", manifest.version},
                     {"files", manifest.hashes}};
  return json.dump(2) + "\n";
}

std::optional<PackFolder> pack_folder_at(const fs::path& folder) {
  PackFolder found{folder, "", {}};
  if (is_file(folder / pack_manifest)) {
    const Result<std::string> text = read_file(folder / pack_manifest, most_manifest_bytes);
    const Result<PackManifest> manifest =
        text ? parse_manifest(*text) : Result<PackManifest>(Error{text.error()});
    if (manifest) {
      found.name = manifest->name;
      for (const auto& [name, hash] : manifest->hashes) found.files.insert(name);
      return found;
    }
  }
  if (!is_file(found.document())) return std::nullopt;
  found.name = folder.parent_path().filename().string() + "/" + folder.filename().string();
  if (name_in(found.document()) != found.name) return std::nullopt;
  found.files = files_below(folder);
  return found;
}

bool leads_into(const fs::path& path, const fs::path& folder) {
  std::error_code ec, other;
  const fs::path inside =
      fs::weakly_canonical(path, ec).lexically_relative(fs::weakly_canonical(folder, other));
  return !ec && !other && !inside.empty() && *inside.begin() != "..";
}

Result<std::optional<PackFolder>> pack_folder_around(const fs::path& file) {
  std::optional<PackFolder> pack = nearest_above(whole(file));
  std::error_code ec;
  if (pack && !leads_into(file, pack->folder))
    return Error{"it is a link that leads out of the folder of its pack"};
  const fs::path real = fs::weakly_canonical(file, ec);
  if (!pack && !ec && real != whole(file) && nearest_above(real))
    return Error{"it is a link into the folder of a pack; open what it leads to"};
  return pack;
}

}  // namespace sinew
