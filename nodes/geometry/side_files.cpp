#include "nodes/geometry/side_files.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace sinew {

namespace fs = std::filesystem;

namespace {

bool leads_up(const fs::path& way) { return std::find(way.begin(), way.end(), "..") != way.end(); }

}  // namespace

SideFiles::SideFiles(fs::path path, std::shared_ptr<const FileBytes> main)
    : path_(std::move(path)), main_(std::move(main)) {}

std::optional<fs::path> SideFiles::allowed(const char* file) const {
  const fs::path folder = path_.parent_path();
  const fs::path asked(file);
  if (asked.empty() || leads_up(asked)) return std::nullopt;
  const fs::path path = (folder / asked).lexically_normal();  // an absolute one replaces the folder
  if (path == path_) return path;
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error) return std::nullopt;
  const fs::path way = real.lexically_relative(fs::canonical(folder, error));
  if (error || way.empty() || leads_up(way)) return std::nullopt;
  if (!fs::is_regular_file(real, error)) return std::nullopt;
  return real;
}

std::shared_ptr<const FileBytes> SideFiles::open(const char* file) const {
  const std::optional<fs::path> path = allowed(file);
  if (!path) return nullptr;
  if (*path == path_) return main_;
  try {
    return std::make_shared<FileBytes>(*path, CancelView{}, max_import_bytes);
  } catch (const std::exception&) {
    return nullptr;  // what cannot be read is not there
  }
}

}  // namespace sinew
