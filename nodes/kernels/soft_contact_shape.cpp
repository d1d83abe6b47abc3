#include <algorithm>
#include <stdexcept>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/soft_contact_parts.h"
#include "nodes/kernels/surface_tree.h"

namespace sinew::kernels {

namespace {

constexpr std::size_t tets_per_block = 64;

// Sorts so that each run of 8 is compact: halves of whole groups along the longest side, again and
// again. `where` is indexed by the numbers in `order`.
void group_by_place(std::span<uint32_t> order, std::span<const Vec3d> where) {
  if (order.size() <= contact_lanes) return;
  Eigen::AlignedBox3d box;
  for (const uint32_t i : order) box.extend(where[i]);
  int axis = 0;
  box.sizes().maxCoeff(&axis);
  const std::size_t groups = (order.size() + contact_lanes - 1) / contact_lanes;
  const std::size_t half = groups / 2 * contact_lanes;
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(half);
  std::nth_element(order.begin(), middle, order.end(), [&](uint32_t i, uint32_t j) {
    return std::pair(where[i][axis], i) < std::pair(where[j][axis], j);
  });
  group_by_place(order.first(half), where);
  group_by_place(order.subspan(half), where);
}

std::vector<ContactTables::Group> in_groups(std::span<const uint32_t> order) {
  std::vector<ContactTables::Group> groups((order.size() + contact_lanes - 1) / contact_lanes);
  for (std::size_t i = 0; i < groups.size() * contact_lanes; ++i) {
    groups[i / contact_lanes][i % contact_lanes] = order[std::min(i, order.size() - 1)];
  }
  return groups;
}

std::vector<uint32_t> surface_vertices(std::span<const Triangle> triangles) {
  std::vector<uint32_t> all;
  all.reserve(3 * triangles.size());
  for (const Triangle& t : triangles) all.insert(all.end(), t.begin(), t.end());
  stoppable_sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// The triangles that are nearest to places all over the tetrahedron, then those next to them.
class ExitFinder {
 public:
  ExitFinder(const TetMesh& rest, CancelView stop)
      : rest_(rest),
        surface_(Topology{rest.topology->boundary, {}, {}}, rest.positions),
        tree_(surface_, stop),
        around_(vertex_triangles(surface_.triangles(), rest.vertex_count())) {}

  std::vector<uint32_t> exits(const Tetrahedron& tet) const {
    std::vector<uint32_t> found;
    if (tree_.empty()) return found;
    std::array<Vec3d, 4> p;
    for (std::size_t k = 0; k < 4; ++k) p[k] = rest_.positions[tet[k]].cast<double>();
    const Vec3d middle = (p[0] + p[1] + p[2] + p[3]) / 4;
    const auto look = [&](const Vec3d& place) {
      // Not quite at the border, where all triangles of a corner would be equally near.
      constexpr double inwards = 0.1;
      add(found, tree_.closest(place + inwards * (middle - place))->triangle);
    };
    look(middle);
    for (std::size_t i = 0; i < 4; ++i) {
      look((p[0] + p[1] + p[2] + p[3] - p[i]) / 3);
      look(p[i]);
      for (std::size_t j = 0; j < i; ++j) look((p[i] + p[j]) / 2);
    }
    const std::size_t nearest = std::min(found.size(), most_exits);
    for (std::size_t i = 0; i < nearest; ++i) {
      for (const uint32_t v : surface_.triangles()[found[i]]) {
        for (const uint32_t t : around_[v]) add(found, t);
      }
    }
    sort_by_distance(std::span(found).first(nearest), middle);
    sort_by_distance(std::span(found).subspan(nearest), middle);
    found.resize(std::min(found.size(), most_exits));
    sort_by_distance(found, middle);
    return found;
  }

 private:
  static void add(std::vector<uint32_t>& found, uint32_t triangle) {
    if (std::find(found.begin(), found.end(), triangle) == found.end()) found.push_back(triangle);
  }

  double distance2(uint32_t triangle, const Vec3d& p) const {
    const Triangle& t = surface_.triangles()[triangle];
    const Vec3d a = rest_.positions[t[0]].cast<double>(), b = rest_.positions[t[1]].cast<double>(),
                c = rest_.positions[t[2]].cast<double>();
    const Vec3d w = closest_on_triangle(p, a, b, c);
    return (w[0] * a + w[1] * b + w[2] * c - p).squaredNorm();
  }

  void sort_by_distance(std::span<uint32_t> triangles, const Vec3d& p) const {
    std::vector<std::pair<double, uint32_t>> order;
    for (const uint32_t t : triangles) order.emplace_back(distance2(t, p), t);
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < order.size(); ++i) triangles[i] = order[i].second;
  }

  const TetMesh& rest_;
  Mesh surface_;
  SurfaceTree tree_;
  Rows around_;
};

void add_tet_groups(ContactTables& made, const TetMesh& rest, std::span<const uint32_t> order) {
  const std::vector<ContactTables::Group> groups = in_groups(order);
  made.tet_groups.resize(groups.size());
  made.group_vertices.offsets = {0};
  StopCheck check;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    check();
    std::vector<uint32_t> vertices;
    for (std::size_t l = 0; l < contact_lanes; ++l) {
      const Tetrahedron& tet = rest.tets()[groups[g][l]];
      const bool filler = g * contact_lanes + l >= order.size();
      for (std::size_t k = 0; k < 4; ++k) {
        made.tet_groups[g][k][l] = tet[filler ? 0 : k];
        vertices.push_back(tet[k]);
      }
    }
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    std::vector<uint32_t>& items = made.group_vertices.items;
    items.insert(items.end(), vertices.begin(), vertices.end());
    made.group_vertices.offsets.push_back(static_cast<uint32_t>(items.size()));
  }
}

void add_exits(ContactTables& made, const TetMesh& rest, std::span<const uint32_t> order,
               CancelView stop) {
  const ExitFinder finder(rest, stop);
  std::vector<std::vector<uint32_t>> exits(order.size());
  parallel_blocks(
      order.size(),
      [&](std::size_t begin, std::size_t end) {
        if (stop()) return;
        for (std::size_t i = begin; i < end; ++i) exits[i] = finder.exits(rest.tets()[order[i]]);
      },
      tets_per_block);
  stop.check();
  made.exits.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      made.exits[i][k].fill(rest.tets()[order[i]][0]);
      for (std::size_t l = 0; l < exits[i].size(); ++l) {
        made.exits[i][k][l] = rest.topology->boundary[exits[i][l]][k];
      }
    }
  }
}

}  // namespace

