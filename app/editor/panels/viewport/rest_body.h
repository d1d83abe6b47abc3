// The body that a node's strokes or touches are meant for, at rest, beside the same body as it is
// shown: bent, moved, cut open. Places are found in the one and kept in the other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/editor/panels/viewport/sight.h"

namespace sinew::editor {

class RestBody {
 public:
  // To be called in each frame in which it is wanted: watches the body that values of this node
  // ("low/layer") live on. An empty path: none.
  void follow(Sight& sight, const std::string& path);

  // The same for what arrives at an input of a node: a body, or what is shown as one.
  void follow_input(Sight& sight, const std::string& path, int input);

  // Why there is none; empty: there is one.
  const std::string& problem() const { return problem_; }
  bool known() const { return problem_.empty() && !mesh_.positions.empty(); }
  // The output that it is ("solid.solid"), and the node's own output that lives on it.
  const std::string& source() const { return source_; }
  const std::string& painted() const { return painted_; }
  Target target() const { return target_; }
  Target painted_target() const { return painted_target_; }
  const render::Box& box() const { return box_; }

  // Which of the meshes of a list is this body; nullptr: none. With the same triangles, whatever
  // became of the vertices.
  const draw::Mesh* shown_in(const draw::DrawList& list) const;
  bool is(const draw::Mesh& shown) const;
  // Where a place of a triangle is at rest.
  Vector3f at_rest(uint32_t triangle, const Vector3f& weights) const;
  // From the shown body to the one at rest, as well as one affine map can: for what lies inside.
  Eigen::Affine3f map_to_rest(const draw::Mesh& shown) const;

  // A place at rest, held by the surface so that it can be shown wherever that goes.
  struct Anchor {
    uint32_t triangle = 0;
    Vector3f weights{1, 0, 0};
    float height = 0;  // above the triangle, m
  };
  std::optional<Anchor> anchor(const Vector3f& rest_place) const;
  static Vector3f place(const Anchor& anchor, const draw::Mesh& shown);
  // Grows when the body at rest is another one.
  uint64_t revision() const { return revision_; }

 private:
  void watch(Sight& sight);
  void take(const Shot& shot, const TargetResult& result);
  void gather_triangles();

  std::string problem_ = "there is no body", source_, painted_;
  Target target_, painted_target_;
  draw::Mesh mesh_;
  Key key_;
  render::Box box_;
  uint64_t revision_ = 0;
  std::vector<uint32_t> first_of_, triangles_of_;  // the triangles at each vertex
};

// The input of a node that has this type; nullptr: none.
const InputInfo* input_of_type(const NodeType& type, std::string_view name);

}  // namespace sinew::editor
