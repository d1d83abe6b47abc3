#include "nodes/kernels/soft_contact.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/soft_contact_parts.h"

namespace sinew::kernels {

namespace {

constexpr std::size_t bodies_per_block = 8;
// A crowd in one place would have as many pairs as the square of its bodies: each step takes apart
// so many of them.
constexpr std::size_t pairs_per_body = 64;
constexpr std::size_t pairs_per_block = 8;
// No vertex moves by more than so many times the depth.
constexpr double furthest = 2;

void check_sizes(const ContactBody& body) {
  if (!body.shape) throw std::invalid_argument("a body without a shape");
  const std::size_t count = body.shape->vertex_count();
  const auto fits = [&](std::size_t size, bool may_be_empty) {
    return size == count || (may_be_empty && size == 0);
  };
  const bool wall = body.inverse_mass.empty();
  if (!fits(body.positions.size(), false) || !fits(body.velocities.size(), wall) ||
      !fits(body.inverse_mass.size(), true)) {
    throw std::invalid_argument("a body that does not fit its shape");
  }
}

std::size_t in_eights(std::size_t count) { return (count + 7) / 8 * 8; }

// One view for each body, with its part of the floats.
void lay_out(std::span<const ContactBody> bodies, ContactRoom& room) {
  room.views.resize(bodies.size());
  std::size_t total = 0;  // in fours of floats
  const auto of_boxes = [](const ContactBoxes& boxes) { return 6 * boxes.stride / 4; };
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    ContactView& view = room.views[i];
    check_sizes(bodies[i]);
    view.tables = &bodies[i].shape->tables();
    view.index = static_cast<uint32_t>(i);
    view.vertex_boxes.stride = in_eights(view.tables->vertex_groups.size());
    view.tet_boxes.stride = in_eights(view.tables->tet_groups.size());
    view.gives_way = bodies[i].inverse_mass_scale > 0 &&
                     std::any_of(bodies[i].inverse_mass.begin(), bodies[i].inverse_mass.end(),
                                 [](float w) { return w > 0; });
    total += view.tables->vertex_count + of_boxes(view.vertex_boxes) + of_boxes(view.tet_boxes);
  }
  if (room.floats.size() < total) room.floats.resize(total);
  Padded* next = room.floats.data();
  for (ContactView& view : room.views) {
    view.points = next;
    next += view.tables->vertex_count;
    for (ContactBoxes* boxes : {&view.vertex_boxes, &view.tet_boxes}) {
      boxes->bounds = boxes->stride > 0 ? next->data() : nullptr;  // `next` may be the end
      next += of_boxes(*boxes);
    }
  }
}

// One vector load, which also reads the next vertex's x.
Padded with_next(const Vec3f& p) {
  using Bits = int32_t __attribute__((vector_size(16)));
  Bits bits;
  std::memcpy(&bits, p.data(), sizeof bits);
  bits &= Bits{-1, -1, -1, 0};
  Padded padded;
  std::memcpy(padded.data(), &bits, sizeof bits);
  return padded;
}

void copy_points(std::span<const Vec3f> positions, ContactView& view) {
  Padded low = Padded::Constant(std::numeric_limits<float>::max()), high = -low;
  Padded* const points = view.points;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Vec3f& x = positions[i];
    const Padded p = i + 1 < positions.size() ? with_next(x) : Padded(x.x(), x.y(), x.z(), 0);
    points[i] = p;
    low = low.min(p), high = high.max(p);
  }
  view.box = {low, high};
}

