// The same picture from OpenGL on a window, Vulkan on a window, and Vulkan without any window, for
// each overlay and each shading; and the same as the pictures in tests/golden/pictures, which
// SINEW_WRITE_GOLDEN=1 writes anew. Pictures are compared by statistics and structure: drivers
// round differently, and edges fall on either side of a pixel.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "app/window/window.h"
#include "render/bounds.h"
#include "render/compare.h"
#include "render/png_file.h"
#include "render/renderer.h"
#include "tests/golden/screen.h"
#include "tests/render/shapes.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using render::Picture;

constexpr int width = 300, height = 225;

// Everything that can be drawn: a coloured ball, a box of polygons, and all the signs.
draw::DrawList everything() {
  using Eigen::Vector3f;
  draw::DrawList list;
  const int layers = list.add({draw::ColourMap::sequential, 0, 1, "Height", "m"});
  const int side = list.add({draw::ColourMap::diverging, -1, 1, "Side", ""});

  const auto ball = std::make_shared<render::test::Body>(render::test::ball(12, 24).moved(
      [](const Vector3f& p) { return Vector3f(0.5f * p + Vector3f(0, 0.5f, 0)); }));
  draw::Mesh mesh = ball->mesh(1, "ball");
  const auto values = std::make_shared<std::vector<float>>();
  for (const Vector3f& p : *ball->positions) values->push_back(p.y());
  struct Both {
    std::shared_ptr<render::test::Body> body;
    std::shared_ptr<std::vector<float>> values;
  };
  mesh.owner = std::make_shared<Both>(Both{ball, values});
  mesh.values = *values;
  mesh.values_key = {11, 0};
  mesh.scale = layers;
  list.meshes.push_back(mesh);

  const auto box = std::make_shared<render::test::Body>(render::test::box().moved(
      [](const Vector3f& p) { return Vector3f(0.3f * p + Vector3f(1.0f, 0.3f, 0.1f)); }));
  draw::Mesh cube = box->mesh(2, "box");
  cube.owner = box;
  const auto polygons = std::make_shared<std::vector<uint32_t>>();
  for (uint32_t t = 0; t < 12; ++t) polygons->push_back(t / 2);
  cube.owner = std::make_shared<std::pair<decltype(box), decltype(polygons)>>(box, polygons);
  cube.polygon_of_triangle = *polygons;
  list.meshes.push_back(cube);

  draw::Lines lines;
  for (int i = 0; i < 40; ++i)
    for (int k = 0; k < 2; ++k) {
      const float a = 0.3f * static_cast<float>(i + k);
      lines.points.push_back(
          {-1.0f + 0.25f * std::cos(a), 0.02f * static_cast<float>(i + k), 0.25f * std::sin(a)});
    }
  list.lines.push_back(lines);
  draw::Points points;
  for (int i = 0; i < 9; ++i) {
    points.points.push_back({-0.8f + 0.2f * static_cast<float>(i), 0.05f, 0.9f});
    points.values.push_back(-1 + 0.25f * static_cast<float>(i));
  }
  points.scale = side;
  list.points.push_back(points);
  draw::Glyphs arrows;
  for (int i = 0; i < 5; ++i) {
    arrows.places.push_back({0.6f + 0.15f * static_cast<float>(i), 0.05f, 0.7f});
    arrows.vectors.push_back({0.05f * static_cast<float>(i - 2), 0.25f, 0});
  }
  list.glyphs.push_back(arrows);
  draw::Ellipsoid ellipsoid;
  ellipsoid.centre = {-0.75f, 0.6f, -0.6f};
  ellipsoid.axes = Vector3f(0.25f, 0.45f, 0.25f).asDiagonal();
  list.ellipsoids.push_back(ellipsoid);
  draw::Plane plane;
  plane.centre = {0.2f, 0.5f, -0.9f};
  plane.u = {0.6f, 0, 0};
  plane.v = {0, 0.5f, 0};
  list.planes.push_back(plane);
  draw::Lattice lattice;
  lattice.counts = {3, 3, 2};
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i)
        lattice.points.push_back({0.65f + 0.35f * static_cast<float>(i),
                                  -0.02f + 0.33f * static_cast<float>(j),
                                  -0.25f + 0.7f * static_cast<float>(k)});
  list.lattices.push_back(lattice);
  list.labels.push_back({{}, {1.3f, 0.65f, 0.4f}, "box, 0.6 m", {0.1f, 0.1f, 0.1f, 1}});
  return list;
}

