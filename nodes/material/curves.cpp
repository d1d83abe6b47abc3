// A material from its curves. [Hurmusiadis, chapters 6 and 7]
#include "nodes/kernels/restoration.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<Chart> stress, damping, gradient, creep, relaxation;
In<DampedEnergy> damped;
In<float> mass, stiffness, restoration, viscosity;
In<float> creep_duration, creep_coefficient, relaxation_duration;
In<std::string> source;
Out<Material> out;
Out<float> period, permanent;
In<float> strain;

constexpr const char* over_time = " From its first point to its last it lasts as long as '";

void declare_restoration(Declaration& d) {
  d.in(stress, "stress", Material::standard_stress())
      .doc(
          "Stress over strain; only the shape counts. The marks 'elastic' and 'fracture' are the "
          "limits up to which all strain goes back, and from which on none does. A way back is the "
          "unloading branch of a hysteresis loop.");
  d.in(damping, "damping", Material::standard_damping())
      .over_time({.period = "restoration", .delay = ""})
      .doc(std::string("The part of the energy that is left, from 1 to 0.") + over_time +
           "restoration' says.");
  d.in(damped, "damped", DampedEnergy::total)
      .choices({"total", "elastic", "kinetic"})
      .doc(
          "Which energy is damped: total fades speed and width of the swing, elastic its width "
          "only, kinetic its speed only.");
  d.in(mass, "mass", 50.0f).range(1e-3, 1e6).doc("The heavier, the slower it swings.");
  d.in(stiffness, "stiffness", 50.0f)
      .range(0, 1e6)
      .doc("How strongly a slope of 1 in the stress chart pulls back; 0: not at all.");
  d.in(restoration, "restoration", 1.0f)
      .range(0.01, 1e6)
      .unit("s")
      .doc("How long it takes to come to rest.");
}

void declare_flow(Declaration& d) {
  d.in(gradient, "gradient", Chart::constant(0))
      .doc(
          "How much of the strain rate is lost, 0 to 1, over the distance from the centre of a "
          "field (0) to its edge (1). 0 everywhere: not viscous.");
  d.in(viscosity, "viscosity", 1.0f)
      .range(-10, 10)
      .doc("Scales the gradient: 0 is plastic; beyond 1 parts may move the other way.");
  d.in(creep, "creep", Material::standard_creep())
      .over_time({.period = "creep_duration", .delay = ""})
      .doc(std::string("How far what is viscous has become plastic, from 0 to 1.") + over_time +
           "creep_duration' says.");
  d.in(creep_duration, "creep_duration", 1.0f)
      .range(0.01, 1e6)
      .unit("s")
      .doc(
          "How long the creep takes, from when the operator begins to. It acts while a pin moves.");
  d.in(creep_coefficient, "creep_coefficient", 1.0f)
      .range(-10, 10)
      .doc("Scales the creep: 0 stays viscous.");
  d.in(relaxation, "relaxation", Chart::constant(1))
      .over_time({.period = "relaxation_duration", .delay = ""})
      .doc(std::string("The part of the stress that is left while it is held, from 1 to 0.") +
           over_time + "relaxation_duration' says.");
  d.in(relaxation_duration, "relaxation_duration", 1.0f)
      .range(0.01, 1e6)
      .unit("s")
      .doc("How long the stress relaxes, from when it begins.");
}

void declare(Declaration& d) {
  d.id("material.curves", 2).label("Material").category("Material");
  d.doc(
      "What something is made of, as drawn curves: how it springs back, flows and creeps. Since "
      "version 2, 'permanent' is what stays where kinetic energy is damped, too.");
  d.upgrade([](UpgradeStep&) {});
  declare_restoration(d);
  declare_flow(d);
  d.in(source, "source", std::string("Drawn by eye."))
      .multiline()
      .doc("Where the curves were measured, or that they were drawn by eye.");
  d.in(strain, "strain", 0.5f)
      .range(0, 1e6)
      .doc("For the outputs 'period' and 'permanent' only: a strain that is let go at once.");
  d.out(out, "material").doc("The material.");
  d.out(period, "period").doc("Seconds of one swing from 'strain'; 0 if it does not swing.");
  d.out(permanent, "permanent").doc("What stays of 'strain' when it has come to rest.");
}

Material made(const Exec& e) {
  Material m;
  m.stress = e.get(stress);
  m.damping = e.get(damping);
  m.damped = e.get(damped);
  m.mass = e.get(mass);
  m.stiffness = e.get(stiffness);
  m.restoration = e.get(restoration);
  m.gradient = e.get(gradient);
  m.viscosity = e.get(viscosity);
  m.creep = e.get(creep);
  m.creep_duration = e.get(creep_duration);
  m.creep_coefficient = e.get(creep_coefficient);
  m.relaxation = e.get(relaxation);
  m.relaxation_duration = e.get(relaxation_duration);
  m.source = e.get(source);
  return m;
}

void exec(Exec& e) {
  Material m = made(e);
  if (const auto wrong = validate(m)) return e.error("{}", *wrong);
  const kernels::Restoration swing(m, static_cast<double>(e.get(strain)));
  e.set(period, swing.angular_speed() > 0 ? to_float(swing.period()) : 0.0f);
  e.set(permanent, to_float(kernels::eased_strain(swing.resting())));
  e.set(out, std::move(m));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(material_curves, declare, exec)
