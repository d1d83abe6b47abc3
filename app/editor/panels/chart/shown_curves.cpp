#include "app/editor/panels/chart/shown_curves.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "app/editor/titles.h"
#include "app/ui/theme.h"
#include "graph/frame_time.h"
#include "graph/literal_forms.h"

namespace sinew::editor {
namespace {

constexpr const char* animate = "animate";
constexpr const char* steps = "steps";

bool is_curve(const TypeInfo* type) { return type && type->curve_at; }

const CurvesForm* several_curves(const TypeInfo* type) {
  const auto* curves = type ? &literal_forms(*type).curves : nullptr;
  return curves && *curves ? &**curves : nullptr;
}

const Json* animation_of(const Session& session, const std::string& node,
                         const std::string& input) {
  const Json* param = session.param(node, input);
  if (!param || !param->is_object() || !param->contains(animate)) return nullptr;
  return &(*param)[animate];
}

// Of the lists of a recorded parameter, the one that holds at the frame.
int step_at(const Json& list, double frame) {
  int found = 0;
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].is_array() && list[i].size() == 2 && list[i][0].is_number() &&
        list[i][0].get<double>() <= frame)
      found = static_cast<int>(i);
  return found;
}

ImU32 curve_colour(std::size_t index) {
  const bool dark = ui::theme().name == ui::ThemeName::dark;
  static constexpr std::array<uint32_t, 8> bright = {0xF08C24, 0x5AB0F0, 0x7CCB6B, 0xC98BF0,
                                                     0xE8D05A, 0xF07A8C, 0x58D0C0, 0xB0A890};
  static constexpr std::array<uint32_t, 8> deep = {0xD26A00, 0x1F78C0, 0x3B8F2D, 0x8B45C4,
                                                   0x9A8200, 0xC03A50, 0x11857A, 0x6E6650};
  return ui::type_colour((dark ? bright : deep)[index % bright.size()]);
}

std::string component_name(const InputInfo& info, std::size_t index) {
  if (info.type->components == 1) return info.label;
  if (info.type->components == 3) return std::string(1, static_cast<char>('X' + index));
  return std::to_string(index + 1);
}

const CompiledNode* compiled(const Session& session, const std::string& node) {
  const int sink = session.graph()->find_sink(session.path_of(node));
  return sink >= 0 ? &session.graph()->node(sink) : nullptr;
}

TimePoint now_of(const Editor& editor) {
  const double frame = editor.player.frame();
  return {frame, seconds_at(frame, editor.player.fps())};
}

// What is set for every input of the node, as far as that is known without an evaluation.
std::vector<Value> set_values(const Editor& editor, const std::string& node) {
  std::vector<Value> values;
  const CompiledNode* found = compiled(editor.session, node);
  if (!found) return values;
  for (const InputSource& source : found->inputs) {
    if (source.animation) {
      values.push_back(source.animation->at(now_of(editor)));
    } else {
      values.push_back(source.literal);
    }
  }
  return values;
}

void read_value(ShownCurve& curve, const TypeInfo& type, const Json& json) {
  const auto model = CurveModel::read(json);
  if (!model) {
    curve.locked = "What the document says here is no chart.";
    return;
  }
  curve.model = *model;
  // A number that stands for a curve is one that has this value everywhere.
  const Result<Value> value = type.from_json(model->write());
  if (value) {
    curve.value = *value;
  } else {
    curve.locked = value.error();
  }
}

// What an output gave in the newest evaluation.
Value value_from(Editor& editor, Target target) {
  editor.player.watch(target);
  const auto& shot = editor.player.shot();
  if (!shot || shot->graph->size() != editor.session.graph()->size()) return {};
  const TargetResult* result = shot->result(target);
  return result ? result->value : Value();
}

// A curve that was made elsewhere, if it is one.
void take_value(ShownCurve& curve, const Value& value) {
  if (!value || !is_curve(value.type())) return;
  curve.value = value;
  if (const auto model = CurveModel::read(value.to_json())) curve.model = *model;
}

void lock_to_source(Editor& editor, ShownCurve& curve, const LinkDoc& link) {
  curve.source = editor.session.path_of(link.from.node);
  curve.locked = fmt::format("It comes from '{}'.", title_of(editor.session, link.from.node));
}

