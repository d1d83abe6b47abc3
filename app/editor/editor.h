// The editor: one document in one window. It owns what panels share, and the panels; each panel is
// a file of its own that fills its part of the window and speaks to the others only through here.
//
//   session      the document, its history, what is chosen
//   player       the clock, evaluations and what they gave
//   works        what nodes search for beside all that
//   actions      everything that can be done by name
//   preferences  what is remembered of the person
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/editor/actions.h"
#include "app/editor/player.h"
#include "app/editor/preferences.h"
#include "app/editor/preset_pictures.h"
#include "app/editor/recent_files.h"
#include "app/editor/session.h"
#include "app/editor/works.h"
#include "app/library/library_index.h"
#include "app/ui/host.h"
#include "render/renderer.h"

namespace sinew::editor {

using namespace library;

class Editor;

// A part of the window. Made once; draws itself in each frame into the current child window of Dear
// ImGui, whose whole content region it fills.
class Panel {
 public:
  virtual ~Panel() = default;
  virtual void draw() = 0;
  // Once in each frame before anything is drawn, whether the panel is visible or not.
  virtual void update() {}
  // Waits for what is done beside the interface: for scripts and tests.
  virtual void settle() {}
  // Where on the panel's own ground something is put that is dropped at this pixel of the window;
  // nothing: nothing can be put there.
  virtual std::optional<ImVec2> ground_at(ImVec2) const { return {}; }
};

// Windows over the others: dialogs, palettes, messages that come and go.
class Overlay {
 public:
  virtual ~Overlay() = default;
  virtual void draw() = 0;
};

// Which parameter the chart editor shows, in the graph that is looked at; or, only to be seen, the
// curve of a node anywhere, by its path: a parameter or an output.
struct ChartFocus {
  std::string node, input;
  bool only_seen = false;
  bool operator==(const ChartFocus&) const = default;
};

// What the left button does to the body in the viewport.
enum class Tool : unsigned char {
  look,   // orbit; a click picks
  paint,  // strokes of the chosen node
  grab,   // pulls at a simulated body
  touch,  // a stimulus
};

enum class NoticeKind : unsigned char { info, success, warning, error };

struct EditorOptions {
  bool first_start_welcome = true;  // shows the welcome if no file is opened
  bool remembers = true;            // recovery, recent files: not in scripts and tests
  bool bakes_beside = true;         // what is baked stays beside the document; else it is dropped
  int threads = 0;                  // of evaluation; 0: all cores
  std::filesystem::path presets;    // the library's folder; empty: where the program finds it
  // The person's own presets, and copies of what is not saved. Empty: in the folders of the user if
  // it remembers, else nowhere.
  std::filesystem::path own_presets, recovery;
  bool preset_pictures = true;  // whether pictures of presets are made
};

class Editor {
 public:
  Editor(ui::Host& host, render::Device& device, const Registry& registry, Preferences preferences,
         EditorOptions options, std::function<void()> wake_window);
  ~Editor();
  Editor(const Editor&) = delete;
  Editor& operator=(const Editor&) = delete;

  ui::Host& host;
  render::Device& device;
  Preferences preferences;
  const EditorOptions options;
  Session session;
  Player player;
  Works works;
  Actions actions;
  RecentFiles recent{preferences};

  // ---- One frame of the interface. `now` in seconds, of a clock that never goes back.
  void frame(double now);
  double now() const { return now_; }
  // Asks for a frame, from any thread; empty where frames come anyway.
  const std::function<void()> wake;
  LibraryIndex library;
  PresetPictures pictures;
  // For tests and scripts: waits until all that goes on beside the interface is done.
  void settle();
  // Whether frames are wanted although nothing happens: it plays, something fades, work goes on.
  bool restless() const;
  // When the next frame is wanted at the latest, in seconds from now.
  double patience() const;
  // A single frame at that time, of the clock of frame(), although nothing happens until then.
  void want_frame_at(double when) { frame_at_ = std::min(frame_at_, when); }
  bool due(double now) const { return now >= frame_at_; }
  void want_frames(double seconds) { restless_until_ = std::max(restless_until_, now_ + seconds); }

