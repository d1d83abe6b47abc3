// What of a graph is to be seen, and colours that mean the same in all frames.
#include "app/scene.h"

#include <gtest/gtest.h>

#include "app/cli/open_graph.h"
#include "app/cli/program.h"
#include "tests/app/run_program.h"

namespace sinew {
namespace {

struct Opened {
  explicit Opened(const std::string& document) {
    folder.write("a.json", document);
    const Result<void> ok = cli::open_graph(folder / "a.json", {}, graph);
    EXPECT_TRUE(ok) << ok.error();
  }
  Result<Scene> plan(const std::vector<std::string>& names = {}) const {
    std::vector<Target> shown;
    for (const std::string& name : names) {
      const Result<Target> target = cli::find_target(*graph.graph, name);
      EXPECT_TRUE(target) << target.error();
      if (target) shown.push_back(*target);
    }
    return Scene::plan(graph.doc, graph.graph, shown);
  }
  Scene::Drawn drawn(const Scene& scene, int frame = 0) {
    const Context context = cli::context_of(graph.doc, folder / "a.json", frame);
    return scene.draw(evaluator.evaluate(scene.graph(), scene.targets(), context), {});
  }
  std::vector<std::string> targets(const Scene& scene) const {
    std::vector<std::string> names;
    for (const Target& t : scene.targets()) names.push_back(cli::target_name(*graph.graph, t));
    return names;
  }

  testing::TemporaryFolder folder;
  cli::OpenedGraph graph;
  Evaluator evaluator{EvaluatorOptions{}};
};

const char* box_and_field = R"({
  "sinew": 1,
  "nodes": [
    {"id": "box", "type": "mesh.box"},
    {"id": "ramp", "type": "field.axis", "label": "How high"},
    {"id": "way", "type": "reroute"},
    {"id": "number", "type": "value.float"},
    {"id": "moving", "type": "mesh.transform",
     "params": {"size": {"animate": {"points": [[0, 1], [1, 2]]}}}}
  ],
  "links": ["box.mesh -> ramp.mesh", "ramp.field -> way.value", "box.mesh -> moving.mesh"]
})";

TEST(Scenes, ShowTheLastOutputsThatCanBeSeen) {
  Opened opened(box_and_field);
  const Result<Scene> scene = opened.plan();
  ASSERT_TRUE(scene) << scene.error();
  // The field behind its reroute with the body that it lives on, and the other end of the graph;
  // not the number.
  const std::vector<std::string> targets = opened.targets(*scene);
  EXPECT_EQ(targets, (std::vector<std::string>{"way.value", "box.mesh", "moving.mesh"}));
  EXPECT_TRUE(scene->moves());
  const Scene::Drawn drawn = opened.drawn(*scene);
  EXPECT_TRUE(drawn.problems.empty());
  ASSERT_EQ(drawn.list.meshes.size(), 2u);
  ASSERT_EQ(drawn.list.scales.size(), 1u);
  EXPECT_EQ(drawn.list.scales[0].title, "How high") << "the name of where it was made";
}

TEST(Scenes, ShowWhatIsAskedFor) {
  Opened opened(box_and_field);
  const Result<Scene> box = opened.plan({"box.mesh"});
  ASSERT_TRUE(box) << box.error();
  EXPECT_FALSE(box->moves());
  EXPECT_EQ(opened.drawn(*box).list.scales.size(), 0u);
  EXPECT_EQ(opened.plan({"number"}).error(),
            "'number.value' is a float, which cannot be seen; show a mesh, a solid, a field, "
            "directions, obstacles or a chart");
}

TEST(Scenes, ABodyInColoursIsNotShownOnceMore) {
  Opened opened(box_and_field);
  const Result<Scene> scene = opened.plan({"box.mesh", "ramp.field", "box.mesh"});
  ASSERT_TRUE(scene) << scene.error();
  EXPECT_EQ(opened.targets(*scene).size(), 2u) << "each is evaluated once";
  const Scene::Drawn drawn = opened.drawn(*scene);
  ASSERT_EQ(drawn.list.meshes.size(), 1u);
  EXPECT_EQ(drawn.list.meshes[0].scale, 0);
  EXPECT_EQ(drawn.list.meshes[0].source, "ramp.field");
}

TEST(Scenes, WithNothingToSeeSaySo) {
  Opened opened(R"({"sinew": 1, "nodes": [{"id": "n", "type": "value.float"}]})");
  EXPECT_EQ(opened.plan().error(),
            "there is nothing to see: no output is a body, a field or directions on one");
}

TEST(Scenes, WhatFailsLeavesTheRest) {
  Opened opened(R"({"sinew": 1, "nodes": [
    {"id": "box", "type": "mesh.box"},
    {"id": "load", "type": "mesh.load", "params": {"file": "gone.obj"}}]})");
  const Result<Scene> scene = opened.plan();
  ASSERT_TRUE(scene) << scene.error();
  EXPECT_EQ(opened.targets(*scene).size(), 2u);
  EXPECT_EQ(opened.drawn(*scene).list.meshes.size(), 1u);
}

