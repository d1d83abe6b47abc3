#include "app/cli/reference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>

namespace sinew::cli {
namespace {

std::string type_text(const InputInfo& in) { return in.takes_anything() ? "any" : in.type->name; }

// Of an output that has the type of an input: "as body".
std::string type_text(const NodeType& node, const OutputInfo& out) {
  if (out.generic.empty()) return out.type->name;
  for (const InputInfo& in : node.inputs)
    if (in.generic == out.generic && !in.takes_anything()) return "as " + in.name;
  return "any";
}

std::string input_type_text(const InputInfo& in) {
  std::string text = type_text(in);
  for (const TypeInfo* also : in.also) text += " or " + also->name;
  if (in.multi) text += ", many";
  return text;
}

std::string range_text(const InputInfo& in) {
  if (!in.has_range()) return "";
  if (std::isinf(in.max)) return fmt::format("from {:g}", in.min);
  if (std::isinf(in.min)) return fmt::format("to {:g}", in.max);
  return fmt::format("{:g} to {:g}", in.min, in.max);
}

std::string standard_text(const InputInfo& in) {
  if (in.required()) return "required";
  if (!in.standard) return in.multi ? "none" : "optional";
  if (in.standard.is<Choice>()) {
    const size_t index = static_cast<size_t>(in.standard.as<Choice>().index);
    return index < in.choices.size() ? in.choices[index] : "?";
  }
  const Json j = in.standard.to_json();
  // Curves are too long for a table.
  if (j.is_object()) return "a " + in.type->name;
  std::string text = j.dump();
  // 1.0 is written 1: the reference is for people.
  for (size_t at; (at = text.find(".0,")) != std::string::npos;) text.erase(at, 2);
  for (size_t at; (at = text.find(".0]")) != std::string::npos;) text.erase(at, 2);
  if (text.ends_with(".0")) text.erase(text.size() - 2);
  return text;
}

std::string values_text(const InputInfo& in) {
  std::string text =
      in.choices.empty() ? range_text(in) : fmt::format("{}", fmt::join(in.choices, ", "));
  if (!in.unit.empty()) text += (text.empty() ? "" : " ") + in.unit;
  if (in.file == FileUse::read) text = "a file to read";
  if (in.file == FileUse::write) text = "a file to write";
  return text;
}

const char* role_text(const NodeType& type) {
  switch (type.role) {
    case NodeRole::simulate:
      return "A simulation: each frame follows from the one before.";
    case NodeRole::select:
      return "Only the chosen input is evaluated.";
    case NodeRole::forward:
      return "Passes its input on; costs nothing.";
    default:
      return type.has_effect ? "Writes a file; runs only when asked to." : "";
  }
}

}  // namespace

std::string node_list_text(const Registry& registry) {
  std::map<std::string, std::vector<const NodeType*>> categories;
  size_t width = 0;
  for (const NodeType* t : registry.nodes()) {
    categories[t->category].push_back(t);
    width = std::max(width, t->id.size());
  }
  std::string text;
  for (const auto& [category, list] : categories) {
    text += (text.empty() ? "" : "\n") + category + "\n";
    for (const NodeType* t : list) text += fmt::format("  {:{}}  {}\n", t->id, width, t->doc);
  }
  return text;
}

std::string node_text(const NodeType& type) {
  std::string text =
      fmt::format("{} ({}), version {}\n{}\n", type.id, type.label, type.version, type.doc);
  if (*role_text(type)) text += fmt::format("{}\n", role_text(type));
  if (!type.inputs.empty()) text += "\ninputs\n";
  for (const InputInfo& in : type.inputs) {
    std::string facts = standard_text(in);
    if (const std::string values = values_text(in); !values.empty()) facts += "; " + values;
    text += fmt::format("  {:14} {:10} {}\n", in.name, input_type_text(in), facts);
    if (!in.doc.empty()) text += fmt::format("  {:14} {}\n", "", in.doc);
  }
  if (!type.outputs.empty()) text += "\noutputs\n";
  for (const OutputInfo& out : type.outputs)
    text += fmt::format("  {:14} {:10} {}\n", out.name, type_text(type, out), out.doc);
  return text;
}

std::string reference_markdown(const Registry& registry) {
  std::string text =
      "# Node reference\n\nMade from the nodes' declarations by `build/sinew nodes --markdown > "
      "docs/nodes.md`; a test fails when it is stale.\n\n"
      "Any input can be linked or given a value; a value that is made of numbers can also follow "
      "charts over time ([format](format.md)).\n\n## Values\n\n| type | what it is |\n| --- | --- "
      "|\n";
  for (const TypeInfo* t : registry.types()) text += fmt::format("| {} | {} |\n", t->name, t->doc);
  std::map<std::string, std::vector<const NodeType*>> categories;
  for (const NodeType* t : registry.nodes()) categories[t->category].push_back(t);
  for (const auto& [category, list] : categories) {
    text += fmt::format("\n## {}\n", category);
    for (const NodeType* t : list) {
      text += fmt::format("\n### {} (`{}`)\n\n{}", t->label, t->id, t->doc);
      if (*role_text(*t)) text += fmt::format(" {}", role_text(*t));
      text += "\n";
      if (!t->inputs.empty())
        text += "\n| input | type | standard | values | |\n| --- | --- | --- | --- | --- |\n";
      for (const InputInfo& in : t->inputs)
        text += fmt::format("| `{}` | {} | {} | {} | {} |\n", in.name, input_type_text(in),
                            standard_text(in), values_text(in), in.doc);
      if (!t->outputs.empty()) text += "\n| output | type | |\n| --- | --- | --- |\n";
      for (const OutputInfo& out : t->outputs)
        text += fmt::format("| `{}` | {} | {} |\n", out.name, type_text(*t, out), out.doc);
    }
  }
  return text;
}

Json node_json(const NodeType& type) {
  Json j = {{"id", type.id},           {"version", type.version},
            {"label", type.label},     {"category", type.category},
            {"doc", type.doc},         {"inputs", Json::array()},
            {"outputs", Json::array()}};
  for (const InputInfo& in : type.inputs) {
    Json i = {{"name", in.name},           {"label", in.label}, {"type", type_text(in)},
              {"required", in.required()}, {"multi", in.multi}, {"doc", in.doc}};
    if (in.standard)
      i["standard"] = in.standard.is<Choice>() ? Json(standard_text(in)) : in.standard.to_json();
    if (!std::isinf(in.min)) i["min"] = in.min;
    if (!std::isinf(in.max)) i["max"] = in.max;
    if (!in.unit.empty()) i["unit"] = in.unit;
    if (!in.choices.empty()) i["choices"] = in.choices;
    for (const TypeInfo* also : in.also) i["accepts"].push_back(also->name);
    j["inputs"].push_back(std::move(i));
  }
  for (const OutputInfo& out : type.outputs)
    j["outputs"].push_back({{"name", out.name},
                            {"label", out.label},
                            {"type", type_text(type, out)},
                            {"doc", out.doc}});
  return j;
}

}  // namespace sinew::cli
