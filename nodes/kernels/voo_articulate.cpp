#include "nodes/kernels/voo_articulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "nodes/kernels/voo_array.h"

namespace sinew::kernels {

namespace {

using Problem = std::optional<std::string>;

// The least length of an operator with a constant direction, as a part of its length at rest: one
// that is pulled to the other side waits there rather than turn round.
constexpr double least_part = 1e-3;

Vec3d unit_or(const Vec3d& v, const Vec3d& otherwise) {
  const double length = v.stableNorm();
  return length > 0 ? Vec3d(v / length) : otherwise;
}

// Moves the ends of one operator to where its direction, aim and length are met. An end that is
// held stays; with both held there is nothing to do.
void project(const VooConstraint& c, const VooPose& rest, bool head_held, bool tip_held,
             Vec3d& head, Vec3d& tip) {
  if ((head_held && tip_held) || !(c.length || c.direction || c.aim)) return;
  const Vec3d vector = tip - head, rest_vector = rest.vector();
  const Vec3d middle = head + vector / 2;
  const Vec3d pivot = head_held ? head : tip_held ? tip : middle;
  const Vec3d now = unit_or(vector, unit_or(rest_vector, Vec3d::UnitY()));
  const Vec3d direction = c.direction ? unit_or(*c.direction, now)
                          : c.aim     ? unit_or(*c.aim - pivot, now)
                                      : now;
  double length = vector.stableNorm();
  if (c.direction) {
    length = std::max(vector.dot(direction), least_part * rest_vector.stableNorm());
  }
  if (c.length) length = *c.length;
  if (head_held) {
    tip = head + length * direction;
  } else if (tip_held) {
    head = tip - length * direction;
  } else {
    head = middle - length / 2 * direction;
    tip = head + length * direction;
  }
}

Problem wrong_constraint(const VooConstraint& c, std::size_t voo) {
  for (const auto& [name, point] :
       {std::pair{"head", &c.head}, std::pair{"tip", &c.tip}, std::pair{"direction", &c.direction},
        std::pair{"aim", &c.aim}}) {
    if (*point && !(*point)->allFinite()) {
      return fmt::format("the {} that operator {} is held to is not finite", name, voo + 1);
    }
  }
  if (c.direction && !(c.direction->stableNorm() > 0)) {
    return fmt::format("the direction of operator {} has no length", voo + 1);
  }
  if (c.length && !(*c.length > 0 && *c.length <= greatest_voo_length)) {
    return fmt::format("the length of operator {} must be above 0, but is {}", voo + 1, *c.length);
  }
  return std::nullopt;
}

class Solver {
 public:
  Solver(const Articulation& articulation, std::span<const VooPose> rest, std::span<VooPose> poses)
      : with_(articulation), rest_(rest), poses_(poses), node_of_(2 * poses.size()) {
    join_ends();
    hold_nodes();
    order_voos();
  }

  ArticulateReport solve(int sweeps) {
    const bool driven = !driven_.empty();
    for (int s = 0; s < sweeps; ++s) {
      if (driven) {
        for (const uint32_t n : driven_) place_[n] = start_[n];
        sweep(driven_, order_.size(), true);
      }
      for (const uint32_t n : held_list_) place_[n] = start_[n];
      sweep(held_list_, order_.size(), false);
    }
    finish();
    return {gap()};
  }

 private:
  const VooConstraint& constraint(std::size_t voo) const {
    static const VooConstraint none;
    return with_.constraints.empty() ? none : with_.constraints[voo];
  }
  uint32_t head_node(std::size_t voo) const { return node_of_[2 * voo]; }
  uint32_t tip_node(std::size_t voo) const { return node_of_[2 * voo + 1]; }
  static std::size_t slot(const VooJoint& j) { return 2 * j.voo + (j.end == VooEnd::tip ? 1 : 0); }
  Vec3d& end_of(std::size_t slot) const {
    VooPose& pose = poses_[slot / 2];
    return slot % 2 == 0 ? pose.head : pose.tip;
  }

  // Arthra are the first nodes; ends of their own follow.
  void join_ends() {
    constexpr uint32_t alone = std::numeric_limits<uint32_t>::max();
    std::fill(node_of_.begin(), node_of_.end(), alone);
    for (const VooArthron& a : with_.arthra) {
      Vec3d sum(0, 0, 0);
      for (const VooJoint& j : a.joints) {
        node_of_[slot(j)] = static_cast<uint32_t>(place_.size());
        sum += end_of(slot(j));
      }
      const double count = static_cast<double>(std::max<std::size_t>(a.joints.size(), 1));
      place_.push_back(a.place ? *a.place : Vec3d(sum / count));
    }
    for (std::size_t s = 0; s < node_of_.size(); ++s) {
      if (node_of_[s] != alone) continue;
      node_of_[s] = static_cast<uint32_t>(place_.size());
      place_.push_back(end_of(s));
    }
    start_ = place_;
  }

