// What plays: two clocks, recording, what is at hand, and work that never holds up the interface.
#include <chrono>
#include <fstream>
#include <thread>

#include "graph/atomic_file.h"
#include "graph/pack.h"
#include "tests/app/editor_fixture.h"

namespace sinew {
namespace {

using editor::ClockKind;
using editor::FrameState;
using testing::EditorTest;
namespace fs = std::filesystem;

constexpr const char* growing = R"({"sinew": 1, "settings": {"last_frame": 40}, "nodes": [
  {"id": "ball", "type": "mesh.box"},
  {"id": "grow", "type": "mesh.transform", "params": {"size": {"animate": [[0, 1], [2, 3]]}}},
  {"id": "turn", "type": "mesh.transform"}],
  "links": ["ball.mesh -> grow.mesh", "grow.mesh -> turn.mesh"]})";

class PlayerTest : public EditorTest {
 protected:
  editor::Player& player() { return editor().player; }
  editor::Session& session() { return editor().session; }
  // Frames of the interface, each with its evaluation done before the next.
  void play_frames(int count) {
    for (int i = 0; i < count; ++i) {
      frame();
      player().settle();
    }
  }
  void play_until(int wanted) {
    for (int i = 0; i < 1000 && player().frame() < wanted; ++i) play_frames(1);
    ASSERT_GE(player().frame(), wanted);
  }
  Key shown_key() { return player().shot()->evaluation.targets.at(0).key; }
  FrameState state_of(int n) { return player().frame_states().at(static_cast<std::size_t>(n)); }
  // As a window has it: the evaluation runs beside the frames.
  void wait_while_busy() {
    while (player().busy()) std::this_thread::yield();
  }
};

// ---- The live clock

TEST_F(PlayerTest, LiveGoesOnFromWhereItIs) {
  open_preset("default");
  player().set_clock(ClockKind::live);
  player().play(true);
  play_until(12);
  const int before = player().frame();
  const uint64_t graph = session().graph_revision();
  ASSERT_TRUE(session().set_param("tail", "drag", 3.0));
  EXPECT_GT(session().graph_revision(), graph);
  play_frames(1);
  EXPECT_EQ(player().shot()->graph, session().graph());
  EXPECT_GE(player().shot()->context.frame, before) << "the past is not run again";
  play_until(before + 5);
  EXPECT_EQ(player().shot()->live->frame, player().frame());
  player().restart();
  play_frames(1);
  EXPECT_LE(player().frame(), 2);
}

TEST_F(PlayerTest, ASliderThatMovesAllTheTimeDoesNotStopTheClock) {
  open_preset("default");
  for (const ClockKind clock : {ClockKind::live, ClockKind::timeline}) {
    player().set_clock(clock);
    player().play(true);
    player().settle();
    const int before = player().frame();
    for (int i = 0; i < 60; ++i) {
      ASSERT_TRUE(session().set_param("tail", "drag", 1 + 0.01 * i, "drag"));
      play_frames(1);
    }
    // A second of the interface is 25 frames of the document.
    EXPECT_GE(player().frame(), before + 15);
    player().play(false);
  }
}

TEST_F(PlayerTest, StepsLiveOneByOne) {
  open_preset("default");
  player().set_clock(ClockKind::live);
  settle();
  player().step(1);
  player().step(1);
  player().step(10);
  player().settle();
  EXPECT_EQ(player().frame(), 12);
  EXPECT_EQ(player().shot()->live->frame, 12);
  player().step(-2);
  player().settle();
  EXPECT_EQ(player().frame(), 10);
  EXPECT_EQ(player().shot()->clock, ClockKind::live);
}

TEST_F(PlayerTest, ALiveRunThatNobodyTouchesIsTheTimeline) {
  open_preset("default");
  player().set_clock(ClockKind::live);
  player().step(9);
  player().settle();
  const Key live = shown_key();
  player().set_clock(ClockKind::timeline);
  player().settle();
  EXPECT_EQ(player().frame(), 9);
  EXPECT_EQ(shown_key(), live);
}

