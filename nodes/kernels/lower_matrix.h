// A lower triangular matrix times three columns, and its transpose: what takes scaled variables to
// places and gradients back, once in every evaluation of a solver. Dense; rows are padded with
// zeros to whole blocks of eight, so that the order of all sums is that of the blocks on any
// machine.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace sinew::kernels {

// Not for two threads at once.
class LowerMatrix {
 public:
  LowerMatrix() = default;
  // Of what lies on and below the diagonal.
  explicit LowerMatrix(const Eigen::MatrixXd& matrix);

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return sizeof *this + 2 * rows_.size() * sizeof(double); }

  // Columns of x and y have `size()` numbers each and follow each other. y = L x.
  void times(const double* x, double* y) const;
  // y = L^T x.
  void transposed_times(const double* x, double* y) const;

 private:
  std::size_t size_ = 0, stride_ = 0;  // stride_: a multiple of eight
  std::vector<double> rows_, columns_;
  mutable std::vector<double> room_;  // three padded columns, in and out
};

}  // namespace sinew::kernels
