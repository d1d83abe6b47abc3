// What the kernel tests share: a family of meshes, random numbers, thread counts, files.
#pragma once

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "nodes/geometry/mesh.h"
#include "nodes/kernels/primitives.h"

namespace sinew::test {

// Closed meshes with their Euler characteristics.
struct NamedMesh {
  std::string name;
  Mesh mesh;
  long euler;
};

inline std::vector<NamedMesh> closed_meshes() {
  using namespace kernels;
  std::vector<NamedMesh> all;
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    all.push_back({"uv sphere", make_uv_sphere({1, 9, 5, axis}), 2});
    all.push_back({"uv sphere, least", make_uv_sphere({1, 3, 2, axis}), 2});
    all.push_back({"cylinder", make_cylinder({0.5f, 0.5f, 2, 7, 3, 2, true, axis}), 2});
    all.push_back({"cone", make_cylinder({0.5f, 0, 2, 7, 3, 1, true, axis}), 2});
    all.push_back({"cone upside down", make_cylinder({0, 0.5f, 2, 3, 1, 1, true, axis}), 2});
    all.push_back({"torus", make_torus({1, 0.3f, 11, 5, axis}), 0});
    all.push_back({"torus, least", make_torus({1, 0.3f, 3, 3, axis}), 0});
    all.push_back({"capsule", make_capsule({0.5f, 2, 8, 3, 2, axis}), 2});
    all.push_back({"capsule, least", make_capsule({0.5f, 2, 3, 1, 1, axis}), 2});
  }
  all.push_back({"box", make_box({{1, 1, 1}, {1, 1, 1}}), 2});
  all.push_back({"box 2 3 4", make_box({{1, 2, 3}, {2, 3, 4}}), 2});
  all.push_back({"box 1 1 5", make_box({{1, 2, 3}, {1, 1, 5}}), 2});
  for (const int frequency : {1, 2, 3, 7}) {
    all.push_back({"icosphere " + std::to_string(frequency), make_icosphere({1, frequency}), 2});
  }
  return all;
}

inline std::vector<Vec3f> random_points(std::size_t count, unsigned seed, float extent = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-extent, extent);
  std::vector<Vec3f> points(count);
  for (Vec3f& p : points) {
    for (int k = 0; k < 3; ++k) p[k] = uniform(random);
  }
  return points;
}

// Runs `body` with one thread and with two, and expects equal results.
template <class Body>
void expect_same_for_threads(const Body& body) {
  const auto run = [&](int threads) {
    tbb::global_control control(tbb::global_control::max_allowed_parallelism, threads);
    return body();
  };
  EXPECT_TRUE(run(1) == run(2)) << "the result depends on the number of threads";
}

// A folder of one test, removed at its end.
class Folder {
 public:
  Folder() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() /
            ("sinew-" + std::to_string(::getpid()) + "-" + info->name());
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  std::filesystem::path write(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace sinew::test
