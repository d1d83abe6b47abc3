// What a file says of a skeleton, before it is one of ours: nodes inside of one another, frames in
// which meshes were bound to some of them, and curves that move them. The readers (gltf_rig.h,
// reader/assimp_rig.h) fill this in; rig_joints.h makes the skeleton of it, rig_motion.h the clips.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew {

inline constexpr uint32_t no_node = UINT32_MAX;

// A frame taken apart: first scaled, then turned, then moved.
struct RigParts {
  Vec3d translation{0, 0, 0};
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  Vec3d scale{1, 1, 1};

  static RigParts of(const Eigen::Affine3d& frame);  // shear is lost
  Eigen::Affine3d frame() const;
};

struct RigNode {
  std::string name;                                    // may be empty, and that of others, too
  uint32_t parent = no_node;                           // a number below its own
  Eigen::Affine3d rest = Eigen::Affine3d::Identity();  // in the frame of its parent
  RigParts parts;  // the same, for curves that replace one of them
  // Whether a reader has made it: the root of a scene, a pivot. It is never a joint by itself.
  bool made = false;
  bool has_mesh = false;
};

enum class RigPart : uint8_t { translation, rotation, scale };
enum class RigWay : uint8_t { linear, step, cubic };  // from key to key

// One part of a node's frame over time. Before the first key and after the last it stays.
struct RigCurve {
  uint32_t node = 0;
  RigPart part = RigPart::translation;
  RigWay way = RigWay::linear;
  std::vector<double> times;  // s, increasing, at least one
  // One for each time; for cubic curves three, of which the first and the last are slopes. A
  // rotation is a quaternion, x y z w; of the others the last number is 0.
  std::vector<Eigen::Vector4d> values;
};

struct RigMotion {
  std::string name;
  std::vector<RigCurve> curves;
};

// A node to which a mesh was bound.
struct RigBind {
  uint32_t node = 0;
  uint32_t skin = 0;  // joints of one skin hang together
  // Where the node was then, in the space of the mesh as it is loaded; some files do not say.
  std::optional<Eigen::Affine3d> frame;
};

// A vertex that follows one node more than all others together.
struct RigHold {
  uint32_t node = 0;
  Vec3f place{0, 0, 0};  // in the space of the mesh as it is loaded
  float weight = 0;      // above a half
};

struct Rig {
  std::vector<RigNode> nodes;  // parents first
  std::vector<RigBind> binds;
  std::vector<RigHold> holds;
  std::vector<RigMotion> motions;
};

// The frame of a node in which a mesh that stands in `mesh` was bound with a matrix, which takes
// the mesh's vertices to the node. Nothing if that cannot be inverted; not finite if the matrix is
// not.
std::optional<Eigen::Affine3d> bind_frame(const Eigen::Affine3d& mesh,
                                          const Eigen::Affine3d& matrix);

// The frames of all nodes at rest, in the space of the file.
std::vector<Eigen::Affine3d> rest_frames(const Rig& rig);

// A name as it can be shown and written down: no control characters, UTF-8, of a sensible length.
std::string tidy_name(std::string_view name);
// Gives each name that stands before it in the list a number ("arm", "arm 2"), and each empty one
// `word` and a number.
void make_names_unique(std::vector<std::string>& names, const std::string& word);

// Throws FormatError if a number is not finite or a node, curve or bind refers to nothing; makes
// times increase where two are the same, and quaternions of length 1.
void check_rig(Rig& rig);

}  // namespace sinew
