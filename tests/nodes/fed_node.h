// Any node in a graph where it can run: something on every socket that only a link can feed, and a
// file to read where it reads one.
#pragma once

#include <algorithm>
#include <fstream>

#include "nodes/geometry/point_cache.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {

class FedNode {
 public:
  // `detail`: of the sphere that serves all meshes. As it is, it has more vertices than one block
  // of a parallel loop.
  explicit FedNode(const NodeType& type, int detail = 22) : detail_(detail), type_(type) {}

  const NodeType& type() const { return type_; }

  // What is linked to a socket that only a link can feed, and the parameter of it that changes
  // what it gives.
  struct Feed {
    const TypeInfo* type;
    std::string node, node_type, output;
    std::string changed;
    Json to;
    std::string on;  // the input of it that takes the sphere, if it has one
  };
  static Json another_skeleton() {
    return Json::parse(
        R"([{"name": "hip", "at": [0, 0, 0]}, {"name": "knee", "at": [0, 0.4, 0], "on": "hip"}])");
  }
  static Json one_handle() {
    return Json::parse(R"([{"name": "top", "at": [0, 0.5, 0], "by": [0, 0.1, 0]}])");
  }
  static Json two_keys() {
    return Json::parse(R"([{"frame": 0}, {"frame": 5, "move": [1, 0, 0]}])");
  }
  static const std::vector<Feed>& feeds() {
    static const std::vector<Feed> list = {
        {&type_of<Mesh>(), "feed", "mesh.sphere", "mesh", "radius", 0.7, ""},
        {&type_of<float>(), "number", "value.float", "value", "value", 7, ""},
        {&type_of<TetMesh>(), "solid", "tet.box", "solid", "cells_x", 7, ""},
        {&type_of<VectorField>(), "vectors", "field.gradient", "vectors", "field", 3, "mesh"},
        {&type_of<Frames>(), "frames", "field.frames", "frames", "layer", 3, "body"},
        {&type_of<Activation>(), "activation", "procdef.activation", "activation", "period", 2,
         "body"},
        {&type_of<Colliders>(), "obstacle", "collide.sphere", "colliders", "radius", 0.7, ""},
        {&type_of<Material>(), "stuff", "material.named", "material", "mass", 7, ""},
        {&type_of<MotionPath>(), "way", "path.motion", "path", "mass", 7, ""},
        {&type_of<VooSet>(), "pins", "voo.create", "voos", "flexibility", 0.7, ""},
        {&type_of<Lattice>(), "lattice", "ffd.lattice", "lattice", "points_x", 7, ""},
        {&type_of<Modes>(), "ways", "ffd.modes", "modes", "amplitude", 0.7, ""},
        {&type_of<ModalBody>(), "thing", "dffd.body", "body", "mass", 7, "mesh"},
        {&type_of<PoseGraph>(), "gait", "dffd.controller", "controller", "speed", 7, ""},
        {&type_of<BodyForces>(), "pulls", "dffd.pin", "forces", "at", {0, 1, 0}, ""},
        {&type_of<Skeleton>(), "bones", "skeleton.create", "skeleton", "joints", another_skeleton(),
         ""},
        {&type_of<PosedSkeleton>(), "posed", "skeleton.create", "skeleton", "joints",
         another_skeleton(), ""},
        {&type_of<SkeletonClip>(), "motion", "skeleton.load", "clip", "scale", 2, ""},
        {&type_of<Meshless>(), "soft", "meshless.nodes", "body", "count", 12, "mesh"},
        {&type_of<PosedBody>(), "pulled", "meshless.pose", "pose", "handles", one_handle(), ""},
        {&type_of<KeyedBodies>(), "keyed", "meshless.keys", "keys", "keys", two_keys(), ""},
        {&type_of<Motion>(), "led", "meshless.motion", "motion", "acceleration", 1, ""},
        {&type_of<BodyStates>(), "states", "meshless.play", "state", "delay", -1, ""},
    };
    return list;
  }
  // One sphere serves all meshes.
  static std::string feeder(const Feed& feed, const InputInfo& in) {
    return feed.node == "feed" ? feed.node : feed.node + "_" + in.name;
  }
  static const Feed* feed_for(const InputInfo& in) {
    for (const Feed& feed : feeds())
      if (in.type == feed.type && !in.standard) return &feed;
    return nullptr;
  }

  // Of two inputs one stands in for the other: both are not linked at once.
  static bool stands_in(const NodeType& type, const InputInfo& in) {
    return type.id == "ffd.deform" && in.name == "modes";
  }

