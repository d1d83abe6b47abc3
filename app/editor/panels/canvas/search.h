// The box in which one looks for a node to add.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/editor/panels/canvas/edits.h"

namespace sinew::editor {
class Editor;
}

namespace sinew::editor::canvas {

class SearchAdd {
 public:
  explicit SearchAdd(Editor& editor) : editor_(editor) {}

  // At a place of the canvas. With the end of a link, only what fits it is offered.
  void open(ImVec2 canvas_place, ImVec2 pixel, std::optional<LinkEnd> end);
  bool is_open() const { return open_; }
  const std::optional<LinkEnd>& end() const { return end_; }
  ImVec2 pixel() const { return pixel_; }
  // To be called in each frame, in the window that open() was called for.
  void draw();

  struct Item {
    const NodeType* type = nullptr;
    std::string group;  // an instance of this group of the document
    std::string label, name, category, doc;
    int score = 0;
  };
  // Best match first; without words by category.
  static std::vector<Item> find(const Session& session, const std::string& words,
                                const std::optional<LinkEnd>& end);

 private:
  void draw_list();
  void draw_documentation() const;
  void choose(const Item& item);

  Editor& editor_;
  bool open_ = false, wanted_ = false, moved_ = false;
  ImVec2 place_{0, 0}, pixel_{0, 0};
  std::optional<LinkEnd> end_;
  std::string text_;
  std::vector<Item> items_;
  std::size_t chosen_ = 0;
};

}  // namespace sinew::editor::canvas
