// Many copies of a keyed body that change places. [Adams10, figure 11]
#include <algorithm>
#include <cmath>

#include "nodes/kernels/counter_random.h"
#include "nodes/kernels/meshless_keys.h"
#include "nodes/node.h"

namespace sinew {
namespace {

enum class Exchange : uint8_t { none, opposite, mirror_x, mirror_z, shuffle };

In<KeyedBodies> keys;
In<int> columns, layers, rows, seed;
In<Vec3> spacing;
In<float> scatter;
In<Exchange> exchange;
Out<KeyedBodies> out;

void declare(Declaration& d) {
  d.id("meshless.crowd", 1).label("Crowd of Keys").category("Meshless");
  d.doc(
      "Copies of a body with keys, on a grid. On the way from the first key to the last each may "
      "change its place with another.");
  d.in(keys, "keys").doc("One body with its keys; each copy keeps its shapes.");
  d.in(columns, "columns", 3).range(1, 100).doc("How many side by side, along x.");
  d.in(layers, "layers", 1).range(1, 100).doc("How many above each other, along y.");
  d.in(rows, "rows", 3).range(1, 100).doc("How many behind each other, along z.");
  d.in(spacing, "spacing", Vec3{1, 1, 1}).range(0, 1e5).unit("m").doc("How far apart they are.");
  d.in(scatter, "scatter", 0)
      .range(0, 1)
      .doc("How far each stands beside its place, in parts of the spacing.");
  d.in(exchange, "exchange", Exchange::opposite)
      .choices({"none", "opposite", "mirror_x", "mirror_z", "shuffle"})
      .doc(
          "Where each is at the last key: where it was; across the middle; on the other side along "
          "x or z; anywhere.");
  d.in(seed, "seed", 1).range(0, 1e9).doc("Of 'scatter' and 'shuffle'.");
  d.out(out, "keys").doc("All copies with their keys.");
}

constexpr std::size_t most_bodies = 1000;

void exec(Exec& e) {
  const KeyedBodies& from = e.get(keys);
  if (from.list.size() != 1) {
    return e.error("'keys' has {} bodies; copies are made of one", from.list.size());
  }
  const int nx = e.get(columns), ny = e.get(layers), nz = e.get(rows);
  const std::size_t count =
      static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny) * static_cast<std::size_t>(nz);
  if (count > most_bodies) {
    return e.error("{} copies are too many: {} at the most", count, most_bodies);
  }
  const uint64_t number = static_cast<uint64_t>(e.get(seed));
  const Vec3d gap = to_eigen(e.get(spacing)).cast<double>();
  std::vector<Vec3d> places;
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        const Vec3d at(i - 0.5 * (nx - 1), j - 0.5 * (ny - 1), k - 0.5 * (nz - 1));
        kernels::CounterRandom random(number, places.size());
        Vec3d off(0, 0, 0);
        for (int a = 0; a < 3; ++a) off[a] = random.uniform() - 0.5;
        if (ny == 1) off[1] = 0;
        places.push_back(gap.cwiseProduct(at + static_cast<double>(e.get(scatter)) * off));
      }
    }
  }
  std::vector<std::size_t> to(count);
  for (std::size_t b = 0; b < count; ++b) to[b] = b;
  const auto index = [&](int i, int j, int k) {
    return static_cast<std::size_t>(i + nx * (j + ny * k));
  };
  for (std::size_t b = 0; b < count; ++b) {
    const int n = static_cast<int>(b), i = n % nx, j = n / nx % ny, k = n / (nx * ny);
    if (e.get(exchange) == Exchange::opposite) to[b] = index(nx - 1 - i, j, nz - 1 - k);
    if (e.get(exchange) == Exchange::mirror_x) to[b] = index(nx - 1 - i, j, k);
    if (e.get(exchange) == Exchange::mirror_z) to[b] = index(i, j, nz - 1 - k);
  }
  if (e.get(exchange) == Exchange::shuffle) {
    kernels::CounterRandom random(number, uint64_t{0x73687566});
    for (std::size_t b = count; b > 1; --b) {
      std::swap(to[b - 1], to[random.bits() % b]);
    }
  }
  const KeyedBody& one = from.list.front();
  const double begin = one.keys.front().time, end = one.keys.back().time;
  KeyedBodies crowd = from;
  crowd.list.clear();
  for (std::size_t b = 0; b < count; ++b) {
    KeyedBody copy = one;
    for (MotionKey& key : copy.keys) {
      const double s = end > begin ? (key.time - begin) / (end - begin) : 0;
      const Vec3d by = places[b] + s * (places[to[b]] - places[b]);
      for (Vec3d& y : key.places) y += by;
      for (HeldPoint& p : key.points) p.target += by;
    }
    for (HeldPoint& p : copy.held) p.target += places[b];
    crowd.list.push_back(std::move(copy));
  }
  e.set(out, std::move(crowd));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(meshless_crowd, declare, exec)
