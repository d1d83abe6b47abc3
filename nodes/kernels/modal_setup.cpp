#include "nodes/kernels/modal_setup.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "nodes/geometry/stop_check.h"
#include "nodes/kernels/measure.h"
#include "nodes/kernels/modal_points.h"
#include "nodes/kernels/surface_tree.h"

namespace sinew::kernels {
namespace {

constexpr int cells_along = 22;  // of the longest side of the box
constexpr std::size_t most_samples = 6000;
constexpr int sweeps = 24;  // of Lloyd's algorithm

struct Sample {
  Vec3d at;
  double weight;
};

// Cells of a grid whose middles lie inside; nothing for an open or flat surface.
std::vector<Sample> inside_samples(const SurfaceTree& tree, CancelView stop) {
  const Eigen::AlignedBox3d& box = tree.box();
  const double cell = box.sizes().maxCoeff() / cells_along;
  std::vector<Sample> samples;
  if (!(cell > 0)) return samples;
  const Eigen::Array3i counts = (box.sizes().array() / cell).ceil().cast<int>().max(1);
  const Vec3d first = box.center() - 0.5 * cell * (counts - 1).cast<double>().matrix();
  for (int k = 0; k < counts[2]; ++k) {
    stop.check();
    for (int j = 0; j < counts[1]; ++j) {
      for (int i = 0; i < counts[0]; ++i) {
        const Vec3d at = first + cell * Vec3d(i, j, k);
        if (tree.inside(at)) samples.push_back({at, cell * cell * cell});
      }
    }
  }
  return samples;
}

// The middles of triangles, those of large ones cut in four as long as that helps.
std::vector<Sample> surface_samples(const Mesh& mesh) {
  struct Piece {
    Vec3d a, b, c;
  };
  std::vector<Piece> pieces;
  double area = 0;
  const auto area_of = [](const Piece& p) { return (p.b - p.a).cross(p.c - p.a).norm() / 2; };
  StopCheck check;
  for (const auto& t : mesh.triangles()) {
    check();
    const auto at = [&](int k) -> Vec3d { return mesh.positions[t[k]].cast<double>(); };
    pieces.push_back({at(0), at(1), at(2)});
    area += area_of(pieces.back());
  }
  const double fine = area / 500;
  std::vector<Sample> samples;
  while (!pieces.empty()) {
    check();
    const Piece p = pieces.back();
    pieces.pop_back();
    const double one = area_of(p);
    if (one > fine && pieces.size() + samples.size() < 4 * most_samples) {
      const Vec3d ab = (p.a + p.b) / 2, bc = (p.b + p.c) / 2, ca = (p.c + p.a) / 2;
      pieces.insert(pieces.end(), {{p.a, ab, ca}, {ab, p.b, bc}, {ca, bc, p.c}, {ab, bc, ca}});
    } else if (one > 0) {
      samples.push_back({(p.a + p.b + p.c) / 3, one});
    }
  }
  return samples;
}

// Every so many, so that no more are left than can be afforded.
std::vector<Sample> thinned(std::vector<Sample> samples) {
  if (samples.size() <= most_samples) return samples;
  const double stride = static_cast<double>(samples.size()) / static_cast<double>(most_samples);
  std::vector<Sample> some;
  for (std::size_t i = 0; i < most_samples; ++i) {
    some.push_back(samples[static_cast<std::size_t>(static_cast<double>(i) * stride)]);
    some.back().weight *= stride;
  }
  return some;
}

constexpr std::size_t points_of_piece = 4;

// Four points with the weight, the centre and the second moments of some samples: the corners of a
// tetrahedron, (1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1), have the unit matrix as second
// moment, so that the root of the samples' covariance takes them there.
void four_points(const Vec3d& centre, double weight, const Eigen::Matrix3d& covariance,
                 std::vector<Sample>& out) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(covariance);
  const Eigen::Matrix3d root =
      axes.eigenvectors() * axes.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
  for (const Vec3d& corner :
       {Vec3d(1, 1, 1), Vec3d(1, -1, -1), Vec3d(-1, 1, -1), Vec3d(-1, -1, 1)}) {
    out.push_back({centre + root * corner, weight / points_of_piece});
  }
}

// About `count` points for some samples: as many pieces as there are fours, and four points each.
void cluster(std::span<const Sample> samples, std::size_t count, std::vector<Sample>& out) {
  count = std::min((count + points_of_piece - 1) / points_of_piece, samples.size());
  if (count == 0) return;
  Vec3d middle = Vec3d::Zero();
  double weight = 0;
  for (const Sample& s : samples) {
    middle += s.weight * s.at;
    weight += s.weight;
  }
  middle /= weight;
  // The farthest from the middle first, then always the farthest from those chosen.
  std::vector<double> away(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) away[i] = (samples[i].at - middle).squaredNorm();
  std::vector<Vec3d> centres;
  while (centres.size() < count) {
    const auto far = std::max_element(away.begin(), away.end());
    centres.push_back(samples[static_cast<std::size_t>(far - away.begin())].at);
    const bool first = centres.size() == 1;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const double d = (samples[i].at - centres.back()).squaredNorm();
      away[i] = first ? d : std::min(away[i], d);
    }
  }
  std::vector<Sample> sums(count);
  std::vector<Eigen::Matrix3d> squares(count);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    std::fill(sums.begin(), sums.end(), Sample{Vec3d::Zero(), 0});
    std::fill(squares.begin(), squares.end(), Eigen::Matrix3d::Zero());
    for (const Sample& s : samples) {
      std::size_t best = 0;
      for (std::size_t c = 1; c < count; ++c) {
        if ((s.at - centres[c]).squaredNorm() < (s.at - centres[best]).squaredNorm()) best = c;
      }
      sums[best].at += s.weight * s.at;
      sums[best].weight += s.weight;
      squares[best] += s.weight * (s.at - middle) * (s.at - middle).transpose();
    }
    for (std::size_t c = 0; c < count; ++c) {
      if (sums[c].weight > 0) centres[c] = sums[c].at / sums[c].weight;
    }
  }
  for (std::size_t c = 0; c < count; ++c) {
    if (!(sums[c].weight > 0)) continue;
    const Vec3d off = centres[c] - middle;
    four_points(centres[c], sums[c].weight, squares[c] / sums[c].weight - off * off.transpose(),
                out);
  }
}

