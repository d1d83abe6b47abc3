// The camera: rays and places are inverse, the matrices agree with them, and framing shows all of a
// box and not much more.
#include "render/camera.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/render/shapes.h"

namespace sinew::render::test {
namespace {

class CameraTest : public testing::Test {
 protected:
  float part() { return std::uniform_real_distribution<float>(0, 1)(random_); }

  Camera random_camera(bool parallel) {
    Camera camera;
    camera.target = random_point(random_);
    camera.yaw = 720 * part() - 360;
    camera.pitch = 180 * part() - 90;
    camera.distance = 0.5f + 5 * part();
    camera.fov = 5 + 85 * part();
    camera.parallel = parallel;
    return camera;
  }
  Box random_box(float scale) {
    const Point middle = 5 * scale * random_point(random_);
    const Point half = scale * (random_point(random_).cwiseAbs() + Point::Constant(0.05f));
    return {middle - half, middle + half};
  }

  std::mt19937 random_{11};
};

// How far from the middle of the picture the box's farthest corner is; 1 is the border.
float reach_of(const Camera& camera, const Box& box, float aspect) {
  float reach = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const auto at = camera.place_of(box.corner(static_cast<Box::CornerType>(corner)), aspect);
    if (!at) return std::numeric_limits<float>::infinity();
    reach = std::max({reach, std::abs(2 * at->x() - 1), std::abs(2 * at->y() - 1)});
  }
  return reach;
}

TEST_F(CameraTest, AxesAreOrthonormalAlsoFromStraightAbove) {
  for (int i = 0; i < 200; ++i) {
    Camera camera = random_camera(false);
    if (i < 2) camera.pitch = i == 0 ? 90 : -90;
    Eigen::Matrix3f axes;
    axes << camera.right(), camera.up(), camera.back();
    EXPECT_LT((axes.transpose() * axes - Eigen::Matrix3f::Identity()).norm(), 1e-5f);
    EXPECT_NEAR(axes.determinant(), 1, 1e-5);
    EXPECT_GE(camera.up().y(), -1e-6f) << "never upside down";
    EXPECT_TRUE(camera.view().allFinite());
    EXPECT_TRUE(camera.projection(1.5f, Box(Point(-1, -1, -1), Point(1, 1, 1)), true).allFinite());
  }
}

TEST_F(CameraTest, RaysAndPlacesAreInverse) {
  for (const bool parallel : {false, true})
    for (int i = 0; i < 500; ++i) {
      const Camera camera = random_camera(parallel);
      const float aspect = 0.3f + 3 * part(), x = part(), y = part(), along = 0.1f + 9 * part();
      const Ray ray = camera.ray(x, y, aspect);
      EXPECT_NEAR(ray.direction.norm(), 1, 1e-5);
      const Point point = ray.origin + along * ray.direction;
      const auto place = camera.place_of(point, aspect);
      ASSERT_TRUE(place);
      EXPECT_NEAR(place->x(), x, 1e-4);
      EXPECT_NEAR(place->y(), y, 1e-4);
      EXPECT_NEAR(place->z(), -(point - camera.eye()).dot(camera.back()), 1e-4);
    }
}

TEST_F(CameraTest, TheMatricesAgreeWithThePlaces) {
  for (const bool parallel : {false, true})
    for (const bool deep : {false, true})
      for (int i = 0; i < 200; ++i) {
        Camera camera = random_camera(parallel);
        const Box box = random_box(1);
        const float aspect = 0.3f + 3 * part();
        camera.frame(box, aspect);
        const Eigen::Matrix4f to_clip = camera.projection(aspect, box, deep) * camera.view();
        const Point point =
            box.min() + Point(part(), part(), part()).cwiseProduct(Point(box.sizes()));
        const Eigen::Vector4f clip = to_clip * point.homogeneous();
        ASSERT_GT(clip.w(), 0);
        const Point seen = clip.head<3>() / clip.w();
        const auto place = camera.place_of(point, aspect);
        ASSERT_TRUE(place);
        EXPECT_NEAR(0.5f + 0.5f * seen.x(), place->x(), 1e-4);
        EXPECT_NEAR(0.5f - 0.5f * seen.y(), place->y(), 1e-4);
        EXPECT_GE(seen.z(), deep ? -1 : 0) << "cut off by the near plane";
        EXPECT_LE(seen.z(), 1) << "cut off by the far plane";
      }
}

TEST_F(CameraTest, DepthGrowsAwayFromTheEye) {
  for (const bool parallel : {false, true})
    for (const bool deep : {false, true}) {
      Camera camera = random_camera(parallel);
      const Box box(Point(-1, -1, -1), Point(1, 1, 1));
      camera.frame(box, 1);
      const Eigen::Matrix4f to_clip = camera.projection(1, box, deep) * camera.view();
      float before = -1;
      for (float z = -1; z <= 1; z += 0.1f) {
        const Point p = box.center() - z * camera.back();
        const Eigen::Vector4f clip = to_clip * p.homogeneous();
        EXPECT_GT(clip.z() / clip.w(), before);
        before = clip.z() / clip.w();
      }
    }
}

TEST_F(CameraTest, FramingShowsTheWholeBoxAndNotMuchMore) {
  for (const float scale : {1e-6f, 1.0f, 1e6f})
    for (const bool parallel : {false, true})
      for (int i = 0; i < 400; ++i) {
        Camera camera = random_camera(parallel);
        const Box box = random_box(scale);
        const float aspect = 0.3f * std::pow(10.0f, part()), margin = 0.3f * part();
        camera.frame(box, aspect, margin);
        const float reach = reach_of(camera, box, aspect);
        EXPECT_LE(reach, 1 - margin + 2e-3f) << "fov " << camera.fov << " aspect " << aspect;
        EXPECT_GE(reach, 0.97f * (1 - margin)) << "fov " << camera.fov << " aspect " << aspect;
      }
}

TEST_F(CameraTest, FramingWhatHasNoSizeStaysFinite) {
  Camera camera;
  const Camera before = camera;
  camera.frame(Box(), 1);
  EXPECT_EQ(camera, before) << "nothing to frame";
  for (const bool parallel : {false, true}) {
    camera.parallel = parallel;
    camera.frame(Box(Point(1, 2, 3), Point(1, 2, 3)), 1);
    EXPECT_GT(camera.distance, 0);
    EXPECT_TRUE(camera.eye().allFinite());
    EXPECT_EQ(camera.target, Point(1, 2, 3));
    const Box flat(Point(0, 0, 0), Point(1, 0, 0));
    camera.frame(flat, 1);
    EXPECT_LE(reach_of(camera, flat, 1), 0.91f);
  }
}

TEST_F(CameraTest, NamedViewsLookAlongTheirAxes) {
  const std::pair<const char*, Point> views[] = {
      {"front", Point(0, 0, 1)}, {"back", Point(0, 0, -1)}, {"left", Point(-1, 0, 0)},
      {"right", Point(1, 0, 0)}, {"top", Point(0, 1, 0)},   {"bottom", Point(0, -1, 0)}};
  for (const auto& [name, from] : views) {
    const auto camera = named_view(name);
    ASSERT_TRUE(camera) << name;
    EXPECT_LT((camera->back() - from).norm(), 1e-6f) << name;
    EXPECT_TRUE(camera->parallel) << name;
  }
  EXPECT_FALSE(named_view("three-quarter")->parallel);
  EXPECT_GT(named_view("three-quarter")->back().minCoeff(), 0.1f);
  EXPECT_FALSE(named_view("upside-down"));
  for (const std::string_view name : view_names()) EXPECT_TRUE(named_view(name)) << name;
  EXPECT_GE(view_names().size(), 7u);
}

TEST_F(CameraTest, DraggingMovesWhatIsUnderThePointer) {
  for (const bool parallel : {false, true}) {
    Camera camera = random_camera(parallel);
    const Point held = camera.target;
    camera.pan(0.25f, 0.1f);  // parts of the height, to the right and down
    const auto at = camera.place_of(held, 2);
    ASSERT_TRUE(at);
    EXPECT_NEAR(at->x(), 0.5f + 0.25f / 2, 1e-4);
    EXPECT_NEAR(at->y(), 0.5f + 0.1f, 1e-4);
  }
}

TEST_F(CameraTest, OrbitAndZoomStayWithinBounds) {
  Camera camera;
  for (int i = 0; i < 1000; ++i) camera.orbit(50, 7);
  EXPECT_EQ(camera.pitch, 90);
  EXPECT_LE(std::abs(camera.yaw), 180);
  for (int i = 0; i < 200; ++i) camera.zoom(0.5f);
  EXPECT_GT(camera.distance, 0);
  EXPECT_TRUE(camera.view().allFinite());
  for (int i = 0; i < 400; ++i) camera.zoom(2);
  EXPECT_TRUE(std::isfinite(camera.distance));
}

}  // namespace
}  // namespace sinew::render::test
