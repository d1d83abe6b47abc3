// What a frame is drawn with: names of looks, how large a scene is, where its floor lies, and
// whether the shadow map holds all of it.
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "render/bounds.h"
#include "render/look.h"
#include "render/studio.h"
#include "tests/render/shapes.h"

namespace sinew::render::test {
namespace {

constexpr float none = std::numeric_limits<float>::quiet_NaN();

TEST(Look, NamesAreFoundAndTheirOwn) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < shading_names().size(); ++i) {
    const Named& named = shading_names()[i];
    EXPECT_EQ(find_shading(named.name), static_cast<Shading>(i));
    EXPECT_FALSE(named.doc.empty());
    EXPECT_TRUE(seen.insert(named.name).second);
  }
  EXPECT_EQ(shading_names().size(), static_cast<std::size_t>(Shading::veil) + 1);
  EXPECT_EQ(find_shading("clay"), Shading::clay);
  EXPECT_EQ(find_shading("veil"), Shading::veil);
  EXPECT_FALSE(find_shading("Clay"));
  EXPECT_FALSE(find_shading(""));

  seen.clear();
  for (std::size_t i = 0; i < overlay_names().size(); ++i) {
    const Named& named = overlay_names()[i];
    EXPECT_EQ(find_overlay(named.name), static_cast<Overlay>(i));
    EXPECT_FALSE(named.doc.empty());
    EXPECT_TRUE(seen.insert(named.name).second);
  }
  EXPECT_EQ(overlay_names().size(), static_cast<std::size_t>(Overlay::labels) + 1);
  EXPECT_EQ(find_overlay("legend"), Overlay::legend);
  EXPECT_FALSE(find_overlay("shadow"));
}

TEST(Look, OverlaysAreSwitchedOneByOne) {
  Look look;
  look.overlays = 0;
  for (std::size_t i = 0; i < overlay_names().size(); ++i) {
    const auto overlay = static_cast<Overlay>(i);
    look.set(overlay, true);
    for (std::size_t k = 0; k < overlay_names().size(); ++k)
      EXPECT_EQ(look.has(static_cast<Overlay>(k)), k == i);
    look.set(overlay, true);
    look.set(overlay, false);
    EXPECT_EQ(look.overlays, 0u);
  }
}

void expect_box(const Box& box, const Point& low, const Point& high) {
  EXPECT_LT((box.min() - low).norm(), 1e-6f) << box.min().transpose();
  EXPECT_LT((box.max() - high).norm(), 1e-6f) << box.max().transpose();
}

TEST(Bounds, OfNothingAreEmpty) {
  EXPECT_TRUE(bounds_of({}).isEmpty());
  draw::DrawList list;
  list.points.emplace_back().points = {Point(none, 0, 0)};
  EXPECT_TRUE(bounds_of(list).isEmpty());
}

TEST(Bounds, HoldEachKindOfItem) {
  draw::DrawList list;
  list.lines.emplace_back().points = {Point(1, 2, 3), Point(-1, 0, 0)};
  expect_box(bounds_of(list), Point(-1, 0, 0), Point(1, 2, 3));
  list = {};
  list.points.emplace_back().points = {Point(1, 1, 1), Point(none, 9, 9), Point(2, 0, 1)};
  expect_box(bounds_of(list), Point(1, 0, 1), Point(2, 1, 1));
  list = {};
  list.glyphs.emplace_back();
  list.glyphs[0].places = {Point(1, 0, 0), Point(7, 7, 7)};
  list.glyphs[0].vectors = {Point(0, 2, 0)};
  expect_box(bounds_of(list), Point(1, 0, 0), Point(1, 2, 0));
  list.glyphs[0].shape = draw::GlyphShape::needle;
  expect_box(bounds_of(list), Point(1, -1, 0), Point(1, 1, 0));
  list = {};
  list.planes.emplace_back();
  expect_box(bounds_of(list), Point(-1, 0, -1), Point(1, 0, 1));
  list = {};
  list.lattices.emplace_back().points = {Point(3, 3, 3)};
  expect_box(bounds_of(list), Point(3, 3, 3), Point(3, 3, 3));
  list = {};
  list.labels.emplace_back().at = Point(4, 5, 6);
  expect_box(bounds_of(list), Point(4, 5, 6), Point(4, 5, 6));
}

