#include "nodes/point_cache_words.h"

#include <algorithm>

#include "nodes/geometry/file_names.h"
#include "nodes/geometry/format_error.h"
#include "nodes/geometry/gltf_clip.h"
#include "nodes/geometry/naming_file.h"
#include "nodes/geometry/point_cache.h"

namespace sinew {
namespace {

bool is_gltf(const std::filesystem::path& path) {
  const std::vector<std::string> endings = vertex_clip_endings();
  return std::find(endings.begin(), endings.end(), ending_of(path)) != endings.end();
}

CacheFile read_cache(const std::filesystem::path& path, double fps, CancelView stop) {
  PointCache cache = load_point_cache(path, stop);
  CacheFile made{cache.header.points, {}, std::move(cache.places)};
  // A .pc2 counts frames, those of the document; an .mdd has seconds.
  const double per_second = cache.header.format == PointCacheFormat::pc2 ? fps : 1;
  for (const double t : cache.header.times) made.seconds.push_back(seconds_at(t, per_second));
  return made;
}

}  // namespace

std::vector<Vec3f> CacheFile::at(double time) const {
  const auto after = std::upper_bound(seconds.begin(), seconds.end(), time) - seconds.begin();
  const auto b = std::min<std::size_t>(static_cast<std::size_t>(after), seconds.size() - 1);
  const std::size_t a = b > 0 ? b - 1 : 0;
  const double gap = seconds[b] - seconds[a];
  const auto s = static_cast<float>(gap > 0 ? std::clamp((time - seconds[a]) / gap, 0.0, 1.0) : 0);
  const std::span<const Vec3f> from = sample(a), to = sample(b);
  std::vector<Vec3f> now(from.begin(), from.end());
  if (s > 0) {
    for (std::size_t v = 0; v < now.size(); ++v) now[v] += s * (to[v] - now[v]);
  }
  return now;
}

void CacheSockets::declare(Declaration& d) {
  std::vector<std::string> endings = point_cache_endings();
  for (const std::string& more : vertex_clip_endings()) endings.push_back(more);
  d.in(file, "file", "")
      .reads_file(std::move(endings))
      .doc(
          "A point cache, .pc2 or .mdd, made for this mesh: as many points, in the same order. Or "
          "a glTF, .glb or .gltf, that moves this mesh by nodes, joints or morph targets; Load "
          "Mesh reads the mesh from it.");
  d.in(clip, "clip", "").doc("Which of a glTF's motions, by its name or number. Empty: the first.");
  units.declare(d);
}

std::shared_ptr<const CacheFile> CacheSockets::read(Exec& e, std::size_t vertices) const {
  if (e.get(file).empty()) {
    e.error("no file is chosen; set 'file' to the name of a .pc2, .mdd, .glb or .gltf");
    return nullptr;
  }
  if (const auto flaw = flaw_of_file_name(e.get(file))) {
    e.error("{}", *flaw);
    return nullptr;
  }
  try {
    const LoadOptions options = units.options(e);
    const double dt = e.dt();
    const auto path = e.resolve(e.get(file));
    const bool gltf = is_gltf(path);
    const auto read_file = [&] {
      return stoppable(e, [&](CancelView stop) {
        CacheFile made;
        if (gltf) {
          VertexClip read = load_vertex_clip(path, {e.get(clip), dt, vertices}, stop);
          made = {read.points, std::move(read.times), std::move(read.places)};
        } else {
          made = read_cache(path, e.fps(), stop);
        }
        naming_file(path, [&] {
          adapt_places(made.places, options);
          return 0;
        });
        return made;
      });
    };
    // Of a glTF, the mesh decides whether vertices at one place are one.
    const std::string name =
        gltf ? fmt::format("vertex clip {} {}", dt, vertices) : fmt::format("point cache {}", dt);
    auto made =
        e.prepared<CacheFile>(name, read_file, file, clip, units.unit, units.scale, units.up);
    if (made->points == vertices) return made;
    e.error("'{}' has {} points, but the mesh has {} vertices; take the mesh that it was made for",
            e.get(file), made->points, vertices);
  } catch (const FileError& problem) {
    e.error("{}", problem.what());
  }
  return nullptr;
}

}  // namespace sinew
