// A field that is painted. The node holds the strokes, not what they made of one mesh. [Ijiri09]
#include <algorithm>
#include <cmath>

#include "graph/document.h"
#include "nodes/kernels/paint.h"
#include "nodes/kernels/rbf.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<Mesh> mesh;
In<Strokes> strokes;
enum class Elsewhere : uint8_t { by_kind, background, interpolate };

In<FieldKind> kind;
In<Elsewhere> elsewhere;
In<float> background, smoothing;
In<int> detail;
Out<Field> out;
Out<Mesh> places;
Out<int> count;
Out<float> residual;

// In version 1 the background was what unpainted parts got, unless something else was said. (Its
// faces were met at their middles only, and less the closer other faces were.)
void keep_background(UpgradeStep& u) { u.params().try_emplace("elsewhere", "background"); }

void declare(Declaration& d) {
  d.id("paint.field", 2).label("Paint Field").category("Paint");
  d.doc("Values painted on the surface or on cuts, carried smoothly through the whole body.");
  d.upgrade(keep_background);
  d.in(mesh, "mesh")
      .accepts<TetMesh>()
      .doc("The mesh or solid that is painted; of a solid the surface that it shows.");
  d.in(strokes, "strokes", Strokes{})
      .doc("What was painted, in the order in which it was painted.");
  d.in(kind, "kind", FieldKind::plain)
      .choices({"plain", "layer", "amplitude", "phase"})
      .doc("What it means: amplitudes are kept from -1 to 1 and phases from 0 to 1.");
  d.in(background, "background", 0)
      .range(-1e6, 1e6)
      .doc("The value where nothing is painted, and at the rim of soft brushes.");
  d.in(elsewhere, "elsewhere", Elsewhere::by_kind)
      .choices({"by_kind", "background", "interpolate"})
      .doc(
          "What unpainted parts of the surface get: the background, or whatever the paint leads to "
          "there, which far from it may be any value. By kind, layers, amplitudes and phases are "
          "interpolated, and plain values go back to the background.");
  d.in(smoothing, "smoothing", 0)
      .range(0, 0.2)
      .doc(
          "How far the field may be smoother than the paint, as a part of the body's size; 0 "
          "follows the paint exactly.");
  d.in(detail, "detail", 1500)
      .range(1, 2000)
      .doc("At how many places at most the paint is kept exactly.");
  d.handle(HandleKind::points, "strokes").items(strokes);
  d.out(out, "field").on(mesh).doc("One value per vertex.");
  d.out(places, "places").doc("Where values are demanded, as points.");
  d.out(count, "count").doc("How many places there are.");
  d.out(residual, "residual")
      .doc("The largest miss at these places, as a part of the range of their values.");
}

void warn_about(Exec& e, const Strokes& painted, const kernels::PaintConstraints& demanded) {
  std::size_t said = 0;
  for (std::size_t i = 0; i < painted.size(); ++i) {
    const kernels::StrokeOutcome& outcome = demanded.outcomes[i];
    if (outcome.touches) continue;
    if (++said > 5) break;
    if (painted.strokes[i].points.empty()) {
      e.warning("stroke {} has no points", i + 1);
    } else if (!std::isfinite(outcome.distance)) {
      e.warning("stroke {} touches nothing: the mesh has no surface", i + 1);
    } else if (painted.strokes[i].on == StrokePlace::cut) {
      e.warning("stroke {} on its cut is {:.3g} m outside of the body", i + 1, outcome.distance);
    } else {
      e.warning("stroke {} is {:.3g} m from the surface", i + 1, outcome.distance);
    }
  }
  const std::size_t all = static_cast<std::size_t>(
      std::count_if(demanded.outcomes.begin(), demanded.outcomes.end(),
                    [](const kernels::StrokeOutcome& o) { return !o.touches; }));
  if (all > 5) e.warning("{} strokes in all touch nothing", all);
}

