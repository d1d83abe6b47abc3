#include "nodes/kernels/meshless_collide.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "nodes/kernels/collide.h"
#include "nodes/kernels/dispatch.h"
#include "nodes/kernels/four.h"

namespace sinew::kernels {

DistanceSlope distance_with_slope(const DistanceGrid& grid, const Vec3d& point) {
  const double h = static_cast<double>(grid.spacing);
  const Vec3d x = (point - grid.origin.cast<double>()) / h;
  Vec3d inside = x;
  std::array<uint32_t, 3> cell{};
  Vec3d t;
  for (int k = 0; k < 3; ++k) {
    const double last = static_cast<double>(grid.counts[static_cast<std::size_t>(k)] - 1);
    inside[k] = std::clamp(x[k], 0.0, last);
    const double c = std::min(std::floor(inside[k]), last - 1);
    cell[static_cast<std::size_t>(k)] = static_cast<uint32_t>(c);
    t[k] = inside[k] - c;
  }
  const auto value = [&](uint32_t i, uint32_t j, uint32_t k) {
    return static_cast<double>(
        grid.distances[(cell[0] + i) +
                       static_cast<std::size_t>(grid.counts[0]) *
                           ((cell[1] + j) +
                            static_cast<std::size_t>(grid.counts[1]) * (cell[2] + k))]);
  };
  DistanceSlope found;
  for (uint32_t c = 0; c < 8; ++c) {
    const uint32_t i = c & 1, j = c >> 1 & 1, k = c >> 2;
    const double v = value(i, j, k);
    const double a = i ? t[0] : 1 - t[0], b = j ? t[1] : 1 - t[1], d = k ? t[2] : 1 - t[2];
    found.distance += v * a * b * d;
    found.slope += v / h * Vec3d(i ? b * d : -b * d, j ? a * d : -a * d, k ? a * b : -a * b);
  }
  const Vec3d beyond = h * (x - inside);
  if (const double away = beyond.norm(); away > 0) {
    // Within the grid only the part along its border counts.
    for (int k = 0; k < 3; ++k) {
      if (beyond[k] != 0) found.slope[k] = 0;
    }
    found.distance += away;
    found.slope += beyond / away;
  }
  return found;
}

DistanceSlope distance_with_slope(const Collider& collider, const Vec3d& point) {
  if (collider.shape == ColliderShape::mesh && collider.distances) {
    const Eigen::Quaterniond turn = collider.rotation.cast<double>();
    const Vec3d local = turn.conjugate() * (point - collider.position.cast<double>());
    DistanceSlope found = distance_with_slope(*collider.distances, local);
    found.slope = turn * found.slope;
    return found;
  }
  const SurfaceDistance d = signed_distance(collider, point);
  return {d.distance, d.normal};
}

DistanceSlope distance_with_slope(const Colliders& colliders, const Vec3d& point) {
  DistanceSlope best{std::numeric_limits<double>::max(), {0, 1, 0}};
  for (const Collider& c : colliders.list) {
    const DistanceSlope found = distance_with_slope(c, point);
    if (found.distance < best.distance) best = found;
  }
  return best;
}

// ---- Bodies -------------------------------------------------------------------------------------

namespace {

// Bodies are found in each other as long as they are stretched by less than this.
constexpr double most_stretch = 2.5;

// No place inside of the body is farther from all anchors, give or take a cell of its grid.
double covered_within(const MeshlessBody& body, std::span<const Vec3d> anchors) {
  if (!body.distances || anchors.empty()) return body.radius;
  const DistanceGrid& grid = *body.distances;
  const double h = static_cast<double>(grid.spacing);
  // Some thousands of places tell.
  uint32_t step = 1;
  const double cells = static_cast<double>(grid.distances.size());
  while (cells / std::pow(step, 3) > 8000) ++step;
  double farthest = 0;
  for (uint32_t k = 0; k < grid.counts[2]; k += step) {
    for (uint32_t j = 0; j < grid.counts[1]; j += step) {
      for (uint32_t i = 0; i < grid.counts[0]; i += step) {
        const std::size_t at = i + static_cast<std::size_t>(grid.counts[0]) *
                                       (j + static_cast<std::size_t>(grid.counts[1]) * k);
        if (!(grid.distances[at] < 0)) continue;
        const Vec3d place = grid.origin.cast<double>() + h * Vec3d(i, j, k);
        double nearest = std::numeric_limits<double>::max();
        for (const Vec3d& a : anchors) nearest = std::min(nearest, (a - place).squaredNorm());
        farthest = std::max(farthest, nearest);
      }
    }
  }
  return std::sqrt(farthest) + h * step;
}

}  // namespace

ContactBody::ContactBody(const MeshlessBody& body) : body_(&body), anchors_(body.at_samples) {
  rest_ = body.samples;
  first_touching_ = rest_.size();
  const ShapeRows& touching = body.at_touching;
  const uint32_t start = static_cast<uint32_t>(anchors_.node.size());
  for (std::size_t i = 1; i < touching.first.size(); ++i) {
    anchors_.first.push_back(start + touching.first[i]);
  }
  anchors_.node.insert(anchors_.node.end(), touching.node.begin(), touching.node.end());
  anchors_.value.insert(anchors_.value.end(), touching.value.begin(), touching.value.end());
  anchors_.gradient.insert(anchors_.gradient.end(), touching.gradient.begin(),
                           touching.gradient.end());
  for (const uint32_t v : body.touching) rest_.push_back(body.rest.positions[v].cast<double>());
  std::vector<std::vector<uint32_t>> of_node(body.node_count());
  for (std::size_t i = 0; i < rest_.size(); ++i) {
    uint32_t best = anchors_.first[i];
    if (best == anchors_.first[i + 1]) continue;
    for (uint32_t k = best; k < anchors_.first[i + 1]; ++k) {
      if (anchors_.value[k] > anchors_.value[best]) best = k;
    }
    of_node[anchors_.node[best]].push_back(static_cast<uint32_t>(i));
  }
  group_first_.push_back(0);
  for (const auto& list : of_node) {
    group_.insert(group_.end(), list.begin(), list.end());
    group_first_.push_back(static_cast<uint32_t>(group_.size()));
  }
  for (std::size_t i = 0; i + 1 < anchors_.first.size(); ++i) {
    double sum = 0;
    for (uint32_t k = anchors_.first[i]; k < anchors_.first[i + 1]; ++k) {
      sum += std::abs(anchors_.value[k]);
    }
    spread_ = std::max(spread_, sum);
  }
  thickness_ = std::min(body.radius, most_stretch * covered_within(body, rest_));
  share_ = static_cast<double>(body.node_count()) /
           static_cast<double>(std::max<std::size_t>(1, body.touching.size()));
}

namespace {

SINEW_CLONES void place_rows(std::size_t count, const uint32_t* first, const uint32_t* node,
                             const double* value, const double* nodes, Vec3d* now) {
  for (std::size_t i = 0; i < count; ++i) {
    Four sum = {};
    for (uint32_t k = first[i]; k < first[i + 1]; ++k) {
      sum += value[k] * *reinterpret_cast<const Four*>(nodes + std::size_t{4} * node[k]);
    }
    now[i] = Vec3d(sum[0], sum[1], sum[2]);
  }
}

}  // namespace

namespace {

// Farther than this, in sizes, bodies may go before pairs are asked anew.
constexpr double pair_slack = 0.15;

}  // namespace

void ContactFrame::place(std::span<const ContactBody* const> bodies,
                         std::span<const Vec3d* const> places, double margin, bool alone) {
  bodies_ = bodies;
  places_.assign(places.begin(), places.end());
  first_.assign(1, 0);
  first_group_.assign(1, 0);
  for (const ContactBody* b : bodies) {
    first_.push_back(first_.back() + b->rest_.size());
    first_group_.push_back(first_group_.back() + b->group_first_.size() - 1);
  }
  now_.resize(first_.back());
  whole_.resize(bodies.size());
  groups_.resize(first_group_.back());
  const bool listed = is_list_good(margin);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!listed || alone || has_pair_[b]) place_body(b);
  }
  if (!listed) list_pairs(margin);
}

