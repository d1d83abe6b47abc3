#include "app/editor/editor.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/editor/titles.h"
#include "app/library/flaw_of_library.h"
#include "app/ui/landmarks.h"
#include "app/ui/splitter.h"
#include "app/ui/widgets.h"

namespace sinew::editor {
namespace {

constexpr std::size_t most_notices = 500;

std::filesystem::path own_presets(const EditorOptions& options) {
  if (!options.own_presets.empty() || !options.remembers) return options.own_presets;
  return own_presets_folder();
}

}  // namespace

Editor::Editor(ui::Host& the_host, render::Device& the_device, const Registry& registry,
               Preferences the_preferences, EditorOptions the_options,
               std::function<void()> wake_window)
    : host(the_host),
      device(the_device),
      preferences(std::move(the_preferences)),
      options(std::move(the_options)),
      session(registry),
      player(session, wake_window, options.threads),
      works(session, player, wake_window),
      wake(std::move(wake_window)),
      library(registry, find_presets(options.presets), own_presets(options)),
      pictures(host, registry,
               options.preset_pictures ? cache_folder() / "thumbnails" : std::filesystem::path(),
               wake),
      presets_folder_(find_presets(options.presets)) {
  add_actions();
  add_gestures(actions);
  panels_.emplace_back("Viewport", make_viewport(*this));
  panels_.emplace_back("Canvas", make_canvas(*this));
  panels_.emplace_back("Inspector", make_inspector(*this));
  panels_.emplace_back("Chart", make_chart_panel(*this));
  panels_.emplace_back("Numbers", make_numbers(*this));
  panels_.emplace_back("Gallery", make_gallery(*this));
  panels_.emplace_back("Timeline", make_timeline(*this));
  panels_.emplace_back("Library", make_library(*this));
  panels_.emplace_back("History", make_history(*this));
  panels_.emplace_back("Messages", make_messages(*this));
  overlays_.push_back(make_welcome(*this));
  overlays_.push_back(make_tutorial(*this));
  overlays_.push_back(make_save_preset(*this));
  overlays_.push_back(make_palette(*this));
  overlays_.push_back(make_shortcut_sheet(*this));
  overlays_.push_back(make_recovery(*this));
  overlays_.push_back(make_file_dialog(*this));
  overlays_.push_back(make_question_box(*this));
  overlays_.push_back(make_toasts(*this));
  set_theme(preferences.get<std::string>("theme", "dark") == "light" ? ui::ThemeName::light
                                                                     : ui::ThemeName::dark);
  for (const std::filesystem::path& folder : {presets_folder_, own_presets(options)})
    if (const std::string flaw = flaw_of_library(folder); !flaw.empty())
      notify(NoticeKind::error, flaw);
}

Editor::~Editor() { (void)preferences.save(); }

void Editor::settle() {
  player.settle();
  if (library.reading()) (void)library.update(10);
  for (auto& [name, p] : panels_) p->settle();
}

void Editor::set_theme(ui::ThemeName name) {
  preferences.set("theme", name == ui::ThemeName::light ? "light" : "dark");
  host.set_theme(name, window_scale * preferences.get("scale", 1.0f));
}

void Editor::set_scale(float scale) {
  preferences.set("scale", std::clamp(scale, 0.5f, 3.0f));
  set_theme(ui::theme().name);
}

void Editor::notify(NoticeKind kind, std::string text) {
  if (notices_.size() >= most_notices) notices_.erase(notices_.begin());
  notices_.push_back({kind, std::move(text), now_});
  want_frames(0.1);
}

double Editor::seconds_of(NoticeKind kind) {
  return kind == NoticeKind::error ? 20 : kind == NoticeKind::warning ? 10 : 6;
}

bool Editor::tell(const Result<void>& result) {
  if (result) return true;
  notify(NoticeKind::error, result.error());
  return false;
}

bool Editor::restless() const {
  return player.playing() || player.busy() || host.restless() || now_ < restless_until_;
}

double Editor::patience() const {
  if (player.playing()) return 0.002;
  if (player.busy() || host.restless()) return 0.02;
  return now_ < restless_until_ ? 0.05 : std::clamp(frame_at_ - now_, 0.0, 1.0);
}

std::string Editor::window_title() const {
  return fmt::format("{}{} - Sinew", session.modified() ? "*" : "", session.title());
}

void Editor::frame(double now) {
  now_ = now;
  if (due(now)) frame_at_ = std::numeric_limits<double>::infinity();
  hovered_ = std::exchange(next_hovered_, Where::anywhere);
  hint_ = std::exchange(next_hint_, {});
  take_drops();
  player.take_finished();
  if (library.reading()) want_frames(0.1);
  (void)library.update();
  pictures.update(options.preset_pictures && !player.busy() && !player.playing());
  works.update(now, !ImGui::IsAnyMouseDown());
  for (Works::News& news : works.take_news())
    notify(news.good ? NoticeKind::success : NoticeKind::warning, std::move(news.text));
  for (auto& [name, p] : panels_) p->update();
  for (std::string& text : player.take_notices()) notify(NoticeKind::warning, std::move(text));
  if (!session.file().empty() && session.file() != recent_file_)
    recent.add(recent_file_ = session.file());
  if (const std::string refused = session.take_refusal(); !refused.empty())
    notify(NoticeKind::warning, refused);
  if (!asking()) actions.press_keys(hovered_);
  draw_menu_bar();
  draw_panels();
  draw_status();
  for (const auto& overlay : overlays_) overlay->draw();
  // Last, so that what was changed in this frame is asked for at once.
  player.update(now);
  if (preferences.changed() && now - saved_preferences_at_ > 2) {
    saved_preferences_at_ = now;
    if (options.remembers) (void)preferences.save();
  }
}

void Editor::draw_menu_bar() {
  if (!ImGui::BeginMainMenuBar()) return;
  for (const std::string& menu : actions.menus()) {
    const bool open = ImGui::BeginMenu(menu.c_str());
    ui::mark("menu", menu);
    if (!open) continue;
    actions.draw_menu(menu);
    ImGui::EndMenu();
  }
  // In the middle if there is room between the menus and the border, else behind the menus.
  const float from = ImGui::GetCursorPosX() + ui::px(18);
  const float room = ImGui::GetWindowWidth() - from - ui::px(10);
  const std::string title =
      ui::clipped((session.modified() ? "* " : "") + session.title(), std::max(room, 0.0f));
  const float width = ImGui::CalcTextSize(title.c_str()).x;
  if (room > ui::px(40)) {
    ImGui::SameLine(std::max(from, (ImGui::GetWindowWidth() - width) / 2));
    ImGui::TextDisabled("%s", title.c_str());
    ui::mark("menu", "title");
    ui::hover_text(session.title(),
                   session.file().empty() ? "Not saved yet" : session.file().string());
  }
  ImGui::EndMainMenuBar();
}

// Where they do not fit, their letters are smaller.
void Editor::draw_tabs(const std::vector<std::string>& tabs, float room, std::string& open) {
  const ImVec2 pad = ImGui::GetStyle().FramePadding;
  const float gap = ui::px(2), high = ImGui::GetFrameHeight();
  float whole = -gap;
  for (const std::string& name : tabs)
    whole += ImGui::CalcTextSize(name.c_str()).x + 2 * pad.x + gap;
  const float part = std::clamp(room / whole, 0.4f, 1.0f);
  ImGui::PushFont(nullptr, part * ImGui::GetStyle().FontSizeBase);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(std::floor(part * pad.x), pad.y));
  for (const std::string& name : tabs) {
    const bool chosen = name == open;
    ImGui::PushStyleColor(ImGuiCol_Button, chosen ? ui::theme().raised : IM_COL32(0, 0, 0, 0));
    ImGui::PushStyleColor(ImGuiCol_Text, chosen ? ui::theme().text : ui::theme().dim);
    if (ImGui::Button(name.c_str(), ImVec2(0, high))) open = name;
    ImGui::PopStyleColor(2);
    ui::mark("tab", name);
    ImGui::SameLine(0, part * gap);
  }
  ImGui::PopStyleVar();
  ImGui::PopFont();
  ImGui::NewLine();
}

