// Searches for the numbers with the smallest cost, where a cost may take seconds: ask for
// candidates, evaluate them in any order and on any machine, tell their costs.
//
// anneal: simulated annealing [Kirkpatrick83] as in [Faloutsos97, figure 11]. A chain is at a point
// P. Each trial picks a random neighbour P', with the difference D = cost(P') - cost(P): it is
// taken if D <= 0, and else with probability exp(-D / T); then T = r T. The neighbour depends on
// the seed, the chain, the number of the trial and P alone. So the next trials can be proposed, and
// evaluated side by side, as if those before them were rejected: when one is taken, the costs of
// those after it are dropped. What comes out does not depend on how many are asked for at a time.
//
// population: an evolution strategy that learns which way costs fall, as the covariance of a normal
// distribution [Hansen01]; one that has come to rest begins anew somewhere else with twice the
// population [Auger05].
//
// Several chains (restarts) run side by side. Chain 0 begins at the start, the others around it.
// Trial t of chain c of R chains has the number t R + c; trial 0 of a chain is where it begins.
//
// A cost that is no number, or infinite, is worse than all others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nodes/geometry/found.h"

namespace sinew::kernels {

struct SearchVariable {
  std::string name;
  double low = 0, high = 1, start = 0;
  double step = 0;     // of the first neighbours, as a standard deviation; 0: SearchSettings::step
  bool whole = false;  // only whole numbers

  bool operator==(const SearchVariable&) const = default;
};

struct SearchSpace {
  std::vector<SearchVariable> variables;
};

// What is wrong with it; nothing if it can be searched.
std::optional<std::string> validate(const SearchSpace& space);

enum class SearchMethod : unsigned char { anneal, population };

struct SearchSettings {
  SearchMethod method = SearchMethod::anneal;
  uint64_t trials = 100;  // of each chain, after the one at its start
  uint64_t restarts = 1;  // chains, at least 1
  uint64_t seed = 0;
  double temperature = 0;      // T of the first trial, a cost; 0: by the costs of the first trials
  double cooling = 0.95;       // r, in (0, 1)
  double frozen = 0;           // a chain ends when T is below it; 0: never
  double step = 0.2;           // parts of a variable's range; shrinks with the root of T
  double scatter = 0.5;        // how far from the start other chains begin, parts of the range
  std::size_t keep = 8;        // candidates of the gallery, at least 1
  double distinct = 0.05;      // root mean square distance between them, parts of the ranges
  std::size_t population = 0;  // of the strategy; 0: 4 + 3 log n

  bool operator==(const SearchSettings&) const = default;
};

// While the temperature is not given, a chain takes only what is not worse for as many trials; then
// T is the median distance from their median of the better half of their costs.
inline constexpr uint64_t search_warm_up = 10;

// What unusable costs count as, so that they can be written down.
inline constexpr double hopeless_cost = 1e300;

// Everything that decides which candidates follow from which costs, in one line: a log may be
// continued if this is the same. How many trials and what is kept are not in it.
std::string settings_line(const SearchSpace& space, const SearchSettings& settings);

struct SearchTrial {
  uint64_t number = 0;
  std::vector<double> values;
};

class Search {
 public:
  // `space` is sound: validate() said so.
  Search(SearchSpace space, const SearchSettings& settings);
  ~Search();
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  // What to evaluate now: at least one trial unless all is done; about `width` where that many can
  // be had. Asking again without telling gives the same for the same width.
  const std::vector<SearchTrial>& ask(std::size_t width = 1);
  // The costs of what was asked for, in that order.
  void tell(std::span<const double> costs);

  bool done() const;
  uint64_t trials() const;       // that count: dropped ones do not
  uint64_t most_trials() const;  // when it is done, unless chains freeze
  // The candidate with the smallest cost, the earlier one of two; nothing: none was usable.
  std::optional<FoundCandidate> best() const;
  // The best ones that differ: each is farther than settings.distinct from all better ones.
  // Depends on the costs in the order of trials alone.
  std::vector<FoundCandidate> gallery() const;
  // T of a chain's next trial; 0 while it is not known.
  double temperature(std::size_t chain) const;

  // The costs of the trials that count, in the order of their numbers, up to the first that is
  // missing: where one chain is ahead of the others, the last of its trials are left out, and are
  // evaluated again by whoever goes on from the log.
  std::vector<double> log() const;
  // Brings a search that was told nothing to where the log ends, without evaluating anything. What
  // follows is then exactly what would have followed. False if the log is longer than the search.
  bool replay(std::span<const double> log);

  // All of it. With the log and the settings' line unless it is done.
  Found found() const;

  // settings_line() of this search.
  std::string line() const { return settings_line(space_, settings_); }

  const SearchSpace& space() const { return space_; }
  const SearchSettings& settings() const { return settings_; }

 private:
  struct Track;

  // Takes the cost of a chain's next trial; whether what was proposed for later ones still holds.
  bool take(std::size_t chain, const std::vector<double>& values, double cost);
  uint64_t number(std::size_t chain, uint64_t trial) const;

  SearchSpace space_;
  SearchSettings settings_;
  std::vector<Track> tracks_;
  std::vector<SearchTrial> asked_;
  std::vector<std::size_t> asked_of_;  // chains
};

}  // namespace sinew::kernels
