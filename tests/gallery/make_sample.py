#!/usr/bin/env python3
"""Assembles a gallery from the page's template with real pictures and models of a few presets, to work
on the page without the command that normally fills it.

    make_sample.py SINEW PRESETS OUT_FOLDER [NAME...]
"""
import array
import base64
import glob
import gzip
import html
import json
import os
import re
import struct
import subprocess
import sys

sinew, presets, out = sys.argv[1:4]
here = os.path.dirname(os.path.abspath(__file__))
page = os.path.join(here, "..", "..", "app", "gallery")
FILM_FRAMES, FILM_COLUMNS = 24, 4
NAMES = sys.argv[4:] or [
    "sinew/" + name for name in (
        "human-skin putty jelly mild-steel rubber jellyfish-swim worm-crawl worm-bend heart bowel "
        "jellyfish-crowd snail-touch dffd-shuffle dffd-table-bound dffd-car seagull-flight sea-waves "
        "skin-walk skin-hand skin-gull skin-flesh meshless-salto meshless-dodge meshless-dragon-pose "
        "ffd-modes drifter whip").split()]
node_types = {t["id"]: t for t in json.loads(subprocess.check_output([sinew, "nodes", "--json"]))}


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def as_data_url(path):
    with open(path, "rb") as file:
        return "data:image/jpeg;base64," + base64.b64encode(file.read()).decode()


def read_ply(path):
    """Positions, colours (or None) and triangles of a binary PLY as Sinew writes it."""
    data = open(path, "rb").read()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    sizes = {"float": "f", "uchar": "B", "uint": "I", "int": "i"}
    counts, fields = {}, []
    for line in data[:end].decode().splitlines():
        words = line.split()
        if words[0] == "element":
            counts[words[1]], element = int(words[2]), words[1]
        elif words[0] == "property" and element == "vertex":
            fields.append((words[2], sizes[words[1]]))
    layout = struct.Struct("<" + "".join(kind for _, kind in fields))
    at = {name: k for k, (name, _) in enumerate(fields)}
    positions, colours = array.array("f"), bytearray()
    for row in layout.iter_unpack(data[end:end + counts["vertex"] * layout.size]):
        positions.extend(row[at["x"]:at["x"] + 3])
        if "red" in at:
            colours.extend(row[at["red"]:at["red"] + 3])
    triangles, place = array.array("I"), end + counts["vertex"] * layout.size
    for _ in range(counts.get("face", 0)):
        corners = struct.unpack_from("<%dI" % data[place], data, place + 1)
        place += 1 + 4 * len(corners)
        for k in range(2, len(corners)):
            triangles.extend((corners[0], corners[k - 1], corners[k]))
    return positions, bytes(colours) or None, triangles


def padded(data):
    return data + b"\0" * (-len(data) % 4)


def pack_model(files, seconds):
    frames = [read_ply(file) for file in files]
    positions, colours, triangles = frames[0]
    vertices = len(positions) // 3
    if not triangles or any(len(f[0]) != len(positions) for f in frames):
        return None
    low = [min(min(f[0][axis::3]) for f in frames) for axis in range(3)]
    high = [max(max(f[0][axis::3]) for f in frames) for axis in range(3)]
    centre = [(a + b) / 2 for a, b in zip(low, high)]
    half = max(b - a for a, b in zip(low, high)) / 2 or 1
    small = vertices <= 65536
    colour_frames = 0 if not colours else len(frames) if any(f[1] != colours for f in frames) else 1
    header = json.dumps({
        "frames": len(frames), "seconds": seconds, "box": [low, high],
        "pieces": [{"vertices": vertices, "triangles": len(triangles) // 3,
                    "index_bytes": 2 if small else 4, "colour_frames": colour_frames,
                    "colour": [205, 196, 186]}]}).encode()
    data = padded(struct.pack("<I", len(header)) + header)
    data += padded(array.array("H" if small else "I", triangles).tobytes())
    before = [0] * len(positions)
    steps = array.array("H")
    for frame in frames:
        now = [round((p - centre[k % 3]) / half * 32767) for k, p in enumerate(frame[0])]
        steps.extend((a - b) & 0xFFFF for a, b in zip(now, before))
        before = now
    data += padded(steps.tobytes())
    data += padded(b"".join(f[1] for f in frames[:colour_frames]))
    return base64.b64encode(gzip.compress(data)).decode()


def parameters_of(doc):
    nodes = {node["id"]: node for node in doc["nodes"]}
    for path in doc["meta"].get("expose", []):
        node, _, name = path.partition(".")
        node = nodes.get(node)
        kind = node_types.get(node["type"], {}) if node else {}
        for socket in kind.get("inputs", []):
            if socket["name"] != name or socket["type"] not in ("float", "int", "bool", "vec3", "choice"):
                continue
            value = node.get("params", {}).get(name, socket.get("standard"))
            if isinstance(value, dict):
                value = "a chart"
            bounds = "%g to %g" % (socket["min"], socket["max"]) if "min" in socket and "max" in socket else ""
            yield {"node": node.get("label", kind["label"]), "label": socket["label"],
                   "value": json.dumps(value).strip('"'), "unit": socket.get("unit", ""),
                   "range": bounds, "doc": socket["doc"]}


