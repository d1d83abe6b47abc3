// Many instances of one soft body, each with its own place, size and moment of the activation, that
// push each other apart [Ijiri09, figure 10].
//
// All members share the prepared body: an instance is a state, a size and a delay. In each step the
// members go on by themselves, in parallel; then contacts between them are resolved in a fixed
// order (soft_contact.h). The same bits on any number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nodes/kernels/soft_body.h"
#include "nodes/kernels/soft_contact.h"

namespace sinew::kernels {

struct CrowdMember {
  float size = 1;
  double delay = 0;  // seconds behind the activation
  Eigen::Quaternionf turn = Eigen::Quaternionf::Identity();
  Vec3f shift{0, 0, 0};  // m, of the rest centre
};

struct CrowdPlacing {
  int count = 1;
  Vec3f area{1, 1, 1};      // m: a box about the body at rest; a side of 0 is allowed
  float size_spread = 0;    // sizes from 1 - spread to 1 + spread
  double delay_spread = 0;  // seconds: delays from 0 to this
  float turn = 0;           // radians: turned about y by up to this, either way
  float tilt = 0;           // radians: leant over by up to this
  uint32_t seed = 1;
  bool operator==(const CrowdPlacing&) const = default;
};

// Spread evenly over the box: each member takes of several random places the one farthest from
// those that are taken. The first k members are the same for every count.
std::vector<CrowdMember> place_crowd(const CrowdPlacing& placing);

// The same with given places: one member for each, as its shift from the rest centre.
std::vector<CrowdMember> place_crowd(const CrowdPlacing& placing, std::span<const Vec3f> shifts);

struct CrowdScratch {
  std::vector<SoftSettings> settings;          // one per block of members
  std::vector<SoftScratch> steps;              // one per block of members
  std::vector<ActivationScratch> activations;  // the same
  std::vector<SymmetricArrays> tensors;        // the same
  std::vector<LaneFloats> arranged;            // one per member
  std::vector<ContactBody> bodies;
  std::vector<Vec3d> impulses;
  ContactScratch contact;
};

struct CrowdBody {
  const SoftBody* body = nullptr;
  const ContactShape* contact = nullptr;
  std::span<const float> inverse_masses;  // 1/kg, the solid's order
};

// A frame of `substeps` steps, in place. `activation` may be null. `settings.size` is each
// member's own. Returns what was in contact in the last step.
ContactReport step_crowd(const CrowdBody& crowd, std::span<const CrowdMember> members,
                         const Activation* activation, const SoftSettings& settings,
                         float body_friction, double dt, int substeps, CrowdScratch& scratch,
                         std::span<SoftState> states, CancelView stop = {});

// `count` times the same solid as one, with skins and all; positions are to be filled in.
TetTopology repeat_topology(const TetMesh& solid, std::size_t count);

}  // namespace sinew::kernels
