#include "nodes/geometry/modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace sinew {

bool ModeLattice::operator==(const ModeLattice& other) const {
  return (rest == other.rest || *rest == *other.rest) && modes == other.modes;
}

std::size_t Modes::count() const {
  std::size_t sum = 0;
  for (const ModeLattice& lattice : lattices) sum += lattice.modes.size();
  return sum;
}

std::vector<const DeformMode*> Modes::all() const {
  std::vector<const DeformMode*> list;
  list.reserve(count());
  for (const ModeLattice& lattice : lattices) {
    for (const DeformMode& mode : lattice.modes) list.push_back(&mode);
  }
  return list;
}

int Modes::find(const std::string& name) const {
  const std::vector<const DeformMode*> list = all();
  const auto it =
      std::find_if(list.begin(), list.end(), [&](const DeformMode* m) { return m->name == name; });
  return it == list.end() ? -1 : static_cast<int>(it - list.begin());
}

namespace {

std::optional<std::string> flaw_of(const DeformMode& mode, std::size_t points) {
  if (mode.name.empty()) return "a mode has no name";
  if (mode.delta.size() != points) {
    return fmt::format("mode '{}' moves {} points, but its lattice has {}", mode.name,
                       mode.delta.size(), points);
  }
  for (std::size_t i = 0; i < points; ++i) {
    if (mode.delta[i].cwiseAbs().maxCoeff() <= static_cast<float>(farthest_lattice_point)) continue;
    return fmt::format("mode '{}' moves point {} by what is no number, or too far", mode.name, i);
  }
  if (!(std::abs(mode.amplitude) <= largest_amplitude)) {
    return fmt::format("the amplitude of mode '{}' must be from {:g} to {:g}", mode.name,
                       -largest_amplitude, largest_amplitude);
  }
  if (!(mode.frequency >= 0 && mode.frequency <= 1e6 && mode.damping >= 0 && mode.damping <= 1e6)) {
    return fmt::format("frequency and damping of mode '{}' must be from 0 to 1e6", mode.name);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> validate(const Modes& modes) {
  if (modes.lattices.size() > most_mode_lattices) {
    return fmt::format("{} lattices with modes, but at most {} are allowed", modes.lattices.size(),
                       most_mode_lattices);
  }
  if (modes.count() > most_modes) {
    return fmt::format("{} modes, but at most {} are allowed", modes.count(), most_modes);
  }
  std::set<std::string> names;
  for (const ModeLattice& lattice : modes.lattices) {
    if (auto wrong = validate(Lattice(lattice.rest, lattice.rest->points))) return wrong;
    for (const DeformMode& mode : lattice.modes) {
      if (auto wrong = flaw_of(mode, lattice.rest->points.size())) return wrong;
      if (!names.insert(mode.name).second) {
        return fmt::format("two modes have the name '{}'", mode.name);
      }
    }
  }
  return std::nullopt;
}

std::size_t byte_size(const Modes& modes) {
  std::size_t sum = sizeof modes;
  for (const ModeLattice& lattice : modes.lattices) {
    sum += sizeof lattice + lattice.rest->points.size() * sizeof(Vec3f);
    for (const DeformMode& mode : lattice.modes) {
      sum += sizeof mode + mode.delta.size() * sizeof(Vec3f);
    }
  }
  return sum;
}

}  // namespace sinew
