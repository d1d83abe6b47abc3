// What becomes of middle lines once they are found: forks merged, twigs dropped, all centred.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <utility>

#include "nodes/kernels/medial_tree.h"

namespace sinew::kernels {

namespace {

constexpr uint32_t none = InsideCells::none;
// Forks nearer to each other than this share of the larger one's radius become one.
constexpr double merge_share = 1;
constexpr int relaxations = 40;
constexpr double settled = 0.005;  // of the radius: moves that are not worth their while

MedialChain reversed(MedialChain chain) {
  std::swap(chain.from, chain.to);
  std::reverse(chain.samples.begin(), chain.samples.end());
  return chain;
}

std::vector<int> degrees(const MedialTree& tree) {
  std::vector<int> degree(tree.nodes.size(), 0);
  for (const MedialChain& c : tree.chains) {
    ++degree[c.from];
    ++degree[c.to];
  }
  return degree;
}

// Makes one chain of the two at each node that has become a place along the way.
void join_through(MedialTree& tree) {
  for (uint32_t n = 0; n < tree.nodes.size(); ++n) {
    std::vector<std::size_t> at;
    for (std::size_t c = 0; c < tree.chains.size(); ++c) {
      if (tree.chains[c].from == n || tree.chains[c].to == n) at.push_back(c);
    }
    if (at.size() != 2) continue;
    MedialChain first = tree.chains[at[0]], second = tree.chains[at[1]];
    if (first.to != n) first = reversed(std::move(first));
    if (second.from != n) second = reversed(std::move(second));
    first.samples.insert(first.samples.end(), second.samples.begin() + 1, second.samples.end());
    first.to = second.to;
    tree.chains[at[0]] = std::move(first);
    tree.chains.erase(tree.chains.begin() + static_cast<std::ptrdiff_t>(at[1]));
  }
}

// Takes away nodes without chains.
void number_anew(MedialTree& tree) {
  const std::vector<int> degree = degrees(tree);
  std::vector<uint32_t> fresh(tree.nodes.size(), none);
  std::vector<MedialSample> nodes;
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    if (degree[n] == 0) continue;
    fresh[n] = static_cast<uint32_t>(nodes.size());
    nodes.push_back(tree.nodes[n]);
  }
  tree.nodes = std::move(nodes);
  for (MedialChain& c : tree.chains) {
    c.from = fresh[c.from];
    c.to = fresh[c.to];
  }
}

// Makes the ends of a short chain one, at a place of it; what hung on them keeps the way there.
void merge_ends(MedialTree& tree, std::size_t which, const std::vector<int>& degree) {
  const MedialChain bridge = tree.chains[which];
  tree.chains.erase(tree.chains.begin() + static_cast<std::ptrdiff_t>(which));
  const double share =
      static_cast<double>(degree[bridge.to] - 1) / (degree[bridge.from] + degree[bridge.to] - 2);
  const auto middle = static_cast<std::ptrdiff_t>(
      std::lround(share * static_cast<double>(bridge.samples.size() - 1)));
  // From the middle to each end.
  std::vector<MedialSample> to_from(bridge.samples.begin(), bridge.samples.begin() + middle + 1),
      to_to(bridge.samples.begin() + middle, bridge.samples.end());
  std::reverse(to_from.begin(), to_from.end());
  tree.nodes[bridge.from] = bridge.samples[static_cast<std::size_t>(middle)];
  for (MedialChain& c : tree.chains) {
    for (const bool at_to : {false, true}) {
      const uint32_t end = at_to ? c.to : c.from;
      if (end != bridge.from && end != bridge.to) continue;
      const std::vector<MedialSample>& lead = end == bridge.from ? to_from : to_to;
      if (at_to) c = reversed(std::move(c));
      c.samples.insert(c.samples.begin(), lead.begin(), lead.end() - 1);
      c.from = bridge.from;
      if (at_to) c = reversed(std::move(c));
    }
  }
}

// How far forks lie from each other that are one: the body's thickness there, or somewhat more if
// it is flat.
double fork_reach(const MedialSample& s) { return std::clamp(s.width, s.radius, 3 * s.radius); }

}  // namespace

