#include "nodes/kernels/moving_obstacles.h"

#include <algorithm>

#include "nodes/kernels/collide.h"

namespace sinew::kernels {
namespace {

Vec3d to_world(const Collider& collider, const Vec3d& own) {
  return collider.position.cast<double>() + collider.rotation.cast<double>() * own;
}
Vec3d to_own(const Collider& collider, const Vec3d& world) {
  return collider.rotation.cast<double>().conjugate() * (world - collider.position.cast<double>());
}

bool same_shape(const Collider& a, const Collider& b) {
  const bool heights =
      a.heights == b.heights || (a.heights && b.heights && *a.heights == *b.heights);
  const bool distances =
      a.distances == b.distances || (a.distances && b.distances && *a.distances == *b.distances);
  return a.half == b.half && a.radius == b.radius && heights && distances;
}

bool same_layout(const HeightGrid& a, const HeightGrid& b) {
  return a.counts == b.counts && a.origin == b.origin && a.spacing == b.spacing;
}
bool same_layout(const DistanceGrid& a, const DistanceGrid& b) {
  return a.counts == b.counts && a.origin == b.origin && a.spacing == b.spacing;
}
constexpr auto values_of(const HeightGrid&) { return &HeightGrid::heights; }
constexpr auto values_of(const DistanceGrid&) { return &DistanceGrid::distances; }

template <class Grid>
std::shared_ptr<const Grid> blend(const std::shared_ptr<const Grid>& before,
                                  const std::shared_ptr<const Grid>& now, float part, bool late) {
  if (before == now || !before || !now) return now;
  const bool blends = same_layout(*before, *now);
  if (part >= 1 || !(blends || late)) return now;
  if (part <= 0 || !blends) return before;
  auto between = std::make_shared<Grid>(*before);
  std::vector<float>& values = (*between).*values_of(*before);
  const std::vector<float>& next = (*now).*values_of(*before);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] += part * (next[k] - values[k]);
  return between;
}

}  // namespace

ObstacleFrame::ObstacleFrame(const Colliders* before, const Colliders* now, double farthest)
    : before_(before && now && before->list.size() == now->list.size() ? before : nullptr),
      now_(now),
      farthest_(farthest) {}

bool ObstacleFrame::goes_on(std::size_t i) const {
  if (!before_) return false;
  const Collider &before = before_->list[i], &now = now_->list[i];
  return before.shape == now.shape && double{(now.position - before.position).norm()} <= farthest_;
}

bool ObstacleFrame::moves() const {
  for (std::size_t i = 0; before_ && i < now_->list.size(); ++i) {
    const Collider &before = before_->list[i], &now = now_->list[i];
    if (!goes_on(i)) continue;
    if (before.position != now.position || before.rotation.coeffs() != now.rotation.coeffs() ||
        !same_shape(before, now)) {
      return true;
    }
  }
  return false;
}

void ObstacleFrame::at(float part, Colliders& out, bool late) const {
  if (!now_) return out.list.clear();
  out.list.assign(now_->list.begin(), now_->list.end());
  for (std::size_t i = 0; before_ && i < out.list.size(); ++i) {
    if (!goes_on(i)) continue;
    const Collider& before = before_->list[i];
    Collider& c = out.list[i];
    c.position = before.position + part * (c.position - before.position);
    if (before.rotation.coeffs() != c.rotation.coeffs()) {
      c.rotation = before.rotation.slerp(part, c.rotation).normalized();
    }
    c.half = (before.half + part * (c.half - before.half)).cwiseMax(0);
    c.radius = std::max(before.radius + part * (c.radius - before.radius), 0.0f);
    c.heights = blend(before.heights, c.heights, part, late);
    c.distances = blend(before.distances, c.distances, part, late);
  }
}

Vec3d ObstacleFrame::moved(std::size_t i, const Collider& at, const Vec3d& place) const {
  if (!before_) return Vec3d::Zero();
  const Collider& now = now_->list[i];
  return moved<double>(i, before_->list[i], now, 1, to_world(now, to_own(at, place)));
}

bool ObstacleFrame::swells(std::size_t i) const {
  const Collider &before = before_->list[i], &now = now_->list[i];
  return before.half != now.half || before.radius != now.radius || before.heights != now.heights ||
         before.distances != now.distances;
}

double ObstacleFrame::swelling(std::size_t i, const Vec3d& own, Vec3d& normal) const {
  const Collider &before = before_->list[i], &now = now_->list[i];
  const SurfaceDistance is = signed_distance(now, to_world(now, own));
  normal = now.rotation.cast<double>().conjugate() * is.normal;
  return signed_distance(before, to_world(before, own)).distance - is.distance;
}

ObstaclesInTime::ObstaclesInTime(Colliders still) : times_{0}, lists_{std::move(still)} {}

ObstaclesInTime::ObstaclesInTime(std::vector<double> times, std::vector<Colliders> lists,
                                 double farthest)
    : times_(std::move(times)), lists_(std::move(lists)), farthest_(farthest) {}

bool ObstaclesInTime::empty() const {
  return std::all_of(lists_.begin(), lists_.end(), [](const Colliders& c) { return c.empty(); });
}

Colliders ObstaclesInTime::at(double time) const {
  if (lists_.empty()) return {};
  const auto after = std::upper_bound(times_.begin(), times_.end(), time) - times_.begin();
  if (after == 0) return lists_.front();
  if (static_cast<std::size_t>(after) == times_.size()) return lists_.back();
  const auto b = static_cast<std::size_t>(after), a = b - 1;
  if (time == times_[a]) return lists_[a];
  Colliders now;
  ObstacleFrame(&lists_[a], &lists_[b], farthest_)
      .at(static_cast<float>((time - times_[a]) / (times_[b] - times_[a])), now);
  return now;
}

}  // namespace sinew::kernels
