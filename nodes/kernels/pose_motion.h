// A skeleton's recipe as functions of time: where its controls are at any moment. Made once for a
// recipe; a moment costs a few look-ups for each lead.
//
//   place_j(t) = rest_j + sum over its leads of [amount(s) by(s) + way since the start of its path]
//                       + sum over clips of amount(t - start) (clip_j(c) - rest_j)
// with s = t - delay and c = (t - start) speed, counted from the clip's end if it goes backwards
// and is not repeated; or the place on the last of its paths that it lies on exactly.
#pragma once

#include <memory>
#include <vector>

#include "nodes/geometry/pose_recipe.h"
#include "nodes/kernels/mls_joints.h"
#include "nodes/kernels/motion_path.h"

namespace sinew::kernels {

class PoseMotion {
 public:
  // The recipe must be sound.
  explicit PoseMotion(PoseRecipe recipe);

  const PoseRecipe& recipe() const { return recipe_; }
  const Skeleton& skeleton() const { return recipe_.skeleton; }
  // 1 for each joint that is led or held, else 0.
  const std::vector<uint8_t>& controls() const { return controls_; }
  // All joints, those that are no controls at rest. Places beyond all bounds are at the bound.
  Pose at(double t) const;
  // What keys of the node that made the recipe add to each joint, and whether that is all that they
  // say: no amount but 1 and no delay, so that a hand can change them.
  struct Keyed {
    std::vector<Vec3d> by;
    bool plain = true;
  };
  Keyed keyed_at(double t) const;
  // Whether any place depends on the time.
  bool moves() const { return moves_; }

  std::size_t bytes() const;

 private:
  struct Lead {
    uint32_t joint;
    std::array<ChartPieces, 3> by;
    ChartPieces amount;
    std::shared_ptr<const PathMotion> path;
    Vec3d path_start;
    bool on_path;
    double delay;
  };

  struct Clip {
    std::vector<std::pair<uint32_t, uint32_t>> joints;  // of the skeleton, and of the clip
    ChartPieces amount;
  };
  void add_clips(double t, Pose& pose) const;

  PoseRecipe recipe_;
  std::vector<uint8_t> controls_;
  std::vector<Lead> leads_;
  std::vector<Clip> clips_;
  bool moves_ = false;
};

// The joints at the moment of the pose, found with the standard exponent and from that moment
// alone: what is seen of a pose.
std::vector<JointPose> joints_now(const PosedSkeleton& pose, const PoseMotion& motion);

}  // namespace sinew::kernels
