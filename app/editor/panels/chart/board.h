// What the chart editor has before it: the curves that are shown, the one in front, the points that
// are chosen, the part of the plane that is seen; and what can be done with them.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/editor/editor.h"
#include "app/editor/panels/chart/curve_model.h"
#include "app/editor/panels/chart/shown_curves.h"

namespace sinew::editor {

struct ChartView {
  double left = 0, right = 1, low = 0, high = 1;
  bool operator==(const ChartView&) const = default;
};

class ChartBoard {
 public:
  explicit ChartBoard(Editor& e) : editor(e) {}

  Editor& editor;
  std::vector<ShownCurve> curves;
  std::size_t front = 0;
  std::set<PointRef> chosen;
  ChartView view;

  // Once in each frame: what is looked at, as the document is now.
  void refresh();
  ShownCurve* front_curve() { return front < curves.size() ? &curves[front] : nullptr; }
  const ShownCurve* front_curve() const { return front < curves.size() ? &curves[front] : nullptr; }
  bool can_edit() const { return front_curve() && front_curve()->editable(); }
  void bring_to_front(std::size_t index);

  // Writes the front curve. Changes between begin_drag() and end_drag() are one step.
  void change(const CurveModel& model);
  void begin_drag();
  void end_drag();
  // As it was before the drag.
  void cancel_drag();
  bool dragging() const { return dragging_; }

  // ---- What can be done by name
  void fit();
  void choose_all();
  void remove_chosen();
  // By so many small steps of what is seen.
  void nudge(double right, double up);
  void copy_points() const;
  void paste_points();
  void start_with(const ReadyMade& start);
  void set_slopes_automatic();
  // One slope for both sides, where there are two.
  void join_slopes();

 private:
  void follow_selection();
  // What runs along the curves stays in sight, as long as nobody has chosen what is seen.
  void keep_running_in_view();
  // Curves that are changed elsewhere, too, stay in sight as a whole.
  void fit_to_others();
  // Another range of numbers: seen as a whole, also when it is undone.
  void fit_to_change();
  Runners runners_;
  std::optional<ChartFocus> run_on_;  // what was shown since the chosen node runs on it
  ChartView fitted_;                  // what was seen when all was
  ChartFocus focus_;
  int component_ = 0;
  bool fit_wanted_ = true, dragging_ = false;
  int drag_ = 0;
  std::size_t before_drag_ = 0;  // in the history
  uint64_t revision_seen_ = 0;   // of the document
  uint64_t selection_seen_ = 0, document_seen_ = 0;
};

// "1 point", "2 points".
std::string points_text(std::size_t count);

// Steps of 1, 2 or 5 times a power of ten, of which about `count` fit into the range.
double nice_step(double range, double count);

}  // namespace sinew::editor
