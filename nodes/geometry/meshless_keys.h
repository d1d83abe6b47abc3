// Handles and keys of meshless bodies: what an artist says of a pose and of a motion, and what
// follows from it for the solvers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nodes/geometry/meshless_body.h"

namespace sinew {

// A place of the body that is held, and how far it is moved.
struct BodyHandle {
  std::string name;
  Vec3f at{0, 0, 0};    // where it is at rest, m
  float radius = 0;     // how much of the surface about it comes along, m; 0: one point
  Vec3f by{0, 0, 0};    // how far it is moved, m
  Vec3f turn{0, 0, 0};  // about itself: about the fixed axes, first x, then y, then z; degrees
  float weight = 1;
  bool hold = false;  // of keys: held all the time

  bool operator==(const BodyHandle&) const = default;
};

struct BodyHandles {
  std::vector<BodyHandle> list;

  const BodyHandle* find(const std::string& name) const;
  bool operator==(const BodyHandles&) const = default;
};

enum class PoseKeyKind : uint8_t {
  pose,    // the whole body: all handles are held
  points,  // only the handles that are named; the rest is found
  guess,   // nothing is held: it only says which way round
};

// Where a body shall be at a frame.
struct PoseKey {
  double frame = 0;
  PoseKeyKind kind = PoseKeyKind::pose;
  int pose = -1;        // of those that are linked, from 0; -1: at rest
  Vec3f move{0, 0, 0};  // of the whole body, m
  Vec3f turn{0, 0, 0};  // about its middle: about the fixed axes, first x, then y, then z; degrees
  std::vector<std::pair<std::string, Vec3f>> handles;  // how far each is from where that puts it, m
  std::optional<Vec3f> velocity;                       // m/s
  std::optional<Vec3f> spin;                           // degrees/s, about the middle
  bool breaks = false;                                 // no smoothness through it: a bounce

  bool operator==(const PoseKey&) const = default;
};

struct PoseKeys {
  std::vector<PoseKey> list;  // frames increase

  const PoseKey* at(double frame) const;
  bool operator==(const PoseKeys&) const = default;
};

// What a hand takes to move the whole body, beside its handles.
inline const std::string whole_body_anchor = "body";

inline constexpr std::size_t most_body_handles = 1000, most_pose_keys = 10000;

std::optional<std::string> validate(const BodyHandles& handles);
std::optional<std::string> validate(const PoseKeys& keys);
std::size_t byte_size(const BodyHandles& handles);
std::size_t byte_size(const PoseKeys& keys);

// ---- For the solvers ----------------------------------------------------------------------------

// A point of the body that is held, or whose velocity is told.
struct HeldPoint {
  uint32_t vertex = 0;
  double weight = 1;
  Vec3d target{0, 0, 0};  // m, or m/s
};

struct MotionKey {
  enum class Kind : uint8_t { whole, points, guess };
  double time = 0;  // s
  Kind kind = Kind::whole;
  NodePlaces places;              // of points: where the search begins; may be empty
  std::vector<HeldPoint> points;  // of points
  std::vector<HeldPoint> point_velocities;
  std::vector<HeldPoint> turned;  // of guesses: how it is turned, by places about its middle
  bool breaks = false;
  std::optional<NodePlaces> velocities;  // of whole keys
};

struct KeyedBody {
  std::shared_ptr<const MeshlessBody> body;
  std::vector<MotionKey> keys;  // times increase; the first and the last are whole keys
  std::vector<HeldPoint> held;  // all the time
};

// As a value. What the artist wrote goes along, for hands that change it.
struct KeyedBodies {
  std::vector<KeyedBody> list;
  BodyHandles handles;  // of the first
  PoseKeys keys;
  double fps = 25;
};

// A body in a pose, as a value.
struct PosedBody {
  std::shared_ptr<const MeshlessBody> body;
  NodePlaces places;
  BodyHandles handles;
};

// Bodies at a moment, with their velocities.
struct BodyStates {
  struct One {
    std::shared_ptr<const MeshlessBody> body;
    NodePlaces places, velocities;  // m, m/s
  };
  std::vector<One> list;
};

std::size_t byte_size(const KeyedBodies& keyed);
std::size_t byte_size(const PosedBody& posed);
std::size_t byte_size(const BodyStates& states);
std::optional<std::string> validate(const KeyedBodies& keyed);
std::optional<std::string> validate(const PosedBody& posed);
std::optional<std::string> validate(const BodyStates& states);

}  // namespace sinew
