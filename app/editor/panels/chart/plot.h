// The plane of the chart editor: draws the curves of a board, and is where a hand takes hold of
// their points, slopes and marks.
#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <vector>

#include "app/editor/panels/chart/board.h"

namespace sinew::editor {

class ChartPlot {
 public:
  explicit ChartPlot(ChartBoard& board) : board_(board) {}
  void draw(ImVec2 size);

 private:
  enum class Kind : unsigned char { nothing, point, slope_in, slope_out, mark, time, curve, other };
  // What is under the mouse.
  struct Hot {
    Kind kind = Kind::nothing;
    PointRef point;
    std::size_t index = 0;  // of a mark, or of another curve
  };
  enum class Doing : unsigned char { nothing, move, slope, mark, scrub, box, pan };

  // ---- plot.cpp: what is seen
  void set_up_axes();
  void draw_grid();
  void draw_curves();
  void draw_curve(const ShownCurve& curve, const Value& value, bool back, ImU32 colour, float width,
                  bool dashed) const;
  void draw_marks();
  void draw_time();
  void draw_points();
  void draw_running();
  std::string running_text(const ShownCurve& curve, const RunningMark& mark) const;
  ImVec4 room_beside(ImVec2 dot, ImVec2 size, const std::vector<ImVec4>& taken) const;
  void draw_slopes(PointRef ref);
  void draw_box() const;
  void mark_places() const;
  ImVec2 pixel(double x, double y) const;
  // The place nearest to it that is seen.
  ImVec2 kept_inside(ImVec2 at) const;
  bool is_seen(ImVec2 at) const;
  // Where the handle of a slope is; nothing where there is none.
  std::optional<ImVec2> handle(PointRef ref, bool out) const;
  double slope_shown(const CurvePoint& point, bool out) const;
  double value_at(const ShownCurve& curve, double x, bool back) const;

  // ---- plot_hand.cpp: what a hand does
  void handle_mouse();
  Hot find_hot(ImVec2 mouse) const;
  float distance_to(const ShownCurve& curve, bool back, ImVec2 mouse) const;
  void press(ImVec2 mouse);
  void press_point(PointRef ref);
  void add_at(ImVec2 mouse, bool then_drag);
  void go_on(ImVec2 mouse);
  void drag_points();
  void drag_slope(ImVec2 mouse);
  void drag_mark();
  void choose_in_box(ImVec2 mouse);
  void finish();
  void cancel();
  void right_click(ImVec2 mouse);
  void draw_menu();
  void say_hint() const;
  double snapped_x(double x) const;
  double snapped_y(double y) const;
  // What a pixel is; on a ratio axis a part of the value.
  double pixel_x() const { return (held_view_.right - held_view_.left) / area_.x; }
  double pixel_y() const;

  ChartBoard& board_;
  ImVec2 from_{0, 0}, area_{1, 1};  // of the plane, in pixels
  double step_x_ = 1, step_y_ = 1;  // of the grid
  Hot hot_;
  Doing doing_ = Doing::nothing;
  Hot held_;
  ChartView held_view_;  // as it was when the hand took hold: a view that grows moves nothing
  CurveModel held_model_;
  ImVec2 way_{0, 0};  // pixels that the hand has gone; less if it is to be finer
  ImVec2 pressed_{0, 0};
  bool moved_ = false, toggle_on_release_ = false, only_on_release_ = false;
  std::set<PointRef> chosen_before_;
  double menu_x_ = 0, menu_y_ = 0;
};

}  // namespace sinew::editor
