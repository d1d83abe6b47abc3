// A surface carried by a skeleton whose joints are found by moving least squares [Cuno08, section
// 3 and figure 2]. Bones need not stay rigid: each place of a bone has a rigid map of its own,
// between those of its two joints.
//
//   c = (1 - s) a + s b           the place of a bone closest to the vertex v at rest, s in [0, 1]
//   c' = (1 - s) a' + s b'        where its joints have it
//   R_c                           the rotation part of (1 - s) R_a + s R_b
//   v' = sum rho [R_c (v - c) + c'] / sum rho        over the bones
//   rho(b, v) = h(g(v, S_b))      g the way along the surface from the bone's skin set S_b, metres
//   h(d) = (1 - (d/r)^2)^2        for d < r, else 0
//
// What the paper prints, sum rho T(c) / sum rho, would collapse the skin onto the bones; T(c) is
// therefore applied to v. Its h(d) = (1 - d/r)^2 has a corner at d = 0, at the edge of each set; it
// is there as an option. Where no bone reaches (sum rho = 0) the nearest one through space counts.
//
// R_c has a closed form: with R_a^T R_b a turn by theta about n, it is R_a times the turn about n
// by arg((1 - s) + s e^(i theta)). Unlike a turn by s theta it does not jump when theta passes half
// a turn, except in the very middle of the bone.
//
// What follows from the rest is prepared: sets, ways by marching (mesh_march.h), shares, s and
// d = v - c. Vertices are put in an order in which those of the same bones are neighbours, so that
// a tile of 16 has few bones; a pose is v' = v + sum share [(R_c - I) d + c' - c] for each, in
// lanes. About 20 bytes a vertex and bone. Same bits for any number of threads; nothing moves, to
// the bit, where no joint does.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "nodes/geometry/mesh.h"
#include "nodes/geometry/skeleton.h"
#include "nodes/kernels/mls_joints.h"
#include "nodes/kernels/skin_sets.h"

namespace sinew::kernels {

enum class SkinFalloff : uint8_t {
  smooth,   // (1 - (d/r)^2)^2
  printed,  // (1 - d/r)^2
};
// h(d) for d >= 0, both in metres. With r = 0 only d = 0 counts.
double skin_falloff(double distance, double radius, SkinFalloff falloff);

struct MlsSkinOptions {
  double radius = 0.07;  // r, in diagonals of the bounding box at rest; 0 .. 10
  SkinFalloff falloff = SkinFalloff::smooth;
};

struct MlsSkin {
  std::size_t vertex_count = 0;
  std::vector<std::array<uint32_t, 2>> bones;  // their joints
  std::vector<Vec3d> joints;                   // at rest
  // By tiles of 16 vertices; see MlsSkinView in mls_lanes.h.
  std::vector<uint32_t> order;  // the vertex of each place in the tiles; no_vertex at the end
  std::vector<uint32_t> first, bone;
  std::vector<float> shares, rest;

  static constexpr uint32_t no_vertex = 0xffffffff;
  bool operator==(const MlsSkin&) const = default;
};

// The bones of one vertex with their shares, which sum to 1, in the order of the bones.
struct SkinShare {
  uint32_t bone = 0;
  float share = 0;
  bool operator==(const SkinShare&) const = default;
};
std::vector<SkinShare> shares_of(const MlsSkin& skin, std::size_t vertex);
// The share of one bone for each vertex of the body: what the editor tints.
std::vector<float> shares_of_bone(const MlsSkin& skin, uint32_t bone);

// `sets`: for each vertex its bone, or no_bone; skin_sets(mesh, skeleton), or painted. Throws
// std::invalid_argument with what is wrong of the skeleton, the sizes, a bone that is not there, or
// the radius. Vertices that are not finite stay as they are. In parallel over bones.
MlsSkin prepare_skin(const Mesh& mesh, const Skeleton& skeleton, std::span<const uint32_t> sets,
                     const MlsSkinOptions& options = {}, CancelView stop = {});

// moved[v] = v' with the joints at `posed`: pose_joints() of mls_joints.h, one for each joint.
void pose_skin(const MlsSkin& skin, std::span<const JointPose> posed, std::span<Vec3f> moved);

std::size_t byte_size(const MlsSkin& skin);

}  // namespace sinew::kernels
