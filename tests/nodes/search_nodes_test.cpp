// Search Numbers: it finds what makes a number of a graph small, and goes on where it was stopped.
#include <cmath>

#include "graph/local_site.h"
#include "graph/numbers.h"
#include "graph/work_run.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

// cost = (a - 3)^2 + (b + 1)^2, a and b being numbers that are set.
TestGraph bowl() {
  TestGraph g;
  g.node("a", "value.float", {{"value", 0}});
  g.node("b", "value.split", {{"vector", {0.25, 0.5, 0.75}}});
  g.node("da", "value.math", {{"operation", "subtract"}, {"b", 3}}).link("a.value", "da.a");
  g.node("db", "value.math", {{"operation", "subtract"}, {"b", -1}}).link("b.y", "db.a");
  g.node("sa", "value.math", {{"operation", "multiply"}});
  g.link("da.value", "sa.a").link("da.value", "sa.b");
  g.node("sb", "value.math", {{"operation", "multiply"}});
  g.link("db.value", "sb.a").link("db.value", "sb.b");
  g.node("sum", "value.math").link("sa.value", "sum.a").link("sb.value", "sum.b");
  g.node("search", "search.numbers",
         {{"vary", "a.value -5 to 5\n# a remark\n\nb.vector.y -2 to 2\n"},
          {"frame", 0},
          {"trials", 80}});
  g.link("sum.value", "search.cost");
  return g;
}

struct Searched {
  std::string error;
  std::vector<Message> messages;
  std::vector<Found> published;
  const Found& last() const { return published.back(); }
};

// `stop_after`: so many trials are tried, then it is stopped.
Searched search(const TestGraph& g, int threads = 2, int stop_after = -1) {
  Searched result;
  const GraphPtr graph = CompiledGraph::compile(g.doc, all_nodes());
  std::atomic<bool> stop{false};
  LocalSiteOptions options;
  options.threads = threads;
  options.stop = &stop;
  options.publish = [&](Value v) { result.published.push_back(v.as<Found>()); };
  class Counting : public LocalSite {
   public:
    using LocalSite::LocalSite;
    Result<double> number(std::span<const WorkSetting> settings, int input, int frame,
                          std::size_t lane) override {
      if (left >= 0 && --left < 0) *flag = true;
      return LocalSite::number(settings, input, frame, lane);
    }
    std::atomic<int> left{-1};
    std::atomic<bool>* flag = nullptr;
  };
  Counting site(g.doc, graph, "search", Context(), options);
  site.left = stop_after;
  site.flag = &stop;
  Evaluator evaluator;
  const auto ran = run_work(evaluator, *graph, "search", Context(), site, &stop);
  if (ran) {
    result.messages = *ran;
  } else {
    result.error = ran.error();
  }
  return result;
}

TEST(SearchNumbers, FindsTheBottom) {
  for (const char* method : {"anneal", "population"}) {
    TestGraph g = bowl();
    g.set("search.method", method).set("search.trials", 300);
    const Searched found = search(g);
    ASSERT_EQ(found.error, "");
    ASSERT_FALSE(found.published.empty());
    EXPECT_EQ(found.last().names, (std::vector<std::string>{"a.value", "b.vector.y"}));
    EXPECT_EQ(found.last().trials, 301u);
    EXPECT_NEAR(found.last().start_cost, 9 + 2.25, 1e-5);
    EXPECT_TRUE(found.last().log.empty());
    const FoundCandidate& best = found.last().candidates[0];
    EXPECT_LT(best.cost, 0.1) << method;
    EXPECT_NEAR(best.values[0], 3, 0.4) << method;
    EXPECT_NEAR(best.values[1], -1, 0.4) << method;
    // What was published on the way became better and better.
    for (size_t i = 1; i < found.published.size(); ++i)
      EXPECT_LE(found.published[i].candidates[0].cost, found.published[i - 1].candidates[0].cost);
  }
}

TEST(SearchNumbers, FoundCostIsWhatTheParametersGive) {
  TestGraph g = bowl();
  const Searched found = search(g);
  ASSERT_EQ(found.error, "");
  const Json json = Value::of(found.last()).to_json();
  const GraphPtr graph = CompiledGraph::compile(g.doc, all_nodes());
  History history(g.doc);
  ASSERT_TRUE(static_cast<bool>(history.apply(*apply_found(*graph, json, 0))));
  g.set("search.found", json);
  EXPECT_EQ(g.get<float>("search.cost"), static_cast<float>(found.last().candidates[0].cost));
  EXPECT_EQ(g.get<float>("search.cost_found"), g.get<float>("search.cost"));
  EXPECT_EQ(g.get<Found>("search.found"), found.last());
  // The other numbers of the vector stay.
  const Json& vector = g.doc.graph.find("b")->params.at("vector");
  EXPECT_EQ(vector, Json::array({0.25, found.last().candidates[0].values[1], 0.75}));
}

