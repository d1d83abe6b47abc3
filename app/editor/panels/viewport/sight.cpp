#include "app/editor/panels/viewport/sight.h"

#include <cmath>
#include <deque>
#include <unordered_set>

namespace sinew::editor {

std::optional<ImVec2> Sight::place(const Vector3f& point) const {
  const std::optional<Vector3f> part = camera().place_of(point, aspect());
  if (!part) return std::nullopt;
  return ImVec2(at.x + part->x() * size.x, at.y + part->y() * size.y);
}

render::Ray Sight::ray(ImVec2 at_screen) const {
  return camera().ray((at_screen.x - at.x) / size.x, (at_screen.y - at.y) / size.y, aspect());
}

std::optional<render::Pick> Sight::pick(ImVec2 at_screen) {
  return picker.pick(list, camera(), (at_screen.x - at.x) / size.x, (at_screen.y - at.y) / size.y,
                     aspect());
}

std::optional<render::Pick> Sight::pick_whole(ImVec2 at_screen) {
  if (!show.section) return pick(at_screen);
  const draw::SectionPlane& plane = *show.section;
  render::Ray ray = this->ray(at_screen);
  if (camera().parallel) ray.origin += 1e3f * diagonal() * camera().back();
  const float height = (ray.origin - plane.point).dot(plane.normal);
  const float slope = ray.direction.dot(plane.normal);
  // What lies before the plane is not there: the ray begins where it comes through.
  if (height > 0) {
    if (slope >= 0) return std::nullopt;
    ray.origin += ray.direction * (height / -slope);
  }
  std::optional<render::Pick> found = picker.pick(whole, ray);
  const float slack = 1e-4f * diagonal();
  if (found && (found->point - plane.point).dot(plane.normal) > slack) return std::nullopt;
  return found;
}

float Sight::metres_per_pixel(const Vector3f& point) const {
  const float half = std::tan(0.5f * camera().fov * 3.14159265f / 180);
  const float depth =
      camera().parallel ? camera().distance : (camera().eye() - point).dot(camera().back());
  return 2 * std::max(depth, 1e-9f) * half / size.y;
}

std::optional<Vector3f> Sight::on_plane(ImVec2 at_screen, const Vector3f& point,
                                        const Vector3f& normal) const {
  const render::Ray r = ray(at_screen);
  const float slope = r.direction.dot(normal);
  if (std::abs(slope) < 1e-4f) return std::nullopt;
  const float t = (point - r.origin).dot(normal) / slope;
  if (!camera().parallel && t < 0) return std::nullopt;
  return r.origin + t * r.direction;
}

Written find_written(const GraphDoc& doc, const std::string& path) {
  Written found;
  const GraphBody* in = &doc.graph;
  std::size_t begin = 0;
  for (std::size_t slash = path.find('/'); slash != std::string::npos;
       slash = path.find('/', begin)) {
    const NodeDoc* instance = in->find(path.substr(begin, slash - begin));
    if (!instance || !(in = doc.body(instance->group)) || instance->group.empty()) return {};
    found.graph = instance->group;
    begin = slash + 1;
  }
  found.node = in->find(path.substr(begin));
  return found;
}

int find_upstream(const CompiledGraph& graph, int node,
                  const std::function<bool(const CompiledNode&)>& fits) {
  std::deque<int> open{node};
  std::unordered_set<int> seen{node};
  while (!open.empty()) {
    const int at = open.front();
    open.pop_front();
    const CompiledNode& n = graph.node(at);
    if (fits(n)) return at;
    for (const InputSource& input : n.inputs)
      for (const LinkSource& link : input.links)
        if (link.node >= 0 && seen.insert(link.node).second) open.push_back(link.node);
  }
  return -1;
}

std::optional<Target> target_of(const CompiledGraph& graph, const std::string& source) {
  const Result<Target> found = graph.find_output(source);
  if (!found) return std::nullopt;
  return *found;
}

double rounded(double x) {
  if (x == 0 || !std::isfinite(x)) return 0;
  const double unit = std::pow(10.0, 4 - std::floor(std::log10(std::abs(x))));
  return shortest_decimal(static_cast<float>(std::round(x * unit) / unit));
}

Json to_json(const Vector3f& v) {
  // What is far below the largest of the three is nothing but the noise of a drag.
  const float least = 1e-6f * v.cwiseAbs().maxCoeff();
  Json json = Json::array();
  for (int i = 0; i < 3; ++i)
    json.push_back(std::abs(v[i]) <= least ? 0.0 : rounded(static_cast<double>(v[i])));
  return json;
}

}  // namespace sinew::editor
