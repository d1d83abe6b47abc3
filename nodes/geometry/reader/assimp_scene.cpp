#include "nodes/geometry/reader/assimp_scene.h"

#include <assimp/config.h>
#include <fmt/format.h>

#include <assimp/BaseImporter.h>
#include <memory>
#include <new>
#include <set>
#include <string>

#include "nodes/geometry/file_bytes.h"
#include "nodes/geometry/file_names.h"
#include "nodes/geometry/format_error.h"
#include "nodes/geometry/nesting.h"
#include "nodes/geometry/reader/assimp_files.h"
#include "nodes/geometry/reader/gltf_meshes.h"
#include "nodes/geometry/text_encoding.h"

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

// assimp looks into files that the reader of their ending refuses, and may take them for another
// format: one that is off. Several formats end in .xml, which are told apart by what is inside.
void keep_loaders_of(const std::string& ending, Assimp::Importer& importer) {
  if (ending == "xml") return;
  for (std::size_t i = importer.GetImporterCount(); i-- > 0;) {
    std::set<std::string> endings;
    Assimp::BaseImporter* const loader = importer.GetImporter(i);
    loader->GetExtensionList(endings);
    if (endings.contains(ending)) continue;
    importer.UnregisterLoader(loader);
    delete loader;
  }
}

}  // namespace

const aiScene& read_scene(Assimp::Importer& importer, const std::filesystem::path& path) {
  const std::string ending = ending_of(path);
  const std::filesystem::path place = std::filesystem::absolute(path).lexically_normal();
  auto content = std::make_shared<const FileBytes>(place, CancelView{}, max_import_bytes);
  std::string recoded;  // few of assimp's readers know UTF-16
  without_encoding(content->text(), recoded);
  if (!recoded.empty()) content = FileBytes::of(recoded);
  check_nesting(content->text(), ending);
  if (ending == "gltf" || ending == "glb") {
    if (const auto meshes = without_skins(content->text())) content = FileBytes::of(*meshes);
  }
  keep_loaders_of(ending, importer);
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
  if (!scene || !scene->mRootNode) throw invalid(ending, importer.GetErrorString());
  return *scene;
}

}  // namespace sinew
