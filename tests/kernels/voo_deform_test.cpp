#include "nodes/kernels/voo_deform.h"

#include <gtest/gtest.h>

#include "nodes/kernels/measure.h"
#include "nodes/kernels/tet_primitives.h"
#include "nodes/kernels/voo_frame.h"
#include "nodes/kernels/voo_lanes.h"
#include "tests/kernels/figures.h"
#include "tests/kernels/shapes.h"
#include "tests/kernels/voo_reference.h"

namespace sinew::kernels {
namespace {

using test::RandomVoos;
using test::Translate;
using test::VooReference;
using test::VooState;
using Matrix = Eigen::Matrix3d;

constexpr double scales[] = {1e-6, 1, 1e6};

std::vector<Vec3f> body(std::size_t count, unsigned seed, double scale) {
  return test::random_points(count, seed, static_cast<float>(1.5 * scale));
}

VooTranslation translation_of(Translate t) { return static_cast<VooTranslation>(t); }

// Influences and operators of some states, ready to be applied.
struct Scene {
  std::vector<VooState> states;
  std::vector<VooInfluence> influences;
  std::vector<VooAction> actions;

  Scene(std::vector<VooState> all, std::span<const Vec3f> rest, const Chart* viscous,
        Translate translate, bool slopes = false, bool blended = false)
      : states(std::move(all)) {
    const ChartPieces pieces(viscous ? *viscous : Chart::constant(0));
    std::vector<double> blend;
    for (const VooState& s : states) {
      EXPECT_EQ(validate(s.voo), std::nullopt);
      influences.push_back(make_influence(
          s.voo, rest,
          {.viscous = viscous ? &pieces : nullptr, .falloff = blended, .slopes = slopes}));
      blend.push_back(s.voo.blend);
    }
    if (blended) blend_influences(influences, blend);
    for (std::size_t j = 0; j < states.size(); ++j) {
      const VooState& s = states[j];
      actions.push_back(
          {&influences[j], make_operator(s.voo, s.now, {s.viscosity, s.creep, s.memory},
                                         translation_of(translate))});
    }
  }
  Scene(const Scene&) = delete;

