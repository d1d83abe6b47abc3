// Three numbers as one vector.
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> x, y, z;
Out<Vec3> out;

void declare(Declaration& d) {
  d.id("value.vec3", 1).label("Vector").category("Value");
  d.doc("Three numbers as one vector, for as many nodes as it is linked to.");
  d.in(x, "x", 0).range(-1e9, 1e9).doc("Along x.");
  d.in(y, "y", 0).range(-1e9, 1e9).doc("Along y.");
  d.in(z, "z", 0).range(-1e9, 1e9).doc("Along z.");
  d.out(out, "value").doc("The vector.");
}

void exec(Exec& e) { e.set(out, Vec3{e.get(x), e.get(y), e.get(z)}); }

}  // namespace
}  // namespace sinew

SINEW_NODE(value_vec3, declare, exec)
