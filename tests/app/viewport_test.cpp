// The viewport: looking changes nothing, and whatever is done to the body is one step that can be
// taken back.
#include "app/editor/panels/viewport/viewport.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/editor/titles.h"
#include "tests/app/editor_fixture.h"

namespace sinew {
namespace {

using editor::Sight;
using editor::title_of_output;
using editor::title_of_path;
using editor::Tool;
using editor::Viewport;
using Eigen::Vector3f;

class ViewportTest : public testing::EditorTest {
 protected:
  Viewport& viewport() { return *editor().panel<Viewport>(); }
  Sight& sight() { return viewport().sight(); }
  std::size_t steps() { return editor().session.history().position(); }
  // A place of the picture where the body is, near its middle.
  ImVec2 on_body() {
    const std::optional<ImVec2> middle = sight().place(sight().box.center());
    EXPECT_TRUE(middle && sight().pick(*middle));
    return middle.value_or(ImVec2(0, 0));
  }
};

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

// Live, so that it goes on while the test draws.
class PlayingTest : public ViewportTest {
 protected:
  void play_live(const std::string& preset, int count) {
    open_preset(preset);
    editor().player.set_clock(editor::ClockKind::live);
    editor().player.play(true);
    play(count);
  }
  // So many frames of the interface, each with what it asked for.
  void play(int count) {
    for (int i = 0; i < count; ++i) {
      frame();
      editor().player.settle();
    }
  }
};

TEST_F(PlayingTest, PaintsWhereTheBodyIsAtRest) {
  play_live("jellyfish_swim", 20);
  editor().session.select_only("layer");
  click("tool.paint");
  ASSERT_EQ(editor().tool, Tool::paint);
  play(3);
  const std::size_t before_steps = steps();
  const std::string before = text();
  const std::size_t strokes = doc().graph.find("layer")->params.at("strokes").size();
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
  const Json& painted = doc().graph.find("layer")->params.at("strokes");
  ASSERT_EQ(painted.size(), strokes + 1);
  ASSERT_GE(painted.back()["points"].size(), 2u);
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

constexpr const char* moved_ball = R"({"sinew": 1, "nodes": [
    {"id": "ball", "type": "mesh.sphere", "params": {"radius": 0.5}},
    {"id": "place", "type": "mesh.transform"},
    {"id": "show", "type": "view"}],
  "links": ["ball.mesh -> place.mesh", "place.mesh -> show.value"]})";

class HandleTest : public ViewportTest {
 protected:
  Vector3f param(const std::string& node, const std::string& input) {
    const Json* json = editor().session.param(node, input);
    if (!json) return Vector3f(0, 0, 0);
    return Vector3f((*json)[0].get<float>(), (*json)[1].get<float>(), (*json)[2].get<float>());
  }
  void drag_handle(const std::string& name, float x, float y) {
    const ImVec2 at = place("handle." + name);
    drag(at, ImVec2(at.x + x, at.y + y));
    settle();
  }
};

TEST_F(HandleTest, AnArrowMovesAlongItsAxisInOneStep) {
  open(moved_ball);
  editor().session.select_only("place");
  settle();
  const std::string before = text();
  const ImVec2 tip = place("handle.place.x"), middle = place("handle.place.centre");
  drag_handle("place.x", 0.5f * (tip.x - middle.x), 0.5f * (tip.y - middle.y));
  EXPECT_EQ(steps(), 1u);
  const Vector3f moved = param("place", "translate");
  EXPECT_GT(moved.x(), 0.01f);
  EXPECT_EQ(moved.y(), 0);
  EXPECT_EQ(moved.z(), 0);
  // The handle went with it.
  EXPECT_NEAR(place("handle.place.x").x, tip.x + 0.5f * (tip.x - middle.x), 3);
  editor().session.undo();
  EXPECT_TRUE(text() == before);
}

TEST_F(HandleTest, RingsTurnAndBoxesSize) {
  open(moved_ball);
  editor().session.select_only("place");
  settle();
  move(place("viewport.image"));
  key("E");
  frames(2);
  drag_handle("place.turn_y", 40, 0);
  const Vector3f turned = param("place", "rotate");
  EXPECT_GT(std::abs(turned.y()), 5);
  EXPECT_NEAR(turned.x(), 0, 1e-3f);
  EXPECT_NEAR(turned.z(), 0, 1e-3f);
  move(place("viewport.image"));
  key("R");
  frames(2);
  drag_handle("place.size", 30, -30);
  EXPECT_GT(param("place", "scale").x(), 1.05f);
  EXPECT_EQ(steps(), 2u);
}