TEST_F(PlayerTest, AMomentThatWasKeptComesBack) {
  open_preset("default");
  player().set_clock(ClockKind::live);
  player().step(5);
  player().settle();
  const auto kept = player().shot()->live;
  const Key then = shown_key();
  player().step(5);
  player().settle();
  player().restore(kept);
  player().settle();
  EXPECT_EQ(player().frame(), 5);
  EXPECT_EQ(shown_key(), then);
}

TEST_F(PlayerTest, AnotherDocumentHasNothingOfTheOneBefore) {
  open_preset("default");
  player().set_clock(ClockKind::live);
  player().play(true);
  frames(4);  // a step may be under way
  open(growing);
  EXPECT_EQ(player().clock(), ClockKind::timeline);
  ASSERT_TRUE(player().shot());
  EXPECT_EQ(player().shot()->graph, session().graph());
  EXPECT_EQ(player().frame_states().size(), 41u);
}

// ---- Recording

TEST_F(PlayerTest, ARecordingPlaysBackWithTheSameBits) {
  open_preset("jellyfish_swim");
  const std::size_t steps = session().history().position();
  click("button.record");
  EXPECT_TRUE(player().recording());
  play_until(4);
  ASSERT_TRUE(session().set_param("pulse", "speed", 2.5));
  play_until(8);
  // The name of a choice, a chart, and a number that comes and goes.
  ASSERT_TRUE(session().set_param("pulse", "volume", "as_drawn"));
  ASSERT_TRUE(session().set_param("swim", "damping", 4.0));
  play_until(11);
  ASSERT_TRUE(session().set_param("pulse", "primary", Json::parse("[[0, 1], [0.5, 0.7]]")));
  session().undo();
  session().undo();
  play_until(14);
  player().play(false);
  player().settle();
  const int last = player().frame();
  const Key live = shown_key();
  EXPECT_GE(player().recorded_events(), 5u);
  const std::size_t before = session().history().position();
  click("button.record");
  EXPECT_FALSE(player().recording());
  EXPECT_EQ(session().history().position(), before + 1) << "one step";
  EXPECT_GT(before, steps);
  EXPECT_TRUE(doc().graph.find("pulse")->params.at("speed").contains("animate"));
  EXPECT_TRUE(doc().graph.find("pulse")->params.at("volume").contains("steps"));

  player().set_clock(ClockKind::timeline);
  player().go_to(last);
  player().settle();
  EXPECT_FALSE(player().shot()->evaluation.failed());
  EXPECT_EQ(player().shot()->context.frame, last);
  EXPECT_EQ(shown_key(), live);
}

TEST_F(PlayerTest, RecordingBeginsWhereTheTimelineIs) {
  open_preset("default");
  player().set_clock(ClockKind::live);
  player().step(3);
  player().settle();
  // Done before, and so not in the recording: the clock must begin anew.
  ASSERT_TRUE(session().set_param("tail", "drag", 5.0));
  player().step(3);
  player().settle();
  player().record(true);
  play_until(9);
  ASSERT_TRUE(session().set_param("tail", "drag", 0.2));
  play_until(14);
  player().play(false);
  player().settle();
  const Key live = shown_key();
  const int last = player().frame();
  player().record(false);
  player().set_clock(ClockKind::timeline);
  player().go_to(last);
  player().settle();
  EXPECT_EQ(shown_key(), live);
}

TEST_F(PlayerTest, WhatCannotBeRecordedIsSaid) {
  open_preset("default");
  player().record(true);
  play_until(3);
  ASSERT_TRUE(session().set_param("breathe", "size", 1.1)) << "it was animated";
  (void)session().apply(remove_nodes(doc(), "", {"tail"}));
  const std::vector<std::string> notices = player().take_notices();
  EXPECT_EQ(notices.size(), 2u);
  // Undone and gone again while it records: nothing is left half.
  session().undo();
  ASSERT_TRUE(session().set_param("tail", "drag", 2.0));
  play_frames(3);
  (void)session().apply(remove_nodes(doc(), "", {"tail"}));
  const std::string before = text();
  player().record(false);
  EXPECT_EQ(text(), before) << "there is nothing to write down";
}

