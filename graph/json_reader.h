// Reads JSON that nobody vouches for. The bounds are checked in one pass over the text before
// anything is built, so that no input can take more memory than they allow; then nlohmann's parser
// builds the tree. Every error says where: "line 12, column 5: ...".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "graph/json.h"
#include "graph/result.h"

namespace sinew {

struct JsonLimits {
  size_t text_bytes = 64u << 20;
  size_t tree_bytes = 112u << 20;  // estimated memory of the tree, while it is built and destroyed
  size_t string_bytes = 8u << 20;  // of one string; numbers are held to a much smaller bound
  int depth = 64;                  // nesting of arrays and objects
  bool plain = false;              // texts and keys without control characters (plain_text.h)
};

// Objects keep every key once: a key that stands twice is an error, since one of the two values
// would be lost. Numbers too large for a double, text after the end and broken UTF-8 are errors.
Result<Json> read_json(std::string_view text, const JsonLimits& limits = {});

// "line 12, column 5: message". Columns count characters, not bytes.
std::string at_offset(std::string_view text, size_t offset, std::string_view message);

// The way from the root of a tree to a value: keys of objects, indices of arrays.
using JsonPath = std::vector<std::variant<std::string, size_t>>;

// Where in a valid text the value at the end of the path begins; or the last value on the way that
// exists.
size_t locate(std::string_view text, const JsonPath& path);

bool valid_utf8(std::string_view text);

// The text, or its beginning and "..." if it has more than `most` bytes: for messages, which quote
// what a file holds. Characters stay whole.
std::string shortened(std::string_view text, size_t most = 60);

}  // namespace sinew
