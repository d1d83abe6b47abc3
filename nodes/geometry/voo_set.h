// Vector offset operators over time: who moves their pins, what they are made of, and how they hang
// together [Hurmusiadis, chapters 6 to 8]. A set is a recipe and a moment, so that whoever uses it
// can ask for any other time; kernels/voo_motion.h does.
//
// The pin of an operator at a time is, in this order:
//   led      the pin at rest, with what its drives and paths add
//   let go   from a release on the vector swings back as the material says; the head stays led
//   pulled   by a hand, and let go by it
//   joined   within the limits of its constraints, and with the others at its arthra
// All times are seconds; those of an operator are later by its delay.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "nodes/geometry/material.h"
#include "nodes/geometry/motion_path.h"
#include "nodes/geometry/voo.h"

namespace sinew {

enum class VooEnd : uint8_t { head, tip };

// ---- Who leads it -------------------------------------------------------------------------------

// What a chart over time can change. The first group is added to the pin at rest, the second are
// factors of the coefficients, the third is added to them.
enum class VooQuantity : uint8_t {
  head_x,
  head_y,
  head_z,
  tip_x,
  tip_y,
  tip_z,  // metres
  twist,  // radians
  elongation,
  volume,
  cross_section,
  flexibility,
  weight,
  torsion,  // factors
  locality,
  shear_v,
  shear_w,  // added
};
inline constexpr int voo_quantity_count = 16;
inline bool is_factor(VooQuantity q) {
  return q >= VooQuantity::elongation && q <= VooQuantity::torsion;
}

struct VooDrive {
  VooQuantity what = VooQuantity::tip_x;
  Chart chart;                    // over seconds
  Chart by = Chart::constant(1);  // the same, multiplied with it: what several have in common
  bool operator==(const VooDrive&) const = default;
};

// Which part of an operator a path carries: an end, both, or the point that it aims at.
enum class VooCarried : uint8_t { head, tip, both, aim };

struct VooTravel {
  VooCarried carried = VooCarried::tip;
  MotionPath path;
  // The part lies on the path; or else the way since the path's start is added. An aim is always on
  // it.
  bool on_path = false;
  bool operator==(const VooTravel&) const = default;
};

// ---- What it is made of -------------------------------------------------------------------------

// A hand that took hold of an end, with its places over time.
struct VooPull {
  VooEnd end = VooEnd::tip;
  std::vector<std::pair<double, Vec3d>> places;  // seconds increasing, metres; at least one
  std::optional<double> released;                // seconds; nothing: it still holds
  bool operator==(const VooPull&) const = default;
};

struct VooStuff {
  Material material;
  // When its lead holds the pin: from each moment on, yes or no; before the first, yes.
  std::vector<std::pair<double, bool>> hold;
  double catching = 0.2;       // seconds in which the lead brings it back when it takes hold again
  bool goes_on = false;        // or else: the lead goes on from where it takes hold of it
  double creep_start = 0;      // seconds
  std::vector<VooPull> pulls;  // in the order of time, none inside of another
  bool operator==(const VooStuff&) const = default;
};

// ---- What it must keep to -----------------------------------------------------------------------

// Those of one operator; all optional.
struct VooConstraint {
  std::optional<Vec3d> head = {}, tip = {};  // position of an end
  std::optional<double> length = {};         // m, more than 0
  std::optional<Vec3d> direction = {};       // of V; any length but 0
  std::optional<Vec3d> aim = {};  // the point that the operator points at, through its tip

  bool any() const { return head || tip || length || direction || aim; }
  bool operator==(const VooConstraint&) const = default;
};

// One of these over time: where `on` is one half or more it counts, in place of what was said of
// the same before. Charts are over seconds. A length of 0 and a direction of 0 are those at rest.
enum class VooKept : uint8_t { head, tip, length, direction, aim };
struct VooGuide {
  VooKept what = VooKept::aim;
  Chart on = Chart::constant(1);
  std::vector<Chart> value;  // one for a length, three for the others
  bool operator==(const VooGuide&) const = default;
};

struct VooJoint {
  uint32_t voo = 0;
  VooEnd end = VooEnd::head;
  bool operator==(const VooJoint&) const = default;
};

// Two or more ends that are one point. Free: it lies where its ends are in the mean, or at `place`
// if there is one (it was dragged, or is on a path), and gives way to constraints. Fixed: it is
// held at `place`.
struct VooArthron {
  std::vector<VooJoint> joints = {};
  bool fixed = false;
  std::optional<Vec3d> place = {};
  bool operator==(const VooArthron&) const = default;
};

// ---- The set ------------------------------------------------------------------------------------

struct VooMember {
  Voo voo;
  std::vector<VooDrive> drives;    // all count: those of one kind are added, or multiplied
  std::vector<VooTravel> travels;  // the same; of those that are on their path, the last
  // What drives and paths add is turned and scaled by this: an array's member moves as its pattern
  // does, in its own direction.
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  double delay = 0;                       // seconds
  std::shared_ptr<const VooStuff> stuff;  // nothing: it stays as it is led
  VooConstraint constraint;
  std::vector<VooGuide> guides;  // after the constraint, in their order

  bool operator==(const VooMember& other) const;
};

// An arthron over time.
struct VooTie {
  VooArthron arthron;                        // its place: where it is at rest, or where it is held
  std::optional<std::array<Chart, 3>> move;  // added to the place, over seconds
  std::optional<MotionPath> path;            // its place is on it
  bool operator==(const VooTie&) const = default;
};

struct VooSet {
  std::vector<VooMember> members;
  std::vector<VooTie> ties;
  double time = 0;  // the moment, seconds, for whoever looks at it; no part of the recipe

