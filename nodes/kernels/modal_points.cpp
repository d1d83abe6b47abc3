#include "nodes/kernels/modal_points.h"

#include <Eigen/LU>
#include <algorithm>

#include "nodes/kernels/ffd.h"

namespace sinew::kernels {

ModalSpace::ModalSpace(const Modes& modes, const Vec3d& centre) : centre_(centre) {
  for (const ModeLattice& lattice : modes.lattices) {
    const LatticeRest& rest = *lattice.rest;
    Eigen::Matrix3d edges;
    for (int a = 0; a < 3; ++a) edges.col(a) = rest.box.edges[static_cast<std::size_t>(a)];
    Cage cage{rest.box,
              edges.inverse(),
              {LatticeAxis(rest.basis, rest.counts[0]), LatticeAxis(rest.basis, rest.counts[1]),
               LatticeAxis(rest.basis, rest.counts[2])},
              modes_,
              {}};
    for (const DeformMode& mode : lattice.modes) {
      std::vector<Vec3d>& delta = cage.deltas.emplace_back();
      for (const Vec3f& d : mode.delta) delta.push_back(d.cast<double>());
    }
    modes_ += lattice.modes.size();
    lattices_.push_back(std::move(cage));
  }
}

bool ModalSpace::holds(std::size_t lattice, const Vec3d& rest) const {
  if (lattice + 1 == lattices_.size()) return true;
  const Cage& cage = lattices_[lattice];
  const Vec3d stu = cage.to_stu * (rest - cage.box.corner);
  const double border = double{ffd_border};
  return (stu.array() >= -border).all() && (stu.array() <= 1 + border).all();
}

void ModalSpace::set_moment(std::span<const double> amplitudes, std::span<const double> rates,
                            Moment& moment) const {
  moment.offsets.resize(lattices_.size());
  moment.rates.resize(lattices_.size());
  for (std::size_t l = 0; l < lattices_.size(); ++l) {
    const Cage& cage = lattices_[l];
    const std::size_t points =
        std::size_t{cage.axes[0].count()} * cage.axes[1].count() * cage.axes[2].count();
    moment.offsets[l].assign(points, Vec3d::Zero());
    moment.rates[l].assign(points, Vec3d::Zero());
    for (std::size_t n = 0; n < cage.deltas.size(); ++n) {
      const double g = amplitudes[cage.first + n], r = rates[cage.first + n];
      for (std::size_t p = 0; p < points && (g != 0 || r != 0); ++p) {
        moment.offsets[l][p] += g * cage.deltas[n][p];
        moment.rates[l][p] += r * cage.deltas[n][p];
      }
    }
  }
}

void ModalSpace::pass(std::size_t lattice, const Moment& moment, std::span<const double> rates,
                      bool all, Bent& point) const {
  const Cage& cage = lattices_[lattice];
  const Vec3d stu = cage.to_stu * (point.place - cage.box.corner);
  LatticeAxis::Weights w[3];
  for (int a = 0; a < 3; ++a) cage.axes[static_cast<std::size_t>(a)].at(stu[a], w[a]);
  const uint32_t nx = cage.axes[0].count(), ny = cage.axes[1].count(), nz = cage.axes[2].count();
  const std::vector<Vec3d>&offsets = moment.offsets[lattice], &speeds = moment.rates[lattice];

  // y' in parameters: how the place moves through the lattice.
  Vec3d flow = Vec3d::Zero();
  if (all) {
    for (std::size_t n = 0; n < modes_; ++n) flow += rates[n] * point.ways[n];
    flow = cage.to_stu * flow;
  }
  Vec3d shift = Vec3d::Zero(), curving = Vec3d::Zero(), mixed = Vec3d::Zero();
  Eigen::Matrix3d slope = Eigen::Matrix3d::Zero();  // d by (s, t, u)
  std::size_t p = 0;
  for (uint32_t k = 0; k < nz; ++k) {
    for (uint32_t j = 0; j < ny; ++j) {
      for (uint32_t i = 0; i < nx; ++i, ++p) {
        const double b0 = w[0].value[i], b1 = w[1].value[j], b2 = w[2].value[k];
        shift += b0 * b1 * b2 * offsets[p];
        if (!all) continue;
        const double d0 = w[0].first[i], d1 = w[1].first[j], d2 = w[2].first[k];
        const Vec3d by(d0 * b1 * b2, b0 * d1 * b2, b0 * b1 * d2);
        slope += offsets[p] * by.transpose();
        mixed += by.dot(flow) * speeds[p];
        const double bent =
            w[0].second[i] * b1 * b2 * flow[0] * flow[0] +
            b0 * w[1].second[j] * b2 * flow[1] * flow[1] +
            b0 * b1 * w[2].second[k] * flow[2] * flow[2] +
            2 * (d0 * d1 * b2 * flow[0] * flow[1] + d0 * b1 * d2 * flow[0] * flow[2] +
                 b0 * d1 * d2 * flow[1] * flow[2]);
        curving += bent * offsets[p];
      }
    }
  }
  if (all) {
    const Eigen::Matrix3d turn = Eigen::Matrix3d::Identity() + slope * cage.to_stu;
    point.second = turn * point.second + curving + 2 * mixed;
    for (std::size_t n = 0; n < cage.first; ++n) point.ways[n] = turn * point.ways[n];
    ways_at(lattice, point.place, std::span(point.ways).subspan(cage.first, cage.deltas.size()));
  }
  point.place += shift;
}

void ModalSpace::ways_at(std::size_t lattice, const Vec3d& place, std::span<Vec3d> ways) const {
  const Cage& cage = lattices_[lattice];
  const Vec3d stu = cage.to_stu * (place - cage.box.corner);
  LatticeAxis::Weights w[3];
  for (int a = 0; a < 3; ++a) cage.axes[static_cast<std::size_t>(a)].at(stu[a], w[a]);
  for (Vec3d& way : ways) way.setZero();
  std::size_t p = 0;
  for (uint32_t k = 0; k < cage.axes[2].count(); ++k) {
    for (uint32_t j = 0; j < cage.axes[1].count(); ++j) {
      for (uint32_t i = 0; i < cage.axes[0].count(); ++i, ++p) {
        const double b = w[0].value[i] * w[1].value[j] * w[2].value[k];
        for (std::size_t n = 0; n < ways.size(); ++n) ways[n] += b * cage.deltas[n][p];
      }
    }
  }
}

ModalPoints::ModalPoints(std::shared_ptr<const ModalSpace> space, std::span<const Vec3f> rest)
    : space_(std::move(space)),
      base_(3, static_cast<Eigen::Index>(rest.size())),
      ways_(space_->modes(), Eigen::Matrix3Xd::Zero(3, static_cast<Eigen::Index>(rest.size()))),
      is_nested_(rest.size(), 0) {
  std::vector<Vec3d> ways(space_->modes());
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const auto column = static_cast<Eigen::Index>(i);
    const Vec3d place = rest[i].cast<double>();
    base_.col(column) = place - space_->centre();
    std::vector<uint32_t>& chain = chain_.emplace_back();
    for (std::size_t l = 0; l < space_->lattices(); ++l) {
      if (!space_->holds(l, place)) continue;
      chain.push_back(static_cast<uint32_t>(l));
      const std::size_t first = space_->first_mode(l);
      const std::size_t end =
          l + 1 < space_->lattices() ? space_->first_mode(l + 1) : space_->modes();
      space_->ways_at(l, place, std::span(ways).subspan(first, end - first));
      for (std::size_t n = first; n < end; ++n) ways_[n].col(column) = ways[n];
    }
    if (chain.size() > 1) {
      nested_.push_back(static_cast<uint32_t>(i));
      is_nested_[i] = 1;
    }
  }
}

