// Packs as somebody might put them together who does not use our program.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "graph/archive.h"
#include "graph/json.h"
#include "graph/key.h"

namespace sinew::testing {

inline constexpr const char* triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

inline Json good() {
  return Json::parse(R"({
    "sinew": 1,
    "meta": {"name": "anna/kite", "version": "1.0.0", "title": "Kite"},
    "nodes": [
      {"id": "load", "type": "mesh.load", "params": {"file": "files/kite.obj"}},
      {"id": "show", "type": "view"}
    ],
    "links": ["load.mesh -> show.value"]
  })");
}

// A document with something in every field that a document has.
inline Json full() {
  return Json::parse(R"({
    "sinew": 1,
    "meta": {"name": "anna/kite", "version": "1.0.0", "title": "Kite", "description": "It\nflies",
             "author": "Anna", "licence": "MIT", "tags": ["air", "toy"], "category": "Motions",
             "expose": ["load.file", "inst.speed"], "give": ["load.mesh"], "frame_ms": 3,
             "unknown": {"deep": ["words", {"more": "words"}]}},
    "settings": {"fps": 25, "first_frame": 0, "last_frame": 9, "seed": 7, "later": "words"},
    "nodes": [
      {"id": "load", "type": "mesh.load", "label": "The kite", "later": "words",
       "params": {"file": {"steps": [[0, "files/kite.obj"], [3, "files/kite.obj"]]}}},
      {"id": "show", "type": "view", "muted": true},
      {"id": "inst", "type": "group", "group": "tail@1.0.0", "label": "Tail",
       "params": {"speed": {"animate": "words"}}},
      {"id": "text", "type": "value.string", "params": {"value": "words"}},
      {"id": "hint", "type": "note", "params": {"text": "a note\nof two lines"}}
    ],
    "links": ["load.mesh -> show.value"],
    "groups": {
      "tail@1.0.0": {
        "meta": {"name": "anna/tail", "version": "1.0.0", "title": "Tail", "tags": ["long"],
                 "category": "Parts"},
        "inputs": [{"id": "speed", "type": "float", "name": "Speed", "default": 1, "doc": "How fast",
                    "unit": "Hz"}],
        "outputs": [{"id": "mesh", "type": "mesh", "name": "Mesh", "doc": "What flies"}],
        "nodes": [{"id": "box", "type": "mesh.box", "label": "A box"}],
        "layout": {"nodes": {"box": {"at": [1, 2], "note": "here"}}},
        "later": "words"
      }
    },
    "layout": {"nodes": {"load": {"at": [0, 0], "colour": "red"}}, "view": {"at": [0, 0]},
               "frames": [{"title": "All of it", "nodes": ["load"]}],
               "cameras": {"front": {"at": [0, 0, 5]}}},
    "later": {"words": "words"}
  })");
}

// The manifest is right unless `lie` makes it wrong.
inline std::string bytes_of(const Json& doc, std::vector<ArchiveFile> files,
                            const std::function<void(Json&)>& lie = {}) {
  files.push_back({"preset.json", doc.dump()});
  const Json meta = doc.value("meta", Json::object());
  Json manifest = {{"sinew_pack", 1},
                   {"name", meta.value("name", "")},
                   {"version", meta.value("version", "")},
                   {"files", Json::object()}};
  for (const ArchiveFile& f : files)
    manifest["files"][f.name] = KeyHasher(0x7061636b).text(f.content).finish().hex();
  if (lie) lie(manifest);
  files.push_back({"manifest.json", manifest.dump()});
  return *pack_archive(files);
}

}  // namespace sinew::testing
