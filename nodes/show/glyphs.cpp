// Directions as arrows and needles. Thousands of them would be a carpet, so that only so many are
// shown as can be told apart, evenly spread over what is seen.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "nodes/kernels/measure.h"
#include "nodes/show/parts.h"

namespace sinew::showing {

namespace {

constexpr std::size_t most_places = 450;
constexpr double length_in_spacings = 1.0;  // of the longest signs
constexpr double lift_in_spacings = 0.05;   // off the surface, so that signs do not sink into it
constexpr double longest_count_to = 1.5;    // the few that are longer than most are shortened to it
constexpr double points_inwards = -0.25;    // the cosine from which on an arrow would be hidden

// ---- Where signs may stand
// ------------------------------------------------------------------------

// The mean of some elements of a value: one of them, or the corners of a tetrahedron.
struct Mixture {
  std::array<uint32_t, 4> element{};
  std::array<float, 4> weight{1, 0, 0, 0};
};

struct Places {
  std::vector<Vec3f> points;
  std::vector<Vec3f> normals;
  std::vector<Mixture> mixtures;

  void reserve(std::size_t count) {
    points.reserve(count);
    normals.reserve(count);
    mixtures.reserve(count);
  }
  void add(const Vec3f& point, const Vec3f& normal, const Mixture& mixture) {
    points.push_back(point);
    normals.push_back(normal);
    mixtures.push_back(mixture);
  }
};

Mixture one(uint32_t element) { return {{element, 0, 0, 0}, {1, 0, 0, 0}}; }

Vec3f centre(std::span<const Vec3f> points, const Triangle& t) {
  return ((points[t[0]].cast<double>() + points[t[1]].cast<double>() +
           points[t[2]].cast<double>()) /
          3)
      .cast<float>();
}

Vec3f normal_of(std::span<const Vec3f> points, const Triangle& t) {
  const Vec3d a = points[t[0]].cast<double>();
  return (points[t[1]].cast<double>() - a)
      .cross(points[t[2]].cast<double>() - a)
      .normalized()
      .cast<float>();
}

// What is seen of a solid, and for each of its vertices which ones of the solid it follows.
struct Surface {
  Mesh mesh;
  std::vector<Mixture> vertices;
};

Surface surface_for_signs(const Body& body) {
  Surface surface;
  std::vector<uint32_t> numbers;
  if (body.mesh) {
    surface.mesh = *body.mesh;
    for (uint32_t v = 0; v < body.mesh->vertex_count(); ++v) surface.vertices.push_back(one(v));
  } else if (body.has_skin()) {
    surface.mesh = surface_of(*body.solid);
    const Embedding& hung = body.solid->topology->embedding;
    for (std::size_t v = 0; v < hung.size(); ++v)
      surface.vertices.push_back({body.solid->tets()[hung.tet[v]], hung.weights[v]});
  } else {
    surface.mesh = boundary_mesh(*body.solid, &numbers);
    for (const uint32_t v : numbers) surface.vertices.push_back(one(v));
  }
  return surface;
}

Places places_on_surface(const Body& body, Domain domain) {
  Places places;
  const Surface surface = surface_for_signs(body);
  const std::vector<Vec3f>& points = surface.mesh.positions;
  const bool hangs = domain == Domain::tet && body.has_skin();
  places.reserve(domain == Domain::vertex ? points.size() : surface.mesh.triangle_count());
  if (domain == Domain::vertex || hangs) {
    const std::vector<Vec3f> normals =
        kernels::vertex_normals(surface.mesh, kernels::NormalWeight::area);
    for (std::size_t v = 0; v < points.size(); ++v) {
      places.add(points[v], normals[v],
                 hangs ? one(body.solid->topology->embedding.tet[v]) : surface.vertices[v]);
    }
    return places;
  }
  const std::vector<uint32_t> tets =
      domain == Domain::tet ? boundary_tets(*body.solid->topology) : std::vector<uint32_t>();
  const std::span<const Triangle> triangles = surface.mesh.triangles();
  for (uint32_t t = 0; t < triangles.size(); ++t) {
    places.add(centre(points, triangles[t]), normal_of(points, triangles[t]),
               one(tets.empty() ? t : tets[t]));
  }
  return places;
}

// The part of each corner in a point of a tetrahedron; a flat one gives all to the first.
Mixture inside_tet(const TetMesh& solid, uint32_t tet, const Vec3f& point) {
  const Tetrahedron& corners = solid.tets()[tet];
  const Vec3d origin = solid.positions[corners[0]].cast<double>();
  Eigen::Matrix3d edges;
  for (int k = 0; k < 3; ++k)
    edges.col(k) = solid.positions[corners[k + 1]].cast<double>() - origin;
  Vec3d w = edges.inverse() * (point.cast<double>() - origin);
  if (!w.allFinite()) w.setZero();
  w = w.cwiseMax(0).cwiseMin(1);  // the rim of a cap may lie just outside
  return {corners,
          {static_cast<float>(1 - w.sum()), static_cast<float>(w[0]), static_cast<float>(w[1]),
           static_cast<float>(w[2])}};
}

// Only what a section leaves, and what it lays open.
Places places_with_section(Places whole, const Body& body, Domain domain, const CutOpen& open,
                           const kernels::CutPlane& plane) {
  Places places;
  for (std::size_t i = 0; i < whole.points.size(); ++i) {
    if (is_kept(whole.points[i], plane))
      places.add(whole.points[i], whole.normals[i], whole.mixtures[i]);
  }
  if (!body.solid || domain == Domain::face) return places;
  const Vec3f outwards = plane.normal.cast<float>();
  for (std::size_t t = 0; t < open.cap().size(); ++t) {
    const Vec3f point = centre(open.cut.mesh.positions, open.cap()[t]);
    const uint32_t tet = open.cut.source[open.outside_count() + t];
    places.add(point, outwards,
               domain == Domain::tet ? one(tet) : inside_tet(*body.solid, tet, point));
  }
  return places;
}

// ---- Thinning
// -------------------------------------------------------------------------------------

struct Thinned {
  std::vector<uint32_t> chosen;  // of the points, increasing
  double spacing = 0.1;          // m, about from one to the next
};

// In each cell of a grid the point nearest to the cell's middle; nothing if there are too many.
std::optional<std::vector<uint32_t>> one_per_cell(std::span<const Vec3f> points,
                                                  const Vec3d& corner, double cell) {
  struct Best {
    double distance2;
    uint32_t point;
  };
  std::unordered_map<uint64_t, Best> cells;
  cells.reserve(2 * most_places);
  for (uint32_t i = 0; i < points.size(); ++i) {
    const Vec3d at = (points[i].cast<double>() - corner) / cell;
    const Vec3d floor = at.array().floor();
    const double distance2 = (at - floor - Vec3d(0.5, 0.5, 0.5)).squaredNorm();
    uint64_t key = 0;
    for (const double x : floor) key = key << 21 | static_cast<uint64_t>(x);
    const auto [best, fresh] = cells.try_emplace(key, Best{distance2, i});
    if (fresh && cells.size() > most_places) return std::nullopt;
    if (distance2 < best->second.distance2) best->second = {distance2, i};
  }
  std::vector<uint32_t> chosen;
  for (const auto& [key, best] : cells) chosen.push_back(best.point);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

Thinned thinned(std::span<const Vec3f> points) {
  Thinned result;
  Eigen::AlignedBox3d box;
  for (const Vec3f& p : points) box.extend(Vec3d(p.cast<double>()));
  if (points.empty()) return result;
  const Vec3d size = box.sizes();
  const double across = size.norm();
  if (!(across > 0)) {
    result.chosen = {0};
    return result;
  }
  // A surface fills about as many cells as its box has on its faces: from half of the edge that
  // would then be right, upwards.
  const double area = 2 * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0]);
  double cell = std::max(std::sqrt(area / most_places) / 2, across / most_places);
  std::optional<std::vector<uint32_t>> found;
  while (!(found = one_per_cell(points, box.min(), cell))) cell *= 1.19;
  result.chosen = std::move(*found);
  // A coarse mesh has fewer places than there are cells, and more room for each.
  const double room = 0.6 * std::sqrt(area / static_cast<double>(result.chosen.size()));
  result.spacing = std::min(std::max(cell, room), std::max(cell, across / 6));
  return result;
}

// ---- Signs
// ----------------------------------------------------------------------------------------

Vec3d mixed(std::span<const Vec3f> values, const Mixture& mixture) {
  Vec3d sum = Vec3d::Zero();
  for (int k = 0; k < 4; ++k)
    sum += static_cast<double>(mixture.weight[k]) * values[mixture.element[k]].cast<double>();
  return sum;
}

// The length that 95 of 100 do not exceed; the longest, if most are 0.
double usual_length(std::vector<double> lengths) {
  if (lengths.empty()) return 0;
  std::sort(lengths.begin(), lengths.end());
  const double usual = lengths[(lengths.size() - 1) * 95 / 100];
  return usual > 0 ? usual : lengths.back();
}

draw::Glyphs arrows(const Places& places, const Thinned& thin, std::span<const Vec3f> values) {
  draw::Glyphs glyphs;
  std::vector<double> lengths;
  for (const uint32_t i : thin.chosen) lengths.push_back(mixed(values, places.mixtures[i]).norm());
  const double usual = usual_length(lengths), full = length_in_spacings * thin.spacing;
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    if (!(lengths[k] > 1e-3 * usual)) continue;
    const uint32_t i = thin.chosen[k];
    const Vec3d direction = mixed(values, places.mixtures[i]) / lengths[k];
    const Vec3d arrow = direction * full * std::min(lengths[k] / usual, longest_count_to);
    const Vec3d normal = places.normals[i].cast<double>();
    Vec3d from = places.points[i].cast<double>() + lift_in_spacings * thin.spacing * normal;
    // Into the body: the tip is on the surface and not the tail.
    if (direction.dot(normal) < points_inwards) from -= arrow;
    glyphs.places.push_back(from.cast<float>());
    glyphs.vectors.push_back(arrow.cast<float>());
  }
  return glyphs;
}

