// A whole document as a group of another one: how a preset comes onto the canvas.
#pragma once

#include "graph/commands.h"
#include "graph/registry.h"

namespace sinew::library {

// What the viewers showed is what the group gives; the viewers themselves stay behind. What the
// document leaves open (an input that must be linked and is not) is what it is given, and so is
// each parameter that "expose" in its meta block names: ["pulse.speed", ...]. Of an input that is
// linked, the instance chooses between what the preset makes itself and what it is given: the
// switch is named as the input, with own_prefix. "give" names outputs that no viewer shows.
inline constexpr const char* own_prefix = "own_";
Result<GroupDoc> group_from_document(const GraphDoc& doc, const Registry& registry);

// The node type that makes something of this type stand in for something else; nullptr: none.
const NodeType* stand_in_for(const Registry& registry, const TypeInfo& type);

// The name that a preset's group has in documents: "namespace/name@version", or its title.
std::string group_name_of(const Meta& meta);

// Adds the group, and the groups that it needs, with one instance at (x, y).
Result<Command> insert_as_group(const GraphDoc& into, const std::string& graph,
                                const GraphDoc& preset, const Registry& registry, double x,
                                double y);

}  // namespace sinew::library
