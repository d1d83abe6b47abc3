#include "app/gallery/model_blob.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "graph/json.h"

namespace sinew::gallery {

namespace {

using Triangle = std::array<uint32_t, 3>;

// Positions and colours are rounded to multiples, so that they pack well: by less than a pixel of
// the viewer, and less than the eye sees.
constexpr int step = 8, colour_step = 5;
constexpr long most_steps = 32767 / step;

void pad(std::string& bytes) { bytes.resize((bytes.size() + 3) / 4 * 4, '\0'); }

template <class T>
void append(std::string& bytes, T value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);  // little endian, as all machines that we run on
  bytes.append(raw, sizeof value);
}

// One body over all frames.
struct Piece {
  std::vector<const exchange::Body*> frames;
  Thinned shape;
};

std::vector<Piece> pieces_of(const std::vector<exchange::Scene>& frames) {
  std::vector<Piece> pieces;
  if (frames.empty()) return pieces;
  for (const exchange::Body& first : frames.front().bodies) {
    Piece piece;
    for (const exchange::Scene& scene : frames)
      for (const exchange::Body& body : scene.bodies)
        if (body.name == first.name && body.mesh.positions.size() == first.mesh.positions.size() &&
            body.mesh.triangles().size() == first.mesh.triangles().size())
          piece.frames.push_back(&body);
    if (piece.frames.size() == frames.size() && !first.mesh.positions.empty())
      pieces.push_back(std::move(piece));
  }
  return pieces;
}

// Positions of what has one colour per vertex at each frame; nothing: it has one colour.
std::vector<std::vector<Eigen::Vector3f>> colours_of(const Piece& piece) {
  std::vector<std::vector<Eigen::Vector3f>> all;
  for (const exchange::Body* body : piece.frames) {
    if (!body->values) return {};
    all.push_back(exchange::values_at_vertices(*body).colours);
    if (all.back().size() != body->mesh.positions.size()) return {};
  }
  // Colours that stay as they are are told once.
  if (std::all_of(all.begin(), all.end(), [&](const auto& c) { return c == all.front(); }))
    all.resize(1);
  return all;
}

int as_byte(float x) {
  return colour_step * static_cast<int>(std::lround(255 / colour_step * std::clamp(x, 0.0f, 1.0f)));
}

// A vertex of the result: the middle of those that it stands for.
Eigen::Vector3f middle_of(const std::vector<Eigen::Vector3f>& values,
                          const std::vector<uint32_t>& which) {
  Eigen::Vector3f sum = Eigen::Vector3f::Zero();
  for (const uint32_t v : which) sum += values[v];
  return sum / static_cast<float>(which.size());
}

class Writer {
 public:
  Writer(std::vector<Piece> pieces, double seconds)
      : pieces_(std::move(pieces)), seconds_(seconds) {
    for (const Piece& piece : pieces_)
      for (const exchange::Body* body : piece.frames)
        for (const std::vector<uint32_t>& v : piece.shape.vertices)
          box_.extend(middle_of(body->mesh.positions, v));
    half_ = std::max(0.5f * box_.sizes().maxCoeff(), 1e-12f);
  }

  std::string write() {
    Json heads = Json::array();
    for (const Piece& piece : pieces_) heads.push_back(add(piece));
    const auto vector = [](const Eigen::Vector3f& v) { return Json{v.x(), v.y(), v.z()}; };
    const Json head = {{"frames", pieces_.front().frames.size()},
                       {"seconds", seconds_},
                       {"box", {vector(box_.min()), vector(box_.max())}},
                       {"pieces", heads}};
    const std::string text = head.dump();
    std::string bytes;
    append(bytes, static_cast<uint32_t>(text.size()));
    bytes += text;
    pad(bytes);
    return bytes + data_;
  }

