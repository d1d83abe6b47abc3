#include <cmath>
#include <set>

#include "graph/pack.h"
#include "nodes/kernels/named_materials.h"
#include "nodes/kernels/restoration.h"
#include "tests/nodes/harness.h"
#include "tests/nodes/show_helper.h"

namespace sinew::testing {
namespace {

Value packed_and_back(const Value& value) {
  Packer packer;
  value.type()->pack(value.data(), packer);
  Unpacker unpacker(packer.content());
  return value.type()->unpack(unpacker);
}

TEST(MaterialNodes, StandardValuesAreThoseOfAMaterial) {
  TestGraph g;
  g.node("it", "material.curves");
  Material made = g.get<Material>("it.material");
  EXPECT_EQ(made.source, "Drawn by eye.");
  made.source.clear();
  EXPECT_EQ(made, Material());
  EXPECT_EQ(g.get<float>("it.permanent"), 0);
  // omega0 = sqrt(50 / 50)
  EXPECT_NEAR(g.get<float>("it.period"), 2 * M_PI, 1e-5);
}

// The material says of a strain what a pin of it does, which is drawn out by that and let go.
TEST(MaterialNodes, WhatStaysIsWhatStaysOfAPin) {
  double least = 0;
  for (const char* damped : {"total", "elastic", "kinetic"}) {
    for (const double mass : {0.5, 1.5, 1.8, 5.0, 20.0}) {
      for (const double e : {0.3, 0.7, 0.9, 0.99, 3.0}) {
        TestGraph g;
        g.node("it", "material.curves", {{"damped", damped}, {"mass", mass}, {"strain", e}});
        g.node("pin", "voo.create", {{"tip", {0, 1, 0}}});
        g.node("move", "voo.animate", {{"tip", {0, e, 0}}}).link("pin.voos", "move.voos");
        g.node("stuff", "voo.material", {{"hold", Json::parse("[[0, 0]]")}});
        g.link("move.voos", "stuff.voos").link("it.material", "stuff.material");
        g.node("read", "voo.read").link("stuff.voos", "read.voos");
        const float stays = g.get<float>("it.permanent");
        EXPECT_NEAR(g.get<float>("stuff.permanent", 3), stays, 1e-6) << damped << mass << ", " << e;
        EXPECT_NEAR(g.get<float>("stuff.strain", 90), stays, 1e-6) << damped << mass << ", " << e;
        EXPECT_NEAR(g.get<float>("read.strain", 90), stays, 1e-6) << damped << mass << ", " << e;
        least = std::min(least, static_cast<double>(stays));
      }
    }
  }
  EXPECT_LT(least, -0.85);  // where a pin takes less than the equations say
}

TEST(MaterialNodes, AFeelStaysWithinWhatSimulationsTake) {
  for (int i = 0; i < kernels::named_material_count; ++i) {
    for (const double speed : {0.001, 1.0, 1000.0}) {
      TestGraph g;
      g.node("it", "material.named",
             {{"material", std::string(kernels::name_of(static_cast<kernels::NamedMaterial>(i)))}})
          .node("feel", "material.feel", {{"speed", speed}})
          .link("it.material", "feel.material");
      const float f = g.get<float>("feel.frequency"), d = g.get<float>("feel.damping");
      EXPECT_TRUE(f >= 0.1f && f <= 100) << f;
      EXPECT_TRUE(d > 0 && d <= 2) << d;
      EXPECT_TRUE(g.get<float>("feel.decay") > 0 && g.get<float>("feel.decay") <= 1000);
      EXPECT_TRUE(g.get<int>("feel.passes") >= 1 && g.get<int>("feel.passes") <= 200);
      EXPECT_GT(g.get<float>("feel.times"), 0);
    }
  }
}

TEST(MaterialNodes, EveryCurveArrives) {
  TestGraph g;
  g.node("it", "material.curves",
         {{"stress", Json::parse(R"({"points": [[0, 0], [1, 2], [3, 3]],
                                     "marks": {"elastic": 1, "fracture": 3}})")},
          {"damping", Json::parse("[[0, 1], [0.5, 0.6], [1, 0]]")},
          {"damped", "kinetic"},
          {"mass", 20},
          {"stiffness", 3},
          {"restoration", 2.5},
          {"gradient", Json::parse("[[0, 0], [1, 0.9]]")},
          {"viscosity", 1.5},
          {"creep", Json::parse("[[0, 0.2], [1, 1]]")},
          {"creep_duration", 4},
          {"creep_coefficient", 0.25},
          {"relaxation", Json::parse("[[0, 1], [1, 0.5]]")},
          {"relaxation_duration", 8},
          {"source", "A test."}});
  const Material m = g.get<Material>("it.material");
  EXPECT_EQ(m.elastic_limit(), 1);
  EXPECT_EQ(m.fracture_limit(), 3);
  EXPECT_EQ(m.damping.points[1].y, 0.6);
  EXPECT_EQ(m.damped, DampedEnergy::kinetic);
  EXPECT_EQ(m.mass, 20);
  EXPECT_EQ(m.stiffness, 3);
  EXPECT_EQ(m.restoration, 2.5);
  EXPECT_EQ(m.gradient.points[1].y, 0.9);
  EXPECT_EQ(m.viscosity, 1.5);
  EXPECT_EQ(m.creep.points[0].y, 0.2);
  EXPECT_EQ(m.creep_duration, 4);
  EXPECT_EQ(m.creep_coefficient, 0.25);
  EXPECT_EQ(m.relaxation.points[1].y, 0.5);
  EXPECT_EQ(m.relaxation_duration, 8);
  EXPECT_EQ(m.source, "A test.");
}

TEST(MaterialNodes, WrongCurvesAreRefusedWithASentence) {
  const std::tuple<const char*, const char*, const char*> cases[] = {
      {"damping", "[[0, 1], [1, 0.5]]", "must go from 1 to 0"},
      {"damping", "[[0, 1]]", "must go from 1 to 0"},
      {"creep", "[[0, 0], [1, 2]]", "creep chart must stay from 0 to 1"},
      {"gradient", R"({"points": [[0, 0], [1, 1]], "extension": "cyclic"})", "must not repeat"},
      {"relaxation", R"({"points": [[0, 1], [1, 0.5]], "axis": "ratio"})", "linear axis"},
      {"stress", R"({"points": [[0, 0], [1, 1]], "marks": {"elastic": 5, "fracture": 2}})",
       "exchange them"},
  };
  for (const auto& [input, literal, words] : cases) {
    TestGraph g;
    g.node("it", "material.curves", {{input, Json::parse(literal)}});
    const Outcome outcome = g.run("it.material");
    EXPECT_FALSE(outcome.value);
    EXPECT_NE(outcome.errors.find(words), std::string::npos) << outcome.errors;
  }
}

TEST(MaterialNodes, NamedOnesSayWhereTheyComeFrom) {
  std::set<std::string> sources;
  for (int i = 0; i < kernels::named_material_count; ++i) {
    const auto kind = static_cast<kernels::NamedMaterial>(i);
    TestGraph g;
    g.node("it", "material.named", {{"material", std::string(kernels::name_of(kind))}});
    EXPECT_EQ(g.get<Material>("it.material"), kernels::make_named_material(kind));
    const std::string source = g.get<std::string>("it.source");
    EXPECT_TRUE(source.find("by eye") != std::string::npos) << source;
    EXPECT_TRUE(sources.insert(source).second);
    EXPECT_EQ(g.get<Chart>("it.stress"), kernels::make_named_material(kind).stress);
  }
}

TEST(MaterialNodes, ScalesReachTheMaterial) {
  TestGraph g;
  g.node("it", "material.named",
         {{"material", "anemone_mesogloea"}, {"time_scale", 1e-4}, {"strain_scale", 0.5}});
  const Material m = g.get<Material>("it.material");
  EXPECT_NEAR(m.creep_duration, 5.04, 1e-4);
  EXPECT_NEAR(m.elastic_limit(), 1, 1e-9);
}

TEST(MaterialValues, LiteralsComeBack) {
  std::vector<Material> list(1);
  for (int i = 0; i < kernels::named_material_count; ++i) {
    list.push_back(kernels::make_named_material(static_cast<kernels::NamedMaterial>(i)));
  }
  std::set<Key> keys;
  for (const Material& m : list) {
    const Result<Material> again = material_from_json(material_to_json(m));
    ASSERT_TRUE(static_cast<bool>(again)) << again.error();
    EXPECT_EQ(*again, m);
    const Value value = Value::of(m);
    EXPECT_TRUE(keys.insert(literal_key(value)).second);
    EXPECT_EQ(packed_and_back(value).as<Material>(), m);
    EXPECT_GE(value.bytes(), sizeof(Material));
    EXPECT_EQ(value.type()->tables(value.data()).size(), 6u);
    EXPECT_EQ(value.type()->describe(value.data())["mass"], m.mass);
  }
  EXPECT_EQ(material_to_json(Material()), Json::object());
}

TEST(MaterialValues, WrongLiteralsAreExplained) {
  const std::pair<const char*, const char*> cases[] = {
      {"[1]", "a material is"},
      {R"({"weight": 3})", "a material has no 'weight'"},
      {R"({"mass": "heavy"})", "the mass of a material is a number"},
      {R"({"mass": 0})", "mass"},
      {R"({"mass": 1e300})", "mass"},
      {R"({"damped": "most"})", "total, elastic or kinetic"},
      {R"({"stress": 3})", "the stress chart"},
      {R"({"stress": []})", "at least one point"},
      {R"({"source": 3})", "text"},
  };
  for (const auto& [text, words] : cases) {
    const Result<Material> material = material_from_json(Json::parse(text));
    ASSERT_FALSE(static_cast<bool>(material)) << text;
    EXPECT_NE(material.error().find(words), std::string::npos) << material.error();
  }
}

TEST(MaterialValues, BytesThatDoNotFitGiveNothing) {
  const auto unpacked = [](const std::string& content) {
    Unpacker unpacker(content);
    return type_of<Material>().unpack(unpacker);
  };
  const auto as_text = [](std::string_view text) {
    Packer packer;
    packer.text(text);
    return packer.content();
  };
  for (const std::string& content : {std::string(), std::string("x"), std::string(40, '\0')})
    EXPECT_FALSE(unpacked(content)) << content.size() << " bytes";
  for (const char* text : {"", "{", "[1]", "3", R"({"mass": 0})", R"({"weight": 3})"})
    EXPECT_FALSE(unpacked(as_text(text))) << text;
  const std::string whole =
      as_text(material_to_json(kernels::make_named_material(kernels::NamedMaterial(0))).dump());
  EXPECT_TRUE(unpacked(whole).is<Material>());
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(unpacked(whole.substr(0, size))) << "cut after " << size << " bytes";
}

// Every part is in the hash of the content.
TEST(MaterialValues, VisitContentSeesEveryPart) {
  const auto hash = [](const Material& m) {
    std::string all;
    visit_content(m, [&](std::span<const std::byte> bytes) {
      all.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    });
    return all;
  };
  std::set<std::string> seen = {hash(Material())};
  const auto changed = [&](const auto& change) {
    Material m;
    change(m);
    EXPECT_TRUE(seen.insert(hash(m)).second);
  };
  changed([](Material& m) { m.stress.points[1].y = 2; });
  changed([](Material& m) { m.damping.points[1].y = 0.5; });
  changed([](Material& m) { m.gradient = Chart::constant(0.3); });
  changed([](Material& m) { m.creep.points[1].y = 0.5; });
  changed([](Material& m) { m.relaxation = Chart::constant(0.3); });
  changed([](Material& m) { m.damped = DampedEnergy::kinetic; });
  changed([](Material& m) { m.mass = 7; });
  changed([](Material& m) { m.stiffness = 7; });
  changed([](Material& m) { m.restoration = 7; });
  changed([](Material& m) { m.viscosity = 7; });
  changed([](Material& m) { m.creep_duration = 7; });
  changed([](Material& m) { m.creep_coefficient = 7; });
  changed([](Material& m) { m.relaxation_duration = 7; });
  changed([](Material& m) { m.source = "here"; });
}

TEST(MaterialValues, AMaterialIsShownAsItsStress) {
  const Material tendon = kernels::make_named_material(kernels::NamedMaterial::kangaroo_tendon);
  const draw::DrawList list = seen(shown(Value::of(tendon)));
  expect_sound(list);
  const draw::DrawList chart = seen(shown(Value::of(tendon.stress)));
  EXPECT_EQ(list.lines.size(), chart.lines.size());
  EXPECT_EQ(list.labels.size(), chart.labels.size());
}

TEST(MaterialValues, ReadyMadeOnesAreSound) {
  EXPECT_EQ(type_of<Material>().ready_made.size(),
            static_cast<size_t>(kernels::named_material_count));
  for (const ReadyMade& start : type_of<Material>().ready_made) {
    EXPECT_TRUE(static_cast<bool>(type_of<Material>().from_json(start.literal))) << start.name;
  }
}

}  // namespace
}  // namespace sinew::testing
