// The viewport: looking changes nothing, and whatever is done to the body is one step that can be
// taken back.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/editor/titles.h"
#include "tests/app/viewport_fixture.h"

namespace sinew {
namespace {

using editor::title_of_output;
using editor::title_of_path;
using editor::Tool;
using Eigen::Vector3f;
using testing::PlayingTest;
using testing::ViewportTest;

TEST_F(ViewportTest, LookingChangesNothing) {
  open_preset("jellyfish_swim");
  const std::string before = text();
  const render::Camera camera = sight().camera();
  const ImVec2 middle = place("viewport.image");
  drag(middle, ImVec2(middle.x + 120, middle.y + 30));
  EXPECT_NE(camera.yaw, sight().camera().yaw);
  drag(middle, ImVec2(middle.x + 50, middle.y), MouseButton::right);
  EXPECT_NE(camera.target, sight().camera().target);
  const float distance = sight().camera().distance;
  wheel(middle, 2);
  EXPECT_LT(sight().camera().distance, distance);
  key("3");
  frames(30);
  EXPECT_FLOAT_EQ(sight().camera().pitch, 90);
  key("Home");
  frames(30);
  click("axis.front");
  frames(30);
  EXPECT_NEAR(sight().camera().yaw, 0, 1e-3f);
  EXPECT_TRUE(text() == before);
  EXPECT_FALSE(editor().session.modified());
}

TEST_F(ViewportTest, ZoomsTowardsTheMouse) {
  open_preset("jellyfish_swim");
  const ImVec2 at = on_body();
  const auto before = sight().pick(at);
  ASSERT_TRUE(before);
  wheel(at, 3);
  const auto after = sight().pick(at);
  ASSERT_TRUE(after);
  EXPECT_LT((after->point - before->point).norm(), 0.02f * sight().diagonal());
}

TEST_F(ViewportTest, KeepsAViewInTheDocumentWhenToldTo) {
  open_preset("jellyfish_swim");
  const ImVec2 middle = place("viewport.image");
  drag(middle, ImVec2(middle.x + 120, middle.y + 30));
  editor().actions.run("viewport.keep_camera");
  EXPECT_EQ(steps(), 1u);
  const render::Camera kept = sight().camera();
  key("1");
  frames(30);
  click("viewport.cameras");
  frames(2);
  click("camera.main");
  frames(30);
  EXPECT_NEAR(sight().camera().yaw, kept.yaw, 1e-2f);
  EXPECT_NEAR(sight().camera().pitch, kept.pitch, 1e-2f);
}

TEST_F(ViewportTest, AClickChoosesWhatMadeIt) {
  open_preset("jellyfish_swim");
  click(on_body());
  frames(2);
  EXPECT_TRUE(editor().session.is_selected("swim"));
  EXPECT_TRUE(sees("viewport.info"));
  EXPECT_EQ(steps(), 0u);
}

TEST_F(ViewportTest, AnErrorIsSaidInWords) {
  open(R"({"sinew": 1, "nodes": [{"id": "ball", "type": "mesh.sphere", "params": {}},
           {"id": "show", "type": "view"}], "links": ["ball.mesh -> show.value"]})");
  EXPECT_FALSE(sees("viewport.words"));
  ASSERT_TRUE(editor().session.set_param("ball", "radius", Json(-4)));
  settle();
  EXPECT_TRUE(sees("viewport.words"));
  EXPECT_FALSE(sight().list.empty());  // the last good picture is still there
  editor().session.undo();
  settle();
  EXPECT_FALSE(sees("viewport.words"));
}

TEST_F(ViewportTest, CutsOpen) {
  open_preset("jellyfish_swim");
  const std::string before = text();
  click("viewport.section");
  frames(2);
  click("section.x");
  frames(3);
  ASSERT_TRUE(sight().show.section);
  EXPECT_GT(std::abs(sight().show.section->normal.x()), 0.99f);
  EXPECT_GE(sight().list.meshes.size(), sight().whole.meshes.size());
  EXPECT_TRUE(text() == before);
}

TEST_F(PlayingTest, PaintsWhereTheBodyIsAtRest) {
  play_live("jellyfish_swim", 20);
  editor().session.select_only("layer");
  click("tool.paint");
  ASSERT_EQ(editor().tool, Tool::paint);
  play(3);
  const std::size_t before_steps = steps();
  const std::string before = text();
  const auto painted = [&]() -> const Json& {
    return doc().graph.find("layer")->params.at("strokes").at("strokes");
  };
  const std::size_t strokes = painted().size();
  render::Box now;
  for (const Vector3f& p : sight().whole.meshes[0].positions) now.extend(p);
  const ImVec2 from = *sight().place(now.center());
  ASSERT_TRUE(sight().pick(from));
  move(from);
  press();
  for (int i = 1; i <= 10; ++i) {
    move(ImVec2(from.x + 2.0f * static_cast<float>(i), from.y));
    play(1);
  }
  release();
  play(3);
  EXPECT_EQ(steps(), before_steps + 1);
  ASSERT_EQ(painted().size(), strokes + 1);
  ASSERT_GE(painted().back()["points"].size(), 2u);
  // It swam away from where it rests; the stroke did not.
  EXPECT_FALSE(editor().player.shot()->evaluation.failed());
  for (const NodeMessage& m : editor().player.messages())
    EXPECT_NE(m.path, "layer") << m.message.text;
  editor().player.play(false);
  key("Ctrl+Z");
  EXPECT_TRUE(text() == before);
}

