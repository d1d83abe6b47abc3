// The canvas, with the mouse and the keys: what a person does, and what the document is then.
#include <algorithm>
#include <cmath>

#include "app/editor/thumbnail.h"
#include "app/editor/titles.h"
#include "app/library/names.h"
#include "app/ui/widgets.h"
#include "tests/app/canvas_fixture.h"

namespace sinew {
namespace {

using testing::CanvasTest;
using testing::chain;

TEST_F(CanvasTest, AddsByASearch) {
  move(place("panel.Canvas"));
  frames(2);
  key("Tab");
  ASSERT_TRUE(sees("search.add"));
  type("jelly");
  EXPECT_TRUE(sees("search.item.cast.jellyfish"));
  key("Return");
  ASSERT_EQ(body().nodes.size(), 1u);
  EXPECT_EQ(body().nodes[0].type, "cast.jellyfish");
  EXPECT_TRUE(editor().session.is_selected(body().nodes[0].id));
  EXPECT_FALSE(sees("search.add"));
  key("Ctrl+Z");
  EXPECT_TRUE(body().nodes.empty());
  EXPECT_FALSE(editor().session.modified());
}

TEST_F(CanvasTest, EscapeClosesTheSearch) {
  move(place("panel.Canvas"));
  frames(2);
  key("Tab");
  ASSERT_TRUE(sees("search.add"));
  key("Escape");
  frames(2);
  EXPECT_FALSE(sees("search.add"));
  EXPECT_TRUE(body().nodes.empty());
}

TEST_F(CanvasTest, LinksByADragEitherWay) {
  open(R"({"sinew": 1, "nodes": [{"id": "box", "type": "mesh.box"},
    {"id": "smooth", "type": "mesh.smooth"}, {"id": "view", "type": "view"}]})");
  drag(place("pin.box.mesh.out"), place("pin.smooth.mesh.in"));
  EXPECT_TRUE(has_link("box.mesh", "smooth.mesh"));
  drag(place("pin.view.value.in"), place("pin.smooth.mesh.out"));
  EXPECT_TRUE(has_link("smooth.mesh", "view.value"));
  // On the body of a node: its best socket.
  key("Ctrl+Z");
  EXPECT_FALSE(has_link("smooth.mesh", "view.value"));
  drag(place("pin.smooth.mesh.out"), place("node.view"));
  EXPECT_TRUE(has_link("smooth.mesh", "view.value"));
}

TEST_F(CanvasTest, PullsALinkOff) {
  open(chain);
  drag(place("pin.view.value.in"), empty());
  EXPECT_FALSE(has_link("smooth.mesh", "view.value"));
  EXPECT_FALSE(sees("search.add"));
  key("Ctrl+Z");
  // From one end to another in one step.
  drag(place("pin.smooth.mesh.in"), place("pin.view.value.in"));
  EXPECT_FALSE(has_link("box.mesh", "smooth.mesh"));
  EXPECT_TRUE(has_link("box.mesh", "view.value"));
  EXPECT_FALSE(has_link("smooth.mesh", "view.value"));
  key("Ctrl+Z");
  EXPECT_TRUE(has_link("box.mesh", "smooth.mesh"));
  EXPECT_TRUE(has_link("smooth.mesh", "view.value"));
}

TEST_F(CanvasTest, RefusesACycleAndWhatDoesNotFit) {
  open(R"({"sinew": 1, "nodes": [{"id": "a", "type": "mesh.smooth"},
    {"id": "b", "type": "mesh.smooth"}, {"id": "f", "type": "field.axis"}],
    "links": ["a.mesh -> b.mesh"]})");
  drag(place("pin.b.mesh.out"), place("pin.a.mesh.in"));
  EXPECT_EQ(body().links.size(), 1u);
  drag(place("pin.f.field.out"), place("pin.a.mesh.in"));
  EXPECT_EQ(body().links.size(), 1u);
  EXPECT_FALSE(editor().notices().empty());
}

TEST_F(CanvasTest, ADroppedLinkOffersOnlyWhatFits) {
  open(chain);
  drag(place("pin.box.mesh.out"), empty());
  ASSERT_TRUE(sees("search.add"));
  type("smooth");
  EXPECT_TRUE(sees("search.item.mesh.smooth"));
  key("Return");
  ASSERT_EQ(body().nodes.size(), 4u);
  EXPECT_TRUE(has_link("box.mesh", "smooth2.mesh"));
  key("Ctrl+Z");
  EXPECT_EQ(body().nodes.size(), 3u);
  EXPECT_EQ(steps(), 0u);

  const editor::Session& session = editor().session;
  editor::canvas::LinkEnd end;
  end.type = session.registry().find_type("mesh");
  const auto items = editor::canvas::SearchAdd::find(session, "", end);
  EXPECT_FALSE(items.empty());
  for (const auto& item : items) EXPECT_NE(item.name, "chart.wave");
}

