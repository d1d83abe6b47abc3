// What is read is what was written, and what is written has one form.
#include "graph/document.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "graph/json_reader.h"
#include "graph/registry.h"
#include "tests/graph/document_samples.h"

namespace sinew {
namespace {

using testing::chain_document;

const Registry& no_nodes() {
  static const Registry registry;
  return registry;
}

GraphDoc parse(std::string_view text) {
  Result<GraphDoc> doc = parse_document(text, no_nodes());
  if (!doc) throw std::runtime_error(doc.error());
  return std::move(*doc);
}

std::string canonical(std::string_view text) { return write_document(parse(text)); }

// Every field of every structure, away from its standard value.
constexpr const char* full_document = R"({
  "sinew": 1,
  "meta": {
    "name": "tests/everything",
    "version": "1.2.0",
    "title": "Everything",
    "description": "One of each, so that nothing can be forgotten.",
    "author": "A. Tester",
    "licence": "CC0-1.0",
    "tags": ["test", "all"],
    "thumbnail": "aGVsbG8="
  },
  "settings": {"fps": 29.97, "first_frame": -5, "last_frame": 250, "seed": 42, "gravity": 9.81},
  "nodes": [
    {"id": "box", "type": "mesh.box", "params": {"size": [1, 2.5, 1]}},
    {
      "id": "twist",
      "type": "deform.twist",
      "version": 3,
      "label": "The neck",
      "muted": true,
      "params": {"angle": {"animate": {"points": [[0, 0], [25, 90]]}}},
      "colour": "red"
    },
    {"id": "bell", "type": "group", "group": "tests/bell", "params": {"height": 2}},
    {"id": "note-1", "type": "note", "params": {"text": "Ünïcödé, \"quoted\"\nsecond line"}}
  ],
  "links": [
    "box.mesh -> twist.mesh",
    "twist.mesh -> bell.mesh",
    "nowhere.out -> bell.other"
  ],
  "groups": {
    "tests/bell": {
      "meta": {"version": "0.1.0"},
      "inputs": [
        {"id": "mesh", "type": "mesh"},
        {
          "id": "height",
          "type": "float",
          "name": "Height",
          "default": 1.5,
          "doc": "How high the bell stands above its rim.",
          "range": [0, 10]
        }
      ],
      "outputs": [
        {"id": "mesh", "type": "mesh"}
      ],
      "nodes": [
        {"id": "input", "type": "group.input"},
        {"id": "output", "type": "group.output"}
      ],
      "links": [
        "input.mesh -> output.mesh"
      ],
      "layout": {
        "nodes": {
          "input": {"at": [0, 0]}
        }
      },
      "later": {"a": 1}
    }
  },
  "layout": {
    "nodes": {
      "box": {"at": [0, 0]},
      "twist": {"at": [200.5, -10], "collapsed": true}
    },
    "camera": {"from": [3.0, 3.0, 3.0]},
    "frames": [{"at": [0, 0], "size": [400, 300], "title": "Head"}]
  },
  "another": [null, true, "x"]
}
)";

TEST(Document, TheFullDocumentIsReadIntoItsFields) {
  const GraphDoc doc = parse(full_document);
  EXPECT_EQ(doc.format, 1);
  EXPECT_EQ(doc.meta.name, "tests/everything");
  EXPECT_EQ(doc.meta.tags, (std::vector<std::string>{"test", "all"}));
  EXPECT_EQ(doc.meta.extra["thumbnail"], "aGVsbG8=");
  EXPECT_EQ(doc.settings.fps, 29.97);
  EXPECT_EQ(doc.settings.first_frame, -5);
  EXPECT_EQ(doc.settings.seed, 42);
  EXPECT_EQ(doc.settings.extra["gravity"], 9.81);
  ASSERT_EQ(doc.graph.nodes.size(), 4u);
  const NodeDoc& twist = doc.graph.nodes[1];
  EXPECT_EQ(twist.version, 3);
  EXPECT_TRUE(twist.muted);
  EXPECT_EQ(twist.extra["colour"], "red");
  EXPECT_EQ(doc.graph.find("bell")->group, "tests/bell");
  EXPECT_EQ(doc.graph.links[1], (LinkDoc{{"twist", "mesh"}, {"bell", "mesh"}}));
  const GroupDoc& bell = doc.groups.at("tests/bell");
  EXPECT_TRUE(bell.inputs[0].standard.is_null());
  EXPECT_EQ(bell.inputs[1].standard, 1.5);
  EXPECT_EQ(bell.inputs[1].extra["range"], Json::parse("[0, 10]"));
  EXPECT_EQ(bell.extra["later"]["a"], 1);
  EXPECT_EQ(doc.graph.layout.nodes.at("twist")["collapsed"], true);
  EXPECT_TRUE(doc.graph.layout.extra.contains("frames"));
  EXPECT_TRUE(doc.extra.contains("another"));
}

