// Meshless bodies and what becomes of them: poses, keys, motions, states. None of them has a
// literal of its own: they arrive by links.
#include <fmt/core.h>

#include <algorithm>

#include "nodes/kernels/meshless_keys.h"
#include "nodes/values/common.h"

namespace sinew {

using namespace values;

namespace {

ValueTable node_table(std::span<const Vec3d> places) {
  return {"node", {"x", "y", "z"}, places.size(), [places](size_t row, size_t column) {
            return fmt::format("{:.6g}", places[row][static_cast<int>(column)]);
          }};
}

Places::One anchor(const std::string& name, const Vec3d& at, const Vec3d& origin, bool held) {
  Places::One one;
  const auto floats = [](const Vec3d& v) {
    return std::array<float, 3>{static_cast<float>(v[0]), static_cast<float>(v[1]),
                                static_cast<float>(v[2])};
  };
  one.name = name;
  one.at = floats(at);
  one.origin = floats(origin);
  one.held = held;
  return one;
}

// Each on a line of its own: nothing goes from one to the next.
Places unjoined(Places places) {
  for (std::size_t i = 0; i < places.list.size(); ++i) places.list[i].line = static_cast<int>(i);
  return places;
}

Places pose_anchors(const PosedBody& posed) {
  Places places;
  places.free = true;
  for (const BodyHandle& h : posed.handles.list) {
    const Vec3d origin = h.at.cast<double>();
    places.list.push_back(anchor(h.name, origin + h.by.cast<double>(), origin, true));
  }
  return unjoined(std::move(places));
}

Places key_anchors(const KeyedBodies& keyed, double frame) {
  Places places;
  places.free = true;
  if (keyed.list.size() != 1) return places;  // copies are not led one by one
  const MeshlessBody& body = *keyed.list.front().body;
  const PoseKey key = kernels::key_between(keyed.keys, frame);
  const Vec3d middle = kernels::middle_of(body);
  const bool is_key = keyed.keys.at(frame) != nullptr;
  places.list.push_back(
      anchor(whole_body_anchor, middle + key.move.cast<double>(), middle, is_key));
  const std::vector<kernels::HandleNow> now =
      kernels::handles_at(body, keyed.handles, keyed.keys, frame);
  for (std::size_t h = 0; h < now.size(); ++h) {
    const std::string& name = keyed.handles.list[h].name;
    const auto is_it = [&](const auto& one) { return one.first == name; };
    const bool held = std::any_of(key.handles.begin(), key.handles.end(), is_it);
    places.list.push_back(anchor(name, now[h].at, now[h].origin, held));
  }
  return unjoined(std::move(places));
}

Json describe_motion(const Motion& motion) {
  std::size_t frames = 0, unknowns = 0;
  for (const BodyMotion& b : motion.bodies) {
    frames = std::max(frames, b.frames.size());
    for (const MotionFrame& f : b.frames) {
      if (!f.is_key) unknowns += 3 * f.places.size();
    }
  }
  return {{"bodies", motion.bodies.size()}, {"frames", frames},
          {"unknowns", unknowns},           {"rounds", motion.rounds.size()},
          {"start", motion.first_time()},   {"end", motion.last_time()},
          {"deepest", motion.depth},        {"deepest_at", motion.depth_time}};
}

ValueTable frames_table(const Motion& motion) {
  struct Row {
    std::size_t body;
    const MotionFrame* frame;
  };
  auto rows = std::make_shared<std::vector<Row>>();
  for (std::size_t b = 0; b < motion.bodies.size(); ++b) {
    for (const MotionFrame& f : motion.bodies[b].frames) rows->push_back({b, &f});
  }
  return {"frame",
          {"body", "time", "key", "break", "x", "y", "z"},
          rows->size(),
          [rows](size_t row, size_t column) -> std::string {
            const MotionFrame& f = *(*rows)[row].frame;
            if (column == 0) return std::to_string((*rows)[row].body);
            if (column == 1) return fmt::format("{:.4g}", f.time);
            if (column == 2) return f.is_key ? "yes" : "no";
            if (column == 3) return f.breaks ? "yes" : "no";
            Vec3d mean(0, 0, 0);
            for (const Vec3d& y : f.places) mean += y;
            mean /= static_cast<double>(std::max<std::size_t>(1, f.places.size()));
            return fmt::format("{:.5g}", mean[static_cast<int>(column) - 4]);
          }};
}

}  // namespace

template <>
const TypeInfo& type_of<Meshless>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<Meshless>(
        "meshless", "A body that deforms by a few nodes, and what each does to its surface.",
        0x9CCB86);
    t.describe = [](const void* p) {
      const MeshlessBody& body = *content<Meshless>(p).body;
      return Json{{"nodes", body.node_count()},
                  {"radius", body.radius},
                  {"vertices", body.rest.vertex_count()},
                  {"links", body.links.size()},
                  {"nodes_a_vertex",
                   static_cast<double>(body.at_vertices.node.size()) /
                       static_cast<double>(std::max<std::size_t>(1, body.at_vertices.size()))}};
    };
    t.tables = [](const void* p) {
      return std::vector{node_table(content<Meshless>(p).body->nodes)};
    };
    return t;
  }();
  return info;
}

template <>
const TypeInfo& type_of<PosedBody>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<PosedBody>("posed_body", "A meshless body in a pose.", 0xB8CB86);
    t.describe = [](const void* p) {
      return Json{{"nodes", content<PosedBody>(p).places.size()},
                  {"handles", content<PosedBody>(p).handles.list.size()}};
    };
    t.tables = [](const void* p) { return std::vector{node_table(content<PosedBody>(p).places)}; };
    t.anchors = [](const void* p, double) { return pose_anchors(content<PosedBody>(p)); };
    return t;
  }();
  return info;
}

template <>
const TypeInfo& type_of<KeyedBodies>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<KeyedBodies>(
        "keyed_bodies", "Meshless bodies, and the poses that each shall go through.", 0xD9CB70);
    t.describe = [](const void* p) {
      const KeyedBodies& keyed = content<KeyedBodies>(p);
      std::size_t keys = 0;
      for (const KeyedBody& b : keyed.list) keys += b.keys.size();
      return Json{{"bodies", keyed.list.size()}, {"keys", keys}};
    };
    t.anchors = [](const void* p, double frame) {
      return key_anchors(content<KeyedBodies>(p), frame);
    };
    t.frames = [](const void* p) {
      std::vector<double> frames;
      for (const PoseKey& key : content<KeyedBodies>(p).keys.list) frames.push_back(key.frame);
      return frames;
    };
    return t;
  }();
  return info;
}

template <>
const TypeInfo& type_of<Motion>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<Motion>(
        "motion", "How meshless bodies move: poses that can be asked for any time.", 0xE0A15A);
    t.describe = [](const void* p) { return describe_motion(content<Motion>(p)); };
    t.tables = [](const void* p) { return std::vector{frames_table(content<Motion>(p))}; };
    return t;
  }();
  return info;
}

template <>
const TypeInfo& type_of<BodyStates>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<BodyStates>(
        "body_states", "Where meshless bodies are at a moment, and how fast they move.", 0xC79BD6);
    t.describe = [](const void* p) { return Json{{"bodies", content<BodyStates>(p).list.size()}}; };
    t.tables = [](const void* p) {
      std::vector<ValueTable> tables;
      for (const BodyStates::One& one : content<BodyStates>(p).list) {
        tables.push_back(node_table(one.places));
        if (tables.size() == 8) break;
      }
      return tables;
    };
    return t;
  }();
  return info;
}

}  // namespace sinew
