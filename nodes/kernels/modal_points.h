// Material points of a body that deforms by modes: where they are, and how that changes with the
// amplitudes [Faloutsos97, equations 2, 3 and 10 to 17].
//
//   P(gamma)            place in the body's own frame, metres: 3
//   P_gamma             its derivatives by the amplitudes: 3 x D
//   P_gg[g', g']        its second derivative along the rates g' of the amplitudes: 3
//
// A point that only the last lattice holds is linear in the amplitudes: P = P_0 + sum g_n w_n with
// constant w_n. One that lattices around parts hold as well goes through them one after the other,
// y' = y + d(y, gamma), d = sum over i, j, k of B_i B_j B_k (stu of y) sum of g_n delta^n_ijk, and
//   P_gamma' = (1 + d_y) P_gamma + d_gamma
//   P_gg'    = (1 + d_y) P_gg + d_yy[y', y'] + 2 d_ygamma[y', g'],   y' = P_gamma g'.
// The one second derivative along the motion stands for the paper's equations 13 to 17.
// D: number of modes. Everything is double precision.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "nodes/geometry/modal_body.h"
#include "nodes/kernels/lattice_basis.h"

namespace sinew::kernels {

// Lattices as the points need them.
class ModalSpace {
 public:
  // Sound modes. `centre` becomes the origin of the body's frame.
  ModalSpace(const Modes& modes, const Vec3d& centre);

  std::size_t modes() const { return modes_; }
  std::size_t lattices() const { return lattices_.size(); }
  const Vec3d& centre() const { return centre_; }
  // The first mode of a lattice; of the lattice after the last: the number of all modes.
  std::size_t first_mode(std::size_t lattice) const { return lattices_[lattice].first; }
  // Modes of the lattices before the last: those that make points nonlinear.
  std::size_t local_modes() const { return lattices_.empty() ? 0 : lattices_.back().first; }
  // Whether a lattice takes a point along that rests there; the last takes all.
  bool holds(std::size_t lattice, const Vec3d& rest) const;

  // Summed displacements of all lattice points for some amplitudes, and the same for their rates:
  // made once for a moment, then used by all its points.
  struct Moment {
    std::vector<std::vector<Vec3d>> offsets, rates;  // by lattice and point
  };
  void set_moment(std::span<const double> amplitudes, std::span<const double> rates,
                  Moment& moment) const;

  struct Bent {
    Vec3d place;              // y, metres in the frame of the lattices
    Vec3d second{0, 0, 0};    // P_gg[g', g']
    std::vector<Vec3d> ways;  // P_gamma, by mode
  };
  // Takes a point through a lattice; with `all` also its derivatives.
  void pass(std::size_t lattice, const Moment& moment, std::span<const double> rates, bool all,
            Bent& point) const;
  // d_gamma at a place: displacements there of the modes of one lattice.
  void ways_at(std::size_t lattice, const Vec3d& place, std::span<Vec3d> ways) const;

 private:
  struct Cage {
    LatticeBox box;
    Eigen::Matrix3d to_stu;
    std::array<LatticeAxis, 3> axes;
    std::size_t first = 0;                   // of its modes
    std::vector<std::vector<Vec3d>> deltas;  // by mode and point
  };
  std::vector<Cage> lattices_;
  std::size_t modes_ = 0;
  Vec3d centre_;
};

// A set of points. Where a moment is asked for, amplitudes have all D entries.
class ModalPoints {
 public:
  ModalPoints() = default;
  ModalPoints(std::shared_ptr<const ModalSpace> space, std::span<const Vec3f> rest);

  std::size_t size() const { return static_cast<std::size_t>(base_.cols()); }
  const ModalSpace& space() const { return *space_; }
  // w_n of a point, at amplitudes 0.
  auto way(std::size_t mode, std::size_t i) const {
    return ways_[mode].col(static_cast<Eigen::Index>(i));
  }

  // What is computed for a moment; kept by the caller, so that steps allocate nothing.
  struct Room {
    ModalSpace::Moment moment;
    ModalSpace::Bent bent;
    bool local = false;       // some local amplitude or rate is not 0
    bool with_locals = true;  // derivatives by local modes are wanted
  };
  void set_moment(std::span<const double> amplitudes, std::span<const double> rates,
                  Room& room) const;

  // P of all points: 3 x size().
  void places(std::span<const double> amplitudes, Room& room, Eigen::Matrix3Xd& out) const;
  // P, P_gamma into rows of D doubles each, and P_gg[g', g'] of one point.
  struct Point {
    Vec3d place, second;
  };
  Point derivatives(std::size_t i, std::span<const double> amplitudes,
                    std::span<const double> rates, Room& room, double* const rows[3]) const;

 private:
  void bend(std::size_t i, std::span<const double> rates, bool all, Room& room) const;

  std::shared_ptr<const ModalSpace> space_;
  Eigen::Matrix3Xd base_;                     // P_0
  std::vector<Eigen::Matrix3Xd> ways_;        // w_n at amplitudes 0, by mode
  std::vector<std::vector<uint32_t>> chain_;  // lattices that hold a point, in their order
  std::vector<uint32_t> nested_;              // points that more than the last lattice holds
  std::vector<uint8_t> is_nested_;
};

}  // namespace sinew::kernels
