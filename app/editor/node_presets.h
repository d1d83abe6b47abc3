// Sets of parameter values with a name, for one type of node each: one file for a type in the
// user's configuration folder, {"presets": {"Soft": {"stiffness": 2, ...}, ...}}.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "graph/document.h"

namespace sinew::editor {

class NodePresets {
 public:
  using Params = std::map<std::string, Json>;

  // An empty folder: nothing is kept beyond the run.
  explicit NodePresets(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // By name. The file is read when a type is asked for the first time.
  const std::map<std::string, Params>& of(const std::string& type);
  Result<void> keep(const std::string& type, const std::string& name, Params params);
  Result<void> forget(const std::string& type, const std::string& name);

 private:
  Result<void> write(const std::string& type);
  std::filesystem::path file(const std::string& type) const { return folder_ / (type + ".json"); }

  std::filesystem::path folder_;
  std::map<std::string, std::map<std::string, Params>> types_;
};

}  // namespace sinew::editor