TEST(Bounds, OfEllipsoidsAreTight) {
  std::mt19937 random(1);
  for (int i = 0; i < 20; ++i) {
    draw::DrawList list;
    draw::Ellipsoid& e = list.ellipsoids.emplace_back();
    e.centre = random_point(random);
    e.axes << random_point(random), random_point(random), random_point(random);
    const Box box = bounds_of(list);
    Box sampled;
    for (int k = 0; k < 20'000; ++k) {
      const Point p = e.centre + e.axes * random_direction(random);
      EXPECT_TRUE(box.contains(p) || box.exteriorDistance(p) < 1e-5f);
      sampled.extend(p);
    }
    EXPECT_LT((sampled.sizes() - box.sizes()).norm(), 0.05f);
  }
}

TEST(Bounds, MeshesMayBeLeftOut) {
  draw::DrawList list;
  list.meshes = {box().mesh(1)};
  expect_box(bounds_of(list), Point(-1, -1, -1), Point(1, 1, 1));
  EXPECT_TRUE(bounds_without_meshes(list).isEmpty());
}

class StudioTest : public testing::Test {
 protected:
  Box random_box(float scale) {
    const Point middle = 3 * scale * random_point(random_);
    const Point half = scale * random_point(random_).cwiseAbs();
    return {middle - half, middle + half};
  }
  float part() { return std::uniform_real_distribution<float>(0, 1)(random_); }

  std::mt19937 random_{5};
};

TEST_F(StudioTest, TheMapsOfShadowAndSkyHoldTheScene) {
  for (const float scale : {1e-6f, 1.0f, 1e6f})
    for (int i = 0; i < 300; ++i) {
      const Box box = random_box(scale);
      Camera camera;
      camera.yaw = 360 * part();
      camera.pitch = 180 * part() - 90;
      camera.frame(box, 1.5f);
      std::optional<float> floor;
      // Also a body high above its floor, and one that has sunk into it.
      if (i % 3 > 0) floor = box.min().y() - scale * (i % 3 == 1 ? 10 : -0.5f) * part();
      const bool deep = i % 2 == 0, upside_down = i % 4 < 2;
      const Studio studio(box, camera, floor, true, deep, upside_down);
      for (const DepthView& map : {studio.key(), studio.sky()})
        for (int corner = 0; corner < 8; ++corner) {
          const Point p = box.corner(static_cast<Box::CornerType>(corner));
          const Point in_map = (map.to_map * p.homogeneous()).head<3>();
          EXPECT_GE(in_map.minCoeff(), 0) << in_map.transpose() << " at scale " << scale;
          EXPECT_LE(in_map.maxCoeff(), 1) << in_map.transpose() << " at scale " << scale;
          // What is drawn into the map is what is looked up in it.
          const Point drawn = (map.projection * map.view * p.homogeneous()).head<3>();
          EXPECT_NEAR(0.5f + 0.5f * drawn.x(), in_map.x(), 1e-4);
          EXPECT_NEAR(0.5f + (upside_down ? 0.5f : -0.5f) * drawn.y(), in_map.y(), 1e-4);
          EXPECT_NEAR(deep ? 0.5f + 0.5f * drawn.z() : drawn.z(), in_map.z(), 1e-4);
        }
    }
}

TEST_F(StudioTest, TheShadowMapIsNotWasted) {
  for (const float scale : {1e-6f, 1.0f, 1e6f}) {
    const Box box(Point::Constant(-scale), Point::Constant(scale));
    Camera camera;
    camera.frame(box, 1);
    const Studio studio(box, camera, {}, true, true, false);
    Box used;
    for (int corner = 0; corner < 8; ++corner) {
      const Point p = box.corner(static_cast<Box::CornerType>(corner));
      used.extend(Point((studio.key().to_map * p.homogeneous()).head<3>()));
    }
    EXPECT_GT(used.sizes().minCoeff(), 0.5f);
  }
}

