// Simulations with random settings, each within its range: whatever they are, a body stays finite
// and about as large as it is, or the node says what is wrong.
//
// The suite tries a few. SINEW_TRIALS=420 tries so many, and SINEW_FIRST=1000 begins elsewhere.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <set>

#include "graph/compiled_graph.h"
#include "graph/document.h"
#include "graph/evaluator.h"
#include "nodes/kernels/measure.h"
#include "nodes/values.h"
#include "tests/deadline.h"
#include "tests/preset_files.h"
#include "tests/presets/preset_registry.h"

namespace sinew {
namespace {

int number_from(const char* name, int standard) {
  const char* text = std::getenv(name);
  return text ? std::atoi(text) : standard;
}

constexpr int last = 100;  // frames

constexpr float largest = 10;       // how many times larger than at its beginning a body may become
constexpr int longest_trial = 300;  // s: none takes so long, unless it never ends

// What each kind gives to look at.
struct Kind {
  const char* type;
  const char* output;      // of itself, or
  const char* shown_by{};  // of the first node of this type
  bool many = false;       // several bodies, which may go apart
};
constexpr Kind kinds[] = {{"sim.chain", "mesh"},
                          {"sim.shape_match", "solid"},
                          {"sim.crowd", "solid", nullptr, true},
                          {"dffd.simulate", "mesh"},
                          {"meshless.dynamics", "mesh"},
                          {"voo.material", "body", "voo.deform"}};
// Presets that are simulated quickly, of every kind (EveryKindHasAScene).
constexpr const char* scenes[] = {
    "whip",          "worm_bend",    "jellyfish_swim", "snail_touch",     "heart",
    "stiffness_row", "table_bound",  "teapot_lifted",  "table_cliff",     "glass_shuffle",
    "car",           "girl_landing", "worm_crowd",     "jellyfish_crowd", "voodoo_test_11",
    "jelly",         "bread_dough"};

const Kind* kind_of(const std::string& type) {
  const Kind* found = std::find_if(std::begin(kinds), std::end(kinds),
                                   [&](const Kind& k) { return k.type == type; });
  return found == std::end(kinds) ? nullptr : found;
}

double random_within(std::mt19937& random, double low, double high) {
  std::uniform_real_distribution<double> share(0, 1);
  const double kind = share(random);
  if (kind < 0.12) return low;
  if (kind < 0.24) return high;
  // Of any order of magnitude.
  double x = std::max(std::abs(low), std::abs(high)) * std::pow(10, -5 * share(random));
  if (low < 0 && share(random) < 0.5) x = -x;
  return std::clamp(x, low, high);
}

// A value for an input; null for what is left as it is.
Json random_value(std::mt19937& random, const InputInfo& input) {
  // More of these is only slower.
  const double most = input.name == "substeps" ? 30
                      : input.name == "steps"  ? 240
                      : input.name == "count"  ? 20
                                               : input.max;
  if (!input.choices.empty()) return input.choices[random() % input.choices.size()];
  if (input.type == &type_of<bool>()) return random() % 2 == 0;
  if (!std::isfinite(input.min) || !std::isfinite(most)) return nullptr;
  const auto one = [&] { return random_within(random, input.min, most); };
  if (input.type == &type_of<float>()) return one();
  if (input.type == &type_of<int>()) return static_cast<int>(std::clamp(one(), -2e9, 2e9));
  if (input.type == &type_of<Vec3>()) return Json::array({one(), one(), one()});
  return nullptr;
}

// The longest diagonal of one of `count` bodies of as many points each.
float size_of(const Value& value, std::size_t count) {
  const std::vector<Vec3f>& places =
      value.is<Mesh>() ? value.as<Mesh>().positions : value.as<TetMesh>().positions;
  const std::size_t each = places.size() / count;
  float size = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<const Vec3f> one(places.data() + i * each, each);
    const float diagonal = kernels::bounding_box(one).diagonal().norm();
    if (!(diagonal <= size)) size = diagonal;
  }
  return size;
}

// A preset with other settings of its first simulation.
struct Trial {
  GraphDoc doc;
  std::string node, changed, target;
  std::size_t bodies = 1;
  double limit = 1;  // of amplitudes: how far modes may go

