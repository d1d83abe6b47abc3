// Gives every input what it will read: a literal of the right type, charts over time, or links that
// are checked against the types at both ends.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "graph/compiler.h"

namespace sinew {
namespace {

void report(std::vector<Message>& list, Severity severity, std::string text) {
  list.push_back({severity, std::move(text)});
}

std::string range_text(const InputInfo& info) {
  if (std::isinf(info.max)) return fmt::format("{} or more", info.min);
  if (std::isinf(info.min)) return fmt::format("{} or less", info.max);
  return fmt::format("from {} to {}", info.min, info.max);
}

Result<Value> read_choice(const InputInfo& info, const Json& j) {
  if (j.is_string()) {
    const auto it = std::find(info.choices.begin(), info.choices.end(), j.get<std::string>());
    if (it != info.choices.end())
      return Value::of(Choice{static_cast<int>(it - info.choices.begin())});
  }
  return Error{fmt::format("{:.60} is not one of {}", j.dump(), fmt::join(info.choices, ", "))};
}

Result<std::shared_ptr<const Animation>> read_animation(const InputInfo& info, const Json& j,
                                                        const Registry& registry) {
  const TypeInfo* curve = registry.curve_type();
  if (!curve || info.type->components == 0)
    return Error{fmt::format("{} cannot follow a chart", with_article(info.type->name))};
  const size_t count = info.type->components;
  const Json parts = count == 1 ? Json::array({j}) : j;
  if (!parts.is_array() || parts.size() != count)
    return Error{fmt::format("{} follows a list of {} charts or numbers",
                             with_article(info.type->name), count)};
  auto animation = std::make_shared<Animation>();
  animation->type = info.type;
  animation->min = info.min;
  animation->max = info.max;
  animation->curves.resize(count);
  animation->constants.resize(count, 0.0);
  for (size_t i = 0; i < count; ++i) {
    if (parts[i].is_number()) {
      animation->constants[i] = parts[i].get<double>();
      continue;
    }
    Result<Value> chart = curve->from_json(parts[i]);
    if (!chart) return Error{chart.error()};
    animation->curves[i] = *chart;
  }
  return std::shared_ptr<const Animation>(std::move(animation));
}

// [[frame, literal], ...]: each holds from its frame on, the first also before.
Result<std::shared_ptr<const Animation>> read_steps(const InputInfo& info, const Json& j) {
  const char* const wanted = "\"steps\" is a list of [frame, value], frames increasing";
  if (!j.is_array() || j.empty()) return Error{wanted};
  auto animation = std::make_shared<Animation>();
  for (const Json& step : j) {
    if (!step.is_array() || step.size() != 2 || !step[0].is_number()) return Error{wanted};
    const double frame = step[0].get<double>();
    if (!animation->held.empty() && !(frame > animation->held.back().first)) return Error{wanted};
    Result<Value> value = read_literal(info, step[1]);
    if (!value) return Error{fmt::format("from frame {:g}: {}", frame, value.error())};
    animation->held.emplace_back(frame, *value);
  }
  return std::shared_ptr<const Animation>(std::move(animation));
}

bool is_animation(const Json& j) { return j.is_object() && j.contains("animate"); }
bool is_steps(const Json& j) { return j.is_object() && j.contains("steps"); }

// A literal outside the declared range is an error: it was written by a person, who can be told.
Result<void> check_range(const InputInfo& info, const Value& value) {
  if (!info.has_range() || !value.type()->to_numbers) return {};
  for (double x : value.type()->to_numbers(value.data()))
    if (!info.in_range(x))
      return Error{fmt::format("{:g} is out of range; it goes {}", x, range_text(info))};
  return {};
}

// `whole`: the node is given all of an animation.
void bind_literal(const InputInfo& info, bool whole, const Json& given, const Registry& registry,
                  InputSource& source, std::vector<Message>& messages) {
  auto complain = [&](const std::string& text) {
    source.literal = info.standard;  // the node will not run, but what is behind it stays typed
    report(messages, Severity::error, fmt::format("'{}': {}", info.name, text));
  };
  if (is_animation(given)) {
    if (given.size() != 1) return complain("\"animate\" must stand alone");
    auto animation = read_animation(info, given["animate"], registry);
    if (!animation) return complain(animation.error());
    source.animation = *animation;
    if (whole) source.literal = Value(type_of<Animation>(), source.animation);
    return;
  }
  if (is_steps(given)) {
    if (given.size() != 1) return complain("\"steps\" must stand alone");
    auto steps = read_steps(info, given["steps"]);
    if (!steps) return complain(steps.error());
    source.animation = *steps;
    if (whole) source.literal = Value(type_of<Animation>(), source.animation);
    return;
  }
  const Result<Value> value = read_literal(info, given);
  if (!value) return complain(value.error());
  source.literal = *value;
}

}  // namespace

Result<Value> read_literal(const InputInfo& info, const Json& given) {
  const bool is_choice = info.type == &type_of<Choice>();
  if (!is_choice && !info.type->from_json)
    return Error{fmt::format("{} cannot be written here; link one",
                             info.takes_anything() ? "a value" : with_article(info.type->name))};
  Result<Value> value = is_choice ? read_choice(info, given) : info.type->from_json(given);
  if (!value) return value;
  if (const Result<void> ok = check_range(info, *value); !ok) return Error{ok.error()};
  return value;
}

bool gives_nothing(const CompiledNode& node, int output) {
  if (node.forward.empty() || output < 0 || node.broken) return false;
  const int input = node.forward[output];
  return input < 0 || node.inputs[input].empty();
}

void bind_literals(CompiledNode& node, const NodeDoc* doc, const Registry& registry,
                   const CompileOptions& options) {
  node.literals.clear();
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const InputInfo& info = node.type->inputs[i];
    InputSource& source = node.inputs[i];
    if (!source.links.empty()) continue;
    source = InputSource();
    const Json* given = nullptr;
    if (doc) {
      const auto param = doc->params.find(info.name);
      if (param != doc->params.end()) given = &param->second;
    }
    if (!options.overrides.empty() && doc) {
      const auto over = options.overrides.find(node.path + "." + info.name);
      if (over != options.overrides.end()) given = &over->second;
    }
    if (given) {
      // A muted node hands on what is there at the moment.
      const bool whole = info.whole_time && node.forward.empty();
      bind_literal(info, whole, *given, registry, source, node.literals);
    } else {
      source.literal = info.standard;
    }
    if (source.literal) source.literal_key = literal_key(source.literal);
  }
  if (doc)
    for (const auto& [name, value] : doc->params)
      if (node.type->find_input(name) < 0)
        report(node.literals, Severity::warning,
               fmt::format("it has no input '{}'; the value is kept but has no effect", name));
}