TEST_F(CanvasTest, ADropOnALinkGoesInBetween) {
  open(R"({"sinew": 1, "nodes": [{"id": "box", "type": "mesh.box"},
    {"id": "view", "type": "view"}, {"id": "smooth", "type": "mesh.smooth"}],
    "links": ["box.mesh -> view.value"],
    "layout": {"nodes": {"box": {"at": [0, 0]}, "view": {"at": [600, 0]},
                         "smooth": {"at": [300, 150]}}}})");
  const ImVec2 middle = place("link.box.mesh.view.value");
  drag(place("node.smooth"), ImVec2(middle.x, middle.y - 10), MouseButton::left, 12);
  EXPECT_TRUE(has_link("box.mesh", "smooth.mesh"));
  EXPECT_TRUE(has_link("smooth.mesh", "view.value"));
  EXPECT_EQ(body().links.size(), 2u);
  EXPECT_EQ(steps(), 1u);
  key("Ctrl+Z");
  EXPECT_TRUE(has_link("box.mesh", "view.value"));
  EXPECT_EQ(at("smooth").y, 150);
}

TEST_F(CanvasTest, AMoveIsOneStepAndKeepsTheRestOfTheLayout) {
  open(chain);
  const std::string before = text();
  click("node.box");
  hold("Shift", true);
  click("node.smooth");
  hold("Shift", false);
  EXPECT_EQ(editor().session.selection().size(), 2u);
  drag(place("node.smooth"), by("node.smooth", 60, 40));
  EXPECT_EQ(steps(), 1u);
  EXPECT_GT(at("box").x, 0);
  EXPECT_GT(at("smooth").y, 0);
  EXPECT_EQ(at("box").x, at("smooth").x - 300);
  EXPECT_EQ(body().layout.nodes.at("smooth")["mine"], 1);
  EXPECT_EQ(at("view").x, 600);
  key("Ctrl+Z");
  EXPECT_EQ(text(), before);
  key("Right");
  key("Right");
  EXPECT_EQ(at("box").x, 20);
  EXPECT_EQ(steps(), 1u);
}

TEST_F(CanvasTest, EscapeTakesAMoveBack) {
  open(chain);
  move(place("node.box"));
  frames(2);
  press();
  move(by("node.box", 40, 40));
  move(by("node.box", 40, 40));
  key("Escape");
  release();
  EXPECT_EQ(at("box").x, 0);
  EXPECT_EQ(steps(), 0u);
}

TEST_F(CanvasTest, ChoosesWithABox) {
  open(chain);
  const ui::Landmark* panel = ui::landmarks().find("panel.Canvas");
  drag(ImVec2(panel->left + 6, panel->top + 30),
       ImVec2(place("node.smooth").x, panel->bottom - 20));
  EXPECT_EQ(editor().session.selection(), (std::set<std::string>{"box", "smooth"}));
  key("Ctrl+A");
  EXPECT_EQ(editor().session.selection().size(), 3u);
  key("Escape");
  EXPECT_TRUE(editor().session.selection().empty());
}

TEST_F(CanvasTest, DeletesAndDissolves) {
  open(chain);
  const std::string before = text();
  click("node.smooth");
  key("Delete");
  EXPECT_EQ(body().nodes.size(), 2u);
  EXPECT_TRUE(body().links.empty());
  key("Ctrl+Z");
  EXPECT_EQ(text(), before);
  click("node.smooth");
  key("Ctrl+Delete");
  EXPECT_EQ(body().nodes.size(), 2u);
  EXPECT_TRUE(has_link("box.mesh", "view.value"));
  key("Ctrl+Z");
  EXPECT_EQ(text(), before);
}

TEST_F(CanvasTest, CopiesKeepTheLinksBetweenThem) {
  open(chain);
  click("node.box");
  hold("Shift", true);
  click("node.smooth");
  hold("Shift", false);
  key("Ctrl+C");
  move(empty());
  frames(2);
  key("Ctrl+V");
  EXPECT_EQ(body().nodes.size(), 5u);
  EXPECT_TRUE(has_link("box2.mesh", "smooth2.mesh"));
  EXPECT_EQ(editor().session.selection(), (std::set<std::string>{"box2", "smooth2"}));
  EXPECT_EQ(steps(), 1u);
  key("Ctrl+D");
  EXPECT_EQ(body().nodes.size(), 7u);
}

