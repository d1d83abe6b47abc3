// The presets that there are: those that come with the program and a person's own. Read on a thread
// of its own; knows nothing of how they are shown.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "graph/document.h"
#include "graph/key.h"
#include "graph/registry.h"

namespace sinew::library {

struct PresetInfo {
  std::filesystem::path file;
  bool own = false;        // from the person's folder
  bool installed = false;  // from a pack
  std::string name;        // "namespace/name": no preset hides another
  std::string title;
  std::string category;  // "Creatures"
  Meta meta;
  int nodes = 0;
  bool moves = false;               // it has a length in time and something in it that uses it
  std::vector<std::string> uses;    // labels of its node types, each once, most used first
  std::vector<std::string> embeds;  // names of the presets that it holds as groups
  bool has_body = false;            // another mesh can be put into it (put_on.h)
  bool has_material = false;        // it has a material to give
  Key key;                          // of its text
  std::string error;                // it cannot be read; then only file, name and title count
};

class LibraryIndex {
 public:
  // `shipped` and `own` may be empty or not there. `others`: documents beyond the library that may
  // use a preset, such as those opened last.
  LibraryIndex(const Registry& registry, std::filesystem::path shipped, std::filesystem::path own);

  // Begins to read again.
  void refresh(std::vector<std::filesystem::path> others = {});
  // Takes what has been read; true if there is something new.
  bool update(double most_seconds_to_wait = 0);
  bool reading() const { return pending_ != nullptr; }
  // Sorted by category and title.
  const std::vector<PresetInfo>& presets() const { return presets_; }
  // By its whole name, else by the name of its file.
  const PresetInfo* find(std::string_view name) const;
  // Titles of what holds this preset as a group.
  std::vector<std::string> used_by(const PresetInfo& preset) const;
  const std::filesystem::path& own_folder() const { return own_; }

 private:
  struct Pending;
  const Registry& registry_;
  std::filesystem::path shipped_, own_;
  std::vector<PresetInfo> presets_, others_;
  std::shared_ptr<Pending> pending_;
};

// Letters in any order of titles, tags, names and descriptions; below 0: it does not fit.
int preset_score(const PresetInfo& preset, std::string_view letters);

// What a document says about itself as a preset.
PresetInfo describe_preset(const std::filesystem::path& file, const std::filesystem::path& root,
                           const Registry& registry);

}  // namespace sinew::library
