#include "render/mesh_corners.h"

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <unordered_map>

namespace sinew::render {
namespace {

using Eigen::Vector3f;

constexpr float cos_smooth = 0.819f;   // 35 degrees: bends up to here are round
constexpr float cos_sharp = 0.5f;      // 60 degrees: bends from here on are edges
constexpr float cos_shared = 0.9537f;  // half of 35 degrees

// Blocks of a fixed size, so that the work is cut the same way on any number of threads.
template <class Body>
void in_blocks(std::size_t count, const Body& body) {
  constexpr std::size_t block = 4096;
  const std::size_t blocks = (count + block - 1) / block;
  tbb::parallel_for(std::size_t{0}, blocks,
                    [&](std::size_t b) { body(b, b * block, std::min(count, (b + 1) * block)); });
}

float crease_weight(float cosine) {
  const float t = std::clamp((cosine - cos_sharp) / (cos_smooth - cos_sharp), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

float dot(const Facing& a, const Facing& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// The sum of normals as a unit normal; all zero if they cancel out.
Facing unit(float x, float y, float z) {
  const float length = std::sqrt(x * x + y * y + z * z);
  if (!(length > 0)) return {};
  const float scale = 1 / length;
  return {x * scale, y * scale, z * scale, 0};
}

// Normal and area of each triangle of a block. Returns the block's box.
Box measure_triangles(std::span<const draw::Point> positions,
                      std::span<const draw::Triangle> triangles, std::span<Facing> out,
                      std::size_t begin, std::size_t end) {
  Box box;
  for (std::size_t t = begin; t < end; ++t) {
    const Vector3f &a = positions[triangles[t][0]], &b = positions[triangles[t][1]],
                   &c = positions[triangles[t][2]];
    box.extend(a).extend(b).extend(c);
    const float ux = b.x() - a.x(), uy = b.y() - a.y(), uz = b.z() - a.z();
    const float vx = c.x() - a.x(), vy = c.y() - a.y(), vz = c.z() - a.z();
    const float x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    const float area = std::sqrt(x * x + y * y + z * z);
    // Too small for floats counts as without area; its neighbours give the corners their normal.
    const float scale = area > 1e-37f ? 1 / area : 0;
    out[t] = {x * scale, y * scale, z * scale, scale > 0 ? area : 0};
  }
  return box;
}

Facing vertex_normal(std::span<const uint32_t> around, std::span<const Facing> normals) {
  float x = 0, y = 0, z = 0;
  for (const uint32_t t : around) {
    const Facing& n = normals[t];
    x += n.w * n.x, y += n.w * n.y, z += n.w * n.z;
  }
  Facing mean = unit(x, y, z);
  float least = 1;
  for (const uint32_t t : around)
    if (normals[t].w > 0) least = std::min(least, dot(mean, normals[t]));
  mean.w = least > cos_shared ? 1.0f : 0.0f;
  return mean;
}

Facing corner_normal(const Facing& own, std::span<const uint32_t> around,
                     std::span<const Facing> normals) {
  float x = 0, y = 0, z = 0;
  for (const uint32_t t : around) {
    const Facing& n = normals[t];
    const float weight = n.w * crease_weight(dot(own, n));
    x += weight * n.x, y += weight * n.y, z += weight * n.z;
  }
  const Facing sum = unit(x, y, z);
  return dot(sum, sum) > 0 ? sum : own;
}

int16_t to_int16(float x) { return static_cast<int16_t>(std::lrintf(x * 32767)); }

}  // namespace

std::shared_ptr<const CornerTables> CornerTables::make(std::span<const draw::Triangle> triangles,
                                                       std::size_t vertices, std::string& error) {
  auto tables = std::make_shared<CornerTables>();
  tables->offsets_.assign(vertices + 1, 0);
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (const uint32_t v : triangles[t]) {
      if (v >= vertices) {
        error = fmt::format("triangle {} refers to vertex {}, but there are {}", t, v, vertices);
        return nullptr;
      }
      ++tables->offsets_[v + 1];
    }
  for (std::size_t v = 0; v < vertices; ++v) tables->offsets_[v + 1] += tables->offsets_[v];
  tables->items_.resize(3 * triangles.size());
  std::vector<uint32_t> next(tables->offsets_.begin(), tables->offsets_.end() - 1);
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (const uint32_t v : triangles[t]) tables->items_[next[v]++] = static_cast<uint32_t>(t);
  return tables;
}

std::optional<std::size_t> first_bad_position(std::span<const draw::Point> positions) {
  // Sums of zeros are zero unless one of the numbers is none.
  std::atomic<bool> sound{true};
  in_blocks(positions.size(), [&](std::size_t, std::size_t begin, std::size_t end) {
    const float* numbers = positions[0].data();
    float zero = 0;
    for (std::size_t i = 3 * begin; i < 3 * end; ++i) zero += numbers[i] * 0.0f;
    if (!(zero == 0)) sound.store(false, std::memory_order_relaxed);
  });
  if (sound) return std::nullopt;
  const auto bad = std::find_if_not(positions.begin(), positions.end(),
                                    [](const draw::Point& p) { return p.allFinite(); });
  return static_cast<std::size_t>(bad - positions.begin());
}

std::optional<Box> expand_corners(std::span<const draw::Point> positions,
                                  std::span<const draw::Triangle> triangles,
                                  const CornerTables& tables, CornerScratch& scratch,
                                  std::span<CornerVertex> out, std::string& error) {
  scratch.triangles.resize(triangles.size());
  scratch.vertices.resize(positions.size());
  const std::span<Facing> normals = scratch.triangles, shared = scratch.vertices;

  if (const std::optional<std::size_t> bad = first_bad_position(positions)) {
    error = fmt::format("the position of vertex {} is not a number", *bad);
    return std::nullopt;
  }
  Box box;
  std::mutex mutex;
  in_blocks(triangles.size(), [&](std::size_t, std::size_t begin, std::size_t end) {
    const Box part = measure_triangles(positions, triangles, normals, begin, end);
    const std::lock_guard lock(mutex);
    box.extend(part);  // the order does not matter: it is a minimum
  });
  in_blocks(positions.size(), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v)
      shared[v] = vertex_normal(tables.triangles_of(v), normals);
  });
  in_blocks(triangles.size(), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t)
      for (int k = 0; k < 3; ++k) {
        const uint32_t v = triangles[t][k];
        const Facing n = shared[v].w > 0
                             ? shared[v]
                             : corner_normal(normals[t], tables.triangles_of(v), normals);
        const Vector3f& p = positions[v];
        out[3 * t + k] = {p.x(),         p.y(),         p.z(),     to_int16(n.x),
                          to_int16(n.y), to_int16(n.z), int16_t{0}};
      }
  });
  return box;
}

