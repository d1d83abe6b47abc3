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

// The manifest is right unless `lie` makes it wrong.
inline std::string bytes_of(const Json& doc, std::vector<ArchiveFile> files,
                            const std::function<void(Json&)>& lie = {}) {
  files.push_back({"preset.json", doc.dump()});
  Json manifest = {{"sinew_pack", 1},
                   {"name", doc["meta"].value("name", "")},
                   {"version", doc["meta"].value("version", "")},
                   {"files", Json::object()}};
  for (const ArchiveFile& f : files)
    manifest["files"][f.name] = KeyHasher(0x7061636b).text(f.content).finish().hex();
  if (lie) lie(manifest);
  files.push_back({"manifest.json", manifest.dump()});
  return *pack_archive(files);
}

}  // namespace sinew::testing
