#include "app/window/viewer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "app/cameras.h"
#include "app/cli/open_graph.h"
#include "app/cli/program.h"
#include "app/cli/render_words.h"
#include "app/scene.h"
#include "app/window/window.h"
#include "graph/background.h"
#include "render/bounds.h"
#include "render/pick.h"
#include "render/renderer.h"
#include "render/signs.h"

namespace sinew {
namespace {

using Clock = std::chrono::steady_clock;

// What a person can do, in the order in which it is looked for.
constexpr const char* help[] = {
    "drag: go round", "Shift+drag: move", "wheel: closer", "click: what is there",
    "Space: play",    "Left/Right: step", "Home: first",   "F: frame all",
    "0-6: views",     "P: parallel",      "S: shading",    "X: cut",
    "W: wire",        "G: grid",          "B: bounds",     "A: axes",
    "V: vertices",    "N: normals",       "L: legend",     "Ctrl+S: keep this view",
    "Esc: close",
};

// The help in as many lines as it takes for each to fit into the window: H goes from one to the
// next.
std::vector<std::string> help_pages(int width, int height) {
  const float scale = render::sign_scale(width, height);
  // About the width of a letter, and room for the last word.
  const float columns = (static_cast<float>(width) - 32 * scale) / (6.6f * scale) - 12;
  std::vector<std::string> pages;
  for (const std::string word : help) {
    if (pages.empty() || static_cast<float>(pages.back().size() + word.size()) > columns)
      pages.push_back(word);
    else
      pages.back() += "   " + word;
  }
  for (std::string& page : pages) page += &page == &pages.back() ? "   H: done" : "   H: more";
  return pages;
}

struct KeyOverlay {
  const char* key;
  render::Overlay overlay;
};
constexpr KeyOverlay overlay_keys[] = {
    {"W", render::Overlay::wire},     {"G", render::Overlay::grid},
    {"B", render::Overlay::bounds},   {"A", render::Overlay::axes},
    {"V", render::Overlay::vertices}, {"N", render::Overlay::normals},
    {"L", render::Overlay::legend},
};
constexpr const char* view_keys[] = {"three-quarter", "front", "right", "top",
                                     "back",          "left",  "bottom"};

class Viewer {
 public:
  Viewer(const ViewerOptions& options, cli::OpenedGraph opened, Scene scene,
         std::unique_ptr<Window> window, std::unique_ptr<render::Device> device, FoundCamera camera)
      : options_(options),
        opened_(std::move(opened)),
        scene_(std::move(scene)),
        window_(std::move(window)),
        device_(std::move(device)),
        renderer_(std::make_unique<render::Renderer>(*device_)),
        background_(evaluator_),
        framed_(camera.framed),
        frame_(opened_.doc.settings.first_frame) {
    view_.camera = camera.camera;
    playing_ = scene_.moves();
    follows_ = !framed_;
  }
  ~Viewer() {
    background_.cancel();
    renderer_.reset();
    device_.reset();
  }

  int run() {
    ask_for_frame();
    while (!closing_) {
      // With nothing to do the program sleeps; an event wakes it.
      const bool idle = !playing_ && !background_.busy() && draws_left_ == 0;
      for (const WindowEvent& event : window_->events(idle ? 200 : 4)) handle(event);
      device_->resize(window_->width(), window_->height());
      take_result();
      play();
      notice_time();
      if (changed_) draws_left_ = std::max(draws_left_, draws_after_change);
      changed_ = false;
      if (draws_left_ == 0 || !device_->drawable()) continue;
      draw();
      --draws_left_;
    }
    return cli::done;
  }

 private:
  void ask_for_frame() {
    const Context context = cli::context_of(opened_.doc, options_.file, frame_);
    background_.submit({opened_.graph, scene_.targets(), context});
  }

  void take_result() {
    const auto finished = background_.take();
    if (!finished || finished->evaluation.cancelled) return;
    shown_frame_ = finished->context.frame;
    evaluation_ = finished->evaluation;
    list_from_evaluation();
    // Until somebody takes the camera, all that was seen so far stays in the window.
    if (follows_ && !(box_.isEmpty() || framed_box_.contains(box_))) frame_all();
  }

