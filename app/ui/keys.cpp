#include "app/ui/keys.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace sinew::ui {
namespace {

std::map<std::string, ImGuiKey, std::less<>> all_keys() {
  std::map<std::string, ImGuiKey, std::less<>> keys = {
      {"Space", ImGuiKey_Space},
      {"Return", ImGuiKey_Enter},
      {"Enter", ImGuiKey_Enter},
      {"Escape", ImGuiKey_Escape},
      {"Esc", ImGuiKey_Escape},
      {"Tab", ImGuiKey_Tab},
      {"Backspace", ImGuiKey_Backspace},
      {"Delete", ImGuiKey_Delete},
      {"Insert", ImGuiKey_Insert},
      {"Home", ImGuiKey_Home},
      {"End", ImGuiKey_End},
      {"PageUp", ImGuiKey_PageUp},
      {"PageDown", ImGuiKey_PageDown},
      {"Left", ImGuiKey_LeftArrow},
      {"Right", ImGuiKey_RightArrow},
      {"Up", ImGuiKey_UpArrow},
      {"Down", ImGuiKey_DownArrow},
      {"Left Ctrl", ImGuiKey_LeftCtrl},
      {"Right Ctrl", ImGuiKey_RightCtrl},
      {"Left Shift", ImGuiKey_LeftShift},
      {"Right Shift", ImGuiKey_RightShift},
      {"Left Alt", ImGuiKey_LeftAlt},
      {"Right Alt", ImGuiKey_RightAlt},
      {",", ImGuiKey_Comma},
      {".", ImGuiKey_Period},
      {"/", ImGuiKey_Slash},
      {"-", ImGuiKey_Minus},
      {"=", ImGuiKey_Equal},
      {"+", ImGuiKey_Equal},
      {"[", ImGuiKey_LeftBracket},
      {"]", ImGuiKey_RightBracket},
      {"\\", ImGuiKey_Backslash},
      {";", ImGuiKey_Semicolon},
      {"'", ImGuiKey_Apostrophe},
      {"`", ImGuiKey_GraveAccent},
      {"Keypad Enter", ImGuiKey_KeypadEnter},
      {"Keypad +", ImGuiKey_KeypadAdd},
      {"Keypad -", ImGuiKey_KeypadSubtract},
      {"Keypad .", ImGuiKey_KeypadDecimal},
  };
  for (int i = 0; i < 26; ++i)
    keys[std::string(1, static_cast<char>('A' + i))] = static_cast<ImGuiKey>(ImGuiKey_A + i);
  for (int i = 0; i < 10; ++i) {
    keys[std::string(1, static_cast<char>('0' + i))] = static_cast<ImGuiKey>(ImGuiKey_0 + i);
    keys["Keypad " + std::to_string(i)] = static_cast<ImGuiKey>(ImGuiKey_Keypad0 + i);
  }
  for (int i = 0; i < 12; ++i)
    keys["F" + std::to_string(i + 1)] = static_cast<ImGuiKey>(ImGuiKey_F1 + i);
  return keys;
}

}  // namespace

ImGuiKey key_from_name(std::string_view name) {
  static const auto keys = all_keys();
  const auto found = keys.find(name);
  if (found != keys.end()) return found->second;
  if (name.size() != 1) return ImGuiKey_None;
  const auto upper = keys.find(std::string(1, static_cast<char>(std::toupper(name[0]))));
  return upper == keys.end() ? ImGuiKey_None : upper->second;
}

std::optional<ImGuiKeyChord> chord_from_text(std::string_view text) {
  ImGuiKeyChord chord = 0;
  // The last plus sign may be the key itself: "Ctrl++".
  for (;;) {
    const std::size_t plus = text.find('+');
    if (plus == std::string_view::npos || plus == 0 || plus + 1 == text.size()) break;
    const std::string_view held = text.substr(0, plus);
    if (held == "Ctrl")
      chord |= ImGuiMod_Ctrl;
    else if (held == "Shift")
      chord |= ImGuiMod_Shift;
    else if (held == "Alt")
      chord |= ImGuiMod_Alt;
    else
      return std::nullopt;
    text.remove_prefix(plus + 1);
  }
  const ImGuiKey key = key_from_name(text);
  if (key == ImGuiKey_None) return std::nullopt;
  return chord | key;
}

}  // namespace sinew::ui
