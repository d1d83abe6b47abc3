// The animation tests of the thesis [Hurmusiadis, section 9.4.2.1]: what each is to show, it shows.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>

#include "graph/compiled_graph.h"
#include "graph/document.h"
#include "graph/evaluator.h"
#include "nodes/values.h"
#include "tests/preset_files.h"
#include "tests/presets/preset_registry.h"

namespace sinew {
namespace {

class Shown {
 public:
  explicit Shown(const std::string& test)
      : doc_(*load_document(testing::preset_file("voodoo_test_" + test), registry())),
        graph_(CompiledGraph::compile(doc_, registry())) {
    context_.fps = doc_.settings.fps;
    context_.last_frame = doc_.settings.last_frame;
  }
  template <class T>
  T at(const std::string& output, int frame) {
    context_.frame = frame;
    const Target target = *graph_->find_output(output);
    const Evaluation e = evaluator_.evaluate(*graph_, {&target, 1}, context_);
    for (const NodeMessage& m : e.messages(*graph_)) {
      ADD_FAILURE() << "frame " << frame << ": " << m.message.text;
    }
    return e.targets[0].value.as<T>();
  }
  // The number that a node has for an input; with an index, of a vector.
  double number(const std::string& node, const std::string& input, int index = -1) const {
    for (const NodeDoc& n : doc_.graph.nodes) {
      if (n.id != node || !n.params.contains(input)) continue;
      const Json& value = n.params.at(input);
      return (index < 0 ? value : value.at(static_cast<std::size_t>(index))).get<double>();
    }
    return std::nan("");
  }
  std::string type(const std::string& node) const {
    for (const NodeDoc& n : doc_.graph.nodes) {
      if (n.id == node) return n.type;
    }
    return "";
  }

