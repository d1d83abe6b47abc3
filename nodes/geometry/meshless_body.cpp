#include "nodes/geometry/meshless_body.h"

namespace sinew {

std::size_t byte_size(const MeshlessBody& body) {
  std::size_t bytes = sizeof body + byte_size(body.rest) + body.at_vertices.bytes() +
                      body.at_samples.bytes() + body.at_touching.bytes() +
                      (body.nodes.size() + body.samples.size()) * sizeof(Vec3d) +
                      (body.masses.size() + body.volumes.size()) * sizeof(double) +
                      body.touching.size() * sizeof(uint32_t);
  if (body.distances) bytes += body.distances->bytes();
  for (const NodeLink& link : body.links) bytes += sizeof link + link.way.size() * sizeof(Vec3f);
  return bytes;
}

}  // namespace sinew
