#include <cmath>
#include <fstream>
#include <limits>
#include <set>

#include "nodes/kernels/primitives.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::string flaw(const Value& v) { return v.type()->flaw(v.data()).value_or(""); }

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Values, AMeshSaysWhereItIsUnsound) {
  Mesh mesh = kernels::make_box({});
  EXPECT_EQ(flaw(Value::of(mesh)), "");
  mesh.positions[5].y() = nan;
  EXPECT_NE(flaw(Value::of(mesh)).find('5'), std::string::npos);
  const Mesh torn(Topology{{{{0, 1, 9}}}, {}, {}}, {Vec3f(0, 0, 0), Vec3f(1, 0, 0)});
  EXPECT_NE(flaw(Value::of(torn)).find('9'), std::string::npos);
}

TEST(Values, AFieldSaysWhereItIsUnsound) {
  EXPECT_EQ(flaw(Value::of(Field(Domain::face, {1, 2}))), "");
  EXPECT_NE(flaw(Value::of(Field(Domain::vertex, {1, 2, nan, nan}))).find('2'), std::string::npos);
}

std::vector<ValueTable> tables(const Value& v) { return v.type()->tables(v.data()); }

TEST(Values, TablesOfTheirNumbers) {
  const Value box = Value::of(kernels::make_box({.size = {1, 2, 3}}));
  const std::vector<ValueTable> of_box = tables(box);
  ASSERT_EQ(of_box.size(), 2u);
  EXPECT_EQ(of_box[0].rows_are, "vertex");
  EXPECT_EQ(of_box[0].rows, 8u);
  EXPECT_EQ(std::abs(std::stof(of_box[0].cell(3, 2))), 1.5f);
  EXPECT_EQ(of_box[1].rows, 12u);
  EXPECT_EQ(of_box[1].columns.size(), 3u);

  const Value field = Value::of(Field(Domain::face, {0.1f, 2}));
  EXPECT_EQ(tables(field)[0].rows_are, "face");
  EXPECT_EQ(tables(field)[0].cell(0, 0), "0.1");
  EXPECT_EQ(tables(Value::of(Field::constant(3)))[0].cell(0, 0), "3");
  EXPECT_EQ(tables(Value::of(Vec3{1, 2, 3}))[0].cell(0, 2), "3");
  EXPECT_EQ(tables(Value::of(true))[0].cell(0, 0), "yes");
  EXPECT_EQ(tables(Value::of(std::string("a text")))[0].cell(0, 0), "a text");

  Chart chart;
  chart.points = {{0, 1}, {2, 0.5}};
  chart.x_unit = "s";
  const Value curve = Value::of(chart);
  EXPECT_EQ(tables(curve)[0].columns[0], "x (s)");
  EXPECT_EQ(tables(curve)[0].cell(1, 1), "0.5");
}

TEST(Values, TheFactsOfAMesh) {
  const Value box = Value::of(kernels::make_box({.size = {1, 2, 3}}));
  const Json facts = box.type()->describe(box.data());
  EXPECT_EQ(facts["vertices"], 8);
  EXPECT_EQ(facts["triangles"], 12);
  EXPECT_EQ(facts["bounds"]["min"], Json::parse("[-0.5, -1.0, -1.5]"));
  EXPECT_EQ(facts["bounds"]["max"], Json::parse("[0.5, 1.0, 1.5]"));
  EXPECT_NEAR(facts["area"].get<double>(), 22, 1e-9);
  EXPECT_NEAR(facts["volume"].get<double>(), 6, 1e-9);
  EXPECT_NEAR(facts["centroid"][1].get<double>(), 0, 1e-9);
  EXPECT_EQ(type_of<Mesh>().describe(Value::of(Mesh()).data())["vertices"], 0);
}

TEST(Values, TheFactsOfFieldsAndCharts) {
  const Value field = Value::of(Field(Domain::vertex, {0.1f, 0.3f, 0.2f}));
  const Json facts = field.type()->describe(field.data());
  EXPECT_EQ(facts["domain"], "vertex");
  EXPECT_EQ(facts["count"], 3);
  EXPECT_EQ(facts["min"], 0.1);
  EXPECT_EQ(facts["max"], 0.3);
  EXPECT_NEAR(facts["mean"].get<double>(), 0.2, 1e-6);
  const Value chart = Value::of(*chart_from_json(Json::parse("[[0, 2], [4, 1]]")));
  EXPECT_EQ(chart.type()->describe(chart.data())["y"], Json::parse(R"({"min": 1.0, "max": 2.0})"));
}

