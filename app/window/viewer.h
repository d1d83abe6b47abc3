// `sinew FILE`: a window that plays a document and can be walked round.
#pragma once

#include <string>
#include <vector>

namespace sinew {

struct ViewerOptions {
  std::string file;
  std::string renderer;           // auto, vulkan, opengl
  std::vector<std::string> show;  // NODE.SOCKET; none: the viewers
  std::vector<std::string> set;   // NODE.PARAM=VALUE
  std::string size;               // of the window, WxH; empty: 1280x720
};

// Returns when the window is closed; the exit code of the program.
int run_viewer(const ViewerOptions& options);

}  // namespace sinew
