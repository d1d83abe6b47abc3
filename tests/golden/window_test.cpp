// The program on a screen: sizes that change, windows without pixels, pictures of eight thousand
// pixels, and what is held when it closes.
#include <gtest/gtest.h>

#include <cstdlib>

#include "app/window/window.h"
#include "render/bounds.h"
#include "render/renderer.h"
#include "tests/golden/screen.h"
#include "tests/render/shapes.h"

namespace sinew {
namespace {

class OnAWindow : public ::testing::TestWithParam<render::Backend> {
 protected:
  void SetUp() override {
    auto opened = Window::open("test", 300, 200, Window::Visible::yes);
    ASSERT_TRUE(opened) << opened.error();
    window_ = std::move(*opened);
    render::DeviceOptions options;
    options.backend = GetParam();
    options.window = window_->native();
    options.width = window_->width();
    options.height = window_->height();
    options.wait_for_screen = false;
    std::string error;
    device_ = render::Device::open(options, error);
    ASSERT_TRUE(device_) << error;
    renderer_ = std::make_unique<render::Renderer>(*device_);
    list_.meshes.push_back(body_.mesh(1));
    view_.camera.frame(render::bounds_of(list_), 1.5f);
  }
  void TearDown() override {
    renderer_.reset();
    if (device_) {
      EXPECT_EQ(device_->counts(), render::DeviceCounts()) << "something is left behind";
    }
    device_.reset();
    window_.reset();
  }

