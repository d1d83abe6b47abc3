#include "nodes/kernels/skeleton_extract.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "nodes/geometry/join.h"
#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/measure.h"
#include "nodes/kernels/medial_tree.h"

namespace sinew::kernels {

namespace {

[[noreturn]] void fail(std::string sentence) { throw std::invalid_argument(std::move(sentence)); }

// ---- What comes in ------------------------------------------------------------------------------

void check_options(const ExtractOptions& o) {
  const auto within = [](double x, double low, double high) { return x >= low && x <= high; };
  if (!within(o.detail, 0.005, 0.5)) fail("the detail must lie between 0.005 and 0.5");
  if (!within(o.bone_length, 0.01, 1)) fail("the bone length must lie between 0.01 and 1");
  if (!within(o.straightness, 0.05, 2)) fail("the straightness must lie between 0.05 and 2");
  if (!within(o.resolution, 8, 120)) fail("the resolution must lie between 8 and 120");
}

// The mesh at a size of about one: a power of two, so that no position changes but for its
// exponent.
struct Unit {
  Mesh mesh;
  double scale = 1;  // of the unit, m
};

Unit to_unit(const Mesh& mesh) {
  if (mesh.triangle_count() == 0) fail("there is nothing to find a skeleton in: the mesh is empty");
  if (const std::optional<std::string> problem = validate(mesh)) {
    fail(fmt::format("the mesh cannot be used: {}", *problem));
  }
  const Eigen::AlignedBox3d box = bounding_box(mesh.positions).cast<double>();
  if (std::max(box.min().cwiseAbs().maxCoeff(), box.max().cwiseAbs().maxCoeff()) > farthest_joint) {
    fail("the mesh is too large: a joint may be at most 1e12 m from the origin");
  }
  const double size = box.sizes().maxCoeff();
  if (!(size > 0)) fail("all vertices of the mesh are at one place, so that it has no inside");
  Unit unit;
  int exponent = 0;
  std::frexp(size, &exponent);
  unit.scale = std::ldexp(1.0, exponent);
  std::vector<Vec3f> positions(mesh.vertex_count());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    for (int k = 0; k < 3; ++k) positions[i][k] = std::ldexp(mesh.positions[i][k], -exponent);
  }
  unit.mesh = mesh.with_positions(std::move(positions));
  return unit;
}

// Surfaces that hang together, vertices at the same place taken as one.
std::size_t connected_surfaces(const Mesh& mesh) {
  const Joined joined = join_identical(mesh.positions);
  std::vector<uint32_t> part(joined.kept.size());
  std::iota(part.begin(), part.end(), 0u);
  const auto root = [&](uint32_t v) {
    while (part[v] != v) v = part[v] = part[part[v]];
    return v;
  };
  std::vector<uint8_t> used(part.size(), 0);
  for (const Triangle& t : mesh.triangles()) {
    const uint32_t a = root(joined.vertex_map[t[0]]);
    used[joined.vertex_map[t[0]]] = 1;
    for (const std::size_t k : {1u, 2u}) {
      const uint32_t v = joined.vertex_map[t[k]];
      used[v] = 1;
      part[root(v)] = a;
    }
  }
  std::vector<uint8_t> counted(part.size(), 0);
  std::size_t count = 0;
  for (uint32_t v = 0; v < part.size(); ++v) {
    if (!used[v] || std::exchange(counted[root(v)], uint8_t{1})) continue;
    ++count;
  }
  return count;
}

// ---- Cells --------------------------------------------------------------------------------------

constexpr int most_cells = 400;          // along the longest side
constexpr double most_points = 1 << 24;  // of the grid
constexpr double small_part = 0.01;      // of the largest, by volume: left out
constexpr std::size_t crumb = 8;         // cells
constexpr double few_lost = 0.002;       // of the vertices
constexpr int tries = 3;
constexpr double finer = 1.6;

// Cells along the longest side such that about resolution^3 of them are inside.
int cells_along(const BodySurface& surface, int resolution, CancelView stop) {
  for (int cells = 32; cells <= 256; cells *= 2) {
    const MaterialGrid grid(surface.whole, cells, stop);
    const auto count = static_cast<double>(grid.inside_count());
    if (count < 500 && (cells < 256 || count == 0)) continue;
    return static_cast<int>(
        std::clamp(cells * resolution / std::cbrt(count), 12.0, static_cast<double>(most_cells)));
  }
  fail("the mesh has no inside: it is flat, or an open sheet rather than a closed surface");
}

int fitting(const BodySurface& surface, int cells) {
  const Vec3d sizes = surface.whole->box().sizes();
  const double h = sizes.maxCoeff() / cells;
  const double points = (sizes.array() / h + 3).prod();
  return points <= most_points ? cells : static_cast<int>(cells * std::cbrt(most_points / points));
}

struct Filled {
  std::unique_ptr<InsideCells> cells;
  std::size_t parts = 1;     // large ones
  std::size_t left_out = 0;  // small ones
  double lost = 0;           // share of the vertices that are far from all cells
};

Filled fill(const BodySurface& surface, const Mesh& mesh, int along, CancelView stop) {
  Filled filled;
  filled.cells = std::make_unique<InsideCells>(surface, along, stop);
  const std::vector<std::size_t>& pieces = filled.cells->pieces();
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const double share = static_cast<double>(pieces[i]) / static_cast<double>(pieces[0]);
    if (pieces[i] >= crumb) ++(share >= small_part ? filled.parts : filled.left_out);
  }
  const std::size_t every = std::max<std::size_t>(1, mesh.vertex_count() / 20000);
  std::size_t asked = 0, lost = 0;
  for (std::size_t i = 0; i < mesh.vertex_count(); i += every, ++asked) {
    lost += filled.cells->near(mesh.positions[i].cast<double>(), 3) == InsideCells::none;
  }
  filled.lost = static_cast<double>(lost) / static_cast<double>(std::max<std::size_t>(asked, 1));
  return filled;
}

