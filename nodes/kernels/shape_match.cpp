#include "nodes/kernels/shape_match.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/dispatch.h"
#include "nodes/kernels/tet_measure.h"

namespace sinew::kernels {

namespace {

constexpr std::size_t lanes = 16;
constexpr std::size_t vertices_per_block = 256;  // a multiple of `lanes`
constexpr std::size_t ring_padding = 32;         // loops look so many entries ahead
constexpr double chebyshev_damping = 0.2;        // epsilon of [Verwer90]

std::size_t padded(std::size_t count) { return (count + lanes - 1) / lanes * lanes; }

// Ten bits of each coordinate, interleaved.
uint32_t spread_bits(uint32_t v) {
  v = (v | (v << 16)) & 0x030000FF;
  v = (v | (v << 8)) & 0x0300F00F;
  v = (v | (v << 4)) & 0x030C30C3;
  return (v | (v << 2)) & 0x09249249;
}

Eigen::AlignedBox3d box_of(std::span<const Vec3f> points) {
  Eigen::AlignedBox3d box;
  for (const Vec3f& p : points) box.extend(p.cast<double>());
  return box;
}

}  // namespace

MatchBody::MatchBody(const TetMesh& solid, std::span<const float> masses, CancelView stop) {
  sort_vertices(solid);
  masses_.resize(padded(count()), 0);
  Vec3d sum = Vec3d::Zero();
  for (std::size_t i = 0; i < count(); ++i) {
    masses_[i] = masses[order_[i]];
    total_mass_ += masses_[i];
    sum += masses_[i] * solid.positions[order_[i]].cast<double>();
  }
  if (total_mass_ > 0) rest_centre_ = sum / total_mass_;
  for (std::size_t p = 0; p + 1 < parts_.size(); ++p) {
    part_masses_.push_back(
        std::accumulate(masses_.begin() + parts_[p], masses_.begin() + parts_[p + 1], 0.0));
  }
  make_rings(solid, stop);
  view_ = {.first = first_.data(),
           .ring = ring_.data(),
           .rest = rest_.data(),
           .centre = centre_.data(),
           .weighted = weighted_.data(),
           .per_mass = per_mass_.data(),
           .count = count(),
           .stride = padded(count())};
}

namespace {

// Which connected part each vertex belongs to: the least of its vertices. What is in no
// tetrahedron is in one part, which has no shape.
std::vector<uint32_t> part_of_vertices(const TetMesh& solid) {
  const uint32_t n = static_cast<uint32_t>(solid.vertex_count());
  std::vector<uint32_t> parent(n);
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  std::vector<char> used(n, 0);
  for (const Tetrahedron& tet : solid.tets()) {
    for (const uint32_t v : tet) {
      used[v] = 1;
      const uint32_t a = root(tet[0]), b = root(v);
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  std::vector<uint32_t> part(n);
  for (uint32_t v = 0; v < n; ++v) part[v] = used[v] ? root(v) : n;
  return part;
}

}  // namespace

// Part by part, and along a space-filling curve, so that the rings of neighbours lie in the same
// lines of the cache.
void MatchBody::sort_vertices(const TetMesh& solid) {
  const std::span<const Vec3f> points = solid.positions;
  const Eigen::AlignedBox3d box = box_of(points);
  const Vec3d extent = points.empty() ? Vec3d::Zero() : Vec3d(box.sizes());
  size_ = static_cast<float>(extent.norm());
  thickness_ = static_cast<float>(extent.minCoeff());
  const double side = extent.maxCoeff();
  const double per_cell = side > 0 ? 1023.0 / side : 0;
  std::vector<uint32_t> code(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3d at = (points[i].cast<double>() - box.min()) * per_cell;
    code[i] = spread_bits(static_cast<uint32_t>(at.x())) |
              spread_bits(static_cast<uint32_t>(at.y())) << 1 |
              spread_bits(static_cast<uint32_t>(at.z())) << 2;
  }
  const std::vector<uint32_t> part = part_of_vertices(solid);
  order_.resize(points.size());
  std::iota(order_.begin(), order_.end(), 0u);
  std::stable_sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) {
    return part[a] != part[b] ? part[a] < part[b] : code[a] < code[b];
  });
  place_.resize(points.size());
  for (uint32_t i = 0; i < order_.size(); ++i) {
    place_[order_[i]] = i;
    if (i == 0 || part[order_[i]] != part[order_[i - 1]]) parts_.push_back(i);
  }
  parts_.push_back(static_cast<uint32_t>(order_.size()));
}

// Of the vertices of each part: where their rest coordinates have their origin, so that floats keep
// their digits in every part.
std::vector<Vec3d> MatchBody::part_centres(const TetMesh& solid) const {
  std::vector<Vec3d> centres;
  for (std::size_t p = 0; p + 1 < parts_.size(); ++p) {
    Vec3d sum = Vec3d::Zero();
    for (uint32_t i = parts_[p]; i < parts_[p + 1]; ++i) {
      sum += solid.positions[order_[i]].cast<double>();
    }
    centres.push_back(sum / (parts_[p + 1] - parts_[p]));
  }
  return centres;
}

void MatchBody::make_rings(const TetMesh& solid, CancelView stop) {
  const std::size_t n = count(), stride = padded(n);
  const Rows around = vertex_tets(solid.tets(), n);
  const Rows near = tet_vertex_neighbours(solid.tets(), around);
  first_.assign(n + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    first_[i + 1] = first_[i] + static_cast<uint32_t>(near[order_[i]].size());
  }
  ring_.resize(first_[n] + ring_padding, 0);
  rest_.assign(4 * stride, 0);
  centre_.assign(4 * stride, 0);
  weighted_.assign(4 * stride, 0);
  per_mass_.assign(stride, 1);
  const double unit = total_mass_ > 0 ? static_cast<double>(n) / total_mass_ : 1;
  const std::vector<Vec3d> centres = part_centres(solid);
  for (std::size_t i = 0, part = 0; i < n; ++i) {
    while (i >= parts_[part + 1]) ++part;
    const Vec3d x0 = solid.positions[order_[i]].cast<double>() - centres[part];
    const double share = unit * masses_[i] / (first_[i + 1] - first_[i] + 1);
    for (int k = 0; k < 3; ++k) {
      rest_[4 * i + k] = static_cast<float>(x0[k]);
      weighted_[4 * i + k] = static_cast<float>(share * x0[k]);
    }
    weighted_[4 * i + 3] = static_cast<float>(share);
  }
  parallel_blocks(n, [&](std::size_t begin, std::size_t end) {
    stop.check();
    for (std::size_t r = begin; r < end; ++r) {
      uint32_t* const ring = ring_.data() + first_[r];
      const std::span<const uint32_t> neighbours = near[order_[r]];
      for (std::size_t k = 0; k < neighbours.size(); ++k) ring[k] = place_[neighbours[k]];
      std::sort(ring, ring + neighbours.size());
      // Of the rounded numbers: then the goals have no momentum as the loops compute them.
      double mass = 0;
      Vec3d sum = Vec3d::Zero();
      const auto add = [&](std::size_t i) {
        const double share = weighted_[4 * i + 3];
        sum += share * Vec3d(rest_[4 * i], rest_[4 * i + 1], rest_[4 * i + 2]);
        mass += share;
      };
      add(r);
      for (std::size_t k = 0; k < neighbours.size(); ++k) add(ring[k]);
      per_mass_[r] = static_cast<float>(1 / mass);
      for (int k = 0; k < 3; ++k) centre_[4 * r + k] = static_cast<float>(sum[k] / mass);
    }
  });
  double lengths = 0;
  for (std::size_t r = 0; r < n; ++r) {
    for (uint32_t e = first_[r]; e < first_[r + 1]; ++e) {
      lengths += (solid.positions[order_[r]] - solid.positions[order_[ring_[e]]]).norm();
    }
  }
  if (first_[n] > 0) spacing_ = static_cast<float>(lengths / first_[n]);
}

std::size_t MatchBody::bytes() const {
  return sizeof *this +
         4 * (order_.size() + place_.size() + parts_.size() + first_.size() + ring_.size() +
              rest_.size() + centre_.size() + weighted_.size() + per_mass_.size() + masses_.size());
}

// y_j = mu y_(j-1) + nu y_(j-2) + mu~ N F(y_(j-1)), with F = matched - y [Verwer90, eq. 2.4]; the
// last pass is a plain one, which leaves nothing of what alternates from vertex to vertex.
MatchPlan plan_stiffness(int n, StiffnessMethod method) {
  MatchPlan plan;
  plan.stages.assign(static_cast<std::size_t>(std::max(n, 1)), MatchMix{});
  if (method == StiffnessMethod::plain || n < 3) return plan;
  const double span = n - 1;
  for (int s = 2; s + 1 < n; ++s) {
    const double w0 = 1 + chebyshev_damping / (s * s);
    std::vector<double> t(s + 1), d(s + 1);  // Chebyshev polynomials and their slopes at w0
    t[0] = 1, t[1] = w0, d[0] = 0, d[1] = 1;
    for (int j = 2; j <= s; ++j) {
      t[j] = 2 * w0 * t[j - 1] - t[j - 2];
      d[j] = 2 * t[j - 1] + 2 * w0 * d[j - 1] - d[j - 2];
    }
    if ((w0 + 1) * d[s] / t[s] < span) continue;
    const double w1 = t[s] / d[s];
    plan.stages.clear();
    for (int j = 1; j <= s; ++j) {
      const double mu = j == 1 ? 1 : 2 * w0 * t[j - 1] / t[j];
      const double nu = j == 1 ? 0 : -t[j - 2] / t[j];
      const double step = span * (j == 1 ? w1 / w0 : 2 * w1 * t[j - 1] / t[j]);
      plan.stages.push_back(
          {static_cast<float>(step), static_cast<float>(mu - step), static_cast<float>(nu)});
    }
    plan.stages.push_back(MatchMix{});
    return plan;
  }
  return plan;
}

void MatchScratch::fit(const MatchBody& body) {
  const std::size_t stride = body.stride();
  if (x.size() == 4 * stride) return;
  for (LaneFloats* quads : {&x, &goal, &spare_a, &spare_b}) quads->assign(4 * stride, 0);
  tensors.assign(6 * stride, 0);
  std::fill(tensors.begin(), tensors.begin() + static_cast<std::ptrdiff_t>(3 * stride), 1.0f);
  rotations.assign(4 * stride, 0);
  std::fill(rotations.begin(), rotations.begin() + static_cast<std::ptrdiff_t>(stride), 1.0f);
  maps.assign(16 * stride, 0);
}

std::size_t MatchScratch::bytes() const {
  return 4 * (x.size() + goal.size() + tensors.size() + rotations.size() + maps.size() +
              spare_a.size() + spare_b.size());
}

namespace {

using RigidSums = std::array<double, 32>;

// What is rigid about sums of m x (x, 1)^T and m d (x, 1)^T; nothing for a single point.
RigidStep rigid_step(const RigidSums& sums, double total) {
  const Eigen::Map<const Eigen::Matrix4d> places(sums.data()), steps(sums.data() + 16);
  const auto quad = [](const Vec3d& v) {
    return std::array<float, 4>{static_cast<float>(v.x()), static_cast<float>(v.y()),
                                static_cast<float>(v.z()), 0};
  };
  if (!(total > 0)) return {};
  const Vec3d c = places.topRightCorner<3, 1>() / total;
  const Vec3d drift = steps.topRightCorner<3, 1>() / total;
  if (!drift.allFinite()) return {};
  RigidStep step{quad(drift), {}, quad(c)};
  const Eigen::Matrix3d spread = places.topLeftCorner<3, 3>() - total * c * c.transpose();
  const Eigen::Matrix3d moment =
      steps.topLeftCorner<3, 3>() - total * drift * c.transpose();  // sum of m d (x - c)^T
  const double trace = spread.trace();
  if (!(trace > 0)) return step;
  const Eigen::Matrix3d inertia =
      (1 + 1e-9) * trace * Eigen::Matrix3d::Identity() - spread;  // never singular
  const Vec3d turn(moment(2, 1) - moment(1, 2), moment(0, 2) - moment(2, 0),
                   moment(1, 0) - moment(0, 1));
  const Vec3d omega = inertia.inverse() * turn;
  if (omega.allFinite()) step.turn = quad(omega);
  return step;
}

void hold(std::span<const MatchPin> pins, LaneFloats& quads) {
  for (const MatchPin& pin : pins) {
    float* const q = quads.data() + 4 * pin.at;
    for (int k = 0; k < 3; ++k) q[k] += pin.part * (pin.to[k] - q[k]);
  }
}

}  // namespace

void rigid_steps(const MatchBody& body, std::span<const float> x, std::span<const float> goal,
                 std::vector<RigidStep>& out) {
  const LaneKernels& run = lane_kernels();
  const std::span<const uint32_t> parts = body.parts();
  const std::span<const float> masses = body.masses();
  out.resize(parts.size() - 1);
  for (std::size_t p = 0; p < out.size(); ++p) {
    const std::size_t first = parts[p], count = parts[p + 1] - first;
    const RigidSums sums = parallel_reduce_ordered(
        count, RigidSums{},
        [&](std::size_t begin, std::size_t end) {
          RigidSums part{};
          run.rigid_sums(masses.data(), x.data(), goal.data(), part.data(), first + begin,
                         first + end);
          return part;
        },
        [](RigidSums a, const RigidSums& b) {
          for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
          return a;
        });
    out[p] = rigid_step(sums, body.part_masses()[p]);
  }
}

void match_shape(const MatchBody& body, const MatchPlan& plan, std::span<const MatchPin> pins,
                 MatchScratch& scratch) {
  match_passes(body, plan, pins, scratch);
  if (plan.stages.size() < 2 || !pins.empty()) return;
  std::vector<RigidStep> steps;
  rigid_steps(body, scratch.x, scratch.goal, steps);
  for (std::size_t p = 0; p < steps.size(); ++p) {
    lane_kernels().take_rigid(steps[p].shift.data(), steps[p].turn.data(), steps[p].centre.data(),
                              scratch.x.data(), scratch.goal.data(), body.parts()[p],
                              body.parts()[p + 1]);
  }
}

void match_passes(const MatchBody& body, const MatchPlan& plan, std::span<const MatchPin> pins,
                  MatchScratch& scratch) {
  match_passes(body, body.view(), plan, pins, scratch);
}

void match_passes(const MatchBody& body, const RingView& view, const MatchPlan& plan,
                  std::span<const MatchPin> pins, MatchScratch& scratch) {
  const LaneKernels& run = lane_kernels();
  const std::size_t n = body.count();
  // y1 is the last stage, y2 the one before; each stage is written to the one that is free.
  LaneFloats* room[3] = {&scratch.goal, &scratch.spare_a, &scratch.spare_b};
  const float* y1 = scratch.x.data();
  const float* y2 = scratch.x.data();
  std::size_t next = 0, written = 0;
  for (const MatchMix& mix : plan.stages) {
    // A plain pass needs nothing of the one before once its maps are made, and takes its place:
    // less goes through the cache.
    const bool plain = mix.match == 1 && mix.last == 0 && mix.before == 0;
    if (!plain || y1 == scratch.x.data()) {
      written = next;
      next = (next + 1) % 3;
    }
    float* const out = room[written]->data();
    parallel_blocks(
        n,
        [&](std::size_t begin, std::size_t end) {
          run.match_regions(view, y1, scratch.tensors.data(), scratch.rotations.data(),
                            scratch.maps.data(), begin, end);
        },
        vertices_per_block);
    parallel_blocks(
        n,
        [&](std::size_t begin, std::size_t end) {
          run.match_vertices(view, scratch.maps.data(), mix, y1, y2, out, begin, end);
        },
        vertices_per_block);
    if (!pins.empty()) hold(pins, *room[written]);
    y2 = y1;
    y1 = out;
  }
  LaneFloats& last = *room[written];
  if (&last != &scratch.goal) std::swap(last, scratch.goal);
}

void damp_motion(const MatchBody& body, std::span<const float> x, float amount,
                 std::span<float> motions, std::span<float> v) {
  const LaneKernels& run = lane_kernels();
  const RingView& view = body.view();
  parallel_blocks(
      body.count(),
      [&](std::size_t begin, std::size_t end) {
        run.damp_regions(view, x.data(), v.data(), motions.data(), begin, end);
      },
      vertices_per_block);
  parallel_blocks(
      body.count(),
      [&](std::size_t begin, std::size_t end) {
        run.damp_vertices(view, x.data(), motions.data(), amount, v.data(), begin, end);
      },
      vertices_per_block);
}

std::vector<float> measured_strain(const MatchBody& body, std::span<const Vec3f> positions,
                                   std::span<const Vec3f> directions) {
  const RingView& view = body.view();
  const std::span<const uint32_t> order = body.order();
  const auto rest = [&](std::size_t i) {
    return Vec3d(view.rest[4 * i], view.rest[4 * i + 1], view.rest[4 * i + 2]);
  };
  std::vector<float> strain(body.count(), 0);
  parallel_blocks(body.count(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      Eigen::Matrix3d now = Eigen::Matrix3d::Zero(), before = Eigen::Matrix3d::Zero();
      const Vec3f& here = positions[order[r]];
      for (uint32_t e = view.first[r]; e < view.first[r + 1]; ++e) {
        const Vec3d d0 = rest(view.ring[e]) - rest(r);
        now += (positions[order[view.ring[e]]] - here).cast<double>() * d0.transpose();
        before += d0 * d0.transpose();
      }
      const double scale = before.trace() / 3;
      if (!(before.determinant() > 1e-9 * scale * scale * scale)) continue;
      const Vec3d way =
          directions.empty() ? Vec3d(Vec3d::UnitX()) : Vec3d(directions[order[r]].cast<double>());
      const Vec3d stretched = now * (before.inverse() * way);
      strain[order[r]] = static_cast<float>(std::clamp(stretched.norm() - 1, -1.0, 1e6));
    }
  });
  return strain;
}

}  // namespace sinew::kernels
