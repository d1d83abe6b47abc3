// One binary for every CPU: a function marked SINEW_CLONES is compiled for the baseline, AVX2 and
// AVX-512, and the loader picks the best that the machine has.
//
// The clones give the same bits, since contraction to fused multiply-add is off for the whole
// program, and a loop that is vectorised over elements does not change the order of any sum. Only
// what is inlined into a marked function is compiled for its target, so hot loops live in plain
// functions with inline helpers, not behind lambdas that are handed to TBB.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(SINEW_NO_CLONES) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SINEW_CLONES __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define SINEW_CLONES
#endif
