// Meshless bodies: their nodes, and how these hang together through the material [Adams10, figure
// 4]; poses at keys as ghosts; motions as the lines along which some places go.
#include <algorithm>

#include "nodes/kernels/meshless_spline.h"
#include "nodes/meshless_words.h"
#include "nodes/show/parts.h"

namespace sinew::showing {

namespace {

constexpr draw::Rgba body_veil{0.80f, 0.72f, 0.62f, 0.30f};
constexpr draw::Rgba key_ghost{0.36f, 0.56f, 0.86f, 0.20f};
constexpr draw::Rgba guess_ghost{0.62f, 0.62f, 0.62f, 0.12f};
constexpr draw::Rgba node_colour{0.96f, 0.78f, 0.30f, 1};
constexpr draw::Rgba rim_colour{0.16f, 0.15f, 0.13f, 1};
constexpr draw::Rgba link_colour{0.22f, 0.42f, 0.34f, 0.8f};
constexpr draw::Rgba way_colour{0.24f, 0.46f, 0.78f, 0.9f};
constexpr draw::Rgba middle_colour{0.86f, 0.42f, 0.22f, 1};

// More cannot be told apart.
constexpr std::size_t most_ghosts = 48, most_ways = 400, ways_a_body = 5;
constexpr int moments = 96;

void add_veil(const Shown& what, std::size_t number, const MeshlessBody& body, Mesh mesh,
              const draw::Rgba& colour, draw::DrawList& list) {
  const auto owner = std::make_shared<const Mesh>(std::move(mesh));
  draw::Mesh item;
  item.source = what.source;
  item.owner = owner;
  item.topology = body.rest.topology;
  item.key = derived(content_key(what.key), number);
  item.positions = owner->positions;
  item.triangles = owner->triangles();
  item.polygon_of_triangle = owner->topology->polygon_of_triangle;
  item.colour = colour;
  item.casts = false;
  if (!item.triangles.empty()) list.meshes.push_back(std::move(item));
}

std::vector<draw::Point> as_points(std::span<const Vec3d> places) {
  std::vector<draw::Point> points;
  for (const Vec3d& p : places) points.push_back(p.cast<float>());
  return points;
}

void add_nodes(const Shown& what, std::span<const Vec3d> places, draw::DrawList& list) {
  add_points(what, as_points(places), rim_colour, 8.5f, true, list);
  add_points(what, as_points(places), node_colour, 6, true, list);
}

// Nodes that are spread over the body: they were found in such an order.
std::vector<std::size_t> spread_nodes(const MeshlessBody& body, std::size_t count) {
  std::vector<std::size_t> nodes;
  for (std::size_t i = 0; i < std::min(count, body.node_count()); ++i) nodes.push_back(i);
  return nodes;
}

}  // namespace

void show_meshless(const Shown& what, draw::DrawList& list) {
  const MeshlessBody& body = *what.value.as<Meshless>().body;
  add_veil(what, 1, body, body.rest, body_veil, list);
  std::vector<draw::Point> ends;
  for (const NodeLink& link : body.links) {
    for (std::size_t i = 0; i + 1 < link.way.size(); ++i) {
      ends.push_back(link.way[i]);
      ends.push_back(link.way[i + 1]);
    }
  }
  if (draw::Lines* lines = add_lines(what, std::move(ends), link_colour, 1.6f, list)) {
    lines->on_top = true;
  }
  add_nodes(what, body.nodes, list);
}

void show_posed(const Shown& what, draw::DrawList& list) {
  const PosedBody& posed = what.value.as<PosedBody>();
  add_veil(what, 1, *posed.body, mesh_of(*posed.body, posed.places), body_veil, list);
  add_nodes(what, posed.places, list);
}

void show_keyed(const Shown& what, draw::DrawList& list) {
  std::size_t number = 0;
  for (const KeyedBody& body : what.value.as<KeyedBodies>().list) {
    for (const MotionKey& key : body.keys) {
      if (key.places.empty() || number >= most_ghosts) continue;
      const bool whole = key.kind == MotionKey::Kind::whole;
      add_veil(what, ++number, *body.body, mesh_of(*body.body, key.places),
               whole ? key_ghost : guess_ghost, list);
    }
    std::vector<draw::Point> held;
    for (const MotionKey& key : body.keys) {
      for (const HeldPoint& p : key.points) held.push_back(p.target.cast<float>());
    }
    for (const HeldPoint& p : body.held) held.push_back(p.target.cast<float>());
    add_points(what, std::move(held), draw::accent, 6, true, list);
  }
}

void show_motion(const Shown& what, draw::DrawList& list) {
  const Motion& motion = what.value.as<Motion>();
  std::vector<draw::Point> ways, middles, keys, found;
  std::size_t count = 0;
  for (const BodyMotion& body : motion.bodies) {
    const kernels::BodySpline spline(body);
    const std::size_t some = motion.bodies.size() > 20 ? 0 : ways_a_body;
    const std::vector<std::size_t> nodes = spread_nodes(*body.body, some);
    if (count += nodes.size() + 1; count > most_ways) break;
    NodePlaces now(body.body->node_count()), before;
    Vec3d middle_before(0, 0, 0);
    const auto middle_of = [&](const NodePlaces& places) {
      Vec3d sum(0, 0, 0);
      double total = 0;
      for (std::size_t i = 0; i < places.size(); ++i) {
        sum += body.body->masses[i] * places[i];
        total += body.body->masses[i];
      }
      return Vec3d(sum / total);
    };
    for (int m = 0; m <= moments; ++m) {
      const double part = static_cast<double>(m) / moments;
      spline.at(spline.first() + part * (spline.last() - spline.first()), now);
      const Vec3d middle = middle_of(now);
      for (std::size_t k = 0; m > 0 && k < nodes.size(); ++k) {
        ways.push_back(before[nodes[k]].cast<float>());
        ways.push_back(now[nodes[k]].cast<float>());
      }
      if (m > 0) {
        middles.push_back(middle_before.cast<float>());
        middles.push_back(middle.cast<float>());
      }
      middle_before = middle;
      before = now;
    }
    for (const MotionFrame& frame : body.frames) {
      (frame.is_key ? keys : found).push_back(middle_of(frame.places).cast<float>());
    }
  }
  if (draw::Lines* lines = add_lines(what, std::move(ways), way_colour, 1.3f, list)) {
    lines->on_top = true;
  }
  if (draw::Lines* lines = add_lines(what, std::move(middles), middle_colour, 2, list)) {
    lines->on_top = true;
  }
  add_points(what, found, rim_colour, 6, true, list);
  add_points(what, std::move(found), node_colour, 4, true, list);
  add_points(what, keys, rim_colour, 10, true, list);
  add_points(what, std::move(keys), draw::accent, 7.5f, true, list);
}

void show_states(const Shown& what, draw::DrawList& list) {
  for (const BodyStates::One& one : what.value.as<BodyStates>().list) {
    add_nodes(what, one.places, list);
  }
}

}  // namespace sinew::showing
