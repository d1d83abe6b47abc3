// The values that nodes exchange: what the graph must know about each stands in its TypeInfo, one
// file each under nodes/values/. The graph itself knows none of them.
#pragma once

#include "graph/value.h"
#include "nodes/geometry/activation.h"
#include "nodes/geometry/body_forces.h"
#include "nodes/geometry/chart.h"
#include "nodes/geometry/colliders.h"
#include "nodes/geometry/field.h"
#include "nodes/geometry/found.h"
#include "nodes/geometry/frames.h"
#include "nodes/geometry/joint_keys.h"
#include "nodes/geometry/lattice.h"
#include "nodes/geometry/lattice_moves.h"
#include "nodes/geometry/material.h"
#include "nodes/geometry/mesh.h"
#include "nodes/geometry/meshless_body.h"
#include "nodes/geometry/meshless_keys.h"
#include "nodes/geometry/meshless_motion.h"
#include "nodes/geometry/modal_body.h"
#include "nodes/geometry/modes.h"
#include "nodes/geometry/motion_path.h"
#include "nodes/geometry/path_points.h"
#include "nodes/geometry/pose_graph.h"
#include "nodes/geometry/pose_recipe.h"
#include "nodes/geometry/skeleton_clip.h"
#include "nodes/geometry/strokes.h"
#include "nodes/geometry/tet_mesh.h"
#include "nodes/geometry/touches.h"
#include "nodes/geometry/vector_field.h"
#include "nodes/geometry/voo_set.h"