// The jellyfish whose phase is painted: a stroke on it is felt by the body that swims, while the
// brush is still down, and is one step.
TEST_F(PlayingTest, APhaseStrokeChangesTheMotionAtOnce) {
  open_preset("jellyfish_swim");
  GraphDoc painted = doc();
  NodeDoc& wave = *std::find_if(painted.graph.nodes.begin(), painted.graph.nodes.end(),
                                [](const NodeDoc& n) { return n.id == "wave"; });
  wave.type = "paint.field";
  wave.params = {{"kind", "phase"}, {"elsewhere", "interpolate"}, {"strokes", Json::parse(R"([
                     {"points": [[0, 0.135, 0]], "tool": "region", "angle": 30, "value": 0},
                     {"points": [[0, 0.087, 0]], "tool": "region", "angle": 30, "value": 1}])")}};
  const std::string document = write_document(painted);
  using Moments = std::map<int, std::vector<Vector3f>>;
  const auto watch = [&](int count, Moments& seen) {
    for (int i = 0; i < count; ++i) {
      play(1);
      const auto& shot = editor().player.shot();
      ASSERT_FALSE(shot->evaluation.failed());
      const auto at = sight().whole.meshes.at(0).positions;
      seen[shot->context.frame] = {at.begin(), at.end()};
    }
  };
  const auto begin = [&] {
    open(document);
    editor().player.set_clock(editor::ClockKind::live);
    editor().session.select_only("wave");
    click("tool.paint");
    editor().player.play(true);
  };
  Moments alone, changed;
  begin();
  watch(120, alone);
  begin();
  watch(30, changed);
  const std::string before = text();
  render::Box now;
  for (const Vector3f& p : sight().whole.meshes[0].positions) now.extend(p);
  const ImVec2 from = *sight().place(now.center());
  ASSERT_TRUE(sight().pick(from));
  move(from);
  press();
  for (int i = 1; i <= 12; ++i) {
    move(ImVec2(from.x + 2.0f * static_cast<float>(i), from.y - static_cast<float>(i)));
    watch(1, changed);
  }
  EXPECT_FALSE(text() == before) << "while the brush is down";
  EXPECT_TRUE(editor().player.playing());
  release();
  const int painted_at = editor().player.frame();
  watch(60, changed);
  EXPECT_EQ(steps(), 1u);
  // The same until it is touched; another motion within a few frames after.
  float largest = 0;
  for (const auto& [frame, positions] : changed) {
    const auto then = alone.find(frame);
    if (then == alone.end() || frame < painted_at + 4) continue;
    ASSERT_EQ(then->second.size(), positions.size());
    float most = 0;
    for (std::size_t i = 0; i < positions.size(); ++i)
      most = std::max(most, (then->second[i] - positions[i]).norm());
    EXPECT_GT(most, 1e-4f * now.diagonal().norm()) << "at frame " << frame;
    largest = std::max(largest, most);
  }
  EXPECT_GT(largest, 1e-3f * now.diagonal().norm());
  editor().player.play(false);
  key("Ctrl+Z");
  EXPECT_TRUE(text() == before);
}

TEST_F(ViewportTest, EscapeGivesAStrokeUp) {
  open_preset("jellyfish_layers");
  for (const NodeDoc& node : doc().graph.nodes)
    if (node.type == "paint.field") editor().session.select_only(node.id);
  editor().tool = Tool::paint;
  settle();
  click("paint.show");  // what the viewer shows is cut: not the body that is painted
  settle();
  const std::string before = text();
  const ImVec2 from = on_body();
  move(from);
  press();
  move(ImVec2(from.x + 20, from.y));
  settle();
  EXPECT_TRUE(text() != before);
  key("Escape");
  release();
  EXPECT_TRUE(text() == before);
}

TEST_F(PlayingTest, ATouchIsOneEventAtRest) {
  play_live("snail_touch", 5);
  const std::string before = text();
  click("tool.touch");
  play(3);
  render::Box now;
  for (const Vector3f& p : sight().whole.meshes[0].positions) now.extend(p);
  ImVec2 at = *sight().place(now.center());
  // What is touched has no hole in the middle of the picture, but the middle may be air.
  for (int i = 0; i < 60 && !sight().pick(at); ++i) at.y += 3;
  ASSERT_TRUE(sight().pick(at));
  click(at);
  play(2);
  EXPECT_EQ(steps(), 1u);
  EXPECT_FALSE(text() == before);
  EXPECT_FALSE(editor().player.shot()->evaluation.failed());
  editor().player.play(false);
  key("Ctrl+Z");
  EXPECT_TRUE(text() == before);
}

constexpr const char* far_ball = R"({"sinew": 1, "nodes": [
    {"id": "ball", "type": "mesh.sphere", "params": {"radius": 5}},
    {"id": "place", "type": "mesh.transform", "params": {"translate": [100, 40, 0]}},
    {"id": "show", "type": "view"}],
  "links": ["ball.mesh -> place.mesh", "place.mesh -> show.value"]})";