  // ---- What panels tell each other
  std::optional<ChartFocus> chart;
  Tool tool = Tool::look;
  // While a hand holds something: all as it was before. Undo means this then.
  std::function<void()> give_up;
  // What the mouse would do here; set anew in each frame by the panel under it.
  void hint(std::string text) { next_hint_ = std::move(text); }
  Where hovered() const { return hovered_; }
  void set_hovered(Where where) { next_hovered_ = where; }
  // A line that comes and goes, and stays in the list of messages.
  void notify(NoticeKind kind, std::string text);
  struct Notice {
    NoticeKind kind;
    std::string text;
    double at;
    bool dismissed = false;  // taken off the picture; the list of messages keeps it
  };
  // For how long it is seen: what went wrong stays longer.
  static double seconds_of(NoticeKind kind);
  void dismiss(std::size_t notice) { notices_.at(notice).dismissed = true; }
  const std::vector<Notice>& notices() const { return notices_; }
  // Shows a panel that may be behind another tab: "Library", "Chart", "Numbers", "Messages", ...
  void bring_forward(const std::string& panel) { forward_ = panel; }
  // An error becomes a notice; true if there was none.
  bool tell(const Result<void>& result);

  // ---- Files (files.cpp). Those that could lose work ask first.
  void new_document();
  void open_dialog();
  void open_file(const std::filesystem::path& path);
  // A preset as a start: its document without a file.
  void open_preset(const std::filesystem::path& path, bool play = false);
  // A preset or a document as a group of this one, at a place of the canvas.
  void insert_preset(const std::filesystem::path& path, double x, double y);
  // A motion onto the mesh that is chosen, or a material onto the operators and simulations that
  // are chosen, or all of them (library_acts.cpp).
  void put_preset(const std::filesystem::path& path);
  // Packs (.sinew) into the person's library.
  void install_packs(const std::vector<std::filesystem::path>& packs);
  // Newer versions of the presets that the document holds, where the library has them.
  void upgrade_presets();
  void save();
  void save_as_dialog();
  // A file that a node can read: which one says the registry.
  void import_dialog();
  // Runs `then` at once, or when the person has saved or given up what is not saved.
  void guard(std::function<void()> then);
  // A mesh, a preset or a document was dropped onto the window at this place. Several in one frame
  // are one drop.
  void drop(const std::filesystem::path& path, float x, float y);
  void quit();
  bool closing() const { return closing_; }
  std::string window_title() const;
  // Where on the canvas something is put: at this pixel, or where there is room.
  ImVec2 canvas_place(std::optional<ImVec2> pixel) const;
  bool is_canvas(ImVec2 pixel) const;
  // The library is read again, with what was opened last as possible users of presets.
  void refresh_library();
  // Where the library that comes with the program is; empty: nowhere.
  const std::filesystem::path& presets_folder() const { return presets_folder_; }
  // Where copies of what is not saved are kept; empty: nowhere.
  std::filesystem::path recovery_folder() const;
  // The tutorial, if it is on this machine.
  std::filesystem::path tutorial_file() const;

  // ---- Dialogs
  struct FileQuestion {
    std::string title;                 // "Open a document"
    std::vector<std::string> endings;  // without the dot; empty: all
    bool saving = false;
    std::string place;  // what is remembered under: "documents", "meshes"
    std::string name;   // suggested, when saving
    std::function<void(const std::filesystem::path&)> then;
  };
  void ask_file(FileQuestion question);
  struct Question {
    std::string title, text;
    struct Answer {
      std::string label;
      std::function<void()> then;
    };
    std::vector<Answer> answers;  // the first is the standard one, the last is taken by Escape
  };
  void ask(Question question);
  // Whether a dialog or a question lies over everything: keys are meant for it.
  bool asking() const { return question_ || file_question_ || recovering; }
  bool recovering = false;  // what a crash left is being offered

