// Where a value was made that other nodes only handed on.
#include "graph/handed_on.h"

#include <gtest/gtest.h>

#include "tests/graph/test_nodes.h"

namespace sinew::testing {
namespace {

std::vector<std::string> makers(const GraphDoc& doc, const std::string& node, int input) {
  const GraphPtr graph = CompiledGraph::compile(doc, test_registry());
  std::vector<std::string> paths;
  for (const Target& target : makers_of(*graph, graph->find_sink(node), input))
    paths.push_back(graph->node(target.node).path);
  return paths;
}

using Paths = std::vector<std::string>;

TEST(HandedOn, ReroutesAndSwitchesAreSeenThrough) {
  GraphDoc doc;
  Builder b(doc);
  b.node("a", "test.number").node("b", "test.number").node("bend", "reroute");
  b.node("pick", "test.pick", {{"index", 1}}).node("end", "test.add").node("add", "test.add");
  b.link("a.out -> pick.a").link("b.out -> bend.in").link("bend.out -> pick.b");
  b.link("pick.out -> end.a").link("add.out -> end.b").link("a.out -> add.a");
  EXPECT_EQ(makers(doc, "end", 0), Paths{"b"});
  EXPECT_EQ(makers(doc, "end", 1), Paths{"add"}) << "what makes something ends the search";
  EXPECT_EQ(makers(doc, "add", 1), Paths{}) << "nothing is linked";
  set_param(doc, "pick", "index", 0);
  EXPECT_EQ(makers(doc, "end", 0), Paths{"a"});
}

TEST(HandedOn, AChoiceThatChangesMayBeAnyOfThem) {
  GraphDoc doc;
  Builder b(doc);
  b.node("a", "test.number").node("b", "test.number").node("end", "test.add");
  b.node("pick", "test.pick", {{"index", Json::parse(R"({"steps": [[0, 0], [5, 1]]})")}});
  b.link("a.out -> pick.a").link("b.out -> pick.b").link("pick.out -> end.a");
  EXPECT_EQ(makers(doc, "end", 0), (Paths{"a", "b"}));
}

}  // namespace
}  // namespace sinew::testing
