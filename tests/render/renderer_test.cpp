// The renderer on a device that draws nothing: what is sent to the graphics card and what is not,
// that nothing is left behind, and that what cannot be drawn is said and does not stop the rest.
#include "render/renderer.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <limits>

#include "tests/render/shapes.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();
#endif

namespace sinew::render::test {
namespace {

constexpr float none = std::numeric_limits<float>::quiet_NaN();

std::unique_ptr<Device> open_noop() {
  DeviceOptions options;
  options.backend = Backend::noop;
  std::string error;
  std::unique_ptr<Device> device = Device::open(options, error);
  EXPECT_TRUE(device) << error;
  return device;
}

draw::DrawList list_of(std::vector<draw::Mesh> meshes) {
  draw::DrawList list;
  list.meshes = std::move(meshes);
  return list;
}

class RendererTest : public testing::Test {
 protected:
  // What showing a list sends.
  UploadCounts sent(const draw::DrawList& list) {
    const UploadCounts before = renderer_->uploads();
    report_ = renderer_->show(list, view_);
    UploadCounts now = renderer_->uploads();
    now.meshes -= before.meshes;
    now.values -= before.values;
    now.topologies -= before.topologies;
    now.bytes -= before.bytes;
    return now;
  }
  void expect_sent(const draw::DrawList& list, uint64_t topologies, uint64_t meshes,
                   uint64_t values) {
    const UploadCounts counts = sent(list);
    EXPECT_EQ(counts.topologies, topologies);
    EXPECT_EQ(counts.meshes, meshes);
    EXPECT_EQ(counts.values, values);
    EXPECT_EQ(counts.bytes > 0, topologies + meshes + values > 0);
  }

