// The presets of the figures of [Ijiri09]: that they open without a word, keep their bodies whole,
// and do what their figures show. What drives a swimmer or a crawler is checked by taking it away.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <numeric>

#include "graph/compiled_graph.h"
#include "graph/document.h"
#include "graph/evaluator.h"
#include "nodes/register_all_nodes.h"
#include "nodes/values.h"
#include "tests/preset_files.h"

namespace sinew {
namespace {

const Registry& registry() {
  static const Registry* all = [] {
    auto* made = new Registry;
    register_all_nodes(*made);
    return made;
  }();
  return *all;
}

Eigen::Vector3d vector_of(const Vec3& v) { return {v.x, v.y, v.z}; }

// One preset and what it makes, frame by frame; any message fails the test.
class Scene {
 public:
  explicit Scene(const std::string& name) {
    path_ = testing::preset_file(name);
    Result<GraphDoc> doc = load_document(path_, registry());
    if (!doc) throw std::runtime_error(doc.error());
    doc_ = *std::move(doc);
  }

  // Another value for an input, whether it had one or a link.
  Scene& set(const std::string& id, const std::string& input, Json value) {
    const auto found = std::find_if(doc_.graph.nodes.begin(), doc_.graph.nodes.end(),
                                    [&](const NodeDoc& n) { return n.id == id; });
    if (found == doc_.graph.nodes.end()) throw std::runtime_error("there is no node " + id);
    found->params[input] = std::move(value);
    std::erase_if(doc_.graph.links, [&](const LinkDoc& link) {
      return link.to.node == id && link.to.socket == input;
    });
    return *this;
  }

  template <class T>
  T get(const std::string& output, int frame) {
    if (!graph_) graph_ = CompiledGraph::compile(doc_, registry());
    for (const NodeMessage& m : graph_->messages())
      ADD_FAILURE() << m.path << ": " << m.message.text;
    const Result<Target> target = graph_->find_output(output);
    if (!target) throw std::runtime_error(target.error());
    Context context;
    context.fps = doc_.settings.fps;
    context.start_frame = doc_.settings.first_frame;
    context.last_frame = doc_.settings.last_frame;
    context.folder = path_.parent_path();
    context.frame = frame;
    const Target targets[] = {*target};
    const Evaluation e = evaluator_.evaluate(*graph_, targets, context);
    for (const NodeMessage& m : e.messages(*graph_))
      ADD_FAILURE() << "frame " << frame << ", " << m.path << ": " << m.message.text;
    if (e.failed()) throw std::runtime_error("it failed at frame " + std::to_string(frame));
    return e.targets[0].value.as<T>();
  }

  Mesh skin(int frame, const std::string& id = "body") { return get<Mesh>(id + ".mesh", frame); }
  Eigen::Vector3d centre(int frame, const std::string& id = "body") {
    return vector_of(get<Vec3>(id + ".centre", frame));
  }

  std::vector<std::string> bodies() const {
    std::vector<std::string> ids;
    for (const NodeDoc& node : doc_.graph.nodes)
      if (node.type == "sim.shape_match") ids.push_back(node.id);
    return ids;
  }
  const GraphDoc& doc() const { return doc_; }

