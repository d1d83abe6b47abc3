// Names for places on the screen: "node.bell", "param.speed", "menu.File". Scripts, recordings and
// tests find by them what a person finds by looking. Nobody pays for them unless somebody listens.
#pragma once

#include <imgui.h>

#include <map>
#include <string>
#include <string_view>

namespace sinew::ui {

struct Landmark {
  float left = 0, top = 0, right = 0, bottom = 0;  // pixels of the window
  bool passing = false;  // comes and goes by itself: can be looked for, but nothing is found by it
  ImVec2 middle() const { return {(left + right) / 2, (top + bottom) / 2}; }
  bool holds(float x, float y) const { return x >= left && x < right && y >= top && y < bottom; }
};

class Landmarks {
 public:
  bool listening = false;

  void clear() { all_.clear(); }
  // What is cut off by the current window's border is not part of it, and what is wholly cut off
  // is no landmark.
  void put(std::string name, ImVec2 from, ImVec2 to, bool passing = false);
  const std::map<std::string, Landmark, std::less<>>& all() const { return all_; }
  const Landmark* find(std::string_view name) const;
  // The smallest lasting one that holds the place; empty: none.
  std::string at(float x, float y) const;

 private:
  std::map<std::string, Landmark, std::less<>> all_;
};

Landmarks& landmarks();

// The last item of Dear ImGui gets a name.
inline void mark(std::string_view kind, std::string_view name) {
  if (!landmarks().listening) return;
  landmarks().put(std::string(kind) + "." + std::string(name), ImGui::GetItemRectMin(),
                  ImGui::GetItemRectMax());
}
// A rectangle of the screen gets one.
inline void mark_area(std::string_view kind, std::string_view name, ImVec2 from, ImVec2 to) {
  if (!landmarks().listening) return;
  landmarks().put(std::string(kind) + "." + std::string(name), from, to);
}

// One that the next frame may not have.
inline void mark_passing(std::string_view kind, std::string_view name, ImVec2 from, ImVec2 to) {
  if (!landmarks().listening) return;
  landmarks().put(std::string(kind) + "." + std::string(name), from, to, true);
}

}  // namespace sinew::ui