draw::Glyphs needles(const Places& places, const Thinned& thin, std::span<const Vec3f> values,
                     double length) {
  draw::Glyphs glyphs;
  glyphs.shape = draw::GlyphShape::needle;
  for (const uint32_t i : thin.chosen) {
    const Vec3d direction = mixed(values, places.mixtures[i]);
    if (!(direction.norm() > 0)) continue;  // neighbours that cancel each other out
    glyphs.places.push_back(places.points[i] + static_cast<float>(lift_in_spacings * thin.spacing) *
                                                   places.normals[i]);
    glyphs.vectors.push_back((direction.normalized() * length * thin.spacing).cast<float>());
  }
  return glyphs;
}

void add_glyphs(const std::string& source, draw::Glyphs glyphs, draw::DrawList& list) {
  glyphs.source = source;
  if (!glyphs.places.empty()) list.glyphs.push_back(std::move(glyphs));
}

// Adds the body and tells where signs stand on it.
Result<Places> show_below(const Shown& what, const Body& body, Domain domain,
                          const ShowOptions& options, draw::DrawList& list) {
  const Result<std::optional<kernels::CutPlane>> section = section_through(body, options);
  if (!section) return Error{section.error()};
  Places places = places_on_surface(body, domain);
  if (!*section) {
    if (const Result<void> shown = show_body(what, body, {}, list); !shown)
      return Error{shown.error()};
    return places;
  }
  const std::shared_ptr<const CutOpen> open = cut_open(body, {}, **section);
  if (is_cloud(body)) {
    add_cloud(what.source, body, *section, list);
  } else {
    add_items(what.source, cut_items(body, open, **section), list);
  }
  return places_with_section(std::move(places), body, domain, *open, **section);
}

