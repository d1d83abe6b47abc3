// What the nodes of vector offset operators share: which operators a node means, numbers over time
// as charts over seconds, and what is prepared once for a set.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nodes/kernels/voo_motion.h"
#include "nodes/node.h"

namespace sinew {

// The input `which`: names of operators, or nothing for all.
void declare_which(Declaration& d, In<std::string>& which);
// Those that it names; an error, and none, if it names none.
std::vector<std::size_t> read_which(Exec& e, const In<std::string>& which, const VooSet& set);

// All sets that are linked, as one.
VooSet joined_sets(const Exec& e, const InList<VooSet>& sets);

// The numbers of an input that was declared with .whole_time(), one chart over seconds for each;
// a constant one where it does not change. The node uses dt.
std::vector<Chart> charts_over_seconds(const Exec& e, const In<float>& in);
std::vector<Chart> charts_over_seconds(const Exec& e, const In<Vec3>& in);
// A chart over time, in seconds whatever it was drawn in.
Chart over_seconds(Chart chart, double dt);
// Whether a chart is this number at all times.
bool is_always(const Chart& chart, double y);

// A key of content, as a name for Exec::prepared.
template <class... Content>
std::string content_name(std::string_view what, const Content&... content) {
  KeyHasher hasher;
  const auto absorb = [&](std::span<const std::byte> bytes) { hasher.bytes(bytes); };
  (visit_content(content, absorb), ...);
  return fmt::format("{} {}", what, hasher.finish().hex());
}

// The set as functions of time, made once for its content.
std::shared_ptr<const kernels::VooMotion> prepared_motion(Exec& e, const VooSet& set);

}  // namespace sinew
