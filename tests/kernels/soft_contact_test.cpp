#include "nodes/kernels/soft_contact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <tuple>

#include "nodes/kernels/primitives.h"
#include "nodes/kernels/stuff.h"
#include "nodes/kernels/surface_tree.h"
#include "nodes/kernels/tet_measure.h"
#include "tests/kernels/shapes.h"
#include "tests/kernels/solids.h"

namespace sinew::kernels {
namespace {

// A rest shape, prepared once.
struct Made {
  std::string name;
  TetMesh solid;
  ContactShape shape;
  Made(std::string called, TetMesh rest)
      : name(std::move(called)), solid(std::move(rest)), shape(solid) {}
};

const std::vector<Made>& makes() {
  static const std::vector<Made> all = [] {
    std::vector<Made> made;
    made.emplace_back("box", make_tet_box({1, 1, 1}, {4, 4, 4}));
    made.emplace_back("one layer", make_tet_box({2, 0.2f, 1}, {8, 1, 4}));
    made.emplace_back("shaken", test::shaken_box({1, 1.4f, 1}, {3, 4, 3}, 5));
    made.emplace_back("bell", test::bell(0.7f, 1, 7, 2));
    StuffOptions options;
    options.resolution = 6;
    made.emplace_back("ball", stuff_surface(make_icosphere({0.7f, 6}), options).solid);
    made.emplace_back("ring", stuff_surface(make_torus({0.7f, 0.3f, 24, 12}), options).solid);
    return made;
  }();
  return all;
}
const Made& box() { return makes()[0]; }

// Two tetrahedra thick at most: none of its vertices is near of what lies on its middle.
const Made& slab() {
  static const Made made("slab", make_tet_box({8, 2, 8}, {1, 1, 1}));
  return made;
}

struct Body {
  const Made* made;
  std::vector<Vec3f> positions, velocities;
  std::vector<float> inverse_mass;
  bool operator==(const Body& other) const {
    return positions == other.positions && velocities == other.velocities;
  }
};

struct Scene {
  std::vector<Body> bodies;
  ContactScratch scratch;
  std::vector<Vec3d> impulses;

  Body& add(const Made& made, const Vec3f& at, float scale = 1, const Vec3f& velocity = {0, 0, 0},
            float mass = 1) {
    Body body{&made, made.solid.positions, {}, {}};
    for (Vec3f& p : body.positions) p = scale * p + at;
    body.velocities.assign(body.positions.size(), velocity);
    // Not all equal, and all together of the mass.
    const auto count = static_cast<float>(body.positions.size());
    for (std::size_t i = 0; i < body.positions.size(); ++i) {
      body.inverse_mass.push_back(count / mass * (0.8f + 0.4f * static_cast<float>(i % 3) / 2));
    }
    bodies.push_back(std::move(body));
    return bodies.back();
  }

  std::vector<ContactBody> views() {
    std::vector<ContactBody> list;
    for (Body& b : bodies) {
      list.push_back({&b.made->shape, b.positions, b.velocities, b.inverse_mass, 1});
    }
    return list;
  }
  ContactReport resolve(const ContactOptions& options = {}) {
    impulses.resize(bodies.size());
    return resolve_contacts(views(), options, scratch, impulses);
  }
  std::vector<Contact> contacts() {
    const std::vector<ContactBody> list = views();
    const std::span<const Contact> found = find_contacts(list, scratch);
    return {found.begin(), found.end()};
  }
  double deepest() {
    double most = 0;
    for (const Contact& c : contacts()) most = std::max<double>(most, c.depth);
    return most;
  }

