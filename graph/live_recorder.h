// Turns what was done live into part of the document: each parameter that was changed while the
// live clock ran becomes a chart that holds each value from the frame it was set at, or, where the
// value is not made of numbers (a chart, strokes, touches; the name of a choice as a text), a list
// of values and their frames. Played on the timeline, the simulations see the same inputs at the
// same frames and give the same bits.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "graph/commands.h"
#include "graph/registry.h"

namespace sinew {

class LiveRecorder {
 public:
  // Where the parameter stood when recording began; to be called before its first event.
  void begin(const std::string& node, const std::string& input, int frame, const Value& value) {
    events_.try_emplace({node, input}, Track{{frame, value}});
  }
  void event(const std::string& node, const std::string& input, int frame, const Value& value) {
    events_[{node, input}].emplace_back(frame, value);
  }
  // How many changes there were so far.
  size_t count() const;
  bool has(const std::string& node, const std::string& input) const {
    return events_.contains({node, input});
  }
  // The clock was set back to a frame: what came after it did not happen.
  void cut_after(int frame);
  // The node is gone.
  void forget(const std::string& node);
  // Which parameters were changed.
  std::vector<std::pair<std::string, std::string>> places() const;
  bool empty() const { return events_.empty(); }
  void clear() { events_.clear(); }

  // One undoable command for all of it, or why a parameter cannot be written down.
  Result<Command> to_command(const Registry& registry, const std::string& graph) const;

 private:
  using Track = std::vector<std::pair<int, Value>>;
  std::map<std::pair<std::string, std::string>, Track> events_;
};

}  // namespace sinew
