#include "nodes/kernels/voo_deform.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/tet_measure.h"
#include "nodes/kernels/voo_frame.h"
#include "nodes/kernels/voo_lanes.h"

namespace sinew::kernels {

namespace {

using Matrix = Eigen::Matrix3d;

void check_sizes(std::span<const VooAction> actions, std::size_t count, bool slopes) {
  for (const VooAction& a : actions) {
    if (a.influence->vertex_count != count) {
      throw std::invalid_argument(
          fmt::format("an influence on {} vertices is given {}", a.influence->vertex_count, count));
    }
    if (slopes && !a.influence->tiles.empty() && !a.influence->has_slopes()) {
      throw std::invalid_argument("an influence has no slopes");
    }
  }
}

// Three rows of four: m, and what m makes of the part of the head that a float does not hold.
std::array<float, 12> rows_of(const Matrix& m, const Vec3d& rest_of_head, const Vec3d& more) {
  const Vec3d last = m * rest_of_head + more;
  std::array<float, 12> rows;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) rows[4 * i + k] = static_cast<float>(m(i, k));
    rows[4 * i + 3] = static_cast<float>(last[i]);
  }
  return rows;
}

// m (q, 1) with q relative to a head becomes the same with q relative to the origin of the range.
void move_rows(const std::array<float, 12>& rows, const Vec3d& from_head, float* moved) {
  for (std::size_t i = 0; i < 3; ++i) {
    const float* const m = rows.data() + 4 * i;
    double last = m[3];
    for (int k = 0; k < 3; ++k) last += static_cast<double>(m[k]) * from_head[k];
    std::copy_n(m, 3, moved + 4 * i);
    moved[4 * i + 3] = static_cast<float>(last);
  }
}

// Whether all vertices of a piece get all of the shift: then it is added once for all operators.
bool shifts_all(const VooAction& action, std::size_t piece) {
  const VooInfluence& of = *action.influence;
  return action.with.shifts && of.share.empty() && of.whole[piece] != 0;
}
Vec3d shift_of_all(const VooAction& action, std::size_t piece) {
  if (!shifts_all(action, piece)) return Vec3d::Zero();
  return Eigen::Map<const Vec3f>(action.with.shift.data()).cast<double>();
}

VooPart part_of(const VooAction& action, std::size_t piece, const VooRange& range) {
  const VooInfluence& of = *action.influence;
  const VooOperator& with = action.with;
  const std::size_t first = of.first[piece], at = voo_tile * first;
  const auto from = [](const std::vector<float>& values, std::size_t offset) {
    return values.empty() ? nullptr : values.data() + offset;
  };
  VooPart part;
  part.count = of.first[piece + 1] - first;
  part.tiles = of.tiles.data() + first;
  part.mask = of.mask.data() + first;
  part.damp = from(of.damp, at);
  part.viscous = from(of.viscous, at);
  part.share = from(of.share, at);
  part.damp_slope = from(of.damp_slope, 3 * at);
  part.viscous_slope = from(of.viscous_slope, 3 * at);
  part.share_slope = from(of.share_slope, 3 * at);
  part.creeps = with.creeps && part.viscous;
  part.shifts = with.shifts && !shifts_all(action, piece);
  std::copy_n(with.shift.data(), 3, part.shift);
  Vec3d from_head;
  for (int k = 0; k < 3; ++k) {
    from_head[k] = static_cast<double>(range.origin[k]) - static_cast<double>(with.head[k]);
  }
  move_rows(with.strain, from_head, part.strain);
  move_rows(with.creep, from_head, part.creep);
  return part;
}

bool acts(const VooAction& action, std::size_t piece) {
  const VooOperator& with = action.with;
  return (with.strains || with.creeps || with.shifts) &&
         action.influence->first[piece] < action.influence->first[piece + 1];
}

// The first vertex is the origin: a float, and as near to the others as they are in memory.
VooRange range_of(std::size_t begin, std::size_t end, std::span<const Vec3f> rest) {
  VooRange range{begin / voo_tile, (end + voo_tile - 1) / voo_tile, rest.size()};
  std::copy_n(rest[begin].data(), 3, range.origin);
  return range;
}

void jacobians(std::span<const VooAction> actions, std::span<const Vec3f> rest,
               const Vec3f* normals, Vec3f* turned, uint16_t* folded) {
  check_sizes(actions, rest.size(), true);
  if (rest.empty()) return;
  const VooLanes& lanes = voo_lanes();
  parallel_blocks(
      rest.size(),
      [&](std::size_t begin, std::size_t end) {
        const VooRange range = range_of(begin, end, rest);
        VooPart parts[most_voo_parts];
        std::size_t held = 0;
        for (const VooAction& action : actions) {
          if (!acts(action, begin / voo_piece)) continue;
          if (held == most_voo_parts) {
            throw std::invalid_argument(
                fmt::format("more than {} operators at one place", most_voo_parts));
          }
          parts[held++] = part_of(action, begin / voo_piece, range);
        }
        lanes.jacobian(rest.data()->data(), normals ? normals->data() : nullptr, parts, held, range,
                       turned ? turned->data() : nullptr, folded);
      },
      voo_piece);
}

