#include "app/cli/video.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <system_error>
#include <utility>

#include "app/cli/child_process.h"
#include "app/cli/program.h"
#include "graph/atomic_file.h"
#include "graph/json_reader.h"
#include "render/png_file.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;
using render::Picture;
using Arguments = std::vector<std::string>;

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

Result<Picture> read_frame(const fs::path& path) {
  const Result<std::string> bytes = read_file(path, size_t{2} << 30);
  if (!bytes) return Error{fmt::format("the frame '{}' {}", path.string(), bytes.error())};
  render::DecodedPng png = render::decode_png(*bytes);
  if (!png) return Error{fmt::format("the frame '{}': {}", path.string(), png.error)};
  return std::move(png.picture);
}

// Red, green and blue only; what is transparent lies over white.
std::string raw_pixels(const Picture& picture) {
  Picture over;
  const Picture* opaque = &picture;
  if (!render::is_opaque(picture)) {
    over = render::filled(picture.width, picture.height, {255, 255, 255, 255});
    render::draw_over(over, picture, 0, 0);
    opaque = &over;
  }
  std::string bytes(3 * picture.pixels(), '\0');
  for (size_t i = 0; i < picture.pixels(); ++i)
    std::copy_n(opaque->rgba.data() + 4 * i, 3, bytes.data() + 3 * i);
  return bytes;
}

// One run of ffmpeg over all frames.
class Run {
 public:
  Run(const VideoJob& job, fs::path ffmpeg, const std::atomic<bool>* cancel)
      : job_(job), ffmpeg_(std::move(ffmpeg)), cancel_(cancel) {}

  // `arguments` stand after the first input, which is the frames.
  Result<void> with(const Arguments& arguments, const PartFile& part) {
    const Result<Picture> first = read_frame(job_.folder / job_.files.front());
    if (!first) return Error{first.error()};
    // Pixels instead of PNG files: nothing depends on how names are spelt, and frames with and
    // without alpha may follow each other.
    Arguments all = {"-hide_banner",
                     "-loglevel",
                     "error",
                     "-nostdin",
                     "-y",
                     "-f",
                     "rawvideo",
                     "-pixel_format",
                     "rgb24",
                     "-video_size",
                     fmt::format("{}x{}", first->width, first->height),
                     "-framerate",
                     fmt::format("{}", job_.fps),
                     "-i",
                     "pipe:0"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    all.push_back("file:" + fs::absolute(part.path()).string());
    Result<ChildProcess> child = ChildProcess::start(ffmpeg_, all, cancel_);
    if (!child) return Error{fmt::format("'{}' {}", ffmpeg_.string(), child.error())};
    if (const Result<void> ok = send_frames(*child, *first); !ok) return ok;
    const int code = child->finish();
    if (child->cancelled()) return Error{"interrupted"};
    if (code == 0 && !part.empty()) return {};
    std::string why = shortened(child->last_complaint(), 200);
    if (code < 0) why = fmt::format("it was ended by signal {}", -code);
    if (why.empty())
      why = code == 0 ? "it wrote nothing" : fmt::format("it ended with code {}", code);
    return Error{fmt::format("ffmpeg failed: {}", why)};
  }

 private:
  Result<void> send_frames(ChildProcess& child, const Picture& first) {
    for (size_t i = 0; i < job_.files.size(); ++i) {
      const fs::path path = job_.folder / job_.files[i];
      const Result<Picture> frame = i == 0 ? Result<Picture>(first) : read_frame(path);
      if (!frame) return Error{frame.error()};
      if (frame->width != first.width || frame->height != first.height)
        return Error{fmt::format("the frame '{}' is {} x {}, but the first is {} x {}",
                                 path.string(), frame->width, frame->height, first.width,
                                 first.height)};
      // If it has stopped to read, its end says why.
      if (!child.send(raw_pixels(*frame))) return {};
      if (job_.on_frame) job_.on_frame(++steps_);
    }
    return {};
  }

  const VideoJob& job_;
  fs::path ffmpeg_;
  const std::atomic<bool>* cancel_;
  int steps_ = 0;  // over all runs
};

Arguments mp4_arguments() {
  return {"-vf",
          // H.264 in yuv420p has even sizes. One pixel less is not seen, one more would be.
          "pad=max(iw\\,2):max(ih\\,2),crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0,"
          "scale=out_color_matrix=bt709:out_range=tv:flags=lanczos+accurate_rnd+full_chroma_int,"
          "format=yuv420p",
          "-c:v", "libx264", "-preset", "medium", "-crf", "16", "-pix_fmt", "yuv420p",
          "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
          "-color_range", "tv", "-movflags", "+faststart", "-f", "mp4"};
}

// A .gif has its own clock of 1/100 s, and viewers slow down what is faster than 2/100.
std::string gif_rate(double fps) { return fps > 50 ? "fps=50," : ""; }

// In two runs, since in one all frames would have to be held until the last one's colours are
// known.
Result<void> write_gif(Run& run, const VideoJob& job, const PartFile& part) {
  const Result<PartFile> palette = PartFile::create(job.target.string() + ".palette");
  if (!palette) return Error{palette.error()};
  const Result<void> chosen = run.with({"-vf", gif_rate(job.fps) + "palettegen=stats_mode=full",
                                        "-frames:v", "1", "-c:v", "png", "-f", "image2pipe"},
                                       *palette);
  if (!chosen) return chosen;
  return run.with({"-f", "image2pipe", "-c:v", "png", "-i",
                   "file:" + fs::absolute(palette->path()).string(), "-filter_complex",
                   fmt::format("[0:v]{}null[frames];[frames][1:v]paletteuse=dither=sierra2_4a:"
                               "diff_mode=rectangle",
                               gif_rate(job.fps)),
                   "-loop", "0", "-f", "gif"},
                  part);
}

Result<void> check(const VideoJob& job) {
  if (!is_video_name(job.target))
    return Error{fmt::format("'{}': a video's ending must be .mp4 or .gif", job.target.string())};
  std::error_code ignored;
  if (fs::is_directory(job.target, ignored))
    return Error{
        fmt::format("'{}' is a folder, so no video can be written there", job.target.string())};
  if (job.files.empty()) return Error{"there are no frames to make a video of"};
  if (!(job.fps > 0) || job.fps > 1000)
    return Error{
        fmt::format("a video cannot have {} frames per second; it must be more than 0 and "
                    "at most 1000",
                    job.fps)};
  return {};
}

// "x_frames/": a folder, whether or not it was named with a slash.
std::string folder_name(const fs::path& folder) { return (folder / "").string(); }

}  // namespace

