#include "nodes/kernels/mls_skin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/mesh_march.h"
#include "nodes/kernels/mls_lanes.h"

namespace sinew::kernels {

namespace {

constexpr std::size_t piece = 4096;  // vertices that are worked on together
constexpr std::size_t rows_of_share = 5;

struct Reach {
  uint32_t vertex;
  double rho;
};
// rho of each bone for each vertex, in compressed rows by vertex.
struct Influences {
  std::vector<uint32_t> first;
  std::vector<uint32_t> bone;
  std::vector<double> rho;
  std::span<const uint32_t> bones_of(std::size_t v) const {
    return {bone.data() + first[v], first[v + 1] - first[v]};
  }
};

void check(const Mesh& mesh, const Skeleton& skeleton, std::span<const uint32_t> sets,
           const MlsSkinOptions& options) {
  if (auto wrong = validate(skeleton)) throw std::invalid_argument(*wrong);
  if (sets.size() != mesh.vertex_count()) {
    throw std::invalid_argument(fmt::format("a body of {} vertices is given the bones of {}",
                                            mesh.vertex_count(), sets.size()));
  }
  for (std::size_t v = 0; v < sets.size(); ++v) {
    if (sets[v] != no_bone && sets[v] >= skeleton.bone_count()) {
      throw std::invalid_argument(fmt::format("vertex {} belongs to bone {}, but there are {}", v,
                                              uint64_t{sets[v]} + 1, skeleton.bone_count()));
    }
  }
  if (!(options.radius >= 0 && options.radius <= 10)) {
    throw std::invalid_argument(
        fmt::format("the radius is {:g}, but must be from 0 to 10", options.radius));
  }
}

double diagonal_of(std::span<const Vec3f> vertices) {
  Eigen::AlignedBox3d box;
  for (const Vec3f& p : vertices) {
    if (p.allFinite()) box.extend(p.cast<double>());
  }
  return box.isEmpty() ? 0 : box.diagonal().norm();
}

// The vertices that a bone reaches. Marching starts at the rim of its set, since inside all ways
// are 0.
std::vector<Reach> reach_of(const Mesh& mesh, const Rows& around, std::span<const uint32_t> sets,
                            uint32_t bone, double radius, SkinFalloff falloff, CancelView stop) {
  std::vector<MarchStart> rim;
  std::vector<Reach> reached;
  for (uint32_t v = 0; v < sets.size(); ++v) {
    if (sets[v] != bone) continue;
    reached.push_back({v, 1});
    const auto leaves = [&](uint32_t t) {
      const Triangle& corners = mesh.triangles()[t];
      return std::any_of(corners.begin(), corners.end(),
                         [&](uint32_t c) { return sets[c] != bone; });
    };
    const auto triangles = around[v];
    if (std::any_of(triangles.begin(), triangles.end(), leaves)) rim.push_back({v, 0});
  }
  if (rim.empty() || !(radius > 0)) return reached;
  const std::vector<double> ways = march_surface(mesh, around, rim, Wave::flat, radius, stop);
  for (uint32_t v = 0; v < sets.size(); ++v) {
    if (sets[v] == bone || !(ways[v] < radius)) continue;
    reached.push_back({v, skin_falloff(ways[v], radius, falloff)});
  }
  return reached;
}

Influences gather(std::span<const std::vector<Reach>> reached, const Mesh& mesh,
                  const Skeleton& skeleton, CancelView stop) {
  Influences all;
  all.first.assign(mesh.vertex_count() + 1, 0);
  for (const auto& of_bone : reached) {
    for (const Reach& r : of_bone) ++all.first[r.vertex + 1];
  }
  const std::vector<uint32_t> nearest = nearest_bones(mesh.positions, skeleton, stop);
  const auto falls_back = [&](std::size_t v) {
    return all.first[v + 1] == 0 && nearest[v] != no_bone;
  };
  std::vector<char> alone(mesh.vertex_count(), 0);
  for (std::size_t v = 0; v < alone.size(); ++v) alone[v] = falls_back(v);
  for (std::size_t v = 0; v < alone.size(); ++v)
    all.first[v + 1] += static_cast<uint32_t>(alone[v]);
  std::partial_sum(all.first.begin(), all.first.end(), all.first.begin());
  all.bone.resize(all.first.back());
  all.rho.resize(all.first.back());
  std::vector<uint32_t> next(all.first.begin(), all.first.end() - 1);
  for (std::size_t b = 0; b < reached.size(); ++b) {
    for (const Reach& r : reached[b]) {
      all.bone[next[r.vertex]] = static_cast<uint32_t>(b);
      all.rho[next[r.vertex]++] = r.rho;
    }
  }
  for (std::size_t v = 0; v < alone.size(); ++v) {
    if (alone[v]) all.bone[next[v]] = nearest[v], all.rho[next[v]] = 1;
  }
  for (std::size_t v = 0; v < alone.size(); ++v) {
    double sum = 0;
    for (uint32_t e = all.first[v]; e < all.first[v + 1]; ++e) sum += all.rho[e];
    for (uint32_t e = all.first[v]; e < all.first[v + 1]; ++e) all.rho[e] /= sum;
  }
  return all;
}

// Vertices of the same bones one after the other, those of one bone first.
std::vector<uint32_t> grouped(const Influences& all, std::size_t count) {
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const auto of_a = all.bones_of(a), of_b = all.bones_of(b);
    if (of_a.size() != of_b.size()) return of_a.size() < of_b.size();
    return std::lexicographical_compare(of_a.begin(), of_a.end(), of_b.begin(), of_b.end());
  });
  const std::size_t tiles = (count + mls_tile - 1) / mls_tile;
  order.resize(mls_tile * tiles, MlsSkin::no_vertex);
  return order;
}

