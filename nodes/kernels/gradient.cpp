#include "nodes/kernels/gradient.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/tet_measure.h"

namespace sinew::kernels {

namespace {

// Below this part of the product of its edges, an element's volume or area is only rounding.
constexpr double flat = 1e-10;

// The gradient of one element times its weight, and the weight.
struct Share {
  Vec3d moment{0, 0, 0};
  double weight = 0;
};

Share share_of(const Tetrahedron& t, std::span<const Vec3f> x, std::span<const float> f) {
  const Vec3d a = x[t[0]].cast<double>();
  const Vec3d u = x[t[1]].cast<double>() - a;
  const Vec3d v = x[t[2]].cast<double>() - a;
  const Vec3d w = x[t[3]].cast<double>() - a;
  const Vec3d vw = v.cross(w);
  const double det = u.dot(vw);
  if (!(std::abs(det) > flat * u.norm() * v.norm() * w.norm())) return {};
  const double f0 = f[t[0]];
  const Vec3d sum = (f[t[1]] - f0) * vw + (f[t[2]] - f0) * w.cross(u) + (f[t[3]] - f0) * u.cross(v);
  return {det > 0 ? sum : Vec3d(-sum), std::abs(det)};
}

Vec3f saturated(const Vec3d& v) {
  constexpr double most = std::numeric_limits<float>::max();
  return v.cwiseMax(-most).cwiseMin(most).cast<float>();
}

}  // namespace

std::vector<Vec3f> field_gradient(const TetMesh& solid, std::span<const float> values,
                                  CancelView stop) {
  const std::span<const Tetrahedron> tets = solid.tets();
  std::vector<Share> shares(tets.size());
  parallel_blocks(tets.size(), [&](std::size_t begin, std::size_t end) {
    stop.check();
    for (std::size_t t = begin; t < end; ++t) {
      shares[t] = share_of(tets[t], solid.positions, values);
    }
  });
  const Rows around = vertex_tets(tets, solid.vertex_count());
  std::vector<Vec3f> gradient(solid.vertex_count(), Vec3f(0, 0, 0));
  parallel_blocks(gradient.size(), [&](std::size_t begin, std::size_t end) {
    stop.check();
    for (std::size_t v = begin; v < end; ++v) {
      Share sum;
      for (const uint32_t t : around[v]) {
        sum.moment += shares[t].moment;
        sum.weight += shares[t].weight;
      }
      if (sum.weight > 0) gradient[v] = saturated(sum.moment / sum.weight);
    }
  });
  return gradient;
}

std::vector<Vec3f> field_gradient(const Mesh& mesh, std::span<const float> values,
                                  CancelView stop) {
  const std::span<const Triangle> triangles = mesh.triangles();
  const std::span<const Vec3f> x = mesh.positions;
  struct SurfaceShare {
    Vec3d moment{0, 0, 0};
    Vec3d normal{0, 0, 0};  // twice the area long
  };
  std::vector<SurfaceShare> shares(triangles.size());
  parallel_blocks(triangles.size(), [&](std::size_t begin, std::size_t end) {
    stop.check();
    for (std::size_t i = begin; i < end; ++i) {
      const Triangle& t = triangles[i];
      const Vec3d a = x[t[0]].cast<double>(), b = x[t[1]].cast<double>(),
                  c = x[t[2]].cast<double>();
      const Vec3d normal = (b - a).cross(c - a);
      const double twice_area = normal.norm();
      if (!(twice_area > flat * (b - a).norm() * (c - a).norm())) continue;
      // The edges sum up to zero: differences keep the digits of values that are all large.
      const double f0 = values[t[0]];
      const Vec3d sum = (values[t[1]] - f0) * (a - c) + (values[t[2]] - f0) * (b - a);
      shares[i] = {normal.cross(sum) / twice_area, normal};
    }
  });
  const Rows around = vertex_triangles(triangles, mesh.vertex_count());
  std::vector<Vec3f> gradient(mesh.vertex_count(), Vec3f(0, 0, 0));
  parallel_blocks(gradient.size(), [&](std::size_t begin, std::size_t end) {
    stop.check();
    for (std::size_t v = begin; v < end; ++v) {
      Vec3d moment = Vec3d::Zero(), normal = Vec3d::Zero();
      double weight = 0;
      for (const uint32_t t : around[v]) {
        moment += shares[t].moment;
        normal += shares[t].normal;
        weight += shares[t].normal.norm();
      }
      if (!(weight > 0)) continue;
      // Where a surface is folded flat, it has no tangent plane to stay in.
      if (normal.norm() > 1e-6 * weight) {
        const Vec3d n = normal.normalized();
        moment -= moment.dot(n) * n;
      }
      gradient[v] = saturated(moment / weight);
    }
  });
  return gradient;
}

}  // namespace sinew::kernels
