// Skeletons and their motions from files: glTF (.gltf, .glb), FBX, Collada (.dae) and BVH.
//
// glTF is read by ourselves (gltf_rig.h), because assimp forgets whether a curve steps or is a
// spline and does not check what a skin refers to; the others come through assimp
// (foreign_files.h). What is a joint, and where it is at rest, is told in rig_joints.h; how clips
// are sampled, in rig_motion.h. The joints lie where load_mesh puts the mesh of the same file, if
// both are given the same options; like it, this takes neither units nor the axis that points up
// from the file.
//
// Bones join each joint to its parent and have the joint's name. Joints that are always at the
// place of their parent, at rest and in all clips, are one with it. A clip begins at its first key,
// and those that move no joint are left out.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "nodes/geometry/mesh_io.h"
#include "nodes/geometry/skeleton.h"
#include "nodes/geometry/skeleton_clip.h"

namespace sinew {

struct SkeletonFile {
  Skeleton skeleton;
  std::vector<SkeletonClip> clips;  // of the skeleton's joints; names are unique and never empty
};

inline constexpr std::size_t most_clips = 1000;
// In all clips of a file together: 400 MB. Clips get fewer samples where there would be more.
inline constexpr std::size_t most_clip_places = std::size_t{1} << 24;

// The format is taken from the file's ending; of the options, those for meshes do not count. Throws
// FileError or Stopped.
SkeletonFile load_skeleton(const std::filesystem::path& path, const LoadOptions& options = {},
                           CancelView cancel = {});

// Endings in lower case, without the dot.
std::vector<std::string> skeleton_endings();

}  // namespace sinew