namespace {

// Which input a muted node hands on for each output: the first of the same type.
std::vector<int> muted_forward(const NodeType& type) {
  std::vector<int> forward;
  for (const OutputInfo& out : type.outputs) {
    int found = -1;
    for (size_t i = 0; i < type.inputs.size() && found < 0; ++i) {
      const InputInfo& in = type.inputs[i];
      if (in.type == out.type && in.generic == out.generic && !in.selector)
        found = static_cast<int>(i);
    }
    forward.push_back(found);
  }
  return forward;
}

std::vector<int> forwarding(const NodeType& type, bool muted) {
  if (muted && !type.outputs.empty()) return muted_forward(type);
  if (type.role != NodeRole::forward) return {};
  std::vector<int> forward(type.outputs.size());
  for (size_t i = 0; i < forward.size(); ++i) forward[i] = static_cast<int>(i);
  return forward;
}

// What the first link to a generic socket makes of its variable.
const TypeInfo* variable_type(const InputInfo& info, const TypeInfo* given) {
  if (info.takes_anything() || !given) return given;
  const bool accepted = std::find(info.also.begin(), info.also.end(), given) != info.also.end();
  return accepted ? given : info.type;
}

// Checks one link and adds it to the input. Returns what is wrong, or nothing.
std::optional<std::string> bind_link(const InputInfo& info, const TypeInfo* wanted,
                                     const CompiledNode& from, int node, int output,
                                     const Registry& registry, InputSource& source) {
  const TypeInfo* given = from.output_types[output];
  LinkSource link{node, output, nullptr};
  // What a generic socket takes besides has become its variable, or is not what others have.
  const bool also = info.generic.empty() &&
                    std::find(info.also.begin(), info.also.end(), given) != info.also.end();
  const bool accepted = !given || !wanted || given == wanted || also;
  if (!accepted) {
    link.conversion = registry.find_conversion(*given, *wanted);
    if (!link.conversion)
      return fmt::format("input '{}' wants {}, but '{}.{}' gives {}", info.name,
                         with_article(wanted->name), from.path, from.type->outputs[output].name,
                         with_article(given->name));
  }
  const std::vector<std::string>& offered = from.type->outputs[output].choices;
  if (given == &type_of<Choice>() && !offered.empty() && !info.choices.empty() &&
      offered != info.choices)
    return fmt::format("input '{}' chooses from {}, but '{}.{}' offers {}", info.name,
                       fmt::join(info.choices, ", "), from.path, from.type->outputs[output].name,
                       fmt::join(offered, ", "));
  source.links.push_back(link);
  return std::nullopt;
}

// What must be there is there. A muted node asks for nothing.
void check_inputs(CompiledNode& node, const std::map<int, std::string>& empty_handed,
                  const std::set<int>& refused) {
  bool any_choice = false;
  std::string first_choice;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const InputInfo& info = node.type->inputs[i];
    any_choice |= !info.selector && !node.inputs[i].empty();
    if (!info.selector && first_choice.empty()) first_choice = info.name;
    if (!info.required() || !node.inputs[i].empty()) continue;
    if (refused.contains(static_cast<int>(i))) continue;  // that has been said
    const auto from = empty_handed.find(static_cast<int>(i));
    report(node.wiring, Severity::error,
           from != empty_handed.end()
               ? fmt::format("input '{}' is linked to '{}', which has nothing to hand on",
                             info.name, from->second)
               : fmt::format("input '{}' is empty; link {} to it", info.name,
                             info.takes_anything() ? "a value" : with_article(info.type->name)));
  }
  if (node.type->role == NodeRole::select && !any_choice)
    report(node.wiring, Severity::error,
           fmt::format("it has nothing to choose from; link a value to '{}'", first_choice));
}

}  // namespace

