// Dynamic free-form deformation: one step of each configuration of the paper's table 1, a search,
// and what leaving out modes at rest saves [Faloutsos97, sections 5.2 and 6.2].
#include <benchmark/benchmark.h>

#include <array>

#include "tests/bench/figures.h"
#include "tests/kernels/gaits.h"

namespace sinew::bench {
namespace {

using namespace kernels;
using namespace kernels::testing;

// Modes global and local, and seconds for an iteration on a 100 MHz R4000 in 1997.
struct Row {
  int global, local;
  double seconds;
};
constexpr std::array<Row, 10> table = {{{1, 0, 0.154324192},
                                        {2, 0, 0.157693698},
                                        {4, 0, 0.167255900},
                                        {8, 0, 0.199321312},
                                        {10, 0, 0.228473064},
                                        {1, 1, 0.160967480},
                                        {1, 2, 0.166869388},
                                        {1, 4, 0.179693202},
                                        {1, 8, 0.209430214},
                                        {8, 8, 0.400348746}}};

const Mesh& teapot() {
  static const Mesh mesh = mesh_body(teapot_body({}), 3000);
  return mesh;
}

// So many modes that differ: of one kind after the other.
std::vector<DeformMode> many_modes(const LatticeRest& rest, int count, const char* prefix) {
  const Usual all[] = {{ModeKind::squash, 1, 0, 0.3, false}, {ModeKind::shear, 1, 0, 0.3, false},
                       {ModeKind::shear, 1, 2, 0.3, false},  {ModeKind::stretch, 0, 0, 0.3, false},
                       {ModeKind::twist, 1, 0, 0.3, false},  {ModeKind::bend, 1, 0, 0.3, false},
                       {ModeKind::taper, 1, 0, 0.3, false},  {ModeKind::bend, 1, 2, 0.3, false},
                       {ModeKind::shear, 0, 2, 0.3, false},  {ModeKind::bend, 0, 1, 0.3, false}};
  std::vector<DeformMode> modes;
  for (int n = 0; n < count; ++n) {
    DeformMode mode;
    mode.name = prefix + std::to_string(n);
    mode.delta = mode_delta(rest, all[n].kind, all[n].axis, all[n].toward, all[n].size);
    modes.push_back(std::move(mode));
  }
  return modes;
}

// A box that is a part of another, by parameters.
std::shared_ptr<const LatticeRest> part_of(const LatticeBox& whole, const Vec3d& low,
                                           const Vec3d& high) {
  LatticeBox box = whole;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto axis = static_cast<Eigen::Index>(a);
    box.corner += low[axis] * whole.edges[a];
    box.edges[a] *= high[axis] - low[axis];
  }
  return std::make_shared<const LatticeRest>(std::array{4u, 4u, 4u}, LatticeBasis::bernstein, box);
}

ModalBody body_with(int global, const std::vector<std::pair<Vec3d, Vec3d>>& parts, int local,
                    std::size_t masses) {
  const auto rest = cage_around(teapot().positions);
  Modes modes;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const auto box = part_of(rest->box, parts[p].first, parts[p].second);
    modes.lattices.push_back(
        {box, many_modes(*box, local, ("l" + std::to_string(p) + " ").c_str())});
  }
  modes.lattices.push_back({rest, many_modes(*rest, global, "g")});
  return body_of(teapot(), std::move(modes), masses, 400);
}

struct Scene {
  explicit Scene(const ModalBody& body)
      : model(std::make_shared<const ModalModel>(body)), stepper(model), first(modal_rest(*model)) {
    ground_under.list.push_back(ground());
    settings.colliders = &ground_under;
  }
  std::shared_ptr<const ModalModel> model;
  ModalStepper stepper;
  ModalState first;
  Colliders ground_under;
  ModalSettings settings;
};

// A step of 1/240 s of a teapot that has just been dropped and wobbles on the ground.
void table_row(benchmark::State& state, const Row& row) {
  std::vector<std::pair<Vec3d, Vec3d>> parts;
  if (row.local > 0) parts.push_back({Vec3d(0, 0.4, 0), Vec3d(1, 1, 1)});
  // Six mass points tell 12 motions beside the rigid ones: with more modes there must be more.
  const int modes = row.global + row.local;
  const ModalBody body = body_with(row.global, parts, row.local, modes > 8 ? 24 : 8);
  Scene scene(body);
  scene.settings.deactivate = false;
  scene.first.place.y() += 0.05;
  for (int frame = 0; frame < 4; ++frame) scene.stepper.advance(scene.settings, 0.04, scene.first);
  ModalState now = scene.first;
  int steps = 0;
  for (auto _ : state) {
    if (++steps % 240 == 0) now = scene.first;
    scene.stepper.advance(scene.settings, 1.0 / 240, now);
  }
  state.counters["masses"] = static_cast<double>(body.masses.size());
}

