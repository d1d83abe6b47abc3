// One clear error with its position for everything that is wrong with a document.
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <random>
#include <sstream>

#include "graph/atomic_file.h"
#include "graph/document.h"
#include "graph/registry.h"
#include "tests/graph/document_samples.h"

namespace sinew {
namespace {

const Registry& no_nodes() {
  static const Registry registry;
  return registry;
}

std::string error_of(std::string_view text) {
  const Result<GraphDoc> doc = parse_document(text, no_nodes());
  return doc ? "no error" : doc.error();
}

struct Wrong {
  const char* text;
  const char* error;
};

class WrongDocument : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongDocument, SaysWhatAndWhere) { EXPECT_EQ(error_of(GetParam().text), GetParam().error); }

INSTANTIATE_TEST_SUITE_P(
    NotJson, WrongDocument,
    ::testing::Values(
        Wrong{"", "line 1, column 1: the text is empty"},
        Wrong{" \n\n ", "line 3, column 2: the text is empty"},
        Wrong{"{\n  \"sinew\": 1,\n  \"nodes\": [\n    {\"id\": \"a\", \"ty",
              "line 4, column 20: not valid JSON: invalid string: missing closing quote; expected "
              "string "
              "literal"},
        Wrong{"{\"sinew\": 1",
              "line 1, column 12: not valid JSON: unexpected end of input; expected '}'"},
        Wrong{"{\"sinew\": 1}\n  {}",
              "line 2, column 3: not valid JSON: unexpected '{'; expected end of input"},
        Wrong{"hello", "line 1, column 1: not valid JSON: invalid literal"},
        Wrong{"{\"sinew\": 1, \"ü\": nul}", "line 1, column 22: not valid JSON: invalid literal"},
        Wrong{"{\"sinew\": 1, \"x\": NaN}", "line 1, column 19: not valid JSON: invalid literal"},
        Wrong{"{\"sinew\": 1, \"x\": Infinity}",
              "line 1, column 19: not valid JSON: invalid literal"},
        Wrong{"{\"sinew\": 1,\n \"x\": 1e999}", "line 2, column 7: the number is too large"},
        Wrong{"{\"sinew\": 1, \"x\": -1e999}", "line 1, column 19: the number is too large"},
        Wrong{"{\"sinew\": 1, \"x\": \"\xff\"}",
              "line 1, column 20: not valid JSON: invalid string: ill-formed UTF-8 byte"},
        Wrong{"{\"sinew\": 1, \"x\": \"a\nb\"}",
              "line 1, column 21: not valid JSON: invalid string: control character U+000A (LF) "
              "must be escaped to \\u000A or \\n"},
        Wrong{"{\"sinew\": 1 \"x\": 2}",
              "line 1, column 13: not valid JSON: unexpected string literal; expected '}'"},
        Wrong{"{\"sinew\": 1, \"x\": [1 true]}",
              "line 1, column 22: not valid JSON: unexpected true literal; expected ']'"},
        Wrong{"{\"sinew\": 1,\n \"a\": {\"b\": 1, \"c\": 2,\n  \"b\": 3}}",
              "line 3, column 3: the key \"b\" stands twice in the same object"}));

INSTANTIATE_TEST_SUITE_P(
    NotADocument, WrongDocument,
    ::testing::Values(
        Wrong{"[1, 2]", "line 1, column 1: not a Sinew document: it must be an object in braces"},
        Wrong{"{}",
              "line 1, column 1: not a Sinew document: it must begin with \"sinew\": 1, the number "
              "of the format"},
        Wrong{"{\"sinew\": \"1\"}",
              "line 1, column 11: \"sinew\" must be the number of the format, from 1"},
        Wrong{"{\"sinew\": 0}",
              "line 1, column 11: \"sinew\" must be the number of the format, from 1"},
        Wrong{"{\"sinew\": -3}",
              "line 1, column 11: \"sinew\" must be the number of the format, from 1"},
        Wrong{"{\n  \"sinew\": 2\n}",
              "line 2, column 12: the document has format 2, and this Sinew reads formats up to 1: "
              "it needs a newer Sinew"}));

INSTANTIATE_TEST_SUITE_P(
    WrongStructure, WrongDocument,
    ::testing::Values(
        Wrong{"{\"sinew\": 1, \"nodes\": {}}",
              "line 1, column 23: \"nodes\" must be a list in brackets, but is an object"},
        Wrong{"{\"sinew\": 1, \"nodes\": [\"box\"]}",
              "line 1, column 24: this must be an object in braces, but is a string"},
        Wrong{"{\"sinew\": 1, \"nodes\": [\n{\"type\": \"t\"}]}",
              "line 2, column 1: the field \"id\" is missing"},
        Wrong{"{\"sinew\": 1, \"nodes\": [\n{\"id\": \"a\"}]}",
              "line 2, column 1: the field \"type\" is missing"},
        Wrong{"{\"sinew\": 1, \"nodes\": [\n{\"id\": 7, \"type\": \"t\"}]}",
              "line 2, column 8: \"id\" must be a string, but is a number"},
        Wrong{"{\"sinew\": 1, \"nodes\": [\n{\"id\": \"a b\", \"type\": \"t\"}]}",
              "line 2, column 8: the id 'a b' of a node is not made of letters, digits, '_' and "
              "'-'"},
        Wrong{"{\"sinew\": 1, \"nodes\": [\n{\"id\": \"a\", \"type\": \"\"}]}",
              "line 2, column 21: node 'a' has no type"},
        Wrong{"{\"sinew\": 1, \"nodes\": [\n{\"id\": \"a\", \"type\": \"t\", \"version\": 0}]}",
              "line 2, column 37: node 'a' has version 0: versions begin at 1"},
        Wrong{"{\"sinew\": 1, \"nodes\": [\n{\"id\": \"a\", \"type\": \"t\", \"version\": 1.5}]}",
              "line 2, column 37: \"version\" must be a whole number, but is a number"},
        Wrong{"{\"sinew\": 1, \"nodes\": [\n{\"id\": \"a\", \"type\": \"t\", \"version\": 1e10}]}",
              "line 2, column 37: \"version\" must be a whole number, but is a number"},
        Wrong{"{\"sinew\": 1, \"nodes\": [\n{\"id\": \"a\", \"type\": \"t\", \"version\": "
              "18446744073709551615}]}",
              "line 2, column 37: the number is too large"},
        Wrong{"{\"sinew\": 1, \"nodes\": [\n{\"id\": \"a\", \"type\": \"t\", \"muted\": 1}]}",
              "line 2, column 35: \"muted\" must be true or false, but is a number"},
        Wrong{"{\"sinew\": 1, \"nodes\": [\n{\"id\": \"a\", \"type\": \"t\"},\n  {\"id\": \"a\", "
              "\"type\": \"t\"}]}",
              "line 3, column 10: a second node with the id 'a'"},
        Wrong{"{\"sinew\": 1, \"links\": [\"a.b -> c\"]}",
              "line 1, column 24: a link must look like \"box.mesh -> twist.mesh\": node.socket -> "
              "node.socket"},
        Wrong{"{\"sinew\": 1, \"links\": [[\"a.b\", \"c.d\"]]}",
              "line 1, column 24: this must be a string like \"box.mesh -> twist.mesh\", but is an "
              "array"},
        Wrong{"{\"sinew\": 1, \"settings\": {\"fps\": 0}}",
              "line 1, column 34: \"fps\" is 0, but must be above 0"},
        Wrong{
            "{\"sinew\": 1, \"settings\": {\"last_frame\": -1}}",
            "line 1, column 41: \"last_frame\" is -1, but must not lie before \"first_frame\", 0"},
        Wrong{"{\"sinew\": 1, \"groups\": {\n\"\": {}}}",
              "line 2, column 5: a group's name is empty or holds control characters"},
        Wrong{"{\"sinew\": 1, \"groups\": {\"g\\u0041\": {\"inputs\": [\n{\"id\": \"a\", \"type\": "
              "\"float\"}, {\"id\": \"a\", \"type\": \"float\"}]}}}",
              "line 2, column 38: a second socket with the id 'a'"},
        Wrong{"{\"sinew\": 1, \"groups\": {\"g\": {\"nodes\": [{\"id\": \"a\", \"type\": \"t\"},"
              "\n{\"id\": \"a\", \"type\": \"t\"}]}}}",
              "line 2, column 8: a second node with the id 'a'"}));

INSTANTIATE_TEST_SUITE_P(
    Cycles, WrongDocument,
    ::testing::Values(
        Wrong{R"({"sinew": 1, "nodes": [{"id": "a", "type": "t"}, {"id": "b", "type": "t"}],
  "links": [
    "a.out -> b.in",
    "b.out -> a.in"
  ]})",
              "line 4, column 5: links form a cycle: a -> b -> a"},
        Wrong{R"({"sinew": 1, "nodes": [{"id": "a", "type": "t"}],
  "links": ["a.out -> a.in"]})",
              "line 2, column 13: links form a cycle: a -> a"},
        Wrong{R"({"sinew": 1, "groups": {
  "g": {"nodes": [{"id": "a", "type": "t"}, {"id": "b", "type": "t"}],
        "links": ["a.out -> b.in", "b.out -> a.in"]}}})",
              "line 3, column 36: links form a cycle: a -> b -> a"},
        Wrong{R"({"sinew": 1, "groups": {
  "g": {"nodes": [{"id": "a", "type": "group", "group": "g"}]}}})",
              "line 2, column 19: the group 'g' contains itself: g -> g"},
        Wrong{R"({"sinew": 1, "groups": {
  "g": {"nodes": [{"id": "a", "type": "group", "group": "h"}]},
  "h": {"nodes": [{"id": "b", "type": "t"}, {"id": "a", "type": "group", "group": "g"}]}}})",
              "line 3, column 45: the group 'g' contains itself: g -> h -> g"}));

