// A pin in a body that takes the body along when it is moved. [Hurmusiadis, chapter 5]
#include <numbers>

#include "nodes/node.h"

namespace sinew {
namespace {

In<std::string> name;
In<Vec3> head, tip, radii;
In<float> twist, cap;
In<VooCentre> centre;
In<VooBeyond> beyond;
In<Chart> damping;
In<float> elongation, volume, cross_section, flexibility, locality, weight, torsion;
In<float> shear_v, shear_w, blend;
Out<VooSet> out;

void declare_field(Declaration& d) {
  d.in(centre, "field", VooCentre::tip)
      .choices({"head", "tip", "both", "length"})
      .doc("Where it acts most: about its head, its tip, both ends, or all along it.");
  d.in(radii, "radii", Vec3{0.5f, 0.5f, 1})
      .range(1e-6, 1e6)
      .unit("m")
      .doc("How far it acts: A and B across the pin, C along it. Beyond, nothing is moved.");
  d.in(cap, "cap", 1.0f)
      .range(1e-3, 1e3)
      .doc("How far it acts beyond the end, as a part of C. Not for a field along the length.");
  d.in(beyond, "beyond", VooBeyond::still)
      .choices({"still", "as_edge"})
      .doc(
          "What is outside of the field: it stays where it is, or it goes along as the edge does, "
          "so that nothing tears.");
  d.in(damping, "damping", identity_chart())
      .doc(
          "How much the body holds back, over the distance from the centre (0) to the edge of the "
          "field (1): 0 goes along, 1 stays. Where flexibility times this does not come to 1 at "
          "the "
          "edge, a body that is larger than the field tears there, unless 'beyond' is as_edge.");
}

void declare_coefficients(Declaration& d) {
  d.in(elongation, "elongation", 1.0f)
      .range(-100, 100)
      .doc("How much of the pin's stretch the body takes: 0 none, 1 all of it.");
  d.in(volume, "volume", 1.0f)
      .range(0.01, 100)
      .doc("How thick the body becomes when stretched: 1 keeps its volume.");
  d.in(cross_section, "cross_section", 1.0f)
      .range(0.01, 100)
      .doc("Wider one way across the pin, narrower the other.");
  d.in(flexibility, "flexibility", 1.0f)
      .range(-10, 10)
      .doc("How much the damping counts: 0 is rigid, 1 as drawn, more overshoots.");
  d.in(locality, "locality", 0.0f)
      .range(-10, 10)
      .doc("Moves the damping towards the pin: above 0 less of the body goes along.");
  d.in(weight, "weight", 1.0f)
      .range(0.01, 100)
      .doc(
          "Power of the damping: above 1 more of the body goes along, and the edge of the field "
          "becomes steep; below 1 less.");
  d.in(torsion, "torsion", 1.0f)
      .range(-100, 100)
      .doc("How much of the pin's twist the body takes.");
  d.in(shear_v, "shear_v", 0.0f)
      .range(-100, 100)
      .doc("How far planes across the pin slide sideways, for each metre along it.");
  d.in(shear_w, "shear_w", 0.0f).range(-100, 100).doc("The same in the other direction across.");
  d.in(blend, "blend", 1.0f)
      .range(0, 1000)
      .doc("How much it counts among others, where operators are blended.");
}

void declare(Declaration& d) {
  d.id("voo.create", 1).label("Operator").category("VOODOO");
  d.doc(
      "A vector offset operator: a pin from head to tip. When it is moved, stretched or twisted, "
      "the body in its field goes along.");
  d.in(name, "name", std::string()).doc("What other nodes may call it by.");
  d.in(head, "head", Vec3{}).range(-1e4, 1e4).unit("m").doc("Where the pin begins, at rest.");
  d.in(tip, "tip", Vec3{0, 1, 0}).range(-1e4, 1e4).unit("m").doc("Where the pin ends, at rest.");
  d.in(twist, "twist", 0.0f)
      .range(-36000, 36000)
      .unit("deg")
      .doc("Turns the directions across the pin, along which A and B and shear are measured.");
  declare_field(d);
  declare_coefficients(d);
  d.handle(HandleKind::pin, "pin")
      .at(head)
      .to(tip)
      .twist(twist)
      .radii(radii)
      .centre(centre)
      .cap(cap);
  d.out(out, "voos").label("Operators").doc("The operator, at rest until it is animated.");
}

double degrees(float angle) { return static_cast<double>(angle) * std::numbers::pi / 180; }

void exec(Exec& e) {
  Voo voo;
  voo.name = e.get(name);
  voo.rest = {to_eigen(e.get(head)).cast<double>(), to_eigen(e.get(tip)).cast<double>(),
              degrees(e.get(twist))};
  const Vec3 r = e.get(radii);
  voo.field.centre = e.get(centre);
  voo.field.radii = {static_cast<double>(r.x), static_cast<double>(r.y), static_cast<double>(r.z)};
  voo.field.cap = static_cast<double>(e.get(cap));
  voo.field.beyond = e.get(beyond);
  voo.damping = e.get(damping);
  VooCoefficients& c = voo.coefficients;
  c.elongation = static_cast<double>(e.get(elongation));
  c.volume = static_cast<double>(e.get(volume));
  c.cross_section = static_cast<double>(e.get(cross_section));
  c.flexibility = static_cast<double>(e.get(flexibility));
  c.locality = static_cast<double>(e.get(locality));
  c.weight = static_cast<double>(e.get(weight));
  c.torsion = static_cast<double>(e.get(torsion));
  c.shear = {static_cast<double>(e.get(shear_v)), static_cast<double>(e.get(shear_w))};
  voo.blend = static_cast<double>(e.get(blend));
  if (const auto wrong = validate(voo)) return e.error("{}", *wrong);
  VooSet set;
  set.members.emplace_back().voo = std::move(voo);
  e.set(out, std::move(set));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(voo_create, declare, exec)
