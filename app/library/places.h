// Where things of the program are kept on this machine.
#pragma once

#include <filesystem>

namespace sinew::library {

// $XDG_CONFIG_HOME/sinew, $XDG_STATE_HOME/sinew, $XDG_CACHE_HOME/sinew, or their places at home.
std::filesystem::path config_folder();
std::filesystem::path state_folder();
std::filesystem::path cache_folder();

// The folder of the presets that come with the program: the one that is told, $SINEW_PRESETS, or
// presets/ or share/sinew/presets/ above the program's own folder. Empty: there is none.
std::filesystem::path find_presets(const std::filesystem::path& told);
// The folder of a person's own presets, and of those that were installed.
std::filesystem::path own_presets_folder();

}  // namespace sinew::library
