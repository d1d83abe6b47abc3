// What the graph and the program have to say, with the way to where it comes from.
#include <fmt/format.h>
#include <imgui.h>

#include <array>

#include "app/editor/editor.h"
#include "app/editor/titles.h"
#include "app/ui/landmarks.h"
#include "app/ui/widgets.h"

namespace sinew::editor {
namespace {

struct Line {
  Severity severity = Severity::info;
  std::string path;  // of a node; empty: the program or the document speaks
  std::string text;
};

constexpr std::array kinds{Severity::error, Severity::warning, Severity::info};

ui::Icon icon_of(Severity s) {
  return s == Severity::error     ? ui::Icon::error
         : s == Severity::warning ? ui::Icon::warning
                                  : ui::Icon::info;
}

ImU32 colour_of(Severity s) {
  return s == Severity::error     ? ui::theme().error
         : s == Severity::warning ? ui::theme().warning
                                  : ui::theme().dim;
}

class Messages : public Panel {
 public:
  explicit Messages(Editor& editor) : editor_(editor) {}

  void draw() override {
    const std::vector<Line> lines = gather();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui::px(8), ui::px(6)));
    ImGui::BeginChild("messages", ImVec2(0, 0), ImGuiChildFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleVar();
    draw_filters(lines);
    ImGui::Separator();
    std::size_t number = 0;
    for (const Line& line : lines)
      if (shown_[static_cast<std::size_t>(line.severity)]) draw_line(line, number++);
    if (number == 0)
      ui::empty_note(lines.empty() ? "All is well: there is nothing to say."
                                   : "None of this kind.");
    ImGui::EndChild();
  }

 private:
  // The graph's first, the worst before the rest; then what the program said, newest first.
  std::vector<Line> gather() const {
    std::vector<Line> lines;
    for (const Severity kind : kinds)
      for (const std::vector<NodeMessage>* list :
           {&editor_.player.messages(), &editor_.session.notes()})
        for (const NodeMessage& m : *list)
          if (m.message.severity == kind) lines.push_back({kind, m.path, m.message.text});
    const auto& notices = editor_.notices();
    for (auto n = notices.rbegin(); n != notices.rend(); ++n) {
      const Severity kind = n->kind == NoticeKind::error     ? Severity::error
                            : n->kind == NoticeKind::warning ? Severity::warning
                                                             : Severity::info;
      lines.push_back({kind, "", n->text});
    }
    return lines;
  }

  void draw_filters(const std::vector<Line>& lines) {
    for (const Severity kind : kinds) {
      const auto k = static_cast<std::size_t>(kind);
      std::size_t count = 0;
      for (const Line& line : lines) count += line.severity == kind;
      const char* name = kind == Severity::error     ? "errors"
                         : kind == Severity::warning ? "warnings"
                                                     : "notes";
      const std::string tooltip = fmt::format("{} {}", count, name);
      if (ui::icon_button(name, icon_of(kind), tooltip.c_str(), shown_[k])) shown_[k] = !shown_[k];
      ui::mark("filter", name);
      ImGui::SameLine(0, ui::px(2));
      ImGui::AlignTextToFramePadding();
      ui::clipped_text(fmt::format("{}", count), ui::px(40), ui::theme().dim);
      ImGui::SameLine(0, ui::px(10));
    }
    if (ui::icon_button("copy", ui::Icon::file, "Copy all of them as text")) {
      std::string text;
      for (const Line& line : lines)
        text +=
            line.path.empty() ? line.text + "\n" : fmt::format("{}: {}\n", line.path, line.text);
      ImGui::SetClipboardText(text.c_str());
    }
    ui::mark("messages", "copy");
  }

  void draw_line(const Line& line, std::size_t number) {
    const std::string text =
        line.path.empty()
            ? line.text
            : fmt::format("{}: {}", title_of_path(editor_.session, line.path), line.text);
    const float icon = ui::px(22);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = std::max(ImGui::GetContentRegionAvail().x, ui::px(60));
    const ImVec2 words =
        ImGui::CalcTextSize(text.c_str(), nullptr, false, width - icon - ui::px(4));
    const ImVec2 size(width, words.y + ui::px(6));
    ImGui::PushID(static_cast<int>(number));
    const bool pressed = ImGui::InvisibleButton("message", size);
    const std::string name = fmt::format("{}", number);
    ui::mark("message", name);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (ImGui::IsItemHovered()) {
      list.AddRectFilled(at, ImVec2(at.x + width, at.y + size.y), ui::theme().field_hot, ui::px(4));
      editor_.hint(line.path.empty() ? "Right click: copy"
                                     : "Click: go to the node   Right click: copy");
    }
    ui::draw_icon(list, icon_of(line.severity),
                  ImVec2(at.x + icon / 2, at.y + ui::px(3) + ImGui::GetFontSize() / 2), ui::px(14),
                  colour_of(line.severity));
    list.AddText(nullptr, 0, ImVec2(at.x + icon, at.y + ui::px(3)), ui::theme().text, text.c_str(),
                 nullptr, width - icon - ui::px(4));
    if (ImGui::BeginPopupContextItem("menu")) {
      if (ImGui::MenuItem("Copy")) ImGui::SetClipboardText(text.c_str());
      if (!line.path.empty() && ImGui::MenuItem("Go to the node")) go_to(line.path);
      ImGui::EndPopup();
    }
    ImGui::PopID();
    if (pressed && !line.path.empty()) go_to(line.path);
  }

  void go_to(const std::string& path) {
    if (editor_.session.go_to_node(path)) editor_.actions.run("canvas.frame");
  }

  Editor& editor_;
  std::array<bool, 3> shown_{true, true, true};  // by severity
};

}  // namespace

std::unique_ptr<Panel> make_messages(Editor& editor) { return std::make_unique<Messages>(editor); }

}  // namespace sinew::editor