// Each overlay alone and each shading, by name.
std::map<std::string, render::Look> looks() {
  std::map<std::string, render::Look> all;
  for (std::size_t i = 0; i < render::overlay_names().size(); ++i) {
    render::Look look;
    look.overlays = render::Look::bit(static_cast<render::Overlay>(i));
    all["overlay_" + std::string(render::overlay_names()[i].name)] = look;
  }
  for (std::size_t i = 0; i < render::shading_names().size(); ++i) {
    render::Look look;
    look.shading = static_cast<render::Shading>(i);
    all["shading_" + std::string(render::shading_names()[i].name)] = look;
  }
  return all;
}

enum class Way { vulkan_without_window, vulkan_on_window, opengl_on_window };
constexpr const char* way_names[] = {"Vulkan without a window", "Vulkan on a window",
                                     "OpenGL on a window"};

using Pictures = std::map<std::string, Picture>;

// All looks, from one device. A device is opened and closed each time, as programs do.
Pictures drawn(Way way) {
  std::unique_ptr<Window> window;
  render::DeviceOptions options;
  options.backend =
      way == Way::opengl_on_window ? render::Backend::opengl : render::Backend::vulkan;
  options.wait_for_screen = false;
  if (way != Way::vulkan_without_window) {
    auto opened = Window::open("golden", 200, 100, Window::Visible::yes);
    if (!opened) throw std::runtime_error(opened.error());
    window = std::move(*opened);
    options.window = window->native();
    options.width = window->width();
    options.height = window->height();
  }
  std::string error;
  const std::unique_ptr<render::Device> device = render::Device::open(options, error);
  if (!device) throw std::runtime_error(error);
  render::Renderer renderer(*device);
  const draw::DrawList list = everything();
  render::View view;
  view.camera.frame(render::bounds_of(list), static_cast<float>(width) / height);
  Pictures all;
  for (const auto& [name, look] : looks()) {
    view.look = look;
    render::FrameReport report;
    auto picture = renderer.picture(list, view, width, height, report, error);
    if (!picture) throw std::runtime_error(error);
    EXPECT_TRUE(report.problems.empty()) << report.problems[0];
    all[name] = std::move(*picture);
  }
  return all;
}

void expect_alike(const Picture& a, const Picture& b, const std::string& what) {
  const render::Comparison c = render::compare(a, b, 24);
  EXPECT_TRUE(c.same_size) << what;
  EXPECT_LT(c.largest_mean_difference(), 1.0) << what;
  EXPECT_LT(c.differing, 0.01) << what;
  EXPECT_LT(c.histogram_distance, 0.004) << what;
  EXPECT_GT(c.similarity, 0.97) << what;
  EXPECT_GT(c.worst_block, 0.80) << what << " at " << c.worst_x << ", " << c.worst_y;
}

fs::path golden_file(const std::string& name) {
  return fs::path(SINEW_SOURCE_DIR) / "tests/golden/pictures" / (name + ".png");
}

class Golden : public ::testing::Test {
 protected:
  testing::Screen screen_;
};

TEST_F(Golden, TheSamePictureFromEveryWayOfDrawing) {
  const Pictures reference = drawn(Way::vulkan_without_window);
  for (const Way way : {Way::vulkan_on_window, Way::opengl_on_window}) {
    const Pictures other = drawn(way);
    for (const auto& [name, picture] : reference) {
      expect_alike(other.at(name), picture, name + ", " + way_names[static_cast<int>(way)]);
      // For whoever wants to look at what differs.
      if (const char* folder = std::getenv("SINEW_KEEP_PICTURES"))
        std::ofstream(fs::path(folder) / (name + std::to_string(static_cast<int>(way)) + ".png"),
                      std::ios::binary)
            << render::encode_png(other.at(name)).bytes;
    }
  }
}

TEST_F(Golden, NothingChangedUnnoticed) {
  const Pictures now = drawn(Way::vulkan_without_window);
  const bool write = std::getenv("SINEW_WRITE_GOLDEN") != nullptr;
  for (const auto& [name, picture] : now) {
    if (write) {
      fs::create_directories(golden_file(name).parent_path());
      std::ofstream(golden_file(name), std::ios::binary) << render::encode_png(picture).bytes;
      continue;
    }
    std::ifstream file(golden_file(name), std::ios::binary);
    std::stringstream bytes;
    bytes << file.rdbuf();
    const render::DecodedPng golden = render::decode_png(bytes.str());
    ASSERT_TRUE(golden) << name << ": " << golden.error;
    expect_alike(picture, golden.picture, name);
  }
}

// Every look must be another picture, or the comparisons above would not see a look that does
// nothing.
TEST_F(Golden, EveryLookShowsSomethingOfItsOwn) {
  const Pictures all = drawn(Way::vulkan_without_window);
  for (const auto& [name, picture] : all)
    for (const auto& [other_name, other] : all) {
      if (name >= other_name) continue;
      EXPECT_GT(render::compare(picture, other, 4).differing, 0.001) << name << ", " << other_name;
    }
}

}  // namespace
}  // namespace sinew
