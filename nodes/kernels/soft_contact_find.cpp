#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "nodes/kernels/dispatch.h"
#include "nodes/kernels/soft_contact_parts.h"
#include "nodes/kernels/surface_tree.h"

namespace sinew::kernels {

namespace {

constexpr std::size_t lanes = contact_lanes;
// Relative to the longest edge: below, a volume or an area is rounding.
constexpr float flat_volume = 1e-6f;
constexpr double flat_area = 1e-6;

struct Bounds {
  float low[3], high[3];
};

inline uint32_t bits_of(const int32_t* flags) {
  uint32_t bits = 0;
  for (std::size_t l = 0; l < lanes; ++l) bits |= static_cast<uint32_t>(flags[l]) << l;
  return bits;
}

// Which of 8 boxes meet the bounds.
inline uint32_t meeting(const ContactBoxes& boxes, std::size_t first, const Bounds& b) {
  const float* const lx = boxes[0] + first;
  const float* const ly = boxes[1] + first;
  const float* const lz = boxes[2] + first;
  const float* const hx = boxes[3] + first;
  const float* const hy = boxes[4] + first;
  const float* const hz = boxes[5] + first;
  int32_t flags[lanes];
  for (std::size_t l = 0; l < lanes; ++l) {
    flags[l] = (lx[l] <= b.high[0]) & (hx[l] >= b.low[0]) & (ly[l] <= b.high[1]) &
               (hy[l] >= b.low[1]) & (lz[l] <= b.high[2]) & (hz[l] >= b.low[2]);
  }
  return bits_of(flags);
}

// Eight tetrahedra: e . normal_k / det is the weight of corner k = 1, 2, 3 at the place e from
// corner 0. Where there is no volume det is -1, which no sum of weights is below.
struct TetLanes {
  float origin[3][lanes];
  float normal[3][3][lanes];
  float det[lanes];
};

inline void prepare(const std::array<ContactTables::Group, 4>& tets, const Padded* points,
                    TetLanes& out) {
  float edge[3][3][lanes];
  for (std::size_t l = 0; l < lanes; ++l) {
    const float* const a = points[tets[0][l]].data();
    for (std::size_t k = 0; k < 3; ++k) {
      const float* const p = points[tets[k + 1][l]].data();
      for (std::size_t x = 0; x < 3; ++x) edge[k][x][l] = p[x] - a[x];
    }
    for (std::size_t x = 0; x < 3; ++x) out.origin[x][l] = a[x];
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const auto& u = edge[(k + 1) % 3];
    const auto& v = edge[(k + 2) % 3];
    for (std::size_t x = 0; x < 3; ++x) {
      const std::size_t y = (x + 1) % 3, z = (x + 2) % 3;
      for (std::size_t l = 0; l < lanes; ++l) {
        out.normal[k][x][l] = u[y][l] * v[z][l] - u[z][l] * v[y][l];
      }
    }
  }
  for (std::size_t l = 0; l < lanes; ++l) {
    const float det = edge[0][0][l] * out.normal[0][0][l] + edge[0][1][l] * out.normal[0][1][l] +
                      edge[0][2][l] * out.normal[0][2][l];
    float longest = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const float length2 = edge[k][0][l] * edge[k][0][l] + edge[k][1][l] * edge[k][1][l] +
                            edge[k][2][l] * edge[k][2][l];
      longest = length2 > longest ? length2 : longest;
    }
    out.det[l] = det > flat_volume * longest * std::sqrt(longest) ? det : -1.0f;
  }
}

// Which of the 8 tetrahedra contain the place.
inline uint32_t containing(const TetLanes& t, float x, float y, float z) {
  int32_t flags[lanes];
  for (std::size_t l = 0; l < lanes; ++l) {
    const float ex = x - t.origin[0][l], ey = y - t.origin[1][l], ez = z - t.origin[2][l];
    const float b0 = ex * t.normal[0][0][l] + ey * t.normal[0][1][l] + ez * t.normal[0][2][l];
    const float b1 = ex * t.normal[1][0][l] + ey * t.normal[1][1][l] + ez * t.normal[1][2][l];
    const float b2 = ex * t.normal[2][0][l] + ey * t.normal[2][1][l] + ez * t.normal[2][2][l];
    flags[l] = (b0 >= 0) & (b1 >= 0) & (b2 >= 0) & (b0 + b1 + b2 <= t.det[l]);
  }
  return bits_of(flags);
}

// Which of 8 places lie in the bounds.
inline uint32_t within(const PairRoom& room, std::size_t first, const Bounds& b) {
  const float* const x = room.x.data() + first;
  const float* const y = room.y.data() + first;
  const float* const z = room.z.data() + first;
  const uint32_t* const waiting = room.waiting.data() + first;
  int32_t flags[lanes];
  for (std::size_t l = 0; l < lanes; ++l) {
    flags[l] = static_cast<int32_t>(waiting[l]) & (x[l] >= b.low[0]) & (x[l] <= b.high[0]) &
               (y[l] >= b.low[1]) & (y[l] <= b.high[1]) & (z[l] >= b.low[2]) & (z[l] <= b.high[2]);
  }
  return bits_of(flags);
}

// Collects the vertices of the boundary inside of the overlap, and returns their own bounds.
inline Bounds collect_vertices(const ContactView& a, const ContactBox& overlap, PairRoom& room) {
  room.x.clear(), room.y.clear(), room.z.clear();
  room.vertex.clear(), room.waiting.clear();
  const ContactTables& tables = *a.tables;
  Bounds wide;
  for (int k = 0; k < 3; ++k) wide.low[k] = overlap.low[k], wide.high[k] = overlap.high[k];
  Padded low = overlap.high, high = overlap.low;
  for (std::size_t first = 0; first < tables.vertex_groups.size(); first += lanes) {
    for (uint32_t bits = meeting(a.vertex_boxes, first, wide); bits != 0; bits &= bits - 1) {
      const std::size_t group = first + static_cast<std::size_t>(std::countr_zero(bits));
      const std::size_t count = std::min<std::size_t>(lanes, tables.surface_count - group * lanes);
      for (std::size_t l = 0; l < count; ++l) {
        const uint32_t vertex = tables.vertex_groups[group][l];
        const Padded p = a.points[vertex];
        if (!((p >= overlap.low).all() && (p <= overlap.high).all())) continue;
        low = low.min(p), high = high.max(p);
        room.x.push_back(p[0]), room.y.push_back(p[1]), room.z.push_back(p[2]);
        room.vertex.push_back(vertex), room.waiting.push_back(1);
      }
    }
  }
  while (room.x.size() % lanes != 0) {
    room.x.push_back(0), room.y.push_back(0), room.z.push_back(0), room.waiting.push_back(0);
  }
  Bounds tight;
  for (int k = 0; k < 3; ++k) tight.low[k] = low[k], tight.high[k] = high[k];
  return tight;
}

struct Exit {
  double distance2 = std::numeric_limits<double>::infinity();
  bool behind = false;  // the place is on the inner side of the triangle
  uint32_t triangle = 0;
  Vec3d weights{0, 0, 0}, offset{0, 0, 0}, normal{0, 0, 0};
  double size2 = 0;
};

// The nearest of the triangles as they are now. One that is seen from its inner side is preferred:
// any place inside of a solid is nearest to such a one.
inline Exit nearest_exit(std::span<const uint32_t> candidates, const ContactView& b,
                         const Padded& place) {
  Exit best;
  const auto from_place = [&](uint32_t v) {
    return Vec3d((b.points[v] - place).head<3>().cast<double>());
  };
  for (const uint32_t triangle : candidates) {
    const Triangle& t = b.tables->triangles[triangle];
    const Vec3d p0 = from_place(t[0]), p1 = from_place(t[1]), p2 = from_place(t[2]);
    const Vec3d u = p1 - p0, v = p2 - p0, normal = u.cross(v);
    const double size2 = std::max(u.squaredNorm(), v.squaredNorm());
    const double square = normal.squaredNorm();
    if (!(square > flat_area * flat_area * size2 * size2)) continue;
    const double height = normal.dot(p0);  // times |normal|
    const bool behind = height >= 0;
    if (best.behind && (!behind || height * height >= best.distance2 * square)) continue;
    const Vec3d w = closest_on_triangle(Vec3d::Zero(), p0, p1, p2);
    const Vec3d offset = w[0] * p0 + w[1] * p1 + w[2] * p2;
    const double distance2 = offset.squaredNorm();
    if (behind == best.behind && !(distance2 < best.distance2)) continue;
    best = {distance2, behind, triangle, w, offset, normal / std::sqrt(square), size2};
  }
  return best;
}

inline void add_contact(const ContactView& a, const ContactView& b, uint32_t vertex,
                        std::size_t slot, PairRoom& room) {
  const Exit exit = nearest_exit(b.tables->exits[slot], b, a.points[vertex]);
  if (!(exit.distance2 > 0) || !std::isfinite(exit.distance2)) return;
  const double depth = std::sqrt(exit.distance2);
  // A way that is only rounding has no direction of its own.
  constexpr double rounding2 = 1e-10;
  const bool inner = exit.weights.minCoeff() > 0 && exit.behind;
  const bool own = !inner && exit.distance2 > rounding2 * exit.size2;
  const Vec3d normal = own ? Vec3d(exit.offset / depth) : exit.normal;
  room.contacts.push_back({a.index, vertex, b.index, b.tables->triangles[exit.triangle],
                           exit.weights.cast<float>(), normal.cast<float>(),
                           static_cast<float>(depth)});
}

inline void set_box(const ContactBoxes& boxes, std::size_t i, const Padded& low,
                    const Padded& high) {
  for (int k = 0; k < 3; ++k) {
    boxes[static_cast<std::size_t>(k)][i] = low[k];
    boxes[static_cast<std::size_t>(k) + 3][i] = high[k];
  }
}

}  // namespace

