// Whatever a soft body is given, it stays finite and within reach of what acts on it, and when it
// is let go it finds its shape again.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>

#include "nodes/kernels/soft_body.h"
#include "tests/kernels/figures.h"
#include "tests/kernels/match_cases.h"

namespace sinew::kernels {
namespace {

using test::MatchCase;
using test::Points;
using test::Random;

constexpr int sets = 2000, groups = 8, steps = 300, most_release_steps = 1200;

const std::vector<std::unique_ptr<MatchCase>>& bodies() {
  static const std::vector<std::unique_ptr<MatchCase>> all = [] {
    std::vector<std::unique_ptr<MatchCase>> made;
    const auto add = [&](const std::string& name, const TetMesh& solid) {
      for (const double scale : {1.0, 0.01, 100.0}) {
        made.push_back(std::make_unique<MatchCase>(name, test::placed(solid, scale, Vec3d::Zero()),
                                                   static_cast<unsigned>(made.size())));
      }
    };
    add("box", make_tet_box({1, 1, 1}, {3, 3, 3}));
    add("bar", test::shaken_box({2, 1, 1}, {6, 3, 3}, 1));
    add("bell", test::bell(0.7f, 1, 5, 2));
    add("sheet", test::shaken_box({1, 0.15f, 1}, {6, 1, 6}, 2));
    add("worm", test::stuffed_worm(120));
    return made;
  }();
  return all;
}

enum class Start { rest, mirrored, inside_out, point, line, plane, scrambled };
constexpr Start starts[] = {Start::rest, Start::mirrored, Start::inside_out, Start::point,
                            Start::line, Start::plane,    Start::scrambled};
std::string name_of(Start s) {
  const char* const names[] = {"rest", "mirrored", "inside out", "point",
                               "line", "plane",    "scrambled"};
  return names[static_cast<int>(s)];
}

// Everything that acts on one body, drawn at random.
struct Trial {
  const MatchCase& body;
  Random random;
  Start start;
  double h, reach;
  SoftSettings settings;
  std::vector<Pull> pulls;
  std::vector<Pin> pins;
  std::vector<Vec3f> push;
  Colliders colliders;
  std::vector<LaneFloats> tensors;  // one after the other, abruptly
  SoftState state;
  SoftScratch scratch;
  int n;
  StiffnessMethod method;

  explicit Trial(unsigned seed)
      : body(*bodies()[seed % bodies().size()]),
        random(seed),
        start(starts[static_cast<std::size_t>(random.whole(0, 6))]),
        h(std::pow(10, random.uniform(-4, std::log10(0.2)))),
        n(random.whole(1, 20)),
        method(random.whole(0, 1) ? StiffnessMethod::fast : StiffnessMethod::plain) {
    state = rest_state(body.body, body.solid);
    place();
    const double size = body.size();
    settings.plan = plan_stiffness(n, method);
    settings.damping = maybe(0.5) ? static_cast<float>(random.uniform(0, 100)) : 0;
    settings.drag = maybe(0.1) ? 1e6f : maybe(0.4) ? static_cast<float>(random.uniform(0, 10)) : 0;
    double forces = 0;  // how far they move a vertex
    if (maybe(0.5)) {
      const double g = random.uniform(0, 100);
      settings.gravity = (g * random.direction()).cast<float>();
      // A body may hang by one vertex.
      forces += h * h * g * static_cast<double>(body.count());
    }
    if (maybe(0.4)) {
      push.assign(body.count(), Vec3f::Zero());
      for (int k = random.whole(1, 3); k > 0; --k) {
        const std::size_t i = any_vertex();
        const double force = std::pow(10, random.uniform(-2, 6));
        push[i] = (force * random.direction()).cast<float>();
        forces += h * h * force / body.masses[i];
      }
      settings.push = push;
    }
    reach = 0;
    if (maybe(0.5)) {
      for (int k = random.whole(1, 4); k > 0; --k) {
        const Vec3d to =
            body.match().rest_centre() + random.uniform(0, 5) * size * random.direction();
        pulls.push_back({static_cast<uint32_t>(any_vertex()),
                         static_cast<float>(std::pow(10, random.uniform(0, 6))), to.cast<float>()});
        reach = 5 * size;
      }
      settings.pulls = pulls;
    }
    if (maybe(0.3)) {
      for (int k = random.whole(1, 3); k > 0; --k) {
        const std::size_t i = any_vertex();
        const Vec3d to = body.solid.positions[i].cast<double>() +
                         size * random.uniform(0, 1) * random.direction();
        pins.push_back({static_cast<uint32_t>(i), maybe(0.5) ? 1.0f : 0.5f, to.cast<float>()});
        reach = 5 * size;
      }
      settings.pins = pins;
    }
    if (maybe(0.5)) {
      settings.fluid.density = static_cast<float>(std::pow(10, random.uniform(0, 5)));
      settings.fluid.flow = (random.uniform(0, 10) * random.direction()).cast<float>();
      forces += steps * h * 10;
    }
    if (maybe(0.4)) {
      add_obstacle();
      settings.colliders = &colliders;
    }
    // Nothing is faster than ten sizes in a step.
    reach += 10 * size + std::min(forces, steps * 10 * size);
    const double most = random.uniform(1, 4);
    for (int k = 0; k < 4; ++k) tensors.push_back(at_the_limits(most));
  }

