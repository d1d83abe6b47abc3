// Documents with nodes of earlier versions open, are of this version when they are written, and
// run.
#include <fstream>
#include <set>

#include "graph/document.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

TEST(OldDocuments, PinsOfVersion1BecomeThoseOfNow) {
  std::vector<NodeMessage> notes;
  const Result<GraphDoc> doc =
      load_document(SINEW_SOURCE_DIR "/tests/graph/corpus/pins_version1.json", all_nodes(), &notes);
  ASSERT_TRUE(doc) << doc.error();
  EXPECT_TRUE(notes.empty());
  std::set<std::string> raised;
  for (const NodeDoc& node : doc->graph.nodes) {
    EXPECT_EQ(node.version, all_nodes().find(node.type)->version) << node.type;
    if (node.version > 1) raised.insert(node.type);
  }
  for (const char* type :
       {"time", "voo.animate", "voo.arthron", "voo.constrain", "voo.material", "voo.deform",
        "voo.normals", "voo.read", "material.curves", "skeleton.animate", "procdef.stimulus"}) {
    EXPECT_TRUE(raised.contains(type)) << type;
  }
  const Result<GraphDoc> again = parse_document(write_document(*doc), all_nodes());
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(write_document(*again), write_document(*doc));

  TestGraph g;
  g.doc = *doc;
  for (const char* output : {"bend.body", "normals.normals", "read.strain", "lead.pose"}) {
    const Outcome outcome = g.run(output, 20);
    EXPECT_EQ(outcome.errors, "") << output;
    EXPECT_TRUE(outcome.value) << output;
  }
}

}  // namespace
}  // namespace sinew::testing
