// Simulation state: scrubbing, checkpoints, edits in the middle, and the two clocks.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "graph/evaluator.h"
#include "graph/live_recorder.h"
#include "tests/graph/test_nodes.h"

namespace sinew {
namespace {

using namespace testing;

GraphDoc counter() {
  GraphDoc doc;
  Builder(doc).node("c", "test.counter", {{"rate", 1}});
  return doc;
}

Json steps(std::vector<std::pair<int, double>> list) {
  Json points = Json::array();
  for (auto [frame, value] : list) points.push_back({frame, value});
  return Json{{"animate", {{"steps", points}}}};
}

int made() { return run_counts().of("counter.init") + run_counts().of("counter.step"); }

TEST(Simulation, ScrubbingGivesThePlayedBits) {
  const GraphDoc doc = counter();
  Runner played;
  std::vector<float> frames;
  for (int f = 0; f <= 120; ++f) frames.push_back(played.number(doc, "c.out", f));

  std::mt19937 random(1);
  EvaluatorOptions tight;
  tight.cache_bytes = 3000;   // results are forgotten almost at once
  tight.state_bytes = 20000;  // and most states, too
  for (const EvaluatorOptions& options : {EvaluatorOptions{}, tight}) {
    Runner scrubbed(options);
    for (int i = 0; i < 200; ++i) {
      const int f = static_cast<int>(random() % 121);
      ASSERT_EQ(scrubbed.number(doc, "c.out", f), frames[f]) << "frame " << f;
    }
  }
}

TEST(Simulation, PlayingStepsEachFrameOnce) {
  const GraphDoc doc = counter();
  Runner runner;
  run_counts().reset();
  for (int f = 0; f <= 50; ++f) runner.number(doc, "c.out", f);
  EXPECT_EQ(made(), 51);
  for (int f = 50; f >= 0; --f) runner.number(doc, "c.out", f);  // scrubbing back is a look-up
  EXPECT_EQ(made(), 51);
}

TEST(Simulation, AnEditFromFrameJResumesAtTheCheckpointBefore) {
  EvaluatorOptions options;
  options.checkpoint_interval = 8;
  Runner runner(options);
  GraphDoc doc = counter();
  doc.graph.nodes[0].params["rate"] = steps({{0, 1}, {100, 1}});
  for (int f = 0; f <= 200; ++f) runner.number(doc, "c.out", f);

  // What happens from frame 100 on changes: frames 0 to 99 hold.
  doc.graph.nodes[0].params["rate"] = steps({{0, 1}, {100, 2}});
  run_counts().reset();
  const float edited = runner.number(doc, "c.out", 200);
  // Frame 96 is the last checkpoint before 100; passing states may allow a later start.
  EXPECT_GE(made(), 101);
  EXPECT_LE(made(), 200 - 96);
  EXPECT_EQ(run_counts().of("counter.init"), 0);

  Runner fresh;
  EXPECT_EQ(fresh.number(doc, "c.out", 200), edited);
  // Going back to the first version needs no step at all.
  doc.graph.nodes[0].params["rate"] = steps({{0, 1}, {100, 1}});
  run_counts().reset();
  runner.number(doc, "c.out", 200);
  EXPECT_EQ(made(), 0);
}

// Memory may be there the next time: neither the want of it nor what hung on it is remembered.
TEST(Simulation, GoesOnWhenThereIsMemoryAgain) {
  GraphDoc doc;
  Builder(doc)
      .node("h", "test.hungry", {{"x", 2}})
      .node("c", "test.counter")
      .node("f", "test.follow")
      .link("h.out -> c.rate")
      .link("c.out -> f.x");
  for (const int frame : {0, 7}) {
    Runner runner, fresh;
    memory_is_short() = true;
    EXPECT_TRUE(std::isnan(runner.number(doc, "f.out", frame)));
    EXPECT_TRUE(std::isnan(runner.number(doc, "f.out", frame + 3)));
    memory_is_short() = false;
    EXPECT_EQ(runner.number(doc, "f.out", frame), fresh.number(doc, "f.out", frame));
    EXPECT_EQ(runner.number(doc, "f.out", frame + 3), fresh.number(doc, "f.out", frame + 3));
  }
}

// A simulation that a switch does not show goes along, so that it is where it should be when the
// switch shows it.
TEST(Simulation, LiveOnesThatAreNotShownGoAlong) {
  GraphDoc doc;
  Builder(doc)
      .node("c", "test.counter")
      .node("f", "test.follow")
      .node("n", "test.number")
      .node("p", "test.pick", {{"index", steps({{0, 0}, {9, 1}})}})
      .link("c.out -> f.x")
      .link("n.out -> p.a")
      .link("f.out -> p.b");
  const GraphPtr graph = CompiledGraph::compile(doc, test_registry());
  const Target target = *graph->find_output("p.out");
  Evaluator evaluator;
  LiveState live;
  Context context;
  float shown = 0;
  for (int frame = 0; frame <= 12; ++frame) {
    context.frame = frame;
    const Evaluation e = evaluator.evaluate_live(*graph, {&target, 1}, context, live, frame > 0);
    shown = e.targets[0].value.as<float>();
  }
  Runner played;
  EXPECT_EQ(shown, played.number(doc, "p.out", 12));
}

TEST(Simulation, OneThatFeedsAnotherIsSteppedOnce) {
  GraphDoc doc;
  Builder(doc)
      .node("c", "test.counter")
      .node("f", "test.follow")
      .node("g", "test.follow")
      .link("c.out -> f.x")
      .link("f.out -> g.x");
  Runner jump, play;
  run_counts().reset();
  const float jumped = jump.number(doc, "g.out", 100);
  EXPECT_EQ(made(), 101);
  EXPECT_EQ(run_counts().of("follow.step"), 200);
  float played = 0;
  for (int f = 0; f <= 100; ++f) played = play.number(doc, "g.out", f);
  EXPECT_EQ(jumped, played);
}

TEST(Simulation, TheSameBitsOnOneAndTwoThreads) {
  GraphDoc doc;
  Builder b(doc);
  b.node("sum", "test.sum");
  for (int i = 0; i < 6; ++i) {
    const std::string id = std::to_string(i);
    b.node("c" + id, "test.counter", {{"rate", i}})
        .node("f" + id, "test.follow")
        .link("c" + id + ".out -> f" + id + ".x")
        .link("f" + id + ".out -> sum.many");
  }
  EvaluatorOptions one, two;
  one.threads = 1;
  two.threads = 2;
  Runner a(one), c(two);
  EXPECT_EQ(a.number(doc, "sum.out", 60), c.number(doc, "sum.out", 60));
}

TEST(Simulation, AFailedStepSaysWhenAndHoldsFromThere) {
  Runner runner;
  GraphDoc doc = counter();
  doc.graph.nodes[0].params["rate"] = steps({{0, 1}, {12, 666}});
  EXPECT_FALSE(std::isnan(runner.number(doc, "c.out", 11)));
  for (int frame : {12, 13, 40, 12}) {
    EXPECT_TRUE(std::isnan(runner.number(doc, "c.out", frame)));
    EXPECT_EQ(runner.last.messages(*runner.graph)[0].message.text, "frame 12: the rate is unlucky");
  }
  EXPECT_FALSE(std::isnan(runner.number(doc, "c.out", 5)));
}

TEST(Simulation, InputsThatFailForAWhileStopItForGood) {
  // From frame 10 to 20 the chosen input of `pick` is empty.
  GraphDoc doc;
  Builder(doc)
      .node("n", "test.number", {{"x", 2}})
      .node("pick", "test.pick", {{"index", steps({{0, 0}, {10, 1}, {20, 0}})}})
      .node("c", "test.counter")
      .link("n.out -> pick.a")
      .link("pick.out -> c.rate");
  Runner runner;
  for (int round = 0; round < 2; ++round) {
    EXPECT_FALSE(std::isnan(runner.number(doc, "c.out", 9)));
    EXPECT_TRUE(std::isnan(runner.number(doc, "c.out", 10)));
    EXPECT_TRUE(std::isnan(runner.number(doc, "c.out", 30)));
    EXPECT_EQ(runner.last.messages(*runner.graph).back().message.text,
              "frame 10: its inputs have an error there");
  }
}

TEST(Simulation, AThrowingInputOnTheWayStopsItInLinearTime) {
  GraphDoc doc;
  Builder(doc)
      .node("n", "test.number", {{"x", 2}})
      .node("bad", "test.fail")
      .node("pick", "test.pick", {{"index", steps({{0, 0}, {10, 1}, {11, 0}})}})
      .node("c", "test.counter")
      .link("n.out -> pick.a")
      .link("bad.out -> pick.b")
      .link("pick.out -> c.rate");
  Runner runner;
  run_counts().reset();
  EXPECT_TRUE(std::isnan(runner.number(doc, "c.out", 400)));
  EXPECT_EQ(made(), 10);
  EXPECT_EQ(runner.last.messages(*runner.graph).back().message.text,
            "frame 10: its inputs have an error there: 'pick' (test.pick)");
}

TEST(Simulation, InputsThatFailNowAndThenCostLinearTime) {
  // The rate fails at every odd frame, while it runs.
  GraphDoc doc;
  Json odd = steps({});
  for (int f = 0; f < 200; ++f) odd["animate"]["steps"].push_back({f, f % 2});
  Builder(doc)
      .node("n", "test.number", {{"x", 2}})
      .node("bad", "test.fail")
      .node("pick", "test.pick", {{"index", odd}})
      .node("sum", "test.add")
      .node("c", "test.counter")
      .link("n.out -> pick.a")
      .link("bad.out -> pick.b")
      .link("pick.out -> sum.a")
      .link("sum.out -> c.rate");
  Runner runner;
  run_counts().reset();
  for (int frame : {199, 50, 120}) {
    EXPECT_TRUE(std::isnan(runner.number(doc, "c.out", frame)));
    EXPECT_LE(runner.last.runs, 20);
  }
  EXPECT_EQ(made(), 1);
  EXPECT_EQ(runner.last.messages(*runner.graph).back().message.text,
            "frame 1: its inputs have an error there: 'sum' (test.add)");
}

TEST(Simulation, ManySideBySideAreSteppedOnceEachOnAnyNumberOfThreads) {
  const int simulations = 100, frames = 60;
  GraphDoc doc;
  Builder b(doc);
  for (int i = 0; i < simulations; ++i) {
    const std::string id = std::to_string(i), last = std::to_string(i - 1);
    b.node("c" + id, "test.counter", {{"rate", i * 0.01}})
        .node("sum" + id, "test.add")
        .link("c" + id + ".out -> sum" + id + ".a");
    if (i > 0) b.link("sum" + last + ".out -> sum" + id + ".b");
  }
  std::vector<float> results;
  for (int threads : {1, 2, 2, 2})
    for (size_t state_bytes : {size_t{1} << 30, size_t{3000}}) {
      EvaluatorOptions options;
      options.threads = threads;
      options.state_bytes = state_bytes;
      Runner jump(options);
      results.push_back(jump.number(doc, "sum99.out", frames));
      EXPECT_EQ(jump.last.steps, simulations * (frames + 1));
    }
  Runner play;
  run_counts().reset();
  for (int f = 0; f < frames; ++f) play.number(doc, "sum99.out", f);
  results.push_back(play.number(doc, "sum99.out", frames));
  EXPECT_EQ(made(), simulations * (frames + 1));
  EXPECT_FALSE(std::isnan(results[0]));
  for (float r : results) EXPECT_EQ(r, results[0]);
}

TEST(Simulation, WhatIsOnlyReadRepeatsNoStep) {
  GraphDoc doc;
  Builder(doc).node("c", "test.gauge", {{"scale", 1}});
  Runner runner;
  const float one = runner.number(doc, "c.out", 40);
  run_counts().reset();
  set_param(doc, "c", "scale", 2);
  EXPECT_EQ(runner.number(doc, "c.out", 40), 2 * one);
  EXPECT_EQ(runner.last.steps, 0);
  set_param(doc, "c", "rate", 2);
  runner.number(doc, "c.out", 40);
  EXPECT_EQ(runner.last.steps, 41);
}

TEST(Simulation, FarAwayFramesAreRefusedAndTheWayThereCanBeStopped) {
  Runner runner;
  GraphDoc doc = counter();
  EXPECT_TRUE(std::isnan(runner.number(doc, "c.out", 2147483647)));
  EXPECT_EQ(runner.last.messages(*runner.graph)[0].message.text,
            "frame 2147483647 is more than 1000000 frames after the first; simulations go no "
            "further");
  doc.settings.first_frame = -2147483647;
  EXPECT_TRUE(std::isnan(runner.number(doc, "c.out", 2147483647)));

  const std::atomic<bool> stop{true};
  const GraphPtr graph = CompiledGraph::compile(counter(), test_registry());
  Context context;
  context.frame = 900000;
  Evaluator evaluator;
  run_counts().reset();
  EXPECT_TRUE(evaluator.evaluate(*graph, graph->default_targets(), context, &stop).cancelled);
  EXPECT_EQ(made(), 0);
}

TEST(Simulation, FramesBeforeTheFirstShowTheFirst) {
  Runner runner;
  GraphDoc doc = counter();
  doc.settings.first_frame = 10;
  const float first = runner.number(doc, "c.out", 10);
  EXPECT_EQ(runner.number(doc, "c.out", -5), first);
  EXPECT_NE(runner.number(doc, "c.out", 11), first);
}

// ---- The live clock -----------------------------------------------------------------------------

struct LiveRunner {
  float tick(const GraphDoc& doc, bool advance = true) {
    const GraphPtr graph = CompiledGraph::compile(doc, test_registry());
    const std::vector<Target> target{*graph->find_output("c.out")};
    if (advance) ++context.frame;
    const Evaluation e = evaluator.evaluate_live(*graph, target, context, live, advance);
    return e.targets[0].value ? e.targets[0].value.as<float>() : NAN;
  }
  Evaluator evaluator;
  LiveState live;
  Context context;
};

TEST(Live, WithoutEditsItIsTheTimeline) {
  LiveRunner live;
  Runner timeline;
  const GraphDoc doc = counter();
  EXPECT_EQ(live.tick(doc, false), timeline.number(doc, "c.out", 0));
  for (int f = 1; f <= 30; ++f) EXPECT_EQ(live.tick(doc), timeline.number(doc, "c.out", f));
}

TEST(Live, NeverRunsThePastAgain) {
  LiveRunner live;
  GraphDoc doc = counter();
  live.tick(doc, false);
  for (int f = 1; f <= 50; ++f) live.tick(doc);
  for (int f = 51; f <= 60; ++f) {
    set_param(doc, "c", "rate", f);  // a slider that moves all the time
    run_counts().reset();
    live.tick(doc);
    EXPECT_EQ(made(), 1) << "one step a tick, whatever was changed";
    run_counts().reset();
    live.tick(doc, false);  // a redraw while it stands still
    EXPECT_EQ(made(), 0);
  }
}

TEST(Live, RecordedEventsReplayToTheSameBits) {
  LiveRunner live;
  LiveRecorder recorder;
  GraphDoc doc = counter();
  recorder.begin("c", "rate", 0, Value::of(1.0f));
  std::vector<float> seen{live.tick(doc, false)};
  for (int f = 1; f <= 60; ++f) {
    if (f % 7 == 0) {
      set_param(doc, "c", "rate", f * 0.3f);
      recorder.event("c", "rate", f, Value::of(f * 0.3f));
    }
    seen.push_back(live.tick(doc));
  }
  const Result<Command> command = recorder.to_command(test_registry(), "");
  ASSERT_TRUE(command);
  GraphDoc recorded = counter();
  const auto& edit = std::get<edit::SetParam>(command->edits[0]);
  set_param(recorded, edit.node, edit.input, *edit.value);
  Runner timeline;
  for (int f = 60; f >= 0; --f) EXPECT_EQ(timeline.number(recorded, "c.out", f), seen[f]) << f;
}

TEST(Live, GoesOnFromTheTimeline) {
  const GraphDoc doc = counter();
  Runner timeline;
  timeline.number(doc, "c.out", 20);
  LiveState live = timeline.evaluator.live_from_timeline(*timeline.graph, timeline.context);
  const float expected = Runner().number(doc, "c.out", 21);
  timeline.context.frame = 21;
  const std::vector<Target> target{*timeline.graph->find_output("c.out")};
  run_counts().reset();
  const Evaluation e =
      timeline.evaluator.evaluate_live(*timeline.graph, target, timeline.context, live, true);
  EXPECT_EQ(e.targets[0].value.as<float>(), expected);
  EXPECT_EQ(made(), 1);
}

TEST(Live, GoesOnFromAFrameWhoseStateIsForgotten) {
  const GraphDoc doc = counter();
  EvaluatorOptions tight;
  tight.state_bytes = 1500;
  Runner timeline(tight);
  for (int f = 0; f <= 100; ++f) timeline.number(doc, "c.out", f);
  timeline.number(doc, "c.out", 13);
  LiveState live = timeline.evaluator.live_from_timeline(*timeline.graph, timeline.context);
  ASSERT_TRUE(live.simulations.contains("c"));
  timeline.context.frame = 14;
  const std::vector<Target> target{*timeline.graph->find_output("c.out")};
  const Evaluation e =
      timeline.evaluator.evaluate_live(*timeline.graph, target, timeline.context, live, true);
  EXPECT_EQ(e.targets[0].value.as<float>(), Runner().number(doc, "c.out", 14));
}

TEST(Live, AnotherTypeUnderTheSameNameBeginsAnew) {
  LiveRunner live;
  GraphDoc doc = counter();
  for (int f = 0; f < 5; ++f) live.tick(doc, f > 0);
  doc.graph.nodes[0].type = "test.follow";
  doc.graph.nodes[0].params = {{"x", 7}};
  EXPECT_EQ(live.tick(doc), 7);
}

TEST(Live, TwinsBothGoOn) {
  GraphDoc doc;
  Builder(doc)
      .node("c", "test.counter")
      .node("d", "test.counter")
      .node("sum", "test.sum")
      .link("c.out -> sum.many")
      .link("d.out -> sum.many");
  Evaluator evaluator;
  LiveState live;
  Context context;
  for (int f = 0; f < 10; ++f, ++context.frame) {
    const GraphPtr graph = CompiledGraph::compile(doc, test_registry());
    const std::vector<Target> target{*graph->find_output("sum.out")};
    run_counts().reset();
    evaluator.evaluate_live(*graph, target, context, live, f > 0);
    EXPECT_EQ(live.simulations.size(), 2u);
    EXPECT_EQ(made(), f < 5 ? 1 : (f == 5 ? 2 : 2));
    if (f == 4) set_param(doc, "d", "rate", 3);  // from here on they differ
  }
}

}  // namespace
}  // namespace sinew
