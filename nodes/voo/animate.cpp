// How the pins of operators move over time. [Hurmusiadis, sections 5.3.2 and 8.3.2]
#include <numbers>

#include "nodes/kernels/chart_ops.h"
#include "nodes/voo_words.h"

namespace sinew {
namespace {

enum class Paths : uint8_t { added, exact };

In<VooSet> voos;
In<std::string> which;
In<Vec3> move, head, tip;
In<float> twist;
In<Chart> over_time;
In<MotionPath> head_path, tip_path, aim_path;
In<Paths> paths;
In<float> delay;
Out<VooSet> out;
Out<Vec3> rest_head, rest_tip;

struct Coefficient {
  VooQuantity what;
  const char* name;
  const char* doc;
  In<float> in;
};
Coefficient coefficients[] = {
    {VooQuantity::elongation, "elongation", "Factor of the elongation.", {}},
    {VooQuantity::volume, "volume", "Factor of the volume.", {}},
    {VooQuantity::cross_section, "cross_section", "Factor of the cross-section.", {}},
    {VooQuantity::flexibility, "flexibility", "Factor of the flexibility.", {}},
    {VooQuantity::weight, "weight", "Factor of the weight.", {}},
    {VooQuantity::torsion, "torsion", "Factor of the torsion.", {}},
    {VooQuantity::locality, "locality", "Added to the locality.", {}},
    {VooQuantity::shear_v, "shear_v", "Added to the first shear.", {}},
    {VooQuantity::shear_w, "shear_w", "Added to the second shear.", {}},
};

Chart ones() { return Chart::constant(1); }

void declare_paths(Declaration& d) {
  d.in(head_path, "head_path").optional().doc("A path on which the head travels.");
  d.in(tip_path, "tip_path").optional().doc("A path on which the tip travels.");
  d.in(aim_path, "aim_path").optional().doc("A path for the point that the pin looks at.");
  d.in(paths, "paths", Paths::added)
      .choices({"added", "exact"})
      .doc(
          "Paths of the ends: the way since the start of the path is added to where the end is, or "
          "the end is exactly on the path.");
}

void declare(Declaration& d) {
  d.id("voo.animate", 2).label("Move Operators").category("VOODOO");
  d.uses_frame().uses_dt().uses_changes();
  d.doc(
      "Moves the pins of operators, by numbers that may follow charts over time, and along motion "
      "paths. Since version 2, what comes by a link goes evenly from frame to frame, and steps are "
      "never a frame late.");
  d.upgrade([](UpgradeStep&) {});
  d.in(voos, "voos").label("Operators").doc("The operators.");
  declare_which(d, which);
  d.in(move, "move", Vec3{})
      .range(-1e4, 1e4)
      .unit("m")
      .whole_time()
      .doc("How far the whole pin is moved.");
  d.in(head, "head", Vec3{})
      .range(-1e4, 1e4)
      .unit("m")
      .whole_time()
      .doc("How far the head is moved from where it rests.");
  d.in(tip, "tip", Vec3{})
      .range(-1e4, 1e4)
      .unit("m")
      .whole_time()
      .doc("How far the tip is moved from where it rests.");
  d.in(twist, "twist", 0.0f)
      .range(-36000, 36000)
      .unit("deg")
      .whole_time()
      .doc("How far the pin is turned about itself.");
  d.in(over_time, "over_time", Chart::constant(1))
      .over_time()
      .doc(
          "How much of these counts, over time. Link one chart to several nodes to let them move "
          "alike.");
  declare_paths(d);
  d.in(delay, "delay", 0.0f).range(-1e5, 1e5).unit("s").doc("How much later all of it happens.");
  for (Coefficient& c : coefficients) {
    d.in(c.in, c.name, is_factor(c.what) ? 1.0f : 0.0f).range(-100, 100).whole_time().doc(c.doc);
  }
  d.out(out, "voos").label("Operators").doc("The operators, with their motion.");
  d.out(rest_head, "rest_head").doc("Where the head of the first of them rests.");
  d.out(rest_tip, "rest_tip").doc("Where the tip of the first of them rests.");
  d.handle(HandleKind::vector, "pin").at(head).from(rest_head).to(tip).to_from(rest_tip);
}

void add_drive(VooQuantity what, const Chart& chart, std::vector<VooDrive>& drives) {
  if (!is_always(chart, is_factor(what) ? 1 : 0)) drives.push_back({what, chart, ones()});
}

void add_place(VooQuantity x, const std::vector<Chart>& charts, std::vector<VooDrive>& drives) {
  for (std::size_t k = 0; k < 3; ++k) {
    add_drive(static_cast<VooQuantity>(static_cast<std::size_t>(x) + k), charts[k], drives);
  }
}

std::vector<VooDrive> read_drives(const Exec& e) {
  std::vector<VooDrive> drives;
  const std::vector<Chart> both = charts_over_seconds(e, move);
  add_place(VooQuantity::head_x, both, drives);
  add_place(VooQuantity::tip_x, both, drives);
  add_place(VooQuantity::head_x, charts_over_seconds(e, head), drives);
  add_place(VooQuantity::tip_x, charts_over_seconds(e, tip), drives);
  Chart turn = charts_over_seconds(e, twist)[0];
  add_drive(VooQuantity::twist, kernels::scale_y(turn, std::numbers::pi / 180, 0), drives);
  for (VooDrive& drive : drives) drive.by = over_seconds(e.get(over_time), e.fps());
  for (const Coefficient& c : coefficients) {
    add_drive(c.what, charts_over_seconds(e, c.in)[0], drives);
  }
  return drives;
}

std::vector<VooTravel> read_travels(const Exec& e) {
  std::vector<VooTravel> travels;
  const bool exact = e.get(paths) == Paths::exact;
  const auto add = [&](const In<MotionPath>& in, VooCarried carried) {
    const MotionPath* path = e.get_if<MotionPath>(in);
    if (path) travels.push_back({carried, *path, exact});
  };
  add(head_path, VooCarried::head);
  add(tip_path, VooCarried::tip);
  add(aim_path, VooCarried::aim);
  for (VooTravel& travel : travels) travel.path.time = 0;
  return travels;
}

void exec(Exec& e) {
  VooSet set = e.get(voos);
  const std::vector<std::size_t> meant = read_which(e, which, set);
  if (e.failed()) return;
  const std::vector<VooDrive> drives = read_drives(e);
  const std::vector<VooTravel> travels = read_travels(e);
  for (const std::size_t i : meant) {
    VooMember& member = set.members[i];
    member.drives.insert(member.drives.end(), drives.begin(), drives.end());
    member.travels.insert(member.travels.end(), travels.begin(), travels.end());
    member.delay += static_cast<double>(e.get(delay));
  }
  warn_of_moments(e, set, meant);
  set.time = e.seconds();
  const VooPose first = meant.empty() ? VooPose() : set.members[meant.front()].voo.rest;
  e.set(rest_head, from_eigen(first.head.cast<float>()));
  e.set(rest_tip, from_eigen(first.tip.cast<float>()));
  e.set(out, std::move(set));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(voo_animate, declare, exec)
