#include "nodes/kernels/meshless_ways.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/counter_random.h"
#include "nodes/kernels/meshless_keys.h"

namespace sinew::kernels {
namespace {

// Of the whole time: how long before and after a meeting a way is bent, at least.
constexpr double least_bend = 0.12;
// Of what two lack. Less than all, as others push, too.
constexpr double eager = 0.7;

struct Crossing {
  std::size_t a = 0, b = 0, moment = 0;
  Vec3d apart{0, 0, 0};  // what a is moved by, and b the other way, m
  double span = 0;       // s, half of it
};

class Ways {
 public:
  Ways(const std::vector<RigidWay>& ways, const std::vector<double>& times,
       const WaySettings& settings, const BodyPairs* asked)
      : ways_(ways), times_(times), settings_(settings), asked_(asked) {
    for (const RigidWay& way : ways) {
      now_.push_back(way.middles);
      const Vec3d middle = middle_of(*way.body);
      std::vector<Vec3d>& points = points_.emplace_back();
      double radius = 0;
      for (const uint32_t v : way.body->touching) {
        points.push_back(way.body->rest.positions[v].cast<double>() - middle);
        radius = std::max(radius, points.back().norm());
      }
      radii_.push_back(radius);
    }
  }

  // Whether any had to be moved.
  bool part_once(int round) {
    std::vector<std::vector<Crossing>> found(ways_.size());
    parallel_each(ways_.size(), [&](std::size_t a) {
      for (std::size_t b = a + 1; b < ways_.size(); ++b) {
        if (asked_ && !asked_->contains({static_cast<uint32_t>(a), static_cast<uint32_t>(b)})) {
          continue;
        }
        look_at(a, b, round, found[a]);
      }
    });
    bool any = false;
    for (const auto& list : found) {
      for (const Crossing& crossing : list) {
        any = true;
        move(crossing.a, crossing, 1);
        move(crossing.b, crossing, -1);
      }
    }
    return any;
  }

  const std::vector<std::vector<Vec3d>>& now() const { return now_; }

 private:
  double support(std::size_t b, std::size_t moment, const Vec3d& direction) const {
    const Vec3d own = ways_[b].turns[moment].transpose() * direction;
    double most = 0;
    for (const Vec3d& p : points_[b]) most = std::max(most, own.dot(p));
    return most;
  }

  // Every moment at which two are nearer than just before and after.
  void look_at(std::size_t a, std::size_t b, int round, std::vector<Crossing>& found) const {
    const double size = 0.5 * (ways_[a].body->size + ways_[b].body->size);
    const double margin = settings_.margin * size, reach = radii_[a] + radii_[b] + margin;
    const auto distance = [&](std::size_t k) { return (now_[a][k] - now_[b][k]).squaredNorm(); };
    for (std::size_t k = 1; k + 1 < times_.size(); ++k) {
      const double d2 = distance(k);
      if (d2 > reach * reach || d2 > distance(k - 1) || d2 >= distance(k + 1)) continue;
      const Vec3d r = now_[a][k] - now_[b][k];
      const Vec3d way = (now_[a][k + 1] - now_[b][k + 1]) - (now_[a][k - 1] - now_[b][k - 1]);
      const double speed = way.norm() / (times_[k + 1] - times_[k - 1]);
      Vec3d n = r;
      if (way.norm() > 1e-9 * size) n -= r.dot(way) / way.squaredNorm() * way;
      if (n.norm() < 1e-3 * size) {
        CounterRandom random(settings_.seed, a * ways_.size() + b, static_cast<uint64_t>(round));
        const Vec3d any(random.normal(), random.normal(), random.normal());
        n = way.norm() > 0 ? Vec3d(way.cross(any)) : any;
      }
      if (!(n.norm() > 0)) continue;
      n.normalize();
      const double lacks = support(a, k, -n) + support(b, k, n) + margin - r.dot(n);
      if (lacks <= 1e-3 * size) continue;
      const double whole = times_.back() - times_.front();
      const double span = std::max(least_bend * whole, speed > 0 ? reach / speed : whole);
      found.push_back({a, b, k, 0.5 * eager * lacks * n, std::min(span, whole)});
    }
  }

  void move(std::size_t b, const Crossing& crossing, double sign) {
    const std::vector<double>& free = ways_[b].free;
    for (std::size_t k = 0; k < times_.size(); ++k) {
      const double away = std::abs(times_[k] - times_[crossing.moment]) / crossing.span;
      if (away >= 1 || free[k] <= 0) continue;
      const double bump = std::cos(0.5 * std::numbers::pi * away);
      const double held = std::min(1.0, free[k] / (0.5 * crossing.span));
      now_[b][k] += sign * bump * bump * held * crossing.apart;
    }
  }

  const std::vector<RigidWay>& ways_;
  const std::vector<double>& times_;
  WaySettings settings_;
  const BodyPairs* asked_;
  std::vector<std::vector<Vec3d>> now_, points_;
  std::vector<double> radii_;
};

}  // namespace

std::vector<std::vector<Vec3d>> part_ways(const std::vector<RigidWay>& ways,
                                          const std::vector<double>& times,
                                          const WaySettings& settings, const BodyPairs* asked) {
  if (ways.size() < 2 || times.size() < 3) return {};
  Ways parting(ways, times, settings, asked);
  bool any = false;
  for (int round = 0; round < settings.rounds && parting.part_once(round); ++round) any = true;
  if (!any) return {};
  std::vector<std::vector<Vec3d>> moved = parting.now();
  for (std::size_t b = 0; b < ways.size(); ++b) {
    for (std::size_t k = 0; k < times.size(); ++k) moved[b][k] -= ways[b].middles[k];
  }
  return moved;
}

}  // namespace sinew::kernels
