#include "nodes/kernels/soft_follow.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "nodes/geometry/parallel.h"

namespace sinew::kernels {

namespace {

constexpr std::size_t vertices_per_block = 1024;  // a multiple of the lanes

// The led place of a vertex at a part of its way through the frame. At both ends, and where nothing
// moves, without rounding.
Vec3f led_place(const Led& led, uint32_t vertex, float part) {
  if (part >= 1) return led.now[vertex];
  return led.before[vertex] + part * (led.now[vertex] - led.before[vertex]);
}

void set_quad(LaneFloats& quads, std::size_t i, const Vec3f& p) {
  for (std::size_t k = 0; k < 3; ++k) quads[4 * i + k] = p[static_cast<Eigen::Index>(k)];
}

// About the middle of the led places of the vertices [begin, end), inside order: from there x0 is
// measured, so that floats keep their digits in every part of the body, wherever it is led. A few
// of them tell it well enough.
Vec3f middle_of_led(const MatchBody& body, const Led& led, float part, std::size_t begin,
                    std::size_t end) {
  constexpr std::size_t every = 16;
  Vec3d sum = Vec3d::Zero();
  std::size_t count = 0;
  for (std::size_t i = begin; i < end; i += every, ++count) {
    sum += led_place(led, body.order()[i], part).cast<double>();
  }
  return (sum / static_cast<double>(count)).cast<float>();
}

}  // namespace

LedVertex led_vertex(double swings, double damping, double h) {
  constexpr double fewest_steps = std::numbers::pi / 2;  // as the phase of one: four in a swing
  const double phase = 2 * std::numbers::pi * std::max(swings, 0.0) * h;  // omega h
  const double zeta = std::max(damping, 0.0);
  if (!(phase > 0)) return {};
  if (zeta >= 1) {  // two decays in place of a swing: b = (1 - p)(1 - q), 1 - a = p q
    const double sum = zeta + std::sqrt(zeta * zeta - 1);
    return {static_cast<float>(-std::expm1(-2 * zeta * phase)),
            static_cast<float>(std::expm1(-phase * sum) * std::expm1(-phase / sum))};
  }
  const double decay = zeta * phase + std::max(phase - fewest_steps, 0.0);
  const double theta = std::min(phase * std::sqrt(1 - zeta * zeta), fewest_steps);
  const double r = std::exp(-decay), half = std::sin(theta / 2);
  return {static_cast<float>(-std::expm1(-2 * decay)),
          static_cast<float>(std::expm1(-decay) * std::expm1(-decay) + 4 * r * half * half)};
}

void LedScratch::fit(const MatchBody& body) {
  const std::size_t size = 4 * body.stride();
  if (place.size() == size) return;
  for (LaneFloats* quads : {&place, &speed, &rest, &weighted, &centre}) quads->assign(size, 0);
}

RingView lead_rest(const MatchBody& body, const Led& led, float from, float to, double h,
                   const Vec3f& origin, LedScratch& scratch) {
  scratch.fit(body);
  RingView view = body.view();
  const float* const share = view.weighted;
  const float per_second = static_cast<float>((to - from) / h);
  const std::span<const uint32_t> parts = body.parts();
  for (std::size_t p = 0; p + 1 < parts.size(); ++p) {
    if (parts[p] == parts[p + 1]) continue;
    const Vec3f middle = middle_of_led(body, led, from, parts[p], parts[p + 1]);
    parallel_blocks(
        parts[p + 1] - parts[p],
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = parts[p] + begin; i < parts[p] + end; ++i) {
            const uint32_t vertex = body.order()[i];
            const Vec3f y = led_place(led, vertex, from), x0 = y - middle;
            const float m = share[4 * i + 3];
            set_quad(scratch.place, i, y - origin);
            set_quad(scratch.speed, i, per_second * (led.now[vertex] - led.before[vertex]));
            set_quad(scratch.rest, i, x0);
            set_quad(scratch.weighted, i, m * x0);
            scratch.weighted[4 * i + 3] = m;
          }
        },
        vertices_per_block);
  }
  view.rest = scratch.rest.data();
  view.weighted = scratch.weighted.data();
  view.centre = scratch.centre.data();
  parallel_blocks(
      body.count(),
      [&](std::size_t begin, std::size_t end) {
        lane_kernels().ring_centres(view, scratch.centre.data(), begin, end);
      },
      vertices_per_block);
  return view;
}

void draw_to_led(const MatchBody& body, const Led& led, double h, const LedScratch& scratch,
                 std::span<const float> x, std::span<float> v) {
  const std::span<const uint32_t> order = body.order();
  const float per_step = static_cast<float>(1 / h);
  const float* const y = scratch.place.data();
  const float* const u = scratch.speed.data();
  const bool alike = led.vertices.size() == 1;
  parallel_blocks(
      body.count(),
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const LedVertex& one = led.vertices[alike ? 0 : order[i]];
          const float draw = one.draw * per_step;
          for (std::size_t k = 4 * i; k < 4 * i + 4; ++k) {
            v[k] += one.calm * (u[k] - v[k]) + draw * (y[k] - x[k]);
          }
        }
      },
      vertices_per_block);
}

void add_led_speed(const MatchBody& body, float times, const LedScratch& scratch,
                   std::span<float> v) {
  for (std::size_t k = 0; k < 4 * body.count(); ++k) v[k] += times * scratch.speed[k];
}

void led_turns(const MatchBody& body, std::span<const Vec3f> led, MatchScratch& scratch,
               LaneFloats& out) {
  scratch.fit(body);
  const std::size_t stride = body.stride();
  const auto fill = [&](LaneFloats& arrays, std::size_t count, std::size_t ones) {
    arrays.resize(count * stride);
    const auto end_of_ones = arrays.begin() + static_cast<std::ptrdiff_t>(ones * stride);
    std::fill(arrays.begin(), end_of_ones, 1.0f);
    std::fill(end_of_ones, arrays.end(), 0.0f);
  };
  fill(scratch.tensors, 6, 3);
  fill(out, 4, 1);
  // Only differences of neighbours count, so any origin near the body will do.
  const Vec3f origin = led.empty() ? Vec3f(Vec3f::Zero()) : led[0];
  for (std::size_t i = 0; i < body.count(); ++i) {
    set_quad(scratch.x, i, led[body.order()[i]] - origin);
  }
  parallel_blocks(
      body.count(),
      [&](std::size_t begin, std::size_t end) {
        lane_kernels().match_regions(body.view(), scratch.x.data(), scratch.tensors.data(),
                                     out.data(), scratch.maps.data(), begin, end);
      },
      vertices_per_block);
}

void turn_tensors(const MatchBody& body, std::span<const float> turns, LaneFloats& tensors) {
  const std::size_t stride = body.stride();
  float* const t = tensors.data();
  parallel_blocks(body.count(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto at = [&](std::size_t k) -> float& { return t[k * stride + i]; };
      const Eigen::Matrix3f q = Eigen::Quaternionf(turns[i], turns[stride + i],
                                                   turns[2 * stride + i], turns[3 * stride + i])
                                    .toRotationMatrix();
      Eigen::Matrix3f own;
      own << at(0), at(3), at(5), at(3), at(1), at(4), at(5), at(4), at(2);
      const Eigen::Matrix3f turned = q * own * q.transpose();
      at(0) = turned(0, 0), at(1) = turned(1, 1), at(2) = turned(2, 2);
      at(3) = turned(0, 1), at(4) = turned(1, 2), at(5) = turned(2, 0);
    }
  });
}

}  // namespace sinew::kernels
