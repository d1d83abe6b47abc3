// What must hold for the structure of every document, whether it was read or edited.
#pragma once

#include <optional>
#include <string>

#include "graph/document.h"
#include "graph/json_reader.h"

namespace sinew {

constexpr size_t longest_id = 100;
constexpr size_t longest_group_name = 200;

struct DocumentFlaw {
  JsonPath path;  // to the place in the document's JSON
  std::string text;
};

// The first thing that is wrong: ids, versions, settings, a node that stands twice, a cycle.
std::optional<DocumentFlaw> find_flaw(const GraphDoc& doc);

// Parts of it, for single edits; the text says what is wrong.
std::optional<std::string> flaw_of(const NodeDoc& node);
std::optional<std::string> flaw_of(const Settings& settings);
std::optional<DocumentFlaw> flaw_of(const GroupDoc& group);
std::optional<DocumentFlaw> flaw_of_interface(const std::vector<InterfaceItem>& inputs,
                                              const std::vector<InterfaceItem>& outputs);
// "links form a cycle: a -> b -> a", with the path to one of the links.
std::optional<DocumentFlaw> find_link_cycle(const GraphBody& graph);
// "the group 'a' contains itself: a -> b -> a", with the path to one of the instances.
std::optional<DocumentFlaw> find_group_cycle(const GraphDoc& doc);

}  // namespace sinew
