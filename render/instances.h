// Lines, points, glyphs, balls, planes and lattices: many copies of a few small shapes, each drawn
// with one call whatever their number.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "render/colour_maps.h"
#include "render/draw_list.h"
#include "render/gpu.h"
#include "render/programs.h"

namespace sinew::render {

class Instances {
 public:
  Instances();

  // Gathers what a list wants seen; lists add up until clear().
  void clear();
  void add(const draw::DrawList& list, float sign_scale);

  // Draws into a view. Solids that are opaque first; then, when all bodies are there, the rest.
  void submit_opaque(bgfx::ViewId view, const Programs& programs, const auto& set_light) const {
    for (int shape = 0; shape < shape_count; ++shape)
      submit_solids(view, programs, shape, opaque_[shape], false, set_light);
  }
  void submit_rest(bgfx::ViewId view, const Programs& programs, const auto& set_light) const {
    for (int shape = 0; shape < shape_count; ++shape)
      submit_solids(view, programs, shape, clear_[shape], true, set_light);
    submit_flat(view, *programs.line, lines_, segment_, true);
    submit_flat(view, *programs.point, points_, square_, true);
    submit_flat(view, *programs.line, lines_on_top_, segment_, false);
    submit_flat(view, *programs.point, points_on_top_, square_, false);
  }
  // Casters of shadows among them are not worth their cost; nothing casts one.

  // How many could not be drawn because the frame's memory was full.
  std::size_t left_out() const { return left_out_; }

 private:
  struct Segment {
    std::array<float, 3> a;
    float width;
    std::array<float, 3> b;
    float lift;
    draw::Rgba colour;
  };
  struct Disc {
    std::array<float, 3> at;
    float size;
    draw::Rgba colour;
  };
  struct Solid {
    std::array<float, 12> rows;
    draw::Rgba colour;
  };
  enum Shape { arrow, needle, ball, sheet, shape_count };
  struct Geometry {
    Owned<bgfx::VertexBufferHandle> vertices;
    Owned<bgfx::IndexBufferHandle> indices;
  };

  static Solid solid_of(const Eigen::Vector3f& x, const Eigen::Vector3f& y,
                        const Eigen::Vector3f& z, const Eigen::Vector3f& at, draw::Rgba colour);
  void add_segments(const std::vector<draw::Point>& points, draw::Rgba colour, float width,
                    bool on_top);
  void add_glyphs(const draw::Glyphs& glyphs);
  void add_plane(const draw::Plane& plane, float sign_scale);
  void add_lattice(const draw::Lattice& lattice, float sign_scale);
  void add_solid(Shape shape, const Solid& solid);

  // Binds as many of the instances as this frame has memory for; false if that is none.
  bool bind(const void* data, std::size_t count, uint16_t stride) const;
  void bind_geometry(const Geometry& geometry) const;
  void submit_state(bgfx::ViewId view, bgfx::ProgramHandle program, bool depth_test,
                    bool blend) const;

  void submit_solids(bgfx::ViewId view, const Programs& programs, int shape,
                     const std::vector<Solid>& solids, bool blend, const auto& set_light) const {
    if (solids.empty() || !bind(solids.data(), solids.size(), sizeof(Solid))) return;
    bind_geometry(shapes_[shape]);
    set_light();
    submit_state(view, *programs.solid, true, blend);
  }
  template <class Flat>
  void submit_flat(bgfx::ViewId view, bgfx::ProgramHandle program, const std::vector<Flat>& flats,
                   const Geometry& geometry, bool depth_test) const {
    if (flats.empty() || !bind(flats.data(), flats.size(), sizeof(Flat))) return;
    bind_geometry(geometry);
    submit_state(view, program, depth_test, true);
  }

  std::array<Geometry, shape_count> shapes_;
  Geometry segment_, square_;
  std::vector<Segment> lines_, lines_on_top_;
  std::vector<Disc> points_, points_on_top_;
  std::array<std::vector<Solid>, shape_count> opaque_, clear_;
  mutable std::size_t left_out_ = 0;
};

}  // namespace sinew::render