bool runs_deep(const BodySurface& surface, std::span<const MedialSample> samples, double share) {
  const Vec3d a = samples.front().place, way = samples.back().place - a;
  const double length = way.norm();
  double whole = 0;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    whole += (samples[i].place - samples[i - 1].place).norm();
  }
  // The sample before the place that is as far along the samples as t along the straight way.
  std::size_t i = 0;
  double passed = 0, most = samples.front().radius;
  for (double t = 0;;) {
    while (i + 2 < samples.size()) {
      const double step = (samples[i + 1].place - samples[i].place).norm();
      if ((passed + step) * length > t * whole) break;
      passed += step;
      ++i;
    }
    const Vec3d p = length > 0 ? Vec3d(a + t / length * way) : a;
    const double free = surface.depth(p, most);
    const double least = std::min(samples[i].radius, samples[i + 1].radius);
    if (!(free > 0 && free >= share * least) || !(surface.closed || surface.inside(p)))
      return false;
    if (t >= length) return true;
    // Short enough steps that each sample is compared with what lies beside it.
    const double step = std::min({length - t, free, std::max(0.5 * least, length / 64)});
    t = step < length - t ? t + step : length;
    most = free + step;
  }
}

double chain_length(const MedialChain& chain) {
  double length = 0;
  for (std::size_t i = 1; i < chain.samples.size(); ++i) {
    length += (chain.samples[i].place - chain.samples[i - 1].place).norm();
  }
  return length;
}

