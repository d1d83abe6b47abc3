// A hand that pulls at a simulated body with a spring, while it plays.
#include <fmt/format.h>

#include "app/editor/panels/viewport/viewport.h"
#include "app/ui/theme.h"

namespace sinew::editor {
namespace {

class Grabber : public ViewHand {
 public:
  explicit Grabber(Sight& sight) : sight_(sight) {}

  bool hover() override;
  bool press() override;
  void drag() override;
  void release() override;
  void cancel() override;
  void forget() override { hold_.reset(); }
  void draw(ImDrawList& list) override;

 private:
  // What is held, and what the inputs were before.
  struct Hold {
    std::string graph, node, title;
    std::vector<std::pair<std::string, std::optional<Json>>> before;  // grab, at, to
    std::shared_ptr<const LiveState> live;                            // where the body was
    Vector3f taken, pulled;
    std::size_t mesh = 0;  // where the spring is fixed to the body
    uint32_t triangle = 0;
    Vector3f weights;
    std::string merge;
    bool applied = false;
  };

  // The simulation that made what was picked; what it needs to be pulled at.
  std::optional<Hold> find(const render::Pick& pick, std::string& why_not) const;
  bool apply(const Hold& hold, bool grab, const Vector3f& to);
  std::optional<Vector3f> held_place() const;

