// Writes JSON in one canonical form: the same content always gives the same bytes.
//
// A list or an object stands on one line where that fits into 100 columns; otherwise each of its
// elements has a line of its own, indented by two more spaces. A long list of plain numbers is
// filled into lines instead. Whole numbers stay whole numbers ("1"), others keep their point
// ("1.0") and have the fewest digits that give back the same number. Strings are UTF-8 with the
// fewest escapes. Numbers that are not finite, which JSON does not have, become null.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "graph/json.h"

namespace sinew {

// Receives a tree piece by piece, and lays it out at the end, when the width of everything is
// known.
class CanonicalWriter {
 public:
  static constexpr size_t columns = 100;

  // `lines`: one element per line, however short they are.
  void begin_object(bool lines = false) { begin(Kind::object, lines); }
  void begin_array(bool lines = false) { begin(Kind::array, lines); }
  void end();
  // Before each value of an object.
  void key(std::string_view name);

  void string(std::string_view text);
  void integer(int64_t value);
  void number(double value, bool keep_point);
  void boolean(bool value) { scalar(Kind::other, value ? "true" : "false"); }
  void value(const Json& tree);

  // The whole text, ending with a newline.
  std::string finish() const;

 private:
  enum class Kind : uint8_t { object, array, key, number, other };
  struct Item {
    Kind kind;
    bool lines = false;   // containers: always broken
    bool numbers = true;  // arrays: nothing but numbers so far
    size_t begin = 0;     // of its text in `pool_`; not for containers
    size_t end = 0;       // ... and its end; containers: the item after the last one inside
    size_t width = 0;     // columns of its one-line form
  };

  void begin(Kind kind, bool lines);
  void scalar(Kind kind, std::string_view text);
  void quote(Kind kind, std::string_view text);
  void add(const Item& item);

  std::string_view text_of(const Item& item) const {
    return std::string_view(pool_).substr(item.begin, item.end - item.begin);
  }
  size_t after(size_t item) const {
    return items_[item].kind <= Kind::array ? items_[item].end : item + 1;
  }
  void lay_out(std::string& out, size_t item, size_t indent, size_t column) const;
  void lay_out_flat(std::string& out, size_t item) const;
  void lay_out_filled(std::string& out, size_t item, size_t indent) const;

  std::vector<Item> items_;
  std::vector<size_t> open_;
  std::string pool_;
};

}  // namespace sinew