  static bool takes_solids(const InputInfo& in) {
    return std::find(in.also.begin(), in.also.end(), &type_of<TetMesh>()) != in.also.end();
  }

  // What values for the elements of a body are made on: the solid of a node that takes only solids.
  std::string body_of_feeds(bool on_solids) const {
    for (const InputInfo& in : type().inputs) {
      const Feed* feed = feed_for(in);
      if (feed && in.type == &type_of<TetMesh>()) return feeder(*feed, in) + "." + feed->output;
    }
    return on_solids ? "block.solid" : "feed.mesh";
  }

  // A node that feeds, and those that feed what it cannot do without.
  void add_feeder(TestGraph& g, const Feed& feed, const std::string& name, bool on_solids) {
    if (name == "feed") return;
    g.node(name, feed.node_type);
    if (feed.node_type == "ffd.modes") {
      g.node("box_of_" + name, "ffd.lattice")
          .link("box_of_" + name + ".lattice", name + ".lattice");
      g.set(name + ".name", name);  // no two may have the same
    }
    if (feed.node_type == "skeleton.load") g.set(name + ".file", write_skeleton());
    if (!feed.on.empty()) g.link(body_of_feeds(on_solids), name + "." + feed.on);
    for (const InputInfo& in : all_nodes().find(feed.node_type)->inputs) {
      const Feed* first = in.optional || in.name == feed.on ? nullptr : feed_for(in);
      if (!first) continue;
      const std::string before = first->node == "feed" ? first->node : in.name + "_of_" + name;
      add_feeder(g, *first, before, on_solids);
      g.link(before + "." + first->output, name + "." + in.name);
    }
  }

  // The node "it", with something on every socket that only a link can feed, and a file to read
  // where it reads one. `on_solids`: a solid where a mesh or a solid will do.
  TestGraph fed(bool on_solids = false) {
    TestGraph g;
    g.node("feed", "mesh.sphere", {{"detail", detail_}}).node("it", type().id);
    g.node("block", "tet.box");
    for (const InputInfo& in : type().inputs) {
      if (in.type == &type_of<Any>() && !in.selector) g.link("feed.mesh", "it." + in.name);
      if (on_solids && takes_solids(in)) {
        g.link("block.solid", "it." + in.name);
      } else if (const Feed* feed = feed_for(in); feed && !stands_in(type(), in)) {
        add_feeder(g, *feed, feeder(*feed, in), on_solids);
        g.link(feeder(*feed, in) + "." + feed->output, "it." + in.name);
      }
      if (in.file == FileUse::read) g.set("it." + in.name, write_file_for(in));
    }
    g.context.folder = folder_.path();
    return g;
  }

 protected:
  int detail_;

 private:
  // With a joint of the name of one that skeletons have by themselves.
  std::string write_skeleton() {
    std::ofstream(folder_.path() / "leg.bvh")
        << "HIERARCHY\nROOT root\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
           "End Site\n{\nOFFSET 0 -1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n0 0 0\n90 0 0\n";
    return "leg.bvh";
  }

  // Of the mesh that feeds all others: it grows in a second.
  std::string write_cache() {
    TestGraph g;
    g.node("feed", "mesh.sphere", {{"detail", detail_}});
    std::vector<Vec3f> places = g.get<Mesh>("feed.mesh").positions;
    std::string bytes = encode_cache_header({PointCacheFormat::mdd, places.size(), {0, 1}});
    bytes += encode_cache_sample(PointCacheFormat::mdd, places);
    for (Vec3f& p : places) p *= 1.5f;
    bytes += encode_cache_sample(PointCacheFormat::mdd, places);
    std::ofstream(folder_.path() / "grows.mdd", std::ios::binary) << bytes;
    return "grows.mdd";
  }

  std::string write_file_for(const InputInfo& in) {
    if (in.file_endings.front() == "msh") {
      std::ofstream(folder_.path() / "tet.vtk")
          << "# vtk DataFile Version 3.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n"
             "0 0 0 1 0 0 0 1 0 0 0 1\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n";
      return "tet.vtk";
    }
    if (in.file_endings.front() == "bvh") return write_skeleton();
    if (in.file_endings.front() == "mdd") return write_cache();
    std::ofstream(folder_.path() / "triangle.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    return "triangle.obj";
  }

  const NodeType& type_;
  TemporaryFolder folder_;
};

}  // namespace sinew::testing