void ContactFrame::place_body(std::size_t b) {
  const ContactBody& body = *bodies_[b];
  padded_.resize(4 * body.body().node_count());
  for (std::size_t n = 0; n < body.body().node_count(); ++n) {
    for (int k = 0; k < 3; ++k) padded_[4 * n + static_cast<std::size_t>(k)] = places_[b][n][k];
  }
  Vec3d* now = now_.data() + first_[b];
  place_rows(body.rest_.size(), body.anchors_.first.data(), body.anchors_.node.data(),
             body.anchors_.value.data(), padded_.data(), now);
  Eigen::AlignedBox3d box;
  for (std::size_t i = 0; i < body.rest_.size(); ++i) box.extend(now[i]);
  const auto around = [&](const Vec3d& middle, auto begin, auto end) {
    Sphere sphere{middle, 0};
    for (auto it = begin; it != end; ++it) {
      sphere.radius = std::max(sphere.radius, (now[*it] - middle).squaredNorm());
    }
    sphere.radius = std::sqrt(sphere.radius);
    return sphere;
  };
  whole_[b] = around(box.center(), body.group_.begin(), body.group_.end());
  for (std::size_t g = 0; g + 1 < body.group_first_.size(); ++g) {
    const auto begin = body.group_.begin() + body.group_first_[g];
    const auto end = body.group_.begin() + body.group_first_[g + 1];
    Vec3d mean(0, 0, 0);
    for (auto it = begin; it != end; ++it) mean += now[*it];
    if (begin != end) mean /= static_cast<double>(end - begin);
    groups_[first_group_[b] + g] = around(mean, begin, end);
    if (begin == end) groups_[first_group_[b] + g].radius = -1;
  }
}

