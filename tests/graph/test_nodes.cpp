#include "tests/graph/test_nodes.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <thread>

namespace sinew {

SINEW_VALUE_TYPE(testing::StepCurve);
template <>
const TypeInfo& type_of<testing::StepCurve>() {
  static const TypeInfo type = [] {
    TypeInfo t;
    t.name = "curve";
    t.bytes = [](const void*) { return size_t{64}; };
    t.from_json = [](const Json& j) -> Result<Value> {
      if (!j.is_object() || !j.contains("steps")) return Error{"it is not a curve"};
      testing::StepCurve curve;
      for (const Json& p : j["steps"]) curve.steps.emplace_back(p[0], p[1]);
      return Value::of(std::move(curve));
    };
    t.to_json = [](const void* v) {
      Json list = Json::array();
      for (auto [x, y] : static_cast<const testing::StepCurve*>(v)->steps) list.push_back({x, y});
      return Json{{"steps", list}};
    };
    t.sample = [](const void* v, TimePoint time) {
      double y = 0;
      for (auto [frame, value] : static_cast<const testing::StepCurve*>(v)->steps)
        if (time.frame >= frame) y = value;
      return y;
    };
    t.steps_to_json = [](std::span<const std::pair<double, double>> steps) {
      Json list = Json::array();
      for (auto [x, y] : steps) list.push_back({x, y});
      return Json{{"steps", list}};
    };
    return t;
  }();
  return type;
}

namespace testing {

std::atomic<bool>& memory_is_short() {
  static std::atomic<bool> is_short = false;
  return is_short;
}

RunCounts& run_counts() {
  static RunCounts counts;
  return counts;
}

namespace {

In<float> x, a, b, factor, rate;
In<int> index, delay;
In<std::string> text, file;
InList<float> many;
In<Any> any, any_a, any_b;
Out<float> out;
Out<int> int_out;
Out<std::string> text_out;
Out<Any> any_out;

void named(Declaration& d, const char* id) { d.id(id, 1).label(id).category("Test").doc(id); }
void count(Exec& e) { run_counts().add(e.type().id); }

void declare_number(Declaration& d) {
  named(d, "test.number");
  d.in(x, "x", 1.0f);
  d.out(out, "out");
}
void exec_number(Exec& e) {
  count(e);
  e.set(out, e.get(x));
}

void declare_add(Declaration& d) {
  named(d, "test.add");
  d.in(a, "a", 0.0f);
  d.in(b, "b", 0.0f);
  d.out(out, "out");
}
void exec_add(Exec& e) {
  count(e);
  e.set(out, e.get(a) + e.get(b));
}

void declare_sum(Declaration& d) {
  named(d, "test.sum");
  d.in(many, "many");
  d.out(out, "out");
}
void exec_sum(Exec& e) {
  count(e);
  float sum = 0;
  for (const float* v : e.get(many)) sum = sum * 10 + *v;  // the order of the links shows
  e.set(out, sum);
}

void declare_scale(Declaration& d) {
  named(d, "test.scale");
  d.in(x, "x");
  d.in(factor, "factor", 2.0f).range(0, 10);
  d.out(out, "out");
}
void exec_scale(Exec& e) {
  count(e);
  e.set(out, e.get(x) * e.get(factor));
}

void declare_frame(Declaration& d) {
  named(d, "test.frame");
  d.uses_frame();
  d.out(out, "out");
}
void exec_frame(Exec& e) {
  count(e);
  e.set(out, static_cast<float>(e.frame()));
}

void declare_undeclared(Declaration& d) {
  named(d, "test.undeclared");
  d.out(out, "out");
}

void declare_seed(Declaration& d) {
  named(d, "test.seed");
  d.uses_seed();
  d.out(out, "out");
}
void exec_seed(Exec& e) { e.set(out, static_cast<float>(e.seed())); }

void declare_one(Declaration& d, const char* id) {
  named(d, id);
  d.in(x, "x", 0.0f);
  d.out(out, "out");
}
void declare_fail(Declaration& d) { declare_one(d, "test.fail"); }
void exec_fail(Exec& e) {
  count(e);
  e.error("it always fails");
}
void declare_nan(Declaration& d) { declare_one(d, "test.nan"); }
void exec_nan(Exec& e) { e.set(out, std::numeric_limits<float>::quiet_NaN()); }
void declare_throw(Declaration& d) { declare_one(d, "test.throw"); }
void exec_throw(Exec&) { throw std::runtime_error("thrown on purpose"); }
void declare_hungry(Declaration& d) { declare_one(d, "test.hungry"); }
void exec_hungry(Exec& e) {
  if (memory_is_short()) throw std::bad_alloc();
  e.set(out, e.get(x));
}
void declare_warn(Declaration& d) { declare_one(d, "test.warn"); }
void exec_warn(Exec& e) {
  count(e);
  e.warning("a word of warning");
  e.set(out, e.get(x));
}

void declare_slow(Declaration& d) {
  named(d, "test.slow");
  d.in(x, "x", 0.0f);
  d.in(delay, "milliseconds", 1000);
  d.out(out, "out");
}
void exec_slow(Exec& e) {
  count(e);
  for (int i = 0; i < e.get(delay); ++i) {
    e.stop_if_cancelled();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  e.set(out, e.get(x));
}

void declare_pass(Declaration& d) {
  named(d, "test.pass");
  d.in(x, "x", 0.0f);
  d.out(out, "out");
}
void exec_pass(Exec& e) { e.forward(out, x); }

void declare_pick(Declaration& d) {
  named(d, "test.pick");
  d.in(index, "index", 0).range(0, 1).selector();
  d.in(any_a, "a").generic("T").optional();
  d.in(any_b, "b").generic("T").optional();
  d.out(any_out, "out").generic("T");
}
int select_pick(const Exec& e) { return 1 + std::clamp(e.get(index), 0, 1); }

void declare_same(Declaration& d) {
  named(d, "test.same");
  d.in(x, "x").accepts<std::string>().generic("T");
  d.out(out, "out").generic("T");
}
void exec_same(Exec& e) {
  if (const std::string* given = e.get_if<std::string>(x)) return e.set_as(out, *given + "!");
  e.set(out, e.get(x) + 1);
}

void declare_text(Declaration& d) {
  named(d, "test.text");
  d.in(text, "text", "hello");
  d.out(text_out, "out");
}
void exec_text(Exec& e) { e.set(text_out, e.get(text)); }

void declare_file(Declaration& d) {
  named(d, "test.file");
  d.in(file, "file", "").reads_file({"txt"});
  d.out(out, "out");
}
void exec_file(Exec& e) {
  count(e);
  std::error_code ec;
  e.set(out, static_cast<float>(std::filesystem::file_size(e.resolve(e.get(file)), ec)));
}

// Two nodes that keep the square of `base` prepared and add another input to it; the second takes
// its base under another name, from another place, with handles of its own.
struct Square {
  float value = 0;
  std::string ballast;
  size_t bytes() const { return 100 + ballast.size(); }
};
Square make_square(float base) {
  run_counts().add("square.made");
  return {base * base, std::string(base > 99 ? 20000 : 0, ' ')};
}
In<float> square_base, square_plus, mirror_base, mirror_plus;
Out<float> square_out, mirror_out;
void declare_square(Declaration& d) {
  named(d, "test.square");
  d.in(square_base, "base", 3.0f);
  d.in(square_plus, "plus", 0.0f);
  d.out(square_out, "out");
}
void exec_square(Exec& e) {
  count(e);
  const auto square = e.prepared<Square>(
      "square", [&] { return make_square(e.get(square_base)); }, square_base);
  e.set(square_out, square->value + e.get(square_plus));
}
void declare_mirror(Declaration& d) {
  named(d, "test.mirror");
  d.in(mirror_plus, "plus", 0.0f);
  d.in(mirror_base, "base", 3.0f);
  d.out(mirror_out, "out");
}
void exec_mirror(Exec& e) {
  count(e);
  const auto square = e.prepared<Square>(
      "square", [&] { return make_square(e.get(mirror_base)); }, mirror_base);
  e.set(mirror_out, e.get(mirror_plus) - square->value);
}

struct Total {
  double value = 0;
  size_t bytes() const { return 1000; }
};

void declare_counter(Declaration& d) {
  named(d, "test.counter");
  d.in(rate, "rate", 1.0f);
  d.uses_dt();
  d.out(out, "out");
}
Total init_counter(Exec& e) {
  run_counts().add("counter.init");
  return {e.get(rate) * 1e-3};
}
Total step_counter(const Total& s, Exec& e) {
  run_counts().add("counter.step");
  if (e.get(rate) == 666.0f) e.error("the rate is unlucky");
  // Not associative, so that an order or a start that differs shows in the bits.
  return {std::sin(s.value) + s.value * 0.99 + e.get(rate) * e.dt()};
}
void read_counter(const Total& s, Exec& e) { e.set(out, static_cast<float>(s.value)); }

void declare_gauge(Declaration& d) {
  named(d, "test.gauge");
  d.in(rate, "rate", 1.0f);
  d.in(factor, "scale", 1.0f).only_read();
  d.uses_dt();
  d.out(out, "out");
}
void read_gauge(const Total& s, Exec& e) {
  e.set(out, static_cast<float>(s.value) * e.get(factor));
}

void declare_follow(Declaration& d) {
  named(d, "test.follow");
  d.in(x, "x", 0.0f);
  d.out(out, "out");
}
Total init_follow(Exec& e) {
  run_counts().add("follow.init");
  return {e.get(x)};
}
Total step_follow(const Total& s, Exec& e) {
  run_counts().add("follow.step");
  return {s.value + 0.25 * (e.get(x) - s.value)};
}
void read_follow(const Total& s, Exec& e) { e.set(out, static_cast<float>(s.value)); }

void declare_count(Declaration& d) {
  named(d, "test.count");
  d.uses_frame();
  d.out(int_out, "out");
}
void exec_count(Exec& e) {
  count(e);
  e.set(int_out, e.frame());
}

void declare_fussy(Declaration& d) { declare_one(d, "test.fussy"); }
void exec_fussy(Exec& e) {
  count(e);
  if (e.get(x) == 7.0f) return e.error("it does not like 7");
  e.set(out, e.get(x));
}

void declare_rough(Declaration& d) {
  declare_one(d, "test.rough");
  d.uses_draft();
}
void exec_rough(Exec& e) {
  count(e);
  e.set(out, e.draft() ? std::floor(e.get(x)) : e.get(x));
}
void declare_undeclared_draft(Declaration& d) { declare_one(d, "test.undeclared_draft"); }

// ---- Nodes that are given all frames of their inputs

In<float> whole_x, whole_moment;
InList<float> whole_many;
Out<float> whole_out, whole_first, whole_last;
void declare_moment(Declaration& d) {
  named(d, "test.moment");
  d.in(whole_x, "x", 1.0f).whole_time();
  d.in(whole_moment, "frame", 0.0f);
  d.out(whole_out, "out");
  d.out(whole_first, "first");
  d.out(whole_last, "last");
}
void exec_moment(Exec& e) {
  count(e);
  const OverTime<float> all = e.over_time(whole_x);
  e.set(whole_out, all.at(static_cast<double>(e.get(whole_moment))));
  e.set(whole_first, all.varies() ? static_cast<float>(std::max(all.first(), -1e6)) : -1.0f);
  e.set(whole_last, all.varies() ? static_cast<float>(std::min(all.last(), 1e6)) : -1.0f);
}

void declare_moments(Declaration& d) {
  named(d, "test.moments");
  d.in(whole_many, "many").whole_time();
  d.in(whole_moment, "frame", 0.0f);
  d.out(whole_out, "out");
}
void exec_moments(Exec& e) {
  count(e);
  float sum = 0;
  for (const OverTime<float>& one : e.over_time(whole_many))
    sum = sum * 100 + one.at(static_cast<double>(e.get(whole_moment)));
  e.set(whole_out, sum);
}

void declare_range(Declaration& d) {
  named(d, "test.range");
  d.in(whole_x, "x", 1.0f).range(0, 5).whole_time();
  d.out(whole_out, "out");
}
void exec_range(Exec& e) {
  count(e);
  const OverTime<float> all = e.over_time(whole_x);
  float sum = 0;
  for (int f = 0; f <= 10; ++f) sum += all.at(f);
  e.set(whole_out, sum);
}

void declare_wake(Declaration& d) {
  named(d, "test.wake");
  d.uses_frame();
  d.in(whole_x, "x", 1.0f).whole_time();
  d.out(whole_out, "out");
}
Total init_wake(Exec& e) {
  run_counts().add("wake.init");
  return {e.over_time(whole_x).at(e.frame() + 3)};
}
Total step_wake(const Total& s, Exec& e) {
  run_counts().add("wake.step");
  return {s.value + e.over_time(whole_x).at(e.frame() + 3)};
}
void read_wake(const Total& s, Exec& e) { e.set(whole_out, static_cast<float>(s.value)); }

In<float> asked, asked_whole;
Out<float> recipe, recipe_now;
// Which of its inputs change: 1 for x, 2 for y.
void declare_asks(Declaration& d) {
  named(d, "test.asks");
  d.uses_changes();
  d.in(asked, "x", 0.0f);
  d.in(asked_whole, "y", 0.0f).whole_time();
  d.out(out, "out");
}
void exec_asks(Exec& e) {
  count(e);
  e.set(out, (e.changes(asked.index) ? 1.0f : 0.0f) + (e.changes(asked_whole.index) ? 2.0f : 0.0f));
}

void declare_recipe(Declaration& d) {
  named(d, "test.recipe");
  d.uses_frame();
  d.in(asked, "x", 0.0f);
  d.out(recipe, "recipe").timeless();
  d.out(recipe_now, "now");
}
void exec_recipe(Exec& e) {
  count(e);
  e.set(recipe, e.get(asked));
  e.set(recipe_now, static_cast<float>(e.frame()));
}

void declare_reroute(Declaration& d) {
  named(d, "reroute");
  d.role(NodeRole::forward);
  d.in(any, "in").generic("T");
  d.out(any_out, "out").generic("T");
}
void declare_view(Declaration& d) {
  named(d, "view");
  d.role(NodeRole::forward).viewer();
  d.in(any, "value").generic("T");
  d.out(any_out, "value").generic("T");
}
void declare_note(Declaration& d) { named(d, "note"); }
void declare_group(Declaration& d) { named(d, "group"), d.role(NodeRole::group); }
void declare_group_input(Declaration& d) { named(d, "group.input"), d.role(NodeRole::group_input); }
void declare_group_output(Declaration& d) {
  named(d, "group.output"), d.role(NodeRole::group_output);
}

In<float> answer;
In<std::string> work_text;
void declare_work(Declaration& d) {
  named(d, "test.work");
  d.in(x, "x");
  d.in(answer, "answer", 0.0f);
  d.in(work_text, "text", std::string());
  d.work("Search", answer, [](Exec& e, WorkSite& site) { test_work()(e, site); });
  d.out(out, "out");
}
void exec_work(Exec& e) { e.set(out, e.get(answer)); }

}  // namespace

std::function<void(Exec&, WorkSite&)>& test_work() {
  static std::function<void(Exec&, WorkSite&)> work;
  return work;
}

const Registry& test_registry() {
  static const std::unique_ptr<Registry> registry = [] {
    auto made = std::make_unique<Registry>();
    Registry& r = *made;
    r.add_type(type_of<StepCurve>());
    r.add(compute_node(declare_number, exec_number));
    r.add(compute_node(declare_work, exec_work));
    r.add(compute_node(declare_add, exec_add));
    r.add(compute_node(declare_sum, exec_sum));
    r.add(compute_node(declare_scale, exec_scale));
    r.add(compute_node(declare_frame, exec_frame));
    r.add(compute_node(declare_undeclared, exec_frame));
    r.add(compute_node(declare_seed, exec_seed));
    r.add(compute_node(declare_fail, exec_fail));
    r.add(compute_node(declare_nan, exec_nan));
    r.add(compute_node(declare_throw, exec_throw));
    r.add(compute_node(declare_hungry, exec_hungry));
    r.add(compute_node(declare_warn, exec_warn));
    r.add(compute_node(declare_slow, exec_slow));
    r.add(compute_node(declare_pass, exec_pass));
    r.add(select_node(declare_pick, select_pick));
    r.add(compute_node(declare_same, exec_same));
    r.add(compute_node(declare_text, exec_text));
    r.add(compute_node(declare_file, exec_file));
    r.add(compute_node(declare_square, exec_square));
    r.add(compute_node(declare_mirror, exec_mirror));
    r.add(simulation_node(declare_counter, init_counter, step_counter, read_counter));
    r.add(simulation_node(declare_gauge, init_counter, step_counter, read_gauge));
    r.add(simulation_node(declare_follow, init_follow, step_follow, read_follow));
    r.add(compute_node(declare_count, exec_count));
    r.add(compute_node(declare_fussy, exec_fussy));
    r.add(compute_node(declare_rough, exec_rough));
    r.add(compute_node(declare_asks, exec_asks));
    r.add(compute_node(declare_recipe, exec_recipe));
    r.add(compute_node(declare_undeclared_draft, exec_rough));
    r.add(compute_node(declare_moment, exec_moment));
    r.add(compute_node(declare_moments, exec_moments));
    r.add(compute_node(declare_range, exec_range));
    r.add(simulation_node(declare_wake, init_wake, step_wake, read_wake));
    for (auto* declare : {declare_reroute, declare_view, declare_note, declare_group,
                          declare_group_input, declare_group_output})
      r.add(structural_node(declare));
    return made;
  }();
  return *registry;
}

Builder& Builder::link(const std::string& text) {
  const size_t arrow = text.find(" -> ");
  auto endpoint = [](const std::string& s) {
    const size_t dot = s.rfind('.');
    return Endpoint{s.substr(0, dot), s.substr(dot + 1)};
  };
  doc.body(name)->links.push_back(
      {endpoint(text.substr(0, arrow)), endpoint(text.substr(arrow + 4))});
  return *this;
}

void set_param(GraphDoc& doc, const std::string& node, const std::string& input, Json value) {
  for (NodeDoc& n : doc.graph.nodes)
    if (n.id == node) n.params[input] = std::move(value);
}

Evaluation Runner::run(const GraphDoc& doc, const std::string& output, int frame) {
  graph = CompiledGraph::compile(doc, test_registry());
  context.frame = frame;
  context.fps = doc.settings.fps;
  context.start_frame = doc.settings.first_frame;
  context.last_frame = doc.settings.last_frame;
  const Result<Target> target = graph->find_output(output);
  if (!target) throw std::runtime_error(target.error());
  const Target list[] = {*target};
  last = evaluator.evaluate(*graph, list, context);
  return last;
}

float Runner::number(const GraphDoc& doc, const std::string& output, int frame) {
  const Evaluation e = run(doc, output, frame);
  const Value& v = e.targets[0].value;
  return v ? v.as<float>() : std::numeric_limits<float>::quiet_NaN();
}

}  // namespace testing
}  // namespace sinew
