// Several files in one: a tar, compressed by zstd. What comes from strangers is read as if they
// meant harm: nothing is written, everything is bounded, and only plain files with harmless names
// pass.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "graph/result.h"

namespace sinew {

struct ArchiveFile {
  std::string name;  // "meshes/heart.obj": relative, forward slashes
  std::string content;

  bool operator==(const ArchiveFile&) const = default;
};

struct ArchiveLimits {
  std::size_t bytes = std::size_t{256} << 20;  // of all content together, unpacked
  std::size_t files = 1000;
};

// Whether a name stays inside of the folder that it is put into: relative, of plain parts, none of
// them "." or "..", without backslashes, colons and control characters, and not too long. Empty: it
// does; else what is wrong with it.
std::string flaw_of_inner_name(std::string_view name);

// The same files give the same bytes: no times, no owners, in the order of their names. The error
// names the file that cannot be in it.
Result<std::string> pack_archive(std::vector<ArchiveFile> files);

// The error is one line. Links, folders, devices, names that lead elsewhere, a name twice, more
// than the limits, a wrong checksum, or anything after the end are refused as a whole.
Result<std::vector<ArchiveFile>> unpack_archive(std::string_view bytes,
                                                const ArchiveLimits& limits = {});

}  // namespace sinew
