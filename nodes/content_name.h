// Content as a name for Exec::prepared: what follows from a value that no input is.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "graph/key.h"
#include "nodes/geometry/types.h"

namespace sinew {

template <class... Content>
std::string content_name(std::string_view what, const Content&... content) {
  KeyHasher hasher;
  const auto absorb = [&](std::span<const std::byte> bytes) { hasher.bytes(bytes); };
  (visit_content(content, absorb), ...);
  return fmt::format("{} {}", what, hasher.finish().hex());
}

}  // namespace sinew
