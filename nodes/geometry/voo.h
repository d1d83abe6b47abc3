// A vector offset operator (VOO): a pin in the body, which takes the body along when it is moved
// [Hurmusiadis, chapter 5]. Plain data: where the pin rests, how the body answers, and how far its
// field of influence reaches. Where the pin is at a moment is another pose; what that does to
// vertices is in nodes/kernels/voo_frame.h, voo_field.h and voo_deform.h.
//
//   V = tip - head                      the vector at rest; u, v, w its frame, u along V
//   e = |V(t)| / |V| - 1                strain                                     eq. 5.24
//   damp = 1 - gamma dampf(delta + lambda)^omega                                   eq. 5.46
//   r' = r + T + damp (F - I) (r - head),   T = head(t) - head                     eqs. 5.47-5.49
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nodes/geometry/chart.h"
#include "nodes/geometry/types.h"

namespace sinew {

// Where the pin is. The twist turns it about itself.
struct VooPose {
  Vec3d head{0, 0, 0};  // m
  Vec3d tip{0, 1, 0};   // m
  double twist = 0;     // radians about u, counter-clockwise seen from beyond the tip

  Vec3d vector() const { return tip - head; }
  bool operator==(const VooPose&) const = default;
};

// How the space about the pin answers to it; the limits are those of validate().
struct VooCoefficients {
  double elongation = 1;          // eps, -1e3 .. 1e3: of the strain e, how much the body takes
  double volume = 1;              // a, 1e-3 .. 1e3: the volume becomes a^2 times as large
  double cross_section = 1;       // b, 1e-3 .. 1e3: v grows by b, w shrinks by b
  double flexibility = 1;         // gamma, -1e3 .. 1e3: 0 is rigid, 1 as the chart says
  double locality = 0;            // lambda, -1e3 .. 1e3: shifts the chart towards the pin
  double weight = 1;              // omega, 1e-3 .. 1e3: power of the chart
  double torsion = 1;             // -1e3 .. 1e3: of the twist, how much the body takes
  std::array<double, 2> shear{};  // -1e3 .. 1e3: how far planes across the axis slide along v and
                                  // w, for each metre along the axis; not in the thesis

  bool operator==(const VooCoefficients&) const = default;
};

// Where the strain is centred: at an end of the pin, at both, or along all of it.
enum class VooCentre : uint8_t { head, tip, both, length };

// What happens to vertices with delta > 1: they stay (section 5.5.4), or they count as at the edge,
// so that nothing tears where the damping has not come to 1 there.
enum class VooBeyond : uint8_t { still, as_edge };

// An ellipsoid along the pin's frame at rest; delta is 0 at its centre and 1 on its surface.
struct VooField {
  VooCentre centre = VooCentre::tip;
  std::array<double, 3> radii = {0.5, 0.5, 1};  // A along v, B along w, C along u; m
  double cap = 1;  // kappa, 1e-6 .. 1e6: beyond the end the radius along u is kappa C
  VooBeyond beyond = VooBeyond::still;

  bool operator==(const VooField&) const = default;
};

struct Voo {
  std::string name;
  VooPose rest;
  VooCoefficients coefficients;
  VooField field;
  // dampf over delta in [0, 1]: 0 goes along, 1 stays. Values below 0 count as 0.
  Chart damping{.points = {{0, 0}, {1, 1}}, .interpolation = Interpolation::linear};
  double blend = 1;  // 0 .. 1e6: how much it counts among others where they are blended

  bool operator==(const Voo&) const = default;
};

// Shorter or narrower, longer or wider than this, and nothing that follows has its digits.
inline constexpr double least_voo_length = 1e-12, greatest_voo_length = 1e12;

// The first thing that is wrong, or nothing: a pin without length, a radius of 0, a number that is
// not finite, a coefficient beyond its limits, a chart that is none.
std::optional<std::string> validate(const Voo& voo);
// Of a pose at a moment, where the head may be on the tip.
std::optional<std::string> validate(const VooPose& pose);

std::size_t byte_size(const Voo& voo);

template <class Hash>
void visit_content(const Voo& voo, Hash&& hash) {
  const VooCoefficients& c = voo.coefficients;
  const std::array<uint64_t, 3> head = {voo.name.size(), static_cast<uint64_t>(voo.field.centre),
                                        static_cast<uint64_t>(voo.field.beyond)};
  const VooPose& p = voo.rest;
  const std::array<double, 7> pose = {p.head.x(), p.head.y(), p.head.z(), p.tip.x(),
                                      p.tip.y(),  p.tip.z(),  p.twist};
  const std::array<double, 9> numbers = {c.elongation,  c.volume,   c.cross_section,
                                         c.flexibility, c.locality, c.weight,
                                         c.torsion,     c.shear[0], c.shear[1]};
  const std::array<double, 5> field = {voo.field.radii[0], voo.field.radii[1], voo.field.radii[2],
                                       voo.field.cap, voo.blend};
  hash(bytes_of(head));
  hash(bytes_of(voo.name));
  hash(bytes_of(pose));
  hash(bytes_of(numbers));
  hash(bytes_of(field));
  visit_content(voo.damping, hash);
}

}  // namespace sinew