namespace {

void merge_forks(MedialTree& tree, const BodySurface& surface) {
  while (true) {
    const std::vector<int> degree = degrees(tree);
    std::size_t best = tree.chains.size();
    double best_length = 0;
    for (std::size_t c = 0; c < tree.chains.size(); ++c) {
      const MedialChain& chain = tree.chains[c];
      if (degree[chain.from] < 3 || degree[chain.to] < 3) continue;
      const double reach =
          std::max(fork_reach(tree.nodes[chain.from]), fork_reach(tree.nodes[chain.to]));
      const double length = chain_length(chain) / reach;
      if (length > merge_share || (best < tree.chains.size() && length >= best_length)) continue;
      if (!runs_deep(surface, chain.samples, 0.5)) continue;
      best = c;
      best_length = length;
    }
    if (best == tree.chains.size()) break;
    merge_ends(tree, best, degree);
  }
  number_anew(tree);
}

// Ends that are no tips, such as the root's, must stick out by `shortest`; tips have been found to
// do so, and must only not be lost in the ball about the fork.
void drop_twigs(MedialTree& tree, double shortest) {
  while (tree.chains.size() > 1) {
    const std::vector<int> degree = degrees(tree);
    std::size_t worst = tree.chains.size();
    double worst_length = 0;
    for (std::size_t c = 0; c < tree.chains.size(); ++c) {
      const MedialChain& chain = tree.chains[c];
      if (degree[chain.from] > 1 && degree[chain.to] > 1) continue;
      const uint32_t fork = degree[chain.from] > 1 ? chain.from : chain.to;
      const double needed = tree.nodes[chain.from + chain.to - fork].beyond >= 0 ? 0 : shortest;
      const double length = chain_length(chain) - tree.nodes[fork].radius - needed;
      if (length >= worst_length) continue;
      worst = c;
      worst_length = length;
    }
    if (worst == tree.chains.size()) break;
    tree.chains.erase(tree.chains.begin() + static_cast<std::ptrdiff_t>(worst));
    join_through(tree);
  }
  number_anew(tree);
}

// ---- Centring -----------------------------------------------------------------------------------

// Straight wherever a straight way keeps at least a share of the depth: ways through cells wander
// to and fro where depths hardly differ, as in blades and walls.
void pull_tight(MedialChain& chain, const BodySurface& surface, double kept_depth) {
  const std::vector<MedialSample>& samples = chain.samples;
  std::vector<MedialSample> kept = {samples.front()};
  std::size_t at = 0;
  while (at + 1 < samples.size()) {
    const auto free = [&](std::size_t to) {
      return runs_deep(surface, {&samples[at], to - at + 1}, kept_depth);
    };
    // As far as steps that double reach, then by halves.
    std::size_t good = at + 1, step = 1;
    while (good + step < samples.size() && free(good + step)) {
      good += step;
      step *= 2;
    }
    for (; step > 0; step /= 2) {
      if (good + step < samples.size() && free(good + step)) good += step;
    }
    kept.push_back(samples[good]);
    at = good;
  }
  chain.samples = std::move(kept);
}

// Samples at even distances, closer than the radius, so that balls about neighbours overlap.
void sample_evenly(MedialChain& chain, const BodySurface& surface, const InsideCells& cells) {
  std::vector<MedialSample> fresh = {chain.samples.front()};
  for (std::size_t i = 1; i < chain.samples.size(); ++i) {
    const MedialSample a = chain.samples[i - 1], &b = chain.samples[i];
    const double length = (b.place - a.place).norm();
    for (double t = 0; length > 0;) {
      const double spacing = std::max(0.5 * fresh.back().radius, 0.5 * cells.cell());
      t += spacing;
      if (t > length - 0.5 * spacing) break;
      MedialSample s;
      s.place = a.place + t / length * (b.place - a.place);
      s.radius = surface.depth(s.place, fresh.back().radius + spacing);
      s.cell = cells.near(s.place, 2);
      if (s.cell == none) s.cell = fresh.back().cell;
      fresh.push_back(s);
    }
    fresh.push_back(b);
  }
  chain.samples = std::move(fresh);
}

// The cells that are nearest to a sample: a slice of the body.
struct Slice {
  Vec3d middle{0, 0, 0};
  double width = 0;  // the radius, if it is round
  double cells = 0;
};
// For each chain its samples'.
using Slices = std::vector<std::vector<Slice>>;

// For each cell the number of the sample that is nearest as the crow flies, of those that a way
// leads from: distances along a grid's own directions would be equal for too many.
std::vector<uint32_t> nearest_samples(std::span<const MedialSample* const> samples,
                                      const InsideCells& cells, CancelView stop) {
  struct Entry {
    double distance;
    uint32_t cell, sample;
    bool operator>(const Entry& other) const {
      if (distance != other.distance) return distance > other.distance;
      return cell != other.cell ? cell > other.cell : sample > other.sample;
    }
  };
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  std::vector<double> distance(cells.size(), unreachable);
  std::vector<uint32_t> nearest(cells.size(), none);
  const auto offer = [&](uint32_t cell, uint32_t sample) {
    const double there = (cells.place(cell) - samples[sample]->place).squaredNorm();
    if (!(there < distance[cell])) return;
    distance[cell] = there;
    nearest[cell] = sample;
    queue.push({there, cell, sample});
  };
  for (uint32_t i = 0; i < samples.size(); ++i) offer(samples[i]->cell, i);
  std::size_t count = 0;
  while (!queue.empty()) {
    const Entry entry = queue.top();
    queue.pop();
    if (entry.distance > distance[entry.cell] || entry.sample != nearest[entry.cell]) continue;
    if (++count % 4096 == 0) stop.check();
    for (int d = 0; d < InsideCells::directions; ++d) {
      const uint32_t to = cells.next(entry.cell, d);
      if (to != none) offer(to, entry.sample);
    }
  }
  return nearest;
}

// Slices between close samples are thin and uneven; each is taken together with those within about
// its width.
void even_out(const MedialChain& chain, std::vector<Slice>& slices) {
  const std::vector<Slice> thin = slices;
  for (std::size_t i = 0; i < thin.size(); ++i) {
    const Vec3d& here = chain.samples[i].place;
    const double within = std::max(0.5 * thin[i].width, chain.samples[i].radius);
    Slice sum;
    const auto add = [&](std::size_t k) {
      if ((chain.samples[k].place - here).norm() > within && k != i) return false;
      sum.middle += thin[k].cells * thin[k].middle;
      sum.width += thin[k].cells * thin[k].width;
      sum.cells += thin[k].cells;
      return true;
    };
    add(i);
    // As many on either side, lest the middle be drawn along the line.
    for (std::size_t k = 1; k <= i && i + k < thin.size(); ++k) {
      if (!add(i - k) || !add(i + k)) break;
    }
    if (!(sum.cells > 0))
      sum = {here, chain.samples[i].radius, 1};
    else
      sum = {sum.middle / sum.cells, sum.width / sum.cells, sum.cells};
    slices[i] = sum;
  }
}

Slices find_slices(const MedialTree& tree, const InsideCells& cells, CancelView stop) {
  std::vector<const MedialSample*> samples;
  for (const MedialChain& chain : tree.chains) {
    for (const MedialSample& s : chain.samples) samples.push_back(&s);
  }
  const std::vector<uint32_t> nearest = nearest_samples(samples, cells, stop);
  std::vector<Slice> all(samples.size());
  for (uint32_t c = 0; c < cells.size(); ++c) {
    if (nearest[c] == none) continue;
    all[nearest[c]].middle += cells.place(c);
    all[nearest[c]].cells += 1;
  }
  for (Slice& s : all) s.middle /= std::max(s.cells, 1.0);
  for (uint32_t c = 0; c < cells.size(); ++c) {
    if (nearest[c] == none) continue;
    Slice& slice = all[nearest[c]];
    slice.width += (cells.place(c) - slice.middle).squaredNorm() / slice.cells;
  }
  Slices slices;
  auto from = all.begin();
  for (const MedialChain& chain : tree.chains) {
    const auto to = from + static_cast<std::ptrdiff_t>(chain.samples.size());
    slices.emplace_back(from, to);
    for (Slice& s : slices.back()) s.width = std::sqrt(2 * s.width);
    even_out(chain, slices.back());
    from = to;
  }
  return slices;
}

void take_widths(MedialTree& tree, const Slices& slices) {
  for (MedialSample& n : tree.nodes) n.width = n.radius;
  for (std::size_t c = 0; c < tree.chains.size(); ++c) {
    MedialChain& chain = tree.chains[c];
    for (std::size_t i = 0; i < chain.samples.size(); ++i) {
      chain.samples[i].width = slices[c][i].width;
    }
    for (const bool at_to : {false, true}) {
      MedialSample& node = tree.nodes[at_to ? chain.to : chain.from];
      node.width = std::max(node.width, (at_to ? slices[c].back() : slices[c].front()).width);
    }
  }
}

class Relaxation {
 public:
  Relaxation(MedialTree& tree, const BodySurface& surface, Slices slices)
      : tree_(tree), surface_(surface), slices_(std::move(slices)) {
    degree_ = degrees(tree);
    for (const MedialSample& node : tree.nodes) node_floor_.push_back(node.radius);
    for (std::size_t c = 0; c < tree.chains.size(); ++c) {
      const std::vector<MedialSample>& samples = tree.chains[c].samples;
      floor_.emplace_back();
      pull_.emplace_back();
      for (std::size_t i = 0; i < samples.size(); ++i) {
        floor_.back().push_back(samples[i].radius);
        pull_.back().push_back(pull(samples[i], slices_[c][i]));
      }
    }
  }

