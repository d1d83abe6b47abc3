// How the values of bodies are written as bytes, part by part.
#pragma once

#include "graph/pack.h"
#include "nodes/geometry/mesh.h"

namespace sinew::values {

// Eigen's vectors are plain floats, one after the other, though the compiler is not told.
template <class Vector>
void pack_vectors(Packer& packer, const std::vector<Vector>& vectors) {
  constexpr size_t n = Vector::RowsAtCompileTime;
  static_assert(sizeof(Vector) == n * sizeof(float));
  packer.array(std::span(vectors.empty() ? nullptr : vectors.front().data(), n * vectors.size()));
}

template <class Vector>
bool unpack_vectors(Unpacker& unpacker, std::vector<Vector>& vectors) {
  constexpr size_t n = Vector::RowsAtCompileTime;
  std::vector<float> numbers;
  if (!unpacker.array(numbers) || numbers.size() % n != 0) return false;
  vectors.resize(numbers.size() / n);
  for (size_t i = 0; i < vectors.size(); ++i) vectors[i] = Vector(numbers.data() + n * i);
  return true;
}

// Shared by all frames of a body, and kept once.
void pack_topology(Packer& packer, const std::shared_ptr<const Topology>& topology);
// nullptr: the bytes do not fit.
std::shared_ptr<const Topology> unpack_topology(Unpacker& unpacker);

}  // namespace sinew::values
