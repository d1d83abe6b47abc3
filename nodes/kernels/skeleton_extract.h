// Finds a skeleton in a body: one tree of bones that run down the middle of its trunk and limbs and
// nowhere leave it, with joints where limbs branch off, bend and end. A start for skinning
// (mls_skin.h), to be moved and mended by hand.
//
// The inside is cut into cells (inside_cells.h), middle lines are found in them (medial_tree.h),
// and joints are put on the lines: at forks and ends; between them where a straight bone would be
// off the line by more than `straightness` of the half width there, at the place that is off most
// [Douglas73] or where it would come too close to the surface; and where a bone would be too long.
// Whether a bone is inside is told by its distance to the triangles themselves, all along it, not
// by cells.
//
// Inside means inside of the material: in a bell or a glass bones run in the wall. All lengths are
// relative to the body's, whose size is the longest way through its inside, so that the same shape
// has the same skeleton at every scale; the cells' size comes from the volume, so that it hardly
// matters how the body is turned. The result does not depend on the number of threads.
#pragma once

#include <string>
#include <vector>

#include "nodes/geometry/mesh.h"
#include "nodes/geometry/skeleton.h"

namespace sinew::kernels {

// The first two are shares of the body's size.
struct ExtractOptions {
  double detail = 0.04;       // how far a limb must stick out, 0.005 .. 0.5
  double bone_length = 0.25;  // of the longest bone, 0.01 .. 1
  double straightness = 0.4;  // how far a bone may be off the middle, in half widths, 0.05 .. 2
  int resolution = 50;        // cells along a cube of the body's volume, 8 .. 120
};

struct ExtractedSkeleton {
  Skeleton skeleton;                 // one tree, at least one bone; joint 0 is the root
  std::vector<std::string> remarks;  // sentences that the artist should know
};

// Joints are called "root"; "limb 1", "limb 2.1" and so on with "joint 1", "fork" or "end"; bones
// as their limbs with "bone 1". Limbs at one fork are numbered from the one that reaches farthest.
//
// Throws std::invalid_argument with one sentence that says what is wrong: no triangles, a place
// that is not finite, no inside, parts that do not touch each other, or walls too thin for the
// cells.
ExtractedSkeleton extract_skeleton(const Mesh& mesh, const ExtractOptions& options = {},
                                   CancelView stop = {});

}  // namespace sinew::kernels