TEST_F(CanvasTest, MutesAndCollapses) {
  open(chain);
  click("node.smooth");
  key("M");
  EXPECT_TRUE(body().find("smooth")->muted);
  key("M");
  EXPECT_FALSE(body().find("smooth")->muted);
  key("H");
  EXPECT_EQ(body().layout.nodes.at("smooth")["collapsed"], true);
  EXPECT_FALSE(sees("pin.smooth.mesh.in"));
  key("H");
  EXPECT_FALSE(body().layout.nodes.at("smooth").contains("collapsed"));
  click("more.smooth");
  EXPECT_EQ(body().layout.nodes.at("smooth")["expanded"], true);
}

TEST_F(CanvasTest, TheEyeShowsAnOutput) {
  open(chain);
  click("eye.box.mesh");
  EXPECT_EQ(editor().player.shown(), (std::vector<std::string>{"box.mesh"}));
  click("eye.box.mesh");
  EXPECT_TRUE(editor().player.shown().empty());
}

TEST_F(CanvasTest, CutsAndBendsLinks) {
  open(chain);
  const ImVec2 first = place("link.box.mesh.smooth.mesh");
  double_click("link.smooth.mesh.view.value");
  ASSERT_TRUE(body().find("reroute"));
  EXPECT_TRUE(has_link("smooth.mesh", "reroute.value"));
  EXPECT_TRUE(has_link("reroute.value", "view.value"));
  key("Ctrl+Z");
  EXPECT_EQ(steps(), 0u);
  hold("Ctrl", true);
  drag(ImVec2(first.x, first.y - 30), ImVec2(first.x + 2, first.y + 30), MouseButton::right);
  hold("Ctrl", false);
  EXPECT_FALSE(has_link("box.mesh", "smooth.mesh"));
  EXPECT_TRUE(has_link("smooth.mesh", "view.value"));
}

TEST_F(CanvasTest, NodesShowPicturesOfFieldsAndCharts) {
  open_preset("jellyfish_swim");
  settle();
  const auto at = editor().player.shot()->graph->find_output("wave.field");
  ASSERT_TRUE(at);
  // The canvas asked for it.
  EXPECT_TRUE(editor().player.shot()->result(*at));
}

TEST(FuzzyScore, FindsTheLettersWhereverTheyAre) {
  EXPECT_EQ(library::fuzzy_score("", "anything"), 0);
  EXPECT_GE(library::fuzzy_score("jelly", "Jellyfish"), 0);
  EXPECT_LT(library::fuzzy_score("jellyx", "Jellyfish"), 0);
  // The last s begins a word, after which there is no more t.
  EXPECT_GE(library::fuzzy_score("st", "test string s"), 0);
  EXPECT_GE(library::fuzzy_score("at", "cat a"), 0);
  EXPECT_GT(library::fuzzy_score("smooth", "Smooth"),
            library::fuzzy_score("smooth", "Some other things, oh"));
  EXPECT_GT(library::fuzzy_score("ms", "Mesh Smooth"), library::fuzzy_score("ms", "Amass"));
  EXPECT_LT(library::fuzzy_score("ab", ""), 0);
}

TEST(Thumbnail, ShowsABodyInItsMiddle) {
  const std::vector<draw::Point> points = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
  const std::vector<draw::Triangle> triangles = {{0, 1, 2}};
  draw::DrawList list;
  draw::Mesh mesh;
  mesh.positions = points;
  mesh.triangles = triangles;
  mesh.colour = {1, 0, 0, 1};
  list.meshes.push_back(mesh);
  const render::Picture picture = editor::thumbnail(list, 60, 40);
  ASSERT_EQ(picture.width, 60);
  const uint8_t* middle = picture.pixel(30, 22);
  EXPECT_EQ(middle[3], 255);
  EXPECT_GT(middle[0], 100);
  EXPECT_EQ(middle[1], 0);
  EXPECT_EQ(picture.pixel(0, 0)[3], 0);
  EXPECT_EQ(editor::thumbnail({}, 8, 8).pixel(4, 4)[3], 0);
}

