// Nodes spread through a body, by which it deforms. [Adams10, section 4]
#include "nodes/kernels/meshless_nodes.h"
#include "nodes/node.h"

namespace sinew {
namespace {

using kernels::SamplingProblem;

In<Mesh> mesh;
In<int> count, resolution, seed;
In<float> radius;
Out<Meshless> out;
Out<float> reach;
Out<int> used;

void declare(Declaration& d) {
  d.id("meshless.nodes", 1).label("Meshless Nodes").category("Meshless");
  d.doc(
      "Spreads a few nodes through a body. Each moves what is near it through the material, never "
      "across a gap: poses and motions are found for the nodes, and the surface follows.");
  d.in(mesh, "mesh")
      .doc(
          "A closed mesh in one piece, at rest. Several pieces become one when tet.from_mesh fills "
          "them "
          "and tet.surface gives the boundary of that.");
  d.in(count, "count", 60)
      .range(0, kernels::most_nodes)
      .doc(
          "How many nodes: more bend in more places, and take longer. 0: as many as 'radius' "
          "needs.");
  d.in(radius, "radius", 0)
      .range(0, 1e6)
      .unit("m")
      .doc("How far a node reaches through the material. 0: as little as the nodes allow.");
  d.in(resolution, "resolution", 0)
      .range(0, 128)
      .doc(
          "Cells along the longest side, in which ways through the material are measured; thin "
          "parts need more. 0: as many as the body needs.");
  d.in(seed, "seed", 1).range(0, 1e9).doc("Another one begins elsewhere.");
  d.out(out, "body").doc("The body with its nodes.");
  d.out(reach, "radius").doc("How far a node reaches, in metres.");
  d.out(used, "count").doc("How many nodes there are.");
}

// What to do about something that is thinner than a cell.
std::string thin_words(const kernels::MeshlessSampling& made, const char* it_is,
                       const char* else_do) {
  const std::string text = fmt::format("{} thinner than a cell of {:.3g} m; ", it_is, made.cell);
  if (made.joins > 0) return text + fmt::format("set 'resolution' to {}", made.joins);
  return text + else_do + ", for no 'resolution' is fine enough";
}

// A body in one piece falls apart where one does not look finely enough. Pieces stay pieces: of two
// that overlap, each has its surface between them.
std::string parts_words(const kernels::MeshlessSampling& made) {
  const std::string text = fmt::format("the body falls into {} parts", made.parts);
  if (made.pieces < 2) {
    return text + ", because " + thin_words(made, "what joins them is", "make it thicker");
  }
  return text +
         fmt::format(
             ", since its mesh is {} pieces, and no 'resolution' leads from one to another; "
             "make one mesh of them: fill them with tet.from_mesh, where pieces that overlap "
             "grow together, and take the 'boundary' of that with tet.surface",
             made.pieces);
}

void exec(Exec& e) {
  kernels::NodeSampling sampling;
  sampling.count = e.get(count);
  sampling.radius = static_cast<double>(e.get(radius));
  sampling.cells = e.get(resolution) == 0 ? 0 : std::max(8, e.get(resolution));
  sampling.seed = static_cast<uint64_t>(e.get(seed));
  if (sampling.count == 0 && sampling.radius == 0) {
    return e.error("give a 'count' of nodes, or a 'radius' for each");
  }
  if (sampling.count > 0 && sampling.count < 4) {
    return e.error("{} nodes cannot hold a body: it takes 4 at least, and 20 or more to bend",
                   sampling.count);
  }
  kernels::MeshlessSampling made = stoppable(
      e, [&](CancelView stop) { return kernels::sample_meshless(e.get(mesh), sampling, stop); });
  switch (made.problem) {
    case SamplingProblem::none:
      break;
    case SamplingProblem::nothing_inside:
      return e.error("the mesh has no inside: {}",
                     thin_words(made, "it is empty, open, or", "close it, or make it thicker"));
    case SamplingProblem::parts:
      return e.error("{}", parts_words(made));
    case SamplingProblem::too_few_nodes:
      if (sampling.radius > 0) {
        return e.error(
            "{} nodes that reach {:g} m do not cover the body; raise 'count', or set it to 0, or "
            "raise 'radius'",
            sampling.count, sampling.radius);
      }
      if (made.needed > 0) {
        return e.error("{} nodes do not cover the body; raise 'count' to about {}", sampling.count,
                       made.needed);
      }
      return e.error("{} nodes do not cover the body; raise 'count'", sampling.count);
  }
  e.set(reach, to_float(made.body.radius));
  e.set(used, static_cast<int>(made.body.node_count()));
  e.set(out, Meshless{std::make_shared<const MeshlessBody>(std::move(made.body))});
}

}  // namespace
}  // namespace sinew

SINEW_NODE(meshless_nodes, declare, exec)
