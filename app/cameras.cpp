#include "app/cameras.h"

#include <fmt/format.h>

#include <cmath>

#include "graph/value.h"

namespace sinew {
namespace {

// The numbers of a camera that are one each, with their ranges.
struct Number {
  const char* name;
  float render::Camera::*field;
  double least, most;
};
constexpr Number numbers[] = {
    {"yaw", &render::Camera::yaw, -1e6, 1e6},
    {"pitch", &render::Camera::pitch, -90, 90},
    {"distance", &render::Camera::distance, 1e-9, 1e12},
    {"fov", &render::Camera::fov, 1, 170},
};

const Json* cameras_of(const GraphDoc& doc) {
  const Json& extra = doc.graph.layout.extra;
  const auto found = extra.find("cameras");
  return found != extra.end() && found->is_object() ? &*found : nullptr;
}

}  // namespace

Result<render::Camera> camera_from_json(const Json& json) {
  render::Camera camera;
  if (!json.is_object())
    return Error{
        "a camera is an object: {\"target\": [x, y, z], \"yaw\": 30, \"pitch\": 18, "
        "\"distance\": 4}"};
  for (const auto& [name, value] : json.items()) {
    if (name == "target") {
      if (!value.is_array() || value.size() != 3) return Error{"'target' must be three numbers"};
      for (int i = 0; i < 3; ++i) {
        if (!value[i].is_number() || !(std::abs(value[i].get<double>()) <= 1e12))
          return Error{"'target' must be three numbers"};
        camera.target[i] = value[i].get<float>();
      }
    } else if (name == "parallel") {
      if (!value.is_boolean()) return Error{"'parallel' must be true or false"};
      camera.parallel = value.get<bool>();
    }
    for (const Number& n : numbers) {
      if (name != n.name) continue;
      const double x = value.is_number() ? value.get<double>() : NAN;
      if (!(x >= n.least && x <= n.most))
        return Error{
            fmt::format("'{}' must be a number from {:g} to {:g}", n.name, n.least, n.most)};
      camera.*n.field = static_cast<float>(x);
    }
  }
  return camera;
}

Json camera_to_json(const render::Camera& camera) {
  const auto number = [](float x) { return Json(shortest_decimal(x)); };
  Json json = {{"target", Json::array()}};
  for (int i = 0; i < 3; ++i) json["target"].push_back(number(camera.target[i]));
  for (const Number& n : numbers) json[n.name] = number(camera.*n.field);
  if (camera.parallel) json["parallel"] = true;
  return json;
}

Result<FoundCamera> find_camera(const GraphDoc& doc, const std::string& name) {
  const Json* cameras = cameras_of(doc);
  if (cameras && cameras->contains(name)) {
    const Result<render::Camera> camera = camera_from_json((*cameras)[name]);
    if (!camera) return Error{fmt::format("camera '{}': {}", name, camera.error())};
    return FoundCamera{*camera, true};
  }
  if (const std::optional<render::Camera> view = render::named_view(name))
    return FoundCamera{*view, false};
  std::string known;
  if (cameras)
    for (const auto& [other, value] : cameras->items())
      known += (known.empty() ? "" : ", ") + other;
  for (const std::string_view view : render::view_names())
    known += (known.empty() ? "" : ", ") + std::string(view);
  return Error{fmt::format("there is no view '{}'; there are {}", name, known)};
}

Result<FoundCamera> standard_camera(const GraphDoc& doc) {
  const Json* cameras = cameras_of(doc);
  return find_camera(doc,
                     cameras && cameras->contains(main_camera) ? main_camera : "three-quarter");
}

LayoutDoc with_camera(LayoutDoc layout, const std::string& name, const render::Camera& camera) {
  Json& cameras = layout.extra["cameras"];
  if (!cameras.is_object()) cameras = Json::object();
  cameras[name] = camera_to_json(camera);
  return layout;
}

}  // namespace sinew
