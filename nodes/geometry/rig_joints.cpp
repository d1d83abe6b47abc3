#include "nodes/geometry/rig_joints.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "nodes/geometry/format_error.h"
#include "nodes/geometry/skeleton.h"

namespace sinew {

namespace {

using Eigen::Affine3d;

constexpr std::size_t most_nodes = 16 * most_joints;  // on the ways from the joints to the roots

uint32_t common_ancestor(const Rig& rig, uint32_t a, uint32_t b) {
  while (a != b) {  // parents have smaller numbers
    if (a == no_node || b == no_node) return no_node;
    (a > b ? a : b) = rig.nodes[std::max(a, b)].parent;
  }
  return a;
}

// Marks the nodes from which joints of one skin hang together.
void mark_common(const Rig& rig, const std::vector<uint32_t>& nodes, std::vector<uint8_t>& joint) {
  if (nodes.empty()) return;
  uint32_t common = nodes[0];
  for (const uint32_t n : nodes) common = common_ancestor(rig, common, n);
  if (common != no_node && !rig.nodes[common].made) joint[common] = 1;
}

// Marks the nodes between two joints.
void mark_between(const Rig& rig, std::vector<uint8_t>& joint) {
  std::vector<uint32_t> way;
  for (uint32_t n = 0; n < rig.nodes.size(); ++n) {
    if (!joint[n]) continue;
    way.clear();
    uint32_t above = rig.nodes[n].parent;
    for (; above != no_node && !joint[above]; above = rig.nodes[above].parent) way.push_back(above);
    if (above == no_node) continue;
    for (const uint32_t w : way) joint[w] = !rig.nodes[w].made;
  }
}

// Marks a node that ends a bone: the only one below a joint that has no joints below it.
void mark_tails(const Rig& rig, const std::vector<Affine3d>& now, std::vector<uint8_t>& joint) {
  const auto count = static_cast<uint32_t>(rig.nodes.size());
  std::vector<uint32_t> below(count, 0);       // how many nodes that readers have not made
  std::vector<uint32_t> last(count, no_node);  // one of them
  std::vector<uint8_t> has_joint(count, 0);
  for (uint32_t n = count; n-- > 0;) {  // children before parents
    const uint32_t parent = rig.nodes[n].parent;
    if (parent == no_node) continue;
    const bool made = rig.nodes[n].made;
    below[parent] += below[n] + (made ? 0 : 1);
    if (!made || last[n] != no_node) last[parent] = made ? last[n] : n;
    has_joint[parent] |= has_joint[n] | joint[n];
  }
  for (uint32_t n = 0; n < count; ++n) {
    if (!joint[n] || has_joint[n] || below[n] != 1 || rig.nodes[last[n]].has_mesh) continue;
    joint[last[n]] = now[last[n]].translation() != now[n].translation();
  }
}

std::vector<uint8_t> choose(const Rig& rig, const std::vector<Affine3d>& now) {
  std::vector<uint8_t> joint(rig.nodes.size(), 0);
  std::map<uint32_t, std::vector<uint32_t>> groups;  // by skin
  for (const RigBind& bind : rig.binds) groups[bind.skin].push_back(bind.node);
  for (const auto& [skin, nodes] : groups) {
    for (const uint32_t n : nodes) joint[n] = 1;
    mark_common(rig, nodes, joint);
  }
  if (groups.empty()) {
    std::vector<uint32_t> animated;
    for (const RigMotion& motion : rig.motions) {
      for (const RigCurve& curve : motion.curves) animated.push_back(curve.node);
    }
    for (const uint32_t n : animated) joint[n] = 1;
    mark_common(rig, animated, joint);
    for (uint32_t n = 0; n < rig.nodes.size(); ++n) {
      const uint32_t parent = rig.nodes[n].parent;
      if (parent != no_node && joint[parent]) joint[n] = 1;
    }
    // A pivot is animated in place of the node that it belongs to, which is below it.
    for (uint32_t n = 0; n < rig.nodes.size(); ++n) joint[n] &= !rig.nodes[n].made;
  }
  mark_tails(rig, now, joint);
  mark_between(rig, joint);
  return joint;
}

void check_counts(const Rig& rig, const std::vector<uint8_t>& joint) {
  const auto count = static_cast<std::size_t>(std::count(joint.begin(), joint.end(), 1));
  if (count > most_joints) {
    throw FormatError(fmt::format("it has {} joints; at most {} are read", count, most_joints));
  }
  std::vector<uint8_t> counted(rig.nodes.size(), 0);
  std::size_t nodes = 0;
  for (uint32_t n = 0; n < rig.nodes.size(); ++n) {
    if (!joint[n]) continue;
    for (uint32_t up = n; up != no_node && !counted[up]; up = rig.nodes[up].parent) {
      counted[up] = 1;
      ++nodes;
    }
  }
  if (nodes > most_nodes) {
    throw FormatError(
        fmt::format("{} nodes carry its joints; at most {} are read", nodes, most_nodes));
  }
}

uint32_t joint_above(const Rig& rig, const std::vector<uint8_t>& joint, uint32_t node) {
  uint32_t above = rig.nodes[node].parent;
  while (above != no_node && !joint[above]) above = rig.nodes[above].parent;
  return above;
}

// Frames of the joints where the meshes were bound, in the space of the meshes.
using Frames = std::vector<std::optional<Affine3d>>;

// Joints between bound ones are where they would be if only what is bound had been moved: after
// the joint above, or else before one below. `now` are the frames in the file.
void fill_frames(const Rig& rig, const std::vector<uint8_t>& joint,
                 const std::vector<Affine3d>& now, Frames& frames) {
  const auto is_sound = [](const Affine3d& f) { return f.matrix().allFinite(); };
  const auto fill_from_above = [&] {
    for (uint32_t n = 0; n < rig.nodes.size(); ++n) {
      if (!joint[n] || frames[n]) continue;
      const uint32_t above = joint_above(rig, joint, n);
      if (above == no_node || !frames[above]) continue;
      const Affine3d frame = *frames[above] * now[above].inverse() * now[n];
      if (is_sound(frame)) frames[n] = frame;
    }
  };
  fill_from_above();
  for (uint32_t n = static_cast<uint32_t>(rig.nodes.size()); n-- > 0;) {
    if (!joint[n] || !frames[n]) continue;
    const uint32_t above = joint_above(rig, joint, n);
    if (above == no_node || frames[above]) continue;
    const Affine3d frame = *frames[n] * now[n].inverse() * now[above];
    if (is_sound(frame)) frames[above] = frame;
  }
  fill_from_above();
  for (uint32_t n = 0; n < rig.nodes.size(); ++n) {
    if (joint[n] && !frames[n]) frames[n] = now[n];
  }
}

double extent(const std::vector<Vec3d>& points) {
  Eigen::AlignedBox3d box;
  for (const Vec3d& p : points) box.extend(p);
  return points.empty() ? 0 : box.diagonal().norm();
}

// What takes the nodes of the file to where the meshes are. Where the nodes are as they were bound,
// every bind says the same. Where they are posed, meshes and nodes are taken to share a space,
// which is so for FBX by definition and for glTF by custom, unless that is out of the question;
// then the topmost bind says it.
Affine3d find_space(const Rig& rig, const std::vector<Affine3d>& now, const Frames& frames) {
  struct Pair {
    Affine3d space;
    Vec3d bound, here;
  };
  std::vector<Pair> pairs;
  std::vector<Vec3d> bound, here;
  for (uint32_t n = 0; n < rig.nodes.size(); ++n) {
    if (!frames[n]) continue;
    const Affine3d space = *frames[n] * now[n].inverse();
    if (!space.matrix().allFinite()) continue;
    pairs.push_back({space, frames[n]->translation(), now[n].translation()});
    bound.push_back(pairs.back().bound);
    here.push_back(pairs.back().here);
  }
  if (pairs.empty()) return Affine3d::Identity();
  constexpr double same = 1e-3;
  const double size = extent(bound), size_here = extent(here);
  const auto fits = [&](const Affine3d& space) {
    return std::all_of(pairs.begin(), pairs.end(), [&](const Pair& pair) {
      return (space.linear() - pair.space.linear()).norm() <= same * space.linear().norm() &&
             (space * pair.here - pair.bound).norm() <= same * std::max(size, size_here);
    });
  };
  const Affine3d identity = Affine3d::Identity();
  if (fits(identity)) return identity;  // no rounding where none is needed
  if (fits(pairs[0].space)) return pairs[0].space;
  double off = 0;
  for (const Pair& pair : pairs) off += (pair.here - pair.bound).norm();
  off /= static_cast<double>(pairs.size());
  const bool same_size = size_here > 0.5 * size && size_here < 2 * size;
  return same_size && off <= 0.5 * size ? identity : pairs[0].space;
}

// Where the end of a joint without children is, if the vertices that follow it have a clear side.
std::optional<Vec3d> find_end(const Vec3d& joint, double bone, double size,
                              const std::vector<const RigHold*>& holds) {
  Vec3d mean = Vec3d::Zero();
  double weight = 0, square = 0;
  for (const RigHold* hold : holds) {
    const Vec3d way = hold->place.cast<double>() - joint;
    mean += hold->weight * way;
    square += hold->weight * way.squaredNorm();
    weight += hold->weight;
  }
  if (!(weight > 0)) return std::nullopt;
  mean /= weight;
  const double length = mean.norm(), spread = std::sqrt(square / weight);
  if (length < 0.3 * spread || length < std::max(0.05 * bone, 1e-3 * size)) return std::nullopt;
  const Vec3d side = mean / length;
  double reach = 0;
  for (const RigHold* hold : holds) {
    reach = std::max(reach, side.dot(hold->place.cast<double>() - joint));
  }
  return Vec3d(joint + std::min(2 * length, reach) * side);
}

void add_ends(const Rig& rig, const Frames& frames, RigJoints& joints) {
  const std::size_t count = joints.list.size();
  std::vector<uint8_t> has_child(count, 0);
  std::map<uint32_t, std::vector<const RigHold*>> holds;
  std::vector<Vec3d> rest;
  for (const RigJoint& joint : joints.list) rest.push_back(joint.rest);
  for (const RigHold& hold : rig.holds) holds[hold.node].push_back(&hold);
  const double size = extent(rest);
  for (std::size_t j = count; j-- > 0;) {  // children before parents
    const uint32_t parent = joints.list[j].parent;
    if (parent == no_node) continue;
    has_child[parent] |= has_child[j] || (rest[j] - rest[parent]).norm() > 1e-6 * size;
  }
  for (std::size_t j = 0; j < count; ++j) {
    const RigJoint& joint = joints.list[j];
    const uint32_t node = joint.point.node;
    const auto held = holds.find(node);
    if (has_child[j] || held == holds.end()) continue;
    const double bone =
        joint.parent == no_node ? 0 : (joint.rest - joints.list[joint.parent].rest).norm();
    const auto end = find_end(joint.rest, bone, size, held->second);
    if (!end) continue;
    RigJoint added;
    added.name = joint.name + " end";
    added.parent = static_cast<uint32_t>(j);
    added.rest = *end;
    added.point = {node, frames[node]->inverse() * *end};
    if (added.point.place.allFinite()) joints.list.push_back(std::move(added));
  }
}

void name_joints(RigJoints& joints) {
  std::vector<std::string> names;
  for (const RigJoint& joint : joints.list) names.push_back(joint.name);
  make_names_unique(names, "joint");
  for (std::size_t j = 0; j < names.size(); ++j) joints.list[j].name = names[j];
}

}  // namespace

RigJoints find_joints(const Rig& rig) {
  const std::vector<Affine3d> now = rest_frames(rig);
  const std::vector<uint8_t> joint = choose(rig, now);
  check_counts(rig, joint);
  Frames frames(rig.nodes.size());
  std::vector<uint8_t> bound(rig.nodes.size(), 0);
  for (const RigBind& bind : rig.binds) {
    bound[bind.node] = 1;
    if (!frames[bind.node]) frames[bind.node] = bind.frame;  // of several skins the first counts
  }
  RigJoints joints;
  joints.space = find_space(rig, now, frames);
  fill_frames(rig, joint, now, frames);

  std::vector<uint32_t> number(rig.nodes.size(), no_node);
  for (uint32_t n = 0; n < rig.nodes.size(); ++n) {
    if (!joint[n]) continue;
    const uint32_t above = joint_above(rig, joint, n);
    number[n] = static_cast<uint32_t>(joints.list.size());
    RigJoint made;
    made.name = tidy_name(rig.nodes[n].name);
    made.parent = above == no_node ? no_node : number[above];
    made.rest = frames[n]->translation();
    made.point = {n, Vec3d::Zero()};
    made.bound = bound[n];
    joints.list.push_back(std::move(made));
  }
  name_joints(joints);
  add_ends(rig, frames, joints);
  name_joints(joints);  // an end may have the name of a joint
  return joints;
}

}  // namespace sinew
