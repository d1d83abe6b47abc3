#include "app/cli/render_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "app/cli/frame_folder.h"
#include "app/cli/frame_range.h"
#include "app/cli/open_graph.h"
#include "app/cli/picture_maker.h"
#include "app/cli/program.h"
#include "app/cli/progress_bar.h"
#include "app/cli/render_words.h"
#include "app/cli/say.h"
#include "app/cli/video.h"
#include "graph/atomic_file.h"
#include "render/contact_sheet.h"
#include "render/png_file.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

enum class OutKind { png, folder, video };

// By the name: a slash at the end, a folder that is there, or no ending means a folder.
Result<OutKind> kind_of(const std::string& out) {
  if (out.empty()) return Error{"-o is missing: say where to, such as -o x.png, frames/ or x.mp4"};
  std::error_code ec;
  if (out.back() == '/' || fs::is_directory(out, ec)) return OutKind::folder;
  if (is_video_name(out)) return OutKind::video;
  const std::string ending = lower_ending(out);
  if (ending == ".png") return OutKind::png;
  if (ending.empty()) return OutKind::folder;
  return Error{
      fmt::format("-o {}: the ending may be .png, .gif or .mp4, or a slash for a folder", out)};
}

// A picture's folder must be there before the work begins: at its end it would be lost. (The
// folders of frames and films are made.)
Result<void> check_place(const std::string& out, OutKind kind) {
  const fs::path folder = fs::path(out).parent_path();
  std::error_code ec;
  if (kind != OutKind::png || folder.empty() || fs::is_directory(folder, ec)) return {};
  return Error{fmt::format("-o {}: there is no folder '{}'", out, folder.string())};
}

// What a call came to, for the report.
struct Outcome {
  ExitCode code = done;
  std::string error;      // of the call or a file; the graph's own are among the messages
  std::string file = {};  // that the error is about; empty: none
  int rendered = 0, kept = 0;
  std::vector<std::string> wrote;
};

Outcome failed(ExitCode code, std::string error, std::string file = {}) {
  Outcome outcome;
  outcome.code = code;
  outcome.error = std::move(error);
  outcome.file = std::move(file);
  return outcome;
}

Outcome failed(const PictureMaker& maker, std::string error) {
  if (maker.interrupted()) return failed(interrupted, "interrupted");
  return failed(maker.graph_failed() ? graph_error : call_error, std::move(error));
}

Outcome write_one(PictureMaker& maker, int frame, const std::string& out) {
  const Result<render::Picture> picture = maker.picture(frame, 0, 1);
  if (!picture) return failed(maker, picture.error());
  const render::EncodedPng png = render::encode_png(*picture);
  if (!png) return failed(call_error, png.error, out);
  if (const Result<void> ok = write_file_atomically(out, png.bytes); !ok)
    return failed(call_error, fmt::format("cannot write '{}': {}", out, ok.error()));
  Outcome outcome;
  outcome.rendered = 1;
  outcome.wrote = {out};
  return outcome;
}

Outcome write_sheet(PictureMaker& maker, const FrameRange& range, render::SheetLayout layout,
                    const std::string& out) {
  layout.cell_width = maker.words().width;
  layout.cell_height = maker.words().height;
  if (!render::is_possible(layout))
    return failed(call_error, "--sheet: the whole sheet would be larger than a picture may be");
  const std::vector<int> frames = spread(range, layout.cells());
  render::Picture sheet = render::empty_sheet(layout);
  ProgressBar bar("rendering", static_cast<int64_t>(frames.size()));
  for (std::size_t i = 0; i < frames.size(); ++i) {
    maker.set_caption(fmt::format("frame {}", frames[i]));
    const Result<render::Picture> picture =
        maker.picture(frames[i], static_cast<int>(i), static_cast<int>(frames.size()));
    if (!picture) return failed(maker, picture.error());
    render::place_on_sheet(sheet, layout, static_cast<int>(i), *picture);
    bar.advance();
  }
  const render::EncodedPng png = render::encode_png(sheet);
  if (!png) return failed(call_error, png.error, out);
  if (const Result<void> ok = write_file_atomically(out, png.bytes); !ok)
    return failed(call_error, fmt::format("cannot write '{}': {}", out, ok.error()));
  Outcome outcome;
  outcome.rendered = static_cast<int>(frames.size());
  outcome.wrote = {out};
  return outcome;
}

