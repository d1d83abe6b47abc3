// What it costs meshless bodies to be in each other or in obstacles [Adams10, eqs. 23 and 24].
//
// With d the signed distance, negative inside, e = max(0, margin - d), L the size of the body:
//   obstacles  sum_p w (e(f(x_p), t) / L)^2,   per y_j:  - 2 w e / L^2 Phi_j(x_p) grad d
//   bodies     sum_p w (e_s(z) / L)^2,  z = f_s^-1(f_t(x_p)) in the rest of body s.
// The points p are spread over the surface; the paper takes the nodes, which lets everything
// between them through. w sums to the number of nodes.
//
// The inverse starts at the anchor q of s, a point with known shape functions, that is nearest to
// y = f_t(x_p) as it lies now, and takes one step of Newton's method from there:
//   z = q + F_s(q)^-1 (y - f_s(q)).
// Anchors are spread at a third of what a node reaches, so that this is good to second order of
// that. The gradient is that of just this z: with a = -2 w e / L^2 F^-T grad d,
//   per y_j of t:  Phi_j(x_p) a,   per y_j of s:  - (Phi_j(q) + grad Phi_j(q) . (z - q)) a.
// Who can be near whom is told by spheres: one about each body, and one about the anchors of each
// node, both from the places of the moment. Bodies are asked in pairs, then groups of both, then
// points. Which pairs may be near is kept until something has moved so far that it may be wrong;
// meanwhile the others are not even placed.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "nodes/geometry/colliders.h"
#include "nodes/geometry/meshless_body.h"
#include "nodes/kernels/moving_obstacles.h"

namespace sinew::kernels {

// Of an obstacle or a grid, with its exact slope, which for grids need not have length 1.
struct DistanceSlope {
  double distance = 0;
  Vec3d slope{0, 0, 0};
};
DistanceSlope distance_with_slope(const DistanceGrid& grid, const Vec3d& point);
DistanceSlope distance_with_slope(const Collider& collider, const Vec3d& point);
// Of the nearest of several; far away if there are none.
DistanceSlope distance_with_slope(const Colliders& colliders, const Vec3d& point);

// A body prepared for meeting others.
class ContactBody {
 public:
  explicit ContactBody(const MeshlessBody& body);

  const MeshlessBody& body() const { return *body_; }
  const ShapeRows& anchors() const { return anchors_; }
  std::size_t first_touching() const { return first_touching_; }  // among the anchors
  std::size_t bytes() const { return anchors_.bytes() + rest_.size() * 32; }

 private:
  friend class ContactFrame;
  const MeshlessBody* body_;
  ShapeRows anchors_;        // the samples, then the touching points
  std::vector<Vec3d> rest_;  // where they rest
  std::size_t first_touching_ = 0;
  std::vector<uint32_t> group_first_, group_;  // anchors of each node
  double share_ = 1;                           // w of a touching point
  double thickness_ = 0;  // inside, no place is farther from all anchors, however stretched
  double spread_ = 1;     // no anchor moves farther than this times the farthest of the nodes
};

struct ContactWeights {
  double obstacles = 1e2, bodies = 1e2;
  double margin = 0.01;  // in sizes
};

// A touching point of one body that is in another, or nearer than the margin: with the anchor's
// shape functions there, f_s(z) = sum (Phi_j + grad Phi_j . step) y_j to first order.
struct BodyMeeting {
  uint32_t moving = 0, other = 0;  // bodies
  uint32_t point = 0, anchor = 0;  // both among the anchors of their bodies
  Vec3d step{0, 0, 0};             // from the anchor to z, at rest
  Vec3d normal{0, 1, 0};           // out of the other body
  double in = 0;                   // e, m
};

// All bodies at one moment. Allocates only until its room has grown.
class ContactFrame {
 public:
  // places[b]: those of the nodes of body b. `margin`: the largest that will be asked for, in
  // sizes. `alone`: also bodies that have nobody near, for obstacles.
  void place(std::span<const ContactBody* const> bodies, std::span<const Vec3d* const> places,
             double margin, bool alone);

  // Adds the gradients where there are any; both return the energy.
  double add_obstacles(const Colliders& obstacles, const ContactWeights& weights,
                       std::span<Vec3d* const> gradients);
  double add_bodies(const ContactWeights& weights, std::span<Vec3d* const> gradients);

  // Who meets whom, for a margin in sizes; `list` is overwritten.
  void find_meetings(double margin, std::vector<BodyMeeting>& list) const;

  // The deepest that a touching point of a body is in an obstacle or another body, m.
  double depth(const Colliders& obstacles) const;

 private:
  struct Meeting {
    uint32_t anchor = 0;
    Vec3d z{0, 0, 0};
    Eigen::Matrix3d inverse;
    DistanceSlope found;
  };
  struct Sphere {
    Vec3d middle{0, 0, 0};
    double radius = 0;
  };
  double size_of(std::size_t s, std::size_t t) const {
    return 0.5 * (bodies_[s]->body().size + bodies_[t]->body().size);
  }
  void place_body(std::size_t b);
  bool is_list_good(double margin) const;
  void list_pairs(double margin);
  bool meet(std::size_t s, std::span<const uint32_t> near, const Vec3d& y, double reach,
            Meeting& meeting) const;
  void groups_near(std::size_t s, const Sphere& other, double reach) const;
  template <class Visit>
  void for_pairs(double margin, const Visit& visit) const;
  template <class Visit>
  void for_meetings(double margin, const Visit& visit) const;

  std::span<const ContactBody* const> bodies_;
  std::vector<const Vec3d*> places_;
  std::vector<std::size_t> first_;  // of each body's anchors
  std::vector<Vec3d> now_;          // anchors, all bodies
  std::vector<double> padded_;      // nodes of one body, four numbers each
  std::vector<Sphere> whole_, groups_;
  std::vector<std::size_t> first_group_;
  mutable std::vector<uint32_t> near_;  // groups, of groups_near
  // Pairs (s, t) in both orders that may be near, and where the nodes of all bodies were then.
  std::vector<std::pair<uint32_t, uint32_t>> pairs_;
  std::vector<uint8_t> has_pair_;  // by body
  std::vector<Vec3d> listed_;
  double listed_margin_ = -1, slack_ = 0;
};

}  // namespace sinew::kernels
