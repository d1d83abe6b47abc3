// The presets of searches: what stands in them as found is what their graphs give.
#include <gtest/gtest.h>

#include <filesystem>

#include "graph/compiled_graph.h"
#include "graph/document.h"
#include "graph/evaluator.h"
#include "graph/numbers.h"
#include "nodes/values.h"
#include "tests/preset_files.h"
#include "tests/presets/preset_registry.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

float number(const GraphDoc& doc, const std::string& output, int frame) {
  const GraphPtr graph = CompiledGraph::compile(doc, registry());
  Context c;
  c.fps = doc.settings.fps;
  c.start_frame = doc.settings.first_frame;
  c.last_frame = doc.settings.last_frame;
  c.frame = frame;
  const Target target = *graph->find_output(output);
  const Evaluation e = Evaluator().evaluate(*graph, {&target, 1}, c);
  EXPECT_TRUE(e.messages(*graph).empty());
  return e.targets[0].value ? e.targets[0].value.as<float>() : 0;
}

TEST(SearchPresets, HoldWhatTheirGraphsGive) {
  int count = 0;
  for (const char* name : {"learning_worm", "tuned_jelly"}) {
    const std::filesystem::path file = testing::preset_file(name);
    Result<GraphDoc> doc = load_document(file, registry());
    ASSERT_TRUE(static_cast<bool>(doc)) << doc.error();
    SCOPED_TRACE(file.filename());
    const NodeDoc* search = doc->graph.find("search");
    ASSERT_TRUE(search && search->type == "search.numbers");
    const int frame = search->params.at("frame").get<int>();
    // The best stands in the parameters, and the last of the candidates is true as well.
    EXPECT_NEAR(number(*doc, "search.cost", frame), number(*doc, "search.cost_found", frame),
                1e-4 * std::abs(number(*doc, "search.cost_found", frame)));
    const Json& found = search->params.at("found");
    const size_t last = found.at("candidates").size() - 1;
    History history(*doc);
    const GraphPtr graph = CompiledGraph::compile(*doc, registry());
    ASSERT_TRUE(static_cast<bool>(history.apply(*apply_found(*graph, found, last))));
    const bool large = search->params.contains("maximise");
    const double cost = found.at("candidates")[last].at("cost").get<double>();
    EXPECT_NEAR(number(*doc, "search.cost", frame), large ? -cost : cost, 1e-4 * std::abs(cost));
    EXPECT_LT(found.at("candidates")[0].at("cost").get<double>(), found.at("start").get<double>());
    ++count;
  }
  EXPECT_EQ(count, 2);
}

}  // namespace
}  // namespace sinew