std::string frames_text(int count) {
  return count == 1 ? "1 frame" : fmt::format("{} frames", count);
}

Outcome write_frames(PictureMaker& maker, FrameFolder& folder, const FrameRange& range) {
  const std::string name = (folder.folder() / "").string();
  Outcome outcome;
  outcome.kept = folder.kept();
  if (folder.removed() > 0)
    print_message("", {"",
                       "",
                       {Severity::warning,
                        fmt::format("'{}' held {} of another state of the document or with "
                                    "other settings, rendered anew now",
                                    name, frames_text(folder.removed()))}});
  ProgressBar bar("rendering", range.count(), folder.kept());
  for (int i = 0; i < range.count(); ++i) {
    const int frame = range.frame(i);
    if (folder.has(frame)) continue;
    const Result<render::Picture> picture = maker.picture(frame, i, range.count());
    if (!picture) {
      Outcome bad = failed(maker, picture.error());
      if (bad.code == interrupted)
        bad.error = fmt::format("interrupted; {} of {} frames are in '{}': call again to go on",
                                folder.kept() + outcome.rendered, range.count(), name);
      return bad;
    }
    const render::EncodedPng png = render::encode_png(*picture);
    if (!png) return failed(call_error, png.error);
    if (const Result<void> ok = folder.write(frame, png.bytes); !ok)
      return failed(call_error, ok.error());
    ++outcome.rendered;
    bar.advance();
  }
  outcome.wrote = {name};
  return outcome;
}

// The frames of a film that is done are not needed any more. Only our own files go.
void remove_frames(const fs::path& folder, const std::vector<std::string>& files) {
  std::error_code ec;
  for (const std::string& name : files) fs::remove(folder / name, ec);
  fs::remove(folder / std::string(manifest_name), ec);
  fs::remove(folder, ec);  // unless somebody else has files there
}

Outcome write_film(PictureMaker& maker, const FrameRange& range, const std::string& out,
                   const std::atomic<bool>* cancel) {
  fs::path frames_folder = fs::path(out);
  frames_folder.replace_filename(fs::path(out).stem().string() + "_frames");
  std::vector<std::string> files;
  Outcome outcome;
  {
    Result<FrameFolder> folder = FrameFolder::open(
        {frames_folder, maker.key(range), maker.words().width, maker.words().height, range});
    if (!folder) return failed(call_error, folder.error());
    files = folder->file_names();
    outcome = write_frames(maker, *folder, range);
    if (outcome.code != done) return outcome;
    if (!find_ffmpeg()) {
      outcome.code = call_error;
      outcome.error = fmt::format(
          "ffmpeg is missing, so the frames stay as pictures in '{}/'; install it (Debian: apt-get "
          "install ffmpeg) and call again: nothing is rendered twice",
          frames_folder.string());
      return outcome;
    }
    VideoJob job{frames_folder, files, maker.fps() / range.step, out, {}};
    ProgressBar bar("writing the film", video_steps(job));
    job.on_frame = [&](int) { bar.advance(); };
    if (const Result<void> ok = write_video(job, cancel); !ok) {
      outcome.code = cancel->load() ? interrupted : call_error;
      outcome.error = ok.error();
      if (outcome.code == interrupted)
        outcome.error = fmt::format("interrupted; all frames are in '{}/': call again to go on",
                                    frames_folder.string());
      return outcome;
    }
  }
  remove_frames(frames_folder, files);
  outcome.wrote = {out};
  return outcome;
}

