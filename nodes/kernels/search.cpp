#include "nodes/kernels/search.h"

#include <fmt/format.h>

#include "nodes/kernels/search_chain.h"

namespace sinew::kernels {

namespace {

// So many trials may a chain be ahead of another one: a log ends where the last chain is.
constexpr uint64_t farthest_ahead = 16;

double usable(double cost) {
  if (!std::isfinite(cost)) return hopeless_cost;
  return std::clamp(cost, -hopeless_cost, hopeless_cost);
}

bool better(const FoundCandidate& a, const FoundCandidate& b) {
  return a.cost < b.cost || (a.cost == b.cost && a.trial < b.trial);
}

// Root mean square of the differences, in parts of the ranges.
double apart(const SearchSpace& space, const FoundCandidate& a, const FoundCandidate& b) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < space.variables.size(); ++i) {
    const double width = space.variables[i].high - space.variables[i].low;
    if (!(width > 0)) continue;
    const double part = (a.values[i] - b.values[i]) / width;
    sum += part * part;
    ++count;
  }
  return count ? std::sqrt(sum / count) : 0;
}

// The best that differ. Puts one in its place: unless a better one is near, and those near it that
// are not as good go.
void add_to_gallery(const SearchSpace& space, const SearchSettings& settings,
                    std::vector<FoundCandidate>& gallery, const FoundCandidate& one) {
  if (one.cost >= hopeless_cost) return;
  const auto place = std::lower_bound(gallery.begin(), gallery.end(), one, better);
  const auto near = [&](const FoundCandidate& other) {
    return apart(space, other, one) <= settings.distinct;
  };
  if (std::any_of(gallery.begin(), place, near)) return;
  if (place == gallery.end() && gallery.size() >= settings.keep) return;
  const auto at = gallery.insert(place, one);
  gallery.erase(std::remove_if(at + 1, gallery.end(), near), gallery.end());
  if (gallery.size() > settings.keep) gallery.resize(settings.keep);
}

}  // namespace

std::optional<std::string> validate(const SearchSpace& space) {
  for (const SearchVariable& v : space.variables) {
    if (!std::isfinite(v.low) || !std::isfinite(v.high) || !std::isfinite(v.high - v.low))
      return fmt::format("'{}': its range is not finite", v.name);
    if (v.low > v.high)
      return fmt::format("'{}': its range from {:g} to {:g} is empty", v.name, v.low, v.high);
    if (v.whole && std::ceil(v.low) > std::floor(v.high))
      return fmt::format("'{}': there is no whole number from {:g} to {:g}", v.name, v.low, v.high);
    if (!std::isfinite(v.start)) return fmt::format("'{}': it begins at no number", v.name);
    if (!std::isfinite(v.step) || v.step < 0)
      return fmt::format("'{}': {:g} is no step", v.name, v.step);
  }
  if (space.variables.size() > most_found_numbers)
    return fmt::format("{} numbers shall be varied, but at most {} can be", space.variables.size(),
                       most_found_numbers);
  return std::nullopt;
}

double tried_value(const SearchVariable& v, double x) {
  if (v.whole) return std::clamp(std::floor(x + 0.5), v.low, v.high);
  // 10^0 ... 10^22 are exact.
  double scale = 1;
  const double size = std::abs(x);
  int digits = 0;
  while (digits < 22 && size * scale < 1e7) {
    scale *= 10;
    ++digits;
  }
  const double rounded = size * scale < 1e8 ? std::floor(x * scale + 0.5) / scale : x;
  return std::clamp(rounded, v.low, v.high);
}

std::vector<double> chain_start(const SearchSpace& space, const SearchSettings& settings,
                                std::size_t chain) {
  std::vector<double> values;
  CounterRandom random(settings.seed, SearchDraw::begin, chain, 0);
  for (const SearchVariable& v : space.variables) {
    const double away = settings.scatter * (2 * random.uniform() - 1) * (v.high - v.low);
    values.push_back(chain == 0 ? v.start
                                : tried_value(v, reflected(v.start + away, v.low, v.high)));
  }
  return values;
}

std::string settings_line(const SearchSpace& space, const SearchSettings& s) {
  std::string line = s.method == SearchMethod::anneal
                         ? fmt::format("anneal, temperature {}, cooling {}, frozen {}",
                                       s.temperature, s.cooling, s.frozen)
                         : fmt::format("population {}", s.population);
  line += fmt::format(", step {}, {} chains, scatter {}, seed {}", s.step, s.restarts, s.scatter,
                      s.seed);
  for (const SearchVariable& v : space.variables) {
    line += fmt::format("; {} {} to {} from {}{}", v.name, v.low, v.high, v.start,
                        v.whole ? ", whole" : "");
    if (v.step > 0) line += fmt::format(", step {}", v.step);
  }
  for (char& c : line)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return line;
}

struct Search::Track {
  std::unique_ptr<SearchChain> chain;
  std::vector<double> costs;  // of the trials that count
  std::vector<FoundCandidate> gallery;
};

