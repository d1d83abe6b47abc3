// The tetrahedra of a file on their way to a solid.
#pragma once

#include <cstdint>
#include <vector>

#include "nodes/geometry/tet_mesh.h"

namespace sinew {

// What became of the file, for a message to the user.
struct TetLoadReport {
  std::size_t skipped_cells = 0;  // that fill space but are no plain tetrahedra: bricks, wedges,
                                  // tetrahedra with more than four points
  std::size_t surface_cells = 0;  // points, lines, triangles, ...: not part of the solid
  std::size_t inverted = 0;       // turned round by swapping two corners
  std::size_t flat = 0;           // left out: no volume, or a corner named twice
  std::size_t repeated = 0;       // left out: the same four corners as an earlier one
  std::size_t loose_points = 0;   // left out: of no tetrahedron

  bool mended() const { return inverted + flat + repeated + loose_points > 0; }
  bool operator==(const TetLoadReport&) const = default;
};

// As a file has them: every corner is a valid index into the positions.
struct TetSoup {
  std::vector<Vec3f> positions;
  std::vector<Tetrahedron> tets;
};

// A solid of positive, distinct tetrahedra without loose points; the order of what is kept stays.
TetMesh mend(TetSoup soup, TetLoadReport& report, CancelView cancel = {});

// Numbers points by what a file calls them. Most files count from 0 or 1 without gaps, for which a
// table is enough; any other numbers are searched.
class PointNumbers {
 public:
  void reserve(std::size_t count) { names_.reserve(count); }
  void add(int64_t name) { names_.push_back(name); }
  std::size_t size() const { return names_.size(); }
  // Once all are there. Returns a name that came twice, if any.
  const int64_t* finish();
  // The index of the point, or -1.
  int64_t find(int64_t name) const;
  int64_t least() const { return least_; }
  int64_t greatest() const { return greatest_; }

 private:
  std::vector<int64_t> names_;
  std::vector<uint32_t> order_;  // empty: name - least_ is the index
  int64_t least_ = 0, greatest_ = -1;
};

}  // namespace sinew
