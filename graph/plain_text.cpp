#include "graph/plain_text.h"

#include <fmt/format.h>

#include <cstdint>

#include "graph/json_reader.h"

namespace sinew {
namespace {

struct Letter {
  uint32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

// The character that a text, which is not empty, begins with.
Letter first_letter(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (bytes > text.size() || !valid_utf8(text.substr(0, bytes))) return {};
  uint32_t code = lead & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i)
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3Fu);
  return {code, bytes, true};
}

bool steers(uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code <= 0x9F) || code == 0x061C || code == 0x200E ||
         code == 0x200F || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

bool may_stay(uint32_t code, bool lines) {
  return !steers(code) || (lines && (code == '\n' || code == '\t'));
}

std::string cleaned(std::string_view text, bool lines) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    if (!letter.valid)
      clean += "\xEF\xBF\xBD";
    else if (may_stay(letter.code, lines))
      clean += text.substr(0, letter.bytes);
    else
      clean += ' ';
    text.remove_prefix(letter.bytes);
  }
  return clean;
}

}  // namespace

bool is_plain(std::string_view text, bool lines) {
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    if (!letter.valid || !may_stay(letter.code, lines)) return false;
    text.remove_prefix(letter.bytes);
  }
  return true;
}

std::string plain_line(std::string_view text) { return cleaned(text, false); }
std::string plain_lines(std::string_view text) { return cleaned(text, true); }

Json plain_tree(const Json& tree) {
  if (tree.is_string()) return plain_lines(tree.get_ref<const std::string&>());
  if (!tree.is_structured()) return tree;
  Json plain = tree.is_array() ? Json::array() : Json::object();
  if (tree.is_array())
    for (const Json& element : tree) plain.push_back(plain_tree(element));
  else
    for (const auto& [key, value] : tree.items()) plain[plain_lines(key)] = plain_tree(value);
  return plain;
}

Escaped escaped_control(std::string_view text) {
  if (text.empty()) return {};
  const Letter letter = first_letter(text);
  if (!letter.valid || !steers(letter.code)) return {};
  return {fmt::format("\\u{:04x}", letter.code), letter.bytes};
}

}  // namespace sinew
