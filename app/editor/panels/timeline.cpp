// The timeline: what plays, where it is, and by which clock.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/editor/baker.h"
#include "app/editor/editor.h"
#include "app/editor/panels/timeline/ruler.h"
#include "app/ui/landmarks.h"
#include "app/ui/widgets.h"
#include "graph/scratch_folder.h"

namespace sinew::editor {
namespace {

constexpr const char* timeline_words =
    "Timeline: frame n is what the graph says from the start, the same whenever it is played. A "
    "change begins the simulation anew.";
constexpr const char* live_words =
    "Live: simulations go on from where they are, and a change takes effect with the next step. "
    "What is done while recording becomes part of the timeline.";

class Timeline : public Panel {
 public:
  explicit Timeline(Editor& editor)
      : editor_(editor),
        ruler_(editor),
        own_home_(editor.options.remembers ? std::nullopt : scratch_folder()),
        baker_(editor.session, editor.player,
               own_home_ ? own_home_->path() : cache_folder() / "bake", editor.options.bakes_beside,
               editor.wake) {
    add_actions();
    add_key_actions();
    add_evaluation_actions();
  }
  void update() override {
    baker_.update();
    for (Baker::News& news : baker_.take_news())
      editor_.notify(news.good ? NoticeKind::success : NoticeKind::warning, std::move(news.text));
  }
  void settle() override { baker_.settle(); }

  void draw() override {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui::px(3), ui::px(4)));
    ImGui::SetCursorPos(ImVec2(ui::px(8), ui::px(4)));
    draw_transport();
    gap();
    draw_clock();
    gap();
    draw_numbers();
    gap();
    draw_key_button();
    draw_bake();
    draw_right(ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x + ui::px(14));
    ImGui::PopStyleVar();
    ImGui::SetCursorPos(ImVec2(0, ui::px(8) + ImGui::GetFrameHeight()));
    ruler_.draw();
    if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows))
      editor_.set_hovered(Where::timeline);
  }

 private:
  static void gap() { ImGui::SameLine(0, ui::px(14)); }
  Player& player() { return editor_.player; }
  bool live() const { return editor_.player.clock() == ClockKind::live; }

  void add_actions();
  void add_key_actions();
  void add_evaluation_actions();
  // For runs that are to leave nothing behind.
  static std::optional<ScratchFolder> scratch_folder() {
    constexpr const char* name = "sinew-bake";
    const std::filesystem::path temporary = std::filesystem::temp_directory_path();
    remove_left_folders(temporary, name);
    Result<ScratchFolder> made = ScratchFolder::make(temporary, name);
    return made ? std::optional(std::move(*made)) : std::nullopt;
  }
  void draw_key_button();
  void draw_bake();
  void draw_transport();
  void draw_clock();
  void draw_numbers();
  void draw_speed();
  void draw_right(float from);
  void set_ends(int first, int last);
  // Wherever the frame is, the part that is played begins or ends there.
  void set_in();
  void set_out();

  Editor& editor_;
  Ruler ruler_;
  const std::optional<ScratchFolder> own_home_;
  Baker baker_;
};

