#include "app/library/opening.h"

#include "graph/file_parameters.h"

namespace sinew::library {

Result<GraphDoc> open_elsewhere(const std::filesystem::path& preset, const Registry& registry,
                                const std::filesystem::path& to, std::vector<NodeMessage>* notes) {
  Result<GraphDoc> doc = load_document(preset, registry, notes);
  if (doc) carry_files(*doc, registry, preset.parent_path(), to);
  return doc;
}

}  // namespace sinew::library
