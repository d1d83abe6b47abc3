// The viewport: looking changes nothing, and whatever is done to the body is one step that can be
// taken back.
#include "app/editor/panels/viewport/viewport.h"

#include "tests/app/editor_fixture.h"

namespace sinew {
namespace {

using editor::Sight;
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
  EXPECT_EQ(text(), before);
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
  EXPECT_EQ(text(), before);
}

}  // namespace
}  // namespace sinew
