// sinew_bench cancel [NODE]: how long each node goes on after it was told to stop. Each runs as it
// is and as large as is sensible, and is told so at ten moments of its run.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <set>
#include <thread>

#include "tests/bench/figures.h"
#include "tests/nodes/fed_node.h"
#include "tests/nodes/lone_run.h"

namespace sinew::bench {
namespace {

using namespace testing;
using Clock = std::chrono::steady_clock;

constexpr int moments = 10;
constexpr double longest_run = 1;      // what runs longer is told to stop in its first second
constexpr double longest_feeding = 8;  // else a coarser body feeds it

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Runs something, tells it to stop some time later, and says how long it took from the beginning
// and from when it was told. Less than 0: it was done before that.
struct Stopped {
  double whole = 0, after = -1;
  bool cancelled = false;
};
template <class Run>
Stopped stop_after(double seconds, const Run& run) {
  std::atomic<bool> cancel{false}, done{false};
  const Clock::time_point begin = Clock::now();
  Clock::time_point told;
  std::thread teller([&] {
    while (since(begin) < seconds && !done)
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    told = Clock::now();
    cancel = true;
  });
  Stopped result;
  result.cancelled = run(&cancel);
  const Clock::time_point end = Clock::now();
  done = true;
  teller.join();
  result.whole = std::chrono::duration<double>(end - begin).count();
  if (result.cancelled) result.after = std::chrono::duration<double>(end - told).count();
  return result;
}

// What is upstream of a node, unless that takes too long.
bool feed(LoneRun& node) {
  return !stop_after(longest_feeding, [&](const std::atomic<bool>* cancel) {
            return !node.feed(cancel);
          }).cancelled;
}

struct Line {
  std::string name;
  double whole = 0, worst = 0;
  std::string problem;
};

Line measure(const std::string& name, LoneRun& node) {
  Line line{name, 0, 0, ""};
  const auto run = [&](double seconds) {
    node.forget();
    const Stopped one = stop_after(seconds, [&](const std::atomic<bool>* cancel) {
      const Evaluation e = node.run(cancel);
      if (!e.cancelled) line.problem = node.errors(e);
      return e.cancelled;
    });
    line.worst = std::max(line.worst, one.after);
    return one.whole;
  };
  line.whole = run(longest_run);
  for (int m = 0; m < moments; ++m) run(std::min(longest_run, line.whole) * (m + 0.5) / moments);
  return line;
}

// How many of something the node makes: as many as it can, where that fits into memory.
void make_large(TestGraph& g, const NodeType& type) {
  static const std::map<std::string, int> less = {
      {"mesh.subdivide.levels", 3}, {"voo.array.count_x", 40},     {"voo.array.count_y", 40},
      {"voo.array.count_z", 10},    {"meshless.crowd.columns", 8}, {"meshless.crowd.rows", 8},
      {"meshless.crowd.layers", 3}, {"sim.crowd.count", 200},      {"path.motion.rounds", 1000}};
  static const std::set<std::string> no_count = {"seed", "pick", "frame", "index", "value"};
  for (const InputInfo& in : type.inputs) {
    if (in.type != &type_of<int>() || no_count.contains(in.name)) continue;
    const auto fewer = less.find(type.id + "." + in.name);
    g.set("it." + in.name, fewer != less.end() ? fewer->second : static_cast<int>(in.max));
  }
}

// Large files for what reads files, by their endings.
void write_large_files(const std::filesystem::path& folder) {
  TestGraph g;
  g.node("ball", "mesh.sphere", {{"detail", 256}}).node("block", "tet.box");
  for (const char* axis : {"x", "y", "z"}) g.set(std::string("block.cells_") + axis, 60);
  const Value ball = g.run("ball.mesh").value, block = g.run("block.solid").value;
  for (const Value& body : {ball, block})
    for (const std::string& ending : body.type()->file_endings)
      (void)body.type()->save(body.data(), folder / ("large." + ending));
  std::ofstream clip(folder / "large.bvh");
  clip << "HIERARCHY\nROOT a\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n";
  for (int i = 0; i < 100; ++i)
    clip << "JOINT j" << i << "\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n";
  clip << "End Site\n{\nOFFSET 0 1 0\n}\n";
  for (int i = 0; i < 101; ++i) clip << "}\n";
  clip << "MOTION\nFrames: 10000\nFrame Time: 0.04\n";
  for (int f = 0; f < 10000; ++f) {
    for (int i = 0; i < 303; ++i) clip << i % 7 << ".25 ";
    clip << '\n';
  }
}

void measure_files(const NodeType& type, const std::filesystem::path& folder,
                   std::vector<Line>& lines) {
  for (const InputInfo& in : type.inputs) {
    if (in.file != FileUse::read) continue;
    for (const std::string& ending : in.file_endings) {
      const std::filesystem::path file = folder / ("large." + ending);
      if (!std::filesystem::exists(file)) continue;
      FedNode fed(type);
      LoneRun node(fed.fed().set("it." + in.name, file.string()), 0, {});
      if (feed(node)) lines.push_back(measure(type.id + " " + ending, node));
    }
  }
}

void measure_node(const NodeType& type, std::vector<Line>& lines) {
  const int frame = type.role == NodeRole::simulate ? 4 : 0;
  for (const bool solid : {false, true}) {
    FedNode small(type);
    LoneRun as_it_is(small.fed(solid), frame, {});
    if (feed(as_it_is)) lines.push_back(measure(type.id + (solid ? " on a solid" : ""), as_it_is));
    // The finest body whose way to the node is not too long.
    for (int detail = 256, cells = 72; detail >= 8; detail /= 2, cells /= 2) {
      FedNode fed(type, detail);
      TestGraph g = fed.fed(solid);
      for (const char* axis : {"x", "y", "z"}) g.set(std::string("block.cells_") + axis, cells);
      make_large(g, type);
      LoneRun large(std::move(g), frame, {.cache_bytes = size_t{6} << 30});
      if (!feed(large)) continue;
      lines.push_back(measure(
          fmt::format("{} large{}, {}", type.id, solid ? " on a solid" : "", detail), large));
      break;
    }
    if (std::none_of(type.inputs.begin(), type.inputs.end(), FedNode::takes_solids)) break;
  }
}

}  // namespace

int measure_cancelling(const std::string& filter) {
  TemporaryFolder folder;
  write_large_files(folder.path());
  std::vector<Line> lines;
  for (const NodeType* type : all_nodes().nodes()) {
    if (type->id.find(filter) == std::string::npos) continue;
    if (type->role != NodeRole::compute && type->role != NodeRole::simulate) continue;
    if (type->outputs.empty()) continue;
    measure_node(*type, lines);
    measure_files(*type, folder.path(), lines);
  }
  if (lines.empty()) {
    fmt::print(stderr, "error: no node's name contains '{}'\n", filter);
    return 2;
  }
  std::sort(lines.begin(), lines.end(),
            [](const Line& a, const Line& b) { return a.worst > b.worst; });
  fmt::print("{:<52} {:>12} {:>16}\n", "node", "runs ms", "goes on for ms");
  for (const Line& line : lines)
    fmt::print("{:<52} {:>12.1f} {:>16.1f}  {}\n", line.name, 1e3 * line.whole, 1e3 * line.worst,
               line.problem.substr(0, 90));
  const auto late =
      std::count_if(lines.begin(), lines.end(), [](const Line& line) { return line.worst > 0.1; });
  fmt::print("{} of {} go on for longer than 100 ms; the worst for {:.0f} ms\n", late, lines.size(),
             1e3 * lines[0].worst);
  return 0;
}

}  // namespace sinew::bench
