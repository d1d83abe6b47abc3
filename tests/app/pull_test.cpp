// A hand at a body that plays: it is felt, it never breaks anything, and it is nothing that is
// saved.
#include "tests/app/viewport_fixture.h"

namespace sinew {
namespace {

using editor::Sight;
using Eigen::Vector3f;
using testing::PlayingTest;

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

}  // namespace
}  // namespace sinew
