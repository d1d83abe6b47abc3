// `sinew presets check`: whether presets keep what a library promises.
//
// Each opens, says who made it and what it is, has previews of its present text, runs through its
// first 120 frames without a word, repeats where its "period" says so, and takes no longer for a
// frame than its "frame_ms" says.
#pragma once

#include <string>
#include <vector>

#include "app/cli/presets_command.h"

namespace sinew::cli {

struct PresetReport {
  std::string name;
  std::vector<std::string> flaws;
  int frames = 0;
  double frame_ms = 0;        // the middle one of all but the first
  double first_ms = 0;        // with all that is prepared
  double stated_ms = 0;       // 0: it states none
  double repeats_within = 0;  // of its size; 0: it does not say that it repeats
};

struct CheckRules {
  int frames = 120;
  bool timing = true;  // a test does not ask: machines differ
};
PresetReport check_preset(const library::PresetInfo& preset, const CheckRules& rules);

int run_library_check(const PresetsOptions& options);

}  // namespace sinew::cli
