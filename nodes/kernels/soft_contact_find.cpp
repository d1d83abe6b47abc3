#include <algorithm>
#include <cmath>
#include <limits>

#include "nodes/kernels/dispatch.h"
#include "nodes/kernels/soft_contact_lanes.h"
#include "nodes/kernels/soft_contact_parts.h"
#include "nodes/kernels/surface_tree.h"

namespace sinew::kernels {

namespace {

constexpr std::size_t lanes = contact_lanes;
// Relative to the longest edge: below, a volume or an area is rounding.
constexpr float flat_volume = 1e-6f;
constexpr float flat_area = 1e-6f;
constexpr float nowhere = std::numeric_limits<float>::infinity();

SINEW_INTO Eight larger(Eight a, Eight b) { return a > b ? a : b; }

// Eight tetrahedra: e . normal_k / det is the weight of corner k = 1, 2, 3 at the place e from
// corner 0. Where there is no volume det is -1, which no sum of weights is below.
struct TetLanes {
  EightVectors origin, normal[3];
  Eight det;
};

SINEW_INTO TetLanes prepare(const std::array<ContactTables::Group, 4>& tets, const Padded* points) {
  TetLanes t;
  t.origin = gather(tets[0], points);
  const EightVectors u = gather(tets[1], points) - t.origin;
  const EightVectors v = gather(tets[2], points) - t.origin;
  const EightVectors w = gather(tets[3], points) - t.origin;
  t.normal[0] = cross(v, w), t.normal[1] = cross(w, u), t.normal[2] = cross(u, v);
  const Eight det = dot(u, t.normal[0]);
  const Eight longest = larger(dot(u, u), larger(dot(v, v), dot(w, w)));
  t.det = det > flat_volume * longest * root(longest) ? det : all_eight(-1);
  return t;
}

// Which of the 8 tetrahedra contain the place.
SINEW_INTO uint32_t containing(const TetLanes& t, float x, float y, float z) {
  const EightVectors e = repeated(x, y, z) - t.origin;
  const Eight b0 = dot(e, t.normal[0]), b1 = dot(e, t.normal[1]), b2 = dot(e, t.normal[2]);
  return bits_of((b0 >= 0) & (b1 >= 0) & (b2 >= 0) & (b0 + b1 + b2 <= t.det));
}

// Collects the vertices of the boundary inside of the overlap, filled up with places that are
// nowhere, and narrows the overlap to them.
SINEW_INTO std::size_t collect_vertices(const ContactView& a, ContactBox& overlap, PairRoom& room) {
  const ContactTables& tables = *a.tables;
  const std::size_t most = (tables.vertex_groups.size() + 1) * lanes;
  if (room.vertex.size() < most) {
    for (std::vector<float>* v : {&room.x, &room.y, &room.z}) v->resize(most);
    room.vertex.resize(most);
  }
  float *const x = room.x.data(), *const y = room.y.data(), *const z = room.z.data();
  uint32_t* const vertex = room.vertex.data();
  std::size_t count = 0;
  const EightBounds bounds = bounds_of(overlap);
  Padded low = overlap.high, high = overlap.low;
  for (std::size_t first = 0; first < tables.vertex_groups.size(); first += lanes) {
    for (uint32_t bits = meeting(a.vertex_boxes, first, bounds); bits != 0; bits &= bits - 1) {
      const std::size_t group = first + first_of(bits);
      const std::size_t end = std::min<std::size_t>(lanes, tables.surface_count - group * lanes);
      const EightVectors places = gather(tables.vertex_groups[group], a.points);
      uint32_t in = within(places, bounds) & ((1u << end) - 1);
      for (; in != 0; in &= in - 1) {
        const std::size_t l = first_of(in);
        vertex[count] = tables.vertex_groups[group][l];
        const Padded place = a.points[vertex[count]];
        low = low.min(place), high = high.max(place);
        x[count] = place[0], y[count] = place[1], z[count] = place[2];
        ++count;
      }
    }
  }
  for (std::size_t i = count; i % lanes != 0; ++i) x[i] = nowhere;
  overlap = {low, high};
  return count;
}

// Eight triangles, their corners seen from a place.
struct ExitLanes {
  EightVectors corner[3];
  EightVectors normal;  // not of unit length
  Eight square;         // of its length
  Eight height;         // of their planes above the place; infinite where there is no area
};

SINEW_INTO ExitLanes see_exits(const std::array<ContactTables::Group, 3>& exits,
                               const Padded* points, const Padded& place) {
  ExitLanes t;
  const EightVectors from = repeated(place[0], place[1], place[2]);
  for (std::size_t k = 0; k < 3; ++k) t.corner[k] = gather(exits[k], points) - from;
  const EightVectors u = t.corner[1] - t.corner[0], v = t.corner[2] - t.corner[0];
  t.normal = cross(u, v);
  t.square = dot(t.normal, t.normal);
  const Eight least = flat_area * larger(dot(u, u), dot(v, v));
  const Eight height = dot(t.normal, t.corner[0]) / root(t.square);
  t.height = t.square > least * least ? height : all_eight(nowhere);
  return t;
}

struct Exit {
  double distance2 = std::numeric_limits<double>::infinity();
  std::size_t lane = 0;
  Vec3d weights{0, 0, 0}, offset{0, 0, 0};
};

SINEW_INTO void take_nearer(const ExitLanes& exits, std::size_t lane, Exit& best) {
  Vec3d p[3];
  for (std::size_t k = 0; k < 3; ++k) {
    const EightVectors& c = exits.corner[k];
    p[k] = {c.x[lane], c.y[lane], c.z[lane]};
  }
  const Vec3d w = closest_on_triangle(Vec3d::Zero(), p[0], p[1], p[2]);
  const Vec3d offset = w[0] * p[0] + w[1] * p[1] + w[2] * p[2];
  const double distance2 = offset.squaredNorm();
  if (distance2 < best.distance2) best = {distance2, lane, w, offset};
}

// The nearest of the triangles as they are now. Those that are seen from their inner side come
// first: any place inside of a solid is nearest to such a one.
SINEW_INTO Exit nearest_exit(const ExitLanes& exits) {
  Exit best;
  Eight height = exits.height >= 0 ? exits.height : all_eight(nowhere);
  for (std::size_t looked = 0; looked < lanes; ++looked) {
    const float least = least_of(height);
    // A triangle is no nearer than its plane.
    if (!(least < nowhere) || static_cast<double>(least) * least >= best.distance2) break;
    const std::size_t next = first_of(bits_of(height == all_eight(least)));
    height = EightBits{0, 1, 2, 3, 4, 5, 6, 7} == static_cast<int32_t>(next) ? all_eight(nowhere)
                                                                             : height;
    take_nearer(exits, next, best);
  }
  if (std::isfinite(best.distance2)) return best;
  for (std::size_t l = 0; l < lanes; ++l) {
    if (exits.height[l] < 0) take_nearer(exits, l, best);
  }
  return best;
}

SINEW_INTO void add_contact(const ContactView& a, const ContactView& b, uint32_t vertex,
                            std::size_t slot, PairRoom& room) {
  const std::array<ContactTables::Group, 3>& corners = b.tables->exits[slot];
  const ExitLanes exits = see_exits(corners, b.points, a.points[vertex]);
  const Exit exit = nearest_exit(exits);
  if (!(exit.distance2 > 0) || !std::isfinite(exit.distance2)) return;
  const std::size_t l = exit.lane;
  const double depth = std::sqrt(exit.distance2);
  // A way that is only rounding has no direction of its own.
  constexpr double rounding = 1e-5;
  const double size = std::sqrt(static_cast<double>(std::sqrt(exits.square[l])));
  const bool inner = exit.weights.minCoeff() > 0 && exits.height[l] >= 0;
  Vec3d normal = exit.offset / depth;
  if (inner || depth < rounding * size) {
    normal = Vec3d(exits.normal.x[l], exits.normal.y[l], exits.normal.z[l]).normalized();
  }
  room.contacts.push_back(
      {a.index, vertex, b.index, Triangle{corners[0][l], corners[1][l], corners[2][l]},
       exit.weights.cast<float>(), normal.cast<float>(), static_cast<float>(depth)});
}

}  // namespace

void fit_groups(const ContactView& view) {
  const ContactTables& tables = *view.tables;
  const Padded* const points = view.points;
  const Padded none = Padded::Constant(std::numeric_limits<float>::max());
  const auto fit = [&](const ContactBoxes& boxes, std::size_t i, const auto& vertices) {
    Padded low = none, high = -none;
    for (const uint32_t v : vertices) low = low.min(points[v]), high = high.max(points[v]);
    boxes.set(i, {low, high});
  };
  const std::size_t vertex_groups = tables.vertex_groups.size(), groups = tables.tet_groups.size();
  for (std::size_t i = 0; i < vertex_groups; ++i)
    fit(view.vertex_boxes, i, tables.vertex_groups[i]);
  for (std::size_t i = 0; i < groups; ++i) fit(view.tet_boxes, i, tables.group_vertices[i]);
  for (std::size_t i = vertex_groups; i < view.vertex_boxes.stride; ++i) {
    view.vertex_boxes.set(i, {none, -none});
  }
  for (std::size_t i = groups; i < view.tet_boxes.stride; ++i) view.tet_boxes.set(i, {none, -none});
}

SINEW_CLONES void find_meeting(const ContactBoxes& boxes, std::size_t first, std::size_t last,
                               const ContactBox& box, std::vector<uint32_t>& out) {
  const EightBounds bounds = bounds_of(box);
  for (std::size_t i = first; i < last; i += lanes) {
    uint32_t bits = meeting(boxes, i, bounds);
    if (last - i < lanes) bits &= (1u << (last - i)) - 1;
    for (; bits != 0; bits &= bits - 1) out.push_back(static_cast<uint32_t>(i + first_of(bits)));
  }
}

SINEW_CLONES void find_inside(const ContactView& a, const ContactView& b, PairRoom& room) {
  ContactBox overlap{a.box.low.max(b.box.low), a.box.high.min(b.box.high)};
  const std::size_t count = collect_vertices(a, overlap, room);
  float *const x = room.x.data(), *const y = room.y.data(), *const z = room.z.data();
  const EightBounds bounds = bounds_of(overlap);
  std::size_t left = count;
  TetLanes tets;
  for (std::size_t first = 0; left > 0 && first < b.tables->tet_groups.size(); first += lanes) {
    for (uint32_t bits = meeting(b.tet_boxes, first, bounds); bits != 0; bits &= bits - 1) {
      const std::size_t group = first + first_of(bits);
      const auto bound = [&](std::size_t k) { return b.tet_boxes[k][group]; };
      const EightBounds box = {repeated(bound(0), bound(1), bound(2)),
                               repeated(bound(3), bound(4), bound(5))};
      bool prepared = false;
      for (std::size_t i = 0; i < count; i += lanes) {
        for (uint32_t in = within({load_eight(x + i), load_eight(y + i), load_eight(z + i)}, box);
             in != 0; in &= in - 1) {
          const std::size_t at = i + first_of(in);
          if (!prepared) tets = prepare(b.tables->tet_groups[group], b.points);
          prepared = true;
          const uint32_t inside = containing(tets, x[at], y[at], z[at]);
          if (inside == 0) continue;
          x[at] = nowhere;
          --left;
          add_contact(a, b, room.vertex[at], group * lanes + first_of(inside), room);
        }
      }
    }
  }
}

}  // namespace sinew::kernels
