#include "app/editor/thumbnail.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "render/bounds.h"
#include "render/colour_maps.h"

namespace sinew::editor {
namespace {

constexpr int fineness = 2;  // samples along each side of a pixel
constexpr float yaw = 30, pitch = 18;
constexpr double pause = 0.25;          // seconds between two pictures of what moves
constexpr double forgotten_after = 30;  // seconds that nobody asks for it
constexpr std::size_t most_segments = 4000;

class Raster {
 public:
  Raster(const draw::DrawList& list, int width, int height, const render::Box& box)
      : list_(list),
        width_(fineness * width),
        height_(fineness * height),
        depth_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), INFINITY),
        colour_(depth_.size()) {
    const float a = yaw * std::numbers::pi_v<float> / 180,
                b = pitch * std::numbers::pi_v<float> / 180;
    toward_ = Eigen::Vector3f(std::sin(a) * std::cos(b), std::sin(b), std::cos(a) * std::cos(b));
    right_ = Eigen::Vector3f(std::cos(a), 0, -std::sin(a));
    up_ = toward_.cross(right_);
    light_ = (toward_ + 0.7f * up_ - 0.4f * right_).normalized();
    fit(box);
  }

  render::Picture run() {
    for (const draw::Mesh& mesh : list_.meshes)
      if (mesh.colour.a >= 0.5f) draw(mesh);
    for (const draw::Glyphs& glyphs : list_.glyphs) draw(glyphs);
    for (const draw::Lines& lines : list_.lines)
      for (std::size_t i = 0; i + 1 < std::min(lines.points.size(), most_segments); i += 2)
        segment(lines.points[i], lines.points[i + 1], lines.colour);
    return shrunk();
  }

 private:
  struct Rgb {
    float r = 0, g = 0, b = 0, a = 0;
  };

  // Pixels to the right and down, and how far away it is.
  Eigen::Vector3f place(const Eigen::Vector3f& p) const {
    const Eigen::Vector3f d = p - middle_;
    return {static_cast<float>(width_) / 2 + factor_ * d.dot(right_),
            static_cast<float>(height_) / 2 - factor_ * d.dot(up_), -d.dot(toward_)};
  }

  void fit(const render::Box& box) {
    if (box.isEmpty()) return;
    middle_ = box.center();
    float across = 1e-9f, high = 1e-9f;
    for (int i = 0; i < 8; ++i) {
      const Eigen::Vector3f d = box.corner(static_cast<render::Box::CornerType>(i)) - middle_;
      across = std::max(across, 2 * std::abs(d.dot(right_)));
      high = std::max(high, 2 * std::abs(d.dot(up_)));
    }
    factor_ =
        0.94f * std::min(static_cast<float>(width_) / across, static_cast<float>(height_) / high);
  }

  Rgb colour_of(const draw::Mesh& mesh, float value) const {
    if (mesh.scale < 0) return {mesh.colour.r, mesh.colour.g, mesh.colour.b, 1};
    const draw::ColourScale& scale = list_.scales[static_cast<std::size_t>(mesh.scale)];
    const auto map = render::colour_map(scale.map);
    const float t = (value - scale.low) / (scale.high - scale.low);
    const auto step = static_cast<std::size_t>(
        std::isfinite(t) ? std::clamp(t, 0.0f, 1.0f) * (render::map_steps - 1) : 0);
    const auto& c = map[step];
    return {static_cast<float>(c[0]) / 255, static_cast<float>(c[1]) / 255,
            static_cast<float>(c[2]) / 255, 1};
  }

