// Poses that a body shall go through, and when. [Adams10, section 6.2]
#include "nodes/kernels/meshless_keys.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<Meshless> body;
In<BodyHandles> handles;
In<PoseKeys> keys;
InList<PosedBody> poses;
In<BodyStates> begin;
In<float> handle_weight, strain_weight, volume_weight;
Out<KeyedBodies> out;

void declare(Declaration& d) {
  d.id("meshless.keys", 1).label("Pose Keys").category("Meshless");
  d.doc(
      "Says where a body shall be at some frames, and in which shape; a motion is found between.");
  d.in(body, "body").doc("A body with nodes.");
  d.in(handles, "handles", BodyHandles())
      .places_on(body)
      .doc(
          "Places by which keys shape the body: [{\"name\": \"hand\", \"at\": [x, y, z], "
          "\"radius\": "
          "r}, ...]. Those with \"hold\": true stay where the first key has them, all the time. In "
          "the viewport, touch the body to put one there.");
  d.in(keys, "keys", PoseKeys())
      .doc(
          "[{\"frame\": 12, \"move\": [x, y, z], \"turn\": [x, y, z], \"handles\": {\"hand\": [x, "
          "y, "
          "z]}}, ...]: where the whole body is, how it is turned, and how far handles are from "
          "there. "
          "\"kind\": \"points\" holds only the handles that are named, \"guess\" nothing: it says "
          "which way round. \"velocity\" and \"spin\" prescribe, \"break\" lets it bounce, "
          "\"pose\" "
          "begins with a linked pose. In the viewport, handles are dragged at the present frame.");
  d.in(poses, "poses").optional().doc("Poses that keys name by their number, from 0.");
  d.in(begin, "begin")
      .optional()
      .whole_time()
      .doc("Where the body comes from: the first key takes its place and velocity at that frame.");
  d.in(handle_weight, "handle_weight", 1000)
      .range(1e-3, 1e6)
      .doc("How exactly keys meet their handles.");
  d.in(strain_weight, "strain_weight", 1)
      .range(1e-3, 1e3)
      .doc("How much the body minds being stretched and sheared in keys.");
  d.in(volume_weight, "volume_weight", 1)
      .range(0, 1e4)
      .doc("How much it minds a change of its volume in keys.");
  d.out(out, "keys").shown_when_chosen().doc("The body with its keys.");
  d.uses_dt();
  d.handle(HandleKind::anchors, "keys").items(keys).anchors(out).keyed();
}

void exec(Exec& e) {
  const Meshless& meshless = e.get(body);
  const std::vector<const PosedBody*> linked = e.get(poses);
  for (std::size_t i = 0; i < linked.size(); ++i) {
    if (linked[i]->places.size() == meshless.body->node_count()) continue;
    return e.error("pose {} has {} nodes, but the body has {}; pose this body", i,
                   linked[i]->places.size(), meshless.body->node_count());
  }
  const double fps = e.fps();
  const BodyStates* from = nullptr;
  std::optional<OverTime<BodyStates>> coming;
  if (e.has(begin) && !e.get(keys).list.empty()) {
    coming.emplace(e.over_time(begin));
    from = &coming->at(e.get(keys).list.front().frame);
    if (from->list.size() != 1 || from->list[0].places.size() != meshless.body->node_count()) {
      return e.error("'begin' brings another body; link the state of this one");
    }
  }
  const kernels::PoseWeights weights{static_cast<double>(e.get(handle_weight)),
                                     static_cast<double>(e.get(strain_weight)),
                                     static_cast<double>(e.get(volume_weight))};
  // Without any it stands where it is, so that a hand can begin.
  PoseKeys through = e.get(keys);
  if (through.list.empty()) {
    e.warning("there are no keys yet, so the body stands; drag it in the viewport at some frames");
    through.list.emplace_back();
  }
  kernels::ResolvedKeys made = stoppable(e, [&](CancelView stop) {
    return kernels::resolve_keys(meshless.body, e.get(handles), through, linked, fps, weights,
                                 from ? &from->list[0] : nullptr, stop);
  });
  if (!made.problem.empty()) return e.error("{}", made.problem);
  for (const std::string& warning : made.warnings) e.warning("{}", warning);
  KeyedBodies keyed;
  keyed.list.push_back(std::move(made.keyed));
  keyed.handles = e.get(handles);
  keyed.keys = e.get(keys);
  keyed.fps = fps;
  e.set(out, std::move(keyed));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(meshless_keys, declare, exec)
