// What does not get into a file that a value is saved to: for whoever saves values and knows
// nothing of what they are.
#pragma once

#include <string>
#include <vector>

#include "graph/value.h"

namespace sinew {

// What the value has and a file with that ending (without the dot) has not, as words; empty:
// nothing is lost.
std::vector<std::string> lost_in_file(const Value& value, const std::string& ending);

}  // namespace sinew
