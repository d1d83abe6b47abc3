#include "graph/json_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/plain_text.h"

namespace sinew {
namespace {

// Longer numbers are not written by anyone, and the parser would copy them several times.
constexpr size_t longest_number = 4096;
// The parser also keeps all blanks since the last string or number, for its messages.
constexpr size_t most_blanks = 4u << 20;

// What one token costs in a tree of nlohmann::json with glibc's malloc, from above. A slot is a
// value of 16 bytes, three times: a vector that grows holds its old and its new half at once, and
// the destructor of a tree moves all values to a stack of its own.
constexpr size_t slot_bytes = 48;
constexpr size_t string_bytes = 48;  // also covers the node of a map, for a key
constexpr size_t array_bytes = 48;
constexpr size_t object_bytes = 64;
constexpr size_t short_string = 15;  // kept inside of std::string

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool ends_literal(char c) {
  return is_space(c) || c == ',' || c == ']' || c == '}' || c == ':' || c == '"' || c == '[' ||
         c == '{';
}

// The offset after the string that begins at `begin`, or the end of the text if it is not closed.
size_t skip_string(std::string_view text, size_t begin) {
  for (size_t i = begin + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  return text.size();
}

size_t skip_literal(std::string_view text, size_t begin) {
  size_t i = begin + 1;
  while (i < text.size() && !ends_literal(text[i])) ++i;
  return i;
}

struct Flaw {
  size_t offset = 0;
  std::string text;
  size_t sound = 0;  // of a bound: how much of the text the parser may still see
};

// Looks at tokens only: whether the text is JSON is the parser's question.
std::optional<Flaw> check_bounds(std::string_view text, const JsonLimits& limits) {
  size_t tree = 0;
  int depth = 0;
  size_t blanks = 0;
  for (size_t i = 0; i < text.size();) {
    const size_t begin = i;
    switch (text[i]) {
      case ' ':
      case '\t':
      case '\n':
      case '\r':
        if (++blanks > most_blanks) return Flaw{begin, "too many blanks", begin};
        ++i;
        continue;
      case ',':
      case ':':
        ++i;
        continue;
      case ']':
      case '}':
        --depth;
        ++i;
        continue;
      case '[':
      case '{':
        if (++depth > limits.depth) {
          return Flaw{begin, fmt::format("nested too deeply: at most {} levels", limits.depth),
                      begin};
        }
        tree += slot_bytes + (text[i] == '[' ? array_bytes : object_bytes);
        ++i;
        break;
      case '"': {
        i = skip_string(text, begin);
        blanks = 0;
        const size_t length = i - begin;
        if (length > limits.string_bytes) {
          return Flaw{begin,
                      fmt::format("a string of {} bytes: at most {} are allowed", length,
                                  limits.string_bytes),
                      begin};
        }
        tree += slot_bytes + string_bytes + (length > short_string + 2 ? length + 16 : 0);
        break;
      }
      default:
        i = skip_literal(text, begin);
        if (text[begin] == '-' || (text[begin] >= '0' && text[begin] <= '9')) blanks = 0;
        if (i - begin > longest_number) {
          return Flaw{begin, "not valid JSON: a word or number without an end",
                      begin + longest_number};
        }
        tree += slot_bytes;
    }
    if (tree > limits.tree_bytes) {
      return Flaw{begin,
                  fmt::format("the document is too large: its content up to here needs "
                              "more than {} MB of memory",
                              limits.tree_bytes >> 20),
                  begin};
    }
  }
  return std::nullopt;
}

// Where the string number `count`, from 1, begins: keys and values alike.
size_t find_string(std::string_view text, size_t count) {
  for (size_t i = 0; i < text.size();) {
    if (text[i] != '"') {
      ++i;
    } else if (--count == 0) {
      return i;
    } else {
      i = skip_string(text, i);
    }
  }
  return text.size();
}

// Receives the parser's events and builds the tree, refusing a key that stands twice.
class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, bool plain) : text_(text), plain_(plain) {}

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(Json::number_integer_t value) { return add(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return add(value); }
  bool number_float(Json::number_float_t value, const std::string&) { return add(value); }
  bool string(std::string& value) {
    ++strings_;
    if (plain_ && !is_plain(value, true)) return refuse_control();
    return add(std::move(value));
  }
  bool binary(Json::binary_t&) { return false; }  // only in binary formats
  bool start_object(size_t) { return open(Json::object()); }
  bool start_array(size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    ++strings_;
    if (plain_ && !is_plain(name)) return refuse_control();
    const auto [member, is_new] =
        open_.back()->get_ref<Json::object_t&>().try_emplace(std::move(name));
    member_ = &member->second;
    if (!is_new) {
      const size_t offset = find_string(text_, strings_);
      const size_t length = skip_string(text_, offset) - offset;
      flaw_ = {offset, fmt::format("the key {} stands twice in the same object",
                                   shortened(text_.substr(offset, length)))};
    }
    return is_new;
  }
  bool parse_error(size_t position, const std::string& token, const Json::exception& error);

  Json& tree() { return tree_; }
  const Flaw& flaw() const { return flaw_; }

 private:
  template <class T>
  Json* place(T&& value) {
    if (open_.empty()) return &(tree_ = Json(std::forward<T>(value)));
    if (open_.back()->is_array()) {
      auto& array = open_.back()->get_ref<Json::array_t&>();
      array.emplace_back(std::forward<T>(value));
      return &array.back();
    }
    *member_ = Json(std::forward<T>(value));
    return member_;
  }
  template <class T>
  bool add(T&& value) {
    place(std::forward<T>(value));
    return true;
  }
  bool refuse_control() {
    flaw_ = {find_string(text_, strings_), "a text has control characters in it"};
    return false;
  }
  bool open(Json&& container) {
    open_.push_back(place(std::move(container)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::string_view text_;
  bool plain_;
  Json tree_;
  std::vector<Json*> open_;
  Json* member_ = nullptr;
  size_t strings_ = 0;
  Flaw flaw_;
};

// nlohmann says "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error
// while parsing object - unexpected ...; last read: '...'; expected ...". The words after the dash
// are what a person needs; the position is found anew, and what was read stands in the file.
bool TreeBuilder::parse_error(size_t position, const std::string& token,
                              const Json::exception& error) {
  const auto before_end = [&](size_t length) {
    return std::min(position - std::min(position, length), text_.size());
  };
  if (error.id == 406) {
    flaw_ = {before_end(token.size()), "the number is too large"};
    return false;
  }
  std::string what = error.what();
  if (const size_t dash = what.find(" - "); dash != std::string::npos) what.erase(0, dash + 3);
  if (const size_t read = what.find("; last read: '"); read != std::string::npos) {
    const size_t expected = what.rfind("'; expected ");
    what.erase(read, expected == std::string::npos || expected < read ? std::string::npos
                                                                      : expected + 1 - read);
  }
  // A token that is sound but stands in the wrong place is pointed at by its beginning; only for
  // strings and numbers is the token that the parser hands over exact.
  const auto unexpected = [&](std::string_view name) {
    return what.compare(0, 11 + name.size(), "unexpected " + std::string(name)) == 0;
  };
  flaw_.offset = unexpected("end of input") ? text_.size()
                 : unexpected("string literal") || unexpected("number literal")
                     ? before_end(token.size())
                 : unexpected("true") || unexpected("null") ? before_end(4)
                 : unexpected("false")                      ? before_end(5)
                                                            : before_end(1);
  flaw_.text = "not valid JSON: " + what;
  return false;
}

}  // namespace

std::string at_offset(std::string_view text, size_t offset, std::string_view message) {
  offset = std::min(offset, text.size());
  size_t line = 1, column = 1;
  for (size_t i = 0; i < offset; ++i) {
    if (text[i] == '\n') {
      ++line;
      column = 1;
    } else if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) {
      ++column;
    }
  }
  return fmt::format("line {}, column {}: {}", line, column, message);
}

Result<Json> read_json(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.text_bytes) {
    return Error{at_offset(text, 0,
                           fmt::format("the text is too large: {} bytes, at most {} are allowed",
                                       text.size(), limits.text_bytes))};
  }
  if (std::all_of(text.begin(), text.end(), is_space)) {
    return Error{at_offset(text, text.size(), "the text is empty")};
  }
  const std::optional<Flaw> bound = check_bounds(text, limits);
  // What stands before the place where a bound is passed may not be JSON at all; that is then the
  // better message. The parser sees no more than the bounds allow.
  const std::string_view bounded = bound ? text.substr(0, bound->sound) : text;
  TreeBuilder builder(bounded, limits.plain);
  if (Json::sax_parse(bounded.data(), bounded.data() + bounded.size(), &builder) && !bound) {
    return std::move(builder.tree());
  }
  const bool bound_first = bound && builder.flaw().offset >= bounded.size();
  const Flaw& flaw = bound_first ? *bound : builder.flaw();
  return Error{at_offset(text, flaw.offset, flaw.text)};
}

namespace {

// Walks over valid JSON.
class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text) {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") i_ = 3;
    skip_space();
  }

