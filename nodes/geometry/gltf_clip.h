// An animation of a glTF 2.0 file as what it does to the vertices: where each of them is, moment
// after moment, in the order and the space of load_mesh. So a clip can be used wherever a point
// cache can (point_cache.h).
//
// All three ways in which a glTF moves vertices are followed: nodes, skins and morph targets, with
// keys that are joined by straight lines, steps or cubic splines. Vertices that load_mesh joins at
// rest move as the first of them.
//
// Samples are at all keys; where vertices go another way than straight between two keys, also at
// every frame of whoever asks, and so often that nothing turns by more than `coarsest_turn` from
// sample to sample. A clip begins at its first key, as those of skeletons do.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew {

inline constexpr double coarsest_turn = 0.1;  // radians: arcs are off by 1/800 of a radius
// Of all samples together: 800 MB. Clips get fewer samples where there would be more.
inline constexpr std::size_t most_vertex_places = std::size_t{1} << 26;

struct VertexClip {
  std::string name;
  std::size_t points = 0;
  std::vector<double> times;  // s, increasing, first 0
  std::vector<Vec3f> places;  // of vertex v in sample k: entry points * k + v
};

struct VertexClipOptions {
  std::string name;         // of the clip, or its number from 1; empty: the first
  double frame = 1.0 / 25;  // s, from frame to frame
  // Of the mesh that it is for: as load_mesh gives it, with vertices joined or not.
  std::size_t vertices = 0;
};

// Throws FileError or Stopped.
VertexClip load_vertex_clip(const std::filesystem::path& path, const VertexClipOptions& options,
                            CancelView cancel = {});

// In lower case, without the dot.
std::vector<std::string> vertex_clip_endings();

}  // namespace sinew
