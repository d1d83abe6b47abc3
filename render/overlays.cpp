#include "render/overlays.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew::render {
namespace {

constexpr draw::Rgba dark{0.16f, 0.18f, 0.22f, 1};
// More than these could not be told apart, and would cost more than the bodies themselves.
constexpr std::size_t most_points = 200'000, most_normals = 20'000;

void add_vertices(const draw::Mesh& mesh, const CornerTables& tables, draw::DrawList& out) {
  draw::Points points;
  points.source = mesh.source;
  points.colour = dark;
  points.size = 3.5f;
  const std::size_t stride = mesh.positions.size() / most_points + 1;
  for (std::size_t v = 0; v < mesh.positions.size(); v += stride)
    if (!tables.corners_of(v).empty()) points.points.push_back(mesh.positions[v]);
  out.points.push_back(std::move(points));
}

void add_normals(const draw::Mesh& mesh, const CornerTables& tables, float length,
                 draw::DrawList& out) {
  draw::Lines lines;
  lines.source = mesh.source;
  lines.colour = draw::axis_colours[2];
  lines.width = 1.2f;
  const std::vector<draw::Point> normals = mean_normals(mesh, tables);
  const std::size_t stride = normals.size() / most_normals + 1;
  for (std::size_t v = 0; v < normals.size(); v += stride) {
    if (normals[v].isZero()) continue;
    lines.points.push_back(mesh.positions[v]);
    lines.points.push_back(mesh.positions[v] + length * normals[v]);
  }
  out.lines.push_back(std::move(lines));
}

void add_bounds(const Box& box, draw::DrawList& out) {
  draw::Lines lines;
  lines.colour = {0.25f, 0.28f, 0.33f, 0.8f};
  lines.width = 1.2f;
  for (int corner = 0; corner < 8; ++corner)
    for (int axis = 0; axis < 3; ++axis)
      if (!(corner & (1 << axis))) {
        lines.points.push_back(box.corner(static_cast<Box::CornerType>(corner)));
        lines.points.push_back(box.corner(static_cast<Box::CornerType>(corner | (1 << axis))));
      }
  out.lines.push_back(std::move(lines));
  const Eigen::Vector3f size = box.sizes();
  out.labels.push_back({{},
                        box.max(),
                        fmt::format("{:.4g} x {:.4g} x {:.4g} m", size.x(), size.y(), size.z()),
                        dark});
}

}  // namespace

draw::DrawList overlays_of(const draw::DrawList& list, const std::vector<const MeshEntry*>& entries,
                           const Look& look, const Box& box) {
  draw::DrawList out;
  for (std::size_t i = 0; i < list.meshes.size(); ++i) {
    if (!entries[i]->problem.empty() || !entries[i]->tables) continue;
    if (look.has(Overlay::vertices)) add_vertices(list.meshes[i], *entries[i]->tables, out);
    if (look.has(Overlay::normals))
      add_normals(list.meshes[i], *entries[i]->tables, 0.02f * box.diagonal().norm(), out);
  }
  if (look.has(Overlay::bounds) && !box.isEmpty()) add_bounds(box, out);
  return out;
}

}  // namespace sinew::render
