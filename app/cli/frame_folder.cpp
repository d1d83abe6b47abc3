#include "app/cli/frame_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include "graph/atomic_file.h"
#include "graph/json_reader.h"
#include "render/png_file.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view name_begin = "frame_", name_end = ".png";
constexpr int least_digits = 4, most_digits = 10;

int64_t power_of_ten(int digits) {
  int64_t power = 1;
  for (int i = 0; i < digits; ++i) power *= 10;
  return power;
}

int digits_for(int frame) {
  int digits = least_digits;
  while (std::abs(static_cast<int64_t>(frame)) >= power_of_ten(digits)) ++digits;
  return digits;
}

struct FrameName {
  int frame = 0, digits = 0;
};

struct FrameFile {
  fs::path path;
  FrameName name;
  bool regular = false;
};

// The reverse of frame_file_name().
std::optional<FrameName> read_frame_name(std::string_view name) {
  if (!name.starts_with(name_begin) || !name.ends_with(name_end)) return {};
  if (name.size() < name_begin.size() + name_end.size()) return {};
  name.remove_prefix(name_begin.size());
  name.remove_suffix(name_end.size());
  const bool negative = name.starts_with('-');
  if (negative) name.remove_prefix(1);
  if (name.size() < size_t{least_digits} || name.size() > size_t{most_digits}) return {};
  if (name.find_first_not_of("0123456789") != std::string_view::npos) return {};
  int64_t number = 0;
  std::from_chars(name.data(), name.data() + name.size(), number);
  const int digits = static_cast<int>(name.size());
  if (negative) number -= power_of_ten(digits);
  if (number != static_cast<int>(number)) return {};
  const FrameName result{static_cast<int>(number), digits};
  return digits_for(result.frame) <= digits ? std::optional(result) : std::nullopt;
}

struct Listing {
  std::vector<FrameFile> frames;
  std::vector<fs::path> leftovers;  // of a call that was killed while it wrote
};

// A temporary file that stands for a frame of the range or the manifest.
bool is_leftover(std::string_view name, const FrameRange& range) {
  const size_t mark = name.rfind(".sinew-");
  if (!name.starts_with('.') || mark == std::string_view::npos || mark < 1) return false;
  const std::string_view target = name.substr(1, mark - 1);
  const std::optional<FrameName> frame = read_frame_name(target);
  return is_temporary_name(name, target) &&
         (target == manifest_name || (frame && range.contains(frame->frame)));
}

Result<Listing> list_folder(const fs::path& folder, const FrameRange& range) {
  Listing listing;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    std::error_code ignored;
    const bool regular = it->symlink_status(ignored).type() == fs::file_type::regular;
    if (const std::optional<FrameName> frame = read_frame_name(name)) {
      listing.frames.push_back({it->path(), *frame, regular});
    } else if (regular && is_leftover(name, range)) {
      listing.leftovers.push_back(it->path());
    }
  }
  if (error) return Error{fmt::format("cannot be read: {}", error.message())};
  return listing;
}

// From its first to its last chunk, in the size that is wanted.
bool is_complete_png(const fs::path& path, int width, int height) {
  std::ifstream file(path, std::ios::binary);
  std::string head(render::png_head_bytes, '\0'), tail(render::png_tail.size(), '\0');
  if (!file.read(head.data(), static_cast<std::streamsize>(head.size()))) return false;
  if (render::png_size(head) != render::Size{width, height}) return false;
  if (!file.seekg(-static_cast<std::streamoff>(tail.size()), std::ios::end)) return false;
  return file.read(tail.data(), static_cast<std::streamsize>(tail.size())) &&
         tail == render::png_tail;
}

// A file that stands where we would write, and that no call of ours has made.
Result<void> refuse_strangers(const Listing& listing, const std::optional<FrameManifest>& manifest,
                              const FrameRange& range) {
  for (const FrameFile& file : listing.frames) {
    const std::string name = file.path.filename().string();
    if (!manifest)
      return Error{fmt::format(
          "holds '{}' but no {}, so its pictures are not known to be replaceable; remove them or "
          "name another folder",
          name, manifest_name)};
    const bool listed = manifest->lists(file.name.frame);
    if (listed ? !file.regular : range.contains(file.name.frame))
      return Error{fmt::format(
          "holds '{}', which was not made by this program; remove it or name another folder",
          name)};
  }
  return {};
}

Result<void> remove_file(const fs::path& path) {
  std::error_code error;
  fs::remove(path, error);
  if (!error) return {};
  return Error{fmt::format("holds '{}', which cannot be removed: {}", path.filename().string(),
                           error.message())};
}

Result<std::optional<FrameManifest>> load_manifest(const fs::path& folder) {
  const fs::path path = folder / manifest_name;
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(path, ignored))) return std::optional<FrameManifest>();
  const Result<std::string> text = read_file(path, 16u << 20);
  if (!text) return Error{fmt::format("holds a {} that {}", manifest_name, text.error())};
  std::optional<FrameManifest> manifest = FrameManifest::read(*text);
  if (!manifest)
    return Error{fmt::format(
        "holds a {} that this program has not written; remove it or name another folder",
        manifest_name)};
  return manifest;
}

// The lock goes with the process, however it ends. Where a file system has none, there is no lock.
Result<int> lock_folder(const fs::path& folder) {
  const int lock = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock < 0)
    return Error{fmt::format("cannot be opened: {}", std::generic_category().message(errno))};
  if (::flock(lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return lock;
  ::close(lock);
  return Error{"is being rendered into by another call; wait for it or name another folder"};
}

}  // namespace

