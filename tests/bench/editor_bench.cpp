// The editor's own work, on a device that draws nothing: a frame with a thousand nodes, how long a
// change takes to be seen, and what it costs to play.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "app/editor/panels/canvas/canvas.h"
#include "app/ui/landmarks.h"
#include "tests/app/headless_editor.h"
#include "tests/bench/figures.h"

namespace sinew::bench {

std::vector<Figure> editor_figures() {
  using From = Figure::From;
  const auto frame = [](const char* name, const char* run, double goal) {
    return Figure{name, run, "ms", From::time_per_item, 1, 1e3, "", goal, ""};
  };
  const auto counter = [](const char* name, const char* run, const char* unit, double goal) {
    return Figure{name, run, unit, From::counter, 1, 1, unit, goal, ""};
  };
  return {
      frame("editor: a frame with 1,000 nodes, panning at zoom 0.1", "editor/pan_010", 16),
      frame("editor: the same at zoom 0.3", "editor/pan_030", 16),
      frame("editor: the same at zoom 0.5", "editor/pan_050", 16),
      frame("editor: the same at zoom 1", "editor/pan_100", 16),
      frame("editor: a frame with 1,000 nodes, all chosen and dragged", "editor/drag_all", 16),
      counter("editor: from a slider to the picture, default preset", "editor/latency", "frames",
              2),
      counter("editor: evaluation of a frame while playing it, one thread", "editor/play", "ms", 8),
  };
}

namespace {

using testing::HeadlessEditor;

editor::EditorOptions quiet_options(int threads) {
  editor::EditorOptions options;
  options.remembers = false;
  options.first_start_welcome = false;
  options.presets = std::filesystem::path(SINEW_SOURCE_DIR) / "presets";
  options.preset_pictures = false;
  options.threads = threads;
  return options;
}

// Chains of five nodes beside and under one another, as long documents are.
std::string thousand_nodes() {
  Json doc = {{"sinew", 1}, {"nodes", Json::array()}, {"links", Json::array()}};
  Json layout = Json::object();
  for (int i = 0; i < 1000; ++i) {
    const std::string id = "n" + std::to_string(i), last = "n" + std::to_string(i - 1);
    static constexpr const char* types[] = {"mesh.sphere", "mesh.transform", "mesh.smooth",
                                            "mesh.displace", "view"};
    doc["nodes"].push_back({{"id", id}, {"type", types[i % 5]}});
    if (i % 5 != 0)
      doc["links"].push_back(last + ".mesh -> " + id + (i % 5 == 4 ? ".value" : ".mesh"));
    layout[id] = {{"at", {i % 40 * 240, i / 40 * 220}}};
  }
  doc["layout"] = {{"nodes", layout}};
  return doc.dump();
}

class Desk {
 public:
  explicit Desk(float zoom) : desk_(1440, 900, quiet_options(1)) {
    desk_.open(thousand_nodes());
    // A person's editor tells nobody where things are.
    middle_ = ui::landmarks().find("panel.Canvas")->middle();
    ui::landmarks().listening = false;
    desk_.frames(20);
    if (zoom <= 0) return;
    send(WindowEvent::move);
    desk_.editor().panel<editor::canvas::Canvas>()->zoom_to(zoom);
    desk_.frames(20);
  }
  ~Desk() { ui::landmarks().listening = true; }

  HeadlessEditor& desk() { return desk_; }
  void send(WindowEvent::Kind kind, MouseButton button = MouseButton::none) {
    WindowEvent e = event(kind);
    e.button = button;
    desk_.feed(e);
    desk_.frame();
  }
  // Round and round, so that it is never far away.
  void circle(int step) {
    WindowEvent e = event(WindowEvent::move);
    e.x += 80 * std::sin(0.1f * static_cast<float>(step));
    e.y += 80 * std::cos(0.1f * static_cast<float>(step));
    desk_.feed(e);
    desk_.frame();
  }

 private:
  WindowEvent event(WindowEvent::Kind kind) const {
    WindowEvent e;
    e.kind = kind;
    e.x = middle_.x;
    e.y = middle_.y;
    return e;
  }

  HeadlessEditor desk_;
  ImVec2 middle_;
};

void pan(benchmark::State& state, float zoom) {
  Desk desk(zoom);
  desk.send(WindowEvent::press, MouseButton::middle);
  int step = 0;
  for (auto _ : state) desk.circle(++step);
  desk.send(WindowEvent::release, MouseButton::middle);
  state.counters["vertices"] = desk.desk().host().vertex_count();
}
BENCHMARK_CAPTURE(pan, zoom, 0.1f)->Name("editor/pan_010")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pan, zoom, 0.3f)->Name("editor/pan_030")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pan, zoom, 0.5f)->Name("editor/pan_050")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pan, zoom, 1.0f)->Name("editor/pan_100")->Unit(benchmark::kMillisecond);

void drag_all(benchmark::State& state) {
  Desk desk(0);
  std::set<std::string> all;
  for (const NodeDoc& n : desk.desk().editor().session.doc().graph.nodes) all.insert(n.id);
  desk.desk().editor().session.select(all);
  ui::landmarks().listening = true;
  desk.desk().frame();
  const ui::Landmark* node = ui::landmarks().find("node.n500");
  if (!node) return state.SkipWithError("the node cannot be seen");
  WindowEvent e;
  e.kind = WindowEvent::move;
  e.x = node->middle().x;
  e.y = node->middle().y;
  ui::landmarks().listening = false;
  desk.desk().feed(e);
  desk.desk().frame();
  e.kind = WindowEvent::press;
  e.button = MouseButton::left;
  desk.desk().feed(e);
  desk.desk().frame();
  int step = 0;
  for (auto _ : state) desk.circle(++step);
  desk.send(WindowEvent::release, MouseButton::left);
}
BENCHMARK(drag_all)->Name("editor/drag_all")->Unit(benchmark::kMillisecond);

// In frames of a sixtieth of a second: the first is the one in which the slider moves.
void latency(benchmark::State& state) {
  HeadlessEditor desk(1440, 900, quiet_options(1));
  editor::Editor& editor = desk.editor();
  editor.open_preset(editor.options.presets / "default.json");
  desk.settle();
  using clock = std::chrono::steady_clock;
  int worst = 0, value = 0;
  for (auto _ : state) {
    const uint64_t seen = editor.player.shot_number();
    value = value % 10 + 1;
    (void)editor.session.set_param("displace", "distance", Json(0.1 + 0.01 * value), "bench");
    int frames = 0;
    auto next = clock::now();
    // A frame shows what was there when it began.
    while (frames < 100 && editor.player.shot_number() == seen) {
      desk.frame();
      ++frames;
      next += std::chrono::microseconds(16667);
      std::this_thread::sleep_until(next);
    }
    worst = std::max(worst, frames);
    desk.settle();
  }
  state.counters["frames"] = worst;
}
BENCHMARK(latency)->Name("editor/latency")->Iterations(40)->UseRealTime();

void play(benchmark::State& state) {
  HeadlessEditor desk(1440, 900, quiet_options(1));
  editor::Editor& editor = desk.editor();
  editor.open_preset(editor.options.presets / "default.json");
  desk.settle();
  editor.player.play(true);
  for (auto _ : state) {
    desk.frame();
    editor.player.settle();
  }
  state.counters["ms"] = 1e3 * editor.player.seconds_per_frame();
}
BENCHMARK(play)->Name("editor/play")->Iterations(300)->UseRealTime();

}  // namespace
}  // namespace sinew::bench
