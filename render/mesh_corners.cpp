#include "render/mesh_corners.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>

#include "render/blocks.h"

namespace sinew::render {
namespace {

using Eigen::Vector3f;

constexpr float cos_smooth = 0.819f;   // 35 degrees: bends up to here are round
constexpr float cos_sharp = 0.5f;      // 60 degrees: bends from here on are edges
constexpr float cos_shared = 0.9537f;  // half of 35 degrees
constexpr std::size_t most_around = 512;

// Normal and area of each triangle of a block.
void measure_triangles(std::span<const draw::Point> positions,
                       std::span<const draw::Triangle> triangles, std::span<Facing> out,
                       std::size_t begin, std::size_t end) {
  for (std::size_t t = begin; t < end; ++t) {
    const Vector3f &a = positions[triangles[t][0]], &b = positions[triangles[t][1]],
                   &c = positions[triangles[t][2]];
    const float ux = b.x() - a.x(), uy = b.y() - a.y(), uz = b.z() - a.z();
    const float vx = c.x() - a.x(), vy = c.y() - a.y(), vz = c.z() - a.z();
    const float x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    const float area = std::sqrt(x * x + y * y + z * z);
    // Too small or too large for floats counts as without area; its neighbours give the corners
    // their normal.
    out[t] = {};
    if (!(area > 1e-37f) || !(area <= std::numeric_limits<float>::max())) continue;
    const float scale = 1 / area;
    out[t] = {x * scale, y * scale, z * scale, area};
  }
}

// The mean of the triangles round a vertex, of length 1 or 0, and whether all are near it.
struct Mean {
  Vector3f normal;
  bool shared;
};
Mean mean_of(std::span<const uint32_t> corners, std::span<const Facing> normals) {
  float x = 0, y = 0, z = 0;
  for (const uint32_t c : corners) {
    const Facing& n = normals[c / 3];
    x += n.area * n.x, y += n.area * n.y, z += n.area * n.z;
  }
  const float length = std::sqrt(x * x + y * y + z * z), scale = length > 0 ? 1 / length : 0;
  x *= scale, y *= scale, z *= scale;
  float least = 1;
  for (const uint32_t c : corners) {
    const Facing& n = normals[c / 3];
    const float cosine = n.area > 0 ? n.x * x + n.y * y + n.z * z : 1;
    least = std::min(least, cosine);
  }
  return {{x, y, z}, least > cos_shared};
}

// To the nearest, for both signs: far up, floats are whole numbers, and their last bits count them.
int16_t to_int16(float x) {
  constexpr float whole = 3 << 22;
  return static_cast<int16_t>(std::bit_cast<int32_t>(x * 32767 + whole) -
                              std::bit_cast<int32_t>(whole));
}

CornerVertex corner(const Vector3f& p, float x, float y, float z) {
  return {p.x(), p.y(), p.z(), to_int16(x), to_int16(y), to_int16(z), 0};
}

// The normals of a vertex's corners, four at a time. `fan` is room for the triangles round it.
void write_edge_corners(const Vector3f& p, std::span<const uint32_t> corners,
                        std::span<const Facing> normals, std::array<Facing, most_around>& fan,
                        std::span<CornerVertex> out) {
  using Four = Eigen::Array4f;
  const std::size_t count = corners.size();
  for (std::size_t i = 0; i < count; ++i) fan[i] = normals[corners[i] / 3];
  for (std::size_t i = count; i % 4 != 0; ++i) fan[i] = {};
  for (std::size_t first = 0; first < count; first += 4) {
    Eigen::Matrix4f own = Eigen::Map<const Eigen::Matrix4f>(&fan[first].x);
    own.transposeInPlace();
    const Four own_x = own.col(0), own_y = own.col(1), own_z = own.col(2);
    Four x = Four::Zero(), y = x, z = x;
    for (std::size_t j = 0; j < count; ++j) {
      const Facing& n = fan[j];
      const Four cosine = own_x * n.x + own_y * n.y + own_z * n.z;
      const Four t = ((cosine - cos_sharp) * (1 / (cos_smooth - cos_sharp))).max(0.0f).min(1.0f);
      const Four weight = n.area * (t * t * (3 - 2 * t));
      x += weight * n.x;
      y += weight * n.y;
      z += weight * n.z;
    }
    const Four length = (x * x + y * y + z * z).sqrt();
    // Sums that cancel out leave a corner its own.
    const Four scale = (length > 0).select(1 / length, 0.0f);
    x = (length > 0).select(x * scale, own_x);
    y = (length > 0).select(y * scale, own_y);
    z = (length > 0).select(z * scale, own_z);
    for (std::size_t k = 0; k < std::min<std::size_t>(4, count - first); ++k)
      out[corners[first + k]] = corner(p, x[k], y[k], z[k]);
  }
}

// All corners of the vertices of a block: each corner belongs to one vertex, so no two of them
// write to the same place. Returns the box of those that are in triangles.
Box write_corners(std::span<const draw::Point> positions, const CornerTables& tables,
                  std::span<const Facing> normals, std::span<CornerVertex> out, std::size_t begin,
                  std::size_t end) {
  Box box;
  std::array<Facing, most_around> fan;
  for (std::size_t v = begin; v < end; ++v) {
    const std::span<const uint32_t> corners = tables.corners_of(v);
    if (corners.empty()) continue;
    const Vector3f& p = positions[v];
    box.extend(p);
    const Mean mean = mean_of(corners, normals);
    if (mean.shared) {
      const CornerVertex all = corner(p, mean.normal.x(), mean.normal.y(), mean.normal.z());
      for (const uint32_t c : corners) out[c] = all;
    } else if (corners.size() <= most_around) {
      write_edge_corners(p, corners, normals, fan, out);
    } else {
      for (const uint32_t c : corners)
        out[c] = corner(p, normals[c / 3].x, normals[c / 3].y, normals[c / 3].z);
    }
  }
  return box;
}

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
    for (std::size_t k = 0; k < 3; ++k)
      tables->items_[next[triangles[t][k]]++] = static_cast<uint32_t>(3 * t + k);
  return tables;
}

std::optional<std::size_t> first_bad_position(std::span<const draw::Point> positions) {
  // Sums of zeros are zero unless one of the numbers is none. Twelve of them: one would have to
  // wait for each addition.
  std::atomic<bool> sound{true};
  in_blocks(positions.size(), [&](std::size_t begin, std::size_t end) {
    Eigen::Array<float, 12, 1> zeros = Eigen::Array<float, 12, 1>::Zero();
    for (; begin + 4 <= end; begin += 4)
      zeros += Eigen::Map<const Eigen::Array<float, 12, 1>>(positions[begin].data()) * 0.0f;
    float zero = zeros.sum();
    for (; begin < end; ++begin) zero += (positions[begin] * 0.0f).sum();
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
  if (const std::optional<std::size_t> bad = first_bad_position(positions)) {
    error = fmt::format("the position of vertex {} is not a number", *bad);
    return std::nullopt;
  }
  scratch.triangles.resize(triangles.size());
  const std::span<Facing> normals = scratch.triangles;
  in_blocks(triangles.size(), [&](std::size_t begin, std::size_t end) {
    measure_triangles(positions, triangles, normals, begin, end);
  });
  Box box;
  std::mutex mutex;
  in_blocks(positions.size(), [&](std::size_t begin, std::size_t end) {
    const Box part = write_corners(positions, tables, normals, out, begin, end);
    const std::lock_guard lock(mutex);
    box.extend(part);  // the order does not matter: it is a minimum
  });
  return box;
}

std::vector<draw::Point> mean_normals(const draw::Mesh& mesh, const CornerTables& tables) {
  std::vector<Facing> normals(mesh.triangles.size());
  measure_triangles(mesh.positions, mesh.triangles, normals, 0, normals.size());
  std::vector<draw::Point> mean(mesh.positions.size());
  for (std::size_t v = 0; v < mean.size(); ++v)
    mean[v] = mean_of(tables.corners_of(v), normals).normal;
  return mean;
}

void expand_values(const draw::Mesh& mesh, std::span<float> out) {
  in_blocks(mesh.triangles.size(), [&](std::size_t begin, std::size_t end) {
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
  struct Edge {
    uint64_t ends;
    std::size_t triangle;
    int corner;  // opposite of it
  };
  std::vector<Edge> edges;
  for (std::size_t first = 0, last; first < triangles.size(); first = last) {
    last = first + 1;
    while (last < triangles.size() && polygon_of_triangle[last] == polygon_of_triangle[first])
      ++last;
    if (last - first < 2) continue;
    edges.clear();
    for (std::size_t t = first; t < last; ++t)
      for (int k = 0; k < 3; ++k) {
        const uint32_t a = triangles[t][(k + 1) % 3], b = triangles[t][(k + 2) % 3];
        edges.push_back({(uint64_t{std::min(a, b)} << 32) | std::max(a, b), t, k});
      }
    std::sort(edges.begin(), edges.end(),
              [](const Edge& a, const Edge& b) { return a.ends < b.ends; });
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const bool inside = (i > 0 && edges[i - 1].ends == edges[i].ends) ||
                          (i + 1 < edges.size() && edges[i + 1].ends == edges[i].ends);
      if (!inside) continue;
      for (int corner = 0; corner < 3; ++corner)
        out[3 * edges[i].triangle + corner][edges[i].corner] = 255;
    }
  }
}

}  // namespace sinew::render