TEST(Values, FieldsAsJson) {
  const TypeInfo& type = type_of<Field>();
  EXPECT_EQ(type.from_json(0.1)->to_json(), 0.1);
  EXPECT_EQ(literal_key(*type.from_json(-0.0)), literal_key(*type.from_json(0)));
  EXPECT_NE(literal_key(*type.from_json(1)), literal_key(*type.from_json(2)));
  EXPECT_EQ(Value::of(Field(Domain::face, {0.5f, 0.1f})).to_json(),
            Json::parse(R"({"domain": "face", "values": [0.5, 0.1]})"));
  for (const char* wrong : {"\"text\"", "[1]", "{}", "true", "1e300"}) {
    EXPECT_FALSE(static_cast<bool>(type.from_json(Json::parse(wrong)))) << wrong;
  }
}

TEST(Values, ChartsAsJson) {
  const Json full = Json::parse(
      R"({"points": [[0.0, 0.0], [1.0, 2.0]], "interpolation": "linear", "extension": "cyclic",
          "period": 2.0, "x_unit": "s", "y_unit": "m"})");
  EXPECT_EQ(chart_to_json(*chart_from_json(full)), full);
  const Json plain = Json::parse("[[0, 1], [1, 3]]");
  const Json standard = Json::parse(R"({"points": [[0.0, 1.0], [1.0, 3.0]]})");
  EXPECT_EQ(chart_to_json(*chart_from_json(plain)), standard);
}

// Whatever a chart can have comes back as it was, and what is standard is not written.
TEST(Values, EveryKindOfChartComesBack) {
  const char* texts[] = {
      R"({"points": [[0.0, 1.0]]})",
      R"({"points": [[0.0, 1.0], [0.5, 2.0], [1.0, 0.5]], "axis": "ratio", "bounds": [0.5, 2.0]})",
      R"({"points": [[0.0, 0.0], [1.0, 2.0]], "interpolation": "stepped", "extension": "cyclic",
          "period": 1.5, "axis": "linear"})",
      R"({"points": [[0.0, 0.0], [10.0, 2.0]], "marks": {"elastic": 1.0, "fracture": 10.0},
          "x_unit": "strain", "y_unit": "stress"})",
      R"({"points": [[0.0, 0.0], [1.0, 1.0]], "back": [[0.0, 0.0], [0.3, 0.1], [1.0, 1.0]]})",
      R"({"points": [[-1e300, 1e-300], [5e-324, 1e300]], "axis": "ratio",
          "back": [[-1e300, 1.0], [5e-324, 2.0]], "marks": {"a b": -0.5}})",
      R"({"points": [[0.0, 1.0], [1.0, 2.0], [2.0, 0.5]],
          "tangents": [null, 2.0, [-1.0, null]]})",
      R"({"points": [[0.0, 1.0], [1.0, 2.0], [2.0, 0.5]],
          "tangents": [null, 2.0, [-1.0, 0.0]]})",
  };
  std::set<Key> keys;
  for (const char* text : texts) {
    Json json = Json::parse(text);
    const Result<Chart> chart = chart_from_json(json);
    ASSERT_TRUE(static_cast<bool>(chart)) << chart.error();
    if (json.value("axis", "") == "linear") json.erase("axis");
    EXPECT_EQ(chart_to_json(*chart), json);
    EXPECT_EQ(*chart_from_json(chart_to_json(*chart)), *chart);
    EXPECT_TRUE(keys.insert(literal_key(Value::of(*chart))).second) << text;
  }
}

TEST(Values, TangentsOfCharts) {
  // All automatic is what a chart has without them: the same key, and nothing is written.
  const Chart plain = *chart_from_json(Json::parse("[[0, 1], [1, 2]]"));
  const Result<Chart> automatic = chart_from_json(
      Json::parse(R"({"points": [[0, 1], [1, 2]], "tangents": [null, [null, null]]})"));
  ASSERT_TRUE(static_cast<bool>(automatic));
  EXPECT_EQ(*automatic, plain);
  for (const char* wrong : {"[1]", "[1, 2, 3]", "[[1], 2]", "[\"steep\", 1]", "1", "{}"}) {
    Json json = {{"points", Json::parse("[[0, 1], [1, 2]]")}, {"tangents", Json::parse(wrong)}};
    EXPECT_FALSE(static_cast<bool>(chart_from_json(json))) << wrong;
  }
}

