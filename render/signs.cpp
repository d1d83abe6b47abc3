#include "render/signs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew::render {
namespace {

constexpr draw::Rgba ink{0.13f, 0.14f, 0.16f, 1};
constexpr draw::Rgba faint{0.32f, 0.34f, 0.38f, 1};
constexpr draw::Rgba paper{1, 1, 1, 0.62f};
constexpr draw::Rgba halo{1, 1, 1, 0.75f};
constexpr std::size_t longest_words = 80;

// What does not fit ends with an ellipsis.
std::string fitted(const Letters& letters, std::string text, float width) {
  if (text.size() > 4 * longest_words) text.resize(4 * longest_words);
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  if (letters.width(text) <= width) return text;
  while (!text.empty() && letters.width(text + "\xE2\x80\xA6") > width) {
    // A whole sign of UTF-8 at a time.
    while (text.size() > 1 && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80)
      text.pop_back();
    text.pop_back();
  }
  return text + "\xE2\x80\xA6";
}

struct Pen {
  const Letters& letters;
  Sheet& sheet;
  float scale;
  float width, height;
};

// One bar with its title, ticks and numbers; `bottom` is its lower end. Returns its upper end.
float write_legend(const Pen& pen, const draw::ColourScale& scale, float left, float bottom) {
  const float s = pen.scale, line = pen.letters.line_height(), pad = 10 * s;
  const float length = std::min(260 * s, 0.36f * pen.width);
  const float thickness = 12 * s, tick = 4 * s;
  const float box_height = 2 * line + thickness + tick + 2 * pad;
  if (length < 60 * s || bottom - box_height < 0.4f * pen.height) return bottom;  // no room
  const float top = bottom - box_height, x0 = left + pad, x1 = x0 + length;
  pen.sheet.box(left, top, x1 + pad, bottom, paper);

  std::string title = scale.title.empty() ? "value" : scale.title;
  if (!scale.unit.empty()) title += fmt::format(" [{}]", scale.unit);
  pen.sheet.text(pen.letters, x0, top + pad + pen.letters.ascent(),
                 fitted(pen.letters, title, length), ink);
  const float y0 = top + pad + line + 2 * s, y1 = y0 + thickness;
  pen.sheet.box(x0 - 1, y0 - 1, x1 + 1, y1 + 1, {0.25f, 0.27f, 0.30f, 0.8f});
  pen.sheet.colour_bar(x0, y0, x1, y1, scale.map);

  const std::vector<float> ticks = round_ticks(scale.low, scale.high, length < 160 * s ? 2 : 5);
  const float step = ticks.size() > 1 ? ticks[1] - ticks[0] : scale.high - scale.low;
  float free_from = left;
  for (const float value : ticks) {
    // A scale that has no extent has its one number in the middle.
    const double range = static_cast<double>(scale.high) - scale.low;
    const double part = range > 0 ? (static_cast<double>(value) - scale.low) / range : 0.5;
    const float x = x0 + length * static_cast<float>(part);
    const std::string number = tick_text(value, step);
    const float half = 0.5f * pen.letters.width(number);
    pen.sheet.box(std::round(x), y1 + 1, std::round(x) + std::max(1.0f, std::round(s)),
                  y1 + 1 + tick, faint);
    const float rightmost = x1 + pad - 2 * half - 2 * s;
    if (rightmost < left + 2 * s) continue;  // a number that is wider than the box
    const float at = std::clamp(x - half, left + 2 * s, rightmost);
    if (at < free_from) continue;
    pen.sheet.text(pen.letters, at, y1 + tick + pen.letters.ascent() + s, number, ink);
    free_from = at + 2 * half + 6 * s;
  }
  return top - 6 * s;
}

struct Rect {
  float x0, y0, x1, y1;
  bool meets(const Rect& o) const { return x0 < o.x1 && o.x0 < x1 && y0 < o.y1 && o.y0 < y1; }
};

// Labels from the nearest to the farthest; each is moved down until it is free, or left out where
// the picture is full of them.
void write_labels(const Pen& pen, std::span<const draw::Label> labels, const Camera& camera) {
  struct Placed {
    const draw::Label* label;
    Eigen::Vector3f at;
  };
  std::vector<Placed> placed;
  for (const draw::Label& label : labels) {
    if (label.on_page || label.text.empty() || !label.at.allFinite()) continue;
    const auto at = camera.place_of(label.at, pen.width / pen.height);
    if (!at || at->x() < -0.02f || at->x() > 1.02f || at->y() < -0.02f || at->y() > 1.02f) continue;
    placed.push_back({&label, *at});
  }
  std::stable_sort(placed.begin(), placed.end(),
                   [](const Placed& a, const Placed& b) { return a.at.z() < b.at.z(); });
  std::vector<Rect> taken;
  const float line = pen.letters.line_height(), gap = 7 * pen.scale, margin = 4 * pen.scale;
  for (const Placed& p : placed) {
    const std::string text = fitted(pen.letters, p.label->text, 0.6f * pen.width);
    const float w = pen.letters.width(text);
    const float right_most = std::max(margin, pen.width - w - margin);
    const float beside = p.label->centred ? -0.5f * w : gap;
    const float x = std::clamp(p.at.x() * pen.width + beside, margin, right_most);
    float y = std::clamp(p.at.y() * pen.height - 0.5f * line, margin,
                         std::max(margin, pen.height - line - margin));
    Rect r{x, y, x + w, y + line};
    const auto busy = [&] {
      return std::any_of(taken.begin(), taken.end(), [&](const Rect& t) { return t.meets(r); });
    };
    for (int tries = 0; tries < 6 && busy(); ++tries) {
      y += line;
      r = {x, y, x + w, y + line};
    }
    if (busy() || y + line > pen.height) continue;
    taken.push_back(r);
    // A slip of paper behind the words: they may stand over anything.
    const float pad = p.label->centred ? 0 : 3 * pen.scale;
    if (pad > 0) pen.sheet.box(x - pad, y, x + w + pad, y + line, {1, 1, 1, 0.55f});
    pen.sheet.text(pen.letters, x, y + pen.letters.ascent(), text, p.label->colour);
  }
}

void write_axes(const Pen& pen, const Camera& camera) {
  const float arm = 26 * pen.scale, margin = 46 * pen.scale;
  const float x0 = pen.width - margin, y0 = pen.height - margin;
  if (x0 < 2 * margin || y0 < 2 * margin) return;
  constexpr const char* names[3] = {"x", "y", "z"};
  // Those that point away first, so that nearer ones lie over them.
  std::array<int, 3> order = {0, 1, 2};
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return camera.back()[a] < camera.back()[b]; });
  for (const int k : order) {
    const Eigen::Vector3f axis = Eigen::Vector3f::Unit(k);
    const float dx = axis.dot(camera.right()) * arm, dy = -axis.dot(camera.up()) * arm;
    // A line of dots is as good as a line, and needs nothing new.
    const float size = std::max(1.0f, 1.1f * pen.scale);
    const int steps = static_cast<int>(std::hypot(dx, dy) / (0.5f * size)) + 1;
    for (int i = 0; i <= steps; ++i) {
      const float t = static_cast<float>(i) / static_cast<float>(steps);
      pen.sheet.box(x0 + t * dx - size, y0 + t * dy - size, x0 + t * dx + size, y0 + t * dy + size,
                    draw::axis_colours[k]);
    }
    const float reach = 1 + 11 * pen.scale / arm;
    const float half = 0.5f * pen.letters.width(names[k]);
    pen.sheet.outlined_text(pen.letters, x0 + reach * dx - half,
                            y0 + reach * dy + 0.35f * pen.letters.ascent(), names[k],
                            draw::axis_colours[k], halo);
  }
}

}  // namespace

