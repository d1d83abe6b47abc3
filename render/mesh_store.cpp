#include "render/mesh_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew::render {
namespace {

// Buffers that nothing shows stay for this many frames, so that going to and fro keeps them, but
// not more of them than this: a body whose triangles change in every frame must not fill the
// memory.
constexpr uint64_t patience = 90;
constexpr std::size_t most_idle_bytes = std::size_t{128} << 20;

std::size_t bytes_of(const MeshEntry& e) {
  return 3 * e.triangles * (sizeof(CornerVertex) + 4 + (e.values ? 4 : 0));
}

// Triangles without a name are never the same as others.
bool same_shape(const MeshEntry& e, const draw::Mesh& m) {
  return e.topology && e.topology == m.topology && e.triangles == m.triangles.size() &&
         e.vertices == m.positions.size();
}

std::string flaw_of_values(const draw::Mesh& mesh) {
  const bool per_triangle = mesh.values_per == draw::ValuesPer::triangle;
  const std::size_t wanted = per_triangle ? mesh.triangles.size() : mesh.positions.size();
  if (mesh.values.size() != wanted)
    return fmt::format("there are {} values for {} {}", mesh.values.size(), wanted,
                       per_triangle ? "triangles" : "vertices");
  for (std::size_t i = 0; i < mesh.values.size(); ++i)
    if (!std::isfinite(mesh.values[i])) return fmt::format("value {} is not a number", i);
  return "";
}

}  // namespace

MeshStore::MeshStore() {
  corner_layout_.begin()
      .add(bgfx::Attrib::Position, 3, bgfx::AttribType::Float)
      .add(bgfx::Attrib::Normal, 4, bgfx::AttribType::Int16, true)
      .end();
  edge_layout_.begin().add(bgfx::Attrib::Color0, 4, bgfx::AttribType::Uint8, true).end();
  value_layout_.begin().add(bgfx::Attrib::TexCoord1, 1, bgfx::AttribType::Float).end();
}

const std::vector<const MeshEntry*>& MeshStore::prepare(const std::vector<draw::Mesh>& meshes) {
  ++frame_;
  shown_.assign(meshes.size(), nullptr);
  // First those that are there as they are, so that nobody takes their buffers.
  for (std::size_t i = 0; i < meshes.size(); ++i)
    if (MeshEntry* e = exact(meshes[i])) {
      e->last_used = frame_;
      shown_[i] = e;
    }
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    if (shown_[i]) continue;
    const draw::Mesh& mesh = meshes[i];
    // A twin may have been uploaded just now.
    MeshEntry* e = exact(mesh);
    if (!e) {
      e = reusable(mesh);
      if (!e) e = make(mesh);
      e->source = mesh.source;
      if (e->tables) update(*e, mesh);
    }
    e->last_used = frame_;
    shown_[i] = e;
  }
  forget_unused();
  return shown_;
}

// What is wrong with positions stays wrong as long as they stay; and so for values.
void MeshStore::update(MeshEntry& e, const draw::Mesh& mesh) {
  const bool moved = e.key != mesh.key || !mesh.key;
  if (moved || e.values_are_wrong) e.problem.clear();
  if (e.values_are_wrong) e.values_key = {};
  e.values_are_wrong = false;
  if (moved) upload_corners(e, mesh);
  const bool other_values = e.values_key != mesh.values_key || !mesh.values_key || !e.values;
  if (!mesh.values.empty() && e.problem.empty() && other_values) upload_values(e, mesh);
}

// Content without a key is never the same as anything.
MeshEntry* MeshStore::exact(const draw::Mesh& mesh) {
  if (!mesh.key) return nullptr;
  for (const auto& e : entries_)
    if (same_shape(*e, mesh) && e->key == mesh.key &&
        (mesh.values.empty() ? !e->values_are_wrong
                             : e->values_key == mesh.values_key && mesh.values_key))
      return e.get();
  return nullptr;
}

