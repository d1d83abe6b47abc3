// What a folder of frames says of itself, in sinew_render.json: which of its pictures are ours, and
// of which state each is: of which document and settings, as a key, and in which size. Calls with
// other keys stand side by side in it, each with its own frames.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/frame_range.h"

namespace sinew::cli {

inline constexpr std::string_view manifest_name = "sinew_render.json";

// Pictures that were made alike.
struct FrameState {
  std::string key;  // everything that the pictures depend on, but the frame
  int width = 0, height = 0;
  bool operator==(const FrameState&) const = default;
};

class FrameManifest {
 public:
  bool lists(int frame) const { return state_of(frame) != nullptr; }
  // Null: it is not listed.
  const FrameState* state_of(int frame) const;
  bool empty() const { return entries_.empty(); }

  // From now on the range's frames are of this state and of no other.
  void claim(const FrameState& state, const FrameRange& range);
  void forget(const FrameRange& range);

  std::string text() const;
  // Nothing, if it is not one that this program has written.
  static std::optional<FrameManifest> read(const std::string& text);

  // The pictures are those of a film on its way, and go when it is there.
  bool is_of_film = false;

 private:
  struct Entry {
    FrameState state;
    std::vector<int> frames;  // sorted, none in two entries
  };
  std::vector<Entry> entries_;
};

// "0:3, 10:20:2, 31": sorted frames as ranges, as --frames takes them.
std::vector<std::string> range_texts(const std::vector<int>& frames);

}  // namespace sinew::cli
