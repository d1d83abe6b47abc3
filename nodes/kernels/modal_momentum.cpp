#include <Eigen/Cholesky>

#include "nodes/kernels/modal_system.h"

namespace sinew::kernels {
namespace {

// The body as a whole; vectors in the world's axes.
struct Whole {
  Vec3d centre{0, 0, 0};                                  // of the masses, m
  Vec3d velocity{0, 0, 0};                                // of that, m/s
  Vec3d angular{0, 0, 0};                                 // momentum about it, kg m^2/s
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Identity();  // about it, kg m^2
};

Whole whole_of(const ModalModel& model, const ModalState& state, ModalStepper::Room& room) {
  Vec3d arms(0, 0, 0), momentum(0, 0, 0), angular(0, 0, 0);
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  for_masses(model, state, room.mass_points, room.ways,
             [&](std::size_t i, const Vec3d& arm, const Vec3d& v) {
               arms += model.mass[i] * arm;
               momentum += model.mass[i] * v;
               angular += model.mass[i] * arm.cross(v);
               second += model.mass[i] * arm * arm.transpose();
             });
  const Vec3d middle = arms / model.total;
  second -= model.total * middle * middle.transpose();
  Whole whole;
  whole.centre = state.place + middle;
  whole.velocity = momentum / model.total;
  whole.angular = angular - middle.cross(momentum);
  whole.inertia = second.trace() * Eigen::Matrix3d::Identity() - second;
  return whole;
}

}  // namespace

void keep_momentum(const ModalModel& model, const Vec3d& gravity, double h,
                   ModalStepper::Room& room, const ModalState& before, ModalState& state) {
  const Whole was = whole_of(model, before, room), is = whole_of(model, state, room);
  Eigen::Matrix3d inertia = is.inertia;
  inertia.diagonal().array() += 1e-9 * inertia.trace();  // all masses may lie on a line
  const Vec3d spin = inertia.ldlt().solve(was.angular - is.angular);
  const Vec3d middle = is.centre - state.place;
  state.spin += spin;
  // What turns about the centre of the masses moves the point that the body is placed by.
  state.velocity += was.velocity + h * gravity - is.velocity - spin.cross(middle);
  state.place += was.centre + h * was.velocity + h * h / 2 * gravity - is.centre;
}

}  // namespace sinew::kernels
