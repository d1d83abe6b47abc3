#include "nodes/kernels/pose_motion.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "nodes/geometry/frame_slack.h"

namespace sinew::kernels {

namespace {

// s. Durations from files are floats, or decimals of a few digits.
constexpr double clip_slack = 1e-5;

bool is_steady(const Chart& chart) {
  return chart.tangents.empty() &&
         std::all_of(chart.points.begin(), chart.points.end(),
                     [&](const ChartPoint& p) { return p.y == chart.points.front().y; });
}

}  // namespace

PoseMotion::PoseMotion(PoseRecipe recipe) : recipe_(std::move(recipe)), controls_(recipe_.held) {
  for (const JointLead& lead : recipe_.leads) {
    controls_[lead.joint] = 1;
    Lead made{lead.joint,
              {ChartPieces(lead.by[0]), ChartPieces(lead.by[1]), ChartPieces(lead.by[2])},
              ChartPieces(lead.amount),
              nullptr,
              Vec3d::Zero(),
              lead.on_path,
              lead.delay};
    if (lead.path) {
      made.path = std::make_shared<const PathMotion>(*lead.path);
      made.path_start = made.path->at(lead.path->start).position;
    }
    moves_ |= lead.path.has_value() || !is_steady(lead.amount) ||
              !std::all_of(lead.by.begin(), lead.by.end(), is_steady);
    leads_.push_back(std::move(made));
  }
  std::map<std::string_view, uint32_t> number;
  for (uint32_t j = 0; j < skeleton().joint_count(); ++j) number[skeleton().joints[j].name] = j;
  for (const ClipLead& lead : recipe_.clips) {
    Clip made{{}, ChartPieces(lead.amount)};
    for (uint32_t k = 0; k < lead.clip->joint_count(); ++k) {
      const auto found = number.find(lead.clip->joints[k]);
      if (found == number.end()) continue;
      made.joints.emplace_back(found->second, k);
      controls_[found->second] = 1;
    }
    moves_ |= !made.joints.empty() && (lead.clip->times.size() > 1 || !is_steady(lead.amount));
    clips_.push_back(std::move(made));
  }
}

void PoseMotion::add_clips(double t, Pose& pose) const {
  for (std::size_t c = 0; c < clips_.size(); ++c) {
    const ClipLead& lead = recipe_.clips[c];
    const double duration = lead.clip->duration();
    const double amount = clips_[c].amount.evaluate(t - lead.start);
    double s = (t - lead.start) * lead.speed;
    if (lead.repeat && duration > 0) {
      s -= duration * rounds_over(s, duration, clip_slack * std::abs(lead.speed));
    } else if (lead.speed < 0) {
      s += duration;
    }
    for (const auto& [joint, column] : clips_[c].joints) {
      pose.places[joint] += amount * (lead.clip->place(column, s) - skeleton().rest(joint));
    }
  }
}

Pose PoseMotion::at(double t) const {
  Pose pose{recipe_.skeleton.rest_places(), controls_};
  for (const Lead& lead : leads_) {
    Vec3d& place = pose.places[lead.joint];
    const double s = t - lead.delay;
    const double amount = lead.amount.evaluate(s);
    place += amount * Vec3d(lead.by[0].evaluate(s), lead.by[1].evaluate(s), lead.by[2].evaluate(s));
    if (lead.path && !lead.on_path) place += lead.path->at(s).position - lead.path_start;
  }
  add_clips(t, pose);
  for (const Lead& lead : leads_) {
    if (lead.path && lead.on_path) {
      pose.places[lead.joint] = lead.path->at(t - lead.delay).position;
    }
  }
  for (Vec3d& place : pose.places) {
    place = place.cwiseMax(-farthest_joint).cwiseMin(farthest_joint);
  }
  return pose;
}

PoseMotion::Keyed PoseMotion::keyed_at(double t) const {
  Keyed keyed{std::vector<Vec3d>(skeleton().joint_count(), Vec3d::Zero())};
  for (std::size_t i = 0; i < leads_.size(); ++i) {
    if (!recipe_.leads[i].keyed) continue;
    const Lead& lead = leads_[i];
    const double s = t - lead.delay, amount = lead.amount.evaluate(s);
    keyed.plain = keyed.plain && lead.delay == 0 && amount == 1;
    keyed.by[lead.joint] +=
        amount * Vec3d(lead.by[0].evaluate(s), lead.by[1].evaluate(s), lead.by[2].evaluate(s));
  }
  return keyed;
}

std::size_t PoseMotion::bytes() const {
  std::size_t sum = sizeof *this + byte_size(recipe_.skeleton) + 2 * controls_.size();
  for (const JointLead& lead : recipe_.leads) {
    sum += sizeof lead + sizeof(Lead) + 4 * byte_size(lead.amount);
    for (const Chart& chart : lead.by) sum += 4 * byte_size(chart);
    if (lead.path) sum += 4 * byte_size(*lead.path);
  }
  return sum;
}

std::vector<JointPose> joints_now(const PosedSkeleton& pose, const PoseMotion& motion) {
  const MlsJoints joints =
      prepare_joints(pose.skeleton(), motion.controls(), {.alpha = standard_joint_alpha});
  return pose_joints(joints, motion.at(pose.time).places);
}

}  // namespace sinew::kernels