  void run(CancelView stop) {
    for (int i = 0; i < relaxations; ++i) {
      stop.check();
      for (std::size_t c = 0; c < tree_.chains.size(); ++c) {
        relax_chain(c, i % 2 == 0);
        relax_ends(c);
      }
      for (uint32_t n = 0; n < tree_.nodes.size(); ++n) relax_fork(n);
    }
  }

 private:
  // How strongly a sample is drawn to the middle of its slice: less if that is wide and flat, and
  // not at all if the middle is not to be seen, as that of a tube's wall.
  double pull(const MedialSample& s, const Slice& slice) const {
    if (!surface_.stays_inside(s.place, slice.middle)) return 0;
    const double flat = slice.width / (2.5 * s.radius);
    return 0.35 / std::max(1.0, flat * flat);
  }

  static bool touch(const MedialSample& a, const MedialSample& b) {
    return (a.place - b.place).norm() < a.radius + b.radius;
  }

  // Whether a sample may go there: about as deep as it was at first, and in touch with its
  // neighbours, ball with ball, so that the way stays inside.
  bool may_move(const MedialSample& s, const Vec3d& to, double floor,
                std::span<const MedialSample* const> neighbours, double& radius) const {
    if (!((to - s.place).norm() < 0.9 * s.radius)) return false;
    radius = surface_.depth(to, s.radius + (to - s.place).norm());
    if (!(radius >= std::min(0.8 * floor, s.radius))) return false;
    for (const MedialSample* n : neighbours) {
      if (!((n->place - to).norm() < 0.95 * (n->radius + radius))) return false;
    }
    return surface_.closed || surface_.inside(to);
  }

