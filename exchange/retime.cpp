#include "exchange/retime.h"

#include <cmath>

#include "graph/frame_time.h"

namespace sinew::exchange {
namespace {

// Frames that lie nearer than this to one of ours are that one.
constexpr double same_frame = 1e-6;

Scene between(const Scene& a, const Scene& b, double s) {
  Scene scene = a;
  if (!change_of_shape(a.bodies, b.bodies).empty() || s < same_frame) return scene;
  if (s > 1 - same_frame) return b;
  const auto part = static_cast<float>(s);
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    std::vector<Vec3f> places = a.bodies[k].mesh.positions;
    for (std::size_t v = 0; v < places.size(); ++v)
      places[v] += part * (b.bodies[k].mesh.positions[v] - places[v]);
    scene.bodies[k].mesh = a.bodies[k].mesh.with_positions(std::move(places));
  }
  for (std::size_t r = 0; r < scene.rigs.size() && r < b.rigs.size(); ++r)
    for (std::size_t j = 0; j < scene.rigs[r].places.size() && j < b.rigs[r].places.size(); ++j)
      scene.rigs[r].places[j] += s * (b.rigs[r].places[j] - scene.rigs[r].places[j]);
  return scene;
}

}  // namespace

Retime::Retime(double fps, double out_fps, int first, int last, int step)
    : fps_(fps), out_fps_(out_fps), same_(step == 1 && std::abs(fps - out_fps) < 1e-9 * fps) {
  last = first + (last - first) / step * step;
  if (same_) {
    first_ = first;
    count_ = last - first + 1;
    return;
  }
  first_ = static_cast<int>(std::ceil(first * out_fps / fps - same_frame));
  count_ = static_cast<int>(std::floor(last * out_fps / fps + same_frame)) - first_ + 1;
  next_ = first_;
}

Result<void> Retime::feed(Scene scene, Writer& writer) {
  scene.seconds = seconds_at(scene.frame, fps_);
  if (same_) return writer.add(scene);
  const double now = scene.seconds * out_fps_;
  for (; next_ <= now + same_frame && next_ < first_ + count_; ++next_) {
    Scene made = scene;
    if (before_) {
      const double then = before_->seconds * out_fps_;
      made = between(*before_, scene, (next_ - then) / (now - then));
    }
    made.frame = next_;
    made.seconds = seconds_at(next_, out_fps_);
    if (const Result<void> ok = writer.add(made); !ok) return ok;
  }
  before_ = std::move(scene);
  return {};
}

}  // namespace sinew::exchange
