#include "nodes/kernels/search_chain.h"

namespace sinew::kernels {

namespace {

double median(std::vector<double> numbers) {
  if (numbers.empty()) return 0;
  std::sort(numbers.begin(), numbers.end());
  const std::size_t half = numbers.size() / 2;
  return numbers.size() % 2 ? numbers[half] : 0.5 * (numbers[half - 1] + numbers[half]);
}

// How much the better half of the costs differ, whatever those say that are far off, such as
// candidates that failed; the mean distance where most are the same.
double spread_of(std::vector<double> costs) {
  std::sort(costs.begin(), costs.end());
  costs.resize((costs.size() + 1) / 2);
  const double middle = median(costs);
  std::vector<double> away;
  double sum = 0;
  for (const double cost : costs) {
    away.push_back(std::abs(cost - middle));
    sum += away.back() / static_cast<double>(costs.size());
  }
  const double typical = median(std::move(away));
  return typical > 0 ? typical : sum;
}

// Steps do not become shorter than this part of the first ones.
constexpr double shortest_step = 0.05;

class AnnealChain : public SearchChain {
 public:
  AnnealChain(const SearchSpace& space, const SearchSettings& settings, std::size_t chain)
      : space_(space), settings_(settings), chain_(chain) {
    point_ = chain_start(space, settings, chain);
    for (std::size_t i = 0; i < space.variables.size(); ++i)
      if (space.variables[i].high > space.variables[i].low) free_.push_back(i);
    temperature_ = settings.temperature;
    known_ = settings.temperature > 0;
  }

  bool propose(std::size_t ahead, std::vector<double>& values) const override {
    const uint64_t trial = trial_ + ahead;
    if (trial > settings_.trials) return false;
    values = point_;
    if (trial > 0) move(trial, values);
    return true;
  }

  bool tell(const std::vector<double>& values, double cost) override {
    if (!known_ && cost < hopeless_cost) first_costs_.push_back(cost);
    const bool taken = trial_ > 0 && takes(cost);
    if (trial_ == 0 || taken) {
      point_ = values;
      cost_ = cost;
    }
    if (known_ && trial_ > 0) temperature_ *= settings_.cooling;  // (f) of figure 11
    if (!known_ && trial_ == search_warm_up) {
      temperature_ = spread_of(first_costs_);
      known_ = true;
    }
    ++trial_;
    return !taken;
  }

  bool ended() const override {
    return trial_ > settings_.trials || (known_ && trial_ > 0 && temperature_ < settings_.frozen);
  }

  double temperature() const override { return temperature_; }

 private:
  // (c) to (e) of figure 11; exp(-D / T) > u is -T log u > D.
  bool takes(double cost) const {
    const double worse = cost - cost_;
    if (worse <= 0) return true;
    if (!known_ || cost >= hopeless_cost) return false;
    CounterRandom random(settings_.seed, SearchDraw::accept, chain_, trial_);
    return -temperature_ * steady_log(random.uniform()) > worse;
  }

  // (a): a random neighbour. Of many variables only some change at a time, so that what has been
  // found is not lost at once.
  void move(uint64_t trial, std::vector<double>& values) const {
    CounterRandom random(settings_.seed, SearchDraw::neighbour, chain_, trial);
    const uint64_t before = settings_.temperature > 0 ? 1 : 1 + search_warm_up;
    const uint64_t cooled = trial > before ? trial - before : 0;
    const double shrunk =
        std::max(shortest_step, steady_power(std::sqrt(settings_.cooling), cooled));
    const double count = static_cast<double>(free_.size());
    const double share = std::min(1.0, std::max(4 / count, 0.25));
    const std::size_t always =
        std::min(free_.size() - 1, static_cast<std::size_t>(random.uniform() * count));
    for (std::size_t k = 0; k < free_.size(); ++k) {
      const bool moves = random.uniform() < share || k == always;
      const double way = random.normal();
      if (!moves) continue;
      const SearchVariable& variable = space_.variables[free_[k]];
      double& x = values[free_[k]];
      const double to = reflected(x + shrunk * first_step(variable, settings_) * way, variable.low,
                                  variable.high);
      double tried = tried_value(variable, to);
      // A whole number that shall move does.
      if (variable.whole && tried == x) {
        tried += way < 0 ? -1 : 1;
        if (tried < variable.low || tried > variable.high) tried = 2 * x - tried;
      }
      x = tried;
    }
  }

  const SearchSpace& space_;
  const SearchSettings& settings_;
  const std::size_t chain_;
  std::vector<std::size_t> free_;  // variables that have a range
  std::vector<double> point_;      // P
  double cost_ = hopeless_cost;
  double temperature_ = 0;  // T
  bool known_ = false;      // whether T is
  uint64_t trial_ = 0;      // the next one
  std::vector<double> first_costs_;
};

}  // namespace

std::unique_ptr<SearchChain> anneal_chain(const SearchSpace& space, const SearchSettings& settings,
                                          std::size_t chain) {
  return std::make_unique<AnnealChain>(space, settings, chain);
}

}  // namespace sinew::kernels
