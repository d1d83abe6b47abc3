// `sinew presets preview`: the pictures that lie beside presets.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/cli/picture_maker.h"
#include "app/cli/presets_command.h"
#include "app/library/previews.h"

namespace sinew::cli {

// What previews are drawn as.
inline constexpr int film_frames = 20, film_columns = 5;
inline constexpr int still_width = 480, still_height = 300;
inline constexpr int film_width = 256, film_height = 160;

// Draws previews of one preset after another with one device.
class PreviewMaker {
 public:
  explicit PreviewMaker(const std::atomic<bool>* cancel) : cancel_(cancel) {}

  struct Made {
    render::Picture still;
    std::optional<render::Picture> film;  // none: nothing moves
    library::FilmFacts facts;
  };
  // The error says what is wrong with this preset.
  Result<Made> make(const std::filesystem::path& preset);
  bool interrupted() const { return interrupted_; }

 private:
  // Frames in one picture each, with one camera for all of them.
  Result<std::vector<render::Picture>> draw(const std::filesystem::path& preset,
                                            const OpenedGraph& opened,
                                            const std::vector<int>& frames);

  const std::atomic<bool>* cancel_;
  std::optional<PictureMaker::Kept> kept_;
  bool interrupted_ = false;
};

// Makes those that are missing or old, of all presets or of those that are named.
int run_preview(const PresetsOptions& options);

}  // namespace sinew::cli
