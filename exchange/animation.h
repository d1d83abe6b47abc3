// What leaves for other tools, frame by frame, as plain data: bodies with their values, and
// skeletons. It is made from what would be drawn, so that what goes out is what is seen.
//
// Lengths are in the unit of the file and axes are the file's once a scene has been made
// (space.h); times are seconds.
#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exchange/space.h"
#include "nodes/geometry/mesh.h"
#include "render/draw_list.h"

namespace sinew::exchange {

// Numbers that a body carries, one for each vertex or each triangle, and the colours that they are
// seen in.
struct Values {
  std::string name;  // "layers": letters, digits and underscores
  std::string unit;  // "m"; empty: a plain number
  bool per_triangle = false;
  std::vector<float> numbers;
  std::vector<Eigen::Vector3f> colours;  // sRGB, 0 to 1
};

struct Body {
  std::string name;  // letters, digits and underscores, unique in its scene
  Mesh mesh;
  Eigen::Vector3f colour{1, 1, 1};  // sRGB; where there are no values
  std::optional<Values> values;
};

struct Joint {
  std::string name;  // unique in its skeleton
  int parent = -1;   // of a smaller number; -1: none
  Vec3d rest{0, 0, 0};
};

struct Rig {
  std::string name;
  std::vector<Joint> joints;
  std::vector<Vec3d> places;  // of the joints, now
};

struct Scene {
  int frame = 0;       // of the document, or of the file where it has its own pace
  double seconds = 0;  // since frame 0
  std::vector<Body> bodies;
  std::vector<Rig> rigs;
};

// The bodies and skeletons of a list. Veils, signs and words do not leave. Each mesh is copied
// once.
Scene scene_of(const draw::DrawList& list, const Space& space);

// One for each vertex: those of triangles as means; a body without values has its colour there, and
// no numbers.
Values values_at_vertices(const Body& body);

// All bodies as one mesh, vertices and triangles in their order; for files that hold one only.
// Colours of all if any has values, numbers only if all have the same ones.
Body merged(const Scene& scene);

}  // namespace sinew::exchange
