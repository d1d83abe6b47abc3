// The dragon of the cast. Its spine is a line given by the directions along it, so that winding,
// raising and rolling up bend the body and do not stretch it; all else is put on where the spine
// leads. Parts that lie together are shapes of their own, which are passed over at once where they
// are far away: half a million vertices ask for them often.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

#include "nodes/kernels/cast_living.h"
#include "nodes/kernels/cast_parts.h"

namespace sinew::kernels {

using namespace cast;

namespace {

constexpr double cell = 1.0 / 125;
constexpr double thinnest = 0.009;  // radius that the grid still finds
constexpr double pointed = 0.008;   // of tips: what is thinner than the grid finds is short
constexpr double hips = -0.19, shoulders = 0.17, head = 0.62, tail_tip = -0.96;  // along the spine

struct Key {
  double at, value;
};

// Cubic pieces through the keys, without overshooting them.
double keyed(std::span<const Key> keys, double at) {
  const std::size_t last = keys.size() - 1;
  if (at <= keys[0].at) return keys[0].value;
  if (at >= keys[last].at) return keys[last].value;
  std::size_t i = 0;
  while (at > keys[i + 1].at) ++i;
  const auto slope = [&](std::size_t k) {
    return (keys[k + 1].value - keys[k].value) / (keys[k + 1].at - keys[k].at);
  };
  const auto tangent = [&](std::size_t k) {
    if (k == 0 || k == last) return 0.0;
    const double a = slope(k - 1), b = slope(k);
    return a * b > 0 ? 2 * a * b / (a + b) : 0.0;
  };
  const double width = keys[i + 1].at - keys[i].at, t = (at - keys[i].at) / width;
  const double h = t * t * (3 - 2 * t);
  return (1 - h) * keys[i].value + h * keys[i + 1].value +
         width * t * (1 - t) * ((1 - t) * tangent(i) - t * tangent(i + 1));
}

// A place with directions: points are given as how far to its left, up and ahead.
struct Frame {
  Vec3d place, left, up, ahead;
  Vec3d operator()(double to_left, double to_up, double to_ahead) const {
    return place + to_left * left + to_up * up + to_ahead * ahead;
  }
};

class Spine {
 public:
  explicit Spine(const DragonShape& shape) : shape_(shape) {
    const int ahead = static_cast<int>(std::lround(head / step));
    const int behind = static_cast<int>(std::lround(-tail_tip / step));
    stations_.resize(static_cast<std::size_t>(ahead + behind + 1));
    middle_ = behind;
    stations_[middle_] = directions(0);
    stations_[middle_].place = {0, 0.172, 0};
    for (int i = 1; i <= ahead; ++i) follow(middle_ + i, 1);
    for (int i = 1; i <= behind; ++i) follow(middle_ - i, -1);
    // The legs stand about the middle.
    const double off = 0.5 * (at(hips).place.x() + at(shoulders).place.x());
    for (Frame& station : stations_) station.place.x() -= off;
  }

  Frame at(double along) const { return stations_[index(along)]; }

  double radius(double along) const {
    static constexpr Key keys[] = {{-0.96, 0.011}, {-0.84, 0.017}, {-0.7, 0.025}, {-0.5, 0.036},
                                   {-0.32, 0.052}, {-0.19, 0.064}, {-0.04, 0.06}, {0.15, 0.069},
                                   {0.27, 0.056},  {0.38, 0.043},  {0.5, 0.037},  {0.62, 0.036}};
    return std::max(thinnest, keyed(keys, along) * shape_.girth);
  }

  // How fast the line turns up at most within a spike's reach, radians in a metre.
  double hollow(double along) const {
    constexpr double reach = 0.05;
    const double before = pitch(along) - pitch(along - reach);
    const double after = pitch(along + reach) - pitch(along);
    return std::max(before, after) / reach;
  }

  Limb limb() const {
    Limb whole;
    whole.hull = true;
    for (std::size_t i = 0; i < stations_.size(); ++i) {
      whole.points.push_back(stations_[i].place);
      whole.radii.push_back(radius(tail_tip + step * static_cast<double>(i)));
    }
    return whole;
  }

 private:
  static constexpr double step = 0.009;

  std::size_t index(double along) const {
    const double i = std::round((along - tail_tip) / step);
    return static_cast<std::size_t>(std::clamp(i, 0.0, static_cast<double>(stations_.size() - 1)));
  }

  // Behind the hips the line is followed backwards: it sinks where it points up.
  double pitch(double along) const {
    static constexpr Key trunk[] = {{-0.58, -0.3}, {-0.5, 0.06}, {-0.32, 0.42}, {-0.16, 0.16},
                                    {-0.02, -0.1}, {0.1, 0.0},   {0.2, 0.2}};
    static constexpr Key tail[] = {
        {-0.96, -4.2}, {-0.88, -3.4}, {-0.78, -2.1}, {-0.67, -0.72}, {-0.56, 0}};
    static constexpr Key neck[] = {{0.18, 0},    {0.3, 0.95}, {0.38, 1.3},
                                   {0.47, 0.95}, {0.56, 0.0}, {0.62, -0.42}};
    return keyed(trunk, along) + shape_.curl * keyed(tail, along) +
           shape_.neck * keyed(neck, along);
  }

