// Soft bodies: the six scenes of the paper's table 1 [Ijiri09], beside the times that it states;
// what a vertex and a pass cost; and the same step by the plain reference that the tests keep.
#include <benchmark/benchmark.h>
#include <tbb/global_control.h>

#include <Eigen/SVD>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/cast_living.h"
#include "nodes/kernels/everyday_shapes.h"
#include "nodes/kernels/named_curves.h"
#include "nodes/kernels/rotation.h"
#include "nodes/kernels/soft_crowd.h"
#include "nodes/kernels/stuff.h"
#include "nodes/kernels/tet_primitives.h"
#include "tests/bench/figures.h"
#include "tests/kernels/match_cases.h"

namespace sinew::bench {

namespace {

using namespace sinew::kernels;

constexpr double frame = 1.0 / 60;

// Vertices as near to `wanted` as stuffing comes, but not fewer: a slightly wider or narrower body
// fits the lattice differently.
TetMesh stuffed(const Mesh& mesh, std::size_t wanted) {
  TetMesh best;
  for (int stretch = -4; stretch <= 4; ++stretch) {
    Mesh wider = mesh;
    for (Vec3f& p : wider.positions) p.x() *= 1 + 0.03f * static_cast<float>(stretch);
    for (int resolution = 4; resolution < 40; ++resolution) {
      StuffOptions options;
      options.resolution = resolution;
      options.keep_thin = false;
      TetMesh solid;
      try {
        solid = stuff_surface(wider, options).solid;
      } catch (const std::invalid_argument&) {  // all of it is thinner than a cell
        continue;
      }
      const std::size_t count = solid.vertex_count();
      if (count >= wanted && (best.empty() || count < best.vertex_count())) best = solid;
      if (count > 2 * wanted) break;
    }
  }
  return best;
}

Activation wave_on(const TetMesh& solid) {
  Eigen::AlignedBox3f box;
  for (const Vec3f& p : solid.positions) box.extend(p);
  auto pattern = std::make_shared<ActivationPattern>();
  const Chart chart = make_named_curve(NamedCurve::contraction_wave, {.ratio = 1.3});
  pattern->charts = compile_charts(chart, chart, chart, ChartLink::keep_both, 4);
  auto frames = std::make_shared<Frames>();
  for (const Vec3f& p : solid.positions) {
    const Vec3f part = (p - box.min()).cwiseQuotient(box.sizes().cwiseMax(1e-6f));
    pattern->phase.push_back(part.z());
    pattern->amplitude.push_back(1 - 0.5f * part.y());
    const Eigen::Matrix3f turn = Eigen::AngleAxisf(part.x(), Vec3f::UnitY()).toRotationMatrix();
    frames->primary.push_back(turn.col(0));
    frames->secondary.push_back(turn.col(1));
    frames->tertiary.push_back(turn.col(2));
  }
  return {solid.vertex_count(), frames, pattern, {}, 0};
}

// One row of the table, ready to step.
struct Scene {
  TetMesh solid;
  std::unique_ptr<SoftBody> body;
  std::unique_ptr<ContactShape> contact;
  std::vector<float> inverse_masses;
  Activation activation;
  SoftSettings settings;
  Colliders ground;
  std::vector<CrowdMember> members;
  std::vector<SoftState> states;
  CrowdScratch scratch;
  int frame = 0;

