// What a search has found: sets of numbers, each with its cost, the best first. It stands in
// documents, so that who gets a preset need not search again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

struct FoundCandidate {
  double cost = 0;
  uint64_t trial = 0;          // the trial of the search that it was, counted from 0: the start
  std::vector<double> values;  // as many as there are names

  bool operator==(const FoundCandidate&) const = default;
};

struct Found {
  std::vector<std::string> names;          // what the numbers are
  std::vector<FoundCandidate> candidates;  // distinct ones, the best first
  uint64_t trials = 0;                     // of the search until now
  double start_cost = 0;                   // of what it began with
  // Of a search that was stopped before its end: the costs of all its trials in their order, from
  // which it goes on; empty where it came to its end.
  std::vector<double> log;
  std::string settings;  // of the search that the log belongs to, as one line; empty without a log

  bool empty() const { return candidates.empty(); }
  bool operator==(const Found&) const = default;
};

inline constexpr std::size_t most_found = 1000, most_found_numbers = 10000;
inline constexpr std::size_t most_found_log = 10'000'000;

std::optional<std::string> validate(const Found& found);

std::size_t byte_size(const Found& found);

}  // namespace sinew
