#include "app/editor/panels/inspector/header.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/editor/candidates.h"
#include "app/editor/panels/inspector/row.h"
#include "app/editor/titles.h"
#include "app/ui/landmarks.h"
#include "app/ui/text_box.h"
#include "app/ui/widgets.h"

namespace sinew::editor {
namespace {

// Strokes and the like belong to one body, and not to a set of values.
bool belongs_to_sets(const InputInfo& info) {
  const TypeInfo& type = *info.type;
  return type.components > 0 || type.sample || !info.choices.empty() ||
         info.type == &type_of<std::string>();
}

std::string duration(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.1f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

void paragraph(std::string_view text, ImU32 colour) {
  ImGui::PushStyleColor(ImGuiCol_Text, colour);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

}  // namespace

NodeHeader::NodeHeader(Editor& editor)
    : editor_(editor),
      presets_(editor.options.remembers ? config_folder() / "node_presets"
                                        : std::filesystem::path()) {}

void NodeHeader::draw(const NodeDoc& node, const std::vector<std::string>& all) {
  draw_title(node, all);
  draw_facts(node, all);
  draw_messages(node);
  draw_work(node);
  if (shows_doc_) draw_doc(node);
  if (!node.group.empty()) {
    if (ImGui::Button("Enter", ImVec2(-1, 0))) editor_.session.enter(std::string(node.id));
    ui::mark("inspector", "enter");
    ui::hover_text("Shows what is inside this group");
  }
}

void NodeHeader::draw_title(const NodeDoc& node, const std::vector<std::string>& all) {
  Session& session = editor_.session;
  const NodeType* type = session.type_of(node);
  const float side = ImGui::GetFrameHeight(), gap = ui::px(2);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled(
      ImVec2(at.x - ui::px(8), at.y), ImVec2(at.x - ui::px(4), at.y + side),
      type ? ui::category_colour(type->category) : ui::theme().warning, ui::px(2));
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - 3 * (side + gap));
  NodeDoc unnamed = node;
  unnamed.label.clear();
  const std::string hint = title_of(session, unnamed);
  const auto label = ui::text_box("##label", node.label, {hint.c_str()});
  ui::mark("inspector", "label");
  if (label)
    (void)session.apply({fmt::format("Name {}", label->empty() ? hint : *label),
                         {edit::SetLabel{session.graph_name(), node.id, *label}},
                         {}});
  ImGui::SameLine(0, gap);
  const bool muted = node.muted;
  if (ui::icon_button("mute", ui::Icon::mute,
                      muted ? "Muted: hands on what it is given" : "Mute: hand on what it is given",
                      muted)) {
    Command command{muted ? "Unmute" : "Mute", {}, {}};
    for (const std::string& id : all)
      command.edits.push_back(edit::SetMuted{session.graph_name(), id, !muted});
    (void)session.apply(std::move(command));
    return;  // the node may be another one now
  }
  ui::mark("inspector", "mute");
  ImGui::SameLine(0, gap);
  if (ui::icon_button("presets", ui::Icon::star, "Presets: sets of values for such nodes"))
    ImGui::OpenPopup("presets");
  ui::mark("inspector", "presets");
  draw_presets(node, all);
  ImGui::SameLine(0, gap);
  if (ui::icon_button("what", ui::Icon::info, "What is this?", shows_doc_))
    shows_doc_ = !shows_doc_;
  ui::mark("inspector", "what");
}

void NodeHeader::draw_facts(const NodeDoc& node, const std::vector<std::string>& all) {
  const NodeType* type = editor_.session.type_of(node);
  std::string text = type ? fmt::format("{} / {}", type->category, type->label)
                          : fmt::format("'{}' is not known to this version", node.type);
  if (!node.group.empty())
    text = fmt::format("Group / {}", title_of_group(editor_.session.doc(), node.group));
  if (all.size() > 1) text = fmt::format("{} nodes: {}", all.size(), text);
  std::string time;
  if (const auto& shot = editor_.player.shot())
    if (const NodeReport* report = shot->report(editor_.session.path_of(node.id)))
      if (report->fate == NodeReport::Fate::ran || report->fate == NodeReport::Fate::hit)
        time = duration(report->seconds);
  const float all_width = ImGui::GetContentRegionAvail().x;
  const float wide = ImGui::CalcTextSize(time.c_str()).x;
  const float x = ImGui::GetCursorPosX();
  ui::clipped_text(text, all_width - wide - ui::px(10),
                   type ? ui::theme().dim : ui::theme().warning);
  ui::hover_text(fmt::format("{}\n{}", node.type, editor_.session.path_of(node.id)));
  if (time.empty()) return;
  ImGui::SameLine();
  ImGui::SetCursorPosX(x + all_width - wide);
  ui::clipped_text(time, wide + 1, ui::theme().faint);
  ui::hover_text("How long its last run took");
}

void NodeHeader::draw_messages(const NodeDoc& node) {
  for (const Message& message : editor_.player.messages_of(editor_.session.path_of(node.id))) {
    const bool error = message.severity == Severity::error;
    const bool warning = message.severity == Severity::warning;
    const ImU32 colour = error     ? ui::theme().error
                         : warning ? ui::theme().warning
                                   : ui::theme().dim;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ui::draw_icon(*ImGui::GetWindowDrawList(),
                  error     ? ui::Icon::error
                  : warning ? ui::Icon::warning
                            : ui::Icon::info,
                  ImVec2(at.x + ui::px(7), at.y + ImGui::GetTextLineHeight() / 2), ui::px(13),
                  colour);
    ImGui::Indent(ui::px(18));
    paragraph(message.text, colour);
    ImGui::Unindent(ui::px(18));
  }
}

void NodeHeader::draw_work(const NodeDoc& node) {
  const NodeType* type = editor_.session.type_of(node);
  if (!type || !type->work) return;
  ImGui::Dummy(ImVec2(0, ui::px(1)));
  Works& works = editor_.works;
  if (works.runs_at(node.id)) return draw_work_under_way();
  const std::optional<FoundAt> found = candidates_of(editor_.session, node);
  const bool goes_on = found && found->all.unfinished, any = found && !found->all.empty();
  const std::string id = node.id, why = works.why_not(node);
  const float gap = ui::px(4);
  const auto count = static_cast<float>(1 + goes_on + any);
  const ImVec2 size((ImGui::GetContentRegionAvail().x - (count - 1) * gap) / count, 0);
  ImGui::BeginDisabled(!why.empty());
  if (ImGui::Button(goes_on ? "Go on" : type->work->label.c_str(), size))
    editor_.tell(works.start(id, false));
  ui::mark("inspector", "work");
  ui::hover_text(!why.empty() ? why
                 : goes_on    ? "Goes on from where it was stopped"
                              : "Runs beside everything else; what it finds is seen at once");
  if (goes_on) {
    ImGui::SameLine(0, gap);
    if (ImGui::Button("Start anew", size)) editor_.tell(works.start(id, true));
    ui::mark("inspector", "work_anew");
    ui::hover_text("From the beginning: what was found before is forgotten");
  }
  ImGui::EndDisabled();
  if (!any) return;
  ImGui::SameLine(0, gap);
  if (ImGui::Button("Gallery", size)) editor_.bring_forward("Gallery");
  ui::mark("inspector", "work_gallery");
  ui::hover_text("What was found, as playing pictures");
  const std::string facts = facts_of(found->all);
  ui::clipped_text(facts, ImGui::GetContentRegionAvail().x, ui::theme().dim);
  ui::hover_text(facts);
}

void NodeHeader::draw_work_under_way() {
  const Works::State state = editor_.works.state();
  const float button = ui::px(56), gap = ui::px(4);
  const float bar = ImGui::GetContentRegionAvail().x - button - gap;
  const std::string percent =
      state.stopping ? "stopping" : fmt::format("{} {:.0f} %", state.label, 100 * state.part);
  ImGui::ProgressBar(static_cast<float>(state.part), ImVec2(bar, 0), percent.c_str());
  ui::mark("inspector", "work_progress");
  ImGui::SameLine(0, gap);
  ImGui::BeginDisabled(state.stopping);
  if (ImGui::Button("Stop", ImVec2(button, 0))) editor_.works.stop();
  ImGui::EndDisabled();
  ui::mark("inspector", "work_stop");
  ui::hover_text("What was found stays, and it can go on later");
  paragraph(state.words.empty() ? "It begins ..." : state.words, ui::theme().dim);
}

void NodeHeader::draw_doc(const NodeDoc& node) {
  const Session& session = editor_.session;
  const NodeType* type = session.type_of(node);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, ui::theme().raised);
  ImGui::BeginChild("doc", ImVec2(0, 0),
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_AutoResizeY);
  if (type && !type->doc.empty()) paragraph(type->doc, ui::theme().text);
  if (const auto group = session.doc().groups.find(node.group);
      group != session.doc().groups.end() && !group->second.meta.description.empty())
    paragraph(group->second.meta.description, ui::theme().text);
  const auto socket = [](const std::string& label, const TypeInfo* of, const std::string& doc,
                         const std::string& details) {
    ImGui::Dummy(ImVec2(0, ui::px(2)));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddCircleFilled(
        ImVec2(at.x + ui::px(5), at.y + ImGui::GetTextLineHeight() / 2), ui::px(3.5f),
        ui::type_colour(of ? of->colour : 0x9AA0A6));
    ImGui::Indent(ui::px(14));
    paragraph(label, ui::theme().text);
    if (!doc.empty()) paragraph(doc, ui::theme().dim);
    paragraph(details, ui::theme().faint);
    ImGui::Unindent(ui::px(14));
  };
  for (const InputInfo& in : session.inputs_of(node))
    socket(in.label, in.type, in.doc, details_of(in));
  const std::vector<OutputInfo>& outputs = session.outputs_of(node);
  if (!outputs.empty()) ui::heading("Gives");
  for (const OutputInfo& out : outputs)
    socket(out.label, out.type, out.doc, out.type ? out.type->name : "");
  ImGui::EndChild();
  ui::mark("inspector", "doc");
  ImGui::PopStyleColor();
}

NodePresets::Params NodeHeader::params_of(const NodeDoc& node) const {
  NodePresets::Params params;
  for (const InputInfo& info : editor_.session.inputs_of(node))
    if (const auto found = node.params.find(info.name);
        found != node.params.end() && belongs_to_sets(info))
      params[info.name] = found->second;
  return params;
}

void NodeHeader::load(const NodeDoc& node, const std::vector<std::string>& all,
                      const std::string& name, const NodePresets::Params& params) {
  Session& session = editor_.session;
  Command command{fmt::format("Load {}", name), {}, {}};
  for (const std::string& id : all) {
    const NodeDoc* one = session.body().find(id);
    if (!one) continue;
    for (const InputInfo& info : session.inputs_of(node)) {
      if (!belongs_to_sets(info)) continue;
      const auto wanted = params.find(info.name);
      const auto now = one->params.find(info.name);
      const bool has = now != one->params.end(), wants = wanted != params.end();
      if (has == wants && (!has || now->second == wanted->second)) continue;
      command.edits.push_back(edit::SetParam{session.graph_name(), id, info.name,
                                             wants ? std::optional(wanted->second) : std::nullopt});
    }
  }
  (void)session.apply(std::move(command));
}

void NodeHeader::draw_presets(const NodeDoc& node, const std::vector<std::string>& all) {
  if (!ImGui::BeginPopup("presets")) return;
  const std::string key = node.group.empty() ? node.type : "group." + node.group;
  if (ImGui::MenuItem("Standard values")) load(node, all, "standard values", {});
  ui::mark("item", "Standard values");
  const auto& sets = presets_.of(key);
  if (!sets.empty()) ImGui::Separator();
  std::string gone;
  for (const auto& [name, params] : sets) {
    ImGui::PushID(name.c_str());
    const float x = ImGui::GetCursorPosX();
    if (ImGui::MenuItem(name.c_str())) load(node, all, name, params);
    ui::mark("item", name);
    ImGui::SameLine(x + ui::px(190));
    if (ImGui::SmallButton("x")) gone = name;
    ui::mark("delete", name);
    ui::hover_text("Forget this set");
    ImGui::PopID();
  }
  ImGui::Separator();
  ImGui::SetNextItemWidth(ui::px(150));
  const bool entered = ImGui::InputTextWithHint("##name", "name of a new set", &new_name_,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  ui::mark("inspector", "preset_name");
  ImGui::SameLine();
  ImGui::BeginDisabled(new_name_.empty());
  const bool pressed = ImGui::Button("Save");
  ImGui::EndDisabled();
  if ((entered || pressed) && !new_name_.empty()) {
    editor_.tell(presets_.keep(key, new_name_, params_of(node)));
    new_name_.clear();
    ImGui::CloseCurrentPopup();
  }
  if (!gone.empty()) editor_.tell(presets_.forget(key, gone));
  ImGui::EndPopup();
}

}  // namespace sinew::editor
