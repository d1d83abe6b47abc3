// .pc2 and .mdd with the mesh that they move as .obj, at its first frame.
#include <fmt/format.h>

#include "exchange/formats.h"
#include "exchange/part_stream.h"
#include "graph/frame_time.h"
#include "graph/made_files.h"
#include "nodes/geometry/mesh_writers.h"
#include "nodes/geometry/point_cache.h"

namespace sinew::exchange {
namespace {

namespace fs = std::filesystem;

class PointCacheWriter : public Writer {
 public:
  PointCacheWriter(const WriterOptions& options, PointCacheFormat format, PartStream stream)
      : options_(options), stream_(std::move(stream)) {
    header_.format = format;
    for (int k = 0; k < options.frame_count; ++k) {
      const int frame = options.first_frame + k;
      header_.times.push_back(format == PointCacheFormat::pc2 ? frame
                                                              : seconds_at(frame, options.fps));
    }
  }

  Result<void> add(const Scene& scene) override {
    Body body = merged(scene);
    if (!first_) {
      header_.points = body.mesh.vertex_count();
      if (const Result<void> ok = stream_.write(encode_cache_header(header_)); !ok) return ok;
      first_ = std::move(body);
      return stream_.write(encode_cache_sample(header_.format, first_->mesh.positions));
    }
    if (const std::string change = change_of_shape({&*first_, 1}, {&body, 1}); !change.empty())
      return Error{change};
    return stream_.write(encode_cache_sample(header_.format, body.mesh.positions));
  }

  Result<Report> finish(const std::function<bool()>&) override {
    const fs::path mesh = fs::path(options_.file).replace_extension(".obj");
    const Values values = values_at_vertices(*first_);
    const std::string text =
        encode_obj(first_->mesh,
                   {first_->values ? std::span(values.colours) : std::span<const Vec3f>(), {}, {}});
    MadeFiles made;
    made.add(mesh);
    if (const Result<void> ok = write_file_atomically(mesh, text); !ok)
      return Error{fmt::format("'{}' {}", mesh.string(), ok.error())};
    if (const Result<void> ok = stream_.finish(); !ok) return Error{ok.error()};
    made.keep();
    return Report{{options_.file, mesh}, {}};
  }

 private:
  WriterOptions options_;
  PartStream stream_;
  PointCacheHeader header_;
  std::optional<Body> first_;
};

}  // namespace

Result<std::unique_ptr<Writer>> open_point_cache(const WriterOptions& options, bool mdd) {
  Result<PartStream> stream = PartStream::open(options.file);
  if (!stream) return Error{stream.error()};
  return std::unique_ptr<Writer>(std::make_unique<PointCacheWriter>(
      options, mdd ? PointCacheFormat::mdd : PointCacheFormat::pc2, std::move(*stream)));
}

}  // namespace sinew::exchange
