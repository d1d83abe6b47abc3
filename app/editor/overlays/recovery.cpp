// Keeps a copy of what is not saved, and offers what a crash left behind.
#include "app/editor/recovery.h"

#include <fmt/chrono.h>
#include <imgui.h>

#include <atomic>
#include <ctime>

#include "app/editor/editor.h"
#include "app/editor/folder_list.h"
#include "app/library/text_diff.h"
#include "app/ui/landmarks.h"
#include "app/ui/widgets.h"
#include "graph/pack_folder.h"

namespace sinew::editor {
namespace {

constexpr const char* popup_id = "###recovery";
// From the first change that is not in the copy until it is written.
constexpr double keep_after = 2;

std::string time_text(int64_t seconds) {
  const std::time_t time = static_cast<std::time_t>(seconds);
  std::tm local{};
  if (!localtime_r(&time, &local)) return {};
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", local);
}

class Recovery : public Overlay {
 public:
  explicit Recovery(Editor& editor)
      : editor_(editor), folder_(editor.recovery_folder()), writer_(folder_) {
    if (folder_.empty()) return;
    search_ = std::make_shared<Search>();
    std::thread([search = search_, folder = folder_] {
      search->found = find_left_work(folder);
      search->done = true;
    }).detach();
  }

  void draw() override {
    keep_copy();
    take_found();
    if (left_.empty() || editor_.question() || editor_.file_question()) return;
    if (!ImGui::IsPopupOpen(popup_id)) ImGui::OpenPopup(popup_id);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2(screen.x / 2, 0.45f * screen.y), ImGuiCond_Always,
                            ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(ui::px(520), 0),
                                        ImVec2(ui::px(760), 0.9f * screen.y));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui::px(18), ui::px(14)));
    const bool open = ImGui::BeginPopupModal(
        popup_id, nullptr,
        ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
            ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleVar();
    if (!open) return;
    draw_content();
    if (left_.empty()) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    editor_.recovering = !left_.empty();
  }

 private:
  struct Search {
    std::vector<LeftWork> found;
    std::atomic<bool> done{false};
  };

  // ---- The copy

  void keep_copy() {
    if (folder_.empty()) return;
    Session& session = editor_.session;
    if (!session.modified()) {
      if (std::exchange(has_copy_, false)) writer_.clear();
      kept_ = session.revision();
      due_ = 0;
      return;
    }
    if (kept_ == session.revision()) return;
    if (due_ == 0) due_ = editor_.now() + keep_after;
    if (editor_.now() < due_) return editor_.want_frame_at(due_);
    kept_ = session.revision();
    due_ = 0;
    has_copy_ = true;
    writer_.keep(session.kept(), session.file(), session.title());
  }

  // ---- What was left

  void take_found() {
    if (!search_) return;
    if (!search_->done) return editor_.want_frames(0.1);
    left_ = std::move(search_->found);
    search_ = nullptr;
    editor_.recovering = !left_.empty();
  }

  void draw_content() {
    ImGui::PushFont(nullptr, 1.2f * ImGui::GetStyle().FontSizeBase);
    ImGui::TextUnformatted("Sinew ended unexpectedly");
    ImGui::PopFont();
    ImGui::TextUnformatted(left_.size() == 1
                               ? "This work was not saved, up to a few seconds before:"
                               : "These were not saved, up to a few seconds before:");
    ImGui::Dummy(ImVec2(0, ui::px(4)));
    int open = -1, gone = -1;
    for (std::size_t i = 0; i < left_.size(); ++i) {
      ImGui::PushID(static_cast<int>(i));
      draw_work(i, open, gone);
      ImGui::PopID();
      ImGui::Separator();
    }
    bool later = ImGui::IsKeyPressed(ImGuiKey_Escape, false);
    later = ImGui::Button("Decide later") || later;
    ui::mark("recover", "later");
    ui::hover_text("It is kept, and offered again at the next start");
    if (later) left_.clear();
    if (gone >= 0) {
      discard(left_[static_cast<std::size_t>(gone)]);
      left_.erase(left_.begin() + gone);
      shown_ = -1;
    }
    if (open >= 0) open_work(static_cast<std::size_t>(open));
  }