  void draw(const draw::Mesh& mesh) {
    const bool by_vertex = mesh.scale >= 0 && mesh.values_per == draw::ValuesPer::vertex &&
                           mesh.values.size() == mesh.positions.size();
    const bool by_triangle = mesh.scale >= 0 && mesh.values_per == draw::ValuesPer::triangle &&
                             mesh.values.size() == mesh.triangles.size();
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      const draw::Triangle& corners = mesh.triangles[t];
      Eigen::Vector3f at[3], p[3];
      float value[3] = {0, 0, 0};
      for (std::size_t i = 0; i < 3; ++i) {
        at[i] = mesh.positions[corners[i]];
        p[i] = place(at[i]);
        value[i] = by_vertex ? mesh.values[corners[i]] : by_triangle ? mesh.values[t] : 0;
      }
      const Eigen::Vector3f normal = (at[1] - at[0]).cross(at[2] - at[0]).normalized();
      // What is seen from behind, through an opening, is lit, too.
      const float facing = normal.dot(toward_) < 0 ? -1.0f : 1.0f;
      const float shade = 0.5f + 0.5f * std::max(0.0f, facing * normal.dot(light_));
      triangle(mesh, p, value, shade);
    }
  }

  void triangle(const draw::Mesh& mesh, const Eigen::Vector3f (&p)[3], const float (&value)[3],
                float shade) {
    const float area = (p[1].x() - p[0].x()) * (p[2].y() - p[0].y()) -
                       (p[1].y() - p[0].y()) * (p[2].x() - p[0].x());
    if (!std::isfinite(area) || area == 0) return;
    const auto low = [&](int axis, int end) {
      const float least = std::min({p[0][axis], p[1][axis], p[2][axis]});
      return std::clamp(static_cast<int>(std::ceil(least - 0.5f)), 0, end);
    };
    const auto high = [&](int axis, int end) {
      const float most = std::max({p[0][axis], p[1][axis], p[2][axis]});
      return std::clamp(static_cast<int>(std::floor(most - 0.5f)) + 1, 0, end);
    };
    for (int y = low(1, height_); y < high(1, height_); ++y) {
      for (int x = low(0, width_); x < high(0, width_); ++x) {
        const float px = static_cast<float>(x) + 0.5f, py = static_cast<float>(y) + 0.5f;
        float w[3];
        for (int i = 0; i < 3; ++i) {
          const Eigen::Vector3f& a = p[(i + 1) % 3];
          const Eigen::Vector3f& b = p[(i + 2) % 3];
          w[i] = ((a.x() - px) * (b.y() - py) - (a.y() - py) * (b.x() - px)) / area;
        }
        if (w[0] < 0 || w[1] < 0 || w[2] < 0) continue;
        const float z = w[0] * p[0].z() + w[1] * p[1].z() + w[2] * p[2].z();
        const std::size_t at = index(x, y);
        if (z >= depth_[at]) continue;
        depth_[at] = z;
        const Rgb c = colour_of(mesh, w[0] * value[0] + w[1] * value[1] + w[2] * value[2]);
        colour_[at] = {shade * c.r, shade * c.g, shade * c.b, 1};
      }
    }
  }

  void draw(const draw::Glyphs& glyphs) {
    for (std::size_t i = 0; i < std::min(glyphs.places.size(), most_segments); ++i) {
      const bool arrow = glyphs.shape == draw::GlyphShape::arrow;
      const Eigen::Vector3f& v = glyphs.vectors[i];
      segment(arrow ? glyphs.places[i] : glyphs.places[i] - 0.5f * v,
              glyphs.places[i] + (arrow ? 1.0f : 0.5f) * v, glyphs.colour);
    }
  }

  // A line two samples wide, a little nearer than it is, so that the body does not swallow it.
  void segment(const Eigen::Vector3f& from, const Eigen::Vector3f& to, const draw::Rgba& c) {
    const Eigen::Vector3f a = place(from), b = place(to);
    const float length = std::max(std::abs(b.x() - a.x()), std::abs(b.y() - a.y()));
    if (!std::isfinite(length)) return;
    const int steps = std::clamp(static_cast<int>(length) + 1, 1, 4 * width_);
    const float nearer = 6 / std::max(factor_, 1e-9f);
    for (int i = 0; i <= steps; ++i) {
      const Eigen::Vector3f p = a + (b - a) * (static_cast<float>(i) / static_cast<float>(steps));
      const int x = static_cast<int>(p.x()), y = static_cast<int>(p.y());
      for (const auto& [dx, dy] : {std::pair(0, 0), std::pair(1, 0), std::pair(0, 1)}) {
        if (x + dx < 0 || y + dy < 0 || x + dx >= width_ || y + dy >= height_) continue;
        const std::size_t at = index(x + dx, y + dy);
        if (p.z() - nearer < depth_[at]) colour_[at] = {c.r, c.g, c.b, 1};
      }
    }
  }

  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }

  render::Picture shrunk() const {
    render::Picture picture;
    picture.width = width_ / fineness;
    picture.height = height_ / fineness;
    picture.rgba.resize(4 * picture.pixels());
    for (int y = 0; y < picture.height; ++y) {
      for (int x = 0; x < picture.width; ++x) {
        Rgb sum;
        for (int i = 0; i < fineness * fineness; ++i) {
          const Rgb& c = colour_[index(fineness * x + i % fineness, fineness * y + i / fineness)];
          sum = {sum.r + c.r, sum.g + c.g, sum.b + c.b, sum.a + c.a};
        }
        if (sum.a == 0) continue;
        const auto byte = [](float v) {
          return static_cast<uint8_t>(std::lround(255 * std::clamp(v, 0.0f, 1.0f)));
        };
        uint8_t* out = picture.pixel(x, y);
        out[0] = byte(sum.r / sum.a);
        out[1] = byte(sum.g / sum.a);
        out[2] = byte(sum.b / sum.a);
        out[3] = byte(sum.a / (fineness * fineness));
      }
    }
    return picture;
  }

  const draw::DrawList& list_;
  const int width_, height_;
  std::vector<float> depth_;
  std::vector<Rgb> colour_;
  Eigen::Vector3f toward_, right_, up_, light_, middle_{0, 0, 0};
  float factor_ = 1;
};

}  // namespace