  Trial(const char* preset, std::mt19937& random)
      : doc(*load_document(testing::preset_file(preset), registry())) {
    for (NodeDoc& n : doc.graph.nodes) {
      const Kind* kind = kind_of(n.type);
      if (!kind) continue;
      node = n.id;
      target = node + "." + kind->output;
      for (const NodeDoc& other : doc.graph.nodes) {
        if (!kind->shown_by || other.type != kind->shown_by) continue;
        target = other.id + "." + kind->output;
        break;
      }
      if (kind->many) n.params["count"] = 8;
      change(n, random);
      if (kind->many) bodies = n.params["count"].get<std::size_t>();
      return;
    }
    throw std::runtime_error(std::string(preset) + " has no simulation");
  }

 private:
  bool is_linked(const std::string& input) const {
    return std::any_of(doc.graph.links.begin(), doc.graph.links.end(), [&](const LinkDoc& link) {
      return link.to.node == node && link.to.socket == input;
    });
  }
  void change(NodeDoc& n, std::mt19937& random) {
    for (const InputInfo& input : registry().find(n.type)->inputs) {
      if (is_linked(input.name) || input.only_read || random() % 10 >= 3) continue;
      const Json value = random_value(random, input);
      if (value.is_null()) continue;
      n.params[input.name] = value;
      changed += " " + input.name + "=" + value.dump();
      if (input.name == "limit") limit = std::max(1.0, value.get<double>());
    }
  }
};

// Each type that is stepped from frame to frame is tried: one that is new needs a kind and a scene.
TEST(RandomSettings, EveryKindHasAScene) {
  std::set<std::string> tried;
  for (const char* scene : scenes) {
    std::mt19937 random(0);
    const Trial trial(scene, random);
    for (const NodeDoc& n : trial.doc.graph.nodes) {
      if (n.id == trial.node) tried.insert(n.type);
    }
  }
  for (const NodeType* type : registry().nodes()) {
    if (type->role != NodeRole::simulate) continue;
    EXPECT_TRUE(tried.contains(type->id)) << type->id;
  }
}

TEST(RandomSettings, NothingExplodes) {
  const int first = number_from("SINEW_FIRST", 0),
            trials = number_from("SINEW_TRIALS", 2 * std::size(scenes));
  int refused = 0;
  for (int k = first; k < first + trials; ++k) {
    std::mt19937 random(static_cast<unsigned>(k));
    const char* preset = scenes[static_cast<std::size_t>(k) % std::size(scenes)];
    const Trial trial(preset, random);
    SCOPED_TRACE(std::to_string(k) + " " + preset + trial.changed);
    const GraphPtr graph = CompiledGraph::compile(trial.doc, registry());
    Evaluator evaluator;
    Context context;
    context.fps = trial.doc.settings.fps;
    context.last_frame = last;
    const Target target = *graph->find_output(trial.target);
    const testing::Deadline deadline(longest_trial);
    const auto size_at = [&](int frame) -> float {
      context.frame = frame;
      const Evaluation e = evaluator.evaluate(*graph, {&target, 1}, context, &deadline.passed());
      if (e.targets[0].value) return size_of(e.targets[0].value, trial.bodies);
      EXPECT_FALSE(deadline.passed()) << "it does not end";
      // One that is refused says why.
      EXPECT_FALSE(e.messages(*graph).empty());
      ++refused;
      return -1;
    };
    const float begin = size_at(0);
    if (begin < 0) continue;
    for (const int frame : {1, 10, 40, last}) {
      const float size = size_at(frame);
      if (size < 0) break;
      EXPECT_TRUE(std::isfinite(size));
      EXPECT_LT(size, begin * largest * static_cast<float>(trial.limit)) << frame;
    }
  }
  EXPECT_LT(refused, trials / 2 + 1);
}

}  // namespace
}  // namespace sinew
