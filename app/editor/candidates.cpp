#include "app/editor/candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/editor/player.h"
#include "graph/numbers.h"

namespace sinew::editor {
namespace {

constexpr const char* pick = "pick";

// Every name begins with a node of the document.
bool are_parameters(const Session& session, const Candidates& all) {
  const auto is_one = [&](const std::string& name) {
    const std::size_t dot = name.find('.');
    return dot != std::string::npos && session.doc().graph.find(name.substr(0, dot));
  };
  return !all.names.empty() && std::all_of(all.names.begin(), all.names.end(), is_one);
}

// The candidate that the document's parameters are set to; -1: none.
int set_now(const Session& session, const Candidates& all) {
  std::vector<double> now;
  for (const std::string& name : all.names) {
    const Result<DocumentNumber> number = find_number(*session.graph(), name);
    if (!number) return -1;
    now.push_back(number->value);
  }
  const auto close = [](double a, double b) {
    return std::abs(a - b) <= 1e-6 * std::max({std::abs(a), std::abs(b), 1e-6});
  };
  for (std::size_t i = 0; i < all.list.size(); ++i)
    if (std::equal(now.begin(), now.end(), all.list[i].values.begin(), all.list[i].values.end(),
                   close))
      return static_cast<int>(i);
  return -1;
}

std::optional<std::size_t> pick_of(const std::vector<InputInfo>& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].name == pick && inputs[i].type == &type_of<int>()) return i;
  return std::nullopt;
}

// The literal of an input of a node of the graph that is looked at; empty where there is none.
Value literal_at(const Session& session, const std::string& node, std::size_t input) {
  const CompiledGraph& graph = *session.graph();
  const int sink = graph.find_sink(session.path_of(node));
  if (sink < 0 || input >= graph.node(sink).inputs.size()) return {};
  return graph.node(sink).inputs[input].literal;
}

}  // namespace

std::string facts_of(const Candidates& all) {
  if (all.empty()) return "nothing found yet";
  return fmt::format("best {:.4g}, start {:.4g}, {} trials", all.list.front().cost, all.start_cost,
                     all.trials);
}

std::optional<FoundAt> candidates_of(const Session& session, const NodeDoc& node) {
  const std::vector<InputInfo>& inputs = session.inputs_of(node);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto* read = inputs[i].type ? &literal_forms(*inputs[i].type).candidates : nullptr;
    if (!read || !*read) continue;
    FoundAt found;
    found.node = node.id;
    found.input = inputs[i].name;
    found.value = literal_at(session, node.id, i);
    if (found.value) found.all = (*read)(found.value.data());
    found.sets_parameters = are_parameters(session, found.all);
    const std::optional<std::size_t> which = pick_of(inputs);
    found.has_pick = which.has_value() && !session.link_into(node.id, pick);
    const Value now = which ? literal_at(session, node.id, *which) : Value();
    if (found.sets_parameters)
      found.picked = set_now(session, found.all);
    else if (now && !found.all.empty())
      found.picked = std::min(now.as<int>(), static_cast<int>(found.all.list.size()) - 1);
    return found;
  }
  return std::nullopt;
}

Result<Command> choice_of(const Session& session, const FoundAt& found, std::size_t index) {
  if (index >= found.all.list.size()) return Error{"there is no such candidate"};
  Command command{fmt::format("Use candidate {}", index + 1), {}, {}};
  if (found.sets_parameters) {
    Result<std::vector<edit::SetParam>> edits =
        set_numbers(*session.graph(), found.all.names, found.all.list[index].values);
    if (!edits) return Error{edits.error()};
    for (edit::SetParam& edit : *edits) command.edits.push_back(std::move(edit));
  }
  if (found.has_pick)
    command.edits.push_back(
        edit::SetParam{session.graph_name(), found.node, pick, Json(static_cast<int>(index))});
  if (command.edits.empty()) return Error{"what is found here cannot be chosen: 'pick' is linked"};
  return command;
}

Result<GraphDoc> document_with(const Session& session, const FoundAt& found, std::size_t index) {
  Result<Command> choice = choice_of(session, found, index);
  if (!choice) return Error{choice.error()};
  GraphDoc doc = session.doc();
  for (Edit& edit : choice->edits)
    if (const Result<Edit> ok = apply_edit(doc, std::move(edit)); !ok) return Error{ok.error()};
  return doc;
}

Key rest_of(const Session& session, const FoundAt& found) {
  GraphDoc doc = session.doc();
  if (found.sets_parameters)
    if (Result<GraphDoc> first = document_with(session, found, 0)) doc = std::move(*first);
  GraphBody* body = &doc.graph;
  if (const auto group = doc.groups.find(session.graph_name()); group != doc.groups.end())
    body = &group->second.graph;
  for (NodeDoc& node : body->nodes) {
    if (node.id != found.node) continue;
    node.params.erase(found.input);
    node.params.erase(pick);
  }
  // Where nodes stand is not seen, but what is shown is.
  Json shown;
  if (doc.graph.layout.extra.contains(Player::shown_key))
    shown = doc.graph.layout.extra[Player::shown_key];
  doc.graph.layout = {};
  doc.meta = {};
  for (auto& [name, group] : doc.groups) group.graph.layout = {};
  return KeyHasher(0xCA)
      .text(write_document(doc))
      .text(shown.dump())
      .text(session.folder().string())
      .finish();
}

}  // namespace sinew::editor
