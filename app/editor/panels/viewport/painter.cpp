#include "app/editor/panels/viewport/painter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/editor/panels/viewport/viewport.h"
#include "app/ui/theme.h"
#include "render/colour_maps.h"

namespace sinew::editor {
namespace {

// While a stroke is drawn it is applied again and again, but not faster than it can be seen.
constexpr double least_seconds = 0.1;
constexpr std::size_t most_points = 4000;

ImU32 colour_of(const draw::Rgba& c, float alpha) {
  const auto byte = [](float x) { return static_cast<int>(255 * std::clamp(x, 0.0f, 1.0f)); };
  return IM_COL32(byte(c.r), byte(c.g), byte(c.b), byte(alpha));
}

}  // namespace

Painter::Painter(Sight& sight) : sight_(sight) {
  Actions& actions = sight.editor.actions;
  const auto enabled = [this] { return is_on(); };
  actions.add({"paint.smaller", "Smaller brush", "Tools", "[", "A smaller radius", Where::viewport,
               [this] { resize(1 / 1.15f); }, enabled});
  actions.add({"paint.larger", "Larger brush", "Tools", "]", "A larger radius", Where::viewport,
               [this] { resize(1.15f); }, enabled});
}

// The chosen node, if it has strokes that can be written.
void Painter::find_node() {
  Session& session = sight_.editor.session;
  const std::string before = node_;
  node_.clear();
  const NodeDoc* active = session.active();
  if (!active) return;
  const InputInfo* found = nullptr;
  for (const InputInfo& input : session.inputs_of(*active))
    if (input.type && input.type->name == "strokes") found = &input;
  if (!found) return;
  node_ = active->id;
  input_ = found->name;
  const NodeType* type = session.type_of(*active);
  title_ = !active->label.empty() ? active->label : type ? type->label : active->id;
  locked_.clear();
  if (session.link_into(node_, input_)) locked_ = "Its strokes come by a link.";
  if (!takes_strokes(literal())) locked_ = "Its strokes change with time.";
  if (before != node_) {
    field_ = {};
    field_key_ = {};
    brush_.radius = 0;
  }
}

const Json& Painter::literal() const {
  static const Json none = Json::array();
  const Json* written = sight_.editor.session.param(node_, input_);
  return written ? *written : none;
}

void Painter::update() {
  if (drawing_ && !is_on()) release();
  find_node();
  // What is painted was deleted, or another node was chosen: the stroke ends as it is.
  if (drawing_ && node_ != stroke_node_) {
    drawing_ = changed_ = false;
    sight_.editor.session.seal();
  }
  sight_.right_taken = is_on() ? ui::px(182) : 0;
  if (!is_on() || node_.empty()) return;
  body_.follow(sight_, sight_.editor.session.path_of(node_));
  if (!body_.known()) return;
  const CompiledGraph& graph = *sight_.editor.session.graph();
  const TypeInfo* type = graph.node(body_.painted_target().node)
                             .output_types[static_cast<std::size_t>(body_.painted_target().output)];
  brush_.paints = type && type->name == "field";
  if (brush_.radius == 0) brush_.radius = Brush::handy(0.06f * body_.box().diagonal().norm());
  take_field();
  if (drawing_ && changed_ &&
      (!sight_.editor.player.busy() || sight_.editor.now() - applied_at_ > 2 * least_seconds) &&
      sight_.editor.now() - applied_at_ > least_seconds)
    apply();
}

// What is painted already: its colours, and its values for the pipette.
void Painter::take_field() {
  Player& player = sight_.editor.player;
  player.watch(body_.painted_target());
  if (!brush_.paints) return;
  const Shot* shot = player.shot().get();
  const TargetResult* values = shot ? shot->result(body_.painted_target()) : nullptr;
  const TargetResult* body = shot ? shot->result(body_.target()) : nullptr;
  if (values && body && values->key != field_key_) {
    field_key_ = values->key;
    field_ = {};
    (void)show({body_.painted(), title_, values->value, values->key, body->value, body->key}, {},
               field_);
    if (!field_.scales.empty()) scale_ = field_.scales.front();
  }
  low_ = field_.scales.empty() ? 0 : field_.scales.front().low;
  high_ = field_.scales.empty() ? 1 : field_.scales.front().high;
  see_values(literal(), low_, high_);
  low_ = std::min(low_, brush_.value);
  high_ = std::max(high_, brush_.value);
  scale_.low = low_;
  scale_.high = high_;
}

void Painter::resize(float factor) {
  const float size = body_.known() ? body_.box().diagonal().norm() : 1;
  brush_.radius = Brush::handy(std::clamp(brush_.radius * factor, 1e-4f * size, size));
}

bool Painter::hover() {
  spot_.reset();
  if (!is_on() || node_.empty() || !locked_.empty() || !body_.known()) return false;
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyCtrl && io.MouseWheel != 0) resize(std::pow(1.12f, io.MouseWheel));
  spot_ = spot_under(sight_, body_, sight_.mouse());
  if (!spot_) return false;
  if (brush_.paints)
    sight_.editor.hint(fmt::format(
        "Drag: paint {:.3g}, {:.3g} m round    Ctrl+wheel or [ ]: radius    Alt+click: take the "
        "value there    Alt+drag: go round    Escape: give it up",
        brush_.value, brush_.radius));
  else
    sight_.editor.hint(
        "Drag: draw a direction along the surface    Alt+drag: go round    Escape: give it up");
  return true;
}

