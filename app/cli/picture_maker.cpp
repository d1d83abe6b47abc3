#include "app/cli/picture_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "app/cli/interrupt.h"
#include "app/cli/program.h"
#include "app/cli/progress_bar.h"
#include "render/bounds.h"

namespace sinew::cli {
namespace {

// How many frames of a range are looked at to find out how much room the motion needs, and how many
// to find out from where to where the values of a field go.
constexpr int framing_samples = 9, value_samples = 65;

draw::SectionPlane section_plane(const SectionWords& words, const render::Box& scene) {
  draw::SectionPlane plane;
  plane.normal = (words.negative ? -1.0f : 1.0f) * Eigen::Vector3f::Unit(words.axis);
  if (!scene.isEmpty()) plane.point = scene.center();
  if (words.offset) plane.point[words.axis] = *words.offset;
  return plane;
}

// For a camera that goes round: about the middle of the box, from where all of it is in the picture
// all the way.
void frame_all_round(render::Camera& camera, const render::Box& box, float aspect) {
  constexpr int sides = 24;
  constexpr float margin = 0.04f;  // of the picture
  float farthest = 0;
  for (int side = 0; side < sides; ++side) {
    render::Camera there = camera;
    there.orbit(360.0f * static_cast<float>(side) / sides, 0);
    there.frame(box, aspect);
    farthest = std::max(farthest, there.distance);
  }
  camera.target = box.center();
  camera.distance = farthest;
  const auto is_inside = [&] {
    for (int i = 0; i < 8 * sides; ++i) {
      render::Camera there = camera;
      there.orbit(360.0f * static_cast<float>(i / 8) / sides, 0);
      const auto corner = box.corner(static_cast<render::Box::CornerType>(i % 8));
      const std::optional<Eigen::Vector3f> place = there.place_of(corner, aspect);
      if (!place || std::min(place->x(), place->y()) < margin ||
          std::max(place->x(), place->y()) > 1 - margin)
        return false;
    }
    return true;
  };
  // Each side alone would let the target move aside; with the target in the middle it takes a
  // little more room.
  for (int i = 0; i < 100 && !is_inside(); ++i) camera.zoom(1.02f);
}

}  // namespace

std::vector<int> spread(const FrameRange& range, int wanted) {
  const int count = std::min(wanted, range.count());
  std::vector<int> frames;
  for (int i = 0; i < count; ++i)
    frames.push_back(range.frame(
        count == 1 ? 0 : static_cast<int>(int64_t{i} * (range.count() - 1) / (count - 1))));
  return frames;
}

PictureMaker::PictureMaker(const RenderOptions& options, const OpenedGraph& opened,
                           const RenderWords& words, std::vector<NodeMessage>& messages,
                           const std::atomic<bool>* cancel)
    : options_(options), opened_(opened), words_(words), messages_(messages), cancel_(cancel) {
  EvaluatorOptions evaluator;
  evaluator.threads = options.threads;
  evaluator_ = std::make_unique<Evaluator>(evaluator);
  view_.camera = words.camera.camera;
  view_.look = words.look;
  show_.map = words.map;
}

// The renderer goes before the device, and the device before its window.
PictureMaker::~PictureMaker() {
  renderer_.reset();
  device_.reset();
}

Result<std::unique_ptr<PictureMaker>> PictureMaker::plan(const RenderOptions& options,
                                                         const OpenedGraph& opened,
                                                         const RenderWords& words,
                                                         std::vector<NodeMessage>& messages,
                                                         const std::atomic<bool>* cancel) {
  std::unique_ptr<PictureMaker> maker(new PictureMaker(options, opened, words, messages, cancel));
  const Result<std::vector<Target>> shown = find_targets(*opened.graph, options.show);
  if (!shown) return Error{"--show: " + shown.error()};
  Result<Scene> scene = Scene::plan(opened.doc, opened.graph, *shown);
  if (!scene) return Error{scene.error()};
  maker->scene_ = std::move(*scene);
  return maker;
}

PictureMaker::Kept PictureMaker::hand_over() {
  return {std::move(evaluator_), std::move(window_), std::move(device_), std::move(renderer_)};
}

void PictureMaker::take_over(Kept& kept) {
  evaluator_ = std::move(kept.evaluator);
  window_ = std::move(kept.window);
  device_ = std::move(kept.device);
  renderer_ = std::move(kept.renderer);
}

void PictureMaker::use(const render::Box& box, const SteadyScales& scales) {
  scales_ = scales;
  view_.floor = box.min().y();
  if (!words_.camera.framed) frame_camera(box);
}

Evaluation PictureMaker::evaluate(const std::vector<Target>& targets, int frame) {
  const Context context = context_of(opened_.doc, options_.file, frame);
  return evaluator_->evaluate(scene_->graph(), targets, context, cancel_);
}

Result<void> PictureMaker::open_device() {
  render::DeviceOptions options;
  options.backend = words_.backend;
  options.wait_for_screen = false;
  std::string error, no_vulkan;
  if (words_.backend != render::Backend::opengl) {
    device_ = render::Device::open(options, error);
    no_vulkan = error;
  }
  // Only OpenGL needs a window, and only to have something to belong to.
  if (!device_ && words_.backend != render::Backend::vulkan && has_display()) {
    Result<std::unique_ptr<Window>> window = Window::open("Sinew", 64, 64, Window::Visible::no);
    if (!window) return Error{no_vulkan.empty() ? window.error() : no_vulkan};
    window_ = std::move(*window);
    options.backend = render::Backend::opengl;
    options.window = window_->native();
    options.width = 64;
    options.height = 64;
    device_ = render::Device::open(options, error);
  } else if (!device_ && words_.backend == render::Backend::opengl) {
    device_ = render::Device::open(options, error);  // which says what is missing
  }
  if (!device_) return Error{no_vulkan.empty() ? error : no_vulkan};
  renderer_ = std::make_unique<render::Renderer>(*device_);
  return {};
}

void PictureMaker::say(NodeMessage message) {
  // What differs from frame to frame in its numbers only is said once.
  std::string words = message.path + '\n';
  for (const char c : message.message.text)
    if (!std::isdigit(static_cast<unsigned char>(c)) && c != '.' && c != '-' && c != 'e')
      words += c;
  if (said_.insert(words).second) messages_.push_back(std::move(message));
}

Result<draw::DrawList> PictureMaker::list_of(int frame, const ShowOptions& show) {
  const Evaluation e = evaluate(scene_->targets(), frame);
  if (e.cancelled) {
    interrupted_ = true;
    return Error{"interrupted"};
  }
  std::vector<NodeMessage> messages = e.messages(scene_->graph());
  suggest_types(messages);
  for (NodeMessage& m : messages) say(std::move(m));
  if (e.failed()) {
    graph_failed_ = true;
    return Error{e.trouble};
  }
  std::optional<Scene::Drawn> drawn =
      unless_interrupted(cancel_, [&] { return scene_->draw(e, show); });
  if (!drawn) {
    interrupted_ = true;
    return Error{"interrupted"};
  }
  for (const std::string& text : drawn->problems) say({"", "", {Severity::warning, text}});
  return std::move(drawn->list);
}

std::string PictureMaker::progress_words() const {
  const auto node = evaluator_->node_progress();
  return node ? fmt::format("{}: {}", node->path, node->words) : std::string();
}

Result<void> PictureMaker::prepare() {
  std::optional<ProgressBar> first(std::in_place, "looking ahead", 1);
  first->watch([this] { return progress_words(); });
  // Whatever part of the timeline is asked for, the same document has the same key.
  const Context start = context_of(opened_.doc, options_.file, opened_.doc.settings.first_frame);
  KeyHasher hash;
  for (const TargetResult& t :
       evaluator_->evaluate(scene_->graph(), scene_->targets(), start, cancel_).targets)
    hash.key(t.key);
  first_key_ = hash.finish();
  const FrameRange& range = words_.range;
  Result<draw::DrawList> list = list_of(range.first, show_);
  first.reset();
  if (!list) return Error{list.error()};
  if (words_.section) {
    // The middle of the scene is that of whole bodies.
    show_.section = section_plane(*words_.section, render::bounds_of(*list));
  }
  int samples = list->scales.empty() ? framing_samples : value_samples;
  if (words_.sheet) samples = std::max(samples, words_.sheet->cells());
  const std::vector<int> frames = spread(range, scene_->moves() ? samples : 1);
  ProgressBar bar("looking ahead", static_cast<int64_t>(frames.size()));
  render::Box box;
  for (const int frame : frames) {
    list = list_of(frame, show_);
    if (!list) return Error{list.error()};
    box.extend(render::bounds_of(*list));
    scales_.see(*list);
    bar.advance();
  }
  if (box.isEmpty()) {
    box = render::Box(Eigen::Vector3f::Zero(), Eigen::Vector3f::Zero());
    say({"", "", {Severity::warning, "the picture is empty: what is shown has no points"}});
  }
  box_ = box;
  use(box, scales_);
  return {};
}

void PictureMaker::frame_camera(const render::Box& box) {
  if (options_.view.empty() && render::is_drawing(box)) {
    view_.camera = *render::named_view("front");
    view_.look.set(render::Overlay::ground, false);
  }
  const float aspect = static_cast<float>(words_.width) / static_cast<float>(words_.height);
  if (options_.turntable)
    frame_all_round(view_.camera, box, aspect);
  else
    view_.camera.frame(box, aspect);
}

Result<render::Picture> PictureMaker::picture(int frame, int index, int count) {
  Result<draw::DrawList> list = list_of(frame, show_);
  if (!list) return Error{list.error()};
  scales_.apply(*list);
  render::View view = view_;
  if (options_.turntable && count > 0)
    view.camera.orbit(360.0f * static_cast<float>(index) / static_cast<float>(count), 0);
  render::FrameReport report;
  std::string error;
  std::optional<render::Picture> picture =
      renderer_->picture(*list, view, words_.width, words_.height, report, error);
  for (const std::string& text : report.problems) say({"", "", {Severity::warning, text}});
  if (!picture) return Error{error};
  return std::move(*picture);
}

std::string PictureMaker::key(const FrameRange& range) const {
  KeyHasher hash;
  hash.text(write_document(opened_.doc)).key(first_key_);
  for (const std::string& text : options_.set) hash.text(text);
  for (const std::string& text : options_.show) hash.text(text);
  hash.text(options_.section).text(options_.map).text(renderer_name());
  hash.text(camera_to_json(view_.camera).dump()).number(view_.floor.value_or(0));
  hash.word(view_.look.overlays).word(static_cast<uint64_t>(view_.look.shading));
  for (const draw::ColourScale& s : scales_.scales())
    hash.text(s.title).text(s.unit).word(static_cast<uint64_t>(s.map)).number(s.low).number(s.high);
  // A turn is spread over all frames, so each of them depends on how many there are.
  if (options_.turntable) hash.text(range.text());
  return hash.finish().hex();
}

}  // namespace sinew::cli