// Appends the entries of one tile: all bones of its vertices, each with what the vertices have.
void add_tile(const Mesh& mesh, const Skeleton& skeleton, const Influences& all, std::size_t tile,
              MlsSkin& skin) {
  const std::span<const uint32_t> vertices(skin.order.data() + mls_tile * tile, mls_tile);
  std::vector<uint32_t> bones;
  for (std::size_t lane = 0; lane < mls_tile; ++lane) {
    const uint32_t v = vertices[lane];
    if (v == MlsSkin::no_vertex) continue;
    const auto of_v = all.bones_of(v);
    bones.insert(bones.end(), of_v.begin(), of_v.end());
    for (std::size_t k = 0; k < 3; ++k) {
      skin.rest[mls_tile * (3 * tile + k) + lane] = mesh.positions[v][static_cast<int>(k)];
    }
  }
  std::sort(bones.begin(), bones.end());
  bones.erase(std::unique(bones.begin(), bones.end()), bones.end());
  for (const uint32_t bone : bones) {
    const std::size_t at = skin.shares.size();
    skin.bone.push_back(bone);
    skin.shares.resize(at + rows_of_share * mls_tile, 0);
    for (std::size_t lane = 0; lane < mls_tile; ++lane) {
      const uint32_t v = vertices[lane];
      if (v == MlsSkin::no_vertex) continue;
      const auto of_v = all.bones_of(v);
      const auto found = std::lower_bound(of_v.begin(), of_v.end(), bone);
      if (found == of_v.end() || *found != bone) continue;
      const Vec3d p = mesh.positions[v].cast<double>();
      const double s = closest_on_bone(skeleton, bone, p);
      const Vec3d from = skeleton.from(bone), c = from + s * (skeleton.to(bone) - from);
      const double rho = all.rho[all.first[v] + static_cast<std::size_t>(found - of_v.begin())];
      const double values[rows_of_share] = {rho, s, p.x() - c.x(), p.y() - c.y(), p.z() - c.z()};
      for (std::size_t k = 0; k < rows_of_share; ++k) {
        skin.shares[at + mls_tile * k + lane] = static_cast<float>(values[k]);
      }
    }
  }
  skin.first.push_back(static_cast<uint32_t>(skin.bone.size()));
}

MlsBone bone_at(const MlsSkin& skin, std::size_t bone, std::span<const JointPose> posed) {
  const auto [a, b] = skin.bones[bone];
  const Eigen::Matrix3d& turn = posed[a].turn;
  const Eigen::AngleAxisd between(
      Eigen::Quaterniond(turn.transpose() * posed[b].turn).normalized());
  const Vec3d shift = posed[a].place - skin.joints[a];
  const Vec3d stretch = (posed[b].place - skin.joints[b]) - shift;
  MlsBone made;
  for (int k = 0; k < 9; ++k) made.turn[k] = static_cast<float>(turn(k / 3, k % 3));
  for (int k = 0; k < 3; ++k) {
    made.axis[k] = static_cast<float>(between.axis()[k]);
    made.shift[k] = static_cast<float>(shift[k]);
    made.stretch[k] = static_cast<float>(stretch[k]);
  }
  made.cosine = static_cast<float>(std::cos(between.angle()));
  made.sine = static_cast<float>(std::sin(between.angle()));
  return made;
}

}  // namespace

