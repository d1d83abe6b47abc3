// One parameter as the inspector sees it, and the changes that can be made to it: of one node, or
// of several of the same type at once.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/editor/editor.h"
#include "app/library/animation.h"

namespace sinew::editor {

using namespace library;

struct Param {
  const InputInfo* info = nullptr;
  std::size_t index = 0;        // among the node's inputs
  const Json* given = nullptr;  // what the document says; nullptr: nothing
  Value value;                  // what counts at this frame; empty: there is none
  std::vector<const LinkDoc*> links;
  bool linked = false;
  bool animated = false, recorded = false;
  bool differs = false;  // from the standard value
  bool several = false;  // the chosen nodes do not agree

  std::vector<double> numbers() const;
};

class ParamEdits {
 public:
  explicit ParamEdits(Editor& editor) : editor_(editor) {}

  // Whose parameters are meant: the active node first.
  void choose(const NodeDoc& node, std::vector<std::string> all);
  const std::string& node() const { return nodes_.front(); }
  std::size_t count() const { return nodes_.size(); }

  Param read(const InputInfo& info, std::size_t index) const;
  Moment now() const;

  // One step each. While a drag goes on, all of it is one. `verb`: what the history says of it,
  // before the name of the parameter.
  void set(const Param& param, Json value, bool going_on = false, const std::string& verb = "Set");
  void set_number(const Param& param, std::size_t component, double x, bool going_on);
  void reset(const Param& param);
  void finish();

  // ---- Over time
  void animate(const Param& param);
  // The value of this moment stays.
  void stop_animating(const Param& param);
  // Puts a key here, or takes away the one that is here.
  void toggle_key(const Param& param);
  void open_chart(const Param& param);

  // ---- As text
  void copy(const Param& param) const;
  void paste(const Param& param);

 private:
  Value value_of(const std::string& node, std::size_t index) const;
  void apply(const Param& param, const std::string& verb,
             const std::function<std::optional<Json>(const std::string& node)>& next,
             bool going_on = false);
  Json literal(const Param& param, const Value& value, const Json* given) const;

  Editor& editor_;
  std::vector<std::string> nodes_;
  std::map<std::string, std::vector<const LinkDoc*>> links_;  // of the active one, by input
  std::set<std::string> linked_;                              // inputs of any of them
  uint64_t drags_ = 0;
  bool open_ = false;  // a drag goes on
};

}  // namespace sinew::editor