// A face promises its value, but paint beside it may take it along.
void warn_about_faces(Exec& e, const Strokes& painted, const kernels::PaintConstraints& demanded,
                      const kernels::RbfField& rbf) {
  std::vector<Vec3f> given_way;
  std::vector<std::size_t> of;
  for (std::size_t i = 0; i < demanded.points.size(); ++i) {
    const std::size_t stroke = demanded.stroke[i];
    if (demanded.softness[i] == 0 || stroke >= painted.size()) continue;
    if (painted.strokes[stroke].tool != StrokeTool::face) continue;
    given_way.push_back(demanded.points[i]);
    of.push_back(i);
  }
  if (given_way.empty()) return;
  const auto [low, high] = std::minmax_element(demanded.values.begin(), demanded.values.end());
  std::vector<double> got(given_way.size());
  kernels::evaluate(rbf, given_way, std::span<double>(got));
  std::size_t worst = 0, missed = 0;
  double most = 0.01 * (*high - *low);
  for (std::size_t i = 0; i < given_way.size(); ++i) {
    const double miss = std::abs(got[i] - demanded.values[of[i]]);
    missed += miss > 0.01 * (*high - *low);
    if (miss <= most) continue;
    most = miss;
    worst = i;
  }
  if (missed == 0) return;
  e.warning(
      "stroke {} says {:.3g} for a face, which gets {:.3g}: what was painted beside it later takes "
      "it "
      "along",
      demanded.stroke[of[worst]] + 1, demanded.values[of[worst]], got[worst]);
}

bool background_elsewhere(const Exec& e) {
  if (e.get(elsewhere) == Elsewhere::by_kind) return e.get(kind) == FieldKind::plain;
  return e.get(elsewhere) == Elsewhere::background;
}

void exec(Exec& e) {
  const std::span<const Vec3f> vertices = vertices_of(e, mesh);
  const TetMesh* solid = e.get_if<TetMesh>(mesh);
  stoppable(e, [&](CancelView stop) {
    const auto canvas = e.prepared<kernels::PaintSurface>(
        "paint_surface",
        [&] { return kernels::PaintSurface(solid ? surface_of(*solid) : e.get(mesh), stop); },
        mesh);
    const Strokes painted = in_rest_space(e.get(strokes), canvas->tree().box().cast<float>());
    kernels::PaintOptions options;
    options.background = e.get(background);
    options.surround = background_elsewhere(e);
    options.max_constraints = static_cast<std::size_t>(e.get(detail));
    const kernels::PaintConstraints demanded =
        kernels::paint_constraints(*canvas, painted, options, stop);
    warn_about(e, painted, demanded);

    std::vector<float> values(vertices.size(), e.get(background));
    kernels::RbfOptions exactness;
    exactness.smoothing = e.get(smoothing);
    exactness.softness = demanded.softness;
    const kernels::RbfField rbf =
        kernels::solve_rbf(demanded.points, demanded.values, 1, exactness, stop);
    if (rbf.report.used > 0) kernels::evaluate(rbf, vertices, std::span<float>(values), stop);
    if (exactness.smoothing == 0 && rbf.report.residual > 1e-3) {
      e.warning(
          "the paint is too contradictory to be met exactly; it is missed by {:.2g} % of its range",
          100 * rbf.report.residual);
    }
    if (exactness.smoothing == 0) warn_about_faces(e, painted, demanded, rbf);
    const FieldKind meaning = e.get(kind);
    const float low = meaning == FieldKind::amplitude ? -1.0f : 0.0f;
    for (float& v : values) {
      if (meaning == FieldKind::amplitude || meaning == FieldKind::phase)
        v = std::clamp(v, low, 1.0f);
    }
    e.set(out, Field(Domain::vertex, std::move(values), {.kind = meaning}));
    e.set(count, static_cast<int>(rbf.report.used));
    e.set(residual, static_cast<float>(rbf.report.residual));
    e.set(places, Mesh(Topology{}, demanded.points));
  });
}

}  // namespace
}  // namespace sinew

SINEW_NODE(paint_field, declare, exec)
