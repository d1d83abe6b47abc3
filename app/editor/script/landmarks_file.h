// What is where in the window, and how the editor stands, as JSON in a file: so that another
// program finds in the real window what a person finds by looking.
//
//   {"landmarks": {"node.bell": [left, top, right, bottom], ...}, "state": {"busy": false, ...}}
#pragma once

#include <filesystem>
#include <string>

namespace sinew::editor {

class Editor;

class LandmarksFile {
 public:
  // An empty name: nothing is written.
  explicit LandmarksFile(std::filesystem::path file) : file_(std::move(file)) {}

  // After each frame: writes the file if something has changed, but not too often.
  void update(Editor& editor);

 private:
  std::filesystem::path file_;
  std::string written_;
  double written_at_ = -1;
};

// What the file says of the present frame.
std::string landmarks_text(Editor& editor);

}  // namespace sinew::editor
