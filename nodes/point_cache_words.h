// What nodes that read point caches share: their sockets, and the file as it is asked for.
#pragma once

#include "nodes/file_units.h"
#include "nodes/geometry/point_cache.h"

namespace sinew {

// A cache in seconds and metres, y up.
struct CacheFile {
  PointCache cache;
  std::vector<double> seconds;  // of the samples, increasing

  std::size_t bytes() const { return sizeof *this + cache.places.size() * sizeof(Vec3f); }
};

struct CacheSockets {
  In<std::string> file;
  FileUnits units;

  void declare(Declaration& d);
  // For a mesh of so many vertices; null after an error. Needs uses_dt().
  std::shared_ptr<const CacheFile> read(Exec& e, std::size_t vertices) const;
};

}  // namespace sinew