  // Words that come and go without anybody doing anything.
  void notice_time() {
    const bool saying = Clock::now()<said_until_, slow = background_.running_seconds()> 0.5;
    changed_ = changed_ || saying != saying_ || slow != slow_;
    saying_ = saying;
    slow_ = slow;
  }

  void list_from_evaluation() {
    ShowOptions show;
    if (cut_ > 0 && !box_.isEmpty()) {
      draw::SectionPlane plane;
      plane.normal = Eigen::Vector3f::Unit(3 - cut_);  // z first, which looks at us from the front
      plane.point = box_.center();
      show.section = plane;
    }
    Scene::Drawn drawn = scene_.draw(evaluation_, show);
    list_ = std::move(drawn.list);
    scales_.see(list_);
    scales_.apply(list_);
    follow_pick();
    trouble_.clear();
    for (const NodeMessage& m : evaluation_.messages(scene_.graph()))
      if (m.message.severity == Severity::error && trouble_.empty())
        trouble_ = fmt::format("{}: {}", m.path, m.message.text);
    if (trouble_.empty() && !drawn.problems.empty()) trouble_ = drawn.problems[0];
    if (cut_ == 0) {
      const render::Box box = render::bounds_of(list_);
      box_.extend(box);
      if (!box_.isEmpty()) view_.floor = box_.min().y();
    }
    changed_ = true;
  }

  void play() {
    if (!playing_) return;
    const auto now = Clock::now();
    const auto step = std::chrono::duration<double>(1 / opened_.doc.settings.fps);
    if (now - last_step_ < step || shown_frame_ != frame_) return;  // never runs ahead of itself
    last_step_ = now;
    go_to(frame_ >= opened_.doc.settings.last_frame ? opened_.doc.settings.first_frame
                                                    : frame_ + 1);
  }

  void go_to(int frame) {
    frame_ = std::max(frame, opened_.doc.settings.first_frame);
    ask_for_frame();
  }

  void frame_all() {
    if (box_.isEmpty()) return;
    if (!framed_ && render::is_drawing(box_)) {
      view_.camera = *render::named_view("front");
      view_.look.set(render::Overlay::ground, false);
    }
    framed_ = true;
    framed_box_ = box_;
    view_.camera.frame(box_, aspect(), 0.2f);  // the caption stands in the margin
    changed_ = true;
  }

  float aspect() const {
    return static_cast<float>(std::max(window_->width(), 1)) /
           static_cast<float>(std::max(window_->height(), 1));
  }

  void handle(const WindowEvent& e) {
    if (e.kind != WindowEvent::move || held_ != MouseButton::none) changed_ = true;
    switch (e.kind) {
      case WindowEvent::quit:
        closing_ = true;
        break;
      case WindowEvent::key:
        handle_key(e);
        break;
      case WindowEvent::press:
        held_ = e.button;
        dragged_ = 0;
        break;
      case WindowEvent::release:
        if (held_ == MouseButton::left && dragged_ <= still) pick(e);
        held_ = MouseButton::none;
        break;
      case WindowEvent::move:
        drag(e);
        break;
      case WindowEvent::wheel:
        view_.camera.zoom(std::pow(0.9f, e.dy));
        follows_ = false;
        break;
      case WindowEvent::resized:
        draws_left_ = draws_after_resize;
        if (follows_) frame_all();
        break;
    }
  }

  // A click says what is there.
  void pick(const WindowEvent& e) {
    const auto w = static_cast<float>(std::max(window_->width(), 1));
    const auto h = static_cast<float>(std::max(window_->height(), 1));
    picked_ = picker_.pick(list_, view_.camera, e.x / w, e.y / h, w / h);
    if (picked_) picked_corners_ = list_.meshes[picked_->mesh].triangles[picked_->triangle];
  }