TEST(WrongDocuments, AVeryLongCycleIsFoundAndItsMiddleLeftOut) {
  GraphDoc doc;
  for (int i = 0; i < 100000; ++i) {
    NodeDoc node;
    node.id = fmt::format("node{}", i);
    node.type = "t";
    doc.graph.nodes.push_back(node);
    doc.graph.links.push_back({{node.id, "x"}, {fmt::format("node{}", (i + 1) % 100000), "y"}});
  }
  const std::string error = error_of(write_document(doc));
  EXPECT_NE(error.find("links form a cycle: node0 -> node1 -> "), std::string::npos) << error;
  EXPECT_NE(error.find("-> ... (99992 more) -> node0"), std::string::npos) << error;
  EXPECT_LT(error.size(), 300u);
}

TEST(WrongDocuments, EveryTruncationIsAnErrorWithAPosition) {
  const std::string text = write_document(testing::chain_document(20));
  for (size_t length = 0; length + 2 < text.size(); ++length) {
    const std::string error = error_of(text.substr(0, length));
    ASSERT_EQ(error.rfind("line ", 0), 0u) << length << ": " << error;
  }
}

TEST(WrongDocuments, RandomDamageNeverCrashesAndErrorsHaveAPosition) {
  const std::string whole = write_document(testing::chain_document(20));
  std::mt19937 random(7);
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text = whole;
    for (int k = 0; k < 3; ++k) text[random() % text.size()] = static_cast<char>(random());
    const Result<GraphDoc> doc = parse_document(text, no_nodes());
    if (doc) continue;
    ++refused;
    ASSERT_EQ(doc.error().rfind("line ", 0), 0u) << doc.error();
    ASSERT_EQ(doc.error().find('\n'), std::string::npos) << doc.error();
  }
  EXPECT_GT(refused, 1000);
}

