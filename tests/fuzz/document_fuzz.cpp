// Any bytes: no crash, no leak, no endless work; and what is read as a document has one canonical
// text, which reads back as the same document.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "graph/commands.h"
#include "graph/document.h"
#include "graph/node_type.h"
#include "graph/registry.h"

namespace {

using namespace sinew;

// A node with a past, so that the upgrades run, too.
const Registry& registry() {
  static const Registry filled = [] {
    Registry r;
    NodeType bend;
    bend.id = "test.bend";
    bend.version = 3;
    bend.formerly = {"test.twirl"};
    bend.upgrades.push_back([](UpgradeStep& step) {
      step.rename_input("shape", "mesh");
      step.rename_output("result", "mesh");
    });
    bend.upgrades.push_back([](UpgradeStep& step) {
      step.params()["angle"] = step.params().at("angle").get<double>() * 180;
      step.remove_input("quality");
    });
    r.add(bend);
    return r;
  }();
  return filled;
}

void demand(bool holds, const char* what, std::string_view text) {
  if (holds) return;
  fmt::print(stderr, "{}:\n{}\n", what, text);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<NodeMessage> notes;
  const Result<GraphDoc> doc = parse_document(text, registry(), &notes);
  if (!doc) {
    demand(doc.error().rfind("line ", 0) == 0, "an error without a position", doc.error());
    demand(doc.error().find('\n') == std::string::npos, "an error of two lines", doc.error());
    return 0;
  }
  const std::string canonical = write_document(*doc);
  const Result<GraphDoc> again = parse_document(canonical, registry());
  demand(static_cast<bool>(again), "the canonical text cannot be read", canonical);
  demand(write_document(*again) == canonical, "the canonical text changes", canonical);

  // As a clipboard: what is read can be pasted, and taken back.
  GraphDoc target = *doc;
  History history(target);
  const Result<Command> paste = paste_fragment(target, "", text, registry(), 0, 0);
  demand(static_cast<bool>(paste), "what is a document cannot be pasted", canonical);
  const Result<void> applied = history.apply(*paste);
  if (applied) history.undo();
  demand(write_document(target) == canonical, "a paste was not undone", canonical);
  return 0;
}
