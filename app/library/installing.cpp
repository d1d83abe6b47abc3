#include "app/library/installing.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/library/previews.h"

namespace sinew::library {

bool is_in_own_namespace(std::string_view name) {
  const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return name.size() >= own_namespace.size() &&
         std::equal(own_namespace.begin(), own_namespace.end(), name.begin(),
                    [&](char own, char c) { return own == small(c); });
}

Result<InstalledPack> take_pack(const PresetPack& pack, const LibraryIndex& index,
                                const std::filesystem::path& folder, bool replace) {
  if (!is_in_own_namespace(pack.name)) return install_pack(pack, folder, replace);
  for (const PresetInfo& p : index.presets())
    if (!p.own && p.name == pack.name && p.key == key_of_text(write_document(pack.doc)))
      return InstalledPack{p.file, true};
  return Error{fmt::format(
      "'{}' names itself as one that comes with Sinew, and is none of these; it needs a namespace "
      "of its own",
      pack.name)};
}

}  // namespace sinew::library