void Timeline::add_actions() {
  Actions& a = editor_.actions;
  const auto add = [&](const char* id, const char* title, const char* keys, const char* doc,
                       std::function<void()> run, Where where = Where::anywhere) {
    a.add({id, title, where == Where::anywhere ? "Play" : "", keys, doc, where, std::move(run)});
  };
  add("timeline.play", "Play", "Space", "Plays, or stands still",
      [this] { player().play(!player().playing()); });
  add("timeline.back", "One frame back", "Left", "To the frame before",
      [this] { player().step(-1); });
  add("timeline.forward", "One frame on", "Right", "To the next frame",
      [this] { player().step(1); });
  add("timeline.back_10", "Ten frames back", "Shift+Left", "Ten frames earlier",
      [this] { player().step(-10); });
  add("timeline.forward_10", "Ten frames on", "Shift+Right", "Ten frames later",
      [this] { player().step(10); });
  add("timeline.to_start", "To the start", "Ctrl+Left", "To the first frame that is played",
      [this] { player().go_to(player().first_frame()); });
  add("timeline.to_end", "To the end", "Ctrl+Right", "To the last frame that is played",
      [this] { player().go_to(player().last_frame()); });
  add(
      "timeline.home", "To the start", "Home", "To the first frame that is played",
      [this] { player().go_to(player().first_frame()); }, Where::timeline);
  add(
      "timeline.end", "To the end", "End", "To the last frame that is played",
      [this] { player().go_to(player().last_frame()); }, Where::timeline);
  a.add({"timeline.loop",
         "Loop",
         "Play",
         "",
         "Begins anew at the end",
         Where::anywhere,
         [this] { player().loops = !player().loops; },
         {},
         [this] { return player().loops; }});
  add(
      "timeline.in", "Begin the loop here", "I", "What is played begins at this frame",
      [this] { set_in(); }, Where::timeline);
  add(
      "timeline.out", "End the loop here", "O", "What is played ends at this frame",
      [this] { set_out(); }, Where::timeline);
  add("timeline.all", "Play all frames", "", "Forgets the part that was chosen",
      [this] { player().set_loop(std::nullopt); });
  a.add({"timeline.live",
         "Live clock",
         "Play",
         "",
         live_words,
         Where::anywhere,
         [this] { player().set_clock(live() ? ClockKind::timeline : ClockKind::live); },
         {},
         [this] { return live(); }});
  a.add({"timeline.restart", "Restart", "Play", "", "The live clock begins anew", Where::anywhere,
         [this] { player().restart(); }});
  a.add({"timeline.bake", "Bake to disk", "Play", "",
         "Computes every frame in the background and keeps it beside the document", Where::anywhere,
         [this] {
           if (!baker_.start())
             editor_.notify(NoticeKind::warning, "There is nothing to bake: nothing is shown");
         },
         [this] { return !baker_.baking(); }});
  a.add({"timeline.cancel_bake", "Stop baking", "Play", "", "What is done stays", Where::anywhere,
         [this] { baker_.cancel(); }, [this] { return baker_.baking(); }});
  a.add({"timeline.delete_bake", "Delete the bake", "Play", "",
         "Takes the results of this document from the disk", Where::anywhere,
         [this] { baker_.remove(); }});
  a.add({"timeline.record",
         "Record",
         "Play",
         "",
         "What is changed while it plays live becomes part of the document",
         Where::anywhere,
         [this] { player().record(!player().recording()); },
         {},
         [this] { return player().recording(); }});
}

void Timeline::add_key_actions() {
  Actions& a = editor_.actions;
  a.add({"timeline.add_key", "Key here", "Play", "K",
         "A key of the chosen node at the present frame, as things are there", Where::anywhere,
         [this] { ruler_.keys().add(player().frame()); },
         [this] { return !live() && ruler_.keys().can_add(); }});
  a.add({"timeline.remove_key", "Remove the key", "", "Delete", "The key under the mouse",
         Where::timeline, [this] { ruler_.keys().remove_hot(); },
         [this] { return ruler_.keys().has_hot(); }});
}

void Timeline::add_evaluation_actions() {
  Actions& a = editor_.actions;
  a.add({"evaluation.cancel", "Stop computing", "Play", "Escape",
         "Stops an evaluation that takes long; what nodes have found so far is kept",
         Where::anywhere, [this] { player().cancel(); },
         [this] { return !editor_.give_up && player().running_seconds() > 0.5; }});
  a.add({"evaluation.go_on", "Go on computing", "Play", "", "Evaluates again what was stopped",
         Where::anywhere, [this] { player().go_on(); }, [this] { return player().cancelled(); }});
}

// Only where keys can be put: most nodes have none.
void Timeline::draw_key_button() {
  if (live() || !ruler_.keys().can_add()) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float side = ImGui::GetFrameHeight(), r = 0.26f * side;
  const bool pressed = ImGui::InvisibleButton("add key", ImVec2(1.3f * side, side));
  ui::mark("button", "add_key");
  const ImU32 ink = ImGui::IsItemHovered() ? ui::theme().accent : ui::theme().text;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 middle(at.x + 0.5f * side, at.y + side / 2);
  list.AddNgonFilled(middle, r, ink, 4);
  const ImVec2 plus(at.x + 1.05f * side, at.y + side / 2);
  const float arm = 0.16f * side;
  list.AddLine(ImVec2(plus.x - arm, plus.y), ImVec2(plus.x + arm, plus.y), ink, ui::px(1.6f));
  list.AddLine(ImVec2(plus.x, plus.y - arm), ImVec2(plus.x, plus.y + arm), ink, ui::px(1.6f));
  ui::hover_text("A key at this frame (K)",
                 "The chosen node keeps where the body is now, and in which shape.");
  if (pressed) (void)editor_.actions.run("timeline.add_key");
  gap();
}

