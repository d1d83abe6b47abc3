#!/usr/bin/env python3
"""Exports presets in every format, opens the files with other programs, and compares what those see
with `sinew eval`. Called by ./dev exchange.

    check.py SINEW PRESETS NODE_FOLDER WORK_FOLDER
"""
import json
import os
import subprocess
import sys

sinew, presets, node_folder, work = sys.argv[1:5]
here = os.path.dirname(os.path.abspath(__file__))

# A preset, what of it leaves, its range of frames, and at which of these it is looked at.
CASES = [
    ("walk", "characters/walk.json", "see.value", (0, 30), (0, 7, 30)),  # a skeleton
    ("meeting", "characters/meeting.json", "see.value", (10, 40), (10, 25, 40)),  # begins late
    ("squid", "characters/giant_squid.json", None, (0, 24), (0, 11, 24)),
    ("hops", "motions/three_hops.json", None, (0, 24), (0, 13, 24)),
]
FORMATS = ["glb", "gltf", "usda", "pc2", "mdd", "ply", "obj"]
TOLERANCE = 1e-5


# Blender looks for its Python, and so for numpy, along the path: Debian's comes first.
environment = dict(os.environ, PATH="/usr/bin:/bin:" + os.environ.get("PATH", ""))


def run(*command):
    if command[0] == "node":  # which need not be Debian's
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    else:
        done = subprocess.run(command, capture_output=True, text=True, check=False,
                              env=environment)
    if done.returncode != 0:
        sys.exit(f"error: {' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def marked(text, mark):
    lines = [line for line in text.splitlines() if line.startswith(mark + " ")]
    if not lines:
        sys.exit(f"error: no {mark} in\n{text[-3000:]}")
    return [json.loads(line[len(mark):]) for line in lines]


def vertices(obj):
    with open(obj, encoding="utf-8") as lines:
        return [tuple(map(float, line.split()[1:4])) for line in lines if line.startswith("v ")]


def meshes_shown(preset):
    """The outputs that the viewers of a preset show, if they are meshes."""
    report = json.loads(run(sinew, "eval", preset, "--json"))
    return [out["name"] for out in report["outputs"] if out["type"] == "mesh"]


def bodies_of(seen, expected, ending):
    """What another program has seen, body by body, as many vertices as ours have."""
    if ending in ("glb", "gltf"):
        # Behind a body's own vertices come the further sides of those on edges.
        return [body[:len(own)] for body, own in zip(seen, expected)] + seen[len(expected):]
    flat = [p for body in seen for p in body] if seen and isinstance(seen[0][0], list) else seen
    parts, at = [], 0
    for own in expected:
        parts.append(flat[at:at + len(own)])
        at += len(own)
    return parts + ([flat[at:]] if at < len(flat) else [])


bad = 0


def tell(name, text, fine):
    global bad
    bad += not fine
    print(f"{'ok ' if fine else 'BAD'} {name}: {text}", flush=True)


for name, file, output, (first, last), looks in CASES:
    preset = os.path.join(presets, file)
    outputs = [output] if output else sorted(meshes_shown(preset))
    expected = {}
    for frame in looks:
        expected[frame] = []
        for one in outputs:
            mesh = os.path.join(work, "expected.obj")
            run(sinew, "eval", preset, "--frame", str(frame), "--output", one, "-o", mesh)
            expected[frame].append(vertices(mesh))
    for ending in FORMATS:
        out = os.path.join(work, f"{name}.{ending}")
        shown = [word for one in outputs for word in ("--show", one)]
        if ending in ("glb", "gltf"):
            shown += ["--error", "1e-6"]  # parts of the size; the squid is several metres long
        report = json.loads(run(sinew, "export", preset, "--frames", f"{first}:{last}", "-o", out,
                                "--json", *shown))
        if ending in ("glb", "gltf"):
            issues = marked(run("node", os.path.join(here, "validate_gltf.mjs"), node_folder, out),
                            "VALID")[0]
            tell(f"{name}.{ending}, validator", json.dumps(issues),
                 issues["errors"] + issues["warnings"] == 0)
        if ending == "usda":
            seen = marked(run("node", os.path.join(here, "read_usda.mjs"), node_folder, out,
                              *map(str, looks)), "POSITIONS")[0]
            reader, shift = "TinyUSDZ", 0
        else:
            target = report["wrote"][0] if ending in ("ply", "obj") else out
            seen = marked(run("blender", "-b", "--factory-startup", "-P",
                              os.path.join(here, "blender_positions.py"), "--", target, "25",
                              *[str(f - first) for f in looks]), "POSITIONS")[0]
            reader, shift = "Blender", first
        worst = 0.0
        counts = set()
        for frame in looks:
            there = bodies_of(seen["frames"][str(frame - shift)], expected[frame], ending)
            for body, own in zip(there, expected[frame]):
                counts.add((len(body), len(own)))
                if len(body) == len(own):
                    for a, b in zip(body, own):
                        worst = max(worst, *(abs(x - y) for x, y in zip(a, b)))
            if len(there) != len(expected[frame]):
                counts.add((len(there), len(expected[frame])))
        same = all(a == b for a, b in counts)
        # A point cache does not tell Blender how many frames it has: its size does.
        keys = seen["keys"]
        if ending in ("pc2", "mdd"):
            header = 32 if ending == "pc2" else 8 + 4 * (last - first + 1)
            keys = (os.path.getsize(out) - header) // (12 * sum(map(len, expected[looks[0]])))
        fine = same and worst <= TOLERANCE and keys == last - first + 1
        tell(f"{name}.{ending}, {reader}",
             f"{sum(map(len, expected[looks[0]]))} vertices, {keys} frames, at most {worst:.2g} m off", fine)
sys.exit(1 if bad else 0)
