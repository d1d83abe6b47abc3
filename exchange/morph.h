// Shapes over time as a few morph targets: with d_f(v) how far vertex v is from its base at frame
// f,
//   d_f(v) ~ sum_k w_fk T_k(v).
// The targets are the singular vectors of the matrix of all d, strongest first: no other so few
// come nearer in the sum of squares. There are as many as it takes for every vertex at every frame
// to be nearer than a stated distance.
#pragma once

#include <functional>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew::exchange {

struct MorphTargets {
  std::vector<std::vector<Vec3f>> targets;  // by target and vertex
  std::vector<std::vector<float>> weights;  // by frame and target; from 0 to 1
  double error = 0;                         // the farthest that a vertex is off
};

// `offsets`: by frame and vertex; given away, since it may be large. `most`: no more targets than
// that; 0: any number. `stopped` is asked now and then; then what has been found so far comes out.
MorphTargets find_targets(std::vector<std::vector<Vec3f>> offsets, double tolerance,
                          std::size_t most, const std::function<bool()>& stopped);

}  // namespace sinew::exchange
