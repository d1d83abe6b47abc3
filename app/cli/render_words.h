// What the options of `sinew render` say, read and checked before anything is opened or run.
#pragma once

#include <optional>
#include <string>

#include "app/cameras.h"
#include "app/cli/frame_range.h"
#include "app/cli/render_command.h"
#include "nodes/show.h"
#include "render/contact_sheet.h"
#include "render/device.h"
#include "render/look.h"

namespace sinew::cli {

// A plane that cuts bodies open: what lies beyond it on the axis goes, or with a minus what lies
// before it.
struct SectionWords {
  int axis = 2;
  bool negative = false;
  std::optional<float> offset;  // m; none: through the middle of the scene
};

struct RenderWords {
  int width = 1280, height = 720;
  FrameRange range;
  std::optional<render::SheetLayout> sheet;
  render::Look look;
  render::Backend backend = render::Backend::automatic;
  std::optional<SectionWords> section;
  std::optional<draw::ColourMap> map;
  FoundCamera camera;
};

// `one_picture`: the output is one file, so that without --frames the first frame is meant, and
// else the document's whole timeline. The errors name the option.
Result<RenderWords> read_render_words(const RenderOptions& options, const GraphDoc& doc,
                                      bool one_picture);

}  // namespace sinew::cli
