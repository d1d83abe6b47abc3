#include "nodes/kernels/tet_adjacency.h"

#include <algorithm>

#include "nodes/geometry/parallel.h"

namespace sinew::kernels {

namespace {

// Whether corner k is the first one with its vertex: a tetrahedron that names a vertex twice is
// still one tetrahedron of it.
bool first_mention(const Tetrahedron& t, int k) {
  return std::find(t.begin(), t.begin() + k, t[k]) == t.begin() + k;
}

void collect(std::span<const Tetrahedron> tets, std::span<const uint32_t> around, uint32_t v,
             std::vector<uint32_t>& found) {
  found.clear();
  for (const uint32_t t : around) {
    for (const uint32_t u : tets[t]) {
      if (u != v) found.push_back(u);
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

}  // namespace

Rows vertex_tets(std::span<const Tetrahedron> tets, std::size_t vertex_count) {
  Rows rows;
  rows.offsets.assign(vertex_count + 1, 0);
  for (const Tetrahedron& t : tets) {
    for (int k = 0; k < 4; ++k) {
      if (first_mention(t, k)) ++rows.offsets[t[k] + 1];
    }
  }
  for (std::size_t v = 0; v < vertex_count; ++v) rows.offsets[v + 1] += rows.offsets[v];
  rows.items.resize(rows.offsets.back());
  std::vector<uint32_t> at(rows.offsets.begin(), rows.offsets.end() - 1);
  for (std::size_t i = 0; i < tets.size(); ++i) {
    for (int k = 0; k < 4; ++k) {
      if (first_mention(tets[i], k)) rows.items[at[tets[i][k]]++] = static_cast<uint32_t>(i);
    }
  }
  return rows;
}

Rows tet_neighbours(std::span<const Tetrahedron> tets, const Rows& around) {
  const std::size_t count = around.size();
  Rows rows;
  rows.offsets.assign(count + 1, 0);
  parallel_blocks(count, [&](std::size_t begin, std::size_t end) {
    std::vector<uint32_t> found;
    for (std::size_t v = begin; v < end; ++v) {
      collect(tets, around[v], static_cast<uint32_t>(v), found);
      rows.offsets[v + 1] = static_cast<uint32_t>(found.size());
    }
  });
  for (std::size_t v = 0; v < count; ++v) rows.offsets[v + 1] += rows.offsets[v];
  rows.items.resize(rows.offsets.back());
  parallel_blocks(count, [&](std::size_t begin, std::size_t end) {
    std::vector<uint32_t> found;
    for (std::size_t v = begin; v < end; ++v) {
      collect(tets, around[v], static_cast<uint32_t>(v), found);
      std::copy(found.begin(), found.end(), rows.items.begin() + rows.offsets[v]);
    }
  });
  return rows;
}

}  // namespace sinew::kernels