// Two bodies that were `slack_` and the margin apart cannot touch before they have gone that far.
bool ContactFrame::is_list_good(double margin) const {
  if (margin > listed_margin_ || has_pair_.size() != bodies_.size()) return false;
  double farthest = 0, second = 0;
  std::size_t at = 0;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const std::size_t count = bodies_[b]->body().node_count();
    if (at + count > listed_.size()) return false;
    double moved = 0;
    for (std::size_t n = 0; n < count; ++n, ++at) {
      moved = std::max(moved, (places_[b][n] - listed_[at]).squaredNorm());
    }
    // What is not a number is asked anew.
    if (!(moved < std::numeric_limits<double>::max())) return false;
    moved = bodies_[b]->spread_ * std::sqrt(moved);
    if (moved > farthest) std::swap(moved, farthest);
    second = std::max(second, moved);
  }
  return at == listed_.size() && farthest + second <= slack_;
}

void ContactFrame::list_pairs(double margin) {
  double least = std::numeric_limits<double>::max();
  for (const ContactBody* b : bodies_) least = std::min(least, b->body().size);
  slack_ = bodies_.empty() ? 0 : pair_slack * least;
  listed_margin_ = margin;
  listed_.clear();
  pairs_.clear();
  has_pair_.assign(bodies_.size(), 0);
  for (std::size_t s = 0; s < bodies_.size(); ++s) {
    listed_.insert(listed_.end(), places_[s], places_[s] + bodies_[s]->body().node_count());
    for (std::size_t t = 0; t < bodies_.size(); ++t) {
      if (s == t) continue;
      const double reach = whole_[s].radius + whole_[t].radius + margin * size_of(s, t) + slack_;
      if (!((whole_[s].middle - whole_[t].middle).squaredNorm() < reach * reach)) continue;
      pairs_.emplace_back(static_cast<uint32_t>(s), static_cast<uint32_t>(t));
      has_pair_[s] = has_pair_[t] = 1;
    }
  }
}

