// Another mesh where one was: of its size, at its place, so that what was made for the one does for
// the other.
#include <algorithm>

#include "nodes/kernels/measure.h"
#include "nodes/kernels/transform.h"
#include "nodes/node.h"

namespace sinew {
namespace {

enum class Fit : uint8_t { keep, stretch };

In<Mesh> mesh, like;
In<Fit> fit;
Out<Mesh> out;
Out<float> scale;

void declare(Declaration& d) {
  d.id("mesh.fit", 1).label("Fit").category("Mesh");
  d.doc(
      "Scales a mesh to the size of another and puts it where that one stands, with its foot at "
      "the "
      "same height.");
  d.in(mesh, "mesh").optional().doc("What to fit; without it, what comes out is 'like' itself.");
  d.in(like, "like").doc("The mesh whose size and place it takes.");
  d.in(fit, "fit", Fit::keep)
      .choices({"keep", "stretch"})
      .doc("keep: keeps its proportions, and has the same diagonal; stretch: fills the same box.");
  d.out(out, "mesh").doc("The fitted mesh.");
  d.out(scale, "scale").doc("How many times as large it has become, along its diagonal.");
  d.stand_in(mesh, like, out);
}

// A box without extent along an axis, as that of a sheet, cannot be stretched along it.
float ratio(float wanted, float is) { return is > 0 && wanted > 0 ? wanted / is : 1.0f; }

void exec(Exec& e) {
  const Mesh& model = e.get(like);
  if (!e.get_if<Mesh>(mesh)) {
    e.set(scale, 1.0f);
    return e.forward(out, like);
  }
  const Mesh& given = *e.get_if<Mesh>(mesh);
  if (given.positions.empty()) return e.error("'mesh' has no vertices; link a body");
  if (model.positions.empty())
    return e.error("'like' has no vertices; link the body that was there");
  const Eigen::AlignedBox3f from = kernels::bounding_box(given.positions);
  const Eigen::AlignedBox3f to = kernels::bounding_box(model.positions);
  const Vec3f is = from.sizes(), wanted = to.sizes();
  const float whole = ratio(wanted.norm(), is.norm());
  if (!std::isfinite(whole) || !(whole > 0)) {
    return e.error("'mesh' is {:.3g} m large and 'like' {:.3g} m, which is too different to fit",
                   is.norm(), wanted.norm());
  }
  Vec3f scales(whole, whole, whole);
  if (e.get(fit) == Fit::stretch)
    for (int i = 0; i < 3; ++i) scales[i] = ratio(wanted[i], is[i]);
  e.set(scale, whole);
  if (from.min() == to.min() && from.max() == to.max()) return e.forward(out, mesh);
  Vec3f held = from.center(), onto = to.center();
  held.y() = from.min().y();
  onto.y() = to.min().y();
  Eigen::Affine3f map = Eigen::Affine3f::Identity();
  map.translate(onto).scale(scales).translate(-held);
  e.set(out, kernels::transform_mesh(map, given));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(mesh_fit, declare, exec)
