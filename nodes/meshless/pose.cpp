// A body posed by pulling handles. [Adams10, section 5]
#include "nodes/kernels/measure.h"
#include "nodes/kernels/meshless_keys.h"
#include "nodes/kernels/meshless_surface.h"
#include "nodes/meshless_words.h"
#include "nodes/scratch_pool.h"

namespace sinew {
namespace {

using kernels::PoseHandle;
using kernels::PoseOutcome;
using kernels::PoseSolver;
using kernels::PoseWeights;

enum class Normals : uint8_t { automatic, fast, exact };

In<Meshless> body;
In<BodyHandles> handles;
In<float> handle_weight, strain_weight, volume_weight;
In<Normals> normals;
Out<Mesh> out;
Out<PosedBody> pose;
Out<VectorField> normals_out;
Out<float> volume_change, strain;

void declare(Declaration& d) {
  d.id("meshless.pose", 1).label("Pose by Handles").category("Meshless");
  d.doc(
      "Holds some places of a body and pulls others; the rest takes the shape that costs least "
      "strain and change of volume.");
  d.in(body, "body").doc("A body with nodes.");
  d.in(handles, "handles", BodyHandles())
      .places_on(body)
      .doc(
          "Places that are held, and how far each is moved: [{\"name\": \"hand\", \"at\": [x, y, "
          "z], \"by\": [x, y, z], \"radius\": r, \"turn\": [x, y, z]}, ...]. In the viewport, "
          "touch "
          "the body to put one there, and drag it; Delete lets go of one.");
  d.in(handle_weight, "handle_weight", 1000)
      .range(1e-3, 1e6)
      .doc("How exactly the handles are met.");
  d.in(strain_weight, "strain_weight", 1)
      .range(1e-3, 1e3)
      .doc("How much the body minds being stretched and sheared.");
  d.in(volume_weight, "volume_weight", 1)
      .range(0, 1e4)
      .doc("How much it minds a change of its volume.");
  d.in(normals, "normals", Normals::automatic)
      .choices({"automatic", "fast", "exact"})
      .doc(
          "automatic: fast while something is dragged, exact then; fast: right where nothing is "
          "sheared.");
  d.out(out, "mesh").doc("The posed body.");
  d.out(pose, "pose").doc("The pose, for keys.");
  d.out(normals_out, "normals").on(out).doc("Normals of the posed surface.");
  d.out(volume_change, "volume_change").doc("By which part the volume has changed.");
  d.out(strain, "strain").doc("The strain energy, without its weight.");
  d.uses_draft();
  d.handle(HandleKind::anchors, "handles").items(handles).anchors(pose);
}

// A solver, and where it was last: while a hand drags, the next pose begins there.
struct Room {
  BodyHandles held;  // without how far they are moved
  PoseWeights weights;
  std::unique_ptr<PoseSolver> solver;
  NodePlaces last;
};

BodyHandles unmoved(BodyHandles list) {
  for (BodyHandle& h : list.list) {
    h.by.setZero();
    h.turn.setZero();
  }
  return list;
}

void warn_of_misses(Exec& e, const MeshlessBody& of, const PoseOutcome& outcome) {
  for (std::size_t h = 0; h < outcome.misses.size(); ++h) {
    if (outcome.misses[h] <= 0.03 * of.size) continue;
    e.warning(
        "the handle '{}' stays {:.3g} m from where it should be: the body would have to stretch "
        "too "
        "far; move it less, or raise 'handle_weight'",
        e.get(handles).list[h].name, outcome.misses[h]);
  }
}

void exec(Exec& e) {
  const Meshless& meshless = e.get(body);
  const MeshlessBody& of = *meshless.body;
  const PoseWeights weights{static_cast<double>(e.get(handle_weight)),
                            static_cast<double>(e.get(strain_weight)),
                            static_cast<double>(e.get(volume_weight))};
  const auto rooms = e.prepared<ScratchPool<Room>>(
      "meshless pose", [] { return ScratchPool<Room>(); }, body);
  auto room = rooms->take();
  const std::vector<PoseHandle> list = kernels::pose_handles(of, e.get(handles));
  BodyHandles held = unmoved(e.get(handles));
  const bool known = room->solver && room->held == held && room->weights == weights;
  if (!known) {
    room->solver = std::make_unique<PoseSolver>(meshless.body, list, weights);
    room->held = std::move(held);
    room->weights = weights;
    room->last.clear();
  }
  NodePlaces places = room->last;
  const bool follow = e.draft() && !places.empty();
  const PoseOutcome outcome = stoppable(e, [&](CancelView stop) {
    return follow ? room->solver->follow(list, places, stop)
                  : room->solver->solve(list, places, stop);
  });
  room->last = places;
  warn_of_misses(e, of, outcome);

  const bool exact =
      e.get(normals) == Normals::exact || (e.get(normals) == Normals::automatic && !e.draft());
  VectorField directions;
  Mesh moved = mesh_of(of, places, &directions.values);
  if (exact) {
    std::vector<Vec3d> by;
    for (std::size_t i = 0; i < places.size(); ++i) by.push_back(places[i] - of.nodes[i]);
    kernels::exact_normals(of.at_vertices, kernels::vertex_normals(of.rest), by, directions.values);
  }
  const double before = kernels::signed_volume(of.rest), now = kernels::signed_volume(moved);
  e.set(volume_change, to_float(before != 0 ? now / before - 1 : 0));
  e.set(strain, to_float(outcome.strain));
  e.set(normals_out, std::move(directions));
  e.set(out, std::move(moved));
  e.set(pose, PosedBody{meshless.body, std::move(places), e.get(handles)});
}

}  // namespace
}  // namespace sinew

SINEW_NODE(meshless_pose, declare, exec)
