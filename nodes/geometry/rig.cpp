#include "nodes/geometry/rig.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "nodes/geometry/format_error.h"

namespace sinew {

namespace {

// How many bytes the UTF-8 sequence at the start has, or 0 if it is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xc2 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  if (length >= 3) {  // too long for its number, half of a pair, or beyond the last number
    const unsigned char second = byte(1);
    if (first == 0xe0 && second < 0xa0) return 0;
    if (first == 0xed && second >= 0xa0) return 0;
    if (first == 0xf0 && second < 0x90) return 0;
    if (first == 0xf4 && second >= 0x90) return 0;
  }
  return length;
}

std::string called(const Rig& rig, uint32_t node) {
  const std::string& name = rig.nodes[node].name;
  return name.empty() ? fmt::format("node {}", node + 1) : fmt::format("'{}'", tidy_name(name));
}

void check_curve(const Rig& rig, RigCurve& curve) {
  if (curve.node >= rig.nodes.size())
    throw FormatError("an animation moves a node that is not there");
  const std::size_t each = curve.way == RigWay::cubic ? 3 : 1;
  if (curve.times.empty() || curve.values.size() != each * curve.times.size()) {
    throw FormatError(fmt::format("the animation of {} has {} times and {} values",
                                  called(rig, curve.node), curve.times.size(),
                                  curve.values.size()));
  }
  std::size_t kept = 0;  // of keys at the same time the last one counts
  for (std::size_t k = 0; k < curve.times.size(); ++k) {
    bool finite = std::isfinite(curve.times[k]);
    for (std::size_t i = 0; i < each; ++i) finite &= curve.values[each * k + i].allFinite();
    if (!finite) {
      throw FormatError(
          fmt::format("the animation of {}: key {} is not finite", called(rig, curve.node), k + 1));
    }
    if (k > 0 && curve.times[k] < curve.times[kept - 1]) {
      throw FormatError(fmt::format("the animation of {}: key {} is earlier than the one before it",
                                    called(rig, curve.node), k + 1));
    }
    if (k > 0 && curve.times[k] == curve.times[kept - 1]) --kept;
    curve.times[kept] = curve.times[k];
    for (std::size_t i = 0; i < each; ++i) {
      curve.values[each * kept + i] = curve.values[each * k + i];
    }
    if (curve.part == RigPart::rotation) {
      Eigen::Vector4d& q = curve.values[each * kept + (each == 3 ? 1 : 0)];
      const double length = q.norm();
      q = length > 1e-12 ? Eigen::Vector4d(q / length) : Eigen::Vector4d(0, 0, 0, 1);
    }
    ++kept;
  }
  curve.times.resize(kept);
  curve.values.resize(each * kept);
}

}  // namespace

RigParts RigParts::of(const Eigen::Affine3d& frame) {
  RigParts parts;
  parts.translation = frame.translation();
  Eigen::Matrix3d axes = frame.linear();
  parts.scale = axes.colwise().norm().transpose();
  if (axes.determinant() < 0) parts.scale.x() = -parts.scale.x();
  for (int k = 0; k < 3; ++k) {
    if (parts.scale[k] == 0) return parts;  // flat: no rotation can be seen
    axes.col(k) /= parts.scale[k];
  }
  parts.rotation = Eigen::Quaterniond(axes).normalized();
  return parts;
}

Eigen::Affine3d RigParts::frame() const {
  Eigen::Affine3d frame = Eigen::Affine3d::Identity();
  frame.linear() = rotation.toRotationMatrix() * scale.asDiagonal();
  frame.translation() = translation;
  return frame;
}

std::optional<Eigen::Affine3d> bind_frame(const Eigen::Affine3d& mesh,
                                          const Eigen::Affine3d& matrix) {
  if (!matrix.matrix().allFinite()) return matrix;
  const Eigen::Affine3d frame = mesh * matrix.inverse();
  if (!frame.matrix().allFinite()) return std::nullopt;
  return frame;
}

std::vector<Eigen::Affine3d> rest_frames(const Rig& rig) {
  std::vector<Eigen::Affine3d> frames;
  frames.reserve(rig.nodes.size());
  for (const RigNode& node : rig.nodes) {
    frames.push_back(node.parent == no_node ? node.rest : frames[node.parent] * node.rest);
  }
  return frames;
}

std::string tidy_name(std::string_view name) {
  constexpr std::size_t most = 200;
  std::string tidy;
  while (!name.empty()) {
    const std::size_t length = sequence_length(name);
    if (tidy.size() + std::max<std::size_t>(length, 1) > most) break;
    const auto first = static_cast<unsigned char>(name[0]);
    if (length == 0) {
      tidy += '?';
    } else if (first < 0x20 || first == 0x7f) {
      tidy += ' ';
    } else {
      tidy += name.substr(0, length);
    }
    name.remove_prefix(std::max<std::size_t>(length, 1));
  }
  const std::size_t begin = tidy.find_first_not_of(' ');
  if (begin == std::string::npos) return {};
  return tidy.substr(begin, tidy.find_last_not_of(' ') + 1 - begin);
}

void make_names_unique(std::vector<std::string>& names, const std::string& word) {
  // Names that are right as they are keep their own before others are given new ones.
  std::unordered_set<std::string> taken(names.begin(), names.end()), seen;
  std::unordered_map<std::string, std::size_t> next;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty() && seen.insert(names[i]).second) continue;
    const std::string base = names[i].empty() ? word : names[i];
    std::size_t& number = next.try_emplace(base, names[i].empty() ? 1 : 2).first->second;
    do {
      names[i] = fmt::format("{} {}", base, number++);
    } while (!taken.insert(names[i]).second);
    seen.insert(names[i]);
  }
}

void check_rig(Rig& rig) {
  for (uint32_t n = 0; n < rig.nodes.size(); ++n) {
    const RigNode& node = rig.nodes[n];
    if (node.parent != no_node && node.parent >= n) throw FormatError("its nodes are no tree");
    if (!node.rest.matrix().allFinite()) {
      throw FormatError(fmt::format("{}: its place is not finite", called(rig, n)));
    }
  }
  for (const RigBind& bind : rig.binds) {
    if (bind.node >= rig.nodes.size()) throw FormatError("a skin names a node that is not there");
    if (bind.frame && !bind.frame->matrix().allFinite()) {
      throw FormatError(fmt::format("{}: the matrix with which a mesh is bound to it is not finite",
                                    called(rig, bind.node)));
    }
  }
  for (const RigHold& hold : rig.holds) {
    if (hold.node >= rig.nodes.size() || !hold.place.allFinite()) {
      throw FormatError("a vertex of a skin is not finite");
    }
  }
  for (RigMotion& motion : rig.motions) {
    for (RigCurve& curve : motion.curves) check_curve(rig, curve);
  }
}

}  // namespace sinew