  Scene(TetMesh from, int models, int n, const Vec3f& area, bool on_ground)
      : solid(std::move(from)) {
    const std::vector<float> masses = vertex_masses(solid, 1000, {});
    body = std::make_unique<SoftBody>(solid, masses);
    contact = std::make_unique<ContactShape>(solid);
    for (const float m : masses) inverse_masses.push_back(1 / m);
    activation = wave_on(solid);
    settings.plan = plan_stiffness(n, StiffnessMethod::plain);
    settings.damping = 2;
    members = place_crowd({.count = models,
                           .area = area,
                           .size_spread = models > 1 ? 0.1f : 0.0f,
                           .delay_spread = 1,
                           .turn = models > 1 ? 3.0f : 0.0f});
    for (const CrowdMember& m : members) {
      states.push_back(rest_state(*body, solid, m.size, m.turn, m.shift));
    }
    float lowest = 0;
    for (const Vec3f& p : solid.positions) lowest = std::min(lowest, p.y());
    ground.list.resize(1);
    ground.list[0].position.y() = lowest - area.y() / 2;
    // The worms lie on the ground; the others hang or swim.
    if (on_ground) {
      settings.colliders = &ground;
      settings.gravity = Vec3f(0, -1, 0);
    }
    for (int k = 0; k < 20; ++k) step();
  }
  Scene(const Scene&) = delete;

  CrowdBody crowd() const { return {body.get(), contact.get(), inverse_masses}; }
  void step() {
    activation.time = ++frame * bench::frame;
    step_crowd(crowd(), members, &activation, settings, 0.3f, bench::frame, 1, scratch, states);
  }
};

enum Row { jellyfish, worm, jellyfishes, worms, heart, bowel };
struct Stated {
  const char* name;
  std::size_t vertices;
  int models, n;
  double milliseconds;  // in 2009
};
constexpr Stated table[] = {
    {"jellyfish", 854, 1, 2, 4.37},      {"worm", 470, 1, 6, 5.04},
    {"31 jellyfish", 315, 31, 1, 31.64}, {"101 worms", 73, 101, 1, 34.01},
    {"heart", 1302, 1, 6, 14.79},        {"bowel", 1576, 1, 6, 17.49},
};

Scene& scene(int row) {
  static std::map<int, std::unique_ptr<Scene>> all;
  std::unique_ptr<Scene>& made = all[row];
  if (made) return *made;
  const Stated& s = table[row];
  Mesh mesh;
  Vec3f area(0, 0, 0);
  if (row == jellyfish || row == jellyfishes) {
    mesh = make_jellyfish({.thickness = 0.15f});
    if (row == jellyfishes) area = Vec3f(0.9f, 0.6f, 0.9f);
  } else if (row == worm || row == worms) {
    mesh = make_worm({.length = 0.1f, .girth = row == worms ? 0.025f : 0.015f});
    if (row == worms) area = Vec3f(0.7f, 0.03f, 0.7f);
  } else {
    mesh = row == heart ? make_heart({}) : make_bowel({});
  }
  made = std::make_unique<Scene>(stuffed(mesh, s.vertices), s.models, s.n, area, row == worms);
  return *made;
}

void whole(benchmark::State& state, int row) {
  Scene& s = scene(row);
  for (auto _ : state) s.step();
  state.counters["vertices"] = static_cast<double>(s.solid.vertex_count());
}

// What step_crowd does beside the contacts, over the same blocks of members.
constexpr std::size_t members_per_block = 4;
std::size_t blocks_of(const Scene& s) {
  return (s.members.size() + members_per_block - 1) / members_per_block;
}

void activate(benchmark::State& state, int row) {
  Scene& s = scene(row);
  std::vector<SymmetricArrays> tensors(blocks_of(s));
  std::vector<ActivationScratch> scratch(blocks_of(s));
  std::vector<LaneFloats> arranged(s.members.size());
  for (auto _ : state) {
    s.activation.time += frame;
    parallel_blocks(
        s.members.size(),
        [&](std::size_t begin, std::size_t end) {
          const std::size_t block = begin / members_per_block;
          for (std::size_t i = begin; i < end; ++i) {
            evaluate_activation(s.activation, s.members[i].delay, {}, scratch[block],
                                tensors[block]);
            arrange_tensors(*s.body, tensors[block], arranged[i]);
          }
        },
        members_per_block);
    benchmark::DoNotOptimize(arranged.data());
  }
}

// The members' own steps, with the tensors of one moment and on a copy: the scene stays.
void move(benchmark::State& state, int row) {
  const Scene& s = scene(row);
  std::vector<SoftState> states = s.states;
  std::vector<SoftSettings> settings(blocks_of(s));
  std::vector<SoftScratch> scratch(blocks_of(s));
  for (auto _ : state) {
    parallel_blocks(
        s.members.size(),
        [&](std::size_t begin, std::size_t end) {
          const std::size_t block = begin / members_per_block;
          settings[block] = s.settings;
          for (std::size_t i = begin; i < end; ++i) {
            settings[block].size = s.members[i].size;
            step_soft_body(*s.body, settings[block], frame, s.scratch.arranged[i], 1,
                           scratch[block], states[i]);
          }
        },
        members_per_block);
    benchmark::DoNotOptimize(states.data());
  }
}

void collide(benchmark::State& state, int row) {
  Scene& s = scene(row);
  std::vector<ContactBody> bodies;
  for (std::size_t i = 0; i < s.members.size(); ++i) {
    bodies.push_back(
        {s.contact.get(), s.states[i].positions, s.states[i].velocities, s.inverse_masses, 1});
  }
  std::size_t contacts = 0;
  for (auto _ : state) {
    contacts = find_contacts(bodies, s.scratch.contact).size();
    benchmark::DoNotOptimize(contacts);
  }
  state.counters["contacts"] = static_cast<double>(contacts);
}

// A block of 50,000 vertices that breathes.
struct Block {
  TetMesh solid = make_tet_box({1, 1, 1}, {36, 36, 36});
  std::vector<float> masses = vertex_masses(solid, 1000, {});
  SoftBody body{solid, masses};
  SoftState state = rest_state(body, solid);
  SoftScratch scratch;
  SoftSettings settings;
  LaneFloats tensors;
  int frame = 0;

