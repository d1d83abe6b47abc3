# Opens a file that `sinew export` has written in Blender, without a window, and prints what Blender
# makes of it as JSON: for each frame that is asked for, the places of all vertices of each body, y up,
# in metres.
#
#   blender -b --factory-startup -P blender_positions.py -- FILE FPS FRAME...
#
# Frames count from the first of the file.
import json
import os
import sys

import bpy
import numpy

# The glTF importer of Debian 12's Blender uses a name that Debian 12's numpy no longer has.
numpy.bool = bool

arguments = sys.argv[sys.argv.index("--") + 1:]
file, fps, frames = arguments[0], float(arguments[1]), [int(a) for a in arguments[2:]]
ending = os.path.splitext(file)[1]

bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = round(fps)
scene.render.fps_base = round(fps) / fps


def upright(p):  # Blender has z up
    return (p[0], p[2], -p[1])


def as_is(p):
    return (p[0], p[1], p[2])


def import_mesh(path):
    """A mesh whose axes and units stay what they are in the file."""
    if path.endswith(".obj"):
        bpy.ops.wm.obj_import(filepath=path, forward_axis="Y", up_axis="Z")
    else:
        bpy.ops.import_mesh.ply(filepath=path)


first, convert, sequence = 0, as_is, None
if ending in (".glb", ".gltf"):
    bpy.ops.import_scene.gltf(filepath=file, merge_vertices=False)
    convert = upright
elif ending == ".usda":
    bpy.ops.wm.usd_import(filepath=file, set_frame_range=True)
    convert = upright
elif ending in (".pc2", ".mdd"):
    import_mesh(os.path.splitext(file)[0] + ".obj")
    cache = bpy.context.selected_objects[0].modifiers.new("cache", "MESH_CACHE")
    cache.cache_format = ending[1:].upper()
    cache.filepath = file
    cache.interpolation = "NONE"
    cache.frame_start = 0
else:
    # A sequence: FILE is its first file, and the others have its name with other numbers.
    folder, name = os.path.split(os.path.abspath(file))
    start = name.rstrip("0123456789" + ending)
    sequence = sorted(os.path.join(folder, n) for n in os.listdir(folder)
                      if n.startswith(start) and n.endswith(ending))


def places():
    graph = bpy.context.evaluated_depsgraph_get()
    found = []
    for thing in sorted(scene.objects, key=lambda o: o.name):
        # The glTF importer adds a shape for bones, which is not one of ours.
        if thing.type != "MESH" or thing.name == "Icosphere":
            continue
        seen = thing.evaluated_get(graph)
        mesh = seen.to_mesh()
        found.append([convert(seen.matrix_world @ v.co) for v in mesh.vertices])
        seen.to_mesh_clear()
    return found


result = {"frames": {}, "keys": 0}
for frame in frames:
    if sequence:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        scene = bpy.context.scene
        import_mesh(sequence[frame])
    else:
        scene.frame_set(first + frame)
    result["frames"][frame] = places()
# How many frames there are, as Blender sees it.
if sequence:
    result["keys"] = len(sequence)
else:
    for action in bpy.data.actions:
        for curve in action.fcurves:
            result["keys"] = max(result["keys"], len(curve.keyframe_points))
print("POSITIONS " + json.dumps(result))
