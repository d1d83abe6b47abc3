// What a node has to say. A message belongs to a node; the evaluator adds the node's path.
#pragma once

#include <string>

namespace sinew {

enum class Severity { info, warning, error };

struct Message {
  Severity severity = Severity::error;
  std::string text;        // what is wrong, and what would be right; one sentence, no full stop
  bool of_damage = false;  // a warning that a file is damaged and was mended while it was read

  bool operator==(const Message&) const = default;
};

// "a mesh", "an int": for sentences about types.
inline std::string with_article(const std::string& noun) {
  const bool vowel = !noun.empty() && std::string("aeiou").find(noun[0]) != std::string::npos;
  return (vowel ? "an " : "a ") + noun;
}

// A message with the place that it belongs to.
struct NodeMessage {
  std::string path;  // "twist", or "bell/twist" inside a group; empty for the document itself
  std::string type;  // "deform.twist"; empty for the document itself
  Message message;

  bool operator==(const NodeMessage&) const = default;
};

}  // namespace sinew