// ---- Scales -----------------------------------------------------------------------------------

// Lists with one body each, whose values go from one number to another.
struct Coloured {
  void add(const std::string& title, draw::ColourMap map, float low, float high,
           std::vector<float> of) {
    values.push_back(std::make_unique<std::vector<float>>(std::move(of)));
    draw::Mesh mesh;
    mesh.values = *values.back();
    mesh.scale = list.add({map, low, high, title, "m"});
    list.meshes.push_back(std::move(mesh));
  }
  std::vector<std::unique_ptr<std::vector<float>>> values;
  draw::DrawList list;
};

draw::ColourScale steady(const std::vector<const Coloured*>& seen, const Coloured& applied) {
  SteadyScales scales;
  for (const Coloured* c : seen) scales.see(c->list);
  draw::DrawList list = applied.list;
  scales.apply(list);
  return list.scales.at(static_cast<std::size_t>(list.meshes.at(0).scale));
}

constexpr auto sequential = draw::ColourMap::sequential, diverging = draw::ColourMap::diverging;

TEST(Scales, AreWideEnoughForAllFrames) {
  Coloured a, b, c;
  a.add("Speed", sequential, 0, 1, {0, 1});
  b.add("Speed", sequential, 0.5f, 3, {0.5f, 3});
  c.add("Weight", sequential, 5, 6, {5, 6});
  for (const Coloured* one : {&a, &b}) {
    const draw::ColourScale scale = steady({&a, &b, &c}, *one);
    EXPECT_EQ(scale.low, 0);
    EXPECT_EQ(scale.high, 3);
    EXPECT_EQ(scale.unit, "m");
  }
  EXPECT_EQ(steady({&a, &b, &c}, c), c.list.scales[0]) << "something else is not touched";
  EXPECT_EQ(steady({&a}, c), c.list.scales[0]) << "nor what was never seen";
}

TEST(Scales, ASingleNumberSaysNothingOfWidth) {
  // What stands still has no speed; its own scale would go from -0.5 to 0.5.
  Coloured still, moving, also_still;
  still.add("Speed", sequential, -0.5f, 0.5f, {0, 0, 0});
  moving.add("Speed", sequential, 1, 3, {1, 3});
  also_still.add("Speed", sequential, 3.5f, 4.5f, {4});
  for (const auto& order :
       {std::vector<const Coloured*>{&still, &moving, &also_still}, {&also_still, &moving, &still}})
    for (const Coloured* one : order) {
      EXPECT_EQ(steady(order, *one).low, 0);
      EXPECT_EQ(steady(order, *one).high, 4);
    }
  EXPECT_EQ(steady({&still}, still), still.list.scales[0]) << "with nothing to compare it with";
}

TEST(Scales, BothSidesOfNothingStayInBalance) {
  Coloured above, both, none;
  above.add("Bend", sequential, 0, 5, {0, 5});
  both.add("Bend", diverging, -2, 2, {-1, 2});
  none.add("Bend", sequential, -0.5f, 0.5f, {0});
  for (const auto& order : {std::vector<const Coloured*>{&above, &both}, {&both, &none, &above}}) {
    const draw::ColourScale scale = steady(order, above);
    EXPECT_EQ(scale.map, diverging);
    EXPECT_EQ(scale.low, -5);
    EXPECT_EQ(scale.high, 5);
  }
  EXPECT_EQ(steady({&none, &both}, none).map, diverging);
  // A scale with ends of its own keeps them.
  Coloured layers;
  layers.add("Layers", diverging, 0, 1, {0.2f, 0.9f});
  EXPECT_EQ(steady({&layers}, layers), layers.list.scales[0]);
}

TEST(Scales, OneLegendForOneThing) {
  Coloured two;
  two.add("Speed", sequential, 0, 1, {0, 1});
  two.add("Speed", sequential, 0, 2, {0, 2});
  two.add("Heat", sequential, 0, 2, {0, 2});
  SteadyScales scales;
  scales.see(two.list);
  scales.apply(two.list);
  EXPECT_EQ(two.list.scales.size(), 2u);
  EXPECT_EQ(two.list.meshes[0].scale, two.list.meshes[1].scale);
  EXPECT_EQ(two.list.scales[static_cast<std::size_t>(two.list.meshes[2].scale)].title, "Heat");
}

TEST(Scenes, LeaveOutPlacesThatNobodyAsksFor) {
  Opened opened(R"({"sinew": 1, "nodes": [{"id": "bar", "type": "tet.box"},
    {"id": "soft", "type": "sim.shape_match"}], "links": ["bar.solid -> soft.solid"]})");
  const Result<Scene> scene = opened.plan();
  ASSERT_TRUE(scene) << scene.error();
  for (const std::string& name : opened.targets(*scene)) {
    EXPECT_NE(name, "soft.centre");
    EXPECT_NE(name, "soft.momentum");
    EXPECT_NE(name, "soft.impulse");
  }
  EXPECT_TRUE(opened.plan({"soft.centre"}));
}

}  // namespace
}  // namespace sinew
