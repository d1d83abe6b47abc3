#include "nodes/geometry/tet_soup.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

namespace sinew {

namespace {

// Six volumes over the cube of the longest edge: what is below has lost its sign in rounding.
constexpr double flat_limit = 1e-12;

enum class Shape { positive, inverted, flat };

Shape shape_of(const TetSoup& soup, const Tetrahedron& t) {
  const Vec3d a = soup.positions[t[0]].cast<double>();
  const Vec3d b = soup.positions[t[1]].cast<double>() - a;
  const Vec3d c = soup.positions[t[2]].cast<double>() - a;
  const Vec3d d = soup.positions[t[3]].cast<double>() - a;
  const double longest2 =
      std::max({b.squaredNorm(), c.squaredNorm(), d.squaredNorm(), (b - c).squaredNorm(),
                (c - d).squaredNorm(), (d - b).squaredNorm()});
  const double six_volumes = b.cross(c).dot(d);
  if (std::abs(six_volumes) <= flat_limit * longest2 * std::sqrt(longest2)) return Shape::flat;
  return six_volumes < 0 ? Shape::inverted : Shape::positive;
}

// Keeps the first of those that have the same corners.
void drop_repeated(std::vector<Tetrahedron>& tets, std::size_t& dropped) {
  struct Named {
    Tetrahedron sorted;
    uint32_t index;
  };
  std::vector<Named> named(tets.size());
  for (std::size_t i = 0; i < tets.size(); ++i) {
    named[i] = {tets[i], static_cast<uint32_t>(i)};
    std::sort(named[i].sorted.begin(), named[i].sorted.end());
  }
  std::sort(named.begin(), named.end(), [](const Named& a, const Named& b) {
    return std::tie(a.sorted, a.index) < std::tie(b.sorted, b.index);
  });
  std::vector<char> again(tets.size(), 0);
  for (std::size_t i = 1; i < named.size(); ++i) {
    again[named[i].index] = named[i].sorted == named[i - 1].sorted;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < tets.size(); ++i) {
    if (!again[i]) tets[kept++] = tets[i];
  }
  dropped = tets.size() - kept;
  tets.resize(kept);
}

void drop_loose(TetSoup& soup, std::size_t& dropped) {
  constexpr uint32_t unused = UINT32_MAX;
  std::vector<uint32_t> number(soup.positions.size(), unused);
  for (const Tetrahedron& t : soup.tets) {
    for (const uint32_t v : t) number[v] = 0;
  }
  uint32_t kept = 0;
  for (std::size_t v = 0; v < number.size(); ++v) {
    if (number[v] == unused) continue;
    soup.positions[kept] = soup.positions[v];
    number[v] = kept++;
  }
  dropped = number.size() - kept;
  if (dropped == 0) return;
  soup.positions.resize(kept);
  for (Tetrahedron& t : soup.tets) {
    for (uint32_t& v : t) v = number[v];
  }
}

}  // namespace

TetMesh mend(TetSoup soup, TetLoadReport& report, CancelView cancel) {
  cancel.check();
  std::size_t kept = 0;
  for (Tetrahedron t : soup.tets) {
    const Shape shape = shape_of(soup, t);
    report.flat += shape == Shape::flat;
    if (shape == Shape::flat) continue;
    report.inverted += shape == Shape::inverted;
    if (shape == Shape::inverted) std::swap(t[2], t[3]);
    soup.tets[kept++] = t;
  }
  soup.tets.resize(kept);
  cancel.check();
  drop_repeated(soup.tets, report.repeated);
  cancel.check();
  drop_loose(soup, report.loose_points);
  cancel.check();
  return TetMesh(std::move(soup.tets), std::move(soup.positions));
}

const int64_t* PointNumbers::finish() {
  if (names_.empty()) return nullptr;
  const auto [low, high] = std::minmax_element(names_.begin(), names_.end());
  least_ = *low;
  greatest_ = *high;
  const auto runs = [&] {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] != least_ + static_cast<int64_t>(i)) return false;
    }
    return true;
  };
  if (runs()) return nullptr;
  order_.resize(names_.size());
  std::iota(order_.begin(), order_.end(), 0u);
  std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) {
    return std::tie(names_[a], a) < std::tie(names_[b], b);
  });
  for (std::size_t i = 1; i < order_.size(); ++i) {
    if (names_[order_[i]] == names_[order_[i - 1]]) return &names_[order_[i]];
  }
  return nullptr;
}

int64_t PointNumbers::find(int64_t name) const {
  if (names_.empty() || name < least_ || name > greatest_) return -1;
  if (order_.empty()) return name - least_;
  const auto at = std::lower_bound(order_.begin(), order_.end(), name,
                                   [&](uint32_t i, int64_t n) { return names_[i] < n; });
  return at != order_.end() && names_[*at] == name ? static_cast<int64_t>(*at) : -1;
}

}  // namespace sinew
