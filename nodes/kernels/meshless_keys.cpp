#include "nodes/kernels/meshless_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "nodes/kernels/rigid_fit.h"

namespace sinew::kernels {
namespace {

constexpr double degree = std::numbers::pi / 180;
// A handle that is farther than this from its target, in sizes, was not met.
constexpr double missed = 0.03;
// Guesses are put between keys until each gap turns by less than this, degrees.
constexpr double widest_turn = 100;
// By so many places it is told how the body is turned.
constexpr std::size_t turning_arms = 12;

NodePlaces placed(const MeshlessBody& body, const Placement& placement, const PosedBody* pose) {
  const Vec3d middle = middle_of(body);
  NodePlaces places = pose ? pose->places : body.nodes;
  for (Vec3d& y : places) y = placement(y, middle);
  return places;
}

// The handles of a body as a key wants them, relative to where its placement leaves them.
std::vector<PoseHandle> handles_of_key(const MeshlessBody& body, const BodyHandles& handles,
                                       const PoseKey& key, const NodePlaces& base) {
  const Placement placement = placement_of(key);
  std::vector<PoseHandle> list = pose_handles(body, handles);
  for (std::size_t h = 0; h < list.size(); ++h) {
    Vec3d by(0, 0, 0);
    for (const auto& [name, way] : key.handles) {
      if (name == handles.list[h].name) by = way.cast<double>();
    }
    // Where the pose that it begins with has it, turned with the whole.
    const uint32_t nearest = list[h].vertices.front();
    const Vec3d rest = body.rest.positions[nearest].cast<double>();
    list[h].middle = rest;
    list[h].by = place_of(body.at_vertices, nearest, base) - rest + by;
    list[h].turn = placement.turn * turn_of(handles.list[h].turn);
  }
  return list;
}

std::string unknown_handle(const BodyHandles& handles, const PoseKey& key) {
  for (const auto& [name, by] : key.handles) {
    if (handles.find(name)) continue;
    std::string known;
    for (const BodyHandle& h : handles.list) known += (known.empty() ? "" : ", ") + h.name;
    return fmt::format("the key at frame {:g} moves the handle '{}', which is not there; {}",
                       key.frame, name, known.empty() ? "there are none" : "there are: " + known);
  }
  return {};
}

std::vector<HeldPoint> held_points(const PoseHandle& handle, const Mesh& rest) {
  std::vector<HeldPoint> points;
  for (const uint32_t v : handle.vertices) {
    points.push_back({v, handle.weight / static_cast<double>(handle.vertices.size()),
                      handle.target(rest.positions[v].cast<double>())});
  }
  return points;
}

class Resolver {
 public:
  Resolver(std::shared_ptr<const MeshlessBody> body, const BodyHandles& handles,
           std::span<const PosedBody* const> poses, double fps, const PoseWeights& weights,
           CancelView stop)
      : body_(std::move(body)),
        handles_(handles),
        poses_(poses),
        fps_(fps),
        solver_(body_, pose_handles(*body_, handles), weights),
        stop_(stop) {}

  MotionKey resolve(const PoseKey& key, ResolvedKeys& out) {
    MotionKey made;
    made.time = key.frame / fps_;
    made.breaks = key.breaks;
    const PosedBody* pose = key.pose >= 0 ? poses_[static_cast<std::size_t>(key.pose)] : nullptr;
    NodePlaces base = placed(*body_, placement_of(key), pose);
    const std::vector<PoseHandle> list = handles_of_key(*body_, handles_, key, base);
    if (key.kind == PoseKeyKind::points) {
      made.kind = MotionKey::Kind::points;
      hold_points(key, list, made);
      return made;
    }
    made.kind = key.kind == PoseKeyKind::guess ? MotionKey::Kind::guess : MotionKey::Kind::whole;
    const bool shaped = std::any_of(key.handles.begin(), key.handles.end(),
                                    [](const auto& h) { return !h.second.isZero(0); });
    if (shaped) {
      const PoseOutcome outcome = solver_.solve(list, base, stop_);
      for (std::size_t h = 0; h < outcome.misses.size(); ++h) {
        if (outcome.misses[h] <= missed * body_->size) continue;
        out.warnings.push_back(fmt::format(
            "at frame {:g} the handle '{}' stays {:.3g} m from where it should be: the body would "
            "have to stretch too far; move it less, or raise 'handle_weight'",
            key.frame, handles_.list[h].name, outcome.misses[h]));
      }
    }
    if (key.velocity || key.spin) made.velocities = velocities_of(key, base);
    made.places = std::move(base);
    return made;
  }

 private:
  void hold_points(const PoseKey& key, const std::vector<PoseHandle>& list, MotionKey& made) const {
    for (std::size_t h = 0; h < list.size(); ++h) {
      const auto is_it = [&](const auto& one) { return one.first == handles_.list[h].name; };
      if (std::none_of(key.handles.begin(), key.handles.end(), is_it)) continue;
      std::vector<HeldPoint> points = held_points(list[h], body_->rest);
      made.points.insert(made.points.end(), points.begin(), points.end());
      if (!key.velocity) continue;
      for (HeldPoint& p : points) p.target = key.velocity->cast<double>();
      made.point_velocities.insert(made.point_velocities.end(), points.begin(), points.end());
    }
  }

