#include "nodes/kernels/soft_fluid.h"

#include <algorithm>
#include <cmath>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/dispatch.h"

namespace sinew::kernels {

namespace {

constexpr std::size_t triangles_per_block = 1024;

// A third of the triangle's D, a symmetric matrix: xx yy zz xy yz zx, kg/s.
SINEW_CLONES void triangle_drag(const float* x, const float* v, const Triangle* triangles,
                                const float* flow, float across, float along,
                                std::array<float, 6>* out, std::size_t count) {
  for (std::size_t t = 0; t < count; ++t) {
    const float* const a = x + 4 * triangles[t][0];
    const float* const b = x + 4 * triangles[t][1];
    const float* const c = x + 4 * triangles[t][2];
    const float ux = b[0] - a[0], uy = b[1] - a[1], uz = b[2] - a[2];
    const float wx = c[0] - a[0], wy = c[1] - a[1], wz = c[2] - a[2];
    const float nx = uy * wz - uz * wy, ny = uz * wx - ux * wz, nz = ux * wy - uy * wx;
    const float twice = std::sqrt(nx * nx + ny * ny + nz * nz);  // the area
    const float per = twice > 0 ? 1 / twice : 0;
    const float ex = nx * per, ey = ny * per, ez = nz * per;
    const float* const p = v + 4 * triangles[t][0];
    const float* const q = v + 4 * triangles[t][1];
    const float* const r = v + 4 * triangles[t][2];
    const float third = 1.0f / 3;
    const float sx = (p[0] + q[0] + r[0]) * third - flow[0];
    const float sy = (p[1] + q[1] + r[1]) * third - flow[1];
    const float sz = (p[2] + q[2] + r[2]) * third - flow[2];
    const float normal = std::abs(sx * ex + sy * ey + sz * ez);
    const float speed = std::sqrt(sx * sx + sy * sy + sz * sz);
    const float share = twice * (1.0f / 6);  // a third of the area
    const float kt = along * speed * share;
    const float kn = across * normal * share - kt;
    out[t] = {kt + kn * ex * ex, kt + kn * ey * ey, kt + kn * ez * ez,
              kn * ex * ey,      kn * ey * ez,      kn * ez * ex};
  }
}

// v - flow -> (m I + h D)^-1 m (v - flow), which is what remains.
void slow(const double (&d)[6], double h, double mass, const Vec3f& flow, float* v) {
  Eigen::Matrix3d system;
  system << mass + h * d[0], h * d[3], h * d[5], h * d[3], mass + h * d[1], h * d[4], h * d[5],
      h * d[4], mass + h * d[2];
  const Vec3d against(v[0] - flow[0], v[1] - flow[1], v[2] - flow[2]);
  const Vec3d left = system.inverse() * (mass * against);
  if (!left.allFinite()) return;
  for (int k = 0; k < 3; ++k) v[k] = static_cast<float>(left[k]) + flow[k];
}

}  // namespace

void fluid_drag(const SoftBody& body, const Fluid& fluid, double h, double mass_scale,
                SoftScratch& scratch) {
  const float* const x = scratch.match.x.data();
  float* const v = scratch.v.data();
  const std::span<const Triangle> triangles = body.triangles();
  const float across = 0.5f * fluid.density * fluid.across;
  const float along = 0.5f * fluid.density * fluid.along;
  parallel_blocks(
      triangles.size(),
      [&](std::size_t begin, std::size_t end) {
        triangle_drag(x, v, triangles.data() + begin, fluid.flow.data(), across, along,
                      scratch.drag.data() + begin, end - begin);
      },
      triangles_per_block);
  const std::span<const float> masses = body.match().masses();
  parallel_blocks(
      body.surface().size(),
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t s = begin; s < end; ++s) {
          double d[6] = {0, 0, 0, 0, 0, 0};
          for (const uint32_t t : body.vertex_triangles()[s]) {
            for (int k = 0; k < 6; ++k) d[k] += scratch.drag[t][k];
          }
          const uint32_t i = body.surface()[s];
          slow(d, h, mass_scale * masses[i], fluid.flow, v + 4 * i);
        }
      },
      triangles_per_block);
}

}  // namespace sinew::kernels
