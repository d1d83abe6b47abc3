// The optimiser: what it finds, and that it finds the same however it is asked.
#include "nodes/kernels/search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "nodes/kernels/counter_random.h"

namespace sinew::kernels {
namespace {

using Cost = std::function<double(const std::vector<double>&)>;

SearchSpace box(std::size_t n, double low, double high, double start) {
  SearchSpace space;
  for (std::size_t i = 0; i < n; ++i)
    space.variables.push_back({"x" + std::to_string(i), low, high, start});
  return space;
}

void finish(Search& search, const Cost& cost, std::size_t width = 1,
            uint64_t most = std::numeric_limits<uint64_t>::max()) {
  while (!search.done() && search.trials() < most) {
    std::vector<double> costs;
    for (const SearchTrial& trial : search.ask(width)) costs.push_back(cost(trial.values));
    ASSERT_FALSE(costs.empty());
    search.tell(costs);
  }
}

Found searched(const SearchSpace& space, const SearchSettings& settings, const Cost& cost,
               std::size_t width = 1) {
  Search search(space, settings);
  finish(search, cost, width);
  return search.found();
}

double sphere(const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::pow(x[i] - 0.1 * double(i), 2);
  return sum;
}
double rosenbrock(const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    sum += 100 * std::pow(x[i + 1] - x[i] * x[i], 2) + std::pow(1 - x[i], 2);
  return sum;
}
double rastrigin(const std::vector<double>& x) {
  double sum = 10.0 * double(x.size());
  for (const double v : x) sum += v * v - 10 * std::cos(2 * std::numbers::pi * v);
  return sum;
}

SearchSettings with(SearchMethod method, uint64_t trials, uint64_t restarts = 1,
                    uint64_t seed = 7) {
  SearchSettings s;
  s.method = method;
  s.trials = trials;
  s.restarts = restarts;
  s.seed = seed;
  return s;
}
constexpr auto methods = {SearchMethod::anneal, SearchMethod::population};

TEST(CounterRandom, FunctionsAreThoseOfTheLibrary) {
  for (double x = 1e-12; x < 1e12; x *= 1.37)
    EXPECT_NEAR(steady_log(x), std::log(x), 1e-14 * (1 + std::abs(std::log(x))));
  for (double x = -700; x < 700; x += 3.7) EXPECT_NEAR(steady_exp(x) / std::exp(x), 1, 1e-14) << x;
  EXPECT_EQ(steady_exp(0), 1);
  EXPECT_EQ(steady_exp(-1e9), 0);
  EXPECT_EQ(steady_log(1), 0);
  EXPECT_NEAR(steady_power(0.95, 100), std::pow(0.95, 100), 1e-15);
}

TEST(CounterRandom, MomentsAndIndependence) {
  double sum = 0, squares = 0, fourth = 0, with_next = 0, before = 0;
  const int count = 200000;
  for (int i = 0; i < count; ++i) {
    CounterRandom random(3, 1, i);
    const double x = random.normal();
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
    with_next += x * before;
    before = x;
  }
  EXPECT_NEAR(sum / count, 0, 0.01);
  EXPECT_NEAR(squares / count, 1, 0.02);
  EXPECT_NEAR(fourth / count, 3, 0.1);
  EXPECT_NEAR(with_next / count, 0, 0.01);
  // Known bits, so that another machine or compiler is caught.
  CounterRandom known(1, 2, 3);
  const uint64_t first = known.bits();
  EXPECT_EQ(first, CounterRandom(1, 2, 3).bits());
  EXPECT_NE(first, CounterRandom(1, 3, 2).bits());
  EXPECT_NE(first, CounterRandom(2, 2, 3).bits());
}

TEST(Search, FindsTheBottomOfASphere) {
  const SearchSpace space = box(5, -2, 3, 2.5);
  EXPECT_LT(searched(space, with(SearchMethod::population, 1500), sphere).candidates[0].cost, 1e-9);
  EXPECT_LT(searched(space, with(SearchMethod::anneal, 1500), sphere).candidates[0].cost, 0.05);
}

TEST(Search, FollowsACurvedValley) {
  const SearchSpace space = box(3, -2, 2, -1);
  EXPECT_LT(searched(space, with(SearchMethod::population, 4000), rosenbrock).candidates[0].cost,
            1e-8);
  const Found annealed = searched(space, with(SearchMethod::anneal, 4000), rosenbrock);
  EXPECT_LT(annealed.candidates[0].cost, 0.3);
  EXPECT_NEAR(annealed.start_cost, rosenbrock({-1, -1, -1}), 1e-12);
}

// Many chains, and strategies that begin anew, leave wells that are not the deepest.
TEST(Search, LeavesWells) {
  const SearchSpace space = box(3, -5.12, 5.12, 3.1);
  const Found strategy = searched(space, with(SearchMethod::population, 6000, 4), rastrigin);
  EXPECT_LT(strategy.candidates[0].cost, 1e-6);
  const Found annealed = searched(space, with(SearchMethod::anneal, 600, 8), rastrigin);
  EXPECT_LT(annealed.candidates[0].cost, 3);
}

// In figure 11 a worse point is taken with probability exp(-D / T).
TEST(Search, TakesWorseOnesAsOftenAsMetropolisSays) {
  SearchSpace space = box(1, 0, 1, 0.5);
  SearchSettings settings = with(SearchMethod::anneal, 1, 40000);
  settings.temperature = 2;
  settings.scatter = 0;
  int taken = 0;
  Search search(space, settings);
  search.tell(std::vector<double>(search.ask(1).size(), 0.0));
  search.tell(std::vector<double>(search.ask(1).size(), 1.0));
  EXPECT_TRUE(search.done());
  // What was taken shows in where the next trial would begin; so one more trial with tiny steps.
  settings.trials = 2;
  Search longer(space, settings);
  longer.tell(std::vector<double>(longer.ask(1).size(), 0.0));
  std::vector<double> first;
  for (const SearchTrial& trial : longer.ask(1)) first.push_back(trial.values[0]);
  longer.tell(std::vector<double>(first.size(), 1.0));
  // The second proposal from a point that was rejected is known: it begins at the start again.
  Search rejected(space, settings);
  rejected.tell(std::vector<double>(rejected.ask(1).size(), 0.0));
  rejected.ask(1);
  rejected.tell(std::vector<double>(first.size(), std::nan("")));
  const std::vector<SearchTrial> after = longer.ask(1);
  const std::vector<SearchTrial> stayed = rejected.ask(1);
  for (std::size_t i = 0; i < after.size(); ++i) taken += after[i].values != stayed[i].values;
  EXPECT_NEAR(taken / 40000.0, std::exp(-0.5), 0.01);
}

TEST(Search, TemperatureFollowsItsSchedule) {
  SearchSettings settings = with(SearchMethod::anneal, 50);
  settings.temperature = 8;
  settings.cooling = 0.5;
  settings.frozen = 0.1;
  Search search(box(2, 0, 1, 0.5), settings);
  for (int trial = 0; trial <= 6; ++trial) {
    ASSERT_FALSE(search.done());
    EXPECT_DOUBLE_EQ(search.temperature(0), trial == 0 ? 8 : 8 * std::pow(0.5, trial - 1));
    search.ask(1);
    search.tell(std::vector{double(trial)});
  }
  search.ask(1);
  search.tell(std::vector{0.0});
  EXPECT_TRUE(search.done());  // 8 / 2^7 < 0.1
  EXPECT_EQ(search.trials(), 8u);
}

// Found by the costs themselves: ten times the costs give ten times the temperature, and the same
// candidates.
TEST(Search, OwnTemperatureScalesWithTheCosts) {
  const SearchSpace space = box(3, -1, 2, 1.5);
  const SearchSettings settings = with(SearchMethod::anneal, 60);
  Search one(space, settings), ten(space, settings);
  finish(one, sphere);
  finish(ten, [](const auto& x) { return 1024 * sphere(x); });
  EXPECT_NEAR(ten.temperature(0), 1024 * one.temperature(0), 1e-9 * ten.temperature(0));
  ASSERT_EQ(one.gallery().size(), ten.gallery().size());
  for (std::size_t i = 0; i < one.gallery().size(); ++i)
    EXPECT_EQ(one.gallery()[i].values, ten.gallery()[i].values);
}

TEST(Search, WidthChangesNothing) {
  SearchSpace space = box(4, -2, 3, 2.5);
  space.variables[2].whole = true;
  for (const SearchMethod method : methods) {
    for (const uint64_t restarts : {1, 3}) {
      const SearchSettings settings = with(method, 120, restarts);
      const Found one = searched(space, settings, rastrigin, 1);
      for (const std::size_t width : {2, 4, 7, 32})
        EXPECT_EQ(searched(space, settings, rastrigin, width), one) << width << ", " << restarts;
    }
  }
}

TEST(Search, SeedsDiffer) {
  for (const SearchMethod method : methods)
    EXPECT_NE(searched(box(3, -2, 3, 2.5), with(method, 50, 1, 1), sphere).candidates,
              searched(box(3, -2, 3, 2.5), with(method, 50, 1, 2), sphere).candidates);
}

TEST(Search, StaysInsideAndWhole) {
  SearchSpace space;
  space.variables = {{"a", -0.3, 0.7, 0.7},
                     {"b", 2, 9, 4, 0, true},
                     {"c", 5, 5, 5},
                     {"d", 0, 1, 0, 0, true},
                     {"e", 1e-9, 1e-6, 2e-9, 1e-3}};  // a step of many ranges
  for (const SearchMethod method : methods) {
    const auto cost = [&](const std::vector<double>& x) {
      for (std::size_t i = 0; i < x.size(); ++i) {
        const SearchVariable& v = space.variables[i];
        EXPECT_GE(x[i], v.low) << v.name;
        EXPECT_LE(x[i], v.high) << v.name;
        EXPECT_TRUE(!v.whole || x[i] == std::round(x[i])) << v.name;
      }
      return std::pow(x[0] - 0.7, 2) + std::pow(x[1] - 8, 2) + (x[3] == 1 ? 0 : 1);
    };
    const Found found = searched(space, with(method, 400, 2), cost, 4);
    EXPECT_EQ(found.candidates[0].values[1], 8);
    EXPECT_EQ(found.candidates[0].values[2], 5);
    EXPECT_EQ(found.candidates[0].values[3], 1);
    EXPECT_NEAR(found.candidates[0].values[0], 0.7, 0.1);
  }
}

TEST(Search, GoesOnFromItsLogAsIfNothingHadHappened) {
  const SearchSpace space = box(3, -5.12, 5.12, 3.1);
  for (const SearchMethod method : methods) {
    for (const uint64_t restarts : {1, 3}) {
      const SearchSettings settings = with(method, 40, restarts);
      const Found whole = searched(space, settings, rastrigin);
      EXPECT_TRUE(whole.log.empty());
      EXPECT_TRUE(whole.settings.empty());
      for (uint64_t k = 1; k < whole.trials; ++k) {
        Search stopped(space, settings);
        finish(stopped, rastrigin, 5, k);
        const Found so_far = stopped.found();
        if (stopped.done()) continue;
        EXPECT_EQ(so_far.settings, settings_line(space, settings));
        Search resumed(space, settings);
        ASSERT_TRUE(resumed.replay(so_far.log));
        EXPECT_EQ(resumed.trials(), so_far.log.size());
        finish(resumed, rastrigin, 3);
        ASSERT_EQ(resumed.found(), whole) << "stopped after " << k;
      }
    }
  }
}

TEST(Search, RefusesALogThatIsTooLong) {
  const SearchSettings settings = with(SearchMethod::anneal, 10);
  EXPECT_TRUE(Search(box(1, 0, 1, 0), settings).replay(std::vector<double>(11, 1.0)));
  EXPECT_FALSE(Search(box(1, 0, 1, 0), settings).replay(std::vector<double>(12, 1.0)));
}

// A stopped search may go on for more trials than were asked for at first.
TEST(Search, LineLeavesOutHowMany) {
  const SearchSpace space = box(2, 0, 1, 0);
  SearchSettings a = with(SearchMethod::anneal, 10), b = a;
  b.trials = 100;
  b.keep = 3;
  EXPECT_EQ(settings_line(space, a), settings_line(space, b));
  b.seed = 8;
  EXPECT_NE(settings_line(space, a), settings_line(space, b));
  EXPECT_NE(settings_line(space, a), settings_line(box(2, 0, 2, 0), a));
  EXPECT_EQ(settings_line(space, a).find('\n'), std::string::npos);
}

TEST(Search, WhatIsNoNumberIsWorseThanAll) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const SearchMethod method : methods) {
    int asked = 0;
    const auto cost = [&](const std::vector<double>& x) {
      switch (++asked % 4) {
        case 0:
          return std::nan("");
        case 1:
          return inf;
        case 2:
          return -inf;
        default:
          return sphere(x);
      }
    };
    const Found found = searched(box(2, -1, 1, 0.9), with(method, 1000), cost);
    EXPECT_LT(found.candidates[0].cost, 0.1);
    EXPECT_FALSE(validate(found));
    for (const FoundCandidate& one : found.candidates) EXPECT_LT(one.cost, hopeless_cost);

    const Found nothing =
        searched(box(2, -1, 1, 0.9), with(method, 30), [](const auto&) { return std::nan(""); });
    EXPECT_TRUE(nothing.candidates.empty());
    EXPECT_EQ(nothing.start_cost, hopeless_cost);
    EXPECT_EQ(nothing.trials, 31u);
  }
}

