// Our own dialog for files: the same everywhere, quick in large folders, and it remembers where
// things were.
#include <fmt/chrono.h>
#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <ctime>

#include "app/editor/editor.h"
#include "app/editor/folder_list.h"
#include "app/editor/overlays/question_box.h"
#include "app/ui/landmarks.h"
#include "app/ui/widgets.h"

namespace sinew::editor {
namespace {

namespace fs = std::filesystem;

constexpr const char* popup_id = "###files";
constexpr std::size_t most_recent_folders = 6;

std::string bytes_text(uint64_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  double size = static_cast<double>(bytes);
  const char* unit = "B";
  for (const char* next : {"kB", "MB", "GB", "TB"}) {
    if (size < 1000) break;
    size /= 1000;
    unit = next;
  }
  return fmt::format("{:.{}f} {}", size, size < 10 ? 1 : 0, unit);
}

std::string date_text(int64_t seconds) {
  const std::time_t time = static_cast<std::time_t>(seconds);
  std::tm local{};
  if (!localtime_r(&time, &local)) return {};
  return fmt::format("{:%Y-%m-%d %H:%M}", local);
}

bool pressed(ImGuiKey key, bool repeat = false) { return ImGui::IsKeyPressed(key, repeat); }
bool enter_pressed() { return pressed(ImGuiKey_Enter) || pressed(ImGuiKey_KeypadEnter); }

class FileDialog : public Overlay {
 public:
  explicit FileDialog(Editor& editor) : editor_(editor) {}

  void draw() override {
    if (!editor_.file_question()) {
      asked_ = 0;
      return;
    }
    if (asked_ != editor_.file_questions_asked()) begin();
    update_list(0);
    if (!ImGui::IsPopupOpen(popup_id)) ImGui::OpenPopup(popup_id);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2(screen.x / 2, screen.y / 2), ImGuiCond_Always,
                            ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSize(
        ImVec2(std::min(0.94f * screen.x, ui::px(860)), std::min(0.94f * screen.y, ui::px(560))));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui::px(14), ui::px(12)));
    const bool open = ImGui::BeginPopupModal(
        popup_id, nullptr,
        ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleVar();
    if (!open) return;
    done_.reset();
    draw_content();
    // What is asked over it: whether to replace a file, or what a closing window leads to.
    const bool asks = editor_.question().has_value();
    draw_question(editor_);
    if (!asks && !ImGui::IsWindowAppearing()) take_keys();
    if (done_) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    if (done_) finish(*done_);
  }

 private:
  Editor::FileQuestion& question() { return *editor_.file_question(); }
  const Editor::FileQuestion& question() const { return *editor_.file_question(); }
  std::string place_key() const { return "folder." + question().place; }

  void begin() {
    asked_ = editor_.file_questions_asked();
    name_ = question().name;
    all_files_ = false;
    focus_name_ = question().saving;
    order_ =
        editor_.preferences.get("dialog.by_date", false) ? FolderOrder::date : FolderOrder::name;
    hidden_ = editor_.preferences.get("dialog.hidden", false);
    recent_ = editor_.preferences.get("recent_folders", std::vector<std::string>());
    std::error_code ec;
    fs::path start = editor_.preferences.get<std::string>(place_key(), "");
    const bool beside = question().saving && !editor_.session.file().empty();
    if (beside || start.empty() || !fs::is_directory(start, ec))
      start = editor_.session.file().empty() && !home_folder().empty() ? home_folder()
                                                                       : editor_.session.folder();
    go_to(start);
  }

  void go_to(const fs::path& folder) {
    list_.open(folder);
    path_text_ = shown_path(folder);
    shown_.clear();
    row_ = -1;
    jump_.clear();
    making_folder_ = false;
    // A usual folder is read in less than a frame: it should not flicker.
    update_list(0.015);
  }

  void go_up() {
    const fs::path from = list_.folder();
    if (!from.has_parent_path() || from.parent_path() == from) return;
    go_to(from.parent_path());
    seek_ = from.filename().string();
    choose_by_name();
  }

  void update_list(double wait) {
    if (list_.reading()) editor_.want_frames(0.1);
    if (list_.update(wait)) reorder();
  }

  void reorder() {
    const std::string chosen = row_ >= 0 ? entry(row_).name : seek_;
    shown_ =
        list_.chosen(all_files_ ? std::vector<std::string>() : question().endings, hidden_, order_);
    row_ = -1;
    seek_ = chosen;
    choose_by_name();
  }

