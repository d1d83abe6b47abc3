#include "render/compare.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <utility>

namespace sinew::render {
namespace {

// Luminance of the stored values (BT.709) over black, from 0 to 1.
std::vector<float> luminance(const Picture& picture) {
  std::vector<float> map(picture.pixels());
  for (size_t i = 0; i < map.size(); ++i) {
    const uint8_t* p = picture.rgba.data() + 4 * i;
    const double stored = 0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2];
    map[i] = static_cast<float>(stored * p[3] / (255.0 * 255.0));
  }
  return map;
}

double histogram_distance(const std::vector<float>& a, const std::vector<float>& b) {
  std::array<int64_t, 256> more{};  // in each bin, pixels of a less those of b
  for (const float x : a) ++more[static_cast<size_t>(std::lround(255 * x))];
  for (const float x : b) --more[static_cast<size_t>(std::lround(255 * x))];
  // What has to be carried over each border between two bins.
  int64_t carried = 0, moved = 0;
  for (const int64_t n : more) moved += std::abs(carried += n);
  return static_cast<double>(moved) / (255.0 * static_cast<double>(a.size()));
}

constexpr int radius = 5;  // windows of 11 x 11

// exp(-i^2 / (2 sigma^2)) with sigma = 1.5 pixels [Wang04].
std::array<float, radius + 1> gaussian() {
  std::array<float, radius + 1> g{};
  for (size_t i = 0; i < g.size(); ++i)
    g[i] = static_cast<float>(std::exp(-static_cast<double>(i * i) / (2 * 1.5 * 1.5)));
  return g;
}

// The windows' means along one direction: `count` lines of `length` values that lie `step` apart.
// Windows are cut at the edges.
void blur_lines(std::vector<float>& map, int count, size_t line_step, int length, size_t step) {
  static const std::array<float, radius + 1> g = gaussian();
  std::vector<float> line(static_cast<size_t>(length));
  for (int l = 0; l < count; ++l) {
    float* begin = map.data() + static_cast<size_t>(l) * line_step;
    for (int i = 0; i < length; ++i) line[i] = begin[i * step];
    for (int i = 0; i < length; ++i) {
      const int from = std::max(0, i - radius), to = std::min(length - 1, i + radius);
      float sum = 0, weights = 0;
      for (int j = from; j <= to; ++j) {
        const float weight = g[static_cast<size_t>(std::abs(j - i))];
        sum += weight * line[j];
        weights += weight;
      }
      begin[i * step] = sum / weights;
    }
  }
}

std::vector<float> blurred(std::vector<float> map, int width, int height) {
  blur_lines(map, height, width, width, 1);
  blur_lines(map, width, 1, height, width);
  return map;
}

std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> map(a.size());
  std::transform(a.begin(), a.end(), b.begin(), map.begin(), std::multiplies<float>());
  return map;
}

// Eq. 13 [Wang04] at every pixel, for luminances from 0 to 1.
std::vector<float> similarity_map(const std::vector<float>& a, const std::vector<float>& b,
                                  int width, int height) {
  constexpr float c1 = 0.01f * 0.01f, c2 = 0.03f * 0.03f;
  const auto blur = [&](std::vector<float> map) { return blurred(std::move(map), width, height); };
  const std::vector<float> mean_a = blur(a), mean_b = blur(b);
  const std::vector<float> aa = blur(product(a, a)), bb = blur(product(b, b));
  const std::vector<float> ab = blur(product(a, b));
  std::vector<float> map(a.size());
  for (size_t i = 0; i < map.size(); ++i) {
    const float means = mean_a[i] * mean_b[i];
    const float square_a = mean_a[i] * mean_a[i], square_b = mean_b[i] * mean_b[i];
    const float covariance = ab[i] - means;
    const float variances = (aa[i] - square_a) + (bb[i] - square_b);
    map[i] =
        (2 * means + c1) * (2 * covariance + c2) / ((square_a + square_b + c1) * (variances + c2));
  }
  return map;
}

void summarise(const std::vector<float>& map, int width, int height, Comparison& c) {
  constexpr int side = 32;
  double sum = 0;
  c.worst_block = 1;
  for (int top = 0; top < height; top += side) {
    for (int left = 0; left < width; left += side) {
      const int bottom = std::min(height, top + side), right = std::min(width, left + side);
      double block = 0;
      for (int y = top; y < bottom; ++y)
        for (int x = left; x < right; ++x) block += map[static_cast<size_t>(y) * width + x];
      sum += block;
      block /= static_cast<double>(bottom - top) * (right - left);
      if (block < c.worst_block) c.worst_block = block, c.worst_x = left, c.worst_y = top;
    }
  }
  c.similarity = sum / static_cast<double>(map.size());
}

}  // namespace

std::array<ChannelStatistics, 4> statistics(const Picture& picture) {
  std::array<ChannelStatistics, 4> result;
  if (!is_whole(picture)) return result;
  // Whole numbers: the sums of a gibibyte of squares fit.
  std::array<uint64_t, 4> sum{}, squares{};
  for (size_t i = 0; i < picture.rgba.size(); ++i) {
    const uint64_t v = picture.rgba[i];
    sum[i % 4] += v;
    squares[i % 4] += v * v;
  }
  const double n = static_cast<double>(picture.pixels());
  for (size_t k = 0; k < 4; ++k) {
    const double mean = static_cast<double>(sum[k]) / n;
    const double variance = static_cast<double>(squares[k]) / n - mean * mean;
    result[k] = {mean, std::sqrt(std::max(0.0, variance))};
  }
  return result;
}

double Comparison::largest_mean_difference() const {
  return *std::max_element(mean_difference.begin(), mean_difference.end());
}

Comparison compare(const Picture& a, const Picture& b, int threshold) {
  Comparison c;
  c.same_size = a.width == b.width && a.height == b.height;
  if (!c.same_size || !is_whole(a) || !is_whole(b)) return c;
  std::array<uint64_t, 4> sum{};
  uint64_t differing = 0;
  for (size_t i = 0; i < a.rgba.size(); i += 4) {
    int largest = 0;
    for (size_t k = 0; k < 4; ++k) {
      const int difference = std::abs(int(a.rgba[i + k]) - int(b.rgba[i + k]));
      sum[k] += static_cast<uint64_t>(difference);
      largest = std::max(largest, difference);
    }
    if (largest > threshold) ++differing;
  }
  const double n = static_cast<double>(a.pixels());
  for (size_t k = 0; k < 4; ++k) c.mean_difference[k] = static_cast<double>(sum[k]) / n;
  c.differing = static_cast<double>(differing) / n;
  const std::vector<float> light_a = luminance(a), light_b = luminance(b);
  c.histogram_distance = histogram_distance(light_a, light_b);
  summarise(similarity_map(light_a, light_b, a.width, a.height), a.width, a.height, c);
  return c;
}

}  // namespace sinew::render
