// Point caches: where the vertices of a mesh are, moment after moment, and nothing else. Two small
// formats that nearly every tool reads:
//
//   .pc2  "POINTCACHE2", version 1, points, first frame and frames per sample as floats, samples;
//         then x y z of every point for every sample, as floats. Little endian
//   .mdd  samples, points, the time of every sample in seconds; then x y z as above. Big endian
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew {

enum class PointCacheFormat : uint8_t { pc2, mdd };

struct PointCacheHeader {
  PointCacheFormat format = PointCacheFormat::pc2;
  std::size_t points = 0;
  // One for each sample, increasing: numbers of frames (.pc2) or seconds (.mdd).
  std::vector<double> times;
};

struct PointCache {
  PointCacheHeader header;
  std::vector<Vec3f> places;  // of point p in sample k: entry points * k + p

  std::size_t samples() const { return header.times.size(); }
  std::span<const Vec3f> sample(std::size_t k) const {
    return std::span(places).subspan(k * header.points, header.points);
  }
};

inline constexpr std::size_t most_cache_samples = 1'000'000;

// Times of a .pc2 must be evenly apart. Throws FormatError.
std::string encode_cache_header(const PointCacheHeader& header);
std::string encode_cache_sample(PointCacheFormat format, std::span<const Vec3f> places);

// The format is that of the ending. Throws FileError or Stopped.
PointCache load_point_cache(const std::filesystem::path& path, CancelView cancel = {});

// In lower case, without the dot.
std::vector<std::string> point_cache_endings();

}  // namespace sinew