  Block() { rest_tensors(body, tensors); }
  void step() {
    const float c = 1 + 0.1f * std::sin(0.1f * static_cast<float>(++frame));
    std::fill_n(tensors.begin(), body.match().stride(), c);
    step_soft_body(body, settings, bench::frame, tensors, 1, scratch, state);
  }
};

void block_steps(benchmark::State& state, int threads, StiffnessMethod method, int n) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
  static Block block;
  block.settings.plan = plan_stiffness(n, method);
  for (auto _ : state) block.step();
}

// The same block with the standard stiffness, two steps a frame, damped; and led, with a strength
// of each vertex's own, by a shape that sways.
void block_frames(benchmark::State& state, bool led) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
  Block block;
  block.settings.plan = plan_stiffness(3, StiffnessMethod::fast);
  block.settings.damping = 2;
  constexpr double h = frame / 2;
  std::vector<Vec3f> before = block.solid.positions, now = before;
  std::vector<LedVertex> vertices;
  for (const Vec3f& p : before) {
    vertices.push_back(led_vertex(static_cast<double>(5 + 4 * p.y()), 0.2, h));
  }
  Led lead;
  lead.vertices = vertices;
  if (led) block.settings.led = &lead;
  for (auto _ : state) {
    state.PauseTiming();
    ++block.frame;
    before.swap(now);
    for (std::size_t i = 0; i < now.size(); ++i) {
      const Vec3f& p = block.solid.positions[i];
      now[i] = p + Vec3f(0.2f * std::sin(0.2f * static_cast<float>(block.frame)) * p.y(), 0, 0);
    }
    lead.before = before, lead.now = now;
    state.ResumeTiming();
    for (int k = 0; k < 2; ++k) {
      block.settings.frame_from = 0.5f * static_cast<float>(k);
      block.settings.frame_to = 0.5f * static_cast<float>(k + 1);
      step_soft_body(block.body, block.settings, h, block.tensors, 1, block.scratch, block.state);
    }
  }
}

