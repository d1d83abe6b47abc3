// Universal Scene Description as text: a mesh for each body with its points over time, the numbers
// that it carries as a primvar, and their colours as displayColor.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <iterator>

#include "exchange/formats.h"
#include "exchange/part_stream.h"
#include "exchange/spool.h"
#include "nodes/geometry/parallel.h"
#include "render/colour_maps.h"

namespace sinew::exchange {
namespace {

// "[a, b, c]" of `count` elements, in parallel pieces that keep their order.
template <class Element>
std::string list_text(std::size_t count, const Element& element) {
  constexpr std::size_t block = 16384;
  std::vector<std::string> pieces((count + block - 1) / block);
  parallel_blocks(
      count,
      [&](std::size_t begin, std::size_t end) {
        auto out = std::back_inserter(pieces[begin / block]);
        for (std::size_t i = begin; i < end; ++i) {
          if (i > 0) fmt::format_to(out, ", ");
          element(out, i);
        }
      },
      block);
  std::string text = "[";
  for (const std::string& piece : pieces) text += piece;
  return text + "]";
}

template <class Vectors>
std::string vectors_text(const Vectors& list) {
  return list_text(list.size(), [&](auto& out, std::size_t i) {
    fmt::format_to(out, "({}, {}, {})", list[i][0], list[i][1], list[i][2]);
  });
}

// Text inside of double quotes.
std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  }
  return out + "\"";
}

// An attribute that may change: while it does not, it is written once.
class Track {
 public:
  Track(std::string declaration, std::string meta)
      : declaration_(std::move(declaration)), meta_(std::move(meta)) {}

  Result<void> add(int frame, std::string value) {
    if (count_ == 0) first_ = value;
    if (!changed_ && value != first_) {
      changed_ = true;
      for (const int f : same_)
        if (const Result<void> ok = sample(f, first_); !ok) return ok;
    }
    ++count_;
    if (changed_) return sample(frame, value);
    same_.push_back(frame);
    return {};
  }

  Result<void> write(PartStream& out) {
    const std::string end = meta_.empty() ? "\n" : fmt::format(" (\n{}        )\n", meta_);
    if (!changed_) return out.write(fmt::format("        {} = {}{}", declaration_, first_, end));
    // What is said about an attribute stands beside its declaration, its values over time apart.
    if (!meta_.empty())
      if (const Result<void> ok = out.write(fmt::format("        {}{}", declaration_, end)); !ok)
        return ok;
    if (const Result<void> ok =
            out.write(fmt::format("        {}.timeSamples = {{\n", declaration_));
        !ok)
      return ok;
    if (const Result<void> ok = spool_.read([&](std::string_view s) { return out.write(s); }); !ok)
      return ok;
    return out.write("        }\n");
  }

 private:
  Result<void> sample(int frame, const std::string& value) {
    return spool_.add(fmt::format("            {}: {},\n", frame, value));
  }

  std::string declaration_, meta_, first_;
  std::vector<int> same_;  // frames so far, while nothing has changed
  bool changed_ = false;
  std::size_t count_ = 0;
  Spool spool_;
};

struct BodyTracks {
  Body first;
  Track points{"point3f[] points", ""}, extent{"float3[] extent", ""};
  std::optional<Track> numbers, colours;

  explicit BodyTracks(const Body& body) : first(body) {
    if (!body.values) return;
    const std::string per = fmt::format("            interpolation = \"{}\"\n",
                                        body.values->per_triangle ? "uniform" : "vertex");
    const std::string unit =
        body.values->unit.empty()
            ? ""
            : fmt::format("            doc = {}\n", in_quotes("in " + body.values->unit));
    numbers.emplace(fmt::format("float[] primvars:{}", body.values->name), unit + per);
    colours.emplace("color3f[] primvars:displayColor", per);
  }

  Result<void> add(int frame, const Body& body) {
    Eigen::AlignedBox3f box;
    for (const Vec3f& p : body.mesh.positions) box.extend(p);
    Result<void> ok = points.add(frame, vectors_text(body.mesh.positions));
    if (ok) ok = extent.add(frame, vectors_text(std::array{box.min(), box.max()}));
    if (!ok || !numbers || !body.values) return ok;
    const Values& v = *body.values;
    ok = numbers->add(frame, list_text(v.numbers.size(), [&](auto& out, std::size_t i) {
                        fmt::format_to(out, "{}", v.numbers[i]);
                      }));
    return ok ? colours->add(frame, colours_text(v)) : ok;
  }