render::Picture thumbnail(const draw::DrawList& list, int width, int height) {
  return thumbnail(list, width, height, render::bounds_of(list));
}

render::Picture thumbnail(const draw::DrawList& list, int width, int height,
                          const render::Box& box) {
  return Raster(list, width, height, box).run();
}

Thumbnails::Thumbnails(ui::Host& host, std::function<void()> wake, int width, int height)
    : host_(host), wake_(std::move(wake)), width_(width), height_(height) {
  thread_ = std::thread([this] { work(); });
}

Thumbnails::~Thumbnails() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Thumbnails::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ending_ || !jobs_.empty(); });
    if (ending_) return;
    Job job = std::move(jobs_.front());
    jobs_.erase(jobs_.begin());
    working_ = true;
    lock.unlock();
    draw::DrawList list;
    Done done{job.owner, {}};
    // A value that cannot be shown has no picture.
    if (show(job.what, {}, list)) done.picture = thumbnail(list, width_, height_);
    job = {};
    lock.lock();
    done_.push_back(std::move(done));
    working_ = false;
    changed_.notify_all();
    if (wake_) wake_();
  }
}

void Thumbnails::update(double now) {
  std::vector<Done> done;
  {
    const std::lock_guard lock(mutex_);
    done.swap(done_);
  }
  for (Done& d : done) {
    const auto found = entries_.find(d.owner);
    if (found == entries_.end()) continue;
    found->second.waiting = false;
    found->second.texture =
        d.picture.empty() ? ui::Texture() : ui::Texture(host_.layer(), d.picture);
  }
  std::erase_if(entries_, [&](const auto& e) {
    return !e.second.waiting && now - e.second.asked > forgotten_after;
  });
}

const ui::Texture* Thumbnails::get(const std::string& owner, const Shown& what, double now) {
  Entry& entry = entries_[owner];
  entry.asked = now;
  const bool same = entry.begun >= 0 && entry.key == what.key && entry.body_key == what.body_key;
  const bool due = entry.begun < 0 || now - entry.begun >= pause || now < entry.begun;
  if (!same && !entry.waiting && due) {
    entry.key = what.key;
    entry.body_key = what.body_key;
    entry.begun = now;
    entry.waiting = true;
    {
      const std::lock_guard lock(mutex_);
      jobs_.push_back({owner, what});
    }
    changed_.notify_all();
  }
  return entry.texture ? &entry.texture : nullptr;
}

const ui::Texture* Thumbnails::last(const std::string& owner, double now) {
  const auto found = entries_.find(owner);
  if (found == entries_.end()) return nullptr;
  found->second.asked = now;
  return found->second.texture ? &found->second.texture : nullptr;
}

bool Thumbnails::busy() {
  const std::lock_guard lock(mutex_);
  return working_ || !jobs_.empty() || !done_.empty();
}

void Thumbnails::settle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !working_ && jobs_.empty(); });
}

void Thumbnails::clear() {
  const std::lock_guard lock(mutex_);
  jobs_.clear();
  entries_.clear();
}

}  // namespace sinew::editor
