#include "nodes/kernels/inverse_charts.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/rigid_fit.h"
#include "nodes/kernels/tet_measure.h"

namespace sinew::kernels {

namespace {

using Points = std::vector<Vec3d>;

constexpr int passes_per_round = 100;
constexpr double still = 2e-6;       // of the size
constexpr double smoothness = 1e-4;  // of the mean weight of the data
// A wanted shape is as good as so many measurements, each with an error like what is left over.
constexpr double measurements = 100, usual_logarithm = 0.3;
constexpr double same_shape = 1e-6;       // of the size: what floats can tell
constexpr double difference_step = 0.01;  // of a logarithm
constexpr double same_logarithm = 1e-6;   // no more than rounding
constexpr std::array<double, 4> dampings = {1e-6, 1e-2, 0.3, 10};  // Levenberg's, of the diagonal

// f of the header: what one chart means for the three directions.
Vec3d factors_of(ChartLink link) {
  switch (link) {
    case ChartLink::keep_both:
      return {1, -0.5, -0.5};
    case ChartLink::keep_secondary:
      return {1, -1, 0};
    case ChartLink::drawn:
      break;
  }
  return {1, 1, 1};
}

// x in the order and about the centre of the body.
void put(const MatchBody& body, std::span<const Vec3d> x, MatchScratch& scratch) {
  for (std::size_t i = 0; i < body.count(); ++i) {
    const Vec3d p = x[body.order()[i]] - body.rest_centre();
    for (int k = 0; k < 3; ++k) scratch.x[4 * i + k] = static_cast<float>(p[k]);
  }
}

void take(const MatchBody& body, const MatchScratch& scratch, Points& x) {
  x.resize(body.count());
  for (std::size_t i = 0; i < body.count(); ++i) {
    x[body.order()[i]] =
        body.rest_centre() + Vec3d(scratch.x[4 * i], scratch.x[4 * i + 1], scratch.x[4 * i + 2]);
  }
}

void put_tensors(const MatchBody& body, const SymmetricArrays& tensors, MatchScratch& scratch) {
  for (std::size_t k = 0; k < 6; ++k) {
    float* const to = scratch.tensors.data() + k * body.stride();
    for (std::size_t i = 0; i < body.count(); ++i) to[i] = tensors.part[k][body.order()[i]];
  }
}

// log U of the linear map that fits a region best, its stretches within the limit; nothing where
// the region is flat at rest.
std::optional<Eigen::Matrix3d> wanted_stretch(std::span<const uint32_t> ring, uint32_t centre,
                                              std::span<const double> share, const Points& rest,
                                              const Points& wanted, double limit) {
  double mass = share[centre];
  Vec3d c0 = mass * rest[centre], c = mass * wanted[centre];
  for (const uint32_t i : ring) {
    mass += share[i];
    c0 += share[i] * rest[i];
    c += share[i] * wanted[i];
  }
  c0 /= mass;
  c /= mass;
  Eigen::Matrix3d now = Eigen::Matrix3d::Zero(), before = Eigen::Matrix3d::Zero();
  const auto add = [&](uint32_t i) {
    const Vec3d d0 = rest[i] - c0;
    now += share[i] / mass * (wanted[i] - c) * d0.transpose();
    before += share[i] / mass * d0 * d0.transpose();
  };
  add(centre);
  for (const uint32_t i : ring) add(i);
  const double scale = before.trace() / 3;
  if (!(scale > 0) || !std::isfinite(scale)) return std::nullopt;
  before /= scale;
  if (!(before.determinant() > 1e-9)) return std::nullopt;
  const Eigen::Matrix3d f = now / scale * before.inverse();
  if (!f.allFinite()) return std::nullopt;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(Eigen::Matrix3d(f.transpose() * f));
  Vec3d stretch = eigen.eigenvalues().cwiseMax(0).cwiseSqrt();
  if (f.determinant() < 0) stretch[0] = 0;  // turned inside out, along its smallest one
  const Vec3d logs = stretch.cwiseMax(1 / limit).cwiseMin(limit).array().log();
  return eigen.eigenvectors() * logs.asDiagonal() * eigen.eigenvectors().transpose();
}

// Which points of a chart a vertex is at, at a moment.
struct Hats {
  std::array<int, 2> point;
  std::array<double, 2> part;
};

class Search {
 public:
  Search(const TetMesh& solid, const MatchBody& body, std::span<const WantedShape> shapes,
         const InverseSettings& settings, CancelView stop);