  // Masses times positions or velocities, and the sum of the sizes of the terms.
  std::pair<Vec3d, double> sum(std::vector<Vec3f> Body::*of) const {
    Vec3d total = Vec3d::Zero();
    double size = 0;
    for (const Body& b : bodies) {
      for (std::size_t i = 0; i < b.positions.size(); ++i) {
        if (b.inverse_mass[i] == 0) continue;
        const Vec3d term = (b.*of)[i].cast<double>() / b.inverse_mass[i];
        total += term;
        size += term.norm();
      }
    }
    return {total, size};
  }
  double energy() const {
    double total = 0;
    for (const Body& b : bodies) {
      for (std::size_t i = 0; i < b.velocities.size(); ++i) {
        total += b.velocities[i].cast<double>().squaredNorm() / b.inverse_mass[i] / 2;
      }
    }
    return total;
  }
  bool finite() const {
    return std::all_of(bodies.begin(), bodies.end(), [](const Body& b) {
      const auto good = [](const Vec3f& p) { return p.allFinite(); };
      return std::all_of(b.positions.begin(), b.positions.end(), good) &&
             std::all_of(b.velocities.begin(), b.velocities.end(), good);
    });
  }
};

// Several bodies of all kinds, turned, bent and shaken, about as dense as each is large.
Scene random_scene(unsigned seed, std::size_t count = 5, float unit = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  const auto any = [&] { return Vec3f(uniform(random), uniform(random), uniform(random)); };
  Scene scene;
  for (std::size_t i = 0; i < count; ++i) {
    const Made& made = makes()[random() % makes().size()];
    Body& body = scene.add(made, Vec3f::Zero(), 1, unit * any(), 1 + 0.5f * uniform(random));
    const Eigen::AngleAxisf turn(3 * uniform(random), any().normalized());
    const Vec3f at = 1.2f * any(), bend = 0.3f * any();
    for (std::size_t v = 0; v < body.positions.size(); ++v) {
      const Vec3f p = turn * body.positions[v];
      body.positions[v] = unit * (p + bend * (p.x() * p.x()) + at + 0.01f * any());
      body.velocities[v] += 0.2f * unit * any();
    }
  }
  return scene;
}

using Key = std::tuple<uint32_t, uint32_t, uint32_t>;  // body, vertex, other

// All vertices of the boundary against all tetrahedra. Those within rounding of a face are `open`.
void ask_everyone(const Scene& scene, std::set<Key>& inside, std::set<Key>& open) {
  for (uint32_t a = 0; a < scene.bodies.size(); ++a) {
    std::set<uint32_t> surface;
    for (const Triangle& t : scene.bodies[a].made->solid.topology->boundary) {
      surface.insert(t.begin(), t.end());
    }
    for (uint32_t b = 0; b < scene.bodies.size(); ++b) {
      if (a == b) continue;
      const Body& other = scene.bodies[b];
      for (const uint32_t v : surface) {
        const Vec3d p = scene.bodies[a].positions[v].cast<double>();
        double best = -INFINITY;
        for (const Tetrahedron& tet : other.made->solid.tets()) {
          const TetCorners c = corners_of(other.positions, tet);
          Eigen::AlignedBox3d around;
          for (const Vec3d& corner : c) around.extend(corner);
          if (!around.contains(p)) continue;
          const double volume = tet_volume(c);
          if (!(volume > 0)) continue;
          double least = INFINITY;
          for (std::size_t k = 0; k < 4; ++k) {
            TetCorners with = c;
            with[k] = p;
            least = std::min(least, tet_volume(with) / volume);
          }
          best = std::max(best, least);
        }
        if (best > 0) inside.insert({a, v, b});
        if (std::abs(best) < 1e-4) open.insert({a, v, b});
      }
    }
  }
}

TEST(SoftContact, FindsWhatAskingEveryTetrahedronFinds) {
  std::size_t total = 0;
  for (unsigned seed = 0; seed < 5; ++seed) {
    Scene scene = random_scene(seed);
    std::set<Key> inside, open, found;
    ask_everyone(scene, inside, open);
    for (const Contact& c : scene.contacts()) {
      EXPECT_TRUE(found.insert({c.body, c.vertex, c.other}).second) << "twice";
    }
    for (const Key& key : inside) EXPECT_TRUE(found.count(key) || open.count(key)) << seed;
    for (const Key& key : found) EXPECT_TRUE(inside.count(key) || open.count(key)) << seed;
    total += found.size();
  }
  EXPECT_GT(total, 500u);
}

TEST(SoftContact, TheWayOutLeadsToTheNearestPlaceOfTheBoundary) {
  std::size_t all = 0, longer = 0;
  for (unsigned seed = 20; seed < 32; ++seed) {
    Scene scene = random_scene(seed);
    for (const Contact& c : scene.contacts()) {
      const Body& other = scene.bodies[c.other];
      const Vec3f p = scene.bodies[c.body].positions[c.vertex];
      Vec3f place = Vec3f::Zero();
      for (std::size_t k = 0; k < 3; ++k) {
        place += c.weights[static_cast<int>(k)] * other.positions[c.triangle[k]];
      }
      EXPECT_NEAR(c.weights.sum(), 1, 1e-5);
      EXPECT_GE(c.weights.minCoeff(), 0);
      EXPECT_NEAR(c.normal.norm(), 1, 1e-5);
      EXPECT_LT((p + c.depth * c.normal - place).norm(), 1e-5f);
      double least = INFINITY;
      for (const Triangle& t : other.made->solid.topology->boundary) {
        const auto corner = [&](int k) {
          return other.positions[t[static_cast<std::size_t>(k)]].cast<double>().eval();
        };
        const Vec3d w = closest_on_triangle(p.cast<double>(), corner(0), corner(1), corner(2));
        const Vec3d q = w[0] * corner(0) + w[1] * corner(1) + w[2] * corner(2);
        least = std::min(least, (q - p.cast<double>()).norm());
      }
      EXPECT_GE(c.depth, least * 0.999);
      ++all;
      longer += c.depth > 1.05 * least + 1e-4;
    }
  }
  EXPECT_GT(all, 500u);
  EXPECT_LT(static_cast<double>(longer), 0.02 * static_cast<double>(all)) << longer << " " << all;
}

// Two of a kind, one on the other, or beside it where it is hollow, 6 cm too near.
Scene touching(const Made& made) {
  Eigen::AlignedBox3f size;
  for (const Vec3f& p : made.solid.positions) size.extend(p);
  Vec3f step(0.07f, size.sizes().y() - 0.06f, 0.05f);
  if (made.name == "bell") step = {size.sizes().x() - 0.06f, 0.07f, 0.05f};
  Scene scene;
  scene.add(made, Vec3f::Zero(), 1, {0.1f, 1, 0});
  scene.add(made, step, 1, {0, -1, 0.2f}, 2);
  return scene;
}

TEST(SoftContact, OverlappingBodiesSeparateAfterAFewPasses) {
  for (const Made& made : makes()) {
    Scene scene = touching(made);
    ContactOptions options;
    options.passes = 8;
    const double before = scene.resolve(options).deepest;
    EXPECT_GT(before, 0.01) << made.name;
    EXPECT_LT(scene.deepest(), 0.05 * before) << made.name;
  }
}

TEST(SoftContact, MomentumAndTheCentreOfMassStay) {
  for (const float unit : {1e-3f, 1.0f, 1e3f}) {
    for (unsigned seed = 40; seed < 50; ++seed) {
      Scene scene = random_scene(seed, 6, unit);
      const auto [centre, reach] = scene.sum(&Body::positions);
      const auto [momentum, size] = scene.sum(&Body::velocities);
      const double energy = scene.energy();
      std::vector<Vec3d> before;
      for (const Body& b : scene.bodies) {
        Scene alone;
        alone.bodies = {b};
        before.push_back(alone.sum(&Body::velocities).first);
      }
      ContactOptions options;
      options.passes = 3;
      const ContactReport report = scene.resolve(options);
      EXPECT_GT(report.contacts, 0u);
      EXPECT_LT((scene.sum(&Body::positions).first - centre).norm(), 1e-6 * reach);
      EXPECT_LT((scene.sum(&Body::velocities).first - momentum).norm(), 1e-6 * size);
      EXPECT_LE(scene.energy(), energy * (1 + 1e-6)) << "contacts only take energy";
      // The books say the same, body by body.
      Vec3d total = Vec3d::Zero();
      for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        Scene alone;
        alone.bodies = {scene.bodies[i]};
        const Vec3d change = alone.sum(&Body::velocities).first - before[i];
        EXPECT_LT((change - scene.impulses[i]).norm(), 1e-6 * size);
        total += scene.impulses[i];
      }
      EXPECT_LT(total.norm(), 1e-12 * size);
    }
  }
}

TEST(SoftContact, ABodyThatDoesNotGiveWayIsUntouchedAndTheOtherLeaves) {
  for (const Made& made : makes()) {
    Scene scene;
    scene.add(slab(), Vec3f::Zero(), 1, {0.5f, 0, 0});
    std::fill(scene.bodies[0].inverse_mass.begin(), scene.bodies[0].inverse_mass.end(), 0.0f);
    Eigen::AlignedBox3f size;
    for (const Vec3f& p : made.solid.positions) size.extend(p);
    scene.add(made, {0.1f, 0.95f - size.min().y(), -0.05f}, 1, {0, -1, 0});
    const Body wall = scene.bodies[0];
    ContactOptions options;
    options.passes = 8;
    const ContactReport report = scene.resolve(options);
    EXPECT_GT(report.contacts, 0u) << made.name;
    EXPECT_NEAR(report.deepest, 0.05, 0.03) << made.name;
    EXPECT_TRUE(scene.bodies[0] == wall);
    EXPECT_LT(scene.deepest(), 1e-3) << made.name;
    EXPECT_GT(scene.impulses[1].y(), 0);
    EXPECT_EQ(scene.impulses[0], -scene.impulses[1]);
    // Without masses, and without velocities where it stands still, it is the same wall.
    std::vector<ContactBody> list = scene.views();
    list[0].inverse_mass = {};
    list[0].velocities = {};
    EXPECT_NO_THROW(resolve_contacts(list, options, scene.scratch));
    EXPECT_TRUE(scene.bodies[0] == wall);
  }
}

// One flat box slides on a wall with velocity (1, -1, 0); returns the velocity of one contact.
struct Slide {
  Scene scene;
  std::vector<uint32_t> touching;
  explicit Slide(float friction) {
    scene.add(slab(), {0, -1, 0});
    std::fill(scene.bodies[0].inverse_mass.begin(), scene.bodies[0].inverse_mass.end(), 0.0f);
    scene.add(box(), {0.03f, 0.47f, 0.04f}, 1, {1, -1, 0});
    for (const Contact& c : scene.contacts()) touching.push_back(c.vertex);
    ContactOptions options;
    options.friction = friction;
    scene.resolve(options);
  }
};

TEST(SoftContact, FrictionIsCoulombs) {
  for (const float friction : {0.0f, 0.25f, 0.9f, 5.0f}) {
    Slide slide(friction);
    EXPECT_GE(slide.touching.size(), 16u);
    for (const uint32_t v : slide.touching) {
      const Vec3f u = slide.scene.bodies[1].velocities[v];
      EXPECT_NEAR(u.y(), 0, 1e-5);
      EXPECT_NEAR(u.x(), std::max(0.0f, 1 - friction), 1e-5);
      EXPECT_NEAR(u.z(), 0, 1e-5);
    }
  }
}

TEST(SoftContact, OneContactIsTheTextbooks) {
  const std::vector<Tetrahedron> one = {{0, 1, 2, 3}};
  const Made pin("pin", TetMesh(one, {{0, 0, 0}, {1, 3, -1}, {-1, 3, -1}, {0, 3, 1}}));
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (int i = 0; i < 100; ++i) {
    Scene scene;
    scene.add(box(), Vec3f::Zero(), 8);
    scene.add(pin, {3 * uniform(random), 3.99f, 3 * uniform(random)}, 0.2f);
    for (Body& b : scene.bodies) {
      for (Vec3f& v : b.velocities) v = {uniform(random), uniform(random), uniform(random)};
    }
    scene.bodies[1].velocities[0].y() -= 3;
    const std::vector<Contact> contacts = scene.contacts();
    ASSERT_EQ(contacts.size(), 1u);
    const Contact c = contacts[0];
    EXPECT_EQ(c.body, 1u);
    EXPECT_NEAR(c.depth, 0.01, 1e-5);
    EXPECT_LT((c.normal - Vec3f(0, 1, 0)).norm(), 1e-6f);
    const auto between = [&](std::vector<Vec3f> Body::*of) {
      Vec3f u = (scene.bodies[1].*of)[c.vertex];
      for (std::size_t k = 0; k < 3; ++k) {
        u -= c.weights[static_cast<int>(k)] * (scene.bodies[0].*of)[c.triangle[k]];
      }
      return u;
    };
    const Vec3f before = between(&Body::velocities);
    ContactOptions options;
    options.friction = static_cast<float>(i % 4) * 0.1f;
    scene.resolve(options);
    EXPECT_NEAR(between(&Body::positions).y(), 0, 2e-6);
    Vec3f slip(before.x(), 0, before.z());
    const float slow = options.friction * -before.y();
    slip *= std::max(0.0f, 1 - slow / slip.norm());
    EXPECT_LT((between(&Body::velocities) - slip).norm(), 1e-5f) << i;
  }
}

TEST(SoftContact, WithoutAContactNothingChanges) {
  Scene scene;
  scene.add(box(), {0, 0, 0}, 1, {1, 2, 3});
  scene.add(box(), {1.001f, 0.3f, 0}, 1, {-1, 0, 0});
  scene.add(makes()[3], {0, 2, 0});
  scene.add(makes()[4], {0, 2.0f, 0}, 0.3f);  // under the bell, without touching it
  const std::vector<Body> before = scene.bodies;
  const ContactReport report = scene.resolve();
  EXPECT_EQ(report.contacts, 0u);
  EXPECT_GT(report.pairs, 0u);
  EXPECT_EQ(report.deepest, 0);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_TRUE(scene.bodies[i] == before[i]);
}

TEST(SoftContact, DoesNotDependOnThreadsOrOnWhatTheScratchHasSeen) {
  Scene other = random_scene(1, 12);
  other.resolve();
  test::expect_same_for_threads([&] {
    Scene scene = random_scene(7, 40);
    ContactOptions options;
    options.passes = 2;
    scene.resolve(options);
    return scene.bodies;
  });
  Scene fresh = random_scene(8, 20), used = random_scene(8, 20);
  for (std::size_t i = 0; i < fresh.bodies.size(); ++i) used.bodies[i] = fresh.bodies[i];
  used.scratch = std::move(other.scratch);
  fresh.resolve();
  used.resolve();
  EXPECT_TRUE(fresh.bodies == used.bodies);
}

TEST(SoftContact, TheOrderOfBodiesDoesNotMatterToPhysics) {
  for (const Made& made : makes()) {
    Scene scene = touching(made), mirrored;
    mirrored.bodies = {scene.bodies[1], scene.bodies[0]};
    ContactOptions options;
    options.passes = 8;
    const ContactReport a = scene.resolve(options), b = mirrored.resolve(options);
    EXPECT_EQ(a.contacts, b.contacts);
    EXPECT_EQ(a.deepest, b.deepest);
    EXPECT_LT(mirrored.deepest(), 0.05 * b.deepest) << made.name;
    const auto [p, size] = scene.sum(&Body::velocities);
    EXPECT_LT((p - mirrored.sum(&Body::velocities).first).norm(), 1e-6 * size);
    const double energy = scene.energy();
    EXPECT_NEAR(mirrored.energy(), energy, 0.02 * energy) << made.name;
    EXPECT_LT((scene.impulses[0] - mirrored.impulses[1]).norm(), 0.1 * scene.impulses[0].norm())
        << made.name;
  }
}

TEST(SoftContact, NoVertexMovesFurtherThanTwiceTheDepth) {
  for (unsigned seed = 100; seed < 110; ++seed) {
    Scene scene = random_scene(seed, 2);
    const std::vector<Contact> contacts = scene.contacts();
    if (contacts.empty()) continue;
    const Contact c = contacts.front();
    // Only the corner with the least weight can give way.
    for (Body& b : scene.bodies) std::fill(b.inverse_mass.begin(), b.inverse_mass.end(), 0.0f);
    int least = 0;
    c.weights.minCoeff(&least);
    const uint32_t v = c.triangle[static_cast<std::size_t>(least)];
    Body& giving = scene.bodies[c.other];
    giving.inverse_mass[v] = 1e-30f;
    const Vec3f before = giving.positions[v];
    const double deepest = scene.resolve().deepest;
    EXPECT_LE((giving.positions[v] - before).norm(),
              2.001 * deepest * static_cast<double>(contacts.size()));
  }
}

TEST(SoftContact, TheUnitOfLengthDoesNotMatter) {
  for (const float unit : {0x1p-10f, 0x1p10f}) {
    Scene scene = random_scene(3);
    Scene scaled;
    scaled.bodies = scene.bodies;
    for (Body& b : scaled.bodies) {
      for (Vec3f& p : b.positions) p *= unit;
      for (Vec3f& v : b.velocities) v *= unit;
    }
    scene.resolve();
    scaled.resolve();
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      for (std::size_t v = 0; v < scene.bodies[i].positions.size(); ++v) {
        EXPECT_EQ(scaled.bodies[i].positions[v], scene.bodies[i].positions[v] * unit);
        EXPECT_EQ(scaled.bodies[i].velocities[v], scene.bodies[i].velocities[v] * unit);
      }
    }
  }
}

