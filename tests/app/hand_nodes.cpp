#include "tests/app/hand_nodes.h"

#include <memory>

#include "nodes/node.h"
#include "nodes/register_all_nodes.h"

namespace sinew::testing {
namespace {

namespace pin {

In<Vec3> head, tip, radii;
In<float> twist, cap;
In<PinCentre> centre;
Out<Vec3> vector;

void declare(Declaration& d) {
  d.id("test.pin", 1).label("Pin").category("Test").doc("A pin.");
  d.in(head, "head", Vec3{0, 0, 0}).range(-100, 100).unit("m");
  d.in(tip, "tip", Vec3{0, 1, 0}).range(-100, 100).unit("m");
  d.in(twist, "twist", 0.0f).range(-1000, 1000).unit("deg");
  d.in(radii, "radii", Vec3{0.3f, 0.4f, 0.5f}).range(1e-6, 100).unit("m");
  d.in(centre, "centre", PinCentre::tip).choices({"head", "tip", "both", "length"});
  d.in(cap, "cap", 1.0f).range(1e-6, 100);
  d.out(vector, "vector");
  d.handle(HandleKind::pin, "pin")
      .at(head)
      .to(tip)
      .twist(twist)
      .radii(radii)
      .centre(centre)
      .cap(cap);
}

void exec(Exec& e) { e.set(vector, from_eigen(to_eigen(e.get(tip)) - to_eigen(e.get(head)))); }

}  // namespace pin

namespace offset {

In<Vec3> place, start, end;
In<bool> fails;
Out<Vec3> base, far_base;

void declare(Declaration& d) {
  d.id("test.offset", 1).label("Offset").category("Test").doc("Places that come with a body.");
  d.uses_frame();
  d.in(place, "place", Vec3{0, 0, 0}).unit("m");
  d.in(start, "start", Vec3{0, 0, 0}).unit("m");
  d.in(end, "end", Vec3{0, 0, 0}).unit("m");
  d.in(fails, "fails", false);
  d.out(base, "base");
  d.out(far_base, "far_base");
  d.handle(HandleKind::point, "place").at(place).from(base);
  d.handle(HandleKind::vector, "pull").at(start).from(base).to(end).to_from(far_base);
}

void exec(Exec& e) {
  if (e.get(fails)) return e.error("it was told to fail");
  const float up = 0.01f * static_cast<float>(e.frame());
  e.set(base, Vec3{0.5f, up, 0});
  e.set(far_base, Vec3{-0.5f, up, 0});
}

}  // namespace offset

namespace puller {

struct State {
  Vec3f by{0, 0, 0};
  std::size_t bytes() const { return sizeof *this; }
};

In<Mesh> mesh;
In<bool> grab;
In<Vec3> at, to;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("test.puller", 1).label("Puller").category("Test").doc("Follows a hand.");
  d.in(mesh, "mesh");
  d.in(grab, "grab", false);
  d.in(at, "at", Vec3{0, 0, 0}).unit("m");
  d.in(to, "to", Vec3{0, 0, 0}).unit("m");
  d.out(out, "mesh");
  d.hand(grab, at, to);
}

State init(Exec&) { return {}; }

State step(const State& state, Exec& e) {
  if (!e.get(grab)) return {0.5f * state.by};
  return {to_eigen(e.get(to)) - to_eigen(e.get(at))};
}

void read(const State& state, Exec& e) {
  Mesh moved = e.get(mesh);
  for (Vec3f& p : moved.positions) p += state.by;
  e.set(out, std::move(moved));
}

}  // namespace puller

namespace strain {

In<Material> material;
In<float> first, rate;
Out<float> at, stress;

void declare(Declaration& d) {
  d.id("test.strain", 1).label("Strain").category("Test").doc("Is strained ever more.");
  d.uses_frame();
  d.in(material, "material");
  d.in(first, "first", 0.5f);
  d.in(rate, "rate", 0.1f);
  d.out(at, "strain");
  d.out(stress, "stress");
  d.running(material, "stress", at, stress);
}

void exec(Exec& e) {
  const float x = e.get(first) + e.get(rate) * static_cast<float>(e.frame());
  e.set(at, x);
  e.set(stress, to_float(ChartPieces(e.get(material).stress).evaluate(x)));
}

}  // namespace strain

}  // namespace

const Registry& hand_registry() {
  static const std::unique_ptr<Registry> all = [] {
    auto made = std::make_unique<Registry>();
    register_all_nodes(*made);
    made->add(compute_node(pin::declare, pin::exec));
    made->add(compute_node(offset::declare, offset::exec));
    made->add(simulation_node(puller::declare, puller::init, puller::step, puller::read));
    made->add(compute_node(strain::declare, strain::exec));
    return made;
  }();
  return *all;
}

}  // namespace sinew::testing
