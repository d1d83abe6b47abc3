// Smooth random values on a mesh. [Perlin02]
#include "nodes/kernels/noise.h"

#include "nodes/kernels/field_ops.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<Mesh> mesh;
In<float> scale, low, high, roughness;
In<int> octaves, seed;
In<Vec3> offset;
Out<Field> out;

void declare(Declaration& d) {
  d.id("field.noise", 1).label("Noise").category("Field").uses_seed();
  d.doc("Smooth random values in space, read at the vertices of a mesh.");
  d.in(mesh, "mesh").accepts<TetMesh>().doc("The mesh or solid at whose vertices it is read.");
  d.in(scale, "scale", 0.5f).range(1e-3, 1e4).unit("m").doc("Size of its hills and valleys.");
  d.in(low, "low", -1).range(-1e6, 1e6).doc("The least value that can come.");
  d.in(high, "high", 1).range(-1e6, 1e6).doc("The greatest value that can come.");
  d.in(octaves, "octaves", 3).range(1, 12).doc("Layers of detail, each half the size of the last.");
  d.in(roughness, "roughness", 0.5f).range(0, 1).doc("How strong each layer is against the last.");
  d.in(offset, "offset", Vec3{})
      .range(-1e4, 1e4)
      .unit("m")
      .doc("Moves the noise through the mesh; animate it to let it flow.");
  d.in(seed, "seed", 0).range(0, 1e6).doc("Another number gives another noise.");
  d.out(out, "field").on(mesh).doc("One value per vertex.");
}

void exec(Exec& e) {
  const std::span<const Vec3f> points = vertices_of(e, mesh);
  kernels::NoiseOptions options;
  // The document's seed changes every noise in it at once.
  const uint64_t mixed =
      (e.seed() + 1) * 0x9E3779B97F4A7C15ull + static_cast<uint64_t>(e.get(seed));
  options.seed = static_cast<uint32_t>(mixed ^ (mixed >> 32));
  options.scale = e.get(scale);
  options.offset = to_eigen(e.get(offset));
  options.octaves = e.get(octaves);
  options.gain = e.get(roughness);
  std::vector<float> values(points.size());
  stoppable(e, [&](CancelView stop) { kernels::noise(points, options, values, stop); });
  // From [-1, 1] to [low, high].
  const float half = 0.5f * (e.get(high) - e.get(low)), middle = e.get(low) + half;
  kernels::field_math(kernels::FieldOp::multiply, values, {&half, 1}, {}, values);
  kernels::field_math(kernels::FieldOp::add, values, {&middle, 1}, {}, values);
  e.set(out, Field(Domain::vertex, std::move(values)));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(field_noise, declare, exec)
