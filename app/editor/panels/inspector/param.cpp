#include "app/editor/panels/inspector/param.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <unordered_set>

#include "app/ui/units.h"
#include "graph/compiler.h"
#include "graph/frame_time.h"

namespace sinew::editor {
namespace {

// Of many nodes that are chosen, this many are looked at in each frame to see whether they agree.
constexpr std::size_t most_compared = 64;

}  // namespace

std::vector<double> Param::numbers() const {
  std::vector<double> list;
  if (value && info->type->to_numbers) list = info->type->to_numbers(value.data());
  list.resize(static_cast<std::size_t>(std::max(info->type->components, 0)), 0.0);
  return list;
}

void ParamEdits::choose(const NodeDoc& node, std::vector<std::string> all) {
  std::erase(all, node.id);
  all.insert(all.begin(), node.id);
  if (all != nodes_) {
    finish();
    nodes_ = std::move(all);
  }
  links_.clear();
  linked_.clear();
  const std::unordered_set<std::string> chosen(nodes_.begin(), nodes_.end());
  for (const LinkDoc& link : editor_.session.body().links) {
    if (!chosen.contains(link.to.node)) continue;
    linked_.insert(link.to.socket);
    if (link.to.node == node.id) links_[link.to.socket].push_back(&link);
  }
}

Moment ParamEdits::now() const {
  return {static_cast<double>(editor_.player.frame()), editor_.player.fps()};
}

// The compiled graph has read the document already, with the checks that belong to it.
Value ParamEdits::value_of(const std::string& node, std::size_t index) const {
  const CompiledGraph& graph = *editor_.session.graph();
  const int sink = graph.find_sink(editor_.session.path_of(node));
  if (sink < 0 || index >= graph.node(sink).inputs.size()) return {};
  const InputSource& source = graph.node(sink).inputs[index];
  if (!source.animation) return source.literal;
  const Moment moment = now();
  return source.animation->at({moment.frame, seconds_at(moment.frame, std::max(moment.fps, 1e-9))});
}

Param ParamEdits::read(const InputInfo& info, std::size_t index) const {
  const Session& session = editor_.session;
  Param param;
  param.info = &info;
  param.index = index;
  param.given = session.param(node(), info.name);
  param.value = value_of(node(), index);
  param.linked = linked_.contains(info.name);
  if (const auto found = links_.find(info.name); found != links_.end()) param.links = found->second;
  param.animated = is_animated(param.given);
  param.recorded = is_recorded(param.given);
  // What a file says outside of the range does not count, but is what there is to change.
  if (param.given && !param.given->is_object() && info.type->components > 0 &&
      info.type->from_json && !read_literal(info, *param.given))
    if (const Result<Value> written = info.type->from_json(*param.given)) param.value = *written;
  const auto key = [](const Value& v) { return v ? literal_key(v) : Key{}; };
  if (param.given)
    param.differs = param.animated || param.recorded || !info.standard || !param.value ||
                    key(param.value) != key(info.standard);
  for (std::size_t i = 1; i < std::min(nodes_.size(), most_compared) && !param.several; ++i)
    param.several = key(value_of(nodes_[i], index)) != key(param.value);
  return param;
}

void ParamEdits::apply(const Param& param, const std::string& verb,
                       const std::function<std::optional<Json>(const std::string&)>& next,
                       bool going_on) {
  if (!open_) ++drags_;
  open_ = true;
  Command command;
  command.title = nodes_.size() == 1
                      ? fmt::format("{} {}", verb, param.info->label)
                      : fmt::format("{} {} of {} nodes", verb, param.info->label, nodes_.size());
  command.merge_key = fmt::format("inspector {} {}", drags_, param.info->name);
  for (const std::string& id : nodes_)
    command.edits.push_back(
        edit::SetParam{editor_.session.graph_name(), id, param.info->name, next(id)});
  (void)editor_.session.apply(std::move(command));  // a refusal becomes a notice
  if (!going_on) finish();
}

void ParamEdits::finish() {
  if (!open_) return;
  open_ = false;
  editor_.session.seal();
}

void ParamEdits::set(const Param& param, Json value, bool going_on, const std::string& verb) {
  apply(
      param, verb, [&](const std::string&) { return value; }, going_on);
}

void ParamEdits::reset(const Param& param) {
  apply(param, "Reset", [](const std::string&) { return std::nullopt; });
}

// A constant that says what it means keeps saying so.
Json ParamEdits::literal(const Param& param, const Value& value, const Json* given) const {
  if (param.info->type == &type_of<Choice>()) {
    const auto index = static_cast<std::size_t>(value.as<Choice>().index);
    return index < param.info->choices.size() ? Json(param.info->choices[index]) : Json();
  }
  Json written = value.to_json();
  if (!given || !given->is_object() || !given->contains("value") || !written.is_number())
    return written;
  Json kept = *given;
  kept["value"] = std::move(written);
  return kept;
}

void ParamEdits::set_number(const Param& param, std::size_t component, double x, bool going_on) {
  const TypeInfo& type = *param.info->type;
  const auto next = [&](const std::string& id) -> std::optional<Json> {
    const Json* given = editor_.session.param(id, param.info->name);
    if (is_animated(given)) return with_key(*given, component, x, now());
    const Value old = value_of(id, param.index);
    std::vector<double> numbers;
    if (old && type.to_numbers) numbers = type.to_numbers(old.data());
    numbers.resize(static_cast<std::size_t>(type.components), 0.0);
    numbers[component] = x;
    return literal(param, type.from_numbers(numbers), given);
  };
  apply(param, "Set", next, going_on);
}

void ParamEdits::animate(const Param& param) {
  const bool stepped = param.info->type == &type_of<bool>();
  const auto next = [&](const std::string& id) -> std::optional<Json> {
    const Value old = value_of(id, param.index);
    std::vector<double> numbers;
    if (old) numbers = param.info->type->to_numbers(old.data());
    numbers.resize(static_cast<std::size_t>(param.info->type->components), 0.0);
    // What is stored as a float is written as a person would.
    if (param.info->type != &type_of<int>())
      for (double& x : numbers) x = shortest_decimal(static_cast<float>(x));
    return animated(numbers, now().frame, stepped);
  };
  apply(param, "Animate", next);
  open_chart(param);
}

void ParamEdits::stop_animating(const Param& param) {
  apply(param, "Stop animating", [&](const std::string& id) -> std::optional<Json> {
    const Value value = value_of(id, param.index);
    if (!value) return std::nullopt;
    return literal(param, value, nullptr);
  });
}

void ParamEdits::toggle_key(const Param& param) {
  const Moment moment = now();
  const bool here = has_key(*param.given, moment);
  if (here && key_frames(*param.given, moment).size() == 1) return stop_animating(param);
  const auto next = [&](const std::string& id) -> std::optional<Json> {
    const Json* given = editor_.session.param(id, param.info->name);
    if (!is_animated(given)) return given ? std::optional(*given) : std::nullopt;
    if (here) return without_key(*given, moment);
    Json value = *given;
    const std::vector<double> numbers =
        param.info->type->to_numbers(value_of(id, param.index).data());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      value = with_key(value, i, shortest_decimal(static_cast<float>(numbers[i])), moment);
    return value;
  };
  apply(param, here ? "Remove a key of" : "Put a key of", next);
}

void ParamEdits::open_chart(const Param& param) {
  editor_.chart = ChartFocus{node(), param.info->name};
  editor_.bring_forward("Chart");
}

void ParamEdits::copy(const Param& param) const {
  const Json value = param.given   ? *param.given
                     : param.value ? literal(param, param.value, nullptr)
                                   : Json();
  ImGui::SetClipboardText(value.dump().c_str());
}

void ParamEdits::paste(const Param& param) {
  const char* text = ImGui::GetClipboardText();
  if (!text || !*text) return;
  Json value = Json::parse(text, nullptr, false);
  if (value.is_discarded()) {
    const Result<double> number = ui::parse_quantity(text, param.info->unit);
    value = number && param.info->type->components > 0 ? Json(*number) : Json(text);
  }
  if (!is_animated(&value) && !is_recorded(&value))
    if (const Result<Value> read = read_literal(*param.info, value); !read)
      return editor_.notify(NoticeKind::warning,
                            fmt::format("Cannot paste here: {}", read.error()));
  set(param, std::move(value));
}

}  // namespace sinew::editor