  std::vector<Vec3f> moved(std::span<const Vec3f> rest) const {
    std::vector<Vec3f> out(rest.size());
    deform_vertices(actions, rest, out);
    return out;
  }
};

std::vector<VooState> random_states(RandomVoos& random, int count, double scale) {
  std::vector<VooState> states;
  for (int j = 0; j < count; ++j) states.push_back(random.state(scale));
  return states;
}

// A chart of one slope each way, so that finite differences meet no corner.
Chart smooth_chart(double a, double b) { return {.points = {{0, a}, {1, b}}}; }

TEST(VooDeform, agrees_with_the_reference) {
  unsigned seed = 100;
  double worst = 0;
  for (const double scale : scales) {
    for (const int count : {1, 2, 6}) {
      for (const auto translate : {Translate::active, Translate::damped, Translate::everywhere}) {
        for (const bool viscous : {false, true}) {
          RandomVoos random(++seed);
          const Chart gradient = random.chart();
          const Chart* const with = viscous ? &gradient : nullptr;
          const std::vector<Vec3f> rest = body(997, seed, scale);
          const Scene scene(random_states(random, count, scale), rest, with, translate);
          const std::vector<Vec3f> moved = scene.moved(rest);
          double error = 0, size = scale;
          for (std::size_t v = 0; v < rest.size(); ++v) {
            const Vec3d must =
                test::reference_place(scene.states, with, translate, rest[v].cast<double>());
            error = std::max(error, (moved[v].cast<double>() - must).norm());
            size = std::max(size, must.norm());
          }
          EXPECT_LT(error, 3e-6 * size) << "scale " << scale << ", " << count << " operators";
          worst = std::max(worst, error / size);
        }
      }
    }
  }
  test::record("worst_relative", worst);
}

TEST(VooDeform, keeps_its_digits_far_from_the_origin) {
  // A small body 1e4 away: what is lost is what its positions have lost already.
  const Vec3d far(1e4, -2e4, 3e4);
  for (unsigned seed = 1; seed < 10; ++seed) {
    RandomVoos random(seed);
    std::vector<VooState> states = random_states(random, 2, 1);
    for (VooState& s : states) {
      for (Vec3d* p : {&s.voo.rest.head, &s.voo.rest.tip, &s.now.head, &s.now.tip}) *p += far;
    }
    std::vector<Vec3f> rest = body(500, seed, 1);
    for (Vec3f& p : rest) p += far.cast<float>();
    const Scene scene(states, rest, nullptr, Translate::active);
    const std::vector<Vec3f> moved = scene.moved(rest);
    for (std::size_t v = 0; v < rest.size(); ++v) {
      const Vec3d must =
          test::reference_place(scene.states, nullptr, Translate::active, rest[v].cast<double>());
      EXPECT_LT((moved[v].cast<double>() - must).norm(), 0.0016);  // half a unit of each
    }
  }
}

TEST(VooDeform, is_the_identity_at_rest) {
  unsigned seed = 200;
  for (const double scale : scales) {
    RandomVoos random(++seed);
    std::vector<VooState> states = random_states(random, 4, scale);
    for (VooState& s : states) {
      s.voo.coefficients.volume = s.voo.coefficients.cross_section = 1;
      s.voo.coefficients.shear = {};
      s.now = s.voo.rest;
      s.memory.setZero();
    }
    const Chart gradient = random.chart();
    const std::vector<Vec3f> rest = body(5003, seed, scale);
    const Scene scene(states, rest, &gradient, Translate::active);
    EXPECT_EQ(scene.moved(rest), rest);
  }
}

TEST(VooDeform, without_flexibility_is_rigid) {
  unsigned seed = 300;
  for (const double scale : scales) {
    for (int n = 0; n < 10; ++n) {
      RandomVoos random(++seed);
      VooState s = random.state(scale);
      s.voo.coefficients = {};
      s.voo.coefficients.flexibility = 0;
      // Turned, twisted and carried, but as long as it was.
      const double length = s.voo.rest.vector().norm();
      s.now.tip = s.now.head + length * random.direction();
      s.viscosity = 0;
      const std::vector<Vec3f> rest = body(400, seed, scale);
      const Scene scene({s}, rest, nullptr, Translate::active);
      const std::vector<Vec3f> moved = scene.moved(rest);
      const std::vector<uint32_t> active = active_vertices(scene.influences[0]);
      for (std::size_t i = 1; i < active.size(); ++i) {
        const Vec3d before = (rest[active[i]] - rest[active[0]]).cast<double>();
        const Vec3d after = (moved[active[i]] - moved[active[0]]).cast<double>();
        EXPECT_NEAR(after.norm(), before.norm(), 3e-6 * scale);
      }
    }
  }
}

TEST(VooDeform, full_damping_freezes) {
  RandomVoos random(31);
  VooState s = random.state(1);
  s.voo.coefficients.flexibility = 1;
  s.voo.damping = Chart::constant(1);
  s.now.head = s.voo.rest.head;
  s.viscosity = 1;
  const Chart gradient = random.chart();
  const std::vector<Vec3f> rest = body(3000, 31, 1);
  EXPECT_EQ(Scene({s}, rest, &gradient, Translate::active).moved(rest), rest);
  s.now.head += Vec3d(1, 2, 3);  // a damped translation is frozen, too
  EXPECT_EQ(Scene({s}, rest, &gradient, Translate::damped).moved(rest), rest);
}

TEST(VooDeform, a_damped_translation_does_not_tear) {
  RandomVoos random(32);
  for (int n = 0; n < 10; ++n) {
    VooState s = random.state(1);
    s.voo.coefficients = {};
    s.voo.field.centre = n % 2 ? VooCentre::tip : VooCentre::both;
    s.voo.damping = smooth_chart(0, 1);
    if (n % 3 == 0) {  // ends above 0: what is beyond has to follow
      s.voo.coefficients.flexibility = 0.6;
      s.voo.field.beyond = VooBeyond::as_edge;
    }
    s.viscosity = 0;
    std::vector<Vec3f> line;
    const Vec3d from = random.point(3), to = s.voo.rest.tip;
    for (int k = 0; k <= 4000; ++k) line.push_back((from + (to - from) * k / 4000).cast<float>());
    const std::vector<Vec3f> moved = Scene({s}, line, nullptr, Translate::damped).moved(line);
    for (std::size_t k = 1; k < line.size(); ++k) {
      EXPECT_LT((moved[k] - moved[k - 1]).norm(), 0.1f);
    }
  }
}

TEST(VooDeform, without_viscosity_is_plastic) {
  RandomVoos random(33);
  std::vector<VooState> plastic = random_states(random, 3, 1);
  for (VooState& s : plastic) s.viscosity = 0;
  const Chart gradient = random.chart();
  const std::vector<Vec3f> rest = body(3000, 33, 1);
  EXPECT_EQ(Scene(plastic, rest, &gradient, Translate::active).moved(rest),
            Scene(plastic, rest, nullptr, Translate::active).moved(rest));
}

// Eqs. 7.1 to 7.9 as the thesis has them: each vertex steps through time on its own.
TEST(VooDeform, creep_is_what_many_small_steps_give) {
  for (unsigned seed = 1; seed < 6; ++seed) {
    RandomVoos random(seed);
    VooState s = random.state(1);
    const Chart gradient = random.chart();
    const Chart creep{.points = {{0, 0}, {0.4, 0.7}, {1, 1}}};
    const VooPose end = s.now;
    const auto pose = [&](double t) {
      const double part = std::sin(1.3 * t);
      return VooPose{s.voo.rest.head + part * (end.head - s.voo.rest.head),
                     s.voo.rest.tip + part * (end.tip - s.voo.rest.tip) + t * t * Vec3d(0, 0.3, 0),
                     s.voo.rest.twist + part * (end.twist - s.voo.rest.twist)};
    };
    const std::vector<Vec3f> rest = body(60, seed, 1);
    const VooReference reference(s.voo);
    std::vector<double> errors;
    for (const int steps : {400, 800}) {
      // One matrix for all vertices, by the same steps taken ten times finer.
      Matrix memory = Matrix::Zero(), last = deformation_at(s.voo, pose(0));
      const Matrix start = last - Matrix::Identity();
      for (int k = 0; k < 10 * steps; ++k) {
        const double t = (k + 1) / (10.0 * steps);
        const Matrix now = deformation_at(s.voo, pose(t));
        memory += creep.evaluate(t - 0.05 / steps) * (now - last);
        last = now;
      }
      VooState made = s;
      made.now = pose(1);
      made.memory = memory;
      double error = 0;
      std::vector<Vec3f> moved = Scene({made}, rest, &gradient, Translate::active).moved(rest);
      for (std::size_t v = 0; v < rest.size(); ++v) {
        const Vec3d r = rest[v].cast<double>(), q = r - s.voo.rest.head;
        if (!reference.active(r)) continue;
        const double g = gradient.evaluate(std::min(reference.delta(r), 1.0));
        const double damp = reference.damp(r);
        // What the volume, cross-section and shear did before the motion is viscous from then on.
        Vec3d strain = damp * (1 - s.viscosity * g) * (start * q);
        Matrix before = deformation_at(s.voo, pose(0));
        for (int k = 0; k < steps; ++k) {
          const double t = (k + 1) / static_cast<double>(steps);
          const Matrix now = deformation_at(s.voo, pose(t));
          const Vec3d plastic = damp * ((now - before) * q);
          strain += (1 - s.viscosity * g * (1 - s.creep * creep.evaluate(t))) * plastic;
          before = now;
        }
        const Vec3d must = r + (made.now.head - s.voo.rest.head) + strain;
        error = std::max(error, (moved[v].cast<double>() - must).norm());
      }
      errors.push_back(error);
    }
    EXPECT_LT(errors[1], 5e-3);
    EXPECT_LT(errors[1], 0.6 * errors[0] + 3e-6);  // first order, so half as much
  }
}

TEST(VooDeform, a_blend_is_a_mean_of_what_each_does_alone) {
  for (unsigned seed = 1; seed < 6; ++seed) {
    RandomVoos random(seed);
    const Chart gradient = random.chart();
    const std::vector<Vec3f> rest = body(2000, seed, 1);
    const std::vector<VooState> states = random_states(random, 4, 1);
    for (const auto translate : {Translate::active, Translate::damped}) {
      const Scene scene(states, rest, &gradient, translate, false, true);
      const std::vector<Vec3f> moved = scene.moved(rest);
      for (std::size_t v = 0; v < rest.size(); ++v) {
        const Vec3d r = rest[v].cast<double>();
        Vec3d sum = Vec3d::Zero();
        double total = 0;
        for (const VooState& s : states) {
          const VooReference one(s.voo);
          if (!one.active(r)) continue;
          const double phi =
              s.voo.blend * std::pow(std::max(1 - std::min(one.delta(r), 1.0), 1e-6), 2);
          sum += phi * one.offset(s, &gradient, translate, r);
          total += phi;
        }
        const Vec3d must = total > 0 ? Vec3d(r + sum / total) : r;
        EXPECT_LT((moved[v].cast<double>() - must).norm(), 1e-5 * (1 + must.norm()));
      }
    }
  }
}

TEST(VooDeform, takes_more_operators_than_one_call_does) {
  RandomVoos random(40);
  const std::vector<VooState> states = random_states(random, 300, 1);
  const std::vector<Vec3f> rest = body(333, 41, 1);
  const Scene scene(states, rest, nullptr, Translate::active);
  const std::vector<Vec3f> moved = scene.moved(rest);
  for (std::size_t v = 0; v < rest.size(); ++v) {
    const Vec3d must =
        test::reference_place(states, nullptr, Translate::active, rest[v].cast<double>());
    EXPECT_LT((moved[v].cast<double>() - must).norm(), 1e-4 * (1 + must.norm()));
  }
}

TEST(VooDeform, has_the_same_bits_on_every_target_and_any_number_of_threads) {
  RandomVoos random(50);
  const Chart gradient = random.chart();
  const std::vector<Vec3f> rest = body(20011, 51, 1);
  const Mesh sphere = make_icosphere({1, 40});
  const Scene scene(random_states(random, 6, 1), rest, &gradient, Translate::active, true, true);
  test::expect_same_for_threads([&] { return scene.moved(rest); });
  std::vector<Vec3f> normals(rest.size());
  for (std::size_t v = 0; v < rest.size(); ++v) normals[v] = rest[v].normalized();
  test::expect_same_for_threads([&] {
    std::vector<Vec3f> turned(rest.size());
    deform_normals(scene.actions, rest, normals, turned);
    return turned;
  });
  const VooLanes* list[3];
  const std::size_t count = runnable_voo_lanes(list);
  // The first piece of the body, by hand.
  std::vector<VooPart> parts;
  for (const VooAction& a : scene.actions) {
    const VooInfluence& i = *a.influence;
    VooPart part{i.first[1],
                 i.tiles.data(),
                 i.mask.data(),
                 i.damp.data(),
                 i.viscous.data(),
                 parts.size() % 2 ? i.share.data() : nullptr,
                 i.damp_slope.data(),
                 i.viscous_slope.data(),
                 i.share_slope.data(),
                 parts.size() % 3 != 0,
                 true,
                 {},
                 {},
                 {}};
    std::copy_n(a.with.shift.data(), 3, part.shift);
    std::copy_n(a.with.strain.data(), 12, part.strain);
    std::copy_n(a.with.creep.data(), 12, part.creep);
    parts.push_back(part);
  }
  const float common[3] = {0.25f, 0, -1};
  for (const std::size_t vertices : {voo_piece, voo_piece - 5}) {
    const VooRange range{0, voo_piece / voo_tile, vertices, {0.1f, -0.2f, 0.3f}};
    std::vector<std::vector<Vec3f>> moved, turned;
    std::vector<std::vector<uint16_t>> folded;
    for (std::size_t k = 0; k < count; ++k) {
      moved.emplace_back(rest);
      turned.emplace_back(rest);
      folded.emplace_back(range.end);
      list[k]->deform(rest[0].data(), rest[0].data(), common, parts.data(), parts.size(), range,
                      moved[k][0].data());
      list[k]->jacobian(rest[0].data(), normals[0].data(), parts.data(), parts.size(), range,
                        turned[k][0].data(), folded[k].data());
      EXPECT_EQ(moved[k], moved[0]) << list[k]->name;
      EXPECT_EQ(turned[k], turned[0]) << list[k]->name;
      EXPECT_EQ(folded[k], folded[0]) << list[k]->name;
      for (std::size_t v = vertices; v < rest.size(); ++v) EXPECT_EQ(moved[k][v], rest[v]);
    }
  }
}

TEST(VooDeform, works_at_every_number_of_vertices) {
  RandomVoos random(52);
  VooState s = random.state(1);
  s.voo.field.radii = {2, 2, 2};
  const std::vector<Vec3f> all = body(70, 52, 1);
  const std::vector<Vec3f> whole = Scene({s}, all, nullptr, Translate::active).moved(all);
  for (std::size_t count = 0; count <= all.size(); ++count) {
    const std::span<const Vec3f> some(all.data(), count);
    const std::vector<Vec3f> moved = Scene({s}, some, nullptr, Translate::active).moved(some);
    EXPECT_TRUE(std::equal(moved.begin(), moved.end(), whole.begin()));
  }
}

// J by differences of the reference, at places where it has one.
TEST(VooNormals, follow_the_gradient_of_the_motion) {
  unsigned seed = 400;
  double worst = 0;
  for (const double scale : scales) {
    for (int n = 0; n < 8; ++n) {
      RandomVoos random(++seed);
      std::vector<VooState> states = random_states(random, 1 + n % 3, scale);
      for (VooState& s : states) {
        s.voo.damping = smooth_chart(0, 1);
        s.voo.coefficients.locality = 0;
        s.voo.coefficients.weight = 1;
        s.voo.field.cap = 1;
      }
      const Chart gradient = smooth_chart(0.2, 0.9);
      const std::vector<Vec3f> rest = body(300, seed, scale);
      std::vector<Vec3f> normals(rest.size()), turned(rest.size());
      for (Vec3f& normal : normals) normal = random.direction().cast<float>();
      const Scene scene(states, rest, &gradient, Translate::damped, true);
      deform_normals(scene.actions, rest, normals, turned);
      const VooFolds folds = find_folds(scene.actions, rest);
      for (std::size_t v = 0; v < rest.size(); ++v) {
        const Vec3d p = rest[v].cast<double>();
        bool kink = false;
        for (const VooState& s : states) {
          const double d = VooReference(s.voo).delta(p);
          kink = kink || d < 0.02 || (d > 0.98 && d < 1.02);
          for (const Vec3d& end : {s.voo.rest.head, s.voo.rest.tip}) {
            kink = kink || (p - end).norm() < 0.05 * scale;
          }
        }
        if (kink || states[0].voo.field.centre == VooCentre::both) continue;
        Matrix J;
        const double h = 1e-5 * scale;
        for (int k = 0; k < 3; ++k) {
          const Vec3d step = h * Vec3d::Unit(k);
          J.col(k) = (test::reference_place(states, &gradient, Translate::damped, p + step) -
                      test::reference_place(states, &gradient, Translate::damped, p - step)) /
                     (2 * h);
        }
        Matrix cofactor;
        cofactor << J.col(1).cross(J.col(2)), J.col(2).cross(J.col(0)), J.col(0).cross(J.col(1));
        const double det = J.determinant();
        if (std::abs(det) < 1e-2 * std::pow(J.norm(), 3)) continue;
        EXPECT_EQ(folds.at(v), det < 0);
        const Vec3d must = (cofactor * normals[v].cast<double>()).normalized();
        const double error = (turned[v].cast<double>() - must).norm();
        worst = std::max(worst, error);
        EXPECT_LT(error, 2e-3);
      }
    }
  }
  test::record("worst", worst);
}

TEST(VooNormals, agree_with_the_moved_triangles) {
  const Mesh sphere = make_icosphere({1, 60});
  VooState s;
  s.voo.rest = {{0, -1, 0}, {0, 0.5, 0}, 0};
  s.voo.field.radii = {1.8, 1.8, 2.5};
  s.now = {{0.1, -1, 0}, {0.4, 0.9, 0.2}, 0.7};
  const Scene scene({s}, sphere.positions, nullptr, Translate::damped, true);
  const std::vector<Vec3f> moved = scene.moved(sphere.positions);
  std::vector<Vec3f> turned(moved.size());
  deform_normals(scene.actions, sphere.positions, sphere.positions, turned);
  const std::vector<Vec3f> made = vertex_normals(sphere.with_positions(moved));
  for (std::size_t v = 0; v < moved.size(); ++v) EXPECT_LT((turned[v] - made[v]).norm(), 0.03f);
}

TEST(VooFolds, are_where_cells_turn_over) {
  const TetMesh block = make_tet_box({1, 1, 1}, {14, 14, 14});
  VooState s;
  s.voo.rest = {{0, -0.5, 0}, {0, 0.2, 0}, 0};
  s.voo.field.radii = {0.45, 0.45, 0.45};
  s.voo.coefficients.elongation = 1;
  s.now = s.voo.rest;
  const auto count = [&](double up) {
    s.now.tip.y() = s.voo.rest.tip.y() + up;
    const Scene scene({s}, block.positions, nullptr, Translate::active, true);
    const std::vector<Vec3f> moved = scene.moved(block.positions);
    const VooFolds folds = find_folds(scene.actions, block.positions);
    return std::array{folds.vertices, count_folded(folds, block.tets()),
                      count_inverted(block.tets(), block.positions, moved),
                      count_folded(folds, std::span<const Triangle>(block.topology->boundary))};
  };
  EXPECT_EQ(count(0.1), (std::array<std::size_t, 4>{}));
  const auto far = count(1.5);
  EXPECT_GT(far[0], 10u);
  EXPECT_GT(far[1], far[0]);
  EXPECT_GT(far[2], 10u);
  EXPECT_LE(far[2], far[1] + far[1] / 4);  // what turns over has a folded vertex, nearly always
}

TEST(VooDeform, refuses_what_does_not_fit) {
  const std::vector<Vec3f> rest = body(100, 1, 1);
  const Scene scene({VooState{}}, rest, nullptr, Translate::active);
  std::vector<Vec3f> out(99);
  EXPECT_THROW(deform_vertices(scene.actions, {rest.data(), 99}, out), std::invalid_argument);
  out.resize(100);
  EXPECT_THROW(deform_normals(scene.actions, rest, rest, out), std::invalid_argument);
}

}  // namespace
}  // namespace sinew::kernels