  void move(MedialSample& s, const Vec3d& by, double floor,
            std::span<const MedialSample* const> neighbours) const {
    const auto try_move = [&](const Vec3d& to) {
      double radius = 0;
      if (!may_move(s, to, floor, neighbours, radius)) return false;
      s.place = to;
      s.radius = radius;
      return true;
    };
    if (by.norm() < settled * s.radius) return;
    // No farther at once than the ball about it, and in a curved wall along the wall only.
    const double most = 0.5 * s.radius / std::max(by.norm(), 1e-300);
    const Vec3d step = std::min(1.0, most) * by;
    if (try_move(s.place + step)) return;
    const std::optional<SurfacePoint> wall = surface_.skin->closest(s.place, 1.0001 * s.radius);
    if (!wall) return;
    const Vec3d out = (wall->point - s.place).normalized();
    const Vec3d sideways = step - step.dot(out) * out;
    for (const double part : {1.0, 0.5, 0.25}) {
      if (try_move(s.place + part * sideways)) return;
    }
  }

  // Sample by sample; or as stiff as the limb is wide: a wing or a table's top has straight lines.
  void relax_chain(std::size_t which, bool stiffly) {
    std::vector<MedialSample>& samples = tree_.chains[which].samples;
    for (std::size_t i = 1; i + 1 < samples.size(); ++i) {
      MedialSample& s = samples[i];
      const MedialSample &before = samples[i - 1], &after = samples[i + 1];
      // Balls that do not touch leave no room to tell whether the way between is free.
      if (!touch(s, before) || !touch(s, after)) continue;
      std::size_t k = 1;
      const double stiff = 0.7 * std::max(s.radius, slices_[which][i].width);
      while (stiffly && k < i && i + k + 1 < samples.size() &&
             (samples[i + k].place - samples[i - k].place).norm() < 2 * stiff) {
        ++k;
      }
      const Vec3d &behind = samples[i - k].place, &ahead = samples[i + k].place;
      Vec3d along = ahead - behind;
      const double length = along.norm();
      if (length > 0) along /= length;
      Vec3d to_middle = pull_[which][i] * (slices_[which][i].middle - s.place);
      to_middle -= to_middle.dot(along) * along;
      // The cubic through four others, which leaves bends as round as they are; else the middle.
      Vec3d evened = 0.5 * (behind + ahead) - s.place;
      if (stiffly && 2 * k <= i && i + 2 * k < samples.size()) {
        evened += (behind + ahead - samples[i - 2 * k].place - samples[i + 2 * k].place) / 6;
      }
      const MedialSample* neighbours[] = {&before, &after};
      move(s, 0.35 * evened + to_middle, floor_[which][i], neighbours);
    }
  }

