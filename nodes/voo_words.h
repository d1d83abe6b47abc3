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

// All sets that are linked, as one.
VooSet joined_sets(const Exec& e, const InList<VooSet>& sets);

// The set as functions of time, made once for its content.
std::shared_ptr<const kernels::VooMotion> prepared_motion(Exec& e, const VooSet& set);

}  // namespace sinew
