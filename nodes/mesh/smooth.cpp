// Smooths a mesh, everywhere or where a field says. [Taubin95]
#include "nodes/kernels/smooth.h"

#include <algorithm>

#include "nodes/node.h"

namespace sinew {
namespace {

In<Mesh> mesh;
In<int> iterations;
In<float> strength;
In<kernels::SmoothMethod> method;
In<kernels::SmoothWeights> weights;
In<bool> pin_boundary;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("mesh.smooth", 1).label("Smooth").category("Mesh");
  d.doc("Moves each vertex towards the middle of its neighbours, again and again.");
  d.in(mesh, "mesh").doc("What to smooth.");
  d.in(iterations, "iterations", 10).range(0, 1000).doc("How often.");
  d.in(strength, "strength", 1)
      .range(0, 1)
      .accepts<Field>()
      .doc("How far each time; a field gives it per vertex, so that 0 stays as it is.");
  d.in(method, "method", kernels::SmoothMethod::taubin)
      .choices({"laplacian", "taubin"})
      .doc("laplacian: rounds and shrinks; taubin: rounds and hardly shrinks.");
  d.in(weights, "weights", kernels::SmoothWeights::uniform)
      .choices({"uniform", "cotangent"})
      .doc("uniform: also evens out the triangles; cotangent: keeps their shapes.");
  d.in(pin_boundary, "pin_boundary", true).doc("Whether open borders stay where they are.");
  d.out(out, "mesh").doc("The smoothed mesh.");
}

void exec(Exec& e) {
  const Mesh& input = e.get(mesh);
  std::vector<float> amount(1);
  if (const Field* field = e.get_if<Field>(strength)) {
    if (!fits_vertices(e, *field, input)) return;
    amount.assign(field->values().begin(), field->values().end());
    for (float& s : amount) s = std::clamp(s, 0.0f, 1.0f);
  } else {
    amount[0] = e.get(strength);
  }
  kernels::SmoothOptions options;
  options.method = e.get(method);
  options.weights = e.get(weights);
  options.iterations = e.get(iterations);
  options.pin_boundary = e.get(pin_boundary);
  const auto neighbours = e.prepared<kernels::SmoothNeighbours>(
      "smooth_neighbours", [&] { return kernels::smooth_neighbours(input); }, mesh);
  e.set(out, stoppable(e, [&](CancelView stop) {
          return input.with_positions(
              kernels::smooth_positions(input, *neighbours, options, amount, stop));
        }));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(mesh_smooth, declare, exec)
