#include "graph/registry.h"

#include <fmt/format.h>

#include <stdexcept>

namespace sinew {

int NodeType::find_input(std::string_view name) const {
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].name == name) return static_cast<int>(i);
  return -1;
}

int NodeType::find_output(std::string_view name) const {
  for (size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i].name == name) return static_cast<int>(i);
  return -1;
}

Registry::Registry() {
  for (const TypeInfo* type :
       {&type_of<float>(), &type_of<int>(), &type_of<bool>(), &type_of<std::string>(),
        &type_of<Vec3>(), &type_of<Choice>(), &type_of<Any>()})
    add_type(*type);
  add_conversion(type_of<int>(), type_of<float>(),
                 [](const Value& v) { return Value::of(static_cast<float>(v.as<int>())); });
}

void Registry::add(NodeType type) {
  // A mistake in a declaration is a mistake in the program: it stops at the start, not in a graph.
  if (type.id.empty()) throw std::logic_error("a node type has no id");
  if (static_cast<int>(type.upgrades.size()) != type.version - 1)
    throw std::logic_error(fmt::format("{} is version {} but has {} upgrades", type.id,
                                       type.version, type.upgrades.size()));
  auto owned = std::make_unique<NodeType>(std::move(type));
  const NodeType* added = owned.get();
  for (const std::string& old : added->formerly) former_[old] = added;
  if (!nodes_.emplace(added->id, std::move(owned)).second)
    throw std::logic_error(fmt::format("two node types have the id {}", added->id));
}

void Registry::add_type(const TypeInfo& type) {
  types_[type.name] = &type;
  if (type.sample) curve_ = &type;
}

void Registry::add_conversion(const TypeInfo& from, const TypeInfo& to,
                              std::function<Value(const Value&)> convert) {
  conversions_[{&from, &to}] = Conversion{&from, &to, std::move(convert)};
}

const NodeType* Registry::find(std::string_view id) const {
  if (auto it = nodes_.find(id); it != nodes_.end()) return it->second.get();
  if (auto it = former_.find(id); it != former_.end()) return it->second;
  return nullptr;
}

const TypeInfo* Registry::find_type(std::string_view name) const {
  auto it = types_.find(name);
  return it == types_.end() ? nullptr : it->second;
}

const Conversion* Registry::find_conversion(const TypeInfo& from, const TypeInfo& to) const {
  auto it = conversions_.find({&from, &to});
  return it == conversions_.end() ? nullptr : &it->second;
}

std::vector<const NodeType*> Registry::nodes() const {
  std::vector<const NodeType*> list;
  for (const auto& [id, type] : nodes_) list.push_back(type.get());
  return list;
}

std::vector<const TypeInfo*> Registry::types() const {
  std::vector<const TypeInfo*> list;
  for (const auto& [name, type] : types_) list.push_back(type);
  return list;
}

}  // namespace sinew