// A small block, of which one way is pulled longer; so many passes.
struct SmallBlock {
  TetMesh solid = make_tet_box({1, 1, 1}, {12, 12, 12});
  std::vector<float> masses = vertex_masses(solid, 1000, {});
  test::Tensors tensors =
      test::Tensors(solid.vertex_count(), Eigen::Vector3d(1.05, 1, 1).asDiagonal());
  static constexpr int passes = 6;
};

// The passes without the step around them.
void block_passes(benchmark::State& state) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
  Block block;
  block.step();
  const MatchPlan plan = plan_stiffness(6, StiffnessMethod::plain);
  for (auto _ : state) match_passes(block.body.match(), plan, {}, block.scratch.match);
}

void reference_step(benchmark::State& state) {
  const SmallBlock block;
  const test::MatchReference reference(block.solid, block.masses);
  test::Points x = reference.rest;
  for (auto _ : state) {
    x = reference.match(x, block.tensors, block.passes);
    benchmark::DoNotOptimize(x.data());
  }
}

void small_match(benchmark::State& state) {
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  const SmallBlock block;
  const MatchBody body(block.solid, block.masses);
  MatchScratch scratch;
  scratch.fit(body);
  test::set_points(body, test::to_double(block.solid.positions), scratch.x);
  test::set_tensors(body, block.tensors, scratch.tensors);
  test::set_rotations(body, Eigen::Quaterniond::Identity(), scratch.rotations);
  const MatchPlan plan = plan_stiffness(block.passes, StiffnessMethod::plain);
  for (auto _ : state) {
    match_shape(body, plan, {}, scratch);
    std::swap(scratch.x, scratch.goal);
    benchmark::DoNotOptimize(scratch.x.data());
  }
}

struct Matrices {
  std::vector<MatrixBlock> a{1024};
  std::vector<QuaternionBlock> q{1024};
  std::vector<Eigen::Matrix3f> plain;

  Matrices() {
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    for (std::size_t b = 0; b < a.size(); ++b) {
      for (std::size_t lane = 0; lane < 16; ++lane) {
        Eigen::Matrix3f m;
        for (int k = 0; k < 9; ++k) m(k) = 0.2f * normal(random);
        m += Eigen::Matrix3f::Identity();
        const Eigen::Quaternionf turn = Eigen::Quaternionf::UnitRandom();
        const Eigen::Matrix3f full = turn * m;
        plain.push_back(full);
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j) a[b].at[3 * i + j][lane] = full(i, j);
        }
        // Where it was a step ago: a few degrees off.
        const Eigen::Quaternionf warm(
            Eigen::Matrix3f(rotation_part(full.cast<double>()).cast<float>() *
                            Eigen::AngleAxisf(0.04f, Vec3f::Random().normalized())));
        const float parts[4] = {warm.w(), warm.x(), warm.y(), warm.z()};
        for (int k = 0; k < 4; ++k) q[b].at[k][lane] = parts[k];
      }
    }
  }
};
const Matrices& matrices() {
  static const Matrices all;
  return all;
}

void rotations(benchmark::State& state) {
  std::vector<QuaternionBlock> q;
  for (auto _ : state) {
    q = matrices().q;
    polar_rotations(matrices().a, q);
    benchmark::DoNotOptimize(q.data());
  }
}

void singular_values(benchmark::State& state) {
  for (auto _ : state) {
    for (const Eigen::Matrix3f& m : matrices().plain) {
      const Eigen::JacobiSVD<Eigen::Matrix3f> svd(m, Eigen::ComputeFullU | Eigen::ComputeFullV);
      Eigen::Matrix3f r = svd.matrixU() * svd.matrixV().transpose();
      benchmark::DoNotOptimize(r);
    }
  }
}

