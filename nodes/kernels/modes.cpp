#include "nodes/kernels/modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "nodes/geometry/parallel.h"

namespace sinew::kernels {

namespace {

using Numbers = std::vector<uint32_t>;
using Edge = std::pair<uint32_t, uint32_t>;

// (s, t, u) of many places: the box is turned around once.
class Parameters {
 public:
  explicit Parameters(const LatticeBox& box) : corner_(box.corner) {
    Eigen::Matrix3d edges;
    edges << box.edges[0], box.edges[1], box.edges[2];
    inverse_ = edges.inverse();
  }
  Vec3d of(const Vec3f& place) const { return inverse_ * (place.cast<double>() - corner_); }

 private:
  Eigen::Matrix3d inverse_;
  Vec3d corner_;
};

std::vector<uint8_t> inside_flags(const LatticeBox& box, std::span<const Vec3f> rest,
                                  CancelView stop) {
  const Parameters parameters(box);
  std::vector<uint8_t> flags(rest.size());
  parallel_blocks(rest.size(), [&](std::size_t begin, std::size_t end) {
    stop.check();
    for (std::size_t i = begin; i < end; ++i) {
      flags[i] = is_inside_lattice(parameters.of(rest[i]));
    }
  });
  return flags;
}

Numbers inside_of(const LatticeBox& box, std::span<const Vec3f> rest, CancelView stop) {
  const std::vector<uint8_t> flags = inside_flags(box, rest, stop);
  Numbers numbers;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i]) numbers.push_back(static_cast<uint32_t>(i));
  }
  return numbers;
}

// Offsets of the points of all lattices, and whether any is not 0.
struct Offsets {
  std::vector<std::vector<Vec3d>> of;
  std::vector<uint8_t> moves;

  Offsets(const Modes& modes, std::span<const double> amplitudes) {
    if (amplitudes.size() != modes.count()) {
      throw std::invalid_argument(
          fmt::format("{} amplitudes, but {} modes", amplitudes.size(), modes.count()));
    }
    for (const ModeLattice& lattice : modes.lattices) {
      of.push_back(mode_offsets(lattice, amplitudes.first(lattice.modes.size())));
      amplitudes = amplitudes.subspan(lattice.modes.size());
      moves.push_back(std::any_of(of.back().begin(), of.back().end(),
                                  [](const Vec3d& way) { return !way.isZero(0); }));
    }
  }
};

// Those of `places` with these numbers, as the lattice takes them along.
void move_part(const LatticeRest& rest, std::span<const Vec3d> offsets, double amount,
               const Numbers& inside, std::span<Vec3f> places, std::vector<Vec3f>& room,
               CancelView stop) {
  room.resize(inside.size());
  for (std::size_t n = 0; n < inside.size(); ++n) room[n] = places[inside[n]];
  deform_by_offsets(rest, offsets, {FfdOutside::extend, amount}, room, room, stop);
  for (std::size_t n = 0; n < inside.size(); ++n) places[inside[n]] = room[n];
}

std::vector<Vec3f> moved_points(const LatticeRest& rest, std::span<const Vec3d> offsets) {
  std::vector<Vec3f> places = rest.points;
  for (std::size_t n = 0; n < places.size(); ++n) {
    places[n] = (places[n].cast<double>() + offsets[n]).cast<float>();
  }
  return places;
}

// Edges of triangles with one end inside, that end first; each once.
std::vector<Edge> crossing_edges(std::span<const uint8_t> inside,
                                 std::span<const Triangle> triangles) {
  std::vector<Edge> edges;
  for (const Triangle& t : triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const uint32_t a = t[k], b = t[(k + 1) % 3];
      if (inside[a] != inside[b]) edges.push_back(inside[a] ? Edge(a, b) : Edge(b, a));
    }
  }
  stoppable_sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

// Where an edge from the inside to the outside leaves the box.
Vec3f leaving(const Parameters& parameters, const Vec3f& from, const Vec3f& to) {
  const Vec3d a = parameters.of(from), b = parameters.of(to);
  double part = 1;
  for (int k = 0; k < 3; ++k) {
    const double way = b[k] - a[k], room = way > 0 ? 1 - a[k] : -a[k];
    if (way != 0) part = std::clamp(room / way, 0.0, part);
  }
  const Vec3d place = from.cast<double>() + part * (to - from).cast<double>();
  return place.cast<float>();
}

}  // namespace

std::vector<double> amplitudes_of(const Modes& modes) {
  std::vector<double> list;
  for (const DeformMode* mode : modes.all()) list.push_back(mode->amplitude);
  return list;
}

std::vector<Vec3d> mode_offsets(const ModeLattice& lattice, std::span<const double> amplitudes) {
  std::vector<Vec3d> sum(lattice.rest->points.size(), Vec3d(0, 0, 0));
  for (std::size_t n = 0; n < lattice.modes.size(); ++n) {
    if (amplitudes[n] == 0) continue;
    const std::vector<Vec3f>& delta = lattice.modes[n].delta;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += amplitudes[n] * delta[i].cast<double>();
  }
  return sum;
}

