#include "render/picture.h"

#include <algorithm>
#include <cmath>

namespace sinew::render {
namespace {

// IEC 61966-2-1.
double linear_of(double stored) {
  return stored <= 0.04045 ? stored / 12.92 : std::pow((stored + 0.055) / 1.055, 2.4);
}

// Which pixels of a line one pixel of the scaled line covers. All between the first and the last
// are covered as a whole; the weights of all sum to 1.
struct Cover {
  int first = 0, last = 0;
  float first_weight = 0, inner_weight = 0, last_weight = 0;

  float weight(int i) const {
    return i == first ? first_weight : i == last ? last_weight : inner_weight;
  }
};

// In whole numbers, so that nothing is lost or counted twice between neighbours: the line is
// `source` * `target` long, a source pixel `target` of it and a target pixel `source`.
std::vector<Cover> covers(int source, int target) {
  std::vector<Cover> list(static_cast<size_t>(target));
  for (int t = 0; t < target; ++t) {
    const int64_t begin = int64_t(t) * source, end = begin + source;
    Cover& c = list[static_cast<size_t>(t)];
    c.first = static_cast<int>(begin / target);
    c.last = static_cast<int>((end - 1) / target);
    const auto share = [&](int i) {
      const int64_t from = std::max(begin, int64_t(i) * target);
      const int64_t to = std::min(end, (int64_t(i) + 1) * target);
      return static_cast<float>(static_cast<double>(to - from) / source);
    };
    c.first_weight = share(c.first);
    c.last_weight = share(c.last);
    c.inner_weight = static_cast<float>(static_cast<double>(target) / source);
  }
  return list;
}

// One row, scaled across, as light times alpha and alpha.
void scale_row(const Picture& picture, int y, const std::vector<Cover>& columns,
               std::vector<float>& row) {
  for (size_t x = 0; x < columns.size(); ++x) {
    const Cover& c = columns[x];
    float sum[4] = {0, 0, 0, 0};
    for (int i = c.first; i <= c.last; ++i) {
      const uint8_t* p = picture.pixel(i, y);
      const float alpha = c.weight(i) * static_cast<float>(p[3]);
      for (int k = 0; k < 3; ++k) sum[k] += alpha * linear_light(p[k]);
      sum[3] += alpha;
    }
    std::copy(sum, sum + 4, row.begin() + static_cast<std::ptrdiff_t>(4 * x));
  }
}

void store_row(const std::vector<float>& row, Picture& picture, int y) {
  for (int x = 0; x < picture.width; ++x) {
    const float* light = row.data() + 4 * static_cast<size_t>(x);
    uint8_t* p = picture.pixel(x, y);
    const float alpha = light[3];
    for (int k = 0; k < 3; ++k) p[k] = alpha > 0 ? stored_light(light[k] / alpha) : 0;
    p[3] = static_cast<uint8_t>(std::clamp(std::lround(alpha), 0L, 255L));
  }
}

}  // namespace

Picture filled(int width, int height, const Pixel& colour) {
  Picture picture{width, height, {}};
  picture.rgba.resize(4 * picture.pixels());
  for (size_t i = 0; i < picture.rgba.size(); ++i) picture.rgba[i] = colour[i % 4];
  return picture;
}

bool is_whole(const Picture& picture) {
  return !picture.empty() && picture.width <= max_picture_side &&
         picture.height <= max_picture_side && picture.rgba.size() == 4 * picture.pixels();
}

bool is_opaque(const Picture& picture) {
  for (size_t i = 3; i < picture.rgba.size(); i += 4)
    if (picture.rgba[i] != 255) return false;
  return true;
}

float linear_light(uint8_t stored) {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> t{};
    for (size_t i = 0; i < t.size(); ++i)
      t[i] = static_cast<float>(linear_of(static_cast<double>(i) / 255));
    return t;
  }();
  return table[stored];
}

uint8_t stored_light(float linear) {
  // Where one stored value ends and the next begins: a search is faster than a power, and exact.
  static const std::array<float, 255> ends = [] {
    std::array<float, 255> t{};
    for (size_t i = 0; i < t.size(); ++i)
      t[i] = static_cast<float>(linear_of((static_cast<double>(i) + 0.5) / 255));
    return t;
  }();
  if (!(linear > 0)) return 0;  // also what is not a number
  return static_cast<uint8_t>(std::upper_bound(ends.begin(), ends.end(), linear) - ends.begin());
}

Picture scaled(const Picture& picture, int width, int height) {
  if (picture.empty() || width <= 0 || height <= 0) return {};
  if (width == picture.width && height == picture.height) return picture;
  Picture result = filled(width, height, {});
  const std::vector<Cover> columns = covers(picture.width, width);
  const std::vector<Cover> rows = covers(picture.height, height);
  std::vector<float> row(4 * columns.size()), sum(row.size());
  // A row that lies on the border of two is needed for both: it is not scaled again.
  int row_of = -1;
  for (int y = 0; y < height; ++y) {
    const Cover& c = rows[static_cast<size_t>(y)];
    std::fill(sum.begin(), sum.end(), 0.0f);
    for (int i = c.first; i <= c.last; ++i) {
      if (i != row_of) scale_row(picture, i, columns, row);
      row_of = i;
      const float weight = c.weight(i);
      for (size_t k = 0; k < sum.size(); ++k) sum[k] += weight * row[k];
    }
    store_row(sum, result, y);
  }
  return result;
}

Size fitted(const Picture& picture, int width, int height) {
  if (picture.empty() || width <= 0 || height <= 0) return {};
  const double factor = std::min(static_cast<double>(width) / picture.width,
                                 static_cast<double>(height) / picture.height);
  const auto side = [&](int length, int most) {
    return std::clamp(static_cast<int>(std::lround(length * factor)), 1, most);
  };
  return {side(picture.width, width), side(picture.height, height)};
}

void draw_over(Picture& target, const Picture& picture, int x, int y) {
  const int left = std::max(0, -x), right = std::min(picture.width, target.width - x);
  const int top = std::max(0, -y), bottom = std::min(picture.height, target.height - y);
  for (int v = top; v < bottom; ++v) {
    for (int u = left; u < right; ++u) {
      const uint8_t* over = picture.pixel(u, v);
      uint8_t* under = target.pixel(x + u, y + v);
      if (over[3] == 255) {
        std::copy(over, over + 4, under);
      } else if (over[3] > 0) {
        const float a = static_cast<float>(over[3]) / 255;
        const float rest = (1 - a) * static_cast<float>(under[3]) / 255;
        for (int k = 0; k < 3; ++k)
          under[k] = stored_light((a * linear_light(over[k]) + rest * linear_light(under[k])) /
                                  (a + rest));
        under[3] = static_cast<uint8_t>(std::lround(255 * (a + rest)));
      }
    }
  }
}

}  // namespace sinew::render
