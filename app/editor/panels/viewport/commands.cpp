// What can be done in the viewport by name.
#include <fmt/format.h>

#include "app/cameras.h"
#include "app/editor/panels/viewport/viewport.h"
#include "render/bounds.h"

namespace sinew::editor {
namespace {

std::string capital(std::string_view name) {
  std::string text(name);
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
  return text;
}

}  // namespace

void Viewport::add_actions() {
  const auto tool = [this](const char* id, const char* title, const char* key, const char* doc,
                           Tool which) {
    editor_.actions.add({id,
                         title,
                         "Tools",
                         key,
                         doc,
                         Where::viewport,
                         [this, which] { editor_.tool = which; },
                         {},
                         [this, which] { return editor_.tool == which; }});
  };
  tool("tool.look", "Look", "Q", "Goes round the body; a click chooses what made it", Tool::look);
  tool("tool.paint", "Paint", "B", "Strokes of the chosen node", Tool::paint);
  tool("tool.grab", "Grab", "G", "Pulls at a simulated body while it plays", Tool::grab);
  tool("tool.touch", "Touch", "T",
       "Puts handles of the chosen node on the body, or touches one that feels it", Tool::touch);
  add_view_actions();
  add_look_actions();
}

void Viewport::add_view_actions() {
  Actions& actions = editor_.actions;
  actions.add({"viewport.frame", "Frame what is chosen", "View", "F",
               "What the chosen node shows, or everything, fills the picture", Where::viewport,
               [this] { frame_chosen(); }});
  actions.add({"viewport.frame_all", "Frame all", "View", "Home", "Everything is in the picture",
               Where::viewport, [this] {
                 // What was cut away, too, and the ghosts that a chosen node shows.
                 render::Box box = render::bounds_of(sight_.whole);
                 moves_.frame(box.extend(render::bounds_of(sight_.list)));
               }});
  struct Named {
    const char *key, *view;
  };
  constexpr Named views[] = {{"0", "three-quarter"}, {"1", "front"}, {"2", "right"}, {"3", "top"},
                             {"4", "back"},          {"5", "left"},  {"6", "bottom"}};
  for (const Named& v : views)
    actions.add({fmt::format("viewport.view.{}", v.view), capital(v.view), "View/Look from", v.key,
                 "Turns the picture there", Where::viewport,
                 [this, view = std::string(v.view)] { moves_.turn_to(view); }});
  actions.add({"viewport.parallel",
               "Parallel",
               "View/Look from",
               "P",
               "Nothing becomes smaller with its distance",
               Where::viewport,
               [this] { moves_.toggle_parallel(); },
               {},
               [this] { return sight_.camera().parallel; }});
  actions.add({"viewport.keep_camera", "Keep this view", "View", "",
               "The document opens with this view from now on", Where::anywhere,
               [this] { keep_camera(); }});
}

void Viewport::add_look_actions() {
  Actions& actions = editor_.actions;
  const auto shadings = render::shading_names();
  for (std::size_t i = 0; i < shadings.size(); ++i) {
    const auto which = static_cast<render::Shading>(i);
    actions.add({fmt::format("viewport.shading.{}", shadings[i].name),
                 capital(shadings[i].name),
                 "View/Shading",
                 "",
                 std::string(shadings[i].doc),
                 Where::anywhere,
                 [this, which] {
                   sight_.view.look.shading = which;
                   remember_look();
                 },
                 {},
                 [this, which] { return sight_.view.look.shading == which; }});
  }
  const auto overlays = render::overlay_names();
  for (std::size_t i = 0; i < overlays.size(); ++i) {
    const auto which = static_cast<render::Overlay>(i);
    if (which == render::Overlay::axes) continue;  // those in the corner can be clicked
    actions.add({fmt::format("viewport.overlay.{}", overlays[i].name),
                 capital(overlays[i].name),
                 "View/Overlays",
                 "",
                 std::string(overlays[i].doc),
                 Where::anywhere,
                 [this, which] {
                   sight_.view.look.set(which, !sight_.view.look.has(which));
                   remember_look();
                 },
                 {},
                 [this, which] { return sight_.view.look.has(which); }});
  }
  const auto own = [&](const char* id, const char* title, const char* doc, bool Sight::*flag) {
    actions.add({id,
                 title,
                 "View/Overlays",
                 "",
                 doc,
                 Where::anywhere,
                 [this, flag] {
                   sight_.*flag = !(sight_.*flag);
                   remember_look();
                 },
                 {},
                 [this, flag] { return sight_.*flag; }});
  };
  own("viewport.overlay.handles", "Handles",
      "What the chosen node can be dragged by, and what it shows of itself", &Sight::handles);
  own("viewport.overlay.strokes", "Strokes", "What was painted or drawn", &Sight::strokes);
  actions.add({"viewport.section",
               "Cut open",
               "View",
               "X",
               "A plane that cuts bodies open",
               Where::viewport,
               [this] { set_section(sight_.show.section ? std::nullopt : std::optional<int>(2)); },
               {},
               [this] { return sight_.show.section.has_value(); }});
}

void Viewport::keep_camera() {
  const LayoutDoc layout =
      with_camera(editor_.session.doc().graph.layout, main_camera, sight_.camera());
  const Result<void> ok = editor_.session.apply(
      {"Keep this view", {edit::SetGraphLayout{"", "cameras", layout.extra.at("cameras")}}, ""});
  if (editor_.tell(ok))
    editor_.notify(NoticeKind::success, "The document opens with this view from now on.");
}

void Viewport::frame_chosen() {
  const NodeDoc* active = editor_.session.active();
  const std::string path = active ? editor_.session.path_of(active->id) : "";
  render::Box box;
  for (const draw::Mesh& mesh : sight_.whole.meshes) {
    const std::optional<Target> target = target_of(*editor_.session.graph(), mesh.source);
    if (!target) continue;
    const Target made = origin_of(*editor_.session.graph(), *target);
    if (editor_.session.graph()->node(made.node).path != path) continue;
    for (const Vector3f& p : mesh.positions) box.extend(p);
  }
  moves_.frame(box.isEmpty() ? render::bounds_of(sight_.whole) : box);
}

void Viewport::set_section(std::optional<int> axis) {
  sight_.show.section.reset();
  if (axis) {
    draw::SectionPlane plane;
    plane.normal = Vector3f::Unit(*axis);
    // What looks at the eye is cut away.
    if (plane.normal.dot(sight_.camera().back()) < 0) plane.normal = -plane.normal;
    const render::Box box = render::bounds_of(sight_.whole);
    if (!box.isEmpty()) plane.point = box.center();
    sight_.show.section = plane;
  }
  sight_.dirty = true;
}

void Viewport::remember_look() {
  sight_.dirty = true;
  Preferences& p = editor_.preferences;
  p.set("viewport.shading",
        std::string(
            render::shading_names()[static_cast<std::size_t>(sight_.view.look.shading)].name));
  p.set("viewport.overlays", sight_.view.look.overlays);
  p.set("viewport.handles", sight_.handles);
  p.set("viewport.strokes", sight_.strokes);
}

void Viewport::recall_look() {
  const Preferences& p = editor_.preferences;
  const auto shading = render::find_shading(p.get<std::string>("viewport.shading", "clay"));
  sight_.view.look.shading = shading.value_or(render::Shading::clay);
  sight_.view.look.overlays = p.get("viewport.overlays", sight_.view.look.overlays);
  sight_.view.look.set(render::Overlay::axes, false);
  sight_.handles = p.get("viewport.handles", true);
  sight_.strokes = p.get("viewport.strokes", true);
}

}  // namespace sinew::editor