// A curve type says how it is drawn and what one can start from.
TEST(Values, ChartsCanBeDrawnByWhoeverKnowsNothingOfThem) {
  const Value chart = Value::of(
      *chart_from_json(Json::parse(R"({"points": [[0, 0], [2, 4]], "back": [[0, 0], [1, 0], [2, 4]],
                      "interpolation": "linear"})")));
  const TypeInfo& type = *chart.type();
  const double x[] = {0.5, 1, 9};
  double there[3], back[3];
  type.curve_at(chart.data(), x, there, false);
  type.curve_at(chart.data(), x, back, true);
  EXPECT_EQ(there[0], 1);
  EXPECT_EQ(there[2], 4);
  EXPECT_EQ(back[1], 0);
  EXPECT_EQ(type.curve_range(chart.data()), std::pair(0.0, 2.0));
  EXPECT_GE(type.ready_made.size(), 31u);
  for (const ReadyMade& start : type.ready_made) {
    EXPECT_TRUE(static_cast<bool>(type.from_json(start.literal))) << start.name;
    EXPECT_FALSE(start.doc.empty());
    EXPECT_FALSE(start.group.empty());
  }
}

// Two charts that differ in anything are different for the cache.
TEST(Values, EveryPartOfAChartIsInItsKey) {
  std::vector<Chart> charts(1, *chart_from_json(Json::parse("[[0, 1], [1, 2], [2, 3]]")));
  const auto changed = [&](const auto& change) {
    charts.push_back(charts[0]);
    change(charts.back());
  };
  changed([](Chart& c) { c.points[1].y = 4; });
  changed([](Chart& c) { c.interpolation = Interpolation::linear; });
  changed([](Chart& c) { c.extension = Extension::cyclic; });
  changed([](Chart& c) { c.period = 5; });
  changed([](Chart& c) { c.x_unit = "s"; });
  changed([](Chart& c) { c.y_unit = "s"; });
  changed([](Chart& c) { c.axis = ValueAxis::ratio; });
  changed([](Chart& c) { c.back = {{0, 1}, {2, 3}}; });
  changed([](Chart& c) { c.back = {{0, 1}, {2, 4}}; });
  changed([](Chart& c) { c.set_mark("a", 1); });
  changed([](Chart& c) { c.set_mark("a", 2); });
  changed([](Chart& c) { c.set_mark("b", 1); });
  changed([](Chart& c) { c.bounds = {0, 1}; });
  changed([](Chart& c) { c.bounds = {0, 2}; });
  changed([](Chart& c) { c.tangents = {{}, {1.0, 1.0}, {}}; });
  changed([](Chart& c) { c.tangents = {{}, {1.0, {}}, {}}; });
  changed([](Chart& c) { c.tangents = {{}, {{}, 1.0}, {}}; });
  changed([](Chart& c) { c.tangents = {{}, {0.0, 1.0}, {}}; });
  std::set<Key> keys;
  for (const Chart& chart : charts) {
    EXPECT_TRUE(keys.insert(literal_key(Value::of(chart))).second);
    EXPECT_EQ(chart == charts[0], &chart == &charts[0]);
    EXPECT_GE(byte_size(chart), sizeof(Chart) + 3 * sizeof(ChartPoint));
  }
}

TEST(Values, TheFactsOfALoop) {
  const Value loop = Value::of(*chart_from_json(Json::parse(
      R"({"points": [[0, 1], [2, 3]], "interpolation": "linear", "back": [[0, 0], [2, 3]],
          "marks": {"elastic": 1}, "bounds": [0, 9]})")));
  const Json facts = loop.type()->describe(loop.data());
  EXPECT_EQ(facts["points_back"], 2);
  EXPECT_EQ(facts["loop_area"], 1.0);
  EXPECT_EQ(facts["y"]["min"], 0.0);
  EXPECT_EQ(facts["marks"]["elastic"], 1.0);
  EXPECT_EQ(facts["bounds"], Json::parse("[0.0, 9.0]"));
}

TEST(Values, ChartsThatAreNoNumbersAreRefused) {
  for (const double wrong : {std::nan(""), HUGE_VAL, -HUGE_VAL, 2e300}) {
    const auto refused = [](const Json& json) { return !static_cast<bool>(chart_from_json(json)); };
    const Json ends = Json::array({Json::array({0, 1}), Json::array({1, 1})});
    EXPECT_TRUE(refused(Json::array({Json::array({wrong, 1})})));
    EXPECT_TRUE(refused(Json::array({Json::array({0, wrong})})));
    EXPECT_TRUE(refused({{"points", ends}, {"marks", {{"a", wrong}}}}));
    EXPECT_TRUE(refused({{"points", ends}, {"bounds", Json::array({0, wrong})}}));
    EXPECT_TRUE(refused({{"points", ends}, {"period", wrong}}));
    EXPECT_TRUE(
        refused({{"points", ends}, {"back", {Json::array({0, 1}), Json::array({1, wrong})}}}));
  }
}

TEST(Values, WrongChartsAreExplained) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"points": [[0, 1], [1, 0]], "axis": "ratio"})", "point 1 of the chart is 0"},
      {R"({"points": [[0, 1]], "axis": "log"})", "axis"},
      {R"({"points": [[0, 1]], "bounds": [1]})", "bounds"},
      {R"({"points": [[0, 1]], "bounds": [2, 1]})", "bounds"},
      {R"({"points": [[0, 1]], "marks": [1]})", "marks"},
      {R"({"points": [[0, 1]], "marks": {"elastic": "far"}})", "marks"},
      {R"({"points": [[0, 1]], "marks": {"": 1}})", "name"},
      {R"({"points": [[0, 1], [1, 2]], "back": [[0, 1], [2, 2]]})", "from 0 to 1"},
      {R"({"points": [[0, 1], [1, 2]], "back": [[0, 1], [1]]})", "point 1 of the way back"},
      {R"({"points": [[0, 1], [1, 2]], "back": 3})", "way back"},
      {"[[0, null]]", "point 0"},
      {"3", "list of points"},
      {"[]", "point"},
      {"{}", "points"},
      {"[[0, 1], [1]]", "point 1"},
      {"[[0, 1], [0, 2]]", ""},
      {R"({"points": [[0, 1]], "interpolation": "cubic"})", "interpolation"},
      {R"({"points": [[0, 1]], "extension": 3})", "extension"},
      {R"({"points": [[0, 1]], "colour": 3})", "'colour'"},
      {R"({"points": [[0, 1], [4, 2]], "extension": "cyclic", "period": 1})", "period"},
  };
  for (const auto& [text, word] : cases) {
    const Result<Chart> chart = chart_from_json(Json::parse(text));
    ASSERT_FALSE(static_cast<bool>(chart)) << text;
    EXPECT_NE(chart.error().find(word), std::string::npos) << text << ": " << chart.error();
  }
}