  // ---- Theme and scale
  void set_theme(ui::ThemeName name);
  void set_scale(float scale);
  float window_scale = 1;  // what the screen asks for

  template <class T>
  T* panel() {
    for (auto& [name, p] : panels_)
      if (T* found = dynamic_cast<T*>(p.get())) return found;
    return nullptr;
  }

 private:
  void add_actions();
  void ask_save(std::function<void()> then);
  void tell_notes(const std::vector<NodeMessage>& notes);
  void draw_recent_menu();
  void take_drops();
  ImVec2 place_beside_chosen() const;
  ImVec2 free_place(ImVec2 at) const;
  std::optional<Edit> show_also(const GraphDoc& after, const std::set<std::string>& nodes);
  void load_into_nodes(const std::vector<std::filesystem::path>& files, std::optional<ImVec2> at);
  void draw_menu_bar();
  void draw_panels();
  void draw_status();
  float draw_status_right(float right);
  float draw_status_running(float right);
  float draw_status_work(float right);
  void draw_tabs(const std::vector<std::string>& tabs, float room, std::string& open);
  void draw_area(const char* id, const std::vector<std::string>& tabs, float x, float y,
                 float width, float height);

  std::vector<std::pair<std::string, std::unique_ptr<Panel>>> panels_;
  std::vector<std::unique_ptr<Overlay>> overlays_;
  std::filesystem::path presets_folder_, recent_file_;
  struct Area {
    ImVec2 from, to;
  };
  std::map<std::string, Area> areas_;  // of the panels that were drawn
  std::string forward_;
  std::string hint_, next_hint_;
  Where hovered_ = Where::anywhere, next_hovered_ = Where::anywhere;
  std::vector<Notice> notices_;
  struct Drop {
    std::filesystem::path path;
    ImVec2 at;
  };
  std::vector<Drop> drops_;
  std::optional<FileQuestion> file_question_;
  uint64_t file_questions_asked_ = 0;
  std::optional<Question> question_;
  bool closing_ = false;
  double now_ = 0, restless_until_ = 0, saved_preferences_at_ = 0;
  double frame_at_ = std::numeric_limits<double>::infinity();

 public:
  // For the overlays that draw them.
  std::optional<FileQuestion>& file_question() { return file_question_; }
  uint64_t file_questions_asked() const { return file_questions_asked_; }
  std::optional<Question>& question() { return question_; }
};

// The panels, each in its file under panels/.
std::unique_ptr<Panel> make_viewport(Editor& editor);
std::unique_ptr<Panel> make_canvas(Editor& editor);
std::unique_ptr<Panel> make_inspector(Editor& editor);
std::unique_ptr<Panel> make_chart_panel(Editor& editor);
std::unique_ptr<Panel> make_numbers(Editor& editor);
std::unique_ptr<Panel> make_gallery(Editor& editor);
std::unique_ptr<Panel> make_timeline(Editor& editor);
std::unique_ptr<Panel> make_library(Editor& editor);
std::unique_ptr<Panel> make_history(Editor& editor);
std::unique_ptr<Panel> make_messages(Editor& editor);

// The overlays, each in its file under overlays/.
std::unique_ptr<Overlay> make_file_dialog(Editor& editor);
std::unique_ptr<Overlay> make_question_box(Editor& editor);
std::unique_ptr<Overlay> make_save_preset(Editor& editor);
std::unique_ptr<Overlay> make_palette(Editor& editor);
std::unique_ptr<Overlay> make_shortcut_sheet(Editor& editor);
std::unique_ptr<Overlay> make_welcome(Editor& editor);
std::unique_ptr<Overlay> make_tutorial(Editor& editor);
std::unique_ptr<Overlay> make_toasts(Editor& editor);
// Autosaves, and offers what a crash left behind.
std::unique_ptr<Overlay> make_recovery(Editor& editor);

}  // namespace sinew::editor
