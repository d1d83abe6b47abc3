#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>

#include "graph/commands.h"
#include "graph/document_check.h"

namespace sinew {
namespace {

// What an edit that only sets something sets. Two that set the same thing can become one; those
// that insert or erase have no target.
struct Target {
  std::string operator()(const edit::SetParam& e) const {
    return key("param", e.graph, e.node, e.input);
  }
  std::string operator()(const edit::SetLabel& e) const { return key("label", e.graph, e.node); }
  std::string operator()(const edit::SetMuted& e) const { return key("muted", e.graph, e.node); }
  std::string operator()(const edit::SetGroupRef& e) const { return key("ref", e.graph, e.node); }
  std::string operator()(const edit::SetNodeLayout& e) const { return key("at", e.graph, e.node); }
  std::string operator()(const edit::SetGraphLayout& e) const { return key("lay", e.graph, e.key); }
  std::string operator()(const edit::SetInterface& e) const { return key("interface", e.group); }
  std::string operator()(const edit::SetMeta& e) const { return key("meta", e.group); }
  std::string operator()(const edit::SetSettings&) const { return "settings"; }
  template <class Other>
  std::string operator()(const Other&) const {
    return {};
  }

  template <class... Names>
  static std::string key(std::string kind, const Names&... names) {
    ((kind += '\n', kind += names), ...);  // only the last name can hold a line feed
    return kind;
  }
};

// Sets of different things commute, so if there is nothing else, one edit for each thing is enough.
// The last one counts: forward it is the newest value, backward the oldest.
void coalesce(std::vector<Edit>& edits) {
  std::vector<std::string> targets;
  for (const Edit& edit : edits) {
    targets.push_back(std::visit(Target(), edit));
    if (targets.back().empty()) return;
  }
  std::unordered_map<std::string_view, size_t> chosen;
  for (size_t i = 0; i < edits.size(); ++i) {
    chosen[targets[i]] = i;
  }
  std::vector<Edit> kept;
  for (size_t i = 0; i < edits.size(); ++i) {
    if (chosen[targets[i]] == i) kept.push_back(std::move(edits[i]));
  }
  edits = std::move(kept);
}

// What no single edit can see: whether links now form a cycle, or a group contains itself. Only
// what the edits can have caused is looked at.
std::optional<std::string> find_new_cycle(const GraphDoc& doc, const std::vector<Edit>& edits) {
  std::set<std::string> linked;
  bool has_instances = false;
  for (const Edit& edit : edits) {
    if (const auto* link = std::get_if<edit::InsertLink>(&edit)) linked.insert(link->graph);
    if (const auto* node = std::get_if<edit::InsertNode>(&edit)) {
      linked.insert(node->graph);  // it may be what a dangling link waited for
      has_instances |= !node->node.group.empty();
    }
    has_instances |= std::holds_alternative<edit::SetGroupRef>(edit) ||
                     std::holds_alternative<edit::InsertGroup>(edit);
  }
  for (const std::string& graph : linked) {
    const GraphBody* body = doc.body(graph);
    if (!body) continue;
    if (const auto flaw = find_link_cycle(*body)) return flaw->text;
  }
  if (has_instances) {
    if (const auto flaw = find_group_cycle(doc)) return flaw->text;
  }
  return std::nullopt;
}

}  // namespace

// Applies all edits and returns their inverses in the order in which they must be applied.
Result<std::vector<Edit>> History::run(const std::vector<Edit>& edits) {
  std::vector<Edit> inverses;
  inverses.reserve(edits.size());
  for (const Edit& edit : edits) {
    Result<Edit> inverse = apply_edit(doc_, edit);
    if (!inverse) {
      for (auto back = inverses.rbegin(); back != inverses.rend(); ++back) {
        (void)apply_edit(doc_, std::move(*back));
      }
      return Error{inverse.error()};
    }
    inverses.push_back(std::move(*inverse));
  }
  std::reverse(inverses.begin(), inverses.end());
  return inverses;
}

Result<void> History::apply(Command command) {
  last_edits_.clear();
  if (command.edits.empty()) return {};
  Result<std::vector<Edit>> inverses = run(command.edits);
  if (!inverses) return Error{inverses.error()};
  if (const auto cycle = find_new_cycle(doc_, command.edits)) {
    (void)run(*inverses);
    return Error{*cycle};
  }
  last_edits_ = command.edits;
  steps_.resize(position_);
  const bool merges = !sealed_ && position_ > 0 && !command.merge_key.empty() &&
                      steps_.back().merge_key == command.merge_key;
  sealed_ = false;
  if (!merges) {
    steps_.push_back({std::move(command.title), std::move(command.merge_key),
                      std::move(command.edits), std::move(*inverses)});
    ++position_;
    return {};
  }
  Step& step = steps_.back();
  std::move(command.edits.begin(), command.edits.end(), std::back_inserter(step.forward));
  std::move(step.backward.begin(), step.backward.end(), std::back_inserter(*inverses));
  step.backward = std::move(*inverses);
  coalesce(step.forward);
  coalesce(step.backward);
  return {};
}

Result<void> History::amend(std::string_view merge_key, edit::SetParam edit) {
  const std::string target = Target()(edit);
  const auto touches = [&](const Edit& other) {
    const auto* node = std::get_if<edit::InsertNode>(&other);
    return std::visit(Target(), other) == target ||
           (node && node->graph == edit.graph && node->node.id == edit.node);
  };
  for (size_t i = position_; i-- > 0;) {
    Step& step = steps_[i];
    const auto set = std::find_if(step.forward.begin(), step.forward.end(), touches);
    if (step.merge_key != merge_key) {
      if (set == step.forward.end()) continue;
      return Error{fmt::format("'{}' has been changed since", edit.input)};
    }
    if (set == step.forward.end() || !std::holds_alternative<edit::SetParam>(*set)) break;
    const Result<Edit> inverse = apply_edit(doc_, edit);
    if (!inverse) return Error{inverse.error()};
    *set = edit;
    last_edits_ = {std::move(edit)};
    return {};
  }
  return Error{"the step that set it is undone"};
}

bool History::is_done(std::string_view merge_key) const {
  const auto end = steps_.begin() + static_cast<std::ptrdiff_t>(position_);
  return std::any_of(steps_.begin(), end,
                     [&](const Step& step) { return step.merge_key == merge_key; });
}

void History::undo() {
  if (!can_undo()) return;
  const Step& step = steps_[position_ - 1];
  if (!run(step.backward)) return forget();
  last_edits_ = step.backward;
  --position_;
  sealed_ = true;
}

void History::redo() {
  if (!can_redo()) return;
  const Step& step = steps_[position_];
  if (!run(step.forward)) return forget();
  last_edits_ = step.forward;
  ++position_;
  sealed_ = true;
}

void History::forget() {
  steps_.clear();
  last_edits_.clear();
  position_ = 0;
}

std::vector<std::string> History::titles() const {
  std::vector<std::string> titles;
  for (const Step& step : steps_) titles.push_back(step.title);
  return titles;
}

}  // namespace sinew
