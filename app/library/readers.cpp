#include "app/library/readers.h"

#include "app/library/names.h"

namespace sinew::library {

Reader reader_for(const Registry& registry, const std::string& name) {
  Reader best;
  for (const NodeType* type : registry.nodes())
    for (const InputInfo& input : type->inputs) {
      if (input.file != FileUse::read || input.file_endings.empty() ||
          !has_ending(name, input.file_endings))
        continue;
      if (!best.input || input.file_endings.size() > best.input->file_endings.size())
        best = {type, &input};
    }
  return best;
}

}  // namespace sinew::library
