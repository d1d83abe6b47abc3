// Gauss-Legendre quadrature on an interval, of anything that can be added and scaled: n points are
// exact for polynomials up to degree 2 n - 1.
#pragma once

#include <type_traits>

namespace sinew::kernels {

namespace gauss_tables {

// The positive halves of the points in [-1, 1] and their weights.
inline constexpr double node8[] = {0.1834346424956498049, 0.5255324099163289858,
                                   0.7966664774136267396, 0.9602898564975362317};
inline constexpr double weight8[] = {0.3626837833783619830, 0.3137066458778872873,
                                     0.2223810344533744706, 0.1012285362903762591};
inline constexpr double node16[] = {
    0.0950125098376374402, 0.2816035507792589132, 0.4580167776572273863, 0.6178762444026437484,
    0.7554044083550030339, 0.8656312023878317439, 0.9445750230732325761, 0.9894009349916499326};
inline constexpr double weight16[] = {
    0.1894506104550684963, 0.1826034150449235889, 0.1691565193950025382, 0.1495959888165767321,
    0.1246289712555338720, 0.0951585116824927848, 0.0622535239386478929, 0.0271524594117540949};

template <class Function, int half>
auto integrate(const Function& f, double a, double b, const double (&node)[half],
               const double (&weight)[half]) {
  using Sum = std::decay_t<decltype(f(a))>;
  const double middle = 0.5 * (a + b), reach = 0.5 * (b - a);
  Sum sum = f(middle - reach * node[0]);
  sum += f(middle + reach * node[0]);
  sum *= weight[0];
  for (int i = 1; i < half; ++i) {
    Sum pair = f(middle - reach * node[i]);
    pair += f(middle + reach * node[i]);
    pair *= weight[i];
    sum += pair;
  }
  sum *= reach;
  return sum;
}

}  // namespace gauss_tables

template <class Function>
auto gauss8(const Function& f, double a, double b) {
  return gauss_tables::integrate(f, a, b, gauss_tables::node8, gauss_tables::weight8);
}
template <class Function>
auto gauss16(const Function& f, double a, double b) {
  return gauss_tables::integrate(f, a, b, gauss_tables::node16, gauss_tables::weight16);
}

}  // namespace sinew::kernels