TEST_F(CanvasTest, FramesMoveWhatIsInside) {
  open(chain);
  click("node.box");
  key("Ctrl+Shift+F");
  ASSERT_TRUE(sees("canvas.rename"));
  type("Body");
  key("Return");
  const Json& frames_json = body().layout.extra.at("frames");
  ASSERT_EQ(frames_json.size(), 1u);
  EXPECT_EQ(frames_json[0]["title"], "Body");
  const std::size_t before = steps();
  drag(by("frame.0", 0, 0), by("frame.0", 0, 50));
  EXPECT_GT(at("box").y, 20);
  EXPECT_EQ(at("smooth").y, 0);
  EXPECT_EQ(steps(), before + 1);
  key("Ctrl+Z");
  EXPECT_EQ(at("box").y, 0);
}

TEST_F(CanvasTest, ZoomKeepsWhatIsUnderTheMouse) {
  open(chain);
  auto* canvas = editor().panel<editor::canvas::Canvas>();
  ASSERT_TRUE(canvas);
  const ImVec2 there = by("node.smooth", 13, 7);
  const ImVec2 pixel(std::floor(there.x), std::floor(there.y));
  const ImVec2 before = canvas->canvas_place(pixel);
  for (const float notches : {3.0f, -5.0f, -20.0f, 40.0f, -3.0f}) {
    wheel(pixel, notches);
    const ImVec2 after = canvas->canvas_place(pixel);
    EXPECT_NEAR(after.x, before.x, 0.5);
    EXPECT_NEAR(after.y, before.y, 0.5);
  }
}

TEST_F(CanvasTest, ArrangesWhatHasNoPlaceWithoutAChange) {
  open(R"({"sinew": 1, "nodes": [{"id": "box", "type": "mesh.box"},
    {"id": "smooth", "type": "mesh.smooth"}, {"id": "view", "type": "view"}],
    "links": ["box.mesh -> smooth.mesh", "smooth.mesh -> view.value"]})");
  EXPECT_FALSE(editor().session.modified());
  EXPECT_LT(place("node.box").x, place("node.smooth").x);
  EXPECT_LT(place("node.smooth").x, place("node.view").x);
  // What was arranged stays, once something is moved.
  drag(place("node.view"), by("node.view", 0, 60));
  EXPECT_EQ(body().layout.nodes.size(), 3u);
  EXPECT_EQ(steps(), 1u);
}

TEST_F(CanvasTest, NotesAreWrittenInPlace) {
  open(R"({"sinew": 1, "nodes": [{"id": "note", "type": "note"}]})");
  double_click("node.note");
  frames(2);
  ASSERT_TRUE(sees("canvas.rename"));
  type("Look here");
  key("Return");
  EXPECT_EQ(body().find("note")->params.at("text"), "Look here");
}

