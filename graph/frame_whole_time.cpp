// Links to inputs of `whole_time` whose upstream differs from frame to frame: the node is given all
// frames of the document. Their keys are found before anything else, in topological order and once
// for a graph, so that the node has one key for all frames; their values only when it has to run.
// Both are found frame by frame on the timeline, also when the evaluation is on the live clock.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "graph/frame_run.h"

namespace sinew {

// ---- Keys ---------------------------------------------------------------------------------------

Evaluator::Session Evaluator::Session::over_time() const {
  Context at = context;
  at.frame = at.start_frame;
  at.run_effects = false;
  return {graph, at, cancel, evaluation, nullptr, nullptr, false, shared};
}

std::shared_ptr<const Evaluator::WholeFailure> Evaluator::whole_failure(int node) const {
  const std::lock_guard lock(whole_mutex_);
  return whole_[node].failure;
}

void Evaluator::note_whole_failure(int node, std::shared_ptr<const WholeFailure> failure) {
  const std::lock_guard lock(whole_mutex_);
  whole_[node].failure = std::move(failure);
}

void Evaluator::prepare_whole_time(const Session& session, std::span<const Target> targets,
                                   int node) {
  const CompiledGraph& graph = session.graph;
  if (!graph.spans_time()) return;
  std::vector<Target> all(targets.begin(), targets.end());
  if (node >= 0) all.push_back({node, -1});
  const std::vector<char> upstream = FrameRun::upstream_of(graph, all, true);
  for (int i = 0; i < graph.size() && !session.stopped(); ++i)
    if (upstream[i] && graph.spans_time(i) && !whole_[i].known) find_whole_time(session, i);
}

namespace {

// The animation of a parameter that nodes between only hand on; nullptr: it is something else.
std::shared_ptr<const Animation> handed_on(const CompiledGraph& graph, LinkSource link) {
  for (;;) {
    const CompiledNode& node = graph.node(link.node);
    if (link.conversion || node.broken || node.forward.empty()) return nullptr;
    const int input = node.forward[link.output];
    if (input < 0) return nullptr;
    const InputSource& source = node.inputs[input];
    if (source.links.empty()) return source.animation;
    link = source.links[0];
  }
}

Key key_of(const Animation& animation, const Value& value, double fps) {
  KeyHasher hasher(0x6B);
  hasher.key(literal_key(value)).number(animation.min).number(animation.max);
  if (animation.held.empty()) hasher.number(fps);
  return hasher.finish();
}

}  // namespace

void Evaluator::find_whole_time(const Session& session, int node) {
  const CompiledGraph& graph = session.graph;
  WholeTime found{graph.revision(node)};
  const std::vector<InputSource>& inputs = graph.node(node).inputs;
  for (size_t k = 0; k < inputs.size(); ++k)
    for (size_t l = 0; l < inputs[k].links.size(); ++l) {
      const LinkSource& link = inputs[k].links[l];
      if (!graph.spans_time(node, k, link)) continue;
      WholeLink& all = found.links.emplace_back(
          WholeLink{.input = static_cast<int>(k), .link = static_cast<int>(l)});
      all.animation = handed_on(graph, link);
      if (all.animation)
        all.key =
            key_of(*all.animation, Value(type_of<Animation>(), all.animation), session.context.fps);
    }
  if (!find_frames(session, node, found)) return;
  found.known = true;
  const std::lock_guard lock(whole_mutex_);
  whole_[node] = std::move(found);
}

// The keys of all frames, where they are not known otherwise. False if it was cancelled.
bool Evaluator::find_frames(const Session& session, int node, WholeTime& found) {
  const CompiledGraph& graph = session.graph;
  std::vector<WholeLink*> links;
  std::vector<Target> targets;
  for (WholeLink& all : found.links) {
    if (all.animation) continue;
    const LinkSource& link = graph.node(node).inputs[all.input].links[all.link];
    links.push_back(&all);
    targets.push_back({link.node, link.output});
  }
  if (links.empty()) return true;
  const int first = session.context.start_frame;
  const int64_t count = std::max<int64_t>(1, int64_t{session.context.last_frame} - first + 1);
  if (count > max_whole_frames) {
    auto failure = std::make_shared<WholeFailure>();
    failure->problem = fmt::format(
        "it asks for all frames of what is linked to '{}', and the document has {}; shorten that "
        "to {} or fewer",
        graph.node(node).type->inputs[links[0]->input].name, count, max_whole_frames);
    NodeReport& report = failure->reports.emplace_back();
    report.node = node;
    report.fate = NodeReport::Fate::failed;
    report.messages = {{Severity::error, failure->problem}};
    found.failure = std::move(failure);
    return true;
  }
  Session over_time = session.over_time();
  FrameRun run(*this, over_time, first, FrameRun::upstream_of(graph, targets));
  for (int f = first; f < first + count; ++f) {
    if (f > first) run.move_to(f);
    if (session.stopped()) return false;
    for (size_t t = 0; t < targets.size(); ++t) {
      if (run.is_dead(targets[t])) {
        found.failure = run.failure_of(targets[t]);
        return true;
      }
      std::vector<std::pair<int, Key>>& frames = links[t]->frames;
      const Key key = run.key(targets[t]);
      if (frames.empty() || frames.back().second != key) frames.emplace_back(f, key);
    }
  }
  for (WholeLink* link : links) {
    KeyHasher hasher(0x68);
    for (const auto& [frame, key] : link->frames) hasher.number(frame).key(key);
    link->key = hasher.finish();
  }
  return true;
}

// nullptr: something of it cannot be had, or it was cancelled.
const Evaluator::WholeLink* FrameRun::whole_link(int i, size_t input, size_t link) const {
  const Evaluator::WholeTime& whole = evaluator_.whole_[i];
  if (!whole.known || evaluator_.whole_failure(i)) return nullptr;
  for (const Evaluator::WholeLink& l : whole.links)
    if (l.input == static_cast<int>(input) && l.link == static_cast<int>(link)) return &l;
  return nullptr;
}

void FrameRun::block_elsewhere(int i, std::shared_ptr<const Evaluator::WholeFailure> failure) {
  if (!failure) return;
  if (failure->node < 0) {
    slots_[i].problem = {Severity::error, failure->problem};
    return;
  }
  slots_[i].blocker = failure->node;
  slots_[i].elsewhere = std::move(failure);
}

// ---- Values -------------------------------------------------------------------------------------

bool FrameRun::fetch_whole_time() {
  if (!graph_.spans_time()) return false;
  bool any = false;
  for (int i : plan_) {
    if (slots_[i].twin >= 0 || !graph_.spans_time(i) || whole_values_.contains(i)) continue;
    fetch_whole_time(i);
    any = true;
  }
  return any;
}

namespace {

// Under which the cache keeps all values of a link, as they arrive.
Key values_key(const Key& link, const Conversion* conversion) {
  return KeyHasher(0x69).key(link).text(conversion ? conversion->to->name : "").finish();
}

}  // namespace

void FrameRun::fetch_whole_time(int i) {
  if (!graph_.spans_time(i)) return;
  const Evaluator::WholeTime& whole = evaluator_.whole_[i];
  WholeValues& got = whole_values_[i];
  got.failure = evaluator_.whole_failure(i);
  if (!whole.known || got.failure) return;
  got.values.resize(whole.links.size());
  std::vector<size_t> open;
  for (size_t w = 0; w < whole.links.size(); ++w) {
    const Evaluator::WholeLink& all = whole.links[w];
    const LinkSource& link = graph_.node(i).inputs[all.input].links[all.link];
    if (all.animation)
      got.values[w] = Value(type_of<Animation>(), all.animation);
    else if (const ResultPtr known = evaluator_.cache_.get(values_key(all.key, link.conversion)))
      got.values[w] = known->outputs[0];
    else
      open.push_back(w);
  }
  try {
    got.complete = open.empty() || evaluate_whole_time(i, open);
  } catch (const std::exception&) {
    got.thrown = std::current_exception();  // said of the node when it would run
  }
}

// The values of those links that the cache does not have. False if something failed, or cancelled.
bool FrameRun::evaluate_whole_time(int i, const std::vector<size_t>& open) {
  const std::vector<Evaluator::WholeLink>& links = evaluator_.whole_[i].links;
  WholeValues& got = whole_values_[i];
  const auto link_of = [&](size_t w) -> const LinkSource& {
    return graph_.node(i).inputs[links[w].input].links[links[w].link];
  };
  std::map<int, std::vector<size_t>> begins;  // by frame, the links that bring something new there
  std::map<size_t, Animation> made;
  std::vector<Target> targets;
  for (size_t w : open) {
    for (const auto& [frame, key] : links[w].frames) begins[frame].push_back(w);
    targets.push_back({link_of(w).node, link_of(w).output});
  }
  Evaluator::Session session = session_.over_time();
  FrameRun run(evaluator_, session, begins.begin()->first, upstream_of(graph_, targets));
  for (const auto& [frame, fresh] : begins) {
    if (frame != run.frame()) run.move_to(frame);
    evaluator_.progress_last_ = begins.rbegin()->first;
    evaluator_.progress_frame_ = frame;
    targets.clear();
    for (size_t w : fresh) targets.push_back({link_of(w).node, link_of(w).output});
    evaluator_.plan(session, run, targets);
    run.run();
    if (session_.stopped()) return false;
    for (size_t t = 0; t < fresh.size(); ++t) {
      Value v = run.value(targets[t]);
      if (!v) {
        got.failure = run.failure_of(targets[t]);
        if (!got.failure->transient) evaluator_.note_whole_failure(i, got.failure);
        return false;
      }
      if (const Conversion* conversion = link_of(fresh[t]).conversion) v = conversion->convert(v);
      made[fresh[t]].held.emplace_back(frame, std::move(v));
    }
  }
  Evaluation seen;
  run.report(seen);
  add_reports(seen.nodes, whole_reports_);
  for (auto& [w, animation] : made) {
    animation.sampled = true;
    got.values[w] = animation.held.size() == 1 ? animation.held[0].second
                                               : Value::of<Animation>(std::move(animation));
    auto result = std::make_shared<NodeResult>();
    result->outputs = {got.values[w]};
    evaluator_.cache_.put(values_key(links[w].key, link_of(w).conversion), std::move(result));
  }
  return true;
}

// What a node is given by such a link, within the declared range. False if there is nothing.
bool FrameRun::take_whole_time(int i, size_t input, size_t link, Value& value, Key& key,
                               std::vector<Message>& warnings) {
  const auto found = whole_values_.find(i);
  if (found == whole_values_.end()) return false;
  const WholeValues& got = found->second;
  if (got.thrown) std::rethrow_exception(got.thrown);
  if (got.failure) block_elsewhere(i, got.failure);
  const Evaluator::WholeLink* all = got.complete ? whole_link(i, input, link) : nullptr;
  if (!all) return false;
  value = got.values[static_cast<size_t>(all - evaluator_.whole_[i].links.data())];
  const InputInfo& info = graph_.node(i).type->inputs[input];
  bool clamped = false;
  if (!value.is<Animation>()) {
    clamped = clamp_to_range(info, value, warnings);
  } else if (info.has_range() || !info.choices.empty()) {
    Animation inside = value.as<Animation>();
    std::vector<Message> words;
    for (auto& [frame, v] : inside.held) {
      const bool silent = words.empty();
      clamped |= clamp_to_range(info, v, words);
      if (silent && !words.empty())
        words[0].text = fmt::format("frame {}: {}", frame, words[0].text);
    }
    if (!words.empty()) warnings.push_back(words[0]);  // one says enough
    const double min = std::max(inside.min, info.min), max = std::min(inside.max, info.max);
    if (inside.held.empty() && (min != inside.min || max != inside.max)) {
      inside.min = min;
      inside.max = std::max(min, max);
      clamped = true;
    }
    if (clamped) value = Value::of(std::move(inside));
  }
  key =
      clamped ? KeyHasher(0x6A).key(all->key).number(info.min).number(info.max).finish() : all->key;
  return true;
}

// ---- Errors -------------------------------------------------------------------------------------

bool FrameRun::is_dead(Target target) const {
  return ports_[graph_.first_output(target.node) + target.output].dead;
}

// The node that is the reason why an output has no value at this frame.
int FrameRun::culprit(Target target) const {
  const auto without_value = [&](const Port& port) {
    const int from = port.dead ? -1 : producer(port);
    return from >= 0 && !port_value(port) ? from : -1;
  };
  const int from = without_value(ports_[graph_.first_output(target.node) + target.output]);
  int at = from >= 0 ? from : target.node;
  for (;;) {
    const Slot& slot = slots_[at];
    if (slot.elsewhere) return at;
    int next = slot.blocker;
    // What only hands on is not to blame.
    for (int p = graph_.first_output(at); next < 0 && p < graph_.first_output(at + 1); ++p)
      if (producer(ports_[p]) != at) next = without_value(ports_[p]);
    if (next < 0 || next == at) return at;
    at = next;
  }
}

std::shared_ptr<const Evaluator::WholeFailure> FrameRun::failure_of(Target target) {
  auto failure = std::make_shared<Evaluator::WholeFailure>();
  if (is_dead(target)) demand({&target, 1});
  failure->node = culprit(target);
  failure->frame = context_.frame;
  const Slot& slot = slots_[failure->node];
  failure->transient = slot.result && slot.result->transient;
  Evaluation evaluation;
  report(evaluation);
  for (NodeReport& r : evaluation.nodes) {
    if (r.fate != Fate::failed && r.fate != Fate::blocked) continue;
    for (Message& m : r.messages)
      if (m.severity == Severity::error && graph_.varies(r.node) && m.text.rfind("frame ", 0) != 0)
        m.text = fmt::format("frame {}: {}", context_.frame, m.text);
    failure->reports.push_back(std::move(r));
  }
  if (slot.elsewhere) {
    failure->node = slot.elsewhere->node;
    failure->frame = slot.elsewhere->frame;
    failure->transient = slot.elsewhere->transient;
  }
  return failure;
}

void FrameRun::add_reports(const std::vector<NodeReport>& more, std::vector<NodeReport>& reports) {
  for (const NodeReport& r : more) {
    const auto same = std::find_if(reports.begin(), reports.end(),
                                   [&](const NodeReport& other) { return other.node == r.node; });
    if (same == reports.end()) {
      reports.push_back(r);
      continue;
    }
    // It may be sound at this frame.
    if (r.fate != Fate::failed && r.fate != Fate::blocked) continue;
    if (same->fate != Fate::failed) same->fate = r.fate;
    for (const Message& m : r.messages)
      if (std::find(same->messages.begin(), same->messages.end(), m) == same->messages.end())
        same->messages.push_back(m);
  }
  std::sort(reports.begin(), reports.end(),
            [](const NodeReport& a, const NodeReport& b) { return a.node < b.node; });
}

}  // namespace sinew