  void hold_nodes() {
    held_.assign(place_.size(), false);
    // From the last to the first: where several hold one point, the first one counts.
    for (std::size_t i = poses_.size(); i-- > 0;) {
      const VooConstraint& c = constraint(i);
      if (c.tip) hold(tip_node(i), *c.tip);
      if (c.head) hold(head_node(i), *c.head);
    }
    for (std::size_t a = 0; a < with_.arthra.size(); ++a) {
      const VooArthron& arthron = with_.arthra[a];
      const auto node = static_cast<uint32_t>(a);
      if (held_[node] || !arthron.place) continue;
      if (arthron.fixed) {
        hold(node, *arthron.place);
      } else {
        driven_.push_back(node);
      }
    }
    for (uint32_t n = 0; n < held_.size(); ++n) {
      if (held_[n]) held_list_.push_back(n);
    }
  }
  void hold(uint32_t node, const Vec3d& at) {
    held_[node] = true;
    start_[node] = place_[node] = at;
  }

  // From what is held outwards; what hangs on nothing starts at its first operator.
  void order_voos() {
    constexpr uint32_t far = std::numeric_limits<uint32_t>::max();
    std::vector<uint32_t> depth(place_.size(), far);
    for (const uint32_t n : held_list_) depth[n] = 0;
    const auto spread = [&] {
      for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < poses_.size(); ++i) {
          uint32_t &a = depth[head_node(i)], &b = depth[tip_node(i)];
          const uint32_t least = std::min(a, b);
          if (least == far || (a <= least + 1 && b <= least + 1)) continue;
          a = std::min(a, least + 1);
          b = std::min(b, least + 1);
          changed = true;
        }
      }
    };
    spread();
    for (std::size_t i = 0; i < poses_.size(); ++i) {
      if (depth[head_node(i)] != far) continue;
      depth[head_node(i)] = 0;
      spread();
    }
    order_.resize(poses_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t i, std::size_t j) {
      return std::min(depth[head_node(i)], depth[tip_node(i)]) <
             std::min(depth[head_node(j)], depth[tip_node(j)]);
    });
  }

  // One pass over all operators. An end that the pass has already been at stays where it is while
  // the other has not been visited: along a chain, the pass leaves each length exact behind it.
  void sweep(std::span<const uint32_t> from, std::size_t count, bool back) {
    std::vector<bool>& seen = seen_;
    seen.assign(place_.size(), false);
    for (const uint32_t n : from) seen[n] = true;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = order_[back ? count - 1 - k : k];
      const uint32_t a = head_node(i), b = tip_node(i);
      const bool stay_a = seen[a] && !seen[b], stay_b = seen[b] && !seen[a];
      // On the way back what is held gives way, as the driven ends do on the way out.
      const bool held_a = back ? stay_a : stay_a || held_[a];
      const bool held_b = back ? stay_b : stay_b || held_[b];
      project(constraint(i), rest_[i], held_a, held_b, place_[a], place_[b]);
      seen[a] = seen[b] = true;
    }
  }

  // Every operator with constraints meets them exactly; arthra and the others follow.
  void finish() {
    std::vector<bool> settled = held_;
    for (const std::size_t i : order_) {
      const VooConstraint& c = constraint(i);
      if (!c.any()) continue;
      VooPose& pose = poses_[i];
      pose.head = place_[head_node(i)];
      pose.tip = place_[tip_node(i)];
      if (c.head) pose.head = *c.head;
      if (c.tip) pose.tip = *c.tip;
      bool head_held = c.head.has_value(), tip_held = c.tip.has_value();
      if (!head_held && !tip_held) {
        head_held = settled[head_node(i)];
        tip_held = !head_held && settled[tip_node(i)];
      }
      project(c, rest_[i], head_held, tip_held, pose.head, pose.tip);
      for (const std::size_t s : {2 * i, 2 * i + 1}) {
        if (!settled[node_of_[s]]) place_[node_of_[s]] = end_of(s);
        settled[node_of_[s]] = true;
      }
    }
    for (std::size_t i = 0; i < poses_.size(); ++i) {
      if (constraint(i).any()) continue;
      poses_[i].head = place_[head_node(i)];
      poses_[i].tip = place_[tip_node(i)];
    }
  }

  double gap() const {
    double most = 0;
    for (std::size_t a = 0; a < with_.arthra.size(); ++a) {
      const VooArthron& arthron = with_.arthra[a];
      const Vec3d at = arthron.fixed && arthron.place ? *arthron.place : place_[a];
      for (const VooJoint& j : arthron.joints) {
        most = std::max(most, (end_of(slot(j)) - at).stableNorm());
      }
    }
    return most;
  }

  const Articulation& with_;
  std::span<const VooPose> rest_;
  std::span<VooPose> poses_;
  std::vector<uint32_t> node_of_;  // of head and tip of each operator
  std::vector<Vec3d> place_, start_;
  std::vector<bool> held_, seen_;
  std::vector<uint32_t> held_list_, driven_;
  std::vector<std::size_t> order_;
};

}  // namespace

