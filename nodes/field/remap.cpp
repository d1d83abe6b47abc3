// A field seen through a chart.
#include "nodes/kernels/field_ops.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<Field> field;
In<Chart> chart;
Out<Field> out;

void declare(Declaration& d) {
  d.id("field.remap", 1).label("Remap").category("Field");
  d.doc("Reads a chart at each value of a field.");
  d.in(field, "field", Field::constant(0)).range(-1e9, 1e9).doc("Where to read the chart.");
  d.in(chart, "chart", identity_chart()).doc("From the old value (x) to the new one (y).");
  d.out(out, "field").on(field).doc("The new values.");
}

void exec(Exec& e) { e.set(out, kernels::remap(e.get(chart), e.get(field))); }

}  // namespace
}  // namespace sinew

SINEW_NODE(field_remap, declare, exec)