TEST(SearchNumbers, Maximises) {
  TestGraph g = bowl();
  g.set("search.maximise", true);
  const Searched found = search(g);
  ASSERT_EQ(found.error, "");
  EXPECT_LT(found.last().candidates[0].cost, -40);  // at a = -5 it is 64
  g.set("search.found", Value::of(found.last()).to_json());
  EXPECT_EQ(g.get<float>("search.cost_found"),
            static_cast<float>(-found.last().candidates[0].cost));
}

TEST(SearchNumbers, ThreadsChangeNothing) {
  TestGraph g = bowl();
  g.set("search.restarts", 2);
  const Searched one = search(g, 1);
  EXPECT_EQ(search(g, 2).last(), one.last());
  EXPECT_EQ(search(g, 7).last(), one.last());
}

TEST(SearchNumbers, GoesOnWhereItWasStopped) {
  TestGraph g = bowl();
  const Found whole = search(g).last();
  for (const int after : {1, 5, 40}) {
    const Searched stopped = search(g, 2, after);
    EXPECT_EQ(stopped.error, "");
    TestGraph rest = bowl();
    if (stopped.published.empty()) continue;
    EXPECT_FALSE(stopped.last().settings.empty());
    EXPECT_FALSE(stopped.last().log.empty());
    rest.set("search.found", Value::of(stopped.last()).to_json());
    const Searched resumed = search(rest);
    EXPECT_EQ(resumed.last(), whole);
    EXPECT_TRUE(resumed.messages.empty());
    // Another graph: the log is of no use.
    rest.set("da.b", 2);
    const Searched changed = search(rest);
    ASSERT_EQ(changed.messages.size(), 1u);
    EXPECT_NE(changed.messages[0].text.find("the graph has changed"), std::string::npos);
    rest.set("da.b", 3).set("search.seed", 9);
    const Searched other = search(rest);
    ASSERT_EQ(other.messages.size(), 1u);
    EXPECT_NE(other.messages[0].text.find("other settings"), std::string::npos);
  }
}

TEST(SearchNumbers, ASimulationIsRunUpToTheFrame) {
  TestGraph g;
  g.node("whip", "sim.chain").node("tip", "value.split").link("whip.tip", "tip.vector");
  g.node("search", "search.numbers",
         {{"vary", "whip.damping"}, {"frame", 10}, {"trials", 4}, {"maximise", true}});
  g.link("tip.y", "search.cost");
  const Searched found = search(g);
  ASSERT_EQ(found.error, "");
  const FoundCandidate& best = found.last().candidates[0];
  g.set("whip.damping", best.values[0]);
  EXPECT_EQ(g.get<float>("tip.y", 10), static_cast<float>(-best.cost));
}

TEST(SearchNumbers, SaysWhatIsWrong) {
  const auto error = [](const std::string& vary) {
    TestGraph g = bowl();
    g.set("search.vary", vary);
    return search(g).error;
  };
  const std::string node = "node 'search' (search.numbers): ";
  EXPECT_EQ(error(""),
            node + "'vary' is empty; write a parameter on each line, such as worm.speed 0.1 to 5");
  EXPECT_EQ(error("c.value"), node + "'vary', line 1: 'c.value': there is no node 'c'");
  EXPECT_EQ(error("a.value\na.value"), node + "'vary', line 2: 'a.value' is there twice");
  EXPECT_EQ(error("a.value 1 5"),
            node + "'vary', line 1: after the name stands a range, such as 0.1 to 5");
  EXPECT_EQ(
      error("a.value 5 to 1"),
      node +
          "'vary', line 1: a range goes from the smaller number to the larger, such as 0.1 to 5");
  EXPECT_EQ(error("da.a 0 to 1"),
            node + "'vary', line 1: 'da.a': it is linked; vary what is linked to it");
  EXPECT_EQ(error("da.operation"),
            node + "'vary', line 1: 'da.operation': it is a choice and not a number");
}

