#include "nodes/geometry/foreign_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "nodes/geometry/file_bytes.h"
#include "nodes/geometry/file_names.h"
#include "nodes/geometry/format_error.h"
#include "nodes/geometry/reader_process.h"

namespace sinew {

namespace {

constexpr std::string_view usual[] = {"3ds", "3mf",  "blend", "bvh", "dae", "dxf", "fbx",
                                      "glb", "gltf", "lwo",   "off", "stl", "x3d"};

// What else assimp knows. Nearly all of what is known to make it crash or hang is in these.
constexpr std::string_view rare[] = {
    "3d",      "ac",   "ac3d", "acc",  "amf",  "ase",     "ask",       "assbin",  "b3d",
    "bsp",     "cob",  "csm",  "enff", "hmp",  "ifc",     "ifczip",    "iqm",     "irr",
    "irrmesh", "lws",  "lxo",  "md2",  "md3",  "md5anim", "md5camera", "md5mesh", "mdc",
    "mdl",     "mesh", "mot",  "ms3d", "ndo",  "nff",     "ogex",      "pk3",     "pmx",
    "prj",     "q3o",  "q3s",  "raw",  "scn",  "sib",     "smd",       "step",    "stp",
    "ter",     "uc",   "vta",  "x",    "x3db", "xgl",     "xml",       "zae",     "zgl"};

// A number above 0 from the environment, or nothing if it is not set.
std::optional<double> setting(const char* name, const char* unit) {
  const char* const text = std::getenv(name);
  if (!text || *text == '\0') return std::nullopt;
  const std::string_view view(text);
  double value = 0;
  const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), value);
  if (error != std::errc() || end != view.data() + view.size() || !(value > 0) || value > 1e6) {
    throw FormatError(
        fmt::format("{} must be a number of {} above 0, but is '{}'", name, unit, one_line(view)));
  }
  return value;
}

uint64_t memory_of_machine() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGE_SIZE);
  return pages > 0 && size > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(size)
                               : uint64_t{8} << 30;
}

// The endings that SINEW_FORMATS names, or "all".
std::vector<std::string> asked_for() {
  std::vector<std::string> names;
  const char* const text = std::getenv("SINEW_FORMATS");
  for (const char* c = text ? text : ""; *c != '\0';) {
    const char* const begin = c;
    while (*c != '\0' && *c != ',' && *c != ' ') ++c;
    std::string name(begin, c);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char k) { return k >= 'A' && k <= 'Z' ? static_cast<char>(k + 32) : k; });
    if (name.starts_with('.')) name.erase(0, 1);
    if (!name.empty()) names.push_back(std::move(name));
    if (*c != '\0') ++c;
  }
  return names;
}

// With what a glTF may name beside it.
uint64_t size_of(const std::filesystem::path& path) {
  uint64_t size = readable_size(path);
  if (ending_of(path) != "gltf") return size;
  std::error_code error;
  for (std::filesystem::directory_iterator it(std::filesystem::absolute(path).parent_path(), error),
       end;
       !error && it != end; it.increment(error)) {
    std::error_code unknown;
    if (ending_of(it->path()) == "bin" && it->is_regular_file(unknown)) {
      const uintmax_t more = it->file_size(unknown);
      if (!unknown) size += more;
    }
  }
  return size;
}

template <class Take>
auto read_elsewhere(const char* what, const std::filesystem::path& path, CancelView cancel,
                    const Take& take) {
  const uint64_t size = size_of(path);
  const ReadLimits limits = read_limits(size);
  ReaderProcess process(what, path, size, limits, cancel);
  const ByteSource source = [&](void* to, std::size_t bytes) { process.take(to, bytes); };
  try {
    return take(source, limits.bytes);
  } catch (const MemoryLimitReached& reached) {
    throw process.too_much_memory(reached.limit);
  }
}

}  // namespace

ReadLimits read_limits(uint64_t file_bytes) {
  constexpr uint64_t base = 1000000000;
  const uint64_t most = std::max(memory_of_machine(), base);
  ReadLimits limits;
  limits.bytes = file_bytes < (most - base) / 64 ? base + 64 * file_bytes : most;
  limits.seconds = 60 + static_cast<double>(file_bytes) / 1e6;
  if (const auto gigabytes = setting("SINEW_READ_MEMORY", "gigabytes")) {
    limits.bytes = static_cast<uint64_t>(std::max(*gigabytes, 0.1) * 1e9);
  }
  if (const auto seconds = setting("SINEW_READ_SECONDS", "seconds")) limits.seconds = *seconds;
  return limits;
}

ForeignMesh read_foreign_mesh(const std::filesystem::path& path, CancelView cancel) {
  return read_elsewhere("mesh", path, cancel, take_mesh);
}

Rig read_foreign_rig(const std::filesystem::path& path, CancelView cancel) {
  return read_elsewhere("rig", path, cancel, take_rig);
}

std::vector<std::string> foreign_endings() {
  std::vector<std::string> endings(std::begin(usual), std::end(usual));
  const std::vector<std::string> names = asked_for();
  const bool all = std::find(names.begin(), names.end(), "all") != names.end();
  for (const std::string_view ending : rare) {
    if (all || std::find(names.begin(), names.end(), ending) != names.end()) {
      endings.emplace_back(ending);
    }
  }
  std::sort(endings.begin(), endings.end());
  return endings;
}

std::string how_to_read(const std::string& ending) {
  if (std::find(std::begin(rare), std::end(rare), ending) == std::end(rare)) return "";
  return fmt::format(
      "'.{}' is one of the rarely used formats, which are read only if asked for: start the "
      "program with SINEW_FORMATS={} in its environment",
      ending, ending);
}

}  // namespace sinew
