// How far each vertex is from obstacles.
#include "nodes/kernels/collide.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<Mesh> mesh;
In<Colliders> colliders;
Out<Field> out;

void declare(Declaration& d) {
  d.id("field.collider_distance", 1).label("Distance to Colliders").category("Field");
  d.doc("How far each vertex is from the nearest obstacle; negative inside of it.");
  d.in(mesh, "mesh").accepts<TetMesh>().doc("The mesh or solid at whose vertices it is measured.");
  d.in(colliders, "colliders").doc("The obstacles.");
  d.out(out, "field").on(mesh).doc("One value per vertex, in metres.");
}

void exec(Exec& e) {
  if (e.get(colliders).empty()) return e.error("there are no obstacles in 'colliders'");
  const std::span<const Vec3f> points = vertices_of(e, mesh);
  std::vector<float> distances(points.size());
  kernels::signed_distance(e.get(colliders), points, distances);
  e.set(out, Field(Domain::vertex, std::move(distances), {.unit = "m"}));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(field_collider_distance, declare, exec)
