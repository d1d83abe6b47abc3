// The web page of a library: one file, with its style, its script and all pictures and models in
// it.
#pragma once

#include <string>
#include <vector>

#include "graph/json.h"

namespace sinew::gallery {

// `library` as docs/library.md has it; `models` in base64, by their ids.
std::string page(const Json& library,
                 const std::vector<std::pair<std::string, std::string>>& models);

}  // namespace sinew::gallery
