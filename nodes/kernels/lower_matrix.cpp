#include "nodes/kernels/lower_matrix.h"

#include <algorithm>

#include "nodes/kernels/dispatch.h"

namespace sinew::kernels {
namespace {

constexpr std::size_t block = 8;

struct Product {
  std::size_t size, stride;
  const double* rows;
  const double* x;  // three columns, stride apart
  double* y;
};

// y += the rows times the entries of x, four rows at a time, so that the sums are loaded and stored
// a quarter as often. Row i has entries up to i, or from i on; rows beyond the last are zeros.
template <bool up_to>
inline __attribute__((always_inline)) void add_rows(const Product& p) {
  std::fill(p.y, p.y + 3 * p.stride, 0.0);
  for (std::size_t i = 0; i < p.size; i += 4) {
    const double *r0 = p.rows + i * p.stride, *r1 = r0 + p.stride, *r2 = r1 + p.stride,
                 *r3 = r2 + p.stride;
    const std::size_t begin = up_to ? 0 : i / block * block, end = up_to ? i + 4 : p.stride;
    for (int c = 0; c < 3; ++c) {
      const double* x = p.x + static_cast<std::size_t>(c) * p.stride + i;
      double* y = p.y + static_cast<std::size_t>(c) * p.stride;
      const double w0 = x[0], w1 = x[1], w2 = x[2], w3 = x[3];
      for (std::size_t k = begin; k < end; k += block) {
        for (std::size_t l = 0; l < block; ++l) {
          y[k + l] += (r0[k + l] * w0 + r1[k + l] * w1) + (r2[k + l] * w2 + r3[k + l] * w3);
        }
      }
    }
  }
}

SINEW_CLONES void add_rows_up_to(const Product& p) { add_rows<true>(p); }
SINEW_CLONES void add_rows_from(const Product& p) { add_rows<false>(p); }

}  // namespace

LowerMatrix::LowerMatrix(const Eigen::MatrixXd& matrix)
    : size_(static_cast<std::size_t>(matrix.rows())),
      stride_((size_ + block - 1) / block * block),
      rows_(stride_ * stride_, 0.0),
      columns_(stride_ * stride_, 0.0),
      room_(6 * stride_, 0.0) {
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      rows_[i * stride_ + k] = columns_[k * stride_ + i] =
          matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k));
    }
  }
}

void LowerMatrix::times(const double* x, double* y) const {
  double *from = room_.data(), *to = from + 3 * stride_;
  for (std::size_t c = 0; c < 3; ++c) std::copy_n(x + c * size_, size_, from + c * stride_);
  add_rows_from({size_, stride_, columns_.data(), from, to});
  for (std::size_t c = 0; c < 3; ++c) std::copy_n(to + c * stride_, size_, y + c * size_);
}

void LowerMatrix::transposed_times(const double* x, double* y) const {
  double *from = room_.data(), *to = from + 3 * stride_;
  for (std::size_t c = 0; c < 3; ++c) std::copy_n(x + c * size_, size_, from + c * stride_);
  add_rows_up_to({size_, stride_, rows_.data(), from, to});
  for (std::size_t c = 0; c < 3; ++c) std::copy_n(to + c * stride_, size_, y + c * size_);
}

}  // namespace sinew::kernels
