// What the monkey thinks of next.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/editor/script/line.h"
#include "app/ui/landmarks.h"
#include "tests/app/monkey.h"

namespace sinew::testing {
namespace {

using editor::quoted_if_needed;

// Ends the program, or asks for another one: what the monkey is kept from.
bool is_forbidden(const std::string& action) { return action == "file.quit"; }

}  // namespace

MonkeyMind::MonkeyMind(uint64_t seed, std::vector<std::string> presets,
                       std::vector<std::string> rubbish)
    : random_(seed), presets_(std::move(presets)), rubbish_(std::move(rubbish)) {}

// Mostly on something that can be clicked, sometimes anywhere, rarely outside.
std::string MonkeyMind::place(int width, int height) {
  const auto& marks = ui::landmarks().all();
  if (!marks.empty() && chance(0.75)) {
    // Kinds first: a hundred parameters must not hide the one button.
    std::vector<std::string> kinds;
    for (const auto& [name, mark] : marks) {
      const std::string kind = name.substr(0, name.find('.'));
      if (kinds.empty() || kinds.back() != kind) kinds.push_back(kind);
    }
    const std::string kind = one_of(kinds) + ".";
    std::vector<std::string> names;
    for (const auto& [name, mark] : marks)
      if (name.starts_with(kind)) names.push_back(name);
    if (!names.empty()) {
      const std::string& name = one_of(names);
      const ui::Landmark& mark = marks.find(name)->second;
      std::uniform_real_distribution<float> x(mark.left, mark.right), y(mark.top, mark.bottom);
      const bool middle = chance(0.5);
      return fmt::format("@ {:.1f} {:.1f}", middle ? mark.middle().x : x(random_),
                         middle ? mark.middle().y : y(random_));
    }
  }
  const int margin = chance(0.02) ? 300 : 0;
  return fmt::format("@ {} {}", below(width + 2 * margin) - margin,
                     below(height + 2 * margin) - margin);
}

std::string MonkeyMind::button() {
  const int which = below(10);
  return which < 7 ? "" : which < 9 ? "right " : "middle ";
}

std::string MonkeyMind::drag(int width, int height) {
  std::string line = "drag " + button() + place(width, height);
  for (int i = below(4) == 0 ? below(6) : 0; i > 0; --i)
    line += fmt::format(" via {:+} {:+}", below(201) - 100, below(201) - 100);
  line += " to ";
  line += chance(0.5) ? place(width, height)
                      : fmt::format("{:+} {:+}", below(401) - 200, below(401) - 200);
  line += fmt::format(" in {}", 1 + below(20));
  if (chance(0.8)) return line;
  const std::string held = one_of<std::string>({"Shift", "Ctrl", "Alt"});
  return fmt::format("hold {}\n{}\nlet {}", held, line, held);
}

std::string MonkeyMind::key(const editor::Editor& editor) {
  static const std::vector<std::string> usual = {
      "Tab",   "Escape", "Return", "Delete", "Backspace", "Space",  "Home",   "End",    "Left",
      "Right", "Up",     "Down",   "PageUp", "PageDown",  "F1",     "A",      "F",      "G",
      "M",     "X",      "1",      "0",      "Ctrl+A",    "Ctrl+C", "Ctrl+X", "Ctrl+V", "Ctrl+D"};
  if (chance(0.5)) return "key " + one_of(usual);
  std::vector<std::string> all;
  for (const editor::Action& a : editor.actions.all())
    if (!a.shortcut.empty() && !is_forbidden(a.id))
      all.push_back(a.shortcut.substr(0, a.shortcut.find(' ')));
  return "key " + (all.empty() ? "Escape" : quoted_if_needed(one_of(all)));
}

std::string MonkeyMind::words() {
  static const std::vector<std::string> some = {
      "jelly",
      "mesh",
      "box",
      "field",
      "sim",
      "0",
      "-1",
      "1e30",
      "0.5",
      "nan",
      "x = 3",
      "12 deg",
      "\"\"",
      " ",
      "{}",
      "#",
      "/",
      "../..",
      "[1, 2",
      "%n%s",
      "ä水母🪼",
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
  return "type " + quoted_if_needed(one_of(some));
}

std::string MonkeyMind::storm() {
  std::string lines;
  for (int i = 1 + below(25); i > 0; --i)
    lines += chance(0.6) ? "key Ctrl+Z\n" : "key Ctrl+Shift+Z\n";
  return lines;
}

std::string MonkeyMind::action(const editor::Editor& editor) {
  std::vector<std::string> can;
  for (const editor::Action& a : editor.actions.all())
    if (!is_forbidden(a.id) && (!a.enabled || a.enabled())) can.push_back(a.id);
  return can.empty() ? "frames 1" : "action " + quoted_if_needed(one_of(can));
}

std::string MonkeyMind::size() {
  if (chance(0.2)) return fmt::format("size {}x{}", 1 + below(90), 1 + below(90));
  return fmt::format("size {}x{}", 300 + below(1700), 200 + below(1000));
}

std::string MonkeyMind::next(const editor::Editor& editor, int width, int height) {
  const int kind = below(1000);
  if (kind < 60) return "move " + place(width, height);
  if (kind < 350) {
    const std::string twice = chance(0.15) ? "double " : "";
    return "click " + button() + twice + place(width, height);
  }
  if (kind < 560) return drag(width, height);
  if (kind < 640) return fmt::format("wheel {} {}", place(width, height), below(13) - 6);
  if (kind < 780) return key(editor);
  if (kind < 840) return words();
  if (kind < 860) return "key Escape Escape";
  if (kind < 880) return storm();
  if (kind < 930) return action(editor);
  if (kind < 940) return size();
  if (kind < 955) return chance(0.5) ? "play live" : "play timeline";
  if (kind < 965) return "pause";
  if (kind < 972)
    return "move " + place(width, height) + "\ndrop " + quoted_if_needed(one_of(rubbish_));
  if (kind < 980)
    return "move " + place(width, height) + "\ndrop " + quoted_if_needed(one_of(presets_));
  if (kind < 985) return "open " + quoted_if_needed(one_of(presets_));
  return fmt::format("frames {}", 1 + below(30));
}

}  // namespace sinew::testing