TEST_F(ViewportTest, AnotherDocumentIsSeenFromItsFirstFrameOn) {
  open_preset("jellyfish_swim");
  ASSERT_FALSE(sight().list.empty());
  key("Ctrl+N");
  EXPECT_TRUE(sight().list.empty()) << "nothing of the old one is left";
  settle();
  EXPECT_TRUE(sight().list.empty());
  EXPECT_TRUE(sight().box.isEmpty());
  open_preset("worm_crawl");
  open(far_ball);
  EXPECT_LT((sight().box.center() - Vector3f(100, 40, 0)).norm(), 0.5f);
  EXPECT_LT(sight().box.diagonal().norm(), 20) << "only what is there now";
  EXPECT_LT((sight().camera().target - Vector3f(100, 40, 0)).norm(), 3);
  EXPECT_NEAR(*sight().view.floor, 35, 0.1f);
  open_preset("default");
  EXPECT_LT(sight().box.diagonal().norm(), 5);
  EXPECT_LT(sight().camera().target.norm(), 2);
}

TEST_F(ViewportTest, ANodeThatLacksAnInputHidesNothing) {
  open(R"({"sinew": 1, "nodes": [{"id": "ball", "type": "mesh.sphere"}]})");
  ASSERT_FALSE(sight().list.empty());
  NodeDoc place;
  place.id = "place";
  place.type = "mesh.transform";
  ASSERT_TRUE(editor().session.apply(add_node(doc(), "", place, 0, 0)));
  settle();
  EXPECT_FALSE(sees("viewport.words"));
  ASSERT_EQ(sight().list.meshes.size(), 1u);
  EXPECT_EQ(sight().list.meshes[0].source, "ball.mesh");
  EXPECT_FALSE(editor().player.messages_of("place").empty()) << "its badge says what is wrong";
}

TEST_F(ViewportTest, PlacesAreNotShownUnlessAskedFor) {
  const std::string simulated = R"({"sinew": 1, "nodes": [
    {"id": "bar", "type": "tet.box"}, {"id": "soft", "type": "sim.shape_match"})";
  open(simulated + R"(], "links": ["bar.solid -> soft.solid"]})");
  EXPECT_FALSE(sight().list.meshes.empty());
  EXPECT_TRUE(sight().list.labels.empty());
  open(simulated + R"(, {"id": "show", "type": "view"}],
    "links": ["bar.solid -> soft.solid", "soft.centre -> show.value"]})");
  EXPECT_FALSE(sight().list.labels.empty());
}

TEST_F(ViewportTest, AStrokeEndsWithTheNodeThatItIsDrawnOn) {
  open_preset("jellyfish_layers");
  editor().session.select_only("layer");
  editor().tool = Tool::paint;
  settle();
  click("paint.show");
  settle();
  const ImVec2 from = on_body();
  move(from);
  press();
  move(ImVec2(from.x + 20, from.y));
  settle();
  ASSERT_TRUE(editor().session.apply(remove_nodes(doc(), "", {"layer"})));
  const std::string before = text();
  for (int i = 0; i < 20; ++i) move(ImVec2(from.x + 20 + 2.0f * static_cast<float>(i), from.y));
  release();
  settle();
  EXPECT_TRUE(text() == before);
  for (const auto& notice : editor().notices()) ADD_FAILURE() << notice.text;
}

TEST_F(ViewportTest, WhatIsShownIsSaidInWords) {
  open_preset("jellyfish_swim");
  editor().player.show({"layer.field"});
  settle();
  EXPECT_EQ(editor().session.history().titles().back(),
            "Show " + title_of_path(editor().session, "layer") + ": Field");
  EXPECT_EQ(title_of_output(editor().session, "swim.signal"),
            title_of_path(editor().session, "swim") + ": Signal");
  editor().session.select_only("layer");
  ASSERT_TRUE(editor().session.apply(remove_nodes(doc(), "", {"layer"})));
  settle();
  EXPECT_TRUE(editor().player.shown().empty()) << "what is gone is shown no longer";
}

}  // namespace
}  // namespace sinew
