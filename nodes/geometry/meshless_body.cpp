#include "nodes/geometry/meshless_body.h"

#include <fmt/format.h>

#include <cmath>

namespace sinew {

std::size_t byte_size(const MeshlessBody& body) {
  std::size_t bytes = sizeof body + body.surface_bytes + byte_size(body.rest) +
                      body.at_vertices.bytes() + body.at_samples.bytes() +
                      body.at_touching.bytes() +
                      (body.nodes.size() + body.samples.size()) * sizeof(Vec3d) +
                      (body.masses.size() + body.volumes.size()) * sizeof(double) +
                      body.touching.size() * sizeof(uint32_t);
  if (body.distances) bytes += body.distances->bytes();
  for (const NodeLink& link : body.links) bytes += sizeof link + link.way.size() * sizeof(Vec3f);
  return bytes;
}

std::optional<std::string> validate(const Meshless& meshless) {
  const MeshlessBody& body = *meshless.body;
  for (std::size_t i = 0; i < body.nodes.size(); ++i) {
    if (!body.nodes[i].allFinite()) return fmt::format("node {} is not a number", i);
  }
  const auto bad = [](const ShapeRows& rows) -> std::optional<std::size_t> {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (uint32_t k = rows.first[i]; k < rows.first[i + 1]; ++k) {
        if (!std::isfinite(rows.value[k]) || !rows.gradient[k].allFinite()) return i;
      }
    }
    return std::nullopt;
  };
  if (const auto i = bad(body.at_vertices)) {
    return fmt::format("the shape functions at vertex {} are not numbers", *i);
  }
  if (const auto i = bad(body.at_samples)) {
    return fmt::format("the shape functions at sample {} are not numbers", *i);
  }
  return std::nullopt;
}

}  // namespace sinew
