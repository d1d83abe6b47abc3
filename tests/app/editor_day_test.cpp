// A working day in a real window, with a real mouse and keyboard: what a person does to the
// swimming jellyfish, with a look at the saved document after each step; and a day that ends badly.
#include <signal.h>

#include <cmath>
#include <fstream>

#include "tests/app/real_window.h"
#include "tests/preset_files.h"

namespace sinew {
namespace {

using namespace testing;
using nlohmann::json;

std::string preset(const std::string& name) {
  std::ifstream file(preset_file(name));
  return {std::istreambuf_iterator<char>(file), {}};
}

class EditorDay : public RealWindow {
 protected:
  EditorDay() : first_(preset("jellyfish_swim")) { folder_.write("a.json", first_); }

  static json node(const json& doc, const std::string& id) {
    for (const json& n : doc["nodes"])
      if (n["id"] == id) return n;
    return json();
  }
  static bool has_link(const json& doc, const std::string& link) {
    const json& links = doc["links"];
    return std::find(links.begin(), links.end(), json(link)) != links.end();
  }
  int history() const { return state().value("history", -1); }
  int frame() const { return state().value("frame", -1); }
  bool saved_as_at_first() {
    (void)saved();
    return folder_.read("a.json") == first_;
  }
  // The body is where it is seen, however it has moved.
  Place on_body() const { return place("viewport.body"); }
  // The canvas shows all nodes, so that the hand finds them.
  void show_all_nodes() {
    const std::array<int, 4> canvas = area("panel.Canvas");
    move({canvas[0] + 60, canvas[3] - 60});
    key("Home");
    settle();
  }
  // Fails where the viewport shows nothing but ground.
  void expect_changes_picture(const std::function<void()>& act) {
    const uint64_t before = state().value("shot", uint64_t{0});
    act();
    EXPECT_TRUE(comes_true([&] { return state().value("shot", uint64_t{0}) > before; }));
  }

