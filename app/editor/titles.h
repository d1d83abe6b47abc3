// What things are called where a person reads it: never by an id, if there is a better name.
#pragma once

#include <string>

#include "app/editor/session.h"

namespace sinew::editor {

// A group: its title, or its name as words.
std::string title_of_group(const GraphDoc& doc, const std::string& group);
// A node: its label, or the title of its group, or its type's label.
std::string title_of(const Session& session, const NodeDoc& node);
// A node by its path from the document's own graph: "Low bell / Noise".
std::string title_of_path(const Session& session, const std::string& path);
// A node of the graph that is looked at; its id if there is none.
std::string title_of(const Session& session, const std::string& node);
// An output ("low/noise.field"): its node, and which it is where there are several.
std::string title_of_output(const Session& session, const std::string& name);

}  // namespace sinew::editor