  // USD has linear colours, and three digits are more than an eye sees.
  static std::string colours_text(const Values& values) {
    return list_text(values.colours.size(), [&](auto& out, std::size_t i) {
      const Eigen::Vector3f& c = values.colours[i];
      fmt::format_to(out, "({:.3g}, {:.3g}, {:.3g})", render::linear_of(c[0]),
                     render::linear_of(c[1]), render::linear_of(c[2]));
    });
  }

  Result<void> write(PartStream& out) {
    const std::span<const Triangle> triangles = first.mesh.triangles();
    Result<void> ok = out.write(fmt::format(
        "    def Mesh \"{}\"\n    {{\n        uniform token subdivisionScheme = \"none\"\n"
        "        int[] faceVertexCounts = {}\n        int[] faceVertexIndices = {}\n",
        first.name, list_text(triangles.size(), [](auto& o, std::size_t) { *o++ = '3'; }),
        list_text(triangles.size(), [&](auto& o, std::size_t i) {
          fmt::format_to(o, "{}, {}, {}", triangles[i][0], triangles[i][1], triangles[i][2]);
        })));
    const std::vector<Vec2f>& uvs = first.mesh.topology->corner_uvs;
    if (ok && !uvs.empty())
      ok = out.write(
          fmt::format("        texCoord2f[] primvars:st = {} (\n            interpolation = "
                      "\"faceVarying\"\n        )\n",
                      list_text(uvs.size(), [&](auto& o, std::size_t i) {
                        fmt::format_to(o, "({}, {})", uvs[i][0], uvs[i][1]);
                      })));
    if (ok) ok = extent.write(out);
    if (ok) ok = points.write(out);
    if (ok && colours) ok = colours->write(out);
    if (ok && numbers) ok = numbers->write(out);
    if (ok && !colours) {
      Values plain;
      plain.colours = {first.colour};
      ok =
          out.write(fmt::format("        color3f[] primvars:displayColor = {} (\n            "
                                "interpolation = \"constant\"\n        )\n",
                                colours_text(plain)));
    }
    return ok ? out.write("    }\n") : ok;
  }
};

class UsdaWriter : public Writer {
 public:
  UsdaWriter(const WriterOptions& options, PartStream stream)
      : options_(options), stream_(std::move(stream)) {}

  Result<void> add(const Scene& scene) override {
    if (tracks_.empty()) {
      for (const Body& body : scene.bodies) tracks_.emplace_back(body);
    } else {
      for (std::size_t b = 0; b < tracks_.size(); ++b) {
        const std::span<const Body> now =
            b < scene.bodies.size() ? std::span(&scene.bodies[b], 1) : std::span<const Body>();
        if (const std::string change = change_of_shape({&tracks_[b].first, 1}, now);
            !change.empty())
          return Error{change};
      }
      if (scene.bodies.size() > tracks_.size())
        return Error{fmt::format("there are {} bodies, and there were {}", scene.bodies.size(),
                                 tracks_.size())};
    }
    for (std::size_t b = 0; b < tracks_.size(); ++b)
      if (const Result<void> ok = tracks_[b].add(scene.frame, scene.bodies[b]); !ok) return ok;
    return {};
  }

  Result<Report> finish(const std::function<bool()>& stopped) override {
    const int last = options_.first_frame + options_.frame_count - 1;
    Result<void> ok = stream_.write(fmt::format(
        "#usda 1.0\n(\n    defaultPrim = \"Sinew\"\n    doc = {}\n    endTimeCode = {}\n"
        "    framesPerSecond = {}\n    metersPerUnit = {}\n    startTimeCode = {}\n"
        "    timeCodesPerSecond = {}\n    upAxis = \"{}\"\n)\n\n"
        "def Xform \"Sinew\" (\n    kind = \"component\"\n)\n{{\n",
        in_quotes(options_.title), last, options_.fps, options_.space.metres_per_unit,
        options_.first_frame, options_.fps, options_.space.up == UpAxis::y ? "Y" : "Z"));
    for (BodyTracks& track : tracks_) {
      if (stopped()) return Error{"stopped"};
      if (ok) ok = track.write(stream_);
    }
    if (ok) ok = stream_.write("}\n");
    if (ok) ok = stream_.finish();
    if (!ok) return Error{ok.error()};
    return Report{{options_.file}, {}};
  }

 private:
  WriterOptions options_;
  PartStream stream_;
  std::vector<BodyTracks> tracks_;
};

}  // namespace

Result<std::unique_ptr<Writer>> open_usda(const WriterOptions& options) {
  Result<PartStream> stream = PartStream::open(options.file);
  if (!stream) return Error{stream.error()};
  return std::unique_ptr<Writer>(std::make_unique<UsdaWriter>(options, std::move(*stream)));
}

}  // namespace sinew::exchange