bool Painter::press() {
  if (!spot_) return false;
  before_ = literal();
  stroke_node_ = node_;
  written_ = 0;
  points_.clear();
  shown_points_.clear();
  cut_ = spot_->cut;
  drawing_ = true;
  applied_ = false;
  ++count_;
  add(*spot_);
  apply();
  return true;
}

bool Painter::add(const Spot& spot) {
  if (spot.cut.has_value() != cut_.has_value() || points_.size() >= most_points) return false;
  if (!points_.empty()) {
    if (brush_.paints && brush_.tool == BrushTool::region) return false;
    const float size = body_.box().diagonal().norm();
    const float spacing = brush_.has_radius()
                              ? std::clamp(0.25f * brush_.radius, 1e-3f * size, 0.05f * size)
                              : 0.01f * size;
    if ((spot.rest - points_.back()).norm() < spacing) return false;
  }
  points_.push_back(spot.rest);
  shown_points_.push_back(spot.shown);
  changed_ = true;
  return true;
}

void Painter::drag() {
  if (!drawing_) return;
  // A slow frame holds many moves, and the stroke follows each.
  for (const ImVec2& at : sight_.editor.host.trail())
    if (const std::optional<Spot> spot = spot_under(sight_, body_, at)) add(*spot);
  spot_ = spot_under(sight_, body_, sight_.mouse());
  if (spot_) add(*spot_);
  sight_.editor.hint("Painting. Escape gives the stroke up.");
}

void Painter::apply() {
  changed_ = false;
  applied_at_ = sight_.editor.now();
  written_ = points_.size();
  // A direction needs two places.
  if (!brush_.paints && points_.size() < 2) return;
  Session& session = sight_.editor.session;
  const Result<void> ok = session.apply(
      {brush_.paints ? fmt::format("Paint {}", title_) : fmt::format("Draw on {}", title_),
       {edit::SetParam{session.graph_name(), node_, input_,
                       with_stroke(before_, brush_, points_, cut_, body_.box())}},
       fmt::format("paint {} {}", node_, count_)});
  applied_ = applied_ || ok;
}

void Painter::release() {
  if (!drawing_) return;
  if (changed_) apply();
  drawing_ = false;
  sight_.editor.session.seal();
}

void Painter::cancel() {
  if (!drawing_) return;
  drawing_ = changed_ = false;
  if (applied_) sight_.editor.session.undo();
}

std::optional<float> Painter::value_under(ImVec2 mouse) {
  const std::optional<render::Pick> pick = sight_.pick_whole(mouse);
  if (!pick || !body_.is(sight_.whole.meshes[pick->mesh]) || field_.meshes.empty())
    return std::nullopt;
  const draw::Mesh& mesh = field_.meshes.front();
  if (mesh.values.empty() || pick->triangle >= mesh.triangles.size()) return std::nullopt;
  if (mesh.values_per == draw::ValuesPer::triangle) return mesh.values[pick->triangle];
  float value = 0;
  for (int k = 0; k < 3; ++k)
    value += pick->weights[k] * mesh.values[mesh.triangles[pick->triangle][k]];
  return value;
}

bool Painter::click(bool alt) {
  if (!is_on() || !brush_.paints) return false;
  if (!alt) return false;
  if (const std::optional<float> value = value_under(sight_.mouse()))
    brush_.value = static_cast<float>(rounded(static_cast<double>(*value)));
  return true;
}

void Painter::draw_ring(ImDrawList& list) {
  if (!spot_) return;
  const ImU32 colour = brush_.paints && brush_.tool != BrushTool::erase
                           ? colour_of(render::colour_of(brush_.value, scale_), 1)
                           : IM_COL32(255, 255, 255, 255);
  const Vector3f& n = spot_->normal;
  const Vector3f u = n.unitOrthogonal(), v = n.cross(u);
  const float radius =
      brush_.has_radius() ? brush_.radius : ui::px(5) * sight_.metres_per_pixel(spot_->shown);
  ImVec2 ring[40];
  int count = 0;
  for (int i = 0; i < 40; ++i) {
    const float a = 2 * 3.14159265f * static_cast<float>(i) / 40;
    if (const auto p = sight_.place(spot_->shown + radius * (std::cos(a) * u + std::sin(a) * v)))
      ring[count++] = *p;
  }
  list.AddPolyline(ring, count, IM_COL32(20, 22, 26, 160), ImDrawFlags_Closed, ui::px(4));
  list.AddPolyline(ring, count, colour, ImDrawFlags_Closed, ui::px(2));
  if (const auto p = sight_.place(spot_->shown)) list.AddCircleFilled(*p, ui::px(2), colour);
}

void Painter::draw(ImDrawList& list) {
  if (!is_on()) return;
  if (drawing_ && shown_points_.size() > 1) {
    // What is written already is drawn with the other strokes, where the body carries it.
    const std::size_t from = sight_.strokes && written_ > 0 ? written_ - 1 : 0;
    std::vector<ImVec2> line;
    for (std::size_t i = from; i < shown_points_.size(); ++i)
      if (const auto at = sight_.place(shown_points_[i])) line.push_back(*at);
    list.AddPolyline(line.data(), static_cast<int>(line.size()), IM_COL32(20, 22, 26, 150), 0,
                     ui::px(4.5f));
    list.AddPolyline(line.data(), static_cast<int>(line.size()), IM_COL32(255, 255, 255, 230), 0,
                     ui::px(2));
  }
  draw_ring(list);
  if (!drawing_) spot_.reset();
  draw_panel();
}

std::unique_ptr<ViewHand> make_painter(Sight& sight) { return std::make_unique<Painter>(sight); }

}  // namespace sinew::editor
