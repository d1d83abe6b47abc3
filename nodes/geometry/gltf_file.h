// A glTF 2.0 file as its JSON and its buffers, every reference checked before it is followed. Only
// for readers of parts of such files: no other header includes this.
//
// Buffers in other files are opened through the same gate as those of meshes (side_files.h).
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "nodes/geometry/side_files.h"
#include "nodes/geometry/types.h"

namespace sinew {

using Json = nlohmann::json;

class GltfFile {
 public:
  // Throws FormatError, as all of this does.
  GltfFile(const std::filesystem::path& path, CancelView cancel);

  const Json& json() const { return json_; }
  // Element `index` of one of the lists at the top ("nodes", ...).
  const Json& element(const char* list, std::size_t index) const;
  std::size_t count(const char* list) const;

  // How many elements an accessor has.
  std::size_t accessor_count(std::size_t accessor) const;
  // The numbers of an accessor of that type ("VEC3", ...), element after element; integers that are
  // marked as normalised are so.
  std::vector<double> numbers(std::size_t accessor, const std::string& type);

 private:
  struct Strip {  // elements in a buffer
    const char* data = nullptr;
    std::size_t stride = 0;
  };

  void read_chunks(std::string_view content, CancelView cancel);
  std::string_view buffer(std::size_t index);
  Strip strip(const Json& place, std::size_t offset, std::size_t element, std::size_t count);
  void apply_sparse(const Json& accessor, std::size_t parts, std::vector<double>& values);

  std::shared_ptr<const FileBytes> content_;
  SideFiles files_;
  Json json_;
  std::string_view binary_;  // the second chunk of a .glb
  // What is kept of buffers that were asked for: decoded, or of another file.
  std::vector<std::unique_ptr<std::string>> decoded_;
  std::vector<std::shared_ptr<const FileBytes>> opened_;
  std::size_t zeros_ = 0;  // that accessors without a buffer have given
};

// A member that must be a whole number from 0 on, or `otherwise` if it is not there.
inline constexpr std::size_t none = SIZE_MAX;
std::size_t index_in(const Json& object, const char* name, std::size_t otherwise = none);
// A member, or nullptr if it is not there or of another kind.
const Json* object_in(const Json& object, const char* name);
const Json* list_in(const Json& object, const char* name);
std::string text_in(const Json& object, const char* name);
// A member that is a list of `count` numbers, in `values`; false if it is not there.
bool numbers_in(const Json& object, const char* name, std::size_t count, double* values);

}  // namespace sinew