  FoundCharts run();

 private:
  int charts() const { return settings_.link == ChartLink::drawn ? 3 : 1; }
  int unknowns() const { return charts() * settings_.points; }
  double amplitude(std::size_t r) const { return one_of(settings_.amplitude, r); }
  Hats hats(std::size_t r, double time) const;
  static double one_of(const std::vector<float>& values, std::size_t r) {
    return static_cast<double>(values[values.size() == 1 ? 0 : r]);
  }

  Eigen::VectorXd solve_linear() const;
  Eigen::MatrixXd regularity(double weight) const;
  Eigen::VectorXd tidy(Eigen::VectorXd logs) const;
  bool acts(int unknown, std::size_t shape) const;

  std::array<Chart, 3> draw(const Eigen::VectorXd& logs) const;
  Points shape_at(const Eigen::VectorXd& logs, std::size_t k, const Points& start) const;
  Eigen::VectorXd error_of(const Points& x, std::size_t k) const;

  // Charts and what they lead to.
  struct Guess {
    Eigen::VectorXd logs;
    std::vector<Points> shapes;
    std::vector<Eigen::VectorXd> errors;
    double square = 0;
    std::vector<double> lengths() const;
  };
  Guess guess(Eigen::VectorXd logs, const std::vector<Points>& start) const;
  void normal_equations(const Guess& at, Eigen::MatrixXd& matrix, Eigen::VectorXd& gradient) const;
  bool improve(Guess& at) const;