// Cells fine enough that no limb of a body that hangs together falls off.
Filled fill(const BodySurface& surface, const Mesh& mesh, const ExtractOptions& options,
            std::vector<std::string>& remarks, CancelView stop) {
  const std::size_t surfaces = connected_surfaces(mesh);
  int along = fitting(surface, cells_along(surface, options.resolution, stop));
  Filled filled = fill(surface, mesh, along, stop);
  for (int i = 0; i < tries && surfaces == 1; ++i) {
    if (!filled.cells->empty() && filled.parts == 1 && filled.lost <= few_lost) break;
    const int next = fitting(surface, std::min(most_cells, static_cast<int>(finer * along)));
    if (next <= along) break;
    along = next;
    filled = fill(surface, mesh, along, stop);
  }
  if (filled.cells->empty()) {
    fail(
        "the mesh has no inside that cells fit into: it is flat or too thin; a higher resolution "
        "may help");
  }
  if (filled.parts > 1 && surfaces == 1) {
    fail(
        fmt::format("the body is so thin in places that it falls into {} parts; raise the "
                    "resolution, or make it thicker there",
                    filled.parts));
  }
  if (filled.parts > 1) {
    fail(
        fmt::format("the mesh consists of {} separate parts, and a skeleton is one tree that stays "
                    "inside; let the parts overlap, or find a skeleton for each",
                    filled.parts));
  }
  if (surfaces > 1 && filled.left_out > 0) {
    remarks.push_back(fmt::format("{} small separate {} left out", filled.left_out,
                                  filled.left_out == 1 ? "part was" : "parts were"));
  } else if (filled.lost > few_lost) {
    remarks.push_back(
        "some of the body is too thin to be seen; a higher resolution finds more of it");
  }
  return filled;
}

// ---- Joints -------------------------------------------------------------------------------------

