// Which body values live on, followed through declarations alone.
#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/graph/test_nodes.h"

namespace sinew {

namespace testing {
namespace {
struct Shape {};    // a body
struct Block {};    // another, which becomes a Shape where one is wanted
struct Numbers {};  // one number for each element of a body
}  // namespace
}  // namespace testing

template <>
const TypeInfo& type_of<testing::Shape>() {
  static const TypeInfo type = [] {
    TypeInfo t;
    t.name = "shape";
    return t;
  }();
  return type;
}
template <>
const TypeInfo& type_of<testing::Block>() {
  static const TypeInfo type = [] {
    TypeInfo t;
    t.name = "block";
    return t;
  }();
  return type;
}
template <>
const TypeInfo& type_of<testing::Numbers>() {
  static const TypeInfo type = [] {
    TypeInfo t;
    t.name = "numbers";
    t.per_element = true;
    return t;
  }();
  return type;
}

namespace testing {
namespace {

In<Shape> shape;
In<Numbers> a, b;
Out<Shape> made;
Out<Block> block;
Out<Numbers> out;

void named(Declaration& d, const char* id) { d.id(id, 1).label(id).category("Test").doc(id); }

void declare_shape(Declaration& d) {
  named(d, "body.shape");
  d.in(shape, "shape").optional();
  d.out(made, "shape");
}
void declare_block(Declaration& d) {
  named(d, "body.block");
  d.out(block, "block");
}
void declare_measure(Declaration& d) {
  named(d, "body.measure");
  d.in(shape, "shape").accepts<Block>();
  d.out(out, "numbers").on(shape);
}
void declare_sum(Declaration& d) {
  named(d, "body.sum");
  d.in(a, "a").optional();
  d.in(b, "b").optional();
  d.out(out, "numbers").on(a, b);
}
void declare_constant(Declaration& d) {
  named(d, "body.constant");
  d.out(out, "numbers").on_nothing();
}
void declare_cut(Declaration& d) {
  named(d, "body.cut");
  d.in(a, "numbers");
  d.out(made, "shape");
  d.out(out, "numbers").on(made);
}
void nothing(Exec&) {}

const Registry& bodies() {
  static const Registry& registry = []() -> const Registry& {
    static Registry r;
    r.add_type(type_of<Shape>());
    r.add_type(type_of<Block>());
    r.add_type(type_of<Numbers>());
    r.add_type(*test_registry().curve_type());
    r.add_conversion(type_of<Block>(), type_of<Shape>(), [](const Value& v) { return v; });
    r.add_conversion(type_of<float>(), type_of<Numbers>(), [](const Value& v) { return v; });
    for (auto* declare : {declare_shape, declare_block, declare_measure, declare_sum,
                          declare_constant, declare_cut})
      r.add(compute_node(declare, nothing));
    for (const char* id :
         {"test.number", "test.pick", "reroute", "view", "group", "group.input", "group.output"})
      r.add(*test_registry().find(id));
    return r;
  }();
  return registry;
}

// "body.output", or "-" where there is none.
std::string body_of(const GraphDoc& doc, const std::string& output) {
  const GraphPtr graph = CompiledGraph::compile(doc, bodies());
  const Result<Target> target = graph->find_output(output);
  if (!target) return target.error();
  const std::optional<Target> body = graph->body_of(*target);
  if (!body) return "-";
  const CompiledNode& node = graph->node(body->node);
  return node.path + "." + node.type->outputs[body->output].name;
}

GraphDoc measured() {
  GraphDoc doc;
  Builder(doc)
      .node("shape", "body.shape")
      .node("other", "body.shape")
      .node("block", "body.block")
      .node("measure", "body.measure")
      .node("constant", "body.constant")
      .link("shape.shape -> measure.shape");
  return doc;
}

TEST(BodyOf, AnInputOrAnOutputOfTheNode) {
  GraphDoc doc = measured();
  Builder(doc).node("cut", "body.cut").link("measure.numbers -> cut.numbers");
  EXPECT_EQ(body_of(doc, "measure.numbers"), "shape.shape");
  EXPECT_EQ(body_of(doc, "cut.numbers"), "cut.shape");
}

TEST(BodyOf, ABodyNeedsNone) {
  const GraphDoc doc = measured();
  EXPECT_EQ(body_of(doc, "shape.shape"), "-");
  EXPECT_EQ(body_of(doc, "block.block"), "-");
}

TEST(BodyOf, AConstantHasNone) { EXPECT_EQ(body_of(measured(), "constant.numbers"), "-"); }

TEST(BodyOf, NothingLinkedIsNothing) {
  GraphDoc doc = measured();
  doc.graph.links.clear();
  Builder(doc).node("sum", "body.sum");
  EXPECT_EQ(body_of(doc, "measure.numbers"), "-");
  EXPECT_EQ(body_of(doc, "sum.numbers"), "-");
}

TEST(BodyOf, OfSeveralTheFirstThatLeadsToABody) {
  GraphDoc doc = measured();
  Builder(doc)
      .node("second", "body.measure")
      .node("sum", "body.sum")
      .node("number", "test.number")
      .link("other.shape -> second.shape")
      .link("second.numbers -> sum.b");
  EXPECT_EQ(body_of(doc, "sum.numbers"), "other.shape");
  GraphDoc both = doc, constant = doc, converted = doc;
  Builder(both).link("measure.numbers -> sum.a");
  EXPECT_EQ(body_of(both, "sum.numbers"), "shape.shape");
  Builder(constant).link("constant.numbers -> sum.a");
  EXPECT_EQ(body_of(constant, "sum.numbers"), "other.shape");
  Builder(converted).link("number.out -> sum.a");
  EXPECT_EQ(body_of(converted, "sum.numbers"), "other.shape");
}

TEST(BodyOf, ThroughWhatForwards) {
  GraphDoc doc = measured();
  Builder(doc)
      .node("bend", "reroute")
      .node("view", "view")
      .link("measure.numbers -> bend.in")
      .link("bend.out -> view.value");
  EXPECT_EQ(body_of(doc, "view.value"), "shape.shape");
  // In front of the node that makes the values as well.
  Builder(doc)
      .node("road", "reroute")
      .node("end", "body.measure")
      .link("other.shape -> road.in")
      .link("road.out -> end.shape");
  EXPECT_EQ(body_of(doc, "end.numbers"), "other.shape");
  EXPECT_EQ(body_of(doc, "road.out"), "-");
}

TEST(BodyOf, ThroughMutedNodes) {
  GraphDoc doc = measured();
  Builder(doc)
      .node("step", "body.shape")
      .node("end", "body.measure")
      .link("other.shape -> step.shape")
      .link("step.shape -> end.shape");
  EXPECT_EQ(body_of(doc, "end.numbers"), "step.shape");
  for (NodeDoc& n : doc.graph.nodes) n.muted = n.id == "step";
  EXPECT_EQ(body_of(doc, "end.numbers"), "other.shape");
  for (NodeDoc& n : doc.graph.nodes) n.muted = n.id == "end";
  EXPECT_EQ(body_of(doc, "end.numbers"), "-");  // it has nothing to hand on
}

TEST(BodyOf, ThroughAChoice) {
  GraphDoc doc = measured();
  Builder(doc)
      .node("second", "body.measure")
      .node("pick", "test.pick", {{"index", 1}})
      .link("other.shape -> second.shape")
      .link("measure.numbers -> pick.a")
      .link("second.numbers -> pick.b");
  EXPECT_EQ(body_of(doc, "pick.out"), "other.shape");
  set_param(doc, "pick", "index", 0);
  EXPECT_EQ(body_of(doc, "pick.out"), "shape.shape");
  // What is chosen is not known before it runs: the first.
  set_param(doc, "pick", "index", {{"animate", {{"steps", Json::array({{0, 1}})}}}});
  EXPECT_EQ(body_of(doc, "pick.out"), "shape.shape");
}

TEST(BodyOf, OneOfSeveralBodiesIsTheChoiceItself) {
  GraphDoc doc = measured();
  Builder(doc)
      .node("pick", "test.pick", {{"index", 1}})
      .node("end", "body.measure")
      .link("shape.shape -> pick.a")
      .link("other.shape -> pick.b")
      .link("pick.out -> end.shape");
  EXPECT_EQ(body_of(doc, "end.numbers"), "other.shape");
  set_param(doc, "pick", "index", {{"animate", {{"steps", Json::array({{0, 1}})}}}});
  EXPECT_EQ(body_of(doc, "end.numbers"), "pick.out");
}

GraphDoc with_group(const char* feed) {
  GraphDoc doc = measured();
  GroupDoc& group = doc.groups["measured"];
  group.inputs = {{"body", "Body", "shape", nullptr, "", Json::object()}};
  group.outputs = {{"numbers", "", "numbers", nullptr, "", Json::object()}};
  Builder(doc, "measured")
      .node("in", "group.input")
      .node("out", "group.output")
      .node("measure", "body.measure")
      .link("in.body -> measure.shape")
      .link("measure.numbers -> out.numbers");
  Builder(doc).group_node("g", "measured").link(std::string(feed) + " -> g.body");
  return doc;
}

TEST(BodyOf, ThroughTheEndsOfAGroup) {
  EXPECT_EQ(body_of(with_group("shape.shape"), "g.numbers"), "shape.shape");
  EXPECT_EQ(body_of(with_group("shape.shape"), "g/measure.numbers"), "shape.shape");
}

// A block becomes a shape at the door of the group: the numbers belong to what it became.
TEST(BodyOf, StopsWhereABodyIsConverted) {
  const GraphDoc doc = with_group("block.block");
  const GraphPtr graph = CompiledGraph::compile(doc, bodies());
  const std::optional<Target> body = graph->body_of(*graph->find_output("g.numbers"));
  ASSERT_TRUE(body);
  EXPECT_EQ(graph->node(body->node).path, "g");
  EXPECT_EQ(graph->node(body->node).output_types[body->output], &type_of<Shape>());
  // Where it is taken as it is, it is the body.
  GraphDoc direct = measured();
  Builder(direct).node("end", "body.measure").link("block.block -> end.shape");
  EXPECT_EQ(body_of(direct, "end.numbers"), "block.block");
}

// Each node reads the one before it twice, and none has a body: 2^200 ways, and far too deep for
// recursion in the second graph.
TEST(BodyOf, LongAndEntangledGraphs) {
  GraphDoc doc = measured();
  Builder builder(doc);
  std::string last = "constant.numbers";
  for (int i = 0; i < 200; ++i) {
    const std::string id = "sum" + std::to_string(i);
    builder.node(id, "body.sum").link(last + " -> " + id + ".a").link(last + " -> " + id + ".b");
    last = id + ".numbers";
  }
  EXPECT_EQ(body_of(doc, last), "-");
  GraphDoc chain = measured();
  Builder long_builder(chain);
  last = "measure.numbers";
  for (int i = 0; i < 50000; ++i) {
    const std::string id = "r" + std::to_string(i);
    long_builder.node(id, "reroute").link(last + " -> " + id + ".in");
    last = id + ".out";
  }
  EXPECT_EQ(body_of(chain, last), "shape.shape");
}

TEST(BodyOf, WrongGraphsDoNotMatter) {
  GraphDoc doc = measured();
  Builder(doc)
      .node("strange", "body.unknown")
      .node("newer", "test.pick")
      .node("end", "body.measure")
      .node("x", "body.sum")
      .node("y", "body.sum")
      .link("strange.shape -> end.shape")
      .link("x.numbers -> y.a")
      .link("y.numbers -> x.a");
  for (NodeDoc& n : doc.graph.nodes)
    if (n.id == "newer") n.version = 99;
  EXPECT_EQ(body_of(doc, "end.numbers"), "-");
  EXPECT_EQ(body_of(doc, "newer.out"), "-");
  EXPECT_EQ(body_of(doc, "x.numbers"), "-");
}

TEST(BodyOf, ASocketThatIsNotDeclaredIsAMistake) {
  static In<Shape> missing;
  const auto declare = +[](Declaration& d) {
    named(d, "body.wrong");
    d.out(out, "numbers").on(missing);
  };
  EXPECT_THROW(compute_node(declare, nothing), std::logic_error);
}

}  // namespace
}  // namespace testing
}  // namespace sinew
