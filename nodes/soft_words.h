// What simulations of soft bodies share: the sockets for material, medium and obstacles, and how
// they become a kernel's settings. Each node has its own set of handles.
#pragma once

#include "nodes/kernels/collide.h"
#include "nodes/kernels/soft_body.h"
#include "nodes/kernels/soft_contact.h"
#include "nodes/node.h"
#include "nodes/scratch_pool.h"

namespace sinew {

// The body, made once for the solid, its density and its masses.
struct PreparedSoftBody {
  kernels::SoftBody body;
  std::vector<float> inverse_masses;  // 1/kg, the solid's order
  std::size_t bytes() const { return body.bytes() + inverse_masses.size() * sizeof(float); }
};

// What a simulation says when its state does not fit any more.
inline constexpr const char* begins_anew =
    "another solid, or another number of bodies, came while it ran: it begins anew, as at the "
    "first frame";

struct SoftWords {
  In<TetMesh> solid;
  In<Activation> activation;
  In<int> stiffness, substeps;
  In<kernels::StiffnessMethod> method;
  In<float> density;
  In<Field> mass;
  In<float> damping, drag;
  In<Vec3> gravity;
  In<float> fluid, fluid_across, fluid_along;
  In<Vec3> flow;
  In<Colliders> colliders;
  In<Vec3> heading;
  In<float> grip_forward, grip_backward, grip_sideways, body_friction;

  void declare_body(Declaration& d);
  void declare_world(Declaration& d);

  // What the settings say, without anything that points into inputs but the colliders.
  kernels::SoftSettings settings(const Exec& e) const;
  // In a frame, for instances no smaller than `size` times the body.
  int steps(const Exec& e, const kernels::SoftBody& body, float size = 1) const;
  // Whether the activation, if there is one, is made for this solid, and the masses fit; an error
  // if not.
  bool fits(Exec& e) const;
  std::shared_ptr<const PreparedSoftBody> prepare(Exec& e) const;
  // For bodies that meet others: it takes longer than all the rest.
  std::shared_ptr<const kernels::ContactShape> prepare_contact(Exec& e) const;
  // Room for steps of this solid; a name stands for one kind of room.
  template <class Room>
  std::shared_ptr<const ScratchPool<Room>> rooms(Exec& e, std::string_view name) const {
    return e.prepared<ScratchPool<Room>>(
        name, [] { return ScratchPool<Room>(); }, solid);
  }
};

}  // namespace sinew
