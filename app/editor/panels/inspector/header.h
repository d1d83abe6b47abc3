// The upper part of the inspector: what the chosen node is, how it fares, and sets of values for
// it.
#pragma once

#include <string>
#include <vector>

#include "app/editor/editor.h"
#include "app/editor/node_presets.h"

namespace sinew::editor {

class NodeHeader {
 public:
  explicit NodeHeader(Editor& editor);

  // `all`: the nodes that are changed together with it.
  void draw(const NodeDoc& node, const std::vector<std::string>& all);

 private:
  void draw_title(const NodeDoc& node, const std::vector<std::string>& all);
  void draw_facts(const NodeDoc& node, const std::vector<std::string>& all);
  void draw_messages(const NodeDoc& node);
  // What it can be asked to do (graph/work.h), and how that goes.
  void draw_work(const NodeDoc& node);
  void draw_work_under_way();
  void draw_doc(const NodeDoc& node);
  void draw_presets(const NodeDoc& node, const std::vector<std::string>& all);
  void load(const NodeDoc& node, const std::vector<std::string>& all, const std::string& name,
            const NodePresets::Params& params);
  NodePresets::Params params_of(const NodeDoc& node) const;

  Editor& editor_;
  NodePresets presets_;
  std::string new_name_;
  bool shows_doc_ = false;
};

}  // namespace sinew::editor
