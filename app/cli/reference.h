// The reference of all nodes, from their declarations: for the terminal, for machines, and as
// docs/nodes.md.
#pragma once

#include <string>

#include "graph/json.h"
#include "graph/registry.h"

namespace sinew::cli {

std::string node_list_text(const Registry& registry);
std::string node_text(const NodeType& type);
std::string reference_markdown(const Registry& registry);
Json node_json(const NodeType& type);

}  // namespace sinew::cli