  void choose_by_name() {
    if (seek_.empty() || shown_.empty()) return;
    for (std::size_t i = 0; i < shown_.size(); ++i)
      if (list_.entries()[shown_[i]].name == seek_) choose(static_cast<int>(i));
    seek_.clear();
  }

  const FolderEntry& entry(int row) const {
    return list_.entries()[shown_[static_cast<std::size_t>(row)]];
  }

  void choose(int row) {
    row_ = row;
    scroll_to_row_ = true;
    if (question().saving && row >= 0 && !entry(row).is_folder) name_ = entry(row).name;
  }

  // ---- What leads to an end

  void take(int row) {
    const FolderEntry chosen = entry(row);
    const fs::path path = list_.folder() / chosen.name;
    if (chosen.is_folder) return go_to(path);
    if (question().saving) {
      name_ = chosen.name;
      return take_name();
    }
    done_ = path;
  }

  void take_name() {
    if (name_.empty()) return;
    fs::path path = typed_path(name_, list_.folder());
    std::error_code ec;
    if (fs::is_directory(path, ec)) {
      name_ = question().name;
      return go_to(path);
    }
    const std::vector<std::string>& endings = question().endings;
    if (!endings.empty() && !has_ending(path.filename().string(), endings))
      path += "." + endings.front();
    if (!fs::is_directory(path.parent_path(), ec))
      return editor_.notify(NoticeKind::error,
                            fmt::format("There is no folder {}", shown_path(path.parent_path())));
    if (!fs::exists(path, ec)) {
      done_ = path;
      return;
    }
    editor_.ask({"Replace the file?",
                 fmt::format("'{}' is already in this folder. What it holds will be lost.",
                             path.filename().string()),
                 {{"Replace", [this, path] { done_ = path; }}, {"Cancel", {}}}});
  }

  void take_path() {
    const fs::path path = typed_path(path_text_, list_.folder());
    std::error_code ec;
    if (fs::is_directory(path, ec)) return go_to(path);
    if (question().saving) {
      name_ = path.string();
      return take_name();
    }
    if (fs::exists(path, ec)) {
      done_ = path;
      return;
    }
    editor_.notify(NoticeKind::warning, fmt::format("There is no {}", shown_path(path)));
  }

  void take_standard() {
    if (question().saving && (row_ < 0 || !entry(row_).is_folder || name_active_))
      return take_name();
    if (row_ >= 0) take(row_);
  }

  void finish(const fs::path& path) {
    const auto then = std::move(question().then);
    if (!path.empty()) {
      const std::string folder = path.parent_path().string();
      editor_.preferences.set(place_key(), folder);
      std::erase(recent_, folder);
      recent_.insert(recent_.begin(), folder);
      if (recent_.size() > most_recent_folders) recent_.resize(most_recent_folders);
      editor_.preferences.set("recent_folders", recent_);
    }
    editor_.file_question().reset();  // before the answer, which may ask the next one
    asked_ = 0;
    if (!path.empty() && then) then(path);
  }

  // ---- Keys, while no text box has them

  void take_keys() {
    if (pressed(ImGuiKey_Escape) && !path_active_ && !making_folder_) done_ = fs::path();
    if (path_active_ || name_active_ || making_folder_ || done_) return;
    const int count = static_cast<int>(shown_.size());
    const auto go = [&](int row) {
      if (count > 0) choose(std::clamp(row, 0, count - 1));
    };
    if (pressed(ImGuiKey_DownArrow, true)) go(row_ + 1);
    if (pressed(ImGuiKey_UpArrow, true)) go(row_ - 1);
    if (pressed(ImGuiKey_PageDown, true)) go(row_ + 15);
    if (pressed(ImGuiKey_PageUp, true)) go(row_ - 15);
    if (pressed(ImGuiKey_Home)) go(0);
    if (pressed(ImGuiKey_End)) go(count - 1);
    if (pressed(ImGuiKey_Backspace, true)) return go_up();
    if (enter_pressed() && !ImGui::IsAnyItemActive()) return take_standard();
    jump();
  }

