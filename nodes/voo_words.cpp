#include "nodes/voo_words.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace sinew {

namespace {

// Paths carry a moment, which is another in every frame and means nothing to a recipe.
VooSet without_moments(VooSet set) {
  for (VooMember& member : set.members) {
    for (VooTravel& travel : member.travels) travel.path.time = 0;
  }
  for (VooTie& tie : set.ties) {
    if (tie.path) tie.path->time = 0;
  }
  return set;
}

// The first thing that moves the pin, or says what its motion does.
const char* changed_of(const VooMember& a, const VooMember& b) {
  if (a.voo.rest.head != b.voo.rest.head) return "the place of the head at rest";
  if (a.voo.rest.tip != b.voo.rest.tip) return "the place of the tip at rest";
  if (a.voo.rest.twist != b.voo.rest.twist) return "the twist at rest";
  if (a.voo.coefficients != b.voo.coefficients) return "a coefficient";
  if (a.drives != b.drives) return "a chart over time";
  if (a.travels != b.travels) return "a motion path";
  if (a.delay != b.delay) return "the delay";
  if (a.turn != b.turn) return "the direction in the array";
  return a.constraint == b.constraint && a.guides == b.guides ? nullptr : "a constraint";
}

// The first input of the node that changes and that it reads at the moment.
std::optional<std::string> changing_input(const Exec& e) {
  const std::vector<InputInfo>& inputs = e.type().inputs;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (inputs[k].type == &type_of<VooSet>() || !e.changes(static_cast<int>(k))) continue;
    return fmt::format("'{}'", inputs[k].name);
  }
  return std::nullopt;
}

}  // namespace

void declare_which(Declaration& d, In<std::string>& which) {
  d.in(which, "which", std::string())
      .doc(
          "The operators that are meant, by name or number, separated by commas; * stands for any "
          "letters. Empty: all of them.");
}

std::vector<std::size_t> read_which(Exec& e, const In<std::string>& which, const VooSet& set) {
  std::vector<std::size_t> found = named_members(set, e.get(which));
  if (found.empty() && set.size() > 0) {
    std::string names;
    for (std::size_t i = 0; i < std::min<std::size_t>(set.size(), 8); ++i) {
      names += (i > 0 ? ", " : "") + called(set, i);
    }
    e.error("'which' names no operator; there are {}{}", names, set.size() > 8 ? ", ..." : "");
  }
  return found;
}

bool creeps(const Material& material) {
  return material.viscosity != 0 && !is_always(material.gradient, 0);
}

bool remembers(const VooMember& member) {
  if (!member.stuff) return false;
  const VooStuff& stuff = *member.stuff;
  const bool lets_go =
      std::any_of(stuff.hold.begin(), stuff.hold.end(), [](const auto& h) { return !h.second; });
  return creeps(stuff.material) || lets_go || !stuff.pulls.empty();
}

void warn_of_moments(Exec& e, const VooSet& set, const std::vector<std::size_t>& which) {
  const bool any = std::any_of(which.begin(), which.end(),
                               [&](std::size_t i) { return remembers(set.members[i]); });
  if (!any) return;
  if (const auto what = changing_input(e)) warn_of_moment(e, *what);
}

void warn_of_moment(Exec& e, const std::string& what) {
  e.warning(
      "{} changes from frame to frame and is known at the moment only, so that creep and swings "
      "are as if it had always been as it is now; move the pin by Move Operators or by an "
      "arthron, whose moves are known at all times",
      what);
}

void warn_of_constraints(Exec& e, const VooSet& patterns) {
  static const std::pair<VooKept, const char*> words[] = {{VooKept::head, "the place of the head"},
                                                          {VooKept::tip, "the place of the tip"},
                                                          {VooKept::length, "the length"},
                                                          {VooKept::direction, "the direction"},
                                                          {VooKept::aim, "the aim"}};
  std::vector<std::string> kept;
  for (const auto& [what, word] : words) {
    const auto keeps = [what = what](const VooMember& m) {
      const VooConstraint& c = m.constraint;
      const bool always[] = {c.head.has_value(), c.tip.has_value(), c.length.has_value(),
                             c.direction.has_value(), c.aim.has_value()};
      return always[static_cast<std::size_t>(what)] ||
             std::any_of(m.guides.begin(), m.guides.end(),
                         [&](const VooGuide& g) { return g.what == what; });
    };
    if (std::any_of(patterns.members.begin(), patterns.members.end(), keeps)) kept.push_back(word);
  }
  if (!patterns.ties.empty()) kept.push_back("its arthra");
  if (kept.empty()) return;
  e.warning(
      "what the pattern keeps to is not handed on to those that are made from it: {}; constrain "
      "and join them after this node",
      fmt::join(kept, ", "));
}

VooSet joined_sets(const Exec& e, const InList<VooSet>& sets) {
  VooSet all;
  for (const VooSet* set : e.get(sets)) append(all, *set);
  return all;
}

std::string changed_between(const VooSet& was, const VooSet& now) {
  if (was.size() != now.size()) return "how many operators there are";
  const VooSet before = without_moments(was), after = without_moments(now);
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (const char* what = changed_of(before.members[i], after.members[i])) {
      return fmt::format("{} of {}", what, called(after, i));
    }
  }
  return before.ties == after.ties ? "" : "an arthron";
}

std::shared_ptr<const kernels::VooMotion> prepared_motion(Exec& e, const VooSet& set) {
  VooSet recipe = without_moments(set);
  const std::string name = content_name("voo motion", recipe);
  return e.prepared<kernels::VooMotion>(name, [&] {
    return stoppable(e,
                     [&](CancelView stop) { return kernels::VooMotion(std::move(recipe), stop); });
  });
}

}  // namespace sinew
