// A value over time can be said in many forms: as it is, in steps, by a chart, or by a link from
// nodes that hand it on or make it. To an input of `whole_time` that takes numbers they are all the
// same, in every node that has one.
#include <functional>
#include <utility>

#include "tests/nodes/fed_node.h"

namespace sinew::testing {
namespace {

constexpr int at = 20;  // the frame from which on it is another

// What other parameters an input needs to make a difference.
const std::map<std::string, std::map<std::string, Json>> needs = {
    {"voo.constrain.length", {{"keep_length", true}}},
    {"voo.constrain.direction", {{"keep_direction", true}}},
    {"voo.constrain.aim", {{"aims", true}}},
    {"skeleton.animate.amount", {{"which", "1"}, {"move", {0.3, 0.1, 0}}}},
    {"skeleton.animate.move", {{"which", "1"}}},
};

bool is_number(const InputInfo& in) { return in.type->to_numbers && in.type->from_numbers; }

// The node among others that let see what it does: "seen.places" or "seen.body".
TestGraph graph_of(FedNode& fed, const std::string& input) {
  TestGraph g = fed.fed();
  // Pins that move come in place of those that rest.
  for (LinkDoc& link : g.doc.graph.links) {
    if (link.from.node.rfind("pins_", 0) != 0) continue;
    const Endpoint pins = std::exchange(link.from, {"lead", "voos"});
    g.node("lead", "voo.animate",
           {{"tip", {0.3, -0.2, 0.1}}, {"head", {0.1, 0.05, 0}}, {"twist", 40}});
    g.link(pins.node + "." + pins.socket, "lead.voos");
    break;
  }
  const std::string output = fed.type().outputs[0].name;
  const TypeInfo* made = fed.type().outputs[0].type;
  if (made == &type_of<VooSet>()) {
    g.node("seen", "voo.deform", {{"check", "none"}}).link("feed.mesh", "seen.body");
    g.link("it." + output, "seen.voos");
  } else if (made == &type_of<PosedSkeleton>()) {
    g.node("seen", "skeleton.read").link("it." + output, "seen.pose");
  }
  if (const auto with = needs.find(fed.type().id + "." + input); with != needs.end()) {
    for (const auto& [name, value] : with->second) g.set("it." + name, value);
  }
  return g;
}

std::vector<Vec3f> places(TestGraph& g, FedNode& fed, int frame) {
  const bool voos = fed.type().outputs[0].type == &type_of<VooSet>();
  const Outcome seen = g.run(voos ? "seen.body" : "seen.places", frame);
  EXPECT_EQ(seen.errors, "");
  if (!seen.value) return {};
  return voos ? seen.as<Mesh>().positions : seen.as<PathPoints>().list;
}

double apart(const std::vector<Vec3f>& a, const std::vector<Vec3f>& b) {
  if (a.size() != b.size() || a.empty()) return 1e9;
  double most = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, static_cast<double>((a[i] - b[i]).norm()));
  }
  return most;
}

// One number as a chart that is `before` until the frame.
Json chart_of(double before, double after, bool in_seconds, const char* form, double fps) {
  const double unit = in_seconds ? 1 / fps : 1;
  Json points = {{0, before}, {at * unit, after}};
  if (std::string(form) == "linear") points = {{0, before}, {2 * at - 1, after}};
  return {{"points", points}, {"interpolation", form}, {"x_unit", in_seconds ? "s" : "frames"}};
}

using Say = std::function<void(TestGraph&, const std::string& input)>;

