// The meshes of a glTF 2.0 file with all that moves their vertices: the nodes on which they hang,
// morph targets, skins, and how the weights of the targets change.
//
// A vertex v of a mesh without a skin is at  F (p_v + sum_k w_k t_kv),  F the frame of its node,
// p_v where it is in the file, t_k the targets and w_k their weights. With a skin, F is a mean of
//   J_j B_j,  J_j the frame of joint j and B_j the inverse of that in which the mesh was bound to
// it, by the shares that v has in the joints; what the node does then does not count.
#pragma once

#include <vector>

#include "nodes/geometry/gltf_rig.h"

namespace sinew {

// What one draws with one call: a list of vertices.
struct GltfPart {
  std::vector<Vec3f> places;                // p
  std::vector<std::vector<Vec3f>> targets;  // t; an empty one moves nothing
  // Shares of the joints of a skin, `joints_each` for each vertex, that sum to 1; or all 0 where a
  // vertex hangs on none.
  std::size_t joints_each = 0;
  std::vector<uint32_t> joints;
  std::vector<float> shares;
};

struct GltfSkin {
  std::vector<uint32_t> joints;          // nodes of the rig
  std::vector<Eigen::Affine3d> inverse;  // B
};

inline constexpr std::size_t no_skin = SIZE_MAX;

// A part that stands somewhere.
struct GltfPlaced {
  uint32_t node = 0;  // of the rig
  std::size_t part = 0;
  std::size_t skin = no_skin;
  std::vector<double> weights;  // of the targets at rest
};

// The weights of all targets of the mesh of one node over time, as RigCurve has parts of frames.
struct GltfWeights {
  uint32_t node = 0;
  RigWay way = RigWay::linear;
  std::vector<double> times;
  std::size_t targets = 0;
  std::vector<double> values;  // `targets` for each time; for cubic curves three times that

  // At a time; `out` has one for each target.
  void at(double seconds, std::vector<double>& out) const;
};

struct GltfShapes {
  std::vector<GltfPart> parts;
  std::vector<GltfSkin> skins;
  std::vector<GltfPlaced> placed;                 // in the order of the vertices of load_mesh
  std::vector<std::vector<GltfWeights>> weights;  // by animation of the file
  std::size_t vertices = 0;                       // of all that is placed
};

// More vertices than that are not read, nor more numbers about them: places of targets, joints.
inline constexpr std::size_t most_clip_vertices = std::size_t{1} << 25;

// Throws FormatError or Stopped.
GltfShapes read_gltf_shapes(GltfFile& file, const GltfNodes& nodes, CancelView cancel);

}  // namespace sinew
