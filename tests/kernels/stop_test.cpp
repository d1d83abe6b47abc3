// Work that is no longer wanted ends at the next block of a loop, however deep that loop lies.
#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <numeric>
#include <random>
#include <vector>

#include "nodes/geometry/parallel.h"
#include "nodes/geometry/stoppable_resize.h"

namespace sinew {
namespace {

// On one thread blocks follow one another, so that they can be counted.
template <class Work>
void on_one_thread(const Work& work) {
  tbb::task_arena arena(1);
  arena.execute(work);
}

TEST(Stop, NoBlockBeginsAfterwards) {
  for (const std::size_t count : {std::size_t{2}, std::size_t{7}, std::size_t{1000}}) {
    for (const int at : {0, 1, 5}) {
      on_one_thread([&] {
        std::atomic<bool> stop{at == 0};
        const StopScope scope(&stop);
        int begun = 0;
        const auto loop = [&] { parallel_each(count, [&](std::size_t) { stop = ++begun >= at; }); };
        if (static_cast<std::size_t>(at) <= count) {
          EXPECT_THROW(loop(), Stopped);
          EXPECT_EQ(begun, at);
        } else {
          loop();
          EXPECT_EQ(begun, static_cast<int>(count));
        }
      });
    }
  }
}

TEST(Stop, LoopsWithinLoopsSeeIt) {
  on_one_thread([] {
    std::atomic<bool> stop{false};
    const StopScope scope(&stop);
    int begun = 0;
    EXPECT_THROW(parallel_each(30,
                               [&](std::size_t) {
                                 parallel_each(30, [&](std::size_t) { stop = ++begun == 45; });
                               }),
                 Stopped);
    EXPECT_EQ(begun, 45);
  });
}

// Says of itself that its work is not wanted any more, after so many were made.
struct Counted {
  static inline int made = 0, enough = 0;
  static inline std::atomic<bool> stop{false};
  char room[1 << 16] = {};
  Counted() { stop = ++made >= enough; }
  Counted(const Counted& other) { std::copy(std::begin(other.room), std::end(other.room), room); }
};

TEST(Stop, RoomForMuchIsMadePieceByPiece) {
  std::vector<int> list = {1, 2, 3};
  for (const std::size_t count : {std::size_t{5'000'000}, std::size_t{7}, std::size_t{0}}) {
    stoppable_resize(list, count);
    EXPECT_EQ(list.size(), count);
    EXPECT_EQ(std::accumulate(list.begin(), list.end(), 0), count > 0 ? 6 : 0);
  }
  const StopScope scope(&Counted::stop);
  Counted::enough = 100;
  std::vector<Counted> much;
  EXPECT_THROW(stoppable_resize(much, 1000), Stopped);
  EXPECT_LT(Counted::made, 200);
}

// On many threads those blocks still end that had begun.
TEST(Stop, OtherThreadsSeeItToo) {
  tbb::task_arena arena(4);
  arena.execute([] {
    std::atomic<bool> stop{false};
    const StopScope scope(&stop);
    std::atomic<int> late{0};
    EXPECT_THROW(parallel_each(100000,
                               [&](std::size_t i) {
                                 late += stop;
                                 if (i % 1000 == 500) stop = true;
                               }),
                 Stopped);
    EXPECT_LE(late, 4);
  });
}

TEST(Stop, SumsAreNotGivenHalfDone) {
  std::atomic<bool> stop{false};
  const StopScope scope(&stop);
  const auto sum = [&](std::size_t stop_at) {
    return parallel_reduce_ordered(
        std::size_t{10000}, std::size_t{0},
        [&](std::size_t begin, std::size_t end) {
          if (begin <= stop_at && stop_at < end) stop = true;
          return end - begin;
        },
        std::plus<>(), 16);
  };
  EXPECT_EQ(sum(99999), 10000u);
  EXPECT_THROW(sum(9999), Stopped);  // in the last block
}

TEST(Stop, WithoutAWishAllIsAsItWas) {
  std::atomic<bool> stop{true};
  {
    const StopScope scope(&stop);
    const StopScope nobody(nullptr);
    EXPECT_FALSE(stop_wanted());
    int begun = 0;
    parallel_each(1, [&](std::size_t) { ++begun; });
    EXPECT_EQ(begun, 1);
  }
  EXPECT_FALSE(stop_wanted());
}

TEST(Stop, LongLoopsOnOneThreadSeeIt) {
  std::atomic<bool> stop{true};
  const StopScope scope(&stop);
  StopCheck check;
  std::size_t turns = 0;
  EXPECT_THROW(for (; turns < 1'000'000; ++turns) check(), Stopped);
  EXPECT_LT(turns, 10'000u);
}

TEST(Stop, SortsAsTheStandardDoesOrStops) {
  std::mt19937 random(1);
  std::vector<unsigned> numbers(50000);
  for (unsigned& x : numbers) x = static_cast<unsigned>(random());
  std::vector<unsigned> expected = numbers, sorted = numbers;
  std::sort(expected.begin(), expected.end());
  stoppable_sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, expected);
  std::atomic<bool> stop{true};
  const StopScope scope(&stop);
  EXPECT_THROW(stoppable_sort(numbers.begin(), numbers.end()), Stopped);
}

}  // namespace
}  // namespace sinew
