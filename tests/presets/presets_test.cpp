// Every preset that ships, and those that were written by hand from docs/format.md: they are
// canonical, they check without a word, and they evaluate, at their first frame and later.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "graph/compiled_graph.h"
#include "graph/document.h"
#include "graph/evaluator.h"
#include "tests/presets/preset_registry.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> presets_in(const char* folder) {
  std::vector<std::string> list;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(SINEW_SOURCE_DIR) / folder))
    if (entry.path().extension() == ".json")
      list.push_back(fs::relative(entry.path(), SINEW_SOURCE_DIR).string());
  std::sort(list.begin(), list.end());
  return list;
}

std::vector<std::string> all_presets() {
  std::vector<std::string> list = presets_in("presets");
  for (const std::string& name : presets_in("tests/presets")) list.push_back(name);
  return list;
}

std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class Preset : public ::testing::TestWithParam<std::string> {
 protected:
  fs::path path() const { return fs::path(SINEW_SOURCE_DIR) / GetParam(); }
};

TEST_P(Preset, IsByteEqualAfterLoadingAndSaving) {
  const Result<GraphDoc> doc = load_document(path(), registry());
  ASSERT_TRUE(doc) << doc.error();
  EXPECT_EQ(write_document(*doc), content_of(path()));
}

TEST_P(Preset, ChecksWithoutAWord) {
  std::vector<NodeMessage> notes;
  const Result<GraphDoc> doc = load_document(path(), registry(), &notes);
  ASSERT_TRUE(doc) << doc.error();
  EXPECT_TRUE(notes.empty());
  const GraphPtr graph = CompiledGraph::compile(*doc, registry());
  for (const NodeMessage& m : graph->messages()) ADD_FAILURE() << m.path << ": " << m.message.text;
  for (const NodeMessage& m : graph->missing_files(path().parent_path()))
    ADD_FAILURE() << m.path << ": " << m.message.text;
}

