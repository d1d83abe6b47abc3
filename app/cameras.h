// The cameras of a document: kept in its layout block, by name.
//
//   "layout": {"cameras": {"main": {"target": [0, 0.5, 0], "yaw": 30, "pitch": 18, "distance": 4}}}
#pragma once

#include <map>
#include <string>

#include "graph/document.h"
#include "render/camera.h"

namespace sinew {

// The camera that a document is opened with, if it has one of this name.
inline constexpr const char* main_camera = "main";

Result<render::Camera> camera_from_json(const Json& json);
Json camera_to_json(const render::Camera& camera);

// A camera of the document; else a view that every scene has, which still has to be framed
// (`framed` is false then). The error names those there are.
struct FoundCamera {
  render::Camera camera;
  bool framed = false;
};
Result<FoundCamera> find_camera(const GraphDoc& doc, const std::string& name);
// The document's main camera, or the three-quarter view.
Result<FoundCamera> standard_camera(const GraphDoc& doc);

// The layout block with this camera in it: what is else there stays.
LayoutDoc with_camera(LayoutDoc layout, const std::string& name, const render::Camera& camera);

}  // namespace sinew