  NodePlaces velocities_of(const PoseKey& key, const NodePlaces& places) const {
    const Vec3d v = key.velocity ? key.velocity->cast<double>().eval() : Vec3d(0, 0, 0);
    const Vec3d spin = key.spin ? (degree * key.spin->cast<double>()).eval() : Vec3d(0, 0, 0);
    Vec3d middle(0, 0, 0);
    double total = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      middle += body_->masses[i] * places[i];
      total += body_->masses[i];
    }
    middle /= total;
    NodePlaces velocities;
    for (const Vec3d& y : places) velocities.push_back(v + spin.cross(y - middle));
    return velocities;
  }

  std::shared_ptr<const MeshlessBody> body_;
  const BodyHandles& handles_;
  std::span<const PosedBody* const> poses_;
  double fps_;
  PoseSolver solver_;
  CancelView stop_;
};

// A guess between two keys that are turned far: the shape of both, turned as the artist wrote.
MotionKey guess_between(const MeshlessBody& body, const MotionKey& a, const MotionKey& b,
                        const PoseKey& from, const PoseKey& to, double part) {
  PoseKey middle = from;
  const float s = static_cast<float>(part);
  middle.move = from.move + s * (to.move - from.move);
  middle.turn = from.turn + s * (to.turn - from.turn);
  const Placement pa = placement_of(from), pb = placement_of(to), now = placement_of(middle);
  MotionKey guess;
  guess.kind = MotionKey::Kind::guess;
  guess.time = a.time + part * (b.time - a.time);
  const Vec3d rest = middle_of(body);
  for (std::size_t i = 0; i < a.places.size(); ++i) {
    const Vec3d own = (1 - part) * (pa.turn.conjugate() * (a.places[i] - rest - pa.move)) +
                      part * (pb.turn.conjugate() * (b.places[i] - rest - pb.move));
    guess.places.push_back(rest + now.turn * own + now.move);
  }
  // A body would rather turn about its long axis, which costs less: so the turn is held, as firmly
  // as it takes. It is worth omega^4 of acceleration, in r / L about 1.
  const double rate = degree * (to.turn - from.turn).cast<double>().norm() / (b.time - a.time);
  const std::size_t arms = std::min<std::size_t>(turning_arms, body.touching.size());
  for (std::size_t i = 0; i < arms; ++i) {
    const uint32_t v = body.touching[i];
    const Vec3d arm = now.turn * (body.rest.positions[v].cast<double>() - rest);
    HeldPoint held;
    held.vertex = v;
    held.target = arm;
    held.weight = std::pow(rate, 4) / static_cast<double>(arms);
    guess.turned.push_back(held);
  }
  return guess;
}

void add_guesses(const MeshlessBody& body, const PoseKeys& keys, std::vector<MotionKey>& made) {
  std::vector<MotionKey> all;
  std::size_t last = keys.list.size();  // the last one with a whole pose
  for (std::size_t i = 0; i < keys.list.size(); ++i) {
    if (!made[i].places.empty()) {
      if (last < keys.list.size() && last + 1 == i) {
        const double turn = (keys.list[i].turn - keys.list[last].turn).cwiseAbs().maxCoeff();
        const int parts = std::min(64, static_cast<int>(std::ceil(turn / widest_turn)));
        for (int k = 1; k < parts; ++k) {
          all.push_back(guess_between(body, made[last], made[i], keys.list[last], keys.list[i],
                                      static_cast<double>(k) / parts));
        }
      }
      last = i;
    }
    all.push_back(made[i]);
  }
  made = std::move(all);
}

std::string wrong_order(const PoseKeys& keys, std::size_t poses) {
  if (keys.list.empty()) return "there are no keys; add one at the first frame and one at the last";
  for (const PoseKey& key : keys.list) {
    if (key.pose >= static_cast<int>(poses)) {
      return fmt::format("the key at frame {:g} asks for pose {}, but {} are linked to 'poses'",
                         key.frame, key.pose, poses);
    }
  }
  for (const PoseKey* end : {&keys.list.front(), &keys.list.back()}) {
    if (end->kind != PoseKeyKind::pose) {
      return fmt::format(
          "the {} key, at frame {:g}, must be a whole pose (\"kind\": \"pose\"), not points or a "
          "guess",
          end == &keys.list.front() ? "first" : "last", end->frame);
    }
  }
  return {};
}

}  // namespace

Eigen::Quaterniond turn_of(const Vec3f& degrees) {
  const Vec3d r = degree * degrees.cast<double>();
  return Eigen::AngleAxisd(r[2], Vec3d::UnitZ()) * Eigen::AngleAxisd(r[1], Vec3d::UnitY()) *
         Eigen::AngleAxisd(r[0], Vec3d::UnitX());
}

Placement placement_of(const PoseKey& key) { return {turn_of(key.turn), key.move.cast<double>()}; }

