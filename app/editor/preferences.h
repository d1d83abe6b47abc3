// What the program remembers of a person: theme, sizes, recent files. A small JSON file in the
// user's configuration folder; what it holds beyond what this build knows is kept.
#pragma once

#include <filesystem>
#include <string>

#include "graph/json.h"
#include "graph/result.h"

namespace sinew::editor {

// $XDG_CONFIG_HOME/sinew, $XDG_STATE_HOME/sinew, $XDG_CACHE_HOME/sinew, or their places at home.
std::filesystem::path config_folder();
std::filesystem::path state_folder();
std::filesystem::path cache_folder();

// The folder of the presets that come with the program: the one that is told, $SINEW_PRESETS, or
// presets/ or share/sinew/presets/ above the program's own folder. Empty: there is none.
std::filesystem::path find_presets(const std::filesystem::path& told);

class Preferences {
 public:
  // Remembers nothing beyond the run: for scripts and tests.
  Preferences() = default;
  // Reads the file; one that is damaged is as good as none.
  explicit Preferences(std::filesystem::path file);

  template <class T>
  T get(const std::string& key, T standard) const {
    const auto found = data_.find(key);
    if (found == data_.end()) return standard;
    try {
      return found->template get<T>();
    } catch (const Json::exception&) {
      return standard;  // somebody wrote something else there
    }
  }
  template <class T>
  void set(const std::string& key, const T& value) {
    Json next = value;
    if (data_.contains(key) && data_[key] == next) return;
    data_[key] = std::move(next);
    changed_ = true;
  }
  void erase(const std::string& key) {
    if (data_.erase(key) > 0) changed_ = true;
  }
  bool has(const std::string& key) const { return data_.contains(key); }

  // Writes it if it has changed; called now and then, and at the end.
  Result<void> save();
  bool changed() const { return changed_; }

 private:
  std::filesystem::path file_;
  Json data_ = Json::object();
  bool changed_ = false;
};

}  // namespace sinew::editor
