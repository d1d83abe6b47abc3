// Vector offset operators at any time [Hurmusiadis, chapters 6 to 8]: where the pins of a set are,
// what their coefficients are, and what has crept by then. Everything is a function of time, so
// that no motion depends on how often it is asked for.
//
// A pin is (H, V, theta): head, vector, twist; (H0, V0, theta0) at rest. Its lead, L(t), is the pin
// at rest with what drives and paths add. What it is led from changes at moments t_k: the lead lets
// go or takes hold again, a hand pulls or lets go. After each of them
//   pin(t) = base(t) + D share(t - t_k),   D = pin(t_k) - base(t_k),
// so that nothing jumps. The base is L(t) while the lead holds, and (H of L(t), V0, theta0) after
// it has let go: the head is still led, the vector swings back to rest (eq. 6.33). `share` is that
// of the material (restoration.h) for the strain
//   e = sqrt(|D_V|^2 / |V0|^2 + D_theta^2) section 6.3.3
// where something was let go, and a smooth fade where the lead takes hold again, or 1 if it is to
// go on from there. A pin that was drawn out and swings far back is slowed down near its own head
// (eased_strain in restoration.h).
// The thesis counts |D_V| alone; a twist of one radian is taken as a strain of 1.
//
// Materials act on a pin by itself. Then constraints and arthra bring the pins together
// (voo_articulate.h), and what creeps (creep.h) is the strain F of the pins as they are then.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "nodes/geometry/voo_set.h"
#include "nodes/kernels/voo_deform.h"

namespace sinew::kernels {

// The frames of so many joined pins are carried along in time (voo_carry.h); those of more follow
// from where the pins are alone, since all of them would have to be found together at many moments.
inline constexpr std::size_t most_carried = 256;

// Who has the pin at a moment.
enum class VooPhase : uint8_t {
  led,      // its drives and paths, or the rest
  pulled,   // a hand
  swings,   // it was let go and swings
  settled,  // it was let go and has come to rest
};

// Of an operator's material, for whoever draws it. Strains are those of the pin as it is, brought
// together with the others: e of the header for its way from rest. They are below 0 where the tip
// has come nearer to the head rather than gone across or away, and, while it swings about its rest,
// on the other side of that.
struct VooStrainState {
  VooPhase phase = VooPhase::led;
  double strain = 0;
  double stress = 0;     // on the stress chart: along it while it is led, along the way back after
  double permanent = 0;  // the strain with which it comes to rest since it was let go
  bool broken = false;   // it was let go beyond the fracture limit
};

class VooMotion {
 public:
  // Of a sound set. Compiles charts and paths, and integrates what creeps.
  explicit VooMotion(VooSet set, CancelView stop = {});

  const VooSet& set() const;
  std::size_t size() const { return set().size(); }

  // The pins at a time; `gap`: how far ends are from their arthra, metres.
  std::vector<VooPose> poses(double t, double* gap = nullptr) const;
  VooPose pose(std::size_t member, double t) const;
  // The operator with the coefficients of the moment.
  Voo voo(std::size_t member, double t) const;
  // Whether those of its coefficients that its field is made with change over time.
  bool field_varies(std::size_t member) const;
  // Whether it creeps at all, with the gradient of its material.
  bool creeps(std::size_t member) const;
  // How far its frame is turned about it, beside that of its direction alone; see voo_carry.h.
  // `now`: where it is at that time.
  double spin(std::size_t member, double t, const VooPose& now) const;
  // Whether its frame is carried along where that makes a difference.
  bool carries(std::size_t member) const;
  // What has crept by then.
  VooMemory memory(std::size_t member, double t) const;
  VooStrainState state(std::size_t member, double t) const;
  // Where arthra are at a time: those that are driven or fixed at their place, the others at the
  // mean of their ends.
  std::vector<Vec3d> arthra(double t, std::span<const VooPose> poses) const;

  std::size_t bytes() const;

 private:
  struct Parts;
  std::shared_ptr<const Parts> parts_;
};

// What a hand that takes hold at a place pulls: the end of a member that is nearest to it.
struct VooGrip {
  std::size_t member = 0;
  VooEnd end = VooEnd::tip;
  Vec3d place{0, 0, 0};  // of the end
};
std::optional<VooGrip> grip_at(const VooMotion& motion, double t, const Vec3d& place,
                               std::span<const std::size_t> among);

}  // namespace sinew::kernels
