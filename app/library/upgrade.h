// Newer versions of the presets that a document holds as groups. What a person set on an instance
// stays set, as long as the newer version has a place for it.
#pragma once

#include <string>
#include <vector>

#include "graph/commands.h"
#include "graph/registry.h"

namespace sinew::library {

// 1.10.0 is newer than 1.9.0. What is no version is older than any.
bool is_newer(std::string_view a, std::string_view b);

struct GroupUpgrade {
  std::string group;     // its name in the document, "sinew/heart@1.0.0"
  std::string name;      // "sinew/heart"
  std::string from, to;  // versions
  Command command;
  std::vector<std::string> kept;  // what instances had set, or linked, and have still
  std::vector<std::string> lost;  // what has no place any more
  std::string before, after;      // both as documents, to be compared
};

// What would become of the group `group` of the document with this preset in its place. The error
// says why it cannot be.
Result<GroupUpgrade> upgrade_group(const GraphDoc& doc, const std::string& group,
                                   const GraphDoc& preset, const Registry& registry);

// The name of the preset that a group is a version of; empty: it is of none.
std::string preset_of_group(const std::string& group_name, const GroupDoc& group);

}  // namespace sinew::library
