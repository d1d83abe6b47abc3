// Collisions of crowds: one whole step, from the boxes to the new velocities. Bodies are put back
// to where they were before each step, which is not counted.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <vector>

#include "nodes/kernels/soft_contact.h"
#include "tests/bench/figures.h"
#include "tests/kernels/solids.h"

namespace sinew::bench {

std::vector<Figure> contact_figures() {
  using From = Figure::From;
  constexpr double milli = 1e3;
  const auto time = [](const char* name, const char* run, std::optional<double> goal = {}) {
    return Figure{name, run, "ms", From::time_per_item, 1, milli, "", goal, ""};
  };
  const auto count = [](const char* name, const char* run, const char* counter) {
    return Figure{name, run, "", From::counter, 1, 1, counter, {}, ""};
  };
  return {
      time("contacts of 31 jellyfish of 320 vertices", "contact/jellyfish", 0.2),
      count("contacts of 31 jellyfish: how many", "contact/jellyfish", "contacts"),
      count("contacts of 31 jellyfish: pairs that touch", "contact/jellyfish", "touching"),
      time("contacts of 101 worms of 72 vertices", "contact/worms_101", 0.2),
      count("contacts of 101 worms: how many", "contact/worms_101", "contacts"),
      count("contacts of 101 worms: pairs that touch", "contact/worms_101", "touching"),
      time("contacts of 1,001 worms of 72 vertices", "contact/worms_1001"),
      time("preparing the contacts of a jellyfish", "contact/prepare"),
  };
}

namespace {

using namespace sinew::kernels;

// Instances of one shape, all of which give way.
class Crowd {
 public:
  explicit Crowd(const TetMesh& rest)
      : rest_(rest), shape_(rest), inverse_mass_(rest.vertex_count(), 100.0f) {}

  void add(const Vec3f& at, const Eigen::Quaternionf& turn, float bend) {
    std::vector<Vec3f> placed;
    for (const Vec3f& x : rest_.positions) {
      placed.push_back(turn * Vec3f(x + Vec3f(0, 0, bend * x.x() * x.x())) + at);
    }
    const auto i = static_cast<float>(start_.size() % 5);
    speed_.emplace_back(placed.size(), Vec3f(i - 2, 1 - 0.5f * i, 0.3f * i));
    start_.push_back(std::move(placed));
  }

  void run(benchmark::State& state) {
    std::vector<std::vector<Vec3f>> positions = start_, velocities = speed_;
    std::vector<ContactBody> bodies;
    for (std::size_t i = 0; i < start_.size(); ++i) {
      bodies.push_back({&shape_, positions[i], velocities[i], inverse_mass_, 1});
    }
    ContactScratch scratch;
    state.counters["touching"] = touching(find_contacts(bodies, scratch));
    ContactReport report;
    for (auto _ : state) {
      const auto begin = std::chrono::steady_clock::now();
      report = resolve_contacts(bodies, {}, scratch);
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
      state.SetIterationTime(spent.count());
      for (std::size_t i = 0; i < start_.size(); ++i) {
        std::copy(start_[i].begin(), start_[i].end(), positions[i].begin());
        std::copy(speed_[i].begin(), speed_[i].end(), velocities[i].begin());
      }
    }
    state.counters["contacts"] = static_cast<double>(report.contacts);
  }

 private:
  // Pairs of bodies with a contact.
  static double touching(std::span<const Contact> contacts) {
    std::vector<std::pair<uint32_t, uint32_t>> met;
    for (const Contact& c : contacts) met.push_back(std::minmax(c.body, c.other));
    std::sort(met.begin(), met.end());
    return static_cast<double>(std::unique(met.begin(), met.end()) - met.begin());
  }

  TetMesh rest_;
  ContactShape shape_;
  std::vector<float> inverse_mass_;
  std::vector<std::vector<Vec3f>> start_, speed_;
};

TetMesh jellyfish_rest() { return test::bell(0.35f, 0.5f, 7, 4); }

// On a lattice in space, so near that neighbours overlap a little.
void jellyfish(benchmark::State& state) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  const auto any = [&] { return Vec3f(uniform(random), uniform(random), uniform(random)); };
  Crowd crowd(jellyfish_rest());
  for (int i = 0; i < 31; ++i) {
    const Vec3f at(0.9f * static_cast<float>(i % 4), 0.55f * static_cast<float>(i / 16),
                   0.9f * static_cast<float>(i / 4 % 4));
    const Eigen::AngleAxisf turn(0.3f * uniform(random), any().normalized());
    crowd.add(at + 0.04f * any(), Eigen::Quaternionf(turn), 0.1f * uniform(random));
  }
  crowd.run(state);
}

// Bent worms in a plane, turned in all directions, so crowded that each lies across a few others.
void worms(benchmark::State& state, int count) {
  std::mt19937 random(2);
  std::uniform_real_distribution<float> uniform(-1, 1);
  Crowd crowd(make_tet_box({1, 0.12f, 0.12f}, {17, 1, 1}));
  const int side = static_cast<int>(std::ceil(std::sqrt(count)));
  for (int i = 0; i < count; ++i) {
    const Vec3f at(0.5f * static_cast<float>(i % side), 0.02f * uniform(random),
                   0.5f * static_cast<float>(i / side));
    const Vec3f shift(0.1f * uniform(random), 0, 0.1f * uniform(random));
    const Eigen::AngleAxisf turn(3 * uniform(random), Vec3f(0, 1, 0));
    crowd.add(at + shift, Eigen::Quaternionf(turn), 0.3f * uniform(random));
  }
  crowd.run(state);
}
void worms_101(benchmark::State& state) { worms(state, 101); }
void worms_1001(benchmark::State& state) { worms(state, 1001); }

void prepare(benchmark::State& state) {
  const TetMesh rest = jellyfish_rest();
  for (auto _ : state) benchmark::DoNotOptimize(ContactShape(rest).bytes());
}

BENCHMARK(jellyfish)->Name("contact/jellyfish")->UseManualTime();
BENCHMARK(worms_101)->Name("contact/worms_101")->UseManualTime();
BENCHMARK(worms_1001)->Name("contact/worms_1001")->UseManualTime();
BENCHMARK(prepare)->Name("contact/prepare")->UseRealTime();

}  // namespace
}  // namespace sinew::bench
