#include "nodes/kernels/medial_tree.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace sinew::kernels {

namespace {

constexpr uint32_t none = InsideCells::none;
// A shell's place farther from all lines than this share of the extent gets a line of its own.
constexpr double rib_distance = 0.25;
constexpr int most_ribs = 16;

// Ways of least cost to a tree that grows. Only what gets cheaper is looked at again.
class Growth {
 public:
  explicit Growth(const InsideCells& cells, const std::vector<uint8_t>* allowed = nullptr)
      : cells_(&cells), allowed_(allowed), cost_(cells.size(), unreachable) {}

  void add(std::span<const uint32_t> tree, CancelView stop) {
    for (const uint32_t c : tree) cost_[c] = 0;
    const auto slowness = [&](uint32_t c) {
      if (allowed_ && !(*allowed_)[c]) return unreachable;
      const double depth = std::max(cells_->depth(c) / cells_->cell(), 0.25);
      return 1 / (depth * depth * depth);
    };
    cells_->march(cost_, tree, slowness, stop);
  }

  // From a cell to the tree, both included; empty if no way leads there. Downhill: since the costs
  // are those of a wave and not of steps, the way is straight where all costs the same.
  std::vector<uint32_t> way(uint32_t from) const {
    std::vector<uint32_t> cells;
    if (!(cost_[from] < unreachable)) return cells;
    cells.push_back(from);
    for (uint32_t c = from; cost_[c] > 0;) {
      uint32_t best = none;
      double steepest = 0;
      for (int d = 0; d < InsideCells::directions; ++d) {
        const uint32_t to = cells_->next(c, d);
        if (to == none) continue;
        const double slope = (cost_[c] - cost_[to]) / InsideCells::step_length(d);
        if (!(slope > steepest)) continue;
        steepest = slope;
        best = to;
      }
      if (best == none) return {};
      c = best;
      cells.push_back(c);
    }
    return cells;
  }

 private:
  const InsideCells* cells_;
  const std::vector<uint8_t>* allowed_;
  std::vector<double> cost_;
};

struct Tip {
  uint32_t cell;
  double distance, persistence;
};

class Finder {
 public:
  Finder(const BodySurface& surface, const InsideCells& cells, double detail, CancelView stop)
      : surface_(surface), cells_(cells), detail_(detail), stop_(stop), growth_(cells) {}

  MedialTree find();

 private:
  void find_root();
  std::vector<Tip> find_tips() const;
  std::vector<uint32_t> around_tip(uint32_t tip, double width);
  Vec3d middle_of(std::span<const uint32_t> some) const;
  double sticks_out(std::span<const uint32_t> way) const;
  bool sees(uint32_t from, std::span<const uint32_t> others) const;
  uint32_t end_of(uint32_t tip);
  std::vector<uint32_t> way_to_tree(uint32_t from, const Growth& growth) const;
  bool add_limb(uint32_t tip, const Growth& growth);
  void add_line(const std::vector<uint32_t>& way);
  void add_ribs(const Growth& to_root, MedialTree& tree);
  std::vector<uint32_t> bands() const;
  void lead_rings_on(MedialTree& tree);
  bool lead_on(const std::vector<uint32_t>& strand, const std::vector<uint32_t>& band);
  void add_ball_line();
  void collect(MedialTree& tree) const;