TEST(Document, CanonicalTextIsWrittenBackByteForByte) {
  EXPECT_EQ(canonical(full_document), full_document);
  EXPECT_EQ(canonical("{\"sinew\": 1}"), "{\n  \"sinew\": 1\n}\n");
  const std::string chain = write_document(chain_document(300));
  EXPECT_EQ(canonical(chain), chain);
}

TEST(Document, OrderAndBlanksDoNotMatter) {
  const std::string loose = R"( { "links":["a.x->b.y"
    ], "nodes":[{"type":"t","id":"a","params":{"z":1,"a":2}},{"id":"b","type":"t","muted":false,
    "version":1,"label":"","params":{}}],"settings":{"fps":25.0},"groups":{},"meta":{},"sinew":1} )";
  EXPECT_EQ(canonical(loose), R"({
  "sinew": 1,
  "nodes": [
    {"id": "a", "type": "t", "params": {"a": 2, "z": 1}},
    {"id": "b", "type": "t"}
  ],
  "links": [
    "a.x -> b.y"
  ]
}
)");
}

TEST(Document, WritingWhatWasReadIsAFixedPoint) {
  const std::string samples[] = {
      R"({"sinew":1,"x":[1.0,1,-0.0,-0,0.1,1e5,1E+22,1e-7,123456789012345678,-9223372036854775808]})",
      R"({"sinew":1,"x":[18446744073709551615,18446744073709551616,5e-324,1.7976931348623157e308]})",
      R"({"sinew":1,"x":"\u0000\u001f\u007f\ud83d\ude00\/\\\"","\u00e9":{"":{}}})",
      R"({"sinew":1,"x":[[],{},[[]],[{}],{"a":[]}],"layout":{},"meta":{"tags":[]}})",
      "\xEF\xBB\xBF{\"sinew\":1}"};
  for (const std::string& text : samples) {
    const std::string once = canonical(text);
    EXPECT_EQ(canonical(once), once) << text;
    EXPECT_EQ(parse(once), parse(text)) << text;
  }
}

