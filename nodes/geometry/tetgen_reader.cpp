#include "nodes/geometry/tetgen_reader.h"

#include "nodes/geometry/file_cursor.h"

namespace sinew {

namespace {

// Attributes and marks at the end of a record; they must be numbers all the same.
void skip_rest(FileCursor& in) {
  while (!in.at_line_end()) in.real("an attribute");
}

}  // namespace

TetgenPoints parse_tetgen_node(std::string_view text, CancelView cancel) {
  FileCursor in(text, cancel, '#');
  // "i x y z": at least eight characters with the end of the line.
  const std::size_t count = in.count("points", 7);
  if (count > INT32_MAX) in.fail("it has too many points");
  const int64_t dimension = in.at_line_end() ? 3 : in.integer("the dimension");
  if (dimension != 3) in.fail("the points should have 3 coordinates, but have {}", dimension);
  skip_rest(in);
  TetgenPoints points;
  points.positions.reserve(count);
  points.numbers.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    in.tick(i);
    const int64_t number = in.integer("a point's number");
    if (number < 0) in.fail("the number of a point is negative: {}", number);
    points.numbers.add(number);
    Vec3f p;
    for (int k = 0; k < 3; ++k) p[k] = in.real("a coordinate");
    points.positions.push_back(p);
    skip_rest(in);
  }
  if (const int64_t* twice = points.numbers.finish()) in.fail("point {} is there twice", *twice);
  return points;
}

std::vector<Tetrahedron> parse_tetgen_ele(std::string_view text, const TetgenPoints& points,
                                          TetLoadReport& report, CancelView cancel) {
  FileCursor in(text, cancel, '#');
  const std::size_t count = in.count("tetrahedra", 9);
  const int64_t corners = in.at_line_end() ? 4 : in.integer("the number of corners");
  if (corners != 4 && corners != 10) {
    in.fail("the tetrahedra should have 4 or 10 points, but have {}", corners);
  }
  skip_rest(in);
  std::vector<Tetrahedron> tets;
  if (corners == 10) {
    report.skipped_cells += count;
    return tets;
  }
  tets.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    in.tick(i);
    in.integer("a tetrahedron's number");
    Tetrahedron tet;
    for (uint32_t& v : tet) {
      const int64_t number = in.integer("a corner");
      const int64_t index = points.numbers.find(number);
      if (index < 0) {
        in.fail("a tetrahedron refers to point {}, but the points are {} to {}", number,
                points.numbers.least(), points.numbers.greatest());
      }
      v = static_cast<uint32_t>(index);
    }
    tets.push_back(tet);
    skip_rest(in);
  }
  return tets;
}

}  // namespace sinew
