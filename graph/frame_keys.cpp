// Keys, in topological order and without running anything, except where a key depends on a value:
// which input a `select` node forwards, and which file a path names.
#include <fmt/format.h>

#include "graph/frame_run.h"

namespace sinew {

std::vector<char> FrameRun::upstream_of(const CompiledGraph& graph, std::span<const Target> targets,
                                        bool through_time) {
  std::vector<char> upstream(graph.size(), 0);
  for (const Target& t : targets) upstream[t.node] = 1;
  for (int i = graph.size() - 1; i >= 0; --i) {
    if (!upstream[i]) continue;
    const std::vector<InputSource>& inputs = graph.node(i).inputs;
    for (size_t k = 0; k < inputs.size(); ++k)
      for (const LinkSource& link : inputs[k].links)
        if (through_time || !graph.spans_time(i, k, link)) upstream[link.node] = 1;
  }
  return upstream;
}

FrameRun::FrameRun(Evaluator& evaluator, Evaluator::Session& session, int frame,
                   const std::vector<char>& upstream)
    : evaluator_(evaluator),
      session_(session),
      graph_(session.graph),
      context_(session.context),
      upstream_(upstream),
      slots_(graph_.size()),
      ports_(graph_.first_output(graph_.size())),
      plan_position_(graph_.size(), -1) {
  context_.frame = frame;
  // Frames on the way to the one that is shown leave no traces outside.
  context_.run_effects &= frame == session.context.frame;
  compute_keys();
}

void FrameRun::compute_keys() {
  for (int i = 0; i < graph_.size(); ++i)
    if (upstream_[i]) key_node(i);
}

void FrameRun::move_to(int frame) {
  context_.frame = frame;
  plan_.clear();
  planned_keys_.clear();
  std::fill(plan_position_.begin(), plan_position_.end(), -1);
  for (int i = 0; i < graph_.size(); ++i) {
    if (!upstream_[i] || !graph_.varies(i)) continue;
    Slot& slot = slots_[i];
    if (slot.outcome.state || slot.outcome.failure)
      carried_[i] = {slot.state_key, std::move(slot.outcome)};
    slots_[i] = Slot();
    key_node(i);
  }
}

FrameRun::Port FrameRun::port_of(const InputSource& source) {
  Port port;
  if (!source.links.empty()) {
    const LinkSource& link = source.links[0];
    if (link.output < 0) return port;
    const int at = graph_.first_output(link.node) + link.output;
    if (!link.conversion) return ports_[at];
    port.parent = at;
    port.conversion = link.conversion;
    port.dead = ports_[at].dead;
    port.key = KeyHasher(0x44).key(ports_[at].key).text(link.conversion->to->name).finish();
  } else if (source.varies()) {
    port.literal = source.animation->at({static_cast<double>(context_.frame), context_.seconds()});
    port.key = literal_key(port.literal);
    port.dead = false;
  } else if (source.literal) {
    port.literal = source.literal;
    port.key = source.literal_key;
    port.dead = false;
  }
  return port;
}

// The value of an input that must be known before the node's key. Usually a literal.
Value FrameRun::eager_value(const InputSource& source) {
  const Port port = port_of(source);
  if (port.dead) return {};
  const int from = producer(port);
  if (from >= 0 && !slots_[from].result) {
    demand_node(from, false);
    run();
  }
  return port_value(port);
}

// The keys of what is linked to an input. False if something upstream cannot give a value.
bool FrameRun::hash_links(int i, size_t input, KeyHasher& hasher) {
  const std::vector<LinkSource>& links = graph_.node(i).inputs[input].links;
  hasher.word(links.size());
  for (size_t l = 0; l < links.size(); ++l) {
    const LinkSource& link = links[l];
    if (graph_.spans_time(i, input, link)) {
      const Evaluator::WholeLink* all = whole_link(i, input, l);
      if (!all) {
        block_elsewhere(i, evaluator_.whole_failure(i));
        return false;
      }
      hasher.key(all->key);
      continue;
    }
    if (link.output < 0 || ports_[graph_.first_output(link.node) + link.output].dead) {
      slots_[i].blocker = link.node;
      return false;
    }
    hasher.key(ports_[graph_.first_output(link.node) + link.output].key);
  }
  return true;
}

// Absorbs what the node reads; into `stepped` only what a simulation steps with. False if something
// upstream cannot give a value.
bool FrameRun::hash_inputs(int i, const CompiledNode& node, KeyHasher& all, KeyHasher& stepped) {
  const ContextUse& uses = node.type->uses;
  for (size_t k = 0; k < node.inputs.size(); ++k) {
    const InputSource& source = node.inputs[k];
    KeyHasher hasher(0x65);
    if (source.links.empty()) {
      const Port port = port_of(source);
      hasher.key(port.key);
      // Charts may be drawn over seconds, and be asked by frames.
      if (node.type->inputs[k].whole_time && source.animation && source.animation->held.empty() &&
          !uses.frame && !uses.dt)
        hasher.number(context_.fps);
    } else if (!hash_links(i, k, hasher)) {
      return false;
    }
    if (node.type->inputs[k].file == FileUse::read) {
      const Value name = eager_value(source);
      if (name && name.is<std::string>())
        hasher.key(evaluator_.file_key(session_, name.as<std::string>()));
    }
    const Key key = hasher.finish();
    all.key(key);
    if (node.type->asks_changes && graph_.changes(i, k)) all.word(0x63);
    if (!node.type->inputs[k].only_read) stepped.key(key);
  }
  for (KeyHasher* hasher : {&all, &stepped}) {
    if (uses.frame) hasher->number(context_.frame);
    if (uses.frame || uses.dt) hasher->number(context_.fps);
    if (uses.seed) hasher->word(context_.seed);
  }
  return true;
}

void FrameRun::key_forward(int i, const CompiledNode& node) {
  for (size_t o = 0; o < node.forward.size(); ++o) {
    Port& port = ports_[graph_.first_output(i) + o];
    port = Port();
    if (node.forward[o] < 0) continue;
    const InputSource& source = node.inputs[node.forward[o]];
    port = port_of(source);
    if (port.dead && !source.links.empty()) slots_[i].blocker = source.links[0].node;
  }
}

void FrameRun::key_select(int i, const CompiledNode& node) {
  Slot& slot = slots_[i];
  std::vector<std::vector<Value>> inputs(node.inputs.size());
  for (size_t k = 0; k < node.inputs.size(); ++k) {
    if (!node.type->inputs[k].selector) continue;
    const Value v = eager_value(node.inputs[k]);
    if (!v) {
      if (!node.inputs[k].links.empty()) slot.blocker = node.inputs[k].links[0].node;
      return;
    }
    inputs[k].push_back(v);
  }
  const Exec exec(*node.type, std::move(inputs), context_, session_.cancel);
  const int chosen = node.type->select(exec);
  Port& port = ports_[graph_.first_output(i)];
  if (chosen < 0 || node.inputs[chosen].empty()) {
    slot.problem = {Severity::error, chosen < 0
                                         ? "it chooses none of its inputs"
                                         : fmt::format("it chooses its input '{}', which is empty",
                                                       node.type->inputs[chosen].name)};
    return;
  }
  port = port_of(node.inputs[chosen]);
  if (port.dead && !node.inputs[chosen].links.empty())
    slot.blocker = node.inputs[chosen].links[0].node;
}

// K(n) = hash(K(n-1), inputs(n)), the inputs' hash including dt where it is declared.
void FrameRun::key_simulation(int i, Key all, Key stepped) {
  Slot& slot = slots_[i];
  // The first frame's number counts, since messages name frames.
  const Key first = KeyHasher(0x55).key(stepped).number(context_.start_frame).finish();
  const auto next = [&](const Key& previous) {
    return KeyHasher(0x56).key(previous).key(stepped).finish();
  };
  if (session_.live) {
    const LiveState::Simulation* now = live_simulation(i);
    slot.state_key = !now ? first : session_.advance ? next(now->key) : now->key;
  } else {
    std::vector<Key>& keys = evaluator_.chains_[i].keys;
    const size_t at = static_cast<size_t>(std::max<int64_t>(0, age()));
    if (age() > Evaluator::max_simulated_frames) {
      slot.problem = {Severity::error,
                      fmt::format("frame {} is more than {} frames after the first; simulations go "
                                  "no further",
                                  context_.frame, Evaluator::max_simulated_frames)};
      return;
    }
    if (keys.size() == at) keys.push_back(at == 0 ? first : next(keys.back()));
    if (keys.size() <= at) {  // no key, so no state, from the frame on where its inputs failed
      slot.problem = {Severity::error, fmt::format("frame {}: its inputs have an error there",
                                                   context_.start_frame + keys.size())};
      return;
    }
    slot.state_key = keys[at];
  }
  // What is read from a state may depend on the inputs of this moment as well.
  slot.key = KeyHasher(0x57).key(slot.state_key).key(all).finish();
}

// A draft has a key of its own, unless the result in full is at hand: then that is as quick.
void FrameRun::key_draft(int i, Key draft) {
  Slot& slot = slots_[i];
  slot.result = evaluator_.in_full(session_, slot.key);
  if (slot.result)
    slot.fate = slot.result->failed ? Fate::failed : Fate::hit;
  else
    slot.key = draft;
}

void FrameRun::key_node(int i) {
  const CompiledNode& node = graph_.node(i);
  Slot& slot = slots_[i];
  const int first = graph_.first_output(i);
  for (int p = first; p < graph_.first_output(i + 1); ++p) ports_[p] = Port();
  if (node.broken) return;
  if (!node.forward.empty()) return key_forward(i, node);
  if (node.type->role == NodeRole::select) return key_select(i, node);

  KeyHasher all(0x66), stepped(0x67);
  all.key(node.identity);
  stepped.key(node.identity);
  if (!hash_inputs(i, node, all, stepped)) return;
  if (node.type->role == NodeRole::simulate) {
    if (node.type->uses.draft && context_.draft) stepped.word(1), all.word(1);
    key_simulation(i, all.finish(), stepped.finish());
  } else {
    slot.key = all.finish();
    if (node.type->uses.draft && context_.draft) key_draft(i, all.word(1).finish());
  }
  if (!slot.key) return;
  for (int o = 0; first + o < graph_.first_output(i + 1); ++o) {
    Port& port = ports_[first + o];
    port.key = KeyHasher(0x77).key(slot.key).word(o).finish();
    port.node = i;
    port.output = o;
    port.dead = false;
  }
}

}  // namespace sinew
