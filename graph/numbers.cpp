#include "graph/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace sinew {

namespace {

// A node that says nothing about its range is searched around where it is.
constexpr double least_reach = 10;

struct Parts {
  std::string node, input, component;
};

Result<Parts> split(const std::string& name) {
  std::vector<std::string> parts(1);
  for (const char c : name) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  const bool empty = std::any_of(parts.begin(), parts.end(), [](auto& p) { return p.empty(); });
  if (empty || parts.size() < 2 || parts.size() > 3)
    return Error{
        fmt::format("'{}': a parameter is named NODE.INPUT, and a number of a vector "
                    "NODE.INPUT.x",
                    name)};
  return Parts{parts[0], parts[1], parts.size() == 3 ? parts[2] : ""};
}

Result<int> component_of(const std::string& name, const Parts& parts, const TypeInfo& type) {
  if (type.components == 1) {
    if (parts.component.empty()) return -1;
    return Error{fmt::format("'{}': it is one number; leave '.{}' out", name, parts.component)};
  }
  static const std::string axes = "xyz";
  const size_t at = parts.component.size() == 1 ? axes.find(parts.component) : std::string::npos;
  if (at == std::string::npos)
    return Error{fmt::format("'{}': it has three numbers; name one of them, such as {}.{}.x", name,
                             parts.node, parts.input)};
  return static_cast<int>(at);
}

}  // namespace

Result<DocumentNumber> find_number(const CompiledGraph& graph, const std::string& name) {
  if (name.find('/') != std::string::npos)
    return Error{
        fmt::format("'{}': only nodes of the document itself can be varied, and not those "
                    "inside of a group; expose the parameter",
                    name)};
  const Result<Parts> parts = split(name);
  if (!parts) return Error{parts.error()};
  const int at = graph.find_sink(parts->node);
  if (at < 0) return Error{fmt::format("'{}': there is no node '{}'", name, parts->node)};
  const CompiledNode& node = graph.node(at);
  const int k = node.type->find_input(parts->input);
  if (k < 0 || static_cast<size_t>(k) >= node.inputs.size())
    return Error{fmt::format("'{}': node '{}' ({}) has no input '{}'", name, parts->node,
                             node.type->id, parts->input)};
  const InputInfo& info = node.type->inputs[k];
  const InputSource& source = node.inputs[k];
  if (!source.links.empty())
    return Error{fmt::format("'{}': it is linked; vary what is linked to it", name)};
  if (source.animation) return Error{fmt::format("'{}': it changes over time", name)};
  const TypeInfo* type = source.literal ? source.literal.type() : info.type;
  const bool number = type == &type_of<float>() || type == &type_of<int>();
  if (!source.literal || (!number && type != &type_of<Vec3>()))
    return Error{fmt::format("'{}': it is {} and not a number", name, with_article(type->name))};
  const Result<int> component = component_of(name, *parts, *type);
  if (!component) return Error{component.error()};

  DocumentNumber found{parts->node, parts->input, *component};
  const std::vector<double> numbers = type->to_numbers(source.literal.data());
  // As it is written: 0.1, and not the float that is nearest to it.
  found.value = numbers[static_cast<size_t>(std::max(0, *component))];
  if (type != &type_of<int>()) found.value = shortest_decimal(static_cast<float>(found.value));
  found.whole = type == &type_of<int>();
  const double reach = std::max(least_reach, 10 * std::abs(found.value));
  found.low = std::isfinite(info.min) ? info.min : found.value - reach;
  found.high = std::isfinite(info.max) ? info.max : found.value + reach;
  return found;
}

Result<std::vector<edit::SetParam>> set_numbers(const CompiledGraph& graph,
                                                std::span<const std::string> names,
                                                std::span<const double> values) {
  if (names.size() != values.size())
    return Error{fmt::format("there are {} names, but {} numbers", names.size(), values.size())};
  std::vector<edit::SetParam> edits;
  for (size_t i = 0; i < names.size(); ++i) {
    const Result<DocumentNumber> number = find_number(graph, names[i]);
    if (!number) return Error{number.error()};
    auto edit = std::find_if(edits.begin(), edits.end(), [&](const edit::SetParam& e) {
      return e.node == number->node && e.input == number->input;
    });
    if (edit == edits.end()) {
      const CompiledNode& node = graph.node(graph.find_sink(number->node));
      const Value& now = node.inputs[node.type->find_input(number->input)].literal;
      edit = edits.insert(edits.end(), {"", number->node, number->input, now.to_json()});
    }
    const Json value = number->whole ? Json(std::llround(values[i])) : Json(values[i]);
    if (number->component < 0) {
      edit->value = value;
    } else {
      (*edit->value)[static_cast<size_t>(number->component)] = value;
    }
  }
  return edits;
}

Result<Command> apply_found(const CompiledGraph& graph, const Json& found, size_t pick) {
  const auto list = found.find("candidates");
  if (!found.is_object() || list == found.end() || !list->is_array() || list->empty())
    return Error{"nothing has been found yet; search first"};
  if (pick >= list->size())
    return Error{fmt::format("there is no candidate {}; the last is {}", pick, list->size() - 1)};
  std::vector<std::string> names;
  std::vector<double> values;
  try {
    names = found.at("names").get<std::vector<std::string>>();
    values = (*list)[pick].at("values").get<std::vector<double>>();
  } catch (const Json::exception&) {
    return Error{"what was found has no names or no values"};
  }
  Result<std::vector<edit::SetParam>> edits = set_numbers(graph, names, values);
  if (!edits) return Error{edits.error()};
  Command command;
  command.title = fmt::format("Use candidate {}", pick);
  for (edit::SetParam& edit : *edits) command.edits.emplace_back(std::move(edit));
  return command;
}

}  // namespace sinew