TEST(SoftContact, DegenerateBodiesStayFinite) {
  for (const Made& made : makes()) {
    for (int kind = 0; kind < 7; ++kind) {
      Scene scene;
      scene.add(made, Vec3f::Zero(), 1, {0, -1, 0});
      scene.add(made, {0.01f, 0.02f, 0}, 1, {0, 1, 0});
      scene.add(box(), {0.1f, 0.2f, 0.05f}, 0.7f);
      std::vector<Vec3f>& p = scene.bodies[1].positions;
      for (Vec3f& x : p) {
        if (kind == 0) x = {0.1f, 0.1f, 0.1f};  // a point
        if (kind == 1) x.y() = 0.1f;            // flat
        if (kind == 2) x = {x.x(), 0, 0};       // a line
        if (kind == 3) x.x() = -x.x();          // inside out
        if (kind == 5) x *= 1e30f;
        if (kind == 6) x *= 1e-30f;
      }
      if (kind == 4) p = scene.bodies[0].positions;  // in the same place
      if (kind == 5) scene.bodies[0].velocities.assign(p.size(), Vec3f::Constant(3e38f));
      std::vector<Body> before = scene.bodies;
      ContactOptions options;
      options.passes = 4;
      const ContactReport report = scene.resolve(options);
      EXPECT_TRUE(scene.finite()) << made.name << " " << kind;
      if (kind == 5) continue;
      for (std::size_t i = 0; i < before.size(); ++i) {
        for (std::size_t v = 0; v < before[i].positions.size(); ++v) {
          EXPECT_LE((scene.bodies[i].positions[v] - before[i].positions[v]).norm(), 2)
              << made.name << " " << kind << " " << report.deepest;
        }
      }
    }
  }
}