ContactShape::ContactShape(const TetMesh& rest, CancelView stop) {
  if (const auto flaw = validate(rest)) throw std::invalid_argument(*flaw);
  auto made = std::make_shared<ContactTables>();
  made->vertex_count = static_cast<uint32_t>(rest.vertex_count());

  std::vector<Vec3d> where;
  for (const Vec3f& p : rest.positions) where.push_back(p.cast<double>());
  std::vector<uint32_t> surface = surface_vertices(rest.topology->boundary);
  made->surface_count = static_cast<uint32_t>(surface.size());
  group_by_place(surface, where);
  made->vertex_groups = in_groups(surface);

  where.clear();
  std::vector<uint32_t> order;
  for (const Tetrahedron& t : rest.tets()) {
    order.push_back(static_cast<uint32_t>(order.size()));
    where.push_back(Vec3d::Zero());
    for (const uint32_t v : t) where.back() += rest.positions[v].cast<double>();
  }
  group_by_place(order, where);
  add_tet_groups(*made, rest, order);
  add_exits(*made, rest, order, stop);
  tables_ = std::move(made);
}

std::size_t ContactShape::vertex_count() const { return tables_->vertex_count; }

std::size_t ContactShape::bytes() const {
  const ContactTables& t = *tables_;
  return sizeof *this + sizeof t +
         (t.group_vertices.items.size() + t.group_vertices.offsets.size()) * sizeof(uint32_t) +
         t.vertex_groups.size() * sizeof(ContactTables::Group) +
         t.tet_groups.size() * sizeof t.tet_groups[0] + t.exits.size() * sizeof t.exits[0];
}

}  // namespace sinew::kernels
