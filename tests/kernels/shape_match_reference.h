// Shape matching and the step of a soft body as their formulas stand in shape_match.h and
// soft_body.h: one vertex after the other, in double precision, with rotations by singular values.
// What the kernels are compared with, and what the benchmark compares their time with.
#pragma once

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "nodes/geometry/tet_mesh.h"
#include "nodes/kernels/rotation.h"
#include "nodes/kernels/soft_body.h"

namespace sinew::test {

using Points = std::vector<Vec3d>;
using Tensors = std::vector<Eigen::Matrix3d>;

struct MatchReference {
  std::vector<std::vector<uint32_t>> regions;  // r and its one-ring
  std::vector<double> masses, share;           // m, m~ = m / |N|
  std::vector<double> region_mass;             // M
  Points rest, rest_centres;                   // x0, c0

  MatchReference(const TetMesh& solid, std::span<const float> m)
      : regions(solid.vertex_count()), masses(m.begin(), m.end()) {
    std::vector<std::set<uint32_t>> rings(solid.vertex_count());
    for (const Tetrahedron& tet : solid.tets()) {
      for (const uint32_t a : tet) rings[a].insert(tet.begin(), tet.end());
    }
    for (uint32_t r = 0; r < rings.size(); ++r) {
      rings[r].insert(r);
      regions[r].assign(rings[r].begin(), rings[r].end());
      share.push_back(masses[r] / static_cast<double>(regions[r].size()));
    }
    for (const Vec3f& p : solid.positions) rest.push_back(p.cast<double>());
    region_mass.resize(rest.size());
    for (uint32_t r = 0; r < regions.size(); ++r) {
      for (const uint32_t i : regions[r]) region_mass[r] += share[i];
      rest_centres.push_back(centre_of(r, rest));
    }
  }

  std::size_t count() const { return rest.size(); }
  double total_mass() const {
    double sum = 0;
    for (const double m : masses) sum += m;
    return sum;
  }
  Tensors no_activation() const { return Tensors(count(), Eigen::Matrix3d::Identity()); }

  // The m~-weighted mean over region r.
  Vec3d centre_of(uint32_t r, const Points& x) const {
    Vec3d sum = Vec3d::Zero();
    for (const uint32_t i : regions[r]) sum += share[i] * x[i];
    return sum / region_mass[r];
  }

  // One pass: eqs. 5 and 7.
  Points pass(const Points& x, const Tensors& t) const {
    Points goal(count(), Vec3d::Zero());
    for (uint32_t r = 0; r < count(); ++r) {
      const Vec3d c = centre_of(r, x);
      Eigen::Matrix3d a = Eigen::Matrix3d::Zero();
      for (const uint32_t i : regions[r]) {
        a += share[i] * (x[i] - c) * (t[r] * (rest[i] - rest_centres[r])).transpose();
      }
      const Eigen::Matrix3d b = kernels::rotation_part(a) * t[r];
      for (const uint32_t k : regions[r]) {
        goal[k] += (b * (rest[k] - rest_centres[r]) + c) / static_cast<double>(regions[k].size());
      }
    }
    return goal;
  }

  // N passes; after several the rigid spin of what they changed is taken out.
  Points match(const Points& x, const Tensors& t, int n,
               std::span<const kernels::Pin> pins = {}) const {
    Points goal = x;
    for (int k = 0; k < n; ++k) {
      goal = pass(goal, t);
      for (const kernels::Pin& pin : pins) {
        goal[pin.vertex] +=
            static_cast<double>(pin.part) * (pin.to.cast<double>() - goal[pin.vertex]);
      }
    }
    if (n > 1 && pins.empty()) remove_spin(x, goal);
    return goal;
  }

  Vec3d mass_centre(const Points& x) const {
    Vec3d sum = Vec3d::Zero();
    for (std::size_t i = 0; i < count(); ++i) sum += masses[i] * x[i];
    return sum / total_mass();
  }
  Vec3d momentum(const Points& v) const {
    Vec3d sum = Vec3d::Zero();
    for (std::size_t i = 0; i < count(); ++i) sum += masses[i] * v[i];
    return sum;
  }
  // About the centre of mass.
  Vec3d spin(const Points& x, const Points& v) const {
    const Vec3d c = mass_centre(x);
    Vec3d sum = Vec3d::Zero();
    for (std::size_t i = 0; i < count(); ++i) sum += masses[i] * (x[i] - c).cross(v[i]);
    return sum;
  }
  double kinetic(const Points& v) const {
    double sum = 0;
    for (std::size_t i = 0; i < count(); ++i) sum += 0.5 * masses[i] * v[i].squaredNorm();
    return sum;
  }

  void remove_spin(const Points& x, Points& goal) const {
    const Vec3d c = mass_centre(x);
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
    Vec3d turn = Vec3d::Zero();
    for (std::size_t i = 0; i < count(); ++i) {
      const Vec3d r = x[i] - c;
      inertia += masses[i] * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
      turn += masses[i] * r.cross(goal[i] - x[i]);
    }
    const Vec3d omega = inertia.inverse() * turn;
    for (std::size_t i = 0; i < count(); ++i) goal[i] -= omega.cross(x[i] - c);
  }

