#include "nodes/voo_words.h"

#include <algorithm>

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
