#include "nodes/voo_acting.h"

#include <algorithm>

#include "nodes/kernels/pose_motion.h"
#include "nodes/kernels/voo_carry.h"

namespace sinew {

namespace {

using kernels::VooInfluence;

struct PreparedInfluences {
  std::vector<VooInfluence> list;
  std::size_t bytes() const {
    std::size_t sum = sizeof *this;
    for (const VooInfluence& one : list) sum += byte_size(one);
    return sum;
  }
};

// Of an operator only what its influence follows from, so that moving a pin makes nothing anew.
Voo field_only(const Voo& voo) {
  Voo field = voo;
  field.name.clear();
  field.coefficients = {};
  field.coefficients.flexibility = voo.coefficients.flexibility;
  field.coefficients.locality = voo.coefficients.locality;
  field.coefficients.weight = voo.coefficients.weight;
  field.blend = 1;
  return field;
}

const Chart& gradient_of(const kernels::VooMotion& motion, std::size_t member) {
  static const Chart none;
  return motion.creeps(member) ? motion.set().members[member].stuff->material.gradient : none;
}

// What influences are made of at a moment.
struct Wanted {
  std::vector<Voo> fields = {};
  bool falloff = false, slopes = false, varies = false;
};

VooInfluence made(const kernels::VooMotion& motion, const Wanted& wanted, std::size_t member,
                  std::span<const Vec3f> rest, CancelView stop) {
  std::optional<ChartPieces> viscous;
  if (motion.creeps(member)) viscous.emplace(gradient_of(motion, member));
  return kernels::make_influence(wanted.fields[member], rest,
                                 {.viscous = viscous ? &*viscous : nullptr,
                                  .falloff = wanted.falloff,
                                  .slopes = wanted.slopes},
                                 stop);
}

std::string name_of(const kernels::VooMotion& motion, const Wanted& wanted, std::size_t member) {
  return content_name(fmt::format("voo influence {}{}", wanted.falloff, wanted.slopes),
                      wanted.fields[member], gradient_of(motion, member));
}

std::shared_ptr<const VooInfluence> influence_of(Exec& e, const In<Mesh>& body,
                                                 const kernels::VooMotion& motion,
                                                 const Wanted& wanted, std::size_t member,
                                                 std::span<const Vec3f> rest, CancelView stop) {
  if (motion.field_varies(member)) {
    return std::make_shared<const VooInfluence>(made(motion, wanted, member, rest, stop));
  }
  const auto kept = e.prepared<PreparedInfluences>(
      name_of(motion, wanted, member),
      [&] { return PreparedInfluences{{made(motion, wanted, member, rest, stop)}}; }, body);
  return std::shared_ptr<const VooInfluence>(kept, kept->list.data());
}

void multiply_at_arthra(const VooSet& set, std::vector<VooInfluence>& list) {
  for (const VooTie& tie : set.ties) {
    std::vector<VooInfluence*> sharing;
    for (const VooJoint& j : tie.arthron.joints) {
      VooInfluence* const one = &list[j.voo];
      if (std::find(sharing.begin(), sharing.end(), one) == sharing.end()) sharing.push_back(one);
    }
    if (sharing.size() > 1) kernels::multiply_influences(sharing);
  }
}

// All influences and how they go together; empty where they change over time.
std::string name_of_all(const kernels::VooMotion& motion, const Wanted& wanted,
                        VooCombining combining) {
  if (wanted.varies) return {};
  const VooSet& set = motion.set();
  KeyHasher hasher;
  hasher.word(static_cast<uint64_t>(combining));
  for (std::size_t i = 0; i < set.size(); ++i) {
    hasher.text(name_of(motion, wanted, i)).number(set.members[i].voo.blend);
  }
  for (const VooTie& tie : set.ties) {
    hasher.word(tie.arthron.joints.size());
    for (const VooJoint& j : tie.arthron.joints) hasher.word(j.voo);
  }
  return hasher.finish().hex();
}

// Those that depend on each other are made and kept together.
std::vector<std::shared_ptr<const VooInfluence>> combined(
    Exec& e, const In<Mesh>& body, const kernels::VooMotion& motion, const Wanted& wanted,
    VooCombining combining, const std::string& name, std::span<const Vec3f> rest, CancelView stop) {
  const VooSet& set = motion.set();
  const auto make = [&] {
    PreparedInfluences all;
    for (std::size_t i = 0; i < set.size(); ++i) {
      all.list.push_back(*influence_of(e, body, motion, wanted, i, rest, stop));
    }
    if (combining == VooCombining::blend) {
      std::vector<double> weights;
      for (const VooMember& m : set.members) weights.push_back(m.voo.blend);
      kernels::blend_influences(all.list, weights);
    } else {
      multiply_at_arthra(set, all.list);
    }
    return all;
  };
  const std::shared_ptr<const PreparedInfluences> kept =
      name.empty() ? std::make_shared<const PreparedInfluences>(make())
                   : e.prepared<PreparedInfluences>("voo influences " + name, make, body);
  std::vector<std::shared_ptr<const VooInfluence>> list;
  for (const VooInfluence& one : kept->list) list.emplace_back(kept, &one);
  return list;
}

// A body about a pin that is not carried along in time spins where the pin passes the opposite of
// its rest.
void warn_of_spins(Exec& e, const VooActing& acting, const VooSet& set) {
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (acting.motion->carries(i)) continue;
    const Vec3d rest = set.members[i].voo.rest.vector(), now = acting.poses[i].vector();
    if (!(now.dot(rest) < kernels::farthest_alike * now.norm() * rest.norm())) continue;
    return e.warning(
        "{} is far from its direction at rest, where the body may spin about it: that is kept from "
        "happening for up to {} operators that are joined; join fewer of them",
        called(set, i), kernels::most_carried);
  }
}

}  // namespace

