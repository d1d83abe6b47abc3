#include "graph/local_site.h"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <exception>
#include <thread>

#include "graph/numbers.h"

namespace sinew {

namespace {

// Of all lanes together.
constexpr size_t cache_bytes = size_t{1} << 30, state_bytes = size_t{1} << 28;

}  // namespace

struct LocalSite::Lane {
  // A lane that is alone may use all cores for one trial.
  Lane(int threads, size_t lanes) : arena(threads) {
    EvaluatorOptions options;
    options.threads = threads;
    options.cache_bytes = cache_bytes / lanes;
    options.state_bytes = state_bytes / lanes;
    evaluator = std::make_unique<Evaluator>(options);
  }
  tbb::task_arena arena;
  std::unique_ptr<Evaluator> evaluator;
};

LocalSite::LocalSite(const GraphDoc& doc, GraphPtr graph, std::string node, Context context,
                     LocalSiteOptions options)
    : doc_(doc),
      graph_(std::move(graph)),
      node_(std::move(node)),
      context_(std::move(context)),
      options_(std::move(options)) {
  const size_t cores = std::max(1u, std::thread::hardware_concurrency());
  const size_t count = options_.threads > 0 ? static_cast<size_t>(options_.threads) : cores;
  for (size_t i = 0; i < count; ++i) lanes_.push_back(std::make_unique<Lane>(1, count));
  context_.run_effects = false;
}

LocalSite::~LocalSite() = default;

bool LocalSite::stopped() const { return options_.stop && options_.stop->load(); }

void LocalSite::progress(double part, const std::string& words) {
  if (options_.progress) options_.progress(part, words);
}

void LocalSite::publish(Value result) {
  if (options_.publish) options_.publish(std::move(result));
}

bool LocalSite::spread_some(std::span<const std::size_t> indices,
                            const std::function<double(std::size_t, std::size_t)>& trial,
                            std::span<double> costs) {
  std::atomic<size_t> next{0};
  std::atomic<bool> given_up{false};
  std::mutex mutex;
  std::exception_ptr thrown;
  size_t thrown_at = indices.size();
  const auto work = [&](size_t lane) {
    for (size_t k = next++; k < indices.size(); k = next++) {
      if (given_up || LocalSite::stopped()) return;
      try {
        lanes_[lane]->arena.execute([&] { costs[indices[k]] = trial(indices[k], lane); });
      } catch (const Cancelled&) {
        given_up = true;
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (k < thrown_at && !LocalSite::stopped()) {
          thrown = std::current_exception();
          thrown_at = k;
        }
        given_up = true;
      }
    }
  };
  std::vector<std::thread> threads;
  for (size_t lane = 1; lane < std::min(lanes_.size(), indices.size()); ++lane)
    threads.emplace_back(work, lane);
  work(0);
  for (std::thread& thread : threads) thread.join();
  if (thrown) std::rethrow_exception(thrown);
  return !given_up && !LocalSite::stopped();
}

bool LocalSite::spread(std::size_t count,
                       const std::function<double(std::size_t, std::size_t)>& trial,
                       std::span<double> costs) {
  std::vector<size_t> all(count);
  for (size_t i = 0; i < count; ++i) all[i] = i;
  return spread_some(all, trial, costs);
}

Result<GraphPtr> LocalSite::with(std::span<const WorkSetting> settings) const {
  std::vector<std::string> names;
  std::vector<double> values;
  for (const WorkSetting& setting : settings) {
    if (!setting.value.is_number())
      return Error{fmt::format("'{}' is set to what is not a number", setting.parameter)};
    names.push_back(setting.parameter);
    values.push_back(setting.value.get<double>());
  }
  const Result<std::vector<edit::SetParam>> edits = set_numbers(*graph_, names, values);
  if (!edits) return Error{edits.error()};
  std::vector<NodeDoc> nodes;
  for (const edit::SetParam& edit : *edits) {
    auto node = std::find_if(nodes.begin(), nodes.end(),
                             [&](const NodeDoc& n) { return n.id == edit.node; });
    if (node == nodes.end()) {
      const NodeDoc* doc = doc_.graph.find(edit.node);
      if (!doc) return Error{fmt::format("there is no node '{}'", edit.node)};
      node = nodes.insert(nodes.end(), *doc);
    }
    node->params[edit.input] = *edit.value;
  }
  GraphPtr graph = graph_;
  for (const NodeDoc& node : nodes) {
    graph = graph->with_params(node);
    if (!graph) return Error{fmt::format("node '{}' cannot be varied", node.id)};
  }
  return graph;
}

Result<double> LocalSite::number(std::span<const WorkSetting> settings, int input, int frame,
                                 std::size_t lane) {
  const Result<GraphPtr> graph = with(settings);
  if (!graph) return Error{graph.error()};
  const CompiledNode& node = (*graph)->node((*graph)->find_sink(node_));
  const InputSource& source = node.inputs[static_cast<size_t>(input)];
  const auto as_number = [](const Value& v) { return v.type()->to_numbers(v.data())[0]; };
  if (source.links.empty()) {
    if (!source.literal || !source.literal.is<float>()) return Error{"it is not linked"};
    return as_number(source.literal);
  }
  const LinkSource& link = source.links[0];
  if (link.output < 0) return Error{"what is linked to it cannot be evaluated"};
  const Target target{link.node, link.output};
  Context context = context_;
  context.frame = frame;
  const Evaluation e =
      lanes_[lane]->evaluator->evaluate(**graph, {&target, 1}, context, options_.stop);
  if (e.cancelled) throw Cancelled();
  Value value = e.targets[0].value;
  if (value && link.conversion) value = link.conversion->convert(value);
  if (value && value.is<float>()) return as_number(value);
  for (const NodeMessage& m : e.messages(**graph))
    if (m.message.severity == Severity::error)
      return Error{fmt::format("node '{}' ({}): {}", m.path, m.type, m.message.text)};
  return Error{e.trouble.empty() ? "there is no number" : e.trouble};
}

Result<WorkSite::Parameter> LocalSite::parameter(const std::string& name) {
  const Result<DocumentNumber> number = find_number(*graph_, name);
  if (!number) return Error{number.error()};
  return Parameter{number->value, number->low, number->high, number->whole};
}

}  // namespace sinew
