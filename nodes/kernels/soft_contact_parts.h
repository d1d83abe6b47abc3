// What the files of soft_contact share, and nobody else needs.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/soft_contact.h"

namespace sinew::kernels {

inline constexpr std::size_t contact_lanes = 8;
inline constexpr std::size_t most_exits = contact_lanes;

// Neighbours in space lie side by side, in groups of 8.
struct ContactTables {
  using Group = std::array<uint32_t, contact_lanes>;

  uint32_t vertex_count = 0;
  // Vertices of the boundary; the last one fills its group up.
  std::vector<Group> vertex_groups;
  uint32_t surface_count = 0;
  // Corner k of each of the 8 tetrahedra of a group. One vertex four times, which contains nothing,
  // fills up.
  std::vector<std::array<Group, 4>> tet_groups;
  Rows group_vertices;  // of each group of tetrahedra, each once
  // Corner k of the triangles through which a vertex may leave tetrahedron l of group g:
  // exits[8 g + l][k]. One vertex three times, which is no way out, fills up.
  std::vector<std::array<Group, 3>> exits;
};

// Positions padded to four floats: a vertex is one vector load.
using Padded = Eigen::Array4f;

struct ContactBox {
  Padded low, high;
};

// Boxes as a structure of arrays, a multiple of 8 of them; those that fill up are empty.
struct ContactBoxes {
  float* bounds = nullptr;  // low x, low y, low z, high x, high y, high z
  std::size_t stride = 0;

  float* operator[](std::size_t k) const { return bounds + k * stride; }
  void set(std::size_t i, const ContactBox& box) const {
    for (int k = 0; k < 3; ++k) {
      bounds[static_cast<std::size_t>(k) * stride + i] = box.low[k];
      bounds[static_cast<std::size_t>(k + 3) * stride + i] = box.high[k];
    }
  }
};

// One body while contacts are looked for.
struct ContactView {
  const ContactTables* tables = nullptr;
  Padded* points = nullptr;
  ContactBox box;
  ContactBoxes vertex_boxes, tet_boxes;
  uint32_t index = 0;
  bool gives_way = false;
  bool has_partner = false;
};

// Room for one block of pairs.
struct PairRoom {
  std::vector<float> x, y, z;    // of the vertices inside of the overlap
  std::vector<uint32_t> vertex;  // which they are
  std::vector<Contact> contacts;
};

struct ContactRoom {
  std::vector<ContactView> views;
  std::vector<Padded> floats;  // what the views point to
  std::vector<std::pair<float, uint32_t>> order;
  std::vector<float> sorted;  // the boxes in this order
  std::vector<uint32_t> near;
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  std::vector<PairRoom> blocks;
  std::size_t block_count = 0;
  std::vector<Contact> contacts;
};

// The boxes of the body's groups.
void fit_groups(const ContactView& view);

// Appends the numbers of the boxes from `first` to `last` that meet the box.
void find_meeting(const ContactBoxes& boxes, std::size_t first, std::size_t last,
                  const ContactBox& box, std::vector<uint32_t>& out);

// Appends to room.contacts the vertices of `a` inside of `b`.
void find_inside(const ContactView& a, const ContactView& b, PairRoom& room);

}  // namespace sinew::kernels
