// Meshes on the graphics card. A mesh is uploaded again only when its key changes: an entry is
// found by its topology and its keys; a body that moved takes the dynamic buffer of an entry with
// the same topology that nobody else shows in this frame; only a new topology makes new buffers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "render/draw_list.h"
#include "render/gpu.h"
#include "render/mesh_corners.h"
#include "render/upload_counts.h"

namespace sinew::render {

struct MeshEntry {
  std::shared_ptr<const void> topology;  // held, so that its address stays its own
  std::size_t vertices = 0, triangles = 0;
  std::shared_ptr<const CornerTables> tables;
  draw::ContentKey key, values_key;
  std::shared_ptr<const Owned<bgfx::VertexBufferHandle>> edges;  // which corner
  Owned<bgfx::DynamicVertexBufferHandle> corners;                // places and normals
  Owned<bgfx::DynamicVertexBufferHandle> values;
  Box box;
  uint64_t last_used = 0;
  std::string source;
  std::string problem;            // why it cannot be drawn; empty: it can
  bool values_are_wrong = false;  // that is the problem
};

class MeshStore {
 public:
  // More would not fit into a buffer of a graphics card.
  static constexpr std::size_t most_triangles = 20'000'000;

  MeshStore();

  // Entries for all meshes of a frame, in their order; each is drawable or has a problem. They hold
  // until the next call.
  const std::vector<const MeshEntry*>& prepare(const std::vector<draw::Mesh>& meshes);
  const UploadCounts& uploads() const { return uploads_; }
  std::size_t size() const { return entries_.size(); }

 private:
  MeshEntry* exact(const draw::Mesh& mesh);
  MeshEntry* reusable(const draw::Mesh& mesh);
  MeshEntry* make(const draw::Mesh& mesh);
  void update(MeshEntry& entry, const draw::Mesh& mesh);
  void upload_corners(MeshEntry& entry, const draw::Mesh& mesh);
  void upload_values(MeshEntry& entry, const draw::Mesh& mesh);
  void forget_unused();

  std::vector<std::unique_ptr<MeshEntry>> entries_;
  std::vector<const MeshEntry*> shown_;
  CornerScratch scratch_;
  UploadCounts uploads_;
  uint64_t frame_ = 0;
  bgfx::VertexLayout corner_layout_, edge_layout_, value_layout_;
};

}  // namespace sinew::render
