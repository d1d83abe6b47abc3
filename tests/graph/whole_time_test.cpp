// Links to inputs of `whole_time`: nodes that are given all frames of what is linked to them.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "graph/background.h"
#include "graph/evaluator.h"
#include "graph/work_run.h"
#include "tests/graph/test_nodes.h"

namespace sinew {
namespace {

using namespace testing;

Json steps(std::vector<std::pair<int, double>> list) {
  Json points = Json::array();
  for (auto [frame, value] : list) points.push_back({frame, value});
  return Json{{"animate", {{"steps", points}}}};
}

int made() { return run_counts().of("counter.init") + run_counts().of("counter.step"); }

// Twice the frame, asked for at one frame.
GraphDoc moving(int frame, int last = 20) {
  GraphDoc doc;
  doc.settings.last_frame = last;
  Builder(doc)
      .node("f", "test.frame")
      .node("twice", "test.scale")
      .node("m", "test.moment", {{"frame", frame}})
      .link("f.out -> twice.x")
      .link("twice.out -> m.x");
  return doc;
}

GraphDoc simulated(int frame, int last = 20) {
  GraphDoc doc;
  doc.settings.last_frame = last;
  Builder(doc)
      .node("c", "test.counter")
      .node("m", "test.moment", {{"frame", frame}})
      .link("c.out -> m.x");
  return doc;
}

std::string words(const Runner& runner, const std::string& path) {
  std::string text;
  for (const NodeMessage& m : runner.last.messages(*runner.graph))
    if (m.path == path) text += m.message.text + "\n";
  return text;
}

TEST(WholeTime, ALinkBringsAllFrames) {
  Runner runner;
  EXPECT_EQ(runner.number(moving(12), "m.out", 0), 24);
  EXPECT_EQ(runner.number(moving(3), "m.out", 15), 6);
  EXPECT_EQ(runner.number(moving(99), "m.out", 0), 40);  // after the last frame it stays
  EXPECT_EQ(runner.number(moving(-9), "m.out", 0), 0);
  EXPECT_EQ(runner.number(moving(3), "m.first", 0), 0);
  EXPECT_EQ(runner.number(moving(3), "m.last", 0), 20);
  GraphDoc late = moving(3);
  late.settings.first_frame = 10;
  EXPECT_EQ(runner.number(late, "m.out", 10), 20);
  EXPECT_EQ(runner.number(late, "m.first", 10), 10);
}

TEST(WholeTime, OneResultServesAllFrames) {
  Runner runner;
  const GraphDoc doc = moving(12);
  run_counts().reset();
  runner.number(doc, "m.out", 0);
  EXPECT_EQ(run_counts().of("test.frame"), 21);
  EXPECT_EQ(runner.last.runs, 2 * 21 + 1);
  const Key key = runner.last.targets[0].key;
  EXPECT_FALSE(runner.graph->varies(runner.graph->find_node("m")));
  for (int f = 1; f <= 30; ++f) {
    EXPECT_EQ(runner.number(doc, "m.out", f), 24);
    EXPECT_EQ(runner.last.targets[0].key, key);
    EXPECT_EQ(runner.last.runs, 0);
    EXPECT_EQ(runner.last.hits, 1);
  }
  EXPECT_EQ(run_counts().of("test.frame"), 21);
}

TEST(WholeTime, KeysAreFoundOnceForAGraph) {
  // The choice of `pick` is evaluated for its key: that is seen in the counts.
  GraphDoc doc;
  doc.settings.last_frame = 20;
  Builder(doc)
      .node("n", "test.count")
      .node("f", "test.frame")
      .node("zero", "test.number", {{"x", 0}})
      .node("pick", "test.pick")
      .node("m", "test.moment", {{"frame", 1}})
      .link("n.out -> pick.index")
      .link("f.out -> pick.b")
      .link("zero.out -> pick.a")
      .link("pick.out -> m.x");
  EvaluatorOptions forgetful;
  forgetful.cache_bytes = 1;
  Evaluator evaluator(forgetful);
  const GraphPtr graph = CompiledGraph::compile(doc, test_registry());
  Context context;
  context.last_frame = 20;
  const std::vector<Target> targets{*graph->find_output("m.out")};
  run_counts().reset();
  evaluator.result_keys(*graph, targets, context, 0, 20);
  EXPECT_EQ(run_counts().of("test.count"), 21);
  for (int f = 0; f < 5; ++f) evaluator.result_keys(*graph, targets, context, f, f);
  EXPECT_EQ(run_counts().of("test.count"), 21);
  context.last_frame = 30;  // another range: other keys
  const auto longer = evaluator.result_keys(*graph, targets, context, 0, 0);
  EXPECT_EQ(run_counts().of("test.count"), 21 + 31);
}

TEST(WholeTime, TheKeyIsThatOfTheFrames) {
  Runner runner;
  const auto key = [&](const GraphDoc& doc) {
    runner.number(doc, "m.out");
    return runner.last.targets[0].key;
  };
  const Key before = key(moving(12));
  EXPECT_NE(key(moving(12, 21)), before);
  GraphDoc doc = moving(12);
  set_param(doc, "twice", "factor", 3);
  EXPECT_NE(key(doc), before);
  EXPECT_EQ(runner.number(doc, "m.out"), 36);
  EXPECT_EQ(runner.last.runs, 0);
  set_param(doc, "twice", "factor", steps({{0, 2}, {20, 4}}));
  EXPECT_NE(key(doc), before);
  EXPECT_EQ(runner.last.runs, 2);  // at one frame it differs; and the node itself
  EXPECT_EQ(key(moving(12)), before);
}

TEST(WholeTime, FramesThatAreTheSameAreOne) {
  Runner runner;
  GraphDoc doc;
  doc.settings.last_frame = 50;
  Builder(doc)
      .node("n", "test.number", {{"x", steps({{0, 4}, {10, 5}, {30, 6}})}})
      .node("m", "test.moment", {{"frame", 29.5}})
      .link("n.out -> m.x");
  run_counts().reset();
  EXPECT_EQ(runner.number(doc, "m.out"), 5);
  EXPECT_EQ(run_counts().of("test.number"), 3);
  EXPECT_EQ(runner.number(doc, "m.last"), 30);
  const Key key = runner.last.targets[0].key;
  doc.settings.last_frame = 70;  // nothing happens there
  runner.number(doc, "m.last");
  EXPECT_EQ(runner.last.targets[0].key, key);
  // What never changes is a plain value.
  set_param(doc, "n", "x", steps({{0, 4}, {10, 4}}));
  EXPECT_EQ(runner.number(doc, "m.out"), 4);
  EXPECT_EQ(runner.number(doc, "m.first"), -1);
  set_param(doc, "n", "x", 8);
  EXPECT_EQ(runner.number(doc, "m.out"), 8);
  EXPECT_EQ(runner.number(doc, "m.first"), -1);
}

TEST(WholeTime, LiteralsAreAskedInTheSameWay) {
  Runner runner;
  GraphDoc doc;
  Builder(doc).node("m", "test.moment", {{"x", 3}, {"frame", 7}});
  EXPECT_EQ(runner.number(doc, "m.out"), 3);
  EXPECT_EQ(runner.number(doc, "m.first"), -1);
  set_param(doc, "m", "x", steps({{0, 1}, {5, 2}, {9, 3}}));
  EXPECT_EQ(runner.number(doc, "m.out"), 2);
  EXPECT_EQ(runner.number(doc, "m.first"), -1e6f);  // charts have no ends
  set_param(doc, "m", "x", Json{{"steps", {{2, 10}, {6, 20}, {8, 30}}}});
  EXPECT_EQ(runner.number(doc, "m.out"), 20);
  EXPECT_EQ(runner.number(doc, "m.first"), 2);
  EXPECT_EQ(runner.number(doc, "m.last"), 8);
}

TEST(WholeTime, AParameterOfTheNodeEvaluatesNoFrameAgain) {
  Runner runner;
  runner.number(moving(12), "m.out");
  run_counts().reset();
  EXPECT_EQ(runner.number(moving(13), "m.out"), 26);
  EXPECT_EQ(runner.last.runs, 1);
  EXPECT_EQ(run_counts().of("test.frame"), 0);
}

TEST(WholeTime, SimulationsAreRunToTheEndOnce) {
  std::vector<float> played;
  Runner player;
  for (int f = 0; f <= 200; ++f) played.push_back(player.number(simulated(0, 200), "c.out", f));
  for (size_t state_bytes : {size_t{1} << 30, size_t{3000}}) {
    EvaluatorOptions options;
    options.state_bytes = state_bytes;
    Runner runner(options);
    run_counts().reset();
    EXPECT_EQ(runner.number(simulated(150, 200), "m.out", 0), played[150]);
    EXPECT_EQ(made(), 201);
    EXPECT_EQ(runner.last.steps, 201);
    EXPECT_EQ(runner.number(simulated(77, 200), "m.out", 40), played[77]);
    EXPECT_EQ(runner.last.steps, 0);
  }
}

TEST(WholeTime, WhatIsAlsoShownIsSteppedOnce) {
  GraphDoc doc = simulated(150, 200);
  Builder(doc).node("sum", "test.add").link("c.out -> sum.a").link("m.out -> sum.b");
  Runner runner;
  run_counts().reset();
  const float sum = runner.number(doc, "sum.out", 120);
  EXPECT_EQ(made(), 201);
  Runner other;
  EXPECT_EQ(sum, other.number(doc, "c.out", 120) + other.number(doc, "c.out", 150));
}

TEST(WholeTime, ASimulationCanBeGivenWhatIsToCome) {
  GraphDoc doc;
  doc.settings.last_frame = 10;
  Builder(doc).node("f", "test.frame").node("w", "test.wake").link("f.out -> w.x");
  Runner runner;
  run_counts().reset();
  EXPECT_EQ(runner.number(doc, "w.out", 4), 3 + 4 + 5 + 6 + 7);
  EXPECT_EQ(run_counts().of("test.frame"), 11);
  EXPECT_EQ(runner.last.steps, 5);
  EXPECT_EQ(runner.number(doc, "w.out", 8), 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 10);
  EXPECT_EQ(runner.last.steps, 4);
  EXPECT_EQ(run_counts().of("test.frame"), 11);
  doc.settings.last_frame = 8;  // the future is another one
  EXPECT_EQ(runner.number(doc, "w.out", 8), 3 + 4 + 5 + 6 + 7 + 8 + 8 + 8 + 8);
}

TEST(WholeTime, OneBehindAnother) {
  // What a simulation does over the range leads another, which is asked at another frame again.
  GraphDoc doc = simulated(15);
  Builder(doc)
      .node("f", "test.frame")
      .node("sum", "test.add")
      .node("follow", "test.follow")
      .node("end", "test.moment", {{"frame", 20}})
      .link("m.out -> sum.a")
      .link("f.out -> sum.b")
      .link("sum.out -> follow.x")
      .link("follow.out -> end.x");
  Runner runner;
  run_counts().reset();
  const float end = runner.number(doc, "end.out", 3);
  EXPECT_FALSE(std::isnan(end));
  EXPECT_EQ(made(), 21);
  EXPECT_EQ(run_counts().of("follow.step"), 20);
  EXPECT_EQ(run_counts().of("test.moment"), 2);
  EXPECT_EQ(end, Runner().number(doc, "follow.out", 20));
  for (int f = 4; f < 9; ++f) {
    EXPECT_EQ(runner.number(doc, "end.out", f), end);
    EXPECT_EQ(runner.last.runs, 0);
  }
}

TEST(WholeTime, ListsGiveEachLinkItsTime) {
  GraphDoc doc;
  doc.settings.last_frame = 20;
  Builder(doc)
      .node("f", "test.frame")
      .node("n", "test.number", {{"x", 7}})
      .node("i", "test.count")
      .node("m", "test.moments", {{"frame", 5}})
      .link("f.out -> m.many")
      .link("n.out -> m.many")
      .link("i.out -> m.many")  // converted at each frame
      .link("f.out -> m.many");
  Runner runner;
  run_counts().reset();
  EXPECT_EQ(runner.number(doc, "m.out", 2), 5 * 1e6f + 7e4f + 5e2f + 5);
  EXPECT_EQ(run_counts().of("test.frame"), 21);
  EXPECT_EQ(run_counts().of("test.count"), 21);
  EXPECT_EQ(runner.number(doc, "m.out", 3), 5 * 1e6f + 7e4f + 5e2f + 5);
  EXPECT_EQ(runner.last.runs, 0);
  set_param(doc, "n", "x", 8);
  EXPECT_EQ(runner.number(doc, "m.out", 3), 5 * 1e6f + 8e4f + 5e2f + 5);
  EXPECT_EQ(runner.last.runs, 2);
}

TEST(WholeTime, ConversionsAndRangesAreAppliedAtEachFrame) {
  GraphDoc doc;
  doc.settings.last_frame = 20;
  Builder(doc).node("i", "test.count").node("r", "test.range").link("i.out -> r.x");
  Runner runner;
  EXPECT_EQ(runner.number(doc, "r.out"), 0 + 1 + 2 + 3 + 4 + 5 * 6);
  EXPECT_EQ(words(runner, "r"), "frame 6: 'x': 6 is out of range, 5 is used\n");
}

TEST(WholeTime, GoesThroughReroutesSwitchesAndGroups) {
  GraphDoc doc;
  doc.settings.last_frame = 20;
  GroupDoc& group = doc.groups["g"];
  group.inputs = {{"x", "X", "float", 1, "", Json::object()}};
  group.outputs = {{"out", "", "float", nullptr, "", Json::object()}};
  Builder(doc, "g")
      .node("in", "group.input")
      .node("m", "test.moment", {{"frame", 12}})
      .node("out", "group.output")
      .link("in.x -> m.x")
      .link("m.out -> out.out");
  Builder(doc)
      .node("f", "test.frame")
      .node("n", "test.number", {{"x", 50}})
      .node("re", "reroute")
      .node("pick", "test.pick", {{"index", steps({{0, 0}, {12, 1}, {13, 0}})}})
      .group_node("inst", "g")
      .link("f.out -> re.in")
      .link("re.out -> pick.a")
      .link("n.out -> pick.b")
      .link("pick.out -> inst.x");
  Runner runner;
  EXPECT_EQ(runner.number(doc, "inst.out", 3), 50);
  doc.body("g")->nodes[1].params["frame"] = 11;
  EXPECT_EQ(runner.number(doc, "inst.out", 3), 11);
  // A parameter of the group that is animated arrives in the same way.
  std::erase_if(doc.graph.links, [](const LinkDoc& l) { return l.to.node == "inst"; });
  set_param(doc, "inst", "x", steps({{0, 3}, {11, 4}}));
  EXPECT_EQ(runner.number(doc, "inst.out", 3), 4);
}

TEST(WholeTime, AParameterThatIsOnlyHandedOnIsNotSampled) {
  GraphDoc doc;
  doc.settings.last_frame = 20;
  Builder(doc)
      .node("m", "test.moment", {{"frame", 33}})
      .node("r", "test.range")
      .group_node("inst", "g")
      .link("inst.out -> m.x")
      .link("inst.out -> r.x");
  GroupDoc& group = doc.groups["g"];
  group.inputs = {{"x", "X", "float", 1, "", Json::object()}};
  group.outputs = {{"out", "", "float", nullptr, "", Json::object()}};
  Builder(doc, "g").node("in", "group.input").node("out", "group.output").link("in.x -> out.out");
  set_param(doc, "inst", "x", steps({{0, 3}, {9, 4}, {30, 7}}));
  Runner runner;
  EXPECT_EQ(runner.number(doc, "m.out", 3), 7);  // also beyond the range
  EXPECT_EQ(runner.number(doc, "m.first", 3), -1e6f);
  set_param(doc, "inst", "x", steps({{0, 3}, {9, 9}}));
  EXPECT_EQ(runner.number(doc, "r.out", 3), 9 * 3 + 2 * 5);
}

TEST(WholeTime, AMutedNodeHandsOnTheMoment) {
  Runner runner;
  GraphDoc doc = moving(12);
  for (NodeDoc& n : doc.graph.nodes) n.muted = n.id == "m";
  EXPECT_EQ(runner.number(doc, "m.out", 5), 10);
  EXPECT_TRUE(runner.graph->varies(runner.graph->find_node("m")));
  std::erase_if(doc.graph.links, [](const LinkDoc& l) { return l.to.node == "m"; });
  set_param(doc, "m", "x", steps({{0, 3}, {5, 4}}));
  EXPECT_EQ(runner.number(doc, "m.out", 4), 3);
  EXPECT_EQ(runner.number(doc, "m.out", 5), 4);
}

TEST(WholeTime, AnErrorAtAFrameBlocksAndIsNamed) {
  GraphDoc doc;
  doc.settings.last_frame = 20;
  Builder(doc)
      .node("f", "test.frame")
      .node("fussy", "test.fussy")
      .node("re", "reroute")
      .node("pass", "test.pass")
      .node("m", "test.moment")
      .node("after", "test.pass")
      .link("f.out -> fussy.x")
      .link("fussy.out -> re.in")
      .link("re.out -> pass.x")
      .link("pass.out -> m.x")
      .link("m.out -> after.x");
  Runner runner;
  for (int f : {0, 3, 7, 20}) {
    EXPECT_TRUE(std::isnan(runner.number(doc, "after.out", f)));
    EXPECT_TRUE(runner.last.failed());
    EXPECT_EQ(words(runner, "m"),
              "it waits for 'fussy' (test.fussy), which has an error at frame 7\n");
    EXPECT_EQ(words(runner, "fussy"), "frame 7: it does not like 7\n");
    EXPECT_EQ(words(runner, "after"), "it waits for 'm' (test.moment), which has an error\n");
    EXPECT_LE(runner.last.runs, f == 0 ? 24 : 0);
  }
  EXPECT_EQ(runner.number(doc, "pass.out", 8), 8);
  doc.settings.last_frame = 6;
  EXPECT_EQ(runner.number(doc, "after.out", 3), 0);
}

TEST(WholeTime, AnErrorThatKeysTellIsNamedToo) {
  GraphDoc doc;
  doc.settings.last_frame = 20;
  Builder(doc)
      .node("f", "test.frame")
      .node("pick", "test.pick", {{"index", steps({{0, 0}, {9, 1}})}})
      .node("m", "test.moment")
      .link("f.out -> pick.a")
      .link("pick.out -> m.x");
  Runner runner;
  for (int f : {0, 3}) {
    EXPECT_TRUE(std::isnan(runner.number(doc, "m.out", f)));
    EXPECT_EQ(words(runner, "m"),
              "it waits for 'pick' (test.pick), which has an error at frame 9\n");
    EXPECT_EQ(words(runner, "pick"), "frame 9: it chooses its input 'b', which is empty\n");
  }
  doc.settings.last_frame = 2000000;
  EXPECT_TRUE(std::isnan(runner.number(doc, "m.out")));
  EXPECT_EQ(words(runner, "m"),
            "it asks for all frames of what is linked to 'x', and the document has 2000001; "
            "shorten that to 100000 or fewer\n");
}

TEST(WholeTime, AnErrorBehindAnotherIsNamedWithItsFrame) {
  GraphDoc doc = simulated(5);
  set_param(doc, "c", "rate", steps({{0, 1}, {12, 666}}));
  Builder(doc)
      .node("f", "test.frame")
      .node("sum", "test.add")
      .node("end", "test.moment")
      .link("m.out -> sum.a")
      .link("f.out -> sum.b")
      .link("sum.out -> end.x");
  Runner runner;
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(std::isnan(runner.number(doc, "end.out", 3)));
    EXPECT_EQ(words(runner, "end"),
              "it waits for 'c' (test.counter), which has an error at frame 12\n");
    EXPECT_EQ(words(runner, "c"), "frame 12: the rate is unlucky\n");
  }
}

TEST(WholeTime, CanBeCancelledBetweenFramesAndTellsWhereItIs) {
  GraphDoc doc;
  doc.settings.last_frame = 100000 - 1;
  Builder(doc)
      .node("f", "test.frame")
      .node("slow", "test.slow", {{"milliseconds", 2}})
      .node("m", "test.moment")
      .link("f.out -> slow.x")
      .link("slow.out -> m.x");
  const GraphPtr graph = CompiledGraph::compile(doc, test_registry());
  Context context;
  context.last_frame = doc.settings.last_frame;
  Evaluator evaluator;
  std::atomic<bool> stop{false};
  std::pair<int, int> seen;
  std::thread other([&] {
    for (int i = 0; i < 10000 && evaluator.progress().first < 3; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    seen = evaluator.progress();
    stop = true;
  });
  const std::vector<Target> target{*graph->find_output("m.out")};
  const Evaluation cancelled = evaluator.evaluate(*graph, target, context, &stop);
  other.join();
  EXPECT_TRUE(cancelled.cancelled);
  EXPECT_FALSE(cancelled.targets[0].value);
  EXPECT_GE(seen.first, 3);
  EXPECT_EQ(seen.second, doc.settings.last_frame);
  EXPECT_EQ(evaluator.progress(), std::pair(0, 0));
  // What was done is kept, and nothing half done.
  context.last_frame = 5;
  stop = false;
  const Evaluation whole = evaluator.evaluate(*graph, target, context, &stop);
  ASSERT_TRUE(whole.targets[0].value);
  EXPECT_LT(whole.runs, 6 * 2 + 1);
}

TEST(WholeTime, CancelledBeforeItBeginsItGoesOnLater) {
  const GraphDoc doc = simulated(15);
  const GraphPtr graph = CompiledGraph::compile(doc, test_registry());
  Evaluator evaluator;
  Context context;
  context.last_frame = 20;
  const std::vector<Target> target{*graph->find_output("m.out")};
  const std::atomic<bool> stop{true};
  EXPECT_TRUE(evaluator.evaluate(*graph, target, context, &stop).cancelled);
  const Evaluation e = evaluator.evaluate(*graph, target, context);
  ASSERT_TRUE(e.targets[0].value);
  EXPECT_EQ(e.targets[0].value.as<float>(), Runner().number(doc, "c.out", 15));
}

TEST(WholeTime, TheSameBitsOnOneAndTwoThreads) {
  GraphDoc doc;
  doc.settings.last_frame = 40;
  Builder b(doc);
  b.node("all", "test.moments", {{"frame", 33}}).node("sum", "test.sum");
  for (int i = 0; i < 6; ++i) {
    const std::string id = std::to_string(i);
    b.node("c" + id, "test.counter", {{"rate", i}})
        .node("f" + id, "test.follow")
        .node("m" + id, "test.moment", {{"frame", 10 + i}})
        .link("c" + id + ".out -> f" + id + ".x")
        .link("f" + id + ".out -> all.many")
        .link("f" + id + ".out -> m" + id + ".x")
        .link("m" + id + ".out -> sum.many");
  }
  b.link("all.out -> sum.many");
  std::vector<float> results;
  for (int threads : {1, 2, 2, 2}) {
    EvaluatorOptions options;
    options.threads = threads;
    Runner runner(options);
    results.push_back(runner.number(doc, "sum.out", 25));
    EXPECT_EQ(runner.last.steps, 12 * 41);
  }
  EXPECT_FALSE(std::isnan(results[0]));
  for (float r : results) EXPECT_EQ(r, results[0]);
}

TEST(WholeTime, OnTheLiveClockItIsTheTimelineThatIsAsked) {
  GraphDoc doc = simulated(15);
  Builder(doc).node("live", "test.follow").link("m.out -> live.x");
  const GraphPtr graph = CompiledGraph::compile(doc, test_registry());
  const std::vector<Target> targets{*graph->find_output("live.out"), *graph->find_output("c.out")};
  const float expected = Runner().number(doc, "c.out", 15);
  Runner timeline;
  Evaluator evaluator;
  LiveState live;
  Context context;
  context.last_frame = 20;
  run_counts().reset();
  evaluator.evaluate_live(*graph, targets, context, live, false);
  EXPECT_EQ(made(), 21);
  for (int f = 1; f <= 30; ++f) {
    context.frame = f;
    run_counts().reset();
    const Evaluation e = evaluator.evaluate_live(*graph, targets, context, live, true);
    // Within the range its steps are known.
    EXPECT_EQ(made(), f <= 20 ? 0 : 1) << f;
    EXPECT_EQ(run_counts().of("test.moment"), 0);
    EXPECT_EQ(e.targets[0].value.as<float>(), expected);
    EXPECT_EQ(e.targets[1].value.as<float>(), timeline.number(doc, "c.out", f));
  }
  // What is only asked for over time takes no live steps.
  LiveState only;
  context.frame = 0;
  const std::vector<Target> moment{targets[0]};
  evaluator.evaluate_live(*graph, moment, context, only, false);
  EXPECT_TRUE(only.simulations.contains("live"));
  EXPECT_FALSE(only.simulations.contains("c"));
}

TEST(WholeTime, LiveGoesOnFromTheTimeline) {
  GraphDoc doc;
  doc.settings.last_frame = 20;
  Builder(doc).node("f", "test.frame").node("w", "test.wake").link("f.out -> w.x");
  Runner runner;
  runner.number(doc, "w.out", 6);
  LiveState live = runner.evaluator.live_from_timeline(*runner.graph, runner.context);
  runner.context.frame = 7;
  const std::vector<Target> target{*runner.graph->find_output("w.out")};
  const Evaluation e =
      runner.evaluator.evaluate_live(*runner.graph, target, runner.context, live, true);
  EXPECT_EQ(e.targets[0].value.as<float>(), Runner().number(doc, "w.out", 7));
  EXPECT_EQ(e.steps, 1);
}

TEST(WholeTime, InputsOfWorkAreGivenOverTime) {
  const GraphDoc doc = moving(12);
  const GraphPtr graph = CompiledGraph::compile(doc, test_registry());
  Evaluator evaluator;
  Context context;
  context.last_frame = 20;
  run_counts().reset();
  const NodeInputs inputs = evaluator.node_inputs(*graph, graph->find_sink("m"), context);
  ASSERT_TRUE(inputs.complete);
  ASSERT_TRUE(inputs.values[0][0].is<Animation>());
  EXPECT_EQ(inputs.values[0][0].as<Animation>().held.size(), 21u);
  EXPECT_TRUE(inputs.values[0][0].as<Animation>().sampled);
  EXPECT_EQ(run_counts().of("test.frame"), 21);
  EXPECT_EQ(run_counts().of("test.moment"), 0);

  GraphDoc bad = moving(12);
  bad.graph.nodes[1].type = "test.fussy";
  bad.graph.nodes[1].params.clear();
  const GraphPtr failing = CompiledGraph::compile(bad, test_registry());
  const NodeInputs none = evaluator.node_inputs(*failing, failing->find_sink("m"), context);
  EXPECT_FALSE(none.complete);
  EXPECT_TRUE(none.evaluation.failed());
  EXPECT_EQ(none.evaluation.messages(*failing)[0].message.text, "frame 7: it does not like 7");
}

TEST(WholeTime, ResultKeysAreThoseOfResults) {
  const GraphDoc doc = moving(12);
  const GraphPtr graph = CompiledGraph::compile(doc, test_registry());
  Evaluator evaluator;
  Context context;
  context.last_frame = 20;
  const std::vector<Target> targets{*graph->find_output("m.out")};
  run_counts().reset();
  const auto keys = evaluator.result_keys(*graph, targets, context, 0, 20);
  ASSERT_EQ(keys.size(), 21u);
  EXPECT_EQ(run_counts().of("test.frame"), 0);
  for (const auto& here : keys) EXPECT_EQ(here[0], keys[0][0]);
  context.frame = 8;
  EXPECT_EQ(evaluator.evaluate(*graph, targets, context).targets[0].result_key, keys[0][0]);
}

// What a node that sees the moment only knows of what is another at other moments.
TEST(WholeTime, ANodeKnowsWhichOfItsInputsChange) {
  const Json varies = steps({{0, 0}, {5, 3}});
  const auto asking = [](Json x, Json y) {
    GraphDoc doc;
    Builder(doc).node("it", "test.asks", {{"x", std::move(x)}, {"y", std::move(y)}});
    return doc;
  };
  Runner runner;
  EXPECT_EQ(runner.number(asking(0, 0), "it.out"), 0);
  EXPECT_EQ(runner.number(asking(varies, 0), "it.out"), 1);  // though it is 0 at this frame
  EXPECT_EQ(runner.number(asking(0, varies), "it.out"), 0);  // of whole time
  EXPECT_EQ(runner.number(asking(0, 0), "it.out"), 0);

  const auto linked = [&](const std::string& type, const std::string& output, Json x) {
    GraphDoc doc = asking(0, 0);
    Builder b(doc);
    b.node("from", type).node("bend", "reroute");
    if (!x.is_null()) set_param(doc, "from", "x", std::move(x));
    b.link("from." + output + " -> bend.in").link("bend.out -> it.x");
    return runner.number(doc, "it.out");
  };
  EXPECT_EQ(linked("test.number", "out", 0), 0);
  EXPECT_EQ(linked("test.number", "out", varies), 1);
  EXPECT_EQ(linked("test.frame", "out", nullptr), 1);
  EXPECT_EQ(linked("test.recipe", "now", 0), 1);
  EXPECT_EQ(linked("test.recipe", "recipe", 0), 0);
  EXPECT_EQ(linked("test.recipe", "recipe", varies), 1);
}

}  // namespace
}  // namespace sinew