TEST_F(CanvasTest, AThousandNodesAreHitWhereTheyAre) {
  std::string nodes, layout;
  for (int i = 0; i < 1000; ++i) {
    const std::string id = "n" + std::to_string(i);
    nodes += (i ? "," : "") + std::string(R"({"id": ")") + id + R"(", "type": "mesh.smooth"})";
    layout += (i ? "," : "") + std::string("\"") + id + R"(": {"at": [)" +
              std::to_string(i % 40 * 230) + "," + std::to_string(i / 40 * 120) + "]}";
  }
  open(R"({"sinew": 1, "nodes": [)" + nodes + R"(], "layout": {"nodes": {)" + layout + "}}}");
  for (const char* id : {"n0", "n39", "n517", "n970"}) {
    click(std::string("node.") + id);
    EXPECT_TRUE(editor().session.is_selected(id)) << id;
    EXPECT_EQ(editor().session.selection().size(), 1u);
  }
}

TEST_F(CanvasTest, PicturesAndTimesStayAfterAnUnrelatedEdit) {
  open_preset("jellyfish_swim");
  settle();
  const auto at = editor().player.shot()->graph->find_output("wave.field");
  ASSERT_TRUE(at);
  ASSERT_TRUE(editor().player.shot()->result(*at));
  // Now everything is in the cache, and nothing needs the field but its picture.
  for (int i = 0; i < 3; ++i) {
    (void)editor().session.apply({"Name", {edit::SetLabel{"", "wave", std::to_string(i)}}, {}});
    settle();
    frames(4);
    settle();
    EXPECT_TRUE(editor().player.shot()->result(*at)) << i;
  }
}

TEST_F(CanvasTest, EscapeClosesMenus) {
  open(chain);
  click("node.box");
  click(empty(), MouseButton::right);
  frames(2);
  ASSERT_TRUE(sees("menu.canvas.add"));
  key("Escape");
  EXPECT_FALSE(sees("menu.canvas.add"));
  EXPECT_TRUE(editor().session.is_selected("box"));  // the key was meant for the menu
  click("menu.File");
  frames(2);
  ASSERT_TRUE(sees("menu.file.open") || sees("menu.file.save"));
  key("Escape");
  EXPECT_FALSE(sees("menu.file.open") || sees("menu.file.save"));
}

TEST_F(CanvasTest, PastesOutOfAChat) {
  open(chain);
  move(empty());
  frames(2);
  const std::string words = "Look what I found:\n```json\n" + write_fragment(doc(), "", {"box"}) +
                            "```\nNice, is it not?";
  ImGui::SetClipboardText(words.c_str());
  key("Ctrl+V");
  EXPECT_TRUE(body().find("box2"));
  const std::size_t notices = editor().notices().size();
  for (const char* text : {"nothing", "{ not json }", "{}"}) {
    ImGui::SetClipboardText(text);
    key("Ctrl+V");
  }
  EXPECT_EQ(body().nodes.size(), 4u);
  ASSERT_EQ(editor().notices().size(), notices + 3);
  EXPECT_EQ(editor().notices()[notices].text, "The clipboard holds no nodes.");
}

TEST_F(CanvasTest, AClickElsewhereKeepsWhatWasWritten) {
  open(R"({"sinew": 1, "nodes": [{"id": "note", "type": "note"}]})");
  double_click("node.note");
  frames(2);
  ASSERT_TRUE(sees("canvas.rename"));
  type("Look here");
  click(empty());
  frames(3);
  EXPECT_FALSE(sees("canvas.rename"));
  ASSERT_TRUE(body().find("note")->params.contains("text"));
  EXPECT_EQ(body().find("note")->params.at("text"), "Look here");
  EXPECT_EQ(steps(), 1u);
  // Escape gives it up.
  double_click("node.note");
  frames(2);
  type("Another");
  key("Escape");
  frames(2);
  EXPECT_FALSE(sees("canvas.rename"));
  EXPECT_EQ(body().find("note")->params.at("text"), "Look here");
  EXPECT_EQ(steps(), 1u);
}

TEST_F(CanvasTest, ALinkHasAMenu) {
  open(chain);
  click("link.box.mesh.smooth.mesh", MouseButton::right);
  frames(2);
  click("menu.insert_on_link");
  frames(3);
  ASSERT_TRUE(sees("search.add"));
  type("transform");
  key("Return");
  EXPECT_TRUE(has_link("box.mesh", "transform.mesh"));
  EXPECT_TRUE(has_link("transform.mesh", "smooth.mesh"));
  EXPECT_FALSE(has_link("box.mesh", "smooth.mesh"));
  EXPECT_EQ(steps(), 1u);
  frames(3);
  click("link.smooth.mesh.view.value", MouseButton::right);
  frames(2);
  click("menu.bend_link");
  EXPECT_TRUE(has_link("reroute.value", "view.value"));
  key("Ctrl+Z");
  click("link.smooth.mesh.view.value", MouseButton::right);
  frames(2);
  click("menu.remove_link");
  EXPECT_FALSE(has_link("smooth.mesh", "view.value"));
}

TEST_F(CanvasTest, ABadgeTellsWhereverItIsTouched) {
  open(R"({"sinew": 1, "nodes": [{"id": "smooth", "type": "mesh.smooth"}]})");
  ASSERT_TRUE(sees("badge.smooth"));
  // Inside of the box, and outside of its corner.
  for (const float by : {3.0f, -4.0f}) {
    move(empty());
    frames(3);
    EXPECT_FALSE(sees("canvas.tooltip"));
    const ImVec2 badge = place("badge.smooth");
    move(ImVec2(badge.x + by, badge.y + by));
    frames(60);
    EXPECT_TRUE(sees("canvas.tooltip")) << by;
  }
}

TEST_F(CanvasTest, ALinkShowsWhereItWouldGo) {
  open(chain);
  const ImVec2 from = place("pin.box.mesh.out"), to = place("node.view");
  move(from);
  frames(2);
  press();
  move(ImVec2(from.x + 20, from.y + 20));
  EXPECT_FALSE(sees("drop.view.value"));
  move(to);
  frames(2);
  EXPECT_TRUE(sees("drop.view.value"));
  key("Escape");
  release();
  EXPECT_EQ(steps(), 0u);
}

}  // namespace
}  // namespace sinew
