#include "nodes/geometry/voo_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "nodes/geometry/name_patterns.h"

namespace sinew {

namespace {

using Problem = std::optional<std::string>;

Problem wrong_stuff(const VooStuff& stuff) {
  if (auto wrong = validate(stuff.material)) return fmt::format("its material: {}", *wrong);
  double last = -std::numeric_limits<double>::infinity();
  for (const auto& [t, held] : stuff.hold) {
    if (!(t > last) || !std::isfinite(t)) return "the moments of its holds must increase";
    last = t;
  }
  if (!(stuff.catching >= 0 && stuff.catching <= longest_duration) ||
      !std::isfinite(stuff.creep_start)) {
    return "its catching and the start of its creep must be finite times";
  }
  last = -std::numeric_limits<double>::infinity();
  for (const VooPull& pull : stuff.pulls) {
    if (pull.places.empty()) return "a pull has no places";
    for (const auto& [t, place] : pull.places) {
      if (!(t >= last) || !std::isfinite(t)) return "the moments of its pulls must increase";
      if (!place.allFinite()) return "a place to which it is pulled is not finite";
      last = t;
    }
    if (pull.released && !(*pull.released >= last)) return "a pull ends before it is over";
    last = pull.released.value_or(last);
  }
  return std::nullopt;
}

Problem wrong_member(const VooMember& member) {
  if (auto wrong = validate(member.voo)) return wrong;
  for (const VooDrive& drive : member.drives) {
    for (const Chart* chart : {&drive.chart, &drive.by}) {
      if (auto wrong = validate(*chart)) return fmt::format("a chart over time: {}", *wrong);
    }
  }
  for (const VooTravel& travel : member.travels) {
    if (auto wrong = validate(travel.path)) return fmt::format("its motion path: {}", *wrong);
  }
  for (const VooGuide& guide : member.guides) {
    if (guide.value.size() != (guide.what == VooKept::length ? 1 : 3)) {
      return "a constraint over time has not as many charts as numbers";
    }
    if (auto wrong = validate(guide.on)) return fmt::format("a constraint over time: {}", *wrong);
    for (const Chart& chart : guide.value) {
      if (auto wrong = validate(chart)) return fmt::format("a constraint over time: {}", *wrong);
    }
  }
  if (!std::isfinite(member.delay) || !member.turn.allFinite()) {
    return "its delay and its turn must be finite";
  }
  return member.stuff ? wrong_stuff(*member.stuff) : std::nullopt;
}

Problem wrong_tie(const VooTie& tie, std::size_t members) {
  for (const VooJoint& j : tie.arthron.joints) {
    if (j.voo >= members) {
      return fmt::format("it joins operator {}, but there are {}", j.voo + 1, members);
    }
  }
  if (tie.arthron.place && !tie.arthron.place->allFinite()) return "its place is not finite";
  if (tie.move) {
    for (const Chart& chart : *tie.move) {
      if (auto wrong = validate(chart)) return fmt::format("a chart of its move: {}", *wrong);
    }
  }
  if (tie.path) {
    if (auto wrong = validate(*tie.path)) return fmt::format("its motion path: {}", *wrong);
  }
  return std::nullopt;
}

}  // namespace

bool VooMember::operator==(const VooMember& other) const {
  const bool same_stuff = stuff == other.stuff || (stuff && other.stuff && *stuff == *other.stuff);
  return same_stuff && voo == other.voo && drives == other.drives && travels == other.travels &&
         turn == other.turn && delay == other.delay && constraint == other.constraint &&
         guides == other.guides;
}

bool VooSet::is_articulated() const {
  return !ties.empty() || std::any_of(members.begin(), members.end(), [](const VooMember& m) {
    return m.constraint.any() || !m.guides.empty();
  });
}

std::string called(const VooSet& set, std::size_t member) {
  const std::string& name = set.members[member].voo.name;
  return name.empty() ? fmt::format("operator {}", member + 1) : fmt::format("'{}'", name);
}

std::optional<std::string> validate(const VooSet& set) {
  if (set.size() > most_voos) {
    return fmt::format("there are {} operators, but at most {} are taken", set.size(), most_voos);
  }
  if (!std::isfinite(set.time)) return "its moment is not finite";
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (auto wrong = wrong_member(set.members[i])) {
      return fmt::format("{}: {}", called(set, i), *wrong);
    }
  }
  for (std::size_t i = 0; i < set.ties.size(); ++i) {
    if (auto wrong = wrong_tie(set.ties[i], set.size())) {
      return fmt::format("arthron {}: {}", i + 1, *wrong);
    }
  }
  return std::nullopt;
}

std::size_t byte_size(const VooSet& set) {
  std::size_t sum = sizeof set;
  for (const VooMember& m : set.members) {
    sum += sizeof m - sizeof m.voo + byte_size(m.voo);
    for (const VooDrive& drive : m.drives) {
      sum += sizeof drive + byte_size(drive.chart) + byte_size(drive.by);
    }
    for (const VooTravel& travel : m.travels) sum += sizeof travel + byte_size(travel.path);
    for (const VooGuide& guide : m.guides) {
      sum += sizeof guide + byte_size(guide.on);
      for (const Chart& chart : guide.value) sum += byte_size(chart);
    }
    if (!m.stuff) continue;
    sum += byte_size(m.stuff->material);
    for (const VooPull& pull : m.stuff->pulls) {
      sum += sizeof pull + pull.places.size() * sizeof pull.places[0];
    }
  }
  for (const VooTie& tie : set.ties) {
    sum += sizeof tie + tie.arthron.joints.size() * sizeof(VooJoint);
    if (tie.path) sum += byte_size(*tie.path);
  }
  return sum;
}

void append(VooSet& to, const VooSet& from) {
  const auto first = static_cast<uint32_t>(to.size());
  to.time = std::max(to.time, from.time);
  to.members.insert(to.members.end(), from.members.begin(), from.members.end());
  for (VooTie tie : from.ties) {
    for (VooJoint& j : tie.arthron.joints) j.voo += first;
    to.ties.push_back(std::move(tie));
  }
}

std::vector<std::size_t> named_members(const VooSet& set, const std::string& names) {
  return named_of(set.size(), names,
                  [&](std::size_t i) -> const std::string& { return set.members[i].voo.name; });
}

}  // namespace sinew
