// Texts that begin with a mark of their encoding.
#pragma once

#include <string>
#include <string_view>

namespace sinew {

// The text without the mark of UTF-8; as UTF-8, which is then kept in `recoded`, if it begins with
// a mark of UTF-16. All others are as they were.
std::string_view without_encoding(std::string_view text, std::string& recoded);

}  // namespace sinew
