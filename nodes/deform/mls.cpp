// Space deformed by control points, blind to the shape of the body. [Cuno08, figure 1; Cuno07]
#include "nodes/kernels/mls_space.h"

#include "nodes/skeleton_words.h"

namespace sinew {
namespace {

In<Mesh> body;
In<PosedSkeleton> pose;
In<PathPoints> points, moved_points;
In<float> exponent;
In<Field> mask;
Out<Mesh> out;

PathPoints standard_points() { return {{{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}}}; }

void declare(Declaration& d) {
  d.id("deform.mls", 1).label("Pull by Points").category("Deform");
  d.doc(
      "Moves space with a few control points, as rigidly as can be. It is blind to the body: what "
      "is near a control goes along, also across a gap. For limbs see deform.mls_skin.");
  d.in(body, "body")
      .accepts<TetMesh>()
      .accepts<Lattice>()
      .generic("body")
      .doc("What is deformed; as it is here, it is at rest.");
  d.in(pose, "pose")
      .optional()
      .doc(
          "The controls of a posed skeleton, without its bones; it counts in place of the points.");
  d.in(points, "points", standard_points()).doc("Where the control points rest.");
  d.in(moved_points, "moved", standard_points()).doc("Where they are now, in the same order.");
  d.in(exponent, "exponent", 1.0f)
      .range(kernels::least_mls_alpha, kernels::greatest_mls_alpha)
      .doc("How quickly control points count less with distance: above 1 their reach is nearer.");
  d.in(mask, "mask", Field::constant(1)).range(0, 1).doc("How much each vertex takes part.");
  d.handle(HandleKind::points, "moved").items(moved_points);
  d.out(out, "body").generic("body").doc("The same kind of body, deformed.");
}

struct Controls {
  std::vector<Vec3d> rest, now;
};

// Nothing, and an error, if there are not as many of both.
std::optional<Controls> read_controls(Exec& e) {
  Controls controls;
  if (const PosedSkeleton* posed = e.get_if<PosedSkeleton>(pose)) {
    const Pose now = prepared_pose(e, *posed)->at(posed->time);
    for (const uint32_t j : now.control_joints()) {
      controls.rest.push_back(posed->skeleton().rest(j));
      controls.now.push_back(now.places[j]);
    }
    if (controls.rest.empty()) e.warning("the pose has no controls, so that nothing moves");
    return controls;
  }
  for (const Vec3f& p : e.get(points).list) controls.rest.push_back(p.cast<double>());
  for (const Vec3f& p : e.get(moved_points).list) controls.now.push_back(p.cast<double>());
  if (controls.rest.size() != controls.now.size()) {
    e.error("there are {} points at rest, but {} moved ones; they belong together in their order",
            controls.rest.size(), controls.now.size());
    return std::nullopt;
  }
  return controls;
}

struct PreparedSpace {
  kernels::MlsSpace space;
  std::size_t bytes() const { return byte_size(space); }
};

void exec(Exec& e) {
  const std::span<const Vec3f> rest = vertices_of(e, body);
  if (!fits_vertices(e, "mask", e.get(mask), rest.size())) return;
  const std::optional<Controls> controls = read_controls(e);
  if (!controls) return;
  std::string name = "mls space";
  for (const Vec3d& p : controls->rest) {
    name += fmt::format(" {:a} {:a} {:a}", p.x(), p.y(), p.z());
  }
  const auto prepared = e.prepared<PreparedSpace>(
      name,
      [&] {
        return PreparedSpace{stoppable(e, [&](CancelView stop) {
          return kernels::prepare_space(rest, controls->rest, static_cast<double>(e.get(exponent)),
                                        stop);
        })};
      },
      body, exponent);
  std::vector<Vec3f> moved(rest.size());
  kernels::pose_space(prepared->space, controls->now, moved);
  apply_mask(e.get(mask), rest, moved);
  set_moved(e, out, body, std::move(moved));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(deform_mls, declare, exec)
