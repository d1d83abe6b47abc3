// Several sets of operators as one.
#include "nodes/voo_words.h"

namespace sinew {
namespace {

InList<VooSet> voos;
Out<VooSet> out;

void declare(Declaration& d) {
  d.id("voo.merge", 1).label("Merge Operators").category("VOODOO");
  d.doc("Several sets of operators as one.");
  d.in(voos, "voos").label("Operators").doc("Operators, in the order in which they are numbered.");
  d.out(out, "voos").label("Operators").doc("All of them.");
}

void exec(Exec& e) { e.set(out, joined_sets(e, voos)); }

}  // namespace
}  // namespace sinew

SINEW_NODE(voo_merge, declare, exec)
