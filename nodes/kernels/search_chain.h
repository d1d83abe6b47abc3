// One chain of a search, for search.cpp: a rule that says which point comes next, from the costs of
// all before it.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "nodes/kernels/counter_random.h"
#include "nodes/kernels/search.h"

namespace sinew::kernels {

class SearchChain {
 public:
  virtual ~SearchChain() = default;

  // Where the trial is that comes `ahead` trials after the next one, if none before it changes
  // anything. False: that cannot be said yet, or there is no such trial.
  virtual bool propose(std::size_t ahead, std::vector<double>& values) const = 0;
  // The cost of the next trial. Whether what was proposed for later ones still holds.
  virtual bool tell(const std::vector<double>& values, double cost) = 0;
  virtual bool ended() const = 0;
  virtual double temperature() const { return 0; }
};

std::unique_ptr<SearchChain> anneal_chain(const SearchSpace& space, const SearchSettings& settings,
                                          std::size_t chain);
std::unique_ptr<SearchChain> population_chain(const SearchSpace& space,
                                              const SearchSettings& settings, std::size_t chain);

// What random numbers are drawn for: no two purposes share any.
enum class SearchDraw : uint64_t { begin, neighbour, accept, sample };

// Mirrored at both ends as often as it takes.
inline double reflected(double x, double low, double high) {
  const double width = high - low;
  if (!(width > 0)) return low;
  const double t = (x - low) / width;
  return std::clamp(low + std::abs(t - 2 * std::floor(t / 2 + 0.5)) * width, low, high);
}

// As it is tried: inside, whole where it must be, and else of eight digits, so that documents can
// be read by people.
double tried_value(const SearchVariable& variable, double x);

// Where a chain begins.
std::vector<double> chain_start(const SearchSpace& space, const SearchSettings& settings,
                                std::size_t chain);

// Standard deviation of the first neighbours along a variable.
inline double first_step(const SearchVariable& variable, const SearchSettings& settings) {
  return variable.step > 0 ? variable.step : settings.step * (variable.high - variable.low);
}

}  // namespace sinew::kernels
