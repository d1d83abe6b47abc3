// Four coordinates as one thing, the last being nothing: the compiler takes three, or an array of
// four, apart. Points into rows of doubles.
#pragma once

namespace sinew::kernels {

typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));

}  // namespace sinew::kernels
