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

namespace sinew {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* help =
    "Space: play   Left/Right: step   F: frame all   0-6: views   P: parallel   S: shading   "
    "W: wire   G: grid   B: bounds   A: axes   V: vertices   N: normals   X: cut   "
    "Ctrl+S: keep this view   H: help   Esc: close";

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
      const bool idle = !playing_ && !background_.busy() && !changed_;
      for (const WindowEvent& event : window_->events(idle ? 200 : 4)) handle(event);
      device_->resize(window_->width(), window_->height());
      take_result();
      play();
      if (changed_ && device_->drawable()) draw();
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
    picked_.reset();  // the body has moved on
    evaluation_ = finished->evaluation;
    list_from_evaluation();
    if (!framed_) frame_all();
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
    const render::Box box = render::bounds_of(list_);
    if (box.isEmpty()) return;
    if (!framed_ && render::is_drawing(box)) {
      view_.camera = *render::named_view("front");
      view_.look.set(render::Overlay::ground, false);
    }
    framed_ = true;
    view_.camera.frame(box, aspect());
    changed_ = true;
  }

  float aspect() const {
    return static_cast<float>(std::max(window_->width(), 1)) /
           static_cast<float>(std::max(window_->height(), 1));
  }

  void handle(const WindowEvent& e) {
    changed_ = true;
    switch (e.kind) {
      case WindowEvent::quit:
        closing_ = true;
        break;
      case WindowEvent::key:
        handle_key(e);
        break;
      case WindowEvent::press:
        held_ = e.button;
        dragged_ = false;
        break;
      case WindowEvent::release:
        if (held_ == MouseButton::left && !dragged_) pick(e);
        held_ = MouseButton::none;
        break;
      case WindowEvent::move:
        drag(e);
        break;
      case WindowEvent::wheel:
        view_.camera.zoom(std::pow(0.9f, e.dy));
        break;
      case WindowEvent::resized:
        break;
    }
  }

  // A click says what is there.
  void pick(const WindowEvent& e) {
    const auto w = static_cast<float>(std::max(window_->width(), 1));
    const auto h = static_cast<float>(std::max(window_->height(), 1));
    picked_ = picker_.pick(list_, view_.camera, e.x / w, e.y / h, w / h);
  }

  void drag(const WindowEvent& e) {
    dragged_ = dragged_ || std::abs(e.dx) + std::abs(e.dy) > 1;
    const auto height = static_cast<float>(std::max(window_->height(), 1));
    if (held_ == MouseButton::left && !e.shift)
      view_.camera.orbit(-0.4f * e.dx, 0.4f * e.dy);
    else if (held_ != MouseButton::none)
      view_.camera.pan(e.dx / height, e.dy / height);
    else
      changed_ = false;
  }

  void handle_key(const WindowEvent& e) {
    const std::string& key = e.key_name;
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
    if (key == "H") helping_ = !helping_;
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

  void draw() {
    const int first = opened_.doc.settings.first_frame, last = opened_.doc.settings.last_frame;
    view_.look.caption = fmt::format("frame {}  ({} to {}){}", shown_frame_, first, last,
                                     playing_ ? "" : "   H: help");
    if (helping_) view_.look.caption = help;
    if (!trouble_.empty()) view_.look.caption = trouble_;
    if (Clock::now() < said_until_) view_.look.caption = said_;
    draw::DrawList marked = list_;
    if (picked_) mark(*picked_, marked);
    const render::FrameReport report = renderer_->show(marked, view_);
    if (!report.problems.empty() && trouble_.empty()) trouble_ = report.problems[0];
    changed_ = Clock::now() < said_until_;
  }

  static void mark(const render::Pick& picked, draw::DrawList& list) {
    draw::Points point;
    point.points = {picked.point};
    point.on_top = true;
    list.points.push_back(std::move(point));
    list.labels.push_back(
        {{},
         picked.point,
         fmt::format("{}, triangle {}   ({:.4g}, {:.4g}, {:.4g}) m", picked.source, picked.triangle,
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
  render::Box box_;  // of all that was seen so far: the floor does not rise and sink
  bool framed_ = false, playing_ = false, closing_ = false, changed_ = true, helping_ = false;
  int frame_ = 0, shown_frame_ = 0;
  int cut_ = 0;  // 0: whole; else across z, y or x
  MouseButton held_ = MouseButton::none;
  bool dragged_ = false;
  render::Picker picker_;
  std::optional<render::Pick> picked_;
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
  // The words of a window are some of those of a picture.
  cli::RenderOptions words_options;
  words_options.file = options.file;
  words_options.renderer = options.renderer;
  words_options.size = options.size;
  const Result<cli::RenderWords> words = cli::read_render_words(words_options, opened.doc, true);
  if (!words) return refuse("", words.error());
  std::vector<Target> shown;
  for (const std::string& name : options.show) {
    const Result<Target> target = cli::find_target(*opened.graph, name);
    if (!target) return refuse(options.file, "--show: " + target.error());
    shown.push_back(*target);
  }
  Result<Scene> scene = Scene::plan(opened.doc, opened.graph, shown);
  if (!scene) return refuse(options.file, scene.error());
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