  const TetMesh& solid_;
  const MatchBody& body_;
  std::span<const WantedShape> shapes_;
  const InverseSettings& settings_;
  CancelView stop_;
  Points rest_;
  std::vector<Points> wanted_;
  std::vector<double> weights_;  // by vertex, sum 1
};

Search::Search(const TetMesh& solid, const MatchBody& body, std::span<const WantedShape> shapes,
               const InverseSettings& settings, CancelView stop)
    : solid_(solid), body_(body), shapes_(shapes), settings_(settings), stop_(stop) {
  const auto wide = [](std::span<const Vec3f> points) {
    Points result;
    for (const Vec3f& p : points) result.push_back(p.cast<double>());
    return result;
  };
  rest_ = wide(solid.positions);
  for (const WantedShape& shape : shapes) wanted_.push_back(wide(shape.positions));
  weights_.resize(body.count());
  for (std::size_t i = 0; i < body.count(); ++i) {
    weights_[body.order()[i]] = static_cast<double>(body.masses()[i]) / body.total_mass();
  }
}

Hats Search::hats(std::size_t r, double time) const {
  const double late = one_of(settings_.phase, r) / (settings_.speed * settings_.period);
  const double cycles = time - late;
  const double at = (cycles - std::floor(cycles)) * settings_.points;
  const int first = std::min(static_cast<int>(at), settings_.points - 1);
  const double part = at - first;
  return {{first, (first + 1) % settings_.points}, {1 - part, part}};
}

// Smoothness and ridge for one chart: their balance is a sixth of a cycle, whatever the number of
// points.
Eigen::MatrixXd Search::regularity(double weight) const {
  const int n = settings_.points;
  const double ridge = smoothness * std::pow(6.0 / n, 4);
  Eigen::MatrixXd matrix = ridge * Eigen::MatrixXd::Identity(n, n);
  for (int p = 0; p < n; ++p) {
    Eigen::VectorXd bend = Eigen::VectorXd::Zero(n);
    bend[(p + n - 1) % n] += 1;
    bend[p] -= 2;
    bend[(p + 1) % n] += 1;
    matrix += smoothness * bend * bend.transpose();
  }
  return weight / n * matrix;
}

Eigen::VectorXd Search::tidy(Eigen::VectorXd logs) const {
  const double most = std::log(settings_.limit);
  for (double& l : logs) {
    l = std::isfinite(l) && std::abs(l) > same_logarithm ? std::clamp(l, -most, most) : 0;
  }
  return logs;
}

// The three charts as they are drawn share one matrix; linked ones are one unknown with three
// equations.
Eigen::VectorXd Search::solve_linear() const {
  const int n = settings_.points;
  const bool drawn = settings_.link == ChartLink::drawn;
  const Vec3d factors = factors_of(settings_.link);
  const Rows near = tet_vertex_neighbours(solid_.tets(), body_.count());
  std::vector<double> share(body_.count());
  for (std::size_t i = 0; i < share.size(); ++i) {
    share[i] = weights_[i] / static_cast<double>(near[i].size() + 1);
  }
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n), right = Eigen::MatrixXd::Zero(n, charts());
  std::vector<std::optional<Vec3d>> along(body_.count());
  for (std::size_t k = 0; k < shapes_.size(); ++k) {
    parallel_blocks(
        body_.count(),
        [&](std::size_t begin, std::size_t end) {
          stop_.check();
          for (std::size_t r = begin; r < end; ++r) {
            along[r].reset();
            const auto u = wanted_stretch(near[r], static_cast<uint32_t>(r), share, rest_,
                                          wanted_[k], settings_.limit);
            if (!u) continue;
            along[r] = u->diagonal();
            if (!settings_.frames) continue;
            const Frames& d = *settings_.frames;
            const Vec3d d1 = d.primary[r].cast<double>(), d2 = d.secondary[r].cast<double>(),
                        d3 = d.tertiary[r].cast<double>();
            along[r] = Vec3d(d1.dot(*u * d1), d2.dot(*u * d2), d3.dot(*u * d3));
          }
        },
        512);
    for (std::size_t r = 0; r < along.size(); ++r) {
      if (!along[r]) continue;
      const Hats h = hats(r, shapes_[k].time);
      const double as = amplitude(r), w = weights_[r] / static_cast<double>(shapes_.size());
      for (std::size_t a = 0; a < 2; ++a) {
        for (std::size_t b = 0; b < 2; ++b) {
          matrix(h.point[a], h.point[b]) += w * as * as * h.part[a] * h.part[b];
        }
        if (drawn) {
          right.row(h.point[a]) += w * as * h.part[a] * along[r]->transpose();
        } else {
          right(h.point[a], 0) +=
              w * as * h.part[a] * factors.dot(*along[r]) / factors.squaredNorm();
        }
      }
    }
  }
  const double weight = matrix.trace();
  if (!(weight > 0)) return Eigen::VectorXd::Zero(unknowns());
  const Eigen::MatrixXd logs =
      Eigen::LDLT<Eigen::MatrixXd>(matrix + regularity(weight)).solve(right);
  return tidy(Eigen::Map<const Eigen::VectorXd>(logs.data(), unknowns()));
}

std::array<Chart, 3> Search::draw(const Eigen::VectorXd& logs) const {
  std::array<Chart, 3> result;
  const Vec3d factors = factors_of(settings_.link);
  const bool drawn = settings_.link == ChartLink::drawn;
  for (int j = 0; j < 3; ++j) {
    Chart& chart = result[static_cast<std::size_t>(j)];
    chart.interpolation = Interpolation::linear;
    chart.extension = Extension::cyclic;
    chart.axis = ValueAxis::ratio;
    chart.period = 1;
    for (int p = 0; p < settings_.points; ++p) {
      const double log = drawn ? logs[j * settings_.points + p] : factors[j] * logs[p];
      chart.points.push_back({static_cast<double>(p) / settings_.points, std::exp(log)});
    }
  }
  return result;
}

// x_k(l), beginning at a shape that is near.
Points Search::shape_at(const Eigen::VectorXd& logs, std::size_t k, const Points& start) const {
  const std::array<Chart, 3> drawn = draw(logs);
  auto pattern = std::make_shared<ActivationPattern>();
  pattern->charts = compile_charts(drawn[0], drawn[1], drawn[2], settings_.link, settings_.limit);
  pattern->amplitude = settings_.amplitude;
  pattern->phase = settings_.phase;
  pattern->speed = settings_.speed;
  pattern->period = settings_.period;
  Activation activation;
  activation.count = body_.count();
  activation.frames = settings_.frames;
  activation.time = shapes_[k].time * settings_.period;
  activation.pattern = std::move(pattern);
  ActivationScratch room;
  SymmetricArrays tensors;
  evaluate_activation(activation, 0, {}, room, tensors);
  MatchScratch scratch;
  scratch.fit(body_);
  put(body_, start, scratch);
  put_tensors(body_, tensors, scratch);
  relax_shape(body_, scratch, stop_);
  Points x;
  take(body_, scratch, x);
  return x;
}

// e_k as parts of the size, weighed, so that its length is the root mean square.
Eigen::VectorXd Search::error_of(const Points& x, std::size_t k) const {
  const RigidFit fit = fit_rigid(x, wanted_[k], weights_);
  const double per_size = body_.size() > 0 ? 1 / static_cast<double>(body_.size()) : 0;
  Eigen::VectorXd error(static_cast<Eigen::Index>(3 * x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vec3d off = std::sqrt(weights_[i]) * per_size * (fit(x[i]) - wanted_[k][i]);
    error.segment<3>(static_cast<Eigen::Index>(3 * i)) = off;
  }
  return error;
}

std::vector<double> Search::Guess::lengths() const {
  std::vector<double> list;
  for (const Eigen::VectorXd& e : errors) list.push_back(e.norm());
  return list;
}

Search::Guess Search::guess(Eigen::VectorXd logs, const std::vector<Points>& start) const {
  Guess made;
  made.logs = std::move(logs);
  made.shapes.resize(shapes_.size());
  made.errors.resize(shapes_.size());
  parallel_each(shapes_.size(), [&](std::size_t k) {
    made.shapes[k] = shape_at(made.logs, k, start.empty() ? rest_ : start[k]);
    made.errors[k] = error_of(made.shapes[k], k);
  });
  for (const Eigen::VectorXd& e : made.errors) made.square += e.squaredNorm();
  return made;
}

// Whether a point of a chart says anything about a shape.
bool Search::acts(int unknown, std::size_t shape) const {
  const int p = unknown % settings_.points;
  const bool same = settings_.amplitude.size() == 1 && settings_.phase.size() == 1;
  for (std::size_t r = 0; r < (same ? 1 : body_.count()); ++r) {
    if (amplitude(r) == 0) continue;
    const Hats h = hats(r, shapes_[shape].time);
    for (std::size_t a = 0; a < 2; ++a) {
      if (h.point[a] == p && std::abs(h.part[a]) > 1e-9) return true;
    }
  }
  return false;
}

// J^T J and J^T e, by differences.
void Search::normal_equations(const Guess& at, Eigen::MatrixXd& matrix,
                              Eigen::VectorXd& gradient) const {
  matrix = Eigen::MatrixXd::Zero(unknowns(), unknowns());
  gradient = Eigen::VectorXd::Zero(unknowns());
  for (std::size_t k = 0; k < shapes_.size(); ++k) {
    std::vector<int> which;
    for (int u = 0; u < unknowns(); ++u) {
      if (acts(u, k)) which.push_back(u);
    }
    Eigen::MatrixXd slopes(at.errors[k].size(), static_cast<Eigen::Index>(which.size()));
    parallel_each(which.size(), [&](std::size_t i) {
      Eigen::VectorXd logs = at.logs;
      // Towards 1, where there is room.
      const double step = logs[which[i]] > 0 ? -difference_step : difference_step;
      logs[which[i]] += step;
      const Eigen::VectorXd error = error_of(shape_at(logs, k, at.shapes[k]), k);
      slopes.col(static_cast<Eigen::Index>(i)) = (error - at.errors[k]) / step;
    });
    const Eigen::MatrixXd product = slopes.transpose() * slopes;
    const Eigen::VectorXd down = slopes.transpose() * at.errors[k];
    for (std::size_t i = 0; i < which.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      gradient[which[i]] += down[row];
      for (std::size_t j = 0; j < which.size(); ++j) {
        matrix(which[i], which[j]) += product(row, static_cast<Eigen::Index>(j));
      }
    }
  }
}

// One round. False if nothing better was found.
bool Search::improve(Guess& at) const {
  Eigen::MatrixXd matrix;
  Eigen::VectorXd gradient;
  normal_equations(at, matrix, gradient);
  const double weight = matrix.trace() / charts();
  if (!(weight > 0) || !std::isfinite(weight)) return false;
  // What is left over says how far the shapes can be trusted: points that hardly matter must not
  // chase what no chart can do.
  const double doubt = at.square / (measurements * usual_logarithm * usual_logarithm);
  const double trust = settings_.points * doubt / smoothness;
  const Eigen::MatrixXd even = regularity(std::max(weight, trust));
  for (int j = 0; j < charts(); ++j) {
    const int first = j * settings_.points, n = settings_.points;
    matrix.block(first, first, n, n) += even;
    gradient.segment(first, n) += even * at.logs.segment(first, n);
  }
  for (const double damping : dampings) {
    stop_.check();
    Eigen::MatrixXd damped = matrix;
    damped.diagonal() *= 1 + damping;
    const Eigen::VectorXd step = Eigen::LDLT<Eigen::MatrixXd>(damped).solve(-gradient);
    if (!step.allFinite()) continue;
    Guess next = guess(tidy(at.logs + step), at.shapes);
    if (!(next.square < at.square)) continue;
    at = std::move(next);
    return true;
  }
  return false;
}

FoundCharts Search::run() {
  FoundCharts found;
  if (shapes_.empty() || body_.count() == 0) {
    found.charts = draw(Eigen::VectorXd::Zero(unknowns()));
    return found;
  }
  for (std::size_t k = 0; k < shapes_.size(); ++k) {
    found.rest_error.push_back(error_of(rest_, k).norm());
  }
  Guess at = guess(solve_linear(), {});
  found.linear_error = at.lengths();
  for (int round = 0; round < settings_.refine; ++round) {
    stop_.check();
    const double before = at.square;
    if (!(before > same_shape * same_shape * static_cast<double>(shapes_.size()))) break;
    if (!improve(at) || at.square > 0.999 * before) break;
  }
  found.charts = draw(at.logs);
  found.error = at.lengths();
  return found;
}

}  // namespace

double overall_error(std::span<const double> errors) {
  double sum = 0;
  for (const double e : errors) sum += e * e;
  return errors.empty() ? 0 : std::sqrt(sum / static_cast<double>(errors.size()));
}

FoundCharts find_charts(const TetMesh& solid, const MatchBody& body,
                        std::span<const WantedShape> shapes, const InverseSettings& settings,
                        CancelView stop) {
  return Search(solid, body, shapes, settings, stop).run();
}

bool relax_shape(const MatchBody& body, MatchScratch& scratch, CancelView stop, int most_rounds) {
  const MatchPlan plan = plan_stiffness(passes_per_round, StiffnessMethod::fast);
  const double near = still * static_cast<double>(body.size());
  for (int round = 0; round < most_rounds; ++round) {
    stop.check();
    match_shape(body, plan, {}, scratch);
    float most = 0;
    for (std::size_t i = 0; i < 4 * body.count(); ++i) {
      most = std::max(most, std::abs(scratch.goal[i] - scratch.x[i]));
    }
    std::swap(scratch.x, scratch.goal);
    if (static_cast<double>(most) <= near) return true;
  }
  return false;
}

std::vector<Vec3f> relaxed_shape(const MatchBody& body, const Activation& activation,
                                 CancelView stop) {
  ActivationScratch room;
  SymmetricArrays tensors;
  evaluate_activation(activation, 0, {}, room, tensors);
  MatchScratch scratch;
  scratch.fit(body);
  std::copy_n(body.view().rest, 4 * body.count(), scratch.x.begin());
  put_tensors(body, tensors, scratch);
  relax_shape(body, scratch, stop);
  Points x;
  take(body, scratch, x);
  std::vector<Vec3f> result;
  for (const Vec3d& p : x) result.push_back(p.cast<float>());
  return result;
}

}  // namespace sinew::kernels
