#include "app/library/installing.h"

#include <fmt/format.h>

#include "app/library/previews.h"

namespace sinew::library {

Result<InstalledPack> take_pack(const PresetPack& pack, const LibraryIndex& index,
                                const std::filesystem::path& folder, bool replace) {
  if (!pack.name.starts_with(own_namespace)) return install_pack(pack, folder, replace);
  for (const PresetInfo& p : index.presets())
    if (!p.own && p.name == pack.name && p.key == key_of_text(write_document(pack.doc)))
      return InstalledPack{p.file, true};
  return Error{fmt::format(
      "'{}' names itself as one that comes with Sinew, and is none of these; it needs a namespace "
      "of its own",
      pack.name)};
}

}  // namespace sinew::library
