// What a body does once when it is touched, from the touched place outwards. [Ijiri09, section 4.4]
#include <bit>

#include "nodes/kernels/mesh_march.h"
#include "nodes/kernels/tet_measure.h"
#include "nodes/procdef/pattern.h"

namespace sinew {
namespace {

using kernels::SurfaceTree;

In<Mesh> body;
In<Activation> activation;
In<Frames> frames;
In<Touches> touches;
ChartInputs charts;
In<Field> amplitude;
In<float> speed, damping, period, rest;
In<bool> feels;
ActivationOutputs outputs;

void declare(Declaration& d) {
  d.id("procdef.stimulus", 2).label("Stimulus").category("ProcDef").uses_frame().uses_dt();
  d.doc(
      "Lets a body respond to touches: a deformation that starts at the touched place and runs "
      "through the body once. Since version 2, touches are at their frames to the last bit.");
  d.upgrade([](UpgradeStep&) {});
  d.in(body, "body").accepts<TetMesh>().doc("The solid or mesh that is touched.");
  d.in(activation, "activation")
      .optional()
      .doc("What the body does anyway; without it, it rests until it is touched.");
  d.in(frames, "frames")
      .optional()
      .doc("The three directions at each vertex, if there is no activation that has them.");
  d.in(touches, "touches", Touches()).doc("Where and at which frames it is touched.");
  charts.declare(d, kernels::make_named_curve(kernels::NamedCurve::twitch, {.ratio = 1.5}),
                 "It should come back to where it began, or the end of a response is a jump.");
  d.in(amplitude, "amplitude", Field::constant(1))
      .range(-1, 1)
      .doc("How much of it each place does; 0 on a shell or a tooth.");
  d.in(speed, "speed", 1.0f)
      .range(0.01, 100)
      .unit("1/s")
      .doc("How fast a response runs: ways to the farthest vertex a second.");
  d.in(damping, "damping", 4.0f)
      .range(1, 1000)
      .doc("How many times weaker a response is at the farthest vertex.");
  d.in(period, "period", 1.0f)
      .range(0.02, 1000)
      .unit("s")
      .doc("How long each place takes for its response.");
  d.in(feels, "feels", false)
      .doc("Whether a collision with something that is felt counts as a touch.");
  d.in(rest, "rest", 1.0f)
      .range(0, 1000)
      .unit("s")
      .doc("How long after a collision no other one is felt.");
  d.handle(HandleKind::points, "touches").items(touches);
  outputs.declare(d, body);
}

struct Prepared {
  ResponsePattern pattern;
  std::size_t bytes() const { return sizeof *this + bytes_of(pattern.amplitude).size(); }
};

Prepared prepare(const Exec& e) {
  Prepared made;
  made.pattern.charts = charts.compile(e);
  made.pattern.amplitude = within(e.get(amplitude), -1, 1);
  made.pattern.speed = static_cast<double>(e.get(speed));
  made.pattern.damping = static_cast<double>(e.get(damping));
  made.pattern.period = charts.period_of(e, period);
  made.pattern.feels = e.get(feels);
  made.pattern.rest = static_cast<double>(e.get(rest));
  return made;
}

// The way from one touched place to every vertex.
struct TouchedPlace {
  std::shared_ptr<const std::vector<float>> distance;
  double moved = 0;  // how far the place lies beside the body, metres
  std::size_t bytes() const { return sizeof *this + bytes_of(*distance).size(); }
};

struct SolidRows {
  kernels::Rows around;
  std::size_t bytes() const {
    return bytes_of(around.offsets).size() + bytes_of(around.items).size();
  }
};

TouchedPlace through_solid(Exec& e, const TetMesh& solid, const Vec3d& place, CancelView stop) {
  const auto rows = e.prepared<SolidRows>(
      "tetrahedra of vertices",
      [&] { return SolidRows{kernels::vertex_tets(solid.tets(), solid.vertex_count())}; }, body);
  const kernels::PlacedStart start = kernels::start_in_solid(solid, place);
  return {
      kernels::touch_parts(kernels::march_solid(solid, rows->around, start.corners,
                                                kernels::Wave::curved, kernels::unreachable, stop)),
      start.moved};
}

TouchedPlace along_surface(Exec& e, const Mesh& mesh, const Vec3d& place, CancelView stop) {
  const auto tree = e.prepared<SurfaceTree>(
      "surface_tree", [&] { return SurfaceTree(mesh, stop); }, body);
  const kernels::PlacedStart start = kernels::start_on_surface(mesh, *tree, place);
  return {kernels::touch_parts(kernels::march_surface(
              mesh, kernels::vertex_triangles(mesh.triangles(), mesh.vertex_count()), start.corners,
              kernels::Wave::curved, kernels::unreachable, stop)),
          start.moved};
}

// Kept by the place, so that a list that grows costs only what is new, and a place that is touched
// often costs once.
std::shared_ptr<const TouchedPlace> touched(Exec& e, const Vec3f& at, CancelView stop) {
  const Vec3f place = at + Vec3f::Zero();  // -0 becomes 0
  const std::string name =
      fmt::format("touch at {:08x} {:08x} {:08x}", std::bit_cast<uint32_t>(place.x()),
                  std::bit_cast<uint32_t>(place.y()), std::bit_cast<uint32_t>(place.z()));
  const auto make = [&] {
    const TetMesh* solid = e.get_if<TetMesh>(body);
    const Vec3d exact = place.cast<double>();
    return solid ? through_solid(e, *solid, exact, stop)
                 : along_surface(e, e.get(body), exact, stop);
  };
  return e.prepared<TouchedPlace>(name, make, body);
}

// `clock`: the activation's time minus that of the timeline.
std::vector<Touch> read_touches(Exec& e, double clock, CancelView stop) {
  Eigen::AlignedBox3f box;
  for (const Vec3f& p : vertices_of(e, body)) box.extend(p);
  std::vector<Touch> list;
  double moved = 0;
  for (const TouchEvent& event : e.get(touches).list) {
    stop.check();
    const auto place = touched(e, event.at, stop);
    moved = std::max(moved, place->moved);
    list.push_back({seconds_at(event.frame, e.fps()) + clock, place->distance});
  }
  if (!box.isEmpty() && moved > 0.01 * static_cast<double>(box.diagonal().norm())) {
    e.warning("a touch lies {:.3g} m beside the body and acts at the closest place of it", moved);
  }
  return list;
}

// What the body does without the touches; nothing after an error.
std::optional<Activation> read_activation(Exec& e, std::size_t count) {
  Activation made;
  made.count = count;
  made.time = e.seconds();
  if (!e.has(activation)) {
    if (!read_frames(e, frames, count, made.frames)) return std::nullopt;
    return made;
  }
  if (e.has(frames)) e.warning("'frames' is not used: the activation has its own directions");
  made = e.get(activation);
  if (made.count == count) return made;
  e.error("'activation' is for {} vertices, but the body has {}; make it on this body", made.count,
          count);
  return std::nullopt;
}

void exec(Exec& e) {
  std::optional<Activation> made = read_activation(e, vertices_of(e, body).size());
  if (!made || !fits_vertices(e, "amplitude", e.get(amplitude), made->count)) return;
  const auto prepared = e.prepared<Prepared>(
      "response pattern", [&] { return prepare(e); }, charts.primary, charts.secondary,
      charts.tertiary, charts.volume, charts.limit, amplitude, speed, damping, period, feels, rest);
  Response response;
  response.pattern = std::shared_ptr<const ResponsePattern>(prepared, &prepared->pattern);
  response.touches = stoppable(
      e, [&](CancelView stop) { return read_touches(e, made->time - e.seconds(), stop); });
  made->responses.push_back(std::move(response));
  outputs.set(e, std::move(*made));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(procdef_stimulus, declare, exec)
