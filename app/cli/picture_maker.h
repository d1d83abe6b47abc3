// Pictures of frames of a document: evaluates, lists what is seen, draws, reads back.
#pragma once

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/cli/open_graph.h"
#include "app/cli/render_words.h"
#include "app/scene.h"
#include "app/window/window.h"
#include "render/renderer.h"

namespace sinew::cli {

// So many frames of the range, or all if there are fewer, spread evenly from its first to its last.
std::vector<int> spread(const FrameRange& range, int wanted);

class PictureMaker {
 public:
  // Messages of the graph and of the drawing go to `messages`, each once. The error says that
  // there is nothing to see, or which of the outputs that were asked for.
  static Result<std::unique_ptr<PictureMaker>> plan(const RenderOptions& options,
                                                    const OpenedGraph& opened,
                                                    const RenderWords& words,
                                                    std::vector<NodeMessage>& messages,
                                                    const std::atomic<bool>* cancel);
  ~PictureMaker();

  // What can be used by the next maker, for another document: the device, and what is evaluated.
  struct Kept {
    std::unique_ptr<Evaluator> evaluator;
    std::unique_ptr<Window> window;
    std::unique_ptr<render::Device> device;
    std::unique_ptr<render::Renderer> renderer;  // goes first
  };
  Kept hand_over();
  void take_over(Kept& kept);

  // To be called next. The error says what is missing on this machine.
  Result<void> open_device();
  // Frames the camera, unless it is one of the document's own, so that all that happens in the
  // range is in the picture, puts the floor under it, and finds the scales of colours that fit all
  // frames. To be called before the first picture.
  Result<void> prepare();
  // Or, instead of preparing: for many makers with one camera and one scale of colours.
  void use(const render::Box& box, const SteadyScales& scales);
  const render::Box& box() const { return box_; }  // of all that was looked at by prepare()
  const SteadyScales& scales() const { return scales_; }
  Evaluation evaluate(const std::vector<Target>& targets, int frame);
  // The frame is number `index` of `count`, for a camera that turns.
  Result<render::Picture> picture(int frame, int index, int count);
  void set_caption(std::string caption) { view_.look.caption = std::move(caption); }

  // All that the pictures depend on, but the frame.
  std::string key(const FrameRange& range) const;
  const RenderWords& words() const { return words_; }
  double fps() const { return opened_.doc.settings.fps; }
  std::string renderer_name() const {
    return device_ ? std::string(render::backend_name(device_->backend())) : "none";
  }
  bool graph_failed() const { return graph_failed_; }
  bool interrupted() const { return interrupted_; }

 private:
  PictureMaker(const RenderOptions& options, const OpenedGraph& opened, const RenderWords& words,
               std::vector<NodeMessage>& messages, const std::atomic<bool>* cancel);
  Result<draw::DrawList> list_of(int frame, const ShowOptions& show);
  // What nodes that take long say of themselves.
  std::string progress_words() const;
  void frame_camera(const render::Box& box);
  void say(NodeMessage message);

  const RenderOptions& options_;
  const OpenedGraph& opened_;
  RenderWords words_;
  std::vector<NodeMessage>& messages_;
  std::set<std::string> said_;
  const std::atomic<bool>* cancel_;
  std::optional<Scene> scene_;
  std::unique_ptr<Evaluator> evaluator_;
  std::unique_ptr<Window> window_;
  std::unique_ptr<render::Device> device_;
  std::unique_ptr<render::Renderer> renderer_;
  render::View view_;
  ShowOptions show_;
  SteadyScales scales_;
  render::Box box_;
  Key first_key_;  // of what is seen at the first frame: files that are read count, too
  bool graph_failed_ = false, interrupted_ = false;
};

}  // namespace sinew::cli
