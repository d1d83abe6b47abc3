// How saved names are shown.
#pragma once

#include <cctype>
#include <string>

namespace sinew {

// "rest_length" is shown as "Rest length".
inline std::string label_from_name(std::string name) {
  for (char& c : name)
    if (c == '_') c = ' ';
  if (!name.empty()) name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return name;
}

}  // namespace sinew