// 100 trials of 4 s each, two at a time.
void search(benchmark::State& state) {
  GaitGoal goal;
  goal.cost = GaitCost::shuffle;
  goal.direction = Vec3d(0, 0, 1);
  static const Learning learning(teapot_character(), teapot_hop(), goal);
  for (auto _ : state) {
    SearchSettings settings;
    settings.seed = 1;
    benchmark::DoNotOptimize(learning.search(settings));
  }
}

// The teapot with one global mode and three local ones on spout and handle each falls freely.
void free_fall(benchmark::State& state, bool deactivate) {
  const ModalBody body = body_with(
      1, {{Vec3d(0, 0, 0.75), Vec3d(1, 1, 1)}, {Vec3d(0, 0, 0), Vec3d(1, 1, 0.25)}}, 3, 32);
  Scene scene(body);
  scene.settings.deactivate = deactivate;
  scene.settings.colliders = nullptr;
  for (auto _ : state) {
    ModalState now = scene.first;
    for (int frame = 0; frame < 50; ++frame) scene.stepper.advance(scene.settings, 0.04, now);
    state.counters["rows"] =
        static_cast<double>(now.books.solved) / static_cast<double>(now.books.steps);
  }
}

// One global mode, and one on each of four corners, sliding down a bumpy hill.
void bumpy_hill(benchmark::State& state, bool deactivate) {
  std::vector<std::pair<Vec3d, Vec3d>> wheels;
  for (const double x : {0.0, 0.6}) {
    for (const double z : {0.0, 0.6}) {
      wheels.push_back({Vec3d(x, 0, z), Vec3d(x + 0.4, 0.4, z + 0.4)});
    }
  }
  Scene scene(body_with(1, wheels, 1, 32));
  scene.settings.deactivate = deactivate;
  scene.settings.friction = 0.1;
  auto heights = std::make_shared<HeightGrid>();
  heights->counts = {64, 256};
  heights->origin = {-2, -1};
  heights->spacing = {0.0625f, 0.0625f};
  for (uint32_t k = 0; k < 256; ++k) {
    for (uint32_t i = 0; i < 64; ++i) {
      const auto z = static_cast<float>(k) * 0.0625f - 1;
      heights->heights.push_back(-0.35f * z + 0.012f * std::sin(14 * z) - 0.36f);
    }
  }
  scene.ground_under.list[0].shape = ColliderShape::terrain;
  scene.ground_under.list[0].heights = heights;
  for (auto _ : state) {
    ModalState now = scene.first;
    for (int frame = 0; frame < 75; ++frame) scene.stepper.advance(scene.settings, 0.04, now);
    state.counters["rows"] =
        static_cast<double>(now.books.solved) / static_cast<double>(now.books.steps);
  }
}

std::string row_name(const Row& row) {
  return "dffd/table1_" + std::to_string(row.global) + "_" + std::to_string(row.local);
}

const bool registered = [] {
  const auto add = [](const std::string& name, auto... arguments) {
    benchmark::RegisterBenchmark(name.c_str(), arguments...)->UseRealTime();
  };
  for (const Row& row : table) add(row_name(row), table_row, row);
  add("dffd/search", search);
  add("dffd/fall_all", free_fall, false);
  add("dffd/fall_awake", free_fall, true);
  add("dffd/hill_all", bumpy_hill, false);
  add("dffd/hill_awake", bumpy_hill, true);
  return true;
}();

}  // namespace

std::vector<Figure> dffd_figures() {
  using From = Figure::From;
  std::vector<Figure> all;
  for (const Row& row : table) {
    Figure f{"DFFD: a step with " + std::to_string(row.global) + " global and " +
                 std::to_string(row.local) + " local modes",
             row_name(row),
             "us",
             From::time_per_item,
             1,
             1e6,
             "",
             {},
             ""};
    f.stated = row.seconds * 1e6;
    all.push_back(std::move(f));
  }
  all.push_back({"DFFD: a search of 100 trials of 4 s, two cores", "dffd/search", "s",
                 From::time_per_item, 1, 1, "", 3.0, ""});
  all.push_back({"DFFD: free fall, resting modes left out (paper: 7 s for 12 s)",
                 "dffd/fall_awake",
                 "ms",
                 From::time_per_item,
                 1,
                 1e3,
                 "",
                 {},
                 "dffd/fall_all"});
  all.push_back({"DFFD: bumpy hill, resting modes left out (paper: 121 s for 133 s)",
                 "dffd/hill_awake",
                 "ms",
                 From::time_per_item,
                 1,
                 1e3,
                 "",
                 {},
                 "dffd/hill_all"});
  return all;
}

}  // namespace sinew::bench
