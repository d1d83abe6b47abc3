// What the nodes of vector offset operators share: which operators a node means, and what is
// prepared once for a set.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nodes/content_name.h"
#include "nodes/kernels/voo_motion.h"
#include "nodes/node.h"
#include "nodes/over_seconds.h"

namespace sinew {

// The input `which`: names of operators, or nothing for all.
void declare_which(Declaration& d, In<std::string>& which);
// Those that it names; an error, and none, if it names none.
std::vector<std::size_t> read_which(Exec& e, const In<std::string>& which, const VooSet& set);

// What the motion of the pins follows from that is another in `now` than in `was`, in words; empty:
// it is the same recipe, seen at another moment.
std::string changed_between(const VooSet& was, const VooSet& now);

// Whether a pin of this loses some of its strain to what it did before.
bool creeps(const Material& material);
// Whether what the pin did before makes a difference to what it is now: it creeps, or is let go.
bool remembers(const VooMember& member);
// Warns if one of these remembers, but the node, which says uses_changes(), reads something of its
// own at the moment only that is another from frame to frame. Operators that arrive are not looked
// at: whoever changes them says so.
void warn_of_moments(Exec& e, const VooSet& set, const std::vector<std::size_t>& which);
// The same where that is known to be so. `what`: the reason, in words.
void warn_of_moment(Exec& e, const std::string& what);

// Warns of what those that are made from a pattern do not keep to, though the pattern does.
void warn_of_constraints(Exec& e, const VooSet& patterns);

// All sets that are linked, as one.
VooSet joined_sets(const Exec& e, const InList<VooSet>& sets);

// The set as functions of time, made once for its content.
std::shared_ptr<const kernels::VooMotion> prepared_motion(Exec& e, const VooSet& set);

}  // namespace sinew