// Puts joints on middle lines.
class JointMaker {
 public:
  JointMaker(const MedialTree& tree, const BodySurface& surface, const ExtractOptions& options)
      : tree_(tree), surface_(surface), options_(options) {}

  struct Bone {
    uint32_t from, to;
  };
  std::vector<Vec3d> joints;
  std::vector<double> radii;
  std::vector<Bone> bones;

  void make() {
    for (const MedialSample& node : tree_.nodes) add_joint(node.place, node.radius);
    for (const MedialChain& chain : tree_.chains) lay(chain);
  }

 private:
  uint32_t add_joint(const Vec3d& place, double radius) {
    joints.push_back(place);
    radii.push_back(radius);
    return static_cast<uint32_t>(joints.size() - 1);
  }

  // How far a sample is off a bone, over what is allowed: a share of how wide the limb is.
  double off(const MedialSample& s, const Vec3d& a, const Vec3d& b) const {
    const Vec3d way = b - a;
    const double length2 = way.squaredNorm();
    const double t = length2 > 0 ? std::clamp((s.place - a).dot(way) / length2, 0.0, 1.0) : 0.0;
    const double wide = std::max(s.radius, s.width);
    return (s.place - a - t * way).norm() / (options_.straightness * wide);
  }

  // Adds the samples where joints are needed between two.
  void split(const std::vector<MedialSample>& samples, std::size_t first, std::size_t last,
             std::vector<std::size_t>& at) const {
    if (last <= first + 1) return;
    const Vec3d &a = samples[first].place, &b = samples[last].place;
    std::size_t worst = (first + last) / 2;
    double most = 0;
    for (std::size_t i = first + 1; i < last; ++i) {
      const double here = off(samples[i], a, b);
      if (here <= most) continue;
      most = here;
      worst = i;
    }
    if (most <= 1 && runs_deep(surface_, {&samples[first], last - first + 1}, 0.4)) return;
    split(samples, first, worst, at);
    at.push_back(worst);
    split(samples, worst, last, at);
  }

  // Takes out joints that are closer to the next than the limb is wide, where bones stay inside
  // without them and about as near to the middle.
  void drop_close(const std::vector<MedialSample>& samples, std::vector<std::size_t>& at) const {
    for (std::size_t k = 1; k + 1 < at.size();) {
      const MedialSample& s = samples[at[k]];
      const std::size_t before = at[k - 1], after = at[k + 1];
      const Vec3d &a = samples[before].place, &b = samples[after].place;
      const double close = std::min((s.place - a).norm(), (s.place - b).norm());
      bool drop = close < std::max(s.radius, s.width);
      for (std::size_t i = before + 1; drop && i < after; ++i) {
        drop = off(samples[i], a, b) <= 1.5;
      }
      if (drop && runs_deep(surface_, {&samples[before], after - before + 1}, 0.4)) {
        at.erase(at.begin() + static_cast<std::ptrdiff_t>(k));
      } else {
        ++k;
      }
    }
  }

  void lay(const MedialChain& chain) {
    std::vector<std::size_t> at = {0};
    split(chain.samples, 0, chain.samples.size() - 1, at);
    at.push_back(chain.samples.size() - 1);
    drop_close(chain.samples, at);
    uint32_t last = chain.from;
    for (std::size_t i = 1; i < at.size(); ++i) {
      const MedialSample &a = chain.samples[at[i - 1]], &b = chain.samples[at[i]];
      const double pieces = (b.place - a.place).norm() / (options_.bone_length * tree_.extent);
      const int count = std::max(1, static_cast<int>(std::ceil(pieces - 0.15)));
      for (int k = 1; k < count; ++k) {
        const Vec3d place = a.place + static_cast<double>(k) / count * (b.place - a.place);
        last = link(last, add_joint(place, surface_.depth(place)));
      }
      const bool end = i + 1 == at.size();
      last = link(last, end ? chain.to : add_joint(b.place, b.radius));
    }
  }

