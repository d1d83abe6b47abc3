// What runs along curves of other nodes (Declaration::running): on which curve, and where it is
// now.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/editor/editor.h"

namespace sinew::editor {

// Where something is on a curve at this moment.
struct RunningMark {
  std::string path;  // of the node that runs there
  double x = 0, y = 0;
};

class Runners {
 public:
  // To be called before the others: looks at the graph if it is another one.
  void update(const Session& session);
  // What runs on the curve of the node with this path, as far as it is known.
  std::vector<RunningMark> on(Editor& editor, const std::string& path,
                              const std::string& curve) const;
  // The curve that a node of the graph that is looked at runs on: to be changed if it is an input
  // of a node there, else to be seen.
  std::optional<ChartFocus> curve_of(const Session& session, const NodeDoc& node) const;

 private:
  struct Runner {
    std::string path;
    int x = -1, y = -1;        // outputs
    std::string maker, curve;  // the node with the curve, by its path, and which
  };
  std::vector<Runner> runners_;
  uint64_t seen_ = 0;  // the revision that they were found in
};

}  // namespace sinew::editor
