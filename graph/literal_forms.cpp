#include "graph/literal_forms.h"

#include <map>
#include <mutex>

namespace sinew {
namespace {

// Types are there once for the whole program, and so is this.
struct Known {
  std::mutex mutex;
  std::map<const TypeInfo*, LiteralForms> forms;  // entries never move
};

Known& known() {
  static Known one;
  return one;
}

}  // namespace

void add_literal_forms(const TypeInfo& type, LiteralForms forms) {
  const std::lock_guard lock(known().mutex);
  known().forms.try_emplace(&type, std::move(forms));
}

const LiteralForms& literal_forms(const TypeInfo& type) {
  static const LiteralForms none;
  const std::lock_guard lock(known().mutex);
  const auto found = known().forms.find(&type);
  return found == known().forms.end() ? none : found->second;
}

}  // namespace sinew
