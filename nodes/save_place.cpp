#include "nodes/save_place.h"

#include <fmt/format.h>

#include "graph/pack_folder.h"
#include "graph/plain_text.h"
#include "nodes/geometry/file_names.h"

namespace sinew {

namespace fs = std::filesystem;

namespace {
constexpr int max_links = 40;  // as many as the system follows
}

std::optional<std::string> flaw_of_save_name(const std::string& name, const char* example) {
  if (auto flaw = flaw_of_file_name(name)) return flaw;
  const fs::path path = name;
  if (path.empty() || !path.has_filename()) {
    return fmt::format("no file is named; set 'file' to a name such as {}", example);
  }
  if (path.is_absolute() || *path.lexically_normal().begin() == "..") {
    return fmt::format("'{}' is outside of the document's folder; use a path inside it", name);
  }
  return std::nullopt;
}

Result<SavePlace> make_save_place(const Exec& e, const std::string& name) {
  const auto failed = [&](const std::error_code& why) {
    return Error{fmt::format("cannot write '{}': {}", name, why.message())};
  };
  std::error_code failure;
  fs::path real = fs::weakly_canonical(e.resolve(name), failure);
  // A link to nothing is left as it is by that, and would be written through.
  for (int links = 0; !failure && links < max_links && fs::is_symlink(real); ++links) {
    const fs::path target = fs::read_symlink(real, failure);
    if (!failure) real = fs::weakly_canonical(real.parent_path() / target, failure);
  }
  if (failure) return failed(failure);
  const fs::path folder = fs::weakly_canonical(e.resolve("."), failure);
  if (failure) return failed(failure);
  const fs::path way = real.lexically_relative(folder);
  if (way.empty() || *way.begin() == ".." || fs::is_symlink(real)) {
    return Error{fmt::format("'{}' leads out of the document's folder through a link", name)};
  }
  const Result<std::optional<PackFolder>> pack = pack_folder_around(real);
  if (!pack) return Error{fmt::format("cannot write '{}': {}", name, pack.error())};
  if (*pack) {
    return Error{
        fmt::format("cannot write '{}': the folder holds the pack '{}' as it was installed; save a "
                    "copy of the document in a folder of your own and run that",
                    name, plain_line((*pack)->name))};
  }
  Result<MadeFolders> made = MadeFolders::make(real.parent_path());
  if (!made) return Error{fmt::format("cannot write '{}': its folder {}", name, made.error())};
  return SavePlace{real, std::move(*made)};
}

}  // namespace sinew