 private:
  Json add(const Piece& piece) {
    const Thinned& shape = piece.shape;
    const bool small = shape.vertices.size() <= 65536;
    for (const Triangle& t : shape.triangles)
      for (const uint32_t v : t) small ? append(data_, static_cast<uint16_t>(v)) : append(data_, v);
    pad(data_);
    add_positions(piece);
    const std::vector<std::vector<Eigen::Vector3f>> colours = colours_of(piece);
    for (const std::vector<Eigen::Vector3f>& frame : colours)
      for (const std::vector<uint32_t>& v : shape.vertices) {
        const Eigen::Vector3f colour = middle_of(frame, v);
        for (int k = 0; k < 3; ++k) data_ += static_cast<char>(as_byte(colour[k]));
      }
    pad(data_);
    const Eigen::Vector3f& c = piece.frames.front()->colour;
    return {{"vertices", shape.vertices.size()},
            {"triangles", shape.triangles.size()},
            {"index_bytes", small ? 2 : 4},
            {"colour_frames", colours.size()},
            {"colour", {as_byte(c.x()), as_byte(c.y()), as_byte(c.z())}}};
  }

  void add_positions(const Piece& piece) {
    const Eigen::Vector3f centre = box_.center();
    std::vector<int> last(3 * piece.shape.vertices.size(), 0);
    for (const exchange::Body* body : piece.frames) {
      std::size_t i = 0;
      for (const std::vector<uint32_t>& v : piece.shape.vertices) {
        const Eigen::Vector3f p = (middle_of(body->mesh.positions, v) - centre) / half_;
        for (int k = 0; k < 3; ++k, ++i) {
          const long steps = std::lround(32767.0f / step * p[k]);
          const int now = step * static_cast<int>(std::clamp(steps, -most_steps, most_steps));
          append(data_, static_cast<uint16_t>(now - last[i]));
          last[i] = now;
        }
      }
    }
    pad(data_);
  }

  std::vector<Piece> pieces_;
  double seconds_;
  Eigen::AlignedBox3f box_;
  float half_ = 1;
  std::string data_;
};

// Which part of a mesh each vertex is in: bodies that touch are not melted together.
std::vector<uint32_t> parts_of(const Mesh& mesh) {
  std::vector<uint32_t> part(mesh.positions.size());
  for (std::size_t v = 0; v < part.size(); ++v) part[v] = static_cast<uint32_t>(v);
  const auto root = [&](uint32_t v) {
    while (part[v] != v) v = part[v] = part[part[v]];
    return v;
  };
  for (const auto& t : mesh.triangles())
    for (int k = 1; k < 3; ++k)
      part[root(static_cast<uint32_t>(t[k]))] = root(static_cast<uint32_t>(t[0]));
  for (std::size_t v = 0; v < part.size(); ++v) part[v] = root(static_cast<uint32_t>(v));
  return part;
}

// Which of six ways a vertex looks: the two sides of a thin wall stay two.
std::vector<int> sides_of(const Mesh& mesh) {
  std::vector<Eigen::Vector3f> normals(mesh.positions.size(), Eigen::Vector3f::Zero());
  for (const auto& t : mesh.triangles()) {
    const auto at = [&](int k) -> const Vec3f& {
      return mesh.positions[static_cast<std::size_t>(t[k])];
    };
    const Eigen::Vector3f n = (at(1) - at(0)).cross(at(2) - at(0));
    for (int k = 0; k < 3; ++k) normals[static_cast<std::size_t>(t[k])] += n;
  }
  std::vector<int> sides;
  for (const Eigen::Vector3f& n : normals) {
    int axis = 0;
    n.cwiseAbs().maxCoeff(&axis);
    sides.push_back(2 * axis + (n[axis] < 0 ? 1 : 0));
  }
  return sides;
}

struct Neighbourhoods {
  std::vector<uint32_t> part;
  std::vector<int> side;
  Eigen::AlignedBox3f box;
};

// The same with cells of this size; vertices in the order in which they are met.
Thinned with_cells(const Mesh& mesh, const Neighbourhoods& near, float cell) {
  Thinned result;
  std::map<std::array<int64_t, 5>, uint32_t> cells;
  std::vector<uint32_t> cell_of(mesh.positions.size());
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const Eigen::Vector3f at = (mesh.positions[v] - near.box.min()) / cell;
    const std::array<int64_t, 5> key = {static_cast<int64_t>(at.x()), static_cast<int64_t>(at.y()),
                                        static_cast<int64_t>(at.z()),
                                        static_cast<int64_t>(near.part[v]), near.side[v]};
    const auto [found, is_new] = cells.emplace(key, static_cast<uint32_t>(result.vertices.size()));
    if (is_new) result.vertices.emplace_back();
    result.vertices[found->second].push_back(static_cast<uint32_t>(v));
    cell_of[v] = found->second;
  }
  std::set<Triangle> seen;
  for (const auto& t : mesh.triangles()) {
    const Triangle n = {cell_of[static_cast<std::size_t>(t[0])],
                        cell_of[static_cast<std::size_t>(t[1])],
                        cell_of[static_cast<std::size_t>(t[2])]};
    if (n[0] == n[1] || n[1] == n[2] || n[2] == n[0]) continue;
    Triangle sorted = n;
    std::sort(sorted.begin(), sorted.end());
    if (seen.insert(sorted).second) result.triangles.push_back(n);
  }
  return result;
}

}  // namespace

