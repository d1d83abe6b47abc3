// One of several inputs. Only the chosen one is evaluated.
#include <algorithm>

#include "nodes/node.h"

namespace sinew {
namespace {

In<int> choice;
In<Any> a, b, c, d;
Out<Any> out;

void declare(Declaration& words) {
  words.id("switch", 1).label("Switch").category("Flow");
  words.doc("Hands on one of its inputs. The others are not evaluated.");
  words.in(choice, "index", 0)
      .range(0, 3)
      .selector()
      .doc("Which input: 0 is a, 1 is b, 2 is c, 3 is d.");
  words.in(a, "a").optional().generic("T").doc("Taken for index 0.");
  words.in(b, "b").optional().generic("T").doc("Taken for index 1.");
  words.in(c, "c").optional().generic("T").doc("Taken for index 2.");
  words.in(d, "d").optional().generic("T").doc("Taken for index 3.");
  words.out(out, "value").generic("T").doc("The chosen input.");
}

int choose(const Exec& e) {
  const int inputs[] = {a.index, b.index, c.index, d.index};
  return inputs[std::clamp(e.get(choice), 0, 3)];
}

}  // namespace
}  // namespace sinew

SINEW_SELECT(flow_switch, declare, choose)
