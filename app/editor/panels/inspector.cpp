// The chosen node's parameters, made from its declaration; or the document's, if none is chosen.
#include <fmt/format.h>
#include <imgui.h>

#include <optional>

#include "app/editor/editor.h"
#include "app/editor/panels/inspector/document_page.h"
#include "app/editor/panels/inspector/header.h"
#include "app/editor/panels/inspector/row.h"
#include "app/ui/landmarks.h"
#include "app/ui/widgets.h"

namespace sinew::editor {
namespace {

class Inspector : public Panel {
 public:
  explicit Inspector(Editor& editor)
      : editor_(editor),
        edits_(editor),
        header_(editor),
        rows_(editor, edits_),
        document_(editor) {}

  void draw() override {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui::px(12), ui::px(8)));
    ImGui::BeginChild("page", ImVec2(0, 0), ImGuiChildFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleVar();
    const std::string id = whom_to_show();
    // What is half typed belongs to this node of this document.
    ImGui::PushID((std::to_string(editor_.session.document_count()) + "/" + id).c_str());
    const NodeDoc* node = id.empty() ? nullptr : editor_.session.body().find(id);
    if (node)
      draw_node(*node);
    else
      document_.draw();
    ImGui::PopID();
    is_used_ = ImGui::IsWindowFocused() && ImGui::IsAnyItemActive();
    ImGui::EndChild();
  }

 private:
  // What is typed counts when the box is left, also when it is left for another node: the page
  // stays for the one frame in which that happens.
  std::string whom_to_show() {
    const Session& session = editor_.session;
    const NodeDoc* active = session.active();
    const std::string wanted = active ? active->id : "";
    const bool same_place =
        place_ == session.place() && document_number_ == session.document_count();
    if (wanted != shown_ && is_used_ && same_place &&
        (shown_.empty() || session.body().find(shown_))) {
      is_used_ = false;
      return shown_;
    }
    place_ = session.place();
    document_number_ = session.document_count();
    return shown_ = wanted;
  }

  // The chosen nodes of the same type are changed together.
  std::vector<std::string> companions(const NodeDoc& node) const {
    const Session& session = editor_.session;
    std::vector<std::string> all{node.id};
    if (!session.is_selected(node.id)) return all;
    for (const std::string& id : session.selection()) {
      const NodeDoc* other = session.body().find(id);
      if (other && id != node.id && other->type == node.type && other->group == node.group)
        all.push_back(id);
    }
    return all;
  }

  void draw_node(const NodeDoc& node) {
    const std::string id = node.id;
    const std::vector<std::string> all = companions(node);
    header_.draw(node, all);
    // The header may have changed the document, or the place.
    const NodeDoc* still = editor_.session.body().find(id);
    if (!still) return;
    ImGui::Dummy(ImVec2(0, ui::px(2)));
    ImGui::Separator();
    ImGui::Dummy(ImVec2(0, ui::px(2)));
    if (!editor_.session.type_of(*still)) return draw_unknown(*still);
    edits_.choose(*still, all);
    // A copy: a change compiles the graph anew, and declarations of groups go with it.
    const GraphPtr graph = editor_.session.graph();
    const std::vector<InputInfo>& inputs = editor_.session.inputs_of(*still);
    if (inputs.empty()) {
      ImGui::TextDisabled("Nothing to set.");
      return;
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) rows_.draw(inputs[i], i);
  }

  void draw_unknown(const NodeDoc& node) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(
        "This version does not know such nodes. What it holds is kept as it is, and written back.");
    ImGui::PopTextWrapPos();
    for (const auto& [name, value] : node.params) {
      ImGui::TextDisabled("%s", name.c_str());
      ImGui::SameLine();
      ImGui::PushTextWrapPos(0);
      ImGui::TextUnformatted(value.dump().c_str());
      ImGui::PopTextWrapPos();
      ui::mark("param", name);
    }
  }

  Editor& editor_;
  ParamEdits edits_;
  NodeHeader header_;
  ParamRows rows_;
  DocumentPage document_;
  std::string shown_;
  std::vector<std::string> place_;
  uint64_t document_number_ = 0;
  bool is_used_ = false;  // something on the page was active in the last frame
};

}  // namespace

std::unique_ptr<Panel> make_inspector(Editor& editor) {
  return std::make_unique<Inspector>(editor);
}

}  // namespace sinew::editor
