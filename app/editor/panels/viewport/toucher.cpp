// A click on a body that feels it: one more touch of the stimulus behind what is shown.
#include <fmt/format.h>

#include <algorithm>

#include "app/editor/panels/viewport/placer.h"
#include "app/editor/panels/viewport/rest_body.h"
#include "app/editor/panels/viewport/viewport.h"
#include "app/editor/titles.h"
#include "app/ui/theme.h"

namespace sinew::editor {
namespace {

constexpr double ripple_seconds = 0.7;

class Toucher : public ViewHand {
 public:
  explicit Toucher(Sight& sight) : sight_(sight) {}

  void update() override;
  bool hover() override;
  bool press() override;
  void forget() override { ripples_.clear(); }
  void draw(ImDrawList& list) override;

 private:
  struct Feeling {
    std::string path, graph, node, input, title;
  };
  // A chosen node that takes places on the body takes the touches, too (placer.h).
  bool is_on() const {
    return sight_.editor.tool == Tool::touch && !touched_input(sight_.editor.session);
  }
  // The node upstream of what is shown that takes touches.
  std::optional<Feeling> find(std::string& why_not) const;

  Sight& sight_;
  RestBody body_;
  std::optional<Feeling> feeling_;
  std::string why_not_;
  struct Ripple {
    Vector3f at;
    double since;
  };
  std::vector<Ripple> ripples_;
};

const InputInfo* touches_of(const CompiledNode& node) {
  return input_of_type(*node.type, "touches");
}

bool takes_places(const CompiledNode& node) {
  const std::vector<InputInfo>& inputs = node.type->inputs;
  return std::any_of(inputs.begin(), inputs.end(), [](const InputInfo& input) {
    return input.places_on >= 0 && input.type && input.type->with_touched;
  });
}

std::optional<Toucher::Feeling> Toucher::find(std::string& why_not) const {
  const Session& session = sight_.editor.session;
  const CompiledGraph& graph = *session.graph();
  int node = -1, holding = -1;
  for (const draw::Mesh& mesh : sight_.whole.meshes) {
    const std::optional<Target> target = target_of(graph, mesh.source);
    if (!target || node >= 0) continue;
    node = find_upstream(graph, target->node,
                         [](const CompiledNode& n) { return touches_of(n) != nullptr; });
    if (node < 0 && holding < 0) holding = find_upstream(graph, target->node, takes_places);
  }
  if (node < 0 && holding >= 0) {
    why_not = fmt::format("Choose {}: then a click holds the body here.",
                          title_of_path(session, graph.node(holding).path));
    return std::nullopt;
  }
  if (node < 0) {
    why_not = "Nothing here feels a touch: a Stimulus between the activation and the body does.";
    return std::nullopt;
  }
  const CompiledNode& found = graph.node(node);
  const Written written = find_written(session.doc(), found.path);
  if (!written) return std::nullopt;
  const InputInfo& input = *touches_of(found);
  const auto& source = found.inputs[static_cast<std::size_t>(&input - found.type->inputs.data())];
  Feeling feeling{found.path, written.graph, written.node->id, input.name,
                  written.node->label.empty() ? found.type->label : written.node->label};
  if (!source.links.empty() || source.animation) {
    why_not = fmt::format("The touches of {} are linked or change with time.", feeling.title);
    return std::nullopt;
  }
  return feeling;
}

void Toucher::update() {
  feeling_.reset();
  if (!is_on()) return;
  why_not_.clear();
  feeling_ = find(why_not_);
  if (feeling_) body_.follow(sight_, feeling_->path);
}

bool Toucher::hover() {
  if (!is_on()) return false;
  if (!feeling_) {
    sight_.editor.hint(why_not_);
    return false;
  }
  const std::optional<render::Pick> pick = sight_.pick_whole(sight_.mouse());
  if (!pick || !body_.is(sight_.whole.meshes[pick->mesh])) return false;
  sight_.editor.hint("Click: touch it here");
  return true;
}

bool Toucher::press() {
  const std::optional<render::Pick> pick = sight_.pick_whole(sight_.mouse());
  if (!pick || !feeling_ || !body_.is(sight_.whole.meshes[pick->mesh])) return false;
  Session& session = sight_.editor.session;
  const Written written = find_written(session.doc(), feeling_->path);
  Json touches = Json::array();
  if (const auto found = written.node->params.find(feeling_->input);
      found != written.node->params.end())
    touches = found->second;
  touches.push_back({{"frame", sight_.editor.player.frame() + 1},
                     {"at", to_json(body_.at_rest(pick->triangle, pick->weights))}});
  const Result<void> ok = session.apply(
      {"Touch the body",
       {edit::SetParam{feeling_->graph, feeling_->node, feeling_->input, std::move(touches)}},
       ""});
  if (!ok) return true;
  ripples_.push_back({pick->point, sight_.editor.now()});
  sight_.editor.want_frames(ripple_seconds + 0.1);
  return true;
}

void Toucher::draw(ImDrawList& list) {
  const double now = sight_.editor.now();
  std::erase_if(ripples_, [&](const Ripple& r) { return now - r.since > ripple_seconds; });
  for (const Ripple& ripple : ripples_) {
    const std::optional<ImVec2> at = sight_.place(ripple.at);
    if (!at) continue;
    const float t = static_cast<float>((now - ripple.since) / ripple_seconds);
    for (const float delay : {0.0f, 0.25f}) {
      const float s = std::clamp((t - delay) / (1 - delay), 0.0f, 1.0f);
      if (s <= 0) continue;
      list.AddCircle(*at, ui::px(4 + 30 * s), ui::with_alpha(ui::theme().accent, 1 - s), 36,
                     ui::px(2.5f));
    }
    list.AddCircleFilled(*at, ui::px(3.5f), ui::with_alpha(ui::theme().accent, 1 - t));
  }
}

}  // namespace

std::unique_ptr<ViewHand> make_toucher(Sight& sight) { return std::make_unique<Toucher>(sight); }

}  // namespace sinew::editor