ModeParts::ModeParts(const Modes& modes, std::span<const Vec3f> rest, CancelView stop) {
  if (modes.lattices.size() < 2) return;
  for (const ModeLattice& lattice : modes.lattices) {
    inside.push_back(inside_of(lattice.rest->box, rest, stop));
  }
}

std::size_t deform_by_modes(const Modes& modes, std::span<const double> amplitudes,
                            const ModeParts& parts, const FfdSettings& settings,
                            std::span<const Vec3f> points, std::span<Vec3f> moved,
                            CancelView stop) {
  const std::size_t count = modes.lattices.size();
  if (points.size() != moved.size() || count == 0 ||
      parts.inside.size() != (count > 1 ? count : 0)) {
    throw std::invalid_argument(
        fmt::format("{} points with room for {}, {} lattices with parts of {}", points.size(),
                    moved.size(), count, parts.inside.size()));
  }
  const Offsets offsets(modes, amplitudes);
  const LatticeRest& whole = *modes.lattices.back().rest;
  if (count == 1) {
    return deform_by_offsets(whole, offsets.of.back(), settings, points, moved, stop);
  }
  if (points.data() != moved.data()) std::copy(points.begin(), points.end(), moved.begin());
  std::vector<Vec3f> room;
  const auto move = [&](std::size_t l) {
    if (!offsets.moves[l]) return;
    move_part(*modes.lattices[l].rest, offsets.of[l], settings.amount, parts.inside[l], moved, room,
              stop);
  };
  for (std::size_t l = 0; l + 1 < count; ++l) move(l);
  if (settings.outside == FfdOutside::stay) {
    move(count - 1);
  } else {
    deform_by_offsets(whole, offsets.of.back(), settings, moved, moved, stop);
  }
  return points.size() - parts.inside.back().size();
}

std::size_t deform_by_modes(const Modes& modes, std::span<const double> amplitudes,
                            const FfdSettings& settings, std::span<const Vec3f> points,
                            std::span<Vec3f> moved, CancelView stop) {
  return deform_by_modes(modes, amplitudes, ModeParts(modes, points, stop), settings, points, moved,
                         stop);
}

Lattice lattice_now(const ModeLattice& lattice) {
  std::vector<double> amplitudes;
  for (const DeformMode& mode : lattice.modes) amplitudes.push_back(mode.amplitude);
  return {lattice.rest, moved_points(*lattice.rest, mode_offsets(lattice, amplitudes))};
}

std::vector<Lattice> lattices_now(const Modes& modes, std::span<const double> amplitudes) {
  const Offsets offsets(modes, amplitudes);
  std::vector<Lattice> list;
  std::vector<Vec3f> room;
  for (std::size_t l = 0; l < modes.lattices.size(); ++l) {
    const LatticeRest& rest = *modes.lattices[l].rest;
    std::vector<Vec3f> places = moved_points(rest, offsets.of[l]);
    for (std::size_t after = l + 1; after < modes.lattices.size(); ++after) {
      const LatticeRest& next = *modes.lattices[after].rest;
      if (after + 1 == modes.lattices.size()) {
        deform_by_offsets(next, offsets.of[after], {}, places, places);
      } else {
        move_part(next, offsets.of[after], 1, inside_of(next.box, rest.points, {}), places, room,
                  {});
      }
    }
    list.emplace_back(modes.lattices[l].rest, std::move(places));
  }
  return list;
}

std::vector<std::size_t> torn_edges(const Modes& modes, std::span<const double> amplitudes,
                                    std::span<const Vec3f> rest,
                                    std::span<const Triangle> triangles, CancelView stop) {
  const Offsets offsets(modes, amplitudes);
  std::vector<std::size_t> torn(modes.lattices.empty() ? 0 : modes.lattices.size() - 1, 0);
  std::vector<Vec3f> room;
  for (std::size_t l = 0; l < torn.size(); ++l) {
    if (!offsets.moves[l]) continue;
    const LatticeRest& lattice = *modes.lattices[l].rest;
    const Parameters parameters(lattice.box);
    std::vector<Vec3f> border;
    for (const auto& [in, out] : crossing_edges(inside_flags(lattice.box, rest, stop), triangles)) {
      border.push_back(leaving(parameters, rest[in], rest[out]));
    }
    std::vector<Vec3f> before = border;
    for (std::size_t first = 0; first < l; ++first) {
      const LatticeRest& part = *modes.lattices[first].rest;
      move_part(part, offsets.of[first], 1, inside_of(part.box, border, stop), before, room, stop);
    }
    std::vector<Vec3f> after(before.size());
    deform_by_offsets(lattice, offsets.of[l], {}, before, after, stop);
    double longest = 0;
    for (const Vec3d& edge : lattice.box.edges) longest = std::max(longest, edge.norm());
    for (std::size_t n = 0; n < border.size(); ++n) {
      const double jump = (after[n].cast<double>() - before[n].cast<double>()).norm();
      torn[l] += jump > torn_part * longest;
    }
  }
  return torn;
}

}  // namespace sinew::kernels
