// Which nodes of a rig are joints, and where they are at rest.
//
// Joints are the nodes to which a mesh is bound, and the nodes between them; those of one skin are
// joined through their lowest common ancestor where they have one. In a file without skins, they
// are the nodes that are animated and all below them. At rest they are where the mesh was bound to
// them, not where the file's nodes happen to be, so that they lie inside of the mesh. Files may
// have them posed, or in another space than the mesh; `space` takes where nodes are in the file to
// where the mesh is.
//
// Files have no tails of bones: a hand or a head is a joint and no bone. Some exporters write a
// last node below it, to which nothing is bound; if there is just one, it is a joint, too.
// Otherwise a joint below which nothing is at another place is given an end, "NAME end", if the
// vertices that follow it lie clearly to one side of it: it is twice as far as their mean, but no
// farther than the last of them.
#pragma once

#include <string>
#include <vector>

#include "nodes/geometry/rig.h"
#include "nodes/geometry/rig_motion.h"

namespace sinew {

struct RigJoint {
  std::string name;           // unique, never empty
  uint32_t parent = no_node;  // a joint before it
  Vec3d rest{0, 0, 0};        // in the space of the mesh
  RigPoint point;             // what moves it
  bool bound = false;         // whether vertices follow it
};

struct RigJoints {
  std::vector<RigJoint> list;  // parents first
  Eigen::Affine3d space = Eigen::Affine3d::Identity();
};

// None where there is no skin and no animation. Throws FormatError if there are more than
// most_joints.
RigJoints find_joints(const Rig& rig);

}  // namespace sinew
