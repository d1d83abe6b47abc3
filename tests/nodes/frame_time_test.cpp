// Frames and seconds: what is stepped, recorded, repeated, delayed or linked is there at its frame,
// not one later, at every rate and at all frames.
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>

#include "graph/frame_time.h"
#include "nodes/geometry/point_cache.h"
#include "tests/kernels/rig_maker.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

constexpr int last_frame = 260;

const double rates[] = {12, 15,    23.976, 24000.0 / 1001, 24, 25, 29.97, 30000.0 / 1001, 30,  48,
                        50, 59.94, 60,     60000.0 / 1001, 72, 90, 100,   119.88,         120, 144,
                        240};

// All frames of an output at a rate, in one evaluator.
template <class T>
std::vector<T> all_frames(TestGraph& g, const char* output, double fps) {
  g.context.fps = fps;
  g.context.start_frame = 0;
  g.context.last_frame = last_frame;
  const GraphPtr graph = CompiledGraph::compile(g.doc, all_nodes());
  const Target targets[] = {*graph->find_output(output)};
  Evaluator evaluator;
  std::vector<T> list;
  for (int f = 0; f <= last_frame; ++f) {
    g.context.frame = f;
    const Evaluation e = evaluator.evaluate(*graph, targets, g.context);
    for (const NodeMessage& m : e.messages(*graph)) ADD_FAILURE() << m.path << m.message.text;
    if (!e.targets[0].value) return {};
    list.push_back(e.targets[0].value.template as<T>());
  }
  return list;
}

