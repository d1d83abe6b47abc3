#include "nodes/modal_words.h"

#include <numbers>

#include "nodes/kernels/transform.h"

namespace sinew {

void ModalWords::declare_body(Declaration& d, const std::string& controller_doc) {
  d.in(body, "body").doc("What moves.");
  d.in(controller, "controller").optional().doc(controller_doc);
  d.in(colliders, "colliders").optional().doc("Ground and obstacles, with their friction.");
  d.in(forces, "forces").optional().doc("Springs, pins and forces at places of the body.");
  d.in(position, "position", Vec3{})
      .range(-1e6, 1e6)
      .unit("m")
      .doc("How far the body is from where its mesh lies, at the start and where it is led.");
  d.in(rotation, "rotation", Vec3{})
      .range(-36000, 36000)
      .unit("deg")
      .doc(
          "How it is turned there, about its centre of mass and the fixed axes: first x, then y, "
          "then z.");
  d.in(velocity, "velocity", Vec3{}).range(-1e4, 1e4).unit("m/s").doc("At the start.");
  d.in(spin, "spin", Vec3{})
      .range(-36000, 36000)
      .unit("deg/s")
      .doc("At the start, about the fixed axes.");
}

void ModalWords::declare_world(Declaration& d) {
  d.in(gravity, "gravity", Vec3{0, -9.81f, 0})
      .range(-1e4, 1e4)
      .unit("m/s2")
      .doc("Acceleration of all that falls.");
  d.in(friction, "friction", 1.0f)
      .range(0, 100)
      .doc("Times the friction of the obstacles; 0 is ice.");
  d.in(wind, "wind", Vec3{}).range(-1e4, 1e4).unit("m/s").doc("Velocity of the air.");
  d.in(air, "air", 0.0f)
      .range(0, 1000)
      .unit("1/s")
      .doc("How fast the body takes on the velocity of the air; 0 is no air.");
  d.in(limit, "limit", 1.0f).range(0.01, 100).doc("Amplitudes stop there, on both sides.");
  d.in(steps, "steps", 240)
      .range(10, 100000)
      .unit("1/s")
      .doc("Steps in a second; more are taken where something happens fast.");
  d.in(steps_fit, "steps_fit", false)
      .doc(
          "Off: steps go on evenly whatever frames do, so that a motion is the same at all frame "
          "rates. On: they are a little shorter, so that each frame ends with one, and the motion "
          "depends on the frame rate; documents from before version 2 have it so.");
  d.in(deactivate, "deactivate", true)
      .doc(
          "Modes that rest are left out of the computation until something stirs them; not while "
          "air, springs, pins or forces act.");
}

std::shared_ptr<const kernels::ModalModel> ModalWords::prepare(Exec& e) const {
  return e.prepared<kernels::ModalModel>(
      "modal model", [&] { return kernels::ModalModel(e.get(body)); }, body);
}

kernels::ModalSettings ModalWords::settings(const Exec& e) const {
  kernels::ModalSettings settings;
  settings.gravity = to_eigen(e.get(gravity)).cast<double>();
  settings.colliders = e.get_if<Colliders>(colliders);
  settings.friction = double{e.get(friction)};
  settings.wind = to_eigen(e.get(wind)).cast<double>();
  settings.air = double{e.get(air)};
  settings.limit = double{e.get(limit)};
  settings.steps_per_second = e.get(steps);
  settings.steps_fit = e.get(steps_fit);
  settings.deactivate = e.get(deactivate);
  return settings;
}

Eigen::Quaterniond turn_of(const Vec3& degrees) {
  const Eigen::Matrix3d turn =
      kernels::compose_transform(Vec3f::Zero(), to_eigen(degrees), Vec3f::Ones())
          .linear()
          .cast<double>();
  return Eigen::Quaterniond(turn).normalized();
}

kernels::ModalState ModalWords::start(const Exec& e, const kernels::ModalModel& model) const {
  kernels::ModalState state = kernels::modal_rest(model);
  state.place += to_eigen(e.get(position)).cast<double>();
  state.turn = turn_of(e.get(rotation));
  state.velocity = to_eigen(e.get(velocity)).cast<double>();
  state.spin = to_eigen(e.get(spin)).cast<double>() * (std::numbers::pi / 180);
  return state;
}

kernels::ModalControl ModalWords::control(Exec& e, const kernels::ModalModel& model,
                                          const PoseGraph* graph) const {
  if (!graph || graph->poses.empty()) return {};
  const Modes& modes = *e.get(body).modes;
  kernels::ModalControl control(model, modes, *graph);
  std::string missing, passive;
  for (std::size_t c = 0; c < graph->modes.size(); ++c) {
    if (control.modes[c] < model.modes()) continue;
    std::string& list = modes.find(graph->modes[c]) < 0 ? missing : passive;
    list += (list.empty() ? "'" : ", '") + graph->modes[c] + "'";
  }
  if (!missing.empty()) {
    std::string names;
    for (const DeformMode* mode : modes.all()) {
      names += (names.empty() ? "'" : ", '") + mode->name + "'";
    }
    e.warning("the controller drives {}, but the body has no such mode; it has {}", missing, names);
  }
  if (!passive.empty()) {
    e.warning("the controller drives {}, but the mode is passive; set 'active' where it is made",
              passive);
  }
  return control;
}

}  // namespace sinew
