// Random matrices in blocks of sixteen, and how good the rotations are that come out.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "nodes/kernels/rotation.h"
#include "tests/kernels/figures.h"

namespace sinew::test {

using kernels::MatrixBlock;
using kernels::QuaternionBlock;
using kernels::rotation_part;
using Mat3 = Eigen::Matrix3d;
using Quaternion = Eigen::Quaterniond;

struct RandomMatrices {
  std::mt19937 engine;
  explicit RandomMatrices(unsigned seed) : engine(seed) {}
  double uniform(double a, double b) {
    return std::uniform_real_distribution<double>(a, b)(engine);
  }
  double normal() { return std::normal_distribution<double>()(engine); }
  Vec3d direction() { return Vec3d(normal(), normal(), normal()).normalized(); }
  Quaternion rotation() { return Quaternion(normal(), normal(), normal(), normal()).normalized(); }
  Quaternion small_rotation(double most) {
    return Quaternion(Eigen::AngleAxisd(uniform(0, most), direction()));
  }
  // Of singular values from 0.2 to 1, as many as the rank says.
  Mat3 of_rank(int rank) {
    Vec3d s(uniform(0.2, 1), uniform(0.2, 1), 0);
    if (rank < 2) s[1] = 0;
    if (rank < 1) s[0] = 0;
    return rotation().toRotationMatrix() * s.asDiagonal() * rotation().toRotationMatrix();
  }
  // Of any kind: singular values in [0.1, 1] or nearly equal, a reflection every fourth time.
  Mat3 matrix() {
    const int kind = static_cast<int>(uniform(0, 4));
    const double least = kind == 1 ? 0.95 : 0.1;
    Vec3d s(uniform(least, 1), uniform(least, 1), uniform(least, 1));
    if (kind == 3) s[2] = -s[2];
    return rotation().toRotationMatrix() * s.asDiagonal() * rotation().toRotationMatrix();
  }
};

// Any number of matrices in blocks of sixteen; what is left over is the identity.
struct Blocks {
  std::vector<MatrixBlock> a;
  std::vector<QuaternionBlock> q;
  std::size_t count = 0;

  void add(const Mat3& matrix, const Quaternion& start) {
    if (count % 16 == 0) {
      MatrixBlock eyes{};
      QuaternionBlock ones{};
      for (int lane = 0; lane < 16; ++lane) {
        eyes.at[0][lane] = eyes.at[4][lane] = eyes.at[8][lane] = ones.at[0][lane] = 1;
      }
      a.push_back(eyes);
      q.push_back(ones);
    }
    const std::size_t lane = count % 16;
    for (int k = 0; k < 9; ++k) a.back().at[k][lane] = static_cast<float>(matrix(k / 3, k % 3));
    const double w[4] = {start.w(), start.x(), start.y(), start.z()};
    for (int k = 0; k < 4; ++k) q.back().at[k][lane] = static_cast<float>(w[k]);
    ++count;
  }
  // As it was rounded.
  Mat3 matrix(std::size_t i) const {
    Mat3 m;
    for (int k = 0; k < 9; ++k) m(k / 3, k % 3) = a[i / 16].at[k][i % 16];
    return m;
  }
  Quaternion raw(std::size_t i) const {
    const auto& at = q[i / 16].at;
    return {at[0][i % 16], at[1][i % 16], at[2][i % 16], at[3][i % 16]};
  }
  Mat3 rotation(std::size_t i) const { return raw(i).normalized().toRotationMatrix(); }
  void run() { kernels::polar_rotations(a, q); }
};

struct Judged {
  double error = 0;  // largest entry of the difference
  double gap = 0;    // (s2 + s3 sign det) / s1: how well the rotation is determined
  double loss = 0;   // of tr(R^T A), in sums of singular values
};
inline Judged judge(const Mat3& a, const Mat3& r) {
  const Eigen::JacobiSVD<Mat3> svd(a);
  const Vec3d s = svd.singularValues();
  const double sign = a.determinant() < 0 ? -1 : 1;
  Judged j;
  const Mat3 best = rotation_part(a);
  j.error = (r - best).cwiseAbs().maxCoeff();
  j.gap = s[0] > 0 ? (s[1] + sign * s[2]) / s[0] : 0;
  j.loss = s[0] > 0 ? ((best.transpose() * a).trace() - (r.transpose() * a).trace()) / s.sum() : 0;
  return j;
}

inline constexpr double well_conditioned = 0.1;  // of the gap

// The quaternions that the kernels take for matrices, which are orthonormal then: they divide by
// the length, so that what is asked for here is that it cannot drift.
inline void expect_unit(const Blocks& blocks, const std::string& what) {
  for (std::size_t i = 0; i < blocks.count; ++i) {
    const Quaternion q = blocks.raw(i);
    ASSERT_TRUE(q.coeffs().allFinite()) << what << " " << i << "\n" << blocks.matrix(i);
    ASSERT_NEAR(q.norm(), 1, 1e-6) << what << " " << i << "\n" << blocks.matrix(i);
  }
}

// One call gives the right rotation wherever A tells which; where A hardly tells, a rotation that
// is as good after some more.
inline void expect_right(Blocks& blocks, const std::string& what) {
  blocks.run();
  expect_unit(blocks, what);
  double error = 0, loss = 0;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < blocks.count; ++i) {
    const Judged j = judge(blocks.matrix(i), blocks.rotation(i));
    if (j.gap < well_conditioned) continue;
    error = std::max(error, j.error);
    if (j.error > 3e-6 && ++wrong <= 3) {
      ADD_FAILURE() << what << " " << i << ": error " << j.error << ", gap " << j.gap << ", A\n"
                    << blocks.matrix(i);
    }
  }
  EXPECT_EQ(wrong, 0u) << what << " of " << blocks.count;
  for (int again = 0; again < 20; ++again) blocks.run();
  for (std::size_t i = 0; i < blocks.count; ++i) {
    const Judged j = judge(blocks.matrix(i), blocks.rotation(i));
    // Between two mirror images of about the same size there is little to gain.
    EXPECT_LE(j.loss, j.gap >= 0.02 ? 1e-5 : 5e-3) << what << " " << i << " gap " << j.gap;
    loss = std::max(loss, j.loss);
  }
  record(what + ", error", error);
  record(what + ", loss", loss);
}

inline constexpr std::size_t many = 4000;

}  // namespace sinew::test
