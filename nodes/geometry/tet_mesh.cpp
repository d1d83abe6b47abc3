#include "nodes/geometry/tet_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "nodes/geometry/parallel.h"

namespace sinew {

namespace {

const std::shared_ptr<const TetTopology>& empty_topology() {
  static const std::shared_ptr<const TetTopology> none = std::make_shared<const TetTopology>();
  return none;
}

TetTopology with_boundary(TetTopology topology) {
  if (topology.boundary.empty()) topology.boundary = boundary_faces(topology.tets);
  return topology;
}

bool same_skin(const std::shared_ptr<const Topology>& a, const std::shared_ptr<const Topology>& b) {
  return a == b || (a && b && *a == *b);
}

template <class T>
void carry(const Embedding& embedding, std::span<const Tetrahedron> tets, std::span<const T> values,
           std::span<T> out) {
  parallel_blocks(embedding.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Tetrahedron& t = tets[embedding.tet[i]];
      const std::array<float, 4>& w = embedding.weights[i];
      out[i] =
          w[0] * values[t[0]] + w[1] * values[t[1]] + w[2] * values[t[2]] + w[3] * values[t[3]];
    }
  });
}

}  // namespace

bool TetTopology::operator==(const TetTopology& other) const {
  return tets == other.tets && embedding == other.embedding && same_skin(skin, other.skin);
}

TetMesh::TetMesh() : topology(empty_topology()) {}

TetMesh::TetMesh(TetTopology connectivity, std::vector<Vec3f> points)
    : topology(std::make_shared<const TetTopology>(with_boundary(std::move(connectivity)))),
      positions(std::move(points)) {}

TetMesh::TetMesh(std::shared_ptr<const TetTopology> connectivity, std::vector<Vec3f> points)
    : topology(connectivity ? std::move(connectivity) : empty_topology()),
      positions(std::move(points)) {}

TetMesh::TetMesh(std::vector<Tetrahedron> tets, std::vector<Vec3f> points)
    : TetMesh(TetTopology{std::move(tets), {}, nullptr, {}}, std::move(points)) {}

TetMesh TetMesh::with_positions(std::vector<Vec3f> points) const {
  return TetMesh(topology, std::move(points));
}

bool TetMesh::operator==(const TetMesh& other) const {
  return positions == other.positions &&
         (topology == other.topology || *topology == *other.topology);
}

std::vector<Triangle> boundary_faces(std::span<const Tetrahedron> tets) {
  // Faces sorted by their vertices: those of two tetrahedra lie side by side.
  struct Face {
    std::array<uint32_t, 3> sorted;
    uint32_t tet;
    uint8_t corner;
  };
  std::vector<Face> faces;
  faces.reserve(4 * tets.size());
  StopCheck check;
  for (std::size_t t = 0; t < tets.size(); ++t) {
    check();
    for (int k = 0; k < 4; ++k) {
      Face face{{}, static_cast<uint32_t>(t), static_cast<uint8_t>(k)};
      for (int i = 0; i < 3; ++i) face.sorted[i] = tets[t][tet_faces[k][i]];
      std::sort(face.sorted.begin(), face.sorted.end());
      faces.push_back(face);
    }
  }
  stoppable_sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) {
    return std::tie(a.sorted, a.tet, a.corner) < std::tie(b.sorted, b.tet, b.corner);
  });
  std::vector<Face> single;
  for (std::size_t i = 0; i < faces.size();) {
    check();
    std::size_t j = i + 1;
    while (j < faces.size() && faces[j].sorted == faces[i].sorted) ++j;
    if (j == i + 1) single.push_back(faces[i]);
    i = j;
  }
  stoppable_sort(single.begin(), single.end(), [](const Face& a, const Face& b) {
    return std::tie(a.tet, a.corner) < std::tie(b.tet, b.corner);
  });
  std::vector<Triangle> boundary;
  boundary.reserve(single.size());
  for (const Face& face : single) {
    const std::array<int, 3>& corners = tet_faces[face.corner];
    const Tetrahedron& tet = tets[face.tet];
    boundary.push_back({tet[corners[0]], tet[corners[1]], tet[corners[2]]});
  }
  return boundary;
}

std::vector<uint32_t> boundary_tets(const TetTopology& topology) {
  std::vector<std::pair<Triangle, uint32_t>> faces;  // by their sorted vertices
  faces.reserve(topology.boundary.size());
  uint32_t last = 0;
  StopCheck check;
  for (Triangle face : topology.boundary) {
    check();
    std::sort(face.begin(), face.end());
    last = std::max(last, face[2]);
    faces.emplace_back(face, static_cast<uint32_t>(faces.size()));
  }
  stoppable_sort(faces.begin(), faces.end());
  std::vector<char> outside(last + 1, 0);
  for (const auto& [face, number] : faces)
    for (const uint32_t v : face) outside[v] = 1;
  const auto is_outside = [&](uint32_t v) { return v <= last && outside[v]; };

  std::vector<uint32_t> owners(topology.boundary.size(), 0);
  for (std::size_t t = 0; t < topology.tets.size(); ++t) {
    check();
    for (const std::array<int, 3>& corners : tet_faces) {
      const Tetrahedron& tet = topology.tets[t];
      Triangle face = {tet[corners[0]], tet[corners[1]], tet[corners[2]]};
      if (!std::all_of(face.begin(), face.end(), is_outside)) continue;
      std::sort(face.begin(), face.end());
      const auto at = std::lower_bound(faces.begin(), faces.end(), std::pair(face, 0u));
      if (at != faces.end() && at->first == face) owners[at->second] = static_cast<uint32_t>(t);
    }
  }
  return owners;
}

