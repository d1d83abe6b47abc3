#include "nodes/show.h"

#include <fmt/format.h>

#include <algorithm>

#include "nodes/show/parts.h"

namespace sinew {

namespace {

using namespace showing;

constexpr const char* what_can_be_shown =
    "what can be shown is a mesh, a solid, a field, vectors, frames or an activation on a body, "
    "colliders, a chart, a material, a motion path, points, operators, a lattice, modes, a "
    "dynamic body, forces, a skeleton, a pose, a vec3, or words";

// As a sentence goes on: "'a.value' is a number".
std::string in_words(const TypeInfo& type) {
  if (&type == &type_of<float>() || &type == &type_of<int>()) return "a number";
  if (&type == &type_of<bool>()) return "a yes or no";
  if (&type == &type_of<std::string>()) return "a text";
  if (&type == &type_of<Field>()) return "a field";
  return type.name;
}

void show_place(const Shown& what, draw::DrawList& list) {
  const Vec3& v = what.value.as<Vec3>();
  draw::Points point;
  point.source = what.source;
  point.points = {{v.x, v.y, v.z}};
  point.size = 9;
  point.on_top = true;
  draw::Label label;
  label.source = what.source;
  label.at = point.points[0];
  label.text = fmt::format("{} ({:.4g}, {:.4g}, {:.4g})",
                           what.title.empty() ? what.source : what.title, v.x, v.y, v.z);
  list.points.push_back(std::move(point));
  list.labels.push_back(std::move(label));
}

// Words belong to the picture: a caption, which may change from frame to frame.
void show_words(const Shown& what, draw::DrawList& list) {
  draw::Label label;
  label.source = what.source;
  label.text = what.value.as<std::string>();
  label.on_page = true;
  if (!label.text.empty()) list.labels.push_back(std::move(label));
}

// The error names what is shown, whatever was wrong with it.
Result<void> named(const Shown& what, const Result<void>& result) {
  if (result) return {};
  return Error{fmt::format("'{}' cannot be shown: {}", what.source, result.error())};
}

Result<void> show_on_body(const Shown& what, const ShowOptions& options, draw::DrawList& list) {
  if (!what.body) {
    return Error{
        fmt::format("'{}' is {}, which is seen on a mesh or a solid, but it lives on none; "
                    "make it on one, or show a body",
                    what.source, in_words(*what.value.type()))};
  }
  const std::optional<Body> body = as_body(what.body, what.body_key);
  if (!body) {
    return Error{fmt::format("'{}' lives on {}, but it can be seen only on a mesh or a solid",
                             what.source, in_words(*what.body.type()))};
  }
  if (what.value.is<Activation>()) return named(what, show_activation(what, *body, options, list));
  if (what.value.is<Field>()) return named(what, show_field(what, *body, options, list));
  if (what.value.is<VectorField>()) return named(what, show_vectors(what, *body, options, list));
  return named(what, show_frames(what, *body, options, list));
}

}  // namespace

std::vector<std::string> show_all(std::span<const Shown> all, const ShowOptions& options,
                                  draw::DrawList& list) {
  const auto carries_something = [&](const Shown& body) {
    return !body.body && std::any_of(all.begin(), all.end(), [&](const Shown& other) {
      return other.body && other.body_key == body.key;
    });
  };
  std::vector<const Shown*> order;
  for (const Shown& one : all)
    if (!carries_something(one)) order.push_back(&one);
  std::stable_partition(order.begin(), order.end(),
                        [](const Shown* one) { return !one->value.is<Colliders>(); });
  std::vector<std::string> problems;
  for (const Shown* one : order)
    if (const Result<void> ok = show(*one, options, list); !ok) problems.push_back(ok.error());
  return problems;
}

bool can_show(const TypeInfo& type) {
  for (const TypeInfo* seen :
       {&type_of<Mesh>(),        &type_of<TetMesh>(),    &type_of<Field>(),
        &type_of<VectorField>(), &type_of<Frames>(),     &type_of<Activation>(),
        &type_of<Colliders>(),   &type_of<Chart>(),      &type_of<Material>(),
        &type_of<MotionPath>(),  &type_of<PathPoints>(), &type_of<VooSet>(),
        &type_of<Lattice>(),     &type_of<Modes>(),      &type_of<ModalBody>(),
        &type_of<BodyForces>(),  &type_of<Skeleton>(),   &type_of<PosedSkeleton>(),
        &type_of<Meshless>(),    &type_of<PosedBody>(),  &type_of<KeyedBodies>(),
        &type_of<Motion>(),      &type_of<BodyStates>(), &type_of<Vec3>(),
        &type_of<std::string>()})
    if (&type == seen) return true;
  return false;
}

Result<void> show(const Shown& what, const ShowOptions& options, draw::DrawList& list) {
  if (!what.value) return Error{fmt::format("'{}' has no value; mend its errors", what.source)};
  const TypeInfo& type = *what.value.type();
  if (!can_show(type))
    return Error{fmt::format("'{}' is {}; {}", what.source, in_words(type), what_can_be_shown)};
  if (type.per_element) return show_on_body(what, options, list);
  if (const std::optional<Body> body = as_body(what.value, what.key))
    return named(what, show_body(what, *body, options, list));
  if (what.value.is<Colliders>()) {
    show_colliders(what, list);
  } else if (what.value.is<Chart>()) {
    show_chart(what, list);
  } else if (what.value.is<Material>()) {
    show_material(what, list);
  } else if (what.value.is<MotionPath>()) {
    show_path(what, list);
  } else if (what.value.is<PathPoints>()) {
    show_places(what, list);
  } else if (what.value.is<VooSet>()) {
    show_voos(what, list);
  } else if (what.value.is<std::string>()) {
    show_words(what, list);
  } else if (what.value.is<Lattice>()) {
    show_lattice(what, list);
  } else if (what.value.is<Modes>()) {
    show_modes(what, list);
  } else if (what.value.is<ModalBody>()) {
    const Value mesh = Value(type_of<Mesh>(), what.value.as<ModalBody>().mesh);
    if (const std::optional<Body> body = as_body(mesh, what.key)) {
      const Result<void> shown = named(what, show_body(what, *body, options, list));
      if (!shown) return shown;
    }
    show_masses(what, list);
  } else if (what.value.is<BodyForces>()) {
    show_forces(what, list);
  } else if (what.value.is<Skeleton>()) {
    show_skeleton(what, list);
  } else if (what.value.is<PosedSkeleton>()) {
    show_pose(what, list);
  } else if (what.value.is<Meshless>()) {
    show_meshless(what, list);
  } else if (what.value.is<PosedBody>()) {
    show_posed(what, list);
  } else if (what.value.is<KeyedBodies>()) {
    show_keyed(what, list);
  } else if (what.value.is<Motion>()) {
    show_motion(what, list);
  } else if (what.value.is<BodyStates>()) {
    show_states(what, list);
  } else {
    show_place(what, list);
  }
  return {};
}

}  // namespace sinew