std::shared_ptr<CompiledNode> Compiler::bind(FlatNode& flat, const std::vector<int>& place) {
  auto node = std::make_shared<CompiledNode>();
  node->type = flat.type;
  node->path = std::move(flat.path);
  node->hidden = flat.hidden;
  node->identity = KeyHasher(0x22).text(flat.type->id).word(flat.type->version).finish();
  node->wiring = std::move(flat.messages);
  node->forward =
      flat.unknown ? std::vector<int>() : forwarding(*flat.type, flat.doc && flat.doc->muted);
  if (!flat.unknown) node->inputs.resize(flat.type->inputs.size());

  // Links first, since the type of a generic socket comes from what is linked.
  std::map<std::string, const TypeInfo*> generic;
  std::map<int, std::string> empty_handed;  // inputs linked to what has nothing to hand on
  std::set<int> refused;                    // inputs whose link brings what they do not take
  for (const FlatNode::Link& link : flat.links) {
    const InputInfo& info = flat.type->inputs[link.input];
    InputSource& source = node->inputs[link.input];
    const int from_index = place[link.source];
    if (from_index < 0) continue;  // in a cycle, which has its own message
    const CompiledNode& from = *graph_->nodes_[from_index];
    if (!info.multi && !source.links.empty()) {
      report(node->wiring, Severity::error,
             fmt::format("input '{}' has more than one link; it takes one", info.name));
      continue;
    }
    const bool unknown = flat_[link.source].unknown;
    const int output = unknown ? -1 : from.type->find_output(link.output);
    if (output < 0) {
      if (!unknown)
        report(node->wiring, Severity::error,
               fmt::format("input '{}' is linked to '{}.{}', but there is no such output",
                           info.name, from.path, link.output));
      source.links.push_back({from_index, -1, nullptr});
      continue;
    }
    if (gives_nothing(from, output)) {
      empty_handed[link.input] = from.path;
      continue;
    }
    const TypeInfo*& variable = generic[info.generic];
    if (!info.generic.empty() && !variable)
      variable = variable_type(info, from.output_types[output]);
    const TypeInfo* wanted = info.generic.empty() ? info.type : variable;
    if (auto wrong = bind_link(info, wanted, from, from_index, output, registry_, source)) {
      report(node->wiring, Severity::error, std::move(*wrong));
      refused.insert(link.input);
    }
  }
  if (!flat.unknown) bind_literals(*node, flat.doc, registry_, options_);

  if (!(flat.doc && flat.doc->muted)) check_inputs(*node, empty_handed, refused);
  for (const OutputInfo& out : flat.type->outputs)
    node->output_types.push_back(out.generic.empty() ? out.type : generic[out.generic]);
  for (const std::vector<Message>* list : {&node->wiring, &node->literals})
    for (const Message& m : *list) node->broken |= m.severity == Severity::error;
  return node;
}

}  // namespace sinew
