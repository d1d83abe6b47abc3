// `sinew export`: what is seen, over time, as files of other tools.
#pragma once

#include <string>
#include <vector>

namespace sinew::cli {

struct ExportOptions {
  std::string file;
  std::string out;                // .glb, .gltf, .usda, .pc2, .mdd, .ply or .obj
  std::string frames;             // A:B[:STEP] or N; empty: the whole timeline
  double fps = 0;                 // of the file; 0: the document's
  std::string up = "y";           // y or z
  std::string unit = "m";         // m, cm, mm, in, ft
  double error = 0;               // glTF: parts of a body's size; 0: the standard
  int targets = 0;                // glTF: at most; 0: any number
  std::vector<std::string> show;  // NODE.SOCKET; none: the viewers
  std::string skeleton;           // NODE.SOCKET, none, or empty: the one that leads what is seen
  std::vector<std::string> set;
  int threads = 0;
  bool json = false;
};

int run_export(const ExportOptions& options);

}  // namespace sinew::cli