// All forms of `before` that becomes `after`; of the same: of what never changes.
std::vector<std::pair<std::string, Say>> forms_of(const TypeInfo& type, const Value& before,
                                                  const Value& after, double fps) {
  const std::vector<double> was = type.to_numbers(before.data()),
                            is = type.to_numbers(after.data());
  const Json steps = {{"steps", {{0, before.to_json()}, {at, after.to_json()}}}};
  const auto charts = [&](bool in_seconds, const char* form) {
    Json list = Json::array();
    for (size_t k = 0; k < was.size(); ++k) {
      list.push_back(chart_of(was[k], is[k], in_seconds, form, fps));
    }
    return Json{{"animate", was.size() == 1 ? list[0] : list}};
  };
  const auto set = [](const Json& value) {
    return [=](TestGraph& g, const std::string& input) { g.set(input, value); };
  };
  const std::string node = "value." + type.name;
  const auto linked = [=](const Json& value) {
    return [=](TestGraph& g, const std::string& input) {
      g.node("source", node);
      if (node == "value.vec3") {
        for (const char* axis : {"x", "y", "z"}) {
          const auto k = static_cast<size_t>(axis[0] - 'x');
          Json part = value;
          if (value.contains("steps")) {
            for (Json& step : part["steps"]) step[1] = Json(step[1][k]);
          } else if (value.contains("animate")) {
            part["animate"] = Json(value["animate"][k]);
          } else {
            part = Json(value[k]);
          }
          g.set(std::string("source.") + axis, part);
        }
      } else {
        g.set("source.value", value);
      }
      g.node("between", "reroute").link("source.value", "between.value");
      g.link("between.value", input);
    };
  };
  std::vector<std::pair<std::string, Say>> forms = {
      {"steps", set(steps)},
      {"charts in frames", set(charts(false, "stepped"))},
      {"charts in seconds", set(charts(true, "stepped"))},
      {"steps of another node", linked(steps)},
      {"charts of another node", linked(charts(false, "stepped"))},
  };
  if (type.name == "bool") forms.emplace_back("a line", set(charts(false, "linear")));
  if (was != is) return forms;
  Json constant = Json::array();
  for (const double x : is) constant.push_back({{"points", {{3, x}}}, {"x_unit", "frames"}});
  forms.emplace_back("a chart of one point",
                     set({{"animate", is.size() == 1 ? constant[0] : constant}}));
  forms.emplace_back("another node", linked(after.to_json()));
  return forms;
}

void check(FedNode& fed, const InputInfo& in) {
  const std::string input = "it." + in.name, name = fed.type().id + "." + in.name;
  std::vector<double> numbers = in.type->to_numbers(in.standard.data());
  const bool is_switch = in.type == &type_of<bool>();
  for (size_t k = 0; k < numbers.size(); ++k) {
    numbers[k] = is_switch ? 1 - numbers[k] : numbers[k] + 0.37 - 0.29 * static_cast<double>(k);
  }
  const Value other = in.type->from_numbers(numbers);
  const auto as_it_is = [&](const Value& value, int frame, double fps) {
    TestGraph g = graph_of(fed, in.name);
    g.context.fps = fps;
    g.set(input, value.to_json());
    return places(g, fed, frame);
  };
  ASSERT_GT(apart(as_it_is(in.standard, 0, 25), as_it_is(other, 0, 25)), 1e-4)
      << name << " makes no difference here; say what it needs";
  for (const double fps : {25.0, 30000.0 / 1001}) {
    for (const bool changes : {true, false}) {
      for (const auto& [form, say] :
           forms_of(*in.type, changes ? in.standard : other, other, fps)) {
        TestGraph g = graph_of(fed, in.name);
        g.context.fps = fps;
        say(g, input);
        for (const int frame : {0, at - 1, at, 2 * at}) {
          const Value& now = !changes || frame >= at ? other : in.standard;
          EXPECT_LT(apart(places(g, fed, frame), as_it_is(now, frame, fps)), 2e-6)
              << name << ", " << form << (changes ? "" : " that stay") << ", frame " << frame;
        }
      }
    }
  }
}

TEST(WholeTime, AllFormsOfAValueOverTimeAreTheSameToEveryNode) {
  int inputs = 0;
  for (const auto& type : all_nodes().nodes()) {
    for (const InputInfo& in : type->inputs) {
      if (!in.whole_time || !is_number(in)) continue;
      ++inputs;
      FedNode fed(*type, 6);
      const TypeInfo* made = type->outputs[0].type;
      ASSERT_TRUE(made == &type_of<VooSet>() || made == &type_of<PosedSkeleton>())
          << type->id << ": say here by what it is seen";
      check(fed, in);
    }
  }
  EXPECT_GE(inputs, 20);
}

}  // namespace
}  // namespace sinew::testing
