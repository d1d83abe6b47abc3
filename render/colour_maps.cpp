#include "render/colour_maps.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace sinew::render {
namespace {

using Lab = std::array<float, 3>;
using Map = std::array<std::array<uint8_t, 3>, map_steps>;

float gamma_of(float x) {
  return x <= 0.0031308f ? 12.92f * x : 1.055f * std::pow(x, 1 / 2.4f) - 0.055f;
}

// Lightness 0 .. 1, chroma, hue in degrees.
struct Stop {
  float lightness, chroma, hue;
};

Lab lab_of(const Stop& s) {
  const float h = s.hue * std::numbers::pi_v<float> / 180;
  return {s.lightness, s.chroma * std::cos(h), s.chroma * std::sin(h)};
}

bool in_gamut(const Lab& lab) {
  for (const float c : oklab_to_srgb(lab))
    if (c < -1e-3f || c > 1.001f) return false;
  return true;
}

// The colour with as much of its chroma as screens can show.
Lab shown(Stop s) {
  while (s.chroma > 0.002f && !in_gamut(lab_of(s))) s.chroma -= 0.002f;
  return lab_of(s);
}

float distance(const Lab& a, const Lab& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

// A smooth curve through the stops (Catmull-Rom over lightness, chroma and hue), at part t.
Stop along(std::span<const Stop> stops, float t) {
  const float x = t * static_cast<float>(stops.size() - 1);
  const int last = static_cast<int>(stops.size()) - 1;
  const int i = std::clamp(static_cast<int>(x), 0, std::max(last - 1, 0));
  const float u = x - static_cast<float>(i);
  const auto at = [&](int k) { return stops[std::clamp(k, 0, last)]; };
  const auto mix = [&](float a, float b, float c, float d) {
    return b + 0.5f * u * (c - a + u * (2 * a - 5 * b + 4 * c - d + u * (3 * (b - c) + d - a)));
  };
  const Stop a = at(i - 1), b = at(i), c = at(i + 1), d = at(i + 2);
  return {mix(a.lightness, b.lightness, c.lightness, d.lightness),
          std::max(0.0f, mix(a.chroma, b.chroma, c.chroma, d.chroma)),
          mix(a.hue, b.hue, c.hue, d.hue)};
}

// Walks the curve finely, then puts the steps at even distances of what is seen.
std::vector<Lab> evenly(std::span<const Stop> stops, int steps) {
  constexpr int fine = 4096;
  std::vector<Lab> path(fine);
  std::vector<float> length(fine, 0);
  for (int i = 0; i < fine; ++i) {
    path[i] = shown(along(stops, static_cast<float>(i) / (fine - 1)));
    if (i > 0) length[i] = length[i - 1] + distance(path[i - 1], path[i]);
  }
  std::vector<Lab> even(steps);
  for (int k = 0; k < steps; ++k) {
    const float wanted = length.back() * static_cast<float>(k) / static_cast<float>(steps - 1);
    const auto found = std::lower_bound(length.begin(), length.end(), wanted);
    even[k] = path[std::min<std::size_t>(found - length.begin(), fine - 1)];
  }
  return even;
}

void put(Map& map, int first, std::span<const Lab> colours) {
  for (std::size_t k = 0; k < colours.size(); ++k) {
    const std::array<float, 3> c = oklab_to_srgb(colours[k]);
    for (int j = 0; j < 3; ++j)
      map[first + k][j] = static_cast<uint8_t>(std::lrint(255 * std::clamp(c[j], 0.0f, 1.0f)));
  }
}

Map one_way(std::span<const Stop> stops) {
  Map map;
  put(map, 0, evenly(stops, map_steps));
  return map;
}

// Two arms that meet in the middle, each even in itself.
Map two_ways(std::span<const Stop> low, std::span<const Stop> high) {
  Map map;
  put(map, 0, evenly(low, map_steps / 2));
  put(map, map_steps / 2, evenly(high, map_steps / 2));
  return map;
}

const std::array<Map, draw::colour_map_count>& maps() {
  static const std::array<Map, draw::colour_map_count> all = [] {
    // From a dark indigo over teal to a light yellow; lightness rises all the way.
    constexpr Stop sequential[] = {{0.24f, 0.10f, 292}, {0.40f, 0.13f, 265}, {0.56f, 0.12f, 225},
                                   {0.70f, 0.12f, 185}, {0.82f, 0.14f, 140}, {0.94f, 0.14f, 105}};
    // Blue and red of the same lightness, with a light neutral between.
    constexpr Stop blue[] = {{0.46f, 0.18f, 260}, {0.66f, 0.14f, 252}, {0.94f, 0.01f, 240}};
    constexpr Stop red[] = {{0.94f, 0.01f, 60}, {0.71f, 0.15f, 42}, {0.49f, 0.19f, 28}};
    // As in the papers: what contracts is red, what expands is light blue.
    constexpr Stop contracts[] = {{0.50f, 0.21f, 28}, {0.70f, 0.14f, 35}, {0.93f, 0.01f, 60}};
    constexpr Stop expands[] = {{0.93f, 0.01f, 230}, {0.85f, 0.08f, 232}, {0.74f, 0.13f, 236}};
    // A cycle: dark blue, magenta, a light sand, green-blue, and back. Its two halves differ in
    // hue.
    constexpr Stop cycle[] = {{0.36f, 0.12f, 285}, {0.58f, 0.16f, 330}, {0.80f, 0.11f, 420},
                              {0.92f, 0.08f, 465}, {0.78f, 0.11f, 535}, {0.56f, 0.12f, 590},
                              {0.36f, 0.12f, 645}};
    return std::array<Map, draw::colour_map_count>{one_way(sequential), two_ways(blue, red),
                                                   two_ways(contracts, expands), one_way(cycle)};
  }();
  return all;
}

}  // namespace

float linear_of(float channel) {
  return channel <= 0.04045f ? channel / 12.92f : std::pow((channel + 0.055f) / 1.055f, 2.4f);
}

std::array<float, 3> oklab_to_srgb(std::array<float, 3> lab) {
  const float l = lab[0] + 0.3963377774f * lab[1] + 0.2158037573f * lab[2];
  const float m = lab[0] - 0.1055613458f * lab[1] - 0.0638541728f * lab[2];
  const float s = lab[0] - 0.0894841775f * lab[1] - 1.2914855480f * lab[2];
  const float a = l * l * l, b = m * m * m, c = s * s * s;
  return {gamma_of(4.0767416621f * a - 3.3077115913f * b + 0.2309699292f * c),
          gamma_of(-1.2684380046f * a + 2.6097574011f * b - 0.3413193965f * c),
          gamma_of(-0.0041960863f * a - 0.7034186147f * b + 1.7076147010f * c)};
}

std::array<float, 3> srgb_to_oklab(std::array<float, 3> srgb) {
  const float r = linear_of(srgb[0]), g = linear_of(srgb[1]), b = linear_of(srgb[2]);
  const float l = std::cbrt(0.4122214708f * r + 0.5363325363f * g + 0.0514459929f * b);
  const float m = std::cbrt(0.2119034982f * r + 0.6806995451f * g + 0.1073969566f * b);
  const float s = std::cbrt(0.0883024619f * r + 0.2817188376f * g + 0.6299787005f * b);
  return {0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s,
          1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s,
          0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s};
}

std::span<const std::array<uint8_t, 3>, map_steps> colour_map(draw::ColourMap map) {
  return maps()[static_cast<std::size_t>(map)];
}

draw::Rgba colour_of(float value, const draw::ColourScale& scale) {
  const float part = (value - scale.low) / (scale.high - scale.low);
  const float within = part > 0 ? std::min(part, 1.0f) : 0.0f;  // what is no number is the low end
  const int k = static_cast<int>(within * (map_steps - 1) + 0.5f);
  const std::array<uint8_t, 3>& c = colour_map(scale.map)[k];
  return {static_cast<float>(c[0]) / 255, static_cast<float>(c[1]) / 255,
          static_cast<float>(c[2]) / 255, 1};
}

}  // namespace sinew::render
