// Which vertices of a body are asked for contacts (modal_setup.h).
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/measure.h"
#include "nodes/kernels/modal_setup.h"

namespace sinew::kernels {
namespace {

// Vertices that are chosen one after the other, with how far each other one is from the nearest.
class Choice {
 public:
  Choice(const Mesh& mesh, std::size_t count)
      : mesh_(mesh), count_(count), away_(mesh.vertex_count(), std::numeric_limits<float>::max()) {}

  std::size_t size() const { return chosen_.size(); }
  // Whether it was taken: not where one is already, and not beyond the count.
  bool take(uint32_t v) {
    if (chosen_.size() >= count_ || away_[v] == 0) return false;
    chosen_.push_back(v);
    for (std::size_t i = 0; i < away_.size(); ++i) {
      away_[i] = std::min(away_[i], (mesh_.positions[i] - mesh_.positions[v]).squaredNorm());
    }
    return true;
  }
  // Always the farthest from those before.
  void take_farthest(CancelView stop) {
    for (;;) {
      stop.check();
      const auto far = std::max_element(away_.begin(), away_.end());
      if (!take(static_cast<uint32_t>(far - away_.begin()))) break;
    }
  }
  std::vector<uint32_t> in_order() && {
    std::sort(chosen_.begin(), chosen_.end());
    return std::move(chosen_);
  }

 private:
  const Mesh& mesh_;
  std::size_t count_;
  std::vector<float> away_;  // squared
  std::vector<uint32_t> chosen_;
};

std::vector<uint32_t> all_of(const Mesh& mesh) {
  std::vector<uint32_t> all(mesh.vertex_count());
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

// Those farthest out along the axes and their diagonals.
std::vector<uint32_t> extremes(const Mesh& mesh) {
  std::vector<uint32_t> list;
  for (int x = -1; x <= 1; ++x) {
    for (int y = -1; y <= 1; ++y) {
      for (int z = -1; z <= 1; ++z) {
        const Vec3f way(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
        uint32_t far = 0;
        for (uint32_t i = 1; i < mesh.vertex_count(); ++i) {
          if (way.dot(mesh.positions[i]) > way.dot(mesh.positions[far])) far = i;
        }
        list.push_back(far);
      }
    }
  }
  return list;
}

constexpr int directions = 80;
constexpr float part_size = 0.2f;        // in sizes: what may come to the ground by itself
constexpr float facing = 0.2f;           // cosine: how much a vertex must face a direction
constexpr float nothing_missed = 1e-6f;  // in sizes
constexpr float smoothed_to = 0.05f;     // in sizes
constexpr double most_smoothing = 400;   // rounds
constexpr std::size_t most_looked_at = 40000, most_tips = 2000;

// Evenly over the sphere, along a spiral of the golden angle.
Vec3f direction_of(int k) {
  const double y = 1 - (2 * k + 1.0) / directions, r = std::sqrt(1 - y * y);
  const double turn = std::numbers::pi * (3 - std::sqrt(5.0)) * k;
  return Vec3d(r * std::cos(turn), y, r * std::sin(turn)).cast<float>();
}

// The surface without its corners and rims.
std::vector<Vec3f> smoothed(const Mesh& mesh, float to, CancelView stop) {
  const Rows neighbours = vertex_neighbours(mesh.triangles(), mesh.vertex_count());
  double edges = 0;
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    for (const uint32_t n : neighbours[v]) {
      edges += double{(mesh.positions[n] - mesh.positions[v]).norm()};
    }
  }
  const double edge =
      edges / static_cast<double>(std::max<std::size_t>(neighbours.items.size(), 1));
  const double wide = edge > 0 ? double{to} / edge : 1;
  const auto rounds = static_cast<int>(std::clamp(2 * wide * wide, 1.0, most_smoothing));
  std::vector<Vec3f> smooth = mesh.positions, next = smooth;
  for (int round = 0; round < rounds; ++round) {
    stop.check();
    for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
      Vec3f sum = smooth[v];
      for (const uint32_t n : neighbours[v]) sum += smooth[n];
      next[v] = sum / static_cast<float>(1 + neighbours[v].size());
    }
    smooth.swap(next);
  }
  return smooth;
}

// How deep each vertex could be in a plane that touches the chosen ones of its part of the surface,
// or as long as there are none, the smoothed surface: the most over all directions that it faces.
class Missed {
 public:
  Missed(const Mesh& mesh, CancelView stop)
      : mesh_(mesh), size_(bounding_box(mesh.positions).sizes().maxCoeff()) {
    const std::vector<Vec3f> normals = vertex_normals(mesh);
    const std::vector<Vec3f> smooth = smoothed(mesh, smoothed_to * size_, stop);
    for (int k = 0; k < directions; ++k) ways_.push_back(direction_of(k));
    const std::size_t stride = 1 + mesh.vertex_count() / most_looked_at;
    for (uint32_t v = 0; v < mesh.vertex_count(); v += static_cast<uint32_t>(stride)) {
      Vertex& one = vertices_.emplace_back();
      one.index = v;
      one.first = reached_.size();
      for (uint16_t k = 0; k < directions; ++k) {
        if (ways_[k].dot(normals[v]) < facing) continue;
        way_.push_back(k);
        reached_.push_back(ways_[k].dot(smooth[v]));
      }
      one.end = reached_.size();
      measure(one);
    }
  }