Outcome write_out(PictureMaker& maker, const RenderWords& words, OutKind kind,
                  const std::string& out, const std::atomic<bool>* cancel) {
  const FrameRange& range = words.range;
  if (words.sheet) return write_sheet(maker, range, *words.sheet, out);
  if (kind == OutKind::png) return write_one(maker, range.first, out);
  if (kind == OutKind::video) return write_film(maker, range, out, cancel);
  Result<FrameFolder> folder =
      FrameFolder::open({fs::path(out), maker.key(range), words.width, words.height, range});
  if (!folder) return failed(call_error, folder.error());
  return write_frames(maker, *folder, range);
}

int finish(const RenderOptions& options, const Outcome& outcome,
           const std::vector<NodeMessage>& messages, const RenderWords& words, double seconds,
           const std::string& renderer) {
  for (const NodeMessage& m : messages)
    if (m.message.severity != Severity::info) print_message(options.file, m);
  if (!outcome.error.empty()) print_error(outcome.file, outcome.error);
  if (options.json) {
    Json list = Json::array();
    for (const NodeMessage& m : messages) list.push_back(message_json(m));
    if (!outcome.error.empty())
      list.push_back(message_json({"", "", {Severity::error, outcome.error}}));
    say_lines(json_text({{"file", options.file},
                         {"ok", outcome.code == done},
                         {"wrote", outcome.wrote},
                         {"frames", outcome.rendered + outcome.kept},
                         {"rendered", outcome.rendered},
                         {"kept", outcome.kept},
                         {"size", {words.width, words.height}},
                         {"renderer", renderer},
                         {"seconds", seconds},
                         {"messages", std::move(list)}}));
  } else if (outcome.code == done) {
    std::string what = frames_text(outcome.rendered + outcome.kept);
    if (outcome.kept > 0) what += fmt::format(", {} of them there before", outcome.kept);
    for (const std::string& file : outcome.wrote)
      say("wrote {} ({}, {} x {}, {}, {:.1f} s)\n", file, what, words.width, words.height, renderer,
          seconds);
  }
  return outcome.code;
}

}  // namespace

int run_render(const RenderOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  std::vector<NodeMessage> messages;
  RenderWords words;
  const auto refuse = [&](const std::string& text, const std::string& file = {}) {
    return finish(options, failed(call_error, text, file), messages, words, seconds(), "none");
  };
  const Result<OutKind> kind = kind_of(options.out);
  if (!kind) return refuse(kind.error());
  if (const Result<void> ok = check_place(options.out, *kind); !ok) return refuse(ok.error());
  OpenedGraph opened;
  if (const Result<void> ok = open_graph(options.file, options.set, opened); !ok)
    return refuse(ok.error(), opened.doubtful_file);
  messages = opened.messages;
  Result<RenderWords> read = read_render_words(options, opened.doc, *kind == OutKind::png);
  if (!read) return refuse(read.error());
  words = std::move(*read);

  const std::atomic<bool>* cancel = stop_on_interrupt();
  Result<std::unique_ptr<PictureMaker>> maker =
      PictureMaker::plan(options, opened, words, messages, cancel);
  if (!maker && !options.show.empty()) return refuse(maker.error(), options.file);
  // Where there is nothing to see, no evaluation says why: the checks of all nodes do.
  for (NodeMessage& m : maker ? opened.graph->general_messages() : opened.graph->messages())
    messages.push_back(std::move(m));
  suggest_types(messages);
  if (!maker)
    return finish(options, failed(graph_error, maker.error(), options.file), messages, words,
                  seconds(), "none");
  if (const Result<void> ok = (*maker)->open_device(); !ok) return refuse(ok.error());
  Outcome outcome;
  if (const Result<void> ok = (*maker)->prepare(); !ok)
    outcome = failed(**maker, ok.error());
  else
    outcome = write_out(**maker, words, *kind, options.out, cancel);
  return finish(options, outcome, messages, words, seconds(), (*maker)->renderer_name());
}

}  // namespace sinew::cli