std::optional<std::string> validate(const Articulation& articulation, std::size_t voo_count) {
  if (!articulation.constraints.empty() && articulation.constraints.size() != voo_count) {
    return fmt::format("constraints for {} operators, but there are {}",
                       articulation.constraints.size(), voo_count);
  }
  for (std::size_t i = 0; i < articulation.constraints.size(); ++i) {
    if (auto wrong = wrong_constraint(articulation.constraints[i], i)) return wrong;
  }
  std::vector<bool> joined(2 * voo_count, false);
  for (std::size_t a = 0; a < articulation.arthra.size(); ++a) {
    const VooArthron& arthron = articulation.arthra[a];
    if (arthron.fixed && !arthron.place) {
      return fmt::format("arthron {} is fixed, but nowhere", a + 1);
    }
    if (arthron.place && !arthron.place->allFinite()) {
      return fmt::format("the place of arthron {} is not finite", a + 1);
    }
    for (const VooJoint& j : arthron.joints) {
      if (j.voo >= voo_count) {
        return fmt::format("arthron {} joins operator {}, but there are {}", a + 1, j.voo + 1,
                           voo_count);
      }
      const std::size_t slot = 2 * j.voo + (j.end == VooEnd::tip ? 1 : 0);
      if (joined[slot]) {
        return fmt::format("the {} of operator {} is in two arthra",
                           j.end == VooEnd::tip ? "tip" : "head", j.voo + 1);
      }
      joined[slot] = true;
    }
  }
  return std::nullopt;
}

void constrain_pose(const VooConstraint& constraint, const VooPose& rest, VooPose& pose) {
  if (constraint.head) pose.head = *constraint.head;
  if (constraint.tip) pose.tip = *constraint.tip;
  project(constraint, rest, constraint.head.has_value(), constraint.tip.has_value(), pose.head,
          pose.tip);
}

ArticulateReport articulate(const Articulation& articulation, std::span<const VooPose> rest,
                            std::span<VooPose> poses, int sweeps) {
  if (const auto wrong = validate(articulation, poses.size())) throw std::invalid_argument(*wrong);
  return Solver(articulation, rest, poses).solve(sweeps);
}

VooNetwork make_network(const Voo& pattern, std::span<const Vec3d> points,
                        std::span<const VooEdge> edges) {
  VooNetwork made;
  std::vector<std::vector<VooJoint>> ends(points.size());
  for (const VooEdge& e : edges) {
    if (e.from >= points.size() || e.to >= points.size()) {
      throw std::invalid_argument(fmt::format("an edge from point {} to point {}, of {}",
                                              e.from + 1, e.to + 1, points.size()));
    }
    const auto index = static_cast<uint32_t>(made.members.size());
    Voo voo = placed_voo(pattern, points[e.from], points[e.to] - points[e.from]);
    voo.rest.tip = points[e.to];  // to the bit, since arthra compare places
    voo.name = fmt::format("{} {}", pattern.name, index + 1);
    if (const auto wrong = validate(voo)) {
      throw std::invalid_argument(fmt::format("operator {}: {}", index + 1, *wrong));
    }
    made.members.push_back(std::move(voo));
    ends[e.from].push_back({index, VooEnd::head});
    ends[e.to].push_back({index, VooEnd::tip});
  }
  for (std::vector<VooJoint>& joints : ends) {
    if (joints.size() > 1) made.arthra.push_back({std::move(joints), false, std::nullopt});
  }
  return made;
}

VooNetwork make_cell(const Voo& pattern, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const std::array<Vec3d, 3> points = {a, b, c};
  const std::array<VooEdge, 3> edges = {{{0, 1}, {1, 2}, {2, 0}}};
  return make_network(pattern, points, edges);
}

VooNetwork make_plexus(const Voo& pattern, const Vec3d& corner, const Vec3d& along,
                       const Vec3d& across, std::array<int, 2> counts) {
  const int n = counts[0], m = counts[1];
  if (n < 1 || m < 1 || static_cast<double>(n) * m * 3 > static_cast<double>(most_array_members)) {
    throw std::invalid_argument(fmt::format("a plexus of {} x {} cells", n, m));
  }
  std::vector<Vec3d> points;
  std::vector<VooEdge> edges;
  const auto at = [&](int i, int j) { return static_cast<uint32_t>(j * (n + 1) + i); };
  for (int j = 0; j <= m; ++j) {
    for (int i = 0; i <= n; ++i) {
      points.push_back(corner + i * along + j * across);
      if (i < n) edges.push_back({at(i, j), at(i + 1, j)});
      if (j < m) edges.push_back({at(i, j), at(i, j + 1)});
      if (i < n && j < m) edges.push_back({at(i, j), at(i + 1, j + 1)});
    }
  }
  return make_network(pattern, points, edges);
}

}  // namespace sinew::kernels