  // The place goes with its body, as long as that has this triangle.
  void follow_pick() {
    if (!picked_) return;
    const draw::Mesh* mesh = nullptr;
    for (const draw::Mesh& m : list_.meshes)
      if (m.source == picked_->source && picked_->triangle < m.triangles.size() &&
          m.triangles[picked_->triangle] == picked_corners_)
        mesh = &m;
    if (!mesh) {
      picked_.reset();
      return;
    }
    picked_->point.setZero();
    for (int k = 0; k < 3; ++k)
      picked_->point += picked_->weights[k] * mesh->positions[picked_corners_[k]];
  }

  void drag(const WindowEvent& e) {
    if (held_ == MouseButton::none) return;
    // A hand that clicks is not quite still.
    dragged_ += std::abs(e.dx) + std::abs(e.dy);
    if (dragged_ <= still) return;
    follows_ = false;
    const auto height = static_cast<float>(std::max(window_->height(), 1));
    if (held_ == MouseButton::left && !e.shift)
      view_.camera.orbit(-0.4f * e.dx, 0.4f * e.dy);
    else
      view_.camera.pan(e.dx / height, e.dy / height);
  }

  void handle_key(const WindowEvent& e) {
    const std::string& key = e.key_name;
    if (e.repeated && key != "Left" && key != "Right") return;
    if (e.ctrl) {
      if (key == "S") keep_view();
      if (key == "Q" || key == "W") closing_ = true;
      return;
    }
    if (key == "Escape" || key == "Q") closing_ = true;
    if (key == "Space") playing_ = !playing_;
    if (key == "Left" || key == "Right") {
      playing_ = false;
      go_to(frame_ + (key == "Left" ? -1 : 1) * (e.shift ? 10 : 1));
    }
    if (key == "Home") go_to(opened_.doc.settings.first_frame);
    if (key == "F") frame_all();
    if (key == "H") ++help_page_;
    if (key == "P") view_.camera.parallel = !view_.camera.parallel;
    if (key == "S")
      view_.look.shading = static_cast<render::Shading>(
          (static_cast<std::size_t>(view_.look.shading) + 1) % render::shading_names().size());
    if (key == "X") {
      cut_ = (cut_ + 1) % 4;
      list_from_evaluation();
    }
    for (const KeyOverlay& k : overlay_keys)
      if (key == k.key) view_.look.set(k.overlay, !view_.look.has(k.overlay));
    if (key.size() == 1 && key[0] >= '0' && key[0] < '0' + static_cast<int>(std::size(view_keys))) {
      view_.camera = *render::named_view(view_keys[key[0] - '0']);
      framed_ = true;
      frame_all();
    }
  }

  // The camera becomes the document's main one. Only the layout block of the file changes.
  void keep_view() {
    std::vector<NodeMessage> notes;
    Result<GraphDoc> doc = cli::open_document(options_.file, notes);
    if (doc) {
      doc->graph.layout = with_camera(std::move(doc->graph.layout), main_camera, view_.camera);
      if (const Result<void> ok = save_document(*doc, options_.file); !ok) doc = Error{ok.error()};
    }
    said_ = doc ? "The view is kept in the document" : "The view could not be kept: " + doc.error();
    said_until_ = Clock::now() + std::chrono::seconds(4);
  }

  std::string caption() {
    if (saying_) return said_;
    if (!trouble_.empty()) return trouble_;
    const std::vector<std::string> pages = help_pages(window_->width(), window_->height());
    if (help_page_ > pages.size()) help_page_ = 0;
    if (help_page_ > 0) return pages[help_page_ - 1];
    const Settings& settings = opened_.doc.settings;
    std::string text = fmt::format("computing frame {}", frame_);
    if (shown_frame_ && !slow_)
      text = fmt::format("frame {} of {} to {}", *shown_frame_, settings.first_frame,
                         settings.last_frame);
    return text + "   H: help";
  }

  void draw() {
    view_.look.caption = caption();
    render::FrameReport report;
    if (picked_) {
      draw::DrawList marked = list_;
      mark(*picked_, marked);
      report = renderer_->show(marked, view_);
    } else {
      report = renderer_->show(list_, view_);
    }
    if (report.problems.empty() || !trouble_.empty()) return;
    trouble_ = report.problems[0];
    changed_ = true;
  }

