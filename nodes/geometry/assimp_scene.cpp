#include "nodes/geometry/assimp_scene.h"

#include <assimp/config.h>
#include <fmt/format.h>

#include <memory>
#include <new>
#include <string>

#include "nodes/geometry/assimp_files.h"
#include "nodes/geometry/file_bytes.h"
#include "nodes/geometry/file_names.h"
#include "nodes/geometry/format_error.h"
#include "nodes/geometry/gltf_meshes.h"
#include "nodes/geometry/nesting.h"

namespace sinew {

namespace {

// What assimp says of a broken file, on one line and of a sensible length.
FormatError invalid(std::string ending, std::string reason) {
  constexpr std::size_t most = 200;
  for (char& c : ending) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  for (char& c : reason) c = static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  if (reason.size() > most) reason = reason.substr(0, most) + "...";
  if (reason.empty()) reason = "no scene";
  return FormatError(fmt::format("it is not a valid {} file (assimp: {})", ending, reason));
}

}  // namespace

const aiScene& read_scene(Assimp::Importer& importer, const std::filesystem::path& path,
                          CancelView cancel) {
  const std::string ending = ending_of(path);
  const std::filesystem::path place = std::filesystem::absolute(path).lexically_normal();
  auto content = std::make_shared<const FileBytes>(place, cancel, max_import_bytes);
  check_nesting(content->text(), ending);
  if (ending == "gltf" || ending == "glb") {
    if (const auto meshes = without_skins(content->text())) content = FileBytes::of(*meshes);
  }
  importer.SetIOHandler(new AssimpFiles(place, content));  // the importer owns it
  // Without pivots as nodes of their own, assimp has children of a node follow what only its mesh
  // should, and loses animations of what turns about a pivot.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, true);
  const aiScene* scene = nullptr;
  try {
    scene = importer.ReadFile(place.string(), 0);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& problem) {
    throw invalid(ending, problem.what());
  }
  cancel.check();
  if (!scene || !scene->mRootNode) throw invalid(ending, importer.GetErrorString());
  return *scene;
}

}  // namespace sinew
