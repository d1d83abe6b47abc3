// The living members of the cast: bodies to test and to show deformations with. All are watertight,
// counter-clockwise from outside, y up and facing +z unless said otherwise, and made at a length of
// one and then scaled to the stated size, so that the same settings give the same mesh at every
// size. The number of vertices is met within 20 %. Settings must lie in the ranges that the nodes
// state.
#pragma once

#include "nodes/geometry/mesh.h"

namespace sinew::kernels {

// An earthworm along z, centred; the head at +z.
struct WormShape {
  float length = 0.1f, girth = 0.01f;  // metres; girth is the thickest diameter
  int segments = 30;
  float ridges = 0.5f;  // depth of the rings between segments, 0..1
  float bend = 0;       // radians that the body turns to and fro, to the sides
  int vertices = 2500;
};
Mesh make_worm(const WormShape& shape, CancelView stop = {});

// A bell about the y axis, open below, its widest place at y = 0. One surface: the outside, the rim
// with lappets, and the wall of the cavity below.
struct JellyfishShape {
  float diameter = 0.3f;
  float height = 0.45f;    // of the bell, in diameters
  float thickness = 0.1f;  // of the wall at the top, in diameters
  int lappets = 16;        // scallops of the rim
  float scallop = 0.5f;    // their depth, 0..1
  bool oral_arms = false;  // four, hanging from the middle
  int vertices = 3000;
};
Mesh make_jellyfish(const JellyfishShape& shape, CancelView stop = {});

// A snail on the ground y = 0, its length along z.
struct SnailShape {
  float length = 0.06f;
  float shell = 1;   // size of the shell
  float turns = 3;   // of its spiral
  float stalks = 1;  // length of the eye stalks
  int vertices = 3000;
};
Mesh make_snail(const SnailShape& shape, CancelView stop = {});

// A heart, upright and centred, the tip below and to +x (its own left). Two ventricles are hollow;
// if `open`, the aorta and the pulmonary trunk are tubes that lead into them.
struct HeartShape {
  float height = 0.12f;
  float wall = 1;      // thickness of the walls
  float twist = 0.5f;  // radians from top to tip
  bool open = true;
  int vertices = 3000;
};
Mesh make_heart(const HeartShape& shape, CancelView stop = {});

// A squid along z, centred, arms at +z.
struct SquidShape {
  float length = 0.6f;
  float girth = 1;       // of the mantle
  float fins = 1;        // size
  float spread = 0.55f;  // radians between the arms and the axis where they begin
  int vertices = 3000;
};
Mesh make_squid(const SquidShape& shape, CancelView stop = {});

// A whale along z, centred, head at +z.
struct WhaleShape {
  float length = 8;
  float girth = 1;
  float flippers = 1;  // length of the pectoral fins
  float mouth = 1;     // depth of the mouth's line
  int vertices = 3000;
};
Mesh make_whale(const WhaleShape& shape, CancelView stop = {});

// A gull in the air, wings along x, centred.
struct SeagullShape {
  float wingspan = 1.3f;
  float lift = 0.25f;  // radians, how far the wings are raised
  float sweep = 0.5f;  // how far the tips point back, 0..1
  float girth = 1;
  int vertices = 3000;
};
Mesh make_seagull(const SeagullShape& shape, CancelView stop = {});

// A person on the ground y = 0, arms held away from the body.
struct FigureShape {
  float height = 1.75f;
  float build = 1;         // thickness of body and limbs
  float arm_angle = 0.7f;  // radians between the arms and straight down
  float stride = 0;        // radians between the legs, the left one in front
  int vertices = 3000;
};
Mesh make_figure(const FigureShape& shape, CancelView stop = {});

// A right hand, upright: fingers up, the palm towards +z, the wrist at the origin.
struct HandShape {
  float length = 0.19f;
  float spread = 0.12f;  // radians between neighbouring fingers
  float girth = 1;       // of the fingers
  float curl = 0.15f;    // radians at each joint, towards the palm
  int vertices = 3000;
};
Mesh make_hand(const HandShape& shape, CancelView stop = {});

// A dragon on the ground y = 0, its length along z: four short legs, the neck raised, the tail
// rolled up, a ridge of spikes from the head to the tail.
struct DragonShape {
  float length = 3;
  float girth = 1;     // of trunk, neck and tail
  float wind = 1;      // how far the body winds from side to side
  float neck = 1;      // how far the neck is raised
  float curl = 1;      // how far the tail is rolled up
  float horns = 1;     // length
  float spikes = 1;    // height
  float mouth = 0.5f;  // radians between the jaws
  int vertices = 6000;
};
Mesh make_dragon(const DragonShape& shape, CancelView stop = {});

// An armadillo that stands upright on the ground y = 0, arms held out, the shell on its back.
struct ArmadilloShape {
  float height = 1;        // to the tips of the ears, or the top of the head
  float girth = 1;         // of trunk and limbs
  float arm_angle = 1.2f;  // radians between the arms and straight down
  float ears = 1;          // size
  float tail = 1;          // length
  float bands = 1;         // depth of the bands of the shell
  int vertices = 6000;
};
Mesh make_armadillo(const ArmadilloShape& shape, CancelView stop = {});

// A girl in a dress, standing on the ground y = 0, arms held away from the body, her hair in two
// bunches. Below the hem her legs are apart.
struct GirlShape {
  float height = 1.2f;
  float build = 1;         // thickness of body and limbs
  float arm_angle = 0.9f;  // radians between the arms and straight down
  float hair = 1;          // length of the bunches
  float skirt = 1;         // how wide it is
  float stance = 1;        // how far apart the feet are
  int vertices = 12000;
};
Mesh make_girl(const GirlShape& shape, CancelView stop = {});

}  // namespace sinew::kernels
