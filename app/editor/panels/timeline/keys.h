// Keys on the timeline: where the animated parameters of the chosen nodes have points, and at which
// frames something happens to a body. They can be dragged to another time, removed, and, of types
// that say how (FramesForm), added.
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
  bool removes = true;
};

// Those of a parameter as the document says it, in the order of their frames. `type`: of the input;
// nullptr: not known.
std::vector<TimeKey> time_keys(const std::string& node, const std::string& input, const Json& param,
                               const TypeInfo* type, double fps);
// The parameter with all points that lie at the time of one key brought to another frame; they stay
// between their neighbours. Nothing if there is no such key.
std::optional<Json> retimed(const Json& param, int index, double frame, const TypeInfo* type,
                            double fps);
// The parameter without that key; nothing if there is none, or if it cannot be without.
std::optional<Json> without_key(const Json& param, int index, const TypeInfo* type, double fps);

class KeyLane {
 public:
  explicit KeyLane(Editor& editor) : editor_(editor) {}

  // Draws them between two heights, over the last item, and lets them be dragged. True while the
  // mouse is at one, so that nobody else takes it.
  bool draw(float top, float bottom, const std::function<float(double)>& x_of,
            const std::function<double(float)>& frame_at);

  // The key under the mouse.
  bool has_hot() const { return hot_.has_value(); }
  void remove_hot();
  // Whether one of the chosen nodes can be given keys by hand; gives it one.
  bool can_add() const;
  void add(double frame);

 private:
  void gather();
  void drag(double frame);
  void remove(const TimeKey& key);
  void say_hint(const TimeKey& near) const;
  // Another step of the history: the parameter as it is now.
  void set(const std::string& words, const TimeKey& key, Json param, const std::string& merge);

  Editor& editor_;
  std::vector<TimeKey> keys_;
  uint64_t revision_ = 0, selection_ = 0;
  std::optional<TimeKey> dragged_, hot_;
  float pressed_x_ = 0;
  bool moved_ = false;  // else it was a click
};

}  // namespace sinew::editor