void Timeline::draw_bake() {
  if (!baker_.baking()) {
    if (ui::icon_button(
            "bake", ui::Icon::bake,
            "Bake: computes every frame in the background and keeps it on disk, so that "
            "it is there at once, also the next time"))
      (void)editor_.actions.run("timeline.bake");
    return;
  }
  const auto [done, total] = baker_.progress();
  ImGui::ProgressBar(static_cast<float>(done) / static_cast<float>(std::max(total, 1)),
                     ImVec2(ui::px(130), 0), fmt::format("baking {} / {}", done, total).c_str());
  ui::mark("timeline", "baking");
  ImGui::SameLine();
  if (ui::icon_button("cancel_bake", ui::Icon::cross, "Stops baking; what is done stays"))
    baker_.cancel();
}

void Timeline::set_in() {
  const int last = player().last_frame();
  player().set_loop(std::pair(player().frame(), std::max(last, player().frame() + 1)));
}

void Timeline::set_out() {
  const int at = std::max(player().frame(), editor_.session.doc().settings.first_frame + 1);
  player().set_loop(std::pair(std::min(player().first_frame(), at - 1), at));
}

void Timeline::draw_transport() {
  using ui::Icon;
  const auto button = [&](const char* id, Icon icon, const char* action, const char* words,
                          bool on = false, bool enabled = true) {
    if (ui::icon_button(id, icon, words, on, enabled)) (void)editor_.actions.run(action);
    ImGui::SameLine();
  };
  button("to_start", Icon::to_start, "timeline.to_start", "To the start (Ctrl+Left)");
  button("step_back", Icon::step_back, "timeline.back", "One frame back (Left; Shift: ten)");
  button("play", player().playing() ? Icon::pause : Icon::play, "timeline.play",
         player().playing() ? "Pause (Space)" : "Play (Space)", player().playing());
  button("step_forward", Icon::step_forward, "timeline.forward",
         "One frame on (Right; Shift: ten)");
  button("to_end", Icon::to_end, "timeline.to_end", "To the end (Ctrl+Right)", false, !live());
  if (ui::icon_button("loop", Icon::loop, "Begins anew at the end; else it stops there",
                      player().loops && !live(), !live()))
    (void)editor_.actions.run("timeline.loop");
}

// Two halves of one switch: which clock is meant is seen from across the room.
void Timeline::draw_clock() {
  const auto half = [&](const char* label, const char* name, ClockKind clock, const char* words) {
    const bool chosen = player().clock() == clock;
    const ImU32 back = chosen ? ui::theme().accent_soft : ui::theme().field;
    ImGui::PushStyleColor(ImGuiCol_Button, back);
    ImGui::PushStyleColor(ImGuiCol_Text, chosen ? ui::theme().accent : ui::theme().dim);
    if (ImGui::Button(label)) player().set_clock(clock);
    ImGui::PopStyleColor(2);
    ui::mark("button", name);
    ui::hover_text(label, words);
  };
  half("Timeline", "timeline", ClockKind::timeline, timeline_words);
  ImGui::SameLine(0, 0);
  half("Live", "live", ClockKind::live, live_words);
  ImGui::SameLine();
  if (ui::icon_button("restart", ui::Icon::reset, "The live clock begins anew", false, live()))
    (void)editor_.actions.run("timeline.restart");
  ImGui::SameLine();
  const bool recording = player().recording();
  const std::size_t events = player().recorded_events();
  const std::string words =
      recording ? fmt::format("Recording: {} changes so far. Click to stop and keep them.", events)
                : "Record: plays live, and each change of a parameter becomes part of the "
                  "timeline.";
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float side = ImGui::GetFrameHeight();
  if (recording)
    ImGui::GetWindowDrawList()->AddRectFilled(at, ImVec2(at.x + side, at.y + side),
                                              ui::with_alpha(ui::theme().error, 0.25f), ui::px(4));
  const bool pressed = ImGui::InvisibleButton("record", ImVec2(side, side));
  ui::draw_icon(*ImGui::GetWindowDrawList(), ui::Icon::record,
                ImVec2(at.x + side / 2, at.y + side / 2), 0.72f * side,
                recording || ImGui::IsItemHovered() ? ui::theme().error : ui::theme().text);
  ui::mark("button", "record");
  ui::hover_text(words);
  if (pressed) (void)editor_.actions.run("timeline.record");
  if (!recording) return;
  ImGui::SameLine();
  ImGui::PushStyleColor(ImGuiCol_Text, ui::theme().error);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(fmt::format("{} {}", events, events == 1 ? "event" : "events").c_str());
  ImGui::PopStyleColor();
}

