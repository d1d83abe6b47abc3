// The numbers of a vector.
#include <cmath>

#include "nodes/node.h"

namespace sinew {
namespace {

In<Vec3> vector;
Out<float> x, y, z, length;

void declare(Declaration& d) {
  d.id("value.split", 1).label("Split Vector").category("Value");
  d.doc("The three numbers of a vector, and its length: where a body is along an axis.");
  d.in(vector, "vector", Vec3{}).range(-1e9, 1e9).doc("What to take apart.");
  d.out(x, "x").doc("Along x.");
  d.out(y, "y").doc("Along y.");
  d.out(z, "z").doc("Along z.");
  d.out(length, "length").doc("Of the whole, never negative.");
}

void exec(Exec& e) {
  const Vec3 v = e.get(vector);
  e.set(x, v.x);
  e.set(y, v.y);
  e.set(z, v.z);
  e.set(length, to_float(std::hypot(double{v.x}, double{v.y}, double{v.z})));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(value_split, declare, exec)
