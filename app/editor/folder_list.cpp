#include "app/editor/folder_list.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace sinew::editor {
namespace {

namespace fs = std::filesystem;

// A folder with more than this shows its first ones; the path box still opens the others.
constexpr std::size_t most_entries = 200000;

std::string why(const std::error_code& ec) {
  if (ec == std::errc::permission_denied) return "This folder may not be read.";
  if (ec == std::errc::no_such_file_or_directory) return "There is no such folder.";
  if (ec == std::errc::not_a_directory) return "This is a file, not a folder.";
  return "This folder cannot be read: " + ec.message() + ".";
}

FolderEntry describe(const fs::path& path) {
  FolderEntry entry;
  entry.name = path.filename().string();
  struct stat about {};
  if (::stat(path.c_str(), &about) == 0) {
    entry.is_folder = S_ISDIR(about.st_mode);
    entry.bytes = static_cast<uint64_t>(about.st_size);
    entry.changed = about.st_mtime;
  }
  return entry;
}

}  // namespace

struct FolderList::Pending {
  std::mutex mutex;
  std::condition_variable finished;
  bool done = false;
  std::vector<FolderEntry> entries;
  std::string error;
};

void FolderList::open(const fs::path& folder) {
  folder_ = folder;
  entries_.clear();
  error_.clear();
  pending_ = std::make_shared<Pending>();
  // On its own: a thread that hangs in a dead network folder must not be waited for.
  std::thread([pending = pending_, folder] {
    std::vector<FolderEntry> entries;
    std::error_code ec;
    fs::directory_iterator it(folder, ec);
    const fs::directory_iterator end;
    while (!ec && it != end && entries.size() < most_entries) {
      entries.push_back(describe(it->path()));
      it.increment(ec);
    }
    std::sort(entries.begin(), entries.end(), [](const FolderEntry& a, const FolderEntry& b) {
      return natural_less(a.name, b.name);
    });
    const std::lock_guard lock(pending->mutex);
    pending->entries = std::move(entries);
    if (ec) pending->error = why(ec);
    pending->done = true;
    pending->finished.notify_all();
  }).detach();
}

bool FolderList::update(double most_seconds_to_wait) {
  if (!pending_) return false;
  std::unique_lock lock(pending_->mutex);
  if (!pending_->finished.wait_for(lock, std::chrono::duration<double>(most_seconds_to_wait),
                                   [&] { return pending_->done; }))
    return false;
  entries_ = std::move(pending_->entries);
  error_ = std::move(pending_->error);
  lock.unlock();
  pending_.reset();
  return true;
}

std::vector<std::size_t> FolderList::chosen(const std::vector<std::string>& endings, bool hidden,
                                            FolderOrder order) const {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const FolderEntry& e = entries_[i];
    // What is baked lies beside its document, and is nothing that anybody opens.
    const bool baked = e.is_folder && e.name.ends_with(".bake");
    if (!hidden && (e.name.starts_with('.') || baked)) continue;
    if (e.is_folder || has_ending(e.name, endings)) all.push_back(i);
  }
  std::stable_sort(all.begin(), all.end(), [&](std::size_t a, std::size_t b) {
    const FolderEntry &x = entries_[a], &y = entries_[b];
    if (x.is_folder != y.is_folder) return x.is_folder;
    return order == FolderOrder::date && x.changed > y.changed;
  });
  return all;
}

fs::path home_folder() {
  const char* home = std::getenv("HOME");
  return home && *home ? fs::path(home) : fs::path("/");
}

fs::path typed_path(std::string_view text, const fs::path& base) {
  fs::path path;
  if (text == "~")
    path = home_folder();
  else if (text.starts_with("~/"))
    path = home_folder() / text.substr(2);
  else
    path = base / text;  // an absolute one takes the place of the base
  path = path.lexically_normal();
  if (!path.has_filename() && path.has_relative_path()) path = path.parent_path();
  return path;
}

std::string shown_path(const fs::path& path) {
  const std::string home = home_folder().string(), text = path.string();
  if (text == home) return "~";
  if (home.size() > 1 && text.starts_with(home + "/")) return "~" + text.substr(home.size());
  return text;
}

}  // namespace sinew::editor
