#include "app/editor/run_editor.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>

#include "app/cli/open_graph.h"
#include "app/cli/program.h"
#include "app/cli/render_words.h"
#include "app/editor/editor.h"
#include "app/editor/recovery.h"
#include "app/editor/script/landmarks_file.h"
#include "app/editor/script/recorder.h"
#include "app/editor/script/script.h"
#include "app/ui/landmarks.h"
#include "app/window/window.h"
#include "graph/plain_text.h"

namespace sinew::editor {
namespace {

int refuse(const std::string& file, const std::string& text) {
  cli::print_error(file, text);
  return cli::call_error;
}

double seconds_now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

// What the call says beyond the file, as one step that can be undone, and flags.
Result<void> apply_words(const RunOptions& options, Editor& editor) {
  Command command{"Set on the command line", {}, ""};
  for (const std::string& word : options.set) {
    const Result<std::pair<std::string, Json>> read = cli::read_setting(word);
    if (!read) return Error{read.error()};
    if (const Result<void> ok = cli::check_setting(*editor.session.graph(), read->first); !ok)
      return ok;
    const std::size_t dot = read->first.rfind('.');
    const std::string node = read->first.substr(0, dot);
    if (node.find('/') != std::string::npos)
      return Error{fmt::format(
          "--set {}: nodes inside of groups are set for all instances; do it in the editor", word)};
    command.edits.push_back(edit::SetParam{"", node, read->first.substr(dot + 1), read->second});
  }
  if (const Result<void> ok = editor.session.apply(std::move(command)); !ok)
    return Error{"--set: " + ok.error()};
  if (options.show.empty()) return {};
  if (const auto found = cli::find_targets(*editor.session.graph(), options.show); !found)
    return Error{"--show: " + found.error()};
  editor.player.show(options.show);
  return {};
}

Result<void> open_first(const RunOptions& options, Editor& editor) {
  if (!options.file.empty())
    if (const Result<void> ok = editor.session.open(options.file); !ok) return ok;
  return apply_words(options, editor);
}

// Scripts see the same with every run: their own clock, no memory of earlier runs.
int run_script(const RunOptions& options, const cli::RenderWords& words) {
  Result<Script> script = Script::load(options.script);
  if (!script) return refuse(options.script, script.error());
  render::DeviceOptions device_options;
  device_options.backend = options.renderer == "noop" ? render::Backend::noop : words.backend;
  std::string error;
  std::unique_ptr<render::Device> device = render::Device::open(device_options, error);
  if (!device) return refuse("", error);
  ui::Host host(*device);
  ui::landmarks().listening = true;
  EditorOptions editor_options;
  editor_options.remembers = editor_options.bakes_beside = false;
  editor_options.first_start_welcome = options.file.empty();
  editor_options.threads = options.threads;
  Editor editor(host, *device, cli::registry(), Preferences(), editor_options, {});
  if (const Result<void> ok = open_first(options, editor); !ok) return refuse("", ok.error());
  script->set_size(words.width, words.height);
  script->set_pictures(device_options.backend != render::Backend::noop);
  if (!options.out.empty()) script->set_out(options.out);
  double now = 0;
  std::vector<WindowEvent> events;
  while (script->next(editor, events)) {
    for (const WindowEvent& event : events) {
      if (event.kind == WindowEvent::drop) editor.drop(event.content, event.x, event.y);
      host.feed(event);
    }
    now += Script::frame_seconds;
    host.is_seen = script->takes_picture();
    host.begin_frame(script->width(), script->height(), Script::frame_seconds);
    editor.frame(now);
    script->draw();
    host.end_frame();
    if (const Result<void> ok = script->look(host); !ok) return refuse(options.script, ok.error());
    if (editor.closing()) break;
  }
  const Result<void> ok = script->outcome();
  if (ok) return cli::done;
  cli::print_error(options.script, ok.error());
  return script->disappointed() ? cli::graph_error : cli::call_error;
}

std::string remembered_size(const Preferences& preferences) {
  const int width = preferences.get("window.width", 1440);
  const int height = preferences.get("window.height", 900);
  return fmt::format("{}x{}", std::clamp(width, 640, 7680), std::clamp(height, 480, 4320));
}

class WindowedEditor {
 public:
  WindowedEditor(const RunOptions& options, Preferences preferences, std::unique_ptr<Window> window,
                 std::unique_ptr<render::Device> device)
      : options_(options),
        window_(std::move(window)),
        device_(std::move(device)),
        host_(*device_),
        editor_(host_, *device_, cli::registry(), std::move(preferences), editor_options(options),
                [] { wake_window(); }),
        recorder_(options.record),
        landmarks_(options.landmarks) {
    host_.use_window_clipboard();
    editor_.window_scale = window_->scale();
    editor_.set_theme(editor_.preferences.get<std::string>("theme", "dark") == "light"
                          ? ui::ThemeName::light
                          : ui::ThemeName::dark);
    ui::landmarks().listening = !options.landmarks.empty() || !options.record.empty();
  }

