// A path that is travelled by a momentum drawn over time. [Hurmusiadis, section 8.2]
#include "nodes/kernels/motion_path.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<PathPoints> points;
In<PathCurve> curve;
In<bool> closed, fit;
In<int> rounds;
In<Chart> momentum;
In<float> mass, speed, offset, start, end;
Out<MotionPath> out;
Out<Vec3> position, tangent, normal;
Out<float> distance, done, velocity, length;

PathPoints standard_points() {
  return {{{-1, 0, 0}, {-0.5f, 0.5f, 0}, {0.5f, 0.5f, 0}, {1, 0, 0}}};
}

void declare_travel(Declaration& d) {
  d.in(momentum, "momentum", MotionPath::standard_momentum())
      .doc(
          "How the momentum changes, in kg m/s, from the start (first point) to the end (last "
          "point); only differences count. Where it falls below its first value it drives "
          "backwards. Constant: a constant speed.");
  d.in(mass, "mass", 50.0f).range(1e-3, 1e6).unit("kg").doc("Momentum over mass is speed.");
  d.in(speed, "speed", 0.0f).range(-1e6, 1e6).unit("m/s").doc("The speed at the start.");
  d.in(offset, "offset", 0.0f).range(0, 1e6).unit("m").doc("How far along the path it starts.");
  d.in(start, "start", 0.0f).range(-1e6, 1e6).unit("s").doc("When it starts; it rests before.");
  d.in(end, "end", 2.0f).range(-1e6, 1e6).unit("s").doc("When it is over; it rests after.");
  d.in(fit, "fit", true)
      .doc(
          "Scales the way so that the end of the path is reached at the end of the time; without, "
          "it goes as far as momentum and mass say.");
}

void declare(Declaration& d) {
  d.id("path.motion", 1).label("Motion Path").category("Path").uses_frame();
  d.doc("A way through space, and how something travels along it over time.");
  d.in(points, "points", standard_points()).doc("The places that the path runs through.");
  d.in(curve, "curve", PathCurve::spline)
      .choices({"polyline", "spline"})
      .doc("Straight from point to point, or a smooth curve through them.");
  d.in(closed, "closed", false).doc("Goes on from the last point to the first.");
  d.in(rounds, "rounds", 1).range(1, most_rounds).doc("How often a closed path is gone round.");
  declare_travel(d);
  d.handle(HandleKind::points, "points").items(points);
  d.out(out, "path").timeless().doc("The path, for whoever follows it.");
  d.out(position, "position").doc("Where it is now; link it to any input that is a place.");
  d.out(tangent, "tangent").doc("The direction of the path there, of length 1.");
  d.out(normal, "normal").doc("A direction across the path there that does not twist along it.");
  d.out(distance, "distance").doc("How far along the path it is, in metres; all rounds count.");
  d.out(done, "done").doc("The part of the way that is done, from 0 to 1.");
  d.out(velocity, "speed").doc("How fast it is along the path, in m/s; negative: backwards.");
  d.out(length, "length").doc("How long the path is, in metres; one round.");
}

void exec(Exec& e) {
  MotionPath path;
  path.points = e.get(points);
  path.curve = e.get(curve);
  path.closed = e.get(closed);
  path.rounds = e.get(rounds);
  path.momentum = e.get(momentum);
  path.mass = e.get(mass);
  path.speed = e.get(speed);
  path.offset = e.get(offset);
  path.start = e.get(start);
  path.end = e.get(end);
  path.fit = e.get(fit);
  path.time = e.seconds();
  if (const auto wrong = validate(path)) return e.error("{}", *wrong);
  // One for all frames of an animation.
  const auto shape = e.prepared<kernels::PathShape>(
      "path shape", [&] { return kernels::PathShape(path.points.list, path.curve, path.closed); },
      points, curve, closed);
  if (path.offset > shape->length()) {
    e.warning("the offset {} m is beyond the path, which is {:.4g} m long", path.offset,
              shape->length());
  }
  const kernels::PathClock clock(path, shape->length());
  const double now = clock.distance(path.time);
  const kernels::PathFrame frame = shape->at(now);
  e.set(position, from_eigen(frame.position.cast<float>()));
  e.set(tangent, from_eigen(frame.tangent.cast<float>()));
  e.set(normal, from_eigen(frame.normal.cast<float>()));
  e.set(distance, to_float(now));
  e.set(done, to_float(clock.done(path.time)));
  e.set(velocity, to_float(clock.speed(path.time)));
  e.set(length, to_float(shape->length()));
  e.set(out, std::move(path));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(path_motion, declare, exec)
