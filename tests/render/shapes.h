// Bodies for the tests of the renderer, as draw::Mesh: positions and triangles that are shared, as
// the values of a graph share them.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "render/draw_list.h"

namespace sinew::render::test {

using draw::Point;
using draw::Triangle;

struct Body {
  std::shared_ptr<const std::vector<Point>> positions;
  std::shared_ptr<const std::vector<Triangle>> triangles;

  // As a node would show it. The key names the positions; 0: they have no name.
  draw::Mesh mesh(uint64_t key, std::string source = "body") const {
    draw::Mesh m;
    m.source = std::move(source);
    m.owner = positions;
    m.topology = triangles;
    m.key = {key, 0};
    m.positions = *positions;
    m.triangles = *triangles;
    return m;
  }
  // The same triangles elsewhere.
  Body moved(const std::function<Point(const Point&)>& move) const {
    std::vector<Point> to;
    for (const Point& p : *positions) to.push_back(move(p));
    return {std::make_shared<const std::vector<Point>>(std::move(to)), triangles};
  }
  Body scaled(float by) const {
    return moved([by](const Point& p) { return Point(by * p); });
  }
};

inline Body body(std::vector<Point> positions, std::vector<Triangle> triangles) {
  return {std::make_shared<const std::vector<Point>>(std::move(positions)),
          std::make_shared<const std::vector<Triangle>>(std::move(triangles))};
}

// From -1 to 1; each side is two triangles, 2k and 2k + 1.
inline Body box() {
  std::vector<Point> p;
  for (int i = 0; i < 8; ++i)
    p.emplace_back(i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f);
  return body(p, {{0, 4, 6},
                  {0, 6, 2},
                  {1, 3, 7},
                  {1, 7, 5},
                  {0, 1, 5},
                  {0, 5, 4},
                  {2, 6, 7},
                  {2, 7, 3},
                  {0, 2, 3},
                  {0, 3, 1},
                  {4, 5, 7},
                  {4, 7, 6}});
}

// A surface of `rows` x `columns` points, closed round the columns.
inline std::vector<Triangle> tube_triangles(uint32_t rows, uint32_t columns, bool ring) {
  std::vector<Triangle> t;
  for (uint32_t i = 0; i + (ring ? 0 : 1) < rows; ++i)
    for (uint32_t k = 0; k < columns; ++k) {
      const uint32_t j = (i + 1) % rows, n = (k + 1) % columns;
      const uint32_t a = i * columns + k, b = i * columns + n, c = j * columns + k,
                     d = j * columns + n;
      t.push_back({a, b, c});
      t.push_back({b, d, c});
    }
  return t;
}

// The unit ball: `rows` rings between two poles.
inline Body ball(uint32_t rows, uint32_t columns) {
  constexpr float pi = std::numbers::pi_v<float>;
  std::vector<Point> p;
  for (uint32_t i = 0; i < rows; ++i)
    for (uint32_t k = 0; k < columns; ++k) {
      const float a = pi * static_cast<float>(i + 1) / static_cast<float>(rows + 1);
      const float b = 2 * pi * static_cast<float>(k) / static_cast<float>(columns);
      p.emplace_back(std::sin(a) * std::sin(b), std::cos(a), std::sin(a) * std::cos(b));
    }
  std::vector<Triangle> t = tube_triangles(rows, columns, false);
  for (Triangle& v : t) std::swap(v[1], v[2]);
  const auto north = static_cast<uint32_t>(p.size()), south = north + 1;
  p.emplace_back(0.0f, 1.0f, 0.0f);
  p.emplace_back(0.0f, -1.0f, 0.0f);
  const uint32_t last = (rows - 1) * columns;
  for (uint32_t k = 0; k < columns; ++k) {
    const uint32_t n = (k + 1) % columns;
    t.push_back({k, n, north});
    t.push_back({last + n, last + k, south});
  }
  return body(std::move(p), std::move(t));
}

// A ring of radius 1 about y, whose tube has the radius 0.3.
inline Body ring(uint32_t rows, uint32_t columns) {
  constexpr float pi = std::numbers::pi_v<float>;
  std::vector<Point> p;
  for (uint32_t i = 0; i < rows; ++i)
    for (uint32_t k = 0; k < columns; ++k) {
      const float a = 2 * pi * static_cast<float>(i) / static_cast<float>(rows);
      const float b = 2 * pi * static_cast<float>(k) / static_cast<float>(columns);
      const float r = 1 + 0.3f * std::cos(b);
      p.emplace_back(r * std::sin(a), 0.3f * std::sin(b), r * std::cos(a));
    }
  return body(std::move(p), tube_triangles(rows, columns, true));
}

// A level sheet of `cells` x `cells` squares from -1 to 1, facing up.
inline Body sheet(uint32_t cells) {
  std::vector<Point> p;
  std::vector<Triangle> t;
  const uint32_t n = cells + 1;
  for (uint32_t j = 0; j < n; ++j)
    for (uint32_t i = 0; i < n; ++i)
      p.emplace_back(2 * static_cast<float>(i) / static_cast<float>(cells) - 1, 0.0f,
                     2 * static_cast<float>(j) / static_cast<float>(cells) - 1);
  for (uint32_t j = 0; j < cells; ++j)
    for (uint32_t i = 0; i < cells; ++i) {
      const uint32_t a = j * n + i;
      t.push_back({a, a + n, a + 1});
      t.push_back({a + 1, a + n, a + n + 1});
    }
  return body(std::move(p), std::move(t));
}

// Two squares that share the edge along z; the second one is bent up by an angle.
inline Body hinge(float degrees) {
  const float a = degrees * std::numbers::pi_v<float> / 180;
  const Point bent(std::cos(a), std::sin(a), 0), z(0, 0, 1);
  return body({Point(-1, 0, 0), Point(0, 0, 0), z - Point(1, 0, 0), z, bent, bent + z},
              {{0, 2, 1}, {1, 2, 3}, {1, 3, 4}, {4, 3, 5}});
}

inline Point random_point(std::mt19937& random) {
  std::uniform_real_distribution<float> part(-1, 1);
  const float x = part(random), y = part(random), z = part(random);
  return {x, y, z};
}

inline Point random_direction(std::mt19937& random) {
  for (;;) {
    const Point p = random_point(random);
    const float length = p.norm();
    if (length > 0.1f && length < 1) return p / length;
  }
}

// Triangles anywhere in the cube from -1 to 1, each about `size` across.
inline Body soup(uint32_t count, float size, std::mt19937& random) {
  std::vector<Point> p;
  std::vector<Triangle> t;
  for (uint32_t i = 0; i < count; ++i) {
    const Point at = random_point(random);
    for (int k = 0; k < 3; ++k) p.push_back(at + size * random_point(random));
    t.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return body(std::move(p), std::move(t));
}

}  // namespace sinew::render::test
