#include "nodes/kernels/tile_cholesky.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/dispatch.h"

namespace sinew::kernels {

namespace {

constexpr std::size_t n = TileCholesky::tile_size;
constexpr std::size_t rows = 16, columns = 4;  // what a block of registers holds

// Eight doubles: one register of AVX-512, two of AVX2, four of the baseline. Elements never meet,
// so that the width does not change a bit.
typedef double Eight __attribute__((vector_size(64), aligned(64)));

inline const Eight& eight(const double* p) { return *reinterpret_cast<const Eight*>(p); }
inline Eight& eight(double* p) { return *reinterpret_cast<Eight*>(p); }

// c[16 x 4] -= a[16 x depth] b[4 x depth]^T, all of them parts of tiles.
__attribute__((always_inline)) inline void update_block(const double* a, const double* b,
                                                        std::size_t depth, double* c) {
  Eight sum[columns][2] = {};
  for (std::size_t k = 0; k < depth; ++k) {
    const Eight a0 = eight(a + k * n), a1 = eight(a + k * n + 8);
    for (std::size_t j = 0; j < columns; ++j) {
      const double s = b[k * n + j];
      sum[j][0] += a0 * s;
      sum[j][1] += a1 * s;
    }
  }
  for (std::size_t j = 0; j < columns; ++j) {
    eight(c + j * n) -= sum[j][0];
    eight(c + j * n + 8) -= sum[j][1];
  }
}

// c -= a b^T; of a diagonal tile only what is needed.
SINEW_CLONES void update_tile(const double* a, const double* b, double* c, bool diagonal) {
  for (std::size_t i = 0; i < n; i += rows) {
    const std::size_t end = diagonal ? i + rows : n;
    for (std::size_t j = 0; j < end; j += columns) update_block(a + i, b + j, n, c + j * n + i);
  }
}

// x <- x l^-T
SINEW_CLONES void solve_tile(const double* l, double* x) {
  for (std::size_t i = 0; i < n; i += rows) {
    double* r = x + i;
    for (std::size_t j = 0; j < n; j += columns) {
      update_block(r, l + j, j, r + j * n);
      for (std::size_t q = j; q < j + columns; ++q) {
        Eight s0 = eight(r + q * n), s1 = eight(r + q * n + 8);
        for (std::size_t k = j; k < q; ++k) {
          const double f = l[k * n + q];
          s0 -= eight(r + k * n) * f;
          s1 -= eight(r + k * n + 8) * f;
        }
        const double inverse = 1 / l[q * n + q];
        eight(r + q * n) = s0 * inverse;
        eight(r + q * n + 8) = s1 * inverse;
      }
    }
  }
}

// a <- its Cholesky factor; false at the first pivot that is too small.
SINEW_CLONES bool factor_tile(double* a, double least_pivot) {
  for (std::size_t j = 0; j < n; j += columns) {
    for (std::size_t i = j / rows * rows; i < n; i += rows) {
      update_block(a + i, a + j, j, a + j * n + i);
    }
    for (std::size_t q = j; q < j + columns; ++q) {
      for (std::size_t k = j; k < q; ++k) {
        const double f = a[k * n + q];
        for (std::size_t i = q; i < n; ++i) a[q * n + i] -= a[k * n + i] * f;
      }
      const double pivot = a[q * n + q];
      if (!(pivot > least_pivot)) return false;
      const double inverse = 1 / std::sqrt(pivot);
      a[q * n + q] = std::sqrt(pivot);
      for (std::size_t i = q + 1; i < n; ++i) a[q * n + i] *= inverse;
    }
  }
  return true;
}

// y -= l x
SINEW_CLONES void subtract_product(const double* l, const double* x, double* y) {
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) y[i] -= l[k * n + i] * x[k];
  }
}

// y -= l^T x
SINEW_CLONES void subtract_transposed(const double* l, const double* x, double* y) {
  for (std::size_t k = 0; k < n; ++k) {
    double part[8] = {};
    for (std::size_t i = 0; i < n; i += 8) {
      for (std::size_t j = 0; j < 8; ++j) part[j] += l[k * n + i + j] * x[i + j];
    }
    y[k] -=
        ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
  }
}

void solve_lower(const double* l, double* x) {
  for (std::size_t k = 0; k < n; ++k) {
    x[k] /= l[k * n + k];
    for (std::size_t i = k + 1; i < n; ++i) x[i] -= l[k * n + i] * x[k];
  }
}

void solve_upper(const double* l, double* x) {
  for (std::size_t k = n; k-- > 0;) {
    double s = x[k];
    for (std::size_t i = k + 1; i < n; ++i) s -= l[k * n + i] * x[i];
    x[k] = s / l[k * n + k];
  }
}

}  // namespace

TileCholesky::TileCholesky(std::size_t size)
    : size_(size), tiles_((size + n - 1) / n), tiles_of_(tiles_ * (tiles_ + 1) / 2) {}

void TileCholesky::pad() {
  const std::size_t last = tiles_ - 1, used = size_ - last * n;
  for (std::size_t j = 0; j < tiles_; ++j) {
    double* t = tile(last, j);
    for (std::size_t c = 0; c < n; ++c) {
      for (std::size_t r = used; r < n; ++r) t[c * n + r] = j == last && r == c ? 1 : 0;
    }
  }
}

void TileCholesky::add_to_diagonal(double value) {
  for (std::size_t i = 0; i < size_; ++i) add_to_diagonal(i, value);
}

void TileCholesky::add_to_diagonal(std::size_t row, double value) {
  tile(row / n, row / n)[(row % n) * (n + 1)] += value;
}

bool TileCholesky::factor(double least_pivot, CancelView stop) {
  if (size_ == 0) return true;
  pad();
  for (std::size_t k = 0; k < tiles_; ++k) {
    stop.check();
    if (!factor_tile(tile(k, k), least_pivot)) return false;
    const std::size_t below = tiles_ - k - 1;
    parallel_each(below, [&](std::size_t i) { solve_tile(tile(k, k), tile(k + 1 + i, k)); });
    parallel_each(below * (below + 1) / 2, [&](std::size_t index) {
      std::size_t i =
          static_cast<std::size_t>((std::sqrt(8.0 * static_cast<double>(index) + 1) - 1) / 2);
      while (i * (i + 1) / 2 > index) --i;
      while ((i + 1) * (i + 2) / 2 <= index) ++i;
      const std::size_t row = k + 1 + i, column = k + 1 + (index - i * (i + 1) / 2);
      update_tile(tile(row, k), tile(column, k), tile(row, column), row == column);
    });
  }
  return true;
}

void TileCholesky::solve(std::span<double> b) const {
  std::vector<double> x(tiles_ * n, 0.0);
  std::copy(b.begin(), b.end(), x.begin());
  for (std::size_t i = 0; i < tiles_; ++i) {
    for (std::size_t j = 0; j < i; ++j) subtract_product(tile(i, j), &x[j * n], &x[i * n]);
    solve_lower(tile(i, i), &x[i * n]);
  }
  for (std::size_t i = tiles_; i-- > 0;) {
    for (std::size_t j = i + 1; j < tiles_; ++j)
      subtract_transposed(tile(j, i), &x[j * n], &x[i * n]);
    solve_upper(tile(i, i), &x[i * n]);
  }
  std::copy_n(x.begin(), b.size(), b.begin());
}

}  // namespace sinew::kernels
