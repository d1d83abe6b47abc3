#include "nodes/kernels/stuff_lattice.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "nodes/geometry/parallel.h"

namespace sinew::kernels {

uint32_t IndexMap::find(uint64_t key) const {
  if (slots_.empty()) return none;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = (key * 0x9E3779B97F4A7C15ull >> 20) & mask;; i = (i + 1) & mask) {
    if (slots_[i].first == key + 1) return slots_[i].second;
    if (slots_[i].first == 0) return none;
  }
}

uint32_t IndexMap::insert(uint64_t key, uint32_t next) {
  check_();
  if (2 * (used_ + 1) > slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = (key * 0x9E3779B97F4A7C15ull >> 20) & mask;; i = (i + 1) & mask) {
    if (slots_[i].first == key + 1) return slots_[i].second;
    if (slots_[i].first == 0) {
      slots_[i] = {key + 1, next};
      ++used_;
      return next;
    }
  }
}

void IndexMap::grow() {
  std::vector<std::pair<uint64_t, uint32_t>> old(std::max<std::size_t>(64, 2 * slots_.size()));
  old.swap(slots_);
  used_ = 0;
  for (const auto& [key, value] : old) {
    if (key != 0) insert(key - 1, value);
  }
}

namespace {

using Cell3 = std::array<int32_t, 3>;

// How far a cell above the finest size keeps from the surface, in finest cells: half a cell to the
// middle of a finest neighbour, and from there as far as points are ever moved (0.345).
constexpr double keep_away = 0.86;
// Winding numbers between these are a hole being closed, where the side can change with no
// triangle near.
constexpr double hole_low = 0.3, hole_high = 0.7;

enum class State : uint8_t { split, inside, outside, mixed };

struct Octant {
  Cell3 corner;  // the lowest, in finest cells
  uint8_t level;
  State state;
  int32_t size() const { return int32_t{1} << level; }
};

uint64_t pack(const Cell3& c) {
  return static_cast<uint64_t>(c[0]) << 38 | static_cast<uint64_t>(c[1]) << 19 |
         static_cast<uint64_t>(c[2]);
}
uint64_t octant_key(const Cell3& c, int level) {
  return static_cast<uint64_t>(level) << 57 | pack(c);
}

class Builder {
 public:
  Builder(const SurfaceTree& tree, const LatticeOptions& options, CancelView stop)
      : tree_(tree), options_(options), stop_(stop) {}

  Lattice build() {
    choose_root();
    classify();
    surround_inner_cells();
    balance();
    number_points();
    find_sides();
    make_tets();
    out_.cells = octants_.size();
    return std::move(out_);
  }

 private:
  void choose_root() {
    const double needed = tree_.box().sizes().maxCoeff() / options_.cell + 4;
    while (root_level_ <= 17 && (1 << root_level_) < needed) ++root_level_;
    if (root_level_ > 17) throw std::length_error("too many cells");
    out_.half = options_.cell / 2;
    out_.origin =
        tree_.box().center() - Vec3d::Constant(options_.cell * std::ldexp(1.0, root_level_ - 1));
  }

  Vec3d at(const Cell3& half_cells) const {
    return out_.origin + out_.half * Vec3d(half_cells[0], half_cells[1], half_cells[2]);
  }
  static Cell3 middle_of(const Octant& o) {
    const int32_t s = o.size();
    return {2 * o.corner[0] + s, 2 * o.corner[1] + s, 2 * o.corner[2] + s};
  }

  uint32_t add(const Octant& o) {
    const auto index = static_cast<uint32_t>(octants_.size());
    if (index >= options_.max_cells) throw std::length_error("too many cells");
    if (map_.insert(octant_key(o.corner, o.level), index) != index) {
      throw std::logic_error("a cell of the lattice is made twice");
    }
    octants_.push_back(o);
    return index;
  }
  // The leaf or inner cell of that size at that place, or none.
  uint32_t find(const Cell3& c, int level) const {
    const int32_t end = int32_t{1} << root_level_;
    for (const int32_t x : c) {
      if (x < 0 || x >= end) return IndexMap::none;
    }
    return map_.find(octant_key(c, level));
  }
  bool is_leaf(uint32_t index) const {
    return index != IndexMap::none && octants_[index].state != State::split;
  }
  // Children of a cell whose side is known have the same.
  void split(uint32_t index, State children) {
    const Octant parent = octants_[index];
    octants_[index].state = State::split;
    for (int k = 0; k < 8; ++k) add(child(parent, k, children));
  }
  static Octant child(const Octant& parent, int k, State state) {
    const int32_t s = parent.size() / 2;
    return {{parent.corner[0] + (k & 1) * s, parent.corner[1] + (k >> 1 & 1) * s,
             parent.corner[2] + (k >> 2) * s},
            static_cast<uint8_t>(parent.level - 1),
            state};
  }

