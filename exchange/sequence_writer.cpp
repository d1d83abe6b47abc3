// A .ply or .obj for each frame. Bodies may become others from frame to frame.
#include <fmt/format.h>

#include "exchange/formats.h"
#include "graph/atomic_file.h"
#include "graph/made_files.h"
#include "nodes/geometry/mesh_writers.h"

namespace sinew::exchange {
namespace {

namespace fs = std::filesystem;

class SequenceWriter : public Writer {
 public:
  SequenceWriter(const WriterOptions& options, bool ply) : options_(options), ply_(ply) {
    const int last = options.first_frame + options.frame_count - 1;
    digits_ = std::max<std::size_t>(4, std::to_string(last).size());
  }

  Result<void> add(const Scene& scene) override {
    const Body body = merged(scene);
    VertexExtras extras;
    Values values;
    if (body.values) {
      values = values_at_vertices(body);
      extras = {values.colours, values.name, values.numbers};
    }
    const fs::path file = file_of(scene.frame);
    made_.add(file);
    const std::string bytes = ply_ ? encode_ply(body.mesh, extras) : encode_obj(body.mesh, extras);
    if (const Result<void> ok = write_file_atomically(file, bytes); !ok)
      return Error{fmt::format("'{}' {}", file.string(), ok.error())};
    files_.push_back(file);
    return {};
  }

  Result<Report> finish(const std::function<bool()>&) override {
    made_.keep();
    return Report{files_, {}};
  }

 private:
  // shot_####.ply: the number stands where the signs are; else behind the name.
  fs::path file_of(int frame) const {
    const std::string name = options_.file.filename().string();
    const std::size_t first = name.find('#');
    if (first == std::string::npos)
      return fs::path(options_.file)
          .replace_filename(fmt::format("{}_{:0{}}{}", options_.file.stem().string(), frame,
                                        digits_, options_.file.extension().string()));
    std::size_t end = first;
    while (end < name.size() && name[end] == '#') ++end;
    return fs::path(options_.file)
        .replace_filename(
            fmt::format("{}{:0{}}{}", name.substr(0, first), frame, end - first, name.substr(end)));
  }

  WriterOptions options_;
  bool ply_;
  std::size_t digits_ = 4;
  std::vector<fs::path> files_;
  MadeFiles made_;
};

}  // namespace

Result<std::unique_ptr<Writer>> open_sequence(const WriterOptions& options,
                                              const std::string& ending) {
  return std::unique_ptr<Writer>(std::make_unique<SequenceWriter>(options, ending == "ply"));
}

}  // namespace sinew::exchange
