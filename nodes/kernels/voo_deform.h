// What vector offset operators do to vertices [Hurmusiadis, sections 5.7, 5.8 and 7.2].
//
//   r' = r + sum over operators of w T + damp [(1 - nu g) A + nu mu g G] q eqs. 5.49, 5.52, 7.12
//
// q = r - head: from the head at rest, for every kind of field (section 5.3); T = head(t) - head;
// A = F - I (voo_frame.h); damp, the viscous gradient g and the share w of each vertex
// (voo_field.h): w is 1 unless operators are blended. nu viscosity, mu creep coefficient.
//
// G is the memory of creep: eq. 7.5 is linear in the plastic strain, so its integral for all
// vertices is that of one matrix, G = integral from t0 to t of creep dF. Nothing is kept per
// vertex, and the result knows nothing of time steps. With nu = 0 it is the plastic operator.
//
// Several operators are summed, as in the thesis: two that both push a vertex push it twice. After
// blend_influences() the same sum is a mean of what each alone would do.
//
// The loop gathers: each vertex is read and written once, whatever the number of operators (up to
// 256 at one place), and sums run in the order of the operators. Same bits for any number of
// threads.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "nodes/geometry/mesh.h"
#include "nodes/geometry/tet_mesh.h"
#include "nodes/kernels/voo_field.h"

namespace sinew::kernels {

// Who is moved by the head's own way T.
enum class VooTranslation : uint8_t {
  active,      // the active vertices, in full (eq. 5.48): tears at the edge of the field
  damped,      // each as much as it is strained: no tear where damp fades to 0
  everywhere,  // all vertices of the body, in full (section 5.2.3), and not blended
};

// What creep has left; see above. Where it begins at a pin that has moved, F_b stands for I in the
// viscous part: damp [(F - I) - nu g (F - F_b) + nu mu g G] q.
struct VooMemory {
  double viscosity = 0;                                 // nu
  double creep = 0;                                     // mu
  Eigen::Matrix3d strain = Eigen::Matrix3d::Zero();     // G
  Eigen::Matrix3d start = Eigen::Matrix3d::Identity();  // F_b
};

// An operator at a moment, ready to be applied. The head is a float here; what that rounds away is
// in the fourth columns, so that operators far from the origin keep their digits.
struct VooOperator {
  std::array<float, 3> head{}, shift{};
  std::array<float, 12> strain{}, creep{};  // three rows of four: of A, and of nu (mu G - A)
  std::array<double, 3> everywhere{};       // of all vertices
  bool strains = false, creeps = false, shifts = false;
};

// The operator of a sound VOO whose pin is at `now`, its frame turned by `spin` (voo_frame.h); only
// field and damping chart are not looked at.
VooOperator make_operator(const Voo& voo, const VooPose& now, const VooMemory& memory = {},
                          VooTranslation translation = VooTranslation::active, double spin = 0);
// The same of a given F and T.
VooOperator make_operator(const Vec3d& head, const Vec3d& shift, const Eigen::Matrix3d& deformation,
                          const VooMemory& memory, VooTranslation translation);

struct VooAction {
  const VooInfluence* influence = nullptr;
  VooOperator with;
};

// moved[i] = r' of rest[i]. `moved` is other memory than `rest`, and as long. Influences are of
// these vertices.
void deform_vertices(std::span<const VooAction> actions, std::span<const Vec3f> rest,
                     std::span<Vec3f> moved);

// Unit normals of the moved surface: cof(J) n with J = dr'/dr at each vertex, including the slopes
// of damp, viscous and share. Influences must have slopes. `turned` may be `normals`. Vertices that
// nothing holds keep their normals to the bit. At most 256 operators at one place; if there are
// more, or influences without slopes, normals are made anew from the moved triangles
// (vertex_normals() in measure.h).
void deform_normals(std::span<const VooAction> actions, std::span<const Vec3f> rest,
                    std::span<const Vec3f> normals, std::span<Vec3f> turned);

// Where space is folded over: vertices with det J <= 0. Influences must have slopes.
struct VooFolds {
  std::size_t vertices = 0;
  std::vector<uint16_t> tiles;  // bit i of entry k: vertex 16 k + i

  bool at(std::size_t vertex) const {
    return (tiles[vertex / voo_tile] >> (vertex % voo_tile) & 1) != 0;
  }
};
VooFolds find_folds(std::span<const VooAction> actions, std::span<const Vec3f> rest);
// Faces or cells with a vertex at which space is folded.
std::size_t count_folded(const VooFolds& folds, std::span<const Triangle> triangles);
std::size_t count_folded(const VooFolds& folds, std::span<const Tetrahedron> tets);
// Cells that have changed sides, from their volumes before and after.
std::size_t count_inverted(std::span<const Tetrahedron> tets, std::span<const Vec3f> rest,
                           std::span<const Vec3f> moved);

}  // namespace sinew::kernels
