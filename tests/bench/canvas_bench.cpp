// One frame of the interface with a thousand nodes on the canvas, on a device that draws nothing:
// from far away, from the edge where nodes become readable, and near.
#include <benchmark/benchmark.h>

#include <string>

#include "app/editor/panels/canvas/canvas.h"
#include "app/ui/landmarks.h"
#include "tests/app/headless_editor.h"
#include "tests/bench/figures.h"

namespace sinew::bench {

std::vector<Figure> canvas_figures() {
  const auto figure = [](const char* name, const char* run, std::optional<double> goal) {
    return Figure{name, run, "ms", Figure::From::time_per_item, 1, 1e3, "", goal, ""};
  };
  return {
      figure("canvas: a frame with 1,000 nodes at zoom 0.1, idle", "canvas/idle_01", 4.0),
      figure("canvas: a frame with 1,000 nodes at zoom 0.3, idle", "canvas/idle_03", 4.0),
      figure("canvas: a frame with 1,000 nodes at zoom 0.4, idle", "canvas/idle_04", 4.0),
      figure("canvas: a frame with 1,000 nodes at zoom 1, idle", "canvas/idle_1", 4.0),
      figure("canvas: a frame of 3840x2160 with 1,000 nodes at zoom 0.36", "canvas/wide_036", 4.0),
      figure("canvas: a frame of 3840x2160 with 1,000 nodes at zoom 0.5", "canvas/wide_05", 4.0),
      figure("canvas: a frame with 1,000 nodes while one is moved", "canvas/edit_03", 16.0),
  };
}

namespace {

editor::EditorOptions quiet_options() {
  editor::EditorOptions options;
  options.remembers = false;
  options.first_start_welcome = false;
  options.preset_pictures = false;
  return options;
}

class Desk : public testing::HeadlessEditor {
 public:
  explicit Desk(int wide = 2560, int high = 1440) : HeadlessEditor(wide, high, quiet_options()) {
    GraphDoc doc;
    for (int i = 0; i < 1000; ++i) {
      NodeDoc node;
      node.id = "n" + std::to_string(i);
      node.type = i % 40 == 0 ? "mesh.box" : "mesh.smooth";
      if (i % 40)
        doc.graph.links.push_back({{"n" + std::to_string(i - 1), "mesh"}, {node.id, "mesh"}});
      doc.graph.layout.nodes[node.id] = {{"at", {i % 40 * 210, i / 40 * 90}}};
      doc.graph.nodes.push_back(std::move(node));
    }
    editor().session.adopt(std::move(doc), {}, false);
    settle();
    // A person's editor tells nobody where things are.
    ui::landmarks().listening = false;
  }
  ~Desk() { ui::landmarks().listening = true; }

  void zoom(float to) { editor().panel<editor::canvas::Canvas>()->zoom_to(to); }
};

void idle(benchmark::State& state, float zoom) {
  Desk desk;
  desk.zoom(zoom);
  desk.frames(20);
  for (auto _ : state) desk.frame();
}

// All of a large screen is canvas, as far as a person can pull it.
void wide(benchmark::State& state, float zoom) {
  Desk desk(3840, 2160);
  desk.editor().preferences.set("left_panel", false);
  desk.editor().preferences.set("right_panel", false);
  desk.editor().preferences.set("split.middle", 0.1f);
  desk.frames(5);
  desk.zoom(zoom);
  desk.frames(20);
  for (auto _ : state) desk.frame();
}

void edit(benchmark::State& state) {
  Desk desk;
  desk.zoom(0.3f);
  editor::Session& session = desk.editor().session;
  int x = 0;
  for (auto _ : state) {
    (void)session.apply(
        {"Move", {edit::SetNodeLayout{"", "n500", Json{{"at", {++x, 0}}}}}, "move"});
    desk.frame();
  }
}

BENCHMARK_CAPTURE(idle, 01, 0.1f)->Name("canvas/idle_01")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(idle, 03, 0.3f)->Name("canvas/idle_03")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(idle, 04, 0.4f)->Name("canvas/idle_04")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(idle, 1, 1.0f)->Name("canvas/idle_1")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(wide, 036, 0.36f)->Name("canvas/wide_036")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(wide, 05, 0.5f)->Name("canvas/wide_05")->Unit(benchmark::kMillisecond);
BENCHMARK(edit)->Name("canvas/edit_03")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sinew::bench