double ContactFrame::add_obstacles(const Colliders& obstacles, const ContactWeights& weights,
                                   std::span<Vec3d* const> gradients) {
  if (obstacles.empty()) return 0;
  double energy = 0;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const ContactBody& body = *bodies_[b];
    const double size = body.body().size, margin = weights.margin * size;
    for (const Collider& obstacle : obstacles.list) {
      // Bodies that are far away need not be asked point by point. The distance from a terrain is
      // only that from a tangent plane, and may be too large; so is that from a grid outside of it,
      // by a way to its border and on: the straight one has a third of both at least.
      const double told = obstacle.shape == ColliderShape::mesh ? 3 : 1;
      if (obstacle.shape != ColliderShape::terrain &&
          distance_with_slope(obstacle, whole_[b].middle).distance >
              told * (whole_[b].radius + margin)) {
        continue;
      }
      for (std::size_t i = body.first_touching_; i < body.rest_.size(); ++i) {
        const DistanceSlope found = distance_with_slope(obstacle, now_[first_[b] + i]);
        const double e = margin - found.distance;
        if (!(e > 0)) continue;
        const double w = weights.obstacles * body.share_ / (size * size);
        energy += w * e * e;
        if (gradients.empty()) continue;
        const Vec3d a = -2 * w * e * found.slope;
        const ShapeRows& rows = body.anchors_;
        for (uint32_t k = rows.first[i]; k < rows.first[i + 1]; ++k) {
          gradients[b][rows.node[k]] += rows.value[k] * a;
        }
      }
    }
  }
  return energy;
}

// Where y is in the rest of body s, if it may be closer to its surface than `reach`, or inside.
bool ContactFrame::meet(std::size_t s, std::span<const uint32_t> near, const Vec3d& y, double reach,
                        Meeting& meeting) const {
  const ContactBody& body = *bodies_[s];
  const Vec3d* now = now_.data() + first_[s];
  // Farther from every anchor than the body is thick means outside.
  double within = body.thickness_ + reach, best = within * within;
  bool any = false;
  for (const uint32_t g : near) {
    const Sphere& sphere = groups_[first_group_[s] + g];
    const double beyond = sphere.radius + within;
    if ((y - sphere.middle).squaredNorm() >= beyond * beyond) continue;
    for (uint32_t k = body.group_first_[g]; k < body.group_first_[g + 1]; ++k) {
      const double d2 = (y - now[body.group_[k]]).squaredNorm();
      if (d2 >= best) continue;
      best = d2;
      meeting.anchor = body.group_[k];
      any = true;
    }
    if (any) within = std::sqrt(best);
  }
  if (!any) return false;
  const std::span<const Vec3d> nodes(places_[s], body.body().node_count());
  const Eigen::Matrix3d f = gradient_of(body.anchors_, meeting.anchor, nodes);
  // Crushed flat or inside out, there is no way back.
  if (!(f.determinant() > 0.05)) return false;
  meeting.inverse = f.inverse();
  meeting.z = body.rest_[meeting.anchor] + meeting.inverse * (y - now[meeting.anchor]);
  meeting.found = distance_with_slope(*body.body().distances, meeting.z);
  return true;
}

// `margin` in sizes, as in ContactWeights.
template <class Visit>
void ContactFrame::for_pairs(double margin, const Visit& visit) const {
  for (const auto& [s, t] : pairs_) {
    const double reach = whole_[s].radius + whole_[t].radius + margin * size_of(s, t);
    if ((whole_[s].middle - whole_[t].middle).squaredNorm() < reach * reach) visit(s, t);
  }
}

// Which of the groups of body s may be near a group of another one.
void ContactFrame::groups_near(std::size_t s, const Sphere& other, double reach) const {
  const ContactBody& body = *bodies_[s];
  near_.clear();
  for (uint32_t g = 0; g + 1 < body.group_first_.size(); ++g) {
    const Sphere& sphere = groups_[first_group_[s] + g];
    const double far = sphere.radius + other.radius + body.thickness_ + reach;
    if (sphere.radius >= 0 && (sphere.middle - other.middle).squaredNorm() < far * far) {
      near_.push_back(g);
    }
  }
}