  // Straight on is +z.
  Frame directions(double along) const {
    static constexpr Key winding[] = {{-0.96, 0.2}, {-0.8, 0.8}, {-0.5, 1}, {0.2, 0.8}, {0.58, 0}};
    const double wave = std::sin(2 * std::numbers::pi * (along + 0.03) / 0.66);
    const double yaw = 0.72 * shape_.wind * keyed(winding, along) * wave;
    const double turn = pitch(along);
    const double cp = std::cos(turn), sp = std::sin(turn), cy = std::cos(yaw), sy = std::sin(yaw);
    return {{0, 0, 0}, {cy, 0, -sy}, {-sy * sp, cp, -cy * sp}, {sy * cp, sp, cy * cp}};
  }

  void follow(std::size_t i, int way) {
    const std::size_t before = way > 0 ? i - 1 : i + 1;
    const double along = (static_cast<double>(i) - static_cast<double>(middle_)) * step;
    stations_[i] = directions(along);
    // What is rolled up goes aside like a screw, and does not meet itself.
    static constexpr Key aside[] = {{-0.96, -0.45}, {-0.8, -0.4}, {-0.62, 0}};
    stations_[i].place = stations_[before].place +
                         0.5 * step * way * (stations_[i].ahead + stations_[before].ahead) +
                         step * keyed(aside, along) * stations_[i].left;
  }