namespace sinew {

class Registry;

SINEW_VALUE_TYPE(Mesh);
SINEW_VALUE_TYPE(Field);
SINEW_VALUE_TYPE(Chart);
SINEW_VALUE_TYPE(TetMesh);
SINEW_VALUE_TYPE(VectorField);
SINEW_VALUE_TYPE(Frames);
SINEW_VALUE_TYPE(Colliders);
SINEW_VALUE_TYPE(Strokes);
SINEW_VALUE_TYPE(Touches);
SINEW_VALUE_TYPE(Activation);
SINEW_VALUE_TYPE(Material);
SINEW_VALUE_TYPE(PathPoints);
SINEW_VALUE_TYPE(MotionPath);
SINEW_VALUE_TYPE(VooSet);
SINEW_VALUE_TYPE(Lattice);
SINEW_VALUE_TYPE(LatticeMoves);
SINEW_VALUE_TYPE(Skeleton);
SINEW_VALUE_TYPE(JointKeys);
SINEW_VALUE_TYPE(PosedSkeleton);
SINEW_VALUE_TYPE(SkeletonClip);
SINEW_VALUE_TYPE(Modes);
SINEW_VALUE_TYPE(ModalBody);
SINEW_VALUE_TYPE(PoseGraph);
SINEW_VALUE_TYPE(BodyForces);
SINEW_VALUE_TYPE(Found);
SINEW_VALUE_TYPE(Meshless);
SINEW_VALUE_TYPE(BodyHandles);
SINEW_VALUE_TYPE(PosedBody);
SINEW_VALUE_TYPE(PoseKeys);
SINEW_VALUE_TYPE(KeyedBodies);
SINEW_VALUE_TYPE(Motion);
SINEW_VALUE_TYPE(BodyStates);

// Adds the types above, and the conversions between them in which nothing is lost.
void register_value_types(Registry& registry);

// Writes a mesh in the format of the file's ending; the file is whole or untouched. The error names
// the file.
Result<void> write_mesh_file(const Mesh& mesh, const std::filesystem::path& path);

// The same for a solid. TetGen's format is a pair of files, .node and .ele, whichever is named.
Result<void> write_solid_file(const TetMesh& solid, const std::filesystem::path& path);

// A chart as it stands in documents, with only what differs from the standard:
//   {"points": [[0, 1], [1, 2]], "interpolation": "linear", "extension": "cyclic", "period": 2,
//    "axis": "ratio", "bounds": [0.5, 2], "back": [[0, 1], [1, 2]], "marks": {"elastic": 0.4},
//    "x_unit": "s", "y_unit": "m"}
// The list of points alone is a chart, too.
Result<Chart> chart_from_json(const Json& json);
Json chart_to_json(const Chart& chart);

// Strokes as they stand in documents, with only what differs from the standard:
//   [{"tool": "brush", "points": [[0, 1, 0], [1, 1, 0]], "radius": 0.2, "value": 1}, ...]
// or {"space": "box", "strokes": the list}.
Result<Strokes> strokes_from_json(const Json& json);
Json strokes_to_json(const Strokes& strokes);

// Touches as they stand in documents: [{"frame": 12, "at": [0, 0.5, 0]}, ...].
Result<Touches> touches_from_json(const Json& json);
Json touches_to_json(const Touches& touches);

// Materials as they stand in documents, with only what differs from the standard:
//   {"stress": CHART, "damping": CHART, "damped": "elastic", "mass": 50, "stiffness": 50,
//    "restoration": 1, "gradient": CHART, "viscosity": 1, "creep": CHART, "creep_duration": 1,
//    "creep_coefficient": 1, "relaxation": CHART, "relaxation_duration": 1, "source": "..."}
Result<Material> material_from_json(const Json& json);
Json material_to_json(const Material& material);

// Places in their order: [[0, 0, 0], [1, 0.5, 0], ...].
Result<PathPoints> points_from_json(const Json& json);
Json points_to_json(const PathPoints& points);

// Motion paths as they stand in documents, without their moment and with only what differs from the
// standard; the list of points alone is a path, too:
//   {"points": [[0, 0, 0], ...], "curve": "polyline", "closed": true, "rounds": 2,
//    "momentum": CHART, "mass": 50, "speed": 0, "offset": 0, "start": 0, "end": 1, "fit": true}
Result<MotionPath> motion_path_from_json(const Json& json);
Json motion_path_to_json(const MotionPath& path);

// Moved points of lattices as they stand in documents; null is all points along that edge:
//   [{"at": [0, -1, null], "by": [0, 0.1, 0]}, ...]
Result<LatticeMoves> lattice_moves_from_json(const Json& json);
Json lattice_moves_to_json(const LatticeMoves& moves);

// Skeletons as they stand in documents: each joint may hang on another, by a bone that has its name
// unless it says otherwise:
//   [{"name": "hip", "at": [0, 1, 0]}, {"name": "knee", "at": [0, 0.5, 0], "on": "hip"}, ...]
Result<Skeleton> skeleton_from_json(const Json& json);
Json skeleton_to_json(const Skeleton& skeleton);

// Moved joints, and keys of them:
//   [{"joint": "hand", "by": [0, 0.1, 0]}, {"joint": "hand", "by": [0, 0, 0], "frame": 12}, ...]
Result<JointKeys> joint_keys_from_json(const Json& json);
Json joint_keys_to_json(const JointKeys& keys);

// Controllers:
//   {"modes": ["shear x", "squash y"], "frequency": 4, "damping": 1,
//    "poses": [{"time": 0.2, "amplitudes": [0.5, -0.3]}, ...]}
Result<PoseGraph> pose_graph_from_json(const Json& json);
Json pose_graph_to_json(const PoseGraph& graph);

// Handles of a meshless body, with only what differs from the standard:
//   [{"name": "hand", "at": [0.5, 1, 0], "radius": 0.05, "by": [0, 0.2, 0], "turn": [0, 0, 30],
//     "weight": 1, "hold": true}, ...]
Result<BodyHandles> body_handles_from_json(const Json& json);
Json body_handles_to_json(const BodyHandles& handles);

// Keys of a meshless body, with only what differs from the standard:
//   [{"frame": 12, "kind": "points", "pose": 0, "move": [0, 1, 0], "turn": [0, 0, 180],
//     "handles": {"hand": [0, 0.1, 0]}, "velocity": [0, 2, 0], "spin": [0, 0, 360],
//     "break": true}, ...]
Result<PoseKeys> pose_keys_from_json(const Json& json);
Json pose_keys_to_json(const PoseKeys& keys);

// What a search has found:
//   {"names": ["a", "b"], "trials": 100, "start": 2.5,
//    "candidates": [{"cost": 0.3, "trial": 57, "values": [0.1, 0.2]}, ...]}
// and of one that was stopped "log": [2.5, ...] and "settings": "...".
Result<Found> found_from_json(const Json& json);
Json found_to_json(const Found& found);

}  // namespace sinew