TEST(Document, NumbersKeepTheirKindAndValue) {
  const auto written = [](Json value) {
    GraphDoc doc;
    doc.extra["x"] = std::move(value);
    const std::string text = write_document(doc);
    const size_t begin = text.find("\"x\": ") + 5;
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  EXPECT_EQ(written(1), "1");
  EXPECT_EQ(written(1.0), "1.0");
  EXPECT_EQ(written(-0.0), "-0.0");
  EXPECT_EQ(written(0.1), "0.1");
  EXPECT_EQ(written(100000.0), "100000.0");
  EXPECT_EQ(written(1e22), "1e+22");
  EXPECT_EQ(written(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(written(uint64_t(18446744073709551615u)), "18446744073709551615");
  EXPECT_EQ(written(std::numeric_limits<int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(written(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(written(std::numeric_limits<double>::infinity()), "null");
}

TEST(Document, LongLinesAreBrokenAndLongListsOfNumbersFilled) {
  GraphDoc doc;
  NodeDoc node;
  node.id = "paint";
  node.type = "field.paint";
  for (int i = 0; i < 400; ++i) node.params["stroke"].push_back(0.5 * i);
  for (int i = 0; i < 12; ++i) node.params["points"].push_back({i, 100 * i});
  doc.graph.nodes.push_back(node);
  const std::string text = write_document(doc);
  size_t longest = 0, count = 0;
  for (size_t begin = 0; begin < text.size(); ++count) {
    const size_t end = text.find('\n', begin);
    longest = std::max(longest, end - begin);
    begin = end + 1;
  }
  EXPECT_LE(longest, 100u);
  EXPECT_GT(longest, 90u);
  EXPECT_LT(count, 70u);
  EXPECT_NE(text.find("\n          [11, 1100]\n"), std::string::npos) << "one point per line";
  EXPECT_EQ(parse(text), doc);
}

TEST(Document, ColumnsCountCharactersNotBytes) {
  GraphDoc doc;
  // 100 columns with the indentation and the comma: one character more, and the node is broken.
  NodeDoc node;
  node.id = "n";
  node.type = "t";
  const std::string frame = R"(    {"id": "n", "type": "t", "label": ""})";
  for (size_t i = frame.size(); i < 99; ++i) node.label += "ü";
  doc.graph.nodes = {node};
  EXPECT_NE(write_document(doc).find("    {\"id\": \"n\", \"type\""), std::string::npos);
  doc.graph.nodes[0].label += "ü";
  EXPECT_EQ(write_document(doc).find("    {\"id\": \"n\", \"type\""), std::string::npos);
}

TEST(Document, AnUnknownNodeWithItsLinksSurvives) {
  const std::string text = R"({
  "sinew": 1,
  "nodes": [
    {"id": "a", "type": "some.other", "version": 17, "params": {"k": {"deep": [1.0, 1]}}, "z": 0}
  ],
  "links": [
    "a.strange -> b.stranger",
    "b.x -> missing.y"
  ]
}
)";
  EXPECT_EQ(canonical(text), text);
}

TEST(Document, AKnownFieldInExtraIsNotWrittenTwice) {
  GraphDoc doc;
  NodeDoc node;
  node.id = "a";
  node.type = "t";
  node.extra = {{"id", "b"}, {"label", "x"}, {"zoom", 2}};
  doc.graph.nodes.push_back(node);
  const GraphDoc again = parse(write_document(doc));
  EXPECT_EQ(again.graph.nodes[0].id, "a");
  EXPECT_EQ(again.graph.nodes[0].label, "");
  EXPECT_EQ(again.graph.nodes[0].extra, Json({{"zoom", 2}}));
}

TEST(Document, TextThatIsNotUtf8IsRepairedWhenWritten) {
  GraphDoc doc;
  doc.meta.title = "caf\xe9 \xf0\x9f\x98\x80 \xed\xa0\x80";
  const GraphDoc again = parse(write_document(doc));
  EXPECT_EQ(again.meta.title, "caf\uFFFD \U0001F600 \uFFFD\uFFFD\uFFFD");
}

TEST(Document, ValidUtf8IsToldFromInvalid) {
  for (const char* good : {"", "a", "é", "€", "😀", "\xEF\xBF\xBF", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(valid_utf8(good)) << good;
  }
  for (const char* bad : {"\x80", "\xC3", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF5\x80",
                          "\xF4\x90\x80\x80", "\xE2\x82", "a\xFFz"}) {
    EXPECT_FALSE(valid_utf8(bad))
        << Json(std::string(bad)).dump(-1, ' ', true, Json::error_handler_t::replace);
  }
}

TEST(Document, UnusedIdsGoOnCounting) {
  const GraphDoc doc = parse(R"({"sinew": 1, "nodes": [{"id": "box", "type": "t"},
    {"id": "box2", "type": "t"}, {"id": "7", "type": "t"}]})");
  EXPECT_EQ(unused_id(doc.graph, "sphere"), "sphere");
  EXPECT_EQ(unused_id(doc.graph, "box"), "box3");
  EXPECT_EQ(unused_id(doc.graph, "box2"), "box3");
  EXPECT_EQ(unused_id(doc.graph, "7"), "72");
  EXPECT_TRUE(valid_id("a-B_9"));
  for (const char* bad : {"", "a b", "a.b", "ü", "a/b"}) EXPECT_FALSE(valid_id(bad)) << bad;
}

TEST(Document, ThePresetsInTheTestsAreCanonical) {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SINEW_SOURCE_DIR "/tests/presets")) {
    if (entry.path().extension() != ".json") continue;
    const std::string text = testing::read_text(entry.path());
    EXPECT_EQ(canonical(text), text) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 3u);
}

TEST(Document, TheExamplesOfTheManualAreThePresetsInTheTests) {
  const std::string manual = testing::read_text(SINEW_SOURCE_DIR "/docs/format.md");
  for (const char* name : {"pebble", "breathing_ball", "two_hills"}) {
    const std::string preset =
        testing::read_text(std::string(SINEW_SOURCE_DIR "/tests/presets/") + name + ".json");
    EXPECT_NE(manual.find("```json\n" + preset + "```"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace sinew