  size_t offset() const { return i_; }
  // From the beginning of an object to the value of a key.
  bool enter(const std::string& key) {
    if (peek() != '{') return false;
    const size_t begin = i_;
    advance(i_ + 1);
    while (peek() == '"') {
      const size_t end = skip_string(text_, i_);
      const std::string_view name = text_.substr(i_, end - i_);
      advance(end);
      advance(i_ + 1);  // the colon
      if (same(name, key)) return true;
      skip_value();
      if (peek() == ',') advance(i_ + 1);
    }
    i_ = begin;
    return false;
  }
  bool enter(size_t index) {
    if (peek() != '[') return false;
    const size_t begin = i_;
    advance(i_ + 1);
    for (; peek() != ']' && peek() != '\0'; --index) {
      if (index == 0) return true;
      skip_value();
      if (peek() == ',') advance(i_ + 1);
    }
    i_ = begin;
    return false;
  }

 private:
  char peek() const { return i_ < text_.size() ? text_[i_] : '\0'; }
  void skip_space() {
    while (i_ < text_.size() && is_space(text_[i_])) ++i_;
  }
  void advance(size_t to) {
    i_ = to;
    skip_space();
  }
  void skip_value() {
    int depth = 0;
    do {
      const char c = peek();
      if (c == '\0') return;
      if (c == '"') {
        advance(skip_string(text_, i_));
      } else if (c == '[' || c == '{') {
        ++depth;
        advance(i_ + 1);
      } else if (c == ']' || c == '}') {
        --depth;
        advance(i_ + 1);
      } else if (c == ',' || c == ':') {
        advance(i_ + 1);
      } else {
        advance(skip_literal(text_, i_));
      }
    } while (depth > 0);
  }
  static bool same(std::string_view quoted, const std::string& key) {
    if (quoted.find('\\') == std::string_view::npos) {
      return quoted.substr(1, quoted.size() - 2) == key;
    }
    const Json name = Json::parse(quoted, nullptr, false);
    return name.is_string() && name.get_ref<const std::string&>() == key;
  }

  std::string_view text_;
  size_t i_ = 0;
};

}  // namespace

size_t locate(std::string_view text, const JsonPath& path) {
  Walker walker(text);
  for (const auto& step : path) {
    if (!std::visit([&](const auto& s) { return walker.enter(s); }, step)) break;
  }
  return walker.offset();
}

bool valid_utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const auto byte = [&](size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned char lead = byte(i);
    if (lead < 0x80) {
      ++i;
      continue;
    }
    const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || i + length > text.size()) return false;
    // The second byte rules out overlong forms, surrogates and what lies beyond U+10FFFF.
    const unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (byte(i + 1) < low || byte(i + 1) > high) return false;
    for (size_t k = i + 2; k < i + length; ++k) {
      if ((byte(k) & 0xC0) != 0x80) return false;
    }
    i += length;
  }
  return true;
}

std::string shortened(std::string_view text, size_t most) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return std::string(text.substr(0, most)) + "...";
}

}  // namespace sinew