// What arrives at an input by a link, if an evaluation has said so already.
Value linked_value(Editor& editor, const std::string& node, const std::string& input) {
  const CompiledNode* found = compiled(editor.session, node);
  const int index = found ? found->type->find_input(input) : -1;
  if (index < 0 || found->inputs[static_cast<std::size_t>(index)].links.empty()) return {};
  const LinkSource& from = found->inputs[static_cast<std::size_t>(index)].links.front();
  return from.output < 0 ? Value() : value_from(editor, {from.node, from.output});
}

// The chart that arrives by a link, once it is known.
void read_linked(Editor& editor, ShownCurve& curve, const LinkDoc& link) {
  lock_to_source(editor, curve, link);
  take_value(curve, linked_value(editor, curve.place.node, curve.place.input));
}

ShownCurve chart_curve(Editor& editor, const NodeDoc& node, const InputInfo& info,
                       const std::vector<Value>& values) {
  ShownCurve curve;
  curve.place = {node.id, info.name, -1, -1, false};
  curve.name = curve.label = info.label;
  curve.doc = info.doc;
  curve.clock = info.clock;
  const Session& session = editor.session;
  if (const LinkDoc* link = session.link_into(node.id, info.name)) {
    read_linked(editor, curve, *link);
    return curve;
  }
  const Json* param = session.param(node.id, info.name);
  if (!param) {
    if (info.standard) {
      read_value(curve, *info.type, info.standard.to_json());
    } else {
      read_value(curve, *info.type, Json::array({Json::array({0, 0}), Json::array({1, 1})}));
    }
  } else if (param->is_object() && param->contains(steps) && (*param)[steps].is_array() &&
             !(*param)[steps].empty()) {
    curve.place.step = step_at((*param)[steps], editor.player.frame());
    const Json& step = (*param)[steps][static_cast<std::size_t>(curve.place.step)];
    read_value(curve, *info.type, step.is_array() && step.size() == 2 ? step[1] : Json());
  } else {
    read_value(curve, *info.type, *param);
  }
  if (info.in_effect && !values.empty()) curve.in_effect = info.in_effect(values);
  return curve;
}

// The curve of a node that may be anywhere, as it is.
ShownCurve seen_curve(Editor& editor, const ChartFocus& focus) {
  ShownCurve curve;
  curve.place = {focus.node, focus.input, -1, -1, false};
  curve.source = focus.node;
  curve.locked = fmt::format("It belongs to '{}'.", title_of_path(editor.session, focus.node));
  const CompiledGraph& graph = *editor.session.graph();
  const int index = graph.find_node(focus.node);
  const CompiledNode& node = graph.node(index);
  const SocketRef socket = *find_curve(*node.type, focus.input);
  const auto which = static_cast<std::size_t>(socket.index);
  if (socket.is_output) {
    curve.label = node.type->outputs[which].label;
    curve.doc = node.type->outputs[which].doc;
    const NodeDoc* active = editor.session.active();
    if (active && editor.session.path_of(active->id) == focus.node) {
      curve.locked = curve.doc.empty() ? "What the node gives." : curve.doc;
      curve.source.clear();
    }
    take_value(curve, value_from(editor, {index, socket.index}));
  } else {
    curve.label = node.type->inputs[which].label;
    curve.doc = node.type->inputs[which].doc;
    curve.clock = node.type->inputs[which].clock;
    const InputSource& source = node.inputs[which];
    const bool linked = !source.links.empty();
    if (linked && source.links.front().output >= 0) {
      take_value(curve,
                 value_from(editor, {source.links.front().node, source.links.front().output}));
    } else if (!linked) {
      take_value(curve, source.animation ? source.animation->at(now_of(editor)) : source.literal);
    }
  }
  curve.name = curve.label;
  return curve;
}

void add_animation(Editor& editor, const NodeDoc& node, const InputInfo& info,
                   const Json& animation, std::vector<ShownCurve>& list) {
  const TypeInfo* type = editor.session.registry().curve_type();
  if (!type) return;
  const auto count = static_cast<std::size_t>(info.type->components);
  for (std::size_t i = 0; i < count; ++i) {
    ShownCurve curve;
    curve.place = {node.id, info.name, count > 1 ? static_cast<int>(i) : -1, -1, true};
    curve.name = component_name(info, i);
    curve.label = info.label;
    curve.doc = info.doc;
    const bool has = count == 1 || (animation.is_array() && i < animation.size());
    read_value(curve, *type, !has ? Json() : count == 1 ? animation : animation[i]);
    list.push_back(std::move(curve));
  }
}

