#include "app/editor/panels/canvas/search.h"

#include <algorithm>
#include <cctype>

#include "app/editor/editor.h"
#include "app/editor/panels/canvas/fit.h"
#include "app/editor/titles.h"
#include "app/library/names.h"
#include "app/ui/landmarks.h"
#include "app/ui/widgets.h"

namespace sinew::editor::canvas {
namespace {

constexpr const char* popup_name = "add a node";

// How well a type of node goes with the end of a link; 0: not at all.
int fits(const Registry& registry, const NodeType& type, const LinkEnd& end) {
  int in = 0, out = 0;
  if (end.is_output) best_input(registry, type.inputs, end.type, &in);
  if (end.input) best_output(registry, type.outputs, *end.input, &out);
  if (end.beyond) return std::min(in, out);
  return end.is_output ? in : out;
}

bool group_fits(const Registry& registry, const GroupDoc& group, const LinkEnd& end) {
  const bool takes =
      std::any_of(group.inputs.begin(), group.inputs.end(), [&](const InterfaceItem& item) {
        InputInfo info;
        info.type = registry.find_type(item.type);
        return fit(registry, end.type, info) > 0;
      });
  const bool gives =
      end.input &&
      std::any_of(group.outputs.begin(), group.outputs.end(), [&](const InterfaceItem& item) {
        return fit(registry, registry.find_type(item.type), *end.input) > 0;
      });
  if (end.beyond) return takes && gives;
  return end.is_output ? takes : gives;
}

// The label counts most, then the name, then what it is about.
int score_of(const std::string& words, const SearchAdd::Item& item) {
  if (words.empty()) return 0;
  const int label = library::fuzzy_score(words, item.label);
  const int name = library::fuzzy_score(words, item.name);
  const int category = library::fuzzy_score(words, item.category + " " + item.label);
  int best = -1;
  if (label >= 0) best = std::max(best, 2 * label + 40);
  if (name >= 0) best = std::max(best, 2 * name);
  if (category >= 0) best = std::max(best, category);
  // Who types a whole name means it, however well others fit.
  constexpr int whole_name = 1000;
  const bool whole = std::equal(
      words.begin(), words.end(), item.label.begin(), item.label.end(),
      [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
  return whole ? best + whole_name : best;
}

}  // namespace

std::vector<SearchAdd::Item> SearchAdd::find(const Session& session, const std::string& words,
                                             const std::optional<LinkEnd>& end) {
  const Registry& registry = session.registry();
  std::vector<Item> items;
  const bool in_group = !session.graph_name().empty();
  const auto add = [&](Item item, int bonus) {
    item.score = score_of(words, item);
    if (item.score < 0) return;
    item.score += bonus;
    items.push_back(std::move(item));
  };
  for (const NodeType* type : registry.nodes()) {
    const bool is_end = type->role == NodeRole::group_input || type->role == NodeRole::group_output;
    if (type->role == NodeRole::group || (is_end && (!in_group || end))) continue;
    const int how_well = end ? fits(registry, *type, *end) : 0;
    if (end && how_well == 0) continue;
    // Of what fits, the same type comes before what must be converted, and that before "anything".
    add({type, {}, type->label, type->id, type->category, type->doc}, 2 * how_well);
  }
  for (const auto& [name, group] : session.doc().groups) {
    if (name == session.graph_name() || (end && !group_fits(registry, group, *end))) continue;
    const std::string label = title_of_group(session.doc(), name);
    add({registry.find("group"), name, label, name, "Group",
         group.meta.description.empty() ? "A group of this document." : group.meta.description},
        0);
  }
  std::stable_sort(items.begin(), items.end(), [&](const Item& a, const Item& b) {
    if (words.empty() && !end && a.category != b.category) return a.category < b.category;
    return a.score > b.score;
  });
  return items;
}

void SearchAdd::open(ImVec2 canvas_place, ImVec2 pixel, std::optional<LinkEnd> end) {
  place_ = canvas_place;
  pixel_ = pixel;
  end_ = std::move(end);
  text_.clear();
  chosen_ = 0;
  items_ = find(editor_.session, text_, end_);
  wanted_ = true;
}

void SearchAdd::choose(const Item& item) {
  NodeDoc node;
  node.type = item.type->id;
  node.group = item.group;
  ImVec2 at = place_;
  if (end_ && end_->beyond) at.x -= node_width / 2;
  if (end_ && !end_->is_output) at.x -= node_width;
  if (end_) at.y -= header_height + row_height / 2;
  Added added = add_node_with_link(editor_.session, std::move(node), at, end_);
  editor_.session.seal();
  if (editor_.session.apply(std::move(added.command))) editor_.session.select_only(added.id);
  ImGui::CloseCurrentPopup();
}

void SearchAdd::draw_list() {
  std::string_view category;
  const bool headed = text_.empty() && !end_;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Item item = items_[i];
    if (headed && item.category != category) {
      if (i) ImGui::Spacing();
      ImGui::PushStyleColor(ImGuiCol_Text, ui::theme().faint);
      ImGui::TextUnformatted(item.category.c_str());
      ImGui::PopStyleColor();
    }
    category = items_[i].category;
    ImGui::PushID(static_cast<int>(i));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool clicked = ImGui::Selectable("##item", i == chosen_);
    ui::mark("search.item", item.group.empty() ? item.name : item.group);
    const float height = ImGui::GetTextLineHeight();
    if (ImGui::IsItemHovered() &&
        (ImGui::GetIO().MouseDelta.x != 0 || ImGui::GetIO().MouseDelta.y != 0))
      chosen_ = i;
    if (moved_ && i == chosen_) ImGui::SetScrollHereY();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(ImVec2(at.x + ui::px(2), at.y + height * 0.15f),
                       ImVec2(at.x + ui::px(7), at.y + height * 0.85f),
                       ui::category_colour(item.category), ui::px(2));
    list.AddText(ImVec2(at.x + ui::px(14), at.y), ui::theme().text, item.label.c_str());
    if (!headed) {
      const float width = ImGui::CalcTextSize(item.category.c_str()).x;
      const float right = ImGui::GetItemRectMax().x;
      list.AddText(ImVec2(right - width - ui::px(8), at.y), ui::theme().faint,
                   item.category.c_str());
    }
    ImGui::PopID();
    if (clicked) return choose(item);
  }
  moved_ = false;
  if (items_.empty()) ImGui::TextDisabled("Nothing fits");
}

void SearchAdd::draw_documentation() const {
  if (chosen_ >= items_.size()) return;
  const Item& item = items_[chosen_];
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(item.label.c_str());
  ImGui::PushStyleColor(ImGuiCol_Text, ui::theme().faint);
  ImGui::TextUnformatted(item.name.c_str());
  ImGui::PopStyleColor();
  ImGui::Spacing();
  ImGui::PushStyleColor(ImGuiCol_Text, ui::theme().dim);
  ImGui::TextUnformatted(item.doc.c_str());
  ImGui::PopStyleColor();
  const auto sockets = [](const char* heading, const auto& all, std::size_t most) {
    if (all.empty()) return;
    ImGui::Spacing();
    ImGui::PushStyleColor(ImGuiCol_Text, ui::theme().faint);
    ImGui::TextUnformatted(heading);
    ImGui::PopStyleColor();
    for (std::size_t i = 0; i < all.size() && i < most; ++i) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      ImGui::GetWindowDrawList()->AddCircleFilled(
          ImVec2(at.x + ui::px(5), at.y + ImGui::GetTextLineHeight() / 2), ui::px(3.5f),
          ui::type_colour(all[i].type ? all[i].type->colour : 0x9AA0A6));
      ImGui::Indent(ui::px(16));
      ImGui::TextUnformatted(all[i].label.c_str());
      ImGui::Unindent(ui::px(16));
    }
    if (all.size() > most) ImGui::TextDisabled("and %zu more", all.size() - most);
  };
  if (item.group.empty()) {
    sockets("Takes", item.type->inputs, 7);
    sockets("Gives", item.type->outputs, 4);
  }
  ImGui::PopTextWrapPos();
}

void SearchAdd::draw() {
  if (std::exchange(wanted_, false)) {
    ImGui::OpenPopup(popup_name);
    moved_ = true;
  }
  const ImVec2 size(ui::px(480), ui::px(330));
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos(ImVec2(std::clamp(pixel_.x, 0.0f, std::max(screen.x - size.x, 0.0f)),
                                 std::clamp(pixel_.y, 0.0f, std::max(screen.y - size.y, 0.0f))),
                          ImGuiCond_Appearing);
  ImGui::SetNextWindowSize(size);
  open_ = ImGui::BeginPopup(popup_name, ImGuiWindowFlags_NoMove);
  if (!open_) return;
  ui::mark_area("search", "add", ImGui::GetWindowPos(),
                ImVec2(ImGui::GetWindowPos().x + size.x, ImGui::GetWindowPos().y + size.y));
  const bool enter =
      ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter);
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (ui::search_box("##add.text", text_,
                     end_ ? "What comes here? Only what fits is listed" : "Search for a node")) {
    items_ = find(editor_.session, text_, end_);
    chosen_ = 0;
    moved_ = true;
  }
  const auto step = [&](int by) {
    if (items_.empty()) return;
    const auto count = static_cast<int>(items_.size());
    chosen_ = static_cast<std::size_t>(std::clamp(static_cast<int>(chosen_) + by, 0, count - 1));
    moved_ = true;
  };
  if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) step(1);
  if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) step(-1);
  if (ImGui::IsKeyPressed(ImGuiKey_PageDown)) step(8);
  if (ImGui::IsKeyPressed(ImGuiKey_PageUp)) step(-8);
  if (enter && chosen_ < items_.size()) {
    choose(Item(items_[chosen_]));
  } else {
    ImGui::BeginChild("items", ImVec2(ui::px(250), 0));
    draw_list();
    ImGui::EndChild();
    ImGui::SameLine();
    ImGui::BeginChild("words", ImVec2(0, 0));
    draw_documentation();
    ImGui::EndChild();
  }
  if (ImGui::IsKeyPressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace sinew::editor::canvas
