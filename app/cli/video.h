// Videos from frames that lie as PNG files in a folder. The ffmpeg program does the work; it is
// started, never linked, and no shell is between.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "graph/result.h"

namespace sinew::cli {

// The program: what SINEW_FFMPEG names, a path or a name in PATH; else "ffmpeg" in PATH.
std::optional<std::filesystem::path> find_ffmpeg();

// Whether a file's ending is one that write_video() knows: .mp4 or .gif, in any case.
bool is_video_name(const std::filesystem::path& file);

struct VideoJob {
  std::filesystem::path folder;    // where the frames are, and stay
  std::vector<std::string> files;  // their names, in order; all of one size
  double fps = 24;                 // frames of the list in a second
  std::filesystem::path target;    // .mp4 or .gif
  // Called with the number of frames handed on so far. A .gif hands them on twice, once to choose
  // its colours; the count then goes up to twice their number.
  std::function<void(int)> on_frame;
};
// How often on_frame is called for a job that succeeds.
int video_steps(const VideoJob& job);

// .mp4: H.264 that plays everywhere (yuv420p, BT.709), where odd sizes lose a row or a column.
// .gif: 256 colours chosen over all frames, and it loops for ever; at most 50 frames a second are
// shown, since viewers slow down faster ones. Transparent parts are laid over white.
//
// The target is replaced as a whole or not at all, and the frames stay in any case. If `cancel`
// becomes true, ffmpeg is killed and the error is "interrupted".
Result<void> write_video(const VideoJob& job, const std::atomic<bool>* cancel = nullptr);

}  // namespace sinew::cli