  bool maybe(double chance) { return random.uniform(0, 1) < chance; }
  std::size_t any_vertex() {
    return static_cast<std::size_t>(random.whole(0, static_cast<int>(body.count()) - 1));
  }

  void place() {
    const Vec3d centre = body.match().rest_centre();
    for (std::size_t i = 0; i < body.count(); ++i) {
      Vec3d p = body.solid.positions[i].cast<double>() - centre;
      switch (start) {
        case Start::rest:
          break;
        case Start::mirrored:
          p.x() = -p.x();
          break;
        case Start::inside_out:
          p = -p;
          break;
        case Start::point:
          p = Vec3d::Zero();
          break;
        case Start::line:
          p.y() = p.z() = 0;
          break;
        case Start::plane:
          p.y() = 0;
          break;
        case Start::scrambled:
          p = 0.5 * body.size() * random.vector();
          break;
      }
      state.positions[i] = (centre + p).cast<float>();
    }
    if (maybe(0.3)) {
      for (Vec3f& v : state.velocities) v = (10 * body.size() * random.vector()).cast<float>();
    }
  }

  void add_obstacle() {
    const int kind = random.whole(0, 2);
    Collider c;
    c.friction = static_cast<float>(random.uniform(0, 2));
    const double size = body.size();
    c.position = (body.match().rest_centre() + size * random.uniform(0, 1) * random.direction())
                     .cast<float>();
    c.rotation = random.rotation().cast<float>();
    if (kind == 1) {
      c.shape = ColliderShape::sphere;
      c.radius = static_cast<float>(size * random.uniform(0.1, 1));
    } else if (kind == 2) {
      c.shape = ColliderShape::box;
      c.half =
          (size * Vec3d(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)))
              .cast<float>();
    }
    colliders.list.push_back(c);
  }

  // Every eigenvalue is 1 / most or most.
  LaneFloats at_the_limits(double most) {
    const bool each = maybe(0.5);
    test::Tensors t;
    for (std::size_t i = 0; i < body.count(); ++i) {
      if (i > 0 && !each) {
        t.push_back(t[0]);
        continue;
      }
      Vec3d c;
      for (int k = 0; k < 3; ++k) c[k] = maybe(0.5) ? most : 1 / most;
      const Eigen::Matrix3d d = random.rotation().toRotationMatrix();
      t.push_back(d * c.asDiagonal() * d.transpose());
    }
    LaneFloats out;
    rest_tensors(body.body, out);
    test::set_tensors(body.match(), t, out);
    return out;
  }

  void step(std::span<const float> to, const SoftSettings& s) {
    step_soft_body(body.body, s, h, to, 1, scratch, state);
  }

  bool finite() const {
    for (std::size_t i = 0; i < state.positions.size(); ++i) {
      if (!state.positions[i].allFinite() || !state.velocities[i].allFinite()) return false;
    }
    return true;
  }
  // The farthest vertex from the middle.
  double extent() const {
    Vec3d middle = Vec3d::Zero();
    for (const Vec3f& p : state.positions) middle += p.cast<double>();
    middle /= static_cast<double>(state.positions.size());
    double most = 0;
    for (const Vec3f& p : state.positions)
      most = std::max(most, (p.cast<double>() - middle).norm());
    return most;
  }
  // How far from the rest shape, wherever that is now.
  double off() const {
    const Points now = test::to_double(state.positions);
    return test::rms(test::aligned(test::to_double(body.solid.positions), now), now) / body.size();
  }