  const std::string first_;
};

TEST_F(EditorDay, EveryStepIsInTheDocumentAndAllOfItCanBeUndone) {
  start({"a.json", "--size", "1440x900"});
  settle();
  photograph("day_01_start");

  // Adds a node by search, between the others.
  show_all_nodes();
  const Place bell = place("node.bell");
  move({bell.x, bell.y + 120});
  key("Tab");
  ASSERT_TRUE(comes_true([&] { return sees_any("search.item."); }));
  settle();
  type("smooth");
  ASSERT_TRUE(comes_true([&] { return sees("search.item.mesh.smooth"); }));
  photograph("day_02_search");
  key("Return");
  settle();
  json doc = saved();
  EXPECT_EQ(doc["nodes"].size(), 12u);
  EXPECT_EQ(node(doc, "smooth")["type"], "mesh.smooth");
  EXPECT_EQ(history(), 1);

  // Connects it.
  show_all_nodes();
  drag({place("pin.bell.mesh.out"), place("pin.smooth.mesh.in")});
  doc = saved();
  EXPECT_TRUE(has_link(doc, "bell.mesh -> smooth.mesh")) << doc["links"];
  EXPECT_EQ(history(), 2);
  photograph("day_03_connected");

  // Pulls at a slider: many events, one step.
  click("node.pulse");
  settle();
  const Place period = place("param.period");
  drag({period, {period.x + 20, period.y}, {period.x + 60, period.y}});
  doc = saved();
  EXPECT_GT(node(doc, "pulse")["params"]["period"], 1.7);
  EXPECT_EQ(history(), 3);
  photograph("day_04_slider");

  // Paints a stroke.
  click("node.layer");
  click("tool.paint");
  settle();
  const Place at = on_body();
  expect_changes_picture([&] { drag({{at.x - 30, at.y}, at, {at.x + 30, at.y + 6}}); });
  doc = saved();
  const json strokes = node(doc, "layer")["params"]["strokes"]["strokes"];
  ASSERT_EQ(strokes.size(), 3u);
  EXPECT_GE(strokes[2]["points"].size(), 2u);
  EXPECT_EQ(history(), 4);
  photograph("day_05_painted");
  click("tool.look");

  // Draws at a chart.
  click("node.pulse");
  settle();
  const Place point = place("chart.point.1");
  drag({point, {point.x + 8, point.y - 20}});
  doc = saved();
  const json points = node(doc, "pulse")["params"]["primary"]["points"];
  ASSERT_EQ(points.size(), 4u);
  EXPECT_GT(points[1][0], 0.17);
  EXPECT_GT(points[1][1], 0.58);
  EXPECT_EQ(history(), 5);
  photograph("day_06_chart");

  // Plays, and pulls at the body while it plays.
  click("button.play");
  EXPECT_TRUE(comes_true([&] { return frame() > 10; }));
  EXPECT_TRUE(state()["playing"].get<bool>());
  click("tool.grab");
  const Place swimming = on_body();
  drag({swimming,
        {swimming.x + 160, swimming.y - 60},
        {swimming.x - 200, swimming.y + 40},
        {swimming.x + 120, swimming.y + 10}});
  EXPECT_EQ(state()["clock"], "live");
  EXPECT_EQ(history(), 6);
  const int let_go = frame();
  EXPECT_TRUE(comes_true([&] { return frame() > let_go + 25; }));
  click("button.play");
  settle();
  const json now = saved();
  EXPECT_EQ(now, doc) << "let go, the document is as it was";
  // It did not explode: it is still about as large as it was, and in the picture.
  const std::array<int, 4> body = area("viewport.body");
  EXPECT_GT(body[2] - body[0], 30);
  EXPECT_LT(body[2] - body[0], 500);
  photograph("day_07_pulled");

  // Undoes everything.
  move(place("panel.Canvas"));
  EXPECT_TRUE(key_until("ctrl+z", [&] { return history() == 0; }));
  EXPECT_TRUE(saved_as_at_first());
  photograph("day_08_undone");
  EXPECT_TRUE(key_until("ctrl+shift+z", [&] { return history() == 6; }));
  EXPECT_EQ(saved(), doc) << "and does all of it again";

  // Saved, closed and opened again, it is the same.
  hand_.close();
  expect_ends();
  start({"a.json", "--size", "1440x900"});
  settle();
  EXPECT_EQ(history(), 0);
  EXPECT_FALSE(state()["modified"].get<bool>());
  EXPECT_EQ(json::parse(folder_.read("a.json")), doc);
  EXPECT_TRUE(sees("node.smooth"));
  photograph("day_09_reopened");
  hand_.close();
  expect_ends();
}

// Live, what is painted and drawn is felt by the body that swims, at once.
TEST_F(EditorDay, PaintAndChartsActOnWhatPlaysLive) {
  start({"a.json", "--size", "1440x900"});
  settle();
  click("button.live");
  click("button.play");
  EXPECT_TRUE(comes_true([&] { return frame() > 10; }));
  click("node.layer");
  click("tool.paint");
  const Place at = on_body();
  drag({{at.x - 20, at.y}, {at.x + 20, at.y}});
  EXPECT_EQ(history(), 1);
  click("tool.look");
  click("node.pulse");
  ASSERT_TRUE(comes_true([&] { return sees("chart.point.2"); }));
  const Place point = place("chart.point.2");
  drag({point, {point.x, point.y - 40}});
  EXPECT_EQ(history(), 2);
  EXPECT_TRUE(state()["playing"].get<bool>()) << "none of it stopped the clock";
  const int then = frame();
  EXPECT_TRUE(comes_true([&] { return frame() > then + 10; }));
  photograph("live_drawn");
  click("button.play");
  move(place("panel.Canvas"));
  EXPECT_TRUE(key_until("ctrl+z", [&] { return history() == 0; }));
  EXPECT_TRUE(saved_as_at_first());
  hand_.close();
  expect_ends();
}

// A crash in the middle of the work: the next start offers it.
TEST_F(EditorDay, ACrashLosesNothingButTheLastSeconds) {
  start({"a.json", "--size", "1440x900"});
  settle();
  click("node.pulse");
  settle();
  const Place period = place("param.period");
  drag({period, {period.x + 60, period.y}});
  EXPECT_TRUE(comes_true([&] { return state().value("modified", false); }));
  // What is a few seconds old is safe.
  const std::filesystem::path kept = folder_.path / "state" / "sinew" / "recovery";
  EXPECT_TRUE(comes_true([&] {
    std::error_code ec;
    for (const auto& entry : std::filesystem::directory_iterator(kept, ec))
      if (entry.path().extension() == ".recovery") return true;
    return false;
  }));
  program_->send(SIGSEGV);
  const Ran ran = program_->wait();
  EXPECT_EQ(ran.code, -SIGSEGV);
  EXPECT_NE(ran.err.find("offers the work"), std::string::npos) << ran.err;
  EXPECT_EQ(folder_.read("a.json"), first_) << "the file is as it was saved";

  start({"--size", "1440x900"});
  ASSERT_TRUE(comes_true([&] { return sees("recover.open"); }));
  photograph("crash_offered");
  click("recover.open");
  ASSERT_TRUE(comes_true([&] { return !sees("recover.open"); }));
  settle();
  EXPECT_TRUE(state()["modified"].get<bool>());
  const json doc = saved();
  EXPECT_GT(node(doc, "pulse")["params"]["period"], 1.7);
  photograph("crash_recovered");
  hand_.close();
  expect_ends();

  // It is saved now: nothing is offered any more.
  start({"a.json", "--size", "1440x900"});
  settle();
  EXPECT_FALSE(sees("recover.open"));
  hand_.close();
  expect_ends();
}

}  // namespace
}  // namespace sinew
