// A node graph as a picture for web pages: nodes where the document has them, links as curves.
#pragma once

#include <string>

#include "graph/document.h"
#include "graph/registry.h"

namespace sinew::gallery {

// All text of the document is escaped: nothing in it can become markup.
std::string graph_svg(const GraphDoc& doc, const Registry& registry);

// "&lt;" for "<", and so on; control characters are left out.
std::string escaped(std::string_view text);

}  // namespace sinew::gallery