  const BodySurface& surface_;
  const InsideCells& cells_;
  double detail_;
  CancelView stop_;
  Growth growth_;
  double extent_ = 0;
  uint32_t root_ = 0;
  std::vector<double> from_root_;
  // The tree, as cells that know each other.
  std::vector<uint32_t> tree_;
  std::vector<uint8_t> in_tree_;
  std::map<uint32_t, std::vector<uint32_t>> neighbours_;
  std::map<uint32_t, double> tips_;  // ends of limbs: how far they are from the tip
  std::vector<uint8_t> passed_;      // cells that ways led through, before their ends were cut
  std::vector<uint32_t> mark_;       // of around_tip
  uint32_t marks_ = 0;
};

uint32_t farthest(const std::vector<double>& distance) {
  uint32_t best = 0;
  for (uint32_t c = 1; c < distance.size(); ++c) {
    if (distance[c] > distance[best]) best = c;
  }
  return best;
}

// About the middle of the longest way, which two sweeps find: the place nearest to it of those that
// are deep, and from there the deepest that is near.
void Finder::find_root() {
  uint32_t deepest = 0;
  for (uint32_t c = 1; c < cells_.size(); ++c) {
    if (cells_.depth(c) > cells_.depth(deepest)) deepest = c;
  }
  const std::vector<double> first = cells_.distances(std::span(&deepest, 1), false, stop_);
  const uint32_t one_end = farthest(first);
  const std::vector<double> a = cells_.distances(std::span(&one_end, 1), false, stop_);
  const uint32_t other_end = farthest(a);
  const std::vector<double> b = cells_.distances(std::span(&other_end, 1), false, stop_);
  extent_ = std::max(a[other_end], cells_.cell());
  const auto far = [&](uint32_t c) { return std::max(a[c], b[c]); };
  double deep = 0;
  for (uint32_t c = 0; c < cells_.size(); ++c) {
    if (far(c) <= 0.65 * extent_) deep = std::max(deep, cells_.depth(c));
  }
  uint32_t middle = deepest;
  for (uint32_t c = 0; c < cells_.size(); ++c) {
    if (cells_.depth(c) >= 0.7 * deep && far(c) < far(middle)) middle = c;
  }
  root_ = middle;
  const double near = 1.5 * cells_.depth(middle);
  for (uint32_t c = 0; c < cells_.size(); ++c) {
    if ((cells_.place(c) - cells_.place(middle)).norm() > near) continue;
    if (cells_.depth(c) > cells_.depth(root_)) root_ = c;
  }
  from_root_ = cells_.distances(std::span(&root_, 1), false, stop_);
}

// Maxima of the distance from the root that stick out by `detail` of the extent. Cells come in from
// the farthest; where two regions meet, that with the nearer tip ends.
std::vector<Tip> Finder::find_tips() const {
  std::vector<uint32_t> order(cells_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return from_root_[a] != from_root_[b] ? from_root_[a] > from_root_[b] : a < b;
  });
  std::vector<uint32_t> region(cells_.size(), none);  // towards the region's tip
  const auto tip_of = [&](uint32_t c) {
    while (region[c] != c) c = region[c] = region[region[c]];
    return c;
  };
  std::vector<Tip> tips;
  const auto end_region = [&](uint32_t tip, double at) {
    const double persistence = from_root_[tip] - at;
    if (persistence >= detail_ * extent_) tips.push_back({tip, from_root_[tip], persistence});
  };
  for (const uint32_t c : order) {
    region[c] = c;
    for (int d = 0; d < InsideCells::directions; ++d) {
      const uint32_t other = cells_.next(c, d);
      if (other == none || region[other] == none) continue;
      uint32_t a = tip_of(c), b = tip_of(other);
      if (a == b) continue;
      const bool swap = from_root_[b] > from_root_[a] || (from_root_[b] == from_root_[a] && b < a);
      if (swap) std::swap(a, b);
      if (b != c) end_region(b, from_root_[c]);
      region[b] = a;
    }
  }
  if (!order.empty()) end_region(tip_of(order[0]), 0);
  std::sort(tips.begin(), tips.end(), [](const Tip& a, const Tip& b) {
    return a.distance != b.distance ? a.distance > b.distance : a.cell < b.cell;
  });
  return tips;
}

// The connected cells about a tip that are at most `width` nearer to the root.
std::vector<uint32_t> Finder::around_tip(uint32_t tip, double width) {
  mark_.resize(cells_.size(), 0);
  ++marks_;
  const double least = from_root_[tip] - width;
  std::vector<uint32_t> found = {tip};
  mark_[tip] = marks_;
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (int d = 0; d < InsideCells::directions; ++d) {
      const uint32_t to = cells_.next(found[i], d);
      if (to == none || mark_[to] == marks_ || from_root_[to] < least) continue;
      mark_[to] = marks_;
      found.push_back(to);
    }
  }
  return found;
}