  uint32_t link(uint32_t from, uint32_t to) {
    bones.push_back({from, to});
    return to;
  }

  const MedialTree& tree_;
  const BodySurface& surface_;
  const ExtractOptions& options_;
};

// ---- Names --------------------------------------------------------------------------------------

// Orders joints and bones from a root and calls them.
class Namer {
 public:
  explicit Namer(const JointMaker& made) : made_(made), around_(made.joints.size()) {
    for (const JointMaker::Bone& b : made.bones) {
      around_[b.from].push_back(b.to);
      around_[b.to].push_back(b.from);
    }
  }

  Skeleton name() {
    const uint32_t root = find_root();
    reach_.assign(around_.size(), 0);
    measure(root);
    skeleton_.joints.push_back({"root", made_.joints[root]});
    name_limbs(root, root, 0, "");
    return std::move(skeleton_);
  }

 private:
  double length(uint32_t a, uint32_t b) const { return (made_.joints[a] - made_.joints[b]).norm(); }

  // From the root outwards: each joint with the one that it was reached from.
  std::vector<std::pair<uint32_t, uint32_t>> outwards(uint32_t root) const {
    std::vector<std::pair<uint32_t, uint32_t>> order = {{root, root}};
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto [joint, parent] = order[i];
      for (const uint32_t next : around_[joint]) {
        if (next != parent) order.push_back({next, joint});
      }
    }
    return order;
  }

  // The joint that the body's volume is nearest to along the bones; a fork if there is one.
  uint32_t find_root() const {
    std::size_t most = 0;
    for (const auto& others : around_) most = std::max(most, others.size());
    const std::size_t needed = std::min<std::size_t>(most, 3);
    std::vector<double> sums(around_.size(), std::numeric_limits<double>::infinity());
    std::vector<double> way(around_.size(), 0);
    for (uint32_t j = 0; j < around_.size(); ++j) {
      if (around_[j].size() < needed) continue;
      sums[j] = way[j] = 0;
      for (const auto& [joint, parent] : outwards(j)) {
        if (joint == parent) continue;
        const double bone = length(joint, parent);
        const double radius = 0.5 * (made_.radii[joint] + made_.radii[parent]);
        way[joint] = way[parent] + bone;
        sums[j] += bone * radius * radius * (way[parent] + 0.5 * bone);
      }
    }
    // Of those that are about as good, as the two ends of a middle bone, always the same.
    const double least = *std::min_element(sums.begin(), sums.end());
    uint32_t best = static_cast<uint32_t>(around_.size());
    for (uint32_t j = 0; j < around_.size(); ++j) {
      if (sums[j] > 1.05 * least) continue;
      if (best == around_.size() || comes_first(j, best)) best = j;
    }
    return best;
  }

  bool comes_first(uint32_t a, uint32_t b) const {
    const Vec3d &p = made_.joints[a], &q = made_.joints[b];
    return std::lexicographical_compare(q.begin(), q.end(), p.begin(), p.end());
  }

  // How far it is from each joint to the farthest end beyond it.
  void measure(uint32_t root) {
    const auto order = outwards(root);
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      const auto [joint, parent] = *it;
      if (joint == parent) continue;
      reach_[parent] = std::max(reach_[parent], reach_[joint] + length(joint, parent));
    }
  }

  // The limb that reaches farthest comes first. Those that reach about as far, such as a pair of
  // arms, are told apart by where they begin, which noise does not change.
  void order(uint32_t joint, std::vector<uint32_t>& next) const {
    const auto far = [&](uint32_t other) { return reach_[other] + length(joint, other); };
    std::sort(next.begin(), next.end(),
              [&](uint32_t a, uint32_t b) { return far(a) != far(b) ? far(a) > far(b) : a < b; });
    for (std::size_t first = 0; first < next.size();) {
      std::size_t last = first + 1;
      while (last < next.size() && far(next[last]) > 0.95 * far(next[last - 1])) ++last;
      std::sort(next.begin() + static_cast<std::ptrdiff_t>(first),
                next.begin() + static_cast<std::ptrdiff_t>(last),
                [&](uint32_t a, uint32_t b) { return comes_first(a, b); });
      first = last;
    }
  }

  // `number` is that of the joint in the result, `limb` what the limb that leads to it is called.
  void name_limbs(uint32_t joint, uint32_t parent, uint32_t number, const std::string& limb) {
    std::vector<uint32_t> next;
    for (const uint32_t other : around_[joint]) {
      if (other != parent) next.push_back(other);
    }
    order(joint, next);
    for (std::size_t k = 0; k < next.size(); ++k) {
      const std::string called =
          limb.empty() ? fmt::format("limb {}", k + 1) : fmt::format("{}.{}", limb, k + 1);
      uint32_t last = joint, at = next[k], last_number = number;
      for (int along = 1;; ++along) {
        const std::size_t degree = around_[at].size();
        const uint32_t here = static_cast<uint32_t>(skeleton_.joints.size());
        const std::string what = degree == 1   ? "end"
                                 : degree == 2 ? fmt::format("joint {}", along)
                                               : "fork";
        skeleton_.joints.push_back({called + " " + what, made_.joints[at]});
        skeleton_.bones.push_back({fmt::format("{} bone {}", called, along), {last_number, here}});
        if (degree != 2) {
          if (degree > 2) name_limbs(at, last, here, called);
          break;
        }
        const uint32_t on = around_[at][0] == last ? around_[at][1] : around_[at][0];
        last = std::exchange(at, on);
        last_number = here;
      }
    }
  }

  const JointMaker& made_;
  std::vector<std::vector<uint32_t>> around_;
  std::vector<double> reach_;
  Skeleton skeleton_;
};