TEST(Values, ChartsCountFramesOrSeconds) {
  const TypeInfo& type = type_of<Chart>();
  Chart chart = *chart_from_json(Json::parse(R"({"points": [[0, 0], [100, 100]],
    "interpolation": "linear"})"));
  EXPECT_NEAR(type.sample(&chart, {.frame = 50, .seconds = 2}), 2, 1e-12);
  chart.x_unit = "frames";
  EXPECT_NEAR(type.sample(&chart, {.frame = 50, .seconds = 2}), 50, 1e-12);
  const std::pair<double, double> steps[] = {{0, 1}, {10, 5}};
  const Chart held = *chart_from_json(type.steps_to_json(steps));
  EXPECT_EQ(type.sample(&held, {.frame = 9, .seconds = 0}), 1);
  EXPECT_EQ(type.sample(&held, {.frame = 10, .seconds = 0}), 5);
}

TEST(Values, AFieldIsInRangeWithAllOfItsValues) {
  TestGraph g;
  g.node("box", "mesh.box").node("move", "mesh.displace").link("box.mesh", "move.mesh");
  const auto errors_for = [&](std::vector<double> values) {
    g.set("move.amount", {{"domain", "vertex"}, {"values", std::move(values)}});
    std::string errors;
    for (const NodeMessage& m : CompiledGraph::compile(g.doc, all_nodes())->messages()) {
      if (m.message.severity == Severity::error) errors += m.message.text + "\n";
    }
    return errors;
  };
  EXPECT_EQ(errors_for({-1000, 0, 1000}), "");
  EXPECT_EQ(errors_for({}), "");
  EXPECT_EQ(errors_for({1e30}), "'amount': 1e+30 is out of range; it goes from -1000 to 1000\n");
  EXPECT_EQ(errors_for({0, -2000, 5}),
            "'amount': -2000 is out of range; it goes from -1000 to 1000\n");
}