Vec3d Finder::middle_of(std::span<const uint32_t> some) const {
  Vec3d sum{0, 0, 0};
  for (const uint32_t c : some) sum += cells_.place(c);
  return sum / static_cast<double>(some.size());
}

// How long a way to the tree is beyond the ball about the place where it gets there. The way may
// run along within the ball first.
double Finder::sticks_out(std::span<const uint32_t> way) const {
  const Vec3d start = cells_.place(way.back());
  const double ball = cells_.depth(way.back());
  double length = 0, thickest = 0;
  for (std::size_t i = 1; i < way.size(); ++i) {
    const Vec3d place = cells_.place(way[i - 1]);
    if ((place - start).norm() < ball) break;
    length += (cells_.place(way[i]) - place).norm();
    thickest = std::max(thickest, cells_.depth(way[i - 1]));
  }
  return length >= thickest ? length : 0;
}

// Whether the straight ways from a cell to nearly all of some others are free.
bool Finder::sees(uint32_t from, std::span<const uint32_t> others) const {
  const std::size_t every = std::max<std::size_t>(1, others.size() / 100);
  std::size_t asked = 0, hidden = 0;
  for (std::size_t i = 0; i < others.size(); i += every, ++asked) {
    hidden += !surface_.stays_inside(cells_.place(from), cells_.place(others[i]));
  }
  return 10 * hidden <= asked;
}

// Where a limb's line should end. What is smaller than the detail asked for does not count, so that
// of a limb's last piece, as long as that, it is the middle: of a square end its middle and not a
// corner, of a disc its centre. Unless that is outside, as the middle of a bell's rim.
uint32_t Finder::end_of(uint32_t tip) {
  const std::vector<uint32_t> last = around_tip(tip, detail_ * extent_);
  const uint32_t middle = cells_.near(middle_of(last), 1);
  return middle != none && sees(middle, last) ? middle : tip;
}

bool Finder::add_limb(uint32_t tip, const Growth& growth) {
  std::vector<uint32_t> way = way_to_tree(tip, growth);
  if (way.size() < 2 || sticks_out(way) < 0.6 * detail_ * extent_) return false;
  const std::vector<uint32_t> passed = way;
  const uint32_t end = end_of(tip);
  if (end != tip) way = way_to_tree(end, growth);
  if (way.size() < 2 || sticks_out(way) < 0.25 * detail_ * extent_) return false;
  for (const uint32_t c : passed) passed_[c] = 1;
  for (const uint32_t c : way) passed_[c] = 1;
  tips_[end] = (cells_.place(tip) - cells_.place(end)).norm();
  add_line(way);
  return true;
}

std::vector<uint32_t> Finder::way_to_tree(uint32_t from, const Growth& growth) const {
  std::vector<uint32_t> way = growth.way(from);
  const auto met = std::find_if(way.begin(), way.end(), [&](uint32_t c) { return in_tree_[c]; });
  if (met != way.end()) way.erase(met + 1, way.end());
  return way;
}

// Adds a way that leads to the tree. Where a step across would pass through the surface it is made
// along the axes.
void Finder::add_line(const std::vector<uint32_t>& way) {
  std::vector<uint32_t> line = {way[0]};
  for (std::size_t i = 1; i < way.size(); ++i) {
    const Vec3d a = cells_.place(way[i - 1]), b = cells_.place(way[i]);
    const double free = cells_.depth(way[i - 1]) + cells_.depth(way[i]);
    if ((b - a).norm() >= free && !surface_.stays_inside(a, b)) {
      for (const uint32_t c : cells_.along_axes(way[i - 1], way[i])) line.push_back(c);
    }
    line.push_back(way[i]);
  }
  // Steps along the axes may meet the tree earlier.
  const auto met = std::find_if(line.begin(), line.end(), [&](uint32_t c) { return in_tree_[c]; });
  if (met == line.begin() || met == line.end()) return;
  for (auto c = line.begin(); c != met; ++c) {
    neighbours_[*c].push_back(*(c + 1));
    neighbours_[*(c + 1)].push_back(*c);
    in_tree_[*c] = 1;
  }
  tree_.insert(tree_.end(), line.begin(), met);
  growth_.add({line.data(), static_cast<std::size_t>(met - line.begin())}, stop_);
}