void ModalPoints::set_moment(std::span<const double> amplitudes, std::span<const double> rates,
                             Room& room) const {
  room.local = false;
  if (nested_.empty()) return;
  for (std::size_t n = 0; n < space_->local_modes(); ++n) {
    room.local = room.local || amplitudes[n] != 0 || rates[n] != 0;
  }
  if (!room.local && !room.with_locals) return;  // nobody will ask
  space_->set_moment(amplitudes, rates, room.moment);
  room.bent.ways.resize(space_->modes());
}

void ModalPoints::bend(std::size_t i, std::span<const double> rates, bool all, Room& room) const {
  ModalSpace::Bent& bent = room.bent;
  bent.place = base_.col(static_cast<Eigen::Index>(i)) + space_->centre();
  bent.second.setZero();
  std::fill(bent.ways.begin(), bent.ways.end(), Vec3d::Zero());
  for (const uint32_t l : chain_[i]) space_->pass(l, room.moment, rates, all, bent);
}

void ModalPoints::places(std::span<const double> amplitudes, Room& room,
                         Eigen::Matrix3Xd& out) const {
  out = base_;
  // Local modes move points before the last lattice does: those are done one by one.
  const std::size_t first = room.local ? space_->local_modes() : 0;
  for (std::size_t n = first; n < ways_.size(); ++n) {
    if (amplitudes[n] != 0) out += amplitudes[n] * ways_[n];
  }
  if (!room.local) return;
  for (const uint32_t i : nested_) {
    bend(i, {}, false, room);
    out.col(i) = room.bent.place - space_->centre();
  }
}

ModalPoints::Point ModalPoints::derivatives(std::size_t i, std::span<const double> amplitudes,
                                            std::span<const double> rates, Room& room,
                                            double* const rows[3]) const {
  const auto column = static_cast<Eigen::Index>(i);
  // Where local modes rest at 0, the last lattice sees the point where it always is.
  if (!is_nested_[i] || (!room.local && !room.with_locals)) {
    Vec3d place = base_.col(column);
    for (std::size_t n = 0; n < ways_.size(); ++n) {
      const auto way = ways_[n].col(column);
      place += amplitudes[n] * way;
      for (int a = 0; a < 3; ++a) rows[a][n] = way[a];
    }
    return {place, Vec3d::Zero()};
  }
  bend(i, rates, true, room);
  for (std::size_t n = 0; n < ways_.size(); ++n) {
    for (int a = 0; a < 3; ++a) rows[a][n] = room.bent.ways[n][a];
  }
  return {room.bent.place - space_->centre(), room.bent.second};
}

}  // namespace sinew::kernels