TEST(SoftContact, TwoHundredScenesStayFiniteAndWithinTheirBounds) {
  for (unsigned seed = 200; seed < 400; ++seed) {
    Scene scene = random_scene(seed, 2 + seed % 7, seed % 3 == 0 ? 1e-3f : 1);
    ContactOptions options;
    options.passes = 3;
    options.friction = static_cast<float>(seed % 5) / 2;
    scene.resolve(options);
    EXPECT_TRUE(scene.finite()) << seed;
    Eigen::AlignedBox3f all;
    for (const Body& b : scene.bodies) {
      for (const Vec3f& p : b.positions) all.extend(p);
    }
    EXPECT_LT(all.sizes().maxCoeff(), seed % 3 == 0 ? 8e-3f : 8) << seed;
  }
}

TEST(SoftContact, WhatIsNotFiniteTakesNoPart) {
  Scene scene;
  scene.add(box(), Vec3f::Zero());
  scene.add(box(), {0.9f, 0.1f, 0});
  scene.bodies[1].positions[0] = Vec3f::Constant(NAN);
  scene.bodies[1].positions[7] = Vec3f::Constant(INFINITY);
  const std::vector<Vec3f> before = scene.bodies[0].positions;
  scene.resolve();
  for (const Vec3f& p : scene.bodies[0].positions) EXPECT_TRUE(p.allFinite());
}

