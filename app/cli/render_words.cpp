#include "app/cli/render_words.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "app/cli/program.h"
#include "render/renderer.h"

namespace sinew::cli {
namespace {

// "1280x720"
std::optional<std::pair<int, int>> two_numbers(const std::string& text) {
  int a = 0, b = 0;
  const char *begin = text.data(), *end = begin + text.size();
  const auto first = std::from_chars(begin, end, a);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != 'x') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, b);
  if (second.ec != std::errc() || second.ptr != end) return std::nullopt;
  return std::pair{a, b};
}

std::string names_of(std::span<const render::Named> names) {
  std::string all;
  for (const render::Named& n : names) all += (all.empty() ? "" : ", ") + std::string(n.name);
  return all;
}

std::vector<std::string> strings_of(std::span<const render::Named> names) {
  std::vector<std::string> all;
  for (const render::Named& n : names) all.emplace_back(n.name);
  return all;
}

Result<void> read_size(const RenderOptions& options, RenderWords& words) {
  if (!options.sheet.empty()) words.width = 480, words.height = 270;
  if (options.size.empty()) return {};
  const auto size = two_numbers(options.size);
  constexpr int most = render::Renderer::most_pixels;
  if (!size || size->first < 1 || size->second < 1 || size->first > most || size->second > most)
    return Error{
        fmt::format("--size {}: it must be WIDTHxHEIGHT, such as 1280x720, each from 1 to {}",
                    options.size, most)};
  std::tie(words.width, words.height) = *size;
  return {};
}

Result<void> read_frames(const RenderOptions& options, const GraphDoc& doc, bool one_picture,
                         RenderWords& words) {
  if (!options.sheet.empty()) {
    const auto cells = two_numbers(options.sheet);
    if (!cells || cells->first < 1 || cells->second < 1 || cells->first > 100 ||
        cells->second > 100)
      return Error{fmt::format(
          "--sheet {}: it must be COLUMNSxROWS, such as 4x2, each from 1 to 100", options.sheet)};
    if (!one_picture) return Error{"--sheet makes one picture: give -o a name that ends with .png"};
    words.sheet.emplace();
    words.sheet->columns = cells->first;
    words.sheet->rows = cells->second;
  }
  const int first = doc.settings.first_frame, last = doc.settings.last_frame;
  const bool one_frame = one_picture && !words.sheet;
  words.range = {first, one_frame ? first : last, 1};
  if (options.frames.empty()) return {};
  const Result<FrameRange> range = parse_frame_range(options.frames);
  if (!range) return Error{"--frames " + range.error()};
  if (range->first < first)
    return Error{fmt::format("--frames {}: before the first frame, {}, there is nothing",
                             options.frames, first)};
  if (one_frame && range->count() > 1)
    return Error{
        fmt::format("--frames {}: {} pictures do not fit into one .png; name a folder "
                    "(-o frames/), a film (.mp4, .gif), or add --sheet 4x2",
                    options.frames, range->count())};
  words.range = *range;
  return {};
}

Result<void> read_overlays(const RenderOptions& options, render::Look& look) {
  for (const std::string& list : options.overlays) {
    std::string_view rest = list;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      std::string name(rest.substr(0, comma));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
      const bool off = name.starts_with("no-");
      if (off) name = name.substr(3);
      if (name == "none") {
        look.overlays = 0;
        continue;
      }
      const std::optional<render::Overlay> overlay = render::find_overlay(name);
      if (!overlay)
        return Error{
            fmt::format("--overlay {}: there is no '{}'{}; there are {}; no- before a name "
                        "takes it away, none takes all away",
                        list, name, did_you_mean(name, strings_of(render::overlay_names())),
                        names_of(render::overlay_names()))};
      look.set(*overlay, !off);
    }
  }
  return {};
}

Result<void> read_look(const RenderOptions& options, RenderWords& words) {
  if (const Result<void> ok = read_overlays(options, words.look); !ok) return ok;
  if (!options.shading.empty()) {
    const std::optional<render::Shading> shading = render::find_shading(options.shading);
    if (!shading)
      return Error{fmt::format("--shading {}: there are {}{}", options.shading,
                               names_of(render::shading_names()),
                               did_you_mean(options.shading, strings_of(render::shading_names())))};
    words.look.shading = *shading;
  }
  if (!options.map.empty()) {
    constexpr std::string_view maps[] = {"sequential", "diverging", "strain", "phase"};
    static_assert(std::size(maps) == draw::colour_map_count);
    const auto found = std::find(std::begin(maps), std::end(maps), options.map);
    if (found == std::end(maps))
      return Error{
          fmt::format("--map {}: there are sequential, diverging, strain and phase", options.map)};
    words.map = static_cast<draw::ColourMap>(found - std::begin(maps));
  }
  return {};
}

// "z", "-x", "y=0.25"
Result<void> read_section(const RenderOptions& options, RenderWords& words) {
  if (options.section.empty()) return {};
  const Error form{
      fmt::format("--section {}: it must be an axis with a place on it, such as z, -x or "
                  "y=0.25; what lies beyond is cut away, with a minus what lies before",
                  options.section)};
  std::string_view text = options.section;
  SectionWords section;
  section.negative = text.starts_with('-');
  if (section.negative) text.remove_prefix(1);
  if (text.empty() || text[0] < 'x' || text[0] > 'z') return form;
  section.axis = text[0] - 'x';
  text.remove_prefix(1);
  if (!text.empty()) {
    float offset = 0;
    const auto read = std::from_chars(text.data() + 1, text.data() + text.size(), offset);
    if (text[0] != '=' || read.ec != std::errc() || read.ptr != text.data() + text.size() ||
        !std::isfinite(offset))
      return form;
    section.offset = offset;
  }
  words.section = section;
  return {};
}

Result<void> read_renderer(const RenderOptions& options, RenderWords& words) {
  if (options.renderer.empty()) return {};
  for (const auto backend :
       {render::Backend::automatic, render::Backend::vulkan, render::Backend::opengl})
    if (options.renderer == render::backend_name(backend)) {
      words.backend = backend;
      return {};
    }
  return Error{fmt::format("--renderer {}: there are auto, vulkan and opengl", options.renderer)};
}

}  // namespace

Result<RenderWords> read_render_words(const RenderOptions& options, const GraphDoc& doc,
                                      bool one_picture) {
  RenderWords words;
  for (const Result<void>& ok :
       {read_size(options, words), read_frames(options, doc, one_picture, words),
        read_look(options, words), read_section(options, words), read_renderer(options, words)})
    if (!ok) return Error{ok.error()};
  const Result<FoundCamera> camera =
      options.view.empty() ? standard_camera(doc) : find_camera(doc, options.view);
  if (!camera)
    return Error{(options.view.empty() ? options.file : "--view") + ": " + camera.error()};
  words.camera = *camera;
  return words;
}

}  // namespace sinew::cli
