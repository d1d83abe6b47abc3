#include "render/instances.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

namespace sinew::render {
namespace {

using Eigen::Vector3f;

constexpr float surface_lift = 0.003f;  // of the way to the eye

struct SolidVertex {
  Vector3f position, normal;
};

struct SolidMesh {
  std::vector<SolidVertex> vertices;
  std::vector<uint16_t> indices;
};

std::array<float, 3> array_of(const Vector3f& v) { return {v.x(), v.y(), v.z()}; }

// Turns a profile of (radius, height) pieces round the z axis. Each piece has normals of its own,
// so that rims are sharp.
SolidMesh turned(const std::vector<std::array<float, 2>>& profile, int sides) {
  SolidMesh mesh;
  for (std::size_t i = 0; i + 1 < profile.size(); ++i) {
    const auto [r0, z0] = profile[i];
    const auto [r1, z1] = profile[i + 1];
    const Vector3f slope = Vector3f(z1 - z0, 0, r0 - r1).normalized();
    const auto base = static_cast<uint16_t>(mesh.vertices.size());
    for (int k = 0; k <= sides; ++k) {
      const float a =
          2 * std::numbers::pi_v<float> * static_cast<float>(k % sides) / static_cast<float>(sides);
      const Vector3f out(std::cos(a), std::sin(a), 0);
      const Vector3f normal = slope.x() * out + slope.z() * Vector3f::UnitZ();
      mesh.vertices.push_back({r0 * out + z0 * Vector3f::UnitZ(), normal});
      mesh.vertices.push_back({r1 * out + z1 * Vector3f::UnitZ(), normal});
    }
    for (int k = 0; k < sides; ++k) {
      const auto a = static_cast<uint16_t>(base + 2 * k);
      const auto at = [&](int offset) { return static_cast<uint16_t>(a + offset); };
      mesh.indices.insert(mesh.indices.end(), {a, at(2), at(1), at(1), at(2), at(3)});
    }
  }
  return mesh;
}

// One unit long, along z.
SolidMesh make_arrow() {
  return turned({{0, 0}, {0.055f, 0}, {0.055f, 0.62f}, {0.16f, 0.62f}, {0, 1}}, 14);
}
SolidMesh make_needle() {
  return turned({{0, -0.5f}, {0.045f, -0.38f}, {0.045f, 0.38f}, {0, 0.5f}}, 12);
}

SolidMesh make_ball() {
  SolidMesh mesh;
  constexpr int rings = 24, sides = 48;
  for (int i = 0; i <= rings; ++i)
    for (int k = 0; k <= sides; ++k) {
      const float a = std::numbers::pi_v<float> * static_cast<float>(i) / rings;
      const float b = 2 * std::numbers::pi_v<float> * static_cast<float>(k) / sides;
      const Vector3f p(std::sin(a) * std::cos(b), std::cos(a), std::sin(a) * std::sin(b));
      mesh.vertices.push_back({p, p});
    }
  for (int i = 0; i < rings; ++i)
    for (int k = 0; k < sides; ++k) {
      const auto at = [&](int di, int dk) {
        return static_cast<uint16_t>((i + di) * (sides + 1) + k + dk);
      };
      mesh.indices.insert(mesh.indices.end(),
                          {at(0, 0), at(0, 1), at(1, 0), at(1, 0), at(0, 1), at(1, 1)});
    }
  return mesh;
}

SolidMesh make_sheet() {
  const Vector3f up = Vector3f::UnitY();
  return {{{{-1, 0, -1}, up}, {{1, 0, -1}, up}, {{1, 0, 1}, up}, {{-1, 0, 1}, up}},
          {0, 2, 1, 0, 3, 2}};
}

template <class Vertex>
const bgfx::Memory* copied(const std::vector<Vertex>& items) {
  return bgfx::copy(items.data(), static_cast<uint32_t>(items.size() * sizeof(Vertex)));
}

}  // namespace

Instances::Instances() {
  bgfx::VertexLayout solid_layout, flat_layout;
  solid_layout.begin()
      .add(bgfx::Attrib::Position, 3, bgfx::AttribType::Float)
      .add(bgfx::Attrib::Normal, 3, bgfx::AttribType::Float)
      .end();
  flat_layout.begin().add(bgfx::Attrib::Position, 3, bgfx::AttribType::Float).end();
  const SolidMesh solids[shape_count] = {make_arrow(), make_needle(), make_ball(), make_sheet()};
  for (int i = 0; i < shape_count; ++i) {
    shapes_[i].vertices = Owned(bgfx::createVertexBuffer(copied(solids[i].vertices), solid_layout));
    shapes_[i].indices = Owned(bgfx::createIndexBuffer(copied(solids[i].indices)));
  }
  const std::vector<uint16_t> square = {0, 1, 2, 0, 2, 3};
  const std::vector<Vector3f> segment_corners = {{0, -1, 0}, {1, -1, 0}, {1, 1, 0}, {0, 1, 0}};
  const std::vector<Vector3f> square_corners = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  segment_.vertices = Owned(bgfx::createVertexBuffer(copied(segment_corners), flat_layout));
  segment_.indices = Owned(bgfx::createIndexBuffer(copied(square)));
  square_.vertices = Owned(bgfx::createVertexBuffer(copied(square_corners), flat_layout));
  square_.indices = Owned(bgfx::createIndexBuffer(copied(square)));
}

void Instances::clear() {
  lines_.clear();
  lines_on_top_.clear();
  points_.clear();
  points_on_top_.clear();
  for (int i = 0; i < shape_count; ++i) {
    opaque_[i].clear();
    clear_[i].clear();
  }
  left_out_ = 0;
}

void Instances::add(const draw::DrawList& list, float sign_scale) {
  for (const draw::Lines& l : list.lines)
    add_segments(l.points, l.colour, l.width * sign_scale, l.on_top);
  // Before the points: those that stand out from a lattice are drawn over its own.
  for (const draw::Lattice& l : list.lattices) add_lattice(l, sign_scale);
  for (const draw::Points& p : list.points) {
    std::vector<Disc>& into = p.on_top ? points_on_top_ : points_;
    const bool coloured = p.scale >= 0 && p.scale < static_cast<int>(list.scales.size()) &&
                          p.values.size() == p.points.size();
    for (std::size_t i = 0; i < p.points.size(); ++i)
      if (p.points[i].allFinite())
        into.push_back({array_of(p.points[i]), p.size * sign_scale,
                        coloured ? colour_of(p.values[i], list.scales[p.scale]) : p.colour});
  }
  for (const draw::Glyphs& g : list.glyphs) add_glyphs(g);
  for (const draw::Ellipsoid& e : list.ellipsoids)
    if (e.centre.allFinite() && e.axes.allFinite())
      add_solid(ball, solid_of(e.axes.col(0), e.axes.col(1), e.axes.col(2), e.centre, e.colour));
  for (const draw::Plane& p : list.planes) add_plane(p, sign_scale);
}

Instances::Solid Instances::solid_of(const Vector3f& x, const Vector3f& y, const Vector3f& z,
                                     const Vector3f& at, draw::Rgba colour) {
  Solid s;
  for (int row = 0; row < 3; ++row) {
    s.rows[4 * row + 0] = x[row];
    s.rows[4 * row + 1] = y[row];
    s.rows[4 * row + 2] = z[row];
    s.rows[4 * row + 3] = at[row];
  }
  s.colour = colour;
  return s;
}

void Instances::add_solid(Shape shape, const Solid& solid) {
  (solid.colour.a < 1 ? clear_ : opaque_)[shape].push_back(solid);
}

void Instances::add_segments(const std::vector<draw::Point>& points, draw::Rgba colour, float width,
                             bool on_top) {
  std::vector<Segment>& into = on_top ? lines_on_top_ : lines_;
  for (std::size_t i = 0; i + 1 < points.size(); i += 2)
    if (points[i].allFinite() && points[i + 1].allFinite())
      into.push_back({array_of(points[i]), width, array_of(points[i + 1]), surface_lift, colour});
}

void Instances::add_glyphs(const draw::Glyphs& glyphs) {
  const Shape shape = glyphs.shape == draw::GlyphShape::arrow ? arrow : needle;
  for (std::size_t i = 0; i < std::min(glyphs.places.size(), glyphs.vectors.size()); ++i) {
    const Vector3f z = glyphs.vectors[i];
    const float length = z.norm();
    if (!(length > 0) || !std::isfinite(length) || !glyphs.places[i].allFinite()) continue;
    const Vector3f x = z.unitOrthogonal() * length;
    add_solid(shape, solid_of(x, z.normalized().cross(x), z, glyphs.places[i], glyphs.colour));
  }
}

void Instances::add_plane(const draw::Plane& plane, float sign_scale) {
  if (!plane.centre.allFinite() || !plane.u.allFinite() || !plane.v.allFinite()) return;
  const Vector3f normal = plane.v.cross(plane.u).normalized();
  add_solid(sheet, solid_of(plane.u, normal, plane.v, plane.centre, plane.colour));
  const Vector3f corner[4] = {plane.centre - plane.u - plane.v, plane.centre + plane.u - plane.v,
                              plane.centre + plane.u + plane.v, plane.centre - plane.u + plane.v};
  draw::Rgba border = plane.colour;
  border.a = std::min(1.0f, 3 * border.a);
  for (int i = 0; i < 4; ++i)
    add_segments({corner[i], corner[(i + 1) % 4]}, border, 1.5f * sign_scale, false);
}

void Instances::add_lattice(const draw::Lattice& lattice, float sign_scale) {
  const auto [nx, ny, nz] = lattice.counts;
  const uint64_t count = uint64_t{nx} * ny * nz;
  if (count == 0 || count != lattice.points.size()) return;
  const uint32_t steps[3] = {1, nx, nx * ny};
  draw::Rgba line = lattice.colour;
  line.a *= 0.6f;
  for (uint32_t k = 0; k < nz; ++k)
    for (uint32_t j = 0; j < ny; ++j)
      for (uint32_t i = 0; i < nx; ++i) {
        const uint32_t at = i + nx * (j + ny * k), place[3] = {i, j, k};
        const Vector3f& p = lattice.points[at];
        for (int axis = 0; axis < 3; ++axis)
          if (place[axis] + 1 < lattice.counts[axis])
            add_segments({p, lattice.points[at + steps[axis]]}, line, 1.2f * sign_scale, false);
        if (p.allFinite()) points_.push_back({array_of(p), 6 * sign_scale, lattice.colour});
      }
}

bool Instances::bind(const void* data, std::size_t count, uint16_t stride) const {
  const auto wanted = static_cast<uint32_t>(std::min<std::size_t>(count, UINT32_MAX / stride));
  const uint32_t there = bgfx::getAvailInstanceDataBuffer(wanted, stride);
  left_out_ += count - there;
  if (there == 0) return false;
  bgfx::InstanceDataBuffer buffer;
  bgfx::allocInstanceDataBuffer(&buffer, there, stride);
  std::memcpy(buffer.data, data, std::size_t{there} * stride);
  bgfx::setInstanceDataBuffer(&buffer);
  return true;
}

void Instances::bind_geometry(const Geometry& geometry) const {
  bgfx::setVertexBuffer(0, *geometry.vertices);
  bgfx::setIndexBuffer(*geometry.indices);
}

void Instances::submit_state(bgfx::ViewId view, bgfx::ProgramHandle program, bool depth_test,
                             bool blend) const {
  uint64_t state = BGFX_STATE_WRITE_RGB | BGFX_STATE_MSAA;
  if (depth_test) state |= BGFX_STATE_DEPTH_TEST_LEQUAL;
  state |= blend ? BGFX_STATE_BLEND_ALPHA : BGFX_STATE_WRITE_Z;
  bgfx::setState(state);
  bgfx::submit(view, program);
}

}  // namespace sinew::render
