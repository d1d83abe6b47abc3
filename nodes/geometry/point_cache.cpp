#include "nodes/geometry/point_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "nodes/geometry/file_bytes.h"
#include "nodes/geometry/file_cursor.h"
#include "nodes/geometry/file_names.h"
#include "nodes/geometry/format_error.h"
#include "nodes/geometry/naming_file.h"
#include "nodes/geometry/parallel.h"

namespace sinew {
namespace {

constexpr std::string_view pc2_mark{"POINTCACHE2\0", 12};

template <class T>
void put(std::string& out, T value, bool big) {
  auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
  if (big != (std::endian::native == std::endian::big)) std::reverse(raw.begin(), raw.end());
  out.append(raw.data(), raw.size());
}

PointCacheHeader read_pc2_header(FileCursor& file) {
  PointCacheHeader header;
  header.format = PointCacheFormat::pc2;
  if (!file.starts_with(pc2_mark)) file.fail("it does not begin with POINTCACHE2");
  file.take(pc2_mark.size(), "the mark");
  if (const auto version = file.value<int32_t>("the version"); version != 1)
    file.fail("it has version {}, and only 1 is known", version);
  const auto points = file.value<int32_t>("the number of points");
  const float start =
      file.finite(static_cast<double>(file.value<float>("the first frame")), "the first frame");
  const float rate =
      file.finite(static_cast<double>(file.value<float>("the sampling")), "the sampling");
  const auto samples = file.value<int32_t>("the number of samples");
  header.points = file.checked_count(points, "points", 12);
  const std::size_t count =
      file.checked_count(samples, "samples", 12 * std::max<std::size_t>(1, header.points));
  if (count > 1 && !(rate > 0)) file.fail("its samples are {} frames apart", rate);
  for (std::size_t k = 0; k < count && k <= most_cache_samples; ++k)
    header.times.push_back(static_cast<double>(start) +
                           static_cast<double>(k) * static_cast<double>(rate));
  return header;
}

PointCacheHeader read_mdd_header(FileCursor& file) {
  PointCacheHeader header;
  header.format = PointCacheFormat::mdd;
  file.set_big_endian(true);
  const auto samples = file.value<int32_t>("the number of samples");
  const auto points = file.value<int32_t>("the number of points");
  header.points = file.checked_count(points, "points", 12);
  const std::size_t count = file.checked_count(samples, "samples", 4 + 12 * header.points);
  for (std::size_t k = 0; k < count && k <= most_cache_samples; ++k) {
    const float time = file.finite(static_cast<double>(file.value<float>("a time")), "a time");
    if (k > 0 && !(static_cast<double>(time) > header.times.back()))
      file.fail("the time of sample {} is not after the one before it", k);
    header.times.push_back(static_cast<double>(time));
  }
  return header;
}

PointCache parse(std::string_view bytes, PointCacheFormat format, CancelView cancel) {
  FileCursor file(bytes, cancel);
  file.set_binary(true);
  file.set_big_endian(false);
  PointCache cache;
  cache.header = format == PointCacheFormat::pc2 ? read_pc2_header(file) : read_mdd_header(file);
  if (cache.samples() == 0 || cache.header.points == 0)
    throw FormatError("it has no points or no samples");
  if (cache.samples() > most_cache_samples)
    throw FormatError(fmt::format("it has more than {} samples", most_cache_samples));
  const std::size_t count = cache.samples() * cache.header.points;
  const char* raw = file.take(12 * count, "the places");
  if (file.left() > 0)
    throw FormatError(fmt::format("{} bytes follow after the last sample", file.left()));
  cache.places.resize(count);
  std::memcpy(static_cast<void*>(cache.places.data()), raw, 12 * count);
  if (format == PointCacheFormat::mdd && std::endian::native == std::endian::little) {
    parallel_blocks(count, [&](std::size_t begin, std::size_t end) {
      cancel.check();
      for (std::size_t i = begin; i < end; ++i) {
        for (float& x : cache.places[i]) {
          auto swapped = std::bit_cast<std::array<char, 4>>(x);
          std::reverse(swapped.begin(), swapped.end());
          x = std::bit_cast<float>(swapped);
        }
      }
    });
  }
  const auto bad = std::find_if(cache.places.begin(), cache.places.end(),
                                [](const Vec3f& p) { return !p.allFinite(); });
  if (bad != cache.places.end()) {
    const auto at = static_cast<std::size_t>(bad - cache.places.begin());
    throw FormatError(fmt::format("point {} of sample {} is not a finite place",
                                  at % cache.header.points, at / cache.header.points));
  }
  return cache;
}

}  // namespace

std::string encode_cache_header(const PointCacheHeader& header) {
  constexpr std::size_t most = INT32_MAX;
  if (header.points > most || header.times.size() > most)
    throw FormatError("there are more points or samples than the format can hold");
  const auto points = static_cast<int32_t>(header.points);
  const auto samples = static_cast<int32_t>(header.times.size());
  std::string out;
  if (header.format == PointCacheFormat::mdd) {
    put(out, samples, true);
    put(out, points, true);
    for (const double t : header.times) put(out, static_cast<float>(t), true);
    return out;
  }
  const std::vector<double>& times = header.times;
  const double step = times.size() > 1 ? times[1] - times[0] : 1;
  for (std::size_t k = 2; k < times.size(); ++k)
    if (std::abs(times[k] - times[k - 1] - step) > 1e-6 * std::abs(step))
      throw FormatError("the samples of a .pc2 must be evenly apart");
  out = pc2_mark;
  put(out, int32_t{1}, false);
  put(out, points, false);
  put(out, static_cast<float>(times.empty() ? 0 : times[0]), false);
  put(out, static_cast<float>(step), false);
  put(out, samples, false);
  return out;
}

std::string encode_cache_sample(PointCacheFormat format, std::span<const Vec3f> places) {
  std::string out;
  out.reserve(12 * places.size());
  for (const Vec3f& p : places)
    for (const float x : p) put(out, x, format == PointCacheFormat::mdd);
  return out;
}

PointCache load_point_cache(const std::filesystem::path& path, CancelView cancel) {
  return naming_file(path, [&] {
    const std::string ending = ending_of(path);
    if (ending != "pc2" && ending != "mdd")
      throw FormatError("point caches have the ending .pc2 or .mdd");
    return parse(FileBytes(path, cancel).text(),
                 ending == "pc2" ? PointCacheFormat::pc2 : PointCacheFormat::mdd, cancel);
  });
}

std::vector<std::string> point_cache_endings() { return {"mdd", "pc2"}; }

}  // namespace sinew
