#include "app/cli/preview_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/program.h"
#include "app/cli/progress_bar.h"
#include "app/cli/say.h"
#include "graph/atomic_file.h"
#include "render/jpeg_file.h"

namespace sinew::cli {

namespace {

namespace fs = std::filesystem;

constexpr int quality = 78;

bool is_current(const fs::path& file, const Key& key) {
  const Result<std::string> bytes = read_file(file, std::size_t{16} << 20);
  return bytes && library::read_preview(render::jpeg_comment(*bytes), key);
}

Result<void> write_jpeg(const fs::path& file, const render::Picture& picture,
                        const std::string& comment) {
  std::error_code ec;
  fs::create_directories(file.parent_path(), ec);
  return write_file_atomically(file, render::encode_jpeg(picture, quality, comment));
}

// The presets that a call means.
Result<std::vector<fs::path>> files_of(const PresetsOptions& options,
                                       const library::LibraryIndex& index) {
  std::vector<fs::path> files;
  for (const std::string& word : options.words) {
    const Result<fs::path> file = find_preset(index, word);
    if (!file) return Error{file.error()};
    files.push_back(*file);
  }
  if (options.words.empty())
    for (const library::PresetInfo& p : index.presets())
      if (p.error.empty()) files.push_back(p.file);
  return files;
}

}  // namespace

Result<std::vector<render::Picture>> PreviewMaker::draw(const fs::path& preset,
                                                        const OpenedGraph& opened,
                                                        const std::vector<int>& frames) {
  RenderOptions render;
  render.file = preset.string();
  render.size = fmt::format("{}x{}", still_width, still_height);
  render.frames = frames.front() == frames.back()
                      ? std::to_string(frames.front())
                      : fmt::format("{}:{}", frames.front(), frames.back());
  render.overlays = {"no-legend", "no-labels"};
  const Result<RenderWords> words = read_render_words(render, opened.doc, false);
  if (!words) return Error{words.error()};
  std::vector<NodeMessage> said;
  Result<std::unique_ptr<PictureMaker>> maker =
      PictureMaker::plan(render, opened, *words, said, cancel_);
  if (!maker) return Error{maker.error()};
  if (kept_)
    (*maker)->take_over(*kept_);
  else if (const Result<void> ok = (*maker)->open_device(); !ok)
    return Error{ok.error()};
  std::vector<render::Picture> pictures;
  Result<void> fine = (*maker)->prepare();
  for (std::size_t i = 0; fine && i < frames.size(); ++i) {
    Result<render::Picture> picture =
        (*maker)->picture(frames[i], static_cast<int>(i), static_cast<int>(frames.size()));
    if (picture)
      pictures.push_back(std::move(*picture));
    else
      fine = Error{picture.error()};
  }
  interrupted_ = (*maker)->interrupted();
  kept_ = (*maker)->hand_over();
  if (fine) return pictures;
  for (const NodeMessage& m : said)
    if (m.message.severity == Severity::error)
      return Error{fmt::format("node '{}' ({}): {}", m.path, m.type, m.message.text)};
  return Error{fine.error()};
}

Result<PreviewMaker::Made> PreviewMaker::make(const fs::path& preset) {
  OpenedGraph opened;
  if (const Result<void> ok = open_graph(preset.string(), {}, opened); !ok)
    return Error{ok.error()};
  const library::PreviewFrames span = library::preview_frames(opened.doc);
  Made made;
  // The still is framed by itself: what travels would be small in it else.
  Result<std::vector<render::Picture>> still = draw(preset, opened, {span.still});
  if (!still) return Error{still.error()};
  made.still = std::move(still->front());
  if (span.last <= span.first) return made;
  // The last frame of a round is the first of the next, and is not shown twice.
  const int length = span.last - span.first, count = std::min(film_frames, length);
  std::vector<int> frames;
  for (int i = 0; i < count; ++i) frames.push_back(span.first + i * length / count);
  Result<std::vector<render::Picture>> film = draw(preset, opened, frames);
  if (!film) return Error{film.error()};
  const bool moves = std::any_of(film->begin(), film->end(),
                                 [&](const render::Picture& p) { return p != film->front(); });
  if (!moves) return made;
  for (render::Picture& picture : *film) picture = render::scaled(picture, film_width, film_height);
  const render::SheetLayout layout{
      film_columns,        (count + film_columns - 1) / film_columns, film_width, film_height, 0,
      {255, 255, 255, 255}};
  made.film = render::contact_sheet(*film, layout);
  made.facts = {count, film_columns, film_width, film_height, span.seconds};
  return made;
}

int run_preview(const PresetsOptions& options) {
  const library::LibraryIndex index = open_library(options);
  const Result<std::vector<fs::path>> files = files_of(options, index);
  if (!files) return print_error("", files.error()), call_error;
  PreviewMaker maker(stop_on_interrupt());
  ProgressBar bar("drawing", static_cast<int64_t>(files->size()));
  int code = done, made = 0;
  for (const fs::path& file : *files) {
    const Result<std::string> text = read_file(file, DocumentLimits{}.file_bytes);
    const Key key = text ? library::key_of_text(*text) : Key();
    bar.advance();
    if (text && is_current(library::still_of(file), key)) continue;
    const Result<PreviewMaker::Made> drawn = maker.make(file);
    if (maker.interrupted()) return interrupted;
    if (!drawn) {
      print_error(file.string(), drawn.error());
      code = graph_error;
      continue;
    }
    std::error_code ec;
    fs::remove(library::film_of(file), ec);
    Result<void> written;
    if (drawn->film)
      written = write_jpeg(library::film_of(file), *drawn->film,
                           library::preview_comment(key, drawn->facts));
    // The still last: where it is current, so is the film.
    if (written)
      written = write_jpeg(library::still_of(file), drawn->still,
                           library::preview_comment(key, std::nullopt));
    if (!written) return print_error(library::still_of(file).string(), written.error()), call_error;
    ++made;
  }
  if (!options.json)
    say("{} preset{}, {} drawn\n", files->size(), files->size() == 1 ? "" : "s", made);
  return code;
}

}  // namespace sinew::cli
