// Motions of meshless bodies as plain immutable data: poses at uneven times, between which
// nodes/kernels/meshless_spline.h interpolates [Adams10, section 6].
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nodes/geometry/meshless_body.h"

namespace sinew {

// One pose of one body at a time.
struct MotionFrame {
  double time = 0;                       // s
  NodePlaces places;                     // m
  bool breaks = false;                   // no smoothness through it: a bounce
  std::optional<NodePlaces> velocities;  // m/s, where they are told
  bool is_key = false;                   // the artist's, else found
};

struct BodyMotion {
  std::shared_ptr<const MeshlessBody> body;
  std::vector<MotionFrame> frames;  // times increase; at least one
};

// How the energy goes over time, after a round of the search for a motion.
struct EnergyCurve {
  std::size_t frames = 0;                         // how many there were
  std::vector<std::pair<double, double>> points;  // s, no unit
};

// Several bodies that move together.
struct Motion {
  std::vector<BodyMotion> bodies;
  std::vector<EnergyCurve> rounds;  // how it was found; empty: it was not
  double depth = 0;                 // the deepest that anything goes into anything else, m
  double depth_time = 0;            // when, s
  double size = 1;                  // of the largest body, m

  double first_time() const;
  double last_time() const;
};

std::size_t byte_size(const Motion& motion);
std::optional<std::string> validate(const Motion& motion);

}  // namespace sinew
