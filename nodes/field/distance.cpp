// How far each vertex is from a point or a painted set. [Crane13] [Kimmel98] [Sethian96]
#include <algorithm>

#include "nodes/kernels/grid_distance.h"
#include "nodes/kernels/heat_distance.h"
#include "nodes/kernels/tet_measure.h"
#include "nodes/node.h"

namespace sinew {
namespace {

using kernels::GridMarch;
using kernels::HeatDistance;
using kernels::MarchStart;
using kernels::MaterialGrid;
using kernels::SurfaceTree;
using kernels::Wave;

enum class From : uint8_t { point, points, painted };
enum class Way : uint8_t { material, surface, surface_smooth, straight };

In<Mesh> body, points;
In<From> from;
In<Vec3> point;
In<Field> painted;
In<float> threshold;
In<Way> way;
In<int> resolution;
In<bool> normalise;
Out<Field> out;
Out<float> maximum;

void declare(Declaration& d) {
  d.id("field.distance", 1).label("Distance").category("Field");
  d.doc(
      "How far each vertex is from a point or a painted place: through the body, along it, or "
      "straight.");
  d.in(body, "body").accepts<TetMesh>().doc("The mesh or solid at whose vertices it is measured.");
  d.in(from, "from", From::point)
      .choices({"point", "points", "painted"})
      .doc(
          "point: one place; points: the vertices of another mesh; painted: where a field is "
          "high.");
  d.in(point, "point", Vec3{})
      .range(-1e6, 1e6)
      .unit("m")
      .doc("The place, moved to the closest one of the body if it lies beside it.");
  d.in(points, "points").optional().doc("Its vertices are the places, the closest one counts.");
  d.in(painted, "painted", Field::constant(0))
      .range(-1e9, 1e9)
      .doc("One value per vertex; where it is above the threshold, the distance is 0.");
  d.in(threshold, "threshold", 0.5f)
      .range(-1e9, 1e9)
      .doc("Above which a vertex counts as painted.");
  d.in(way, "method", Way::material)
      .choices({"material", "surface", "surface_smooth", "straight"})
      .doc(
          "material: through the inside, never across a gap; surface: along the surface; "
          "surface_smooth: the same with rounded ridges, quicker from many places; straight: "
          "through "
          "the air.");
  d.in(resolution, "resolution", 48)
      .range(4, 96)
      .doc("Cells along the longest side, for the way through the inside of a mesh.");
  d.in(normalise, "normalise", false).doc("Whether the farthest vertex gets 1 instead of metres.");
  d.handle(HandleKind::point, "point").at(point);
  d.out(out, "field").on(body).doc("The distance at each vertex.");
  d.out(maximum, "maximum").doc("The greatest distance, in metres.");
}

// What a run needs of its inputs, whichever way it goes.
struct Task {
  std::span<const Vec3f> vertices;
  std::vector<Vec3d> places;  // for points
  std::vector<uint32_t> set;  // for a painted set: its vertices
  Wave wave = Wave::curved;
  double moved = 0;  // the farthest that a place had to be moved, metres
};

// The places or the set; false after an error.
bool read_sources(Exec& e, Task& task) {
  switch (e.get(from)) {
    case From::point:
      task.places.push_back(to_eigen(e.get(point)).cast<double>());
      return true;
    case From::points:
      if (!e.has(points)) return e.error("link a mesh to 'points', or measure from a point"), false;
      for (const Vec3f& p : e.get(points).positions) task.places.push_back(p.cast<double>());
      if (task.places.empty()) return e.error("the mesh at 'points' has no vertices"), false;
      return true;
    case From::painted:
      break;
  }
  const Field& field = e.get(painted);
  if (!fits_vertices(e, field, task.vertices.size())) return false;
  task.wave = Wave::flat;
  for (std::size_t v = 0; v < task.vertices.size(); ++v) {
    if (field.at(v) > e.get(threshold)) task.set.push_back(static_cast<uint32_t>(v));
  }
  if (task.set.empty() && !task.vertices.empty()) {
    return e.error("no vertex is painted above {:g}; lower the threshold or paint",
                   e.get(threshold)),
           false;
  }
  return true;
}

std::vector<MarchStart> starts_of_set(const Task& task) {
  std::vector<MarchStart> starts;
  for (const uint32_t v : task.set) starts.push_back({v, 0});
  return starts;
}

// Starts at all places, by start(place).
template <class Start>
std::vector<MarchStart> starts_of(Task& task, CancelView stop, const Start& start) {
  std::vector<MarchStart> starts = starts_of_set(task);
  for (const Vec3d& place : task.places) {
    stop.check();
    const kernels::PlacedStart placed = start(place);
    starts.insert(starts.end(), placed.corners.begin(), placed.corners.end());
    task.moved = std::max(task.moved, placed.moved);
  }
  return starts;
}

std::shared_ptr<const SurfaceTree> tree_of(Exec& e, CancelView stop) {
  return e.prepared<SurfaceTree>(
      "surface_tree", [&] { return SurfaceTree(e.get(body), stop); }, body);
}

std::vector<double> along_surface(Exec& e, Task& task, CancelView stop) {
  const Mesh& surface = e.get(body);
  const auto tree = task.places.empty() ? nullptr : tree_of(e, stop);
  const std::vector<MarchStart> starts = starts_of(task, stop, [&](const Vec3d& place) {
    return kernels::start_on_surface(surface, *tree, place);
  });
  if (e.get(way) == Way::surface_smooth) {
    const auto heat = e.prepared<HeatDistance>(
        "heat_distance", [&] { return HeatDistance(surface, stop); }, body);
    return heat->solve(starts, task.wave, stop);
  }
  return kernels::march_surface(
      surface, kernels::vertex_triangles(surface.triangles(), surface.vertex_count()), starts,
      task.wave, kernels::unreachable, stop);
}

std::vector<double> through_solid(const TetMesh& solid, Task& task, CancelView stop) {
  const std::vector<MarchStart> starts = starts_of(
      task, stop, [&](const Vec3d& place) { return kernels::start_in_solid(solid, place); });
  return kernels::march_solid(solid, kernels::vertex_tets(solid.tets(), solid.vertex_count()),
                              starts, task.wave, kernels::unreachable, stop);
}

struct ProbedGrid {
  std::shared_ptr<const MaterialGrid> grid;
  std::vector<MaterialGrid::Probe> probes;  // one per vertex
  std::size_t bytes() const { return grid->bytes() + probes.size() * sizeof probes[0]; }
};

std::vector<double> through_mesh(Exec& e, Task& task, CancelView stop) {
  const auto prepared = e.prepared<ProbedGrid>(
      "probed_material_grid",
      [&] {
        ProbedGrid made;
        made.grid = std::make_shared<const MaterialGrid>(tree_of(e, stop), e.get(resolution), stop);
        made.probes = made.grid->probes(task.vertices, stop);
        return made;
      },
      body, resolution);
  const MaterialGrid& grid = *prepared->grid;
  if (grid.empty() && !task.vertices.empty()) {
    e.error(
        "there is no inside to go through: close the mesh, raise the resolution, or measure along "
        "the surface");
    return {};
  }
  std::vector<Vec3d> places = task.places;
  for (const Vec3d& place : task.places) {
    task.moved = std::max(task.moved, grid.probe(place).moved);
  }
  for (const uint32_t v : task.set) places.push_back(task.vertices[v].cast<double>());
  GridMarch march(prepared->grid);
  march.run(places, task.wave, kernels::unreachable, stop);
  std::vector<double> distances(task.vertices.size());
  for (std::size_t v = 0; v < distances.size(); ++v) distances[v] = march.at(prepared->probes[v]);
  for (const uint32_t v : task.set) distances[v] = 0;
  return distances;
}

std::vector<double> straight(const Task& task, CancelView stop) {
  // The places as triangles that are points: a tree finds the closest.
  std::vector<Vec3f> places;
  for (const Vec3d& place : task.places) places.push_back(place.cast<float>());
  for (const uint32_t v : task.set) places.push_back(task.vertices[v]);
  std::vector<Triangle> dots;
  for (uint32_t i = 0; i < places.size(); ++i) dots.push_back({i, i, i});
  const SurfaceTree tree(Mesh(Topology{std::move(dots), {}, {}}, std::move(places)), stop);
  std::vector<double> distances(task.vertices.size());
  for (std::size_t v = 0; v < distances.size(); ++v) {
    if (v % 4096 == 0) stop.check();
    distances[v] = std::sqrt(tree.closest(task.vertices[v].cast<double>())->distance2);
  }
  return distances;
}

std::vector<double> measure(Exec& e, Task& task, CancelView stop) {
  const TetMesh* solid = e.get_if<TetMesh>(body);
  switch (e.get(way)) {
    case Way::straight:
      return straight(task, stop);
    case Way::material:
      return solid ? through_solid(*solid, task, stop) : through_mesh(e, task, stop);
    case Way::surface:
    case Way::surface_smooth:
      break;
  }
  if (!solid) return along_surface(e, task, stop);
  e.error("the inside of a solid has no way along its surface; take its surface, or 'material'");
  return {};
}

void exec(Exec& e) {
  Task task;
  task.vertices = vertices_of(e, body);
  if (!read_sources(e, task)) return;
  const FieldMeaning meaning{.unit = e.get(normalise) ? "" : "m"};
  if (task.vertices.empty()) {
    e.set(out, Field(Domain::vertex, {}, meaning));
    return e.set(maximum, 0.0f);
  }
  const std::vector<double> distances =
      stoppable(e, [&](CancelView stop) { return measure(e, task, stop); });
  if (e.failed()) return;
  Eigen::AlignedBox3f box;
  for (const Vec3f& p : task.vertices) box.extend(p);
  if (task.moved > 0.01 * box.diagonal().norm()) {
    e.warning("a place lies {:.3g} m beside the body and was moved to the closest place of it",
              task.moved);
  }
  double most = 0;
  std::size_t unreached = 0;
  for (const double d : distances) {
    if (d == kernels::unreachable) {
      ++unreached;
    } else {
      most = std::max(most, d);
    }
  }
  if (unreached > 0) {
    e.warning("no way leads to {} of {} vertices; they get the greatest distance", unreached,
              distances.size());
  }
  const double unit = e.get(normalise) && most > 0 ? most : 1;
  std::vector<float> values(distances.size());
  for (std::size_t v = 0; v < values.size(); ++v) {
    values[v] = static_cast<float>(std::min(distances[v], most) / unit);
  }
  e.set(out, Field(Domain::vertex, std::move(values), meaning));
  e.set(maximum, static_cast<float>(most));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(field_distance, declare, exec)
