// What a field has in a few numbers, for what shall depend on all of it: the cost of a search.
#include <cmath>

#include "nodes/node.h"

namespace sinew {
namespace {

In<Field> field;
Out<float> mean, least, greatest, deviation;

void declare(Declaration& d) {
  d.id("field.summary", 1).label("Field in Numbers").category("Field");
  d.doc(
      "The mean of a field, its least and greatest value, and how much it differs from the mean.");
  d.in(field, "field", Field::constant(0)).range(-1e9, 1e9).doc("What to sum up.");
  d.out(mean, "mean").doc("Of all its values, each counted once.");
  d.out(least, "least").doc("The smallest value.");
  d.out(greatest, "greatest").doc("The largest value.");
  d.out(deviation, "deviation").doc("Root mean square distance from the mean.");
}

void exec(Exec& e) {
  const Field& values = e.get(field);
  const std::size_t count = values.is_constant() ? 1 : values.size();
  if (count == 0) return e.error("the field has no values");
  double sum = 0, squares = 0;
  float low = values.at(0), high = values.at(0);
  for (std::size_t i = 0; i < count; ++i) {
    const float v = values.at(i);
    sum += v;
    low = std::min(low, v);
    high = std::max(high, v);
  }
  const double middle = sum / static_cast<double>(count);
  for (std::size_t i = 0; i < count; ++i)
    squares += (values.at(i) - middle) * (values.at(i) - middle);
  e.set(mean, to_float(middle));
  e.set(least, low);
  e.set(greatest, high);
  e.set(deviation, to_float(std::sqrt(squares / static_cast<double>(count))));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(field_summary, declare, exec)