// What is written for a parameter, or its standard value; empty where that is no plain literal.
Value literal_of(const Session& session, const std::string& node, const InputInfo& info) {
  const Json* param = session.param(node, info.name);
  if (!param) return info.standard;
  const Result<Value> value = info.type->from_json(*param);
  return value ? *value : Value();
}

void add_parts(Editor& editor, const NodeDoc& node, const InputInfo& info, const CurvesForm& form,
               std::vector<ShownCurve>& list) {
  const TypeInfo* type = editor.session.registry().curve_type();
  if (!type) return;
  const LinkDoc* link = editor.session.link_into(node.id, info.name);
  const Value value =
      link ? linked_value(editor, node.id, info.name) : literal_of(editor.session, node.id, info);
  if (!value || value.type() != info.type) return;
  for (const CurvesForm::Curve& part : form.read(value.data())) {
    ShownCurve curve;
    curve.place = {node.id, info.name, -1, -1, false, static_cast<int>(list.size())};
    curve.name = part.name;
    curve.label = info.label;
    curve.doc = form.doc;
    curve.only_points = true;
    read_value(curve, *type, part.chart);
    if (link) lock_to_source(editor, curve, *link);
    list.push_back(std::move(curve));
  }
}

}  // namespace

bool has_curves(const Session& session, const NodeDoc& node, const InputInfo& info) {
  return ((is_curve(info.type) || several_curves(info.type)) && !info.multi) ||
         animation_of(session, node.id, info.name);
}

std::optional<ChartFocus> first_chart(const Session& session, const NodeDoc& node) {
  const std::vector<InputInfo>& inputs = session.inputs_of(node);
  for (const InputInfo& info : inputs)
    if (has_curves(session, node, info)) return ChartFocus{node.id, info.name};
  return std::nullopt;
}

std::optional<ChartFocus> first_given_chart(const Session& session, const NodeDoc& node) {
  const std::string path = session.path_of(node.id);
  const int index = session.graph()->find_node(path);
  if (index < 0) return std::nullopt;
  for (const OutputInfo& output : session.graph()->node(index).type->outputs)
    if (is_curve(output.type)) return ChartFocus{path, output.name, true};
  return std::nullopt;
}

std::optional<SocketRef> find_curve(const NodeType& type, const std::string& name) {
  const int in = type.find_input(name), out = type.find_output(name);
  if (in >= 0 && is_curve(type.inputs[static_cast<std::size_t>(in)].type))
    return SocketRef{false, in};
  if (out >= 0 && is_curve(type.outputs[static_cast<std::size_t>(out)].type))
    return SocketRef{true, out};
  return std::nullopt;
}

bool is_there(const Session& session, const ChartFocus& focus) {
  if (focus.only_seen) {
    const int index = session.graph()->find_node(focus.node);
    return index >= 0 && find_curve(*session.graph()->node(index).type, focus.input);
  }
  const NodeDoc* node = session.body().find(focus.node);
  const InputInfo* info = session.input_of(focus.node, focus.input);
  return node && info && has_curves(session, *node, *info);
}

std::vector<ShownCurve> shown_curves(Editor& editor, const ChartFocus& focus) {
  std::vector<ShownCurve> list;
  const Session& session = editor.session;
  if (!is_there(session, focus)) return list;
  if (focus.only_seen) {
    const NodeType& type = *session.graph()->node(session.graph()->find_node(focus.node)).type;
    if (!find_curve(type, focus.input)->is_output) {
      list.push_back(seen_curve(editor, focus));
    } else {
      // All that the node gives, over one another.
      for (const OutputInfo& output : type.outputs)
        if (is_curve(output.type))
          list.push_back(seen_curve(editor, {focus.node, output.name, true}));
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
      list[i].path = focus.node;
      list[i].colour = curve_colour(i);
    }
    return list;
  }
  const NodeDoc* node = session.body().find(focus.node);
  const InputInfo* info = session.input_of(focus.node, focus.input);
  if (const Json* animation = animation_of(session, focus.node, focus.input)) {
    add_animation(editor, *node, *info, *animation, list);
  } else if (const CurvesForm* form = several_curves(info->type)) {
    add_parts(editor, *node, *info, *form, list);
  } else {
    const std::vector<Value> values = set_values(editor, node->id);
    for (const InputInfo& other : session.inputs_of(*node)) {
      const bool together = !info->plot.empty() && other.plot == info->plot;
      if ((together && is_curve(other.type)) || other.name == info->name)
        list.push_back(chart_curve(editor, *node, other, values));
    }
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i].colour = curve_colour(i);
    list[i].path = session.path_of(focus.node);
  }
  return list;
}