 private:
  std::filesystem::path path_;
  GraphDoc doc_;
  GraphPtr graph_;
  Evaluator evaluator_;
};

double volume_of(const TetMesh& solid) {
  double sum = 0;
  for (const auto& t : solid.tets()) {
    const Eigen::Vector3d a = solid.positions[t[0]].cast<double>();
    const auto edge = [&](int k) {
      return Eigen::Vector3d(solid.positions[t[k]].cast<double>() - a);
    };
    sum += edge(1).dot(edge(2).cross(edge(3))) / 6;
  }
  return sum;
}

Eigen::AlignedBox3f box_of(const std::vector<Vec3f>& points) {
  Eigen::AlignedBox3f box;
  for (const Vec3f& p : points) box.extend(p);
  return box;
}

// The mean of the places now whose places at rest were chosen.
Eigen::Vector3d mean_of(const Mesh& now, const Mesh& rest,
                        const std::function<bool(const Vec3f&)>& chosen) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  std::size_t count = 0;
  for (std::size_t i = 0; i < rest.vertex_count(); ++i) {
    if (!chosen(rest.positions[i])) continue;
    sum += now.positions[i].cast<double>();
    ++count;
  }
  EXPECT_GT(count, 3u);
  return sum / static_cast<double>(std::max<std::size_t>(count, 1));
}

// --- all of them ---------------------------------------------------------------------------------

class FigurePreset : public ::testing::TestWithParam<const char*> {};

TEST_P(FigurePreset, OpensWithoutAWordAndKeepsItsBodiesWhole) {
  Scene scene(GetParam());
  EXPECT_NE(scene.doc().meta.description.find("Try: "), std::string::npos);
  const int last = scene.doc().settings.last_frame;
  ASSERT_FALSE(scene.bodies().empty());
  for (const std::string& id : scene.bodies()) {
    const TetMesh rest = scene.get<TetMesh>(id + ".solid", 0);
    const double volume = volume_of(rest), size = box_of(rest.positions).diagonal().norm();
    ASSERT_GT(volume, 0);
    for (const int frame : {1, last}) {
      const TetMesh now = scene.get<TetMesh>(id + ".solid", frame);
      for (const Vec3f& p : now.positions) ASSERT_TRUE(p.allFinite()) << id << ", frame " << frame;
      EXPECT_GT(volume_of(now), 0.75 * volume) << id << ", frame " << frame;
      EXPECT_LT(volume_of(now), 1.35 * volume) << id << ", frame " << frame;
      const Mesh skin = scene.skin(frame, id);
      for (const Vec3f& p : skin.positions) ASSERT_TRUE(p.allFinite()) << id;
      EXPECT_LT(box_of(skin.positions).diagonal().norm(), 1.6 * size) << id;
    }
    // It has the momentum that the world has given it: rounding and all that is inside add less
    // than a thousandth of what would move it by its own size in a second.
    const Eigen::Vector3d momentum = vector_of(scene.get<Vec3>(id + ".momentum", last));
    const Eigen::Vector3d impulse = vector_of(scene.get<Vec3>(id + ".impulse", last));
    EXPECT_LT((momentum - impulse).norm(), 1e-3 * (1000 * volume) * size)
        << id << ": " << momentum.transpose() << " after " << impulse.transpose();
  }
}

INSTANTIATE_TEST_SUITE_P(All, FigurePreset,
                         ::testing::Values("jellyfish_swim", "bending_bar", "peristaltic_tube",
                                           "bowel", "snail_touch", "stiffness_row", "worm_crawl",
                                           "worm_bend", "heart"),
                         [](const auto& preset) { return std::string(preset.param); });

// --- figures 1 and 3 -----------------------------------------------------------------------------

TEST(JellyfishSwim, AdvancesByABellInTenStrokesAndNotWhereDragIsTheSameBothWays) {
  Scene scene("jellyfish_swim");
  const Eigen::Vector3d way = scene.centre(400, "swim") - scene.centre(0, "swim");
  EXPECT_GT(way.y(), 0.3);  // the bell's diameter
  EXPECT_LT(std::hypot(way.x(), way.z()), 0.1 * way.y());
  Scene still("jellyfish_swim");
  still.set("swim", "fluid", 0).set("swim", "drag", 2);
  const Eigen::Vector3d pulsing = still.centre(400, "swim") - still.centre(0, "swim");
  EXPECT_LT(pulsing.norm(), 0.1 * way.y());
}

// --- figure 5 ------------------------------------------------------------------------------------

// How far the middle of the bar stands above its ends.
double arch_of(Scene& scene, int frame) {
  const Mesh rest = scene.skin(0), now = scene.skin(frame);
  const auto middle = [](const Vec3f& p) { return std::abs(p.x()) < 0.04f; };
  const auto ends = [](const Vec3f& p) { return std::abs(p.x()) > 0.46f; };
  return mean_of(now, rest, middle).y() - mean_of(now, rest, ends).y();
}

TEST(BendingBar, BendsBothWaysAsFarAsTheStretchSays) {
  Scene scene("bending_bar");
  // c from a to 1/a across the thickness h: the radius is about h (a + 1/a) / (2 (a - 1/a)).
  const double a = 1.5, radius = 0.28 * (a + 1 / a) / (2 * (a - 1 / a));
  const double arch = radius * (1 - std::cos(0.48 / radius));
  const double down = arch_of(scene, 27), up = arch_of(scene, 77);
  EXPECT_NEAR(down, arch, 0.3 * arch);
  EXPECT_NEAR(up, -arch, 0.3 * arch);
  EXPECT_LT(std::abs(arch_of(scene, 51)), 0.1 * arch);
  EXPECT_NEAR(arch_of(scene, 127), down, 0.02 * arch);  // a round later
}

// --- figures 6 and 11, d to g --------------------------------------------------------------------

// Where the mean of a value over bins of a coordinate in [0, 1] is least, by a parabola through the
// lowest bin and its neighbours. Bins at the ends do not count.
double place_of_least(const std::vector<double>& at, const std::vector<double>& values) {
  constexpr int bins = 40;
  std::vector<double> sum(bins, 0), count(bins, 0);
  for (std::size_t i = 0; i < at.size(); ++i) {
    const int bin = std::clamp(static_cast<int>(at[i] * bins), 0, bins - 1);
    sum[bin] += values[i], ++count[bin];
  }
  for (int b = 0; b < bins; ++b) sum[b] /= std::max(count[b], 1.0);
  std::vector<double> smooth = sum;
  for (int b = 1; b + 1 < bins; ++b) smooth[b] = (sum[b - 1] + 2 * sum[b] + sum[b + 1]) / 4;
  const int best =
      static_cast<int>(std::min_element(smooth.begin() + 3, smooth.end() - 3) - smooth.begin());
  const double l = smooth[best - 1], m = smooth[best], r = smooth[best + 1];
  const double bend = l - 2 * m + r;
  return (best + 0.5 + (bend > 0 ? std::clamp(0.5 * (l - r) / bend, -0.5, 0.5) : 0)) / bins;
}

TEST(PeristalticTube, TheNarrowingTravelsAtTheSpeedOfThePhase) {
  Scene scene("peristaltic_tube");
  const Mesh rest = scene.skin(0);
  const Eigen::AlignedBox3f box = box_of(rest.positions);
  const auto narrowest = [&](int frame) {
    const Mesh now = scene.skin(frame);
    std::vector<double> at, width;
    for (std::size_t i = 0; i < rest.vertex_count(); ++i) {
      const Vec3f &p = rest.positions[i], &q = now.positions[i];
      if (std::hypot(p.y(), p.z()) < 0.1f) continue;  // the outside
      at.push_back((p.x() - box.min().x()) / box.sizes().x());
      width.push_back(std::hypot(q.y(), q.z()));
    }
    const double least = *std::min_element(width.begin(), width.end());
    EXPECT_LT(least, 0.85 * 0.108);
    return place_of_least(at, width);
  };
  // 0.4 phases a second, one second.
  EXPECT_NEAR(narrowest(100) - narrowest(75), 0.4, 0.06);
}

TEST(Bowel, TheContractionFollowsTheWayThroughTheWall) {
  Scene scene("bowel");
  const Field way = scene.get<Field>("way.field", 0);
  const auto tightest = [&](int frame) {
    const Field strain = scene.get<Field>("body.strain", frame);
    std::vector<double> at, values;
    for (std::size_t i = 0; i < way.size(); ++i) {
      at.push_back(way.at(i));
      values.push_back(strain.at(i));
    }
    return place_of_least(at, values);
  };
  // Two rings at once: both stay away from the ends between these frames.
  EXPECT_NEAR(tightest(120) - tightest(100), 0.22 * 0.8, 0.05);
}

// --- figure 7 ------------------------------------------------------------------------------------

TEST(SnailTouch, ShortensAfterEachTouchAndComesBack) {
  Scene scene("snail_touch");
  const auto length = [](Scene& s, int frame) {
    return box_of(s.skin(frame).positions).sizes().z();
  };
  const float before = length(scene, 19);
  EXPECT_LT(length(scene, 42), 0.95f * before);   // a feeler
  EXPECT_GT(length(scene, 98), 0.97f * before);   // and back
  EXPECT_LT(length(scene, 118), 0.95f * before);  // the flank
  EXPECT_GT(length(scene, 170), 0.97f * before);
  EXPECT_LT(length(scene, 195), 0.95f * before);  // the finger, which it feels by itself
  EXPECT_GT(length(scene, 250), 0.97f * before);
  // The shell stays as it is.
  const Mesh rest = scene.skin(0), now = scene.skin(195);
  for (std::size_t i = 0; i < rest.vertex_count(); ++i) {
    if (rest.positions[i].y() < 0.2f || rest.positions[i].z() > 0) continue;
    EXPECT_LT((rest.positions[i] - now.positions[i]).norm(), 0.01f);
  }
  for (const Vec3f& p : now.positions) EXPECT_GT(p.y(), -0.025f);  // the ground is at -0.01

  Scene numb("snail_touch");
  numb.set("touch", "touches", Json::array()).set("touch", "feels", false);
  for (const int frame : {42, 118, 195}) EXPECT_GT(length(numb, frame), 0.97f * before) << frame;
}

// --- figure 8 ------------------------------------------------------------------------------------

TEST(StiffnessRow, SagsLessWithMorePasses) {
  Scene scene("stiffness_row");
  const auto sag = [&](const std::string& id) {
    return box_of(scene.skin(0, id).positions).min().y() -
           box_of(scene.skin(150, id).positions).min().y();
  };
  const float limp = sag("n1"), soft = sag("n6"), stiff = sag("n15");
  EXPECT_GT(limp, 1.3f * soft);
  EXPECT_GT(soft, 1.2f * stiff);
  EXPECT_GT(stiff, 0.1f);
  // They hang still.
  EXPECT_NEAR(box_of(scene.skin(145, "n15").positions).min().y(),
              box_of(scene.skin(150, "n15").positions).min().y(), 0.01);
}

// --- figure 9 ------------------------------------------------------------------------------------

double way_of_worm(Scene& scene) {  // in ten rounds
  return scene.centre(400).z() - scene.centre(0).z();
}

TEST(WormCrawl, AdvancesByItsLengthInTenWavesAndNotWithoutBristles) {
  Scene scene("worm_crawl");
  const double way = way_of_worm(scene);
  EXPECT_GT(way, 1);  // its length
  for (const Vec3f& p : scene.skin(400).positions) EXPECT_GT(p.y(), -0.01f);
  Scene smooth("worm_crawl");
  smooth.set("body", "grip_forward", 1).set("body", "grip_backward", 1);
  EXPECT_LT(std::abs(way_of_worm(smooth)), 0.1 * way);
  Scene afloat("worm_crawl");
  afloat.set("ground", "friction", 0).set("body", "drag", 5);
  EXPECT_LT(std::abs(way_of_worm(afloat)), 0.1 * way);
}

TEST(WormBend, WindsToBothSidesAndMovesByIt) {
  Scene scene("worm_bend");
  const Mesh rest = scene.skin(0);
  const auto part = [&](const Mesh& now, float from, float to) {
    return mean_of(now, rest, [=](const Vec3f& p) { return p.z() > from && p.z() < to; });
  };
  double left = 0, right = 0;
  for (int frame = 80; frame <= 120; frame += 4) {
    const Mesh now = scene.skin(frame);
    const double aside = part(now, -0.05f, 0.05f).x() -
                         0.5 * (part(now, 0.2f, 0.3f).x() + part(now, -0.3f, -0.2f).x());
    left = std::max(left, aside);
    right = std::min(right, aside);
  }
  EXPECT_GT(left, 0.03);
  EXPECT_LT(right, -0.03);
  const double way = way_of_worm(scene);
  EXPECT_GT(way, 0.5);
  Scene afloat("worm_bend");
  afloat.set("ground", "friction", 0).set("body", "drag", 5);
  EXPECT_LT(std::abs(way_of_worm(afloat)), 0.1 * way);
}

// --- figure 10 -----------------------------------------------------------------------------------

// The crowd's members: where each is now, by its middle.
std::vector<Eigen::Vector3d> places_of(const TetMesh& all, std::size_t members) {
  const std::size_t each = all.vertex_count() / members;
  std::vector<Eigen::Vector3d> places(members, Eigen::Vector3d::Zero());
  for (std::size_t i = 0; i < all.vertex_count(); ++i) {
    places[i / each] += all.positions[i].cast<double>() / static_cast<double>(each);
  }
  return places;
}
// A crowd of so many that is whole, in these frames.
void expect_whole_crowd(Scene& scene, std::size_t members, std::initializer_list<int> frames) {
  EXPECT_NE(scene.doc().meta.description.find("Try: "), std::string::npos);
  const TetMesh rest = scene.get<TetMesh>("swarm.solid", 0);
  const std::size_t each = scene.get<TetMesh>("solid.solid", 0).vertex_count();
  ASSERT_EQ(rest.vertex_count(), members * each);
  const double volume = volume_of(rest);
  ASSERT_GT(volume, 0);
  for (const int frame : frames) {
    const TetMesh now = scene.get<TetMesh>("swarm.solid", frame);
    for (const Vec3f& p : now.positions) ASSERT_TRUE(p.allFinite()) << frame;
    for (const Vec3f& p : surface_of(now).positions) ASSERT_TRUE(p.allFinite()) << frame;
    EXPECT_GT(volume_of(now), 0.75 * volume) << frame;
    EXPECT_LT(volume_of(now), 1.35 * volume) << frame;
  }
}

TEST(JellyfishCrowd, AllOfThemRise) {
  Scene scene("jellyfish_crowd");
  const int last = scene.doc().settings.last_frame;
  expect_whole_crowd(scene, 31, {1, last / 2, last});
  const double start = scene.centre(0, "swarm").y(), half = scene.centre(last / 2, "swarm").y(),
               end = scene.centre(last, "swarm").y();
  EXPECT_GT(half, start + 0.1);
  EXPECT_GT(end, half + 0.1);
  const std::vector<Eigen::Vector3d> before = places_of(scene.get<TetMesh>("swarm.solid", 0), 31);
  const std::vector<Eigen::Vector3d> after = places_of(scene.get<TetMesh>("swarm.solid", last), 31);
  for (std::size_t i = 0; i < 31; ++i) {
    EXPECT_GT(after[i].y(), before[i].y()) << i;
    EXPECT_LT((after[i] - before[i]).norm(), 5) << i;
  }
}

TEST(WormCrowd, FallsToTheGroundAndSpreads) {
  Scene scene("worm_crowd");
  const int last = scene.doc().settings.last_frame;
  expect_whole_crowd(scene, 101, {1, last / 2, last});
  for (const int frame : {last / 2, last}) {
    for (const Vec3f& p : surface_of(scene.get<TetMesh>("swarm.solid", frame)).positions) {
      ASSERT_GT(p.y(), -0.03f) << frame;
    }
  }
  // How far they are from the middle of all, on the ground.
  const auto spread = [&](int frame) {
    const std::vector<Eigen::Vector3d> places =
        places_of(scene.get<TetMesh>("swarm.solid", frame), 101);
    Eigen::Vector3d middle = Eigen::Vector3d::Zero();
    for (const Eigen::Vector3d& p : places) middle += p / 101;
    double sum = 0;
    for (const Eigen::Vector3d& p : places) sum += std::hypot((p - middle).x(), (p - middle).z());
    return sum / 101;
  };
  EXPECT_GT(spread(last), 1.1 * spread(0));
  EXPECT_GT(spread(last), spread(last / 2));
  EXPECT_LT(spread(last), 5) << "they crawl, they are not thrown";
  // And they lie on it.
  EXPECT_LT(scene.centre(last, "swarm").y(), 0.3);
}

// --- figure 11, a to c ---------------------------------------------------------------------------

// Degrees by which a level of the heart has turned about the vertical.
double turn_of(const Mesh& now, const Mesh& rest, float from, float to) {
  const auto level = [=](const Vec3f& p) { return p.y() > from && p.y() < to; };
  const Eigen::Vector3d here = mean_of(now, rest, level), there = mean_of(rest, rest, level);
  double along = 0, across = 0;
  for (std::size_t i = 0; i < rest.vertex_count(); ++i) {
    if (!level(rest.positions[i])) continue;
    const Eigen::Vector3d a = rest.positions[i].cast<double>() - there;
    const Eigen::Vector3d b = now.positions[i].cast<double>() - here;
    along += a.x() * b.x() + a.z() * b.z();
    across += a.z() * b.x() - a.x() * b.z();
  }
  return std::atan2(across, along) * 180 / 3.14159265358979;
}

// What the skin encloses without touching the outside: its pieces that are inside out.
double hollows_of(const Mesh& skin) {
  std::vector<uint32_t> piece(skin.vertex_count());
  std::iota(piece.begin(), piece.end(), 0u);
  const auto root = [&](uint32_t v) {
    while (piece[v] != v) v = piece[v] = piece[piece[v]];
    return v;
  };
  for (const Triangle& t : skin.triangles())
    for (const uint32_t v : {t[1], t[2]}) piece[root(t[0])] = root(v);
  std::map<uint32_t, double> volumes;
  for (const Triangle& t : skin.triangles()) {
    const auto corner = [&](int k) { return Eigen::Vector3d(skin.positions[t[k]].cast<double>()); };
    volumes[root(t[0])] += corner(0).dot(corner(1).cross(corner(2))) / 6;
  }
  double sum = 0;
  for (const auto& [_, volume] : volumes) sum += std::max(-volume, 0.0);
  return sum;
}

TEST(Heart, TwistsAndPressesOutItsHollows) {
  Scene scene("heart");
  const Mesh rest = scene.skin(0);
  const auto twist = [&](int frame) {
    const Mesh now = scene.skin(frame);
    return turn_of(now, rest, -0.055f, -0.04f) - turn_of(now, rest, -0.01f, 0.005f);
  };
  EXPECT_GT(std::abs(twist(40)), 10);  // in the second beat
  EXPECT_LT(std::abs(twist(57)), 3);   // at rest again
  const double full = hollows_of(rest);
  EXPECT_GT(full, 1e-5);
  EXPECT_LT(hollows_of(scene.skin(42)), 0.85 * full);
  EXPECT_GT(hollows_of(scene.skin(57)), 0.9 * full);
}

}  // namespace
}  // namespace sinew