std::vector<draw::Point> mean_normals(const draw::Mesh& mesh, const CornerTables& tables) {
  std::vector<Facing> normals(mesh.triangles.size());
  measure_triangles(mesh.positions, mesh.triangles, normals, 0, normals.size());
  std::vector<draw::Point> mean(mesh.positions.size());
  for (std::size_t v = 0; v < mean.size(); ++v) {
    const Facing n = vertex_normal(tables.triangles_of(v), normals);
    mean[v] = {n.x, n.y, n.z};
  }
  return mean;
}

void expand_values(const draw::Mesh& mesh, std::span<float> out) {
  in_blocks(mesh.triangles.size(), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t)
      for (int k = 0; k < 3; ++k)
        out[3 * t + k] =
            mesh.values[mesh.values_per == draw::ValuesPer::triangle ? t : mesh.triangles[t][k]];
  });
}

void expand_edges(std::span<const draw::Triangle> triangles,
                  std::span<const uint32_t> polygon_of_triangle,
                  std::span<std::array<uint8_t, 4>> out) {
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      out[3 * t + k] = {0, 0, 0, 255};
      out[3 * t + k][k] = 255;
    }
  if (polygon_of_triangle.size() != triangles.size()) return;
  // Triangles of one polygon stand together; an edge that two of them have lies inside.
  for (std::size_t first = 0, last; first < triangles.size(); first = last) {
    last = first + 1;
    while (last < triangles.size() && polygon_of_triangle[last] == polygon_of_triangle[first])
      ++last;
    if (last - first < 2) continue;
    std::unordered_map<uint64_t, int> times;
    const auto edge = [&](std::size_t t, int k) {  // opposite of corner k
      const uint32_t a = triangles[t][(k + 1) % 3], b = triangles[t][(k + 2) % 3];
      return (uint64_t{std::min(a, b)} << 32) | std::max(a, b);
    };
    for (std::size_t t = first; t < last; ++t)
      for (int k = 0; k < 3; ++k) ++times[edge(t, k)];
    for (std::size_t t = first; t < last; ++t)
      for (int k = 0; k < 3; ++k)
        if (times[edge(t, k)] > 1)
          for (int corner = 0; corner < 3; ++corner) out[3 * t + corner][k] = 255;
  }
}

}  // namespace sinew::render
