// Names and titles: their order, their endings, and how well typed letters fit them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinew::library {

// "a2" comes before "a10", and capitals count as small letters.
bool natural_less(std::string_view a, std::string_view b);
// Whether the name has one of the endings ("json"), whatever its capitals; none given: yes.
bool has_ending(std::string_view name, const std::vector<std::string>& endings);

// How well letters fit a text: all of them in their order; the more they stand together and at the
// beginnings of words, the higher. Below 0: not at all. Nothing fits everything with 0.
int fuzzy_score(std::string_view letters, std::string_view text);

}  // namespace sinew::library
