#include "nodes/geometry/gltf_clip.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nodes/geometry/file_names.h"
#include "nodes/geometry/foreign_files.h"
#include "nodes/geometry/format_error.h"
#include "nodes/geometry/gltf_file.h"
#include "nodes/geometry/gltf_shapes.h"
#include "nodes/geometry/join.h"
#include "nodes/geometry/naming_file.h"
#include "nodes/geometry/parallel.h"
#include "nodes/geometry/rig_joints.h"
#include "nodes/geometry/rig_motion.h"

namespace sinew {

namespace {

using Eigen::Affine3d;

struct Scene {
  Rig rig;
  GltfShapes shapes;
  Affine3d space = Affine3d::Identity();  // from where the joints are to where the mesh is
};

Scene read_scene_of(GltfFile& file, CancelView cancel) {
  Scene scene;
  GltfNodes nodes;
  scene.rig = read_gltf_rig(file, nodes, cancel);
  check_rig(scene.rig);
  scene.shapes = read_gltf_shapes(file, nodes, cancel);
  if (scene.shapes.vertices == 0) throw FormatError("there are no vertices in it");
  if (!scene.shapes.skins.empty()) scene.space = find_joints(scene.rig).space;
  return scene;
}

// The nodes whose frames move vertices.
std::vector<uint32_t> nodes_that_carry(const GltfShapes& shapes) {
  std::vector<uint32_t> nodes;
  for (const GltfPlaced& placed : shapes.placed) nodes.push_back(placed.node);
  for (const GltfSkin& skin : shapes.skins) {
    nodes.insert(nodes.end(), skin.joints.begin(), skin.joints.end());
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

// Which animation is meant, by name, or else by number, of those that move a vertex.
std::size_t find_clip(const Scene& scene, std::span<const uint32_t> carry,
                      const std::string& wanted, std::string& name) {
  std::vector<uint8_t> carries(scene.rig.nodes.size(), 0);
  for (uint32_t n : carry) {
    for (; n != no_node && !carries[n]; n = scene.rig.nodes[n].parent) carries[n] = 1;
  }
  std::vector<std::size_t> clips;
  std::vector<std::string> names;
  for (std::size_t a = 0; a < scene.rig.motions.size(); ++a) {
    const std::vector<RigCurve>& curves = scene.rig.motions[a].curves;
    const bool moves = std::any_of(curves.begin(), curves.end(),
                                   [&](const RigCurve& curve) { return carries[curve.node]; });
    if (!moves && scene.shapes.weights[a].empty()) continue;
    clips.push_back(a);
    names.push_back(tidy_name(scene.rig.motions[a].name));
  }
  if (clips.empty()) {
    throw FormatError(
        "there is no motion in it: an animation of its meshes by nodes, joints or morph targets "
        "would be one");
  }
  make_names_unique(names, "clip");
  std::size_t found = 0;
  if (!wanted.empty()) {
    found = static_cast<std::size_t>(std::find(names.begin(), names.end(), wanted) - names.begin());
    for (std::size_t i = 0; found == names.size() && i < names.size(); ++i) {
      if (wanted == std::to_string(i + 1)) found = i;
    }
    if (found == names.size()) {
      names.resize(std::min<std::size_t>(names.size(), 20));
      throw FormatError(
          fmt::format("there is no clip '{}'; there are {}", wanted, fmt::join(names, ", ")));
    }
  }
  name = names[found];
  return clips[found];
}

// All that moves the vertices of one clip.
class Mover {
 public:
  Mover(const Scene& scene, std::span<const uint32_t> carry, std::size_t clip)
      : scene_(scene),
        weights_(scene.shapes.weights[clip]),
        nodes_(scene.rig, scene.rig.motions[clip], carry) {}

  struct Room {
    std::vector<Affine3d> frames;
    std::vector<double> weights;
    std::vector<Eigen::Matrix<double, 3, 4>> joints;
  };

  std::vector<double> times(double frame, std::size_t most, CancelView cancel) const;
  // The vertices `which`, increasing numbers of all that is placed.
  void place(double seconds, std::span<const uint32_t> which, Room& room, Vec3f* out) const;

 private:
  struct Bend {
    double turn;
    bool any;  // whether vertices go another way than straight
  };
  Bend bend(double from, double to) const;
  const std::vector<double>& weights_of(const GltfPlaced& placed, double seconds, Room& room) const;
  void find_joints(const GltfSkin& skin, const Affine3d& node, Room& room) const;

  const Scene& scene_;
  const std::vector<GltfWeights>& weights_;
  RigMover nodes_;
};

Mover::Bend Mover::bend(double from, double to) const {
  const RigMover::Change change = nodes_.change(from, to);
  bool any = change.bends || change.turn > 1e-9;
  for (const GltfWeights& curve : weights_) {
    any |= curve.way == RigWay::cubic && curve.times.size() > 1;
  }
  return {change.turn, any};
}

std::vector<double> Mover::times(double frame, std::size_t most, CancelView cancel) const {
  std::vector<double> keys = nodes_.keys();
  for (const GltfWeights& curve : weights_) {
    keys.insert(keys.end(), curve.times.begin(), curve.times.end());
    for (std::size_t k = 1; curve.way == RigWay::step && k < curve.times.size(); ++k) {
      keys.push_back(before_jump(curve.times[k - 1], curve.times[k]));
    }
  }
  keys = apart(std::move(keys));
  const double begin = keys.front(), length = keys.back() - begin;
  std::vector<double> all = keys;
  if (frame > 0 && keys.size() < most && length / frame < static_cast<double>(most)) {
    // Files round times: a frame that is nearly at a key is that key.
    const double near = 1e-3 * frame;
    for (std::size_t k = 0; k + 1 < keys.size(); ++k) {
      if (k % 64 == 0) cancel.check();
      if (!bend(keys[k], keys[k + 1]).any) continue;
      for (double f = std::ceil((keys[k] + near - begin) / frame);
           begin + f * frame < keys[k + 1] - near; ++f) {
        all.push_back(begin + f * frame);
      }
    }
    all = apart(std::move(all));
  }
  return spread(all, most, cancel, [&](double from, double to) {
    return static_cast<std::size_t>(
        std::clamp(std::ceil(bend(from, to).turn / coarsest_turn), 1.0, 1e9));
  });
}

const std::vector<double>& Mover::weights_of(const GltfPlaced& placed, double seconds,
                                             Room& room) const {
  for (const GltfWeights& curve : weights_) {
    if (curve.node != placed.node) continue;
    curve.at(seconds, room.weights);
    return room.weights;
  }
  return placed.weights;
}

// What each joint of a skin does to a vertex, and behind them what the node does to one that hangs
// on no joint.
void Mover::find_joints(const GltfSkin& skin, const Affine3d& node, Room& room) const {
  room.joints.clear();
  for (std::size_t j = 0; j < skin.joints.size(); ++j) {
    const Affine3d& frame = room.frames[nodes_.frame_of(skin.joints[j])];
    room.joints.push_back((scene_.space * frame * skin.inverse[j]).matrix().topRows<3>());
  }
  room.joints.push_back(node.matrix().topRows<3>());
}

void Mover::place(double seconds, std::span<const uint32_t> which, Room& room, Vec3f* out) const {
  room.frames.resize(nodes_.frame_count());
  nodes_.frames(seconds, Affine3d::Identity(), room.frames);
  std::size_t first = 0, at = 0;  // the first vertex of a part, and the next one to be placed
  for (const GltfPlaced& placed : scene_.shapes.placed) {
    const GltfPart& part = scene_.shapes.parts[placed.part];
    const std::size_t end = first + part.places.size();
    const bool skinned = placed.skin != no_skin && part.joints_each > 0;
    const Affine3d& node = room.frames[nodes_.frame_of(placed.node)];
    if (skinned) find_joints(scene_.shapes.skins[placed.skin], node, room);
    const std::vector<double>& weights = weights_of(placed, seconds, room);
    for (; at < which.size() && which[at] < end; ++at) {
      const std::size_t v = which[at] - first;
      Vec3d p = part.places[v].cast<double>();
      for (std::size_t k = 0; k < part.targets.size(); ++k) {
        if (weights[k] == 0 || part.targets[k].empty()) continue;
        p += weights[k] * part.targets[k][v].cast<double>();
      }
      if (!skinned) {
        out[at] = (node * p).cast<float>();
        continue;
      }
      Eigen::Matrix<double, 3, 4> mean = Eigen::Matrix<double, 3, 4>::Zero();
      bool hangs = false;
      for (std::size_t i = v * part.joints_each; i < (v + 1) * part.joints_each; ++i) {
        if (part.shares[i] == 0) continue;
        mean += static_cast<double>(part.shares[i]) * room.joints[part.joints[i]];
        hangs = true;
      }
      if (!hangs) mean = room.joints.back();
      out[at] = (mean * p.homogeneous()).cast<float>();
    }
    first = end;
  }
}

// Which vertices the mesh has, of all that are placed. What assimp has is what load_mesh gives.
std::vector<uint32_t> vertices_of_mesh(const std::filesystem::path& path, const Scene& scene,
                                       std::size_t wanted, CancelView cancel) {
  const std::vector<Vec3f> all = read_foreign_mesh(path, cancel).positions;
  const std::vector<Affine3d> frames = rest_frames(scene.rig);
  Eigen::AlignedBox3f box;
  for (const Vec3f& p : all) box.extend(p);
  const float near = 1e-3f * box.diagonal().norm() +
                     1e-5f * std::max(box.min().cwiseAbs().maxCoeff(), box.max().norm());
  bool same = all.size() == scene.shapes.vertices;
  std::size_t at = 0;
  for (std::size_t i = 0; same && i < scene.shapes.placed.size(); ++i) {
    const GltfPlaced& placed = scene.shapes.placed[i];
    for (const Vec3f& p : scene.shapes.parts[placed.part].places) {
      same &= ((frames[placed.node] * p.cast<double>()).cast<float>() - all[at++]).norm() <= near;
    }
  }
  if (!same) throw FormatError("its meshes have features that are not read where they move");
  std::vector<uint32_t> which = join_identical(all).kept;
  if (which.size() == wanted) return which;
  if (all.size() != wanted) {
    throw FormatError(fmt::format(
        "it has {} vertices{}, but the mesh has {}; load the mesh from this file", which.size(),
        which.size() == all.size() ? "" : fmt::format(", {} if none are joined", all.size()),
        wanted));
  }
  which.resize(all.size());
  std::iota(which.begin(), which.end(), 0u);
  return which;
}

VertexClip read(const std::filesystem::path& path, const VertexClipOptions& options,
                CancelView cancel) {
  GltfFile file(path, cancel);
  const Scene scene = read_scene_of(file, cancel);
  const std::vector<uint32_t> carry = nodes_that_carry(scene.shapes);
  VertexClip clip;
  const std::size_t number = find_clip(scene, carry, options.name, clip.name);
  const std::vector<uint32_t> which = vertices_of_mesh(path, scene, options.vertices, cancel);
  clip.points = which.size();
  const std::size_t most =
      std::max<std::size_t>(2, std::min(most_samples, most_vertex_places / clip.points));
  const Mover mover(scene, carry, number);
  clip.times = mover.times(options.frame, most, cancel);
  clip.places.resize(clip.points * clip.times.size());
  parallel_blocks(
      clip.times.size(),
      [&](std::size_t begin, std::size_t end) {
        Mover::Room room;
        for (std::size_t k = begin; k < end && !cancel(); ++k) {
          mover.place(clip.times[k], which, room, clip.places.data() + clip.points * k);
        }
      },
      4);
  cancel.check();
  const double first = clip.times.front();
  for (double& time : clip.times) time -= first;
  const auto bad = std::find_if(clip.places.begin(), clip.places.end(),
                                [](const Vec3f& p) { return !p.allFinite(); });
  if (bad != clip.places.end()) {
    const auto i = static_cast<std::size_t>(bad - clip.places.begin());
    throw FormatError(fmt::format("clip '{}': vertex {} is too far away at {:.6g} s", clip.name,
                                  i % clip.points, clip.times[i / clip.points]));
  }
  return clip;
}

}  // namespace

VertexClip load_vertex_clip(const std::filesystem::path& path, const VertexClipOptions& options,
                            CancelView cancel) {
  return naming_file(path, [&] {
    const std::vector<std::string> endings = vertex_clip_endings();
    if (std::find(endings.begin(), endings.end(), ending_of(path)) == endings.end())
      throw FormatError("clips of meshes are read from files ending in .glb or .gltf");
    return read(path, options, cancel);
  });
}

std::vector<std::string> vertex_clip_endings() { return {"glb", "gltf"}; }

}  // namespace sinew