  // Letters go to the next name that begins with them.
  void jump() {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.InputQueueCharacters.empty() || io.KeyCtrl || io.KeyAlt) return;
    if (editor_.now() - jumped_at_ > 1) jump_.clear();
    jumped_at_ = editor_.now();
    for (const ImWchar c : io.InputQueueCharacters)
      if (c >= 32 && c < 127) jump_ += static_cast<char>(std::tolower(static_cast<int>(c)));
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      std::string name = list_.entries()[shown_[i]].name.substr(0, jump_.size());
      std::transform(name.begin(), name.end(), name.begin(),
                     [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      if (name == jump_) return choose(static_cast<int>(i));
    }
  }

  // ---- Drawing

  void draw_content() {
    ImGui::PushFont(nullptr, 1.2f * ImGui::GetStyle().FontSizeBase);
    ImGui::TextUnformatted(question().title.c_str());
    ImGui::PopFont();
    draw_path_row();
    const float below =
        ImGui::GetFrameHeightWithSpacing() * (question().saving ? 2 : 1) + ui::px(8);
    const float height = std::max(ui::px(60), ImGui::GetContentRegionAvail().y - below);
    ImGui::PushStyleColor(ImGuiCol_ChildBg, ui::theme().panel);
    ImGui::BeginChild("places", ImVec2(ui::px(170), height),
                      ImGuiChildFlags_AlwaysUseWindowPadding);
    draw_places();
    ImGui::EndChild();
    ImGui::SameLine();
    ImGui::BeginChild("entries", ImVec2(0, height));
    draw_entries();
    ImGui::EndChild();
    ImGui::PopStyleColor();
    ImGui::Dummy(ImVec2(0, ui::px(1)));
    draw_end_rows();
  }

  void draw_path_row() {
    const float side = ImGui::GetFrameHeight(), gap = ImGui::GetStyle().ItemSpacing.x;
    if (ui::icon_button("dialog.up", ui::Icon::up, "The folder above (Backspace)")) go_up();
    ImGui::SameLine();
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - 3 * (side + gap));
    if (ImGui::InputText("##path", &path_text_,
                         ImGuiInputTextFlags_EnterReturnsTrue |
                             ImGuiInputTextFlags_CallbackCompletion | ImGuiInputTextFlags_ElideLeft,
                         complete, this))
      take_path();
    path_active_ = ImGui::IsItemActive();
    ui::mark("dialog", "path");
    ui::hover_text("Where it looks. Type a path; ~ is your home, Tab completes");
    ImGui::SameLine();
    if (ui::icon_button("dialog.new_folder", ui::Icon::plus, "New folder", making_folder_)) {
      making_folder_ = !making_folder_;
      focus_folder_name_ = making_folder_;
      folder_name_ = "New folder";
    }
    ImGui::SameLine();
    if (ui::icon_button("dialog.hidden", hidden_ ? ui::Icon::eye : ui::Icon::eye_off,
                        "Hidden files, whose names begin with a dot", hidden_)) {
      editor_.preferences.set("dialog.hidden", hidden_ = !hidden_);
      reorder();
    }
    ImGui::SameLine();
    const bool by_date = order_ == FolderOrder::date;
    if (ui::icon_button("dialog.by_date", ui::Icon::clock, "Newest first, or by name", by_date))
      set_order(by_date ? FolderOrder::name : FolderOrder::date);
    if (making_folder_) draw_new_folder();
  }

  void set_order(FolderOrder order) {
    order_ = order;
    editor_.preferences.set("dialog.by_date", order == FolderOrder::date);
    reorder();
  }

