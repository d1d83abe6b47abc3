#include "nodes/kernels/skin_sets.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/vectors.h"

namespace sinew::kernels {

namespace {

double distance2(const Skeleton& skeleton, std::size_t bone, const Vec3f& vertex) {
  return segment_distance2(vertex.cast<double>(), skeleton.from(bone), skeleton.to(bone));
}

// For each vertex the least vertex that `joined` neighbours lead to.
template <class Joined>
std::vector<uint32_t> parts_of(const Rows& neighbours, const Joined& joined) {
  std::vector<uint32_t> part(neighbours.size(), no_bone), open;
  for (uint32_t v = 0; v < part.size(); ++v) {
    if (part[v] != no_bone) continue;
    part[v] = v;
    open.assign(1, v);
    while (!open.empty()) {
      const uint32_t here = open.back();
      open.pop_back();
      for (const uint32_t next : neighbours[here]) {
        if (part[next] != no_bone || !joined(here, next)) continue;
        part[next] = v;
        open.push_back(next);
      }
    }
  }
  return part;
}

// Gives vertices of no bone to those of their neighbours, ring after ring.
void grow(const Mesh& mesh, const Skeleton& skeleton, const Rows& neighbours,
          std::vector<uint32_t> open, std::vector<uint32_t>& bones, CancelView stop) {
  std::vector<std::pair<uint32_t, uint32_t>> given;  // vertex, bone
  while (!open.empty()) {
    stop.check();
    given.clear();
    for (const uint32_t v : open) {
      uint32_t best = no_bone;
      double least = std::numeric_limits<double>::infinity();
      for (const uint32_t next : neighbours[v]) {
        if (bones[next] == no_bone || bones[next] == best) continue;
        const double d = distance2(skeleton, bones[next], mesh.positions[v]);
        if (std::tie(d, bones[next]) < std::tie(least, best)) least = d, best = bones[next];
      }
      if (best != no_bone) given.emplace_back(v, best);
    }
    if (given.empty()) return;
    for (const auto& [v, bone] : given) bones[v] = bone;
    std::erase_if(open, [&](uint32_t v) { return bones[v] != no_bone; });
  }
}

}  // namespace

double closest_on_bone(const Skeleton& skeleton, std::size_t bone, const Vec3d& p) {
  const Vec3d along = skeleton.to(bone) - skeleton.from(bone);
  const double length2 = along.squaredNorm();
  if (!(length2 > 0)) return 0;
  return std::clamp((p - skeleton.from(bone)).dot(along) / length2, 0.0, 1.0);
}

Mesh all_faces(const TetMesh& solid) {
  std::vector<Triangle> faces;
  faces.reserve(4 * solid.topology->tets.size());
  const auto sorted = [](Triangle t) { return std::sort(t.begin(), t.end()), t; };
  for (const Tetrahedron& tet : solid.topology->tets) {
    for (const auto& face : tet_faces) {
      faces.push_back({tet[static_cast<std::size_t>(face[0])],
                       tet[static_cast<std::size_t>(face[1])],
                       tet[static_cast<std::size_t>(face[2])]});
    }
  }
  // Of the two sides of a face the one that comes first.
  std::stable_sort(faces.begin(), faces.end(),
                   [&](const Triangle& a, const Triangle& b) { return sorted(a) < sorted(b); });
  const auto same = [&](const Triangle& a, const Triangle& b) { return sorted(a) == sorted(b); };
  faces.erase(std::unique(faces.begin(), faces.end(), same), faces.end());
  return Mesh(Topology{std::move(faces), {}, {}}, solid.positions);
}

std::vector<uint32_t> nearest_bones(std::span<const Vec3f> vertices, const Skeleton& skeleton,
                                    CancelView stop) {
  std::vector<uint32_t> bones(vertices.size(), no_bone);
  parallel_blocks(vertices.size(), [&](std::size_t begin, std::size_t end) {
    stop.check();
    for (std::size_t v = begin; v < end; ++v) {
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t b = 0; b < skeleton.bone_count(); ++b) {
        const double d = distance2(skeleton, b, vertices[v]);
        if (d < least) least = d, bones[v] = static_cast<uint32_t>(b);
      }
    }
  });
  return bones;
}

std::vector<uint32_t> skin_sets(const Mesh& mesh, const Skeleton& skeleton, CancelView stop) {
  std::vector<uint32_t> bones = nearest_bones(mesh.positions, skeleton, stop);
  const Rows neighbours = vertex_neighbours(mesh.triangles(), mesh.vertex_count());
  const auto same = [&](uint32_t a, uint32_t b) { return bones[a] == bones[b]; };
  const std::vector<uint32_t> patch = parts_of(neighbours, same);
  const std::vector<uint32_t> component =
      parts_of(neighbours, [](uint32_t, uint32_t) { return true; });
  stop.check();
  std::vector<uint32_t> seed(skeleton.bone_count(), no_bone);
  std::vector<double> least(skeleton.bone_count(), std::numeric_limits<double>::infinity());
  for (uint32_t v = 0; v < bones.size(); ++v) {
    if (bones[v] == no_bone) continue;
    const double d = distance2(skeleton, bones[v], mesh.positions[v]);
    if (d < least[bones[v]]) least[bones[v]] = d, seed[bones[v]] = v;
  }
  std::vector<char> has_seed(bones.size(), 0), keeps(bones.size(), 0);
  for (const uint32_t v : seed) {
    if (v != no_bone) has_seed[component[v]] = keeps[patch[v]] = 1;
  }
  std::vector<uint32_t> dropped;
  for (uint32_t v = 0; v < bones.size(); ++v) {
    if (bones[v] != no_bone && has_seed[component[v]] && !keeps[patch[v]]) dropped.push_back(v);
  }
  for (const uint32_t v : dropped) bones[v] = no_bone;
  grow(mesh, skeleton, neighbours, std::move(dropped), bones, stop);
  return bones;
}

}  // namespace sinew::kernels