  Editor& editor() { return editor_; }

  int run() {
    double last = seconds_now();
    while (!editor_.closing()) {
      const std::vector<WindowEvent> events = window_->events(milliseconds_to_wait());
      for (const WindowEvent& e : events) handle(e);
      if (!events.empty()) {
        frames_left_ = frames_after_event;
        last_event_ = seconds_now();
      }
      if (editor_.restless() || editor_.due(seconds_now()))
        frames_left_ = std::max(frames_left_, 1);
      if (frames_left_ == 0) continue;
      --frames_left_;
      device_->resize(window_->width(), window_->height());
      if (!device_->drawable()) continue;
      if (options_.size.empty()) {
        editor_.preferences.set("window.width", window_->width());
        editor_.preferences.set("window.height", window_->height());
      }
      const double now = seconds_now();
      draw(now, now - last);
      last = now;
    }
    if (const Result<void> ok = recorder_.write(); !ok) return refuse(options_.record, ok.error());
    return cli::done;
  }

 private:
  static EditorOptions editor_options(const RunOptions& options) {
    EditorOptions made;
    made.first_start_welcome = options.file.empty();
    made.threads = options.threads;
    return made;
  }

  // A driver that presents on a thread of its own reads the window's connection, too, and what it
  // finds there for us wakes nobody. So a nap is short, above all while somebody is at work:
  // looking costs next to nothing, and a key must not wait for the next one.
  int milliseconds_to_wait() const {
    if (frames_left_ > 0) return 0;
    const double longest = seconds_now() - last_event_ < 5 ? 0.008 : 0.04;
    return static_cast<int>(1000 * std::min(editor_.patience(), longest));
  }

  void handle(const WindowEvent& e) {
    recorder_.note(e);
    if (e.kind == WindowEvent::quit) editor_.quit();
    if (e.kind == WindowEvent::drop) editor_.drop(e.content, e.x, e.y);
    if (e.kind == WindowEvent::press) window_->capture_mouse(true);
    if (e.kind == WindowEvent::release) window_->capture_mouse(false);
    host_.feed(e);
  }

  void draw(double now, double since) {
    host_.begin_frame(device_->width(), device_->height(), since);
    editor_.frame(now);
    host_.end_frame();
    host_.present();
    recorder_.frame(editor_);
    landmarks_.update(editor_);
    if (const Pointer pointer = host_.pointer(); pointer != pointer_)
      window_->set_pointer(pointer_ = pointer);
    if (std::string title = editor_.window_title(); title != title_)
      window_->set_title(plain_line(title_ = std::move(title)));
  }

  // Dear ImGui takes a frame or two to settle after something has happened.
  static constexpr int frames_after_event = 3;

  const RunOptions& options_;
  std::unique_ptr<Window> window_;
  std::unique_ptr<render::Device> device_;
  ui::Host host_;
  Editor editor_;
  ScriptRecorder recorder_;
  LandmarksFile landmarks_;
  int frames_left_ = frames_after_event;
  double last_event_ = 0;
  Pointer pointer_ = Pointer::arrow;
  std::string title_;
};

}  // namespace

int run_editor(const RunOptions& options) {
  cli::RenderOptions word_options;
  word_options.renderer = options.renderer == "noop" ? "" : options.renderer;
  // A window is as large as the last one was, unless the call says otherwise.
  Preferences preferences;
  if (options.script.empty()) preferences = Preferences(config_folder() / "preferences.json");
  word_options.size = options.size.empty() ? remembered_size(preferences) : options.size;
  const Result<cli::RenderWords> words = cli::read_render_words(word_options, GraphDoc{}, true);
  if (!words) return refuse("", words.error());
  if (!options.script.empty()) return run_script(options, *words);

  Result<std::unique_ptr<Window>> window =
      Window::open("Sinew", words->width, words->height, Window::Visible::yes);
  if (!window)
    return refuse("", window.error() + (options.file.empty()
                                            ? "; sinew --help says what can be done without one"
                                            : fmt::format("; for a picture: sinew render {} -o "
                                                          "picture.png",
                                                          options.file)));
  render::DeviceOptions device_options;
  device_options.backend = words->backend;
  device_options.window = (*window)->native();
  device_options.width = (*window)->width();
  device_options.height = (*window)->height();
  std::string error;
  std::unique_ptr<render::Device> device = render::Device::open(device_options, error);
  if (!device) return refuse("", error);
  explain_crashes();
  WindowedEditor windowed(options, std::move(preferences), std::move(*window), std::move(device));
  if (const Result<void> ok = open_first(options, windowed.editor()); !ok)
    return refuse("", ok.error());
  return windowed.run();
}

}  // namespace sinew::editor