Search::Search(SearchSpace space, const SearchSettings& settings)
    : space_(std::move(space)), settings_(settings) {
  bool fixed = true;
  for (SearchVariable& v : space_.variables) {
    if (v.whole) {
      v.low = std::ceil(v.low);
      v.high = std::floor(v.high);
      v.start = std::floor(v.start + 0.5);
    }
    v.start = std::clamp(v.start, v.low, v.high);
    fixed = fixed && v.low == v.high;
  }
  settings_.restarts = std::max<uint64_t>(1, settings_.restarts);
  settings_.keep = std::clamp<std::size_t>(settings_.keep, 1, most_found);
  if (fixed) {  // nothing can be varied
    settings_.trials = 0;
    settings_.restarts = 1;
  }
  const auto make = settings_.method == SearchMethod::population ? population_chain : anneal_chain;
  for (std::size_t c = 0; c < settings_.restarts; ++c)
    tracks_.push_back({make(space_, settings_, c), {}, {}});
}

Search::~Search() = default;

bool Search::done() const {
  for (const Track& track : tracks_)
    if (!track.chain->ended()) return false;
  return true;
}

uint64_t Search::trials() const {
  uint64_t sum = 0;
  for (const Track& track : tracks_) sum += track.costs.size();
  return sum;
}

uint64_t Search::most_trials() const { return (settings_.trials + 1) * tracks_.size(); }

double Search::temperature(std::size_t chain) const { return tracks_[chain].chain->temperature(); }

uint64_t Search::number(std::size_t chain, uint64_t trial) const {
  return trial * tracks_.size() + chain;
}

// Chains that are far ahead of the last one wait, and the others share the width.
const std::vector<SearchTrial>& Search::ask(std::size_t width) {
  asked_.clear();
  asked_of_.clear();
  uint64_t least = UINT64_MAX;
  for (const Track& track : tracks_)
    if (!track.chain->ended()) least = std::min<uint64_t>(least, track.costs.size());
  std::vector<std::size_t> now;
  for (std::size_t c = 0; c < tracks_.size(); ++c)
    if (!tracks_[c].chain->ended() && tracks_[c].costs.size() < least + farthest_ahead)
      now.push_back(c);
  for (std::size_t i = 0; i < now.size(); ++i) {
    const Track& track = tracks_[now[i]];
    const std::size_t share = width / now.size() + (i < width % now.size() ? 1 : 0);
    for (std::size_t ahead = 0; ahead < std::max<std::size_t>(1, share); ++ahead) {
      SearchTrial trial{number(now[i], track.costs.size() + ahead), {}};
      if (!track.chain->propose(ahead, trial.values)) break;
      asked_.push_back(std::move(trial));
      asked_of_.push_back(now[i]);
    }
  }
  return asked_;
}

bool Search::take(std::size_t c, const std::vector<double>& values, double cost) {
  Track& track = tracks_[c];
  cost = usable(cost);
  add_to_gallery(space_, settings_, track.gallery, {cost, number(c, track.costs.size()), values});
  track.costs.push_back(cost);
  return track.chain->tell(values, cost) && !track.chain->ended();
}

void Search::tell(std::span<const double> costs) {
  std::size_t dropped = tracks_.size();  // the chain whose other costs are of no use
  for (std::size_t i = 0; i < asked_.size() && i < costs.size(); ++i) {
    if (asked_of_[i] == dropped) continue;
    if (!take(asked_of_[i], asked_[i].values, costs[i])) dropped = asked_of_[i];
  }
  asked_.clear();
  asked_of_.clear();
}

std::vector<double> Search::log() const {
  std::vector<double> costs;
  for (std::size_t trial = 0; trial <= settings_.trials; ++trial) {
    for (const Track& track : tracks_) {
      if (trial < track.costs.size()) {
        costs.push_back(track.costs[trial]);
      } else if (!track.chain->ended()) {
        return costs;
      }
    }
  }
  return costs;
}

bool Search::replay(std::span<const double> log) {
  std::size_t next = 0;
  std::vector<double> values;
  for (std::size_t trial = 0; trial <= settings_.trials; ++trial) {
    for (std::size_t c = 0; c < tracks_.size(); ++c) {
      if (tracks_[c].chain->ended()) continue;
      if (next == log.size()) return true;
      tracks_[c].chain->propose(0, values);
      take(c, values, log[next++]);
    }
  }
  return next == log.size();
}

std::vector<FoundCandidate> Search::gallery() const {
  std::vector<FoundCandidate> all;
  for (const Track& track : tracks_)
    all.insert(all.end(), track.gallery.begin(), track.gallery.end());
  std::sort(all.begin(), all.end(), better);
  std::vector<FoundCandidate> gallery;
  for (const FoundCandidate& one : all) add_to_gallery(space_, settings_, gallery, one);
  return gallery;
}

std::optional<FoundCandidate> Search::best() const {
  std::optional<FoundCandidate> best;
  for (const Track& track : tracks_)
    if (!track.gallery.empty() && (!best || better(track.gallery[0], *best)))
      best = track.gallery[0];
  return best;
}

Found Search::found() const {
  Found found;
  for (const SearchVariable& v : space_.variables) found.names.push_back(v.name);
  found.candidates = gallery();
  found.trials = trials();
  if (!tracks_[0].costs.empty()) found.start_cost = tracks_[0].costs[0];
  if (!done()) {
    found.log = log();
    found.settings = line();
  }
  return found;
}

}  // namespace sinew::kernels
