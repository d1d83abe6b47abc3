#include "tests/app/monkey.h"

#include <fmt/format.h>
#include <imgui_internal.h>
#include <malloc.h>

#include <chrono>
#include <fstream>
#include <sstream>

#include "app/cli/program.h"
#include "app/editor/script/script.h"
#include "graph/document.h"

namespace sinew::testing {
namespace {

// Of the interface's clock; a second of it is looked at together.
constexpr int frames_between_checks = 60;
// A person would not wait so long for an evaluation either.
constexpr double longest_evaluation = 5;
// What may be in use beyond what was early on: letters, pictures of presets, and what allocators do
// not give back.
constexpr double allowed_growth = 160;

double seconds_now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

double resident_megabytes() {
  std::ifstream statm("/proc/self/statm");
  double size = 0, resident = 0;
  statm >> size >> resident;
  return resident * 4096 / 1e6;
}

std::vector<std::string> presets_in(const std::filesystem::path& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

// Files that nobody should drop onto an editor.
std::vector<std::string> rubbish_in(const std::filesystem::path& folder) {
  const auto write = [&](const char* name, const std::string& content) {
    std::ofstream(folder / name, std::ios::binary) << content;
    return (folder / name).string();
  };
  return {write("empty.json", ""),
          write("half.json", R"({"sinew": 1, "nodes": [{"id": "a", "ty)"),
          write("future.json", R"({"sinew": 99, "nodes": []})"),
          write("unknown.json", R"({"sinew": 1, "nodes": [{"id": "a", "type": "no.such"}]})"),
          write("noise.obj", std::string("\0\xff\xfe v 1 2\nf 9 9 9\n", 19)),
          write("triangle.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
          write("words.txt", "not a mesh\n"),
          write("picture.png", "\x89PNG\r\n"),
          (folder / "missing.json").string(),
          folder.string()};
}

}  // namespace

Monkey::Monkey(const MonkeyOptions& options)
    : options_(options),
      mind_(options.seed, presets_in(options.presets), rubbish_in(options.folder)),
      trail_(std::make_unique<std::ofstream>(options.folder / "trail.txt")) {
  editor::EditorOptions editor_options;
  editor_options.presets = options.presets;
  editor_options.preset_pictures = false;
  desk_ = std::make_unique<HeadlessEditor>(
      1280, 800, editor_options, editor::Preferences(editor::config_folder() / "preferences.json"));
  editor_ = &desk_->editor();
  desk_->on_frame = [this] {
    ++frames_;
    keep_inside();
  };
  // What Dear ImGui would assert, or only print where asserts are off, is wrong as well.
  ImGui::GetCurrentContext()->ErrorCallbackUserData = this;
  ImGui::GetCurrentContext()->ErrorCallback = [](ImGuiContext*, void* monkey, const char* text) {
    static_cast<Monkey*>(monkey)->misuse_ = text;
  };
  ImGui::GetIO().ConfigErrorRecoveryEnableDebugLog = false;
  begin_document();
}

Monkey::~Monkey() = default;

// A file that was chosen in a dialog is taken only if it is in the monkey's own folder.
void Monkey::keep_inside() {
  std::optional<editor::Editor::FileQuestion>& question = editor_->file_question();
  if (!question || !question->then || wrapped_ == &*question) {
    if (!question) wrapped_ = nullptr;
    return;
  }
  wrapped_ = &*question;
  question->then = [this, then = question->then](const std::filesystem::path& path) {
    std::error_code ec;
    const std::string real = std::filesystem::weakly_canonical(path, ec).string();
    const std::string home = std::filesystem::weakly_canonical(options_.folder, ec).string();
    if (real.starts_with(home + "/")) then(path);
  };
}

void Monkey::begin_document() {
  if (document_ == editor_->session.document_count()) return;
  document_ = editor_->session.document_count();
  ++documents_;
  // By now something may have been done to it already.
  while (editor_->session.history().can_undo()) editor_->session.undo();
  first_text_ = write_document(editor_->session.doc());
  while (editor_->session.history().can_redo()) editor_->session.redo();
}

void Monkey::act() {
  const std::string lines = mind_.next(*editor_, desk_->width, desk_->height);
  *trail_ << lines << std::endl;
  ++acts_;
  Result<editor::Script> script = editor::Script::parse(lines, options_.folder);
  if (!script) throw std::runtime_error(lines + ": " + script.error());
  script->set_patient(false);
  // What cannot be done now, the monkey leaves.
  (void)desk_->play(std::move(*script), [this] { begin_document(); });
}

// What a person would do to get on: stop what takes too long, leave a dialog, make the window
// usable again.
void Monkey::help() {
  if (editor_->player.busy() && editor_->player.running_seconds() > longest_evaluation)
    editor_->player.cancel();
  asked_for_ = editor_->question() || editor_->file_question() ? asked_for_ + 1 : 0;
  if (asked_for_ > 3) {
    editor_->question().reset();
    editor_->file_question().reset();
    asked_for_ = 0;
  }
  if (desk_->width < 300 || desk_->height < 200) {
    desk_->width = 1280;
    desk_->height = 800;
    *trail_ << "size 1280x800" << std::endl;
  }
}

// Undoing all leads to the beginning, and redoing all back to where it was, byte for byte.
std::string Monkey::check_undo() {
  editor::Session& session = editor_->session;
  const std::size_t position = session.history().position();
  const std::string now = write_document(session.doc());
  session.go_to(0);
  if (session.history().position() != 0) return "the history was forgotten while undoing";
  if (write_document(session.doc()) != first_text_) {
    std::ofstream(options_.folder / "expected.json") << first_text_;
    std::ofstream(options_.folder / "found.json") << write_document(session.doc());
    return "undoing everything leads to another document than the first: compare expected.json "
           "and found.json";
  }
  session.go_to(position);
  if (write_document(session.doc()) != now) return "redoing everything leads to another document";
  ++undone_;
  return "";
}

std::string Monkey::check() {
  if (!misuse_.empty()) return "Dear ImGui says: " + misuse_;
  const std::string text = write_document(editor_->session.doc());
  const Result<GraphDoc> read = parse_document(text, cli::registry());
  if (!read) return "the document cannot be read back: " + read.error();
  if (write_document(*read) != text) return "the document is another one when it is read back";
  return check_undo();
}

double Monkey::quiet_memory() {
  editor_->player.play(false);
  editor_->session.make_new();
  for (int i = 0; i < 10; ++i) {
    desk_->frame();
    editor_->player.settle();
  }
  begin_document();
  // What is kept on purpose, up to its limits, is let go: what is left then has no reason to grow.
  editor_->player.evaluator().cache().clear();
  editor_->player.evaluator().states().clear();
  malloc_trim(0);
  return resident_megabytes();
}

std::string Monkey::check_memory() {
  late_memory_ = quiet_memory();
  if (early_memory_ == 0 || late_memory_ <= early_memory_ + allowed_growth) return "";
  return fmt::format("memory grew from {:.0f} to {:.0f} MB", early_memory_, late_memory_);
}

std::string Monkey::run() {
  const double begin = seconds_now();
  // Long enough for caches to be filled and letters to be drawn.
  const double early = std::min(120.0, options_.seconds / 2);
  long checked = frames_;
  while (seconds_now() - begin < options_.seconds) {
    act();
    if (frames_ - checked < frames_between_checks) continue;
    checked = frames_;
    if (const std::string wrong = check(); !wrong.empty()) return wrong;
    help();
    if (early_memory_ == 0 && seconds_now() - begin > early) early_memory_ = quiet_memory();
  }
  return check_memory();
}

std::string Monkey::summary() const {
  return fmt::format(
      "{} acts in {} frames on {} documents; undone and redone {} times; with nothing open {:.0f} "
      "MB, at the end {:.0f} MB",
      acts_, frames_, documents_, undone_, early_memory_, late_memory_);
}

}  // namespace sinew::testing
