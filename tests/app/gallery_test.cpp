// The gallery: candidates as playing pictures, and what a click does.
#include <chrono>
#include <thread>

#include "app/editor/candidate_films.h"
#include "app/editor/candidates.h"
#include "tests/app/editor_fixture.h"
#include "tests/app/work_nodes.h"

namespace sinew {
namespace {

constexpr const char* picks = R"({
  "sinew": 1, "settings": {"last_frame": 30}, "nodes": [
    {"id": "ball", "type": "mesh.sphere"},
    {"id": "seek", "type": "test.seeker", "label": "Hop", "params": {"found": {
      "names": ["height"], "trials": 9, "start": 2, "candidates": [
        {"cost": 0.5, "trial": 7, "values": [3]},
        {"cost": 1, "trial": 2, "values": [1]},
        {"cost": 1.5, "trial": 3, "values": [0]}]}}}],
  "links": ["ball.mesh -> seek.mesh"]})";

constexpr const char* numbers = R"({
  "sinew": 1, "nodes": [
    {"id": "box", "type": "mesh.box"},
    {"id": "find", "type": "search.numbers", "params": {"vary": "box.size.x 0.1 to 5\nbox.segments_x 1 to 9",
      "found": {"names": ["box.size.x", "box.segments_x"], "trials": 9, "start": 2, "candidates": [
        {"cost": 0.5, "trial": 7, "values": [3, 4]},
        {"cost": 1, "trial": 2, "values": [0.5, 2]}]}}}],
  "links": []})";

class GalleryTest : public testing::EditorTest {
 protected:
  GalleryTest() : EditorTest(1440, 900, &testing::work_registry()) {}
  void show(const std::string& document, const std::string& node) {
    open(document);
    editor().session.select_only(node);
    editor().bring_forward("Gallery");
    settle();
  }
  Json param(const std::string& node, const std::string& input) const {
    const Json* given = editor().session.param(node, input);
    return given ? *given : Json();
  }
  std::size_t steps() const { return editor().session.history().position(); }
  std::optional<editor::FoundAt> found(const std::string& node) const {
    return editor::candidates_of(editor().session, *editor().session.body().find(node));
  }
};

TEST_F(GalleryTest, AClickPicksAndIsUndone) {
  show(picks, "seek");
  ASSERT_TRUE(sees("candidate.0"));
  ASSERT_TRUE(sees("candidate.2"));
  EXPECT_EQ(found("seek")->picked, 0);
  click("candidate.1");
  frames(3);
  EXPECT_EQ(param("seek", "pick"), Json(1));
  EXPECT_EQ(found("seek")->picked, 1);
  EXPECT_EQ(steps(), 1u);
  key("Ctrl+Z");
  EXPECT_EQ(param("seek", "pick"), Json());
}

TEST_F(GalleryTest, ParametersAreSetInOneStep) {
  show(numbers, "find");
  const std::string before = text();
  ASSERT_TRUE(found("find")->sets_parameters);
  EXPECT_EQ(found("find")->picked, -1);
  click("candidate.1");
  frames(3);
  EXPECT_EQ(param("box", "size")[0], Json(0.5));
  EXPECT_EQ(param("box", "segments_x"), Json(2));
  EXPECT_EQ(steps(), 1u);
  EXPECT_EQ(found("find")->picked, 1);
  key("Ctrl+Z");
  EXPECT_EQ(text(), before);
}

TEST_F(GalleryTest, ItStaysWithTheNodeThatWasChosen) {
  show(picks, "seek");
  editor().session.select_only("ball");
  frames(3);
  EXPECT_TRUE(sees("candidate.0"));
  // Of another document, the first that has found something.
  open(numbers);
  frames(3);
  EXPECT_TRUE(sees("candidate.1"));
  EXPECT_FALSE(sees("candidate.2"));
  open(R"({"sinew": 1, "nodes": [{"id": "ball", "type": "mesh.sphere"}], "links": []})");
  frames(3);
  EXPECT_FALSE(sees("candidate.0"));
}

TEST_F(GalleryTest, TheChoiceAloneIsNoReasonForOtherPictures) {
  show(picks, "seek");
  const Key before = rest_of(editor().session, *found("seek"));
  EXPECT_TRUE(editor().session.set_param("seek", "pick", 2));
  EXPECT_EQ(rest_of(editor().session, *found("seek")), before);
  EXPECT_TRUE(editor().session.set_param("ball", "radius", 2.0));
  EXPECT_NE(rest_of(editor().session, *found("seek")), before);
  show(numbers, "find");
  const Key unset = rest_of(editor().session, *found("find"));
  click("candidate.1");
  frames(3);
  EXPECT_EQ(rest_of(editor().session, *found("find")), unset);
}

TEST_F(GalleryTest, FilmsShowWhatACandidateDoes) {
  open(picks);
  const auto all = found("seek");
  const auto film = [&](std::size_t i) {
    return editor::film_of({*document_with(editor().session, *all, i), {}},
                           testing::work_registry(), nullptr);
  };
  const editor::FilmStrip high = film(1), still = film(2), far = film(0);
  ASSERT_EQ(high.count, 31);
  EXPECT_LE(high.count, editor::most_film_pictures);
  EXPECT_EQ(high.picture.width, high.columns * editor::film_width);
  EXPECT_DOUBLE_EQ(high.fps, 25);
  // The rows of the ball: at the bottom first, and then higher.
  const auto top = [](const editor::FilmStrip& strip, int index) {
    const int left = index % strip.columns * editor::film_width;
    const int first = index / strip.columns * editor::film_height;
    for (int y = 0; y < editor::film_height; ++y) {
      int covered = 0;
      for (int x = 0; x < editor::film_width; ++x) {
        const uint8_t* p = strip.picture.pixel(left + x, first + y);
        covered += p[3] > 200 && p[0] > p[2];  // clay, and not the floor
      }
      if (covered > 4) return y;
    }
    return editor::film_height;
  };
  EXPECT_GT(top(high, 0), top(high, 30) + 20);
  EXPECT_EQ(top(still, 0), top(still, 30));
  // What goes far is followed, as large as it is.
  EXPECT_NEAR(top(far, 0), top(far, 30), 2);
  std::atomic<bool> cancel{true};
  EXPECT_EQ(editor::film_of({*document_with(editor().session, *all, 0), {}},
                            testing::work_registry(), &cancel)
                .count,
            0);
}

TEST_F(GalleryTest, MemoryIsBounded) {
  editor::CandidateFilms films(desk().host(), testing::work_registry(), {});
  for (uint64_t i = 0; i < 100; ++i) {
    (void)films.get(KeyHasher(i).finish(), KeyHasher(1).finish(), static_cast<double>(i) * 0.01,
                    [] { return std::nullopt; });
    films.update(static_cast<double>(i) * 0.01);
  }
  EXPECT_LE(films.kept(), editor::CandidateFilms::most_kept);
  films.update(1000);
  EXPECT_EQ(films.kept(), 0u);
}

}  // namespace
}  // namespace sinew