TEST(Search, GalleryIsSortedAndDiffers) {
  SearchSettings settings = with(SearchMethod::anneal, 300, 4);
  settings.keep = 6;
  settings.distinct = 0.1;
  const Found found = searched(box(2, -5.12, 5.12, 3.1), settings, rastrigin, 4);
  ASSERT_GT(found.candidates.size(), 3u);
  EXPECT_LE(found.candidates.size(), 6u);
  EXPECT_FALSE(validate(found));
  for (std::size_t i = 0; i < found.candidates.size(); ++i) {
    const FoundCandidate& a = found.candidates[i];
    EXPECT_EQ(a.cost, rastrigin(a.values));
    for (std::size_t j = 0; j < i; ++j) {
      const FoundCandidate& b = found.candidates[j];
      EXPECT_LE(b.cost, a.cost);
      const double dx = (a.values[0] - b.values[0]) / 10.24,
                   dy = (a.values[1] - b.values[1]) / 10.24;
      EXPECT_GT(std::sqrt((dx * dx + dy * dy) / 2), 0.1);
    }
  }
}

TEST(Search, SmallSpaces) {
  for (const SearchMethod method : methods) {
    Search none(SearchSpace{}, with(method, 50, 3));
    finish(none, [](const auto& x) { return double(x.size()); });
    EXPECT_EQ(none.trials(), 1u);
    ASSERT_TRUE(none.best());
    EXPECT_EQ(none.best()->cost, 0);

    Search fixed(box(3, 2, 2, 5), with(method, 50));
    finish(fixed, sphere);
    EXPECT_EQ(fixed.trials(), 1u);
    EXPECT_EQ(fixed.best()->values, (std::vector<double>{2, 2, 2}));

    EXPECT_LT(searched(box(1, -1, 1, 0.8), with(method, 200), sphere).candidates[0].cost, 1e-3);
    const Found start = searched(box(2, 0, 1, 0.123456789012345), with(method, 0), sphere);
    EXPECT_EQ(start.candidates[0].values[0], 0.123456789012345);
    EXPECT_EQ(start.trials, 1u);
  }
}

