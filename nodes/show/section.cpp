// Bodies cut open, as two items: the outside with smooth normals, the cap with flat ones, so that
// the rim between them is crisp.
#include <algorithm>
#include <bit>
#include <cmath>

#include "nodes/show/parts.h"

namespace sinew::showing {

namespace {

enum class Part : uint8_t { outside, cap };

draw::ContentKey part_key(draw::ContentKey key, const kernels::CutPlane& plane, Part part) {
  return derived(derived(key, plane), static_cast<uint64_t>(part));
}

draw::Mesh part_item(const Body& body, const std::shared_ptr<const CutOpen>& open,
                     const kernels::CutPlane& plane, Part part) {
  const bool is_cap = part == Part::cap;
  draw::Mesh item;
  item.owner = open;
  // The polygons are there for each part, and so have an address for each.
  const auto& polygons = is_cap ? open->cap_polygons : open->outside_polygons;
  item.topology = std::shared_ptr<const void>(open, &polygons);
  item.key = part_key(body.key, plane, part);
  item.positions = open->cut.mesh.positions;
  item.triangles = is_cap ? open->cap() : open->outside();
  item.polygon_of_triangle = polygons;
  item.flat = is_cap;
  if (is_cap) item.colour = cut_clay;
  return item;
}

void colour(draw::Mesh& item, std::span<const float> values, draw::ValuesPer per,
            const SeenValues& seen, const kernels::CutPlane& plane, Part part) {
  item.values = values;
  item.values_per = per;
  item.values_key = part_key(seen.key, plane, part);
}

// An edge between two pieces of one triangle is no edge of the body; nor is one inside of a cap
// that was only filled.
void note_polygons(const Body& body, CutOpen& open) {
  const Topology* surface = body.mesh         ? body.mesh->topology.get()
                            : body.has_skin() ? body.solid->topology->skin.get()
                                              : nullptr;
  const std::span<const uint32_t> sources = open.cut.source;
  for (const uint32_t triangle : sources.first(open.outside_count())) {
    const bool whole = !surface || surface->polygon_of_triangle.empty();
    open.outside_polygons.push_back(whole ? triangle : surface->polygon_of_triangle[triangle]);
  }
  const auto inside = sources.subspan(open.outside_count());
  open.cap_polygons.assign(inside.begin(), inside.end());
}

std::vector<float> picked(std::span<const float> values, std::span<const uint32_t> which) {
  std::vector<float> list;
  list.reserve(which.size());
  for (const uint32_t i : which) list.push_back(values[i]);
  return list;
}

// Values of tetrahedra on a skin go from vertex to vertex outside, and by tetrahedron inside.
std::vector<draw::Mesh> cut_skin_and_tets(const Body& body, const Field& field,
                                          const SeenValues& seen, const kernels::CutPlane& plane) {
  const auto outside = std::make_shared<CutOpen>();
  outside->cut = kernels::cut_mesh(surface_of(*body.solid), seen.values, plane, false);
  note_polygons(body, *outside);
  const std::shared_ptr<CutOpen> inside = cut_open(body, {}, plane);
  inside->cap_values =
      picked(field.values(), std::span(inside->cut.source).subspan(inside->outside_count()));
  std::vector<draw::Mesh> items = {part_item(body, outside, plane, Part::outside),
                                   part_item(body, inside, plane, Part::cap)};
  colour(items[0], outside->cut.values, draw::ValuesPer::vertex, seen, plane, Part::outside);
  colour(items[1], inside->cap_values, draw::ValuesPer::triangle, seen, plane, Part::cap);
  return items;
}

std::vector<draw::Mesh> cut_by_vertex(const Body& body, const Field& field, const SeenValues& seen,
                                      const kernels::CutPlane& plane) {
  const std::span<const float> values =
      field.is_constant() ? std::span<const float>() : field.values();
  const std::shared_ptr<CutOpen> open = cut_open(body, values, plane);
  if (field.is_constant()) open->cut.values.assign(open->cut.mesh.vertex_count(), field.at(0));
  std::vector<draw::Mesh> items = cut_items(body, open, plane);
  colour(items[0], open->cut.values, draw::ValuesPer::vertex, seen, plane, Part::outside);
  colour(items[1], open->cut.values, draw::ValuesPer::vertex, seen, plane, Part::cap);
  return items;
}

// The inside of a body whose values are those of faces has none.
std::vector<draw::Mesh> cut_by_triangle(const Body& body, const Field& field,
                                        const SeenValues& seen, const kernels::CutPlane& plane) {
  const std::shared_ptr<CutOpen> open = cut_open(body, {}, plane);
  const std::span<const uint32_t> sources = open->cut.source;
  open->outside_values = picked(seen.values, sources.first(open->outside_count()));
  const bool inside = field.domain() == Domain::tet;
  if (inside) open->cap_values = picked(field.values(), sources.subspan(open->outside_count()));
  std::vector<draw::Mesh> items = cut_items(body, open, plane);
  colour(items[0], open->outside_values, draw::ValuesPer::triangle, seen, plane, Part::outside);
  if (inside) colour(items[1], open->cap_values, draw::ValuesPer::triangle, seen, plane, Part::cap);
  return items;
}

}  // namespace

draw::ContentKey derived(draw::ContentKey key, const kernels::CutPlane& plane) {
  for (const Vec3d& part : {plane.point, plane.normal})
    for (const double x : part) key = derived(key, std::bit_cast<uint64_t>(x + 0.0));  // -0 is 0
  return key;
}

Result<std::optional<kernels::CutPlane>> section_through(const Body& body,
                                                         const ShowOptions& options) {
  using Section = std::optional<kernels::CutPlane>;
  if (!options.section) return Section();
  kernels::CutPlane plane{options.section->point.cast<double>(),
                          options.section->normal.cast<double>()};
  const double length = plane.normal.norm();
  if (!plane.point.allFinite() || !(length > 0) || !std::isfinite(length))
    return Error{"the section plane has no direction; give it a normal that is not 0"};
  plane.normal /= length;
  // What is not cut is pointed at and not copied.
  const auto all_kept = [&](std::span<const Vec3f> points) {
    return std::all_of(points.begin(), points.end(),
                       [&](const Vec3f& p) { return is_kept(p, plane); });
  };
  const bool whole = all_kept(body.vertices()) &&
                     (!body.has_skin() || all_kept(surface_of(*body.solid).positions));
  return whole ? Section() : Section(plane);
}

std::shared_ptr<CutOpen> cut_open(const Body& body, std::span<const float> values,
                                  const kernels::CutPlane& plane) {
  auto open = std::make_shared<CutOpen>();
  open->cut = body.mesh ? kernels::cut_mesh(*body.mesh, values, plane)
                        : kernels::cut_solid(*body.solid, values, plane);
  note_polygons(body, *open);
  return open;
}

std::vector<draw::Mesh> cut_items(const Body& body, const std::shared_ptr<const CutOpen>& open,
                                  const kernels::CutPlane& plane) {
  return {part_item(body, open, plane, Part::outside), part_item(body, open, plane, Part::cap)};
}

std::vector<draw::Mesh> cut_items(const Body& body, const Field& field, const SeenValues& seen,
                                  const kernels::CutPlane& plane) {
  if (seen.per == draw::ValuesPer::triangle) return cut_by_triangle(body, field, seen, plane);
  if (field.domain() == Domain::tet) return cut_skin_and_tets(body, field, seen, plane);
  return cut_by_vertex(body, field, seen, plane);
}

}  // namespace sinew::showing
