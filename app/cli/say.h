// The one way in which the command line speaks. What is put into a sentence, such as a title that a
// file gives itself, is one line without control characters there: no file speaks to a terminal.
// tests/app/house_test.cpp sees to it that nothing else in app/ prints.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

#include "graph/plain_text.h"

namespace sinew::cli {

// Where nothing can be written, such as on a full disk, that is no reason to end: whoever has
// results on standard output looks at its state when all is done.
inline void write_to(std::FILE* where, const std::string& text) {
  (void)std::fwrite(text.data(), 1, text.size(), where);
}

template <class T>
auto shown(const T& part) {
  if constexpr (std::is_convertible_v<const T&, std::string_view>)
    return plain_line(std::string_view(part));
  else
    return part;
}

template <class... Parts>
void say_to(std::FILE* where, fmt::format_string<const Parts&...> words, const Parts&... parts) {
  const auto format = [&](const auto&... clean) {
    return fmt::vformat(words, fmt::make_format_args(clean...));
  };
  write_to(where, format(shown(parts)...));
}

template <class... Parts>
void say(fmt::format_string<const Parts&...> words, const Parts&... parts) {
  say_to(stdout, words, parts...);
}

// Several lines as they are, such as a report.
inline void say_lines(std::string_view text) { write_to(stdout, plain_lines(text)); }

}  // namespace sinew::cli