std::string frame_file_name(int frame, int digits) {
  digits = std::max(digits, digits_for(frame));
  if (frame >= 0) return fmt::format("{}{:0{}}{}", name_begin, frame, digits, name_end);
  return fmt::format("{}-{:0{}}{}", name_begin, power_of_ten(digits) + frame, digits, name_end);
}

FrameFolder::FrameFolder(FrameFolder&& other) noexcept { *this = std::move(other); }

FrameFolder& FrameFolder::operator=(FrameFolder&& other) noexcept {
  folder_ = std::move(other.folder_);
  range_ = other.range_;
  std::swap(made_, other.made_);
  manifest_ = std::move(other.manifest_);
  had_manifest_ = other.had_manifest_;
  digits_ = other.digits_;
  kept_ = other.kept_;
  removed_ = other.removed_;
  others_ = std::move(other.others_);
  present_ = std::move(other.present_);
  std::swap(lock_, other.lock_);
  return *this;
}

// A call that has come to no picture leaves nothing behind.
FrameFolder::~FrameFolder() {
  if (lock_ < 0) return;
  std::error_code ignored;
  if (!had_manifest_ && present_.empty()) fs::remove(folder_ / manifest_name, ignored);
  ::close(lock_);
}

Result<FrameFolder> FrameFolder::open(const FrameFolderOptions& options) {
  FrameFolder self;
  self.folder_ = options.folder;
  self.range_ = options.range;
  const Result<void> ok = self.take_over(options);
  if (!ok) return Error{fmt::format("the folder '{}' {}", options.folder.string(), ok.error())};
  return self;
}

Result<void> FrameFolder::write_manifest() {
  const Result<void> ok = write_file_atomically(folder_ / manifest_name, manifest_.text());
  return ok ? ok : Error{fmt::format("takes no {}: {}", manifest_name, ok.error())};
}

Result<void> FrameFolder::take_over(const FrameFolderOptions& options) {
  Result<MadeFolders> made = MadeFolders::make(folder_);
  if (!made) return Error{made.error()};
  made_ = std::move(*made);
  const Result<int> lock = lock_folder(folder_);
  if (!lock) return Error{lock.error()};
  // What is not known yet is not ours to remove.
  had_manifest_ = true;
  lock_ = *lock;
  const Result<std::optional<FrameManifest>> found = load_manifest(folder_);
  if (!found) return Error{found.error()};
  had_manifest_ = found->has_value();
  const Result<Listing> listing = list_folder(folder_, range_);
  if (!listing) return Error{listing.error()};
  // Nothing is changed before it is clear that all of it is ours.
  if (const Result<void> ok = refuse_strangers(*listing, *found, range_); !ok) return ok;

  if (*found) manifest_ = **found;
  for (const fs::path& path : listing->leftovers)
    if (const Result<void> ok = remove_file(path); !ok) return ok;
  digits_ = std::max(digits_for(range_.first), digits_for(range_.last));
  std::vector<FrameFile> ours;
  for (const FrameFile& file : listing->frames) {
    const int frame = file.name.frame;
    const FrameState* state = manifest_.state_of(frame);
    if (!state) continue;
    const bool inside = range_.contains(frame), alike = *state == options.state;
    const bool stale = inside && !alike;
    if (!inside && !alike) others_.push_back(frame);
    removed_ += stale;
    // Broken ones go, too; only those of the range are looked at.
    if (stale || (inside && !is_complete_png(file.path, state->width, state->height))) {
      if (const Result<void> ok = remove_file(file.path); !ok) return ok;
      continue;
    }
    ours.push_back(file);
    digits_ = std::max(digits_, file.name.digits);
  }
  std::sort(others_.begin(), others_.end());
  manifest_.claim(options.state, range_);
  manifest_.is_of_film = options.for_film && (!*found || manifest_.is_of_film);
  // The manifest comes before the frames that it lists: whatever a killed call leaves is known.
  if (const Result<void> ok = write_manifest(); !ok) return ok;
  for (const FrameFile& file : ours) {
    const int frame = file.name.frame;
    if (!range_.contains(frame)) continue;
    // Frames elsewhere may have names with more digits.
    std::error_code error;
    if (file.path != path(frame)) fs::rename(file.path, path(frame), error);
    if (error)
      return Error{fmt::format("holds '{}', which cannot be renamed: {}",
                               file.path.filename().string(), error.message())};
    present_.insert(frame);
  }
  kept_ = static_cast<int>(present_.size());
  return {};
}

void FrameFolder::discard() {
  if (!manifest_.is_of_film) return;
  std::error_code ignored;
  for (const int frame : present_) fs::remove(path(frame), ignored);
  present_.clear();
  manifest_.forget(range_);
  if (!manifest_.empty()) {
    (void)write_manifest();
    return;
  }
  fs::remove(folder_ / manifest_name, ignored);
  fs::remove(folder_, ignored);  // unless somebody else has files there
}

Result<void> FrameFolder::write(int frame, std::string_view png) {
  const Result<void> ok = write_file_atomically(path(frame), png);
  if (!ok) return Error{fmt::format("'{}' {}", path(frame).string(), ok.error())};
  present_.insert(frame);
  return {};
}

fs::path FrameFolder::path(int frame) const { return folder_ / frame_file_name(frame, digits_); }

std::vector<std::string> FrameFolder::file_names() const {
  std::vector<std::string> names;
  for (const int frame : range_.frames()) names.push_back(frame_file_name(frame, digits_));
  return names;
}

}  // namespace sinew::cli
