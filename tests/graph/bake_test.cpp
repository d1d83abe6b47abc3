// Results on disk: there again with the same bits, and never a danger.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <random>

#include "graph/atomic_file.h"
#include "graph/background.h"
#include "graph/bake_store.h"
#include "tests/graph/test_nodes.h"

namespace sinew {
namespace {

using namespace testing;
namespace fs = std::filesystem;

class BakeTest : public ::testing::Test {
 protected:
  BakeTest() {
    folder_ = fs::temp_directory_path() /
              ("sinew_bake_test_" + std::to_string(::getpid()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
  }
  ~BakeTest() override { fs::remove_all(folder_); }

  static NodeResult result_of(float x) {
    NodeResult result;
    result.outputs = {Value::of(x), Value::of(std::string("words")), Value::of(true),
                      Value::of(Vec3{x, -0.0f, 1e-38f})};
    result.messages = {{Severity::warning, "it is only a test"}};
    result.seconds = 0.25;
    return result;
  }
  static std::vector<const TypeInfo*> types() {
    return {&type_of<float>(), &type_of<std::string>(), &type_of<bool>(), &type_of<Vec3>()};
  }
  static Key key_of(int i) { return KeyHasher(1).word(static_cast<uint64_t>(i)).finish(); }
  fs::path the_file() const {
    for (const auto& entry : fs::directory_iterator(folder_)) return entry.path();
    return {};
  }

  fs::path folder_;
};

TEST_F(BakeTest, WhatWasSavedIsThereInANewStore) {
  {
    BakeStore store(folder_);
    EXPECT_FALSE(store.has(key_of(1)));
    ASSERT_TRUE(store.save(key_of(1), result_of(0.1f)));
    EXPECT_TRUE(store.has(key_of(1)));
  }
  BakeStore store(folder_);
  ASSERT_TRUE(store.has(key_of(1)));
  EXPECT_GT(store.bytes(), 0u);
  const ResultPtr loaded = store.load(key_of(1), types());
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->outputs[0].as<float>(), 0.1f);
  EXPECT_EQ(loaded->outputs[1].as<std::string>(), "words");
  EXPECT_TRUE(loaded->outputs[2].as<bool>());
  EXPECT_TRUE(std::signbit(loaded->outputs[3].as<Vec3>().y)) << "every bit counts";
  EXPECT_EQ(loaded->messages[0].text, "it is only a test");
  EXPECT_EQ(loaded->seconds, 0.25);
  ASSERT_TRUE(store.clear());
  EXPECT_FALSE(store.has(key_of(1)));
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(BakeTest, WhatFailedIsNotKept) {
  BakeStore store(folder_);
  NodeResult failed = result_of(1);
  failed.failed = true;
  EXPECT_FALSE(store.save(key_of(1), failed));
  EXPECT_EQ(store.count(), 0u);
}

TEST_F(BakeTest, OtherTypesAndOtherKeysAreRefused) {
  BakeStore store(folder_);
  ASSERT_TRUE(store.save(key_of(1), result_of(1)));
  EXPECT_FALSE(store.load(key_of(1), {&type_of<float>()}));
  EXPECT_EQ(store.take_warnings().size(), 1u);
  EXPECT_FALSE(store.has(key_of(1))) << "tried once";
  // A file under another's name.
  fs::rename(the_file(), folder_ / (key_of(2).hex() + ".result"));
  BakeStore again(folder_);
  ASSERT_TRUE(again.has(key_of(2)));
  EXPECT_FALSE(again.load(key_of(2), types()));
}

TEST_F(BakeTest, DamagedFilesAreIgnoredWithAWord) {
  BakeStore first(folder_);
  ASSERT_TRUE(first.save(key_of(1), result_of(1)));
  const fs::path file = the_file();
  const std::string good = *read_file(file, 1 << 20);
  std::mt19937 random(7);
  for (int trial = 0; trial < 400; ++trial) {
    std::string bad = good;
    if (trial % 3 == 0) {
      bad.resize(random() % bad.size());
    } else if (trial % 3 == 1) {
      bad[random() % bad.size()] ^= static_cast<char>(1 + random() % 255);
    } else {
      // Sizes that would take the machine.
      for (std::size_t i = 40; i < 48; ++i) bad[i] = static_cast<char>(random());
    }
    std::ofstream(file, std::ios::binary).write(bad.data(), static_cast<long>(bad.size()));
    BakeStore store(folder_);
    EXPECT_FALSE(store.load(key_of(1), types())) << trial;
    EXPECT_EQ(store.take_warnings().size(), 1u) << trial;
  }
  // Other things in the folder are nobody's business.
  std::ofstream(folder_ / "notes.txt") << "mine";
  std::ofstream(folder_ / "zz.result") << "not a key";
  BakeStore store(folder_);
  EXPECT_EQ(store.count(), 1u);
  ASSERT_TRUE(store.clear());
  EXPECT_TRUE(fs::exists(folder_ / "notes.txt"));
}

// Bytes with a right checksum can still be anything.
TEST_F(BakeTest, HostileContentIsRefused) {
  Packer packer;
  packer.number(uint64_t{1} << 60);  // so many floats
  packer.number(1.0f);
  Unpacker unpacker(packer.content());
  std::vector<float> numbers;
  EXPECT_FALSE(unpacker.array(numbers));
  EXPECT_FALSE(unpacker.good());
  std::string text;
  EXPECT_FALSE(Unpacker("abc").text(text));
  EXPECT_FALSE(Unpacker("").shared("part", {}));
}

TEST_F(BakeTest, SharedPartsAreWrittenOnce) {
  const auto part = std::make_shared<const int>(7);
  Packer::Known known;
  Packer one(&known), two(&known);
  const auto write = [&](Packer& p) { p.number(*part); };
  one.shared("number", part, write);
  two.shared("number", part, write);
  EXPECT_EQ(one.new_parts().size(), 1u);
  EXPECT_EQ(two.new_parts().size(), 0u);
  EXPECT_EQ(one.content(), two.content());
}

GraphDoc counting(float rate) {
  GraphDoc doc;
  Builder(doc).node("c", "test.counter", {{"rate", rate}});
  return doc;
}

// Every frame from `first` on; the results under their keys.
void bake(Evaluator& evaluator, const CompiledGraph& graph, BakeStore& store, int last) {
  for (int f = 0; f <= last; ++f) {
    Context context;
    context.frame = f;
    const Evaluation evaluation = evaluator.evaluate(graph, context);
    for (const TargetResult& t : evaluation.targets)
      ASSERT_TRUE(store.save(t.result_key, *evaluator.cache().get(t.result_key)));
  }
}

TEST_F(BakeTest, ANewEvaluatorTakesItFromTheDiskAndRunsNothing) {
  const GraphDoc doc = counting(0.1f);
  const GraphPtr graph = CompiledGraph::compile(doc, test_registry());
  std::vector<float> computed;
  {
    Evaluator evaluator;
    BakeStore store(folder_);
    bake(evaluator, *graph, store, 20);
    for (int f = 0; f <= 20; ++f) {
      Context context;
      context.frame = f;
      computed.push_back(evaluator.evaluate(*graph, context).targets[0].value.as<float>());
    }
  }
  run_counts().reset();
  Evaluator evaluator;
  evaluator.set_bake(std::make_shared<BakeStore>(folder_));
  for (const int f : {20, 0, 7, 13}) {
    Context context;
    context.frame = f;
    const Evaluation evaluation = evaluator.evaluate(*graph, context);
    EXPECT_EQ(evaluation.targets[0].value.as<float>(), computed[static_cast<size_t>(f)]);
    EXPECT_EQ(evaluation.runs, 0);
    EXPECT_EQ(evaluation.steps, 0);
    EXPECT_EQ(evaluation.hits, 1);
  }
  // Another graph has other keys: it is simply computed.
  const GraphPtr other = CompiledGraph::compile(counting(0.2f), test_registry());
  Context context;
  context.frame = 3;
  EXPECT_GT(evaluator.evaluate(*other, context).steps, 0);
  // Beyond what was baked, it runs from the start on.
  context.frame = 22;
  Evaluator fresh;
  EXPECT_EQ(evaluator.evaluate(*graph, context).targets[0].value.as<float>(),
            fresh.evaluate(*graph, context).targets[0].value.as<float>());
}

TEST_F(BakeTest, ADamagedBakeIsComputedAnew) {
  const GraphPtr graph = CompiledGraph::compile(counting(1), test_registry());
  {
    Evaluator evaluator;
    BakeStore store(folder_);
    bake(evaluator, *graph, store, 5);
  }
  for (const auto& entry : fs::directory_iterator(folder_)) fs::resize_file(entry.path(), 30);
  Evaluator evaluator;
  const auto store = std::make_shared<BakeStore>(folder_);
  evaluator.set_bake(store);
  Context context;
  context.frame = 5;
  const Evaluation evaluation = evaluator.evaluate(*graph, context);
  EXPECT_FALSE(evaluation.failed());
  EXPECT_GT(evaluation.steps, 0);
  EXPECT_FALSE(store->take_warnings().empty());
}

TEST(ResultKeys, TellWhatTheCacheHasWithoutRunning) {
  GraphDoc doc = counting(1);
  const GraphPtr graph = CompiledGraph::compile(doc, test_registry());
  const std::vector<Target> targets = graph->default_targets();
  Evaluator evaluator;
  run_counts().reset();
  const auto keys = evaluator.result_keys(*graph, targets, {}, 0, 30);
  EXPECT_EQ(run_counts().of("counter.init"), 0);
  ASSERT_EQ(keys.size(), 31u);
  for (const int f : {4, 12}) {
    Context context;
    context.frame = f;
    const Evaluation evaluation = evaluator.evaluate(*graph, context);
    EXPECT_EQ(evaluation.targets[0].result_key, keys[static_cast<size_t>(f)][0]);
  }
  for (int f = 0; f <= 30; ++f)
    EXPECT_EQ(evaluator.cache().contains(keys[static_cast<size_t>(f)][0]), f == 4 || f == 12) << f;
  // Changed and changed back: the same keys, so the same frames are there again.
  set_param(doc, "c", "rate", 2);
  const GraphPtr changed = CompiledGraph::compile(doc, test_registry());
  const auto others = evaluator.result_keys(*changed, targets, {}, 0, 30);
  EXPECT_NE(others[4], keys[4]);
  set_param(doc, "c", "rate", 1);
  const GraphPtr back = CompiledGraph::compile(doc, test_registry());
  EXPECT_EQ(evaluator.result_keys(*back, targets, {}, 0, 30), keys);
  // Some frames only, and none if it is stopped.
  const auto part = evaluator.result_keys(*back, targets, {}, 10, 12);
  EXPECT_EQ(part[2], keys[12]);
  const std::atomic<bool> stop{true};
  EXPECT_TRUE(evaluator.result_keys(*back, targets, {}, 0, 30, &stop).empty());
}

TEST(ResultKeys, ComeAfterAnEvaluationThatAskedForThem) {
  const GraphPtr graph = CompiledGraph::compile(counting(1), test_registry());
  Evaluator evaluator;
  BackgroundEvaluator background(evaluator);
  BackgroundEvaluator::Request request{graph, graph->default_targets(), {}};
  request.survey = {graph->default_targets(), 0, 9};
  background.submit(request);
  background.wait_until_idle();
  ASSERT_TRUE(background.take());
  const auto survey = background.take_survey();
  ASSERT_TRUE(survey);
  EXPECT_EQ(survey->keys.size(), 10u);
  EXPECT_EQ(survey->graph, graph);
}

}  // namespace
}  // namespace sinew