double skin_falloff(double distance, double radius, SkinFalloff falloff) {
  if (!(distance > 0)) return 1;
  if (!(distance < radius)) return 0;
  const double part = distance / radius;
  const double left = falloff == SkinFalloff::smooth ? 1 - part * part : 1 - part;
  return left * left;
}

MlsSkin prepare_skin(const Mesh& mesh, const Skeleton& skeleton, std::span<const uint32_t> sets,
                     const MlsSkinOptions& options, CancelView stop) {
  check(mesh, skeleton, sets, options);
  const double radius = options.radius * diagonal_of(mesh.positions);
  const Rows around = vertex_triangles(mesh.triangles(), mesh.vertex_count());
  std::vector<std::vector<Reach>> reached(skeleton.bone_count());
  parallel_each(reached.size(), [&](std::size_t b) {
    reached[b] =
        reach_of(mesh, around, sets, static_cast<uint32_t>(b), radius, options.falloff, stop);
  });
  stop.check();
  const Influences all = gather(reached, mesh, skeleton, stop);
  MlsSkin skin;
  skin.vertex_count = mesh.vertex_count();
  skin.joints = skeleton.rest_places();
  for (const SkeletonBone& bone : skeleton.bones) skin.bones.push_back(bone.joints);
  skin.order = grouped(all, mesh.vertex_count());
  const std::size_t tiles = skin.order.size() / mls_tile;
  skin.rest.assign(3 * mls_tile * tiles, 0);
  skin.first.push_back(0);
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    if (tile % 256 == 0) stop.check();
    add_tile(mesh, skeleton, all, tile, skin);
  }
  return skin;
}

std::vector<SkinShare> shares_of(const MlsSkin& skin, std::size_t vertex) {
  std::vector<SkinShare> shares;
  const auto found = std::find(skin.order.begin(), skin.order.end(), vertex);
  if (found == skin.order.end()) return shares;
  const auto at = static_cast<std::size_t>(found - skin.order.begin());
  for (uint32_t e = skin.first[at / mls_tile]; e < skin.first[at / mls_tile + 1]; ++e) {
    const float share = skin.shares[rows_of_share * mls_tile * e + at % mls_tile];
    if (share > 0) shares.push_back({skin.bone[e], share});
  }
  return shares;
}

std::vector<float> shares_of_bone(const MlsSkin& skin, uint32_t bone) {
  std::vector<float> shares(skin.vertex_count, 0);
  for (std::size_t i = 0; i < skin.order.size(); ++i) {
    if (skin.order[i] == MlsSkin::no_vertex) continue;
    for (uint32_t e = skin.first[i / mls_tile]; e < skin.first[i / mls_tile + 1]; ++e) {
      if (skin.bone[e] != bone) continue;
      shares[skin.order[i]] = skin.shares[rows_of_share * mls_tile * e + i % mls_tile];
    }
  }
  return shares;
}

void pose_skin(const MlsSkin& skin, std::span<const JointPose> posed, std::span<Vec3f> moved) {
  if (posed.size() != skin.joints.size() || moved.size() != skin.vertex_count) {
    throw std::invalid_argument(
        fmt::format("{} joints and {} vertices are given {} joints and {} vertices",
                    skin.joints.size(), skin.vertex_count, posed.size(), moved.size()));
  }
  std::vector<MlsBone> bones;
  bones.reserve(skin.bones.size());
  for (std::size_t b = 0; b < skin.bones.size(); ++b) bones.push_back(bone_at(skin, b, posed));
  const MlsSkinView view{skin.first.data(), skin.bone.data(), skin.shares.data(), skin.rest.data()};
  const MlsLanes& lanes = mls_lanes();
  parallel_blocks(
      skin.order.size(),
      [&](std::size_t begin, std::size_t end) {
        float rows[3 * piece];
        const std::size_t first = begin / mls_tile;
        lanes.skin(view, bones.data(), first, end / mls_tile, rows);
        for (std::size_t i = begin; i < end; ++i) {
          if (skin.order[i] == MlsSkin::no_vertex) continue;
          const float* const row = rows + 3 * mls_tile * (i / mls_tile - first) + i % mls_tile;
          moved[skin.order[i]] = {row[0], row[mls_tile], row[2 * mls_tile]};
        }
      },
      piece);
}

std::size_t byte_size(const MlsSkin& skin) {
  return sizeof skin + sizeof(skin.bones[0]) * skin.bones.size() +
         sizeof(Vec3d) * skin.joints.size() +
         4 * (skin.order.size() + skin.first.size() + skin.bone.size() + skin.shares.size() +
              skin.rest.size());
}

}  // namespace sinew::kernels
