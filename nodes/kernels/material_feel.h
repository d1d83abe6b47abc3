// What a drawn material means for a body that is simulated: how fast it swings, and how soon that
// dies. Materials are made for operators [Hurmusiadis, chapter 6], which know the strain that they
// are let go from; a simulation has one stiffness for all strains, so one strain stands for all.
//
//   e       the strain; A the width of the swing, sqrt(zeta) of the damping graph          6.23
//   f       omega0 / 2 pi, Hz
//   t_e     seconds until A has fallen to 1 / e (Euler's number)
//   xi      damping ratio of a linear oscillator that fades as fast: 1 / (2 pi f t_e)
#pragma once

#include "nodes/geometry/material.h"

namespace sinew::kernels {

struct MaterialFeel {
  double frequency = 0;  // f, Hz; 0: it does not swing
  double fade = 0;       // t_e, seconds
  double damping = 0;    // xi; infinity where it does not swing
};

// Of a sound material. `strain` > 0; 0: half of the strain up to which all goes back.
MaterialFeel feel_of(const Material& material, double strain);

}  // namespace sinew::kernels
