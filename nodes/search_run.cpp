#include "nodes/search_run.h"

#include <cmath>

namespace sinew {

void SearchWords::declare(Declaration& d) {
  d.in(method, "method", kernels::SearchMethod::anneal)
      .choices({"anneal", "population"})
      .doc(
          "anneal: from where it is to a random neighbour, to a worse one less and less often; "
          "population: many at a time, learning which way costs fall. For more than some hundred "
          "trials the second finds more.");
  d.in(trials, "trials", 100).range(0, 1e6).doc("How many candidates each chain tries.");
  d.in(restarts, "restarts", 1)
      .label("Chains")
      .range(1, 1000)
      .doc("Searches side by side: the first from what is set now, the others from around it.");
  d.in(seed, "seed", 0)
      .range(0, 1e9)
      .doc("Another one tries other candidates; the same one tries the same.");
  d.in(temperature, "temperature", 0)
      .range(0, 1e9)
      .doc(
          "Annealing: how much worse a candidate may be and still be taken in one of three cases, "
          "at first; 0: found out by the first ten trials.");
  d.in(cooling, "cooling", 0.95f)
      .range(0.01, 0.9999)
      .doc(
          "Annealing: what is left of the temperature after each trial. 0.95 suits 100 trials, "
          "0.99 suits 500.");
  d.in(step, "step", 0.2f)
      .range(0.0001, 1)
      .doc("How far the first steps go, as a part of each range; later ones are shorter.");
  d.in(scatter, "scatter", 0.5f)
      .range(0, 1)
      .doc("How far from what is set now other chains begin, as a part of each range.");
  d.in(keep, "keep", 8).range(1, 1000).doc("How many candidates are kept, the best that differ.");
  d.in(distinct, "distinct", 0.05f)
      .range(0, 1)
      .doc("How much candidates that are kept differ, as a part of the ranges.");
  d.in(found, "found", Found()).doc("What was found; the search writes it.");
  d.in(pick, "pick", 0)
      .range(0, 999)
      .doc("Which of the candidates counts: 0 is the best, 1 the next.");
}

kernels::SearchSettings SearchWords::settings(const Exec& e) const {
  kernels::SearchSettings s;
  s.method = e.get(method);
  s.trials = static_cast<uint64_t>(e.get(trials));
  s.restarts = static_cast<uint64_t>(e.get(restarts));
  s.seed = static_cast<uint64_t>(e.get(seed));
  s.temperature = shortest_decimal(e.get(temperature));
  s.cooling = shortest_decimal(e.get(cooling));
  s.step = shortest_decimal(e.get(step));
  s.scatter = shortest_decimal(e.get(scatter));
  s.keep = static_cast<std::size_t>(e.get(keep));
  s.distinct = shortest_decimal(e.get(distinct));
  return s;
}

const FoundCandidate* SearchWords::picked(Exec& e) const {
  const std::vector<FoundCandidate>& list = e.get(found).candidates;
  if (list.empty()) return nullptr;
  const std::size_t wanted = static_cast<std::size_t>(e.get(pick)), last = list.size() - 1;
  if (wanted > last) {
    e.warning("'pick' is {}, but the last of the {} candidates is {}: that is taken", wanted,
              list.size(), last);
  }
  return &list[std::min(wanted, last)];
}

namespace {

using kernels::Search;
using kernels::SearchMethod;
using kernels::SearchTrial;

// More speculation than this has no prospects: too often one of the first is taken.
constexpr std::size_t widest_guess = 8;

std::size_t width_for(const Search& search, std::size_t lanes) {
  if (search.settings().method == SearchMethod::population) return 4 * lanes;
  return std::min<std::size_t>(lanes, widest_guess * search.settings().restarts);
}

std::string progress_words(const Search& search) {
  const auto best = search.best();
  std::string text = fmt::format("trial {} of {}", search.trials(), search.most_trials());
  if (best) text += fmt::format(", best {:.5g}", best->cost);
  return text;
}

bool try_all(WorkSite& site, const std::vector<SearchTrial>& trials, const SearchCost& cost,
             std::vector<double>& costs) {
  costs.assign(trials.size(), 0);
  return site.spread(
      trials.size(), [&](std::size_t i, std::size_t lane) { return cost(trials[i].values, lane); },
      costs);
}

// Brings the search to where an earlier one was stopped, if there is one and it is still true. The
// start is tried again for that. False: stopped.
bool resume(Exec& e, WorkSite& site, Search& search, const Found& before, const SearchCost& cost) {
  if (before.log.empty()) return true;
  if (before.settings != search.line()) {
    e.warning(
        "it begins anew: what was found before has been searched for with other settings or "
        "ranges");
    return true;
  }
  Search first(search.space(), search.settings());
  std::vector<SearchTrial> start = {first.ask(1)[0]};
  std::vector<double> costs;
  if (!try_all(site, start, cost, costs)) return false;
  first.tell(costs);
  if (first.log()[0] != before.log[0]) {
    e.warning("it begins anew: the graph has changed since the search was stopped");
    return true;
  }
  if (before.log.size() > search.most_trials()) {
    e.error("{} trials were made before, and now {} are asked for: raise 'trials'",
            before.log.size(), search.most_trials());
    return true;
  }
  search.replay(before.log);
  return true;
}

}  // namespace

Found run_search(Exec& e, WorkSite& site, const SearchWords& words,
                 const kernels::SearchSpace& space, const SearchCost& cost) {
  const kernels::SearchSettings settings = words.settings(e);
  if (const auto wrong = kernels::validate(space)) return e.error("{}", *wrong), Found();
  if ((settings.trials + 1) * settings.restarts > most_found_log) {
    e.error("{} trials of {} chains are too many; {} in all can be made", settings.trials,
            settings.restarts, most_found_log);
    return {};
  }
  Search search(space, settings);
  Found found;
  const auto publish = [&](bool with_log) {
    found = search.found();
    if (!with_log) {
      found.log.clear();
      found.settings.clear();
    }
    site.publish(Value::of(found));
  };
  if (!resume(e, site, search, e.get(words.found), cost) || e.failed()) return e.get(words.found);
  const std::size_t width = width_for(search, site.lanes());
  std::optional<FoundCandidate> best = search.best();
  std::vector<double> costs;
  while (!search.done()) {
    site.progress(static_cast<double>(search.trials()) / static_cast<double>(search.most_trials()),
                  progress_words(search));
    if (!try_all(site, search.ask(width), cost, costs)) {
      if (search.trials() > 0) publish(true);
      return found;
    }
    search.tell(costs);
    const auto now = search.best();
    if (now && (!best || now->cost < best->cost) && !search.done()) publish(false);
    best = now;
  }
  if (!best) {
    e.error("no candidate has a cost: each of the {} trials failed or gave no number",
            search.trials());
    return found;
  }
  publish(false);
  site.progress(1, progress_words(search));
  return found;
}

}  // namespace sinew
