// Everyday things made from lattices, profiles of revolution and bent tubes; see everyday_bodies.h
// for those that are blended from parts.
//
// All are watertight, with triangles of nearly one size and about the wanted number of vertices.
// Lengths are metres; shapes are given as shares of one size, in ranges within which no
// combination folds or touches itself. y is up.
#pragma once

#include "nodes/geometry/mesh.h"

namespace sinew::kernels {

// Along x, about the origin.
struct BarShape {
  double length = 0.3;
  double thickness = 0.2;  // of the square section, share of the length
  double rounding = 0.4;   // radius of the edges, share of half the thickness, 0 .. 1
  std::size_t vertices = 2500;
};
Mesh make_bar(const BarShape& shape);

// A piece of gut in the plane z = 0, about the origin, open at both ends: a wall around a lumen.
// Its middle line is a sine-generated curve: the direction swings as cos(2 pi s / L) by `bend`,
// which spreads the bending as evenly as an S can. Bulges (haustra) lie between three bands.
struct BowelShape {
  double length = 0.6;   // of the middle line
  double width = 0.11;   // outer diameter, share of the length
  double wall = 0.35;    // share of the outer radius
  double bend = 1.7;     // radians, 0 .. 1.75
  int bulges = 11;       // along it, >= 0
  double bulging = 0.5;  // how deep the furrows between bulges are, 0 .. 1
  std::size_t vertices = 3000;
};
Mesh make_bowel(const BowelShape& shape);

// About the origin, with poles on the y axis and seams along edges.
struct BeachBallShape {
  double diameter = 0.35;
  int panels = 6;       // >= 2
  double seams = 0.03;  // depth, share of the radius
  std::size_t vertices = 2500;
};
struct BeachBall {
  Mesh mesh;
  std::vector<float> panels;  // for each vertex the number of its panel, from 0
};
BeachBall make_beach_ball(const BeachBallShape& shape);

// Stands on y = 0.
struct WineGlassShape {
  double height = 0.2;
  double bowl = 0.42;     // greatest width, share of the height
  double opening = 0.82;  // width of the rim, share of the bowl's
  double stem = 0.36;     // height at which the bowl begins, share of the height
  double wall = 0.025;    // thickness of the bowl, share of the height
  std::size_t vertices = 3000;
};
Mesh make_wine_glass(const WineGlassShape& shape);

// A slab with hills above and a flat underside at y = 0, centred on the y axis.
struct TerrainShape {
  double size = 10;
  double height = 0.2;     // of the hills, share of the size
  double base = 0.04;      // thickness below the lowest valley, share of the size
  double hills = 2.5;      // across the slab, about
  double roughness = 0.4;  // 0: smooth hills .. 1: rocky
  uint32_t seed = 1;
  std::size_t vertices = 3000;
};
Mesh make_terrain(const TerrainShape& shape);

}  // namespace sinew::kernels