  // Nothing acts any more, and what is left of the motion dies within some steps. Returns how many
  // it took.
  int release() {
    SoftSettings free;
    free.plan = plan_stiffness(n, method);
    free.damping = static_cast<float>(0.3 / h);
    free.drag = static_cast<float>(0.05 / h);
    LaneFloats none;
    rest_tensors(body.body, none);
    for (int k = 1; k <= most_release_steps; ++k) {
      step(none, free);
      if (k % 100 == 0 && off() < 0.01) return k;
    }
    return most_release_steps;
  }
};

class SoftStabilityOf : public testing::TestWithParam<int> {};

TEST_P(SoftStabilityOf, AnythingStaysBoundedAndComesBack) {
  std::map<std::string, double> worst;
  std::map<std::string, int> lost, tried;
  const unsigned first = static_cast<unsigned>(GetParam() * (sets / groups));
  for (unsigned seed = first; seed < first + sets / groups; ++seed) {
    Trial trial(seed);
    double most = 0;
    bool finite = true;
    for (int k = 0; k < steps && finite; ++k) {
      trial.step(trial.tensors[static_cast<std::size_t>(k) % trial.tensors.size()], trial.settings);
      finite = trial.finite();
      most = std::max(most, trial.extent());
    }
    const std::string what = "seed " + std::to_string(seed) + ", " + trial.body.name + ", " +
                             name_of(trial.start) + ", N " + std::to_string(trial.n) +
                             (trial.method == StiffnessMethod::fast ? " fast" : " plain") + ", h " +
                             std::to_string(trial.h);
    ASSERT_TRUE(finite) << what;
    EXPECT_LE(most, 10 * trial.reach) << what;
    worst["extent / reach"] = std::max(worst["extent / reach"], most / trial.reach);
    worst["extent / size"] = std::max(worst["extent / size"], most / trial.body.size());
    const double needed = trial.release();
    worst["steps to come back"] = std::max(worst["steps to come back"], needed);
    ASSERT_TRUE(trial.finite()) << what;
    const double off = trial.off();
    const std::string kind = trial.body.name + ", " + name_of(trial.start);
    ++tried[kind];
    lost[kind] += off > 0.02;
    EXPECT_LE(off, 0.02) << what;
    worst["off, sizes"] = std::max(worst["off, sizes"], off);
  }
  for (const auto& [name, value] : worst) test::record(name, value);
  for (const auto& [name, count] : tried) {
    if (lost[name] > 0) test::record(name + ", lost of " + std::to_string(count), lost[name]);
  }
}

// The same starts with nothing that would shake them out of a wrong shape, if there is one that
// holds itself: turned inside out, folded flat, in one point.
TEST(SoftStability, NoWrongShapeHoldsItself) {
  double slowest = 0;
  int tried = 0;
  for (unsigned which = 0; which < bodies().size(); which += 3) {  // of the usual size
    for (const Start start : starts) {
      for (const int n : {1, 3, 6, 20}) {
        for (const StiffnessMethod method : {StiffnessMethod::plain, StiffnessMethod::fast}) {
          for (unsigned seed = 0; seed < (start == Start::scrambled ? 8u : 1u); ++seed) {
            Trial trial(which + static_cast<unsigned>(bodies().size()) * seed);
            trial.start = start;
            trial.h = 1.0 / 60;
            trial.n = n;
            trial.method = method;
            trial.state = rest_state(trial.body.body, trial.body.solid);
            trial.place();
            trial.state.velocities.assign(trial.body.count(), Vec3f::Zero());
            slowest = std::max<double>(slowest, trial.release());
            ++tried;
            EXPECT_LE(trial.off(), 0.02) << trial.body.name << ", " << name_of(start) << ", N " << n
                                         << (method == StiffnessMethod::fast ? " fast" : " plain");
          }
        }
      }
    }
  }
  test::record("tried", tried);
  test::record("steps to come back", slowest);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SoftStabilityOf, testing::Range(0, groups));

}  // namespace
}  // namespace sinew::kernels
