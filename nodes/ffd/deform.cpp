// A lattice takes along what is inside of it [Sederberg86, section 3], or several do by the modes
// of a body [Faloutsos97, section 4.2].
#include "nodes/kernels/ffd.h"
#include "nodes/kernels/modes.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<Mesh> body;
In<Lattice> lattice;
In<Modes> modes;
In<float> amount;
In<kernels::FfdOutside> outside;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("ffd.deform", 1).label("Free-Form Deform").category("FFD");
  d.doc(
      "Deforms a body as the points of a lattice have moved from where they rest, or by modes and "
      "how much there is of each.");
  d.in(body, "body")
      .accepts<TetMesh>()
      .accepts<Lattice>()
      .generic("body")
      .doc("What is deformed; of a lattice its points.");
  d.in(lattice, "lattice")
      .optional()
      .doc("Laid around the body, with points that something has moved.");
  d.in(modes, "modes")
      .optional()
      .doc("Instead of a lattice: ways to deform, and how much there is of each.");
  d.in(amount, "amount", 1.0f).range(0, 1).doc("How much of the way; 0 leaves the body as it is.");
  d.in(outside, "outside", kernels::FfdOutside::extend)
      .choices({"stay", "extend"})
      .doc(
          "What is outside of the lattice stays, which tears where the border moves; or follows, "
          "as if the lattice went on straight. Of modes: the lattice of the whole.");
  d.out(out, "body").generic("body").doc("The same kind of body, deformed.");
}

// The triangles that a tear would be seen at.
std::span<const Triangle> surface_of(const Exec& e) {
  if (const TetMesh* solid = e.get_if<TetMesh>(body)) return solid->topology->boundary;
  if (e.get_if<Lattice>(body)) return {};
  return e.get(body).triangles();
}

void warn_of_tears(Exec& e, const Modes& set, std::span<const double> amplitudes,
                   std::span<const Vec3f> vertices) {
  const std::vector<std::size_t> torn = stoppable(e, [&](CancelView stop) {
    return kernels::torn_edges(set, amplitudes, vertices, surface_of(e), stop);
  });
  for (std::size_t l = 0; l < torn.size(); ++l) {
    if (torn[l] == 0) continue;
    e.warning("{} edges are torn where the lattice of mode '{}' ends; fix rows on that side",
              torn[l], set.lattices[l].modes.front().name);
  }
}

// How many vertices are outside.
std::size_t deform_by_modes(Exec& e, const kernels::FfdSettings& settings,
                            std::span<const Vec3f> vertices, std::span<Vec3f> moved) {
  const Modes& set = e.get(modes);
  std::vector<double> amplitudes = kernels::amplitudes_of(set);
  for (double& amplitude : amplitudes) amplitude *= settings.amount;
  const std::size_t beyond = stoppable(e, [&](CancelView stop) {
    return kernels::deform_by_modes(set, amplitudes, {settings.outside}, vertices, moved, stop);
  });
  warn_of_tears(e, set, amplitudes, vertices);
  return beyond;
}

void exec(Exec& e) {
  if (e.has(lattice) == e.has(modes)) {
    return e.error(
        "{}; link a lattice to 'lattice' or modes to 'modes'",
        e.has(modes) ? "only one of the two can deform the body" : "nothing deforms the body");
  }
  if (e.has(modes) && e.get(modes).lattices.empty()) {
    return e.error("'modes' is empty: it has no lattice");
  }
  const std::span<const Vec3f> vertices = vertices_of(e, body);
  const kernels::FfdSettings settings{e.get(outside), static_cast<double>(e.get(amount))};
  std::vector<Vec3f> moved(vertices.size());
  const std::size_t beyond = e.has(modes) ? deform_by_modes(e, settings, vertices, moved)
                                          : stoppable(e, [&](CancelView stop) {
                                              return kernels::deform_by_lattice(
                                                  e.get(lattice), settings, vertices, moved, stop);
                                            });
  if (beyond > 0) {
    const bool stays = settings.outside == kernels::FfdOutside::stay;
    e.warning("{} of {} vertices are outside of the lattice and {}", beyond, vertices.size(),
              stays ? "stay" : "follow its border");
  }
  set_moved(e, out, body, std::move(moved));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(ffd_deform, declare, exec)
