#include "app/editor/preset_card.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "app/ui/landmarks.h"
#include "app/ui/widgets.h"

namespace sinew::editor {
namespace {

std::string initials(const std::string& title) {
  std::string letters;
  bool begins = true;
  for (const char c : title) {
    const bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (begins && letter && letters.size() < 2)
      letters += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    begins = !letter;
  }
  return letters;
}

// As much of the area as a picture of this shape fills.
std::pair<ImVec2, ImVec2> fitted_into(ImVec2 from, ImVec2 to, float shape) {
  const float wide = to.x - from.x, high = to.y - from.y;
  const float width = std::min(wide, high * shape), height = width / shape;
  const ImVec2 middle((from.x + to.x) / 2, (from.y + to.y) / 2);
  return {ImVec2(middle.x - width / 2, middle.y - height / 2),
          ImVec2(middle.x + width / 2, middle.y + height / 2)};
}

// The frame of its film that is due; false if it has none.
bool paint_film(Editor& editor, const PresetInfo& preset, ImVec2 from, ImVec2 to) {
  const PresetPictures::Film* film = editor.pictures.film(preset);
  if (!film) return false;
  const FilmFacts& f = film->facts;
  const int frame = static_cast<int>(ImGui::GetTime() / f.seconds * f.frames) % f.frames;
  const int rows = (f.frames + f.columns - 1) / f.columns;
  const float wide = 1.0f / static_cast<float>(f.columns), high = 1.0f / static_cast<float>(rows);
  const auto x = static_cast<float>(frame % f.columns), y = static_cast<float>(frame / f.columns);
  const auto [left, right] =
      fitted_into(from, to, static_cast<float>(f.width) / static_cast<float>(f.height));
  ImGui::GetWindowDrawList()->AddImage(film->texture.ref(), left, right, ImVec2(x * wide, y * high),
                                       ImVec2((x + 1) * wide, (y + 1) * high));
  ui::mark_passing("film", preset.file.stem().string(), left, right);
  editor.want_frames(0.2);
  return true;
}

}  // namespace

void paint_preset(Editor& editor, const PresetInfo& preset, ImVec2 from, ImVec2 to, bool playing) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ui::Theme& t = ui::theme();
  const float rounding = ui::px(4);
  const ImU32 colour = ui::category_colour(preset.category);
  const ui::Texture* texture = editor.pictures.get(preset);
  list.AddRectFilled(from, to, ui::mixed(t.back, t.field, 0.6f), rounding);
  if (playing && paint_film(editor, preset, from, to)) return;
  if (texture && *texture) {
    const auto [left, right] = fitted_into(
        from, to, static_cast<float>(texture->width()) / static_cast<float>(texture->height()));
    list.AddImage(texture->ref(), left, right);
    return;
  }
  list.AddRectFilled(from, to, ui::with_alpha(colour, preset.error.empty() ? 0.35f : 0.1f),
                     rounding);
  if (!preset.error.empty()) {
    ui::draw_icon(list, ui::Icon::warning, ImVec2((from.x + to.x) / 2, (from.y + to.y) / 2),
                  0.5f * (to.y - from.y), t.warning);
    return;
  }
  const std::string letters = initials(preset.title);
  const float size = 0.45f * (to.y - from.y);
  if (size < 4) return;
  const ImVec2 extent = ImGui::GetFont()->CalcTextSizeA(size, FLT_MAX, 0, letters.c_str());
  list.AddText(nullptr, size,
               ImVec2((from.x + to.x - extent.x) / 2, (from.y + to.y - extent.y) / 2),
               ui::with_alpha(t.text, 0.75f), letters.c_str());
}

void hover_preset(Editor& editor, const PresetInfo& preset) {
  if (!ImGui::BeginItemTooltip()) return;
  ImGui::PushTextWrapPos(ui::px(320));
  ImGui::TextUnformatted(preset.title.c_str());
  ImGui::PushStyleColor(ImGuiCol_Text, ui::theme().dim);
  ImGui::TextUnformatted(preset.name.c_str());
  ImGui::PopStyleColor();
  const std::string& text = preset.error.empty() ? preset.meta.description : preset.error;
  if (!text.empty()) ImGui::TextUnformatted(text.c_str());
  if (const auto users = editor.library.used_by(preset); !users.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, ui::theme().dim);
    ImGui::TextUnformatted(fmt::format("Used by {}", joined(users)).c_str());
    ImGui::PopStyleColor();
  }
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void mark_preset(const char* kind, const PresetInfo& preset) {
  ui::mark(kind, preset.file.stem().string());
  ui::mark(kind, preset.name);
}

std::string joined(const std::vector<std::string>& words, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < words.size() && i < most; ++i)
    text += (text.empty() ? "" : ", ") + words[i];
  if (words.size() > most) text += fmt::format(" and {} more", words.size() - most);
  return text;
}

}  // namespace sinew::editor
