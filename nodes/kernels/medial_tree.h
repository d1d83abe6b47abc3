// Middle lines of a body as one tree of chains, inside of it all along: what a skeleton's joints
// are then put on (skeleton_extract.h).
//
// Lines that run through the middle are shortest ways where a step costs more the nearer it is to
// the surface (TEASAR [Sato00]), here
//   cost of a step ds at depth D: ds / D^3,
// which has no scale of its own: a way is drawn to the middle of a thin limb as it is to that of
// the trunk. Each limb's way leads from its tip to the nearest line that is there.
//
// Where TEASAR takes the place farthest from what balls about the lines cover, whose radius has to
// be tuned for each body, the tips of limbs are found first, by how much they stick out. Let d be
// the distance through the inside from a middle place, the root. A tip is a maximum of d; what it
// sticks out by is how far d falls on the way to a higher one (its persistence [Edelsbrunner02]).
// The corners of a bar, lappets and folds stick out by little, limbs by nearly their length,
// however thick they are and whatever else is near.
//
// A line ends in the middle of its limb's last piece, not at a corner of it; the last piece of the
// line is then laid anew along the limb, nearly to the surface. What a tip does not do justice to:
//   - a disc, such as the foot of a glass: the middle of its rim is the end;
//   - a shell, such as a bell: as long as some place is farther from all lines than a share of the
//     body's size, beyond the balls about them, a line leads there (a rib);
//   - a ring, such as a handle: its tip is the far side, to which one way leads. That line is then
//     led on down the other side, and the ring stays open where it would close.
//
// Ways run downhill on the times of a wave (fast marching), not along shortest paths of steps,
// which would turn at random wherever costs are equal, as in a table's top.
//
// Forks that lie within each other's reach become one, so that a pair of arms leaves the trunk at
// one place. Then all is drawn to the middle: each place of a line towards the centre of the slice
// of the body that is nearest to it, which holds in blades, too, where depths say little, and in
// line with its neighbours, as stiffly as the limb is wide. Balls about neighbours always overlap,
// so that no line leaves the body on its way. Deterministic; lengths in metres.
#pragma once

#include <span>
#include <vector>

#include "nodes/kernels/inside_cells.h"

namespace sinew::kernels {

struct MedialSample {
  Vec3d place{0, 0, 0};
  double radius = 0;  // to the surface
  double width = 0;   // how far the slice about it reaches: the radius, if it is round
  uint32_t cell = InsideCells::none;
  double beyond = -1;  // of the end of a limb: how far its tip is; else negative
};

// From node to node; the samples of both are its first and last.
struct MedialChain {
  uint32_t from = 0, to = 0;
  std::vector<MedialSample> samples;
};

struct MedialTree {
  std::vector<MedialSample> nodes;  // forks and ends
  std::vector<MedialChain> chains;  // at least one
  double extent = 0;                // the longest way through the body: its size
  int rings_cut = 0;                // limbs that are rings
  int ribs = 0;                     // lines in shells
  bool ball = false;                // nothing sticks out
};

// `detail`: how far a limb must stick out to count, as a share of the extent. The cells must not be
// empty.
MedialTree medial_tree(const BodySurface& surface, const InsideCells& cells, double detail,
                       CancelView stop = {});

// The second part, on its own: forks merged, limbs dropped that stick out less than `shortest`,
// lines centred.
void shape_lines(MedialTree& tree, const BodySurface& surface, const InsideCells& cells,
                 double shortest, CancelView stop = {});

double chain_length(const MedialChain& chain);
// Whether the straight way from the first to the last of some samples of a chain stays at least as
// deep all along as a share of the depth of the samples beside it.
bool runs_deep(const BodySurface& surface, std::span<const MedialSample> samples, double share);

}  // namespace sinew::kernels