  // The vertex of which most is missed, if that is worth a point.
  const uint32_t* worst() const {
    const auto found =
        std::max_element(vertices_.begin(), vertices_.end(),
                         [](const Vertex& a, const Vertex& b) { return a.missed < b.missed; });
    return found != vertices_.end() && found->missed > nothing_missed * size_ ? &found->index
                                                                              : nullptr;
  }
  void take(uint32_t chosen) {
    const Vec3f& at = mesh_.positions[chosen];
    const float reach = part_size * size_;
    for (Vertex& one : vertices_) {
      if (!((mesh_.positions[one.index] - at).squaredNorm() < reach * reach)) continue;
      for (std::size_t i = one.first; i < one.end; ++i) {
        reached_[i] = std::max(reached_[i], ways_[way_[i]].dot(at));
      }
      measure(one);
      if (one.index == chosen) one.missed = 0;
    }
  }

 private:
  struct Vertex {
    uint32_t index = 0;
    std::size_t first = 0, end = 0;  // of its directions
    float missed = 0;                // m
  };
  void measure(Vertex& one) const {
    one.missed = 0;
    for (std::size_t i = one.first; i < one.end; ++i) {
      one.missed =
          std::max(one.missed, ways_[way_[i]].dot(mesh_.positions[one.index]) - reached_[i]);
    }
  }

  const Mesh& mesh_;
  float size_;
  std::vector<Vec3f> ways_;
  std::vector<Vertex> vertices_;
  std::vector<uint16_t> way_;   // of each entry, which direction
  std::vector<float> reached_;  // how far the chosen ones reach along it, m
};

}  // namespace

std::vector<uint32_t> touching_vertices(const Mesh& mesh, std::size_t count, CancelView stop) {
  if (mesh.vertex_count() <= count) return all_of(mesh);
  Choice choice(mesh, count);
  for (const uint32_t v : extremes(mesh)) choice.take(v);
  choice.take_farthest(stop);
  return std::move(choice).in_order();
}

std::vector<uint32_t> reaching_vertices(const Mesh& mesh, std::size_t count, CancelView stop) {
  if (mesh.vertex_count() <= count) return all_of(mesh);
  Choice choice(mesh, count);
  Missed missed(mesh, stop);
  const auto take = [&](uint32_t v) {
    choice.take(v);
    missed.take(v);
  };
  for (const uint32_t v : extremes(mesh)) take(v);
  const std::size_t tips = std::min(2 * count / 3, most_tips);
  while (choice.size() < tips) {
    stop.check();
    const uint32_t* worst = missed.worst();
    if (!worst) break;
    take(*worst);
  }
  choice.take_farthest(stop);
  return std::move(choice).in_order();
}

}  // namespace sinew::kernels
