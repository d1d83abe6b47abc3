// A thousand random bodies are dropped from 10 m: they stay finite, come to rest, and do not sink
// in.
#include <gtest/gtest.h>
#include <tbb/parallel_for.h>

#include <cmath>
#include <mutex>
#include <random>

#include "tests/kernels/modal_bodies.h"

namespace sinew::kernels {
namespace {

using namespace testing;

struct Random {
  std::mt19937_64 engine;
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(engine() >> 11) * 0x1p-53;
  }
  int upto(int last) { return static_cast<int>(engine() % static_cast<uint64_t>(last + 1)); }
};

Mesh random_mesh(Random& random) {
  const auto size = [&] { return static_cast<float>(random.between(0.4, 1.6)); };
  switch (random.upto(4)) {
    case 0:
      return make_box({.size = Vec3f(size(), size(), size()), .segments = {4, 5, 4}});
    case 1:
      return make_uv_sphere({.radius = 0.5f * size()});
    case 2:
      return make_cylinder({.radius = 0.4f * size(), .top_radius = 0.3f, .height = size()});
    case 3:
      return make_torus({.major_radius = 0.5f * size(), .minor_radius = 0.15f});
    default:
      return make_capsule({.radius = 0.3f * size(), .height = 1 + size()});
  }
}

// A few of the usual modes, and some that nobody would draw.
Modes random_modes(Random& random, const Mesh& mesh) {
  const auto rest = cage_around(mesh.positions, 3 + static_cast<uint32_t>(random.upto(2)));
  const Shape shapes[] = {squash_shape(0.5), shear_shape(0.5), bend_shape(0.4), twist_shape(0.6)};
  ModeLattice lattice{rest, {}};
  for (int n = 0; n < 4; ++n) {
    if (random.upto(1)) lattice.modes.push_back(mode_of(*rest, std::to_string(n), shapes[n]));
  }
  const int wild = random.upto(2) + (lattice.modes.empty() ? 1 : 0);
  for (int n = 0; n < wild; ++n) {
    lattice.modes.push_back(mode_of(*rest, "wild" + std::to_string(n), [&](const Vec3d&) {
      return Vec3d(random.between(-0.3, 0.3), random.between(-0.3, 0.3), random.between(-0.3, 0.3));
    }));
  }
  for (DeformMode& mode : lattice.modes) mode.damping = random.between(0.05, 1);
  return {{lattice}};
}

struct Drop {
  bool finite = true;
  double speed = 0, depth = 0, size = 1, seconds = 0;
};

Drop drop(uint64_t seed) {
  Random random{std::mt19937_64(seed)};
  const Mesh mesh = random_mesh(random);
  ModalBody body = body_of(mesh, random_modes(random, mesh), 64, 200);
  const ModalInertia inertia = modal_inertia(*body.modes, body.masses);
  if (!inertia.flaw.empty()) return ADD_FAILURE() << seed << ": " << inertia.flaw, Drop();
  set_stiffness(body, inertia.free, std::pow(10, random.between(-2, 2)));
  const auto model = std::make_shared<const ModalModel>(body);
  ModalStepper stepper(model);
  ModalState state = modal_rest(*model);
  state.turn = Eigen::Quaterniond(random.between(-1, 1), random.between(-1, 1),
                                  random.between(-1, 1), random.between(-1, 1))
                   .normalized();
  state.place = Vec3d(0, 10 + model->radius, 0);
  state.spin = Vec3d(random.between(-3, 3), random.between(-3, 3), random.between(-3, 3));
  Colliders colliders;
  colliders.list.push_back(ground(static_cast<float>(random.between(0.2, 1))));
  ModalSettings settings;
  settings.colliders = &colliders;
  Drop out;
  out.size = model->size;
  // Wheels and balls roll on: at rest is who does not bounce or wobble, or rolls without slipping.
  for (int frame = 0; frame < 25 * 60; ++frame) {
    stepper.advance(settings, 0.04, state);
    const ModalEnergy energy = modal_energy(*model, state, settings.gravity);
    out.finite = out.finite && std::isfinite(energy.total());
    out.speed = std::sqrt(2 * energy.kinetic / model->total);
    out.seconds = state.time;
    if (state.time > 3 && out.speed < 1e-3) break;
  }
  out.depth = state.books.deepest;
  return out;
}

TEST(ModalDrop, AThousandBodiesComeToRest) {
  constexpr std::size_t count = 1000;
  std::vector<Drop> drops(count);
  tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) { drops[i] = drop(i + 1); });
  int moving = 0;
  double deepest = 0, longest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_TRUE(drops[i].finite) << "seed " << i + 1;
    EXPECT_LT(drops[i].depth, 0.01 * drops[i].size) << "seed " << i + 1;
    EXPECT_LT(drops[i].speed, 0.01) << "seed " << i + 1;
    moving += drops[i].speed >= 1e-3;
    deepest = std::max(deepest, drops[i].depth / drops[i].size);
    longest = std::max(longest, drops[i].seconds);
  }
  std::printf("deepest %.4f of the size; %d still faster than 1 mm/s; longest %.1f s\n", deepest,
              moving, longest);
}

}  // namespace
}  // namespace sinew::kernels