std::optional<fs::path> find_ffmpeg() {
  const char* chosen = std::getenv("SINEW_FFMPEG");
  const std::string name = chosen && *chosen ? chosen : "ffmpeg";
  if (name.find('/') != std::string::npos)
    return is_program(name) ? std::optional<fs::path>(name) : std::nullopt;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path file = fs::path(folder) / name; !folder.empty() && is_program(file))
      return file;
  return {};
}

bool is_video_name(const fs::path& file) {
  return lower_ending(file) == ".mp4" || lower_ending(file) == ".gif";
}

int video_steps(const VideoJob& job) {
  return static_cast<int>(job.files.size()) * (lower_ending(job.target) == ".gif" ? 2 : 1);
}

Result<void> write_video(const VideoJob& job, const std::atomic<bool>* cancel) {
  if (const Result<void> ok = check(job); !ok) return ok;
  const std::optional<fs::path> ffmpeg = find_ffmpeg();
  if (!ffmpeg)
    return Error{fmt::format(
        "ffmpeg is missing, so the frames stay as pictures in '{}'; install it (Debian: apt-get "
        "install ffmpeg) and call again: nothing is rendered twice",
        folder_name(job.folder))};
  Result<PartFile> part = PartFile::create(job.target);
  if (!part) return Error{fmt::format("'{}' {}", job.target.string(), part.error())};
  Run run(job, *ffmpeg, cancel);
  const Result<void> made = lower_ending(job.target) == ".gif" ? write_gif(run, job, *part)
                                                               : run.with(mp4_arguments(), *part);
  if (!made)
    return cancel && *cancel ? made
                             : Error{fmt::format("{}; the frames stay as pictures in '{}'",
                                                 made.error(), folder_name(job.folder))};
  if (const Result<void> ok = part->become(job.target); !ok)
    return Error{fmt::format("'{}' {}", job.target.string(), ok.error())};
  return {};
}

}  // namespace sinew::cli
