#include "app/library/previews.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/library/meta_words.h"

namespace sinew::library {

namespace {

namespace fs = std::filesystem;

// Grows when previews are drawn in another way: all of them are old then.
constexpr int way_of_drawing = 2;
constexpr double longest = 2.5;  // seconds of a film

}  // namespace

fs::path still_of(const fs::path& preset) {
  return preset.parent_path() / "previews" / (preset.stem().string() + ".jpg");
}

fs::path film_of(const fs::path& preset) {
  return preset.parent_path() / "previews" / (preset.stem().string() + "_film.jpg");
}

Key key_of_text(std::string_view text) { return KeyHasher(1).text(text).finish(); }

std::string preview_comment(const Key& key, const std::optional<FilmFacts>& film) {
  std::string text = fmt::format("sinew preview {} {}", way_of_drawing, key.hex());
  if (film)
    text += fmt::format(" frames={} columns={} size={}x{} seconds={:g}", film->frames,
                        film->columns, film->width, film->height, film->seconds);
  return text;
}

std::optional<FilmFacts> read_preview(std::string_view comment, const Key& key) {
  const std::string text(comment), begin = preview_comment(key, std::nullopt);
  if (!text.starts_with(begin)) return std::nullopt;
  FilmFacts film;
  std::sscanf(text.c_str() + begin.size(), " frames=%d columns=%d size=%dx%d seconds=%lf",
              &film.frames, &film.columns, &film.width, &film.height, &film.seconds);
  return film;
}

PreviewFrames preview_frames(const GraphDoc& doc) {
  const Settings& s = doc.settings;
  PreviewFrames frames;
  frames.still = picture_frame_of(doc);
  const double period = named_number(doc.meta, "period");
  const int round = static_cast<int>(std::lround(period * s.fps));
  int length = s.last_frame - s.first_frame;
  if (round > 0 && s.first_frame + round <= s.last_frame) {
    const int settled =
        s.first_frame + static_cast<int>(std::ceil(named_number(doc.meta, "settles") * s.fps));
    frames.first = std::clamp(settled, s.first_frame, s.last_frame - round);
    length = round;
  } else if (length > longest * s.fps) {
    length = static_cast<int>(longest * s.fps);
    frames.first = std::clamp(frames.still - length / 2, s.first_frame, s.last_frame - length);
  } else {
    frames.first = s.first_frame;
  }
  frames.last = frames.first + length;
  frames.seconds = length / s.fps;
  return frames;
}

}  // namespace sinew::library
