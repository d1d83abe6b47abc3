// Pins of a simulated body: which vertices are held, and where. None lets go or takes hold at once.
//
// A vertex that is let go of is held less and less within the time `blend`, so that flesh finds
// back at about an even pace. As long as a part p of the hold is left, a vertex goes 1 - p of the
// way that flesh asks for; but flesh asks for more where neighbours have gone before, and what is
// weakly held still holds a fine body. So it is the fourth root of p that goes evenly. One that is
// caught is held at once, but where it is: the distance from where it belongs goes from what it is,
// at the speed that it has, to nothing, as a cubic in that time.
#pragma once

#include <span>
#include <vector>

#include "nodes/kernels/soft_body.h"
#include "nodes/node.h"

namespace sinew {

// A vertex that is held at the end of a frame.
struct Pinned {
  uint32_t vertex = 0;
  float part = 1;
  float caught = 0, within = 0;         // s: how long ago, and how long it takes
  Vec3f from{0, 0, 0}, speed{0, 0, 0};  // off its place when it was caught, m and m/s
  Vec3f off(double ago) const;          // m, so long after it was caught
};

struct PinRoom {
  std::vector<kernels::Pin> pins;
  std::vector<Pinned> held;  // by pin, at the end of the frame
  std::vector<float> parts;  // by pin, before the frame
};

// Where vertices of the solid would be held, before a frame and after it.
struct PinPlaces {
  std::span<const Vec3f> before, now;
};

struct SoftPins {
  In<Field> field;
  In<TetMesh> follow;
  In<float> blend;

  void declare(Declaration& d);
  // Whether what is given is for a solid of so many vertices; an error if not.
  bool fits(Exec& e, std::size_t vertices) const;
  // At the start all hold.
  void begin(const Exec& e, std::size_t vertices, std::vector<Pinned>& held) const;
  // Goes on by a frame.
  void step(const Exec& e, const PinPlaces& places, const kernels::SoftState& body,
            std::vector<Pinned>& held, PinRoom& room) const;
  // For a step that ends after a part of the frame.
  static void read(double dt, double part, PinRoom& room);

 private:
  bool holds(const Exec& e) const;
};

}  // namespace sinew