// Lines to the places of a shell that are far from all others.
void Finder::add_ribs(const Growth& to_root, MedialTree& tree) {
  for (; tree.ribs < most_ribs; ++tree.ribs) {
    const std::vector<double> beyond = cells_.distances(tree_, true, stop_);
    const double most = beyond[farthest(beyond)];
    if (most < rib_distance * extent_) return;
    // Of the places that are about as far, the one at the rim.
    uint32_t tip = none;
    for (uint32_t c = 0; c < cells_.size(); ++c) {
      if (beyond[c] < 0.8 * most) continue;
      if (tip == none || from_root_[c] > from_root_[tip]) tip = c;
    }
    // To the root, not to what is nearest, lest ribs run along a rim; and no farther than the tree.
    if (!add_limb(tip, to_root)) return;
  }
}

// ---- Rings --------------------------------------------------------------------------------------

// The number of the region that each cell belongs to: connected cells about as far from the root.
std::vector<uint32_t> Finder::bands() const {
  const double width = 3 * cells_.cell();
  const auto level = [&](uint32_t c) { return std::floor(from_root_[c] / width); };
  std::vector<uint32_t> band(cells_.size(), none), open;
  for (uint32_t c = 0; c < cells_.size(); ++c) {
    if (band[c] != none) continue;
    band[c] = c;
    open.assign(1, c);
    while (!open.empty()) {
      const uint32_t at = open.back();
      open.pop_back();
      for (int d = 0; d < InsideCells::directions; ++d) {
        const uint32_t to = cells_.next(at, d);
        if (to == none || band[to] != none || level(to) != level(at)) continue;
        band[to] = c;
        open.push_back(to);
      }
    }
  }
  return band;
}

// A strand of regions that no line passes, with lines above and below, is the other side of a ring.
void Finder::lead_rings_on(MedialTree& tree) {
  const std::vector<uint32_t> band = bands();
  std::vector<uint8_t> covered(cells_.size(), 0);  // by region
  for (uint32_t c = 0; c < cells_.size(); ++c) {
    if (passed_[c]) covered[band[c]] = 1;
  }
  std::vector<uint8_t> seen(cells_.size(), 0);
  for (uint32_t c = 0; c < cells_.size(); ++c) {
    if (seen[c] || covered[band[c]]) continue;
    std::vector<uint32_t> strand = {c};
    seen[c] = 1;
    for (std::size_t i = 0; i < strand.size(); ++i) {
      for (int d = 0; d < InsideCells::directions; ++d) {
        const uint32_t to = cells_.next(strand[i], d);
        if (to == none || seen[to] || covered[band[to]]) continue;
        seen[to] = 1;
        strand.push_back(to);
      }
    }
    tree.rings_cut += lead_on(strand, band);
  }
}

bool Finder::lead_on(const std::vector<uint32_t>& strand, const std::vector<uint32_t>& band) {
  const auto [low, high] =
      std::minmax_element(strand.begin(), strand.end(), [&](uint32_t a, uint32_t b) {
        return from_root_[a] != from_root_[b] ? from_root_[a] < from_root_[b] : a < b;
      });
  double thickest = 0;
  for (const uint32_t c : strand) thickest = std::max(thickest, cells_.depth(c));
  const double length = from_root_[*high] - from_root_[*low];
  if (length < std::max(detail_ * extent_, 2 * thickest)) return false;
  // The way is looked for in the strand and in the regions above that it hangs on.
  std::vector<uint8_t> above(cells_.size(), 0), allowed(cells_.size(), 0);
  bool hangs = false;
  for (const uint32_t c : strand) {
    allowed[c] = 1;
    for (int d = 0; d < InsideCells::directions; ++d) {
      const uint32_t to = cells_.next(c, d);
      if (to == none || from_root_[to] < from_root_[*high] - 3 * cells_.cell()) continue;
      above[band[to]] = hangs = true;
    }
  }
  if (!hangs) return false;
  std::vector<uint32_t> starts;
  for (uint32_t c = 0; c < cells_.size(); ++c) {
    if (above[band[c]]) allowed[c] = 1;
    if (allowed[c] && in_tree_[c]) starts.push_back(c);
  }
  if (starts.empty()) return false;
  Growth growth(cells_, &allowed);
  growth.add(starts, stop_);
  const std::vector<uint32_t> way = growth.way(*low);
  if (way.size() < 2) return false;
  for (const uint32_t c : way) passed_[c] = 1;
  add_line(way);
  return true;
}

