// Meshes and solids: pointed at where they are, computed only where a skin hangs in a solid.
#include "nodes/show/parts.h"

namespace sinew::showing {

std::optional<Body> as_body(const Value& value, const Key& key) {
  Body body{value, content_key(key)};
  if (value && value.is<Mesh>()) {
    body.mesh = &value.as<Mesh>();
  } else if (value && value.is<TetMesh>()) {
    body.solid = &value.as<TetMesh>();
  } else {
    return std::nullopt;
  }
  return body;
}

draw::Mesh surface_of_body(const Body& body) {
  draw::Mesh item;
  item.owner = body.value.shared();
  item.key = body.key;
  item.positions = body.vertices();
  const std::shared_ptr<const Topology>* surface = nullptr;
  if (body.mesh) {
    surface = &body.mesh->topology;
  } else if (body.has_skin()) {
    surface = &body.solid->topology->skin;
    auto carried = std::make_shared<std::vector<Vec3f>>(body.solid->topology->embedding.size());
    carry_embedded(body.solid->topology->embedding, body.solid->tets(), body.solid->positions,
                   *carried);
    item.positions = *carried;
    item.owner = std::move(carried);
    item.key = derived(body.key, 1);
  } else {
    item.topology = body.solid->topology;
    item.triangles = body.solid->topology->boundary;
    return item;
  }
  item.topology = *surface;
  item.triangles = (*surface)->triangles;
  item.polygon_of_triangle = (*surface)->polygon_of_triangle;
  item.corner_uvs = (*surface)->corner_uvs;
  return item;
}

void add_items(const std::string& source, std::vector<draw::Mesh> items, draw::DrawList& list) {
  for (draw::Mesh& item : items) {
    item.source = source;
    if (!item.triangles.empty()) list.meshes.push_back(std::move(item));
  }
}

void add_cloud(const std::string& source, const Body& body,
               const std::optional<kernels::CutPlane>& plane, draw::DrawList& list,
               const Field* field, int scale) {
  draw::Points cloud;
  cloud.source = source;
  cloud.scale = scale;
  const std::vector<Vec3f>& points = body.mesh->positions;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (plane && !is_kept(points[i], *plane)) continue;
    cloud.points.push_back(points[i]);
    if (field) cloud.values.push_back(field->at(i));
  }
  if (!cloud.points.empty()) list.points.push_back(std::move(cloud));
}

Result<void> show_body(const Shown& what, const Body& body, const ShowOptions& options,
                       draw::DrawList& list) {
  const Result<std::optional<kernels::CutPlane>> section = section_through(body, options);
  if (!section) return Error{section.error()};
  const std::optional<kernels::CutPlane>& plane = *section;
  if (is_cloud(body)) {
    add_cloud(what.source, body, plane, list);
  } else if (plane) {
    add_items(what.source, cut_items(body, cut_open(body, {}, *plane), *plane), list);
  } else {
    add_items(what.source, {surface_of_body(body)}, list);
  }
  return {};
}

}  // namespace sinew::showing