  // Ends go sideways only.
  void relax_ends(std::size_t which) {
    MedialChain& chain = tree_.chains[which];
    std::vector<MedialSample>& samples = chain.samples;
    for (const bool at_to : {false, true}) {
      const uint32_t node = at_to ? chain.to : chain.from;
      if (degree_[node] > 1) continue;
      const std::size_t i = at_to ? samples.size() - 1 : 0, next = at_to ? i - 1 : 1;
      if (!touch(samples[i], samples[next])) continue;
      const Vec3d along = (samples[i].place - samples[next].place).normalized();
      Vec3d by = pull_[which][i] * (slices_[which][i].middle - samples[i].place);
      by -= by.dot(along) * along;
      const MedialSample* neighbours[] = {&samples[next]};
      move(samples[i], by, floor_[which][i], neighbours);
      tree_.nodes[node] = samples[i];
    }
  }

  // Forks are drawn to the middle of what leads away from them.
  void relax_fork(uint32_t n) {
    std::vector<const MedialSample*> neighbours;
    std::vector<MedialSample*> copies;
    for (MedialChain& c : tree_.chains) {
      if (c.from == n) {
        copies.push_back(&c.samples.front());
        neighbours.push_back(&c.samples[1]);
      }
      if (c.to == n) {
        copies.push_back(&c.samples.back());
        neighbours.push_back(&c.samples[c.samples.size() - 2]);
      }
    }
    MedialSample& node = tree_.nodes[n];
    if (neighbours.size() < 2) return;
    Vec3d mean{0, 0, 0};
    for (const MedialSample* s : neighbours) {
      if (!touch(node, *s)) return;
      mean += s->place / static_cast<double>(neighbours.size());
    }
    move(node, 0.5 * (mean - node.place), node_floor_[n], neighbours);
    for (MedialSample* s : copies) *s = node;
  }