TEST(WrongDocuments, FilesThatCannotBeReadSayWhy) {
  const testing::TemporaryFolder folder;
  const auto error = [&](const std::filesystem::path& path, DocumentLimits limits = {}) {
    const Result<GraphDoc> doc = load_document(path, no_nodes(), nullptr, limits);
    return doc ? "no error" : doc.error();
  };
  EXPECT_EQ(error(folder / "missing.json"), "cannot be read: No such file or directory");
  EXPECT_EQ(error(folder.path()), "cannot be read: it is a folder");
  EXPECT_EQ(error("/dev/zero"), "cannot be read: it is not a regular file");
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(error(folder / "pipe"), "cannot be read: it is not a regular file");
  testing::write_text(folder / "large.json", std::string(2000, ' '));
  DocumentLimits small;
  small.file_bytes = 1000;
  EXPECT_EQ(error(folder / "large.json", small),
            "is too large: 2000 bytes, at most 1000 are allowed");
}

// ---- Bounds -------------------------------------------------------------------------------------

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool measures_memory = false;  // a sanitizer's own memory would be counted
#else
constexpr bool measures_memory = true;
#endif

struct Hostile {
  const char* kind;
  const char* error;  // what it begins with
};

class HostileDocument : public ::testing::TestWithParam<Hostile> {};

