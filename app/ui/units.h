// What a person types into the box of a number: "12 cm", "90 deg", "3*4", "1/3 m + 2 mm".
#pragma once

#include <string>
#include <string_view>

#include "graph/result.h"

namespace sinew::ui {

// The number in the unit that is asked for; a number without a unit is already in it. Arithmetic
// with + - * / ^ and brackets, pi. The error is a sentence about what cannot be understood.
Result<double> parse_quantity(std::string_view text, std::string_view unit);

// As short as it can be without losing what can be seen: 0.25, 1200, 3.1e-7.
std::string number_text(double value);

}  // namespace sinew::ui
