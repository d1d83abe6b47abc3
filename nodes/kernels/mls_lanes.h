// The hot loops of moving least squares, as plain functions over plain arrays: compiled once for
// each target and picked at run time, as those of lane_kernels.h are, and for the same reasons. All
// targets give the same bits.
//
// A tile is 16 vertices. What is said of them is kept tile by tile, in rows of 16 floats. Points
// are x, y, z of each vertex in turn.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinew::kernels {

inline constexpr std::size_t mls_tile = 16;

// MlsGuess as the loops see it.
struct MlsStart {
  float turn[9];        // by rows
  float quaternion[4];  // the same: w, x, y, z
  float hold;
  // Controls on a line: its direction at rest. Then rotations need no search, and line is true.
  bool line;
  float along[3];
};

// A control at a moment: what the guess leaves of its way, R_guess^T (q - mean q) - (p - mean p),
// in the frame at rest, and all of its way, q - p. All 0 if nothing moves.
struct MlsControl {
  float left[3];
  float shift[3];
};

// What each vertex has of each control; see mls_space.h.
struct MlsSpaceView {
  std::size_t control_count = 0;
  const float* weights = nullptr;  // per tile and control four rows: w, then w p^ / scale
  const float* spreads = nullptr;  // per tile six rows of sum w p^ p^^T / scale: xx yy zz xy yz zx
  const float* offsets = nullptr;  // per tile three rows: x - p*
};

// A bone at a moment; see mls_skin.h. A place between its joints a and b, at s, turns by
//   R_a rotation(n, arg((1 - s) + s e^(i theta)))
struct MlsBone {
  float turn[9];       // R_a, by rows
  float axis[3];       // n
  float cosine, sine;  // of theta
  float shift[3];      // a' - a
  float stretch[3];    // (b' - b) - (a' - a)
};

// One bone's part in one tile.
struct MlsSkinView {
  const uint32_t* first = nullptr;  // of each tile, then one more: its first entry
  const uint32_t* bone = nullptr;   // of each entry
  const float* shares = nullptr;    // per entry five rows: rho / sum rho, s, d = v - c
  const float* rest = nullptr;      // per tile three rows
};

struct MlsLanes {
  const char* name = "";
  // mls_rotations() of mls_rotation.h: 9 and 4 rows of 16 floats per block. Bit i of unsettled[b]:
  // matrix i of block b has not come to rest.
  void (*rotations)(const float* moments, const MlsStart& start, float* q, uint16_t* unsettled,
                    std::size_t blocks) = nullptr;
  // out = rest + (R - I)(x - p*) + q* - p* for the tiles [begin, end); three rows of 16 per tile of
  // them. `rest` as well, of the whole body.
  void (*space)(const MlsSpaceView& body, const MlsControl* controls, const MlsStart& start,
                const float* rest, std::size_t begin, std::size_t end, float* out,
                uint16_t* unsettled) = nullptr;
  // out = rest + sum of shares of (R_c - I) d + c' - c, as above.
  void (*skin)(const MlsSkinView& body, const MlsBone* bones, std::size_t begin, std::size_t end,
               float* out) = nullptr;
};

// The best that this machine has.
const MlsLanes& mls_lanes();
// All that this machine can run, the baseline first.
std::size_t runnable_mls_lanes(const MlsLanes* (&list)[3]);

}  // namespace sinew::kernels
