// The evolution strategy with covariance matrix adaptation [Hansen01], with the constants of its
// author's tutorial [Hansen16]. In parts of the ranges: u in [0, 1]^n, x = low + u (high - low).
// A sample u = m + sigma y, y ~ N(0, C), that leaves the box is mirrored back, and the strategy
// learns from where it was tried.
#include <Eigen/Eigenvalues>
#include <numeric>

#include "nodes/kernels/search_chain.h"

namespace sinew::kernels {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// A cloud smaller than this, in parts of the ranges, has come to rest.
constexpr double resting = 1e-8;
// So does one whose costs have been all the same for this many generations.
constexpr int flat_generations = 5;

class PopulationChain : public SearchChain {
 public:
  PopulationChain(const SearchSpace& space, const SearchSettings& settings, std::size_t chain)
      : space_(space), settings_(settings), chain_(chain) {
    start_ = chain_start(space, settings, chain);
    for (std::size_t i = 0; i < space.variables.size(); ++i)
      if (space.variables[i].high > space.variables[i].low) free_.push_back(i);
    if (free_.empty()) return;
    const double n = static_cast<double>(free_.size());
    lambda_ = settings.population;
    if (lambda_ == 0) lambda_ = 4 + static_cast<std::size_t>(3 * steady_log(std::max(1.0, n)));
    lambda_ = std::max<std::size_t>(lambda_, 4);
    VectorXd mean(free_.size());
    for (std::size_t k = 0; k < free_.size(); ++k) {
      const SearchVariable& v = space.variables[free_[k]];
      mean[k] = (start_[free_[k]] - v.low) / (v.high - v.low);
    }
    begin(mean);
  }

  bool propose(std::size_t ahead, std::vector<double>& values) const override {
    const uint64_t trial = trial_ + ahead;
    if (trial > settings_.trials) return false;
    values = start_;
    if (trial == 0) return true;
    if (trial - first_ >= lambda_) return false;
    const VectorXd u = sample(trial);
    for (std::size_t k = 0; k < free_.size(); ++k) {
      const SearchVariable& v = space_.variables[free_[k]];
      values[free_[k]] = tried_value(v, v.low + u[k] * (v.high - v.low));
    }
    return true;
  }

  bool tell(const std::vector<double>&, double cost) override {
    if (trial_ > 0) {
      samples_.push_back(sample(trial_));
      costs_.push_back(cost);
    }
    ++trial_;
    if (samples_.empty() || samples_.size() < lambda_) return true;
    learn();
    samples_.clear();
    costs_.clear();
    first_ = trial_;
    return false;
  }

  bool ended() const override { return trial_ > settings_.trials; }

 private:
  // A new strategy about a point.
  void begin(const VectorXd& mean) {
    const Eigen::Index n = mean.size();
    mean_ = mean;
    sigma_ = 1;
    covariance_ = MatrixXd::Zero(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      const SearchVariable& v = space_.variables[free_[k]];
      const double share = std::min(1.0, first_step(v, settings_) / (v.high - v.low));
      covariance_(k, k) = share * share;
    }
    path_c_ = path_sigma_ = VectorXd::Zero(n);
    generation_ = 0;
    flat_ = 0;
    decompose();
  }

  void decompose() {
    covariance_ = (0.5 * (covariance_ + covariance_.transpose())).eval();
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(covariance_);
    axes_ = solver.eigenvectors();
    lengths_ = solver.eigenvalues().cwiseMax(1e-30).cwiseSqrt();
  }

  VectorXd sample(uint64_t trial) const {
    CounterRandom random(settings_.seed, SearchDraw::sample, chain_, trial);
    VectorXd z(mean_.size());
    for (double& one : z) one = random.normal();
    VectorXd u = mean_ + sigma_ * (axes_ * lengths_.cwiseProduct(z));
    for (double& one : u) one = reflected(one, 0, 1);
    return u;
  }

