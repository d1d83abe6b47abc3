// Mesh files against assimp's plain import (no post-processing), on a grid of 1,000,000 vertices
// that the benchmark writes itself.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <assimp/Importer.hpp>
#include <cmath>
#include <filesystem>
#include <string>

#include "nodes/geometry/mesh_io.h"
#include "nodes/kernels/primitives.h"

namespace {

using namespace sinew;

// A folder of this process that goes when it ends.
class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_(std::filesystem::temp_directory_path() /
              ("sinew-bench-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// A wavy grid, so that coordinates have all their digits.
Mesh wavy_grid() {
  kernels::GridShape shape;
  shape.width_segments = shape.depth_segments = 999;
  Mesh mesh = kernels::make_grid(shape);
  for (Vec3f& p : mesh.positions) p[1] = 0.1f * std::sin(20 * p[0]) * std::cos(17 * p[2]);
  return mesh;
}

const std::string& file_of(const std::string& ending) {
  static const TemporaryFolder folder;
  static const std::string obj = (folder.path() / "grid.obj").string();
  static const std::string ply = (folder.path() / "grid.ply").string();
  const std::string& path = ending == "obj" ? obj : ply;
  if (!std::filesystem::exists(path)) save_mesh(wavy_grid(), path);
  return path;
}

void count_bytes(benchmark::State& state, const std::string& path) {
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) *
                          static_cast<int64_t>(std::filesystem::file_size(path)));
}

void read_with_sinew(benchmark::State& state, const char* ending) {
  const std::string& path = file_of(ending);
  for (auto _ : state) benchmark::DoNotOptimize(load_mesh(path));
  count_bytes(state, path);
}

void read_with_assimp(benchmark::State& state, const char* ending) {
  const std::string& path = file_of(ending);
  for (auto _ : state) {
    Assimp::Importer importer;
    benchmark::DoNotOptimize(importer.ReadFile(path, 0));
  }
  count_bytes(state, path);
}

void obj_sinew(benchmark::State& state) { read_with_sinew(state, "obj"); }
void obj_assimp(benchmark::State& state) { read_with_assimp(state, "obj"); }
void ply_sinew(benchmark::State& state) { read_with_sinew(state, "ply"); }
void ply_assimp(benchmark::State& state) { read_with_assimp(state, "ply"); }

BENCHMARK(obj_sinew)->Name("mesh_io/obj_1m/sinew")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(obj_assimp)->Name("mesh_io/obj_1m/assimp")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(ply_sinew)->Name("mesh_io/ply_1m/sinew")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(ply_assimp)->Name("mesh_io/ply_1m/assimp")->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