TEST(SoftContact, RejectsWhatDoesNotFit) {
  ContactScratch scratch;
  Scene scene;
  scene.add(box(), Vec3f::Zero());
  std::vector<ContactBody> list = scene.views();
  list[0].positions = list[0].positions.first(3);
  EXPECT_THROW(resolve_contacts(list, {}, scratch), std::invalid_argument);
  list = scene.views();
  list[0].shape = nullptr;
  EXPECT_THROW(resolve_contacts(list, {}, scratch), std::invalid_argument);
  list = scene.views();
  std::vector<Vec3d> impulses(2);
  EXPECT_THROW(resolve_contacts(list, {}, scratch, impulses), std::invalid_argument);
  TetMesh broken = box().solid;
  broken.positions[0].x() = NAN;
  EXPECT_THROW(ContactShape{broken}, std::invalid_argument);
  // Nothing at all is a scene, too.
  EXPECT_EQ(resolve_contacts({}, {}, scratch).contacts, 0u);
  const ContactShape empty{TetMesh()};
  std::vector<ContactBody> nothing(2);
  for (ContactBody& body : nothing) body.shape = &empty;
  EXPECT_EQ(resolve_contacts(nothing, {}, scratch).contacts, 0u);
  EXPECT_GT(box().shape.bytes(), 1000u);
}

}  // namespace
}  // namespace sinew::kernels