def graph_svg(doc):
    places = {name: entry["at"] for name, entry in doc.get("layout", {}).get("nodes", {}).items()}
    boxes = {n["id"]: (*places.get(n["id"], (220 * k, 0)), n.get("label", n["type"]))
             for k, n in enumerate(doc["nodes"]) if n["type"] != "note"}
    left, top = (min(box[k] for box in boxes.values()) - 30 for k in range(2))
    right, bottom = max(b[0] for b in boxes.values()) + 200, max(b[1] for b in boxes.values()) + 90
    size = (right - left, bottom - top)
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="%g %g %g %g" width="%g" height="%g" '
             'font-family="sans-serif" font-size="14">' % (left, top, *size, *size),
             '<rect x="%g" y="%g" width="%g" height="%g" fill="#1d1e21"/>' % (left, top, *size)]
    for link in doc.get("links", []):
        ends = [boxes.get(end.split(".")[0]) for end in link.split(" -> ")]
        if all(ends):
            (x, y, _), (u, v, _) = ends
            parts.append('<path d="M%g %gC%g %g %g %g %g %g" fill="none" stroke="#7d8694" stroke-width="2"/>'
                         % (x + 170, y + 30, x + 210, y + 30, u - 40, v + 30, u, v + 30))
    for x, y, label in boxes.values():
        parts.append('<rect x="%g" y="%g" width="170" height="60" rx="8" fill="#2f3238" stroke="#4a4f58"/>'
                     '<text x="%g" y="%g" fill="#e8e8ea">%s</text>'
                     % (x, y, x + 12, y + 35, html.escape(label[:21])))
    return "".join(parts) + "</svg>"


def sample(doc, path, index):
    meta, settings = doc["meta"], doc.get("settings", {})
    fps, last = settings.get("fps", 24), settings.get("last_frame", 100)
    folder = os.path.join(out, "work", meta["name"].replace("/", "."))
    still, film = os.path.join(folder, "still.jpg"), os.path.join(folder, "film.jpg")
    step = max(1, min(last, 96) // FILM_FRAMES)
    end = min(last, step * (FILM_FRAMES - 1))
    count = end // step + 1
    seconds = round(count * step / fps, 3)
    if not os.path.exists(film):
        os.makedirs(folder, exist_ok=True)
        look = ["--overlay", "no-legend,no-labels"]
        run(sinew, "render", path, "--frames", str(meta.get("picture_frame", 12)), "--size", "960x600",
            *look, "-o", folder + "/still.png")
        run("ffmpeg", "-y", "-i", folder + "/still.png", "-vf", "scale=480:300:flags=area", "-q:v", "4", still)
        run(sinew, "render", path, "--frames", "0:%d:%d" % (end, step), "--size", "480x300", *look,
            "-o", folder + "/frames/")
        run("ffmpeg", "-y", "-pattern_type", "glob", "-i", folder + "/frames/*.png", "-vf",
            "scale=240:150:flags=area,tile=%dx%d" % (FILM_COLUMNS, -(-count // FILM_COLUMNS)),
            "-frames:v", "1", "-q:v", "5", film)
        run(sinew, "export", path, "--frames", "0:%d:%d" % (end, step), "-o", folder + "/model.ply")
    cached = os.path.join(folder, "model.txt")
    if not os.path.exists(cached):
        model = pack_model(sorted(glob.glob(folder + "/model_*.ply")), seconds)
        open(cached, "w").write(model or "")
    model = open(cached).read()
    pack = "packs/%s.sinew" % meta["name"].replace("/", ".")
    with open(os.path.join(out, pack), "wb") as file:
        file.write(gzip.compress(json.dumps(doc).encode()))
    entry = {key: meta[key] for key in ("name", "version", "title", "description", "author", "licence", "tags")}
    entry.update({
        "category": meta.get("category", "Others"), "nodes": len(doc["nodes"]), "frames": last + 1, "fps": fps,
        "uses": list(dict.fromkeys(node_types.get(n["type"], {"label": n["type"]})["label"]
                                   for n in doc["nodes"] if n["type"] != "note")),
        "parameters": list(parameters_of(doc)), "graph": graph_svg(doc), "still": as_data_url(still),
        "film": {"image": as_data_url(film), "frames": count, "columns": FILM_COLUMNS, "width": 240,
                 "height": 150, "seconds": seconds} if count > 1 else None,
        "model": "model-%d" % index if model else None,
        "download": {"href": pack, "bytes": os.path.getsize(os.path.join(out, pack))}})
    return entry, model


def main():
    os.makedirs(os.path.join(out, "packs"), exist_ok=True)
    found = {}
    for path in glob.glob(os.path.join(presets, "**", "*.json"), recursive=True):
        doc = json.load(open(path))
        found[doc.get("meta", {}).get("name")] = (doc, path)
    entries, models = [], []
    for name in NAMES:
        if name in found:
            entry, model = sample(*found[name], len(entries))
            entries.append(entry)
            models.append(model)
    library = json.dumps({"title": "Sinew's library", "made_with": "sinew 0.1", "presets": entries})
    data = '<script type="application/json" id="library">%s</script>\n' % library.replace("<", "\\u003c")
    for index, model in enumerate(models):
        if model:
            data += '<script type="text/plain" id="model-%d">%s</script>\n' % (index, model)
    parts = {"page.html": None, "page.css": None, "model.js": None, "viewer.js": None, "page.js": None}
    for name in parts:
        parts[name] = open(os.path.join(page, name), encoding="utf-8").read()
    text = parts["page.html"]
    for mark, content in (("/*SINEW-STYLE*/", parts["page.css"]), ("<!--SINEW-DATA-->", data),
                          ("/*SINEW-SCRIPT*/", parts["model.js"] + parts["viewer.js"] + parts["page.js"])):
        text = re.sub(re.escape(mark), lambda _: content, text, count=1)
    with open(os.path.join(out, "index.html"), "w", encoding="utf-8") as file:
        file.write(text)
    print("%d presets, %.1f MB" % (len(entries), len(text) / 1e6))


main()
