#include "nodes/kernels/adjacency.h"

#include <algorithm>

#include "nodes/geometry/parallel.h"
#include "nodes/geometry/stoppable_resize.h"

namespace sinew::kernels {

namespace {

bool is_degenerate(const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }

// The corner of triangle `t` that is vertex `v`.
int corner_of(const Triangle& t, uint32_t v) { return t[0] == v ? 0 : t[1] == v ? 1 : 2; }

// Writes the neighbours of `v`, sorted, each once, into `found`; returns whether one of them shares
// a single triangle with v.
bool collect_neighbours(std::span<const Triangle> triangles, std::span<const uint32_t> around,
                        uint32_t v, std::vector<uint32_t>& found) {
  found.clear();
  for (const uint32_t t : around) {
    for (const uint32_t u : triangles[t]) {
      if (u == v) continue;
      // A vertex has about a dozen of these: insertion is the fastest way to sort them.
      std::size_t at = found.size();
      found.push_back(u);
      for (; at > 0 && found[at - 1] > u; --at) found[at] = found[at - 1];
      found[at] = u;
    }
  }
  bool open = false;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < found.size();) {
    std::size_t next = i + 1;
    while (next < found.size() && found[next] == found[i]) ++next;
    open |= next == i + 1;
    found[kept++] = found[i];
    i = next;
  }
  found.resize(kept);
  return open;
}

}  // namespace

Rows vertex_triangles(std::span<const Triangle> triangles, std::size_t vertex_count) {
  Rows rows;
  rows.offsets.assign(vertex_count + 1, 0);
  StopCheck check;
  for (const Triangle& t : triangles) {
    check();
    for (int k = 0; k < 3; ++k) {
      // A triangle that names a vertex twice is still one triangle of it.
      if (k > 0 && (t[k] == t[0] || (k == 2 && t[2] == t[1]))) continue;
      ++rows.offsets[t[k] + 1];
    }
  }
  for (std::size_t v = 0; v < vertex_count; ++v) rows.offsets[v + 1] += rows.offsets[v];
  stoppable_resize(rows.items, rows.offsets.back());
  std::vector<uint32_t> at(rows.offsets.begin(), rows.offsets.end() - 1);
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    check();
    const Triangle& t = triangles[i];
    for (int k = 0; k < 3; ++k) {
      if (k > 0 && (t[k] == t[0] || (k == 2 && t[2] == t[1]))) continue;
      rows.items[at[t[k]]++] = static_cast<uint32_t>(i);
    }
  }
  return rows;
}

Rows vertex_neighbours(std::span<const Triangle> triangles, std::size_t vertex_count) {
  return vertex_neighbours(triangles, vertex_triangles(triangles, vertex_count));
}

Rows vertex_neighbours(std::span<const Triangle> triangles, const Rows& around,
                       std::vector<char>* on_boundary) {
  const std::size_t count = around.size();
  Rows rows;
  rows.offsets.assign(count + 1, 0);
  if (on_boundary) on_boundary->resize(count);
  // Each block collects its rows, which are then put one after the other.
  std::vector<std::vector<uint32_t>> parts((count + default_block - 1) / default_block);
  parallel_blocks(count, [&](std::size_t begin, std::size_t end) {
    std::vector<uint32_t>& part = parts[begin / default_block];
    part.reserve(8 * (end - begin));
    std::vector<uint32_t> found;
    for (std::size_t v = begin; v < end; ++v) {
      const bool open = collect_neighbours(triangles, around[v], static_cast<uint32_t>(v), found);
      if (on_boundary) (*on_boundary)[v] = open;
      part.insert(part.end(), found.begin(), found.end());
      rows.offsets[v + 1] = static_cast<uint32_t>(found.size());
    }
  });
  for (std::size_t v = 0; v < count; ++v) rows.offsets[v + 1] += rows.offsets[v];
  stoppable_resize(rows.items, rows.offsets.back());
  parallel_blocks(count, [&](std::size_t begin, std::size_t) {
    const std::vector<uint32_t>& part = parts[begin / default_block];
    std::copy(part.begin(), part.end(), rows.items.begin() + rows.offsets[begin]);
  });
  return rows;
}