  void draw_new_folder() {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("New folder:");
    ImGui::SameLine();
    if (std::exchange(focus_folder_name_, false)) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(ui::px(260));
    bool make =
        ImGui::InputText("##folder", &folder_name_,
                         ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    const bool left = ImGui::IsItemDeactivated() && pressed(ImGuiKey_Escape);
    ui::mark("dialog", "folder_name");
    ImGui::SameLine();
    make = ImGui::Button("Make") || make;
    ui::mark("dialog", "make_folder");
    if (left) making_folder_ = false;
    if (!make || folder_name_.empty()) return;
    const fs::path folder = typed_path(folder_name_, list_.folder());
    std::error_code ec;
    if (fs::create_directories(folder, ec) || fs::is_directory(folder, ec)) return go_to(folder);
    editor_.notify(NoticeKind::error, fmt::format("The folder cannot be made: {}", ec.message()));
  }

  void draw_place(ui::Icon icon, const std::string& label, const fs::path& folder) {
    ImGui::PushID(folder.c_str());
    const float side = ImGui::GetTextLineHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (ImGui::Selectable("##place", folder == list_.folder(), 0, ImVec2(0, side + ui::px(4))))
      go_to(folder);
    ui::mark("dialog.place", label);
    ui::hover_text(shown_path(folder));
    const ImVec2 middle(at.x + side / 2, at.y + side / 2 + ui::px(2));
    ui::draw_icon(*ImGui::GetWindowDrawList(), icon, middle, side, ui::theme().dim);
    const std::string text =
        ui::clipped(label, ImGui::GetContentRegionAvail().x - side - ui::px(6));
    ImGui::GetWindowDrawList()->AddText(ImVec2(at.x + side + ui::px(6), at.y + ui::px(2)),
                                        ui::theme().text, text.c_str());
    ImGui::PopID();
  }

  void draw_places() {
    draw_place(ui::Icon::home, "Home", home_folder());
    if (has_desktop_ < 0) {
      std::error_code ec;
      has_desktop_ = fs::is_directory(home_folder() / "Desktop", ec) ? 1 : 0;
    }
    if (has_desktop_ > 0) draw_place(ui::Icon::folder, "Desktop", home_folder() / "Desktop");
    if (!editor_.session.file().empty())
      draw_place(ui::Icon::file, "This document", editor_.session.folder());
    if (!editor_.presets_folder().empty())
      draw_place(ui::Icon::star, "Presets", editor_.presets_folder());
    draw_place(ui::Icon::folder, "/", "/");
    if (recent_.empty()) return;
    ui::heading("Recent");
    const std::vector<std::string> recent = recent_;  // a click may change it
    for (const std::string& folder : recent) {
      const std::string name = fs::path(folder).filename().string();
      draw_place(ui::Icon::clock, name.empty() ? folder : name, folder);
    }
  }

  void draw_entries() {
    if (!list_.error().empty()) return ui::empty_note(list_.error());
    if (list_.reading()) return ui::empty_note("Reading...");
    if (shown_.empty())
      return ui::empty_note(list_.entries().empty() ? "This folder is empty."
                                                    : "Nothing here that could be chosen.");
    const float line = ImGui::GetTextLineHeight();
    if (!ImGui::BeginTable("files", 3, ImGuiTableFlags_ScrollY | ImGuiTableFlags_PadOuterX)) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("Name", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("Size", ImGuiTableColumnFlags_WidthFixed, ui::px(64));
    ImGui::TableSetupColumn("Changed", ImGuiTableColumnFlags_WidthFixed, ui::px(126));
    ImGui::TableHeadersRow();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(shown_.size()));
    const bool scroll = std::exchange(scroll_to_row_, false) && row_ >= 0;
    if (scroll) clipper.IncludeItemByIndex(row_);
    int taken = -1;
    while (clipper.Step())
      for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
        if (draw_entry(row, line)) taken = row;
        if (scroll && row == row_) ImGui::ScrollToItem();
      }
    ImGui::EndTable();
    if (taken >= 0) take(taken);
  }

  // Whether it was clicked twice.
  bool draw_entry(int row, float line) {
    const FolderEntry& e = entry(row);
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushID(row);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x;
    const bool clicked = ImGui::Selectable(
        "##row", row == row_,
        ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick,
        ImVec2(0, line));
    ui::mark("dialog.item", e.name);
    ui::draw_icon(*ImGui::GetWindowDrawList(), e.is_folder ? ui::Icon::folder : ui::Icon::file,
                  ImVec2(at.x + line / 2, at.y + line / 2), 0.95f * line,
                  e.is_folder ? ui::theme().accent : ui::theme().dim);
    ImGui::SameLine(line + ui::px(6));
    const std::string text = ui::clipped(e.name, room - line - ui::px(6));
    ImGui::GetWindowDrawList()->AddText(ImVec2(at.x + line + ui::px(6), at.y), ui::theme().text,
                                        text.c_str());
    ImGui::TableNextColumn();
    if (!e.is_folder) ImGui::TextDisabled("%s", bytes_text(e.bytes).c_str());
    ImGui::TableNextColumn();
    ImGui::TextDisabled("%s", date_text(e.changed).c_str());
    ImGui::PopID();
    if (!clicked) return false;
    const bool again = row == row_ && ImGui::IsMouseDoubleClicked(0);
    choose(row);
    scroll_to_row_ = false;
    return again;
  }