  void draw_work(std::size_t i, int& open, int& gone) {
    const LeftWork& work = left_[i];
    const std::string suffix = i == 0 ? "" : std::to_string(i + 1);
    ImGui::TextUnformatted(work.title.c_str());
    ImGui::TextDisabled("%s, %s", time_text(work.time).c_str(),
                        work.original.empty() ? "never saved" : shown_path(work.original).c_str());
    {
      ui::StandardButton standard(i == 0);
      if (ImGui::Button("Open the recovered work")) open = static_cast<int>(i);
    }
    ui::mark("recover", "open" + suffix);
    ImGui::SameLine();
    if (ImGui::Button("Show what differs")) show_difference(static_cast<int>(i));
    ui::mark("recover", "diff" + suffix);
    ImGui::SameLine();
    if (ImGui::Button("Discard")) gone = static_cast<int>(i);
    ui::mark("recover", "discard" + suffix);
    if (shown_ == static_cast<int>(i)) draw_difference();
  }

  void show_difference(int which) {
    shown_ = shown_ == which ? -1 : which;
    if (shown_ < 0) return;
    const LeftWork& work = left_[static_cast<std::size_t>(which)];
    difference_ = diff_lines(saved_text(work), work.text);
  }

  void draw_difference() const {
    ImGui::TextDisabled("%d lines more, %d lines less than what was saved", difference_.added,
                        difference_.removed);
    ImGui::PushStyleColor(ImGuiCol_ChildBg, ui::theme().back);
    ImGui::BeginChild("difference", ImVec2(ui::px(660), ui::px(220)),
                      ImGuiChildFlags_AlwaysUseWindowPadding, ImGuiWindowFlags_HorizontalScrollbar);
    ImGui::PopStyleColor();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(difference_.lines.size()));
    while (clipper.Step())
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
        const DiffLine& line = difference_.lines[static_cast<std::size_t>(i)];
        const ui::Theme& t = ui::theme();
        const ImU32 colours[] = {t.dim, t.error, t.good, t.faint};
        static constexpr const char* signs[] = {"  ", "- ", "+ ", "... "};
        ImGui::PushStyleColor(ImGuiCol_Text, colours[line.kind]);
        ImGui::TextUnformatted(
            (signs[line.kind] + line.text + (line.kind == DiffLine::skipped ? " lines" : ""))
                .c_str());
        ImGui::PopStyleColor();
      }
    ImGui::EndChild();
  }

  void open_work(std::size_t which) {
    const LeftWork work = left_[which];
    std::vector<NodeMessage> notes;
    Result<GraphDoc> doc = parse_document(work.text, editor_.session.registry(), &notes);
    if (!doc) return editor_.notify(NoticeKind::error, "The recovered work: " + doc.error());
    left_.clear();  // what else was left is offered again at the next start
    editor_.guard([this, work, doc = std::move(*doc)] {
      Session& session = editor_.session;
      // What was opened from an installed pack is not saved there.
      const auto pack = pack_folder_around(work.original);
      session.adopt(doc, pack && !*pack ? work.original : std::filesystem::path(), true);
      kept_ = session.revision();
      due_ = 0;
      has_copy_ = true;
      writer_.keep(doc, work.original, work.title, work);
      editor_.notify(NoticeKind::success, "Recovered. Save it to keep it");
    });
  }

  Editor& editor_;
  std::filesystem::path folder_;
  RecoveryWriter writer_;
  bool has_copy_ = false;
  uint64_t kept_ = 0;  // which state of the document is in the copy
  double due_ = 0;     // when the next copy is written; 0: none is due
  std::shared_ptr<Search> search_;
  std::vector<LeftWork> left_;
  int shown_ = -1;
  TextDiff difference_;
};

}  // namespace

std::unique_ptr<Overlay> make_recovery(Editor& editor) {
  return std::make_unique<Recovery>(editor);
}

}  // namespace sinew::editor