  MedialTree& tree_;
  const BodySurface& surface_;
  const Slices slices_;
  std::vector<std::vector<double>> floor_, pull_;
  std::vector<double> node_floor_;
  std::vector<int> degree_;
};

// The nearest cell to each sample, after it has moved.
void find_cells(MedialTree& tree, const InsideCells& cells) {
  const auto find = [&](MedialSample& s) {
    const uint32_t cell = cells.near(s.place, 2);
    if (cell != none) s.cell = cell;
  };
  for (MedialSample& n : tree.nodes) find(n);
  for (MedialChain& c : tree.chains) {
    for (MedialSample& s : c.samples) find(s);
  }
}

// ---- Ends ---------------------------------------------------------------------------------------

// The last piece of a limb, as long as it is wide. The tip that was farthest from the root may be a
// corner of the limb's end, and would draw the line to itself; so the piece is taken off, and when
// the rest is in the middle a new one leads on from there. How far the tip is stays with the end.

// Lets `visit(chain)` see each chain that ends, turned so that it ends at its last sample.
template <class Visit>
void for_each_end(MedialTree& tree, const Visit& visit) {
  const std::vector<int> degree = degrees(tree);
  for (std::size_t c = 0; c < tree.chains.size(); ++c) {
    for (const bool turned : {false, true}) {
      MedialChain& chain = tree.chains[c];
      if (degree[turned ? chain.from : chain.to] > 1) continue;
      if (turned) chain = reversed(std::move(chain));
      visit(chain);
      if (turned) chain = reversed(std::move(chain));
    }
  }
}

void take_tails(MedialTree& tree) {
  for_each_end(tree, [&](MedialChain& chain) {
    std::vector<MedialSample>& samples = chain.samples;
    if (samples.back().beyond < 0) return;
    const double whole = chain_length(chain);
    double cut = 0;
    std::size_t last = samples.size() - 1;
    while (last > 1 && cut < 1.3 * std::max(samples[last].width, samples[last].radius)) {
      cut += (samples[last].place - samples[last - 1].place).norm();
      --last;
    }
    if (cut > 0.5 * whole || last < 2) return;
    const double beyond = cut + samples.back().beyond;
    samples.resize(last + 1);
    samples.back().beyond = beyond;
    tree.nodes[chain.to] = samples.back();
  });
}

// Steps on along the limb, each drawn back to where it is as deep as the limb is, until it leads no
// farther: along the axis of a round limb, and along a curved wall.
void walk_on(std::vector<MedialSample>& samples, Vec3d along, double most,
             const BodySurface& surface) {
  const double deep = samples.back().radius;
  for (double gone = 0; gone < most;) {
    const MedialSample& at = samples.back();
    const double step = std::min(0.5 * at.radius, most - gone);
    MedialSample to = at;
    to.place += step * along;
    const std::optional<SurfacePoint> wall = surface.skin->closest(to.place);
    const double depth = wall ? std::sqrt(wall->distance2) : 0;
    if (!(depth > 0)) return;
    if (depth < deep) to.place += std::min(step, deep - depth) / depth * (to.place - wall->point);
    to.radius = surface.depth(to.place);
    const Vec3d way = to.place - at.place;
    const bool touch = way.norm() < 0.95 * (at.radius + to.radius);
    if (!touch || to.radius < 0.7 * deep || way.dot(along) < 0.5 * step) return;
    if (!(surface.closed || surface.inside(to.place))) return;
    gone += way.dot(along);
    along = (along + way.normalized()).normalized();
    samples.push_back(to);
  }
}

// New tails: on along the limb, and nearly to the surface.
void lay_tails(MedialTree& tree, const BodySurface& surface) {
  for_each_end(tree, [&](MedialChain& chain) {
    std::vector<MedialSample>& samples = chain.samples;
    const double beyond = samples.back().beyond;
    if (!(beyond > 0)) return;
    const auto direction = [&] {
      std::size_t back = samples.size() - 1;
      for (double base = 0; back > 0 && base < 2 * samples.back().width; --back) {
        base += (samples[back].place - samples[back - 1].place).norm();
      }
      return Vec3d((samples.back().place - samples[back].place).normalized());
    };
    const Vec3d start = samples.back().place;
    walk_on(samples, direction(), beyond, surface);
    const MedialSample last = samples.back();
    const Vec3d along = direction();
    const double most = std::max(0.0, 1.2 * beyond - (last.place - start).norm());
    const std::optional<RayHit> hit = surface.skin->first_hit(last.place, along, most);
    const double free = hit ? hit->t : most;
    MedialSample end = last;
    end.place += (free - 0.4 * std::min(free, last.radius)) * along;
    end.radius = surface.depth(end.place);
    if (surface.clear(last.place, end.place, 0.2 * last.radius)) samples.push_back(end);
    tree.nodes[chain.to] = samples.back();
  });
}

}  // namespace

void shape_lines(MedialTree& tree, const BodySurface& surface, const InsideCells& cells,
                 double shortest, CancelView stop) {
  take_widths(tree, find_slices(tree, cells, stop));
  merge_forks(tree, surface);
  drop_twigs(tree, shortest);
  take_tails(tree);
  // Roughly at first; then only what is flat is straight already.
  for (const double kept_depth : {0.6, 0.85}) {
    for (MedialChain& chain : tree.chains) {
      pull_tight(chain, surface, kept_depth);
      sample_evenly(chain, surface, cells);
    }
    Relaxation(tree, surface, find_slices(tree, cells, stop)).run(stop);
    find_cells(tree, cells);
    take_widths(tree, find_slices(tree, cells, stop));
    merge_forks(tree, surface);
  }
  lay_tails(tree, surface);
}

}  // namespace sinew::kernels
