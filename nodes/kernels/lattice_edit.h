// Points of lattices moved one by one, in rows and in layers: what a list of moves means for one
// lattice.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nodes/geometry/lattice.h"
#include "nodes/geometry/lattice_moves.h"

namespace sinew::kernels {

// What the ways of a list count: metres along x, y, z, or lengths of the lattice's edges, along
// them.
enum class MoveMeasure : uint8_t { metres, edges };

// Adds `amount` times the ways of all moves to the points, as many as the lattice has, in its
// order. What is wrong, or nothing: a move is of a point that the lattice has not. Then no point is
// moved.
std::optional<std::string> add_moves(const LatticeMoves& moves, const LatticeRest& rest,
                                     MoveMeasure measure, double amount, std::span<Vec3f> points);

// What a hand on the points would write into the list, which fits the lattice: moves of single
// points, counted from 0. `points`: where they are without the list.
std::shared_ptr<const LatticeHand> hand_on(const LatticeMoves& moves, const LatticeRest& rest,
                                           MoveMeasure measure, double amount,
                                           std::vector<Vec3f> points);

// A side of a lattice: where an axis begins, or where it ends. `none` has no points, `all` are all
// six.
enum class LatticeSide : uint8_t { none, x_low, x_high, y_low, y_high, z_low, z_high, all };

// Sets the ways of the points in the outermost `rows` of that side to 0. With one, what the lattice
// moves joins what it does not; with two it does so without a corner, since there the polynomials
// have no slope.
void hold_side(const LatticeRest& rest, LatticeSide side, uint32_t rows, std::span<Vec3f> ways);

}  // namespace sinew::kernels