Mesh boundary_mesh(const TetMesh& solid, std::vector<uint32_t>* solid_vertex) {
  std::vector<uint32_t> number(solid.vertex_count(), 0);
  StopCheck check;
  for (const Triangle& face : solid.topology->boundary) {
    check();
    for (const uint32_t v : face) number[v] = 1;
  }
  std::vector<uint32_t> kept;
  for (uint32_t v = 0; v < number.size(); ++v) {
    check();
    if (!number[v]) continue;
    number[v] = static_cast<uint32_t>(kept.size());
    kept.push_back(v);
  }
  Topology topology;
  topology.triangles.reserve(solid.topology->boundary.size());
  for (const Triangle& face : solid.topology->boundary) {
    check();
    topology.triangles.push_back({number[face[0]], number[face[1]], number[face[2]]});
  }
  std::vector<Vec3f> points;
  points.reserve(kept.size());
  for (const uint32_t v : kept) points.push_back(solid.positions[v]);
  if (solid_vertex) *solid_vertex = std::move(kept);
  return Mesh(std::move(topology), std::move(points));
}

Mesh surface_of(const TetMesh& solid) {
  if (!solid.has_skin()) return boundary_mesh(solid);
  std::vector<Vec3f> points(solid.topology->embedding.size());
  carry_embedded(solid.topology->embedding, solid.tets(), solid.positions, points);
  return Mesh(solid.topology->skin, std::move(points));
}

void carry_embedded(const Embedding& embedding, std::span<const Tetrahedron> tets,
                    std::span<const Vec3f> points, std::span<Vec3f> out) {
  carry(embedding, tets, points, out);
}

void carry_embedded(const Embedding& embedding, std::span<const Tetrahedron> tets,
                    std::span<const float> values, std::span<float> out) {
  carry(embedding, tets, values, out);
}

std::vector<float> carry_to_skin(const TetMesh& solid, std::span<const float> values) {
  std::vector<float> carried(solid.topology->embedding.size());
  if (carried.empty()) return carried;
  carry_embedded(solid.topology->embedding, solid.tets(), values, carried);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  for (float& x : carried) x = std::clamp(x, *low, *high);
  return carried;
}

std::optional<std::string> validate(const TetMesh& solid) {
  const TetTopology& topology = *solid.topology;
  const std::size_t vertices = solid.vertex_count();
  StopCheck check;
  for (std::size_t i = 0; i < vertices; ++i) {
    check();
    if (!solid.positions[i].allFinite()) return fmt::format("vertex {} is not finite", i);
  }
  for (std::size_t t = 0; t < topology.tets.size(); ++t) {
    check();
    for (const uint32_t v : topology.tets[t]) {
      if (v >= vertices) {
        return fmt::format("tetrahedron {} refers to vertex {}, but there are only {}", t, v,
                           vertices);
      }
    }
  }
  const Embedding& embedding = topology.embedding;
  if (embedding.weights.size() != embedding.size()) {
    return fmt::format("{} weights for {} embedded vertices", embedding.weights.size(),
                       embedding.size());
  }
  for (std::size_t i = 0; i < embedding.size(); ++i) {
    check();
    if (embedding.tet[i] >= topology.tets.size()) {
      return fmt::format("embedded vertex {} refers to tetrahedron {}, but there are only {}", i,
                         embedding.tet[i], topology.tets.size());
    }
    for (const float w : embedding.weights[i]) {
      if (!std::isfinite(w)) return fmt::format("a weight of embedded vertex {} is not finite", i);
    }
  }
  if (!topology.skin) return std::nullopt;
  for (std::size_t t = 0; t < topology.skin->triangles.size(); ++t) {
    check();
    for (const uint32_t v : topology.skin->triangles[t]) {
      if (v >= embedding.size()) {
        return fmt::format("skin triangle {} refers to vertex {}, but only {} are embedded", t, v,
                           embedding.size());
      }
    }
  }
  return std::nullopt;
}

std::size_t byte_size(const TetMesh& solid) {
  const TetTopology& t = *solid.topology;
  std::size_t bytes = sizeof(TetMesh) + sizeof(TetTopology) + bytes_of(solid.positions).size() +
                      bytes_of(t.tets).size() + bytes_of(t.boundary).size() +
                      bytes_of(t.embedding.tet).size() + bytes_of(t.embedding.weights).size();
  if (t.skin) bytes += byte_size(Mesh(t.skin, {}));
  return bytes;
}

}  // namespace sinew