// ---- All together -------------------------------------------------------------------------------

// Nothing sticks out: one line through the middle, along the body's longest axis, upright in a
// ball.
void Finder::add_ball_line() {
  const Vec3d middle = cells_.place(root_);
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (uint32_t c = 0; c < cells_.size(); ++c) {
    const Vec3d off = cells_.place(c) - middle;
    spread += off * off.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(spread);
  Vec3d axis = axes.eigenvectors().col(2);
  if (axes.eigenvalues()[2] < 1.1 * axes.eigenvalues()[1]) axis = Vec3d::UnitY();
  for (const double side : {1.0, -1.0}) {
    const uint32_t end = cells_.near(middle + side * 0.6 * cells_.depth(root_) * axis, 1);
    if (end == none || in_tree_[end]) continue;
    const std::vector<uint32_t> way = growth_.way(end);
    if (way.size() >= 2) add_line(way);
  }
}

// Chains from fork to fork or end.
void Finder::collect(MedialTree& tree) const {
  const auto sample = [&](uint32_t c) {
    const auto tip = tips_.find(c);
    return MedialSample{cells_.place(c), cells_.depth(c), 0, c,
                        tip == tips_.end() ? -1 : tip->second};
  };
  std::map<uint32_t, uint32_t> node;
  for (const auto& [cell, others] : neighbours_) {
    if (others.size() == 2) continue;
    node[cell] = static_cast<uint32_t>(tree.nodes.size());
    tree.nodes.push_back(sample(cell));
  }
  for (const auto& [start, from] : node) {
    for (uint32_t second : neighbours_.at(start)) {
      MedialChain chain;
      chain.from = from;
      chain.samples = {sample(start)};
      uint32_t last = start, at = second;
      while (!node.contains(at)) {
        chain.samples.push_back(sample(at));
        const std::vector<uint32_t>& two = neighbours_.at(at);
        const uint32_t on = two[0] == last ? two[1] : two[0];
        last = std::exchange(at, on);
      }
      chain.samples.push_back(sample(at));
      chain.to = node.at(at);
      // Each is found from both sides.
      if (chain.from < chain.to) tree.chains.push_back(std::move(chain));
    }
  }
}

MedialTree Finder::find() {
  MedialTree tree;
  find_root();
  tree.extent = extent_;
  in_tree_.assign(cells_.size(), 0);
  passed_.assign(cells_.size(), 0);
  in_tree_[root_] = 1;
  tree_ = {root_};
  growth_.add(tree_, stop_);
  const Growth to_root = growth_;
  for (const Tip& tip : find_tips()) add_limb(tip.cell, growth_);
  lead_rings_on(tree);
  add_ribs(to_root, tree);
  if (tree_.size() < 2) {
    tree.ball = true;
    add_ball_line();
  }
  collect(tree);
  return tree;
}

}  // namespace

MedialTree medial_tree(const BodySurface& surface, const InsideCells& cells, double detail,
                       CancelView stop) {
  MedialTree tree = Finder(surface, cells, detail, stop).find();
  if (tree.chains.empty()) return tree;
  shape_lines(tree, surface, cells, 0.5 * detail * tree.extent, stop);
  return tree;
}

}  // namespace sinew::kernels
