// A lattice takes along what is inside of it. [Sederberg86, section 3]
#include "nodes/kernels/ffd.h"

#include "nodes/node.h"

namespace sinew {
namespace {

In<Mesh> body;
In<Lattice> lattice;
In<float> amount;
In<kernels::FfdOutside> outside;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("ffd.deform", 1).label("Free-Form Deform").category("FFD");
  d.doc("Deforms a body as the points of a lattice have moved from where they rest.");
  d.in(body, "body")
      .accepts<TetMesh>()
      .accepts<Lattice>()
      .generic("body")
      .doc("What is deformed; of a lattice its points.");
  d.in(lattice, "lattice").doc("Laid around the body, with points that something has moved.");
  d.in(amount, "amount", 1.0f).range(0, 1).doc("How much of the way; 0 leaves the body as it is.");
  d.in(outside, "outside", kernels::FfdOutside::extend)
      .choices({"stay", "extend"})
      .doc(
          "What is outside of the lattice stays, which tears where the border moves; or follows, "
          "as "
          "if the lattice went on straight.");
  d.out(out, "body").generic("body").doc("The same kind of body, deformed.");
}

void exec(Exec& e) {
  const std::span<const Vec3f> vertices = vertices_of(e, body);
  const kernels::FfdSettings settings{e.get(outside), static_cast<double>(e.get(amount))};
  std::vector<Vec3f> moved(vertices.size());
  const std::size_t beyond = stoppable(e, [&](CancelView stop) {
    return kernels::deform_by_lattice(e.get(lattice), settings, vertices, moved, stop);
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
