#include "nodes/soft_words.h"

namespace sinew {

void SoftWords::declare_body(Declaration& d) {
  d.in(solid, "solid").doc("The body at rest.");
  d.in(activation, "activation")
      .optional()
      .doc("What its tissue does; without one it is soft and passive.");
  d.in(stiffness, "stiffness", 3)
      .range(1, 200)
      .best_from("material.feel", "passes")
      .doc("How far a pull is felt through the body, in neighbours: more is stiffer.");
  d.in(method, "method", kernels::StiffnessMethod::fast)
      .choices({"fast", "plain"})
      .doc(
          "fast: as stiff as N passes for the price of about the root of N; plain: N passes, as in "
          "the paper.");
  d.in(substeps, "substeps", 0)
      .range(0, 50)
      .doc(
          "Steps in a frame. More keep a body from sagging under its weight, and cost as many "
          "times "
          "more; 0: as many as gravity asks for at this size, 2 to 32.");
  d.in(density, "density", 1000).range(1, 1e5).unit("kg/m^3").doc("Water and flesh have 1000.");
  d.in(mass, "mass", Field::constant(1))
      .range(0.001, 1000)
      .doc("How many times heavier than its density says; paint it for a heavy head.");
  d.in(damping, "damping", 2)
      .range(0, 1000)
      .unit("1/s")
      .best_from("material.feel", "decay")
      .doc("How fast jiggling dies down; moving and turning as a whole are not damped.");
}

void SoftWords::declare_world(Declaration& d) {
  d.in(gravity, "gravity", Vec3{})
      .range(-1000, 1000)
      .unit("m/s^2")
      .doc("What pulls at everything: (0, -9.81, 0) on the ground, nothing afloat.");
  d.in(drag, "drag", 0)
      .range(0, 1000)
      .unit("1/s")
      .doc("Slows every motion alike, in proportion to mass: it cannot drive a swimmer.");
  d.in(fluid, "fluid", 0)
      .range(0, 1e5)
      .unit("kg/m^3")
      .doc("Density of what flows around it: 1000 is water, 1.2 is air, 0 is nothing.");
  d.in(fluid_across, "fluid_across", 1.2f)
      .range(0, 100)
      .doc("How hard it is to push the fluid with the flat side.");
  d.in(fluid_along, "fluid_along", 0.02f)
      .range(0, 100)
      .doc("How hard it is to slide along it. Like across: no stroke is better than another.");
  d.in(flow, "flow", Vec3{})
      .range(-1000, 1000)
      .unit("m/s")
      .doc("Wind, or the current of the water.");
  d.in(colliders, "colliders").optional().doc("Ground and obstacles, with their friction.");
  d.in(heading, "heading", Vec3{0, 0, 1})
      .range(-1, 1)
      .doc("Which way its bristles let it slide, at rest; they turn with the body.");
  d.in(grip_forward, "grip_forward", 1)
      .range(0, 100)
      .doc("Times the obstacle's friction when it slides along the heading.");
  d.in(grip_backward, "grip_backward", 1)
      .range(0, 100)
      .doc("Times the obstacle's friction when it slides back. More than forward: it crawls.");
  d.in(grip_sideways, "grip_sideways", 1)
      .range(0, 100)
      .doc("Times the obstacle's friction when it slides sideways.");
  d.in(body_friction, "body_friction", 0.3f)
      .range(0, 10)
      .doc("Friction between bodies, of Coulomb.");
}

kernels::SoftSettings SoftWords::settings(const Exec& e) const {
  kernels::SoftSettings s;
  s.plan = kernels::plan_stiffness(e.get(stiffness), e.get(method));
  s.gravity = to_eigen(e.get(gravity));
  s.damping = e.get(damping);
  s.drag = e.get(drag);
  s.fluid = {.density = e.get(fluid),
             .across = e.get(fluid_across),
             .along = e.get(fluid_along),
             .flow = to_eigen(e.get(flow))};
  const Vec3f way = to_eigen(e.get(heading));
  const bool directed = way.squaredNorm() > 0;
  s.friction = {.heading = directed ? Vec3f(way.normalized()) : Vec3f(0, 0, 1),
                .forward = e.get(grip_forward),
                .backward = directed ? e.get(grip_backward) : e.get(grip_forward),
                .sideways = directed ? e.get(grip_sideways) : e.get(grip_forward)};
  s.colliders = e.get_if<Colliders>(colliders);
  return s;
}

int SoftWords::steps(const Exec& e, const kernels::SoftBody& body, float size) const {
  const int given = e.get(substeps);
  if (given > 0) return given;
  return kernels::steps_for_gravity(body, to_eigen(e.get(gravity)), size, e.dt());
}

bool SoftWords::fits(Exec& e) const {
  const std::size_t vertices = e.get(solid).vertex_count();
  if (e.get(solid).tet_count() == 0) {
    return e.error("the solid has no tetrahedra; fill a mesh with tet.from_mesh"), false;
  }
  const Activation* acts = e.get_if<Activation>(activation);
  if (acts && acts->count != vertices) {
    return e.error(
               "the activation is for {} vertices but the solid has {}; make it on this solid, not "
               "on its surface",
               acts->count, vertices),
           false;
  }
  return fits_vertices(e, "mass", e.get(mass), vertices);
}

std::shared_ptr<const PreparedSoftBody> SoftWords::prepare(Exec& e) const {
  const auto make = [&](CancelView stop) {
    const TetMesh& rest = e.get(solid);
    const std::vector<float> masses =
        kernels::vertex_masses(rest, static_cast<double>(e.get(density)), e.get(mass).values());
    std::vector<float> inverse(masses.size());
    for (std::size_t i = 0; i < masses.size(); ++i) inverse[i] = 1 / masses[i];
    return PreparedSoftBody{kernels::SoftBody(rest, masses, stop), std::move(inverse)};
  };
  return e.prepared<PreparedSoftBody>(
      "soft body", [&] { return stoppable(e, make); }, solid, density, mass);
}

std::shared_ptr<const kernels::ContactShape> SoftWords::prepare_contact(Exec& e) const {
  const auto make = [&](CancelView stop) { return kernels::ContactShape(e.get(solid), stop); };
  return e.prepared<kernels::ContactShape>(
      "contact shape", [&] { return stoppable(e, make); }, solid);
}

}  // namespace sinew
