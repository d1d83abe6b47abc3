// What is wrong inside a file: thrown by the readers, which do not know the file's name, and given
// one by load_mesh and by those who write.
#pragma once

#include <stdexcept>

namespace sinew {

struct FormatError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace sinew
