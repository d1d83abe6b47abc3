// What nodes share that read how the vertices of a mesh move: their sockets, and the file as it is
// asked for, be it a point cache or a clip of a glTF.
#pragma once

#include "nodes/file_units.h"

namespace sinew {

// Vertices over time in seconds and metres, y up.
struct CacheFile {
  std::size_t points = 0;
  std::vector<double> seconds;  // of the samples, increasing
  std::vector<Vec3f> places;    // of point p in sample k: entry points * k + p

  std::size_t samples() const { return seconds.size(); }
  std::span<const Vec3f> sample(std::size_t k) const {
    return std::span(places).subspan(k * points, points);
  }
  // The vertices at any time: straight from sample to sample, and as at its ends beyond them.
  std::vector<Vec3f> at(double time) const;
  std::size_t bytes() const {
    return sizeof *this + places.size() * sizeof(Vec3f) + seconds.size() * sizeof(double);
  }
};

struct CacheSockets {
  In<std::string> file, clip;
  FileUnits units;

  void declare(Declaration& d);
  // For a mesh of so many vertices; null after an error. Needs uses_dt().
  std::shared_ptr<const CacheFile> read(Exec& e, std::size_t vertices) const;
};

}  // namespace sinew
