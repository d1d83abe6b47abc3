// Any mesh becomes a body that moves by modes. [Faloutsos97, section 5]
#include <fmt/format.h>

#include "graph/document.h"
#include "nodes/content_name.h"
#include "nodes/kernels/ffd.h"
#include "nodes/kernels/measure.h"
#include "nodes/kernels/modal_model.h"
#include "nodes/kernels/modal_setup.h"
#include "nodes/kernels/mode_library.h"
#include "nodes/kernels/modes.h"
#include "nodes/node.h"

namespace sinew {
namespace {

enum class Contacts : uint8_t { reaching, even };

In<Mesh> mesh;
In<Modes> modes;
In<float> mass;
In<int> mass_points;
In<Mesh> mass_at;
In<int> touching;
In<Contacts> contacts;
In<float> stiffness, damping;
Out<ModalBody> out;
Out<Modes> modes_out;

void declare(Declaration& d) {
  d.id("dffd.body", 2).label("Dynamic Body").category("Dynamic FFD");
  d.doc(
      "Makes a body that falls, bounces and walks out of any mesh: finds its mass points, a "
      "lattice, modes and how stiff they are, unless told.");
  d.in(mesh, "mesh").doc("The body at rest.");
  d.in(modes, "modes")
      .optional()
      .doc(
          "Ways in which it may deform; without them a lattice is laid around it, with squash, "
          "shears, a bend and a twist.");
  d.in(mass, "mass", 1.0f).range(1e-9, 1e12).unit("kg").doc("Of the whole.");
  d.in(mass_points, "mass_points", 32)
      .range(4, 512)
      .doc("Points that stand for the mass, about so many; more for more modes.");
  d.in(mass_at, "mass_at")
      .optional()
      .doc(
          "Vertices to take as mass points instead, all of the same mass; of more than 512, as "
          "many "
          "that are spread evenly.");
  d.in(touching, "touching", 300).range(4, most_touching).doc("Vertices that touch obstacles.");
  d.in(contacts, "contacts", Contacts::reaching)
      .choices({"reaching", "even"})
      .doc(
          "Which vertices those are. reaching: the more, the more the surface reaches out: corners "
          "of soles, ends of limbs, rims. even: spread evenly, so that small soles may sink in; "
          "documents from before version 2 have it so.");
  d.in(stiffness, "stiffness", 1.0f)
      .range(1e-6, 1e6)
      .best_from("material.feel", "times")
      .doc("Times that of each mode: its frequency says it, or its own weight.");
  d.in(damping, "damping", 1.0f).range(0, 1e6).doc("Times that of each mode.");
  d.upgrade([](UpgradeStep& step) { step.params()["contacts"] = "even"; });
  d.out(out, "body").doc("To be simulated.");
  d.out(modes_out, "modes").doc("Its modes, for viewing and for geometric use.");
}

constexpr std::size_t most_given_masses = 512;
constexpr std::size_t least_touching = 100;  // vertices, below which long edges matter
constexpr float coarse_edge = 0.5f;          // parts of the size

struct Masses {
  std::vector<MassPoint> list;
  std::size_t bytes() const { return list.size() * sizeof(MassPoint); }
};
struct Vertices {
  std::vector<uint32_t> list;
  std::size_t bytes() const { return list.size() * sizeof(uint32_t); }
};

// What most bodies can do with themselves: those of the usual modes that move its mass.
Modes usual_modes(const Mesh& body, std::span<const MassPoint> masses) {
  using kernels::ModeKind;
  const auto rest = std::make_shared<const LatticeRest>(
      std::array{4u, 4u, 4u}, LatticeBasis::bernstein,
      kernels::box_around(body.positions, Eigen::Matrix3d::Identity(), 0.05));
  struct Usual {
    ModeKind kind;
    int axis, toward;
  };
  Modes usual;
  usual.lattices.push_back({rest, {}});
  std::vector<DeformMode>& list = usual.lattices[0].modes;
  for (const Usual& one :
       {Usual{ModeKind::squash, 1, 0}, Usual{ModeKind::shear, 1, 0}, Usual{ModeKind::shear, 1, 2},
        Usual{ModeKind::bend, 1, 0}, Usual{ModeKind::twist, 1, 0}}) {
    DeformMode mode;
    mode.name = kernels::default_mode_name(one.kind, one.axis, one.toward);
    mode.delta = kernels::mode_delta(*rest, one.kind, one.axis, one.toward, 0.5);
    mode.active = true;
    list.push_back(std::move(mode));
    if (!kernels::modal_inertia(usual, masses).flaw.empty()) list.pop_back();
  }
  return usual;
}

// Where the mass is; an error if it is nowhere.
std::vector<MassPoint> masses_of(Exec& e, const Modes* given) {
  const double whole = double{e.get(mass)};
  if (const Mesh* places = e.get_if<Mesh>(mass_at)) {
    const std::vector<uint32_t> some = kernels::touching_vertices(*places, most_given_masses);
    if (some.empty()) return e.error("'mass_at' has no vertices"), std::vector<MassPoint>();
    std::vector<MassPoint> list;
    for (const uint32_t v : some) {
      list.push_back({places->positions[v], to_float(whole / static_cast<double>(some.size()))});
    }
    return list;
  }
  std::vector<LatticeBox> parts;
  std::string name = "mass points";
  for (std::size_t l = 0; given && l + 1 < given->lattices.size(); ++l) {
    parts.push_back(given->lattices[l].rest->box);
    name = content_name(name, *given->lattices[l].rest);
  }
  const auto found = e.prepared<Masses>(
      name,
      [&] {
        return stoppable(e, [&](CancelView stop) {
          return Masses{kernels::mass_points(
              e.get(mesh), whole, static_cast<std::size_t>(e.get(mass_points)), parts, stop)};
        });
      },
      mesh, mass, mass_points);
  if (found->list.empty()) e.error("the mesh has no surface that could carry mass");
  return found->list;
}

std::vector<uint32_t> vertices_that_touch(Exec& e) {
  return e
      .prepared<Vertices>(
          "touching vertices",
          [&] {
            const auto choose = e.get(contacts) == Contacts::even ? kernels::touching_vertices
                                                                  : kernels::reaching_vertices;
            return stoppable(e, [&](CancelView stop) {
              return Vertices{choose(e.get(mesh), static_cast<std::size_t>(e.get(touching)), stop)};
            });
          },
          mesh, touching, contacts)
      ->list;
}

struct ShapeFacts {
  std::size_t outside = 0;  // vertices outside of the lattice around the whole
  bool coarse = false;
  std::size_t bytes() const { return sizeof *this; }
};

ShapeFacts facts_of(const Mesh& body, const Modes& all) {
  ShapeFacts facts;
  std::vector<Vec3f> moved(body.vertex_count());
  const std::vector<double> still(all.count(), 0.0);
  facts.outside = kernels::deform_by_modes(all, still, {}, body.positions, moved);
  const float size = kernels::bounding_box(body.positions).sizes().maxCoeff();
  float longest = 0;
  for (const Triangle& t : body.triangles()) {
    for (int k = 0; k < 3; ++k) {
      longest = std::max(longest, (body.positions[t[k]] - body.positions[t[(k + 1) % 3]]).norm());
    }
  }
  facts.coarse = body.vertex_count() < least_touching && longest > coarse_edge * size;
  return facts;
}

// What would surprise: a lattice that is elsewhere, and a surface that obstacles slip through.
// Found once for a mesh and its lattice, not whenever an amplitude changes.
void warn_of_shape(Exec& e, const Modes& all) {
  const Mesh& body = e.get(mesh);
  const auto facts = e.prepared<ShapeFacts>(
      content_name("body shape", *all.lattices.back().rest), [&] { return facts_of(body, all); },
      mesh);
  if (facts->outside > 0) {
    e.warning("{} of {} vertices are outside of the lattice and follow its border", facts->outside,
              body.vertex_count());
  }
  if (facts->coarse) {
    e.warning(
        "it touches obstacles with its {} vertices only: small ones slip through its large faces; "
        "subdivide it if there are such",
        body.vertex_count());
  }
}

void exec(Exec& e) {
  const Modes* given = e.get_if<Modes>(modes);
  ModalBody body;
  body.masses = masses_of(e, given);
  if (e.failed()) return;
  Modes all = given && given->count() > 0 ? *given : usual_modes(e.get(mesh), body.masses);
  const kernels::ModalInertia inertia = kernels::modal_inertia(all, body.masses);
  if (!inertia.flaw.empty()) return e.error("{}", inertia.flaw);
  for (ModeLattice& lattice : all.lattices) {
    for (DeformMode& mode : lattice.modes) mode.damping *= double{e.get(damping)};
  }
  body.touching = vertices_that_touch(e);
  warn_of_shape(e, all);
  body.mesh = std::make_shared<const Mesh>(e.get(mesh));
  body.modes = std::make_shared<const Modes>(all);
  kernels::set_stiffness(body, inertia.free, double{e.get(stiffness)});
  e.set(modes_out, std::move(all));
  e.set(out, std::move(body));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(dffd_body, declare, exec)
