// Work of nodes in the editor: what is found while a person goes on, and what becomes of it.
#include <chrono>
#include <thread>

#include "tests/app/editor_fixture.h"
#include "tests/app/work_nodes.h"

namespace sinew {
namespace {

constexpr const char* graph = R"({
  "sinew": 1, "nodes": [
    {"id": "ball", "type": "mesh.sphere"},
    {"id": "seek", "type": "test.seeker", "label": "Hop"},
    {"id": "other", "type": "test.seeker"}],
  "links": ["ball.mesh -> seek.mesh", "ball.mesh -> other.mesh"]})";

class WorkTest : public testing::EditorTest {
 protected:
  WorkTest() : EditorTest(1440, 900, &testing::work_registry()) {
    testing::rounds_allowed() = 0;
    open(graph);
    choose("seek");
  }
  ~WorkTest() override { testing::rounds_allowed() = 1000; }
  void choose(const std::string& node) {
    editor().session.select_only(node);
    settle();
  }
  Json found() const {
    const Json* given = editor().session.param("seek", "found");
    return given ? *given : Json::object();
  }
  std::size_t candidates() const { return found().value("candidates", Json::array()).size(); }
  std::size_t steps() const { return editor().session.history().position(); }
  // Frames until it is so; false if it never is.
  bool becomes(const std::function<bool()>& so) {
    for (int i = 0; i < 2000; ++i) {
      frame();
      if (so()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return false;
  }
  void allow(int rounds) {
    testing::rounds_allowed() = rounds;
    ASSERT_TRUE(becomes([&] { return candidates() == static_cast<std::size_t>(rounds); }));
  }
  bool was_told(const std::string& text) const {
    for (const auto& notice : editor().notices())
      if (notice.text.find(text) != std::string::npos) return true;
    return false;
  }
};

TEST_F(WorkTest, WhatIsFoundIsSeenAtOnceAndIsOneStep) {
  const std::string before = text();
  click("inspector.work");
  ASSERT_TRUE(editor().works.runs_at("seek"));
  frames(2);
  EXPECT_TRUE(sees("inspector.work_stop"));
  EXPECT_TRUE(sees("status.work"));
  EXPECT_EQ(steps(), 0u);
  allow(1);
  EXPECT_EQ(steps(), 1u);
  allow(2);
  EXPECT_EQ(steps(), 1u);
  EXPECT_EQ(found()["candidates"][0]["cost"], Json(0.25));
  testing::rounds_allowed() = 100;
  ASSERT_TRUE(becomes([&] { return !editor().works.busy(); }));
  EXPECT_EQ(steps(), 1u);
  EXPECT_EQ(candidates(), 4u);
  EXPECT_FALSE(found().contains("log"));
  EXPECT_TRUE(was_told("Hop: done"));
  EXPECT_FALSE(sees("inspector.work_anew"));
  const std::string after = text();
  key("Ctrl+Z");
  EXPECT_EQ(text(), before);
  key("Ctrl+Y");
  EXPECT_EQ(text(), after);
}

TEST_F(WorkTest, APersonGoesOnMeanwhile) {
  click("inspector.work");
  allow(1);
  // Something else, and something that it began with.
  EXPECT_TRUE(editor().session.set_param("other", "goal", 2.0));
  frames(3);
  EXPECT_FALSE(was_told("goes on with what it began with"));
  EXPECT_TRUE(editor().session.set_param("ball", "radius", 2.0));
  frames(3);
  EXPECT_TRUE(was_told("goes on with what it began with"));
  ASSERT_EQ(steps(), 3u);
  allow(3);
  EXPECT_EQ(steps(), 3u);
  // The steps above it are undone by themselves.
  key("Ctrl+Z");
  EXPECT_EQ(candidates(), 3u);
  EXPECT_TRUE(editor().works.busy());
  key("Ctrl+Z");
  EXPECT_EQ(editor().session.param("other", "goal"), nullptr);
  EXPECT_TRUE(editor().works.busy());
  // And with its own step it ends.
  key("Ctrl+Z");
  EXPECT_EQ(candidates(), 0u);
  EXPECT_FALSE(editor().works.busy());
  EXPECT_TRUE(was_told("undone"));
  testing::rounds_allowed() = 100;
  frames(20);
  EXPECT_EQ(candidates(), 0u);
}

TEST_F(WorkTest, AStoppedSearchGoesOnOrStartsAnew) {
  click("inspector.work");
  allow(2);
  click("inspector.work_stop");
  ASSERT_TRUE(becomes([&] { return !editor().works.busy(); }));
  EXPECT_EQ(found()["log"].size(), 2u);
  EXPECT_EQ(steps(), 1u);
  frames(2);
  ASSERT_TRUE(sees("inspector.work_anew"));
  click("inspector.work");
  allow(3);
  EXPECT_EQ(steps(), 2u) << "a run of its own";
  EXPECT_EQ(found()["trials"], Json(3));
  editor().works.stop();
  ASSERT_TRUE(becomes([&] { return !editor().works.busy(); }));
  frames(2);
  testing::rounds_allowed() = 1;
  click("inspector.work_anew");
  ASSERT_TRUE(becomes([&] { return candidates() == 1; }));
  EXPECT_EQ(steps(), 3u);
}

TEST_F(WorkTest, ErrorsStandAtTheNode) {
  EXPECT_TRUE(editor().session.set_param("seek", "goal", -1.0));
  settle();
  click("inspector.work");
  ASSERT_TRUE(becomes([&] { return !editor().works.busy(); }));
  const auto said = editor().player.messages_of("seek");
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0].text, "the goal is below 0");
  EXPECT_EQ(steps(), 1u);
  EXPECT_TRUE(editor().session.set_param("seek", "goal", 1.0));
  settle();
  click("inspector.work");
  EXPECT_TRUE(editor().player.messages_of("seek").empty());
}

TEST_F(WorkTest, WhatArrivesTooLateIsDropped) {
  click("inspector.work");
  allow(1);
  EXPECT_TRUE(editor().session.apply(remove_nodes(doc(), "", {"seek"})));
  frames(3);
  EXPECT_FALSE(editor().works.busy());
  EXPECT_TRUE(was_told("the node is gone"));
  testing::rounds_allowed() = 100;
  frames(20);
  const std::size_t at = steps();
  key("Ctrl+Z");
  EXPECT_EQ(steps(), at - 1);
  EXPECT_EQ(candidates(), 1u);
  // Another document.
  testing::rounds_allowed() = 0;
  choose("seek");
  click("inspector.work_anew");
  EXPECT_TRUE(editor().works.busy());
  open(graph);
  EXPECT_FALSE(editor().works.busy());
  testing::rounds_allowed() = 100;
  frames(20);
  EXPECT_EQ(candidates(), 0u);
  EXPECT_EQ(steps(), 0u);
}

TEST_F(WorkTest, OneAtATimeAndTheEndOfTheProgramEndsIt) {
  click("inspector.work");
  choose("other");
  EXPECT_FALSE(editor().works.why_not(*editor().session.active()).empty());
  EXPECT_FALSE(editor().works.start("other", false));
  click("status.work");
  frames(2);
  EXPECT_EQ(editor().session.active()->id, "seek");
  end();
}

TEST_F(WorkTest, AScriptWaitsForIt) {
  testing::rounds_allowed() = 100;
  const Result<void> ok = play(R"(
    click node.seek
    click inspector.work
    settle work
    expect param seek.found/trials == 4
    expect history 1
    expect message "Hop: done"
    expect not sees inspector.work_stop
    )");
  EXPECT_TRUE(ok) << ok.error();
}

}  // namespace
}  // namespace sinew
