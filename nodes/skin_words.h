// What the nodes that put skin on a skeleton share: skin sets as fields, and bodies as surfaces
// that ways can be measured on.
#pragma once

#include <optional>
#include <vector>

#include "nodes/kernels/skin_sets.h"
#include "nodes/skeleton_words.h"

namespace sinew {

// What ways are measured along: a mesh itself, a solid's vertices with the faces of all its
// tetrahedra, so that ways lead through the material.
struct SkinSurface {
  Mesh mesh;
  std::size_t bytes() const { return byte_size(mesh); }
};
std::shared_ptr<const SkinSurface> skin_surface(Exec& e, const In<Mesh>& body);

// The bone of each vertex, also as a field: numbers from 1 on, 0 for none.
struct SkinSets {
  std::vector<uint32_t> bones;
  Field numbers;
  bool any = false;   // whether a painted field says anything
  std::string wrong;  // what is wrong with the field that they were read from, or nothing

  std::size_t bytes() const { return sizeof *this + 8 * bones.size() + wrong.size(); }
};

// What the field says, or the nearest bones if it is 0 everywhere. None, and an error, if the field
// does not fit the body or names bones that are not there.
std::shared_ptr<const SkinSets> read_sets(Exec& e, const In<Mesh>& body, const In<Field>& sets,
                                          const Skeleton& skeleton);
Field as_field(std::span<const uint32_t> sets);

}  // namespace sinew