TEST_F(StudioTest, ALightIsAbove) {
  for (const float yaw : {0.0f, 77.0f, 200.0f}) {
    Camera camera;
    camera.yaw = yaw;
    const Studio studio(Box(Point(-1, -1, -1), Point(1, 1, 1)), camera, {}, true, false, false);
    for (int light = 0; light < 3; ++light) {
      const Point to(studio.lights().data() + 4 * light);
      EXPECT_NEAR(to.norm(), 1, 1e-5);
      EXPECT_GT(to.y(), 0);
    }
    // Depth in the map grows away from the key light.
    const Point key(studio.lights().data());
    const auto depth = [&](const Point& p) { return (studio.key().to_map * p.homogeneous()).z(); };
    EXPECT_LT(depth(0.5f * key), depth(-0.5f * key));
    const auto below_sky = [&](float y) {
      return (studio.sky().to_map * Eigen::Vector4f(0, y, 0, 1)).z();
    };
    EXPECT_LT(below_sky(0.5f), below_sky(-0.5f));
    // The lights turn with the camera: from the eye they always stand at the same side.
    EXPECT_LT(key.dot(camera.right()), -0.2f);
  }
}

TEST_F(StudioTest, TheFloorLiesAtTheLowestPointOrWhereItIsSaid) {
  for (const float scale : {1e-6f, 1.0f, 1e6f}) {
    const Box box = random_box(scale);
    Camera camera;
    camera.frame(box, 1);
    EXPECT_EQ(Studio(box, camera, {}, true, false, false).floor()[0], box.min().y());
    const Studio studio(box, camera, -2 * scale, true, false, false);
    EXPECT_EQ(studio.floor()[0], -2 * scale);
    for (const Point& p : studio.floor_corners()) {
      // A little below, so that what lies in the floor is seen.
      EXPECT_LT(p.y(), -2 * scale);
      EXPECT_GT(p.y(), -2 * scale - 2e-3f * box.diagonal().norm());
      EXPECT_LT(studio.seen().exteriorDistance(p), 1e-5f * scale);
    }
    EXPECT_TRUE(studio.seen().contains(box));
    EXPECT_GT(studio.floor_radius(), 4 * box.diagonal().norm());
    const float power = std::log10(studio.ruling());
    EXPECT_NEAR(power, std::round(power), 1e-4);
    EXPECT_LT(studio.ruling(), box.diagonal().norm());
  }
}

TEST_F(StudioTest, FromBelowThereIsNoFloor) {
  const Box box(Point(-1, 0, -1), Point(1, 2, 1));
  for (const bool parallel : {false, true}) {
    Camera camera;
    camera.parallel = parallel;
    camera.target = box.center();
    const auto fade = [&](float pitch) {
      camera.pitch = pitch;
      return Studio(box, camera, {}, true, false, false).floor_fade(camera);
    };
    EXPECT_EQ(fade(40), 1);
    EXPECT_EQ(fade(-40), 0);
    for (float pitch = -40; pitch < 40; ++pitch) EXPECT_LE(fade(pitch), fade(pitch + 1));
  }
}

TEST_F(StudioTest, ScenesWithoutSizeAreFinite) {
  for (const Box& box : {Box(), Box(Point(1, 2, 3), Point(1, 2, 3))}) {
    const Studio studio(box, Camera(), {}, true, true, true);
    EXPECT_TRUE(studio.key().to_map.allFinite());
    EXPECT_GT(studio.floor_radius(), 0);
    EXPECT_GT(studio.ruling(), 0);
    for (const float x : studio.shadow()) EXPECT_TRUE(std::isfinite(x));
  }
}

}  // namespace
}  // namespace sinew::render::test