// visit(s, t, i, meeting): anchor i of t is where the meeting says in s. `margin` in sizes.
template <class Visit>
void ContactFrame::for_meetings(double margin, const Visit& visit) const {
  Meeting meeting;
  for_pairs(margin, [&](std::size_t s, std::size_t t) {
    const ContactBody& moving = *bodies_[t];
    const double reach = margin * size_of(s, t);
    const double within = whole_[s].radius + reach;
    for (std::size_t g = 0; g + 1 < moving.group_first_.size(); ++g) {
      const Sphere& group = groups_[first_group_[t] + g];
      const double far = within + group.radius;
      if (group.radius < 0 || (group.middle - whole_[s].middle).squaredNorm() > far * far) continue;
      groups_near(s, group, reach);
      if (near_.empty()) continue;
      for (uint32_t k = moving.group_first_[g]; k < moving.group_first_[g + 1]; ++k) {
        const std::size_t i = moving.group_[k];
        if (i < moving.first_touching_) continue;
        const Vec3d& y = now_[first_[t] + i];
        if ((y - whole_[s].middle).squaredNorm() > within * within) continue;
        if (meet(s, near_, y, reach, meeting)) visit(s, t, i, meeting);
      }
    }
  });
}

double ContactFrame::add_bodies(const ContactWeights& weights, std::span<Vec3d* const> gradients) {
  double energy = 0;
  for_meetings(
      weights.margin, [&](std::size_t s, std::size_t t, std::size_t i, const Meeting& meeting) {
        const ContactBody& moving = *bodies_[t];
        const ContactBody& other = *bodies_[s];
        const double size = size_of(s, t);
        const double e = weights.margin * size - meeting.found.distance;
        if (!(e > 0)) return;
        const double w = weights.bodies * moving.share_ / (size * size);
        energy += w * e * e;
        if (gradients.empty()) return;
        const Vec3d a = -2 * w * e * (meeting.inverse.transpose() * meeting.found.slope);
        for (uint32_t k = moving.anchors_.first[i]; k < moving.anchors_.first[i + 1]; ++k) {
          gradients[t][moving.anchors_.node[k]] += moving.anchors_.value[k] * a;
        }
        const ShapeRows& rows = other.anchors_;
        const Vec3d step = meeting.z - other.rest_[meeting.anchor];
        for (uint32_t k = rows.first[meeting.anchor]; k < rows.first[meeting.anchor + 1]; ++k) {
          gradients[s][rows.node[k]] -= (rows.value[k] + rows.gradient[k].dot(step)) * a;
        }
      });
  return energy;
}

void ContactFrame::find_meetings(double margin, std::vector<BodyMeeting>& list) const {
  list.clear();
  for_meetings(margin, [&](std::size_t s, std::size_t t, std::size_t i, const Meeting& meeting) {
    const double e = margin * size_of(s, t) - meeting.found.distance;
    const Vec3d out = meeting.inverse.transpose() * meeting.found.slope;
    const double length = out.norm();
    if (!(e > 0) || !(length > 0)) return;
    list.push_back({static_cast<uint32_t>(t), static_cast<uint32_t>(s), static_cast<uint32_t>(i),
                    meeting.anchor, meeting.z - bodies_[s]->rest_[meeting.anchor], out / length,
                    e});
  });
}

double ContactFrame::depth(const Colliders& obstacles) const {
  double deepest = 0;
  for (std::size_t b = 0; b < bodies_.size() && !obstacles.empty(); ++b) {
    const ContactBody& body = *bodies_[b];
    for (std::size_t i = body.first_touching_; i < body.rest_.size(); ++i) {
      const DistanceSlope found = distance_with_slope(obstacles, now_[first_[b] + i]);
      deepest = std::max(deepest, -found.distance);
    }
  }
  for_meetings(0, [&](std::size_t, std::size_t, std::size_t, const Meeting& meeting) {
    deepest = std::max(deepest, -meeting.found.distance);
  });
  return deepest;
}

}  // namespace sinew::kernels
