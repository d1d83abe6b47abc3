#include "exchange/animation.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "render/colour_maps.h"

namespace sinew::exchange {
namespace {

// Letters, digits and underscores, not beginning with a digit: what every format takes as a name.
std::string plain_name(std::string_view text, const char* otherwise) {
  std::string name;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) && static_cast<unsigned char>(c) < 128) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  if (name.empty()) name = otherwise;
  if (std::isdigit(static_cast<unsigned char>(name[0]))) name = "_" + name;
  return name;
}

std::string unused(std::set<std::string>& taken, const std::string& base) {
  std::string name = base;
  for (int i = 2; !taken.insert(name).second; ++i) name = base + "_" + std::to_string(i);
  return name;
}

Eigen::Vector3f rgb(const draw::Rgba& c) { return {c.r, c.g, c.b}; }

Values values_of(const draw::Mesh& item, const draw::ColourScale& scale) {
  Values values;
  values.name = plain_name(scale.title, "value");
  std::transform(values.name.begin(), values.name.end(), values.name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  values.unit = scale.unit;
  values.per_triangle = item.values_per == draw::ValuesPer::triangle;
  values.numbers.assign(item.values.begin(), item.values.end());
  values.colours.reserve(item.values.size());
  for (const float x : item.values) values.colours.push_back(rgb(render::colour_of(x, scale)));
  return values;
}

std::shared_ptr<const Topology> topology_of(const draw::Mesh& item) {
  Topology topology;
  topology.triangles.assign(item.triangles.begin(), item.triangles.end());
  topology.polygon_of_triangle.assign(item.polygon_of_triangle.begin(),
                                      item.polygon_of_triangle.end());
  topology.corner_uvs.assign(item.corner_uvs.begin(), item.corner_uvs.end());
  return std::make_shared<const Topology>(std::move(topology));
}

}  // namespace

Scene scene_of(const draw::DrawList& list, const Space& space) {
  Scene scene;
  std::set<std::string> names;
  for (const draw::Mesh& item : list.meshes) {
    if (item.triangles.empty() || item.colour.a < 1) continue;
    Body body;
    body.name = unused(names, plain_name(item.source.substr(0, item.source.rfind('.')), "body"));
    std::vector<Eigen::Vector3f> places;
    places.reserve(item.positions.size());
    for (const draw::Point& p : item.positions) places.push_back(space.to_file(p));
    body.mesh = Mesh(topology_of(item), std::move(places));
    body.colour = rgb(item.colour);
    if (item.scale >= 0 && !item.values.empty())
      body.values = values_of(item, list.scales[static_cast<std::size_t>(item.scale)]);
    scene.bodies.push_back(std::move(body));
  }
  for (const draw::Bones& bones : list.bones) {
    Rig rig;
    rig.name = unused(names, plain_name(bones.source.substr(0, bones.source.rfind('.')), "rig"));
    std::set<std::string> joints;
    for (const draw::Bones::Joint& j : bones.joints) {
      rig.joints.push_back(
          {unused(joints, plain_name(j.name, "joint")), j.parent, space.to_file(j.rest)});
      rig.places.push_back(space.to_file(j.place));
    }
    scene.rigs.push_back(std::move(rig));
  }
  return scene;
}

Values values_at_vertices(const Body& body) {
  const std::size_t count = body.mesh.vertex_count();
  Values all;
  all.colours.assign(count, body.colour);
  if (!body.values) return all;
  if (!body.values->per_triangle) return *body.values;
  all.name = body.values->name;
  all.unit = body.values->unit;
  all.numbers.assign(count, 0);
  all.colours.assign(count, Eigen::Vector3f::Zero());
  std::vector<int> shares(count, 0);
  const std::span<const Triangle> triangles = body.mesh.triangles();
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (const uint32_t v : triangles[t]) {
      all.numbers[v] += body.values->numbers[t];
      all.colours[v] += body.values->colours[t];
      ++shares[v];
    }
  }
  for (std::size_t v = 0; v < count; ++v) {
    const float part = 1 / static_cast<float>(std::max(1, shares[v]));
    all.numbers[v] *= part;
    all.colours[v] *= part;
  }
  return all;
}

Body merged(const Scene& scene) {
  if (scene.bodies.size() == 1) return scene.bodies[0];
  Body all;
  all.name = "bodies";
  Topology topology;
  std::vector<Eigen::Vector3f> places;
  bool coloured = false, same = true, uvs = true;
  for (const Body& b : scene.bodies) {
    coloured = coloured || b.values;
    same = same && b.values && b.values->name == scene.bodies[0].values->name;
    uvs = uvs && !b.mesh.topology->corner_uvs.empty();
  }
  Values values;
  for (const Body& b : scene.bodies) {
    const auto first = static_cast<uint32_t>(places.size());
    places.insert(places.end(), b.mesh.positions.begin(), b.mesh.positions.end());
    for (const Triangle& t : b.mesh.triangles())
      topology.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    if (uvs) {
      const std::vector<Vec2f>& own = b.mesh.topology->corner_uvs;
      topology.corner_uvs.insert(topology.corner_uvs.end(), own.begin(), own.end());
    }
    if (!coloured) continue;
    const Values own = values_at_vertices(b);
    values.colours.insert(values.colours.end(), own.colours.begin(), own.colours.end());
    if (same) values.numbers.insert(values.numbers.end(), own.numbers.begin(), own.numbers.end());
  }
  if (coloured) {
    if (same) {
      values.name = scene.bodies[0].values->name;
      values.unit = scene.bodies[0].values->unit;
    }
    all.values = std::move(values);
  }
  all.mesh = Mesh(std::move(topology), std::move(places));
  return all;
}

}  // namespace sinew::exchange
