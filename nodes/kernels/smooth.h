// Smoothing of vertex positions by the umbrella operator.
//
//   Delta p_i = sum_j w_ij (p_j - p_i) / sum_j w_ij            j: neighbours of i
//   laplacian:  p <- p + s_i lambda Delta p                     shrinks
//   taubin:     that, then p <- p + s_i mu Delta p, mu < -lambda < 0: a low-pass filter that hardly
//               shrinks; pass band 1 / lambda + 1 / mu [Taubin95]
// w_ij is 1, or the cotangent weight (cot a + cot b) / 2 of the input's angles opposite of the edge
// [Pinkall93], negative ones taken as 0 so that every step stays a convex combination. s_i in [0,
// 1] is the strength at the vertex.
#pragma once

#include <span>
#include <vector>

#include "nodes/geometry/mesh.h"
#include "nodes/kernels/adjacency.h"

namespace sinew::kernels {

enum class SmoothMethod : uint8_t { laplacian, taubin };
enum class SmoothWeights : uint8_t { uniform, cotangent };

struct SmoothOptions {
  SmoothMethod method = SmoothMethod::laplacian;
  SmoothWeights weights = SmoothWeights::uniform;
  int iterations = 10;       // >= 0; one of taubin is the pair of steps
  float lambda = 0.5f;       // 0 .. 1
  float mu = -0.53f;         // < 0, taubin only
  bool pin_boundary = true;  // vertices on an open edge stay where they are
};

// Who is next to whom, for smoothing a mesh again and again: it follows from the triangles alone.
struct SmoothNeighbours {
  Rows triangles, vertices;       // around each vertex
  std::vector<char> on_boundary;  // by vertex

  std::size_t bytes() const;
};
SmoothNeighbours smooth_neighbours(const Mesh& mesh);

// The smoothed positions. `strength` has one value per vertex, one value for all, or none (1).
// Vertices with no neighbours stay. The sum runs over neighbours in increasing order.
std::vector<Vec3f> smooth_positions(const Mesh& mesh, const SmoothOptions& options,
                                    std::span<const float> strength = {}, CancelView cancel = {});
// The same with the neighbours at hand.
std::vector<Vec3f> smooth_positions(const Mesh& mesh, const SmoothNeighbours& neighbours,
                                    const SmoothOptions& options, std::span<const float> strength,
                                    CancelView cancel = {});

}  // namespace sinew::kernels