  State state_of(const Octant& o, double& winding) const {
    const Vec3d low = at({2 * o.corner[0], 2 * o.corner[1], 2 * o.corner[2]});
    const double size = options_.cell * o.size();
    const double away = options_.cell * (o.level > 0 ? keep_away : 1e-6);
    const Eigen::AlignedBox3d box(low - Vec3d::Constant(away), low + Vec3d::Constant(size + away));
    if (tree_.touches(box)) return State::mixed;
    winding = tree_.winding_number(low + Vec3d::Constant(size / 2));
    const double w = std::abs(winding);
    if (w > hole_low && w < hole_high) return State::mixed;
    return w > 0.5 ? State::inside : State::outside;
  }

  // From the root down, one size after the other. Outside only the finest are kept: a larger one
  // touches no cell with a point inside.
  void classify() {
    std::vector<Octant> list = {{{0, 0, 0}, static_cast<uint8_t>(root_level_), State::mixed}};
    for (int level = root_level_; level >= 0; --level) {
      std::vector<double> winding(list.size(), 0.0);
      parallel_blocks(
          list.size(),
          [&](std::size_t begin, std::size_t end) {
            if (stop_()) return;
            for (std::size_t i = begin; i < end; ++i) {
              if (list[i].state == State::mixed) list[i].state = state_of(list[i], winding[i]);
            }
          },
          64);
      stop_.check();
      for (const double w : winding) {
        out_.lowest_winding = std::min(out_.lowest_winding, w);
        out_.highest_winding = std::max(out_.highest_winding, w);
      }
      std::vector<Octant> next;
      for (Octant& o : list) {
        if (o.state == State::outside && level > 0) continue;
        const bool too_large = o.state == State::inside && level > options_.coarsening;
        const State below = o.state;
        if (level > 0 && (o.state == State::mixed || too_large)) o.state = State::split;
        add(o);
        if (o.state != State::split) continue;
        for (int k = 0; k < 8; ++k) next.push_back(child(o, k, below));
      }
      if (octants_.size() + next.size() > options_.max_cells) {
        throw std::length_error("too many cells");
      }
      list = std::move(next);
    }
  }

  // A finest cell at a place where nothing is, with the large cells above it.
  void add_mixed(const Cell3& c) {
    for (const int32_t x : c) {
      if (x < 0 || x >= int32_t{1} << root_level_) return;  // the lattice ends
    }
    int level = 0;
    Cell3 parent = c;
    while (find(parent, level) == IndexMap::none && level < root_level_) {
      ++level;
      for (int k = 0; k < 3; ++k) parent[k] = c[k] & ~((1 << level) - 1);
    }
    for (; level > 0; --level) {
      const uint32_t above = find(parent, level);
      if (octants_[above].state != State::split) return;  // a leaf is there
      for (int k = 0; k < 3; ++k) parent[k] = c[k] & ~((1 << (level - 1)) - 1);
      if (find(parent, level - 1) == IndexMap::none) {
        add({parent, static_cast<uint8_t>(level - 1), level > 1 ? State::split : State::mixed});
      }
    }
  }

  // The leaf at that place, at that level or above; none if there is nothing or something finer.
  uint32_t leaf_over(const Cell3& c, int level, int up_to) const {
    for (int l = level; l <= up_to; ++l) {
      const int32_t mask = ~((int32_t{1} << l) - 1);
      const uint32_t found = find({c[0] & mask, c[1] & mask, c[2] & mask}, l);
      if (is_leaf(found)) return found;
      if (found != IndexMap::none) return IndexMap::none;
    }
    return IndexMap::none;
  }
  bool anything_at(const Cell3& c, int level) const {
    return find(c, level) != IndexMap::none ||
           leaf_over(c, level, options_.coarsening) != IndexMap::none;
  }

  // Where a hole is closed, inside can meet outside with no triangle between: coarse cells there
  // become finest ones, and those get neighbours whose points are asked one by one.
  void surround_inner_cells() {
    for (std::size_t i = 0; i < octants_.size(); ++i) {
      if (octants_[i].state != State::inside) continue;
      for (int face = 0; face < 6 && octants_[i].state == State::inside; ++face) {
        const Octant o = octants_[i];
        Cell3 c = o.corner;
        c[face / 2] += face % 2 ? o.size() : -o.size();
        if (anything_at(c, o.level)) continue;
        if (o.level == 0) {
          add_mixed(c);
        } else {
          split(static_cast<uint32_t>(i), State::inside);
        }
      }
    }
  }

