// How smooth a motion through frames is, and how far it swings past its keys [Adams10, eq. 21 and
// section 6.3].
//
// Of all motions through given frames, the smoothest has an acceleration f'' that does not jump at
// them, and none beside gravity at its free ends. A spline whose slope at a frame is wrong by s has
// a jump of J = 4 (1/h- + 1/h+) s there, or of 4 s / h at an end, and is up to 4/27 h |s| beside
// the smoothest one in a gap of h. So the jumps tell how far it is, and which gaps need a frame.
// What is continuous anyhow, the acceleration towards the axis of a turn, is left out: a uniform
// turn needs no frame.
//
// The smoothest motion swings far past its keys where a quick gap is next to a long one: it comes
// fast, and turning back takes its time. With s- and s+ the speeds of the gaps beside a key, each a
// field over the body, its velocity v is limited to
//   v . s- >= 0,  v . s+ >= 0,  |v| <= 3 min(|s-|, |s+|)
// which keeps a cubic between its ends (Fritsch and Carlson, 1980). Products are sums over the
// masses.
#pragma once

#include <span>
#include <vector>

#include "nodes/geometry/meshless_keys.h"
#include "nodes/geometry/meshless_motion.h"

namespace sinew::kernels {

// For each gap between two frames: how far the spline is beside the smoothest motion through them,
// in sizes of the body.
std::vector<double> smooth_misses(const BodyMotion& motion, const Vec3d& gravity);

// Tells whole keys between others their velocities where they would be swung past: of what the
// spline has beyond the limit they keep the part `overshoot`, from 0 to below 1.
void limit_overshoot(KeyedBody& body, double overshoot);

// A body's keys as a motion, those without places left out.
BodyMotion keys_as_motion(const KeyedBody& body);

}  // namespace sinew::kernels
