// A parameter that changes over time, as the document writes it: {"animate": chart} with a key at
// each point of the chart, or a list of charts and numbers for what has several components. Here
// are the changes that a person makes to one without looking at the chart.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "graph/json.h"

namespace sinew::library {

// A moment, as charts over frames and charts over seconds name it.
struct Moment {
  double frame = 0;
  double fps = 25;
};

// Numbers that follow charts; and values that were recorded, each from its frame on.
bool is_animated(const Json* value);
bool is_recorded(const Json* value);
// How many values were recorded.
std::size_t recorded_count(const Json& value);

// A value that begins to change over time: one key, now. Stepped: it holds until the next one.
Json animated(std::span<const double> numbers, double frame, bool stepped = false);
// A key of one component here and now: moved if there is one, else put in between.
Json with_key(const Json& value, std::size_t component, double number, Moment now);
// Without the keys of this moment; the last key of a chart stays.
Json without_key(const Json& value, Moment now);
// The frames that have a key of any component, increasing. Of a chart that repeats, those of the
// cycle that the moment is in.
std::vector<double> key_frames(const Json& value, Moment now);
bool has_key(const Json& value, Moment now);
std::optional<double> key_before(const Json& value, Moment now);
std::optional<double> key_after(const Json& value, Moment now);

}  // namespace sinew::library
