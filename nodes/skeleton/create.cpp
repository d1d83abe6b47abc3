// A skeleton made by hand. [Cuno08, section 3]
#include "nodes/node.h"

namespace sinew {
namespace {

In<Skeleton> joints;
Out<Skeleton> out;

Skeleton standard_joints() {
  return {{{"root", {0, 0, 0}}, {"middle", {0, 0.5, 0}}, {"tip", {0, 1, 0}}},
          {{"middle", {0, 1}}, {"tip", {1, 2}}}};
}

void declare(Declaration& d) {
  d.id("skeleton.create", 1).label("Skeleton").category("Skeleton");
  d.doc(
      "Joints in a body at rest, and the bones between them. Bones need not stay rigid, and there "
      "is no inverse kinematics: joints are places that are moved.");
  d.in(joints, "joints", standard_joints())
      .doc(
          "The joints: [{\"name\": \"hip\", \"at\": [x, y, z]}, {\"name\": \"knee\", \"at\": [x, "
          "y, z], \"on\": \"hip\"}, ...]; each may hang on another. In the viewport they are "
          "dragged, and with Ctrl a new one is drawn out.");
  d.handle(HandleKind::points, "joints").items(joints);
  d.out(out, "skeleton").doc("The skeleton.");
}

void exec(Exec& e) { e.forward(out, joints); }

}  // namespace
}  // namespace sinew

SINEW_NODE(skeleton_create, declare, exec)
