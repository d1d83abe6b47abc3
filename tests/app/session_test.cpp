// The document under the editor: changes, undo, files, groups, what is chosen.
#include "app/editor/session.h"

#include <gtest/gtest.h>

#include "app/cli/program.h"
#include "tests/app/run_program.h"

namespace sinew {
namespace {

using editor::Session;
using testing::TemporaryFolder;

const char* document = R"({
  "sinew": 1,
  "nodes": [
    {"id": "box", "type": "mesh.box"},
    {"id": "move", "type": "mesh.transform"},
    {"id": "low", "type": "group", "group": "pair"},
    {"id": "show", "type": "view"}
  ],
  "links": ["box.mesh -> move.mesh", "move.mesh -> low.mesh", "low.mesh -> show.value"],
  "groups": {
    "pair": {
      "inputs": [{"id": "mesh", "type": "mesh"}],
      "outputs": [{"id": "mesh", "type": "mesh"}],
      "nodes": [
        {"id": "given", "type": "group.input"},
        {"id": "turn", "type": "mesh.transform"},
        {"id": "result", "type": "group.output"}
      ],
      "links": ["given.mesh -> turn.mesh", "turn.mesh -> result.mesh"]
    }
  }
})";

class SessionTest : public ::testing::Test {
 protected:
  SessionTest() {
    Result<GraphDoc> doc = parse_document(document, cli::registry());
    session_.adopt(std::move(*doc), {}, false);
  }
  Session session_{cli::registry()};
};

TEST_F(SessionTest, ADragIsOneStepAndUndoingItIsAsIfNothingHadHappened) {
  const std::string before = write_document(session_.doc());
  for (int i = 1; i <= 10; ++i)
    ASSERT_TRUE(session_.set_param("move", "size", Json(1 + 0.1 * i), "drag 1"));
  session_.seal();
  EXPECT_EQ(session_.history().position(), 1u);
  EXPECT_TRUE(session_.modified());
  session_.undo();
  EXPECT_FALSE(session_.modified());
  EXPECT_EQ(write_document(session_.doc()), before);
  session_.redo();
  EXPECT_TRUE(session_.modified());
  EXPECT_EQ(*session_.param("move", "size"), Json(2.0));
}

TEST_F(SessionTest, SavedIsWhereItWasSavedWhereverTheHistoryGoes) {
  const TemporaryFolder folder;
  ASSERT_TRUE(session_.set_param("move", "size", Json(2)));
  ASSERT_TRUE(session_.save_as(folder / "a.json"));
  EXPECT_FALSE(session_.modified());
  ASSERT_TRUE(session_.set_param("move", "size", Json(3)));
  EXPECT_TRUE(session_.modified());
  session_.undo();
  EXPECT_FALSE(session_.modified());
  session_.undo();
  EXPECT_TRUE(session_.modified());
  // Another future: what was saved cannot be reached any more.
  ASSERT_TRUE(session_.set_param("move", "size", Json(4)));
  EXPECT_TRUE(session_.modified());
  session_.undo();
  EXPECT_TRUE(session_.modified());
  Session other(cli::registry());
  ASSERT_TRUE(other.open(folder / "a.json"));
  EXPECT_EQ(*other.param("move", "size"), Json(2));
  EXPECT_FALSE(other.modified());
}

TEST_F(SessionTest, ASaveEndsADrag) {
  const TemporaryFolder folder;
  ASSERT_TRUE(session_.set_param("move", "size", Json(2), "drag 1"));
  ASSERT_TRUE(session_.save_as(folder / "a.json"));
  ASSERT_TRUE(session_.set_param("move", "size", Json(3), "drag 1"));
  EXPECT_TRUE(session_.modified());
  session_.undo();
  EXPECT_FALSE(session_.modified());
}

TEST_F(SessionTest, WhatIsRefusedChangesNothingAndSaysWhy) {
  const std::string before = write_document(session_.doc());
  const uint64_t revision = session_.revision();
  EXPECT_FALSE(
      session_.apply(add_link(session_.doc(), "", {{"move", "mesh"}, {"move", "mesh"}}, false)));
  EXPECT_FALSE(session_.take_refusal().empty());
  EXPECT_TRUE(session_.take_refusal().empty());
  EXPECT_EQ(write_document(session_.doc()), before);
  EXPECT_EQ(session_.revision(), revision);
}

