// What nodes that search share: the sockets for how and how long, and the loop that asks for
// candidates, has them tried, and publishes what was found. A node brings its own numbers to vary
// and their cost:
//
//   SearchWords words;
//   void declare(Declaration& d) {
//     ...                                          // its own sockets first
//     words.declare(d);
//     d.work("Search", words.found, search);
//   }
//   void search(Exec& e, WorkSite& site) {
//     run_search(e, site, words, space, cost);     // space and cost from the node's inputs
//   }
//   void exec(Exec& e) {
//     const FoundCandidate* one = words.picked(e); // nullptr: nothing has been found yet
//     ...
//   }
#pragma once

#include <functional>
#include <span>

#include "graph/work.h"
#include "nodes/kernels/search.h"
#include "nodes/node.h"

namespace sinew {

struct SearchWords {
  In<kernels::SearchMethod> method;
  In<int> trials, restarts, seed;
  In<float> temperature, cooling, step, scatter;
  In<int> keep;
  In<float> distinct;
  In<Found> found;
  In<int> pick;

  void declare(Declaration& d);

  kernels::SearchSettings settings(const Exec& e) const;
  // The candidate that counts; nullptr while there is none. A pick beyond the last is the last,
  // with a warning.
  const FoundCandidate* picked(Exec& e) const;
};

// What shall be small: of the values, in the order of the space's variables. Called from several
// threads, each with a lane of its own (graph/work.h). What is no number is worse than all; an
// exception ends the search.
using SearchCost = std::function<double(std::span<const double> values, std::size_t lane)>;

// Searches and publishes: whenever something better is found, and at the end; if it is stopped,
// with the log. Goes on where words.found has a log that fits and its first cost is still the same.
// What is wrong becomes an error of the node. Returns what it published last.
Found run_search(Exec& e, WorkSite& site, const SearchWords& words,
                 const kernels::SearchSpace& space, const SearchCost& cost);

}  // namespace sinew