// Three metres high, so that what moves it sideways by up to one is seen in the place of its tip.
TestGraph pin_moved_by(const Json& x) {
  TestGraph g;
  g.node("pin", "voo.create", {{"tip", {0, 3, 0}}});
  g.node("move", "voo.animate", {{"tip", x}}).link("pin.voos", "move.voos");
  g.node("joint", "voo.arthron", {{"place", {0, 3, 0}}, {"kind", "fixed"}, {"move", x}});
  g.link("pin.voos", "joint.voos");
  g.node("by_tip", "voo.read").link("move.voos", "by_tip.voos");
  g.node("by_joint", "voo.read").link("joint.voos", "by_joint.voos");
  g.node("bones", "skeleton.create", {{"joints", Json::parse(R"([{"name": "a", "at": [0, 0, 0]},
                                     {"name": "b", "at": [0, 3, 0], "on": "a"}])")}});
  g.node("posed", "skeleton.pose").link("bones.skeleton", "posed.skeleton");
  g.node("lead", "skeleton.animate", {{"which", "b"}, {"move", x}}).link("posed.pose", "lead.pose");
  g.node("by_lead", "skeleton.read", {{"joint", "b"}}).link("lead.pose", "by_lead.pose");
  return g;
}

const std::pair<const char*, const char*> followers[] = {
    {"by_tip.tip", "tip"}, {"by_joint.tip", "arthron"}, {"by_lead.place", "joint"}};

// A number that is another one at each frame.
double number_at(int f) { return std::fmod(0.37 * f, 1.0); }

// A number over time as a document has it, and what it is at frame f; no number: what it is at
// frame f % 7.
struct Course {
  std::string what;
  Json param;  // of a float
  std::function<double(int)> at;

  bool in_seconds() const { return what.find("seconds") != std::string::npos; }
  const Json& chart() const { return param["animate"]; }
  // Of a vector whose x it is.
  Json vector() const {
    if (param.contains("animate")) return {{"animate", {chart(), 0, 0}}};
    Json steps = Json::array();
    for (const Json& one : param["steps"]) steps.push_back({one[0], {one[1], 0, 0}});
    return {{"steps", steps}};
  }
};

enum class Unit { frames, seconds };

// A chart with points at frames. In seconds they are decimals, as people write them. It repeats
// with a period of so many frames, or, if that is 0, from its first point to its last.
Json chart_of(Unit unit, double fps, const std::vector<std::pair<int, double>>& points,
              const char* form, double period = -1) {
  const auto place = [&](double frame) {
    return unit == Unit::frames ? frame : std::round(frame / fps * 1e9) / 1e9;
  };
  Json list = Json::array();
  for (const auto& [frame, y] : points) list.push_back({place(frame), y});
  Json chart = {{"points", std::move(list)},
                {"interpolation", form},
                {"x_unit", unit == Unit::frames ? "frames" : "s"}};
  if (period >= 0) chart["extension"] = "cyclic";
  if (period > 0) chart["period"] = place(period);
  return chart;
}

std::vector<Course> courses(double fps) {
  std::vector<std::pair<int, double>> points, few;
  Json steps = Json::array();
  for (int f = 0; f <= last_frame; ++f) {
    points.emplace_back(f, number_at(f));
    steps.push_back({f, number_at(f)});
    if (f < 7) few.emplace_back(f, number_at(f));
  }
  const auto again = [](int f) { return number_at(f % 7); };
  const auto saw = [](int f) { return f % 7 <= 3 ? f % 7 * 0.2 / 3 : 0.2 + (f % 7 - 3) * 0.2; };
  const auto as_before = [](int) { return std::numeric_limits<double>::quiet_NaN(); };
  std::vector<Course> list = {{"a recording", {{"steps", steps}}, number_at}};
  for (const Unit unit : {Unit::frames, Unit::seconds}) {
    const auto add = [&](const std::string& what, const std::vector<std::pair<int, double>>& all,
                         const char* form, double period, const std::function<double(int)>& at) {
      const char* of = unit == Unit::frames ? " in frames" : " in seconds";
      list.push_back({what + of, {{"animate", chart_of(unit, fps, all, form, period)}}, at});
    };
    add("steps", points, "stepped", -1, number_at);
    add("lines", points, "linear", -1, number_at);
    add("steps that repeat", few, "stepped", 7, again);
    add("a saw", {{0, 0}, {3, 0.2}, {7, 1}}, "linear", 0, saw);
    add("a saw of a stated period", {{0, 0}, {3, 0.2}, {7, 1}}, "linear", 7, saw);
    add("a wave", {{0, 0}, {3, 0.9}, {7, 0}}, "smooth", 0, as_before);
  }
  return list;
}

// At how many frames a number is not what it should be.
int wrong_of(const std::vector<double>& numbers, const Course& course, double tolerance) {
  int wrong = 0;
  for (int f = 0; f <= last_frame; ++f) {
    const double given = course.at(f);
    const double right = std::isnan(given) ? numbers[static_cast<std::size_t>(f % 7)] : given;
    wrong += !(std::abs(numbers[static_cast<std::size_t>(f)] - right) <= tolerance);
  }
  return wrong;
}

std::vector<double> x_of(const std::vector<Vec3>& places) {
  std::vector<double> list;
  for (const Vec3& p : places) list.push_back(static_cast<double>(p.x));
  return list;
}

TEST(FrameTime, NumbersOverTimeAreAtEveryFrameWhatTheyShouldBe) {
  for (const double fps : rates) {
    for (const Course& course : courses(fps)) {
      TestGraph g = pin_moved_by(course.vector());
      g.node("number", "value.float", {{"value", course.param}});
      const auto expect_right = [&](const std::vector<double>& numbers, const char* where) {
        ASSERT_EQ(numbers.size(), last_frame + 1u) << course.what;
        EXPECT_EQ(wrong_of(numbers, course, 1e-5), 0)
            << course.what << ", " << where << ", " << fps << " frames a second";
      };
      const std::vector<float> plain = all_frames<float>(g, "number.value", fps);
      expect_right({plain.begin(), plain.end()}, "at the moment");
      for (const auto& [output, follower] : followers) {
        expect_right(x_of(all_frames<Vec3>(g, output, fps)), follower);
      }
    }
  }
}

TEST(FrameTime, AChartThatIsReadByTheTimeIsNotLate) {
  for (const double fps : rates) {
    for (const Course& course : courses(fps)) {
      if (!course.param.contains("animate")) continue;
      TestGraph g;
      g.node("time", "time").node("now", "chart.sample", {{"chart", course.chart()}});
      g.link(course.in_seconds() ? "time.seconds" : "time.frame", "now.x");
      const std::vector<float> numbers = all_frames<float>(g, "now.y", fps);
      ASSERT_EQ(numbers.size(), last_frame + 1u) << course.what;
      EXPECT_EQ(wrong_of({numbers.begin(), numbers.end()}, course, 1e-3), 0)
          << course.what << ", " << fps << " frames a second";
      if (course.what.find("lines") == std::string::npos) continue;
      // At a kink the slope is the one after it.
      const std::vector<float> slopes = all_frames<float>(g, "now.slope", fps);
      int wrong = 0;
      for (int f = 0; f < last_frame; ++f) {
        const double rise = number_at(f + 1) - number_at(f);
        const double here = static_cast<double>(slopes[static_cast<std::size_t>(f)]);
        wrong += std::abs((course.in_seconds() ? here / fps : here) - rise) > 1e-3;
      }
      EXPECT_EQ(wrong, 0) << course.what << ", slopes, " << fps << " frames a second";
    }
  }
}

// A box that a cache lifts by 1 from sample to sample, a frame apart; the last sample is the first
// again.
std::string lifting(const Mesh& box, PointCacheFormat format, double fps, int samples) {
  std::vector<double> times;
  for (int k = 0; k < samples; ++k) {
    times.push_back(format == PointCacheFormat::pc2 ? k : seconds_at(k, fps));
  }
  std::string bytes = encode_cache_header({format, box.vertex_count(), times});
  for (int k = 0; k < samples; ++k) {
    std::vector<Vec3f> places = box.positions;
    for (Vec3f& p : places) p.y() += static_cast<float>(k);
    bytes += encode_cache_sample(format, places);
  }
  return bytes;
}

TEST(FrameTime, ACacheThatRepeatsBeginsAgainAtItsFrame) {
  TestGraph g;
  TemporaryFolder folder;
  g.context.folder = folder.path();
  g.node("box", "mesh.box").node("play", "mesh.cache", {{"repeat", true}});
  g.link("box.mesh", "play.mesh");
  const Mesh box = g.get<Mesh>("box.mesh");
  for (const double fps : rates) {
    std::ofstream(folder.path() / "x.pc2") << lifting(box, PointCacheFormat::pc2, fps, 6);
    std::ofstream(folder.path() / "x.mdd") << lifting(box, PointCacheFormat::mdd, fps, 6);
    for (const char* file : {"x.pc2", "x.mdd"}) {
      for (const auto& [speed, later] : {std::pair{1, 0}, {1, 3}, {2, 0}, {-1, 0}, {-2, 12}}) {
        g.set("play.file", file).set("play.speed", speed).set("play.delay", seconds_at(later, fps));
        const std::vector<Mesh> meshes = all_frames<Mesh>(g, "play.mesh", fps);
        ASSERT_EQ(meshes.size(), last_frame + 1u);
        int wrong = 0;
        for (int f = 0; f <= last_frame; ++f) {
          const int sample = ((speed * (f - later)) % 5 + 5) % 5;
          const Mesh& mesh = meshes[static_cast<std::size_t>(f)];
          const float lifted = mesh.positions[0].y() - box.positions[0].y();
          wrong += std::abs(lifted - static_cast<float>(sample)) > 0.01f;
        }
        EXPECT_EQ(wrong, 0) << file << ", " << speed << " times as fast, " << later << " later, "
                            << fps << " frames a second";
      }
    }
  }
}

TEST(FrameTime, AClipThatRepeatsBeginsAgainAtItsFrame) {
  TestGraph g;
  TemporaryFolder folder;
  g.context.folder = folder.path();
  for (const double fps : rates) {
    const std::string name = fmt::format("{}.gltf", fps);
    test::Gltf file = test::strip();
    file.animate(0, test::root_node, "translation", {0, static_cast<float>(seconds_at(7, fps))},
                 {0, 0, 0, 1, 0, 0});
    std::ofstream(folder.path() / name) << file.text();
    TestGraph one = g;
    one.node("load", "skeleton.load", {{"file", name}}).node("lead", "skeleton.animate");
    one.node("now", "skeleton.read", {{"joint", "root"}}).link("lead.pose", "now.pose");
    one.link("load.skeleton", "lead.pose").link("load.clip", "lead.clip");
    const std::vector<Vec3> places = all_frames<Vec3>(one, "now.place", fps);
    ASSERT_EQ(places.size(), last_frame + 1u);
    int wrong = 0;
    for (int f = 0; f <= last_frame; ++f) {
      const float way = places[static_cast<std::size_t>(f)].x - places[0].x;
      wrong += std::abs(way - static_cast<float>(f % 7) / 7) > 1e-3f;
    }
    EXPECT_EQ(wrong, 0) << fps << " frames a second";
  }
}

// A wall is away at the frames of the keys, and there at all others.
TEST(FrameTime, ObstaclesInTimeAreAtTheirFrames) {
  constexpr int count = 34;
  for (const double fps : {23.976, 24.0, 25.0, 29.97, 30.0, 48.0, 50.0, 59.94, 60.0, 90.0, 120.0}) {
    for (const int first : {0, 1}) {
      Json keys = Json::array();
      std::vector<std::pair<int, double>> places;
      for (int f = 0; f < count; ++f) {
        places.emplace_back(f, f % 2 == first ? -50 : 0);
        if (f % 2 == first) keys.push_back({{"frame", f}});
      }
      TestGraph g;
      g.context.fps = fps;
      g.context.last_frame = count;
      g.context.draft = true;  // the keys alone
      g.node("box", "mesh.box", {{"size", {0.2, 0.2, 0.2}}});
      g.node("nodes", "meshless.nodes", {{"count", 8}}).link("box.mesh", "nodes.mesh");
      g.node("keys", "meshless.keys", {{"keys", keys}}).link("nodes.body", "keys.body");
      g.node("motion", "meshless.motion").link("keys.keys", "motion.keys");
      const Json x = chart_of(Unit::frames, fps, places, "stepped");
      g.node("wall", "collide.box", {{"size", {1, 1, 1}}, {"position", {{"animate", {x, 0, 0}}}}});
      g.link("wall.colliders", "motion.obstacles");
      const Outcome outcome = g.run("motion.deepest");
      EXPECT_EQ(outcome.errors, "");
      EXPECT_EQ(outcome.warnings.find("inside"), std::string::npos)
          << fps << " frames a second: " << outcome.warnings;
    }
  }
}

TEST(FrameTime, AnActivationInStepsIsNotLate) {
  for (const double fps : rates) {
    for (const int frames : {1, 5, 7, 12}) {
      if (frames / fps < 0.02) continue;  // shorter than a period may be
      Json points = Json::array();
      for (int k = 0; k < frames; ++k) {
        points.push_back({static_cast<double>(k) / frames, 1 + 0.1 * k});
      }
      points.push_back({1, 1});
      TestGraph g;
      g.node("box", "mesh.box");
      g.node(
          "act", "procdef.activation",
          {{"primary", {{"points", points}, {"interpolation", "stepped"}, {"extension", "cyclic"}}},
           {"period", seconds_at(frames, fps)}});
      g.link("box.mesh", "act.body");
      const std::vector<Field> signals = all_frames<Field>(g, "act.signal", fps);
      ASSERT_EQ(signals.size(), last_frame + 1u);
      int wrong = 0;
      for (int f = 0; f <= last_frame; ++f) {
        const float stretch = signals[static_cast<std::size_t>(f)].at(0);
        wrong += std::abs(stretch - 0.1f * static_cast<float>(f % frames)) > 1e-3f;
      }
      EXPECT_EQ(wrong, 0) << frames << " frames at " << fps;
    }
  }
}

TEST(FrameTime, WhatIsLinkedIsNotLate) {
  for (const double fps : rates) {
    TestGraph g = pin_moved_by({0, 0, 0});
    g.node("time", "time").node("now", "value.vec3").link("time.seconds", "now.x");
    for (const char* to : {"move.tip", "joint.move", "lead.move"}) g.link("now.value", to);
    for (const auto& [output, follower] : followers) {
      const std::vector<Vec3> places = all_frames<Vec3>(g, output, fps);
      ASSERT_EQ(places.size(), last_frame + 1u);
      int wrong = 0;
      for (int f = 0; f <= last_frame; ++f) {
        wrong += std::abs(static_cast<double>(places[f].x) - seconds_at(f, fps)) > 1e-4 / fps;
      }
      EXPECT_EQ(wrong, 0) << follower << ", " << fps << " frames a second";
    }
  }
}

TEST(FrameTime, ALinkThatWaitsDoesNotBeginBeforeItsFrame) {
  TestGraph g = pin_moved_by({0, 0, 0});
  g.node(
      "step", "value.vec3",
      {{"x",
        {{"animate",
          {{"points", {{0, 0}, {40, 1}}}, {"interpolation", "stepped"}, {"x_unit", "frames"}}}}}});
  g.link("step.value", "move.tip").set("move.delay", 0.02);  // half a frame
  const std::vector<Vec3> places = all_frames<Vec3>(g, "by_tip.tip", 25);
  ASSERT_EQ(places.size(), last_frame + 1u);
  EXPECT_EQ(places[20].x, 0);
  EXPECT_EQ(places[39].x, 0);
  EXPECT_NEAR(places[40].x, 0.5, 1e-6);  // what was sampled at frames goes evenly between them
  EXPECT_EQ(places[41].x, 1);
}

TEST(FrameTime, ADelayOfWholeFramesIsThatManyFrames) {
  for (const double fps : rates) {
    for (const Course& course : courses(fps)) {
      if (std::isnan(course.at(0))) continue;
      for (const int later : {1, 5, 24, 77}) {
        TestGraph g = pin_moved_by(course.vector());
        g.set("move.delay", later / fps);
        const std::vector<Vec3> places = all_frames<Vec3>(g, "by_tip.tip", fps);
        ASSERT_EQ(places.size(), last_frame + 1u);
        int wrong = 0;
        for (int f = later; f <= last_frame; ++f) {
          wrong += std::abs(static_cast<double>(places[f].x) - course.at(f - later)) > 1e-5;
        }
        EXPECT_EQ(wrong, 0) << course.what << ", " << later << " frames later at " << fps;
      }
    }
  }
}

TEST(FrameTime, JointsAreAtTheirKeys) {
  Json list = Json::array();
  for (int f = 0; f <= last_frame; ++f) {
    list.push_back({{"joint", "b"}, {"frame", f}, {"by", {number_at(f), 0, 0}}});
  }
  for (const double fps : rates) {
    TestGraph g = pin_moved_by({0, 0, 0});
    g.set("lead.which", "").set("lead.keys", list).set("lead.curve", "stepped");
    const std::vector<Vec3> places = all_frames<Vec3>(g, "by_lead.place", fps);
    ASSERT_EQ(places.size(), last_frame + 1u);
    int wrong = 0;
    for (int f = 0; f <= last_frame; ++f) {
      wrong += std::abs(static_cast<double>(places[f].x) - number_at(f)) > 1e-5;
    }
    EXPECT_EQ(wrong, 0) << fps << " frames a second";
  }
}

// From frame F on the pin is let go: one frame later it has begun to swing back.
TEST(FrameTime, APinIsLetGoAtItsFrame) {
  for (const double fps : rates) {
    for (int f = 1; f < 120; f += 1) {
      TestGraph g = pin_moved_by({1, 0, 0});
      const Unit unit = f % 2 ? Unit::frames : Unit::seconds;
      g.node("stuff", "voo.material",
             {{"material", {{"mass", 0.1}, {"restoration", 1}}},
              {"hold", chart_of(unit, fps, {{0, 1}, {f, 0}}, "stepped")}});
      g.link("move.voos", "stuff.voos").node("now", "voo.read").link("stuff.voos", "now.voos");
      const VooSet set = [&] {
        g.context.fps = fps;
        return g.get<VooSet>("stuff.voos", 0);
      }();
      ASSERT_EQ(set.members[0].stuff->hold.size(), 1u);
      const double at = set.members[0].stuff->hold[0].first;
      EXPECT_LE(at, seconds_at(f, fps));
      EXPECT_GT(at, seconds_at(f - 0.01, fps));
    }
  }
}

TEST(FrameTime, AHoldThatRepeatsLosesNoRound) {
  for (const double fps : rates) {
    for (const Unit unit : {Unit::frames, Unit::seconds}) {
      TestGraph g = pin_moved_by({1, 0, 0});
      g.node("stuff", "voo.material",
             {{"hold", chart_of(unit, fps, {{0, 1}, {3, 0}, {5, 1}}, "stepped", 7)}});
      g.link("move.voos", "stuff.voos");
      g.context.fps = fps;
      const VooSet set = g.get<VooSet>("stuff.voos", 0);
      const auto& hold = set.members[0].stuff->hold;
      ASSERT_EQ(hold.size(), 1000u) << fps;
      for (std::size_t k = 0; k < hold.size(); ++k) {
        EXPECT_EQ(hold[k].second, k % 2 == 1);
        const double frame = 7.0 * static_cast<double>(k / 2) + (k % 2 == 1 ? 5 : 3);
        EXPECT_NEAR(hold[k].first * fps, frame, 0.01);
      }
    }
  }
}

// Periods are floats, and decimals of a few digits: a round is a little longer or shorter than so
// many frames, and begins at its frame all the same, as long as that is less than a thousandth of a
// frame after all rounds.
TEST(FrameTime, ACycleBeginsAtItsFrame) {
  for (const double fps : rates) {
    for (const int frames : {1, 2, 4, 5, 7, 10, 12, 20, 30, 77}) {
      TestGraph g;
      g.node("time", "time", {{"period", frames / fps}});
      const std::vector<float> turns = all_frames<float>(g, "time.cycle", fps);
      ASSERT_EQ(turns.size(), last_frame + 1u);
      int wrong = 0;
      for (int f = 0; f <= last_frame; ++f) {
        const float part = static_cast<float>(f % frames) / static_cast<float>(frames);
        wrong += std::abs(turns[static_cast<std::size_t>(f)] - part) > 1e-3f;
      }
      EXPECT_EQ(wrong, 0) << frames << " frames at " << fps;
    }
  }
}

// What is read by a cycle is not late either.
TEST(FrameTime, StepsByACycleAreAtTheirFrames) {
  for (const double fps : rates) {
    for (const int frames : {4, 5, 8}) {
      TestGraph g;
      g.node("time", "time", {{"period", frames / fps}});
      Json points = Json::array();
      for (int k = 0; k < frames; ++k) points.push_back({k / double(frames), k});
      g.node("now", "chart.sample",
             {{"chart", {{"points", points}, {"interpolation", "stepped"}}}});
      g.link("time.cycle", "now.x");
      const std::vector<float> seen = all_frames<float>(g, "now.y", fps);
      int late = 0;
      for (int f = 0; f <= last_frame; ++f) {
        late +=
            std::abs(seen[static_cast<std::size_t>(f)] - static_cast<float>(f % frames)) > 1e-4f;
      }
      EXPECT_EQ(late, 0) << frames << " frames at " << fps;
    }
  }
}

}  // namespace
}  // namespace sinew::testing