// Of the same source, if there is one: then positions of many bodies stay where they are.
MeshEntry* MeshStore::reusable(const draw::Mesh& mesh) {
  MeshEntry* found = nullptr;
  for (const auto& e : entries_) {
    if (!same_shape(*e, mesh) || e->last_used == frame_ || !e->tables) continue;
    if (e->source == mesh.source) return e.get();
    if (!found) found = e.get();
  }
  return found;
}

MeshEntry* MeshStore::make(const draw::Mesh& mesh) {
  entries_.push_back(std::make_unique<MeshEntry>());
  MeshEntry& e = *entries_.back();
  e.topology = mesh.topology;
  e.vertices = mesh.positions.size();
  e.triangles = mesh.triangles.size();
  if (e.triangles > most_triangles) {
    e.problem = fmt::format("{} triangles are more than the {} that can be drawn", e.triangles,
                            most_triangles);
    e.key = mesh.key;
    return &e;
  }
  // Bodies of one kind share what follows from their triangles.
  for (const auto& other : entries_)
    if (other.get() != &e && same_shape(*other, mesh) && other->tables) {
      e.tables = other->tables;
      e.edges = other->edges;
    }
  if (!e.tables) e.tables = CornerTables::make(mesh.triangles, mesh.positions.size(), e.problem);
  if (!e.tables) e.key = mesh.key;
  if (!e.tables || e.edges || e.triangles == 0) return &e;
  const auto [memory, edges] = frame_memory<std::array<uint8_t, 4>>(3 * e.triangles);
  expand_edges(mesh.triangles, mesh.polygon_of_triangle, {edges, 3 * e.triangles});
  e.edges = std::make_shared<const Owned<bgfx::VertexBufferHandle>>(
      bgfx::createVertexBuffer(memory, edge_layout_));
  ++uploads_.topologies;
  uploads_.bytes += memory->size;
  return &e;
}

void MeshStore::upload_corners(MeshEntry& e, const draw::Mesh& mesh) {
  e.key = mesh.key;
  e.box.setEmpty();
  if (e.triangles == 0) return;
  const std::size_t count = 3 * e.triangles;
  const auto [memory, corners] = frame_memory<CornerVertex>(count);
  const std::optional<Box> box = expand_corners(mesh.positions, mesh.triangles, *e.tables, scratch_,
                                                {corners, count}, e.problem);
  if (!box) {
    // Given back the only way bgfx knows: as the content of a buffer that is let go of at once.
    bgfx::destroy(bgfx::createVertexBuffer(memory, corner_layout_));
    return;
  }
  e.box = *box;
  if (!e.corners)
    e.corners =
        Owned(bgfx::createDynamicVertexBuffer(static_cast<uint32_t>(count), corner_layout_));
  bgfx::update(*e.corners, 0, memory);
  ++uploads_.meshes;
  uploads_.bytes += memory->size;
}

void MeshStore::upload_values(MeshEntry& e, const draw::Mesh& mesh) {
  e.values_key = mesh.values_key;
  e.problem = flaw_of_values(mesh);
  e.values_are_wrong = !e.problem.empty();
  if (!e.problem.empty() || e.triangles == 0) return;
  const std::size_t count = 3 * e.triangles;
  const auto [memory, values] = frame_memory<float>(count);
  expand_values(mesh, {values, count});
  if (!e.values)
    e.values = Owned(bgfx::createDynamicVertexBuffer(static_cast<uint32_t>(count), value_layout_));
  bgfx::update(*e.values, 0, memory);
  ++uploads_.values;
  uploads_.bytes += memory->size;
}

void MeshStore::forget_unused() {
  std::size_t idle = 0;
  // Newer entries stand behind older ones, so the oldest go first.
  for (std::size_t i = entries_.size(); i-- > 0;) {
    if (entries_[i]->last_used == frame_) continue;
    idle += bytes_of(*entries_[i]);
    // What has no name for its triangles cannot be found again.
    if (idle > most_idle_bytes || !entries_[i]->topology) entries_[i]->last_used = 0;
  }
  std::erase_if(entries_, [&](const auto& e) {
    return e->last_used + patience < frame_ || e->last_used == 0;
  });
}

}  // namespace sinew::render
