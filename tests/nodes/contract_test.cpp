// What holds for every node: documented, bounded, deterministic, keyed by all that it reads.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "graph/pack.h"
#include "nodes/kernels/activation.h"
#include "tests/nodes/fed_node.h"

namespace sinew::testing {
namespace {

std::vector<std::string> ids() {
  std::vector<std::string> list;
  for (const NodeType* type : all_nodes().nodes()) list.push_back(type->id);
  return list;
}

class Contract : public ::testing::TestWithParam<std::string>, protected FedNode {
 protected:
  Contract() : FedNode(*all_nodes().find(GetParam())) {}
  bool has_code() const {
    return type().role == NodeRole::compute || type().role == NodeRole::simulate;
  }
  bool has_outputs() const { return !type().outputs.empty(); }

  // Every output at a few frames, as text or as a value that can be compared.
  std::vector<Value> outputs(TestGraph& g) {
    std::vector<Value> list;
    for (int frame : {0, 1, 7}) {
      for (const OutputInfo& out : type().outputs) {
        const Outcome outcome = g.run("it." + out.name, frame);
        EXPECT_EQ(outcome.errors, "");
        list.push_back(outcome.value);
      }
    }
    return list;
  }

  // For tests that run a node many times: what takes long on any body is given a smaller one.
  void be_quick() {
    if (type().category == "Meshless") detail_ = 6;
  }
};

// What two activations do, at their moments.
bool same(const Activation& a, const Activation& b) {
  const auto matrices = [](const Activation& one) {
    kernels::ActivationScratch scratch;
    kernels::SymmetricArrays out;
    kernels::evaluate_activation(one, 0, {}, scratch, out);
    return out.part;
  };
  return a.time == b.time && a.responses.size() == b.responses.size() && matrices(a) == matrices(b);
}

bool same(const MeshlessBody& a, const MeshlessBody& b) {
  return a.nodes == b.nodes && a.radius == b.radius && a.masses == b.masses &&
         a.at_vertices.node == b.at_vertices.node && a.at_vertices.value == b.at_vertices.value &&
         a.at_vertices.gradient == b.at_vertices.gradient && a.touching == b.touching;
}

bool same(const KeyedBodies& a, const KeyedBodies& b) {
  const auto same_key = [](const MotionKey& x, const MotionKey& y) {
    return x.time == y.time && x.kind == y.kind && x.places == y.places &&
           x.velocities == y.velocities;
  };
  const auto same_body = [&](const KeyedBody& x, const KeyedBody& y) {
    return same(*x.body, *y.body) &&
           std::equal(x.keys.begin(), x.keys.end(), y.keys.begin(), y.keys.end(), same_key);
  };
  return std::equal(a.list.begin(), a.list.end(), b.list.begin(), b.list.end(), same_body);
}

bool same(const Motion& a, const Motion& b) {
  const auto same_frame = [](const MotionFrame& x, const MotionFrame& y) {
    return x.time == y.time && x.places == y.places && x.velocities == y.velocities;
  };
  const auto same_body = [&](const BodyMotion& x, const BodyMotion& y) {
    return same(*x.body, *y.body) && std::equal(x.frames.begin(), x.frames.end(), y.frames.begin(),
                                                y.frames.end(), same_frame);
  };
  return std::equal(a.bodies.begin(), a.bodies.end(), b.bodies.begin(), b.bodies.end(), same_body);
}

bool same(const BodyStates& a, const BodyStates& b) {
  const auto same_one = [](const BodyStates::One& x, const BodyStates::One& y) {
    return same(*x.body, *y.body) && x.places == y.places && x.velocities == y.velocities;
  };
  return std::equal(a.list.begin(), a.list.end(), b.list.begin(), b.list.end(), same_one);
}

bool same(const Value& a, const Value& b) {
  if (a.type() != b.type()) return false;
  if (!a || !b) return !a && !b;
  if (a.is<Mesh>()) return a.as<Mesh>() == b.as<Mesh>();
  if (a.is<TetMesh>()) return a.as<TetMesh>() == b.as<TetMesh>();
  if (a.is<VectorField>()) return a.as<VectorField>() == b.as<VectorField>();
  if (a.is<Frames>()) return a.as<Frames>() == b.as<Frames>();
  if (a.is<Activation>()) return same(a.as<Activation>(), b.as<Activation>());
  if (a.is<Colliders>()) return a.as<Colliders>() == b.as<Colliders>();
  if (a.is<MotionPath>()) return a.as<MotionPath>() == b.as<MotionPath>();
  if (a.is<VooSet>()) return a.as<VooSet>() == b.as<VooSet>();
  if (a.is<Lattice>()) return a.as<Lattice>() == b.as<Lattice>();
  if (a.is<Modes>()) return a.as<Modes>() == b.as<Modes>();
  if (a.is<ModalBody>()) return a.as<ModalBody>() == b.as<ModalBody>();
  if (a.is<BodyForces>()) return a.as<BodyForces>() == b.as<BodyForces>();
  if (a.is<PosedSkeleton>()) return a.as<PosedSkeleton>() == b.as<PosedSkeleton>();
  if (a.is<SkeletonClip>()) return a.as<SkeletonClip>() == b.as<SkeletonClip>();
  if (a.is<Meshless>()) return same(*a.as<Meshless>().body, *b.as<Meshless>().body);
  if (a.is<PosedBody>()) return a.as<PosedBody>().places == b.as<PosedBody>().places;
  if (a.is<KeyedBodies>()) return same(a.as<KeyedBodies>(), b.as<KeyedBodies>());
  if (a.is<Motion>()) return same(a.as<Motion>(), b.as<Motion>());
  if (a.is<BodyStates>()) return same(a.as<BodyStates>(), b.as<BodyStates>());
  if (!a.type()->to_json) throw std::logic_error("teach this test " + a.type()->name);
  return a.to_json() == b.to_json();
}

Domain domain_of(const Value& values) {
  if (values.is<Field>()) return values.as<Field>().domain();
  return values.is<VectorField>() ? values.as<VectorField>().domain : Domain::vertex;
}

size_t element_count(const Value& values) {
  if (values.is<Field>()) return values.as<Field>().size();
  if (values.is<Activation>()) return values.as<Activation>().count;
  return values.is<VectorField>() ? values.as<VectorField>().size() : values.as<Frames>().size();
}

size_t element_count(const Value& body, Domain domain) {
  if (domain == Domain::tet) return body.as<TetMesh>().tet_count();
  if (body.is<TetMesh>()) {
    return domain == Domain::face ? body.as<TetMesh>().topology->boundary.size()
                                  : body.as<TetMesh>().vertex_count();
  }
  return domain == Domain::face ? body.as<Mesh>().triangle_count() : body.as<Mesh>().vertex_count();
}

bool numeric(const InputInfo& in) {
  return in.type == &type_of<float>() || in.type == &type_of<int>() ||
         in.type == &type_of<Vec3>() || in.type == &type_of<Field>();
}

// A literal with the same number in each component.
Json literal(const InputInfo& in, double x) {
  const std::vector<double> numbers(in.type->components, x);
  return in.type->from_numbers(numbers).to_json();
}

TEST_P(Contract, IsDocumented) {
  const NodeType& t = type();
  EXPECT_FALSE(t.label.empty());
  EXPECT_FALSE(t.category.empty());
  EXPECT_TRUE(t.doc.ends_with('.')) << t.doc;
  std::set<std::string> names;
  for (const InputInfo& in : t.inputs) {
    EXPECT_TRUE(in.doc.ends_with('.')) << in.name << ": " << in.doc;
    EXPECT_FALSE(in.label.empty()) << in.name;
    EXPECT_TRUE(names.insert(in.name).second) << in.name << " is there twice";
  }
  names.clear();
  for (const OutputInfo& out : t.outputs) {
    EXPECT_TRUE(out.doc.ends_with('.')) << out.name << ": " << out.doc;
    EXPECT_TRUE(names.insert(out.name).second) << out.name << " is there twice";
  }
}

TEST_P(Contract, EveryNumberIsBounded) {
  for (const InputInfo& in : type().inputs) {
    if (!numeric(in)) continue;
    EXPECT_TRUE(std::isfinite(in.min) && std::isfinite(in.max)) << in.name;
    EXPECT_LT(in.min, in.max) << in.name;
  }
}

TEST_P(Contract, StandardValuesAreInRangeAndCanBeWritten) {
  for (const InputInfo& in : type().inputs) {
    if (in.type == &type_of<Choice>()) {
      ASSERT_FALSE(in.choices.empty()) << in.name;
      const int index = in.standard.as<Choice>().index;
      EXPECT_TRUE(index >= 0 && index < static_cast<int>(in.choices.size())) << in.name;
      EXPECT_EQ(std::set(in.choices.begin(), in.choices.end()).size(), in.choices.size());
      continue;
    }
    EXPECT_TRUE(in.choices.empty()) << in.name;
    if (!in.standard) continue;
    if (numeric(in)) {
      for (const double x : in.type->to_numbers(in.standard.data())) {
        EXPECT_TRUE(x >= in.min && x <= in.max) << in.name;
      }
    }
    ASSERT_TRUE(in.type->from_json) << in.name;
    const Result<Value> again = in.type->from_json(in.standard.to_json());
    ASSERT_TRUE(static_cast<bool>(again)) << again.error();
    EXPECT_EQ(literal_key(*again), literal_key(in.standard)) << in.name;
  }
}

TEST_P(Contract, ValuesSayWhatTheyLiveOn) {
  for (const OutputInfo& out : type().outputs) {
    EXPECT_EQ(out.type->per_element, out.on_nothing || !out.on.empty()) << out.name;
    EXPECT_FALSE(out.on_nothing && !out.on.empty()) << out.name;
    for (const SocketRef& body : out.on) {
      const TypeInfo* on =
          body.is_output ? type().outputs[body.index].type : type().inputs[body.index].type;
      EXPECT_TRUE(on->per_element || on == &type_of<Mesh>() || on == &type_of<TetMesh>());
      // A solid that became its surface on the way would be another body than the one linked.
      if (!body.is_output && on == &type_of<Mesh>()) {
        EXPECT_TRUE(takes_solids(type().inputs[body.index])) << out.name;
      }
    }
  }
}

// Whether some node that makes such values has a curve of that name.
bool is_made_with_curve(const TypeInfo* made, const std::string& curve) {
  const auto is_it = [&](const auto& socket) {
    return socket.name == curve && socket.type && socket.type->curve_at;
  };
  for (const NodeType* type : all_nodes().nodes()) {
    if (std::any_of(type->outputs.begin(), type->outputs.end(),
                    [&](const OutputInfo& out) { return out.type == made; }) &&
        (std::any_of(type->inputs.begin(), type->inputs.end(), is_it) ||
         std::any_of(type->outputs.begin(), type->outputs.end(), is_it)))
      return true;
  }
  return false;
}

TEST_P(Contract, HandlesSetInputsOfFittingTypes) {
  const auto is = [&](int input, const TypeInfo& wanted) {
    if (input < 0) return true;
    if (input >= static_cast<int>(type().inputs.size())) return false;
    const InputInfo& in = type().inputs[input];
    return in.type == &wanted && !in.multi && in.standard;
  };
  const auto gives = [&](int output, const TypeInfo& wanted) {
    return output >= 0 && output < static_cast<int>(type().outputs.size()) &&
           type().outputs[output].type == &wanted;
  };
  std::set<std::string> names;
  for (const HandleInfo& h : type().handles) {
    EXPECT_FALSE(h.name.empty());
    EXPECT_TRUE(names.insert(h.name).second) << h.name;
    for (const int vector :
         {h.at, h.to, h.along, h.rotation, h.scale, h.extent, h.radii, h.normal, h.pivot}) {
      EXPECT_TRUE(is(vector, type_of<Vec3>())) << h.name;
    }
    for (const int number : {h.radius, h.offset, h.twist, h.cap}) {
      EXPECT_TRUE(is(number, type_of<float>())) << h.name;
    }
    EXPECT_TRUE(is(h.when, type_of<bool>())) << h.name;
    if (h.kind == HandleKind::points) {
      ASSERT_GE(h.items, 0) << h.name;
      EXPECT_TRUE(type().inputs[h.items].type->places) << h.name;
      EXPECT_TRUE(type().inputs[h.items].type->with_place) << h.name;
    } else if (h.kind == HandleKind::anchors) {
      ASSERT_TRUE(h.items >= 0 && h.anchors >= 0) << h.name;
      EXPECT_TRUE(type().inputs[h.items].type->with_move) << h.name;
      EXPECT_TRUE(type().outputs[h.anchors].type->anchors) << h.name;
    } else {
      EXPECT_GE(h.at, 0) << h.name;
    }
    // What a kind needs to be more than a point.
    if (h.kind == HandleKind::vector) {
      EXPECT_TRUE(h.to >= 0 || h.along >= 0) << h.name;
    }
    if (h.kind == HandleKind::ellipsoid) {
      EXPECT_TRUE(h.radius >= 0 || h.radii >= 0) << h.name;
    }
    if (h.kind == HandleKind::plane) {
      EXPECT_TRUE(h.normal >= 0 || h.rotation >= 0) << h.name;
    }
    if (h.kind == HandleKind::pin) {
      EXPECT_GE(h.to, 0) << h.name;
    } else {
      EXPECT_TRUE(h.twist < 0 && h.centre < 0 && h.cap < 0) << h.name;
    }
    if (h.centre >= 0) {
      EXPECT_TRUE(is(h.centre, type_of<Choice>())) << h.name;
      EXPECT_EQ(type().inputs[h.centre].choices,
                (std::vector<std::string>{"head", "tip", "both", "length"}))
          << h.name;
    }
    for (const int turn : {h.rotation, h.twist}) {
      if (turn >= 0) {
        EXPECT_EQ(type().inputs[turn].unit, "deg") << h.name;
      }
    }
    // What is counted from an output is an offset, of a kind that has nothing else about it.
    if (h.from >= 0) {
      EXPECT_TRUE(h.kind == HandleKind::point || h.kind == HandleKind::vector) << h.name;
      EXPECT_TRUE(gives(h.from, type_of<Vec3>())) << h.name;
    }
    if (h.to_from >= 0) {
      EXPECT_TRUE(h.kind == HandleKind::vector && h.to >= 0) << h.name;
      EXPECT_TRUE(gives(h.to_from, type_of<Vec3>())) << h.name;
    }
  }
  if (type().hand) {
    EXPECT_EQ(type().role, NodeRole::simulate);
    EXPECT_TRUE(type().hand->grab >= 0 && is(type().hand->grab, type_of<bool>()));
    EXPECT_TRUE(type().hand->at >= 0 && is(type().hand->at, type_of<Vec3>()));
    EXPECT_TRUE(type().hand->to >= 0 && is(type().hand->to, type_of<Vec3>()));
    EXPECT_TRUE(is(type().hand->radius, type_of<float>()));
    EXPECT_TRUE(is(type().hand->follow, type_of<float>()));
  }
  for (const RunningInfo& running : type().running) {
    EXPECT_TRUE(gives(running.x, type_of<float>())) << running.curve;
    EXPECT_TRUE(gives(running.y, type_of<float>())) << running.curve;
    EXPECT_TRUE(is_made_with_curve(type().inputs[running.input].type, running.curve))
        << running.curve;
  }
}

TEST_P(Contract, ValuesFitTheBodyThatTheyLiveOn) {
  for (const bool on_solids : {false, true}) {
    TestGraph g = fed(on_solids);
    for (const OutputInfo& out : type().outputs) {
      if (!out.type->per_element) continue;
      const Value values = g.run("it." + out.name, 1).value;
      ASSERT_TRUE(static_cast<bool>(values)) << out.name;
      const GraphPtr graph = CompiledGraph::compile(g.doc, all_nodes());
      const std::optional<Target> target = graph->body_of(*graph->find_output("it." + out.name));
      if (values.is<Field>() && values.as<Field>().is_constant()) continue;  // fits everywhere
      ASSERT_TRUE(target) << out.name;
      const CompiledNode& maker = graph->node(target->node);
      const Value body =
          g.run(maker.path + "." + maker.type->outputs[target->output].name, 1).value;
      EXPECT_EQ(element_count(values), element_count(body, domain_of(values))) << out.name;
    }
  }
}

TEST_P(Contract, AloneItWorksOrSaysWhatIsMissing) {
  if (!has_outputs()) return;
  TestGraph g;
  g.node("it", type().id);
  const Outcome outcome = g.run("it." + type().outputs[0].name);
  if (outcome.value) return;
  ASSERT_NE(outcome.errors, "");
  bool names_an_input = false;
  for (const InputInfo& in : type().inputs) {
    names_an_input |= outcome.errors.find("'" + in.name + "'") != std::string::npos;
  }
  EXPECT_TRUE(names_an_input) << outcome.errors;
}

TEST_P(Contract, WithItsInputsItWorks) {
  TestGraph g = fed();
  for (const Value& v : outputs(g)) EXPECT_TRUE(static_cast<bool>(v));
}

// A value as bytes with the parts that it shares, as a baked chunk holds it.
class Packed {
 public:
  explicit Packed(const Value& value) : type_(*value.type()) {
    type_.pack(value.data(), packer_);
    for (const Packer::Shared& part : packer_.new_parts()) parts_[part.key] = part.content;
  }
  const std::string& content() const { return packer_.content(); }
  const std::map<Key, std::string>& parts() const { return parts_; }
  // What these bytes are in place of the content, or of one of its parts.
  Value read(const std::string& bytes, const Key* instead_of = nullptr) const {
    const auto find = [&](const char*, const Key& key, const Unpacker::Read& read_part) {
      const auto part = parts_.find(key);
      if (part == parts_.end()) return std::shared_ptr<const void>();
      const bool spoilt = instead_of && key == *instead_of;
      return read_from(spoilt ? bytes : part->second, read_part);
    };
    Unpacker unpacker(instead_of ? content() : bytes, find_ = find);
    return type_.unpack(unpacker);
  }

