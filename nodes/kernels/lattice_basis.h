// The polynomials of a lattice along one of its edges with their first two derivatives, for whoever
// needs to know how a deformation changes with the place: dynamics do [Faloutsos97, appendix A].
//
// Bernstein polynomials are B-splines whose knots all lie at the ends, so that one recursion serves
// both [Piegl97, sections 2.2 and 2.3]:
//   N_i,0 = 1 between knots u_i and u_i+1,
//   N_i,p = (s - u_i) / (u_i+p - u_i) N_i,p-1 + (u_i+p+1 - s) / (u_i+p+1 - u_i+1) N_i+1,p-1,
//   N'_i,p = p / (u_i+p - u_i) N_i,p-1 - p / (u_i+p+1 - u_i+1) N_i+1,p-1.
// Outside of [0, 1] they go on along their tangents, as in ffd.h: there the second derivative is 0.
#pragma once

#include <array>
#include <vector>

#include "nodes/geometry/lattice.h"

namespace sinew::kernels {

class LatticeAxis {
 public:
  LatticeAxis(LatticeBasis basis, uint32_t count);

  uint32_t count() const { return count_; }

  struct Weights {
    std::array<double, most_lattice_count> value, first, second;  // those of `count` points count
  };
  void at(double s, Weights& out) const;

 private:
  uint32_t count_;
  int degree_;
  std::vector<double> knots_;
};

}  // namespace sinew::kernels
