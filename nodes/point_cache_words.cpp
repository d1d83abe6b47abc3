#include "nodes/point_cache_words.h"

#include "nodes/geometry/file_names.h"
#include "nodes/geometry/format_error.h"
#include "nodes/geometry/naming_file.h"

namespace sinew {

void CacheSockets::declare(Declaration& d) {
  d.in(file, "file", "")
      .reads_file(point_cache_endings())
      .doc("A point cache, .pc2 or .mdd, made for this mesh: as many points, in the same order.");
  units.declare(d);
}

std::shared_ptr<const CacheFile> CacheSockets::read(Exec& e, std::size_t vertices) const {
  if (e.get(file).empty()) {
    e.error("no file is chosen; set 'file' to the name of a .pc2 or .mdd");
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
    const auto read_file = [&] {
      return stoppable(e, [&](CancelView stop) {
        CacheFile made{load_point_cache(path, stop), {}};
        naming_file(path, [&] {
          adapt_places(made.cache.places, options);
          return 0;
        });
        // A .pc2 counts frames, those of the document; an .mdd has seconds.
        const bool frames = made.cache.header.format == PointCacheFormat::pc2;
        for (const double t : made.cache.header.times) {
          made.seconds.push_back(frames ? t * dt : t);
        }
        return made;
      });
    };
    auto made = e.prepared<CacheFile>(fmt::format("point cache {}", dt), read_file, file,
                                      units.unit, units.scale, units.up);
    if (made->cache.header.points == vertices) return made;
    e.error("'{}' has {} points, but the mesh has {} vertices; take the mesh that it was made for",
            e.get(file), made->cache.header.points, vertices);
  } catch (const FileError& problem) {
    e.error("{}", problem.what());
  }
  return nullptr;
}

}  // namespace sinew