TEST_P(Preset, Evaluates) {
  // What ships is run by PresetsCheck.TheLibraryKeepsWhatItPromises.
  if (GetParam().starts_with("presets/")) return;
  const Result<GraphDoc> doc = load_document(path(), registry());
  ASSERT_TRUE(doc) << doc.error();
  const GraphPtr graph = CompiledGraph::compile(*doc, registry());
  Evaluator evaluator;
  Context context;
  context.fps = doc->settings.fps;
  context.start_frame = doc->settings.first_frame;
  context.last_frame = doc->settings.last_frame;
  context.folder = path().parent_path();
  for (int frame : {doc->settings.first_frame, doc->settings.first_frame + 30}) {
    context.frame = frame;
    const Evaluation e = evaluator.evaluate(*graph, context);
    EXPECT_FALSE(e.failed());
    for (const NodeMessage& m : e.messages(*graph))
      ADD_FAILURE() << m.path << ": " << m.message.text;
    ASSERT_FALSE(e.targets.empty());
    for (const TargetResult& t : e.targets) EXPECT_TRUE(t.value);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Preset, ::testing::ValuesIn(all_presets()), [](const auto& preset) {
  std::string name = preset.param;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

// What stands in the documentation between ```json and ```.
std::vector<std::string> blocks_in(const std::string& page) {
  std::vector<std::string> list;
  const std::string text = content_of(fs::path(SINEW_SOURCE_DIR) / page);
  const std::string open = "```json\n", close = "\n```";
  for (size_t at = 0; (at = text.find(open, at)) != std::string::npos;) {
    at += open.size();
    const size_t end = text.find(close, at);
    list.push_back(text.substr(at, end - at));
    at = end;
  }
  return list;
}

std::vector<std::string> documents_in(const std::string& page) {
  std::vector<std::string> list = blocks_in(page);
  std::erase_if(
      list, [](const std::string& block) { return block.find("\"sinew\"") == std::string::npos; });
  return list;
}

TEST(Documentation, ItsDocumentsEvaluate) {
  for (const char* page : {"README.md", "docs/format.md", "docs/tutorial.md", "docs/cookbook.md"}) {
    const std::vector<std::string> list = documents_in(page);
    EXPECT_FALSE(list.empty()) << page;
    for (const std::string& text : list) {
      const Result<GraphDoc> doc = parse_document(text, registry());
      ASSERT_TRUE(doc) << page << ": " << doc.error();
      const GraphPtr graph = CompiledGraph::compile(*doc, registry());
      for (const NodeMessage& m : graph->messages())
        ADD_FAILURE() << page << ": " << m.path << ": " << m.message.text;
      Evaluator evaluator;
      Context context;
      for (context.frame = 0; context.frame <= 12; context.frame += 6)
        EXPECT_FALSE(evaluator.evaluate(*graph, context).failed()) << page;
    }
  }
}

// Whoever copies a document, or a piece of one, gets nodes as they are today: a node without a
// version is of version 1.
TEST(Documentation, ItsNodesAreOfTheirNewestVersions) {
  const fs::path root = SINEW_SOURCE_DIR;
  std::vector<fs::path> pages = {root / "README.md", root / "CONTRIBUTING.md"};
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(root / "docs"))
    if (file.path().extension() == ".md" || file.path().extension() == ".json")
      pages.push_back(file.path());
  const std::regex node("\"type\":\\s*\"([a-z0-9_.]+)\"(,\\s*\"version\":\\s*([0-9]+))?");
  int newer = 0;
  for (const fs::path& page : pages) {
    const std::string text = content_of(page);
    for (std::sregex_iterator n(text.begin(), text.end(), node), end; n != end; ++n) {
      const NodeType* type = registry().find((*n)[1].str());
      if (!type) continue;
      newer += type->version > 1;
      EXPECT_EQ((*n)[3].matched ? std::stoi((*n)[3].str()) : 1, type->version)
          << page.filename() << ", line "
          << 1 + std::count(text.begin(), text.begin() + n->position(), '\n') << ": " << (*n)[1];
    }
  }
  EXPECT_GT(newer, 30);
}

// A piece of a document that stands alone in the documentation, with what it needs around it.
Json document_around(const Json& piece) {
  Json doc = {{"sinew", 1}, {"nodes", Json::array()}};
  // A value of this type, as a group takes it.
  const auto add_value = [&](const char* type) {
    doc["groups"]["g"]["inputs"].push_back({{"id", "it"}, {"type", type}});
    doc["nodes"].push_back(
        {{"id", "a"}, {"type", "group"}, {"group", "g"}, {"params", {{"it", piece}}}});
  };
  if (piece.contains("stress")) {
    add_value("material");
  } else if (piece.contains("momentum")) {
    add_value("motion_path");
  } else if (piece.contains("points")) {
    doc["nodes"].push_back(
        {{"id", "chart"}, {"type", "field.remap"}, {"params", {{"chart", piece}}}});
  } else if (piece.contains("strokes")) {
    doc["nodes"].push_back(
        {{"id", "paint"}, {"type", "paint.field"}, {"params", {{"strokes", piece}}}});
  } else if (piece.contains("group")) {
    Json inputs = Json::array();
    for (const auto& [name, value] : piece["params"].items())
      inputs.push_back({{"id", name}, {"type", "float"}});
    doc["nodes"].push_back(piece);
    doc["groups"][piece["group"].get<std::string>()]["inputs"] = inputs;
  } else if (piece.contains("id") && registry().find_type(piece["type"].get<std::string>())) {
    doc["groups"]["g"]["inputs"].push_back(piece);
    doc["nodes"].push_back({{"id", "a"}, {"type", "group"}, {"group", "g"}});
  } else if (piece.contains("id")) {
    doc["nodes"].push_back(piece);
  } else if (piece.contains("links") || piece.contains("layout")) {
    doc.update(piece);
  } else {  // one parameter
    doc["nodes"].push_back({{"id", "a"}, {"type", "mesh.transform"}, {"params", piece}});
  }
  return doc;
}

TEST(Documentation, ItsPiecesAreSound) {
  int count = 0;
  for (const std::string& block : blocks_in("docs/format.md")) {
    if (block.find("\"sinew\"") != std::string::npos) continue;
    const Json piece = Json::parse(block.starts_with('{') ? block : "{" + block + "}");
    const Result<GraphDoc> doc = parse_document(document_around(piece).dump(), registry());
    ASSERT_TRUE(doc) << block << ": " << doc.error();
    ++count;
    if (piece.contains("links")) continue;  // between nodes that are not there
    const GraphPtr graph = CompiledGraph::compile(*doc, registry());
    for (int i = 0; i < graph->size(); ++i) {
      const CompiledNode& node = graph->node(i);
      EXPECT_NE(registry().find(node.type->id), nullptr) << block;
      for (const Message& m : node.literals) ADD_FAILURE() << block << ": " << m.text;
    }
  }
  EXPECT_GE(count, 8);
}

// Links to files of the house, and pictures that nobody would see.
TEST(Documentation, ItsLinksLeadSomewhere) {
  const fs::path root = SINEW_SOURCE_DIR;
  const std::regex link("\\]\\(([^)#: ]+)(#[^)]*)?\\)");
  std::vector<fs::path> pages = {root / "README.md", root / "CONTRIBUTING.md"};
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(root / "docs"))
    if (file.path().extension() == ".md") pages.push_back(file.path());
  std::set<fs::path> linked;
  for (const fs::path& page : pages) {
    const std::string text = content_of(page);
    for (std::sregex_iterator l(text.begin(), text.end(), link), end; l != end; ++l) {
      const fs::path to = (page.parent_path() / (*l)[1].str()).lexically_normal();
      EXPECT_TRUE(fs::exists(to)) << (*l)[1] << " in " << page.filename();
      linked.insert(to);
    }
  }
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(root / "docs/pictures")) {
    if (file.path().extension() == ".png") {
      EXPECT_TRUE(linked.contains(file.path().lexically_normal())) << file.path().filename();
    }
  }
}

