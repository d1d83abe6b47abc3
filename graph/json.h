// The JSON tree that literals, unknown nodes and upgrades live in. Objects keep their keys sorted,
// which is what makes a saved document canonical.
#pragma once

#include <nlohmann/json.hpp>

namespace sinew {
using Json = nlohmann::json;
}  // namespace sinew