template <class Cell>
std::size_t count_cells(const VooFolds& folds, std::span<const Cell> cells) {
  return parallel_reduce_ordered(
      cells.size(), std::size_t{0},
      [&](std::size_t begin, std::size_t end) {
        std::size_t count = 0;
        for (std::size_t c = begin; c < end; ++c) {
          count += std::any_of(cells[c].begin(), cells[c].end(),
                               [&](uint32_t v) { return folds.at(v); });
        }
        return count;
      },
      [](std::size_t a, std::size_t b) { return a + b; });
}

}  // namespace

VooOperator make_operator(const Vec3d& head, const Vec3d& shift, const Matrix& deformation,
                          const VooMemory& memory, VooTranslation translation) {
  VooOperator made;
  Vec3d rest_of_head;
  for (int k = 0; k < 3; ++k) {
    // Volatile, since GCC 12 at -O3 takes a pair of doubles that went through floats for the pair
    // itself, as if nothing had been rounded.
    const volatile float rounded = static_cast<float>(head[k]);
    made.head[k] = rounded;
    rest_of_head[k] = static_cast<double>(made.head[k]) - head[k];
  }
  const Matrix strain = deformation - Matrix::Identity();
  const bool damped = translation == VooTranslation::damped;
  made.strain = rows_of(strain, rest_of_head, damped ? shift : Vec3d(0, 0, 0));
  made.strains = !strain.isZero(0) || (damped && !shift.isZero(0));
  if (memory.viscosity != 0) {
    const Matrix creep =
        memory.viscosity * (memory.creep * memory.strain - (deformation - memory.start));
    made.creep = rows_of(creep, rest_of_head, Vec3d(0, 0, 0));
    made.creeps = !creep.isZero(0);
  }
  if (translation == VooTranslation::active && !shift.isZero(0)) {
    for (int k = 0; k < 3; ++k) made.shift[k] = static_cast<float>(shift[k]);
    made.shifts = true;
  }
  if (translation == VooTranslation::everywhere) made.everywhere = {shift[0], shift[1], shift[2]};
  return made;
}

VooOperator make_operator(const Voo& voo, const VooPose& now, const VooMemory& memory,
                          VooTranslation translation, double spin) {
  return make_operator(voo.rest.head, now.head - voo.rest.head, deformation_at(voo, now, spin),
                       memory, translation);
}

void deform_vertices(std::span<const VooAction> actions, std::span<const Vec3f> rest,
                     std::span<Vec3f> moved) {
  check_sizes(actions, rest.size(), false);
  if (rest.empty()) return;
  const VooLanes& lanes = voo_lanes();
  Vec3d everywhere(0, 0, 0);
  for (const VooAction& a : actions) everywhere += Vec3d(a.with.everywhere.data());
  const float* const from = rest.data()->data();
  float* const to = moved.data()->data();
  parallel_blocks(
      rest.size(),
      [&](std::size_t begin, std::size_t end) {
        const VooRange range = range_of(begin, end, rest);
        const std::size_t piece = begin / voo_piece;
        Vec3d common = everywhere;
        for (const VooAction& a : actions) common += shift_of_all(a, piece);
        VooPart parts[most_voo_parts];
        std::size_t held = 0;
        const float* base = from;
        const auto apply = [&] {
          const Vec3f with = common.cast<float>();
          lanes.deform(from, base, with.data(), parts, held, range, to);
          base = to;
          common.setZero();
          held = 0;
        };
        for (const VooAction& action : actions) {
          if (!acts(action, piece)) continue;
          if (held == most_voo_parts) apply();
          parts[held++] = part_of(action, piece, range);
        }
        if (held > 0 || base == from) apply();
      },
      voo_piece);
}

void deform_normals(std::span<const VooAction> actions, std::span<const Vec3f> rest,
                    std::span<const Vec3f> normals, std::span<Vec3f> turned) {
  jacobians(actions, rest, normals.data(), turned.data(), nullptr);
}

VooFolds find_folds(std::span<const VooAction> actions, std::span<const Vec3f> rest) {
  VooFolds folds;
  folds.tiles.resize((rest.size() + voo_tile - 1) / voo_tile);
  jacobians(actions, rest, nullptr, nullptr, folds.tiles.data());
  for (const uint16_t t : folds.tiles) {
    folds.vertices += static_cast<std::size_t>(__builtin_popcount(t));
  }
  return folds;
}

std::size_t count_folded(const VooFolds& folds, std::span<const Triangle> triangles) {
  return count_cells(folds, triangles);
}

std::size_t count_folded(const VooFolds& folds, std::span<const Tetrahedron> tets) {
  return count_cells(folds, tets);
}

std::size_t count_inverted(std::span<const Tetrahedron> tets, std::span<const Vec3f> rest,
                           std::span<const Vec3f> moved) {
  return parallel_reduce_ordered(
      tets.size(), std::size_t{0},
      [&](std::size_t begin, std::size_t end) {
        std::size_t count = 0;
        for (std::size_t t = begin; t < end; ++t) {
          const double before = tet_volume(corners_of(rest, tets[t]));
          const double after = tet_volume(corners_of(moved, tets[t]));
          count += (before > 0 && after <= 0) || (before < 0 && after >= 0);
        }
        return count;
      },
      [](std::size_t a, std::size_t b) { return a + b; });
}

}  // namespace sinew::kernels