  Sight& sight_;
  std::optional<Hold> hold_;
  int count_ = 0;
  bool told_ = false;
};

std::optional<Grabber::Hold> Grabber::find(const render::Pick& pick, std::string& why_not) const {
  const Session& session = sight_.editor.session;
  const CompiledGraph& graph = *session.graph();
  const std::optional<Target> target = target_of(graph, pick.source);
  const int node =
      target ? find_upstream(graph, target->node,
                             [](const CompiledNode& n) { return n.type->hand.has_value(); })
             : -1;
  if (node < 0) {
    why_not = "This is not simulated: only a soft body can be pulled at.";
    return std::nullopt;
  }
  const CompiledNode& simulation = graph.node(node);
  const Written written = find_written(session.doc(), simulation.path);
  if (!written) return std::nullopt;
  Hold hold;
  hold.graph = written.graph;
  hold.node = written.node->id;
  hold.title = written.node->label.empty() ? simulation.type->label : written.node->label;
  const HandInfo& hand = *simulation.type->hand;
  for (const int input : {hand.grab, hand.at, hand.to}) {
    const auto index = static_cast<std::size_t>(input);
    const std::string& name = simulation.type->inputs[index].name;
    if (!simulation.inputs[index].links.empty() || simulation.inputs[index].animation) {
      why_not = fmt::format("'{}' of {} is linked or animated, so that no hand can set it.", name,
                            hold.title);
      return std::nullopt;
    }
    const auto found = written.node->params.find(name);
    hold.before.emplace_back(name, found == written.node->params.end()
                                       ? std::nullopt
                                       : std::optional<Json>(found->second));
  }
  return hold;
}

bool Grabber::hover() {
  const bool tool = sight_.editor.tool == Tool::grab;
  if (!tool && !(ImGui::GetIO().KeyCtrl && sight_.editor.player.playing())) return false;
  const std::optional<render::Pick> pick = sight_.pick(sight_.mouse());
  if (!pick) return false;
  std::string why_not;
  if (!find(*pick, why_not)) {
    if (tool) sight_.editor.hint(why_not);
    return false;
  }
  sight_.editor.hint("Drag: pull at the body; it is let go with the button");
  return true;
}

bool Grabber::press() {
  const std::optional<render::Pick> pick = sight_.pick_whole(sight_.mouse());
  std::string why_not;
  if (!pick) return false;
  hold_ = find(*pick, why_not);
  if (!hold_) return false;
  Player& player = sight_.editor.player;
  if (player.clock() != ClockKind::live) {
    player.set_clock(ClockKind::live);
    if (!std::exchange(told_, true))
      sight_.editor.notify(NoticeKind::info,
                           "Live now: the simulation goes on from here and answers the hand. The "
                           "timeline has a switch back.");
  }
  player.play(true);
  hold_->live = player.shot() ? player.shot()->live : nullptr;
  hold_->taken = hold_->pulled = pick->point;
  hold_->mesh = pick->mesh;
  hold_->triangle = pick->triangle;
  hold_->weights = pick->weights;
  hold_->merge = fmt::format("grab {} {}", hold_->node, ++count_);
  hold_->applied = apply(*hold_, true, hold_->taken);
  return true;
}

bool Grabber::apply(const Hold& hold, bool grab, const Vector3f& to) {
  Command command{fmt::format("Pull at {}", hold.title), {}, hold.merge};
  const auto set = [&](std::size_t i, std::optional<Json> value) {
    command.edits.push_back(
        edit::SetParam{hold.graph, hold.node, hold.before[i].first, std::move(value)});
  };
  if (grab) {
    set(0, Json(true));
    set(1, to_json(hold.taken));
    set(2, to_json(to));
  } else {
    for (std::size_t i = 0; i < 3; ++i) set(i, hold.before[i].second);
  }
  return static_cast<bool>(sight_.editor.session.apply(std::move(command)));
}

void Grabber::drag() {
  // On the timeline there was no state to come back to; the first live one is where it began.
  if (!hold_->live && sight_.editor.player.shot()) hold_->live = sight_.editor.player.shot()->live;
  const std::optional<Vector3f> to =
      sight_.on_plane(sight_.mouse(), hold_->taken, sight_.camera().back());
  sight_.editor.hint("Pulling. Let go of the button to let go of the body; Escape takes it back.");
  if (!to || (*to - hold_->pulled).norm() < 1e-6f * sight_.diagonal()) return;
  hold_->pulled = *to;
  hold_->applied = apply(*hold_, true, *to) || hold_->applied;
}

void Grabber::release() {
  if (!hold_) return;
  Session& session = sight_.editor.session;
  if (hold_->applied && apply(*hold_, false, hold_->pulled)) {
    Player& player = sight_.editor.player;
    if (hold_->live) session.on_undo([&player, live = hold_->live] { player.restore(live); });
  }
  session.seal();
  hold_.reset();
}

void Grabber::cancel() {
  if (!hold_) return;
  const bool applied = hold_->applied;
  release();
  if (applied) sight_.editor.session.undo();
}

std::optional<Vector3f> Grabber::held_place() const {
  if (hold_->mesh >= sight_.whole.meshes.size()) return std::nullopt;
  const draw::Mesh& mesh = sight_.whole.meshes[hold_->mesh];
  if (hold_->triangle >= mesh.triangles.size()) return std::nullopt;
  Vector3f at(0, 0, 0);
  for (int k = 0; k < 3; ++k)
    at += hold_->weights[k] *
          mesh.positions[mesh.triangles[hold_->triangle][static_cast<std::size_t>(k)]];
  return at;
}

void Grabber::draw(ImDrawList& list) {
  if (!hold_) return;
  const std::optional<Vector3f> from = held_place();
  const auto a = sight_.place(from.value_or(hold_->taken)), b = sight_.place(hold_->pulled);
  if (!a || !b) return;
  list.AddLine(*a, *b, IM_COL32(20, 22, 26, 170), ui::px(4));
  list.AddLine(*a, *b, ui::theme().accent, ui::px(2));
  list.AddCircleFilled(*a, ui::px(4), ui::theme().accent);
  list.AddCircleFilled(*b, ui::px(6), IM_COL32(20, 22, 26, 200));
  list.AddCircleFilled(*b, ui::px(4.5f), ui::theme().accent);
}

}  // namespace

std::unique_ptr<ViewHand> make_grabber(Sight& sight) { return std::make_unique<Grabber>(sight); }

}  // namespace sinew::editor