std::optional<VooActing> acting_on(Exec& e, const In<Mesh>& body, std::span<const Vec3f> rest,
                                   const VooSet& set, const VooActingOptions& options) {
  VooActing acting;
  acting.motion = prepared_motion(e, set);
  const kernels::VooMotion& motion = *acting.motion;
  const double now = e.seconds();
  acting.poses = motion.poses(now, &acting.gap);
  Wanted wanted{.falloff = options.combining == VooCombining::blend, .slopes = options.slopes};
  std::vector<Voo> voos;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (const auto wrong = validate(acting.poses[i])) {
      return e.error("{} at {:g} s: {}", called(set, i), now, *wrong), std::nullopt;
    }
    voos.push_back(motion.voo(i, now));
    wanted.fields.push_back(field_only(voos.back()));
    wanted.varies |= motion.field_varies(i);
  }
  warn_of_spins(e, acting, set);
  acting.name = name_of_all(motion, wanted, options.combining);
  acting.influences = stoppable(e, [&](CancelView stop) {
    if (options.combining != VooCombining::sum) {
      return combined(e, body, motion, wanted, options.combining, acting.name, rest, stop);
    }
    std::vector<std::shared_ptr<const VooInfluence>> list;
    for (std::size_t i = 0; i < set.size(); ++i) {
      list.push_back(influence_of(e, body, motion, wanted, i, rest, stop));
    }
    return list;
  });
  for (std::size_t i = 0; i < set.size(); ++i) {
    acting.actions.push_back(
        {acting.influences[i].get(),
         kernels::make_operator(voos[i], acting.poses[i], motion.memory(i, now),
                                options.translation, motion.spin(i, now, acting.poses[i]))});
  }
  return acting;
}

VooBody body_vertices(const Exec& e, const In<Mesh>& body) {
  VooBody found;
  if (const PathPoints* points = e.get_if<PathPoints>(body)) {
    found.vertices = points->list;
  } else if (const MotionPath* path = e.get_if<MotionPath>(body)) {
    found.vertices = path->points.list;
  } else if (const VooSet* pins = e.get_if<VooSet>(body)) {
    for (const VooMember& m : pins->members) {
      found.own.push_back(m.voo.rest.head.cast<float>());
      found.own.push_back(m.voo.rest.tip.cast<float>());
    }
    found.vertices = found.own;
  } else if (const Skeleton* bones = e.get_if<Skeleton>(body)) {
    for (const SkeletonJoint& joint : bones->joints) found.own.push_back(joint.place.cast<float>());
    found.vertices = found.own;
  } else if (const PosedSkeleton* pose = e.get_if<PosedSkeleton>(body)) {
    const kernels::PoseMotion motion(*pose->recipe);
    for (const kernels::JointPose& joint : kernels::joints_now(*pose, motion)) {
      found.own.push_back(joint.place.cast<float>());
    }
    found.vertices = found.own;
  } else {
    found.vertices = vertices_of(e, body);
  }
  return found;
}

}  // namespace sinew
