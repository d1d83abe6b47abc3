#include "render/bounds.h"

#include <algorithm>

namespace sinew::render {
namespace {

void extend(Box& box, const Eigen::Vector3f& p) {
  if (p.allFinite()) box.extend(p);
}

// Of what is not a mesh, with guides or without.
Box bounds_of_signs(const draw::DrawList& list, bool guides) {
  Box box;
  for (const draw::Lines& l : list.lines) {
    if (l.guide && !guides) continue;
    for (const draw::Point& p : l.points) extend(box, p);
  }
  for (const draw::Points& l : list.points)
    for (const draw::Point& p : l.points) extend(box, p);
  for (const draw::Glyphs& g : list.glyphs)
    for (std::size_t i = 0; i < std::min(g.places.size(), g.vectors.size()); ++i) {
      const float behind = g.shape == draw::GlyphShape::needle ? 0.5f : 0;  // part of the vector
      extend(box, g.places[i] - behind * g.vectors[i]);
      extend(box, g.places[i] + (1 - behind) * g.vectors[i]);
    }
  for (const draw::Ellipsoid& e : list.ellipsoids) {
    const Eigen::Vector3f reach = e.axes.rowwise().norm();
    extend(box, e.centre + reach);
    extend(box, e.centre - reach);
  }
  for (const draw::Plane& p : list.planes)
    for (const float a : {-1.0f, 1.0f})
      for (const float b : {-1.0f, 1.0f}) extend(box, p.centre + a * p.u + b * p.v);
  for (const draw::Lattice& l : list.lattices)
    for (const draw::Point& p : l.points) extend(box, p);
  for (const draw::Label& l : list.labels)
    if (!l.on_page) extend(box, l.at);
  return box;
}

}  // namespace

Box bounds_of(const draw::DrawList& list) {
  Box box = bounds_of_signs(list, false);
  for (const draw::Mesh& m : list.meshes)
    for (const draw::Point& p : m.positions) extend(box, p);
  return box.isEmpty() ? bounds_of_signs(list, true) : box;
}

Box bounds_without_meshes(const draw::DrawList& list) { return bounds_of_signs(list, true); }

bool is_drawing(const Box& box) {
  return !box.isEmpty() && box.sizes().x() > 0 && box.sizes().y() > 0 &&
         box.sizes().z() <= 1e-6f * box.diagonal().norm();
}

}  // namespace sinew::render
