#include "render/pick.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/mesh_corners.h"
#include "render/pick_tree.h"

namespace sinew::render {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// What is not asked for stays for so many calls, but not more bytes of it than these: a body whose
// triangles change in every frame must not fill the memory.
constexpr uint64_t patience = 60;
constexpr std::size_t most_idle_bytes = std::size_t{64} << 20;
// How much worse than for its own pose an order may be before another one is worth its cost.
constexpr double too_loose = 3;
constexpr float same_place = 0.5f;  // pixels

// Only then is it drawn.
bool is_whole(const draw::Lattice& l) {
  return uint64_t{l.counts[0]} * l.counts[1] * l.counts[2] == l.points.size();
}

bool refers_to_vertices(const draw::Mesh& mesh) {
  return std::all_of(mesh.triangles.begin(), mesh.triangles.end(), [&](const draw::Triangle& t) {
    return std::max({t[0], t[1], t[2]}) < mesh.positions.size();
  });
}

}  // namespace

struct Picker::Entry {
  std::shared_ptr<const void> topology;  // held, so that its address stays its own
  std::size_t vertices = 0, triangles = 0;
  draw::ContentKey key;
  bool valid = false;   // its triangles are
  bool finite = false;  // its positions are
  std::shared_ptr<const PickOrder> order;
  double looseness_of_order = 0;  // for the pose that it was made for
  PickTree tree;
  uint64_t last_used = 0;

  // A body without a name for its triangles is never the same as another.
  bool same_shape(const draw::Mesh& m) const {
    return topology && topology == m.topology && triangles == m.triangles.size() &&
           vertices == m.positions.size();
  }
  std::size_t bytes() const {
    return tree.bytes() + (order ? order->bytes() : 0) + triangles * sizeof(draw::Triangle);
  }
};

Picker::Picker() = default;
Picker::~Picker() = default;

std::size_t Picker::size() const { return entries_.size(); }

std::optional<Pick> Picker::pick(const draw::DrawList& list, const Camera& camera, float x, float y,
                                 float aspect, const PickOptions& options) {
  return first_hit(list, camera.ray(x, y, aspect), camera.parallel ? -infinity : 0, options);
}

std::optional<Pick> Picker::pick(const draw::DrawList& list, const Ray& ray,
                                 const PickOptions& options) {
  return first_hit(list, ray, 0, options);
}

std::optional<Pick> Picker::first_hit(const draw::DrawList& list, const Ray& ray, double from,
                                      const PickOptions& options) {
  const PickRay prepared(ray, from);
  if (!prepared.usable()) return std::nullopt;
  ++call_;
  // First those that are there as they are, so that nobody takes their boxes.
  for (const draw::Mesh& mesh : list.meshes)
    if (Entry* e = exact(mesh)) e->last_used = call_;

  std::optional<PickTree::Hit> best;
  std::size_t best_mesh = 0;
  const auto look_at = [&](bool veils) {
    for (std::size_t i = 0; i < list.meshes.size(); ++i) {
      const draw::Mesh& mesh = list.meshes[i];
      const bool is_veil = options.through_veils && mesh.colour.a < 1;
      if (is_veil != veils || mesh.triangles.empty()) continue;
      const Entry& entry = fitted(mesh);
      if (!entry.valid || !entry.finite) continue;
      const auto hit = entry.tree.first_hit(prepared, mesh.positions, best ? best->t : infinity);
      // At the same distance an earlier mesh stays.
      if (!hit || (best && hit->t >= best->t)) continue;
      best = hit;
      best_mesh = i;
    }
  };
  look_at(false);
  if (!best) look_at(true);
  forget_unused();
  if (!best) return std::nullopt;

  const draw::Mesh& mesh = list.meshes[best_mesh];
  const draw::Triangle& v = mesh.triangles[best->triangle];
  const Eigen::Vector3d a = mesh.positions[v[0]].cast<double>(),
                        b = mesh.positions[v[1]].cast<double>(),
                        c = mesh.positions[v[2]].cast<double>(), w = best->weights;
  Pick pick;
  pick.mesh = best_mesh;
  pick.source = mesh.source;
  pick.triangle = best->triangle;
  pick.weights = w.cast<float>();
  pick.point = (w.x() * a + w.y() * b + w.z() * c).cast<float>();
  pick.normal = (b - a).cross(c - a).normalized().cast<float>();
  pick.distance = static_cast<float>(best->t);
  pick.from_behind = best->from_behind;
  return pick;
}