const bool registered = [] {
  const auto add = [](const std::string& name, auto... arguments) {
    benchmark::RegisterBenchmark(name.c_str(), arguments...)->UseRealTime()->Repetitions(5);
  };
  for (int row = 0; row < 6; ++row) {
    const std::string at = "soft/table1_" + std::to_string(row);
    add(at + "_all", whole, row);
    add(at + "_activation", activate, row);
    add(at + "_motion", move, row);
    add(at + "_collision", collide, row);
  }
  const auto block = [&](const std::string& name, int threads, StiffnessMethod method, int n) {
    add(name, block_steps, threads, method, n);
  };
  block("soft/block_n6_1", 1, StiffnessMethod::plain, 6);
  block("soft/block_n6_2", 2, StiffnessMethod::plain, 6);
  for (const int n : {15, 50}) {
    block("soft/block_plain_" + std::to_string(n), 2, StiffnessMethod::plain, n);
    block("soft/block_fast_" + std::to_string(n), 2, StiffnessMethod::fast, n);
  }
  add("soft/block_passes", block_passes);
  add("soft/block_free", block_frames, false);
  add("soft/block_led", block_frames, true);
  add("soft/reference_n6", reference_step);
  add("soft/match_n6", small_match);
  add("soft/rotations", rotations);
  add("soft/singular_values", singular_values);
  return true;
}();

}  // namespace

std::vector<Figure> soft_figures() {
  using From = Figure::From;
  constexpr double milli = 1e3, nano = 1e9;
  std::vector<Figure> all;
  for (int row = 0; row < 6; ++row) {
    const Stated& s = table[row];
    const std::string at = "soft/table1_" + std::to_string(row);
    const std::string name = std::string("table 1, ") + s.name;
    Figure whole_scene{
        name + ": a frame", at + "_all", "ms", From::time_per_item, 1, milli, "", 50.0, ""};
    whole_scene.stated = s.milliseconds;
    all.push_back(whole_scene);
    const auto part = [&](const char* of_it, const char* run) {
      all.push_back(
          {name + ": of it, " + of_it, at + run, "ms", From::time_per_item, 1, milli, "", {}, ""});
    };
    part("activation", "_activation");
    part("motion", "_motion");
    part("finding contacts", "_collision");
    all.push_back(
        {name + ": vertices of a model", at + "_all", "", From::counter, 1, 1, "vertices", {}, ""});
  }
  const double passes = 6 * 37.0 * 37 * 37, few = SmallBlock::passes * 13.0 * 13 * 13;
  all.push_back({"shape matching: 50,653 vertices, N = 6, one core", "soft/block_n6_1", "ns/pass",
                 From::time_per_item, passes, nano, "", 40.0, ""});
  all.push_back({"shape matching: of it, the passes alone", "soft/block_passes", "ns/pass",
                 From::time_per_item, passes, nano, "", 40.0, ""});
  all.push_back({"shape matching: the same on two cores", "soft/block_n6_2", "ns/pass",
                 From::time_per_item, passes, nano, "", 1.7, "soft/block_n6_1"});
  const auto small = [&](const char* name, const char* run, const char* reference) {
    all.push_back({name, run, "ns/pass", From::time_per_item, few, nano, "", {}, reference});
  };
  small("shape matching: plain reference, one core", "soft/reference_n6", "");
  small("shape matching: ours, the same block, one core", "soft/match_n6", "soft/reference_n6");
  for (const char* n : {"15", "50"}) {
    all.push_back({std::string("stiffness ") + n + ": fast against plain passes",
                   std::string("soft/block_fast_") + n,
                   "ms",
                   From::time_per_item,
                   1,
                   milli,
                   "",
                   {},
                   std::string("soft/block_plain_") + n});
  }
  all.push_back({"a frame of 50,653 vertices that are led, against one that is not",
                 "soft/block_led", "ms", From::time_per_item, 1, milli, "", 1 / 1.5,
                 "soft/block_free"});
  all.push_back({"rotation of a 3x3 matrix, warm", "soft/rotations", "ns", From::time_per_item,
                 16384, nano, "", 15.0, "soft/singular_values"});
  return all;
}

}  // namespace sinew::bench
