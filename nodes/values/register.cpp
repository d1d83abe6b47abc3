#include "graph/registry.h"
#include "nodes/values.h"
#include "nodes/values/forms.h"

namespace sinew {

void register_value_types(Registry& registry) {
  registry.add_type(type_of<Mesh>());
  registry.add_type(type_of<Field>());
  registry.add_type(type_of<Chart>());
  registry.add_type(type_of<TetMesh>());
  registry.add_type(type_of<VectorField>());
  registry.add_type(type_of<Frames>());
  registry.add_type(type_of<Colliders>());
  registry.add_type(type_of<Strokes>());
  registry.add_type(type_of<Touches>());
  registry.add_type(type_of<Activation>());
  registry.add_type(type_of<Material>());
  registry.add_type(type_of<PathPoints>());
  registry.add_type(type_of<MotionPath>());
  registry.add_type(type_of<VooSet>());
  registry.add_type(type_of<Lattice>());
  registry.add_type(type_of<LatticeMoves>());
  registry.add_type(type_of<Skeleton>());
  registry.add_type(type_of<JointKeys>());
  registry.add_type(type_of<PosedSkeleton>());
  registry.add_type(type_of<SkeletonClip>());
  registry.add_type(type_of<Modes>());
  registry.add_type(type_of<ModalBody>());
  registry.add_type(type_of<PoseGraph>());
  registry.add_type(type_of<BodyForces>());
  registry.add_type(type_of<Found>());
  registry.add_type(type_of<Meshless>());
  registry.add_type(type_of<BodyHandles>());
  registry.add_type(type_of<PosedBody>());
  registry.add_type(type_of<PoseKeys>());
  registry.add_type(type_of<KeyedBodies>());
  registry.add_type(type_of<Motion>());
  registry.add_type(type_of<BodyStates>());
  add_literal_forms(type_of<PoseGraph>(), values::pose_graph_forms());
  add_literal_forms(type_of<Found>(), values::found_forms());
  add_literal_forms(type_of<PoseKeys>(), values::pose_keys_forms());
  registry.add_conversion(type_of<float>(), type_of<Field>(),
                          [](const Value& v) { return Value::of(Field::constant(v.as<float>())); });
  registry.add_conversion(type_of<int>(), type_of<Field>(), [](const Value& v) {
    return Value::of(Field::constant(static_cast<float>(v.as<int>())));
  });
  registry.add_conversion(type_of<Skeleton>(), type_of<PosedSkeleton>(), [](const Value& v) {
    return Value::of(PosedSkeleton(v.as<Skeleton>()));
  });
  // What a solid shows is its surface: that of the artist if it carries one.
  registry.add_conversion(type_of<TetMesh>(), type_of<Mesh>(),
                          [](const Value& v) { return Value::of(surface_of(v.as<TetMesh>())); });
}

}  // namespace sinew