TEST_F(PlayerTest, AMomentBroughtBackTakesTheRecordingBack) {
  open_preset("default");
  player().record(true);
  play_until(4);
  const auto kept = player().shot()->live;
  ASSERT_TRUE(session().set_param("tail", "drag", 4.0));
  play_until(9);
  ASSERT_TRUE(session().set_param("tail", "drag", 2.0));
  player().restore(kept);
  play_until(12);
  player().play(false);
  player().settle();
  const Key live = shown_key();
  const int last = player().frame();
  player().record(false);
  player().set_clock(ClockKind::timeline);
  player().go_to(last);
  player().settle();
  EXPECT_EQ(shown_key(), live);
}

// ---- Never waiting, never flooding

TEST_F(PlayerTest, AChangeIsSeenWithinTwoFrames) {
  open_preset("default");
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(session().set_param("displace", "distance", 0.1 + 0.01 * i));
    frame();  // the change is asked for at its end
    wait_while_busy();
    const uint64_t before = player().shot_number();
    frame();  // and what came of it is there when this one is drawn
    EXPECT_EQ(player().shot_number(), before + 1);
    EXPECT_EQ(player().shot()->graph, session().graph());
  }
}

TEST_F(PlayerTest, ScrubbingAsksForOneFrameAtATime) {
  open_preset("jellyfish_swim");
  const uint64_t before = player().shot_number();
  for (int i = 0; i < 60; ++i) {
    player().go_to(i % 30);
    frame();
  }
  player().go_to(17);
  frame();
  settle();
  EXPECT_EQ(player().shot()->context.frame, 17);
  EXPECT_LE(player().shot_number() - before, 64u);
  for (int f = 0; f < 20; ++f) {
    player().go_to(f);
    player().settle();
  }
  // Back again, everything is there.
  for (int f = 19; f >= 0; f -= 5) {
    player().go_to(f);
    player().settle();
    EXPECT_EQ(player().shot()->context.frame, f);
    EXPECT_EQ(player().shot()->evaluation.runs, 0);
  }
}