float sign_scale(int width, int height) {
  return std::clamp(static_cast<float>(std::min(height, width)) / 720, 0.75f, 12.0f);
}

float sign_scale(const Look& look, int width, int height) {
  return look.sign_size > 0 ? std::clamp(look.sign_size, 0.25f, 12.0f) : sign_scale(width, height);
}

std::vector<float> round_ticks(float low, float high, int wanted) {
  if (!(high > low) || wanted < 1) return {low};
  const double raw = (static_cast<double>(high) - low) / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  const double part = raw / power;
  const double step = power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
  std::vector<float> ticks;
  const double slack = 1e-4 * step;
  for (double k = std::ceil((low - slack) / step); k * step <= high + slack && ticks.size() < 50;
       ++k)
    ticks.push_back(static_cast<float>(k * step));
  return ticks.empty() ? std::vector<float>{low, high} : ticks;
}

std::string tick_text(float value, float step) {
  const double size = std::max(std::abs(static_cast<double>(value)), static_cast<double>(step));
  if (std::abs(value) < 1e-4 * step) return "0";
  if (size >= 1e5 || size < 1e-3) {
    const double places = std::floor(std::log10(size)) - std::floor(std::log10(step) + 1e-6);
    return fmt::format("{:.{}g}", value, std::clamp(static_cast<int>(places) + 1, 1, 9));
  }
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-6)), 0, 9);
  return fmt::format("{:.{}f}", value, digits);
}

void write_signs(std::span<const draw::ColourScale> scales, std::span<const draw::Label> labels,
                 const Camera& camera, const Look& look, int width, int height,
                 const Letters& letters, Sheet& sheet) {
  const Pen pen{letters, sheet, sign_scale(look, width, height), static_cast<float>(width),
                static_cast<float>(height)};
  const float margin = 16 * pen.scale;
  if (look.has(Overlay::labels)) write_labels(pen, labels, camera);
  if (look.has(Overlay::axes)) write_axes(pen, camera);
  if (look.has(Overlay::legend)) {
    float bottom = pen.height - margin;
    for (const draw::ColourScale& scale : scales) {
      if (scale.told) bottom = write_legend(pen, scale, margin, bottom);
    }
  }
  float line = margin + letters.ascent();
  const auto write_line = [&](const std::string& words) {
    sheet.outlined_text(letters, margin, line, fitted(letters, words, pen.width - 2 * margin), ink,
                        halo);
    line += letters.line_height();
  };
  if (!look.caption.empty()) write_line(look.caption);
  for (const draw::Label& label : labels)
    if (label.on_page && look.has(Overlay::labels)) write_line(label.text);
}

}  // namespace sinew::render
