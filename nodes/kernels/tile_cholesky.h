// Cholesky factorisation A = L L^T of a dense positive definite matrix, in double precision, by
// tiles of 64 x 64 (right-looking: factor the diagonal tile, solve the tiles below it, update those
// to the right). The work on a tile is a fixed sequence of operations, and tiles depend on each
// other only through it, so that the result has the same bits on any number of threads and on any
// CPU.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew::kernels {

class TileCholesky {
 public:
  static constexpr std::size_t tile_size = 64;

  // An n x n matrix, to be filled tile by tile. What is beyond n in the last tiles is the identity.
  explicit TileCholesky(std::size_t n);

  std::size_t size() const { return size_; }
  std::size_t tiles() const { return tiles_; }  // in a row
  // Column-major, tile_size entries a column; only row >= column. The entries above the diagonal of
  // a diagonal tile are never read.
  double* tile(std::size_t row, std::size_t column) { return tiles_of_[at(row, column)].entries; }
  const double* tile(std::size_t row, std::size_t column) const {
    return tiles_of_[at(row, column)].entries;
  }
  // Sets what lies beyond n in the last row of tiles to the identity. factor() calls it.
  void pad();
  void add_to_diagonal(double value);
  void add_to_diagonal(std::size_t row, double value);

  // Replaces A by L. False, and the matrix is spoilt, if a pivot is not above `least_pivot`.
  bool factor(double least_pivot, CancelView stop = {});

  // b <- A^-1 b, after factor().
  void solve(std::span<double> b) const;

  std::size_t bytes() const { return tiles_of_.size() * sizeof(Tile); }

 private:
  struct alignas(64) Tile {
    double entries[tile_size * tile_size];
  };
  std::size_t at(std::size_t row, std::size_t column) const { return row * (row + 1) / 2 + column; }

  std::size_t size_ = 0, tiles_ = 0;
  std::vector<Tile> tiles_of_;
};

}  // namespace sinew::kernels
