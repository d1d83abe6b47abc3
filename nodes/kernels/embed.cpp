#include "nodes/kernels/embed.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/surface_tree.h"

namespace sinew::kernels {

namespace {

constexpr uint32_t leaf_size = 4;
constexpr int max_depth = 64;

// Below this part of the cube of its longest edge, a tetrahedron's volume is rounding.
constexpr double flat = 1e-12;

}  // namespace

std::array<double, 4> TetTree::Corners::weights(const Vec3d& query) const {
  const Vec3d w = to_weights * (query - p[0]);
  return {1 - w[0] - w[1] - w[2], w[0], w[1], w[2]};
}

double TetTree::Corners::distance2(const Vec3d& query, const std::array<double, 4>& w) const {
  double best = std::numeric_limits<double>::infinity();
  bool contained = true;
  for (int k = 0; k < 4; ++k) {
    if (w[k] >= 0) continue;  // the closest point lies on a face that the query sees
    contained = false;
    const auto& f = tet_faces[k];
    const Vec3d v = closest_on_triangle(query, p[f[0]], p[f[1]], p[f[2]]);
    const Vec3d near = v[0] * p[f[0]] + v[1] * p[f[1]] + v[2] * p[f[2]];
    best = std::min(best, (near - query).squaredNorm());
  }
  return contained ? 0 : best;
}

TetTree::TetTree(const TetMesh& solid, CancelView stop) {
  if (solid.tet_count() == 0) throw std::invalid_argument("the solid has no tetrahedra");
  tets_.reserve(solid.tet_count());
  std::vector<Corners> without_volume;
  for (uint32_t t = 0; t < solid.tet_count(); ++t) {
    Corners c;
    c.tet = t;
    for (int k = 0; k < 4; ++k) c.p[k] = solid.positions[solid.tets()[t][k]].cast<double>();
    Eigen::Matrix3d edges;
    edges << c.p[1] - c.p[0], c.p[2] - c.p[0], c.p[3] - c.p[0];
    const double longest = std::sqrt(edges.colwise().squaredNorm().maxCoeff());
    if (std::abs(edges.determinant()) > flat * longest * longest * longest) {
      c.to_weights = edges.inverse();
      tets_.push_back(c);
    } else {
      c.to_weights.setZero();  // everything hangs at the first corner
      without_volume.push_back(c);
    }
  }
  if (tets_.empty()) tets_ = std::move(without_volume);
  nodes_.reserve(tets_.size());
  nodes_.emplace_back();
  // The corners are large: only their middles are put into order, and then they once.
  std::vector<Middle> order(tets_.size());
  for (uint32_t i = 0; i < tets_.size(); ++i) {
    order[i] = {tets_[i].p[0] + tets_[i].p[1] + tets_[i].p[2] + tets_[i].p[3], i};
  }
  build(0, 0, static_cast<uint32_t>(tets_.size()), order, stop);
  std::vector<Corners> in_order;
  in_order.reserve(tets_.size());
  for (const Middle& m : order) in_order.push_back(tets_[m.at]);
  tets_ = std::move(in_order);
}

void TetTree::build(uint32_t node, uint32_t first, uint32_t last, std::vector<Middle>& order,
                    CancelView stop) {
  if (last - first > 4096) stop.check();
  if (last - first <= leaf_size) {
    nodes_[node].first = first;
    nodes_[node].count = last - first;
    for (uint32_t i = first; i < last; ++i) {
      for (const Vec3d& corner : tets_[order[i].at].p) nodes_[node].box.extend(corner);
    }
    return;
  }
  Eigen::AlignedBox3d middles;
  for (uint32_t i = first; i < last; ++i) middles.extend(order[i].sum);
  int axis = 0;
  middles.sizes().maxCoeff(&axis);
  const uint32_t half = first + (last - first) / 2;
  std::nth_element(order.begin() + first, order.begin() + half, order.begin() + last,
                   [axis](const Middle& s, const Middle& t) {
                     const double x = s.sum[axis], y = t.sum[axis];
                     return x != y ? x < y : s.at < t.at;
                   });
  const auto left = static_cast<uint32_t>(nodes_.size());
  nodes_.emplace_back();
  build(left, first, half, order, stop);
  const auto right = static_cast<uint32_t>(nodes_.size());
  nodes_.emplace_back();
  build(right, half, last, order, stop);
  nodes_[node].right = right;
  nodes_[node].box = nodes_[left].box.merged(nodes_[right].box);
}

double TetTree::nearest_distance2(const Vec3d& query) const {
  struct Entry {
    uint32_t node;
    double distance2;
  };
  double best = std::numeric_limits<double>::infinity();
  Entry stack[max_depth];
  int top = 0;
  stack[top++] = {0, nodes_[0].box.squaredExteriorDistance(query)};
  while (top > 0 && best > 0) {
    const Entry entry = stack[--top];
    if (!(entry.distance2 < best)) continue;
    const Node& node = nodes_[entry.node];
    for (uint32_t i = node.first; i < node.first + node.count; ++i) {
      best = std::min(best, tets_[i].distance2(query, tets_[i].weights(query)));
    }
    if (node.count > 0) continue;
    Entry near{entry.node + 1, nodes_[entry.node + 1].box.squaredExteriorDistance(query)};
    Entry far{node.right, nodes_[node.right].box.squaredExteriorDistance(query)};
    if (far.distance2 < near.distance2) std::swap(near, far);
    if (far.distance2 < best) stack[top++] = far;
    if (near.distance2 < best) stack[top++] = near;
  }
  return best;
}

SolidPoint TetTree::find(const Vec3d& query) const {
  if (!query.allFinite()) return {tets_[0].tet, {1, 0, 0, 0}, 0};
  // First how near, then which of those that are as near: rounding must not choose among them.
  const double nearest = nearest_distance2(query);
  // Distances are rounded where boxes are exact, the more the farther all is from the origin.
  const double within =
      nearest * (1 + 1e-9) + 1e-18 * (query.squaredNorm() + nodes_[0].box.diagonal().squaredNorm());
  SolidPoint best;
  double best_least = -std::numeric_limits<double>::infinity();
  bool found = false;
  uint32_t stack[max_depth];
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const uint32_t index = stack[--top];
    const Node& node = nodes_[index];
    if (!(node.box.squaredExteriorDistance(query) <= within)) continue;
    for (uint32_t i = node.first; i < node.first + node.count; ++i) {
      const std::array<double, 4> w = tets_[i].weights(query);
      const double distance2 = tets_[i].distance2(query, w);
      if (!(distance2 <= within)) continue;
      const double least = *std::min_element(w.begin(), w.end());
      if (least > best_least || (least == best_least && tets_[i].tet < best.tet) || !found) {
        best = {tets_[i].tet, w, distance2};
        best_least = least;
        found = true;
      }
    }
    if (node.count > 0) continue;
    stack[top++] = node.right;
    stack[top++] = index + 1;
  }
  return best;
}