Picker::Entry* Picker::exact(const draw::Mesh& mesh) {
  if (!mesh.key) return nullptr;
  for (const auto& e : entries_)
    if (e->same_shape(mesh) && e->key == mesh.key) return e.get();
  return nullptr;
}

Picker::Entry& Picker::fitted(const draw::Mesh& mesh) {
  if (Entry* e = exact(mesh)) {
    e->last_used = call_;
    return *e;
  }
  // A body that moved takes the boxes of one that is not in the list any more; bodies of one kind
  // share their order.
  Entry *idle = nullptr, *twin = nullptr;
  for (const auto& e : entries_) {
    if (!e->same_shape(mesh)) continue;
    twin = e.get();
    if (!idle && e->last_used != call_) idle = e.get();
  }
  if (!idle) {
    auto made = std::make_unique<Entry>();
    made->topology = mesh.topology;
    made->vertices = mesh.positions.size();
    made->triangles = mesh.triangles.size();
    made->valid = twin ? twin->valid : refers_to_vertices(mesh);
    if (twin) made->order = twin->order, made->looseness_of_order = twin->looseness_of_order;
    idle = entries_.emplace_back(std::move(made)).get();
  }
  idle->key = mesh.key;
  idle->last_used = call_;
  fit(*idle, mesh);
  return *idle;
}

void Picker::fit(Entry& e, const draw::Mesh& mesh) {
  e.finite = e.valid && !first_bad_position(mesh.positions);
  if (!e.finite) return;
  ++counts_.fits;
  if (e.order) {
    e.tree.fit(e.order, mesh.positions);
    if (e.tree.looseness() <= too_loose * e.looseness_of_order) return;
  }
  ++counts_.orders;
  e.order = std::make_shared<const PickOrder>(mesh.positions, mesh.triangles);
  e.tree.fit(e.order, mesh.positions);
  e.looseness_of_order = e.tree.looseness();
}

void Picker::forget_unused() {
  std::size_t idle = 0;
  // Newer entries stand behind older ones, so the oldest go first.
  for (std::size_t i = entries_.size(); i-- > 0;) {
    Entry& e = *entries_[i];
    if (e.last_used != call_) idle += e.bytes();
    if (!e.topology || (e.last_used != call_ && idle > most_idle_bytes)) e.last_used = 0;
  }
  std::erase_if(entries_, [&](const auto& e) {
    return e->last_used + patience < call_ || e->last_used == 0;
  });
}

std::optional<PointPick> Picker::pick_point(const draw::DrawList& list, const Camera& camera,
                                            float x, float y, int width, int height, float radius) {
  if (width < 1 || height < 1 || !std::isfinite(x) || !std::isfinite(y)) return std::nullopt;
  const auto w = static_cast<float>(width), h = static_cast<float>(height);
  std::vector<PointPick> near;
  const auto consider = [&](PointsOf of, std::size_t item, const std::string& source,
                            const std::vector<draw::Point>& points) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!points[i].allFinite()) continue;
      const std::optional<Eigen::Vector3f> at = camera.place_of(points[i], w / h);
      if (!at) continue;
      const float pixels = std::hypot((at->x() - x) * w, (at->y() - y) * h);
      if (pixels <= radius) near.push_back({of, item, i, source, points[i], pixels, at->z()});
    }
  };
  for (std::size_t i = 0; i < list.points.size(); ++i)
    consider(PointsOf::points, i, list.points[i].source, list.points[i].points);
  for (std::size_t i = 0; i < list.lattices.size(); ++i)
    if (is_whole(list.lattices[i]))
      consider(PointsOf::lattice, i, list.lattices[i].source, list.lattices[i].points);
  if (near.empty()) return std::nullopt;
  const float nearest =
      std::min_element(near.begin(), near.end(), [](const PointPick& a, const PointPick& b) {
        return a.pixels < b.pixels;
      })->pixels;
  std::erase_if(near, [&](const PointPick& p) { return p.pixels > nearest + same_place; });
  return *std::min_element(near.begin(), near.end(), [](const PointPick& a, const PointPick& b) {
    return a.depth < b.depth;
  });
}

}  // namespace sinew::render
