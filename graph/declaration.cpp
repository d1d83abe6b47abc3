#include "graph/declaration.h"

#include <stdexcept>

#include "graph/label.h"

namespace sinew {

void OutputWords::add_body(bool is_output, int index) {
  if (index < 0)
    throw std::logic_error("output '" + info_.name + "' lives on an undeclared socket");
  info_.on.push_back({is_output, index});
}

HandleWords& HandleWords::set(int& field, int index) {
  if (index < 0) throw std::logic_error("handle '" + info_.name + "' has an undeclared socket");
  return field = index, *this;
}

HandleWords Declaration::handle(HandleKind kind, std::string name) {
  HandleInfo info;
  info.kind = kind;
  info.name = std::move(name);
  type_.handles.push_back(std::move(info));
  return HandleWords(type_.handles.back());
}

Declaration& Declaration::add_running(RunningInfo info) {
  if (info.input < 0 || info.x < 0 || info.y < 0)
    throw std::logic_error("running on '" + info.curve + "' with an undeclared socket");
  return type_.running.push_back(std::move(info)), *this;
}

InputWords Declaration::add_input(int& index, std::string name, const TypeInfo& type,
                                  Value standard) {
  index = static_cast<int>(type_.inputs.size());
  InputInfo info;
  info.label = label_from_name(name);
  info.name = std::move(name);
  info.type = &type;
  info.standard = std::move(standard);
  type_.inputs.push_back(std::move(info));
  return InputWords(type_.inputs.back());
}

OutputWords Declaration::add_output(int& index, std::string name, const TypeInfo& type) {
  index = static_cast<int>(type_.outputs.size());
  OutputInfo info;
  info.label = label_from_name(name);
  info.name = std::move(name);
  info.type = &type;
  type_.outputs.push_back(std::move(info));
  return OutputWords(type_.outputs.back());
}

NodeType compute_node(void (*declare)(Declaration&), void (*exec)(Exec&)) {
  NodeType type;
  Declaration d(type);
  declare(d);
  type.exec = exec;
  return type;
}

NodeType select_node(void (*declare)(Declaration&), int (*select)(const Exec&)) {
  NodeType type;
  type.role = NodeRole::select;
  Declaration d(type);
  declare(d);
  type.select = select;
  return type;
}

NodeType structural_node(void (*declare)(Declaration&)) {
  NodeType type;
  type.role = NodeRole::annotation;
  Declaration d(type);
  declare(d);
  return type;
}

}  // namespace sinew
