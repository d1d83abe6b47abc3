// What operators are made of: let go, they swing back, keep a part of their strain, or creep.
// [Hurmusiadis, chapters 6 and 7]
#include <algorithm>
#include <cmath>

#include "nodes/geometry/chart_ahead.h"
#include "nodes/voo_words.h"

namespace sinew {
namespace {

enum class Again : uint8_t { brought_back, goes_on };

In<VooSet> voos;
In<std::string> which;
In<Material> material;
In<Chart> hold;
In<Again> again;
In<float> catching, creep_start;
In<bool> grab;
In<Vec3> grab_at, grab_to;
Out<VooSet> out;
Out<float> strain, stress, permanent;

// What hands have done, which nothing else remembers.
struct State {
  struct Pulled {
    std::size_t member;
    VooPull pull;
    Vec3d offset;  // from where the hand took hold to the end that it moves
  };
  std::vector<Pulled> pulls;
  // The operators as they first came, and what of them has been another since.
  std::shared_ptr<const VooSet> first;
  std::string changed;

  size_t bytes() const {
    size_t sum = sizeof *this + changed.size() + (first ? byte_size(*first) : 0);
    for (const Pulled& p : pulls) sum += sizeof p + p.pull.places.size() * sizeof p.pull.places[0];
    return sum;
  }
  bool in_hand() const { return !pulls.empty() && !pulls.back().pull.released; }
};
// Of older ones nothing is left to be seen.
constexpr std::size_t most_pulls = 32;

void declare_triggers(Declaration& d) {
  d.in(hold, "hold", Chart::constant(1))
      .over_time()
      .doc(
          "When the pin is held by its motion (1) and when it is let go (0), over time. Let go, it "
          "swings back to rest, as far as the material does. 1 everywhere: it is never let go.");
  d.in(again, "again", Again::brought_back)
      .choices({"brought_back", "goes_on"})
      .doc(
          "What its motion does when it takes hold again: it brings the pin back to where it "
          "should "
          "be, or it goes on from where the pin is, so that what stays is kept.");
  d.in(catching, "catching", 0.2f)
      .range(0, 1000)
      .unit("s")
      .doc("How long it takes to bring it back.");
  d.in(creep_start, "creep_start", 0.0f)
      .range(-1e5, 1e5)
      .unit("s")
      .doc(
          "From when on its creep counts. Only a pin that moves creeps, and what a viscous part "
          "does "
          "not follow is lost to it.");
  d.in(grab, "grab", false).doc("A hand holds the nearest end; it is let go when this becomes no.");
  d.in(grab_at, "grab_at", Vec3{}).range(-1e5, 1e5).unit("m").doc("Where the hand takes hold.");
  d.in(grab_to, "grab_to", Vec3{}).range(-1e5, 1e5).unit("m").doc("Where the hand is.");
  d.hand(grab, grab_at, grab_to);
}

void declare(Declaration& d) {
  d.id("voo.material", 2).label("Operator Material").category("VOODOO");
  d.uses_frame().uses_dt().uses_changes();
  d.doc(
      "Gives operators a material: let go, they swing back and keep what is permanent; while they "
      "move, they creep. Can be pulled at live. Since version 2 a pin that swings far back "
      "towards its head slows down, and 'strain' and 'permanent' are those of the pin as it is.");
  d.upgrade([](UpgradeStep&) {});
  d.in(voos, "voos").label("Operators").doc("The operators, with their motion.");
  declare_which(d, which);
  d.in(material, "material", Material()).doc("The material.");
  declare_triggers(d);
  d.out(out, "voos").label("Operators").doc("The operators, made of this.");
  d.out(strain, "strain")
      .doc(
          "How far the first of them is strained now, as a part of its length at rest; below 0 "
          "where it is pressed together.");
  d.out(stress, "stress").doc("The stress at that, on the chart of the material.");
  d.out(permanent, "permanent").doc("How much of its strain stays since it was let go.");
  d.running(material, "stress", strain, stress);
}

// Of a chart that repeats, so many rounds are looked at.
constexpr int most_rounds_of_hold = 500;

// The points of a chart, round by round. Where a round ends as the next begins, that one counts.
std::vector<ChartPoint> rounds_of(const Chart& chart) {
  std::vector<ChartPoint> list;
  const double cycle = chart.cycle();
  const bool meets = meets_next_cycle(chart);
  const std::size_t count = chart.points.size() - (meets ? 1 : 0);
  for (int round = 0; round < (cycle > 0 ? most_rounds_of_hold : 1); ++round) {
    for (std::size_t i = 0; i < count; ++i) {
      list.push_back({chart.points[i].x + round * cycle, chart.points[i].y});
    }
  }
  return list;
}

// The moments at which a chart crosses one half, by its points and halving between them.
std::vector<std::pair<double, bool>> switches_of(const Chart& chart) {
  std::vector<std::pair<double, bool>> list;
  if (chart.points.size() < 2) {
    const bool held = chart.evaluate(0) >= 0.5;
    if (!held) list.emplace_back(0.0, false);
    return list;
  }
  const ChartPieces pieces(chart);
  const std::vector<ChartPoint> points = rounds_of(chart);
  const auto holds_at = [&](double x) { return pieces.evaluate(x) >= 0.5; };
  const bool steps = chart.interpolation == Interpolation::stepped;
  bool held = true;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool now = points[i].y >= 0.5;
    if (now == held) continue;
    double low = points[i > 0 ? i - 1 : i].x, high = points[i].x;
    for (int k = 0; k < 60 && i > 0 && !steps; ++k) {
      const double middle = 0.5 * (low + high);
      (holds_at(middle) == held ? low : high) = middle;
    }
    list.emplace_back(high, now);
    held = now;
  }
  return list;
}

VooSet with_material(const Exec& e, const std::vector<std::size_t>& meant, const State& state) {
  VooSet set = e.get(voos);
  set.time = e.seconds();
  VooStuff stuff;
  stuff.material = e.get(material);
  stuff.hold = switches_of(over_seconds(e.get(hold), e.fps()));
  stuff.goes_on = e.get(again) == Again::goes_on;
  stuff.catching = static_cast<double>(e.get(catching));
  stuff.creep_start = static_cast<double>(e.get(creep_start));
  const auto common = std::make_shared<const VooStuff>(stuff);
  for (const std::size_t i : meant) {
    set.members[i].stuff = common;
    VooStuff own = stuff;
    for (const State::Pulled& p : state.pulls) {
      if (p.member == i) own.pulls.push_back(p.pull);
    }
    if (!own.pulls.empty()) set.members[i].stuff = std::make_shared<const VooStuff>(std::move(own));
  }
  return set;
}

// Takes hold, follows the hand, or lets go.
void follow_hand(Exec& e, State& state) {
  const double now = e.seconds();
  if (!e.get(grab)) {
    if (state.in_hand()) state.pulls.back().pull.released = now;
    return;
  }
  const Vec3d at = to_eigen(e.get(grab_at)).cast<double>();
  const Vec3d to = to_eigen(e.get(grab_to)).cast<double>();
  if (!state.in_hand()) {
    const std::vector<std::size_t> meant = read_which(e, which, e.get(voos));
    if (meant.empty()) return;
    const kernels::VooMotion motion(with_material(e, meant, state));
    const auto grip = kernels::grip_at(motion, now, at, meant);
    if (!grip) return;
    if (state.pulls.size() >= most_pulls) state.pulls.erase(state.pulls.begin());
    state.pulls.push_back({grip->member, {grip->end, {}, {}}, grip->place - at});
  }
  State::Pulled& pulled = state.pulls.back();
  pulled.pull.places.emplace_back(now, to + pulled.offset);
}

// Creep and swings follow from all of the motion, of which a recipe that is another at each frame
// tells the moment only.
void watch_recipe(const Exec& e, State& state) {
  if (!state.changed.empty()) return;
  const Chart& holds = e.get(hold);
  const bool lets_go = std::any_of(holds.points.begin(), holds.points.end(),
                                   [](const ChartPoint& p) { return p.y < 0.5; });
  if (!lets_go && state.pulls.empty() && !creeps(e.get(material))) return;
  const VooSet& now = e.get(voos);
  if (!state.first) {
    state.first = std::make_shared<const VooSet>(now);
    return;
  }
  state.changed = changed_between(*state.first, now);
  if (!state.changed.empty()) state.first = nullptr;
}

State init(Exec& e) {
  State state;
  follow_hand(e, state);
  watch_recipe(e, state);
  return state;
}

State step(const State& before, Exec& e) {
  State state = before;
  follow_hand(e, state);
  watch_recipe(e, state);
  return state;
}

void read(const State& state, Exec& e) {
  const std::vector<std::size_t> meant = read_which(e, which, e.get(voos));
  if (e.failed()) return;
  if (!state.changed.empty()) warn_of_moment(e, state.changed);
  VooSet set = with_material(e, meant, state);
  if (const auto wrong = validate(set)) return e.error("{}", *wrong);
  warn_of_moments(e, set, meant);
  kernels::VooStrainState now;
  if (!meant.empty()) now = prepared_motion(e, set)->state(meant.front(), e.seconds());
  e.set(strain, to_float(now.strain));
  e.set(stress, to_float(now.stress));
  e.set(permanent, to_float(now.permanent));
  e.set(out, std::move(set));
}

}  // namespace
}  // namespace sinew

SINEW_SIMULATION(voo_material, declare, init, step, read)