TEST(SearchNumbers, PicksBeyondTheLastAreTheLast) {
  TestGraph g = bowl();
  g.set("search.found", Json::parse(R"({"names": ["a.value"], "candidates":
      [{"cost": 1, "values": [2]}, {"cost": 4, "values": [3]}]})"));
  EXPECT_EQ(g.get<float>("search.cost_found"), 1);
  g.set("search.pick", 1);
  EXPECT_EQ(g.get<float>("search.cost_found"), 4);
  g.set("search.pick", 5);
  const Outcome outcome = g.run("search.cost_found");
  EXPECT_EQ(outcome.as<float>(), 4);
  EXPECT_NE(outcome.warnings.find("'pick' is 5"), std::string::npos);
}

TEST(FoundLiterals, AreReadAndWritten) {
  const TypeInfo& type = type_of<Found>();
  const Json full = Json::parse(R"({"names": ["a.x"], "candidates":
      [{"cost": 1.5, "trial": 7, "values": [2]}], "trials": 9, "start": 3, "log": [3, 1.5],
      "settings": "anneal"})");
  const Result<Value> value = type.from_json(full);
  ASSERT_TRUE(static_cast<bool>(value)) << value.error();
  EXPECT_EQ(value->to_json(), full);
  EXPECT_EQ(type.from_json(Json::object())->to_json(), Json::object());
  EXPECT_EQ(type.tables(value->data())[0].columns,
            (std::vector<std::string>{"cost", "trial", "a.x"}));
}

TEST(FoundLiterals, OfTheWrongFormAreOneClearMessage) {
  const std::map<std::string, std::string> wrong = {
      {"[]", "what a search has found is"},
      {R"({"names": "a"})", "'names' is not a list of names"},
      {R"({"names": [1]})", "'names' is not a list of names"},
      {R"({"candidates": 3})", "'candidates' is not a list"},
      {R"({"candidates": [3]})", "candidate 1: it is not"},
      {R"({"candidates": [{"cost": "x"}]})", "candidate 1: its cost is not a number"},
      {R"({"candidates": [{"trial": -1}]})", "candidate 1: its trial is not a whole number"},
      {R"({"candidates": [{"values": [null]}]})", "candidate 1: its values are not a list"},
      {R"({"candidates": [{"prize": 1}]})", "candidate 1: it has no 'prize'"},
      {R"({"candidates": [{"values": [1]}]})", "candidate 1: it has 1 values"},
      {R"({"candidates": [{"cost": 2}, {"cost": 1}]})", "candidate 2: it is better"},
      {R"({"trials": 1.5})", "'trials' is not a whole number"},
      {R"({"start": []})", "'start' is not a number"},
      {R"({"log": [[]]})", "'log' is not a list of numbers"},
      {R"({"settings": 1})", "'settings' is not a text"},
      {R"({"gait": 1})", "it has no 'gait'"},
  };
  for (const auto& [text, message] : wrong) {
    const Result<Value> value = type_of<Found>().from_json(Json::parse(text));
    ASSERT_FALSE(static_cast<bool>(value)) << text;
    EXPECT_TRUE(value.error().starts_with(message)) << text << ": " << value.error();
    EXPECT_EQ(value.error().find('\n'), std::string::npos);
  }
}

TEST(SplitAndSummary, AreWhatTheySay) {
  TestGraph g;
  g.node("v", "value.split", {{"vector", {2, 3, 6}}});
  EXPECT_EQ(g.get<float>("v.x"), 2);
  EXPECT_EQ(g.get<float>("v.y"), 3);
  EXPECT_EQ(g.get<float>("v.z"), 6);
  EXPECT_EQ(g.get<float>("v.length"), 7);
  g.node("ball", "mesh.sphere", {{"detail", 12}}).node("axis", "field.axis");
  g.node("s", "field.summary").link("ball.mesh", "axis.mesh").link("axis.field", "s.field");
  const Field field = g.get<Field>("axis.field");
  double sum = 0, squares = 0;
  for (size_t i = 0; i < field.size(); ++i) sum += field.at(i);
  sum /= double(field.size());
  for (size_t i = 0; i < field.size(); ++i) squares += std::pow(field.at(i) - sum, 2);
  EXPECT_NEAR(g.get<float>("s.mean"), sum, 1e-6);
  EXPECT_NEAR(g.get<float>("s.deviation"), std::sqrt(squares / double(field.size())), 1e-6);
  EXPECT_NEAR(g.get<float>("s.least"), 0, 1e-6);
  EXPECT_NEAR(g.get<float>("s.greatest"), 1, 1e-6);
  TestGraph constant;
  constant.node("s", "field.summary", {{"field", 4}});
  EXPECT_EQ(constant.get<float>("s.mean"), 4);
  EXPECT_EQ(constant.get<float>("s.deviation"), 0);
}

}  // namespace
}  // namespace sinew::testing
