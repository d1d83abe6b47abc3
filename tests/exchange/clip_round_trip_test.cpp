// What `sinew export` writes as glTF is read back as the motion that it was: as a clip, and by the
// nodes that take caches.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "nodes/geometry/gltf_clip.h"
#include "nodes/geometry/mesh_io.h"
#include "nodes/geometry/point_cache.h"
#include "tests/app/run_program.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using sinew::Mesh;
using sinew::PointCache;
using sinew::Vec3f;
using sinew::VertexClip;
using sinew::testing::Ran;
using sinew::testing::run_program;
using sinew::testing::TemporaryFolder;

// "bones": a preset, on whatever shelf it is.
std::string preset(const std::string& stem) {
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(SINEW_SOURCE) / "presets")) {
    if (entry.path().filename() == stem + ".json") return entry.path().string();
  }
  throw std::runtime_error("there is no preset " + stem);
}

struct RoundTrip : ::testing::Test {
  TemporaryFolder folder;

  // As a glTF and as a cache, which has every place as it is.
  void leave(const std::string& name, std::vector<std::string> words = {}) {
    for (const char* file : {"x.glb", "x.pc2"}) {
      std::vector<std::string> call = {"export", preset(name), "--frames",
                                       "0:12",   "-o",         (folder / file).string()};
      if (std::string(file) == "x.glb") {
        call.insert(call.end(), {"--error", "1e-7"});
        call.insert(call.end(), words.begin(), words.end());
      }
      const Ran ran = run_program(call, folder.path);
      ASSERT_EQ(ran.code, 0) << ran.err;
      said += ran.out;
    }
  }

  // The farthest that a vertex of the clip is from where the cache has it, as a part of the size.
  double worst() const {
    const PointCache cache = sinew::load_point_cache(folder / "x.pc2");
    const VertexClip clip =
        sinew::load_vertex_clip(folder / "x.glb", {"motion", 1.0 / 25, cache.header.points});
    EXPECT_EQ(clip.points, cache.header.points);
    Eigen::AlignedBox3f box;
    for (const Vec3f& p : cache.sample(0)) box.extend(p);
    float most = 0;
    for (std::size_t k = 0; k < cache.samples(); ++k) {
      const auto at = std::find_if(clip.times.begin(), clip.times.end(), [&](double t) {
        return std::abs(t - static_cast<double>(k) / 25) < 1e-5;
      });
      if (at == clip.times.end()) return 1e9;
      const Vec3f* const places =
          clip.places.data() + clip.points * static_cast<std::size_t>(at - clip.times.begin());
      for (std::size_t v = 0; v < clip.points; ++v)
        most = std::max(most, (places[v] - cache.sample(k)[v]).norm());
    }
    return static_cast<double>(most / box.diagonal().norm());
  }

  std::string said;
};

TEST_F(RoundTrip, MorphTargetsAndTheMotionOfNodes) {
  leave("sway");
  EXPECT_NE(said.find("morph target"), std::string::npos) << said;
  EXPECT_LT(worst(), 1e-5);
}

TEST_F(RoundTrip, ASkeletonAndWhatItLeaves) {
  leave("bones");
  EXPECT_NE(said.find("on a skeleton"), std::string::npos) << said;
  EXPECT_LT(worst(), 1e-5);
}

TEST_F(RoundTrip, TheSameWithoutItsSkeleton) {
  leave("bones", {"--skeleton", "none"});
  EXPECT_EQ(said.find("on a skeleton"), std::string::npos) << said;
  EXPECT_LT(worst(), 1e-5);
}

// Load Mesh and Play Point Cache on one file, as an artist links them.
TEST_F(RoundTrip, NodesPlayWhatHasLeft) {
  leave("sway");
  const json doc = {{"sinew", 1},
                    {"settings", {{"last_frame", 12}}},
                    {"nodes",
                     {{{"id", "load"}, {"type", "mesh.load"}, {"params", {{"file", "x.glb"}}}},
                      {{"id", "play"}, {"type", "mesh.cache"}, {"params", {{"file", "x.glb"}}}}}},
                    {"links", {"load.mesh -> play.mesh"}}};
  folder.write("play.json", doc.dump());
  const PointCache cache = sinew::load_point_cache(folder / "x.pc2");
  for (const int frame : {0, 5, 12}) {
    const Ran ran = run_program({"eval", "play.json", "--output", "play.mesh", "--frame",
                                 std::to_string(frame), "-o", "e.ply"},
                                folder.path);
    ASSERT_EQ(ran.code, 0) << ran.err;
    const Mesh mesh = sinew::load_mesh(folder / "e.ply");
    const auto sample = cache.sample(static_cast<std::size_t>(frame));
    ASSERT_EQ(mesh.vertex_count(), sample.size());
    for (std::size_t v = 0; v < sample.size(); ++v)
      ASSERT_LT((mesh.positions[v] - sample[v]).norm(), 1e-5f) << frame << " " << v;
  }
}

}  // namespace
