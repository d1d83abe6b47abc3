// Bodies of tetrahedra that push each other apart.
//
// A vertex p of one body's boundary that lies inside a tetrahedron of another body leaves it for
// the nearest place q of that body's boundary as it is now: q = sum_k w_k t_k on the triangle t, in
// the direction n = (q - p) / |q - p|, which is the triangle's outer normal wherever q lies inside
// of the triangle. The triangle gives way. With m^-1 the inverse masses,
//   W = m_p^-1 + sum_k w_k^2 m_k^-1,  lambda = depth / W,
//   p += lambda m_p^-1 n,  t_k -= lambda w_k m_k^-1 n,
// so that the centre of mass of both stays where it is. Then the approaching part of the relative
// velocity u = v_p - sum_k w_k v_k goes by the impulse j = -u.n / W (nothing bounces), and Coulomb
// friction takes from the sliding part with at most `friction` j, which never turns it round. What
// one contact adds cancels out over its four vertices: momentum is kept up to rounding. Vertices
// whose inverse mass is 0 are walls that move, and take up any momentum. Where only a far corner of
// the triangle can give way, it would have to go a long way: W is at least half of each w_k m_k^-1,
// so that no vertex moves further than twice the depth, and none changes its velocity by more than
// twice the relative one.
//
// Contacts are found for all bodies as they are at the start of a pass, then applied one after the
// other in a fixed order, each to the depth that the ones before have left of it. To touch is not a
// contact: bodies in exactly the same place leave each other alone. What overlaps only along edges,
// without a vertex inside, is not seen, nor is a body that meets itself.
//
// Broad phase: the boxes of bodies, sorted along an axis. Then only vertices inside of the overlap
// of two boxes, against groups of 8 tetrahedra whose boxes have some of these vertices in them.
// Which triangles can be nearest to a place inside of a tetrahedron is found once, at rest.
// Inverted and flat tetrahedra contain nothing; triangles without area are no way out. Nothing
// depends on the unit of length, nor on the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "nodes/geometry/tet_mesh.h"

namespace sinew::kernels {

struct ContactTables;
struct ContactRoom;

// What follows from the rest shape, once for all instances of it. Copies share it.
class ContactShape {
 public:
  // Throws std::invalid_argument if the solid is not valid.
  explicit ContactShape(const TetMesh& rest, CancelView stop = {});

  std::size_t vertex_count() const;
  std::size_t bytes() const;
  const ContactTables& tables() const { return *tables_; }

 private:
  std::shared_ptr<const ContactTables> tables_;
};

// One body as it is now; positions and velocities are changed. Per vertex of the shape; a body
// without inverse masses does not give way at all, and its velocities may be left out if it stands
// still.
struct ContactBody {
  const ContactShape* shape = nullptr;
  std::span<Vec3f> positions;           // m
  std::span<Vec3f> velocities;          // m/s
  std::span<const float> inverse_mass;  // 1/kg; 0: does not give way
  float inverse_mass_scale = 1;         // a larger instance of the same shape is heavier
};

struct ContactOptions {
  float friction = 0.3f;  // of Coulomb, >= 0
  int passes = 1;         // how often contacts are looked for and resolved
  // What a step of `seconds` brought in is taken back at once, of what was inside before only this
  // part, 0 .. 1: an overlap that is undone at once comes back as speed.
  float relaxation = 1;
  float seconds = 0;
};

// Contacts after a step of h seconds: older overlaps go in some hundredths of a second.
ContactOptions contacts_of_step(float friction, double h);

// All the room that is needed, kept between calls: a call allocates nothing once the scratch has
// seen as much before. It remembers nothing else. One call at a time.
class ContactScratch {
 public:
  ContactScratch();
  ~ContactScratch();
  ContactScratch(ContactScratch&&) noexcept;
  ContactScratch& operator=(ContactScratch&&) noexcept;
  ContactRoom& room() { return *room_; }

 private:
  std::unique_ptr<ContactRoom> room_;
};

// A vertex of `body` inside of `other`.
struct Contact {
  uint32_t body = 0, vertex = 0;
  uint32_t other = 0;
  Triangle triangle{};     // vertices of `other`
  Vec3f weights{0, 0, 0};  // of the place on the triangle, sum 1
  Vec3f normal{0, 0, 0};   // unit; the way out
  float depth = 0;         // m, > 0
};

// Of the first pass.
struct ContactReport {
  std::size_t pairs = 0;  // of bodies whose boxes overlap, and of which one gives way
  std::size_t contacts = 0;
  double deepest = 0;  // m
};

// `impulses`, if given, has an entry for each body and gets its change of momentum in kg m/s; that
// of a body that does not give way is what it would have taken up. Throws std::invalid_argument if
// a size does not fit its shape. Positions that are not finite take no part.
ContactReport resolve_contacts(std::span<const ContactBody> bodies, const ContactOptions& options,
                               ContactScratch& scratch, std::span<Vec3d> impulses = {},
                               CancelView stop = {});

// The contacts of the bodies as they are, in the order in which a pass applies them. Each vertex is
// at most once in each other body. Valid until the scratch is used again.
std::span<const Contact> find_contacts(std::span<const ContactBody> bodies,
                                       ContactScratch& scratch);

}  // namespace sinew::kernels
