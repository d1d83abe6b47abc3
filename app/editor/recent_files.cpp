#include "app/editor/recent_files.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace sinew::editor {
namespace {

namespace fs = std::filesystem;

constexpr const char* key = "recent_files";
constexpr std::size_t most = 12;

}  // namespace

struct RecentFiles::Looked {
  std::vector<fs::path> missing;
  std::atomic<bool> done{false};
};

RecentFiles::RecentFiles(Preferences& preferences) : preferences_(preferences) {
  for (const std::string& path : preferences_.get(key, std::vector<std::string>()))
    if (all_.size() < most) all_.push_back({path, false});
  look();
}

void RecentFiles::add(const fs::path& path) {
  std::error_code ec;
  const fs::path whole = fs::absolute(path, ec).lexically_normal();
  std::erase_if(all_, [&](const File& f) { return f.path == whole; });
  all_.insert(all_.begin(), {whole, false});
  if (all_.size() > most) all_.resize(most);
  keep();
}

void RecentFiles::remove(const fs::path& path) {
  std::erase_if(all_, [&](const File& f) { return f.path == path; });
  keep();
}

void RecentFiles::clear() {
  all_.clear();
  keep();
}

void RecentFiles::keep() {
  std::vector<std::string> paths;
  for (const File& f : all_) paths.push_back(f.path.string());
  preferences_.set(key, paths);
}

void RecentFiles::look() {
  if (looking_) {
    if (!looking_->done) return;
    for (File& f : all_)
      f.missing = std::find(looking_->missing.begin(), looking_->missing.end(), f.path) !=
                  looking_->missing.end();
    looking_ = nullptr;
    return;
  }
  if (all_.empty()) return;
  looking_ = std::make_shared<Looked>();
  std::thread([looked = looking_, files = all_] {
    for (const File& f : files) {
      std::error_code ec;
      if (!fs::is_regular_file(f.path, ec)) looked->missing.push_back(f.path);
    }
    looked->done = true;
  }).detach();
}

}  // namespace sinew::editor