Result<Json> with_curve(const Session& session, const CurvePlace& place, const Json& chart) {
  if (place.part >= 0) {
    const InputInfo* info = session.input_of(place.node, place.input);
    const CurvesForm* form = info ? several_curves(info->type) : nullptr;
    const Value value = form ? literal_of(session, place.node, *info) : Value();
    if (!value) return Error{"its curves cannot be changed here"};
    return form->write(value.data(), static_cast<std::size_t>(place.part), chart);
  }
  const Json* param = session.param(place.node, place.input);
  Json whole = param ? *param : Json();
  if (place.animation) {
    Json& animation = whole[animate];
    if (place.component < 0) {
      animation = chart;
    } else {
      animation[static_cast<std::size_t>(place.component)] = chart;
    }
    return whole;
  }
  if (place.step < 0) return chart;
  whole[steps][static_cast<std::size_t>(place.step)][1] = chart;
  return whole;
}

std::optional<double> number_now(const Editor& editor, const std::string& node,
                                 const std::string& input) {
  const CompiledNode* found = compiled(editor.session, node);
  const int index = found ? found->type->find_input(input) : -1;
  if (index < 0) return std::nullopt;
  const InputSource& source = found->inputs[static_cast<std::size_t>(index)];
  const Value value = source.animation ? source.animation->at(now_of(editor)) : source.literal;
  if (!value || !value.type()->to_numbers) return std::nullopt;
  const std::vector<double> numbers = value.type()->to_numbers(value.data());
  return numbers.empty() ? std::nullopt : std::optional(numbers.front());
}

std::optional<double> time_on(const Editor& editor, const ShownCurve& curve) {
  const TimePoint now = now_of(editor);
  const CurveModel& m = curve.model;
  const std::optional<CurveClock>& clock = curve.clock;
  const double span = m.cyclic() ? m.cycle() : m.last_x() - m.first_x();
  if (clock && !clock->period.empty()) {
    const auto period = number_now(editor, curve.place.node, clock->period);
    const auto delay = clock->delay.empty() ? std::optional(0.0)
                                            : number_now(editor, curve.place.node, clock->delay);
    if (!period || !delay || !(*period > 0)) return std::nullopt;
    const double rounds = (now.seconds - *delay) / *period;
    // A cycle keeps its x = 0; a range that is not one begins with its first point.
    const double x =
        m.cyclic() ? rounds * span : m.first_x() + (rounds - std::floor(rounds)) * span;
    return m.cyclic() ? x - std::floor((x - m.first_x()) / span) * span : x;
  }
  const bool is_time = curve.place.animation || clock || m.x_unit == "s" || m.x_unit == "frames";
  if (!is_time) return std::nullopt;
  const double x = m.x_unit == "frames" ? now.frame : now.seconds;
  if (!m.cyclic() || !(span > 0)) return x;
  return x - std::floor((x - m.first_x()) / span) * span;
}

std::optional<double> frame_at(const Editor& editor, const ShownCurve& curve, double x) {
  const auto length = frame_length(editor, curve);
  return length ? std::optional(x / *length) : std::nullopt;
}

std::optional<double> frame_length(const Editor& editor, const ShownCurve& curve) {
  const CurveModel& m = curve.model;
  if (m.x_unit == "frames") return 1.0;
  const bool scaled = curve.clock && !curve.clock->period.empty();
  if (curve.place.animation || (m.x_unit == "s" && !scaled)) return 1 / editor.player.fps();
  return std::nullopt;
}

}  // namespace sinew::editor
