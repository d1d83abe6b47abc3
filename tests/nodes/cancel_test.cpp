// A node that is told to stop while it runs makes little more: measured not by time but by the
// memory that it asks for from then on. On one thread, so that it is the same every time.
#include <cstdlib>
#include <new>

#include "tests/nodes/fed_node.h"
#include "tests/nodes/lone_run.h"

namespace {

// What is asked for while it counts; from `limit` on the wish to stop is there.
std::atomic<bool> counts{false}, stop{false};
std::atomic<size_t> asked_for{0}, limit{0}, asked_late{0};

void* take(size_t bytes, size_t alignment) {
  if (counts.load(std::memory_order_relaxed)) {
    if (stop.load(std::memory_order_relaxed)) asked_late += bytes;
    if ((asked_for += bytes) >= limit) stop = true;
  }
  void* const memory =
      alignment <= alignof(std::max_align_t)
          ? std::malloc(bytes > 0 ? bytes : 1)
          : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(size_t bytes) { return take(bytes, 1); }
void* operator new(size_t bytes, std::align_val_t alignment) {
  return take(bytes, static_cast<size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }

namespace sinew::testing {
namespace {

// The largest arrays of a node on these bodies, two or three of them.
constexpr size_t allowed_late = 8 << 20;

struct Counted {
  bool cancelled = false;
  size_t all = 0, late = 0;
  std::string errors;
};

Counted count(LoneRun& node, size_t stop_at) {
  node.forget();
  stop = false;
  limit = stop_at;
  asked_for = asked_late = 0;
  counts = true;
  const Evaluation e = node.run(&stop);
  counts = false;
  return {e.cancelled, asked_for, asked_late, node.errors(e)};
}

class Cancel : public ::testing::TestWithParam<std::string> {
 protected:
  void check(bool on_solids) {
    const NodeType& type = *all_nodes().find(GetParam());
    // Bodies without nodes of their own take long to get them.
    const int detail = type.category == "Meshless" ? 6 : 40, cells = 16;
    FedNode fed(type, detail);  // its files are there as long as it lives
    TestGraph g = fed.fed(on_solids);
    for (const char* axis : {"x", "y", "z"}) g.set(std::string("block.cells_") + axis, cells);
    LoneRun node(std::move(g), type.role == NodeRole::simulate ? 2 : 0, {.threads = 1});
    ASSERT_TRUE(node.feed());
    (void)count(node, SIZE_MAX);  // what is remembered of files is not asked for again
    const Counted whole = count(node, SIZE_MAX);
    ASSERT_FALSE(whole.cancelled);
    for (const int percent : {2, 20, 40, 60, 80}) {
      const Counted part = count(node, std::max<size_t>(1, whole.all / 100 * percent));
      EXPECT_TRUE(part.cancelled) << percent << " % of " << whole.all;
      EXPECT_LE(part.late, allowed_late) << "after " << percent << " % of " << whole.all;
      EXPECT_EQ(part.errors, "");
    }
    RecordProperty("megabytes", static_cast<int>(whole.all >> 20));
  }
};

TEST_P(Cancel, LittleIsMadeAfterwards) { check(false); }
TEST_P(Cancel, LittleIsMadeAfterwardsOnASolid) {
  const std::vector<InputInfo>& inputs = all_nodes().find(GetParam())->inputs;
  if (std::any_of(inputs.begin(), inputs.end(), FedNode::takes_solids)) check(true);
}

std::vector<std::string> ids() {
  std::vector<std::string> list;
  for (const NodeType* type : all_nodes().nodes())
    if ((type->role == NodeRole::compute || type->role == NodeRole::simulate) &&
        !type->outputs.empty())
      list.push_back(type->id);
  return list;
}

INSTANTIATE_TEST_SUITE_P(AllNodes, Cancel, ::testing::ValuesIn(ids()), [](const auto& param) {
  std::string name = param.param;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

}  // namespace
}  // namespace sinew::testing
