// sinew presets: the library on the command line.
#pragma once

#include <string>
#include <vector>

#include "app/library/library_index.h"

namespace sinew::cli {

struct PresetsOptions {
  enum class Act : unsigned char {
    list,
    search,
    show,
    install,
    pack,
    diff,
    upgrade,
    put,
    try_files,  // started by ourselves: see pack_trial.h
    preview,
    check  // with what can be seen: see preview_command.h and library_check.h
  };
  Act act = Act::list;
  std::vector<std::string> words;  // names, files, what is searched for
  std::string category, tag;       // list
  std::string library;             // the folder of a person's own; the usual one unless given
  std::string out;                 // pack, put, upgrade
  std::string on;                  // put: a mesh, a type of node, or a document
  bool replace = false;            // install
  bool json = false;

  bool needs_pictures() const { return act == Act::preview || act == Act::check; }
};
int run_presets(const PresetsOptions& options);

// What the other acts share.
library::LibraryIndex open_library(const PresetsOptions& options);
// A preset by its name ("sinew/heart", "heart", "motions/heart") or its file.
Result<std::filesystem::path> find_preset(const library::LibraryIndex& index,
                                          const std::string& word);

int run_install(const PresetsOptions& options);
int run_pack(const PresetsOptions& options);
int run_diff(const PresetsOptions& options);
int run_upgrade(const PresetsOptions& options);
int run_put(const PresetsOptions& options);
int run_trial(const PresetsOptions& options);

}  // namespace sinew::cli