TEST_F(HandleTest, EscapeGivesADragUp) {
  open(moved_ball);
  editor().session.select_only("place");
  settle();
  const std::string before = text();
  const ImVec2 at = place("handle.place.y");
  move(at);
  frame();
  press();
  move(ImVec2(at.x, at.y - 40));
  EXPECT_FALSE(text() == before);
  key("Escape");
  release();
  EXPECT_TRUE(text() == before);
}

TEST_F(HandleTest, WhatIsLinkedOrAnimatedStays) {
  open(R"({"sinew": 1, "nodes": [
    {"id": "ball", "type": "mesh.sphere"},
    {"id": "place", "type": "mesh.transform",
     "params": {"translate": {"animate": [0, [[0, 0], [1, 1]], 0]}}},
    {"id": "show", "type": "view"}],
  "links": ["ball.mesh -> place.mesh", "place.mesh -> show.value"]})");
  editor().session.select_only("place");
  settle();
  EXPECT_FALSE(sees("handle.place.x"));
}

TEST_F(HandleTest, PointsOfStrokesAreDraggedAlongTheBody) {
  open_preset("jellyfish_swim");
  editor().session.select_only("fibres");
  settle();
  const std::string before = text();
  std::string found;
  for (int i = 0; i < 28 && found.empty(); ++i)
    if (const std::string name = fmt::format("strokes.{}", i);
        sees("handle." + name) && sight().pick(place("handle." + name)))
      found = name;
  ASSERT_FALSE(found.empty());
  drag_handle(found, 6, -6);
  EXPECT_EQ(steps(), 1u);
  EXPECT_FALSE(text() == before);
  move(place("viewport.image"));
  key("Delete");
  EXPECT_EQ(steps(), 2u);
  editor().session.undo();
  editor().session.undo();
  EXPECT_TRUE(text() == before);
}

// They belong to no body; those that are standard are written when they are moved.
TEST_F(HandleTest, PointsOfAPathAreDraggedAcrossTheView) {
  open(R"({"sinew": 1, "nodes": [
    {"id": "way", "type": "path.motion"}, {"id": "show", "type": "view"}],
  "links": ["way.path -> show.value"]})");
  editor().session.select_only("way");
  settle();
  const std::string before = text();
  ASSERT_TRUE(sees("handle.points.1"));
  const ImVec2 at = place("handle.points.1");
  drag_handle("points.1", 30, -20);
  EXPECT_EQ(steps(), 1u);
  EXPECT_NEAR(place("handle.points.1").x, at.x + 30, 3);
  EXPECT_NEAR(place("handle.points.1").y, at.y - 20, 3);
  const Json* points = editor().session.param("way", "points");
  ASSERT_TRUE(points && points->size() == 4);
  move(place("viewport.image"));
  key("Delete");
  EXPECT_EQ(editor().session.param("way", "points")->size(), 3u);
  editor().session.undo();
  editor().session.undo();
  EXPECT_TRUE(text() == before);
}

TEST_F(HandleTest, TheCutIsDraggedAlongItsNormal) {
  open_preset("jellyfish_swim");
  const std::string before = text();
  move(place("viewport.image"));
  key("X");
  frames(3);
  ASSERT_TRUE(sight().show.section);
  const draw::SectionPlane plane = *sight().show.section;
  const ImVec2 tip = place("handle.section.along"), middle = place("handle.section.centre");
  drag(tip, ImVec2(tip.x + 0.3f * (tip.x - middle.x), tip.y + 0.3f * (tip.y - middle.y)));
  frames(2);
  const Vector3f by = sight().show.section->point - plane.point;
  EXPECT_GT(by.dot(plane.normal), 1e-3f);
  EXPECT_LT(by.cross(plane.normal).norm(), 1e-4f);
  drag(place("handle.section.turn_x"),
       ImVec2(place("handle.section.turn_x").x + 15, place("handle.section.turn_x").y + 15));
  EXPECT_LT(sight().show.section->normal.dot(plane.normal), 0.9999f);
  EXPECT_TRUE(text() == before);
}

