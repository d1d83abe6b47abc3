// Runs the reading of a file; whatever goes wrong in it names that file.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <new>

#include "nodes/geometry/format_error.h"
#include "nodes/geometry/mesh_io.h"

namespace sinew {

template <class Work>
auto naming_file(const std::filesystem::path& path, const Work& work) {
  const auto cannot = [&](const char* why) {
    return FileError(fmt::format("cannot read '{}': {}", path.string(), why));
  };
  try {
    return work();
  } catch (const FileError&) {  // it has a name already
    throw;
  } catch (const Stopped&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw cannot("not enough memory");
  } catch (const std::exception& problem) {  // a FormatError, or whatever a library throws
    throw cannot(problem.what());
  }
}

}  // namespace sinew