namespace {

// How far handles are moved, part of the way from one key to the next. Those that a key does not
// name are not moved by it.
std::vector<std::pair<std::string, Vec3f>> handles_between(const PoseKey& a, const PoseKey& b,
                                                           float part) {
  std::vector<std::pair<std::string, Vec3f>> handles;
  if (a.kind != PoseKeyKind::pose || b.kind != PoseKeyKind::pose) return handles;
  const auto add = [&](const PoseKey& key, float share) {
    for (const auto& handle : key.handles) {
      const auto known = std::find_if(handles.begin(), handles.end(),
                                      [&](const auto& one) { return one.first == handle.first; });
      if (known == handles.end()) {
        handles.push_back({handle.first, share * handle.second});
      } else {
        known->second += share * handle.second;
      }
    }
  };
  add(a, 1 - part);
  add(b, part);
  return handles;
}

}  // namespace

PoseKey key_between(const PoseKeys& keys, double frame) {
  PoseKey key;
  key.frame = frame;
  if (keys.list.empty()) return key;
  if (const PoseKey* there = keys.at(frame)) return *there;
  const auto after = std::find_if(keys.list.begin(), keys.list.end(),
                                  [&](const PoseKey& k) { return k.frame > frame; });
  if (after == keys.list.begin() || after == keys.list.end()) {
    const PoseKey& end = after == keys.list.begin() ? keys.list.front() : keys.list.back();
    key.move = end.move;
    key.turn = end.turn;
    key.pose = end.kind == PoseKeyKind::pose ? end.pose : -1;
    key.handles = handles_between(end, end, 0);
    return key;
  }
  const PoseKey& a = *(after - 1);
  const float s = static_cast<float>((frame - a.frame) / (after->frame - a.frame));
  key.move = a.move + s * (after->move - a.move);
  key.turn = a.turn + s * (after->turn - a.turn);
  key.handles = handles_between(a, *after, s);
  return key;
}

Vec3d middle_of(const MeshlessBody& body) {
  Vec3d middle(0, 0, 0);
  double total = 0;
  for (std::size_t i = 0; i < body.nodes.size(); ++i) {
    middle += body.masses[i] * body.nodes[i];
    total += body.masses[i];
  }
  return middle / total;
}

std::vector<PoseHandle> pose_handles(const MeshlessBody& body, const BodyHandles& handles) {
  std::vector<PoseHandle> list;
  for (const BodyHandle& h : handles.list) {
    PoseHandle handle;
    const double radius = static_cast<double>(h.radius);
    handle.vertices = handle_vertices(body.rest, h.at.cast<double>(), radius);
    handle.weight = static_cast<double>(h.weight);
    handle.middle = h.at.cast<double>();
    handle.by = h.by.cast<double>();
    handle.turn = turn_of(h.turn);
    list.push_back(std::move(handle));
  }
  return list;
}

ResolvedKeys resolve_keys(std::shared_ptr<const MeshlessBody> body, const BodyHandles& handles,
                          const PoseKeys& keys, std::span<const PosedBody* const> poses, double fps,
                          const PoseWeights& weights, const BodyStates::One* begin,
                          CancelView stop) {
  ResolvedKeys out;
  out.keyed.body = body;
  out.problem = wrong_order(keys, poses.size());
  for (const PoseKey& key : keys.list) {
    if (out.problem.empty()) out.problem = unknown_handle(handles, key);
  }
  if (!out.problem.empty()) return out;
  Resolver resolver(body, handles, poses, fps, weights, stop);
  std::vector<MotionKey> made;
  for (const PoseKey& key : keys.list) made.push_back(resolver.resolve(key, out));
  if (begin) {
    made.front().places = begin->places;
    made.front().velocities = begin->velocities;
  }
  add_guesses(*body, keys, made);
  out.keyed.keys = std::move(made);
  // Held all the time: where the first key has them.
  const std::vector<PoseHandle> first = handles_of_key(
      *body, handles, keys.list.front(), placed(*body, placement_of(keys.list.front()), nullptr));
  for (std::size_t h = 0; h < first.size(); ++h) {
    if (!handles.list[h].hold) continue;
    const std::vector<HeldPoint> points = held_points(first[h], body->rest);
    out.keyed.held.insert(out.keyed.held.end(), points.begin(), points.end());
  }
  return out;
}

std::vector<HandleNow> handles_at(const MeshlessBody& body, const BodyHandles& handles,
                                  const PoseKeys& keys, double frame) {
  const PoseKey key = key_between(keys, frame);
  const Placement placement = placement_of(key);
  const Vec3d middle = middle_of(body);
  std::vector<HandleNow> list;
  for (const BodyHandle& h : handles.list) {
    HandleNow now;
    now.origin = placement(h.at.cast<double>(), middle);
    now.at = now.origin;
    for (const auto& [name, by] : key.handles) {
      if (name == h.name) now.at += by.cast<double>();
    }
    list.push_back(now);
  }
  return list;
}

}  // namespace sinew::kernels
