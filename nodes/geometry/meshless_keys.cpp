#include "nodes/geometry/meshless_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace sinew {
namespace {

constexpr float farthest = 1e9f;  // m
constexpr double last_frame = 1e8;

bool sound(const Vec3f& v, float most = farthest) {
  return v.allFinite() && v.cwiseAbs().maxCoeff() <= most;
}

std::optional<std::string> unsound(const NodePlaces& places, const char* what) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!places[i].allFinite()) return fmt::format("{} of node {} is not a number", what, i);
  }
  return std::nullopt;
}

}  // namespace

const BodyHandle* BodyHandles::find(const std::string& name) const {
  const auto it =
      std::find_if(list.begin(), list.end(), [&](const BodyHandle& h) { return h.name == name; });
  return it == list.end() ? nullptr : &*it;
}

const PoseKey* PoseKeys::at(double frame) const {
  const auto it =
      std::find_if(list.begin(), list.end(), [&](const PoseKey& k) { return k.frame == frame; });
  return it == list.end() ? nullptr : &*it;
}

std::optional<std::string> validate(const BodyHandles& handles) {
  if (handles.list.size() > most_body_handles) {
    return fmt::format("there are {} handles, and {} at the most", handles.list.size(),
                       most_body_handles);
  }
  std::set<std::string> names;
  for (const BodyHandle& h : handles.list) {
    if (h.name.empty()) return "a handle has no name";
    if (!names.insert(h.name).second) return fmt::format("two handles are called '{}'", h.name);
    if (!sound(h.at) || !sound(h.by) || !sound(h.turn)) {
      return fmt::format("handle '{}' has a place that is no number or too far away", h.name);
    }
    if (!(h.radius >= 0 && h.radius <= farthest)) {
      return fmt::format("handle '{}' has a radius that is not 0 or more", h.name);
    }
    if (!(h.weight > 0 && h.weight <= 1e6f)) {
      return fmt::format("handle '{}' has a weight that is not more than 0", h.name);
    }
  }
  return std::nullopt;
}

std::optional<std::string> validate(const PoseKeys& keys) {
  if (keys.list.size() > most_pose_keys) {
    return fmt::format("there are {} keys, and {} at the most", keys.list.size(), most_pose_keys);
  }
  for (std::size_t i = 0; i < keys.list.size(); ++i) {
    const PoseKey& key = keys.list[i];
    if (!(std::abs(key.frame) <= last_frame)) {
      return fmt::format("key {} has a frame beyond all films", i + 1);
    }
    if (i > 0 && !(key.frame > keys.list[i - 1].frame)) {
      return fmt::format("two keys are at frame {:g}", key.frame);
    }
    bool good = sound(key.move) && sound(key.turn, 1e6f);
    for (const auto& [name, by] : key.handles) good = good && sound(by);
    if (key.velocity) good = good && sound(*key.velocity);
    if (key.spin) good = good && sound(*key.spin, 1e6f);
    if (!good)
      return fmt::format("the key at frame {:g} has a number that is none, or too large",
                         key.frame);
  }
  return std::nullopt;
}

std::size_t byte_size(const BodyHandles& handles) {
  std::size_t bytes = sizeof handles;
  for (const BodyHandle& h : handles.list) bytes += sizeof h + h.name.size();
  return bytes;
}

std::size_t byte_size(const PoseKeys& keys) {
  std::size_t bytes = sizeof keys;
  for (const PoseKey& k : keys.list) bytes += sizeof k + k.handles.size() * 64;
  return bytes;
}

std::size_t byte_size(const KeyedBodies& keyed) {
  std::size_t bytes = sizeof keyed + byte_size(keyed.handles) + byte_size(keyed.keys);
  for (const KeyedBody& b : keyed.list) {
    bytes += sizeof b + b.held.size() * sizeof(HeldPoint);
    for (const MotionKey& k : b.keys) {
      bytes += sizeof k + k.places.size() * sizeof(Vec3d) +
               (k.points.size() + k.point_velocities.size() + k.turned.size()) * sizeof(HeldPoint);
    }
  }
  return bytes;
}

std::size_t byte_size(const PosedBody& posed) {
  return sizeof posed + byte_size(posed.handles) + posed.places.size() * sizeof(Vec3d);
}

std::size_t byte_size(const BodyStates& states) {
  std::size_t bytes = sizeof states;
  for (const BodyStates::One& s : states.list)
    bytes += sizeof s + s.places.size() * 2 * sizeof(Vec3d);
  return bytes;
}

std::optional<std::string> validate(const KeyedBodies& keyed) {
  for (const KeyedBody& b : keyed.list) {
    for (const MotionKey& k : b.keys) {
      if (auto wrong = unsound(k.places, "the place")) return wrong;
    }
  }
  return std::nullopt;
}

std::optional<std::string> validate(const PosedBody& posed) {
  return unsound(posed.places, "the place");
}

std::optional<std::string> validate(const BodyStates& states) {
  for (const BodyStates::One& s : states.list) {
    if (auto wrong = unsound(s.places, "the place")) return wrong;
    if (auto wrong = unsound(s.velocities, "the velocity")) return wrong;
  }
  return std::nullopt;
}

}  // namespace sinew
