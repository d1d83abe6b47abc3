#include "nodes/kernels/teapot.h"

#include <array>
#include <memory>
#include <numbers>

#include "nodes/kernels/implicit_shape.h"
#include "nodes/kernels/measure.h"
#include "nodes/kernels/solid_functions.h"
#include "nodes/kernels/surface_tree.h"

namespace sinew::kernels {

namespace {

// The control points of the revolved patches in the half plane (radius, height), from the middle of
// the bottom to the top of the knob; each curve begins where the one before ends.
constexpr std::array<std::array<double, 2>, 13> pot_below = {{{0, 0},  // bottom
                                                              {1.425, 0},
                                                              {1.5, 0.075},
                                                              {1.5, 0.15},  // lower body
                                                              {1.5, 0.225},
                                                              {2, 0.45},
                                                              {2, 0.9},  // upper body
                                                              {2, 1.35},
                                                              {1.75, 1.875},
                                                              {1.5, 2.4},  // rim
                                                              {1.4375, 2.53125},
                                                              {1.3375, 2.53125},
                                                              {1.4, 2.4}}};
constexpr std::array<std::array<double, 2>, 7> lid = {{{1.3, 2.4},
                                                       {1.3, 2.55},
                                                       {0.4, 2.55},
                                                       {0.2, 2.7},  // knob
                                                       {0, 2.85},
                                                       {0.8, 3.15},
                                                       {0, 3.15}}};

// Two patches each, as seven rows of control points along the tube. A row goes half around, from
// the plane of symmetry to the plane of symmetry: (forwards, height) of its first two and last two
// points, and how far the middle two lie aside.
struct Row {
  double inner_forwards, inner_height, outer_forwards, outer_height, aside;
};
constexpr std::array<Row, 7> handle = {{{-1.6, 2.025, -1.5, 2.25, 0.3},
                                        {-2.3, 2.025, -2.5, 2.25, 0.3},
                                        {-2.7, 2.025, -3, 2.25, 0.3},
                                        {-2.7, 1.8, -3, 1.8, 0.3},
                                        {-2.7, 1.575, -3, 1.35, 0.3},
                                        {-2.5, 1.125, -2.65, 0.9375, 0.3},
                                        {-2, 0.9, -1.9, 0.6, 0.3}}};
constexpr std::array<Row, 7> spout = {{{1.7, 1.425, 1.7, 0.6, 0.66},
                                       {2.6, 1.425, 3.1, 0.825, 0.66},
                                       {2.3, 2.1, 2.4, 2.025, 0.25},
                                       {2.7, 2.4, 3.3, 2.4, 0.25},
                                       {2.8, 2.475, 3.525, 2.49375, 0.25},
                                       {2.9, 2.475, 3.45, 2.5125, 0.15},
                                       {2.8, 2.4, 3.2, 2.4, 0.15}}};
// The lip of the spout is a sheet that folds back inside: cut where it turns, filled and thickened.
constexpr double spout_until = 1.62, spout_lip = 0.035;
constexpr double least_forwards = -3, most_forwards = 3.44;  // of the surface, about
constexpr double total_length = most_forwards - least_forwards;

constexpr int steps = 24;  // that each curve of the outline is cut into

std::array<double, 4> bernstein(double t) {
  const double s = 1 - t;
  return {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
}

template <std::size_t N>
void append_curves(const std::array<std::array<double, 2>, N>& control, std::vector<Vec2d>& out) {
  for (std::size_t first = 0; first + 3 < N; first += 3) {
    for (int i = first == 0 ? 0 : 1; i <= steps; ++i) {
      const std::array<double, 4> w = bernstein(static_cast<double>(i) / steps);
      Vec2d p(0, 0);
      for (int k = 0; k < 4; ++k) p += w[k] * Vec2d(control[first + k][0], control[first + k][1]);
      out.push_back(p);
    }
  }
}

// The outline of pot and lid with its mirror image, in units of the patches. The gap between rim
// and lid, narrower than any sensible edge, becomes a shallow furrow.
std::vector<Vec2d> pot_outline() {
  std::vector<Vec2d> pot, cover;
  append_curves(pot_below, pot);
  append_curves(lid, cover);
  pot.resize(pot.size() - steps / 4);
  std::vector<Vec2d> half = pot;
  half.insert(half.end(), cover.begin() + steps / 8, cover.end());
  std::vector<Vec2d> outline = half;
  for (std::size_t i = half.size() - 1; i-- > 1;) outline.push_back({-half[i].x(), half[i].y()});
  return outline;
}

// The ring of a tube at u in [0, 2] along its two patches, (aside, height, forwards).
std::vector<Vec3d> ring_at(const std::array<Row, 7>& rows, double u, int half) {
  const std::size_t first = u < 1 ? 0 : 3;
  const std::array<double, 4> w = bernstein(u < 1 ? u : u - 1);
  std::array<Vec3d, 4> across;
  across.fill(Vec3d::Zero());
  for (int k = 0; k < 4; ++k) {
    const Row& row = rows[first + k];
    const Vec3d inner(0, row.inner_height, row.inner_forwards);
    const Vec3d outer(0, row.outer_height, row.outer_forwards), aside(row.aside, 0, 0);
    across[0] += w[k] * inner;
    across[1] += w[k] * (inner + aside);
    across[2] += w[k] * (outer + aside);
    across[3] += w[k] * outer;
  }
  std::vector<Vec3d> ring;
  for (int j = 0; j < 2 * half; ++j) {
    const std::array<double, 4> v =
        bernstein(static_cast<double>(j <= half ? j : 2 * half - j) / half);
    Vec3d p(0, 0, 0);
    for (int k = 0; k < 4; ++k) p += v[k] * across[k];
    if (j > half) p.x() = -p.x();
    ring.push_back(p);
  }
  return ring;
}

// The tube's triangles up to u = `until`, closed by a fan at each end.
Mesh closed_tube(const std::array<Row, 7>& rows, double until, double deeper_start,
                 double deeper_end) {
  constexpr int half = 12, along = 32;
  constexpr uint32_t around = 2 * half;
  std::vector<std::vector<Vec3d>> rings;
  for (int i = 0; i <= along; ++i) rings.push_back(ring_at(rows, until * i / along, half));
  // Some more of it towards the middle of the pot.
  const auto deeper = [](std::vector<Vec3d> ring, double way) {
    for (Vec3d& p : ring) p.z() += way;
    return ring;
  };
  if (deeper_start != 0) rings.insert(rings.begin(), deeper(rings.front(), deeper_start));
  if (deeper_end != 0) rings.push_back(deeper(rings.back(), deeper_end));

  std::vector<Vec3f> positions;
  Topology topology;
  const uint32_t count = static_cast<uint32_t>(rings.size());
  const auto middle = [](const std::vector<Vec3d>& ring) {
    Vec3d sum(0, 0, 0);
    for (const Vec3d& p : ring) sum += p;
    return Vec3f((sum / static_cast<double>(ring.size())).cast<float>());
  };
  for (const auto& ring : rings) {
    for (const Vec3d& p : ring) positions.push_back(p.cast<float>());
  }
  const uint32_t start = count * around, end = start + 1;
  positions.push_back(middle(rings.front()));
  positions.push_back(middle(rings.back()));
  for (uint32_t j = 0; j < around; ++j) {
    const uint32_t next = (j + 1) % around;
    for (uint32_t i = 0; i + 1 < count; ++i) {
      const uint32_t a = i * around + j, b = i * around + next;
      topology.triangles.push_back({a, b, b + around});
      topology.triangles.push_back({a, b + around, a + around});
    }
    topology.triangles.push_back({start, next, j});
    topology.triangles.push_back({end, (count - 1) * around + j, (count - 1) * around + next});
  }
  return Mesh(std::move(topology), std::move(positions));
}

// The signed distance to a closed tube. Which side a point is on is told by the normals of the
// vertices around its closest point [Baerentzen05], which is cheaper than a winding number and
// right for a surface whose triangles turn gently; at the sharp ends of the tubes, inside the pot,
// it does not matter.
class Tube {
 public:
  explicit Tube(const Mesh& mesh)
      : tree_(mesh), normals_(vertex_normals(mesh)), topology_(mesh.topology) {
    if (signed_volume(mesh) > 0) return;
    for (Vec3f& n : normals_) n = -n;  // the patches of one tube look inwards
  }

  const Eigen::AlignedBox3d& box() const { return tree_.box(); }
  double distance(const Vec3d& p) const {
    const SurfacePoint at = *tree_.closest(p);
    const Triangle& t = topology_->triangles[at.triangle];
    Vec3d normal(0, 0, 0);
    for (int k = 0; k < 3; ++k) normal += at.weights[k] * normals_[t[k]].cast<double>();
    return std::copysign(std::sqrt(at.distance2), normal.dot(p - at.point));
  }

 private:
  SurfaceTree tree_;
  std::vector<Vec3f> normals_;
  std::shared_ptr<const Topology> topology_;
};

}  // namespace

Body teapot_body(const TeapotShape& shape) {
  const auto pot = std::make_shared<PlaneShape>(pot_outline());
  const auto grip = std::make_shared<Tube>(closed_tube(handle, 2, 0.3, 0.3));
  const auto snout = std::make_shared<Tube>(closed_tube(spout, spout_until, -0.3, 0));
  const Eigen::AlignedBox3d whole(Vec3d(-2.2, -0.2, least_forwards - 0.2), Vec3d(2.2, 3.35, 3.65));
  const double room = 0.1;
  const auto roomy = [&](Eigen::AlignedBox3d box) {
    return Eigen::AlignedBox3d(box.min() - Vec3d::Constant(room),
                               box.max() + Vec3d::Constant(room));
  };
  const auto all = std::make_shared<ImplicitShape>();
  all->add(
      [pot](const Vec3d& p) {
        return pot->distance({std::hypot(p.x(), p.z()), p.y()});
      },
      whole, 0);
  all->add([grip](const Vec3d& p) { return grip->distance(p); }, roomy(grip->box()), 0.12);
  all->add([snout](const Vec3d& p) { return snout->distance(p) - spout_lip; }, roomy(snout->box()),
           0.12);

  const double unit = shape.length / total_length, tall = shape.height;
  Body body;
  body.distance = [all, unit, tall](const Vec3d& p) {
    const Vec3d q(std::abs(p.x()) / unit, p.y() / (unit * tall), p.z() / unit);
    return unit * std::min(tall, 1.0) * (*all)(q);
  };
  const Vec3d stretch(unit, unit * tall, unit);
  body.box =
      Eigen::AlignedBox3d(whole.min().cwiseProduct(stretch), whole.max().cwiseProduct(stretch));
  body.cell = 0.085 * unit * std::min(tall, 1.0);
  return body;
}

}  // namespace sinew::kernels