std::size_t TetTree::bytes() const {
  return sizeof *this + tets_.size() * sizeof(Corners) + nodes_.size() * sizeof(Node);
}

Embedding embed_points(const TetTree& tree, std::span<const Vec3f> points, CancelView stop,
                       std::vector<double>* distance2) {
  Embedding result;
  result.tet.resize(points.size());
  result.weights.resize(points.size());
  if (distance2) distance2->resize(points.size());
  parallel_blocks(
      points.size(),
      [&](std::size_t begin, std::size_t end) {
        if (stop()) return;
        for (std::size_t i = begin; i < end; ++i) {
          const SolidPoint place = tree.find(points[i].cast<double>());
          result.tet[i] = place.tet;
          for (int k = 0; k < 4; ++k) {
            result.weights[i][k] = static_cast<float>(place.weights[k]);
          }
          if (distance2) (*distance2)[i] = place.distance2;
        }
      },
      256);
  stop.check();
  return result;
}

Embedding embed_points(const TetMesh& solid, std::span<const Vec3f> points, CancelView stop) {
  return embed_points(TetTree(solid, stop), points, stop);
}

TetMesh with_skin(const TetMesh& solid, const Mesh& skin, CancelView stop) {
  TetTopology topology = *solid.topology;
  topology.skin = skin.topology;
  topology.embedding = embed_points(solid, skin.positions, stop);
  return TetMesh(std::move(topology), solid.positions);
}

}  // namespace sinew::kernels