  std::unique_ptr<Device> device_ = open_noop();
  std::unique_ptr<Renderer> renderer_ = std::make_unique<Renderer>(*device_);
  View view_;
  FrameReport report_;
};

TEST_F(RendererTest, WhatIsThereIsNotSentAgain) {
  const Body body = ball(20, 30);
  expect_sent(list_of({body.mesh(1)}), 1, 1, 0);
  for (int i = 0; i < 5; ++i) expect_sent(list_of({body.mesh(1)}), 0, 0, 0);
  EXPECT_GT(report_.seconds, 0);
  EXPECT_TRUE(report_.problems.empty());
}

TEST_F(RendererTest, ABodyThatMovedIsSentWithoutItsTriangles) {
  const Body body = ball(20, 30);
  sent(list_of({body.mesh(1)}));
  const DeviceCounts before = device_->counts();
  const UploadCounts counts = sent(list_of({body.scaled(2).mesh(2)}));
  EXPECT_EQ(counts.topologies, 0u);
  EXPECT_EQ(counts.meshes, 1u);
  EXPECT_EQ(counts.bytes, 3 * body.triangles->size() * 20);
  EXPECT_EQ(device_->counts(), before) << "the same buffers";
  // A name that stood for something is not forgotten while its buffers are.
  expect_sent(list_of({body.mesh(1)}), 0, 1, 0);
}

TEST_F(RendererTest, BodiesOfOneKindShareWhatTheyCan) {
  const Body body = ball(20, 30);
  const auto both = [&](uint64_t first, uint64_t second) {
    return list_of({body.mesh(first, "first"), body.scaled(0.5f).mesh(second, "second")});
  };
  expect_sent(both(1, 2), 1, 2, 0);
  expect_sent(both(1, 2), 0, 0, 0);
  expect_sent(both(1, 3), 0, 1, 0);
  expect_sent(both(4, 5), 0, 2, 0);
  // Twins are one.
  const Body other = box();
  expect_sent(list_of({other.mesh(9, "a"), other.mesh(9, "b")}), 1, 1, 0);
  // One of two goes, and comes back.
  sent(both(4, 5));
  sent(list_of({body.scaled(0.5f).mesh(5, "second")}));
  expect_sent(both(4, 5), 0, 0, 0);
}

TEST_F(RendererTest, ValuesAloneAreSentAlone) {
  const Body body = ball(20, 30);
  std::vector<float> values(body.positions->size(), 0.5f);
  draw::DrawList list = list_of({body.mesh(1)});
  list.meshes[0].scale = list.add({});
  list.meshes[0].values = values;
  list.meshes[0].values_key = {7, 7};
  expect_sent(list, 1, 1, 1);
  expect_sent(list, 0, 0, 0);
  list.meshes[0].values_key = {8, 7};
  expect_sent(list, 0, 0, 1);
  list.meshes[0].key = {2, 0};
  expect_sent(list, 0, 1, 0);
  // Values per triangle are others, and without values the same body is still the same.
  std::vector<float> per_triangle(body.triangles->size(), 1.0f);
  list.meshes[0].values = per_triangle;
  list.meshes[0].values_per = draw::ValuesPer::triangle;
  list.meshes[0].values_key = {9, 7};
  expect_sent(list, 0, 0, 1);
  list.meshes[0].values = {};
  expect_sent(list, 0, 0, 0);
  EXPECT_TRUE(report_.problems.empty());
}

TEST_F(RendererTest, WhatHasNoNameIsAlwaysSent) {
  const Body body = ball(5, 6);
  std::vector<float> values(body.positions->size(), 0.5f);
  draw::DrawList list = list_of({body.mesh(0)});
  expect_sent(list, 1, 1, 0);
  expect_sent(list, 0, 1, 0);
  list.meshes[0].values = values;
  list.meshes[0].scale = list.add({});
  expect_sent(list, 0, 1, 1);
  expect_sent(list, 0, 1, 1);
  list.meshes[0].key = {1, 0};
  expect_sent(list, 0, 1, 1);
  expect_sent(list, 0, 0, 1);
}

// Other triangles with the same counts and no name must not be drawn as the first ones.
TEST_F(RendererTest, TrianglesWithoutANameAreNeverTheSame) {
  const Body straight = box();
  std::vector<Triangle> others = *straight.triangles;
  for (Triangle& v : others) std::swap(v[0], v[1]);
  const Body turned = body(*straight.positions, others);
  draw::Mesh first = straight.mesh(1), second = turned.mesh(1);
  first.topology = second.topology = nullptr;
  expect_sent(list_of({first}), 1, 1, 0);
  expect_sent(list_of({second}), 1, 1, 0);
  const DeviceCounts few = device_->counts();
  for (int i = 0; i < 50; ++i) sent(list_of({i % 2 == 0 ? first : second}));
  EXPECT_LE(device_->counts().vertex_buffers, few.vertex_buffers + 1) << "they cannot come back";
}

// What is allocated and not freed, in bytes. A sanitizer has an allocator of its own.
std::size_t memory_in_use() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return __sanitizer_get_current_allocated_bytes();
#else
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#endif
}
constexpr std::size_t small_change = std::size_t{1} << 20;

TEST_F(RendererTest, AThousandFramesOfADeformingBodyLeaveNothingBehind) {
  const Body body = ball(200, 250);
  ASSERT_GE(body.triangles->size(), 100'000u);
  std::vector<Body> poses;
  for (int i = 0; i < 4; ++i)
    poses.push_back(body.moved([&](const Point& p) {
      return Point(p.x() + 0.1f * std::sin(4 * p.y() + static_cast<float>(i)), p.y(), p.z());
    }));
  std::size_t memory = 0;
  DeviceCounts counts;
  for (uint64_t frame = 1; frame <= 1000; ++frame) {
    expect_sent(list_of({poses[frame % 4].mesh(frame)}), frame == 1 ? 1 : 0, 1, 0);
    if (frame == 200) {
      memory = memory_in_use();
      counts = device_->counts();
    }
    if (frame > 200) {
      ASSERT_EQ(device_->counts(), counts) << "frame " << frame;
    }
  }
  EXPECT_LT(memory_in_use(), memory + small_change);
}

TEST_F(RendererTest, TrianglesThatChangeInEveryFrameDoNotPileUp) {
  std::size_t memory = 0;
  DeviceCounts counts;
  for (uint64_t frame = 1; frame <= 600; ++frame) {
    expect_sent(list_of({ball(30 + frame % 7, 40).mesh(frame)}), 1, 1, 0);
    if (frame == 300) {
      memory = memory_in_use();
      counts = device_->counts();
    }
  }
  EXPECT_EQ(device_->counts(), counts);
  EXPECT_LT(counts.dynamic_vertex_buffers, 120);
  EXPECT_LT(memory_in_use(), memory + small_change);
}

TEST_F(RendererTest, LargeBodiesThatAreGoneAreNotKeptLong) {
  for (uint64_t frame = 1; frame <= 40; ++frame) sent(list_of({ball(200, 250).mesh(frame)}));
  // 7 MB each, of which 128 MB may wait for their return.
  EXPECT_LT(device_->counts().dynamic_vertex_buffers, 22);
}

TEST_F(RendererTest, NothingIsLeftWhenItIsGone) {
  draw::DrawList list = list_of({ball(20, 30).mesh(1), box().mesh(2)});
  list.points.emplace_back().points = {Point(0, 0, 0)};
  list.labels.emplace_back().text = "words";
  view_.look.overlays = ~0u;
  sent(list);
  EXPECT_NE(device_->counts(), DeviceCounts());
  renderer_.reset();
  EXPECT_EQ(device_->counts(), DeviceCounts());
  // Another one may follow.
  renderer_ = std::make_unique<Renderer>(*device_);
  expect_sent(list, 2, 2, 0);
}

TEST_F(RendererTest, WhatCannotBeDrawnIsSaidAndTheRestIsDrawn) {
  const Body good = box();
  std::vector<Point> hurt = *good.positions;
  hurt[6].y() = none;
  const Body not_finite = body(hurt, *good.triangles);
  const Body out_of_range = body(*good.positions, {{0, 1, 2}, {3, 4, 8}});
  const Body no_triangles = body(*good.positions, {});
  draw::DrawList list =
      list_of({not_finite.mesh(1, "bell.mesh"), good.mesh(2, "good"), out_of_range.mesh(3, "torn"),
               no_triangles.mesh(4, "none"), body({}, {}).mesh(5, "nothing")});
  for (int i = 0; i < 3; ++i) {
    const UploadCounts counts = sent(list);
    EXPECT_EQ(counts.meshes, i == 0 ? 1u : 0u) << "only the good one";
    ASSERT_EQ(report_.problems.size(), 2u);
    EXPECT_EQ(report_.problems[0],
              "'bell.mesh' is not drawn: the position of vertex 6 is not a number");
    EXPECT_EQ(report_.problems[1],
              "'torn' is not drawn: triangle 1 refers to vertex 8, but there are 8");
  }
  // It is drawn again when it is sound.
  list = list_of({good.scaled(2).mesh(6, "bell.mesh")});
  list.meshes[0].topology = not_finite.triangles;
  sent(list);
  EXPECT_TRUE(report_.problems.empty());
  sent({});
  EXPECT_TRUE(report_.problems.empty());
}

TEST_F(RendererTest, ProblemsNameTheirOwnBody) {
  std::vector<Point> hurt = *box().positions;
  hurt[0].x() = none;
  const Body bad = body(hurt, *box().triangles);
  sent(list_of({bad.mesh(1, "first"), bad.mesh(1, "second")}));
  ASSERT_EQ(report_.problems.size(), 2u);
  EXPECT_NE(report_.problems[0].find("'first'"), std::string::npos);
  EXPECT_NE(report_.problems[1].find("'second'"), std::string::npos);
}

TEST_F(RendererTest, BadValuesAreSaidAndForgottenWithTheValues) {
  const Body body = box();
  std::vector<float> values(8, 1.0f), bad = values, few(5, 1.0f);
  bad[3] = none;
  draw::DrawList list = list_of({body.mesh(1)});
  list.meshes[0].scale = list.add({});
  const auto show = [&](std::span<const float> with, uint64_t key) {
    list.meshes[0].values = with;
    list.meshes[0].values_key = {key, 1};
    sent(list);
    return report_.problems.empty() ? "" : report_.problems[0];
  };
  EXPECT_EQ(show(values, 1), "");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(show(bad, 2), "'body' is not drawn: value 3 is not a number");
    EXPECT_EQ(show(few, 3), "'body' is not drawn: there are 5 values for 8 vertices");
    EXPECT_EQ(show(bad, 2), "'body' is not drawn: value 3 is not a number");
    EXPECT_EQ(show({}, 0), "") << "without values there is nothing wrong";
    EXPECT_EQ(show(bad, 2), "'body' is not drawn: value 3 is not a number") << "but again now";
    EXPECT_EQ(show(values, 1), "");
  }
}

TEST_F(RendererTest, BadPositionsAreNotForgottenForOtherValues) {
  std::vector<Point> hurt = *box().positions;
  hurt[2].z() = std::numeric_limits<float>::infinity();
  const Body bad = body(hurt, *box().triangles);
  std::vector<float> values(8, 1.0f);
  draw::DrawList list = list_of({bad.mesh(1)});
  list.meshes[0].scale = list.add({});
  list.meshes[0].values = values;
  for (uint64_t key = 1; key < 5; ++key) {
    list.meshes[0].values_key = {key, 1};
    sent(list);
    ASSERT_EQ(report_.problems.size(), 1u) << key;
    EXPECT_EQ(report_.problems[0], "'body' is not drawn: the position of vertex 2 is not a number");
  }
}

// Everything at once, with numbers that are none, indices out of range and counts that do not fit.
TEST_F(RendererTest, HostileItemsDoNoHarm) {
  draw::DrawList list = list_of({box().mesh(1)});
  list.add({draw::ColourMap::diverging, 1, 1, "no range", ""});
  list.add({draw::ColourMap::phase, none, none, "no numbers", ""});
  list.meshes[0].scale = 99;
  list.meshes[0].colour.a = none;
  list.lines.emplace_back().points = {Point(0, 0, 0), Point(none, 0, 0), Point(1, 1, 1)};
  list.points.emplace_back().points = {Point(0, none, 0), Point(0, 0, 0)};
  list.points[0].values = {1};
  list.points[0].scale = -7;
  list.glyphs.emplace_back();
  list.glyphs[0].places = {Point(0, 0, 0), Point(0, 0, 0), Point(1, 0, 0)};
  list.glyphs[0].vectors = {Point(0, 0, 0), Point(none, 0, 0)};
  list.ellipsoids.emplace_back().axes.setConstant(none);
  list.planes.emplace_back().u.setZero();
  list.lattices.emplace_back().counts = {1u << 20, 1u << 20, 1u << 24};
  list.labels.emplace_back().at = Point(none, none, none);
  list.labels[0].text = "nowhere";
  for (std::size_t shading = 0; shading < shading_names().size(); ++shading) {
    view_.look.shading = static_cast<Shading>(shading);
    view_.look.overlays = ~0u;
    view_.camera.parallel = shading % 2 == 0;
    sent(list);
  }
  view_.floor = none;
  view_.camera.distance = none;
  sent(list);
  // What comes after is drawn as if nothing had been.
  view_ = View();
  expect_sent(list_of({ball(20, 30).mesh(77)}), 1, 1, 0);
  EXPECT_TRUE(report_.problems.empty());
}

TEST_F(RendererTest, MoreItemsThanAFrameHoldsAreCounted) {
  draw::DrawList list;
  list.lines.emplace_back().points.assign(2'000'000, Point(0, 0, 0));
  sent(list);
  ASSERT_EQ(report_.problems.size(), 1u);
  EXPECT_NE(report_.problems[0].find("too many"), std::string::npos) << report_.problems[0];
  sent({});
  EXPECT_TRUE(report_.problems.empty());
}

TEST_F(RendererTest, ADeviceWithoutAWindowMayBeResized) {
  const draw::DrawList list = list_of({box().mesh(1)});
  for (const auto& [width, height] : {std::pair{0, 0}, {640, 480}, {0, 480}, {1, 1}, {4000, 10}}) {
    device_->resize(width, height);
    EXPECT_EQ(device_->drawable(), width > 0 && height > 0);
    sent(list);
    EXPECT_TRUE(report_.problems.empty());
  }
}

TEST_F(RendererTest, MakesNoPicturesWithoutADriver) {
  std::string error;
  EXPECT_FALSE(renderer_->picture({}, view_, 64, 64, report_, error));
  EXPECT_NE(error.find("no pictures"), std::string::npos) << error;
  for (const auto& [width, height] : {std::pair{0, 64}, {64, -1}, {16385, 64}, {64, 1 << 30}}) {
    error.clear();
    EXPECT_FALSE(renderer_->picture({}, view_, width, height, report_, error));
    EXPECT_NE(error.find("cannot be made"), std::string::npos) << error;
  }
}

TEST(DeviceTest, ThereIsOneAtATime) {
  std::unique_ptr<Device> first = open_noop();
  DeviceOptions options;
  options.backend = Backend::noop;
  std::string error;
  EXPECT_FALSE(Device::open(options, error));
  EXPECT_EQ(error, "a renderer is open already");
  EXPECT_EQ(first->backend(), Backend::noop);
  EXPECT_GT(first->end_frame(), 0u) << "the first is as it was";
  first.reset();
  for (int i = 0; i < 3; ++i) {
    const std::unique_ptr<Device> again = open_noop();
    ASSERT_TRUE(again);
    EXPECT_EQ(again->counts(), DeviceCounts());
    Renderer renderer(*again);
    EXPECT_TRUE(renderer.show(list_of({box().mesh(1)}), {}).problems.empty());
  }
}

TEST(DeviceTest, WhatCannotBeOpenedIsSaid) {
  DeviceOptions options;
  options.backend = Backend::opengl;
  std::string error;
  EXPECT_FALSE(Device::open(options, error)) << "there is no window";
  EXPECT_NE(error.find("window"), std::string::npos) << error;
  EXPECT_TRUE(open_noop()) << "a failure does not stand in the way";
}

}  // namespace
}  // namespace sinew::render::test