TEST(Search, SaysWhatIsWrongWithASpace) {
  const auto wrong = [](SearchVariable v) { return validate(SearchSpace{{std::move(v)}}); };
  EXPECT_FALSE(wrong({"a", 0, 1, 5}));
  EXPECT_EQ(wrong({"a", 2, 1, 1}), "'a': its range from 2 to 1 is empty");
  EXPECT_EQ(wrong({"a", 0.2, 0.8, 0.5, 0, true}), "'a': there is no whole number from 0.2 to 0.8");
  EXPECT_TRUE(wrong({"a", 0, std::numeric_limits<double>::infinity(), 0}));
  EXPECT_TRUE(wrong({"a", 0, 1, std::nan("")}));
  EXPECT_TRUE(wrong({"a", 0, 1, 0, -1}));
}

// Numbers that are tried can be read by people.
TEST(Search, TriesNumbersOfEightDigits) {
  for (const SearchMethod method : methods) {
    searched(box(2, -3, 4, 0.5), with(method, 100), [](const std::vector<double>& x) {
      char text[64];
      for (const double v : x) {
        std::snprintf(text, sizeof text, "%.8g", v);
        EXPECT_EQ(std::strtod(text, nullptr), v);
      }
      return sphere(x);
    });
  }
}

}  // namespace
}  // namespace sinew::kernels