  testing::Screen screen_;
  std::unique_ptr<Window> window_;
  std::unique_ptr<render::Device> device_;
  std::unique_ptr<render::Renderer> renderer_;
  render::test::Body body_ = render::test::ball(12, 24);
  draw::DrawList list_;
  render::View view_;
};

TEST_P(OnAWindow, TakesAnySize) {
  for (const auto& [w, h] : std::vector<std::pair<int, int>>{{300, 200},
                                                             {1, 1},
                                                             {0, 0},
                                                             {640, 0},
                                                             {0, 480},
                                                             {801, 603},
                                                             {3, 900},
                                                             {1500, 20},
                                                             {300, 200}}) {
    device_->resize(w, h);
    for (int i = 0; i < 3; ++i)
      EXPECT_TRUE(renderer_->show(list_, view_).problems.empty()) << w << " x " << h;
  }
}

TEST_P(OnAWindow, MakesPicturesBetweenFrames) {
  render::FrameReport report;
  std::string error;
  for (int i = 0; i < 3; ++i) {
    renderer_->show(list_, view_);
    const auto picture = renderer_->picture(list_, view_, 90 + i, 60, report, error);
    ASSERT_TRUE(picture) << error;
    // The body is in the middle, and darker than the paper round it.
    EXPECT_LT(picture->pixel(45, 30)[2], picture->pixel(2, 2)[2]);
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, OnAWindow,
                         ::testing::Values(render::Backend::vulkan, render::Backend::opengl),
                         [](const auto& about) {
                           return std::string(render::backend_name(about.param));
                         });

class WithoutAWindow : public ::testing::Test {
 protected:
  void SetUp() override {
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    render::DeviceOptions options;
    options.backend = render::Backend::vulkan;
    std::string error;
    device_ = render::Device::open(options, error);
    ASSERT_TRUE(device_) << error;
    renderer_ = std::make_unique<render::Renderer>(*device_);
    list_.meshes.push_back(body_.mesh(1));
    view_.camera.frame(render::bounds_of(list_), 1.5f);
  }
  std::unique_ptr<render::Device> device_;
  std::unique_ptr<render::Renderer> renderer_;
  render::test::Body body_ = render::test::ball(24, 48);
  draw::DrawList list_;
  render::View view_;
};

// A large picture is drawn in tiles; made smaller it is the small picture, without seams.
TEST_F(WithoutAWindow, ALargePictureIsTheSmallOneWithMoreDetail) {
  render::FrameReport report;
  std::string error;
  view_.look.overlays = render::Look::bit(render::Overlay::ground);
  const auto large = renderer_->picture(list_, view_, 7680, 4320, report, error);
  ASSERT_TRUE(large) << error;
  const auto small = renderer_->picture(list_, view_, 480, 270, report, error);
  ASSERT_TRUE(small) << error;
  const render::Picture reduced = render::scaled(*large, 480, 270);
  double sum = 0;
  int most = 0;
  for (std::size_t i = 0; i < small->rgba.size(); ++i) {
    const int difference = std::abs(int{small->rgba[i]} - int{reduced.rgba[i]});
    sum += difference;
    most = std::max(most, difference);
  }
  EXPECT_LT(sum / static_cast<double>(small->rgba.size()), 1.0);
  // Where tiles meet, neighbours differ no more than elsewhere in a smooth part of the picture.
  for (int y = 100; y < 4000; y += 97) {
    const uint8_t *a = large->pixel(2047, y), *b = large->pixel(2048, y);
    EXPECT_LE(std::abs(int{a[0]} - int{b[0]}), 12) << "row " << y;
  }
}

TEST_F(WithoutAWindow, RefusesSizesThatCannotBe) {
  render::FrameReport report;
  std::string error;
  for (const auto& [w, h] :
       std::vector<std::pair<int, int>>{{0, 10}, {10, 0}, {-5, 5}, {16385, 10}, {10, 1 << 30}}) {
    error.clear();
    EXPECT_FALSE(renderer_->picture(list_, view_, w, h, report, error));
    EXPECT_NE(error.find("1 to 16384"), std::string::npos) << error;
  }
  EXPECT_TRUE(renderer_->picture(list_, view_, 1, 1, report, error)) << error;
}

// Far above its floor a body throws a soft shadow, and nothing else is seen there: no border of a
// map, no patch.
TEST_F(WithoutAWindow, TheFloorBelowAFlyingBodyHasNoEdges) {
  render::FrameReport report;
  std::string error;
  for (const float floor : {-1.5f, -3.0f, -9.0f}) {
    view_.floor = floor;
    render::Box all = render::bounds_of(list_);
    all.extend(Eigen::Vector3f(-3, floor, -3)).extend(Eigen::Vector3f(3, floor, 3));
    view_.camera.pitch = 35;
    view_.camera.frame(all, 1.5f);
    const auto picture = renderer_->picture(list_, view_, 360, 240, report, error);
    ASSERT_TRUE(picture) << error;
    int steepest = 0;
    for (int y = 200; y < 236; ++y)
      for (int x = 1; x < 360; ++x)
        steepest = std::max(
            steepest, std::abs(int{picture->pixel(x, y)[1]} - int{picture->pixel(x - 1, y)[1]}));
    EXPECT_LE(steepest, 9) << floor;
  }
}

TEST_F(WithoutAWindow, LooksTheSameAtAnyScale) {
  render::FrameReport report;
  std::string error;
  const auto reference = renderer_->picture(list_, view_, 240, 160, report, error);
  ASSERT_TRUE(reference) << error;
  for (const float scale : {1e-6f, 1e-3f, 1e3f, 1e6f}) {
    const render::test::Body body = body_.scaled(scale);
    draw::DrawList list;
    list.meshes.push_back(body.mesh(static_cast<uint64_t>(1e9 * scale) + 7));
    render::View view = view_;
    view.camera.frame(render::bounds_of(list), 1.5f);
    const auto picture = renderer_->picture(list, view, 240, 160, report, error);
    ASSERT_TRUE(picture) << error;
    EXPECT_TRUE(report.problems.empty());
    double sum = 0;
    for (std::size_t i = 0; i < picture->rgba.size(); ++i)
      sum += std::abs(int{picture->rgba[i]} - int{reference->rgba[i]});
    EXPECT_LT(sum / static_cast<double>(picture->rgba.size()), 1.0) << scale;
  }
}

}  // namespace
}  // namespace sinew
