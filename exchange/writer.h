// Animations as files of other tools. A writer is given frame after frame and makes its files whole
// or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "exchange/animation.h"
#include "graph/result.h"

namespace sinew::exchange {

struct WriterOptions {
  std::filesystem::path file;
  int first_frame = 0, frame_count = 1;  // that will come
  double fps = 25;                       // of them
  Space space;
  // glTF: how far a vertex may be from where it belongs, as a part of the diagonal of the box
  // around the body at its first frame.
  double error = 1e-5;
  int most_targets = 0;  // glTF: no more morph targets than that; 0: as many as the error asks for
  std::string title;     // of the document, for the file's own words
};

struct Report {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> notes;  // what a person should know: "bell: 12 morph targets, ..."
};

class Writer {
 public:
  virtual ~Writer() = default;
  // The error says what cannot go into such a file: "frame 12: 'bell' has 80 vertices, and had 82".
  virtual Result<void> add(const Scene& scene) = 0;
  // Writes what is left, and lets the files appear. `stopped`: asked in long work.
  virtual Result<Report> finish(const std::function<bool()>& stopped) = 0;
};

// By the ending. The error names the endings that there are, or says what this one cannot have.
Result<std::unique_ptr<Writer>> open_writer(const WriterOptions& options);

// "glb", "usda", ...
std::vector<std::string> writer_endings();

// What every file that keeps its triangles needs: bodies that stay what they are. Empty: they did.
std::string change_of_shape(std::span<const Body> before, std::span<const Body> now);

}  // namespace sinew::exchange
