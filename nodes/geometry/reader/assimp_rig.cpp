#include "nodes/geometry/reader/assimp_rig.h"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>

#include "nodes/geometry/file_names.h"
#include "nodes/geometry/format_error.h"
#include "nodes/geometry/reader/assimp_scene.h"

namespace sinew {

namespace {

using Eigen::Affine3d;

// Nodes that assimp makes of the pivots of an FBX have this in their names.
constexpr std::string_view pivot_mark = "_$AssimpFbx$_";

constexpr double default_ticks = 25;  // a second, where a file does not say

std::string_view view(const aiString& text) { return {text.data, text.length}; }

Affine3d affine(const aiMatrix4x4& m) {
  Affine3d frame = Affine3d::Identity();
  for (unsigned row = 0; row < 3; ++row) {
    for (unsigned column = 0; column < 4; ++column) frame(row, column) = double{m[row][column]};
  }
  return frame;
}

class Reader {
 public:
  explicit Reader(const aiScene& scene) : scene_(scene) {}

  // With `meshes`, what is bound to nodes counts.
  Rig read(bool meshes) {
    add_nodes(*scene_.mRootNode);
    const std::vector<Affine3d> frames = rest_frames(rig_);
    for (std::size_t n = 0; meshes && n < nodes_.size(); ++n) {
      for (unsigned i = 0; i < nodes_[n]->mNumMeshes; ++i) {
        add_bones(nodes_[n]->mMeshes[i], frames[n]);
      }
    }
    for (unsigned a = 0; a < scene_.mNumAnimations; ++a) {
      add_motion(*scene_.mAnimations[a]);
    }
    return std::move(rig_);
  }

 private:
  void add_nodes(const aiNode& root) {
    struct Open {
      const aiNode* node;
      uint32_t parent;
      int level;
    };
    std::vector<Open> open{{&root, no_node, 0}};
    while (!open.empty()) {
      const auto [node, parent, level] = open.back();
      open.pop_back();
      if (level > most_node_levels) throw FormatError("its nodes are nested too deeply");
      const auto number = static_cast<uint32_t>(rig_.nodes.size());
      const std::string_view name = view(node->mName);
      RigNode made;
      made.name = name;
      made.parent = parent;
      made.rest = affine(node->mTransformation);
      made.parts = RigParts::of(made.rest);
      made.has_mesh = node->mNumMeshes > 0;
      made.made = parent == no_node || name.find(pivot_mark) != std::string_view::npos;
      rig_.nodes.push_back(std::move(made));
      nodes_.push_back(node);
      by_name_.emplace(name,
                       number);  // bones and channels name nodes: the first of a name is meant
      for (unsigned c = node->mNumChildren; c-- > 0;) {
        open.push_back({node->mChildren[c], number, level + 1});
      }
    }
  }

  void add_bones(unsigned index, const Affine3d& mesh_frame) {
    const aiMesh& mesh = *scene_.mMeshes[index];
    for (unsigned b = 0; b < mesh.mNumBones; ++b) {
      const aiBone& bone = *mesh.mBones[b];
      const auto found = by_name_.find(view(bone.mName));
      if (found == by_name_.end()) continue;
      rig_.binds.push_back(
          {found->second, index, bind_frame(mesh_frame, affine(bone.mOffsetMatrix))});
      for (unsigned w = 0; w < bone.mNumWeights; ++w) {
        const aiVertexWeight& weight = bone.mWeights[w];
        if (weight.mVertexId >= mesh.mNumVertices) {
          throw FormatError(fmt::format("a bone moves vertex {}, but there are only {}",
                                        weight.mVertexId, mesh.mNumVertices));
        }
        if (!(weight.mWeight > 0.5f)) continue;
        const aiVector3D& p = mesh.mVertices[weight.mVertexId];
        const Vec3d place = mesh_frame * Vec3d(p.x, p.y, p.z);
        rig_.holds.push_back({found->second, place.cast<float>(), weight.mWeight});
      }
    }
  }

  void add_motion(const aiAnimation& animation) {
    const double ticks = animation.mTicksPerSecond > 0 ? animation.mTicksPerSecond : default_ticks;
    RigMotion motion{std::string(view(animation.mName)), {}};
    const auto vector = [](const aiVector3D& v) { return Eigen::Vector4d(v.x, v.y, v.z, 0); };
    const auto turn = [](const aiQuaternion& q) { return Eigen::Vector4d(q.x, q.y, q.z, q.w); };
    for (unsigned c = 0; c < animation.mNumChannels; ++c) {
      const aiNodeAnim& channel = *animation.mChannels[c];
      const auto found = by_name_.find(view(channel.mNodeName));
      if (found == by_name_.end()) continue;
      if (found->second == 0) rig_.nodes[0].made = false;  // this root is one of the file's nodes
      const auto add = [&](RigPart part, unsigned count, const auto* keys, const auto& value) {
        if (count == 0) return;
        RigCurve curve;
        curve.node = found->second;
        curve.part = part;
        for (unsigned k = 0; k < count; ++k) {
          curve.times.push_back(keys[k].mTime / ticks);
          curve.values.push_back(value(keys[k].mValue));
        }
        motion.curves.push_back(std::move(curve));
      };
      add(RigPart::translation, channel.mNumPositionKeys, channel.mPositionKeys, vector);
      add(RigPart::rotation, channel.mNumRotationKeys, channel.mRotationKeys, turn);
      add(RigPart::scale, channel.mNumScalingKeys, channel.mScalingKeys, vector);
      if (!motion.curves.empty() && motion.curves.back().node == found->second) {
        still_pivots(found->second, motion);
      }
    }
    rig_.motions.push_back(std::move(motion));
  }

  // A channel of a node itself, not of one of its pivots, is all of its frame, with what its pivots
  // do; so those do nothing else.
  void still_pivots(uint32_t node, RigMotion& motion) const {
    const std::string mark = rig_.nodes[node].name + std::string(pivot_mark);
    const double time = motion.curves.back().times[0];
    const auto is_pivot = [&](uint32_t n) {
      return n != no_node && rig_.nodes[n].name.starts_with(mark);
    };
    for (uint32_t n = rig_.nodes[node].parent; is_pivot(n); n = rig_.nodes[n].parent) {
      motion.curves.push_back({n, RigPart::translation, RigWay::linear, {time}, {{0, 0, 0, 0}}});
      motion.curves.push_back({n, RigPart::rotation, RigWay::linear, {time}, {{0, 0, 0, 1}}});
      motion.curves.push_back({n, RigPart::scale, RigWay::linear, {time}, {{1, 1, 1, 0}}});
    }
  }

  const aiScene& scene_;
  Rig rig_;
  std::vector<const aiNode*> nodes_;
  std::unordered_map<std::string_view, uint32_t> by_name_;
};

}  // namespace

Rig read_assimp_rig(const std::filesystem::path& path) {
  // Never freed: this process is about to end, and a damaged scene may not be in order.
  Assimp::Importer& importer = *new Assimp::Importer;
  // A BVH has no mesh: assimp draws its bones as one, and not quite where they are.
  const bool meshes = ending_of(path) != "bvh";
  return Reader(read_scene(importer, path)).read(meshes);
}

}  // namespace sinew