constexpr const char* source_endings[] = {".h", ".cpp"};

// Whether a path that a text names is there; the end of a word may be left open, as in
// `nodes/kernels/rbf`. Of a pattern (`presets/*/*.json`, `nodes/<family>/`) its folder.
bool is_there(const fs::path& root, std::string named) {
  const std::size_t open = named.find_first_of("*<{");
  if (open != std::string::npos) named.resize(named.rfind('/', open));
  while (named.ends_with('.') || named.ends_with(',')) named.pop_back();
  if (fs::exists(root / named)) return true;
  return std::any_of(std::begin(source_endings), std::end(source_endings),
                     [&](const char* ending) { return fs::exists(root / (named + ending)); });
}

// Every path of this project that the documentation names, and every page that the code names.
TEST(Documentation, ThePathsThatItNamesAreThere) {
  const fs::path root = SINEW_SOURCE_DIR;
  // What a reader is told to write.
  const std::set<std::string> to_write = {"nodes/mesh/inflate.cpp",
                                          "render/shaders/compiled/NAME.h"};
  const std::regex path(
      "(^|[^\\w/.-])((app|cmake|docs|exchange|graph|nodes|presets|render|tests)/[\\w./*{}<>-]*)"),
      page("(^|[^\\w/.-])(docs/[\\w./-]+\\.(md|txt|json|png))");
  int count = 0;
  const auto look = [&](const fs::path& file, const std::regex& what) {
    const std::string text = content_of(file);
    for (std::sregex_iterator m(text.begin(), text.end(), what), end; m != end; ++m, ++count) {
      const std::string named = (*m)[2];
      EXPECT_TRUE(to_write.contains(named) || is_there(root, named))
          << named << " in " << file.lexically_relative(root);
    }
  };
  for (const char* name : {"README.md", "CONTRIBUTING.md"}) look(root / name, path);
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(root / "docs"))
    if (const fs::path ending = file.path().extension(); ending == ".md" || ending == ".txt")
      look(file.path(), path);
  for (const char* room : {"app", "cmake", "exchange", "graph", "nodes", "render", "tests"})
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(root / room))
      if (const fs::path ending = file.path().extension();
          ending == ".h" || ending == ".cpp" || ending == ".cmake")
        look(file.path(), page);
  EXPECT_GE(count, 200);
  EXPECT_FALSE(is_there(root, "presets/search/"));
  EXPECT_FALSE(is_there(root, "nodes/kernels/rb"));
  EXPECT_TRUE(is_there(root, "nodes/kernels/rbf"));
}

// Papers are cited as [Name05], or [Name05, section 3]; several with commas.
TEST(Documentation, WhatIsCitedIsListed) {
  const fs::path root = SINEW_SOURCE_DIR;
  const std::string list = content_of(root / "docs/references.bib");
  const std::regex brackets("\\[([A-Z][A-Za-z]+[0-9][0-9][^\\]\n]*)\\]"),
      key("\\b[A-Z][A-Za-z]+[0-9][0-9]\\b");
  int count = 0;
  for (const char* room : {"graph", "nodes", "render", "app"}) {
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(root / room)) {
      const fs::path ending = file.path().extension();
      if (ending != ".h" && ending != ".cpp") continue;
      const std::string text = content_of(file.path());
      for (std::sregex_iterator b(text.begin(), text.end(), brackets), end; b != end; ++b) {
        const std::string inside = (*b)[1];
        for (std::sregex_iterator k(inside.begin(), inside.end(), key); k != end; ++k, ++count)
          EXPECT_NE(list.find("{" + k->str() + ","), std::string::npos)
              << k->str() << " in " << file.path().filename();
      }
    }
  }
  EXPECT_GE(count, 20);
}

TEST(Presets, AreThere) {
  EXPECT_GE(presets_in("presets").size(), 1u);
  EXPECT_GE(presets_in("tests/presets").size(), 3u);
}

}  // namespace
}  // namespace sinew
