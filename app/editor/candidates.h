// What a node has found (graph/literal_forms.h), and what it means to choose one of it. Of a node
// with an input 'pick', that says which one counts. Where the found numbers are parameters of the
// document ("worm.speed"), choosing one sets these.
#pragma once

#include <optional>
#include <string>

#include "app/editor/session.h"
#include "graph/literal_forms.h"

namespace sinew::editor {

struct FoundAt {
  std::string node, input;  // in the graph that is looked at
  Value value;
  Candidates all;
  bool sets_parameters = false;  // choosing one sets the parameters that its names say
  bool has_pick = false;
  int picked = -1;  // the one that counts now; -1: none of them
};

// In a line: the cost of the start and of the best, and how many were tried.
std::string facts_of(const Candidates& all);

// Of the first input that holds some, also if it is none yet; nothing: the node has no such input.
std::optional<FoundAt> candidates_of(const Session& session, const NodeDoc& node);

// One step of the history. The error says which parameter cannot be set.
Result<Command> choice_of(const Session& session, const FoundAt& found, std::size_t index);
// The document with that one chosen.
Result<GraphDoc> document_with(const Session& session, const FoundAt& found, std::size_t index);
// What everything but the choice looks like: the same for two documents that differ only in what
// was found and chosen.
Key rest_of(const Session& session, const FoundAt& found);

}  // namespace sinew::editor
