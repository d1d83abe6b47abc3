// The pictures of presets that lie beside them: previews/NAME.jpg, and previews/NAME_film.jpg with
// the frames of a short motion in rows. A comment in each says of which text it was made, so that
// one can see without drawing anything whether it is current.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "graph/document.h"
#include "graph/key.h"

namespace sinew::library {

// What is in a film.
struct FilmFacts {
  int frames = 0, columns = 0;
  int width = 0, height = 0;  // of one frame, pixels
  double seconds = 0;         // of one round
};

std::filesystem::path still_of(const std::filesystem::path& preset);
std::filesystem::path film_of(const std::filesystem::path& preset);

// The text of the comment for a preset with this text; `film`: of its film.
std::string preview_comment(const Key& key, const std::optional<FilmFacts>& film);
// What a comment says; nothing if it is another's or of another text.
std::optional<FilmFacts> read_preview(std::string_view comment, const Key& key);
// As LibraryIndex has it.
Key key_of_text(std::string_view text);

// The frames that a preview shows: one round of what repeats, all of what is short, else two
// and a half seconds about the frame of the preset's picture.
struct PreviewFrames {
  int first = 0, last = 0;
  int still = 0;
  double seconds = 0;
};
PreviewFrames preview_frames(const GraphDoc& doc);

}  // namespace sinew::library
