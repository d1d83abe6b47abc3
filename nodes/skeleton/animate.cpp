// Joints of a skeleton that move over time: by keys, by numbers that follow charts, on paths.
#include <algorithm>
#include <cmath>
#include <map>

#include "nodes/geometry/frame_slack.h"
#include "nodes/kernels/chart_ops.h"
#include "nodes/over_seconds.h"
#include "nodes/skeleton_words.h"

namespace sinew {
namespace {

enum class Paths : uint8_t { added, exact };

In<PosedSkeleton> pose;
In<JointKeys> keys;
In<Interpolation> curve;
In<bool> repeat;
In<float> period, amount, delay;
In<std::string> which;
In<Vec3> move;
In<MotionPath> path;
In<Paths> paths;
In<SkeletonClip> clip;
In<float> clip_speed;
In<bool> clip_repeat;
Out<PosedSkeleton> out;

void declare_keys(Declaration& d) {
  d.in(keys, "keys", JointKeys())
      .doc(
          "How far joints are from where they would be, at frames: [{\"frame\": 12, \"joint\": "
          "\"hand\", \"by\": [x, y, z]}, ...]. Dragging a joint in the viewport sets its key at "
          "the present frame; Delete removes that.");
  d.in(curve, "curve", Interpolation::smooth)
      .choices({"linear", "smooth", "stepped"})
      .doc(
          "How a joint goes from key to key: straight, smoothly without overshooting, or at once.");
  d.in(repeat, "repeat", false).doc("Goes on with the first key after the last, for ever.");
  d.in(period, "period", 0.0f)
      .range(0, 1e6)
      .unit("frames")
      .doc(
          "How long one round is, if it is repeated; keys beyond belong to the next round. 0: from "
          "the first key of all to the last, which are the same moment.");
}

void declare(Declaration& d) {
  d.id("skeleton.animate", 2).label("Move Joints").category("Skeleton");
  d.uses_frame().uses_dt();
  d.doc(
      "Moves joints of a skeleton over time: by keys, by numbers that may follow charts, or along "
      "a path, or by a clip from a file. Joints that are moved are controls; the others follow. "
      "Since version 2, what comes by a link goes evenly from frame to frame, and steps are never "
      "a "
      "frame late.");
  d.upgrade([](UpgradeStep&) {});
  d.in(pose, "pose").doc("The skeleton, or a pose that is moved further.");
  declare_keys(d);
  d.in(which, "which", std::string())
      .doc(
          "The joints that 'move' and 'path' mean, by name or number, separated by commas; * "
          "stands for any letters. Empty: all that are controls already, or all if none is.");
  d.in(move, "move", Vec3{})
      .range(-1e4, 1e4)
      .unit("m")
      .whole_time()
      .doc("How far these joints are moved; charts over time make it a motion.");
  d.in(path, "path").optional().doc("A path on which these joints travel.");
  d.in(paths, "paths", Paths::added)
      .choices({"added", "exact"})
      .doc("The way since the start of the path is added, or joints lie on the path itself.");
  d.in(clip, "clip")
      .optional()
      .doc("A motion from a file, from skeleton.load; it leads all joints of the same names.");
  d.in(clip_speed, "clip_speed", 1.0f)
      .range(-100, 100)
      .doc("How fast the clip goes; below 0 backwards.");
  d.in(clip_repeat, "clip_repeat", true).doc("Begins the clip anew when it is over.");
  d.in(amount, "amount", 1.0f)
      .range(-100, 100)
      .whole_time()
      .doc("How much of keys, 'move' and the clip counts; 0 is none.");
  d.in(delay, "delay", 0.0f).range(-1e5, 1e5).unit("s").doc("How much later all of it happens.");
  d.out(out, "pose").doc("The skeleton in motion.");
  d.handle(HandleKind::anchors, "joints").items(keys).anchors(out);
}

// Frames in the round that they belong to, the last key of a moment counting.
using Track = std::map<double, Vec3f>;

std::optional<std::map<uint32_t, Track>> read_tracks(Exec& e, const Skeleton& skeleton,
                                                     double round) {
  std::map<uint32_t, Track> tracks;
  for (const JointKey& key : e.get(keys).list) {
    const auto joint = find_joint(e, skeleton, key.joint);
    if (!joint) return std::nullopt;
    const double frame =
        round > 0 ? std::max(key.frame - round * rounds_over(key.frame, round, frame_slack), 0.0)
                  : key.frame;
    tracks[*joint][frame] = key.by;
  }
  return tracks;
}

// The frames from the first key of all to the last.
double span_of(const JointKeys& all) {
  if (all.list.empty()) return 0;
  const auto [first, last] =
      std::minmax_element(all.list.begin(), all.list.end(),
                          [](const JointKey& a, const JointKey& b) { return a.frame < b.frame; });
  return last->frame - first->frame;
}

JointLead lead_of(const Exec& e, uint32_t joint, const Track& track, double round) {
  JointLead lead;
  lead.joint = joint;
  lead.keyed = true;
  for (std::size_t k = 0; k < 3; ++k) {
    Chart chart;
    chart.interpolation = e.get(curve);
    chart.x_unit = "frames";
    if (round > 0) {
      chart.extension = Extension::cyclic;
      chart.period = round;
    }
    for (const auto& [frame, by] : track) {
      chart.points.push_back({frame, static_cast<double>(by[static_cast<int>(k)])});
    }
    lead.by[k] = over_seconds(std::move(chart), e.fps());
  }
  return lead;
}

// Adds what 'which', 'move' and 'path' say.
void add_named(Exec& e, PoseRecipe& recipe, std::vector<JointLead>& leads) {
  const MotionPath* way = e.get_if<MotionPath>(path);
  const std::vector<Chart> ways = charts_over_seconds(e, move);
  const bool still =
      std::all_of(ways.begin(), ways.end(), [](const Chart& c) { return is_always(c, 0); });
  if (still && !way && e.get(which).empty()) return;
  const std::string& names = e.get(which);
  const Skeleton& skeleton = recipe.skeleton;
  std::vector<std::size_t> meant = named_joints(skeleton, names);
  if (meant.empty()) {
    return e.error("'which' names no joint; there are {}", some_joints(skeleton));
  }
  const std::vector<uint8_t> controls = prepared_pose(e, PosedSkeleton(recipe))->controls();
  if (names.empty() && std::count(controls.begin(), controls.end(), 1) > 0) {
    std::erase_if(meant, [&](std::size_t j) { return !controls[j]; });
  }
  for (const std::size_t j : meant) {
    recipe.held[j] = 1;
    JointLead lead;
    lead.joint = static_cast<uint32_t>(j);
    for (std::size_t k = 0; k < 3; ++k) lead.by[k] = ways[k];
    if (way) {
      lead.path = *way;
      lead.path->time = 0;
      lead.on_path = e.get(paths) == Paths::exact;
    }
    leads.push_back(std::move(lead));
  }
}

// Adds the clip, known by its content without reading it for each frame.
void add_clip(Exec& e, const Chart& strength, PoseRecipe& recipe) {
  const SkeletonClip* motion = e.get_if<SkeletonClip>(clip);
  if (!motion) return;
  struct Kept {
    std::shared_ptr<const SkeletonClip> clip;
    Key content;
    std::size_t bytes() const { return byte_size(*clip); }
  };
  const auto kept = e.prepared<Kept>(
      "clip",
      [&] {
        KeyHasher hasher;
        visit_content(*motion, [&](std::span<const std::byte> bytes) { hasher.bytes(bytes); });
        return Kept{std::make_shared<const SkeletonClip>(*motion), hasher.finish()};
      },
      clip);
  const auto has = [&](const SkeletonJoint& joint) {
    return std::find(motion->joints.begin(), motion->joints.end(), joint.name) !=
           motion->joints.end();
  };
  const auto& joints = recipe.skeleton.joints;
  const auto known = std::count_if(joints.begin(), joints.end(), has);
  if (known == 0 && motion->joint_count() > 0) {
    return e.error("the clip moves no joint of this skeleton; it has '{}', the skeleton {}",
                   motion->joints.front(), some_joints(recipe.skeleton));
  }
  ClipLead lead;
  lead.clip = kept->clip;
  lead.content = {kept->content.lo, kept->content.hi};
  lead.start = shortest_decimal(e.get(delay));
  lead.speed = shortest_decimal(e.get(clip_speed));
  lead.repeat = e.get(clip_repeat);
  lead.amount = strength;
  recipe.clips.push_back(std::move(lead));
}

void exec(Exec& e) {
  PoseRecipe recipe = *e.get(pose).recipe;
  for (JointLead& lead : recipe.leads) lead.keyed = false;
  double round = 0;
  if (e.get(repeat)) {
    round = e.get(period) > 0 ? shortest_decimal(e.get(period)) : span_of(e.get(keys));
  }
  const auto tracks = read_tracks(e, recipe.skeleton, round);
  if (!tracks) return;
  std::vector<JointLead> leads;
  for (const auto& [joint, track] : *tracks) leads.push_back(lead_of(e, joint, track, round));
  add_named(e, recipe, leads);
  if (e.failed()) return;
  const Chart strength = charts_over_seconds(e, amount)[0];
  for (JointLead& lead : leads) {
    lead.amount = strength;
    lead.delay = shortest_decimal(e.get(delay));
  }
  recipe.leads.insert(recipe.leads.end(), leads.begin(), leads.end());
  add_clip(e, strength, recipe);
  if (e.failed()) return;
  if (const auto wrong = validate(recipe)) return e.error("{}", *wrong);
  e.set(out, PosedSkeleton(std::move(recipe), e.seconds()));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(skeleton_animate, declare, exec)
