#include "nodes/kernels/soft_crowd.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/merge.h"

namespace sinew::kernels {

namespace {

constexpr int candidates = 24;
constexpr std::size_t members_per_block = 4;

// Uniform in [0, 1), the same on every platform: std's distributions are not.
class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  double part() { return static_cast<double>(engine_()) / 4294967296.0; }
  double between(double low, double high) { return low + part() * (high - low); }

 private:
  std::mt19937 engine_;
};

Vec3f place_in(const Vec3f& area, Random& random) {
  Vec3f p;
  for (int k = 0; k < 3; ++k) {
    p[k] = static_cast<float>(random.between(-0.5, 0.5)) * area[k];
  }
  return p;
}

// Size, moment and turn of the next member.
CrowdMember next_member(const CrowdPlacing& placing, Random& random) {
  CrowdMember member;
  const double spread = placing.size_spread;
  member.size = static_cast<float>(std::max(1 + random.between(-spread, spread), 0.05));
  member.delay = random.part() * placing.delay_spread;
  const float turn = static_cast<float>(random.between(-placing.turn, placing.turn));
  const float lean = static_cast<float>(random.part()) * placing.tilt;
  const float way = static_cast<float>(random.between(0, 6.283185307));
  member.turn = Eigen::AngleAxisf(lean, Vec3f(std::cos(way), 0, std::sin(way))) *
                Eigen::AngleAxisf(turn, Vec3f::UnitY());
  member.turn.normalize();
  return member;
}

}  // namespace

std::vector<CrowdMember> place_crowd(const CrowdPlacing& placing) {
  Random random(placing.seed);
  std::vector<CrowdMember> members;
  for (int i = 0; i < placing.count; ++i) {
    CrowdMember member = next_member(placing, random);
    float farthest = -1;
    for (int k = 0; k < candidates; ++k) {
      const Vec3f place = place_in(placing.area, random);
      float nearest = std::numeric_limits<float>::max();
      for (const CrowdMember& other : members) {
        nearest = std::min(nearest, (other.shift - place).squaredNorm());
      }
      if (nearest <= farthest) continue;
      farthest = nearest;
      member.shift = place;
    }
    members.push_back(member);
  }
  return members;
}

std::vector<CrowdMember> place_crowd(const CrowdPlacing& placing, std::span<const Vec3f> shifts) {
  Random random(placing.seed);
  std::vector<CrowdMember> members;
  for (const Vec3f& shift : shifts) {
    members.push_back(next_member(placing, random));
    members.back().shift = shift;
  }
  return members;
}

namespace {

// The moment of each member, arranged for its steps.
void activate(const CrowdBody& crowd, std::span<const CrowdMember> members,
              const Activation* activation, CrowdScratch& scratch) {
  parallel_blocks(
      members.size(),
      [&](std::size_t begin, std::size_t end) {
        const std::size_t block = begin / members_per_block;
        for (std::size_t i = begin; i < end; ++i) {
          if (!activation) {
            rest_tensors(*crowd.body, scratch.arranged[i]);
            continue;
          }
          evaluate_activation(*activation, members[i].delay, {}, scratch.activations[block],
                              scratch.tensors[block]);
          arrange_tensors(*crowd.body, scratch.tensors[block], scratch.arranged[i]);
        }
      },
      members_per_block);
}

void fit(std::size_t members, CrowdScratch& scratch) {
  const std::size_t blocks = (members + members_per_block - 1) / members_per_block;
  scratch.settings.resize(blocks);
  scratch.steps.resize(blocks);
  scratch.activations.resize(blocks);
  scratch.tensors.resize(blocks);
  scratch.arranged.resize(members);
  scratch.bodies.resize(members);
  scratch.impulses.resize(members);
}

}  // namespace

ContactReport step_crowd(const CrowdBody& crowd, std::span<const CrowdMember> members,
                         const Activation* activation, const SoftSettings& settings,
                         float body_friction, double dt, int substeps, CrowdScratch& scratch,
                         std::span<SoftState> states, CancelView stop) {
  fit(members.size(), scratch);
  activate(crowd, members, activation, scratch);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const float size = members[i].size;
    scratch.bodies[i] = {crowd.contact, states[i].positions, states[i].velocities,
                         crowd.inverse_masses, 1 / (size * size * size)};
  }
  ContactReport report;
  const ContactOptions contacts = contacts_of_step(body_friction, dt / substeps);
  for (int k = 0; k < substeps; ++k) {
    stop.check();
    const float ramp = 1.0f / static_cast<float>(substeps - k);
    parallel_blocks(
        members.size(),
        [&](std::size_t begin, std::size_t end) {
          SoftSettings& own = scratch.settings[begin / members_per_block];
          own = settings;
          for (std::size_t i = begin; i < end; ++i) {
            own.size = members[i].size;
            own.frame_from = static_cast<float>(k) / static_cast<float>(substeps);
            own.frame_to = static_cast<float>(k + 1) / static_cast<float>(substeps);
            step_soft_body(*crowd.body, own, dt / substeps, scratch.arranged[i], ramp,
                           scratch.steps[begin / members_per_block], states[i]);
          }
        },
        members_per_block);
    std::fill(scratch.impulses.begin(), scratch.impulses.end(), Vec3d(Vec3d::Zero()));
    report = resolve_contacts(scratch.bodies, contacts, scratch.contact, scratch.impulses, stop);
    for (std::size_t i = 0; i < members.size(); ++i) {
      states[i].books.contact += scratch.impulses[i];
    }
  }
  return report;
}

TetTopology repeat_topology(const TetMesh& solid, std::size_t count) {
  const TetTopology& one = *solid.topology;
  const uint32_t vertices = static_cast<uint32_t>(solid.vertex_count());
  TetTopology all;
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t base = k * vertices;
    for (const Tetrahedron& t : one.tets) {
      all.tets.push_back({t[0] + base, t[1] + base, t[2] + base, t[3] + base});
    }
    for (const Triangle& t : one.boundary) {
      all.boundary.push_back({t[0] + base, t[1] + base, t[2] + base});
    }
  }
  if (!one.skin) return all;
  const Mesh skin(one.skin, std::vector<Vec3f>(one.embedding.size(), Vec3f::Zero()));
  const std::vector<const Mesh*> copies(count, &skin);
  all.skin = merge_meshes(copies).topology;
  const uint32_t tets = static_cast<uint32_t>(one.tets.size());
  for (uint32_t k = 0; k < count; ++k) {
    for (const uint32_t t : one.embedding.tet) all.embedding.tet.push_back(t + k * tets);
    all.embedding.weights.insert(all.embedding.weights.end(), one.embedding.weights.begin(),
                                 one.embedding.weights.end());
  }
  return all;
}

}  // namespace sinew::kernels
