// `sinew [FILE]`: the editor in a window; or driven by a script, with no window at all.
#pragma once

#include <string>
#include <vector>

namespace sinew::editor {

struct RunOptions {
  std::string file;
  std::string renderer;           // auto, vulkan, opengl; in a script also noop
  std::string size;               // of the window, WxH
  std::vector<std::string> show;  // NODE.SOCKET; none: as the document says
  std::vector<std::string> set;   // NODE.PARAM=VALUE: a first step that can be undone
  std::string script;             // actions to be replayed
  std::string out;                // the folder for what the script writes; empty: beside it
  std::string record;             // where to write what is done, as a script
  std::string landmarks;          // where to write what is where on the screen, for other programs
  int threads = 0;
};

// Returns when the window is closed or the script is over; the exit code of the program.
int run_editor(const RunOptions& options);

}  // namespace sinew::editor
