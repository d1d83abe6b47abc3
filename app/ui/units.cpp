#include "app/ui/units.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

namespace sinew::ui {
namespace {

// A unit as a multiple of the one that documents use for its kind.
struct Unit {
  std::string_view name;
  char kind;  // length, angle, time, mass, speed, acceleration, frequency, ... by a letter
  double factor;
};

constexpr double degrees = 180 / std::numbers::pi;
constexpr std::array units{
    Unit{"m", 'l', 1},
    Unit{"km", 'l', 1e3},
    Unit{"dm", 'l', 0.1},
    Unit{"cm", 'l', 0.01},
    Unit{"mm", 'l', 1e-3},
    Unit{"um", 'l', 1e-6},
    Unit{"\xc2\xb5m", 'l', 1e-6},
    Unit{"in", 'l', 0.0254},
    Unit{"ft", 'l', 0.3048},
    Unit{"deg", 'a', 1},
    Unit{"\xc2\xb0", 'a', 1},
    Unit{"rad", 'a', degrees},
    Unit{"turn", 'a', 360},
    Unit{"turns", 'a', 360},
    Unit{"s", 't', 1},
    Unit{"ms", 't', 1e-3},
    Unit{"min", 't', 60},
    Unit{"h", 't', 3600},
    Unit{"kg", 'w', 1},
    Unit{"g", 'w', 1e-3},
    Unit{"mg", 'w', 1e-6},
    Unit{"t", 'w', 1e3},
    Unit{"m/s", 'v', 1},
    Unit{"cm/s", 'v', 0.01},
    Unit{"mm/s", 'v', 1e-3},
    Unit{"km/h", 'v', 1 / 3.6},
    Unit{"m/s^2", 'b', 1},
    Unit{"1/s", 'f', 1},
    Unit{"Hz", 'f', 1},
    Unit{"kg/m^3", 'd', 1},
    Unit{"g/cm^3", 'd', 1e3},
    Unit{"N/m", 'k', 1},
    Unit{"kN/m", 'k', 1e3},
    Unit{"N", 'n', 1},
    Unit{"Pa", 'p', 1},
    Unit{"kPa", 'p', 1e3},
    Unit{"MPa", 'p', 1e6},
    Unit{"%", '%', 0.01},
};

const Unit* find_unit(std::string_view name) {
  for (const Unit& unit : units)
    if (unit.name == name) return &unit;
  return nullptr;
}

bool begins_unit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Sums of products of powers, each number with the unit behind it, if it has one.
class Reader {
 public:
  Reader(std::string_view text, std::string_view wanted) : text_(text), wanted_(wanted) {}

  Result<double> read() {
    const double x = sum(0);
    skip();
    if (wrong_.empty() && at_ < text_.size())
      wrong_ = fmt::format("'{}' is not understood", text_.substr(at_));
    if (!wrong_.empty()) return Error{wrong_};
    if (!std::isfinite(x)) return Error{"that is no finite number"};
    return x == 0 ? 0.0 : x;
  }

 private:
  static constexpr int deepest = 64;

  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    return ++at_, true;
  }

  double sum(int depth) {
    double x = product(depth);
    while (wrong_.empty()) {
      if (take('+'))
        x += product(depth);
      else if (take('-'))
        x -= product(depth);
      else
        break;
    }
    return x;
  }

  double product(int depth) {
    double x = power(depth);
    while (wrong_.empty()) {
      if (take('*'))
        x *= power(depth);
      else if (take('/'))
        x /= power(depth);
      else
        break;
    }
    return x;
  }

  double power(int depth) {
    if (depth > deepest) return fail("it is nested too deeply");
    if (take('-')) return -power(depth + 1);
    if (take('+')) return power(depth + 1);
    const double x = with_unit(atom(depth));
    return wrong_.empty() && take('^') ? std::pow(x, power(depth + 1)) : x;
  }

  double atom(int depth) {
    skip();
    if (take('(')) {
      const double x = sum(depth + 1);
      if (wrong_.empty() && !take(')')) return fail("a bracket is not closed");
      return x;
    }
    if (text_.substr(at_).starts_with("pi") && !begins_unit(peek(2))) {
      at_ += 2;
      return std::numbers::pi;
    }
    double x = 0;
    const char* begin = text_.data() + at_;
    const char* end = text_.data() + text_.size();
    const auto [rest, problem] = std::from_chars(begin, end, x);
    // "inf" and "nan" are numbers for the library, but not for a slider.
    if (problem != std::errc() || begins_unit(*begin))
      return fail(at_ < text_.size() ? fmt::format("'{}' is not a number", text_.substr(at_))
                                     : "a number is missing");
    at_ += static_cast<std::size_t>(rest - begin);
    return x;
  }

  char peek(std::size_t ahead) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : ' ';
  }

  // Takes the longest name that is a unit, so that "m/s" is not a division by s.
  double with_unit(double x) {
    if (!wrong_.empty()) return x;
    const std::size_t before = at_;
    skip();
    const Unit* found = nullptr;
    // "4 1/s": a unit that begins with a digit stands apart.
    const bool apart = at_ > before && text_.substr(at_).starts_with("1/");
    if (begins_unit(peek(0)) || apart)
      for (const Unit& unit : units)
        if (text_.substr(at_).starts_with(unit.name) && !begins_unit(peek(unit.name.size())) &&
            (!found || unit.name.size() > found->name.size()))
          found = &unit;
    if (!found) {
      if (!begins_unit(peek(0))) return at_ = before, x;
      return fail(fmt::format("'{}' is no unit that is known here", word()));
    }
    at_ += found->name.size();
    const Unit* wanted = find_unit(wanted_);
    if (found->kind == '%') return wanted_ == "%" ? x : x * found->factor;
    if (found->name == wanted_) return x;
    if (!wanted || wanted->kind != found->kind)
      return fail(wanted_.empty()
                      ? fmt::format("it is a plain number, without {}", found->name)
                      : fmt::format("it is given in {}, not in {}", wanted_, found->name));
    return x * found->factor / wanted->factor;
  }

  std::string word() const {
    std::size_t end = at_;
    while (end < text_.size() && begins_unit(text_[end])) ++end;
    return std::string(text_.substr(at_, end - at_));
  }

  double fail(std::string text) {
    if (wrong_.empty()) wrong_ = std::move(text);
    return 0;
  }

  std::string_view text_, wanted_;
  std::size_t at_ = 0;
  std::string wrong_;
};

}  // namespace

Result<double> parse_quantity(std::string_view text, std::string_view unit) {
  // A comma is a decimal point for many; nothing here takes two numbers.
  std::string plain(text);
  for (char& c : plain)
    if (c == ',') c = '.';
  return Reader(plain, unit).read();
}

std::string number_text(double value) {
  if (value == 0) return "0";
  return fmt::format("{:.6g}", value);
}

}  // namespace sinew::ui
