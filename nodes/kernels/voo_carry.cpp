#include "nodes/kernels/voo_carry.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nodes/geometry/stop_check.h"
#include "nodes/kernels/voo_frame.h"

namespace sinew::kernels {

namespace {

using Matrix = Eigen::Matrix3d;

constexpr double stretches_a_second = 24;
constexpr std::size_t cells = 5;           // of a stretch that is not calm
constexpr double calm_cosine = 0.5;        // pins within 60 degrees of their rest
constexpr double calm_step_cosine = 0.94;  // that turn by less than 20 degrees
constexpr double none = 1e-9;              // radians

double angle_between(const Vec3d& a, const Vec3d& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

double of(std::span<const std::pair<uint32_t, double>> spins, std::size_t pin) {
  const auto found = std::lower_bound(spins.begin(), spins.end(), pin,
                                      [](const auto& s, std::size_t k) { return s.first < k; });
  return found != spins.end() && found->first == pin ? found->second : 0;
}

}  // namespace

VooCarry::VooCarry(std::vector<Matrix> rest, double begin, DirectionsAt directions)
    : rest_(std::move(rest)),
      begin_(begin),
      directions_(std::move(directions)),
      known_at_(std::numeric_limits<double>::quiet_NaN()) {}

double VooCarry::time_of(std::size_t stretch, std::size_t cell) const {
  const double place = static_cast<double>(stretch * cells + cell);
  return begin_ + place / (stretches_a_second * static_cast<double>(cells));
}

double VooCarry::carried(std::size_t pin, const Vec3d& from, double spin, const Vec3d& to) const {
  const Matrix& rest = rest_[pin];
  const Vec3d u = rest.col(0), w = rest.col(2);
  const Matrix before =
      Eigen::AngleAxisd(spin, from).toRotationMatrix() * smallest_rotation(u, from, w) * rest;
  const Vec3d v = smallest_rotation(from, to, before.col(2)) * before.col(1);
  const Matrix alone = smallest_rotation(u, to, w) * rest;
  const double apart = std::atan2(v.dot(alone.col(2)), v.dot(alone.col(1)));
  const double most = fastest_spin * angle_between(from, to);
  return std::abs(apart) <= most + none ? 0 : apart - std::copysign(most, apart);
}

bool VooCarry::is_calm(std::span<const Vec3d> from, std::span<const Vec3d> to) const {
  for (std::size_t k = 0; k < rest_.size(); ++k) {
    const Vec3d u = rest_[k].col(0);
    if (from[k].dot(u) < calm_cosine || to[k].dot(u) < calm_cosine ||
        from[k].dot(to[k]) < calm_step_cosine) {
      return false;
    }
  }
  return true;
}

void VooCarry::add_stretch() const {
  const std::size_t index = stretches_.size(), count = rest_.size();
  if (now_.empty()) {
    now_.resize(count);
    directions_(begin_, now_);
  }
  std::vector<Vec3d> next(count);
  directions_(time_of(index + 1, 0), next);
  Stretch& stretch = stretches_.emplace_back();
  if (!spins_.empty() || !is_calm(now_, next)) {
    std::vector<Vec3d> from = now_, to(count);
    for (std::size_t c = 0; c < cells; ++c) {
      stretch.cells.push_back(spins_);
      if (c + 1 < cells) {
        directions_(time_of(index, c + 1), to);
      } else {
        to = next;
      }
      Spins after;
      for (std::size_t k = 0; k < count; ++k) {
        const double spin = carried(k, from[k], of(stretch.cells.back(), k), to[k]);
        if (spin != 0) after.emplace_back(static_cast<uint32_t>(k), spin);
      }
      spins_ = std::move(after);
      from.swap(to);
    }
  }
  now_ = std::move(next);
}

double VooCarry::spin(std::size_t pin, double t, const Vec3d& u) const {
  if (!(t > begin_)) return 0;
  const double place = (t - begin_) * stretches_a_second;
  const auto index = static_cast<std::size_t>(place);
  const std::lock_guard lock(mutex_);
  while (stretches_.size() <= index) {
    stop_if_wanted();
    add_stretch();
  }
  const Stretch& stretch = stretches_[index];
  if (stretch.cells.empty()) return 0;
  const std::size_t cell = std::min(
      static_cast<std::size_t>((place - static_cast<double>(index)) * static_cast<double>(cells)),
      cells - 1);
  const double from = time_of(index, cell);
  if (known_at_ != from) {
    known_.resize(rest_.size());
    directions_(from, known_);
    known_at_ = from;
  }
  return carried(pin, known_[pin], of(stretch.cells[cell], pin), u);
}

}  // namespace sinew::kernels
