// A folder of rendered frames that a later call can go on with. A manifest beside the pictures
// (frame_manifest.h) holds which of them are ours, and for each the key of everything that it
// depends on besides the frame. Of a call's own range, pictures with its key are kept, and those
// with another are replaced. What lies outside of its range is never removed and keeps its name,
// whatever its key is: other calls may be making the rest of the same film. Files that are not
// listed in the manifest are somebody else's and are never touched.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "app/cli/frame_manifest.h"
#include "app/cli/frame_range.h"
#include "graph/made_files.h"
#include "graph/result.h"

namespace sinew::cli {

// frame_0012.png. The order of the names is the order of the frames, also before 0: there the
// digits count up as frames do, so frame -1 is frame_-9999.png and frame -2 is frame_-9998.png.
std::string frame_file_name(int frame, int digits = 4);

struct FrameFolderOptions {
  std::filesystem::path folder;
  FrameState state;  // of the pictures that the call makes
  FrameRange range;
  bool for_film = false;  // they are wanted only until a film has been made of them
};

// Whoever holds one is alone in the folder: a second call is refused until it is gone.
class FrameFolder {
 public:
  // Makes the folder if there is none. The errors name it.
  static Result<FrameFolder> open(const FrameFolderOptions& options);
  FrameFolder(FrameFolder&& other) noexcept;
  FrameFolder& operator=(FrameFolder&& other) noexcept;
  ~FrameFolder();

  // How many frames of the range were of another state, and were removed therefore.
  int removed() const { return removed_; }
  // Frames outside of the range that are of another state. They stay.
  const std::vector<int>& others() const { return others_; }
  // How many frames of the range were there already.
  int kept() const { return kept_; }
  bool has(int frame) const { return present_.contains(frame); }
  // As a whole or not at all. The frame must be one of the range.
  Result<void> write(int frame, std::string_view png);
  // The film has been made: the range's frames go, unless a call has asked for them as pictures,
  // and with the last of them the folder.
  void discard();

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path path(int frame) const;
  // The names of the range's frames, in their order, whether or not they are there yet.
  std::vector<std::string> file_names() const;

 private:
  FrameFolder() = default;
  Result<void> take_over(const FrameFolderOptions& options);
  Result<void> write_manifest();

  std::filesystem::path folder_;
  FrameRange range_;
  MadeFolders made_;
  FrameManifest manifest_;
  bool had_manifest_ = false;
  int digits_ = 4;  // of the names of the range: as many as any name in the folder has
  int kept_ = 0, removed_ = 0;
  std::vector<int> others_;
  std::unordered_set<int> present_;  // of the range
  int lock_ = -1;
};

}  // namespace sinew::cli
