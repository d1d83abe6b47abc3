#include "nodes/kernels/lower_matrix.h"

#include <gtest/gtest.h>

namespace sinew::kernels {
namespace {

TEST(LowerMatrix, MultipliesAsEigenDoes) {
  for (const Eigen::Index n : {1, 2, 3, 4, 5, 7, 8, 9, 20, 31, 64, 131}) {
    const Eigen::MatrixXd whole = Eigen::MatrixXd::Random(n, n);
    const Eigen::MatrixXd lower = whole.triangularView<Eigen::Lower>();
    const Eigen::MatrixXd x = Eigen::MatrixXd::Random(n, 3);
    Eigen::MatrixXd y(n, 3);
    const LowerMatrix matrix(whole);  // what lies above the diagonal does not count
    for (int again = 0; again < 2; ++again) {
      matrix.times(x.data(), y.data());
      EXPECT_LT((y - lower * x).norm(), 1e-13 * static_cast<double>(n)) << n;
      matrix.transposed_times(x.data(), y.data());
      EXPECT_LT((y - lower.transpose() * x).norm(), 1e-13 * static_cast<double>(n)) << n;
    }
  }
}

}  // namespace
}  // namespace sinew::kernels