  std::size_t size() const { return members.size(); }
  bool is_articulated() const;
  bool operator==(const VooSet&) const = default;
};

inline constexpr std::size_t most_voos = 100000;

// The first thing that is wrong, with the operator's name or number, or nothing.
std::optional<std::string> validate(const VooSet& set);

std::size_t byte_size(const VooSet& set);

// "1" and its name, or its number alone: how a message calls it.
std::string called(const VooSet& set, std::size_t member);

// All operators of both; arthra of the second keep to theirs.
void append(VooSet& to, const VooSet& from);

// Which operators a text names: all for an empty one; else those whose names are in the list,
// separated by commas, with * for any letters; numbers count from 1.
std::vector<std::size_t> named_members(const VooSet& set, const std::string& names);

// ---- Content, for keys --------------------------------------------------------------------------

template <class Hash>
void visit_content(const VooDrive& drive, Hash&& hash) {
  hash(bytes_of(std::array{static_cast<uint64_t>(drive.what)}));
  visit_content(drive.chart, hash);
  visit_content(drive.by, hash);
}

template <class Hash>
void visit_content(const VooTravel& travel, Hash&& hash) {
  hash(bytes_of(
      std::array{static_cast<uint64_t>(travel.carried), static_cast<uint64_t>(travel.on_path)}));
  visit_content(travel.path, hash);
}

template <class Hash>
void visit_content(const VooPull& pull, Hash&& hash) {
  hash(bytes_of(std::array{static_cast<uint64_t>(pull.end), uint64_t{pull.places.size()},
                           static_cast<uint64_t>(pull.released.has_value())}));
  hash(bytes_of(std::array{pull.released.value_or(0)}));
  for (const auto& [t, p] : pull.places) hash(bytes_of(std::array{t, p.x(), p.y(), p.z()}));
}

template <class Hash>
void visit_content(const VooStuff& stuff, Hash&& hash) {
  visit_content(stuff.material, hash);
  hash(bytes_of(std::array{uint64_t{stuff.hold.size()}, uint64_t{stuff.pulls.size()}}));
  for (const auto& [t, held] : stuff.hold) hash(bytes_of(std::array{t, held ? 1.0 : 0.0}));
  hash(bytes_of(std::array{stuff.catching, stuff.creep_start, stuff.goes_on ? 1.0 : 0.0}));
  for (const VooPull& pull : stuff.pulls) visit_content(pull, hash);
}

template <class Hash>
void visit_content(const VooConstraint& c, Hash&& hash) {
  for (const std::optional<Vec3d>& place : {c.head, c.tip, c.direction, c.aim}) {
    const Vec3d p = place.value_or(Vec3d::Zero());
    hash(bytes_of(std::array{place ? 1.0 : 0.0, p.x(), p.y(), p.z()}));
  }
  hash(bytes_of(std::array{c.length ? 1.0 : 0.0, c.length.value_or(0)}));
}

template <class Hash>
void visit_content(const VooGuide& guide, Hash&& hash) {
  hash(bytes_of(std::array{static_cast<uint64_t>(guide.what), uint64_t{guide.value.size()}}));
  visit_content(guide.on, hash);
  for (const Chart& chart : guide.value) visit_content(chart, hash);
}

template <class Hash>
void visit_content(const VooMember& member, Hash&& hash) {
  visit_content(member.voo, hash);
  hash(bytes_of(std::array{uint64_t{member.drives.size()}, uint64_t{member.travels.size()},
                           uint64_t{member.guides.size()},
                           static_cast<uint64_t>(member.stuff != nullptr)}));
  for (const VooDrive& drive : member.drives) visit_content(drive, hash);
  for (const VooTravel& travel : member.travels) visit_content(travel, hash);
  hash(std::as_bytes(std::span(member.turn.data(), 9)));
  hash(bytes_of(std::array{member.delay}));
  if (member.stuff) visit_content(*member.stuff, hash);
  visit_content(member.constraint, hash);
  for (const VooGuide& guide : member.guides) visit_content(guide, hash);
}

template <class Hash>
void visit_content(const VooTie& tie, Hash&& hash) {
  const VooArthron& a = tie.arthron;
  hash(bytes_of(std::array{uint64_t{a.joints.size()}, static_cast<uint64_t>(a.fixed),
                           static_cast<uint64_t>(tie.move.has_value()),
                           static_cast<uint64_t>(tie.path.has_value())}));
  for (const VooJoint& j : a.joints) {
    hash(bytes_of(std::array{uint64_t{j.voo}, static_cast<uint64_t>(j.end)}));
  }
  const Vec3d p = a.place.value_or(Vec3d::Zero());
  hash(bytes_of(std::array{a.place ? 1.0 : 0.0, p.x(), p.y(), p.z()}));
  if (tie.move) {
    for (const Chart& chart : *tie.move) visit_content(chart, hash);
  }
  if (tie.path) visit_content(*tie.path, hash);
}

template <class Hash>
void visit_content(const VooSet& set, Hash&& hash) {
  hash(bytes_of(std::array{uint64_t{set.members.size()}, uint64_t{set.ties.size()}}));
  for (const VooMember& member : set.members) visit_content(member, hash);
  for (const VooTie& tie : set.ties) visit_content(tie, hash);
}

}  // namespace sinew