TEST_F(SessionTest, OnlyWhatMattersIsCompiledAnew) {
  const GraphPtr graph = session_.graph();
  const uint64_t revision = session_.graph_revision();
  ASSERT_TRUE(session_.apply({"Move", {edit::SetNodeLayout{"", "box", Json{{"at", {1, 2}}}}}, ""}));
  EXPECT_EQ(session_.graph(), graph);
  EXPECT_EQ(session_.graph_revision(), revision);
  ASSERT_TRUE(session_.set_param("move", "size", Json(2)));
  EXPECT_NE(session_.graph(), graph);
  EXPECT_GT(session_.graph_revision(), revision);
  // The node that did not change is the same one.
  EXPECT_EQ(&session_.graph()->node(session_.graph()->find_node("box")),
            &graph->node(graph->find_node("box")));
}

TEST_F(SessionTest, AStepCanCarryWhatIsNotInTheDocument) {
  int undone = 0, redone = 0;
  ASSERT_TRUE(session_.set_param("move", "size", Json(2)));
  session_.on_undo([&] { ++undone; }, [&] { ++redone; });
  ASSERT_TRUE(session_.set_param("move", "size", Json(3)));
  session_.undo();
  EXPECT_EQ(undone, 0);
  session_.undo();
  EXPECT_EQ(undone, 1);
  session_.redo();
  EXPECT_EQ(redone, 1);
  // Another step in its place has nothing to do with it.
  session_.undo();
  ASSERT_TRUE(session_.set_param("move", "size", Json(5)));
  session_.undo();
  EXPECT_EQ(undone, 2);
}

TEST_F(SessionTest, GroupsAreEnteredAndLeft) {
  EXPECT_FALSE(session_.enter("box"));
  ASSERT_TRUE(session_.enter("low"));
  EXPECT_EQ(session_.graph_name(), "pair");
  EXPECT_EQ(session_.path_of("turn"), "low/turn");
  ASSERT_NE(session_.body().find("turn"), nullptr);
  EXPECT_EQ(session_.outputs_of(*session_.body().find("given")).size(), 1u);
  EXPECT_EQ(session_.inputs_of(*session_.body().find("result")).size(), 1u);
  session_.leave();
  EXPECT_EQ(session_.graph_name(), "");
  EXPECT_TRUE(session_.is_selected("low"));
  const NodeDoc& instance = *session_.body().find("low");
  ASSERT_EQ(session_.inputs_of(instance).size(), 1u);
  EXPECT_EQ(session_.inputs_of(instance)[0].name, "mesh");
  ASSERT_EQ(session_.outputs_of(instance).size(), 1u);
  ASSERT_TRUE(session_.go_to_node("low/turn"));
  EXPECT_EQ(session_.place(), std::vector<std::string>{"low"});
  ASSERT_NE(session_.active(), nullptr);
  EXPECT_EQ(session_.active()->id, "turn");
}

TEST_F(SessionTest, AGroupThatGoesLeavesOneOutside) {
  session_.leave();
  ASSERT_TRUE(session_.apply(remove_nodes(session_.doc(), "", {"low"})));
  session_.undo();
  ASSERT_TRUE(session_.enter("low"));
  session_.redo();
  EXPECT_TRUE(session_.place().empty());
  EXPECT_EQ(session_.graph_name(), "");
}

TEST_F(SessionTest, WhatIsChosenIsThere) {
  session_.select({"box", "move"});
  EXPECT_EQ(session_.selection().size(), 2u);
  ASSERT_TRUE(session_.apply(remove_nodes(session_.doc(), "", {"box"})));
  EXPECT_EQ(session_.selection(), std::set<std::string>{"move"});
  EXPECT_EQ(session_.active()->id, "move");
  session_.toggle_selected("move");
  EXPECT_EQ(session_.active(), nullptr);
}

}  // namespace
}  // namespace sinew