  void draw_end_rows() {
    name_active_ = false;
    if (question().saving) draw_name_row();
    const float width = ui::px(96), gap = ImGui::GetStyle().ItemSpacing.x;
    draw_filter();
    ImGui::SameLine();
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - 2 * width -
                         gap);
    if (ImGui::Button("Cancel", ImVec2(width, 0))) done_ = fs::path();
    ui::mark("dialog", "cancel");
    ImGui::SameLine();
    ImGui::BeginDisabled(question().saving ? name_.empty() : row_ < 0);
    const bool enters = row_ >= 0 && entry(row_).is_folder && !question().saving;
    ui::StandardButton standard;
    if (ImGui::Button(question().saving ? "Save" : enters ? "Enter" : "Open", ImVec2(width, 0))) {
      if (question().saving)
        take_name();
      else
        take_standard();
    }
    ui::mark("dialog", "ok");
    ImGui::EndDisabled();
  }

  void draw_name_row() {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("Name");
    ImGui::SameLine();
    if (focus_name_) {
      ImGui::SetKeyboardFocusHere();
      focus_name_ = false;
    }
    ImGui::SetNextItemWidth(-FLT_MIN);
    if (ImGui::InputText("##name", &name_,
                         ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll))
      take_name();
    name_active_ = ImGui::IsItemActive();
    ui::mark("dialog", "name");
  }

  void draw_filter() {
    const std::vector<std::string>& endings = question().endings;
    if (endings.empty()) {
      ImGui::AlignTextToFramePadding();
      return ImGui::TextDisabled("All files");
    }
    std::string own;
    for (const std::string& ending : endings) own += (own.empty() ? "*." : "  *.") + ending;
    ImGui::SetNextItemWidth(ui::px(260));
    if (!ImGui::BeginCombo("##filter", all_files_ ? "All files" : own.c_str())) {
      ui::mark("dialog", "filter");
      return;
    }
    for (const bool all : {false, true})
      if (ImGui::Selectable(all ? "All files" : own.c_str(), all_files_ == all)) {
        all_files_ = all;
        reorder();
      }
    ImGui::EndCombo();
  }

  // Tab in the path box: as much as all names that fit have in common. It reads the folder on the
  // spot, since one waits for it, but not without an end.
  static int complete(ImGuiInputTextCallbackData* data) {
    if (data->EventFlag != ImGuiInputTextFlags_CallbackCompletion) return 0;
    const FileDialog& self = *static_cast<const FileDialog*>(data->UserData);
    const std::string typed(data->Buf, static_cast<std::size_t>(data->BufTextLen));
    const std::size_t slash = typed.rfind('/');
    const std::string head = slash == std::string::npos ? "" : typed.substr(0, slash + 1);
    const std::string tail = slash == std::string::npos ? typed : typed.substr(slash + 1);
    const fs::path folder = typed_path(head.empty() ? "." : head, self.list_.folder());
    FolderList there;
    there.open(folder);
    if (!there.update(0.2)) return 0;
    std::string common;
    bool first = true, is_folder = false;
    for (const FolderEntry& e : there.entries()) {
      if (!e.name.starts_with(tail) || (tail.empty() && e.name.starts_with('.'))) continue;
      is_folder = first && e.is_folder;
      if (first) common = e.name;
      first = false;
      const auto end = std::mismatch(common.begin(), common.end(), e.name.begin(), e.name.end());
      common.erase(end.first, common.end());
    }
    if (common.size() <= tail.size() && !(is_folder && common == tail)) return 0;
    data->InsertChars(data->BufTextLen, common.substr(tail.size()).c_str());
    if (is_folder) data->InsertChars(data->BufTextLen, "/");
    data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
    return 0;
  }

  Editor& editor_;
  uint64_t asked_ = 0;  // which question it shows
  FolderList list_;
  std::vector<std::size_t> shown_;
  int row_ = -1;
  bool scroll_to_row_ = false;
  std::string path_text_, name_, folder_name_, jump_, seek_;
  double jumped_at_ = 0;
  std::vector<std::string> recent_;
  FolderOrder order_ = FolderOrder::name;
  bool hidden_ = false, all_files_ = false;
  bool path_active_ = false, name_active_ = false, focus_name_ = false;
  bool making_folder_ = false, focus_folder_name_ = false;
  int has_desktop_ = -1;          // not looked yet
  std::optional<fs::path> done_;  // what was chosen; an empty path: nothing
};

}  // namespace

std::unique_ptr<Overlay> make_file_dialog(Editor& editor) {
  return std::make_unique<FileDialog>(editor);
}

}  // namespace sinew::editor
