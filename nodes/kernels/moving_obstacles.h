// Obstacles over time, as bodies of all kinds meet them: where an obstacle is between two frames,
// and how far it has come there.
//
// Places go straight, turns the short way round, and sizes (of spheres, boxes, capsules) and grids
// of heights and distances evenly. A surface that swells is known to move: with d the signed
// distances before and now at the same place of the obstacle, its material has come by (d_before -
// d_now) along the normal n. So a ball that grows pushes as one that comes.
//
// An obstacle that is of another kind than before, or comes farther in a frame than
// `farthest_in_frame` sizes of what it meets, has not moved but was put there; and so have all if
// there are more or fewer than before. What was put there is at its new place from the beginning of
// the frame, and stands still.
#pragma once

#include <limits>
#include <vector>

#include "nodes/geometry/colliders.h"

namespace sinew::kernels {

inline constexpr double farthest_in_frame = 10;  // sizes of a body

// From one frame to the next. Points to both lists.
class ObstacleFrame {
 public:
  ObstacleFrame() = default;
  // `before` may be null: they stand still. `farthest`: m, beyond which one was put there.
  ObstacleFrame(const Colliders* before, const Colliders* now, double farthest);

  bool empty() const { return !now_ || now_->empty(); }
  // Whether anything moves or changes its size.
  bool moves() const;
  // Whether this one is where it was a frame ago, or has come from there.
  bool goes_on(std::size_t i) const;
  // At a part of the frame, 0 to 1; a little beyond, as they go on. Grids of different layouts have
  // nothing between them: there is the later one, or with `late` the earlier until the end.
  // Allocates nothing but for grids that change.
  void at(float part, Colliders& out, bool late = false) const;

  // How far the material of obstacle i that is at `place` has come, while the obstacle went from
  // `from` to `to`, the part `share` of its way in this frame.
  template <class Scalar>
  Eigen::Matrix<Scalar, 3, 1> moved(std::size_t i, const Collider& from, const Collider& to,
                                    double share, const Eigen::Matrix<Scalar, 3, 1>& place) const {
    using Vector = Eigen::Matrix<Scalar, 3, 1>;
    if (!goes_on(i)) return Vector::Zero();
    const Vector own =
        to.rotation.cast<Scalar>().conjugate() * (place - to.position.cast<Scalar>());
    const Vector way = place - (from.position.cast<Scalar>() + from.rotation.cast<Scalar>() * own);
    if (!swells(i)) return way;
    Vec3d normal;
    const double swollen = share * swelling(i, own.template cast<double>(), normal);
    return way + (swollen * (to.rotation.cast<double>() * normal)).template cast<Scalar>();
  }
  // The same over the whole frame, of material that is at `place` while the obstacle is at `at`.
  Vec3d moved(std::size_t i, const Collider& at, const Vec3d& place) const;

 private:
  bool swells(std::size_t i) const;
  // By how much it swells in the whole frame at a place in its own coordinates, m; `normal`: the
  // way there.
  double swelling(std::size_t i, const Vec3d& own, Vec3d& normal) const;

  const Colliders* before_ = nullptr;
  const Colliders* now_ = nullptr;
  double farthest_ = 0;
};

// Over many frames.
class ObstaclesInTime {
 public:
  ObstaclesInTime() = default;
  explicit ObstaclesInTime(Colliders still);
  // Times increase. `farthest`: m, as above.
  ObstaclesInTime(std::vector<double> times, std::vector<Colliders> lists,
                  double farthest = std::numeric_limits<double>::infinity());

  bool empty() const;
  bool moves() const { return lists_.size() > 1; }
  Colliders at(double time) const;

 private:
  std::vector<double> times_;
  std::vector<Colliders> lists_;
  double farthest_ = 0;
};

}  // namespace sinew::kernels
