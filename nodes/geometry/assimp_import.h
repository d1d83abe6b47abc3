// Every format that assimp knows, behind one door: nothing else in the program sees assimp's types.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "nodes/geometry/mesh.h"
#include "nodes/geometry/mesh_io.h"

namespace sinew {

// All meshes of the scene as one, the transforms of its nodes applied. Throws FormatError.
Mesh import_with_assimp(const std::filesystem::path& path, const LoadOptions& options,
                        LoadReport& report, CancelView cancel);

// The vertices of all of its meshes in their order, none joined with another, for readers that know
// more of a file than assimp does and must have its vertices in the same order.
std::vector<Vec3f> vertices_with_assimp(const std::filesystem::path& path, CancelView cancel);

// The bytes that the exporter with that identifier of assimp's ("glb2") makes. Throws FormatError.
std::string export_with_assimp(const Mesh& mesh, const char* format);

// Endings in lower case, without the dot.
std::vector<std::string> assimp_endings();

}  // namespace sinew