  void learn() {
    const double n = static_cast<double>(mean_.size());
    std::vector<std::size_t> order(lambda_);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return costs_[a] < costs_[b]; });
    flat_ = costs_[order.front()] == costs_[order.back()] ? flat_ + 1 : 0;
    // From what has no cost nothing can be learnt.
    std::size_t usable = 0;
    for (const double cost : costs_) usable += cost < hopeless_cost;
    const std::size_t mu = std::min(lambda_ / 2, usable);
    if (mu == 0) {
      if (flat_ >= flat_generations) begin_elsewhere();
      return;
    }
    VectorXd weights(mu);
    for (std::size_t i = 0; i < mu; ++i)
      weights[i] = steady_log(static_cast<double>(lambda_) / 2 + 0.5) -
                   steady_log(static_cast<double>(i + 1));
    weights /= weights.sum();
    const double effective = 1 / weights.squaredNorm();
    const double c_sigma = (effective + 2) / (n + effective + 5);
    const double damping =
        1 + 2 * std::max(0.0, std::sqrt((effective - 1) / (n + 1)) - 1) + c_sigma;
    const double c_c = (4 + effective / n) / (n + 4 + 2 * effective / n);
    const double c_1 = 2 / ((n + 1.3) * (n + 1.3) + effective);
    const double c_mu =
        std::min(1 - c_1, 2 * (effective - 2 + 1 / effective) / ((n + 2) * (n + 2) + effective));
    const double expected = std::sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));

    VectorXd step = VectorXd::Zero(mean_.size());  // in units of sigma
    MatrixXd learnt = MatrixXd::Zero(mean_.size(), mean_.size());
    for (std::size_t i = 0; i < mu; ++i) {
      const VectorXd y = (samples_[order[i]] - mean_) / sigma_;
      step += weights[i] * y;
      learnt += weights[i] * y * y.transpose();
    }
    mean_ = (mean_ + sigma_ * step).cwiseMax(0).cwiseMin(1);
    path_sigma_ = (1 - c_sigma) * path_sigma_ +
                  std::sqrt(c_sigma * (2 - c_sigma) * effective) *
                      (axes_ * (axes_.transpose() * step).cwiseQuotient(lengths_));
    ++generation_;
    const double forgotten = 1 - steady_power(1 - c_sigma, 2 * generation_);
    const bool steady = path_sigma_.norm() / std::sqrt(forgotten) < (1.4 + 2 / (n + 1)) * expected;
    path_c_ *= 1 - c_c;
    if (steady) path_c_ += std::sqrt(c_c * (2 - c_c) * effective) * step;
    const double kept = 1 - c_1 - c_mu + (steady ? 0 : c_1 * c_c * (2 - c_c));
    covariance_ = kept * covariance_ + c_1 * path_c_ * path_c_.transpose() + c_mu * learnt;
    sigma_ *= steady_exp(std::min(1.0, c_sigma / damping * (path_sigma_.norm() / expected - 1)));
    decompose();
    keep_within();
    if (flat_ >= flat_generations || sigma_ * lengths_.maxCoeff() < resting ||
        !(lengths_.maxCoeff() < 1e7 * lengths_.minCoeff()))
      begin_elsewhere();
  }

  // No wider than the box, and wide enough along whole numbers to change them.
  void keep_within() {
    sigma_ = std::min(sigma_, 1 / lengths_.maxCoeff());
    bool widened = false;
    for (Eigen::Index k = 0; k < mean_.size(); ++k) {
      const SearchVariable& v = space_.variables[free_[k]];
      if (!v.whole) continue;
      const double least = 0.3 / (v.high - v.low) / sigma_;
      if (covariance_(k, k) >= least * least) continue;
      covariance_(k, k) = least * least;
      widened = true;
    }
    if (widened) decompose();
  }

  void begin_elsewhere() {
    lambda_ *= 2;
    CounterRandom random(settings_.seed, SearchDraw::begin, chain_, trial_);
    VectorXd mean(mean_.size());
    for (double& one : mean) one = random.uniform();
    begin(mean);
  }

  const SearchSpace& space_;
  const SearchSettings& settings_;
  const std::size_t chain_;
  std::vector<double> start_;
  std::vector<std::size_t> free_;  // variables that have a range
  std::size_t lambda_ = 0;         // samples of a generation

  VectorXd mean_;
  double sigma_ = 1;
  MatrixXd covariance_, axes_;  // C = axes lengths^2 axes^T
  VectorXd lengths_, path_c_, path_sigma_;
  uint64_t generation_ = 0;
  int flat_ = 0;

  uint64_t trial_ = 0;  // the next one
  uint64_t first_ = 1;  // of this generation
  std::vector<VectorXd> samples_;
  std::vector<double> costs_;
};

}  // namespace

std::unique_ptr<SearchChain> population_chain(const SearchSpace& space,
                                              const SearchSettings& settings, std::size_t chain) {
  return std::make_unique<PopulationChain>(space, settings, chain);
}

}  // namespace sinew::kernels