TEST_P(HostileDocument, IsRefusedWithinItsBounds) {
  const std::string call =
      std::string("'") + SINEW_DOCUMENT_HELPER + "' parse " + GetParam().kind + " 64";
  FILE* pipe = popen(call.c_str(), "r");
  ASSERT_TRUE(pipe);
  std::string output;
  std::array<char, 4096> buffer;
  while (const size_t got = fread(buffer.data(), 1, buffer.size(), pipe)) {
    output.append(buffer.data(), got);
  }
  ASSERT_EQ(pclose(pipe), 0);
  std::istringstream lines(output);
  std::string error;
  long kilobytes = 0;
  double seconds = 0;
  ASSERT_TRUE(std::getline(lines, error));
  ASSERT_TRUE(lines >> kilobytes >> seconds);
  EXPECT_EQ(error.compare(0, std::string(GetParam().error).size(), GetParam().error), 0) << error;
  EXPECT_LT(error.size(), 300u);
  RecordProperty("peak_kilobytes", static_cast<int>(kilobytes));
  if (measures_memory) {
    EXPECT_LE(kilobytes, 256 * 1024);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Huge, HostileDocument,
    ::testing::Values(
        Hostile{"brackets", "line 1, column 65: nested too deeply: at most 64 levels"},
        Hostile{"braces", "line 1, column 321: nested too deeply: at most 64 levels"},
        Hostile{"objects", "line 1, column 3: not valid JSON: unexpected ','"},
        Hostile{"objects-in-list", "line 1, column "}, Hostile{"lists-in-list", "line 1, column "},
        Hostile{"string", "line 1, column 19: a string of 67108846 bytes: at most 8388608"},
        Hostile{"strings", "line 1, column "}, Hostile{"long-strings", "line 1, column "},
        Hostile{"numbers", "line 1, column "},
        Hostile{"digits", "line 1, column 19: the number is too large"},
        Hostile{"blanks", "line 1, column 4194322: too many blanks"},
        Hostile{"garbage", "line 1, column 1: not valid JSON: invalid literal"},
        Hostile{"nodes", "line 1, column "}, Hostile{"links", "line 1, column "},
        Hostile{"most-nodes", "no error"}, Hostile{"most-groups", "no error"},
        Hostile{"most-tags", "no error"}, Hostile{"most-links", "no error"},
        Hostile{"most-numbers", "no error"}, Hostile{"most-members", "no error"}),
    [](const auto& hostile) {
      std::string name = hostile.param.kind;
      for (char& c : name) {
        if (c == '-') c = '_';
      }
      return name;
    });

}  // namespace
}  // namespace sinew
