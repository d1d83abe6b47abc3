#include "nodes/kernels/transform.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/dispatch.h"

namespace sinew::kernels {

namespace {

// Multiples of 90 degrees are exact, so that a quarter turn maps a box to a box.
std::pair<double, double> cos_sin_degrees(double degrees) {
  const double turn = degrees / 90;
  const double quarter = std::round(turn);
  if (turn == quarter) {
    constexpr double c[] = {1, 0, -1, 0}, s[] = {0, 1, 0, -1};
    const int k = static_cast<int>(quarter - 4 * std::floor(quarter / 4));
    return {c[k], s[k]};
  }
  const double radians = degrees * std::numbers::pi / 180;
  return {std::cos(radians), std::sin(radians)};
}

Eigen::Matrix3d rotation_about(int axis, double degrees) {
  const auto [c, s] = cos_sin_degrees(degrees);
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  Eigen::Matrix3d r = Eigen::Matrix3d::Identity();
  r(u, u) = r(v, v) = c;
  r(u, v) = -s;
  r(v, u) = s;
  return r;
}

SINEW_CLONES void transform_range(const float* m, const float* in, float* out, std::size_t count) {
  // m: three rows of four.
  for (std::size_t i = 0; i < count; ++i) {
    const float x = in[3 * i], y = in[3 * i + 1], z = in[3 * i + 2];
    out[3 * i] = m[0] * x + m[1] * y + m[2] * z + m[3];
    out[3 * i + 1] = m[4] * x + m[5] * y + m[6] * z + m[7];
    out[3 * i + 2] = m[8] * x + m[9] * y + m[10] * z + m[11];
  }
}

}  // namespace

Eigen::Affine3f compose_transform(const Vec3f& translation, const Vec3f& rotation_degrees,
                                  const Vec3f& scale) {
  const Eigen::Matrix3d rotation = rotation_about(2, rotation_degrees[2]) *
                                   rotation_about(1, rotation_degrees[1]) *
                                   rotation_about(0, rotation_degrees[0]);
  Eigen::Affine3f map = Eigen::Affine3f::Identity();
  map.linear() = (rotation * scale.cast<double>().asDiagonal()).cast<float>();
  map.translation() = translation;
  return map;
}

void transform_points(const Eigen::Affine3f& map, std::span<const Vec3f> points,
                      std::span<Vec3f> out) {
  const Eigen::Matrix<float, 3, 4, Eigen::RowMajor> rows = map.matrix().topRows<3>();
  parallel_blocks(
      points.size(),
      [&](std::size_t begin, std::size_t end) {
        transform_range(rows.data(), points[begin].data(), out[begin].data(), end - begin);
      },
      16384);
}

bool is_mirroring(const Eigen::Affine3f& map) {
  return map.linear().cast<double>().determinant() < 0;
}

Topology flipped(const Topology& topology) {
  Topology result = topology;
  for (Triangle& t : result.triangles) std::swap(t[1], t[2]);
  for (std::size_t i = 0; i + 2 < result.corner_uvs.size(); i += 3) {
    std::swap(result.corner_uvs[i + 1], result.corner_uvs[i + 2]);
  }
  return result;
}

Mesh transform_mesh(const Eigen::Affine3f& map, const Mesh& mesh) {
  std::vector<Vec3f> positions(mesh.vertex_count());
  transform_points(map, mesh.positions, positions);
  if (is_mirroring(map)) return Mesh(flipped(*mesh.topology), std::move(positions));
  return mesh.with_positions(std::move(positions));
}

}  // namespace sinew::kernels