void Timeline::draw_numbers() {
  int frame = player().frame();
  ImGui::SetNextItemWidth(ui::px(64));
  ImGui::InputInt("##frame", &frame, 0);
  ui::mark("timeline", "frame");
  if (ImGui::IsItemDeactivatedAfterEdit()) player().go_to(frame);
  ui::hover_text("The present frame. Click and type another.");
  ImGui::SameLine();
  ImGui::PushStyleColor(ImGuiCol_Text, ui::theme().dim);
  ImGui::AlignTextToFramePadding();
  const double seconds = player().fps() > 0 ? player().frame() / player().fps() : 0;
  ImGui::TextUnformatted(fmt::format("{:.2f} s", seconds).c_str());
  ImGui::PopStyleColor();
}

void Timeline::draw_speed() {
  float times = static_cast<float>(player().speed);
  ImGui::SetNextItemWidth(ui::px(80));
  if (ImGui::DragFloat("##speed", &times, 0.01f, 0.1f, 4, "%.2fx",
                       ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp))
    player().speed = std::abs(times - 1) < 0.02f ? 1 : times;
  if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) player().speed = 1;
  ui::mark("timeline", "speed");
  ui::hover_text(
      "How fast the clock runs, against real time. Drag it; right click: as in reality.");
}

// How fast it goes, and between which frames, at the right end. Where there is too little room
// behind the rest, the figures go first and then the speed.
void Timeline::draw_right(float from) {
  const Settings& settings = editor_.session.doc().settings;
  const float wide = ui::px(56), right = ImGui::GetWindowWidth() - ui::px(10);
  const float ends = right - 2 * wide - ui::px(3);
  const float speed = ends - ui::px(90);
  const std::string text = fmt::format("{:.1f} ms  {:.0f} fps", 1000 * player().seconds_per_frame(),
                                       player().reached_fps());
  const float figures = speed - ui::px(12) - ImGui::CalcTextSize(text.c_str()).x;

  if (player().playing() && player().reached_fps() > 0 && figures >= from) {
    ImGui::SameLine(figures);
    const bool slow = player().reached_fps() < 0.9 * player().fps() * player().speed;
    ImGui::PushStyleColor(ImGuiCol_Text, slow ? ui::theme().warning : ui::theme().dim);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopStyleColor();
    ui::mark("timeline", "figures");
    ui::hover_text("The evaluation of a frame takes so long, and so many are reached in a second.");
  }

  if (speed >= from) {
    ImGui::SameLine(speed);
    draw_speed();
  }

  int first = settings.first_frame, last = settings.last_frame;
  ImGui::SameLine(std::max(ends, from));
  ImGui::SetNextItemWidth(wide);
  ImGui::InputInt("##first", &first, 0);
  ui::mark("timeline", "first");
  if (ImGui::IsItemDeactivatedAfterEdit()) set_ends(first, std::max(last, first + 1));
  ui::hover_text("The first frame of the document: simulations begin here.");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(wide);
  ImGui::InputInt("##last", &last, 0);
  ui::mark("timeline", "last");
  if (ImGui::IsItemDeactivatedAfterEdit()) set_ends(std::min(first, last - 1), last);
  ui::hover_text("The last frame of the document.");
}

void Timeline::set_ends(int first, int last) {
  Settings settings = editor_.session.doc().settings;
  if (settings.first_frame == first && settings.last_frame == last) return;
  settings.first_frame = first;
  settings.last_frame = last;
  (void)editor_.session.apply(
      {fmt::format("Frames {} to {}", first, last), {edit::SetSettings{settings}}, ""});
}

}  // namespace

std::unique_ptr<Panel> make_timeline(Editor& editor) { return std::make_unique<Timeline>(editor); }

}  // namespace sinew::editor