bool all_finite(const draw::DrawList& list) {
  for (const draw::Mesh& mesh : list.meshes)
    for (const Vector3f& p : mesh.positions)
      if (!p.allFinite()) return false;
  return true;
}

TEST_F(PlayingTest, PullingWildlyNeverExplodesAndIsOneStep) {
  play_live("jellyfish_swim", 10);
  const std::string before = text();
  click("tool.grab");
  render::Box now;
  for (const Vector3f& p : sight().whole.meshes[0].positions) now.extend(p);
  const float size = now.diagonal().norm();
  const ImVec2 from = *sight().place(now.center());
  move(from);
  const int grabbed_at = editor().player.frame();
  press();
  EXPECT_EQ(steps(), 1u);
  uint32_t seed = 7;
  const auto random = [&seed] {
    seed = seed * 1664525u + 1013904223u;
    return static_cast<float>(seed >> 8) / (1 << 24) - 0.5f;
  };
  for (int i = 0; i < 180; ++i) {
    move(ImVec2(from.x + 900 * random(), from.y + 700 * random()));
    editor().player.settle();
    ASSERT_TRUE(all_finite(sight().whole));
  }
  EXPECT_FALSE(text() == before);
  release();
  play(120);
  EXPECT_EQ(steps(), 1u);
  EXPECT_TRUE(text() == before);  // let go, the inputs are as they were
  render::Box after;
  for (const Vector3f& p : sight().whole.meshes[0].positions) after.extend(p);
  EXPECT_TRUE(all_finite(sight().whole));
  EXPECT_LT(after.diagonal().norm(), 1.5f * size);
  EXPECT_GT(after.diagonal().norm(), 0.5f * size);
  editor().player.play(false);
  const int later = editor().player.frame();
  key("Ctrl+Z");
  settle();
  EXPECT_EQ(steps(), 0u);
  EXPECT_LE(editor().player.frame(), grabbed_at + 1);
  EXPECT_GT(later, grabbed_at + 10);
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

// Where the body is, and how much of it lies how far apart.
render::Box box_of(const Sight& sight) {
  render::Box box;
  for (const Vector3f& p : sight.whole.meshes.at(0).positions) box.extend(p);
  return box;
}

Vector3f middle_of(const Sight& sight) {
  const auto& positions = sight.whole.meshes.at(0).positions;
  Vector3f sum(0, 0, 0);
  for (const Vector3f& p : positions) sum += p;
  return sum / static_cast<float>(positions.size());
}

class PullTest : public PlayingTest, public ::testing::WithParamInterface<const char*> {};

// Small in water or heavy on the ground: what is pulled comes along, as a body and not as a needle.
TEST_P(PullTest, IsFeltByTheWholeBody) {
  play_live(GetParam(), 10);
  click("tool.grab");
  const render::Box before = box_of(sight());
  const Vector3f middle = middle_of(sight());
  const ImVec2 from = *sight().place(before.center());
  ASSERT_TRUE(sight().pick(from));
  const float pixels = 0.8f * before.diagonal().norm() / sight().metres_per_pixel(middle);
  const float metres = pixels * sight().metres_per_pixel(middle);
  move(from);
  press();
  for (int i = 1; i <= 30; ++i) {
    move(ImVec2(from.x, from.y - pixels * static_cast<float>(i) / 30));
    editor().player.settle();
  }
  play(60);
  const float came = (middle_of(sight()) - middle).dot(sight().camera().up());
  EXPECT_GT(came, 0.5f * metres);
  EXPECT_LT(came, 1.5f * metres);
  EXPECT_LT(box_of(sight()).diagonal().norm(), 1.7f * before.diagonal().norm()) << "no needle";
  release();
  play(60);
  EXPECT_LT(box_of(sight()).diagonal().norm(), 1.3f * before.diagonal().norm());
  editor().player.play(false);
}

INSTANTIATE_TEST_SUITE_P(Bodies, PullTest,
                         ::testing::Values("jellyfish_swim", "worm_crawl", "peristaltic_tube",
                                           "bending_bar"));

TEST_F(PlayingTest, APullIsNothingThatIsSaved) {
  play_live("jellyfish_swim", 10);
  const std::string before = text();
  click("tool.grab");
  const ImVec2 from = *sight().place(box_of(sight()).center());
  const auto pull = [&] {
    move(from);
    press();
    for (int i = 1; i <= 10; ++i) {
      move(ImVec2(from.x + 4.0f * static_cast<float>(i), from.y));
      editor().player.settle();
    }
  };
  pull();
  EXPECT_FALSE(text() == before);
  EXPECT_FALSE(editor().session.modified()) << "the hand holds, nothing more";
  EXPECT_TRUE(write_document(editor().session.kept()) == before);
  release();
  play(2);
  EXPECT_TRUE(text() == before);
  EXPECT_FALSE(editor().session.modified());
  EXPECT_EQ(steps(), 1u);
  // What was changed otherwise counts, whatever the hand does.
  ASSERT_TRUE(editor().session.set_param("swim", "damping", 7));
  pull();
  EXPECT_TRUE(editor().session.modified());
  release();
  EXPECT_TRUE(editor().session.modified());
}

TEST_F(PlayingTest, UndoLetsGoOfWhatIsHeld) {
  play_live("jellyfish_swim", 10);
  ASSERT_TRUE(editor().session.set_param("swim", "damping", 7));
  editor().session.seal();
  const std::string before = text();
  click("tool.grab");
  const ImVec2 from = *sight().place(box_of(sight()).center());
  move(from);
  press();
  move(ImVec2(from.x + 40, from.y));
  editor().player.settle();
  EXPECT_EQ(steps(), 2u);
  key("Ctrl+Z");
  EXPECT_TRUE(text() == before) << "the pull is taken back, and nothing else";
  EXPECT_EQ(steps(), 1u);
  move(ImVec2(from.x + 80, from.y));
  EXPECT_TRUE(text() == before) << "nothing is held any more";
  release();
  EXPECT_TRUE(text() == before);
  key("Ctrl+Z");
  EXPECT_EQ(steps(), 0u);
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

TEST_F(HandleTest, ThePivotIsReachedUnderTheArrowsOfThePlace) {
  open(moved_ball);
  editor().session.select_only("place");
  settle();
  ASSERT_TRUE(sees("handle.pivot.name"));
  EXPECT_FALSE(sees("handle.pivot.x")) << "only one has arrows";
  // In its middle the place is moved, by the name the pivot.
  drag_handle("place.centre", 20, 0);
  EXPECT_GT(param("place", "translate").norm(), 0.01f);
  EXPECT_EQ(param("place", "pivot").norm(), 0);
  drag_handle("pivot.name", 60, -30);
  EXPECT_GT(param("place", "pivot").norm(), 0.05f);
  const Vector3f translated = param("place", "translate");
  // Apart, the dot itself is taken.
  const Vector3f pivot = param("place", "pivot");
  drag_handle("pivot.centre", 15, 15);
  EXPECT_GT((param("place", "pivot") - pivot).norm(), 0.01f);
  // A click gives it the arrows, and the place a name.
  click(place("handle.pivot.name"));
  frames(2);
  EXPECT_TRUE(sees("handle.pivot.x"));
  EXPECT_TRUE(sees("handle.place.name"));
  EXPECT_EQ(param("place", "translate"), translated);
  click(place("handle.place.name"));
  frames(2);
  EXPECT_TRUE(sees("handle.place.x"));
}

TEST_F(HandleTest, WhatIsLinkedInPlaceCanBeSized) {
  open(R"({"sinew": 1, "nodes": [
    {"id": "tip", "type": "value.vec3", "params": {"y": 0.4}},
    {"id": "finger", "type": "collide.sphere", "params": {"radius": 0.3}},
    {"id": "show", "type": "view"}],
  "links": ["tip.value -> finger.position", "finger.colliders -> show.value"]})");
  editor().session.select_only("finger");
  settle();
  EXPECT_FALSE(sees("handle.place.x"));
  ASSERT_TRUE(sees("handle.place.size"));
  drag_handle("place.size", 30, -30);
  EXPECT_GT(editor().session.param("finger", "radius")->get<double>(), 0.31);
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
