// Values in a few words, and what they look like.
#pragma once

#include <cmath>

#include "nodes/kernels/primitives.h"
#include "nodes/kernels/tet_primitives.h"
#include "nodes/show.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {

// A key for each number.
inline Key key_of(uint64_t number) { return KeyHasher(number).finish(); }

inline Shown shown(Value value, uint64_t key = 1) {
  Shown what;
  what.source = "it.value";
  what.title = "It";
  what.value = std::move(value);
  what.key = key_of(key);
  return what;
}
inline Shown shown(Value value, Value body, uint64_t key = 1, uint64_t body_key = 2) {
  Shown what = shown(std::move(value), key);
  what.body = std::move(body);
  what.body_key = key_of(body_key);
  return what;
}

// The list with nothing else in it; the value must be showable.
inline draw::DrawList seen(const Shown& what, const ShowOptions& options = {}) {
  draw::DrawList list;
  const Result<void> result = show(what, options, list);
  EXPECT_TRUE(static_cast<bool>(result)) << (result ? "" : result.error());
  return list;
}

// What it says instead; the list must stay as it was.
inline std::string refusal(const Shown& what, const ShowOptions& options = {}) {
  draw::DrawList list;
  const Result<void> result = show(what, options, list);
  EXPECT_TRUE(list.empty() && list.scales.empty());
  return result ? "" : result.error();
}

inline ShowOptions cut_at(const Vec3f& point, const Vec3f& normal) {
  ShowOptions options;
  options.section = draw::SectionPlane{point, normal};
  return options;
}

inline Mesh ball(int frequency = 8, float radius = 0.5f) {
  return kernels::make_icosphere({.radius = radius, .frequency = frequency});
}
// A solid that carries a finer ball.
inline const TetMesh& dressed_ball() {
  static const TetMesh solid = [] {
    TestGraph g;
    g.node("ball", "mesh.sphere", {{"detail", 16}});
    g.node("fill", "tet.from_mesh", {{"resolution", 10}}).link("ball.mesh", "fill.mesh");
    return g.get<TetMesh>("fill.solid");
  }();
  return solid;
}

// How far something is up, at each of the points.
inline std::vector<float> heights(std::span<const Vec3f> points) {
  std::vector<float> values;
  for (const Vec3f& p : points) values.push_back(p.y());
  return values;
}

// Everything in the list can be drawn: indices within, numbers finite, ends of scales in order.
inline void expect_sound(const draw::DrawList& list) {
  const auto all_finite = [](std::span<const draw::Point> points) {
    return std::all_of(points.begin(), points.end(),
                       [](const draw::Point& p) { return p.allFinite(); });
  };
  for (const draw::Mesh& m : list.meshes) {
    EXPECT_TRUE(m.owner && m.topology);
    EXPECT_FALSE(m.triangles.empty());
    EXPECT_TRUE(all_finite(m.positions));
    for (const draw::Triangle& t : m.triangles)
      for (const uint32_t v : t) EXPECT_LT(v, m.positions.size());
    EXPECT_TRUE(m.polygon_of_triangle.empty() ||
                m.polygon_of_triangle.size() == m.triangles.size());
    if (!m.values.empty()) {
      EXPECT_EQ(m.values.size(),
                m.values_per == draw::ValuesPer::vertex ? m.positions.size() : m.triangles.size());
      EXPECT_TRUE(m.scale >= 0 && m.scale < static_cast<int>(list.scales.size()));
    }
    EXPECT_EQ(m.source, "it.value");
  }
  for (const draw::ColourScale& s : list.scales) {
    EXPECT_LT(s.low, s.high);
    EXPECT_TRUE(std::isfinite(s.high - s.low) && std::isfinite(1 / (s.high - s.low)));
  }
  for (const draw::Glyphs& g : list.glyphs) {
    EXPECT_EQ(g.places.size(), g.vectors.size());
    EXPECT_TRUE(all_finite(g.places) && all_finite(g.vectors));
  }
  for (const draw::Lines& l : list.lines) {
    EXPECT_EQ(l.points.size() % 2, 0u);
    EXPECT_TRUE(all_finite(l.points));
  }
  for (const draw::Points& p : list.points) {
    EXPECT_TRUE(p.values.empty() || p.values.size() == p.points.size());
    EXPECT_TRUE(all_finite(p.points));
  }
  for (const draw::Plane& p : list.planes)
    EXPECT_TRUE(p.centre.allFinite() && p.u.allFinite() && p.v.allFinite());
  for (const draw::Label& l : list.labels) EXPECT_TRUE(l.at.allFinite() && !l.text.empty());
}

}  // namespace sinew::testing