void fit_groups(const ContactView& view) {
  const ContactTables& tables = *view.tables;
  const Padded* const points = view.points;
  const Padded none = Padded::Constant(std::numeric_limits<float>::max());
  const auto fit = [&](const ContactBoxes& boxes, std::size_t i, const auto& vertices) {
    Padded low = none, high = -none;
    for (const uint32_t v : vertices) low = low.min(points[v]), high = high.max(points[v]);
    set_box(boxes, i, low, high);
  };
  for (std::size_t i = 0; i < view.vertex_boxes.stride; ++i) {
    if (i < tables.vertex_groups.size())
      fit(view.vertex_boxes, i, tables.vertex_groups[i]);
    else
      set_box(view.vertex_boxes, i, none, -none);
  }
  for (std::size_t i = 0; i < view.tet_boxes.stride; ++i) {
    if (i < tables.tet_groups.size())
      fit(view.tet_boxes, i, tables.group_vertices[i]);
    else
      set_box(view.tet_boxes, i, none, -none);
  }
}

SINEW_CLONES void find_inside(const ContactView& a, const ContactView& b, PairRoom& room) {
  const ContactBox overlap{a.box.low.max(b.box.low), a.box.high.min(b.box.high)};
  const Bounds bounds = collect_vertices(a, overlap, room);
  std::size_t left = room.vertex.size();
  TetLanes tets;
  for (std::size_t first = 0; left > 0 && first < b.tables->tet_groups.size(); first += lanes) {
    for (uint32_t bits = meeting(b.tet_boxes, first, bounds); bits != 0; bits &= bits - 1) {
      const std::size_t group = first + static_cast<std::size_t>(std::countr_zero(bits));
      Bounds box;
      for (std::size_t k = 0; k < 3; ++k) {
        box.low[k] = b.tet_boxes[k][group], box.high[k] = b.tet_boxes[k + 3][group];
      }
      bool prepared = false;
      for (std::size_t i = 0; i < room.x.size(); i += lanes) {
        for (uint32_t in = within(room, i, box); in != 0; in &= in - 1) {
          const std::size_t at = i + static_cast<std::size_t>(std::countr_zero(in));
          if (!prepared) prepare(b.tables->tet_groups[group], b.points, tets);
          prepared = true;
          const uint32_t inside = containing(tets, room.x[at], room.y[at], room.z[at]);
          if (inside == 0) continue;
          room.waiting[at] = 0;
          --left;
          add_contact(a, b, room.vertex[at],
                      group * lanes + static_cast<std::size_t>(std::countr_zero(inside)), room);
        }
      }
    }
  }
}

}  // namespace sinew::kernels