bool is_in(const LatticeBox& box, const Vec3d& at) {
  Eigen::Matrix3d edges;
  for (int a = 0; a < 3; ++a) edges.col(a) = box.edges[static_cast<std::size_t>(a)];
  const Vec3d stu = edges.inverse() * (at - box.corner);
  return (stu.array() >= 0).all() && (stu.array() <= 1).all();
}

}  // namespace

std::vector<MassPoint> mass_points(const Mesh& mesh, double mass, std::size_t count,
                                   std::span<const LatticeBox> parts, CancelView stop) {
  const SurfaceTree tree(mesh, stop);
  const std::vector<Sample> skin = thinned(surface_samples(mesh));
  std::vector<Sample> samples = thinned(inside_samples(tree, stop));
  // Thin bodies slip through the grid.
  if (samples.size() < 8 * count) samples = skin;
  std::vector<std::vector<Sample>> groups(parts.size() + 1);
  for (const Sample& s : samples) {
    std::size_t g = 0;
    while (g < parts.size() && !is_in(parts[g], s.at)) ++g;
    groups[g].push_back(s);
  }
  double all = 0;
  for (const Sample& s : samples) all += s.weight;
  if (!(all > 0)) return {};
  // A part that is too thin for the samples inside has a little mass on its surface.
  for (std::size_t g = 0; g < parts.size(); ++g) {
    if (groups[g].size() >= 2 * least_masses_in_part) continue;
    groups[g].clear();
    for (const Sample& s : skin) {
      if (is_in(parts[g], s.at)) groups[g].push_back({s.at, 0});
    }
    for (Sample& s : groups[g]) s.weight = 0.005 * all / static_cast<double>(groups[g].size());
  }
  std::vector<Sample> centres;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    double weight = 0;
    for (const Sample& s : groups[g]) weight += s.weight;
    const double wish = std::round(static_cast<double>(count) * weight / all);
    cluster(groups[g], std::max<std::size_t>(static_cast<std::size_t>(wish), least_masses_in_part),
            centres);
    stop.check();
  }
  double sum = 0;
  for (const Sample& s : centres) sum += s.weight;
  std::vector<MassPoint> points;
  for (const Sample& s : centres) {
    points.push_back({s.at.cast<float>(), static_cast<float>(mass * s.weight / sum)});
  }
  return points;
}

void set_stiffness(ModalBody& body, std::span<const double> inertia, double stiffer) {
  const ModalSpace space(*body.modes, Vec3d::Zero());
  std::vector<Vec3f> places;
  for (const MassPoint& point : body.masses) places.push_back(point.at);
  const ModalPoints points(std::make_shared<const ModalSpace>(space), places);
  const std::vector<const DeformMode*> modes = body.modes->all();
  body.stiffness.clear();
  body.damping.clear();
  for (std::size_t n = 0; n < modes.size(); ++n) {
    const double omega = 2 * std::numbers::pi * modes[n]->frequency;
    double k = inertia[n] * omega * omega;
    if (modes[n]->frequency == 0) {
      double weight = 0;
      for (std::size_t i = 0; i < places.size(); ++i) {
        weight += 9.81 * double{body.masses[i].mass} * points.way(n, i).norm();
      }
      k = weight / automatic_sag;
    }
    k *= stiffer;
    body.stiffness.push_back(k);
    body.damping.push_back(2 * modes[n]->damping * std::sqrt(k * inertia[n]));
  }
}

}  // namespace sinew::kernels
