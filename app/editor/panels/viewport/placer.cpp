#include "app/editor/panels/viewport/placer.h"

#include <fmt/format.h>

#include "app/editor/titles.h"
#include "app/ui/landmarks.h"
#include "app/ui/theme.h"

namespace sinew::editor {

TouchedInput touched_input(const Session& session) {
  TouchedInput found;
  const NodeDoc* active = session.active();
  const int sink = active ? session.graph()->find_sink(session.path_of(active->id)) : -1;
  if (sink < 0) return found;
  const NodeType& type = *session.graph()->node(sink).type;
  if (type.role != NodeRole::compute && type.role != NodeRole::simulate) return found;
  for (const InputInfo& input : type.inputs) {
    if (input.places_on < 0 || !input.type || !input.type->with_touched) continue;
    found = {active->id, session.path_of(active->id), title_of(session, active->id), &input,
             session.link_into(active->id, input.name) != nullptr};
    return found;
  }
  return found;
}

void Placer::update() {
  input_ = touched_input(sight_.editor.session);
  // Also before the tool is taken: its first touch counts.
  if (input_ && !input_.linked)
    body_.follow_input(sight_, input_.path, input_.input->places_on);
  else
    body_.follow_input(sight_, "", -1);
}

bool Placer::is_on() const { return input_ && sight_.editor.tool == Tool::touch; }

// Of the bodies under the mouse, the first may be another one.
std::optional<render::Pick> Placer::pick() {
  const std::optional<render::Pick> found = sight_.pick_whole(sight_.mouse());
  if (!found || found->mesh >= sight_.whole.meshes.size() ||
      !body_.is(sight_.whole.meshes[found->mesh]))
    return std::nullopt;
  return found;
}

bool Placer::hover() {
  if (input_.linked) {
    sight_.editor.hint(fmt::format("The {} of {} are linked.", input_.input->name, input_.title));
    return false;
  }
  if (!body_.known()) {
    sight_.editor.hint(fmt::format("{}: {}.", input_.title, body_.problem()));
    return false;
  }
  if (!pick()) {
    sight_.editor.hint(
        fmt::format("Click on the body: a place by which {} holds it    Q: look", input_.title));
    return false;
  }
  sight_.editor.hint("Click: hold it here    Drag: and pull at once    Q: look");
  return true;
}

Json Placer::literal() const {
  if (const Json* written = sight_.editor.session.param(input_.node, input_.input->name))
    return *written;
  return input_.input->standard ? input_.input->standard.to_json() : Json();
}

std::optional<Json> Placer::touched() {
  const std::optional<render::Pick> found = pick();
  if (!found) return std::nullopt;
  const Json at = to_json(body_.at_rest(found->triangle, found->weights));
  return input_.input->type->with_touched(
      literal(), {at[0].get<double>(), at[1].get<double>(), at[2].get<double>()});
}

// Only as long as there are none: whoever has put one there knows.
void Placer::draw(ImDrawList& list) const {
  if (!input_ || input_.linked || !literal().empty()) return;
  const char* text = sight_.editor.tool == Tool::touch
                         ? "Click on the body to hold it there; drag to pull"
                         : "T, then click on the body: places to pull it by";
  const ImVec2 size = ImGui::CalcTextSize(text);
  const float left = sight_.at.x + (sight_.size.x - size.x) / 2;
  const float top = sight_.at.y + sight_.size.y - size.y - ui::px(22);
  const ImVec2 from(left - ui::px(10), top - ui::px(4));
  const ImVec2 to(left + size.x + ui::px(10), top + size.y + ui::px(5));
  list.AddRectFilled(from, to, ui::with_alpha(ui::theme().raised, 0.92f), ui::px(5));
  list.AddRect(from, to, ui::theme().line, ui::px(5));
  list.AddText(ImVec2(left, top), ui::theme().text, text);
  ui::mark_passing("viewport", "touch_words", from, to);
}

}  // namespace sinew::editor
