// Orientations from layers and strokes. [Ijiri09]
#include "nodes/kernels/frames.h"

#include "nodes/kernels/gradient.h"
#include "nodes/kernels/measure.h"
#include "nodes/kernels/stroke_guide.h"
#include "nodes/kernels/tet_measure.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<Mesh> body;
In<Field> layer;
In<Strokes> strokes;
In<kernels::FollowStrokes> follow;
In<VectorField> gradient;
Out<Frames> out;
Out<int> degenerate;

void declare(Declaration& d) {
  d.id("field.frames", 2).label("Frames").category("Field");
  d.doc(
      "Three directions at every vertex: along strokes, across layers, and the third. Strokes may "
      "be "
      "as unsteady as a hand is: a direction is taken over 1/32 of the body to either side, a ring "
      "whose ends nearly meet is closed, and where strokes close together go different ways the "
      "directions go between them.");
  // Version 1 met every tangent between two points exactly, and swung where points were close.
  d.upgrade([](UpgradeStep&) {});
  d.in(body, "body").accepts<TetMesh>().doc("The mesh or solid that gets directions.");
  d.in(layer, "layer", Field::constant(0))
      .range(-1e9, 1e9)
      .doc("Which layer each vertex is in; the secondary direction goes where it grows.");
  d.in(strokes, "strokes", Strokes()).doc("Drawn along a layer; brush strokes give directions.");
  d.in(follow, "follow", kernels::FollowStrokes::arrows)
      .choices({"arrows", "lines"})
      .doc("arrows: strokes count the way they were drawn; lines: either way is the same.");
  d.in(gradient, "gradient")
      .optional()
      .doc("The gradient of the layer, where it is known better than from its values.");
  d.handle(HandleKind::points, "strokes").items(strokes);
  d.out(out, "frames").on(body).doc("Primary, secondary and tertiary direction of each vertex.");
  d.out(degenerate, "degenerate").doc("How many vertices had to take them from others.");
}

void warn_if_many(Exec& e, const kernels::FrameField& made, const kernels::StrokeField& drawn) {
  const std::size_t count = made.frames.size();
  if (count == 0) return;
  if (made.without_layer == count) {
    return e.warning("the layer is the same everywhere, so that nothing is across it");
  }
  if (drawn.places == 0) return e.warning("there are no brush strokes to follow");
  if (drawn.missed * 20 > drawn.places) {
    e.warning(
        "the directions go more than 45 degrees from the strokes at {} of their {} places, most of "
        "them on stroke {}: strokes close to each other go different ways there",
        drawn.missed, drawn.places, drawn.worst_stroke + 1);
  }
  if (made.degenerate * 20 > count) {
    e.warning(
        "{} of {} vertices have no direction of their own ({} where the layer does not change, {} "
        "where no stroke lies in it) and took one from others",
        made.degenerate, count, made.without_layer, made.without_stroke);
  }
}

void exec(Exec& e) {
  const TetMesh* solid = e.get_if<TetMesh>(body);
  const std::span<const Vec3f> points = vertices_of(e, body);
  if (!fits_vertices(e, e.get(layer), points.size())) return;
  const VectorField* given = e.get_if<VectorField>(gradient);
  if (given && !given->fits(Domain::vertex, points.size())) {
    return e.error("'gradient' has {} values per {}, but the body has {} vertices", given->size(),
                   domain_name(given->domain), points.size());
  }
  const auto make = [&](CancelView stop) {
    std::vector<Vec3f> steepest;
    if (!given) {
      const std::vector<float> values = e.get(layer).expanded(points.size());
      steepest = solid ? kernels::field_gradient(*solid, values, stop)
                       : kernels::field_gradient(e.get(body), values, stop);
    }
    const auto field = e.prepared<kernels::StrokeField>(
        "stroke directions",
        [&] {
          const Eigen::AlignedBox3f box = kernels::bounding_box(points);
          const double size = box.isEmpty() ? 0 : box.diagonal().norm();
          const Strokes drawn = in_rest_space(e.get(strokes), box);
          return kernels::solve_strokes(kernels::stroke_tangents(drawn, size, stop), e.get(follow),
                                        stop);
        },
        body, strokes, follow);
    const kernels::Rows near =
        solid ? kernels::tet_vertex_neighbours(solid->tets(),
                                               kernels::vertex_tets(solid->tets(), points.size()))
              : kernels::vertex_neighbours(e.get(body).triangles(), points.size());
    kernels::FrameField made = kernels::build_frames(
        given ? given->values : steepest, kernels::guide_at(field->rbf, points, stop), near, stop);
    warn_if_many(e, made, *field);
    return made;
  };
  kernels::FrameField made = stoppable(e, make);
  e.set(degenerate, static_cast<int>(made.degenerate));
  e.set(out, std::move(made.frames));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(field_frames, declare, exec)