// How many vectors the body has room for; nothing if it has no such elements.
std::optional<std::size_t> element_count(const Body& body, Domain domain) {
  switch (domain) {
    case Domain::vertex:
      return body.vertices().size();
    case Domain::face:
      return body.mesh         ? body.mesh->triangle_count()
             : body.has_skin() ? body.solid->topology->skin->triangles.size()
                               : body.solid->topology->boundary.size();
    case Domain::tet:
      return body.solid ? std::optional(body.solid->tet_count()) : std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

Result<void> show_vectors(const Shown& what, const Body& body, const ShowOptions& options,
                          draw::DrawList& list) {
  const VectorField& field = what.value.as<VectorField>();
  if (element_count(body, field.domain) != field.size()) {
    return Error{
        fmt::format("there are {} vectors per {}, which do not fit the body that they are "
                    "said to live on",
                    field.size(), domain_name(field.domain))};
  }
  const Result<Places> places = show_below(what, body, field.domain, options, list);
  if (!places) return Error{places.error()};
  add_glyphs(what.source, arrows(*places, thinned(places->points), field.values), list);
  return {};
}

Result<void> show_frames(const Shown& what, const Body& body, const ShowOptions& options,
                         draw::DrawList& list) {
  const Frames& frames = what.value.as<Frames>();
  if (frames.size() != body.vertices().size()) {
    return Error{
        fmt::format("there are {} frames, but the body that they are said to live on has "
                    "{} vertices",
                    frames.size(), body.vertices().size())};
  }
  const Result<Places> places = show_below(what, body, Domain::vertex, options, list);
  if (!places) return Error{places.error()};
  const Thinned thin = thinned(places->points);
  const std::vector<Vec3f>* axes[] = {&frames.primary, &frames.secondary, &frames.tertiary};
  for (int k = 0; k < 3; ++k) {
    draw::Glyphs glyphs =
        needles(*places, thin, *axes[k], (k == 0 ? 1.0 : 0.6) * length_in_spacings);
    glyphs.colour = draw::axis_colours[k];
    add_glyphs(what.source, std::move(glyphs), list);
  }
  return {};
}

}  // namespace sinew::showing
