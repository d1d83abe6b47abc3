// All node types and value types of one program, and the conversions between value types. Filled
// once at the start by register_all_nodes(); there are no self-registering statics.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "graph/node_type.h"
#include "graph/value.h"

namespace sinew {

// An implicit conversion on a link: only where nothing is lost.
struct Conversion {
  const TypeInfo* from = nullptr;
  const TypeInfo* to = nullptr;
  std::function<Value(const Value&)> convert;
};

class Registry {
 public:
  // Starts with the value types that the graph itself knows, and int -> float.
  Registry();

  void add(NodeType type);
  void add_type(const TypeInfo& type);
  void add_conversion(const TypeInfo& from, const TypeInfo& to,
                      std::function<Value(const Value&)> convert);

  // By current or former id; nullptr if this build does not know it.
  const NodeType* find(std::string_view id) const;
  const TypeInfo* find_type(std::string_view name) const;
  const Conversion* find_conversion(const TypeInfo& from, const TypeInfo& to) const;
  // The type that curves over time have, if one was added (TypeInfo::sample).
  const TypeInfo* curve_type() const { return curve_; }

  // Sorted by id.
  std::vector<const NodeType*> nodes() const;
  std::vector<const TypeInfo*> types() const;

 private:
  std::map<std::string, std::unique_ptr<NodeType>, std::less<>> nodes_;
  std::map<std::string, const NodeType*, std::less<>> former_;
  std::map<std::string, const TypeInfo*, std::less<>> types_;
  std::map<std::pair<const TypeInfo*, const TypeInfo*>, Conversion> conversions_;
  const TypeInfo* curve_ = nullptr;
};

}  // namespace sinew
