// Random numbers that are a function of a seed and counters, and elementary functions that are made
// of additions, multiplications, divisions and roots alone: every machine gets the same bits.
//
// The generator is SplitMix64's finaliser [Steele14], applied to the seed and to one counter after
// another; then it counts on. Normal numbers are by Marsaglia's polar method [Marsaglia64].
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace sinew::kernels {

// Natural logarithm of x > 0, to about 2 units in the last place: x = 2^e m with m within a factor
// of sqrt(2) of 1, log m = 2 artanh((m - 1) / (m + 1)).
inline double steady_log(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752440) {
    m *= 2;
    --exponent;
  }
  const double s = (m - 1) / (m + 1), s2 = s * s;
  double sum = 0;
  for (int k = 23; k >= 1; k -= 2) sum = sum * s2 + 1.0 / k;
  return 2 * s * sum + exponent * 0.69314718055994530942;
}

// e^x; 0 or infinity where that is beyond what a double holds.
inline double steady_exp(double x) {
  if (x < -745) return 0;
  if (x > 709) return std::numeric_limits<double>::infinity();
  const double n = std::floor(x * 1.44269504088896340736 + 0.5);
  // log 2 in two parts, the first of which is exact when multiplied by n.
  const double r = (x - n * 0.693147180369123816490) - n * 1.90821492927058770002e-10;
  double sum = 1;
  for (int k = 16; k >= 1; --k) sum = sum * r / k + 1;
  return std::ldexp(sum, static_cast<int>(n));
}

inline double steady_power(double base, uint64_t exponent) {
  double power = 1;
  for (; exponent; exponent >>= 1, base *= base)
    if (exponent & 1) power *= base;
  return power;
}

class CounterRandom {
 public:
  template <class... Counters>
  explicit CounterRandom(uint64_t seed, Counters... counters) : state_(mixed(seed + golden)) {
    ((state_ = mixed(state_ ^ mixed(static_cast<uint64_t>(counters) + golden))), ...);
  }

  uint64_t bits() { return mixed(state_ += golden); }
  // In (0, 1), never one of the ends.
  double uniform() { return (static_cast<double>(bits() >> 12) + 0.5) * 0x1p-52; }
  // Mean 0, deviation 1.
  double normal() {
    while (true) {
      const double a = 2 * uniform() - 1, b = 2 * uniform() - 1, r = a * a + b * b;
      if (r < 1 && r > 0) return a * std::sqrt(-2 * steady_log(r) / r);
    }
  }

 private:
  static constexpr uint64_t golden = 0x9E3779B97F4A7C15u;
  static uint64_t mixed(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
  }

  uint64_t state_;
};

}  // namespace sinew::kernels