  DragonShape shape_;
  std::vector<Frame> stations_;
  std::size_t middle_ = 0;
};

// A leg below a place of the spine: points are given from the ground below it.
void add_leg(ImplicitShape& body, const Frame& spine, double side, bool hind, double girth) {
  Frame ground = spine;
  ground.place.y() = 0;
  ground.up = {0, 1, 0};
  ground.ahead = ground.left.cross(ground.up);
  ground.left *= side;
  const Frame& g = ground;
  ImplicitShape leg;
  const double out = 0.012 * (girth - 1);
  if (hind) {
    leg.add(flowing({{g(0.028 + out, 0.155, -0.005), g(0.06 + out, 0.135, 0.018),
                      g(0.082 + out, 0.1, 0.044), g(0.089 + out, 0.07, 0.022),
                      g(0.091 + out, 0.044, -0.014), g(0.093 + out, 0.02, 0.004)},
                     {0.05, 0.05, 0.037, 0.026, 0.02, 0.019}},
                    10),
            0);
  } else {
    leg.add(flowing({{g(0.03 + out, 0.15, 0.0), g(0.066 + out, 0.128, -0.01),
                      g(0.084 + out, 0.093, -0.022), g(0.089 + out, 0.058, 0.0),
                      g(0.091 + out, 0.034, 0.014), g(0.093 + out, 0.02, 0.026)},
                     {0.046, 0.042, 0.031, 0.023, 0.02, 0.019}},
                    10),
            0);
  }
  const double heel = hind ? 0.006 : 0.022;
  leg.add(Limb{{g(0.093 + out, 0.018, heel), g(0.095 + out, 0.017, heel + 0.03)}, {0.019, 0.021}},
          0.024);
  for (const double toe : {-1.0, 0.0, 1.0}) {
    const double ahead = heel + 0.07 - 0.012 * std::abs(toe);
    leg.add(flowing({{g(0.095 + out + 0.008 * toe, 0.016, heel + 0.025),
                      g(0.095 + out + 0.026 * toe, 0.021, ahead - 0.016),
                      g(0.095 + out + 0.034 * toe, 0.017, ahead + 0.002),
                      g(0.095 + out + 0.039 * toe, pointed, ahead + 0.022)},
                     {0.018, 0.0155, 0.013, pointed}},
                    4),
            0.012);
  }
  body.add(leg, 0.035);
}

// Spikes along the back, swept towards the tail; lower where the back is hollow, so that their tips
// stay apart.
void add_ridge(ImplicitShape& body, const Spine& spine, double size) {
  static constexpr Key heights[] = {{-0.64, 0.02}, {-0.5, 0.036}, {-0.2, 0.054},
                                    {0.1, 0.06},   {0.35, 0.048}, {0.58, 0.03}};
  constexpr double spacing = 0.06, lowest = 0.012;
  constexpr int in_group = 5;
  ImplicitShape group;
  int count = 0;
  for (double along = -0.62; along < 0.575; along += spacing) {
    const Frame f = spine.at(along);
    const double r = spine.radius(along);
    const double tips = 0.046;  // least distance from tip to tip
    const double room = (1 - tips / spacing) / std::max(spine.hollow(along), 0.1) - r;
    const double h = std::min(keyed(heights, along) * size, room);
    if (h < lowest) continue;
    const double width = std::clamp(0.32 * h + 0.0075, 0.012, 0.024);
    group.add(flowing({{f(0, r - 0.016, 0.008), f(0, r + 0.3 * h, 0.004),
                        f(0, r + 0.7 * h, -0.1 * h), f(0, r + h, -0.35 * h)},
                       {width, 0.75 * width, 0.4 * width + 0.002, pointed},
                       f.left,
                       0.5,
                       0.0075},
                      4),
              0.006);
    if (++count % in_group == 0) body.add(std::exchange(group, {}), 0.014);
  }
  if (count % in_group != 0) body.add(group, 0.014);
}

// The head is drawn at the size of the neck's end and made larger.
constexpr double head_size = 1.22;

Limb grown(Limb part) {
  for (double& r : part.radii) r = std::max(pointed, head_size * r);
  part.rim *= head_size;
  return part;
}

void add_side_of_head(ImplicitShape& skull, const Frame& f, double side, double horns) {
  const auto at = [&](double left, double up, double ahead) { return f(side * left, up, ahead); };
  const auto ball = [&](const Vec3d& place, const Vec3d& radii) {
    Ellipsoid part{place, head_size * radii, {}};
    part.frame << f.left, f.up, f.ahead;
    part.frame /= head_size;
    return part;
  };
  skull.add(ball(at(0.0135, 0.011, 0.138), {0.0085, 0.009, 0.017}), 0.014);  // nostril
  skull.add(grown(flowing({{at(0.022, 0.03, -0.006), at(0.029, 0.033, 0.028),
                            at(0.027, 0.023, 0.062), at(0.018, 0.005, 0.102)},
                           {0.013, 0.014, 0.011, 0.008}},
                          8)),
            0.01);                                                             // brow
  skull.add(ball(at(0.0345, 0.015, 0.048), {0.0125, 0.0115, 0.0145}), 0.002);  // eye
  const double h = horns;
  skull.add(
      grown(flowing({{at(0.02, 0.028, 0.004), at(0.02 + 0.012 * h, 0.034 + 0.02 * h, -0.034 * h),
                      at(0.02 + 0.024 * h, 0.034 + 0.034 * h, -0.084 * h),
                      at(0.02 + 0.028 * h, 0.034 + 0.064 * h, -0.132 * h)},
                     {0.018, 0.015, 0.0105, 0.006}},
                    8)),
      0.012);
  // A fin at the cheek.
  skull.add(
      grown(flowing({{at(0.03, -0.006, 0.004), at(0.046, -0.002, -0.022), at(0.066, 0.006, -0.054)},
                     {0.024, 0.02, 0.005},
                     at(0.8, 0.1, 0.6) - f.place,
                     0.42,
                     0.0065},
                    8)),
      0.014);
}

void add_head(ImplicitShape& body, const Frame& end, const DragonShape& shape) {
  ImplicitShape skull;
  const Frame f{end.place, head_size * end.left, head_size * end.up, head_size * end.ahead};
  Ellipsoid brain{f(0, 0.006, 0.022), head_size * Vec3d(0.042, 0.038, 0.058), {}};
  brain.frame << end.left, end.up, end.ahead;
  skull.add(brain, 0);
  // The upper jaw, flatter than wide, with a nose at its end.
  skull.add(
      grown(flowing({{f(0, 0.004, 0.03), f(0, 0.0, 0.075), f(0, -0.002, 0.115), f(0, -0.001, 0.15)},
                     {0.038, 0.031, 0.026, 0.02},
                     end.up,
                     0.72,
                     0.011},
                    12)),
      0.03);
  for (const double side : {-1.0, 1.0}) add_side_of_head(skull, f, side, shape.horns);
  // The lower jaw, turned down about its hinge, with a small beard.
  const double c = std::cos(shape.mouth), s = std::sin(shape.mouth);
  const auto jaw = [&](double up, double ahead) {
    return f(0, -0.02 + c * up - s * ahead, 0.016 + c * ahead + s * up);
  };
  skull.add(grown(flowing({{jaw(0, -0.004), jaw(-0.002, 0.05), jaw(0.004, 0.112)},
                           {0.029, 0.024, 0.0175},
                           c * end.up + s * end.ahead,
                           0.62,
                           0.01})),
            0.012);
  skull.add(grown(Limb{{jaw(-0.004, 0.1), jaw(-0.034, 0.088)}, {0.012, 0.007}}), 0.01);
  body.add(skull, 0.03);
}

}  // namespace

Mesh make_dragon(const DragonShape& shape, CancelView stop) {
  const Spine spine(shape);
  ImplicitShape body;
  body.add(spine.limb(), 0);
  for (const double side : {-1.0, 1.0}) {
    add_leg(body, spine.at(hips), side, true, shape.girth);
    add_leg(body, spine.at(shoulders), side, false, shape.girth);
  }
  add_head(body, spine.at(head), shape);
  // The tail ends in a leaf.
  const Frame tip = spine.at(tail_tip);
  body.add(flowing({{tip(0, 0, 0.01), tip(0, 0, -0.012), tip(0, 0, -0.03), tip(0, 0, -0.056)},
                    {0.012, 0.023, 0.019, pointed},
                    tip.left,
                    0.4,
                    0.0075}),
           0.012);
  add_ridge(body, spine, shape.spikes);
  return mesh_of(body, {cell, shape.vertices, false, 2, Stands::on_ground, 0.6}, shape.length,
                 stop);
}

}  // namespace sinew::kernels
