#include "nodes/kernels/meshless_surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/meshless_lanes.h"

namespace sinew::kernels {

namespace {

constexpr std::size_t tile_size = meshless_tile;
constexpr std::size_t tiles_together = 64;
constexpr std::size_t most_still_nodes = 1024;  // whose displacements need no allocation
constexpr double sum_rounding = 1e-9;

// Whether the entries of a row are there, and its nodes too, in order.
bool is_right(const ShapeRows& rows, std::size_t point, std::size_t node_count) {
  const uint32_t begin = rows.first[point], end = rows.first[point + 1];
  if (begin > end || end > rows.node.size()) return false;
  for (uint32_t e = begin; e < end; ++e) {
    if (rows.node[e] >= node_count || (e > begin && rows.node[e] <= rows.node[e - 1])) return false;
  }
  return true;
}

void check_rows(const ShapeRows& rows, std::size_t points, std::size_t node_count) {
  if (rows.size() != points) {
    throw std::invalid_argument(
        fmt::format("{} vertices are given the shape functions of {}", points, rows.size()));
  }
  const std::size_t entries = rows.first.empty() ? 0 : rows.first.back();
  if (rows.node.size() != entries || rows.value.size() != entries ||
      rows.gradient.size() != entries || (!rows.first.empty() && rows.first[0] != 0)) {
    throw std::invalid_argument("the rows of the shape functions do not fit their entries");
  }
  const std::size_t wrong = parallel_reduce_ordered(
      points, points,
      [&](std::size_t begin, std::size_t end) {
        while (begin < end && is_right(rows, begin, node_count)) ++begin;
        return begin < end ? begin : points;
      },
      [](std::size_t a, std::size_t b) { return std::min(a, b); });
  if (wrong < points) {
    throw std::invalid_argument(
        fmt::format("the nodes of vertex {} are not in order below {}", wrong, node_count));
  }
}

// Of each vertex; one more than the last for those without any.
std::vector<uint32_t> strongest_nodes(const ShapeRows& rows, std::size_t node_count) {
  std::vector<uint32_t> strongest(rows.size(), static_cast<uint32_t>(node_count));
  for (std::size_t p = 0; p < strongest.size(); ++p) {
    double most = 0;
    for (uint32_t e = rows.first[p]; e < rows.first[p + 1]; ++e) {
      if (!(std::abs(rows.value[e]) > most)) continue;
      most = std::abs(rows.value[e]);
      strongest[p] = rows.node[e];
    }
  }
  return strongest;
}

// Puts the places [begin, end) of the order in boxes of one tile each, halving the longer side.
void halve(std::span<uint32_t> order, std::span<const Vec3f> places, std::size_t begin,
           std::size_t end) {
  const std::size_t first = (begin + tile_size) / tile_size, last = (end - 1) / tile_size;
  if (first > last) return;  // all in one tile
  const std::size_t middle = tile_size * ((first + last) / 2);
  Eigen::AlignedBox3f box;
  for (std::size_t i = begin; i < end; ++i) {
    if (places[order[i]].allFinite()) box.extend(places[order[i]]);
  }
  int axis = 0;
  if (!box.isEmpty()) box.sizes().maxCoeff(&axis);
  const auto key = [&](uint32_t v) { return places[v].allFinite() ? places[v][axis] : 0.0f; };
  std::nth_element(order.begin() + static_cast<std::ptrdiff_t>(begin),
                   order.begin() + static_cast<std::ptrdiff_t>(middle),
                   order.begin() + static_cast<std::ptrdiff_t>(end), [&](uint32_t a, uint32_t b) {
                     return std::pair(key(a), a) < std::pair(key(b), b);
                   });
  halve(order, places, begin, middle);
  halve(order, places, middle, end);
}

std::vector<uint32_t> tile_order(std::span<const Vec3f> places, const ShapeRows& rows,
                                 std::size_t node_count) {
  const std::vector<uint32_t> strongest = strongest_nodes(rows, node_count);
  std::vector<std::size_t> start(node_count + 2, 0);
  for (const uint32_t node : strongest) ++start[node + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<uint32_t> order(places.size());
  std::vector<std::size_t> next(start.begin(), start.end() - 1);
  for (uint32_t p = 0; p < places.size(); ++p) order[next[strongest[p]]++] = p;
  parallel_each(node_count + 1, [&](std::size_t node) {
    if (start[node] < start[node + 1]) halve(order, places, start[node], start[node + 1]);
  });
  // Within a tile as they come in the mesh: so they are written in a row where they can be.
  for (std::size_t i = 0; i < order.size(); i += tile_size) {
    const std::size_t end = std::min(order.size(), i + tile_size);
    std::sort(order.begin() + static_cast<std::ptrdiff_t>(i),
              order.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return order;
}

// The nodes of one tile after another, each list found with marks of its own.
class NodesOfTile {
 public:
  NodesOfTile(const ShapeRows& rows, std::span<const uint32_t> order, std::size_t node_count)
      : rows_(rows), order_(order), mark_(node_count, 0) {}

  std::span<const uint32_t> vertices(std::size_t tile) const {
    const std::size_t begin = tile_size * tile;
    return order_.subspan(begin, std::min(tile_size, order_.size() - begin));
  }
  // Increasing.
  std::span<const uint32_t> find(std::size_t tile) {
    list_.clear();
    ++round_;
    for (const uint32_t v : vertices(tile)) {
      for (uint32_t e = rows_.first[v]; e < rows_.first[v + 1]; ++e) {
        if (mark_[rows_.node[e]] == round_) continue;
        mark_[rows_.node[e]] = round_;
        list_.push_back(rows_.node[e]);
      }
    }
    std::sort(list_.begin(), list_.end());
    return list_;
  }

 private:
  const ShapeRows& rows_;
  std::span<const uint32_t> order_;
  std::vector<uint32_t> mark_, list_;
  uint32_t round_ = 0;
};

void put3(LaneFloats& rows, std::size_t tile, std::size_t lane, const Vec3f& v) {
  for (std::size_t k = 0; k < 3; ++k) {
    rows[tile_size * (3 * tile + k) + lane] = v[static_cast<int>(k)];
  }
}

// sum Phi and sum grad Phi . n; what rounding makes of 1 and 0 is that.
std::array<float, 2> sums_at(const ShapeRows& rows, std::size_t point, const Vec3d& normal) {
  double value = 0, slope = 0, values = 0, slopes = 0;
  for (uint32_t e = rows.first[point]; e < rows.first[point + 1]; ++e) {
    const double along = rows.gradient[e].dot(normal);
    value += rows.value[e], values += std::abs(rows.value[e]);
    slope += along, slopes += rows.gradient[e].norm() * normal.norm();
  }
  if (std::abs(value - 1) <= sum_rounding * values) value = 1;
  if (std::abs(slope) <= sum_rounding * slopes) slope = 0;
  return {static_cast<float>(value), static_cast<float>(slope)};
}

// From the first on, so that the mean of equal ones is what they are.
Vec3d mean_of(std::span<const Vec3d> displacements) {
  if (displacements.empty()) return Vec3d::Zero();
  Vec3d sum = Vec3d::Zero();
  for (const Vec3d& u : displacements) sum += u - displacements[0];
  return displacements[0] + sum / static_cast<double>(displacements.size());
}

}  // namespace

MeshlessSurface::MeshlessSurface(std::span<const Vec3f> rest, std::span<const Vec3f> normals,
                                 const ShapeRows& rows, std::size_t node_count)
    : vertex_count_(rest.size()), node_count_(node_count), row_entries_(rows.node.size()) {
  if (normals.size() != rest.size()) {
    throw std::invalid_argument(
        fmt::format("{} vertices are given {} normals", rest.size(), normals.size()));
  }
  check_rows(rows, rest.size(), node_count);
  order_ = tile_order(rest, rows, node_count);
  fill_tiles(rest, normals, rows);
  keep_sums(normals, rows);
}

void MeshlessSurface::fill_tiles(std::span<const Vec3f> rest, std::span<const Vec3f> normals,
                                 const ShapeRows& rows) {
  const std::size_t tiles = (vertex_count_ + tile_size - 1) / tile_size;
  first_.assign(tiles + 1, 0);
  parallel_blocks(
      tiles,
      [&](std::size_t begin, std::size_t end) {
        NodesOfTile nodes(rows, order_, node_count_);
        for (std::size_t t = begin; t < end; ++t) {
          first_[t + 1] = static_cast<uint32_t>(nodes.find(t).size());
        }
      },
      tiles_together);
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  node_.resize(first_.back());
  values_.resize(tile_size * node_.size());
  slopes_.resize(tile_size * node_.size());
  rest_.resize(3 * tile_size * tiles);
  normals_.resize(3 * tile_size * tiles);
  parallel_blocks(
      tiles,
      [&](std::size_t begin, std::size_t end) {
        NodesOfTile nodes(rows, order_, node_count_);
        for (std::size_t t = begin; t < end; ++t) {
          const auto list = nodes.find(t), vertices = nodes.vertices(t);
          std::copy(list.begin(), list.end(),
                    node_.begin() + static_cast<std::ptrdiff_t>(first_[t]));
          for (std::size_t lane = 0; lane < vertices.size(); ++lane) {
            const uint32_t v = vertices[lane];
            const Vec3d normal = normals[v].cast<double>();
            put3(rest_, t, lane, rest[v]);
            put3(normals_, t, lane, normals[v]);
            auto at = list.begin();
            for (uint32_t e = rows.first[v]; e < rows.first[v + 1]; ++e) {
              at = std::lower_bound(at, list.end(), rows.node[e]);
              const std::size_t entry = first_[t] + static_cast<std::size_t>(at - list.begin());
              values_[tile_size * entry + lane] = static_cast<float>(rows.value[e]);
              slopes_[tile_size * entry + lane] = static_cast<float>(rows.gradient[e].dot(normal));
            }
          }
        }
      },
      tiles_together);
}

// Few tiles need theirs: those at vertices that no node reaches, or with functions that are no
// partition of unity.
void MeshlessSurface::keep_sums(std::span<const Vec3f> normals, const ShapeRows& rows) {
  const std::size_t tiles = (vertex_count_ + tile_size - 1) / tile_size;
  sums_of_.assign(tiles, MeshlessView::no_sums);
  std::vector<std::array<float, 2>> sums(vertex_count_);
  parallel_blocks(vertex_count_, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) sums[p] = sums_at(rows, p, normals[p].cast<double>());
  });
  const std::array<float, 2> plain = {1, 0};
  for (std::size_t i = 0; i < vertex_count_; ++i) {
    uint32_t& at = sums_of_[i / tile_size];
    if (at != MeshlessView::no_sums || sums[order_[i]] == plain) continue;
    at = static_cast<uint32_t>(sums_.size() / (2 * tile_size));
    sums_.resize(sums_.size() + 2 * tile_size, 0);
    const std::size_t begin = tile_size * (i / tile_size);
    for (std::size_t k = begin; k < std::min(begin + tile_size, vertex_count_); ++k) {
      float* const row = sums_.data() + 2 * tile_size * at + (k - begin);
      row[0] = sums[order_[k]][0];
      row[tile_size] = sums[order_[k]][1];
    }
  }
}

std::size_t MeshlessSurface::bytes() const {
  return sizeof *this +
         4 * (order_.size() + first_.size() + node_.size() + sums_of_.size() + values_.size() +
              slopes_.size() + rest_.size() + normals_.size() + sums_.size());
}

double MeshlessSurface::fill() const {
  return values_.empty() ? 1
                         : static_cast<double>(row_entries_) / static_cast<double>(values_.size());
}

MeshlessView MeshlessSurface::view() const {
  return {vertex_count_,  order_.data(), first_.data(),   node_.data(),    values_.data(),
          slopes_.data(), rest_.data(),  normals_.data(), sums_of_.data(), sums_.data()};
}

void MeshlessSurface::deform(std::span<const Vec3d> displacements, std::span<Vec3f> positions,
                             std::span<Vec3f> normals) const {
  if (displacements.size() != node_count_ || positions.size() != vertex_count_ ||
      (!normals.empty() && normals.size() != vertex_count_)) {
    throw std::invalid_argument(fmt::format(
        "{} nodes and {} vertices are given {} displacements, {} vertices and {} normals",
        node_count_, vertex_count_, displacements.size(), positions.size(), normals.size()));
  }
  if (vertex_count_ == 0) return;
  const Vec3d mean = mean_of(displacements);
  float room[4 * most_still_nodes];
  std::vector<float> more(node_count_ > most_still_nodes ? 4 * node_count_ : 0);
  float* const left = more.empty() ? room : more.data();
  for (std::size_t i = 0; i < node_count_; ++i) {
    for (int k = 0; k < 3; ++k) {
      left[4 * i + static_cast<std::size_t>(k)] = static_cast<float>(mean[k] - displacements[i][k]);
    }
    left[4 * i + 3] = 0;
  }
  const MeshlessMove move = {{0 - mean.x(), 0 - mean.y(), 0 - mean.z()}, left};
  const MeshlessView body = view();
  const MeshlessLanes& lanes = meshless_lanes();
  float* const n = normals.empty() ? nullptr : normals[0].data();
  parallel_blocks(
      sums_of_.size(),
      [&](std::size_t begin, std::size_t end) {
        lanes.deform(body, move, begin, end, positions[0].data(), n);
      },
      tiles_together);
}

void exact_normals(const ShapeRows& rows, std::span<const Vec3f> rest,
                   std::span<const Vec3d> displacements, std::span<Vec3f> normals) {
  check_rows(rows, rest.size(), displacements.size());
  if (normals.size() != rest.size()) {
    throw std::invalid_argument(
        fmt::format("there is room for {} normals of {}", normals.size(), rest.size()));
  }
  parallel_blocks(rest.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      Eigen::Matrix3d f = Eigen::Matrix3d::Identity();
      for (uint32_t e = rows.first[p]; e < rows.first[p + 1]; ++e) {
        f += displacements[rows.node[e]] * rows.gradient[e].transpose();
      }
      // cof(F) n: its columns are the cross products of those of F.
      const Vec3d n = rest[p].cast<double>();
      const Vec3d a = f.col(0), b = f.col(1), c = f.col(2);
      const Vec3d turned = n.x() * b.cross(c) + n.y() * c.cross(a) + n.z() * a.cross(b);
      const double length = turned.norm();
      normals[p] = std::isfinite(length) && length > 0 ? (turned / length).cast<float>() : rest[p];
    }
  });
}

}  // namespace sinew::kernels
