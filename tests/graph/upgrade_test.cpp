// Documents of older versions: the corpus, the chain of upgrades, what is kept as it is.
#include <gtest/gtest.h>

#include "graph/document.h"
#include "graph/node_type.h"
#include "graph/registry.h"
#include "tests/graph/document_samples.h"

namespace sinew {
namespace {

// test.bend: version 2 renamed its sockets, version 3 counts the angle in degrees and lost an
// input; it was test.twirl once. test.fragile has an upgrade that throws on the wrong literal.
Registry registry_with_history() {
  Registry registry;
  NodeType bend;
  bend.id = "test.bend";
  bend.version = 3;
  bend.formerly = {"test.twirl"};
  bend.upgrades.push_back([](UpgradeStep& step) {
    step.rename_input("shape", "mesh");
    step.rename_input("amount", "angle");
    step.rename_output("result", "mesh");
  });
  bend.upgrades.push_back([](UpgradeStep& step) {
    const auto angle = step.params().find("angle");
    if (angle != step.params().end() && angle->second.is_number()) {
      angle->second = angle->second.get<double>() * 180;  // was in half turns
    }
    step.remove_input("quality");
  });
  registry.add(bend);

  NodeType fragile;
  fragile.id = "test.fragile";
  fragile.version = 2;
  fragile.upgrades.push_back([](UpgradeStep& step) {
    step.rename_input("a", "b");
    step.remove_input("c");
    step.params()["b"] = step.params().at("b").get<double>() + 1;
  });
  registry.add(fragile);

  NodeType plain;
  plain.id = "test.plain";
  registry.add(plain);
  return registry;
}

std::string corpus(const std::string& name) {
  return testing::read_text(SINEW_SOURCE_DIR "/tests/graph/corpus/" + name);
}

GraphDoc load(const std::string& text, std::vector<NodeMessage>* notes = nullptr) {
  static const Registry registry = registry_with_history();
  Result<GraphDoc> doc = parse_document(text, registry, notes);
  if (!doc) throw std::runtime_error(doc.error());
  return std::move(*doc);
}

TEST(Upgrade, EveryOldDocumentOfTheCorpusBecomesTheCurrentOne) {
  const std::string current = corpus("bend_version3.json");
  for (const char* old : {"bend_version1.json", "bend_version2.json", "bend_formerly.json"}) {
    std::vector<NodeMessage> notes;
    EXPECT_EQ(write_document(load(corpus(old), &notes)), current) << old;
    EXPECT_TRUE(notes.empty()) << old;
  }
  EXPECT_EQ(write_document(load(current)), current);
}

TEST(Upgrade, OldDocumentsStayReadableWithoutTheirNodes) {
  const Registry nothing;
  for (const char* name : {"bend_version1.json", "bend_version2.json", "bend_formerly.json"}) {
    const std::string text = corpus(name);
    const Result<GraphDoc> doc = parse_document(text, nothing);
    ASSERT_TRUE(doc) << doc.error();
    EXPECT_EQ(write_document(*doc), text) << name;
  }
}

TEST(Upgrade, ANodeOfANewerVersionIsKeptWithANote) {
  const std::string text = R"({
  "sinew": 1,
  "nodes": [
    {"id": "a", "type": "test.bend", "version": 9, "params": {"future": [1.0, 2]}, "flag": true}
  ]
}
)";
  std::vector<NodeMessage> notes;
  EXPECT_EQ(write_document(load(text, &notes)), text);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].path, "a");
  EXPECT_EQ(notes[0].type, "test.bend");
  EXPECT_EQ(notes[0].message.severity, Severity::warning);
  EXPECT_EQ(notes[0].message.text,
            "saved by a newer Sinew (version 9 of the node, this one has 3); it is kept as it is");
}

TEST(Upgrade, AnUpgradeThatFailsLeavesTheNodeAndItsLinksAsTheyWere) {
  const std::string text = R"({
  "sinew": 1,
  "nodes": [
    {"id": "p", "type": "test.plain"},
    {"id": "good", "type": "test.fragile", "params": {"a": 1}},
    {"id": "bad", "type": "test.fragile", "params": {"a": "one"}}
  ],
  "links": [
    "p.x -> good.c",
    "p.x -> bad.c",
    "p.x -> bad.a"
  ]
}
)";
  std::vector<NodeMessage> notes;
  const GraphDoc doc = load(text, &notes);
  EXPECT_EQ(doc.graph.find("good")->version, 2);
  EXPECT_EQ(doc.graph.find("good")->params.at("b"), 2.0);
  EXPECT_EQ(doc.graph.find("bad")->version, 1);
  EXPECT_EQ(doc.graph.find("bad")->params, (std::map<std::string, Json>{{"a", "one"}}));
  EXPECT_EQ(doc.graph.links,
            (std::vector<LinkDoc>{{{"p", "x"}, {"bad", "c"}}, {{"p", "x"}, {"bad", "a"}}}));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].path, "bad");
  EXPECT_EQ(notes[0].message.severity, Severity::error);
}

TEST(Upgrade, NotesInsideOfGroupsNameTheGroup) {
  std::vector<NodeMessage> notes;
  load(R"({"sinew": 1, "groups": {"bell": {"nodes": [
    {"id": "a", "type": "test.bend", "version": 4}]}}})",
       &notes);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].path, "bell/a");
}

TEST(Upgrade, StepsWorkWithAndWithoutAnIndexOfTheLinks) {
  GraphDoc doc = load(R"({"sinew": 1,
    "nodes": [{"id": "a", "type": "x", "params": {"old": 1, "new": 2, "gone": 3}}],
    "links": ["p.out -> a.old", "a.old -> q.old", "p.out -> a.gone", "p.out -> b.old"]})");
  UpgradeStep step(doc.graph.nodes[0], doc.graph);
  step.rename_input("old", "new");
  step.rename_output("old", "fresh");
  step.remove_input("gone");
  EXPECT_EQ(doc.graph.nodes[0].params, (std::map<std::string, Json>{{"new", 1}}));
  EXPECT_EQ(doc.graph.links, (std::vector<LinkDoc>{{{"p", "out"}, {"a", "new"}},
                                                   {{"a", "fresh"}, {"q", "old"}},
                                                   {{"p", "out"}, {"b", "old"}}}));
}

// With a look at every link for every node this would be 10^10 steps.
TEST(Upgrade, ManyOldNodesWithManyLinksAreUpgradedInLinearTime) {
  GraphDoc doc;
  for (int i = 0; i < 100000; ++i) {
    NodeDoc node;
    node.id = fmt::format("n{}", i);
    node.type = "test.twirl";
    node.params["amount"] = 0.5;
    doc.graph.nodes.push_back(node);
    if (i > 0) {
      doc.graph.links.push_back({{fmt::format("n{}", i - 1), "result"}, {node.id, "shape"}});
    }
  }
  const GraphDoc upgraded = load(write_document(doc));
  EXPECT_EQ(upgraded.graph.nodes.back().type, "test.bend");
  EXPECT_EQ(upgraded.graph.nodes.back().params.at("angle"), 90.0);
  EXPECT_EQ(upgraded.graph.links.back(), (LinkDoc{{"n99998", "mesh"}, {"n99999", "mesh"}}));
}

}  // namespace
}  // namespace sinew
