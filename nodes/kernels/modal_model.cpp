#include "nodes/kernels/modal_model.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

#include "nodes/kernels/measure.h"

namespace sinew::kernels {
namespace {

// Of a mode, how much of its motion must be new, in parts of its energy.
constexpr double least_news = 1e-7;

constexpr std::size_t most_named = 3;

std::string quoted(const std::vector<std::string>& names) {
  std::string text;
  if (names.size() > most_named + 1) {
    for (std::size_t i = 0; i < most_named; ++i) text += fmt::format("'{}', ", names[i]);
    return fmt::format("{}and {} others", text, names.size() - most_named);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "'" : i + 1 == names.size() ? " and '" : ", '") + names[i] + "'";
  }
  return text;
}

// Which modes before `n` make it, from the rows of the factor until now.
std::vector<std::string> makers(const Eigen::MatrixXd& normal, Eigen::Index n,
                                const std::vector<const DeformMode*>& modes) {
  const Eigen::VectorXd parts = normal.topLeftCorner(n, n).ldlt().solve(normal.col(n).head(n));
  std::vector<std::string> names;
  for (Eigen::Index k = 0; k < n; ++k) {
    if (std::abs(parts[k]) > 1e-3) names.push_back(modes[static_cast<std::size_t>(k)]->name);
  }
  return names;
}

// Looks for the first mode that the ones before it, and rigid motions, make superfluous.
std::string flaw_of(const ModalInertia& inertia, const Eigen::VectorXd& alone, double floor,
                    const std::vector<const DeformMode*>& modes) {
  const auto count = static_cast<Eigen::Index>(modes.size());
  Eigen::MatrixXd normal = inertia.between;
  for (Eigen::Index n = 0; n < count; ++n) {
    const std::string& name = modes[static_cast<std::size_t>(n)]->name;
    if (alone[n] <= floor) {
      return fmt::format("mode '{}' moves no mass point: it needs others, or more of them", name);
    }
    if (inertia.between(n, n) <= least_news * alone[n]) {
      return fmt::format("mode '{}' only moves or turns the body, which it does anyway", name);
    }
  }
  for (Eigen::Index n = 0; n < count; ++n) {
    for (Eigen::Index k = 0; k < count; ++k) {
      normal(n, k) /= std::sqrt(inertia.between(n, n) * inertia.between(k, k));
    }
  }
  Eigen::MatrixXd factor = Eigen::MatrixXd::Zero(count, count);
  for (Eigen::Index n = 0; n < count; ++n) {
    for (Eigen::Index k = 0; k < n; ++k) {
      const double sum = factor.row(n).head(k).dot(factor.row(k).head(k));
      factor(n, k) = (normal(n, k) - sum) / factor(k, k);
    }
    const double pivot = normal(n, n) - factor.row(n).head(n).squaredNorm();
    if (!(pivot > least_news)) {
      const std::vector<std::string> others = makers(normal, n, modes);
      return fmt::format(
          "mode '{}' does to the mass points what {} already {}; take one of them away, or more "
          "mass points",
          modes[static_cast<std::size_t>(n)]->name, quoted(others),
          others.size() == 1 ? "does" : "do together");
    }
    factor(n, n) = std::sqrt(pivot);
  }
  return {};
}

}  // namespace

ModalInertia modal_inertia(const Modes& modes, std::span<const MassPoint> masses) {
  ModalInertia out;
  double total = 0;
  for (const MassPoint& point : masses) {
    out.centre += double{point.mass} * point.at.cast<double>();
    total += double{point.mass};
  }
  if (masses.empty()) {
    out.flaw = "there are no mass points";
    return out;
  }
  out.centre /= total;

  std::vector<Vec3f> places;
  for (const MassPoint& point : masses) places.push_back(point.at);
  const auto space = std::make_shared<const ModalSpace>(modes, out.centre);
  const ModalPoints points(space, places);
  const auto count = static_cast<Eigen::Index>(modes.count());
  const std::vector<double> zero(modes.count(), 0.0);
  ModalPoints::Room room;
  points.set_moment(zero, zero, room);
  Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(6 + count, 6 + count);
  Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor> j(3, 6 + count), ways(3, count);
  double spread = 0;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    double* const rows[3] = {ways.data(), ways.data() + count, ways.data() + 2 * count};
    const Vec3d p = points.derivatives(i, zero, zero, room, rows).place;
    j << Eigen::Matrix3d::Identity(),
        (Eigen::Matrix3d() << 0, p.z(), -p.y(), -p.z(), 0, p.x(), p.y(), -p.x(), 0).finished(),
        ways;
    mass += double{masses[i].mass} * j.transpose() * j;
    spread = std::max(spread, p.norm());
  }
  const Eigen::Matrix3d turning = mass.block<3, 3>(3, 3);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(turning, Eigen::EigenvaluesOnly);
  if (!(axes.eigenvalues()[0] > 1e-9 * total * spread * spread)) {
    out.flaw =
        "the mass points lie on one line, about which they have no inertia: the body must be "
        "wider, "
        "or have others";
    return out;
  }
  const Eigen::MatrixXd across = mass.topRightCorner(6, count);
  out.between = mass.bottomRightCorner(count, count) -
                across.transpose() * mass.topLeftCorner(6, 6).ldlt().solve(across);
  for (Eigen::Index n = 0; n < count; ++n) out.free.push_back(out.between(n, n));
  out.flaw =
      flaw_of(out, mass.diagonal().tail(count), 1e-14 * total * spread * spread, modes.all());
  return out;
}

ModalModel::ModalModel(const ModalBody& body) : stiffness(body.stiffness), damping(body.damping) {
  const ModalInertia inertias = modal_inertia(*body.modes, body.masses);
  inertia = inertias.free;
  space = std::make_shared<const ModalSpace>(*body.modes, inertias.centre);
  std::vector<Vec3f> places;
  for (const MassPoint& point : body.masses) {
    places.push_back(point.at);
    mass.push_back(double{point.mass});
    total += double{point.mass};
  }
  masses = ModalPoints(space, places);
  for (const DeformMode* mode : body.modes->all()) {
    rest.push_back(mode->amplitude);
    active.push_back(mode->active ? 1 : 0);
    names.push_back(mode->name);
  }

  places.clear();
  for (const uint32_t vertex : body.touching) {
    places.push_back(body.mesh->positions[vertex]);
    radius = std::max(radius, (places.back().cast<double>() - space->centre()).norm());
  }
  touching = ModalPoints(space, places);
  reach.assign(modes(), 0);
  for (std::size_t m = 0; m < modes(); ++m) {
    for (std::size_t i = 0; i < touching.size(); ++i) {
      reach[m] = std::max(reach[m], touching.way(m, i).norm());
    }
    // A lattice that bends the whole may draw the ways of its parts out.
    if (space->local_modes() > 0) reach[m] *= 2;
  }
  const Eigen::AlignedBox3f box = bounding_box(body.mesh->positions);
  size = box.isEmpty() ? 0 : double{box.sizes().maxCoeff()};
}

std::size_t ModalModel::bytes() const {
  const std::size_t points = masses.size() + touching.size();
  return sizeof *this + points * (modes() + 4) * sizeof(Vec3d) + 8 * modes() * sizeof(double);
}

}  // namespace sinew::kernels