  // No leaf touches by a face or an edge one that is more than twice as large.
  void balance() {
    for (int level = 0; level + 2 <= options_.coarsening; ++level) {
      stop_.check();
      for (std::size_t i = 0; i < octants_.size(); ++i) {
        const Octant o = octants_[i];
        if (o.level != level || o.state == State::split || o.state == State::outside) continue;
        for (int n = 0; n < 27; ++n) {
          const int dx = n % 3 - 1, dy = n / 3 % 3 - 1, dz = n / 9 - 1;
          const int steps = std::abs(dx) + std::abs(dy) + std::abs(dz);
          if (steps == 0 || steps == 3) continue;
          const int32_t s = o.size();
          const Cell3 c = {o.corner[0] + dx * s, o.corner[1] + dy * s, o.corner[2] + dz * s};
          for (;;) {
            const uint32_t over = leaf_over(c, level, options_.coarsening);
            if (over == IndexMap::none || octants_[over].level <= level + 1) break;
            split(over, State::inside);
          }
        }
      }
    }
  }

  uint32_t point(const Cell3& p) {
    const uint32_t index = points_.insert(pack(p), static_cast<uint32_t>(out_.points.size()));
    if (index == out_.points.size()) {
      out_.points.push_back(p);
      out_.inside.push_back(unknown);
      out_.fixed.push_back(0);
    }
    return index;
  }
  static Cell3 corner_of(const Octant& o, int k) {
    const int32_t s = 2 * o.size();
    return {2 * o.corner[0] + (k & 1) * s, 2 * o.corner[1] + (k >> 1 & 1) * s,
            2 * o.corner[2] + (k >> 2) * s};
  }
  void number_points_of(const Octant& o) {
    const char side = o.state == State::inside ? 1 : o.state == State::outside ? 0 : unknown;
    for (int k = 0; k < 9; ++k) {
      const uint32_t p = point(k < 8 ? corner_of(o, k) : middle_of(o));
      if (side == unknown) continue;
      // At a closed hole two cells may differ: then it is inside.
      if (out_.inside[p] != 1) out_.inside[p] = side;
      if (o.level > 0) out_.fixed[p] = 1;
    }
  }
  void number_points() {
    for (const Octant& o : octants_) {
      if (o.state != State::split) number_points_of(o);
    }
  }

  void ask_sides() {
    std::vector<uint32_t> open;
    for (uint32_t p = 0; p < out_.points.size(); ++p) {
      if (out_.inside[p] == unknown) open.push_back(p);
    }
    parallel_blocks(
        open.size(),
        [&](std::size_t begin, std::size_t end) {
          if (stop_()) return;
          for (std::size_t i = begin; i < end; ++i) {
            out_.inside[open[i]] = tree_.inside(at(out_.points[open[i]])) ? 1 : 0;
          }
        },
        64);
    stop_.check();
  }
  // Every finest cell with a point inside gets the neighbours that share it.
  void find_sides() {
    ask_sides();
    std::size_t done = 0;
    while (done < octants_.size()) {
      const std::size_t end = octants_.size();
      for (; done < end; ++done) {
        const Octant o = octants_[done];
        if (o.state != State::mixed || o.level != 0) continue;
        for (int face = 0; face < 6; ++face) {
          Cell3 c = o.corner;
          c[face / 2] += face % 2 ? 1 : -1;
          if (anything_at(c, 0) || !reaches(o, face)) continue;
          add_mixed(c);
        }
      }
      if (octants_.size() == end) break;
      for (std::size_t i = end; i < octants_.size(); ++i) {
        if (octants_[i].state != State::split) number_points_of(octants_[i]);
      }
      ask_sides();
    }
  }
  // Whether the middle or a corner of the face is inside.
  bool reaches(const Octant& o, int face) {
    if (out_.inside[point(middle_of(o))]) return true;
    for (int k = 0; k < 8; ++k) {
      if ((k >> face / 2 & 1) == face % 2 && out_.inside[point(corner_of(o, k))]) return true;
    }
    return false;
  }

