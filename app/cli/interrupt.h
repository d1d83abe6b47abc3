// What is done with a result and can take as long as making it: measures, draw lists, files.
#pragma once

#include <atomic>
#include <exception>
#include <optional>

#include "base/stop.h"

namespace sinew::cli {

// What make() gives; nothing if `stop` was set meanwhile and it gave up.
template <class Make>
auto unless_interrupted(const std::atomic<bool>* stop, const Make& make)
    -> std::optional<decltype(make())> {
  try {
    const StopScope scope(stop);
    return make();
  } catch (const std::exception&) {
    if (!stop || !stop->load()) throw;
    return std::nullopt;
  }
}

}  // namespace sinew::cli
