// The editor with a few nodes in a row on its canvas.
#pragma once

#include "app/editor/panels/canvas/canvas.h"
#include "tests/app/editor_fixture.h"

namespace sinew::testing {

inline constexpr const char* chain = R"({"sinew": 1,
  "nodes": [
    {"id": "box", "type": "mesh.box"},
    {"id": "smooth", "type": "mesh.smooth"},
    {"id": "view", "type": "view"}
  ],
  "links": ["box.mesh -> smooth.mesh", "smooth.mesh -> view.value"],
  "layout": {"nodes": {
    "box": {"at": [0, 0]}, "smooth": {"at": [300, 0], "mine": 1}, "view": {"at": [600, 0]}}}
})";

class CanvasTest : public EditorTest {
 protected:
  const GraphBody& body() const { return editor().session.body(); }
  bool has_link(const std::string& from, const std::string& to) const {
    return std::any_of(body().links.begin(), body().links.end(), [&](const LinkDoc& l) {
      return l.from.node + "." + l.from.socket == from && l.to.node + "." + l.to.socket == to;
    });
  }
  ImVec2 at(const std::string& id) const {
    const Json& place = body().layout.nodes.at(id)["at"];
    return {place[0].get<float>(), place[1].get<float>()};
  }
  std::size_t steps() const { return editor().session.history().position(); }
  // A place of the canvas with nothing on it, in the panel's lower left part.
  ImVec2 empty() const {
    const ui::Landmark* panel = ui::landmarks().find("panel.Canvas");
    return {panel->left + 40, panel->bottom - 40};
  }
  ImVec2 by(const std::string& landmark, float x, float y) const {
    const ImVec2 p = place(landmark);
    return {p.x + x, p.y + y};
  }
};

}  // namespace sinew::testing