Thinned thinned(const Mesh& mesh, std::size_t most_vertices) {
  Thinned all;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    all.vertices.push_back({static_cast<uint32_t>(v)});
  for (const auto& t : mesh.triangles())
    all.triangles.push_back(
        {static_cast<uint32_t>(t[0]), static_cast<uint32_t>(t[1]), static_cast<uint32_t>(t[2])});
  if (all.vertices.size() <= most_vertices) return all;
  Neighbourhoods near{parts_of(mesh), sides_of(mesh), {}};
  for (const auto& p : mesh.positions) near.box.extend(p);
  const float size = std::max(near.box.sizes().maxCoeff(), 1e-12f);
  // The finest grid that is coarse enough, by halving.
  float low = size / 2000, high = size;
  Thinned best = with_cells(mesh, near, high);
  for (int i = 0; i < 12; ++i) {
    const float cell = std::sqrt(low * high);
    Thinned tried = with_cells(mesh, near, cell);
    if (tried.vertices.size() <= most_vertices) {
      best = std::move(tried);
      high = cell;
    } else {
      low = cell;
    }
  }
  return best;
}

std::string model_blob(const std::vector<exchange::Scene>& frames, double seconds,
                       const BlobLimits& limits) {
  std::vector<Piece> pieces = pieces_of(frames);
  std::size_t vertices = 0;
  for (const Piece& p : pieces) vertices += p.frames.front()->mesh.positions.size();
  if (vertices == 0) return "";
  // Each gives up as much as the others do.
  const double part =
      std::min(1.0, static_cast<double>(limits.vertices) / static_cast<double>(vertices));
  for (Piece& p : pieces) {
    const Mesh& mesh = p.frames.front()->mesh;
    const auto most = static_cast<std::size_t>(part * static_cast<double>(mesh.positions.size()));
    p.shape = thinned(mesh, std::max<std::size_t>(most, 24));
  }
  return Writer(std::move(pieces), seconds).write();
}

std::string gzipped(std::string_view bytes) {
  z_stream stream{};
  constexpr int gzip_window = 15 + 16;
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_window, 9, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    return "";
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int end = deflate(&stream, Z_FINISH);
  out.resize(end == Z_STREAM_END ? stream.total_out : 0);
  deflateEnd(&stream);
  return out;
}

std::string base64(std::string_view bytes) {
  static constexpr char letters[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : letters[three >> (18 - 6 * k) & 63];
  }
  return text;
}

}  // namespace sinew::gallery