  static void mark(const render::Pick& picked, draw::DrawList& list) {
    draw::Points point;
    point.points = {picked.point};
    point.on_top = true;
    list.points.push_back(std::move(point));
    list.labels.push_back(
        {{},
         picked.point,
         fmt::format("{}, triangle {}   ({:.3g}, {:.3g}, {:.3g}) m", picked.source, picked.triangle,
                     picked.point.x(), picked.point.y(), picked.point.z()),
         {0.1f, 0.1f, 0.12f, 1}});
  }

  const ViewerOptions& options_;
  cli::OpenedGraph opened_;
  Scene scene_;
  std::unique_ptr<Window> window_;
  std::unique_ptr<render::Device> device_;
  std::unique_ptr<render::Renderer> renderer_;
  Evaluator evaluator_;
  BackgroundEvaluator background_;
  Evaluation evaluation_;
  draw::DrawList list_;
  render::View view_;
  SteadyScales scales_;  // of all that was seen so far, and so is the box:
  render::Box box_;      // the floor does not rise and sink
  render::Box framed_box_;
  bool framed_ = false, follows_ = false;  // the camera follows until somebody takes it
  bool playing_ = false, closing_ = false, changed_ = true;
  // The first frames of a new size are lost on the way.
  static constexpr int draws_after_change = 1, draws_after_resize = 3;
  int draws_left_ = 0;
  bool saying_ = false, slow_ = false;  // words that are shown now
  std::size_t help_page_ = 0;           // 0: none
  int frame_ = 0;
  std::optional<int> shown_frame_;  // none before the first is there
  int cut_ = 0;                     // 0: whole; else across z, y or x
  MouseButton held_ = MouseButton::none;
  static constexpr float still = 3;  // pixels that a click may move
  float dragged_ = 0;
  render::Picker picker_;
  std::optional<render::Pick> picked_;
  draw::Triangle picked_corners_ = {};
  Clock::time_point last_step_ = {}, said_until_ = {};
  std::string trouble_, said_;
};

}  // namespace

int run_viewer(const ViewerOptions& options) {
  const auto refuse = [](const std::string& file, const std::string& text) {
    cli::print_error(file, text);
    return cli::call_error;
  };
  cli::OpenedGraph opened;
  if (const Result<void> ok = cli::open_graph(options.file, options.set, opened); !ok)
    return refuse(opened.doubtful_file, ok.error());
  for (NodeMessage& m : opened.graph->general_messages()) opened.messages.push_back(std::move(m));
  for (const NodeMessage& m : opened.messages)
    if (m.message.severity != Severity::info) cli::print_message(options.file, m);
  // The words of a window are some of those of a picture.
  cli::RenderOptions words_options;
  words_options.file = options.file;
  words_options.renderer = options.renderer;
  words_options.size = options.size;
  const Result<cli::RenderWords> words = cli::read_render_words(words_options, opened.doc, true);
  if (!words) return refuse("", words.error());
  const Result<std::vector<Target>> shown = cli::find_targets(*opened.graph, options.show);
  if (!shown) return refuse(options.file, "--show: " + shown.error());
  Result<Scene> scene = Scene::plan(opened.doc, opened.graph, *shown);
  if (!scene) {
    refuse(options.file, scene.error());
    return shown->empty() ? cli::graph_error : cli::call_error;
  }
  const std::string title = opened.doc.meta.title.empty()
                                ? std::filesystem::path(options.file).filename().string()
                                : opened.doc.meta.title;
  Result<std::unique_ptr<Window>> window =
      Window::open(title + " - Sinew", words->width, words->height, Window::Visible::yes);
  if (!window)
    return refuse("",
                  window.error() +
                      fmt::format("; for a picture: sinew render {} -o picture.png", options.file));
  render::DeviceOptions device_options;
  device_options.backend = words->backend;
  device_options.window = (*window)->native();
  device_options.width = (*window)->width();
  device_options.height = (*window)->height();
  std::string error;
  std::unique_ptr<render::Device> device = render::Device::open(device_options, error);
  if (!device) return refuse("", error);
  return Viewer(options, std::move(opened), std::move(*scene), std::move(*window),
                std::move(device), words->camera)
      .run();
}

}  // namespace sinew