  // v += amount * (the mean of the rigid motions of its regions - v).
  void damp(const Points& x, double amount, Points& v) const {
    Points mean(count(), Vec3d::Zero());
    for (uint32_t r = 0; r < count(); ++r) {
      const Vec3d c = centre_of(r, x), v_cm = centre_of(r, v);
      Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
      Vec3d turn = Vec3d::Zero();
      for (const uint32_t i : regions[r]) {
        const Vec3d d = x[i] - c;
        inertia += share[i] * (d.squaredNorm() * Eigen::Matrix3d::Identity() - d * d.transpose());
        turn += share[i] * d.cross(v[i] - v_cm);
      }
      const Vec3d omega = inertia.inverse() * turn;
      for (const uint32_t k : regions[r]) {
        mean[k] += (v_cm + omega.cross(x[k] - c)) / static_cast<double>(regions[k].size());
      }
    }
    for (std::size_t i = 0; i < count(); ++i) v[i] += amount * (mean[i] - v[i]);
  }
};

struct ReferenceState {
  Points x, v;
};

// One step with n plain passes, in the order of soft_body.h. Of obstacles only plain Coulomb
// friction; no limit of speed. `boundary`: the triangles that the fluid acts on.
inline void reference_step(const MatchReference& body, const kernels::SoftSettings& s, int n,
                           const Tensors& tensors, std::span<const Triangle> boundary, double h,
                           ReferenceState& state) {
  const std::size_t count = body.count();
  const double size = s.size, mass_scale = size * size * size;
  Points& x = state.x;
  Points& v = state.v;
  Tensors t = tensors;
  for (Eigen::Matrix3d& m : t) m *= size;
  const Points goal = body.match(x, t, n, s.pins);
  for (std::size_t i = 0; i < count; ++i) {
    v[i] += (goal[i] - x[i]) / h + h * s.gravity.cast<double>();
    if (!s.push.empty()) v[i] += h * s.push[i].cast<double>() / (mass_scale * body.masses[i]);
  }
  for (const kernels::Pull& p : s.pulls) {
    const double m = mass_scale * body.masses[p.vertex], k = p.stiffness;
    Vec3d& u = v[p.vertex];
    u += h * k * (p.to.cast<double>() - x[p.vertex] - h * u) / (m + h * h * k);
  }
  for (Vec3d& u : v) u *= std::exp(-h * s.drag);
  if (s.fluid.density > 0) {
    const Vec3d flow = s.fluid.flow.cast<double>();
    std::vector<Eigen::Matrix3d> drag(count, Eigen::Matrix3d::Zero());
    for (const Triangle& tri : boundary) {
      const Vec3d normal = (x[tri[1]] - x[tri[0]]).cross(x[tri[2]] - x[tri[0]]);
      const Vec3d n1 = normal.norm() > 0 ? Vec3d(normal.normalized()) : Vec3d(Vec3d::Zero());
      const Vec3d u = (v[tri[0]] + v[tri[1]] + v[tri[2]]) / 3 - flow;
      const double half = 0.5 * s.fluid.density * normal.norm() / 2;
      const Eigen::Matrix3d across = n1 * n1.transpose();
      const Eigen::Matrix3d d =
          half * (s.fluid.across * std::abs(u.dot(n1)) * across +
                  s.fluid.along * u.norm() * (Eigen::Matrix3d::Identity() - across));
      for (const uint32_t i : tri) drag[i] += d / 3;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const double m = mass_scale * body.masses[i];
      const Eigen::Matrix3d system = m * Eigen::Matrix3d::Identity() + h * drag[i];
      v[i] -= system.inverse() * (h * drag[i] * (v[i] - flow));
    }
  }
  if (s.damping > 0) body.damp(x, 1 - std::exp(-h * s.damping), v);
  for (const kernels::Pin& pin : s.pins) {
    const Vec3d needed = (pin.to.cast<double>() - x[pin.vertex]) / h;
    v[pin.vertex] += static_cast<double>(pin.part) * (needed - v[pin.vertex]);
  }
  for (std::size_t i = 0; i < count; ++i) x[i] += h * v[i];
  if (!s.colliders || s.colliders->empty()) return;
  std::set<uint32_t> surface;
  for (const Triangle& tri : boundary) surface.insert(tri.begin(), tri.end());
  for (const uint32_t i : surface) {
    kernels::SurfaceDistance nearest{1e300, {0, 1, 0}};
    double friction = 0;
    for (const Collider& c : s.colliders->list) {
      const kernels::SurfaceDistance d = kernels::signed_distance(c, x[i]);
      if (d.distance < nearest.distance) nearest = d, friction = c.friction;
    }
    if (nearest.distance >= 0) continue;
    const double approach = -v[i].dot(nearest.normal);
    if (approach > 0) {
      const Vec3d slide = v[i] + approach * nearest.normal;
      const double lost = std::min(friction * approach, slide.norm());
      const Vec3d way = slide.norm() > 0 ? Vec3d(slide.normalized()) : Vec3d(Vec3d::Zero());
      v[i] = slide - lost * way;
      x[i] -= h * lost * way;
    }
    x[i] -= nearest.distance * nearest.normal;
  }
}

inline Points to_double(std::span<const Vec3f> points) {
  Points out;
  out.reserve(points.size());
  for (const Vec3f& p : points) out.push_back(p.cast<double>());
  return out;
}

}  // namespace sinew::test