// Every bone is asked once more, by whatever way it was made.
void check_inside(const Skeleton& skeleton, const BodySurface& surface) {
  for (std::size_t b = 0; b < skeleton.bone_count(); ++b) {
    if (surface.stays_inside(skeleton.from(b), skeleton.to(b))) continue;
    fail(
        fmt::format("the bone {} would leave the body, which is too thin there; raise the "
                    "resolution, or make it thicker",
                    bone_called(skeleton, b)));
  }
}

void add_remarks(const MedialTree& tree, std::vector<std::string>& remarks) {
  if (tree.ball) {
    remarks.push_back("nothing sticks out of the body: there is one line through its middle");
  }
  if (tree.ribs > 0) {
    remarks.push_back(
        "the body is a shell or a sheet, which a tree cannot fill: some bones run in it as ribs");
  }
  if (tree.rings_cut > 0) {
    remarks.push_back(
        fmt::format("the body has {}; a skeleton is a tree, so that the bones there do not close",
                    tree.rings_cut == 1 ? "a ring" : fmt::format("{} rings", tree.rings_cut)));
  }
}

}  // namespace

ExtractedSkeleton extract_skeleton(const Mesh& mesh, const ExtractOptions& options,
                                   CancelView stop) {
  check_options(options);
  const Unit unit = to_unit(mesh);
  const BodySurface surface = body_surface(unit.mesh, stop);
  ExtractedSkeleton result;
  const Filled filled = fill(surface, unit.mesh, options, result.remarks, stop);
  const MedialTree tree = medial_tree(surface, *filled.cells, options.detail, stop);
  if (tree.chains.empty()) fail("no bone fits into the body; a higher resolution may help");
  JointMaker maker(tree, surface, options);
  maker.make();
  result.skeleton = Namer(maker).name();
  check_inside(result.skeleton, surface);
  for (SkeletonJoint& j : result.skeleton.joints) j.place *= unit.scale;
  if (const std::optional<std::string> problem = validate(result.skeleton)) {
    fail(fmt::format("the skeleton would not be sound: {}", *problem));
  }
  add_remarks(tree, result.remarks);
  return result;
}

}  // namespace sinew::kernels
