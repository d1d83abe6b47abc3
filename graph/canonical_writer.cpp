#include "graph/canonical_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "graph/json_reader.h"
#include "graph/plain_text.h"

namespace sinew {
namespace {

size_t count_columns(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

// What would steer a terminal that shows the text is written as its number: it is the same text
// when it is read back.
void append_escaped(std::string& out, std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (c >= 0x20 && c < 0x7F) {
          out += c;
        } else if (const Escaped steers = escaped_control(text.substr(i)); steers.bytes > 0) {
          out += steers.text;
          i += steers.bytes - 1;
        } else {
          out += c;
        }
    }
  }
}

// Bytes that are not UTF-8 would make a file that cannot be read back: each becomes U+FFFD.
std::string repaired(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    size_t length = 1;
    while (length <= 4 && i + length <= text.size() && !valid_utf8(text.substr(i, length))) {
      ++length;
    }
    if (length <= 4 && i + length <= text.size()) {
      out += text.substr(i, length);
      i += length;
    } else {
      out += "\xEF\xBF\xBD";
      ++i;
    }
  }
  return out;
}

}  // namespace

void CanonicalWriter::begin(Kind kind, bool lines) {
  Item item{kind};
  item.lines = lines;
  item.width = 2;
  items_.push_back(item);
  open_.push_back(items_.size() - 1);
}

void CanonicalWriter::end() {
  const size_t index = open_.back();
  open_.pop_back();
  items_[index].end = items_.size();
  if (open_.empty()) return;
  Item& parent = items_[open_.back()];
  parent.numbers = false;
  parent.width += items_[index].width + (index == open_.back() + 1 ? 0 : 2);
}

// Separators count as two columns: ", " before every element but the first, ": " after a key.
void CanonicalWriter::add(const Item& item) {
  const bool is_first = !open_.empty() && items_.size() == open_.back() + 1;
  items_.push_back(item);
  if (open_.empty()) return;
  Item& parent = items_[open_.back()];
  if (item.kind != Kind::number) parent.numbers = false;
  parent.width += item.width + (is_first ? 0 : 2);
}

void CanonicalWriter::scalar(Kind kind, std::string_view text) {
  Item item{kind};
  item.begin = pool_.size();
  pool_ += text;
  item.end = pool_.size();
  item.width = count_columns(text);
  add(item);
}

void CanonicalWriter::quote(Kind kind, std::string_view text) {
  Item item{kind};
  item.begin = pool_.size();
  pool_ += '"';
  if (valid_utf8(text)) {
    append_escaped(pool_, text);
  } else {
    append_escaped(pool_, repaired(text));
  }
  pool_ += '"';
  item.end = pool_.size();
  item.width = count_columns(text_of(item));
  add(item);
}

void CanonicalWriter::key(std::string_view name) { quote(Kind::key, name); }

void CanonicalWriter::string(std::string_view text) { quote(Kind::other, text); }

void CanonicalWriter::integer(int64_t value) {
  const fmt::format_int text(value);
  scalar(Kind::number, std::string_view(text.data(), text.size()));
}

void CanonicalWriter::number(double value, bool keep_point) {
  if (!std::isfinite(value)) return scalar(Kind::other, "null");
  fmt::memory_buffer text;
  fmt::format_to(std::back_inserter(text), "{}", value);
  std::string_view digits(text.data(), text.size());
  if (keep_point && digits.find_first_of(".e") == std::string_view::npos) {
    fmt::format_to(std::back_inserter(text), ".0");
    digits = std::string_view(text.data(), text.size());
  }
  scalar(Kind::number, digits);
}

void CanonicalWriter::value(const Json& tree) {
  switch (tree.type()) {
    case Json::value_t::object:
      begin_object();
      for (const auto& [name, member] : tree.get_ref<const Json::object_t&>()) {
        key(name);
        value(member);
      }
      return end();
    case Json::value_t::array:
      begin_array();
      for (const Json& element : tree) value(element);
      return end();
    case Json::value_t::string:
      return string(tree.get_ref<const std::string&>());
    case Json::value_t::boolean:
      return boolean(tree.get<bool>());
    case Json::value_t::number_integer:
      return integer(tree.get<int64_t>());
    case Json::value_t::number_unsigned: {
      const fmt::format_int text(tree.get<uint64_t>());
      return scalar(Kind::number, std::string_view(text.data(), text.size()));
    }
    case Json::value_t::number_float:
      return number(tree.get<double>(), true);
    case Json::value_t::null:
    case Json::value_t::binary:
    case Json::value_t::discarded:
      return scalar(Kind::other, "null");
  }
}

std::string CanonicalWriter::finish() const {
  std::string out;
  out.reserve(pool_.size() + 4 * items_.size());
  if (!items_.empty()) lay_out(out, 0, 0, 0);
  out += '\n';
  return out;
}

void CanonicalWriter::lay_out(std::string& out, size_t item, size_t indent, size_t column) const {
  const Item& whole = items_[item];
  const bool is_empty = whole.end == item + 1;
  if (whole.kind > Kind::array || is_empty || (!whole.lines && column + whole.width < columns)) {
    return lay_out_flat(out, item);
  }
  if (whole.kind == Kind::array && whole.numbers && !whole.lines) {
    return lay_out_filled(out, item, indent);
  }
  const bool is_object = whole.kind == Kind::object;
  out += is_object ? '{' : '[';
  for (size_t i = item + 1; i < whole.end;) {
    out += i == item + 1 ? "\n" : ",\n";
    out.append(indent + 2, ' ');
    size_t start = indent + 2;
    if (is_object) {
      out += text_of(items_[i]);
      out += ": ";
      start += items_[i].width + 2;
      ++i;
    }
    lay_out(out, i, indent + 2, start);
    i = after(i);
  }
  out += '\n';
  out.append(indent, ' ');
  out += is_object ? '}' : ']';
}

void CanonicalWriter::lay_out_flat(std::string& out, size_t item) const {
  const Item& whole = items_[item];
  if (whole.kind > Kind::array) {
    out += text_of(whole);
    return;
  }
  const bool is_object = whole.kind == Kind::object;
  out += is_object ? '{' : '[';
  for (size_t i = item + 1; i < whole.end;) {
    if (i != item + 1) out += ", ";
    if (is_object) {
      out += text_of(items_[i]);
      out += ": ";
      ++i;
    }
    lay_out_flat(out, i);
    i = after(i);
  }
  out += is_object ? '}' : ']';
}

void CanonicalWriter::lay_out_filled(std::string& out, size_t item, size_t indent) const {
  out += '[';
  size_t column = columns;  // so that the first number begins a line
  for (size_t i = item + 1; i < items_[item].end; ++i) {
    const bool is_first = i == item + 1;
    const size_t width = items_[i].width + 2;
    if (!is_first) out += ',';
    if (column + width > columns) {
      out += '\n';
      out.append(indent + 2, ' ');
      column = indent + 2 + items_[i].width + 1;
    } else {
      out += ' ';
      column += width;
    }
    out += text_of(items_[i]);
  }
  out += '\n';
  out.append(indent, ' ');
  out += ']';
}

}  // namespace sinew