 private:
  std::shared_ptr<const void> read_from(const std::string& bytes,
                                        const Unpacker::Read& read) const {
    Unpacker unpacker(bytes, find_);
    return read(unpacker);
  }

  const TypeInfo& type_;
  Packer packer_;
  std::map<Key, std::string> parts_;
  mutable Unpacker::Find find_;
};

// Whether no node before this one, in the order of their names, gives values of the type.
bool is_first_to_give(const NodeType& node, const TypeInfo* type) {
  for (const NodeType* other : all_nodes().nodes()) {
    if (other == &node) return true;
    for (const OutputInfo& out : other->outputs)
      if (out.type == type) return false;
  }
  return true;
}

// Each type once, as the first node that gives it makes it.
TEST_P(Contract, BytesThatDoNotFitGiveNothingOrWhatCanBeLookedAt) {
  if (!has_code()) return;
  be_quick();
  TestGraph g = fed();
  std::mt19937 random(3);
  for (const OutputInfo& out : type().outputs) {
    if (!is_first_to_give(type(), out.type)) continue;
    const Value value = g.run("it." + out.name).value;
    if (!value || !value.type()->pack) continue;
    SCOPED_TRACE(value.type()->name);
    const Packed packed(value);
    EXPECT_TRUE(same(packed.read(packed.content()), value));
    const auto spoil = [&](const std::string& whole, const Key* part) {
      for (int i = 0; i < 24; ++i) {
        const std::size_t size = whole.empty() ? 0 : random() % whole.size();
        EXPECT_FALSE(packed.read(whole.substr(0, size), part)) << "cut after " << size;
        std::string flipped = whole;
        for (int k = 0; k < 3 && !flipped.empty(); ++k)
          flipped[random() % flipped.size()] = static_cast<char>(random());
        const Value other = packed.read(flipped, part);
        if (!other) continue;
        ASSERT_EQ(other.type(), value.type());
        // Whoever reads chunks asks this first, so it has to bear anything.
        if (other.type()->flaw) other.type()->flaw(other.data());
      }
    };
    spoil(packed.content(), nullptr);
    for (const auto& [key, content] : packed.parts()) spoil(content, &key);
  }
}

TEST_P(Contract, AtTheEndsOfItsRangesItIsFiniteAndBoundedOrSaysWhy) {
  if (!has_code()) return;
  be_quick();
  for (const InputInfo& in : type().inputs) {
    if (!numeric(in)) continue;
    for (const double x : {in.min, in.max}) {
      TestGraph g = fed();
      g.set("it." + in.name, literal(in, x));
      for (const OutputInfo& out : type().outputs) {
        const Outcome outcome = g.run("it." + out.name, 2);
        if (!outcome.value) {
          // Two settings may contradict each other, but what comes out is never NaN.
          EXPECT_NE(outcome.errors, "") << in.name << " = " << x;
          EXPECT_EQ(outcome.errors.find("out of range"), std::string::npos) << outcome.errors;
          EXPECT_EQ(outcome.errors.find("not a number"), std::string::npos) << outcome.errors;
          EXPECT_EQ(outcome.errors.find("finite"), std::string::npos) << outcome.errors;
          continue;
        }
        EXPECT_LT(outcome.value.bytes(), size_t{1} << 30) << in.name << " = " << x;
      }
    }
  }
}

TEST_P(Contract, OutOfRangeIsRefused) {
  if (!has_code()) return;
  for (const InputInfo& in : type().inputs) {
    if (!numeric(in) || feed_for(in)) continue;  // what is linked is clamped
    for (const double x :
         {in.min - 1 - std::abs(in.min) * 0.01, in.max + 1 + std::abs(in.max) * 0.01}) {
      TestGraph g = fed();
      g.set("it." + in.name, literal(in, x));
      const Outcome outcome = g.run("it." + type().outputs[0].name);
      EXPECT_NE(outcome.errors.find("'" + in.name + "'"), std::string::npos)
          << in.name << " = " << x << ": " << outcome.errors;
    }
  }
}

TEST_P(Contract, EveryInputIsInTheKey) {
  if (!has_code()) return;
  be_quick();
  const std::string output = "it." + type().outputs[0].name;
  const Key before = fed().run(output, 1).key;
  for (const InputInfo& in : type().inputs) {
    TestGraph g = fed();
    if (stands_in(type(), in)) continue;
    if (const Feed* feed = feed_for(in)) {
      g.set(feeder(*feed, in) + "." + feed->changed, feed->to);
    } else if (in.type == &type_of<Choice>()) {
      std::set<Key> keys;
      for (const std::string& name : in.choices)
        keys.insert(g.set("it." + in.name, name).run(output, 1).key);
      EXPECT_EQ(keys.size(), in.choices.size()) << in.name;
      continue;
    } else if (in.type == &type_of<bool>()) {
      g.set("it." + in.name, !in.standard.as<bool>());
    } else if (in.type == &type_of<std::string>()) {
      g.set("it." + in.name, "another");
    } else if (in.type == &type_of<Chart>()) {
      g.set("it." + in.name, Json::parse("[[0, 3], [2, 5]]"));
    } else if (in.type == &type_of<Strokes>()) {
      g.set("it." + in.name, Json::parse(R"([{"points": [[0, 0, 1], [1, 0, 0]]}])"));
    } else if (in.type == &type_of<Touches>()) {
      g.set("it." + in.name, Json::parse(R"([{"frame": 1, "at": [0, 0, 1]}])"));
    } else if (in.type == &type_of<PathPoints>()) {
      g.set("it." + in.name, Json::parse("[[0, 0, 0], [1, 2, 3]]"));
    } else if (in.type == &type_of<LatticeMoves>()) {
      g.set("it." + in.name, Json::parse(R"([{"at": [0, -1, null], "by": [1, 2, 3]}])"));
    } else if (in.type == &type_of<Skeleton>()) {
      g.set("it." + in.name, another_skeleton());
    } else if (in.type == &type_of<Found>()) {
      g.set("it." + in.name,
            Json::parse(R"({"names": ["a.x"], "candidates": [{"cost": 3, "values": [2]}]})"));
    } else if (in.type == &type_of<PoseGraph>()) {
      g.set("it." + in.name,
            Json::parse(R"({"modes": ["a"], "poses": [{"time": 1, "amplitudes": [0.5]}]})"));
    } else if (in.type == &type_of<JointKeys>()) {
      g.set("it." + in.name, Json::parse(R"([{"joint": "tip", "by": [1, 2, 3]}])"));
    } else if (in.type == &type_of<BodyHandles>()) {
      g.set("it." + in.name, one_handle());
    } else if (in.type == &type_of<PoseKeys>()) {
      g.set("it." + in.name, two_keys());
    } else if (in.type == &type_of<Material>()) {
      g.set("it." + in.name, Json::parse(R"({"mass": 7})"));
    } else if (in.type == &type_of<MotionPath>()) {
      g.set("it." + in.name, Json::parse("[[0, 0, 0], [1, 2, 3]]"));
    } else {
      ASSERT_TRUE(numeric(in)) << in.name << ": teach this test its type";
      const double standard = in.type->to_numbers(in.standard.data())[0];
      g.set("it." + in.name,
            literal(in, standard < in.max ? std::min(in.max, standard + 1) : in.min));
    }
    EXPECT_NE(g.run(output, 1).key, before) << in.name;
  }
  EXPECT_EQ(fed().run(output, 1).key, before);
}

TEST_P(Contract, OneThreadAndTwoGiveTheSame) {
  TestGraph one = fed(), two = fed();
  one.evaluator = std::make_shared<Evaluator>(EvaluatorOptions{.threads = 1});
  two.evaluator = std::make_shared<Evaluator>(EvaluatorOptions{.threads = 2});
  const std::vector<Value> a = outputs(one), b = outputs(two);
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(same(a[i], b[i])) << "output " << i;
}

TEST_P(Contract, CancelledItGivesNothingAndNoError) {
  if (!has_code()) return;
  TestGraph g = fed();
  const std::atomic<bool> stop{true};
  g.cancel = &stop;
  const Outcome outcome = g.run("it." + type().outputs[0].name);
  EXPECT_TRUE(outcome.evaluation.cancelled);
  EXPECT_EQ(outcome.errors, "");
  g.cancel = nullptr;
  EXPECT_TRUE(static_cast<bool>(g.run("it." + type().outputs[0].name).value));
}

// A kernel that sees the flag while it runs: the node throws what the evaluator knows.
TEST(AllNodes, StoppedKernelsAreCancellations) {
  const std::atomic<bool> stop{true};
  const Value sphere = TestGraph().node("a", "mesh.sphere").run("a.mesh").value;
  for (const char* id :
       {"mesh.subdivide", "mesh.smooth", "mesh.merge", "field.noise", "tet.from_mesh",
        "field.distance", "field.frames", "field.cut_view", "field.transfer"}) {
    const NodeType& type = *all_nodes().find(id);
    std::vector<std::vector<Value>> inputs;
    for (const InputInfo& in : type.inputs) {
      inputs.push_back({in.type == &type_of<Mesh>() ? sphere : in.standard});
      if (in.name == "weld") inputs.back() = {Value::of(true)};
    }
    const Context context;
    Exec e(type, std::move(inputs), context, &stop);
    EXPECT_THROW(type.exec(e), Cancelled) << id;
  }
}

INSTANTIATE_TEST_SUITE_P(AllNodes, Contract, ::testing::ValuesIn(ids()), [](const auto& param) {
  std::string name = param.param;
  for (char& c : name) {
    if (c == '.') c = '_';
  }
  return name;
});

// The generated list has a line for each file, and no file took the id of another.
TEST(AllNodes, EachFileIsANode) {
  const std::filesystem::path folder = std::filesystem::path(SINEW_SOURCE_DIR) / "nodes";
  const std::set<std::string> not_families = {"geometry", "kernels", "show", "values"};
  size_t files = 0;
  for (const auto& family : std::filesystem::directory_iterator(folder)) {
    if (!family.is_directory() || not_families.contains(family.path().filename())) continue;
    for (const auto& entry : std::filesystem::directory_iterator(family)) {
      files += entry.path().extension() == ".cpp";
    }
  }
  EXPECT_EQ(all_nodes().nodes().size(), files);
}

TEST(AllNodes, IdsAreWellFormed) {
  for (const std::string& id : ids()) {
    EXPECT_EQ(id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789._"), std::string::npos)
        << id;
  }
}

}  // namespace
}  // namespace sinew::testing
