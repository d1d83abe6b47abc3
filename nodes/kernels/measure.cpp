#include "nodes/kernels/measure.h"

#include <algorithm>
#include <cmath>

#include "nodes/geometry/parallel.h"
#include "nodes/geometry/stoppable_resize.h"
#include "nodes/kernels/adjacency.h"

namespace sinew::kernels {

Eigen::AlignedBox3f bounding_box(std::span<const Vec3f> points) {
  const auto of_block = [&](std::size_t begin, std::size_t end) {
    Eigen::AlignedBox3f box;
    for (std::size_t i = begin; i < end; ++i) box.extend(points[i]);
    return box;
  };
  const auto join = [](const Eigen::AlignedBox3f& a, const Eigen::AlignedBox3f& b) {
    return a.merged(b);
  };
  return parallel_reduce_ordered(points.size(), Eigen::AlignedBox3f(), of_block, join);
}

SurfaceMeasures measure_surface(const Mesh& mesh) {
  struct Sums {
    double area = 0, volume = 0;
    Vec3d moment{0, 0, 0};
  };
  if (mesh.empty()) return {};
  // Coordinates relative to the middle keep digits for a small mesh far from the origin.
  const Vec3d origin = bounding_box(mesh.positions).center().cast<double>();
  const auto of_block = [&](std::size_t begin, std::size_t end) {
    Sums sums;
    for (std::size_t t = begin; t < end; ++t) {
      const Triangle& triangle = mesh.triangles()[t];
      const Vec3d a = mesh.positions[triangle[0]].cast<double>() - origin;
      const Vec3d b = mesh.positions[triangle[1]].cast<double>() - origin;
      const Vec3d c = mesh.positions[triangle[2]].cast<double>() - origin;
      const Vec3d normal = (b - a).cross(c - a);
      const double area = normal.norm() / 2;
      sums.area += area;
      sums.volume += a.dot(normal) / 6;
      sums.moment += area / 3 * (a + b + c);
    }
    return sums;
  };
  const auto add = [](Sums a, const Sums& b) {
    a.area += b.area;
    a.volume += b.volume;
    a.moment += b.moment;
    return a;
  };
  const Sums sums = parallel_reduce_ordered(mesh.triangle_count(), Sums(), of_block, add);
  SurfaceMeasures measures{sums.area, sums.volume, origin};
  if (sums.area > 0) {
    measures.centroid += sums.moment / sums.area;
  } else {
    const auto sum_block = [&](std::size_t begin, std::size_t end) {
      Vec3d sum = Vec3d::Zero();
      for (std::size_t i = begin; i < end; ++i) sum += mesh.positions[i].cast<double>() - origin;
      return sum;
    };
    const Vec3d sum =
        parallel_reduce_ordered(mesh.vertex_count(), Vec3d(0, 0, 0), sum_block,
                                [](const Vec3d& a, const Vec3d& b) -> Vec3d { return a + b; });
    measures.centroid += sum / static_cast<double>(mesh.vertex_count());
  }
  return measures;
}

double surface_area(const Mesh& mesh) { return measure_surface(mesh).area; }
double signed_volume(const Mesh& mesh) { return measure_surface(mesh).signed_volume; }
Vec3d centroid(const Mesh& mesh) { return measure_surface(mesh).centroid; }

std::vector<Vec3f> vertex_normals(const Mesh& mesh, NormalWeight weight) {
  const std::span<const Triangle> triangles = mesh.triangles();
  const Rows around = vertex_triangles(triangles, mesh.vertex_count());
  std::vector<Vec3f> normals;
  stoppable_resize(normals, mesh.vertex_count());
  parallel_blocks(mesh.vertex_count(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      Vec3d sum = Vec3d::Zero();
      const Vec3d p = mesh.positions[v].cast<double>();
      for (const uint32_t t : around[v]) {
        const Triangle& triangle = triangles[t];
        const int corner = triangle[0] == v ? 0 : triangle[1] == v ? 1 : 2;
        const Vec3d to_next = mesh.positions[triangle[(corner + 1) % 3]].cast<double>() - p;
        const Vec3d to_last = mesh.positions[triangle[(corner + 2) % 3]].cast<double>() - p;
        const Vec3d doubled = to_next.cross(to_last);
        if (weight == NormalWeight::area) {
          sum += doubled;
          continue;
        }
        const double length = doubled.norm();
        if (length > 0) sum += std::atan2(length, to_next.dot(to_last)) / length * doubled;
      }
      const double length = sum.norm();
      normals[v] = length > 0 ? Vec3f((sum / length).cast<float>()) : Vec3f(0, 0, 0);
    }
  });
  return normals;
}

}  // namespace sinew::kernels
