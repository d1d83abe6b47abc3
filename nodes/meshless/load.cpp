// The motion of a mesh from another tool, as that of a body with nodes.
#include <algorithm>
#include <limits>

#include "nodes/kernels/meshless_fit.h"
#include "nodes/meshless_words.h"
#include "nodes/point_cache_words.h"

namespace sinew {
namespace {

In<Meshless> body;
CacheSockets source;
Out<Motion> motion;
Out<float> farthest;

void declare(Declaration& d) {
  d.id("meshless.load", 2).label("Load Motion").category("Meshless");
  d.doc(
      "Reads the motion of a mesh from a point cache or a glTF clip of another tool, to let it "
      "jiggle, fall or meet others here. The body's nodes follow its vertices as nearly as so few "
      "can. Since version 2, its moments are at their frames to the last bit.");
  d.upgrade([](UpgradeStep&) {});
  d.in(body, "body").doc("Nodes in the mesh that the file was made for.");
  source.declare(d);
  d.uses_dt();
  d.out(motion, "motion").doc("The motion, at any time.");
  d.out(farthest, "farthest")
      .doc(
          "The farthest that a vertex is from where the file has it, in metres; more nodes come "
          "nearer.");
}

struct Fit {
  kernels::SurfaceFit solver;
  std::size_t nodes;

  explicit Fit(const std::shared_ptr<const MeshlessBody>& of)
      : solver(of), nodes(of->node_count()) {}
  std::size_t bytes() const { return sizeof *this + nodes * nodes * sizeof(double); }
};

// When the body is fitted. Its motion is a spline, which swings wildly where moments are unevenly
// apart, as keys of clips are: then frames of the document are taken in their place.
std::vector<double> moments(const CacheFile& file, double fps) {
  constexpr double most_frames = 20000, uneven = 1.5;
  const std::vector<double>& times = file.seconds;
  double shortest = std::numeric_limits<double>::infinity(), longest = 0;
  for (std::size_t k = 1; k < times.size(); ++k) {
    shortest = std::min(shortest, times[k] - times[k - 1]);
    longest = std::max(longest, times[k] - times[k - 1]);
  }
  if (times.size() < 3 || longest <= uneven * shortest) return times;
  const double length = times.back() - times.front();
  const double rate = std::min(fps, most_frames / length);
  std::vector<double> even;
  for (double k = 0; k < length * rate - 0.5; ++k) {
    even.push_back(times.front() + seconds_at(k, rate));
  }
  if (even.empty()) even.push_back(times.front());
  even.push_back(times.back());
  return even;
}

void exec(Exec& e) {
  const std::shared_ptr<const MeshlessBody> of = e.get(body).body;
  const auto file = source.read(e, of->rest.vertex_count());
  if (!file) return;
  const auto fit = e.prepared<Fit>(
      "surface fit", [&] { return Fit(of); }, body);
  BodyMotion made{of, {}};
  double worst = 0;
  const std::vector<double> times = moments(*file, e.fps());
  for (std::size_t k = 0; k < times.size(); ++k) {
    e.stop_if_cancelled();
    e.progress(static_cast<double>(k) / static_cast<double>(times.size()),
               fmt::format("moment {} of {}", k + 1, times.size()));
    const std::vector<Vec3f> vertices = file->at(times[k]);
    MotionFrame frame;
    frame.time = times[k];
    frame.places = fit->solver.fit(vertices);
    frame.is_key = true;
    worst = std::max(worst, fit->solver.farthest(vertices, frame.places));
    made.frames.push_back(std::move(frame));
  }
  Motion result;
  result.size = of->size;
  result.bodies.push_back(std::move(made));
  if (worst > 0.05 * of->size) {
    e.warning("vertices are up to {:.3g} m from where the file has them; give the body more nodes",
              worst);
  }
  e.set(motion, std::move(result));
  e.set(farthest, static_cast<float>(worst));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(meshless_load, declare, exec)
