#include "nodes/kernels/tet_cleanup.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

#include "nodes/geometry/stop_check.h"

namespace sinew::kernels {

namespace {

constexpr uint32_t none = 0xffffffffu;

// For each face of each tetrahedron who is behind it.
using Neighbours = std::vector<std::array<uint32_t, 4>>;

Neighbours face_neighbours(const std::vector<Tetrahedron>& tets, std::size_t points) {
  // Faces in rows by their lowest vertex: short rows, compared one with the other.
  struct Face {
    uint32_t b, c, tet;
    uint8_t corner;
  };
  std::vector<uint32_t> start(points + 1, 0);
  auto sorted = [&](const Tetrahedron& t, int k) {
    std::array<uint32_t, 3> v = {t[tet_faces[k][0]], t[tet_faces[k][1]], t[tet_faces[k][2]]};
    if (v[0] > v[1]) std::swap(v[0], v[1]);
    if (v[1] > v[2]) std::swap(v[1], v[2]);
    if (v[0] > v[1]) std::swap(v[0], v[1]);
    return v;
  };
  StopCheck check;
  for (const Tetrahedron& t : tets) {
    check();
    for (int k = 0; k < 4; ++k) ++start[sorted(t, k)[0] + 1];
  }
  for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
  std::vector<Face> faces(4 * tets.size());
  std::vector<uint32_t> next(start.begin(), start.end() - 1);
  for (uint32_t t = 0; t < tets.size(); ++t) {
    check();
    for (int k = 0; k < 4; ++k) {
      const auto v = sorted(tets[t], k);
      faces[next[v[0]]++] = {v[1], v[2], t, static_cast<uint8_t>(k)};
    }
  }
  Neighbours behind(tets.size(), {none, none, none, none});
  for (std::size_t v = 0; v < points; ++v) {
    check();
    for (uint32_t i = start[v]; i < start[v + 1]; ++i) {
      for (uint32_t j = i + 1; j < start[v + 1]; ++j) {
        if (faces[i].b != faces[j].b || faces[i].c != faces[j].c) continue;
        behind[faces[i].tet][faces[i].corner] = faces[j].tet;
        behind[faces[j].tet][faces[j].corner] = faces[i].tet;
      }
    }
  }
  return behind;
}

class Groups {
 public:
  explicit Groups(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  uint32_t find(uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  // The lower one becomes the leader.
  void join(uint32_t a, uint32_t b) {
    a = find(a);
    b = find(b);
    if (a != b) parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<uint32_t> parent_;
};

class Cleaner {
 public:
  Cleaner(std::vector<Vec3d>& points, std::vector<Tetrahedron>& tets)
      : points_(points), tets_(tets) {}

  void drop_crumbs(std::size_t crumb) {
    const Neighbours& behind = neighbours();
    Groups groups(tets_.size());
    for (uint32_t t = 0; t < tets_.size(); ++t) {
      check_();
      for (const uint32_t other : behind[t]) {
        if (other != none) groups.join(t, other);
      }
    }
    std::vector<std::size_t> size(tets_.size(), 0);
    for (uint32_t t = 0; t < tets_.size(); ++t) ++size[groups.find(t)];
    const std::size_t least =
        std::min(crumb, tets_.empty() ? 0 : *std::max_element(size.begin(), size.end()));
    report.bodies = 0;
    std::vector<char> drop(tets_.size(), 0);
    for (uint32_t t = 0; t < tets_.size(); ++t) {
      check_();
      const uint32_t leader = groups.find(t);
      drop[t] = size[leader] < least;
      if (leader == t) ++(drop[t] ? report.crumbs : report.bodies);
    }
    remove(drop);
  }

  // Each fan of tetrahedra around a point that is joined through faces gets its own point.
  void split_points() {
    const Neighbours& behind = neighbours();
    // Corners of tetrahedra, joined through the faces that hold the point.
    Groups groups(4 * tets_.size());
    for (uint32_t t = 0; t < tets_.size(); ++t) {
      check_();
      for (int face = 0; face < 4; ++face) {
        const uint32_t other = behind[t][face];
        if (other == none || other < t) continue;
        for (int k = 0; k < 4; ++k) {
          if (k == face) continue;
          for (int j = 0; j < 4; ++j) {
            if (tets_[other][j] == tets_[t][k]) groups.join(4 * t + k, 4 * other + j);
          }
        }
      }
    }
    std::vector<uint32_t> leader_of(points_.size(), none), number(4 * tets_.size(), none);
    for (uint32_t c = 0; c < 4 * tets_.size(); ++c) {
      uint32_t& v = tets_[c / 4][c % 4];
      const uint32_t leader = groups.find(c);
      if (number[leader] == none) {
        if (leader_of[v] == none) {
          leader_of[v] = leader;
          number[leader] = v;
        } else {
          number[leader] = static_cast<uint32_t>(points_.size());
          points_.push_back(Vec3d(points_[v]));
          ++report.split_points;
        }
      }
      v = number[leader];
    }
  }

  // Whether an edge with more than one fan was found; all its fans but the largest are dropped.
  bool drop_second_fans() {
    const Neighbours& behind = neighbours();
    // Edges of boundary faces: each has two of them if it has one fan.
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    for (uint32_t t = 0; t < tets_.size(); ++t) {
      check_();
      for (int face = 0; face < 4; ++face) {
        if (behind[t][face] != none) continue;
        for (int k = 0; k < 3; ++k) {
          edges.push_back(
              std::minmax({tets_[t][tet_faces[face][k]], tets_[t][tet_faces[face][(k + 1) % 3]]}));
        }
      }
    }
    stoppable_sort(edges.begin(), edges.end());
    std::vector<std::pair<uint32_t, uint32_t>> bad;
    for (std::size_t i = 0; i < edges.size();) {
      std::size_t j = i;
      while (j < edges.size() && edges[j] == edges[i]) ++j;
      if (j - i > 2) bad.push_back(edges[i]);
      i = j;
    }
    if (bad.empty()) return false;
    std::vector<std::vector<uint32_t>> around(bad.size());
    for (uint32_t t = 0; t < tets_.size(); ++t) {
      check_();
      for (int i = 0; i < 4; ++i) {
        for (int j = i + 1; j < 4; ++j) {
          const std::pair<uint32_t, uint32_t> e = std::minmax({tets_[t][i], tets_[t][j]});
          const auto at = std::lower_bound(bad.begin(), bad.end(), e);
          if (at != bad.end() && *at == e) around[at - bad.begin()].push_back(t);
        }
      }
    }
    std::vector<char> drop(tets_.size(), 0);
    for (const std::vector<uint32_t>& star : around) drop_all_but_largest(star, behind, drop);
    remove(drop);
    return true;
  }

  // Whether a point was found about which the boundary runs twice, though its tetrahedra hang
  // together: a tunnel as narrow as a point. The fewest tetrahedra that widen it are dropped.
  bool drop_tunnels() {
    const Neighbours& behind = neighbours();
    struct Side {
      uint32_t a, b, face;  // a < b
      auto operator<=>(const Side&) const = default;
    };
    std::vector<std::pair<uint32_t, int>> faces;  // of the boundary: tetrahedron, face
    std::vector<Side> sides;
    for (uint32_t t = 0; t < tets_.size(); ++t) {
      check_();
      for (int face = 0; face < 4; ++face) {
        if (behind[t][face] != none) continue;
        const auto id = static_cast<uint32_t>(faces.size());
        faces.emplace_back(t, face);
        for (int k = 0; k < 3; ++k) {
          const auto [a, b] = std::minmax({corner(t, face, k), corner(t, face, (k + 1) % 3)});
          sides.push_back({a, b, id});
        }
      }
    }
    stoppable_sort(sides.begin(), sides.end());
    // Corners of boundary faces, joined over the edges that they share.
    Groups groups(3 * faces.size());
    auto corner_at = [&](uint32_t face, uint32_t v) {
      uint32_t k = 0;
      while (k < 2 && corner(faces[face].first, faces[face].second, static_cast<int>(k)) != v) ++k;
      return 3 * face + k;
    };
    for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
      const Side &s = sides[i], &r = sides[i + 1];
      if (s.a != r.a || s.b != r.b) continue;
      groups.join(corner_at(s.face, s.a), corner_at(r.face, r.a));
      groups.join(corner_at(s.face, s.b), corner_at(r.face, r.b));
    }
    std::vector<uint32_t> leader_of(points_.size(), none);
    std::vector<char> pinched(points_.size(), 0);
    bool any = false;
    for (uint32_t c = 0; c < 3 * faces.size(); ++c) {
      const uint32_t v = corner(faces[c / 3].first, faces[c / 3].second, static_cast<int>(c % 3));
      const uint32_t leader = groups.find(c);
      if (leader_of[v] == none) leader_of[v] = leader;
      if (leader_of[v] == leader) continue;
      pinched[v] = 1;
      any = true;
    }
    if (!any) return false;
    // On which side of the tunnel a tetrahedron lies: bit 1 the first, bit 2 another.
    std::vector<std::array<uint8_t, 4>> at_side(tets_.size(), {0, 0, 0, 0});
    for (uint32_t c = 0; c < 3 * faces.size(); ++c) {
      const auto [t, face] = faces[c / 3];
      const int k = tet_faces[face][c % 3];
      if (!pinched[tets_[t][k]]) continue;
      at_side[t][k] |= groups.find(c) == leader_of[tets_[t][k]] ? 1 : 2;
    }
    std::vector<std::vector<uint32_t>> stars;
    std::vector<uint32_t> star_of(points_.size(), none);
    for (uint32_t t = 0; t < tets_.size(); ++t) {
      check_();
      for (int k = 0; k < 4; ++k) {
        const uint32_t v = tets_[t][k];
        if (!pinched[v]) continue;
        if (star_of[v] == none) {
          star_of[v] = static_cast<uint32_t>(stars.size());
          stars.emplace_back();
        }
        stars[star_of[v]].push_back(4 * t + static_cast<uint32_t>(k));
      }
    }
    std::vector<char> drop(tets_.size(), 0);
    for (const std::vector<uint32_t>& star : stars) drop_way_through(star, at_side, behind, drop);
    return remove(drop) > 0;
  }

  void drop_unused_points() {
    std::vector<uint32_t> number(points_.size(), 0);
    for (const Tetrahedron& t : tets_) {
      for (const uint32_t v : t) number[v] = 1;
    }
    std::size_t kept = 0;
    for (std::size_t v = 0; v < number.size(); ++v) {
      if (!number[v]) continue;
      number[v] = static_cast<uint32_t>(kept);
      points_[kept++] = points_[v];
    }
    points_.resize(kept);
    for (Tetrahedron& t : tets_) {
      for (uint32_t& v : t) v = number[v];
    }
  }

  CleanupReport report;

 private:
  // Kept until tetrahedra are dropped: parting points leaves faces joined as they were.
  const Neighbours& neighbours() {
    if (behind_.size() != tets_.size()) behind_ = face_neighbours(tets_, points_.size());
    return behind_;
  }
  double volume(uint32_t t) const {
    const Tetrahedron& v = tets_[t];
    const Vec3d& a = points_[v[0]];
    return (points_[v[1]] - a).cross(points_[v[2]] - a).dot(points_[v[3]] - a);
  }
  uint32_t corner(uint32_t t, int face, int k) const { return tets_[t][tet_faces[face][k]]; }
  // Breadth first from one side of the tunnel to the other, through the tetrahedra about its point,
  // given as 4 * tetrahedron + corner, in increasing order.
  void drop_way_through(const std::vector<uint32_t>& star,
                        const std::vector<std::array<uint8_t, 4>>& at_side,
                        const Neighbours& behind, std::vector<char>& drop) const {
    std::vector<uint32_t> queue, from(star.size(), none);
    for (uint32_t i = 0; i < star.size(); ++i) {
      if (!(at_side[star[i] / 4][star[i] % 4] & 1)) continue;
      from[i] = i;
      queue.push_back(i);
    }
    for (std::size_t next = 0; next < queue.size(); ++next) {
      uint32_t i = queue[next];
      if (at_side[star[i] / 4][star[i] % 4] & 2) {
        for (;; i = from[i]) {
          drop[star[i] / 4] = 1;
          if (from[i] == i) return;
        }
      }
      for (const uint32_t other : behind[star[i] / 4]) {
        if (other == none) continue;
        const auto at = std::lower_bound(star.begin(), star.end(), 4 * other);
        if (at == star.end() || *at / 4 != other) continue;
        const auto j = static_cast<uint32_t>(at - star.begin());
        if (from[j] != none) continue;
        from[j] = i;
        queue.push_back(j);
      }
    }
  }
  // Of the tetrahedra around an edge, in increasing order.
  void drop_all_but_largest(const std::vector<uint32_t>& star, const Neighbours& behind,
                            std::vector<char>& drop) const {
    Groups groups(star.size());
    for (uint32_t i = 0; i < star.size(); ++i) {
      for (const uint32_t other : behind[star[i]]) {
        const auto at = std::lower_bound(star.begin(), star.end(), other);
        if (at != star.end() && *at == other) {
          groups.join(i, static_cast<uint32_t>(at - star.begin()));
        }
      }
    }
    std::vector<double> size(star.size(), 0);
    for (uint32_t i = 0; i < star.size(); ++i) size[groups.find(i)] += volume(star[i]);
    const auto largest =
        static_cast<uint32_t>(std::max_element(size.begin(), size.end()) - size.begin());
    for (uint32_t i = 0; i < star.size(); ++i) {
      if (groups.find(i) != largest) drop[star[i]] = 1;
    }
  }
  std::size_t remove(const std::vector<char>& drop) {
    std::size_t kept = 0;
    for (std::size_t t = 0; t < tets_.size(); ++t) {
      if (!drop[t]) tets_[kept++] = tets_[t];
    }
    const std::size_t dropped = tets_.size() - kept;
    report.dropped += dropped;
    tets_.resize(kept);
    return dropped;
  }

  std::vector<Vec3d>& points_;
  std::vector<Tetrahedron>& tets_;
  Neighbours behind_;
  StopCheck check_;
};

}  // namespace

CleanupReport clean_up(std::vector<Vec3d>& points, std::vector<Tetrahedron>& tets,
                       std::size_t crumb, CancelView stop) {
  Cleaner cleaner(points, tets);
  // Each round drops something, so that it ends.
  do {
    stop.check();
    cleaner.drop_crumbs(crumb);
    cleaner.split_points();
  } while (cleaner.drop_second_fans() || cleaner.drop_tunnels());
  cleaner.drop_unused_points();
  return cleaner.report;
}

}  // namespace sinew::kernels