// Pairs of bodies whose boxes overlap: sorted along the longest side of all, each is compared with
// those that begin before it ends.
void find_pairs(ContactRoom& room) {
  room.pairs.clear();
  Eigen::AlignedBox3f all;
  for (ContactView& view : room.views) {
    view.has_partner = false;
    if (view.box.low.isFinite().all() && view.box.high.isFinite().all()) {
      all.extend(Vec3f((view.box.low + (view.box.high - view.box.low) / 2).head<3>()));
    }
  }
  int axis = 0;
  if (!all.isEmpty()) all.sizes().maxCoeff(&axis);
  room.order.clear();
  for (const ContactView& view : room.views) {
    const bool finite = view.box.low.isFinite().all() && view.box.high.isFinite().all();
    if (finite && (view.box.low <= view.box.high).all() && !view.tables->tet_groups.empty()) {
      room.order.emplace_back(view.box.low[axis], view.index);
    }
  }
  std::sort(room.order.begin(), room.order.end());
  ContactBoxes sorted{nullptr, in_eights(room.order.size()) + contact_lanes};
  if (room.sorted.size() < 6 * sorted.stride) room.sorted.resize(6 * sorted.stride);
  sorted.bounds = room.sorted.data();
  for (std::size_t i = 0; i < room.order.size(); ++i) {
    sorted.set(i, room.views[room.order[i].second].box);
  }
  for (std::size_t i = 0; i < room.order.size(); ++i) {
    ContactView& one = room.views[room.order[i].second];
    const auto next = room.order.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    const auto end = std::upper_bound(next, room.order.end(), one.box.high[axis],
                                      [](float high, const auto& o) { return high < o.first; });
    room.near.clear();
    find_meeting(sorted, i + 1, i + 1 + static_cast<std::size_t>(end - next), one.box, room.near);
    for (const uint32_t j : room.near) {
      ContactView& two = room.views[room.order[j].second];
      if (!one.gives_way && !two.gives_way) continue;
      one.has_partner = two.has_partner = true;
      room.pairs.push_back(std::minmax(one.index, two.index));
    }
  }
}

// The contacts of all bodies as they are, block by block.
void find_all(std::span<const ContactBody> bodies, CancelView stop, ContactRoom& room) {
  parallel_blocks(
      bodies.size(),
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) copy_points(bodies[i].positions, room.views[i]);
      },
      bodies_per_block);
  find_pairs(room);
  room.pairs.resize(std::min(room.pairs.size(), pairs_per_body * bodies.size()));
  if (!room.pairs.empty()) {
    parallel_blocks(
        bodies.size(),
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) {
            if (room.views[i].has_partner) fit_groups(room.views[i]);
          }
        },
        bodies_per_block);
  }
  room.block_count = (room.pairs.size() + pairs_per_block - 1) / pairs_per_block;
  if (room.blocks.size() < room.block_count) room.blocks.resize(room.block_count);
  parallel_blocks(
      room.pairs.size(),
      [&](std::size_t begin, std::size_t end) {
        stop.check();
        PairRoom& block = room.blocks[begin / pairs_per_block];
        block.contacts.clear();
        for (std::size_t i = begin; i < end; ++i) {
          const ContactView& a = room.views[room.pairs[i].first];
          const ContactView& b = room.views[room.pairs[i].second];
          find_inside(a, b, block);
          find_inside(b, a, block);
        }
      },
      pairs_per_block);
}

double inverse_mass(const ContactBody& body, uint32_t vertex) {
  if (body.inverse_mass.empty()) return 0;
  return std::max(0.0, static_cast<double>(body.inverse_mass[vertex]) * body.inverse_mass_scale);
}

void add(Vec3f& to, const Vec3d& change) {
  constexpr double most = std::numeric_limits<float>::max();
  to = (to.cast<double>() + change).cwiseMin(most).cwiseMax(-most).cast<float>();
}

// One contact in double precision: who takes part, and how easily each gives way.
class Push {
 public:
  Push(const Contact& contact, std::span<const ContactBody> bodies)
      : contact_(contact),
        body_(bodies[contact.body]),
        other_(bodies[contact.other]),
        normal_(contact.normal.cast<double>()) {
    own_ = inverse_mass(body_, contact.vertex);
    mobility_ = own_;
    double most = own_;
    for (int k = 0; k < 3; ++k) {
      const double weight = contact.weights[k];
      share_[k] = weight * inverse_mass(other_, contact.triangle[static_cast<std::size_t>(k)]);
      mobility_ += weight * share_[k];
      most = std::max(most, share_[k]);
    }
    mobility_ = std::max(mobility_, most / furthest);
    mass_ = 1 / mobility_;
  }

  bool gives_way() const { return mobility_ > 0 && std::isfinite(mass_); }

  void separate(double relaxation, double seconds) const {
    const Vec3d gap = between(body_.positions, other_.positions);
    const double depth = std::min(-gap.dot(normal_), static_cast<double>(contact_.depth));
    if (!(depth > 0)) return;
    const double approach = -between(body_.velocities, other_.velocities).dot(normal_);
    const double entered = std::clamp(approach * seconds, 0.0, depth);
    const double back = entered + relaxation * (depth - entered);
    apply(body_.positions, other_.positions, back * mass_ * normal_);
  }

