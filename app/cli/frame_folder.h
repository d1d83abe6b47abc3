// A folder of rendered frames that a later call can go on with. A manifest beside the pictures,
// sinew_render.json, holds the key of everything that they depend on besides the frame, and which
// frames are ours. Pictures with the same key are kept; with another key they are replaced. Files
// that are not listed there are somebody else's and are never touched.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "app/cli/frame_range.h"
#include "graph/result.h"

namespace sinew::cli {

inline constexpr std::string_view manifest_name = "sinew_render.json";

// frame_0012.png. The order of the names is the order of the frames, also before 0: there the
// digits count up as frames do, so frame -1 is frame_-9999.png and frame -2 is frame_-9998.png.
std::string frame_file_name(int frame, int digits = 4);

struct FrameFolderOptions {
  std::filesystem::path folder;
  std::string key;  // everything that the pictures depend on, but the frame
  int width = 0, height = 0;
  FrameRange range;
};

// Whoever holds one is alone in the folder: a second call is refused until it is gone.
class FrameFolder {
 public:
  // Makes the folder if there is none. The errors name it.
  static Result<FrameFolder> open(const FrameFolderOptions& options);
  FrameFolder(FrameFolder&& other) noexcept;
  FrameFolder& operator=(FrameFolder&& other) noexcept;
  ~FrameFolder();

  // Whether the folder was of another key or size, and how many frames were removed therefore.
  bool was_different() const { return was_different_; }
  int removed() const { return removed_; }
  // How many frames of the range were there already.
  int kept() const { return kept_; }
  bool has(int frame) const { return present_.contains(frame); }
  // As a whole or not at all. The frame must be one of the range.
  Result<void> write(int frame, std::string_view png);

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path path(int frame) const;
  // The names of the range's frames, in their order, whether or not they are there yet.
  std::vector<std::string> file_names() const;

 private:
  FrameFolder() = default;
  Result<void> take_over(const FrameFolderOptions& options);
  Result<void> keep(const std::filesystem::path& file, int frame,
                    const FrameFolderOptions& options);

  std::filesystem::path folder_;
  FrameRange range_;
  int digits_ = 4;  // of every name in the folder
  int kept_ = 0, removed_ = 0;
  bool was_different_ = false;
  std::unordered_set<int> present_;
  int lock_ = -1;
};

}  // namespace sinew::cli
