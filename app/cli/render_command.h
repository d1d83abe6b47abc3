// `sinew render`: pictures of a document, with no window.
#pragma once

#include <string>
#include <vector>

namespace sinew::cli {

struct RenderOptions {
  std::string file;
  std::string out;                // .png, .gif, .mp4, or a folder
  std::string frames;             // A:B[:STEP] or N; empty: see docs/cli.md
  std::string size;               // WxH; empty: 1280x720, or 480x270 for each picture of a sheet
  std::string view;               // a camera of the document, or a named view; empty: the standard
  std::vector<std::string> show;  // NODE.SOCKET; none: the viewers
  std::vector<std::string> overlays;  // names, lists of names, "no-" before a name takes it away
  std::string shading;
  std::string section;   // [-]AXIS[=OFFSET]
  std::string map;       // of colours
  std::string sheet;     // COLUMNSxROWS
  std::string renderer;  // auto, vulkan, opengl
  std::vector<std::string> set;
  int threads = 0;
  bool turntable = false;
  bool json = false;
};

int run_render(const RenderOptions& options);

}  // namespace sinew::cli
