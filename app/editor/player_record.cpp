// Recording: what is done to parameters while the live clock runs becomes part of the document.
#include <fmt/format.h>

#include <algorithm>

#include "app/editor/player.h"
#include "app/editor/titles.h"

namespace sinew::editor {
namespace {

// What the document says of a parameter, as the recorder wants it; empty where that is no plain
// value: it changes over time already.
Value plain_value(const NodeDoc* node, const InputInfo& info, const std::string& input) {
  const Json* json = nullptr;
  if (node)
    if (const auto found = node->params.find(input); found != node->params.end())
      json = &found->second;
  if (info.type == &type_of<Choice>()) {
    // Choices are written down by their names.
    if (json) return json->is_string() ? Value::of(json->get<std::string>()) : Value();
    const int index = info.standard ? info.standard.as<Choice>().index : -1;
    const bool there = index >= 0 && index < static_cast<int>(info.choices.size());
    return there ? Value::of(info.choices[static_cast<std::size_t>(index)]) : Value();
  }
  if (!json) return info.standard;
  if (!info.type->from_json) return {};
  const Result<Value> value = info.type->from_json(*json);
  return value ? *value : Value();
}

}  // namespace

void Player::tell(std::string text) {
  if (std::find(notices_.begin(), notices_.end(), text) == notices_.end())
    notices_.push_back(std::move(text));
}

void Player::note_param(const edit::SetParam& set) {
  const NodeDoc* now = session_.doc().graph.find(set.node);
  if (!now) return;
  // Of a group's instance the sockets are those of the group.
  const int sink = session_.graph()->find_sink(set.node);
  const NodeType* type = sink >= 0 ? session_.graph()->node(sink).type : session_.type_of(*now);
  const int index = type ? type->find_input(set.input) : -1;
  if (index < 0) return;
  if (type->work && type->work->result == index) return;  // what work has found is no hand's doing
  const InputInfo& info = type->inputs[static_cast<std::size_t>(index)];
  const Value from = plain_value(recorded_from_.graph.find(set.node), info, set.input);
  const Value to = plain_value(now, info, set.input);
  if (!from || !to)
    return tell(fmt::format("'{}' of '{}' is not recorded: it changes over time already",
                            info.label, title_of_path(session_, set.node)));
  recorder_.begin(set.node, set.input, session_.doc().settings.first_frame, from);
  // It is seen by the next step.
  recorder_.event(set.node, set.input, frame_ + 1, to);
}

void Player::note(const std::vector<Edit>& edits) {
  if (!recording_) return;
  if (restart_live_) {
    // Nothing has run yet: it begins with this.
    recorder_.clear();
    recorded_from_ = session_.doc();
    return;
  }
  for (const Edit& edit : edits) {
    if (const auto* set = std::get_if<edit::SetParam>(&edit)) {
      if (set->graph.empty())
        note_param(*set);
      else
        tell("Changes inside of groups are not recorded");
    } else if (const auto* erased = std::get_if<edit::EraseNode>(&edit)) {
      if (erased->graph.empty()) recorder_.forget(erased->id);
      tell("Only parameters are recorded, not nodes and links");
    } else if (std::holds_alternative<edit::InsertNode>(edit) ||
               std::holds_alternative<edit::InsertLink>(edit) ||
               std::holds_alternative<edit::EraseLink>(edit) ||
               std::holds_alternative<edit::SetMuted>(edit)) {
      tell("Only parameters are recorded, not nodes and links");
    }
  }
}

void Player::record(bool on) {
  if (on == recording_) return;
  if (on) {
    // From where the timeline is: what was done live before is not in the document.
    const bool beyond = frame_ > session_.doc().settings.last_frame;
    clock_ = ClockKind::live;
    go_to(beyond ? first_frame() : frame_);
    recorder_.clear();
    recorded_from_ = session_.doc();
    recording_ = true;
    play(true);
    return;
  }
  recording_ = false;
  if (recorder_.empty()) return tell("Nothing was changed, so nothing is recorded");
  Result<Command> command = recorder_.to_command(session_.registry(), "");
  recorder_.clear();
  if (!command) return tell("Nothing is recorded: " + command.error());
  session_.seal();
  (void)session_.apply(std::move(*command));
}

}  // namespace sinew::editor