  void emit(std::vector<Tetrahedron>& list, Tetrahedron t) {
    const Cell3 &a = out_.points[t[0]], &b = out_.points[t[1]], &c = out_.points[t[2]],
                &d = out_.points[t[3]];
    Eigen::Matrix<int64_t, 3, 3> m;
    for (int k = 0; k < 3; ++k) m.row(k) << b[k] - a[k], c[k] - a[k], d[k] - a[k];
    if (m.determinant() < 0) std::swap(t[2], t[3]);
    list.push_back(t);
  }
  void emit_graded(const Tetrahedron& t) {
    for (const uint32_t p : t) {
      out_.fixed[p] = 1;
      out_.inside[p] = 1;
    }
    emit(out_.graded, t);
  }

  // The four corners of a cell's face, in order around it, in half cells.
  static std::array<Cell3, 4> face_corners(const Octant& o, int face) {
    const int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const int32_t s = 2 * o.size();
    Cell3 base = {2 * o.corner[0], 2 * o.corner[1], 2 * o.corner[2]};
    if (face % 2) base[axis] += s;
    std::array<Cell3, 4> c = {base, base, base, base};
    c[1][u] += s;
    c[2][u] += s;
    c[2][v] += s;
    c[3][v] += s;
    return c;
  }
  static Cell3 between(const Cell3& a, const Cell3& b) {
    return {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2};
  }

  void join_equal(const Octant& o, const Octant& other, int face) {
    const uint32_t m = point(middle_of(o)), n = point(middle_of(other));
    const std::array<Cell3, 4> c = face_corners(o, face);
    for (int k = 0; k < 4; ++k) {
      const uint32_t a = point(c[k]), b = point(c[(k + 1) % 4]);
      if (o.level == 0) {
        emit(out_.uniform, {m, n, a, b});
        continue;
      }
      const uint32_t half = points_.find(pack(between(c[k], c[(k + 1) % 4])));
      if (half == IndexMap::none) {
        emit_graded({m, n, a, b});
      } else {
        emit_graded({m, n, a, half});
        emit_graded({m, n, half, b});
      }
    }
  }
  void join_finer(const Octant& o, int face) {
    const uint32_t m = point(middle_of(o));
    const std::array<Cell3, 4> c = face_corners(o, face);
    const uint32_t centre = point(between(c[0], c[2]));
    for (int k = 0; k < 4; ++k) {
      const uint32_t half = point(between(c[k], c[(k + 1) % 4]));
      emit_graded({m, centre, point(c[k]), half});
      emit_graded({m, centre, half, point(c[(k + 1) % 4])});
    }
  }
  void join_coarser(const Octant& o, const Octant& coarse, int face) {
    const uint32_t m = point(middle_of(o));
    const std::array<Cell3, 4> c = face_corners(o, face);
    const std::array<Cell3, 4> large = face_corners(coarse, face ^ 1);
    const Cell3 centre = between(large[0], large[2]);
    int k = 0;
    while (k < 3 && c[k] != centre) ++k;
    const uint32_t from = point(c[k]), to = point(c[(k + 2) % 4]);
    emit_graded({m, from, point(c[(k + 1) % 4]), to});
    emit_graded({m, from, to, point(c[(k + 3) % 4])});
  }

  void make_tets() {
    for (std::size_t i = 0; i < octants_.size(); ++i) {
      if (i % 4096 == 0) stop_.check();
      const Octant o = octants_[i];
      if (o.state == State::split) continue;
      for (int face = 0; face < 6; ++face) {
        Cell3 c = o.corner;
        c[face / 2] += face % 2 ? o.size() : -o.size();
        const uint32_t same = find(c, o.level);
        if (same != IndexMap::none) {
          if (octants_[same].state == State::split) {
            if (o.level > 0) join_finer(o, face);
          } else if (face % 2) {
            join_equal(o, octants_[same], face);
          }
          continue;
        }
        const uint32_t over = leaf_over(c, o.level + 1, o.level + 1);
        if (over != IndexMap::none) join_coarser(o, octants_[over], face);
      }
    }
    drop_outside();
  }
  void drop_outside() {
    std::erase_if(out_.uniform, [&](const Tetrahedron& t) {
      return !(out_.inside[t[0]] || out_.inside[t[1]] || out_.inside[t[2]] || out_.inside[t[3]]);
    });
  }

  static constexpr char unknown = 2;
  const SurfaceTree& tree_;
  LatticeOptions options_;
  CancelView stop_;
  int root_level_ = 0;
  std::vector<Octant> octants_;
  IndexMap map_, points_;
  Lattice out_;
};

}  // namespace

Lattice build_lattice(const SurfaceTree& tree, const LatticeOptions& options, CancelView stop) {
  return Builder(tree, options, stop).build();
}

}  // namespace sinew::kernels
