#include "nodes/geometry/skeleton_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "nodes/geometry/file_names.h"
#include "nodes/geometry/foreign_files.h"
#include "nodes/geometry/format_error.h"
#include "nodes/geometry/gltf_rig.h"
#include "nodes/geometry/naming_file.h"
#include "nodes/geometry/rig_joints.h"
#include "nodes/geometry/rig_motion.h"

namespace sinew {

namespace {

Rig read_rig(const std::filesystem::path& path, CancelView cancel) {
  const std::string ending = ending_of(path);
  const std::vector<std::string> endings = skeleton_endings();
  if (std::find(endings.begin(), endings.end(), ending) == endings.end()) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) throw FormatError("no such file");
    if (std::filesystem::is_directory(path, error)) throw FormatError("it is a directory");
    throw FormatError(
        fmt::format("skeletons are read from files ending in .{}", fmt::join(endings, ", .")));
  }
  const bool is_gltf = ending == "gltf" || ending == "glb";
  Rig rig = is_gltf ? read_gltf_rig(path, cancel) : read_foreign_rig(path, cancel);
  check_rig(rig);
  return rig;
}

// As load_mesh does it to vertices: y up to z up, (x, y, z) becomes (x, -z, y); back: (x, z, -y).
Vec3d adapted(const Vec3d& p, const LoadOptions& options) {
  if (options.file_up == options.target_up) return p * options.scale;
  const double sign = options.target_up == UpAxis::z ? -1 : 1;
  return Vec3d(p[0], sign * p[2], -sign * p[1]) * options.scale;
}

std::vector<SkeletonClip> make_clips(const Rig& rig, const RigJoints& joints, CancelView cancel) {
  if (rig.motions.size() > most_clips) {
    throw FormatError(
        fmt::format("it has {} clips; at most {} are read", rig.motions.size(), most_clips));
  }
  std::vector<RigPoint> points;
  for (const RigJoint& joint : joints.list) points.push_back(joint.point);
  std::vector<SkeletonClip> clips;
  if (points.empty() || rig.motions.empty()) return clips;
  const std::size_t most =
      std::min(most_samples, most_clip_places / (points.size() * rig.motions.size()));
  std::vector<std::string> names;
  for (const RigMotion& motion : rig.motions) {
    RigSamples samples = sample_motion(rig, motion, points, joints.space, most, cancel);
    if (samples.times.empty()) continue;
    clips.push_back({{}, std::move(samples.times), std::move(samples.places), {}});
    names.push_back(tidy_name(motion.name));
  }
  make_names_unique(names, "clip");
  for (std::size_t c = 0; c < clips.size(); ++c) clips[c].name = names[c];
  return clips;
}

// For each joint, the one that it is one with: itself, or one above that is always at its place.
std::vector<uint32_t> find_twins(const RigJoints& joints, const std::vector<SkeletonClip>& clips) {
  const std::size_t count = joints.list.size();
  Eigen::AlignedBox3d box;
  for (const RigJoint& joint : joints.list) box.extend(joint.rest);
  const double same = count == 0 ? 0 : 1e-6 * box.diagonal().norm();
  const auto always_there = [&](std::size_t j, std::size_t parent) {
    if ((joints.list[j].rest - joints.list[parent].rest).norm() > same) return false;
    return std::all_of(clips.begin(), clips.end(), [&](const SkeletonClip& clip) {
      for (std::size_t at = 0; at < clip.places.size(); at += count) {
        if (!((clip.places[at + j] - clip.places[at + parent]).norm() <= same)) return false;
      }
      return true;
    });
  };
  std::vector<uint32_t> twin(count);
  for (uint32_t j = 0; j < count; ++j) {
    const uint32_t parent = joints.list[j].parent;
    twin[j] = parent != no_node && always_there(j, parent) ? twin[parent] : j;
  }
  return twin;
}

SkeletonFile assemble(const RigJoints& joints, std::vector<SkeletonClip> clips) {
  const std::vector<uint32_t> twin = find_twins(joints, clips);
  const auto count = static_cast<uint32_t>(joints.list.size());
  SkeletonFile file;
  std::vector<uint32_t> number(count, no_node);
  std::vector<uint8_t>
      bound;  // of two that are one, the name of the one that moves vertices counts
  for (uint32_t j = 0; j < count; ++j) {
    const RigJoint& joint = joints.list[j];
    if (twin[j] == j) {
      number[j] = static_cast<uint32_t>(file.skeleton.joints.size());
      file.skeleton.joints.push_back({joint.name, joint.rest});
      bound.push_back(joint.bound);
      if (joint.parent == no_node) continue;
      file.skeleton.bones.push_back({{}, {number[twin[joint.parent]], number[j]}});
    } else if (joint.bound && !bound[number[twin[j]]]) {
      file.skeleton.joints[number[twin[j]]].name = joint.name;
      bound[number[twin[j]]] = 1;
    }
  }
  for (SkeletonBone& bone : file.skeleton.bones) {
    bone.name = file.skeleton.joints[bone.joints[1]].name;
  }
  for (SkeletonClip& clip : clips) {
    std::vector<Vec3d> places;
    places.reserve(file.skeleton.joint_count() * clip.times.size());
    for (std::size_t i = 0; i < clip.places.size(); ++i) {
      if (number[i % count] != no_node) places.push_back(clip.places[i]);
    }
    clip.places = std::move(places);
    for (const SkeletonJoint& joint : file.skeleton.joints) clip.joints.push_back(joint.name);
  }
  file.clips = std::move(clips);
  return file;
}

SkeletonFile read(const std::filesystem::path& path, const LoadOptions& options,
                  CancelView cancel) {
  if (options.scale == 0 || !std::isfinite(options.scale)) {
    throw FormatError(fmt::format("the scale must be finite and not 0, but is {}", options.scale));
  }
  const Rig rig = read_rig(path, cancel);
  const RigJoints joints = find_joints(rig);
  SkeletonFile file = assemble(joints, make_clips(rig, joints, cancel));
  if (file.skeleton.bones.empty()) {
    throw FormatError(
        "there is no skeleton in it: a mesh that is bound to bones, or animated nodes below one "
        "another, would be one");
  }
  for (SkeletonJoint& joint : file.skeleton.joints) joint.place = adapted(joint.place, options);
  for (SkeletonClip& clip : file.clips) {
    for (Vec3d& place : clip.places) place = adapted(place, options);
  }
  if (const auto wrong = validate(file.skeleton)) throw FormatError(*wrong);
  for (const SkeletonClip& clip : file.clips) {
    if (const auto wrong = validate(clip)) {
      throw FormatError(fmt::format("clip '{}': {}", clip.name, *wrong));
    }
  }
  return file;
}

}  // namespace

SkeletonFile load_skeleton(const std::filesystem::path& path, const LoadOptions& options,
                           CancelView cancel) {
  SkeletonFile loaded = naming_file(path, [&] { return read(path, options, cancel); });
  cancel.check();  // a small file is read without a look at it
  return loaded;
}

std::vector<std::string> skeleton_endings() { return {"bvh", "dae", "fbx", "glb", "gltf"}; }

}  // namespace sinew
