// A remark on the canvas.
#include "nodes/node.h"

namespace sinew {
namespace {

In<std::string> text;

void declare(Declaration& d) {
  d.id("note", 1).label("Note").category("Flow").role(NodeRole::annotation);
  d.doc("A remark for whoever reads the graph.");
  d.in(text, "text", "").multiline().doc("What it says.");
}

}  // namespace
}  // namespace sinew

SINEW_STRUCTURAL(flow_note, declare)