void Editor::draw_area(const char* id, const std::vector<std::string>& tabs, float x, float y,
                       float width, float height) {
  if (width < 1 || height < 1) return;
  ImGui::SetNextWindowPos(ImVec2(x, y));
  ImGui::SetNextWindowSize(ImVec2(width, height));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  ImGui::Begin(id, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoNavFocus | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar(3);
  const std::string key = std::string("tab.") + (id + 2);
  std::string open = preferences.get<std::string>(key, tabs.front());
  if (std::find(tabs.begin(), tabs.end(), open) == tabs.end()) open = tabs.front();
  if (std::find(tabs.begin(), tabs.end(), forward_) != tabs.end())
    open = std::exchange(forward_, {});
  if (tabs.size() > 1) {
    ImGui::SetCursorPos(ImVec2(ui::px(6), ui::px(4)));
    draw_tabs(tabs, width - ui::px(12), open);
    preferences.set(key, open);
  }
  areas_[open] = {ImGui::GetCursorScreenPos(), ImVec2(x + width, y + height)};
  ImGui::BeginChild("content", ImVec2(0, 0), ImGuiChildFlags_None,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ui::mark_area("panel", open, ImGui::GetWindowPos(),
                ImGui::GetWindowPos() + ImGui::GetWindowSize());
  for (auto& [name, p] : panels_)
    if (name == open) p->draw();
  ImGui::EndChild();
  ImGui::End();
}

void Editor::draw_panels() {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  areas_.clear();
  const float top = ImGui::GetFrameHeight(), gap = ui::px(3);
  const float status = ImGui::GetFrameHeight(), timeline = ui::px(92);
  const float bottom = screen.y - status - timeline - gap;
  const float height = std::max(bottom - gap - top, 1.0f);
  const auto share = [&](const char* key, float standard) {
    return preferences.get(key, standard);
  };
  static const std::vector<std::string> left_tabs = {"Library", "History", "Messages"},
                                        right_tabs = {"Chart", "Numbers", "Gallery"};
  const auto is_one_of = [&](const std::vector<std::string>& tabs) {
    return std::find(tabs.begin(), tabs.end(), forward_) != tabs.end();
  };
  // What is brought forward is to be seen.
  if (is_one_of(left_tabs)) preferences.set("left_panel", true);
  if (is_one_of(right_tabs)) preferences.set("right_panel", true);
  const bool has_left = preferences.get("left_panel", true);
  const bool has_right = preferences.get("right_panel", true);
  const float left = has_left ? std::round(screen.x * share("split.left", 0.16f)) : 0;
  const float right = has_right ? std::round(screen.x * share("split.right", 0.22f)) : 0;
  const float middle_x = has_left ? left + gap : 0;
  const float middle = std::max(screen.x - middle_x - (has_right ? right + gap : 0), 1.0f);
  const float upper = std::round(height * share("split.middle", 0.5f));
  // What shows between the panels.
  ImGui::GetBackgroundDrawList()->AddRectFilled(ImVec2(0, 0), screen, ui::theme().line);
  const float right_x = screen.x - right,
              right_upper = std::round(height * share("split.chart", 0.6f));

  if (has_left) draw_area("##left", left_tabs, 0, top, left, height);
  draw_area("##view", {"Viewport"}, middle_x, top, middle, upper);
  draw_area("##canvas", {"Canvas"}, middle_x, top + upper + gap, middle, height - upper - gap);
  if (has_right) {
    draw_area("##inspector", {"Inspector"}, right_x, top, right, right_upper);
    draw_area("##lower_right", right_tabs, right_x, top + right_upper + gap, right,
              height - right_upper - gap);
  }
  draw_area("##timeline", {"Timeline"}, 0, bottom, screen.x, timeline);
  forward_.clear();

  using ui::Direction;
  if (has_left)
    if (const auto x = ui::splitter("left", Direction::upright, left, top, gap, height))
      preferences.set("split.left", std::clamp(*x / screen.x, 0.08f, 0.4f));
  if (has_right)
    if (const auto x = ui::splitter("right", Direction::upright, right_x - gap, top, gap, height))
      preferences.set("split.right", std::clamp(1 - *x / screen.x, 0.12f, 0.5f));
  if (const auto y = ui::splitter("middle", Direction::level, middle_x, top + upper, middle, gap))
    preferences.set("split.middle", std::clamp((*y - top) / height, 0.1f, 0.9f));
  if (has_right)
    if (const auto y =
            ui::splitter("chart", Direction::level, right_x, top + right_upper, right, gap))
      preferences.set("split.chart", std::clamp((*y - top) / height, 0.1f, 0.9f));
}

// How the work goes, from the right border on; where it begins.
float Editor::draw_status_right(float right) {
  const float gap = ui::px(10);
  int errors = 0, warnings = 0;
  for (const NodeMessage& m : player.messages()) {
    errors += m.message.severity == Severity::error;
    warnings += m.message.severity == Severity::warning;
  }
  if (errors + warnings > 0) {
    const std::string text = errors > 0
                                 ? fmt::format("{} error{}", errors, errors > 1 ? "s" : "")
                                 : fmt::format("{} warning{}", warnings, warnings > 1 ? "s" : "");
    right -= ImGui::CalcTextSize(text.c_str()).x;
    ImGui::SetCursorPosX(right);
    ImGui::PushStyleColor(ImGuiCol_Text, errors > 0 ? ui::theme().error : ui::theme().warning);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopStyleColor();
    ui::mark("status", "messages");
    ui::hover_text("Click: the list of messages");
    if (ImGui::IsItemClicked()) bring_forward("Messages");
    right -= gap;
    ImGui::SameLine();
  }
  if (player.running_seconds() > 0.5) return draw_status_running(right);
  if (player.cancelled()) {
    const char* text = "Cancelled.";
    right -= ImGui::CalcTextSize(text).x + ui::px(80);
    ImGui::SetCursorPosX(right);
    ImGui::TextUnformatted(text);
    ImGui::SameLine();
    if (ImGui::Button("Go on", ImVec2(ui::px(64), 0))) player.go_on();
    ui::mark("status", "go_on");
    ui::hover_text("Evaluates what is shown; what nodes had found is kept. Any change does, too.");
    ImGui::SameLine();
  }
  return right;
}

// An evaluation that takes long: how far it is, in the words of the node if it has any.
float Editor::draw_status_running(float right) {
  const auto [at, last] = player.progress();
  const std::optional<Evaluator::NodeProgress> node = player.node_progress();
  std::string text = fmt::format("computing, {:.0f} s", player.running_seconds());
  float done = -static_cast<float>(ImGui::GetTime()), bar = ui::px(220);
  if (node) {
    text = fmt::format("{}: {}", title_of_path(session, node->path), node->words);
    if (node->part >= 0) done = static_cast<float>(node->part);
    bar = std::clamp(ImGui::CalcTextSize(text.c_str()).x + ui::px(24), bar, ui::px(420));
  } else if (last > 0) {
    text = fmt::format("frame {} of {}", at, last);
    done = static_cast<float>(at) / static_cast<float>(last);
  }
  right -= bar + ui::px(80);
  ImGui::SetCursorPosX(right);
  ImGui::ProgressBar(done, ImVec2(bar, 0), ui::clipped(text, bar - ui::px(12)).c_str());
  ui::mark("status", "progress");
  if (node) {
    ui::hover_text(
        text, fmt::format("For {:.0f} s now. Click: go to the node", player.running_seconds()));
    if (ImGui::IsItemClicked()) session.go_to_node(node->path);
  }
  ImGui::SameLine();
  if (ImGui::Button("Cancel")) player.cancel();
  ui::mark("status", "cancel");
  ui::hover_text("Stops (Escape)");
  ImGui::SameLine();
  return right;
}

// What a node searches for, wherever one is.
float Editor::draw_status_work(float right) {
  if (!works.busy()) return right;
  const Works::State state = works.state();
  const std::string text = state.stopping
                               ? fmt::format("{}: stopping", state.title)
                               : fmt::format("{}: {:.0f} %", state.title, 100 * state.part);
  const float bar = ui::px(190), button = ui::px(48);
  right -= bar + button + ui::px(14);
  ImGui::SetCursorPosX(right);
  ImGui::ProgressBar(static_cast<float>(state.part), ImVec2(bar, 0),
                     ui::clipped(text, bar - ui::px(12)).c_str());
  ui::mark("status", "work");
  ui::hover_text(fmt::format("{}: {}", state.title, state.label),
                 state.words + "\nClick: go to the node");
  if (ImGui::IsItemClicked()) session.go_to_node(state.node);
  ImGui::SameLine(0, ui::px(4));
  ImGui::BeginDisabled(state.stopping);
  if (ImGui::Button("Stop", ImVec2(button, 0))) works.stop();
  ImGui::EndDisabled();
  ui::mark("status", "work_stop");
  ImGui::SameLine();
  return right - ui::px(10);
}

// The last line: what the mouse would do, and how the work goes.
void Editor::draw_status() {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float height = ImGui::GetFrameHeight();
  ImGui::SetNextWindowPos(ImVec2(0, screen.y - height));
  ImGui::SetNextWindowSize(ImVec2(screen.x, height));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui::px(8), ui::px(2)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ui::theme().back);
  ImGui::Begin("##status", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoNavFocus);
  ImGui::AlignTextToFramePadding();
  const float right = draw_status_work(draw_status_right(screen.x - ui::px(10)));
  ImGui::SetCursorPosX(ui::px(8));
  ui::clipped_text(hint_, right - ui::px(20), ui::theme().dim);
  ui::mark_area("status", "hint", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
}

}  // namespace sinew::editor
