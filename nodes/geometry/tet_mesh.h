// A solid of tetrahedra as plain immutable data: positions of its own, connectivity shared with
// every deformed version of it. It may carry a finer surface (the skin: the artist's mesh), each
// vertex of which hangs in one tetrahedron by four barycentric weights, so that what is shown is
// the artist's mesh and not the lattice.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nodes/geometry/mesh.h"
#include "nodes/geometry/types.h"

namespace sinew {

// Four vertex indices a, b, c, d with (b - a) x (c - a) . (d - a) > 0.
using Tetrahedron = std::array<uint32_t, 4>;

// The faces of a positive tetrahedron, counter-clockwise seen from outside: face k lies opposite of
// corner k.
inline constexpr std::array<std::array<int, 3>, 4> tet_faces = {
    {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

// Where the vertices of the finer surface hang. Weights sum to 1; a vertex just outside of the
// solid has a negative one.
struct Embedding {
  std::vector<uint32_t> tet;
  std::vector<std::array<float, 4>> weights;

  std::size_t size() const { return tet.size(); }
  bool operator==(const Embedding&) const = default;
};

struct TetTopology {
  std::vector<Tetrahedron> tets;
  // The faces that only one tetrahedron has, counter-clockwise from outside, by vertices of the
  // solid. Made by boundary_faces().
  std::vector<Triangle> boundary;
  // The finer surface, or null: then the boundary is what is shown.
  std::shared_ptr<const Topology> skin;
  Embedding embedding;  // one entry per vertex of the skin

  bool operator==(const TetTopology& other) const;
};

struct TetMesh {
  // Never null; several solids may share one.
  std::shared_ptr<const TetTopology> topology;
  std::vector<Vec3f> positions;

  TetMesh();
  // Finds the boundary itself if it is empty.
  TetMesh(TetTopology connectivity, std::vector<Vec3f> points);
  TetMesh(std::shared_ptr<const TetTopology> connectivity, std::vector<Vec3f> points);
  TetMesh(std::vector<Tetrahedron> tets, std::vector<Vec3f> points);

  std::size_t vertex_count() const { return positions.size(); }
  std::size_t tet_count() const { return topology->tets.size(); }
  std::span<const Tetrahedron> tets() const { return topology->tets; }
  bool empty() const { return positions.empty(); }
  bool has_skin() const { return topology->skin != nullptr; }

  TetMesh with_positions(std::vector<Vec3f> points) const;

  bool operator==(const TetMesh& other) const;
};

// Faces of exactly one tetrahedron, in the order of their tetrahedra, counter-clockwise from
// outside if the tetrahedra are positive.
std::vector<Triangle> boundary_faces(std::span<const Tetrahedron> tets);

// For each face of the boundary the tetrahedron that it belongs to.
std::vector<uint32_t> boundary_tets(const TetTopology& topology);

// The boundary as a mesh of its own: only the vertices on it, in increasing order.
// `solid_vertex`, if given, tells for each of its vertices which vertex of the solid it is.
Mesh boundary_mesh(const TetMesh& solid, std::vector<uint32_t>* solid_vertex = nullptr);

// What is shown: the skin where the solid's vertices carry it, or the boundary if there is none.
Mesh surface_of(const TetMesh& solid);

// out[i] = sum over k of weights[i][k] * points[tets[tet[i]][k]].
void carry_embedded(const Embedding& embedding, std::span<const Tetrahedron> tets,
                    std::span<const Vec3f> points, std::span<Vec3f> out);
// The same for one number per vertex of the solid.
void carry_embedded(const Embedding& embedding, std::span<const Tetrahedron> tets,
                    std::span<const float> values, std::span<float> out);

// The same for what is to be seen on the skin, kept within the range of the values: just outside of
// the solid the weights extrapolate, and an amplitude of 1 must not become 1.03.
std::vector<float> carry_to_skin(const TetMesh& solid, std::span<const float> values);

// What is wrong, with the first bad index, or nothing. An inverted tetrahedron is not a flaw of the
// data: simulations make them.
std::optional<std::string> validate(const TetMesh& solid);

std::size_t byte_size(const TetMesh& solid);

template <class Hash>
void visit_content(const TetMesh& solid, Hash&& hash) {
  const TetTopology& t = *solid.topology;
  const std::array<uint64_t, 5> sizes = {solid.positions.size(), t.tets.size(), t.boundary.size(),
                                         t.embedding.size(), t.skin ? 1u : 0u};
  hash(bytes_of(sizes));
  hash(bytes_of(solid.positions));
  hash(bytes_of(t.tets));
  hash(bytes_of(t.embedding.tet));
  hash(bytes_of(t.embedding.weights));
  if (t.skin) visit_content(Mesh(t.skin, {}), hash);
}

}  // namespace sinew
