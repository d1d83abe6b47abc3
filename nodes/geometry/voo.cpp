#include "nodes/geometry/voo.h"

#include <fmt/format.h>

#include <cmath>

namespace sinew {

namespace {

using Problem = std::optional<std::string>;

Problem out_of_range(const char* name, double value, double low, double high) {
  if (value >= low && value <= high) return std::nullopt;
  return fmt::format("the {} must be from {} to {}, but is {}", name, low, high, value);
}

Problem wrong_place(const char* name, const Vec3d& place) {
  if (place.allFinite() && place.cwiseAbs().maxCoeff() <= greatest_voo_length) return std::nullopt;
  return fmt::format("the {} must be a place within {} m, but is {}, {}, {}", name,
                     greatest_voo_length, place.x(), place.y(), place.z());
}

Problem wrong_coefficients(const VooCoefficients& c) {
  struct Limit {
    const char* name;
    double value, low;
  };
  for (const Limit& l :
       {Limit{"elongation", c.elongation, -1e3}, Limit{"volume", c.volume, 1e-3},
        Limit{"cross-section", c.cross_section, 1e-3}, Limit{"flexibility", c.flexibility, -1e3},
        Limit{"locality", c.locality, -1e3}, Limit{"weight", c.weight, 1e-3},
        Limit{"torsion", c.torsion, -1e3}, Limit{"shear along v", c.shear[0], -1e3},
        Limit{"shear along w", c.shear[1], -1e3}}) {
    if (auto wrong = out_of_range(l.name, l.value, l.low, 1e3)) return wrong;
  }
  return std::nullopt;
}

Problem wrong_field(const VooField& field) {
  for (std::size_t k = 0; k < 3; ++k) {
    const char* const names[] = {"A, across", "B, across", "C, along"};
    const double radius = field.radii[k];
    if (!(radius >= least_voo_length && radius <= greatest_voo_length)) {
      return fmt::format("the radius {} of the field must be above 0, but is {}", names[k], radius);
    }
  }
  return out_of_range("cap", field.cap, 1e-6, 1e6);
}

}  // namespace

std::optional<std::string> validate(const VooPose& pose) {
  if (auto wrong = wrong_place("head", pose.head)) return wrong;
  if (auto wrong = wrong_place("tip", pose.tip)) return wrong;
  return out_of_range("twist", pose.twist, -1e6, 1e6);
}

std::optional<std::string> validate(const Voo& voo) {
  if (auto wrong = validate(voo.rest)) return wrong;
  if (!(voo.rest.vector().stableNorm() >= least_voo_length)) {
    return "the head and the tip at rest are at the same place";
  }
  if (auto wrong = wrong_coefficients(voo.coefficients)) return wrong;
  if (auto wrong = wrong_field(voo.field)) return wrong;
  if (auto wrong = out_of_range("blend weight", voo.blend, 0, 1e6)) return wrong;
  if (auto wrong = validate(voo.damping)) return fmt::format("the damping chart: {}", *wrong);
  return std::nullopt;
}

std::size_t byte_size(const Voo& voo) {
  return sizeof voo - sizeof voo.damping + voo.name.capacity() + byte_size(voo.damping);
}

}  // namespace sinew