 private:
  GraphDoc doc_;
  GraphPtr graph_;
  Evaluator evaluator_;
  Context context_;
};

float top_of(const Mesh& mesh) {
  float top = -INFINITY;
  for (const Vec3f& p : mesh.positions) top = std::max(top, p.y());
  return top;
}

TEST(ThesisTests, SettingsAreThoseOfTheThesis) {
  struct Setting {
    const char *test, *node, *input;
    int index;
    double value;
  };
  constexpr Setting settings[] = {{"05", "pin", "flexibility", -1, 1.3},
                                  {"05", "stuff", "mass", -1, 100},
                                  {"05", "stuff", "restoration", -1, 7.6},
                                  {"11", "stuff", "mass", -1, 100},
                                  {"11", "stuff", "viscosity", -1, 1.9},
                                  {"11", "stuff", "creep_coefficient", -1, 0.1},
                                  {"11", "stuff", "creep_duration", -1, 16},
                                  {"12", "operator", "flexibility", -1, 1.6},
                                  {"12", "operator", "weight", -1, 1.5},
                                  {"13", "first", "flexibility", -1, 0},
                                  {"13", "second", "flexibility", -1, 0},
                                  {"13", "third", "flexibility", -1, 0},
                                  {"13", "first", "radii", 0, 0.3},
                                  {"13", "second", "radii", 1, 0.3},
                                  {"14", "left", "radii", 0, 0.3},
                                  {"14", "left", "radii", 1, 0.3},
                                  {"14", "right", "radii", 0, 0.3},
                                  {"14", "right", "radii", 1, 0.3},
                                  {"14", "left", "cap", -1, 0.75},
                                  {"14", "right", "cap", -1, 0.75},
                                  {"14", "left", "elongation", -1, 0.7},
                                  {"14", "right", "elongation", -1, 0.7},
                                  {"14", "dough", "viscosity", -1, 0.6},
                                  {"14", "dough", "creep_coefficient", -1, 0.9},
                                  {"14", "dough", "creep_duration", -1, 10},
                                  {"15", "ground", "viscosity", -1, 0.7},
                                  {"15", "ground", "creep_coefficient", -1, 0.5},
                                  {"15", "ground", "creep_duration", -1, 10}};
  for (const Setting& s : settings) {
    EXPECT_DOUBLE_EQ(Shown(s.test).number(s.node, s.input, s.index), s.value)
        << s.test << " " << s.node << "." << s.input;
  }
}

// "A smooth return to the original shape", where test 4 is "a decayed oscillation".
TEST(ThesisTests, FourSwingsAndFiveSinksBack) {
  Shown four("04"), five("05");
  const float rest_4 = top_of(four.at<Mesh>("apply.body", 0));
  const float rest_5 = top_of(five.at<Mesh>("apply.body", 0));
  const float drawn_4 = top_of(four.at<Mesh>("apply.body", 39)) - rest_4;
  const float drawn_5 = top_of(five.at<Mesh>("apply.body", 39)) - rest_5;
  EXPECT_GT(drawn_4, 0.1f);
  EXPECT_GT(drawn_5, 0.1f);
  float lowest_4 = 0, before = drawn_5;
  for (int frame = 42; frame <= 232; frame += 3) {
    lowest_4 = std::min(lowest_4, top_of(four.at<Mesh>("apply.body", frame)) - rest_4);
    const float now = top_of(five.at<Mesh>("apply.body", frame)) - rest_5;
    EXPECT_LT(now, before + 1e-3f * drawn_5) << frame;
    EXPECT_GT(now, -0.02f * drawn_5) << frame;
    before = now;
  }
  EXPECT_LT(lowest_4, -0.2f * drawn_4);
  EXPECT_LT(before, 0.05f * drawn_5);
}

// Land that is drawn up has a moat, but no step where the field ends; let go, it goes back.
TEST(ThesisTests, ElevenIsLandWithAMoat) {
  Shown shown("11");
  EXPECT_EQ(shown.type("land"), "cast.terrain");
  const Mesh rest = shown.at<Mesh>("land.mesh", 0);
  const auto lift_at = [&](int frame) {
    std::vector<float> lift;
    const Mesh now = shown.at<Mesh>("apply.body", frame);
    for (std::size_t i = 0; i < rest.positions.size(); ++i) {
      lift.push_back(now.positions[i].y() - rest.positions[i].y());
    }
    return lift;
  };
  for (const int frame : {75, 285}) {
    const std::vector<float> lift = lift_at(frame);
    EXPECT_GT(*std::max_element(lift.begin(), lift.end()), 0.4f);
    EXPECT_LT(*std::min_element(lift.begin(), lift.end()), -0.04f);
    float steepest = 0;
    for (const Triangle& t : rest.triangles()) {
      for (int k = 0; k < 3; ++k) {
        const uint32_t a = t[k], b = t[(k + 1) % 3];
        const Vec3f edge = rest.positions[b] - rest.positions[a];
        // About the rim, of those that lie.
        const Vec3f middle = 0.5f * (rest.positions[a] + rest.positions[b]);
        const float radius = std::hypot(middle.x(), middle.z());
        if (radius < 1.82f || radius > 2 || edge.norm() < 1e-3f) continue;
        steepest = std::max(steepest, std::abs(lift[b] - lift[a]) / edge.norm());
      }
    }
    EXPECT_LT(steepest, 0.25f) << frame;
  }
  for (const float lift : lift_at(225)) EXPECT_LT(std::abs(lift), 0.05f);
  // Just after it was let go, it moves fastest.
  for (int frame = 88; frame < 125; ++frame) lift_at(frame);
}

// The whole body travels with the head: where the head is, the pillar's ring about it is.
TEST(ThesisTests, TwelveFollowsItsHead) {
  Shown shown("12");
  const Mesh rest = shown.at<Mesh>("stand.mesh", 0);
  const Vec3 start = shown.at<Vec3>("head_path.position", 0);
  float farthest = 0;
  for (const int frame : {13, 37, 60, 90, 145}) {
    const Mesh now = shown.at<Mesh>("deform.body", frame);
    const Vec3 head = shown.at<Vec3>("head_path.position", frame);
    const Vec3f went(head.x - start.x, head.y - start.y, head.z - start.z);
    Vec3f moved = Vec3f::Zero();
    int count = 0;
    for (std::size_t i = 0; i < rest.positions.size(); ++i) {
      if (std::abs(rest.positions[i].y() - 0.2f) > 0.05f) continue;
      moved += now.positions[i] - rest.positions[i];
      ++count;
    }
    ASSERT_GT(count, 0);
    EXPECT_LT((moved / static_cast<float>(count) - went).norm(), 0.05f) << frame;
    farthest = std::max(farthest, went.norm());
  }
  EXPECT_GT(farthest, 0.4f);
}

// How far points are from the best rigid motion of their rest.
float off_rigid(const std::vector<Vec3f>& rest, const std::vector<Vec3f>& now) {
  Eigen::Matrix3Xf a(3, rest.size()), b(3, rest.size());
  for (std::size_t i = 0; i < rest.size(); ++i) {
    a.col(static_cast<Eigen::Index>(i)) = rest[i];
    b.col(static_cast<Eigen::Index>(i)) = now[i];
  }
  const Eigen::Matrix4f motion = Eigen::umeyama(a, b, false);
  const Eigen::Matrix3Xf fitted =
      (motion.topLeftCorner<3, 3>() * a).colwise() + Vec3f(motion.topRightCorner<3, 1>());
  return (fitted - b).colwise().norm().maxCoeff();
}

TEST(ThesisTests, ThirteenIsRigidBetweenItsJoints) {
  Shown shown("13");
  const Mesh rest = shown.at<Mesh>("stand.mesh", 0);
  float bent = 0;
  for (const int frame : {25, 50, 68, 85, 112}) {
    const Mesh now = shown.at<Mesh>("deform.body", frame);
    const auto between = [&](float low, float high) {
      std::vector<Vec3f> before, after;
      for (std::size_t i = 0; i < rest.positions.size(); ++i) {
        if (rest.positions[i].y() < low || rest.positions[i].y() > high) continue;
        before.push_back(rest.positions[i]);
        after.push_back(now.positions[i]);
      }
      return off_rigid(before, after);
    };
    for (const float bone : {0.f, 1.f, 2.f}) {
      EXPECT_LT(between(bone + 0.3f, bone + 0.7f), 1e-3f) << frame << " bone " << bone;
      EXPECT_LT(between(bone + 0.2f, bone + 0.8f), 0.03f) << frame << " bone " << bone;
    }
    bent = std::max(bent, between(0.3f, 2.7f));
  }
  EXPECT_GT(bent, 0.3f);
}

// m^2 of the ground about a corner that is lifted by more than half of what is lifted most.
double hill_area(const Mesh& rest, const Mesh& now, const Vec3f& corner) {
  float peak = 0;
  const auto lift = [&](uint32_t v) { return now.positions[v].y() - rest.positions[v].y(); };
  for (uint32_t v = 0; v < rest.positions.size(); ++v) peak = std::max(peak, lift(v));
  double area = 0;
  for (const Triangle& t : rest.triangles()) {
    const Vec3f &a = rest.positions[t[0]], &b = rest.positions[t[1]], &c = rest.positions[t[2]];
    const float up = 0.5f * (b - a).cross(c - a).y();
    const float mean = (lift(t[0]) + lift(t[1]) + lift(t[2])) / 3;
    const Vec3f away = (a + b + c) / 3 - corner;
    const bool near = std::hypot(away.x(), away.z()) < 0.9f;
    if (near && up > 0 && mean > 0.5f * peak) area += double{up};
  }
  return area;
}

// The land creeps: on the last round the hill of each corner is twice as wide as on the first.
TEST(ThesisTests, FifteenGrowsHills) {
  struct Rise {
    Vec3f corner;
    int first, last;
  };
  const Rise rises[] = {
      {{-0.95f, 0, 0.75f}, 17, 182}, {{0.95f, 0, 0.75f}, 45, 210}, {{0, 0, -0.9f}, 67, 232}};
  Shown shown("15");
  const Mesh rest = shown.at<Mesh>("land.mesh", 0);
  for (const Rise& rise : rises) {
    const double narrow = hill_area(rest, shown.at<Mesh>("deform.body", rise.first), rise.corner);
    const double wide = hill_area(rest, shown.at<Mesh>("deform.body", rise.last), rise.corner);
    EXPECT_GT(narrow, 0.2);
    EXPECT_GT(wide, 2 * narrow) << rise.first << ": " << narrow << " to " << wide;
  }
}

}  // namespace
}  // namespace sinew
