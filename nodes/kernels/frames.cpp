#include "nodes/kernels/frames.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/vectors.h"

namespace sinew::kernels {

namespace {

// Of the steepest gradient: what is below has no direction but that of rounding.
constexpr double flat_part = 1e-6;
// Sine of the angle to d2 below which a tangent says nothing about the layer.
constexpr double least_sine = 1e-3;

using Directions = std::vector<Vec3d>;

Vec3d unit_or_zero(const Vec3d& v) {
  const double length = v.norm();
  return length > 0 ? Vec3d(v / length) : Vec3d(0, 0, 0);
}

Vec3d across(const Vec3d& t, const Vec3d& d2) { return t - t.dot(d2) * d2; }

// Directions where `known`, 0 elsewhere, from neighbour to neighbour until nothing more is reached.
// `admit(v, d)` gives the unit direction that vertex v makes of d, or 0 if it cannot use it.
template <class Admit>
void fill(Directions& directions, std::vector<char>& known, const Rows& neighbours,
          const Admit& admit, CancelView stop) {
  std::vector<uint32_t> ring;
  const auto reached = [&](uint32_t v) {
    const auto near = neighbours[v];
    return std::any_of(near.begin(), near.end(), [&](uint32_t u) { return known[u]; });
  };
  for (uint32_t v = 0; v < known.size(); ++v) {
    if (!known[v] && reached(v)) ring.push_back(v);
  }
  std::vector<uint32_t> filled, next;
  std::vector<char> queued(known.size(), 0);
  while (!ring.empty()) {
    stop.check();
    filled.clear();
    // All of a ring from those before it: the order of the vertices does not matter.
    for (const uint32_t v : ring) {
      Vec3d sum = Vec3d::Zero();
      for (const uint32_t u : neighbours[v]) {
        if (known[u]) sum += sum.dot(directions[u]) < 0 ? Vec3d(-directions[u]) : directions[u];
      }
      directions[v] = admit(v, sum);
      if (directions[v] != Vec3d::Zero()) filled.push_back(v);
    }
    next.clear();
    for (const uint32_t v : filled) known[v] = 1;
    for (const uint32_t v : filled) {
      for (const uint32_t u : neighbours[v]) {
        if (known[u] || queued[u] == 1) continue;
        queued[u] = 1;
        next.push_back(u);
      }
    }
    std::sort(next.begin(), next.end());
    for (const uint32_t u : next) queued[u] = 0;
    ring.swap(next);
  }
}

// d2 where the gradient has a direction, and where that is.
std::vector<char> find_secondary(std::span<const Vec3f> gradient, Directions& d2) {
  double steepest = 0;
  for (const Vec3f& g : gradient) steepest = std::max(steepest, g.cast<double>().norm());
  std::vector<char> known(gradient.size(), 0);
  for (std::size_t v = 0; v < gradient.size(); ++v) {
    const Vec3d g = gradient[v].cast<double>();
    known[v] = g.norm() > 0 && g.norm() >= flat_part * steepest;
    if (known[v]) d2[v] = g.normalized();
  }
  return known;
}

Eigen::Matrix3d matrix_of(const Symmetric3& s) {
  Eigen::Matrix3d m;
  m << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
  return m;
}

// The direction at right angles to d2 in which the tensor is largest, or 0 if all are equal. Its
// length tells how much larger than across it: how clear the line is.
Vec3d line_across(const Symmetric3& s, const Vec3d& d2) {
  const Eigen::Matrix3d m = matrix_of(s);
  const Vec3d u = any_perpendicular(d2), v = d2.cross(u);
  const double uu = u.dot(m * u), vv = v.dot(m * v), uv = u.dot(m * v);
  const double spread = std::hypot((uu - vv) / 2, uv);
  if (!(spread > least_sine * m.norm())) return Vec3d::Zero();
  const double angle = std::atan2(uv, (uu - vv) / 2) / 2;
  return spread * (std::cos(angle) * u + std::sin(angle) * v);
}

// What the strokes say at a vertex, at right angles to d2; 0 if nothing.
Vec3d along_strokes(const StrokeGuide& guide, std::size_t v, const Vec3d& d2) {
  if (!guide.lines.empty()) return line_across(guide.lines[v], d2);
  if (guide.arrows.empty()) return Vec3d::Zero();
  const Vec3d t = guide.arrows[v].cast<double>();
  const Vec3d along = across(t, d2);
  return along.norm() > least_sine * t.norm() ? along : Vec3d(0, 0, 0);
}

// A d2 for a part of the body where no layer has a direction: there only the strokes count.
Vec3d across_strokes(const StrokeGuide& guide, std::size_t v) {
  Vec3d t = Vec3d::Zero();
  if (!guide.lines.empty()) {
    t = largest_direction(guide.lines[v]);
  } else if (!guide.arrows.empty()) {
    t = unit_or_zero(guide.arrows[v].cast<double>());
  }
  return t != Vec3d::Zero() ? any_perpendicular(t) : Vec3d(0, 1, 0);
}

// Turns lines round so that neighbours agree, the clearest ones first: the lines around an axis
// must not get their sense from across it, where they are unclear.
void agree_on_sense(Directions& d1, std::span<const double> clear, std::span<const Vec3f> arrows,
                    const Rows& neighbours, CancelView stop) {
  const auto sense = [&](std::size_t v) { return d1[v].dot(arrows[v].cast<double>()); };
  std::vector<uint32_t> starts(d1.size());
  std::iota(starts.begin(), starts.end(), 0u);
  std::stable_sort(starts.begin(), starts.end(),
                   [&](uint32_t a, uint32_t b) { return std::abs(sense(a)) > std::abs(sense(b)); });
  struct Step {
    double agreement;
    uint32_t to, from;
    bool operator<(const Step& o) const {
      return std::tie(agreement, o.to, o.from) < std::tie(o.agreement, to, from);
    }
  };
  std::priority_queue<Step> steps;
  std::vector<char> settled(d1.size(), 0);
  const auto settle = [&](uint32_t v, double sign) {
    if (sign < 0) d1[v] = -d1[v];
    settled[v] = 1;
    for (const uint32_t u : neighbours[v]) {
      if (!settled[u])
        steps.push({std::abs(d1[v].dot(d1[u])) * std::min(clear[u], clear[v]), u, v});
    }
  };
  std::size_t count = 0;
  for (const uint32_t start : starts) {
    if (settled[start]) continue;
    settle(start, sense(start));
    while (!steps.empty()) {
      const Step step = steps.top();
      steps.pop();
      if (++count % 4096 == 0) stop.check();
      if (!settled[step.to]) settle(step.to, d1[step.to].dot(d1[step.from]));
    }
  }
}

Frames frames_of(const Directions& d1, const Directions& d2) {
  Frames frames;
  const std::size_t count = d1.size();
  frames.primary.resize(count);
  frames.secondary.resize(count);
  frames.tertiary.resize(count);
  for (std::size_t v = 0; v < count; ++v) {
    frames.primary[v] = d1[v].cast<float>();
    frames.secondary[v] = d2[v].cast<float>();
    frames.tertiary[v] = d1[v].cross(d2[v]).cast<float>();
  }
  return frames;
}

}  // namespace

Symmetric3 line_tensor(const Vec3f& direction) {
  const double length = direction.cast<double>().norm();
  if (!(length > 0)) return {};
  const Vec3f t = (direction.cast<double>() / length).cast<float>();
  return {t.x() * t.x(), t.y() * t.y(), t.z() * t.z(), t.x() * t.y(), t.y() * t.z(), t.z() * t.x()};
}

Vec3d largest_direction(const Symmetric3& tensor) {
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(matrix_of(tensor)).eigenvectors().col(2);
}

FrameField build_frames(std::span<const Vec3f> gradient, const StrokeGuide& guide,
                        const Rows& neighbours, CancelView stop) {
  const std::size_t count = gradient.size();
  Directions d1(count, Vec3d::Zero()), d2(count, Vec3d::Zero());
  std::vector<char> layered = find_secondary(gradient, d2), guided(count, 0);
  std::vector<double> clear(count, 0);
  FrameField result;
  result.without_layer = std::count(layered.begin(), layered.end(), 0);
  std::vector<char> degenerate(count);
  for (std::size_t v = 0; v < count; ++v) degenerate[v] = !layered[v];
  const auto unit = [](uint32_t, const Vec3d& sum) -> Vec3d { return unit_or_zero(sum); };
  if (result.without_layer > 0) fill(d2, layered, neighbours, unit, stop);

  parallel_blocks(count, [&](std::size_t begin, std::size_t end) {
    stop.check();
    for (std::size_t v = begin; v < end; ++v) {
      if (!layered[v]) d2[v] = across_strokes(guide, v);
      const Vec3d along = along_strokes(guide, v, d2[v]);
      clear[v] = along.norm();
      guided[v] = clear[v] > 0;
      d1[v] = unit_or_zero(along);
    }
  });
  result.without_stroke = std::count(guided.begin(), guided.end(), 0);
  for (std::size_t v = 0; v < count; ++v) degenerate[v] |= !guided[v];
  result.degenerate = std::count(degenerate.begin(), degenerate.end(), 1);
  const auto in_layer = [&](uint32_t v, const Vec3d& sum) -> Vec3d {
    const Vec3d along = across(sum, d2[v]);
    return along.norm() > least_sine * sum.norm() ? unit_or_zero(along) : Vec3d(0, 0, 0);
  };
  if (result.without_stroke > 0) fill(d1, guided, neighbours, in_layer, stop);
  for (std::size_t v = 0; v < count; ++v) {
    if (!guided[v]) d1[v] = any_perpendicular(d2[v]);
  }
  if (!guide.lines.empty()) agree_on_sense(d1, clear, guide.arrows, neighbours, stop);
  result.frames = frames_of(d1, d2);
  return result;
}

}  // namespace sinew::kernels