TEST(Values, AreSavedToFiles) {
  const TemporaryFolder folder;
  auto save = [&](const Value& v, const std::string& name) {
    return v.type()->save(v.data(), folder.path() / name);
  };
  const Value field = Value::of(Field(Domain::vertex, {0.5f, 0.1f}));
  const Value chart = Value::of(*chart_from_json(Json::parse("[[0, 1], [2, 3]]")));
  const Value box = Value::of(kernels::make_box({}));
  EXPECT_TRUE(static_cast<bool>(save(field, "f.csv")));
  EXPECT_TRUE(static_cast<bool>(save(field, "f.json")));
  EXPECT_TRUE(static_cast<bool>(save(chart, "c.csv")));
  EXPECT_TRUE(static_cast<bool>(save(chart, "c.json")));
  EXPECT_EQ(read_file(folder.path() / "f.csv"), "vertex,value\n0,0.5\n1,0.1\n");
  EXPECT_EQ(Json::parse(read_file(folder.path() / "f.json")), field.to_json());
  EXPECT_EQ(read_file(folder.path() / "c.csv"), "x,y\n0,1\n2,3\n");
  EXPECT_EQ(Json::parse(read_file(folder.path() / "c.json")), chart.to_json());
  for (const std::string& ending : type_of<Mesh>().file_endings) {
    EXPECT_TRUE(static_cast<bool>(save(box, "box." + ending))) << ending;
  }
  const Result<void> nowhere = save(box, "missing/box.obj");
  ASSERT_FALSE(static_cast<bool>(nowhere));
  EXPECT_NE(nowhere.error().find("box.obj"), std::string::npos);
  EXPECT_FALSE(static_cast<bool>(save(field, "missing/f.json")));
}

TEST(Values, PlacesOfStrokesCanBeMovedAndRemoved) {
  const TypeInfo& strokes = type_of<Strokes>();
  const Json literal = {{"space", "box"},
                        {"strokes",
                         {{{"points", {{0, 1, 0}, {1, 1, 0}}}, {"value", 0.5}},
                          {{"points", {{0, 0, 1}}}, {"cut", {{"point", {0, 0, 0}}}}}}}};
  const Places places = strokes.places(literal);
  ASSERT_EQ(places.list.size(), 3u);
  EXPECT_TRUE(places.in_box);
  EXPECT_EQ(places.list[1].at, (std::array<float, 3>{1, 1, 0}));
  EXPECT_EQ(places.list[0].line, places.list[1].line);
  EXPECT_NE(places.list[1].line, places.list[2].line);
  EXPECT_TRUE(places.list[2].inside);
  Json moved = strokes.with_place(literal, 1, std::array<double, 3>{2, 0, 0});
  EXPECT_EQ(moved["strokes"][0]["points"][1], Json({2.0, 0.0, 0.0}));
  EXPECT_EQ(moved["strokes"][0]["value"], 0.5);
  // The last point takes its stroke with it.
  EXPECT_EQ(strokes.with_place(literal, 2, std::nullopt)["strokes"].size(), 1u);
  EXPECT_EQ(strokes.with_place(literal, 7, std::nullopt), literal);
  EXPECT_TRUE(strokes.places(Json("nonsense")).list.empty());
}

TEST(Values, PlacesOfTouchesCanBeMovedAndRemoved) {
  const TypeInfo& touches = type_of<Touches>();
  const Json literal = {{{"frame", 3}, {"at", {0, 1, 0}}}, {{"frame", 5}, {"at", {1, 0, 0}}}};
  ASSERT_EQ(touches.places(literal).list.size(), 2u);
  const Json moved = touches.with_place(literal, 0, std::array<double, 3>{0, 2, 0});
  EXPECT_EQ(moved[0], Json({{"frame", 3}, {"at", {0.0, 2.0, 0.0}}}));
  const Json removed = touches.with_place(literal, 0, std::nullopt);
  ASSERT_EQ(removed.size(), 1u);
  EXPECT_EQ(removed[0], literal[1]);
}

}  // namespace
}  // namespace sinew::testing
