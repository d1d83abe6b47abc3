// What the files of nodes/show share: keys, bodies, and the steps from a value to items of a list.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "nodes/geometry/mesh.h"
#include "nodes/geometry/tet_mesh.h"
#include "nodes/kernels/cut.h"
#include "nodes/show.h"
#include "nodes/values.h"

namespace sinew::showing {

// ---- Keys ---------------------------------------------------------------------------------------

inline draw::ContentKey content_key(const Key& key) { return {key.lo, key.hi}; }
// A value without a key gives parts without one: none of them may be taken for another.
inline draw::ContentKey derived(draw::ContentKey key, uint64_t number) {
  return key ? key.with(number) : key;
}
inline draw::ContentKey joined(draw::ContentKey a, draw::ContentKey b) {
  return a && b ? a.with(b.lo).with(b.hi) : draw::ContentKey();
}
draw::ContentKey derived(draw::ContentKey key, const kernels::CutPlane& plane);

// ---- Bodies -------------------------------------------------------------------------------------

// What a cut looks like where no value colours it: darker and warmer than the outside.
inline constexpr draw::Rgba cut_clay{0.62f, 0.48f, 0.39f, 1};

// A mesh or a solid: one of the two is not null.
struct Body {
  Value value;
  draw::ContentKey key;
  const Mesh* mesh = nullptr;
  const TetMesh* solid = nullptr;

  // The vertices that values per vertex belong to.
  std::span<const Vec3f> vertices() const { return mesh ? mesh->positions : solid->positions; }
  bool has_skin() const { return solid && solid->has_skin(); }
};

// The value itself, or the body that it lives on; nothing if that is neither a mesh nor a solid.
std::optional<Body> as_body(const Value& value, const Key& key);

// What is seen of it, whole and without colours. Only a skin is computed.
draw::Mesh surface_of_body(const Body& body);

// A mesh that has no triangles is seen as points.
inline bool is_cloud(const Body& body) {
  return body.mesh && body.mesh->triangle_count() == 0 && body.mesh->vertex_count() > 0;
}
// Adds them, but for those that the plane cuts away; coloured if there is a value for each.
void add_cloud(const std::string& source, const Body& body,
               const std::optional<kernels::CutPlane>& plane, draw::DrawList& list,
               const Field* field = nullptr, int scale = -1);

// Adds those that have triangles.
void add_items(const std::string& source, std::vector<draw::Mesh> items, draw::DrawList& list);

// ---- Colours ------------------------------------------------------------------------------------

// From the lowest to the highest, and never empty: one number gets 0.5 on both sides, or more where
// that would be lost in rounding.
std::pair<double, double> open_range(double low, double high);

// The map that fits what the field means, or what the options say.
Result<draw::ColourScale> scale_for(const Field& field, const std::string& title,
                                    const ShowOptions& options);

// A field on what is seen of its body.
struct SeenValues {
  std::shared_ptr<const void> owner;
  std::span<const float> values;
  draw::ValuesPer per = draw::ValuesPer::vertex;
  draw::ContentKey key;
};
// The error says why the field cannot be on that body.
Result<SeenValues> seen_values(const Value& field, draw::ContentKey key, const Body& body);

// ---- Sections -----------------------------------------------------------------------------------

// The section that is asked for, if it goes through the body and does not leave it whole. The error
// says that it has no direction.
Result<std::optional<kernels::CutPlane>> section_through(const Body& body,
                                                         const ShowOptions& options);
inline bool is_kept(const Vec3f& point, const kernels::CutPlane& plane) {
  return plane.normal.dot(point.cast<double>() - plane.point) <= 0;
}

// A body cut open. The outside and the cap share the vertices; the triangles of the cap come last.
struct CutOpen {
  kernels::CutBody cut;
  std::vector<uint32_t> outside_polygons, cap_polygons;  // of the triangles, for the wire
  std::vector<float> outside_values, cap_values;         // where `cut` has none

  std::size_t outside_count() const { return cut.mesh.triangle_count() - cut.cap_triangles; }
  std::span<const Triangle> outside() const { return cut.mesh.triangles().first(outside_count()); }
  std::span<const Triangle> cap() const { return cut.mesh.triangles().subspan(outside_count()); }
};
// `values`: per vertex of the body, or empty.
std::shared_ptr<CutOpen> cut_open(const Body& body, std::span<const float> values,
                                  const kernels::CutPlane& plane);
// Both parts, without colours.
std::vector<draw::Mesh> cut_items(const Body& body, const std::shared_ptr<const CutOpen>& open,
                                  const kernels::CutPlane& plane);
// The same in the colours of a field, `seen` on the whole body.
std::vector<draw::Mesh> cut_items(const Body& body, const Field& field, const SeenValues& seen,
                                  const kernels::CutPlane& plane);

// ---- Signs --------------------------------------------------------------------------------------

// Around the meshes that stand in the list so far.
Eigen::AlignedBox3f box_of(const draw::DrawList& list);

// None where there are no places.
void add_points(const Shown& what, std::vector<draw::Point> places, const draw::Rgba& colour,
                float size, bool on_top, draw::DrawList& list);
// Points 2k and 2k + 1 are the ends of a segment. The item, to say more of it; nullptr if none.
draw::Lines* add_lines(const Shown& what, std::vector<draw::Point> ends, const draw::Rgba& colour,
                       float width, draw::DrawList& list);

// ---- Values -------------------------------------------------------------------------------------

Result<void> show_body(const Shown& what, const Body& body, const ShowOptions& options,
                       draw::DrawList& list);
Result<void> show_field(const Shown& what, const Body& body, const ShowOptions& options,
                        draw::DrawList& list);
// As the change of length along its primary direction.
Result<void> show_activation(const Shown& what, const Body& body, const ShowOptions& options,
                             draw::DrawList& list);
Result<void> show_vectors(const Shown& what, const Body& body, const ShowOptions& options,
                          draw::DrawList& list);
Result<void> show_frames(const Shown& what, const Body& body, const ShowOptions& options,
                         draw::DrawList& list);
void show_colliders(const Shown& what, draw::DrawList& list);
void show_chart(const Shown& what, draw::DrawList& list);
void show_path(const Shown& what, draw::DrawList& list);
void show_places(const Shown& what, draw::DrawList& list);
void show_lattice(const Shown& what, draw::DrawList& list);
// Their lattices, where the amplitudes put them.
void show_modes(const Shown& what, draw::DrawList& list);
void show_material(const Shown& what, draw::DrawList& list);
// Springs, pins and forces, larger or smaller as what stands in the list so far.
void show_forces(const Shown& what, draw::DrawList& list);
// The mass points of a body that moves by modes.
void show_masses(const Shown& what, draw::DrawList& list);
void show_skeleton(const Shown& what, draw::DrawList& list);
// At its moment.
void show_pose(const Shown& what, draw::DrawList& list);
void show_meshless(const Shown& what, draw::DrawList& list);
void show_posed(const Shown& what, draw::DrawList& list);
void show_keyed(const Shown& what, draw::DrawList& list);
void show_motion(const Shown& what, draw::DrawList& list);
void show_states(const Shown& what, draw::DrawList& list);
// At its moment.
void show_voos(const Shown& what, draw::DrawList& list);

}  // namespace sinew::showing