TEST_F(PlayerTest, SlowWorkShowsProgressAndCanBeCancelled) {
  open(R"({"sinew": 1, "nodes": [
    {"id": "ball", "type": "mesh.sphere", "params": {"detail": 16}},
    {"id": "solid", "type": "tet.from_mesh", "params": {"resolution": 8}}],
    "links": ["ball.mesh -> solid.mesh"]})");
  const auto seen = player().shot();
  ASSERT_TRUE(seen);
  // Many seconds of work, if nobody stopped it.
  ASSERT_TRUE(session().set_param("solid", "resolution", 200));
  const std::string before = text();
  double slowest = 0;
  for (int i = 0; i < 3000 && !sees("status.cancel"); ++i) {
    const auto begin = std::chrono::steady_clock::now();
    frame();
    slowest = std::max(
        slowest, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  ASSERT_TRUE(sees("status.cancel"));
  EXPECT_TRUE(sees("status.progress"));
  EXPECT_LT(slowest, 0.5) << "the interface does not wait";
  click("status.cancel");
  EXPECT_TRUE(player().cancelled());
  for (int i = 0; i < 5000 && player().busy(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_FALSE(player().busy());
  frames(5);
  EXPECT_FALSE(player().busy()) << "nothing is asked for again by itself";
  EXPECT_EQ(player().shot(), seen) << "the last picture stays";
  EXPECT_EQ(text(), before);
  // Any change evaluates again.
  ASSERT_TRUE(session().set_param("solid", "resolution", 6));
  settle();
  EXPECT_EQ(player().shot()->graph, session().graph());
  EXPECT_FALSE(player().cancelled());
}

// ---- What is at hand

TEST_F(PlayerTest, FramesAreValidStaleAndValidAgain) {
  open(growing);
  for (int f = 0; f < 10; ++f) {
    player().go_to(f);
    player().settle();
  }
  EXPECT_EQ(state_of(3), FrameState::valid);
  EXPECT_EQ(state_of(20), FrameState::unknown);
  ASSERT_TRUE(session().set_param("turn", "size", 2.0));
  EXPECT_EQ(state_of(3), FrameState::stale) << "at once";
  settle();
  EXPECT_EQ(state_of(3), FrameState::stale);
  EXPECT_EQ(state_of(9), FrameState::valid) << "it is shown, and so computed";
  session().undo();
  settle();
  EXPECT_EQ(state_of(3), FrameState::valid) << "going back is free";
  // What does not matter to the picture makes nothing stale.
  NodeDoc ball;
  ball.type = "mesh.sphere";
  (void)session().apply(add_node(doc(), "", ball, 0, 0));
  player().show({"turn.mesh"});
  settle();
  EXPECT_EQ(state_of(3), FrameState::valid);
}

TEST_F(PlayerTest, BakesAndFindsItAgain) {
  const fs::path folder =
      fs::temp_directory_path() / ("sinew_player_test_" + std::to_string(::getpid()));
  fs::remove_all(folder);
  fs::create_directories(folder);
  const fs::path file = folder / "grow.json";
  ASSERT_TRUE(write_file_atomically(file, growing));
  ASSERT_TRUE(session().open(file));
  settle();
  editor().settle();
  click("button.bake");
  editor().settle();
  frames(2);
  for (const int f : {0, 17, 40}) EXPECT_EQ(state_of(f), FrameState::baked) << f;
  EXPECT_TRUE(fs::exists(folder / "grow.json.bake"));
  EXPECT_FALSE(session().modified());

  // Opened again, with nothing in memory: it comes from the disk.
  player().evaluator().cache().clear();
  player().evaluator().states().clear();
  ASSERT_TRUE(session().open(file));
  frame();
  editor().settle();
  player().evaluator().cache().clear();
  player().go_to(23);
  settle();
  EXPECT_EQ(state_of(23), FrameState::baked);
  EXPECT_EQ(player().shot()->context.frame, 23);
  EXPECT_EQ(player().shot()->evaluation.runs, 0);

  // It no longer fits: nothing is wrong, it is computed.
  ASSERT_TRUE(session().set_param("turn", "size", 2.0));
  settle();
  EXPECT_NE(state_of(23), FrameState::baked);
  EXPECT_GT(player().shot()->evaluation.runs, 0);
  EXPECT_TRUE(editor().actions.run("timeline.delete_bake"));
  editor().settle();
  EXPECT_FALSE(fs::exists(folder / "grow.json.bake"));
  fs::remove_all(folder);
}

TEST_F(PlayerTest, ABakedBodyHasTheSameBits) {
  open_preset("jellyfish_swim");
  Settings settings = doc().settings;
  settings.last_frame = 8;
  ASSERT_TRUE(session().apply({"", {edit::SetSettings{settings}}, ""}));
  settle();
  editor().settle();
  ASSERT_TRUE(editor().actions.run("timeline.bake"));
  editor().settle();
  frames(2);
  EXPECT_EQ(state_of(8), FrameState::baked);
  const auto values_at = [&](int f) {
    player().go_to(f);
    player().settle();
    std::vector<std::string> bytes;
    for (const TargetResult& t : player().shot()->evaluation.targets) {
      Packer packer;
      t.value.type()->pack(t.value.data(), packer);
      for (const Packer::Shared& part : packer.new_parts()) bytes.push_back(part.content);
      bytes.push_back(packer.content());
    }
    return bytes;
  };
  player().evaluator().cache().clear();
  player().evaluator().states().clear();
  const auto baked = values_at(8);
  EXPECT_EQ(player().shot()->evaluation.steps, 0);
  const auto store = player().bake();
  player().use_bake(nullptr);
  player().evaluator().cache().clear();
  player().go_to(0);
  player().settle();
  const auto computed = values_at(8);
  EXPECT_GT(player().shot()->evaluation.steps, 0);
  EXPECT_EQ(baked, computed);
  player().use_bake(store);
}

TEST_F(PlayerTest, BakingIsCancelledAndKeepsWhatIsDone) {
  open_preset("jellyfish_swim");
  editor().settle();
  ASSERT_TRUE(editor().actions.run("timeline.bake"));
  for (int i = 0; i < 20000 && state_of(1) != FrameState::baked; ++i) {
    frame();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(state_of(1), FrameState::baked);
  ASSERT_TRUE(sees("timeline.baking"));
  // Meanwhile one goes on working.
  ASSERT_TRUE(session().set_param("swim", "stiffness", 3));
  player().settle();
  EXPECT_EQ(player().shot()->graph, session().graph());
  click("button.cancel_bake");
  editor().settle();
  frames(2);
  EXPECT_TRUE(sees("button.bake"));
  EXPECT_NE(state_of(1), FrameState::baked) << "it no longer fits";
  session().undo();
  settle();
  EXPECT_EQ(state_of(1), FrameState::baked);
}

TEST_F(PlayerTest, AnotherDocumentStandsStill) {
  open_preset("default");
  player().play(true);
  play_frames(5);
  editor().new_document();
  EXPECT_FALSE(player().playing());
  EXPECT_FALSE(player().shot());
  EXPECT_FALSE(player().scene());
  play_frames(5);
  EXPECT_FALSE(player().playing());
  // A preset that is opened to be played plays.
  editor().open_preset(editor().options.presets / "default.json", true);
  play_frames(2);
  EXPECT_TRUE(player().playing());
}

TEST_F(PlayerTest, FiguresCountStepsAndNoLooks) {
  open_preset("default");
  player().set_clock(ClockKind::live);
  player().play(true);
  for (int i = 0; i < 240; ++i) {
    ASSERT_TRUE(session().set_param("tail", "drag", 1 + 0.01 * i, "drag"));
    play_frames(1);
  }
  // Sixty frames of the interface, of which each changes something, are 25 steps.
  EXPECT_NEAR(player().reached_fps(), 25, 4);
}

TEST_F(PlayerTest, BakingWaitsForItsFolder) {
  Result<GraphDoc> read = parse_document(growing, session().registry());
  ASSERT_TRUE(read);
  session().adopt(std::move(*read), {}, false);
  frame();
  player().settle();
  ASSERT_TRUE(editor().actions.run("timeline.bake"));
  editor().settle();
  frames(2);
  editor().settle();
  frames(2);
  EXPECT_EQ(state_of(17), FrameState::baked);
  for (const auto& notice : editor().notices())
    EXPECT_EQ(notice.kind, editor::NoticeKind::success) << notice.text;
}

// As scripts run: nothing is left behind.
TEST_F(PlayerTest, BakesBesideNoDocumentWhenToldSo) {
  const fs::path folder =
      fs::temp_directory_path() / ("sinew_player_beside_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  ASSERT_TRUE(write_file_atomically(folder / "grow.json", growing));
  editor::EditorOptions options;
  options.first_start_welcome = options.bakes_beside = false;
  restart(options);
  ASSERT_TRUE(session().open(folder / "grow.json"));
  settle();
  editor().settle();
  click("button.bake");
  editor().settle();
  frames(2);
  EXPECT_EQ(state_of(17), FrameState::baked);
  EXPECT_FALSE(fs::exists(folder / "grow.json.bake"));
  end();
  fs::remove_all(folder);
}

}  // namespace
}  // namespace sinew