std::size_t EdgeTable::find(uint32_t a, uint32_t b) const {
  if (a > b) std::swap(a, b);
  const auto begin = edges.begin() + first_of_vertex[a];
  const auto end = edges.begin() + first_of_vertex[a + 1];
  return std::lower_bound(begin, end, b, [](const Edge& e, uint32_t v) { return e.b < v; }) -
         edges.begin();
}

EdgeTable build_edges(std::span<const Triangle> triangles, std::size_t vertex_count) {
  const Rows around = vertex_triangles(triangles, vertex_count);
  const Rows neighbours = vertex_neighbours(triangles, around);
  const auto above = [&](std::size_t v) {
    const std::span<const uint32_t> row = neighbours[v];
    return row.subspan(std::upper_bound(row.begin(), row.end(), v) - row.begin());
  };

  EdgeTable table;
  table.first_of_vertex.assign(vertex_count + 1, 0);
  StopCheck check;
  for (std::size_t v = 0; v < vertex_count; ++v) {
    check();
    table.first_of_vertex[v + 1] =
        table.first_of_vertex[v] + static_cast<uint32_t>(above(v).size());
  }
  stoppable_resize(table.edges, table.first_of_vertex.back());
  parallel_blocks(vertex_count, [&](std::size_t begin, std::size_t end) {
    for (std::size_t a = begin; a < end; ++a) {
      EdgeTable::Edge* edge = table.edges.data() + table.first_of_vertex[a];
      for (const uint32_t b : above(a)) {
        *edge = {static_cast<uint32_t>(a), b, 0, {0, 0}};
        for (const uint32_t t : around[a]) {
          const Triangle& triangle = triangles[t];
          const int corner = corner_of(triangle, edge->a);
          const uint32_t next = triangle[(corner + 1) % 3], last = triangle[(corner + 2) % 3];
          if (next != b && last != b) continue;
          if (edge->triangles < 2) edge->opposite[edge->triangles] = next == b ? last : next;
          ++edge->triangles;
        }
        ++edge;
      }
    }
  });
  stoppable_resize(table.of_triangle, triangles.size());
  parallel_blocks(triangles.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      for (int k = 0; k < 3; ++k) {
        table.of_triangle[t][k] =
            static_cast<uint32_t>(table.find(triangles[t][k], triangles[t][(k + 1) % 3]));
      }
    }
  });
  return table;
}

TopologyReport inspect_topology(std::span<const Triangle> triangles, std::size_t vertex_count) {
  std::vector<Triangle> proper;
  proper.reserve(triangles.size());
  StopCheck check;
  for (const Triangle& t : triangles) {
    check();
    if (!is_degenerate(t)) proper.push_back(t);
  }
  TopologyReport report;
  report.degenerate_triangles = triangles.size() - proper.size();

  const EdgeTable table = build_edges(proper, vertex_count);
  report.edges = table.edges.size();
  // Each triangle runs through its edges upwards or downwards; two neighbours should differ.
  std::vector<int> balance(table.edges.size(), 0);
  std::vector<bool> used(vertex_count, false);
  for (std::size_t t = 0; t < proper.size(); ++t) {
    check();
    for (int k = 0; k < 3; ++k) {
      used[proper[t][k]] = true;
      balance[table.of_triangle[t][k]] += proper[t][k] < proper[t][(k + 1) % 3] ? 1 : -1;
    }
  }
  for (std::size_t e = 0; e < table.edges.size(); ++e) {
    check();
    report.boundary_edges += table.edges[e].triangles == 1;
    report.non_manifold_edges += table.edges[e].triangles > 2;
    report.flipped_edges += table.edges[e].triangles == 2 && balance[e] != 0;
  }
  report.used_vertices = std::count(used.begin(), used.end(), true);
  report.euler = static_cast<long>(report.used_vertices) - static_cast<long>(report.edges) +
                 static_cast<long>(proper.size());
  return report;
}

}  // namespace sinew::kernels
