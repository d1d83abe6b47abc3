// What the program remembers of a person: theme, sizes, recent files. A small JSON file in the
// user's configuration folder; what it holds beyond what this build knows is kept.
#pragma once

#include <filesystem>
#include <string>

#include "app/library/places.h"
#include "graph/json.h"
#include "graph/result.h"

namespace sinew::editor {

using namespace library;

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
