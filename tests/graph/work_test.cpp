// Work that a node does when asked for: its inputs, its trials, the graph with other numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <thread>

#include "graph/local_site.h"
#include "graph/numbers.h"
#include "graph/work_run.h"
#include "tests/graph/test_nodes.h"

namespace sinew::testing {
namespace {

// out = (3 x + 10) with x of `number`, a count that grows by `rate` each frame, and the worker.
GraphDoc document() {
  GraphDoc doc;
  Builder(doc)
      .node("number", "test.number", {{"x", 2}})
      .node("scale", "test.scale", {{"factor", 3}})
      .node("offset", "test.number", {{"x", 10}})
      .node("add", "test.add")
      .node("worker", "test.work")
      .link("number.out -> scale.x")
      .link("scale.out -> add.a")
      .link("offset.out -> add.b")
      .link("add.out -> worker.x");
  return doc;
}

struct Site {
  explicit Site(const GraphDoc& doc, int threads = 2, const std::string& node = "worker")
      : graph(CompiledGraph::compile(doc, test_registry())) {
    LocalSiteOptions options;
    options.threads = threads;
    options.stop = &stop;
    options.publish = [this](Value v) { published.push_back(std::move(v)); };
    options.progress = [this](double part, const std::string& text) {
      parts.push_back(part);
      words = text;
    };
    site = std::make_unique<LocalSite>(doc, graph, node, Context(), options);
  }
  Result<std::vector<Message>> run(const std::string& node = "worker") {
    return run_work(evaluator, *graph, node, Context(), *site, &stop);
  }
  std::atomic<bool> stop{false};
  GraphPtr graph;
  std::vector<Value> published;
  std::vector<double> parts;
  std::string words;
  std::unique_ptr<LocalSite> site;
  Evaluator evaluator;
};

TEST(Work, SeesItsInputsAndPublishes) {
  Site site(document());
  test_work() = [](Exec& e, WorkSite& s) {
    const NodeType& type = e.type();
    EXPECT_EQ(e.value(type.find_input("x")).as<float>(), 16);
    s.progress(0.5, "half of it");
    s.publish(Value::of(1.0f));
    s.publish(Value::of(2.0f));
    e.warning("it was hard");
  };
  const auto ran = site.run();
  ASSERT_TRUE(static_cast<bool>(ran));
  ASSERT_EQ(ran->size(), 1u);
  EXPECT_EQ((*ran)[0].text, "it was hard");
  ASSERT_EQ(site.published.size(), 2u);
  EXPECT_EQ(site.published[1].as<float>(), 2);
  EXPECT_EQ(site.words, "half of it");
  EXPECT_EQ(nodes_with_work(*site.graph), std::vector<std::string>{"worker"});
}

TEST(Work, SaysWhatIsWrong) {
  const auto error = [](const GraphDoc& doc, const std::string& node = "worker") {
    Site site(doc);
    const auto ran = site.run(node);
    return ran ? std::string() : ran.error();
  };
  test_work() = [](Exec&, WorkSite&) { FAIL() << "it must not run"; };
  EXPECT_EQ(error(document(), "nobody"), "there is no node 'nobody'");
  EXPECT_EQ(error(document(), "add"), "node 'add' (test.add) has nothing to search for");
  GraphDoc doc = document();
  doc.graph.links.pop_back();
  EXPECT_EQ(error(doc), "node 'worker' (test.work): input 'x' is empty; link a float to it");
  doc = document();
  Builder(doc).node("bad", "test.fail").link("bad.out -> add.b");
  std::erase_if(doc.graph.links, [](const LinkDoc& l) { return l.from.node == "offset"; });
  EXPECT_NE(error(doc).find("node 'bad' (test.fail)"), std::string::npos) << error(doc);
  doc = document();
  doc.graph.nodes.back().muted = true;
  EXPECT_EQ(error(doc), "node 'worker' (test.work) is muted");

  test_work() = [](Exec& e, WorkSite&) { e.error("it has no idea"); };
  EXPECT_EQ(error(document()), "node 'worker' (test.work): it has no idea");
  test_work() = [](Exec&, WorkSite&) { throw std::runtime_error("a stone fell"); };
  EXPECT_EQ(error(document()), "node 'worker' (test.work): a stone fell");
}

TEST(Work, IsNotDoneInsideGroups) {
  GraphDoc doc;
  GroupDoc group;
  doc.groups["g"] = group;
  Builder(doc, "g").node("n", "test.number").node("worker", "test.work").link("n.out -> worker.x");
  Builder(doc).group_node("inside", "g");
  Site site(doc, 1, "inside/worker");
  const auto ran = site.run("inside/worker");
  ASSERT_FALSE(static_cast<bool>(ran));
  EXPECT_NE(ran.error().find("inside of a group"), std::string::npos);
  EXPECT_TRUE(nodes_with_work(*site.graph).empty());
}

TEST(Work, TrialsEachOnceAndLanesApart) {
  for (const int threads : {1, 2, 5}) {
    Site site(document(), threads);
    EXPECT_EQ(site.site->lanes(), static_cast<size_t>(threads));
    std::vector<std::atomic<int>> busy(static_cast<size_t>(threads)), times(40);
    std::vector<double> costs(40);
    ASSERT_TRUE(site.site->spread(
        40,
        [&](size_t i, size_t lane) {
          EXPECT_EQ(busy[lane]++, 0);
          ++times[i];
          std::this_thread::yield();
          --busy[lane];
          return double(i) * 2;
        },
        costs));
    for (size_t i = 0; i < 40; ++i) {
      EXPECT_EQ(times[i], 1);
      EXPECT_EQ(costs[i], double(i) * 2);
    }
  }
}

TEST(Work, WhatATrialThrowsIsThrown) {
  Site site(document(), 3);
  std::vector<double> costs(20);
  const auto trial = [](size_t i, size_t) -> double {
    if (i >= 3) throw std::runtime_error("trial " + std::to_string(i));
    return 0;
  };
  try {
    site.site->spread(20, trial, costs);
    FAIL();
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "trial 3");
  }
  const auto cancelled = [](size_t, size_t) -> double { throw Cancelled(); };
  EXPECT_FALSE(site.site->spread(20, cancelled, costs));
  site.stop = true;
  EXPECT_FALSE(site.site->spread(
      20, [](size_t, size_t) { return 0.0; }, costs));
  EXPECT_TRUE(site.site->stopped());
}

TEST(Work, EvaluatesTheGraphWithOtherNumbers) {
  Site site(document());
  const int input = 0;
  const auto number = [&](std::vector<WorkSetting> settings, size_t lane = 0) {
    return site.site->number(settings, input, 0, lane);
  };
  EXPECT_EQ(*number({}), 16);
  EXPECT_EQ(*number({{"number.x", 5}}), 25);
  EXPECT_EQ(*number({{"number.x", 5}, {"offset.x", 0.5}}), 15.5);
  EXPECT_EQ(*number({{"scale.factor", 4}}, 1), 18);
  EXPECT_EQ(*number({}), 16);  // nothing stays set
  EXPECT_FALSE(static_cast<bool>(number({{"nobody.x", 5}})));

  // What does not depend on the parameter runs once a lane.
  run_counts().reset();
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(static_cast<bool>(number({{"offset.x", 100 + i}})));
  EXPECT_EQ(run_counts().of("test.scale"), 0);
  EXPECT_EQ(run_counts().of("test.add"), 10);
}

TEST(Work, SimulationsRunFromTheStart) {
  GraphDoc doc;
  Builder(doc)
      .node("counter", "test.counter", {{"rate", 2}})
      .node("worker", "test.work")
      .link("counter.out -> worker.x");
  Site site(doc);
  const auto at = [&](double rate, int frame) {
    const WorkSetting setting{"counter.rate", rate};
    return *site.site->number({&setting, 1}, 0, frame, 0);
  };
  for (const double rate : {1.0, 3.0}) {
    set_param(doc, "counter", "rate", rate);
    for (const int frame : {0, 20, 7})
      EXPECT_EQ(at(rate, frame), Runner().number(doc, "counter.out", frame)) << frame;
  }
}

TEST(Numbers, AreFoundByName) {
  GraphDoc doc = document();
  Builder(doc)
      .node("moving", "test.number", {{"x", Json::parse(R"({"steps": [[0, 1], [5, 2]]})")}})
      .node("word", "test.text");
  const GraphPtr graph = CompiledGraph::compile(doc, test_registry());
  const Result<DocumentNumber> factor = find_number(*graph, "scale.factor");
  ASSERT_TRUE(static_cast<bool>(factor)) << factor.error();
  EXPECT_EQ(factor->value, 3);
  EXPECT_EQ(factor->low, 0);
  EXPECT_EQ(factor->high, 10);
  const Result<DocumentNumber> free = find_number(*graph, "number.x");
  ASSERT_TRUE(static_cast<bool>(free));
  EXPECT_TRUE(std::isfinite(free->low) && free->low < 2 && free->high > 2);
  const auto wrong = [&](const char* name) { return find_number(*graph, name).error(); };
  EXPECT_EQ(wrong("scale.x"), "'scale.x': it is linked; vary what is linked to it");
  EXPECT_EQ(wrong("moving.x"), "'moving.x': it changes over time");
  EXPECT_EQ(wrong("scale.speed"), "'scale.speed': node 'scale' (test.scale) has no input 'speed'");
  EXPECT_EQ(wrong("nobody.x"), "'nobody.x': there is no node 'nobody'");
  EXPECT_EQ(wrong("number.x.y"), "'number.x.y': it is one number; leave '.y' out");
  EXPECT_NE(wrong("number").find("NODE.INPUT"), std::string::npos);
  EXPECT_NE(wrong("number..x").find("NODE.INPUT"), std::string::npos);
  EXPECT_NE(wrong("a/b.x").find("inside of a group"), std::string::npos);
  EXPECT_EQ(wrong("worker.text"), "'worker.text': it is a string and not a number");
}

TEST(Numbers, OfGroupsAreThoseOfTheInstance) {
  GraphDoc doc;
  GroupDoc group;
  group.inputs.push_back({"height", "", "float", 1.5, ""});
  group.outputs.push_back({"out", "", "float", nullptr, ""});
  doc.groups["g"] = group;
  Builder(doc, "g")
      .node("in", "group.input")
      .node("n", "test.number")
      .node("end", "group.output")
      .link("in.height -> n.x")
      .link("n.out -> end.out");
  Builder(doc).group_node("one", "g").node("worker", "test.work").link("one.out -> worker.x");
  Site site(doc);
  const Result<DocumentNumber> height = find_number(*site.graph, "one.height");
  ASSERT_TRUE(static_cast<bool>(height)) << height.error();
  EXPECT_EQ(height->value, 1.5);
  const WorkSetting setting{"one.height", 4};
  const Result<double> number = site.site->number({&setting, 1}, 0, 0, 0);
  ASSERT_TRUE(static_cast<bool>(number)) << number.error();
  EXPECT_EQ(*number, 4);
}

TEST(Numbers, FoundOnesAreAppliedAndTakenBack) {
  GraphDoc doc = document();
  const GraphDoc before = doc;
  const Json found = Json::parse(R"({"names": ["number.x", "scale.factor"], "candidates":
      [{"cost": 1, "values": [7, 0.25]}, {"cost": 2, "values": [8, 0.5]}]})");
  const GraphPtr graph = CompiledGraph::compile(doc, test_registry());
  History history(doc);
  Result<Command> command = apply_found(*graph, found, 1);
  ASSERT_TRUE(static_cast<bool>(command)) << command.error();
  ASSERT_TRUE(static_cast<bool>(history.apply(*command)));
  EXPECT_EQ(doc.graph.find("number")->params.at("x"), 8);
  EXPECT_EQ(doc.graph.find("scale")->params.at("factor"), 0.5);
  history.undo();
  EXPECT_EQ(doc, before);
  EXPECT_EQ(apply_found(*graph, found, 2).error(), "there is no candidate 2; the last is 1");
  EXPECT_EQ(apply_found(*graph, Json::object(), 0).error(),
            "nothing has been found yet; search first");
  EXPECT_FALSE(
      static_cast<bool>(apply_found(*graph, Json::parse(R"({"candidates": [{"cost": 1}]})"), 0)));
}

}  // namespace
}  // namespace sinew::testing
