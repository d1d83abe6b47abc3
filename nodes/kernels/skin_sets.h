// Which bone of a skeleton each vertex of a surface belongs to: the skin sets S_b of [Cuno08], by
// some algorithm, as the paper leaves open.
//
// Each vertex belongs to the bone that is nearest to it through space. That alone would give the
// side of a trunk to an arm that hangs beside it, across the gap; so the surface has a say. The
// seed of a bone is the vertex nearest to it of those that it has. A patch of one bone that does
// not hang together with that bone's seed, in a component of the surface that has seeds, is taken
// from it, and given to the bones around it, from its rim inwards: to the nearest of those through
// space at each step. Components without a seed, such as eyes and buttons, keep what is nearest.
//
// Distances in metres, to the bones as segments. Deterministic, whatever the number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nodes/geometry/mesh.h"
#include "nodes/geometry/skeleton.h"
#include "nodes/geometry/tet_mesh.h"

namespace sinew::kernels {

// A vertex that belongs to none.
inline constexpr uint32_t no_bone = 0xffffffff;

// For each vertex its bone; no_bone for all if there are no bones, and where a vertex is not
// finite. The skeleton must be valid.
std::vector<uint32_t> nearest_bones(std::span<const Vec3f> vertices, const Skeleton& skeleton,
                                    CancelView stop = {});
std::vector<uint32_t> skin_sets(const Mesh& mesh, const Skeleton& skeleton, CancelView stop = {});

// A solid as a surface that leads everywhere in it: its vertices, and the faces of all tetrahedra,
// each once. Sets and ways on it are those through the material.
Mesh all_faces(const TetMesh& solid);

// The place of a bone closest to p, as a part s in [0, 1] of the way from its first joint.
double closest_on_bone(const Skeleton& skeleton, std::size_t bone, const Vec3d& p);

}  // namespace sinew::kernels
