// Keys on the timeline: where the animated parameters of the chosen nodes have points, which can be
// dragged to another time, and at which frames something happens to a body.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/editor/editor.h"

namespace sinew::editor {

// A point in time that a parameter names.
struct TimeKey {
  std::string node, input;
  int index = 0;      // which of the parameter's, by their frames
  double frame = 0;   // where it is
  bool moves = true;  // whether it can be dragged
};

// Those of a parameter as the document says it, in the order of their frames. `type`: of the input;
// nullptr: not known.
std::vector<TimeKey> time_keys(const std::string& node, const std::string& input, const Json& param,
                               const TypeInfo* type, double fps);
// The parameter with all points that lie at the time of one key brought to another frame; they stay
// between their neighbours. Nothing if there is no such key.
std::optional<Json> retimed(const Json& param, int index, double frame, double fps);

class KeyLane {
 public:
  explicit KeyLane(Editor& editor) : editor_(editor) {}

  // Draws them between two heights, over the last item, and lets them be dragged. True while the
  // mouse is at one, so that nobody else takes it.
  bool draw(float top, float bottom, const std::function<float(double)>& x_of,
            const std::function<double(float)>& frame_at);

 private:
  void gather();
  void drag(double frame);

  Editor& editor_;
  std::vector<TimeKey> keys_;
  uint64_t revision_ = 0, selection_ = 0;
  std::optional<TimeKey> dragged_;
};

}  // namespace sinew::editor
