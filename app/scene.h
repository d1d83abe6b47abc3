// What of a graph is to be seen: which outputs, the bodies that fields live on, and from an
// evaluation of these the list that the renderer draws. The same for pictures and for the window.
#pragma once

#include <string>
#include <vector>

#include "graph/compiled_graph.h"
#include "graph/document.h"
#include "graph/evaluator.h"
#include "nodes/show.h"
#include "render/draw_list.h"

namespace sinew {

// One scale for each thing that is measured, wide enough for several frames, so that a colour means
// the same number in all of them.
class SteadyScales {
 public:
  // Widens what is kept, so that these values fit in.
  void see(const draw::DrawList& list);
  void see(const SteadyScales& others);
  // Puts what is kept in the place of the list's own scales. Values beyond have the colours of the
  // ends.
  void apply(draw::DrawList& list) const;
  const std::vector<draw::ColourScale>& scales() const { return scales_; }

 private:
  std::vector<draw::ColourScale> scales_;  // one for each title and unit
};

// Where a value was made, behind reroutes and viewers: that node's name says what it is.
Target origin_of(const CompiledGraph& graph, Target at);

class Scene {
 public:
  // `shown`: the outputs that were asked for; none: what the viewers show, or the last outputs of
  // the graph that can be seen. The error says what could be shown instead.
  static Result<Scene> plan(const GraphDoc& doc, GraphPtr graph, std::vector<Target> shown);

  const CompiledGraph& graph() const { return *graph_; }
  // What must be evaluated for it, each once.
  const std::vector<Target>& targets() const { return targets_; }
  // Whether what is seen can differ from frame to frame.
  bool moves() const;

  struct Drawn {
    draw::DrawList list;
    std::vector<std::string> problems;  // what could not be shown, and why
  };
  Drawn draw(const Evaluation& evaluation, const ShowOptions& options) const;

 private:
  struct Part {
    Target value, body;  // body.node < 0: the value is its own
    std::string source, title;
  };

  GraphPtr graph_;
  std::vector<Part> parts_;
  std::vector<Target> targets_;
};

}  // namespace sinew
