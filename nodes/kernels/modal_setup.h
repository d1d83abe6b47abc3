// What a body needs to move by modes, found for any mesh [Faloutsos97, section 5]: mass points, the
// vertices that touch, and stiffnesses with which it carries its own weight.
#pragma once

#include <span>
#include <vector>

#include "nodes/geometry/modal_body.h"

namespace sinew::kernels {

// So many mass points at least lie in each lattice around a part that holds material.
inline constexpr std::size_t least_masses_in_part = 4;

// About `count` points that share the mass, `mass` kg. The inside of a closed surface, or the
// surface of an open one, is sampled evenly and cut into pieces [Lloyd82]; four points stand for
// each, with its mass, its centre and its moments of inertia. So centre of mass and inertia of the
// whole are those of the samples. Boxes around parts have pieces of their own. Nothing comes back
// where the mesh has no area.
std::vector<MassPoint> mass_points(const Mesh& mesh, double mass, std::size_t count,
                                   std::span<const LatticeBox> parts, CancelView stop = {});

// `count` vertices spread evenly over the mesh, each the farthest from those before it, beginning
// with those farthest out along the axes and their diagonals; all if there are no more. Increasing.
std::vector<uint32_t> touching_vertices(const Mesh& mesh, std::size_t count, CancelView stop = {});

// `count` vertices, two thirds of them where the surface reaches out first: corners of soles, ends
// of limbs, rims. Whatever part of it comes to something flat then comes with one of them, however
// the body is turned or bent. The others are spread evenly as above. Increasing.
std::vector<uint32_t> reaching_vertices(const Mesh& mesh, std::size_t count, CancelView stop = {});

// k and d of each mode from its frequency and damping, and its inertia on the free body. A
// frequency of 0 is found: such that under its own weight (9.81 m/s^2, whichever way it acts) the
// mode is bent to about `automatic_sag` at most.
inline constexpr double automatic_sag = 0.1;
void set_stiffness(ModalBody& body, std::span<const double> inertia, double stiffer);

}  // namespace sinew::kernels