  // The impulse on the body, in kg m/s; the other gets its negative.
  Vec3d stop_approach(double friction) const {
    const Vec3d speed = between(body_.velocities, other_.velocities);
    const double approach = -speed.dot(normal_);
    if (!(approach > 0)) return Vec3d::Zero();
    const Vec3d sliding = speed + approach * normal_;
    const double slip = sliding.norm();
    const double stopped = std::min(friction * approach, slip);
    Vec3d change = approach * normal_;
    if (slip > 0) change -= stopped / slip * sliding;
    const Vec3d impulse = mass_ * change;
    apply(body_.velocities, other_.velocities, impulse);
    return impulse;
  }

 private:
  // What the vertex has more than the place on the triangle.
  Vec3d between(std::span<const Vec3f> own, std::span<const Vec3f> others) const {
    Vec3d difference = Vec3d::Zero();
    if (!own.empty()) difference = own[contact_.vertex].cast<double>();
    if (others.empty()) return difference;
    for (std::size_t k = 0; k < 3; ++k) {
      difference -= static_cast<double>(contact_.weights[static_cast<int>(k)]) *
                    others[contact_.triangle[k]].cast<double>();
    }
    return difference;
  }

  void apply(std::span<Vec3f> own, std::span<Vec3f> others, const Vec3d& impulse) const {
    if (own_ > 0) add(own[contact_.vertex], own_ * impulse);
    for (std::size_t k = 0; k < 3; ++k) {
      if (share_[k] > 0) add(others[contact_.triangle[k]], -share_[k] * impulse);
    }
  }

  const Contact& contact_;
  const ContactBody& body_;
  const ContactBody& other_;
  Vec3d normal_;
  double own_ = 0, share_[3] = {0, 0, 0}, mobility_ = 0, mass_ = 0;
};

}  // namespace

ContactOptions contacts_of_step(float friction, double h) {
  constexpr double recovery_rate = 80;  // 1/s
  return {.friction = friction,
          .passes = 1,
          .relaxation = static_cast<float>(-std::expm1(-h * recovery_rate)),
          .seconds = static_cast<float>(h)};
}

ContactScratch::ContactScratch() : room_(std::make_unique<ContactRoom>()) {}
ContactScratch::~ContactScratch() = default;
ContactScratch::ContactScratch(ContactScratch&&) noexcept = default;
ContactScratch& ContactScratch::operator=(ContactScratch&&) noexcept = default;

ContactReport resolve_contacts(std::span<const ContactBody> bodies, const ContactOptions& options,
                               ContactScratch& scratch, std::span<Vec3d> impulses,
                               CancelView stop) {
  if (!impulses.empty() && impulses.size() != bodies.size()) {
    throw std::invalid_argument("as many impulses as bodies are needed");
  }
  std::fill(impulses.begin(), impulses.end(), Vec3d::Zero());
  ContactRoom& room = scratch.room();
  ContactReport report;
  if (options.passes > 0) lay_out(bodies, room);
  for (int pass = 0; pass < options.passes; ++pass) {
    find_all(bodies, stop, room);
    std::size_t count = 0;
    double deepest = 0;
    for (std::size_t block = 0; block < room.block_count; ++block) {
      count += room.blocks[block].contacts.size();
      for (const Contact& contact : room.blocks[block].contacts) {
        deepest = std::max<double>(deepest, contact.depth);
        const Push push(contact, bodies);
        if (!push.gives_way()) continue;
        push.separate(options.relaxation, options.seconds);
        const Vec3d impulse = push.stop_approach(options.friction);
        if (impulses.empty()) continue;
        impulses[contact.body] += impulse;
        impulses[contact.other] -= impulse;
      }
    }
    if (pass == 0) report = {room.pairs.size(), count, deepest};
    if (count == 0) break;
  }
  return report;
}

std::span<const Contact> find_contacts(std::span<const ContactBody> bodies,
                                       ContactScratch& scratch) {
  ContactRoom& room = scratch.room();
  lay_out(bodies, room);
  find_all(bodies, {}, room);
  room.contacts.clear();
  for (std::size_t block = 0; block < room.block_count; ++block) {
    const std::vector<Contact>& found = room.blocks[block].contacts;
    room.contacts.insert(room.contacts.end(), found.begin(), found.end());
  }
  return room.contacts;
}

}  // namespace sinew::kernels
