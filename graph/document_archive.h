// How the structures of a document look in JSON: one `serialize` each, for cereal, with the names
// of the fields in their order; and the two archives that run them. What is said here once holds
// for reading and for writing.
//
// A field that has its standard value is not written, and one that is missing when read keeps it.
// `rest` is where the fields go that this build does not know.
#pragma once

#include <cereal/cereal.hpp>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "graph/canonical_writer.h"
#include "graph/document.h"
#include "graph/document_check.h"
#include "graph/json_reader.h"

namespace sinew {

// Beside cereal's own name-value pair, which must always be there.
template <class T>
struct OptionalField {
  const char* name;
  T& value;
  T standard;
  bool lines;  // written with one element per line
};
struct Rest {
  Json& fields;
};

template <class T>
OptionalField<T> field(const char* name, T& value, std::type_identity_t<T> standard = {}) {
  return {name, value, std::move(standard), false};
}
template <class T>
OptionalField<T> lines(const char* name, T& value) {
  return {name, value, {}, true};
}
inline Rest rest(Json& fields) { return {fields}; }

// ---- The structures -----------------------------------------------------------------------------

template <class Archive>
void serialize(Archive& ar, NodeDoc& n) {
  ar(cereal::make_nvp("id", n.id), cereal::make_nvp("type", n.type), field("version", n.version, 1),
     field("label", n.label), field("muted", n.muted), field("group", n.group),
     field("params", n.params), rest(n.extra));
}

template <class Archive>
void serialize(Archive& ar, LayoutDoc& l) {
  ar(lines("nodes", l.nodes), rest(l.extra));
}

template <class Archive>
void serialize(Archive& ar, InterfaceItem& i) {
  ar(cereal::make_nvp("id", i.id), cereal::make_nvp("type", i.type), field("name", i.name),
     field("default", i.standard), field("doc", i.doc), rest(i.extra));
}

template <class Archive>
void serialize(Archive& ar, Meta& m) {
  ar(field("name", m.name), field("version", m.version), field("title", m.title),
     field("description", m.description), field("author", m.author), field("licence", m.licence),
     field("tags", m.tags), rest(m.extra));
}

template <class Archive>
void serialize(Archive& ar, GroupDoc& g) {
  ar(field("meta", g.meta), lines("inputs", g.inputs), lines("outputs", g.outputs),
     lines("nodes", g.graph.nodes), lines("links", g.graph.links), field("layout", g.graph.layout),
     rest(g.extra));
}

template <class Archive>
void serialize(Archive& ar, Settings& s) {
  const Settings standard;
  ar(field("fps", s.fps, standard.fps), field("first_frame", s.first_frame, standard.first_frame),
     field("last_frame", s.last_frame, standard.last_frame), field("seed", s.seed, standard.seed),
     rest(s.extra));
}

template <class Archive>
void serialize(Archive& ar, GraphDoc& d) {
  ar(cereal::make_nvp("sinew", d.format), field("meta", d.meta), field("settings", d.settings),
     lines("nodes", d.graph.nodes), lines("links", d.graph.links), lines("groups", d.groups),
     field("layout", d.graph.layout), rest(d.extra));
}

template <class T>
constexpr bool is_record =
    std::is_same_v<T, NodeDoc> || std::is_same_v<T, LayoutDoc> ||
    std::is_same_v<T, InterfaceItem> || std::is_same_v<T, Meta> || std::is_same_v<T, GroupDoc> ||
    std::is_same_v<T, Settings> || std::is_same_v<T, GraphDoc>;
// These hold lines of their own, so they never share one.
template <class T>
constexpr bool is_block =
    std::is_same_v<T, GraphDoc> || std::is_same_v<T, GroupDoc> || std::is_same_v<T, LayoutDoc>;

// "box.mesh -> twist.mesh". Blanks around the arrow do not matter when it is read.
std::string link_text(const LinkDoc& link);
Result<LinkDoc> parse_link(std::string_view text);

// ---- Writing ------------------------------------------------------------------------------------

class CanonicalOutputArchive : public cereal::OutputArchive<CanonicalOutputArchive> {
 public:
  CanonicalOutputArchive() : OutputArchive(this) {}

  CanonicalWriter& writer() { return writer_; }
  void begin_record(bool as_lines) {
    writer_.begin_object(as_lines);
    known_.emplace_back();
  }
  void end_record() {
    writer_.end();
    known_.pop_back();
  }
  void key(const char* name) { writer_.key(name); }
  void know(const char* name) { known_.back().push_back(name); }
  // A field that this build knows cannot also be unknown: the known one counts.
  void save_rest(const Json& fields);

 private:
  CanonicalWriter writer_;
  std::vector<std::vector<const char*>> known_;
};

template <class T>
void prologue(CanonicalOutputArchive& ar, const T&) {
  if constexpr (is_record<T>) ar.begin_record(is_block<T>);
}
template <class T>
void epilogue(CanonicalOutputArchive& ar, const T&) {
  if constexpr (is_record<T>) ar.end_record();
}

inline void save(CanonicalOutputArchive& ar, const std::string& text) { ar.writer().string(text); }
// A template, so that nothing is converted to Json on the quiet.
template <class J>
requires std::is_same_v<J, Json>
void save(CanonicalOutputArchive& ar, const J& tree) { ar.writer().value(tree); }
inline void save(CanonicalOutputArchive& ar, const LinkDoc& link) {
  ar.writer().string(link_text(link));
}
template <class T>
requires std::is_arithmetic_v<T>
void save(CanonicalOutputArchive& ar, const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    ar.writer().boolean(value);
  } else if constexpr (std::is_integral_v<T>) {
    ar.writer().integer(value);
  } else {
    ar.writer().number(value, false);
  }
}
template <class T>
void save_elements(CanonicalOutputArchive& ar, const std::vector<T>& list, bool as_lines) {
  ar.writer().begin_array(as_lines);
  for (const T& element : list) ar(element);
  ar.writer().end();
}
template <class T>
void save_elements(CanonicalOutputArchive& ar, const std::map<std::string, T>& map, bool as_lines) {
  ar.writer().begin_object(as_lines);
  for (const auto& [name, element] : map) {
    ar.writer().key(name);
    ar(element);
  }
  ar.writer().end();
}
template <class T>
void save(CanonicalOutputArchive& ar, const cereal::NameValuePair<T>& pair) {
  ar.know(pair.name);
  ar.key(pair.name);
  ar(pair.value);
}
template <class T>
void save(CanonicalOutputArchive& ar, const OptionalField<T>& f) {
  ar.know(f.name);
  if (f.value == f.standard) return;
  ar.key(f.name);
  if constexpr (requires { save_elements(ar, f.value, f.lines); }) {
    save_elements(ar, f.value, f.lines);
  } else {
    ar(f.value);
  }
}
inline void save(CanonicalOutputArchive& ar, const Rest& r) { ar.save_rest(r.fields); }

// ---- Reading ------------------------------------------------------------------------------------

// Takes the tree apart as it reads, so that it and the document are never both whole in memory.
// Throws a DocumentFlaw; parse_document catches it and finds the position.
class TreeInputArchive : public cereal::InputArchive<TreeInputArchive> {
 public:
  TreeInputArchive(Json& tree, const DocumentLimits& limits)
      : InputArchive(this), limits_(limits), current_(&tree) {}

  Json& current() { return *current_; }
  [[noreturn]] void fail(std::string text) const { throw DocumentFlaw{path_, std::move(text)}; }
  // "must be a list, but is a string", with the name of the field where it has one.
  [[noreturn]] void fail_type(std::string_view wanted) const;
  // "must be a whole number": of a setting that is another number, with its value.
  [[noreturn]] void fail_whole() const;

  template <class Load>
  void inside(std::variant<std::string, size_t> step, Json& child, const Load& load) {
    Json* outer = std::exchange(current_, &child);
    path_.push_back(std::move(step));
    load();
    path_.pop_back();
    current_ = outer;
  }
  // Loads a field and takes it out of the object; false if it is not there.
  template <class T>
  bool load_field(const char* name, T& value) {
    auto& object = current_->get_ref<Json::object_t&>();
    const auto found = object.find(name);
    if (found == object.end()) return false;
    inside(name, found->second, [&] { (*this)(value); });
    object.erase(found);
    return true;
  }
  // So many things of a kind that the tree's own bound does not hold their memory.
  template <class T>
  void count(size_t more) {
    if constexpr (std::is_same_v<T, LinkDoc>) {
      if ((links_ += more) > limits_.links) fail_count("links", limits_.links);
    } else if constexpr (is_record<T>) {
      if ((nodes_ += more) > limits_.nodes) fail_count("nodes", limits_.nodes);
    }
  }

 private:
  [[noreturn]] void fail_count(std::string_view what, size_t limit) const;
  std::string subject() const;  // what the current value is called in a message

  const DocumentLimits& limits_;
  Json* current_;
  JsonPath path_;
  size_t nodes_ = 0, links_ = 0;
};

template <class T>
void prologue(TreeInputArchive& ar, const T&) {
  if constexpr (is_record<T>) {
    if (!ar.current().is_object()) ar.fail_type("an object in braces");
  }
}
template <class T>
void epilogue(TreeInputArchive&, const T&) {}

inline void load(TreeInputArchive& ar, std::string& text) {
  if (!ar.current().is_string()) ar.fail_type("a string");
  text = std::move(ar.current().get_ref<std::string&>());
}
template <class J>
requires std::is_same_v<J, Json>
void load(TreeInputArchive& ar, J& tree) { tree = std::move(ar.current()); }
inline void load(TreeInputArchive& ar, LinkDoc& link) {
  if (!ar.current().is_string()) ar.fail_type("a string like \"box.mesh -> twist.mesh\"");
  Result<LinkDoc> parsed = parse_link(ar.current().get_ref<const std::string&>());
  if (!parsed) ar.fail(parsed.error());
  link = std::move(*parsed);
}
template <class T>
requires std::is_arithmetic_v<T>
void load(TreeInputArchive& ar, T& value) {
  const Json& tree = ar.current();
  if constexpr (std::is_same_v<T, bool>) {
    if (!tree.is_boolean()) ar.fail_type("true or false");
    value = tree.get<bool>();
  } else if constexpr (std::is_integral_v<T>) {
    if (!tree.is_number_integer()) ar.fail_whole();
    const bool is_above =
        tree.is_number_unsigned() && tree.get<uint64_t>() > uint64_t(std::numeric_limits<T>::max());
    if (is_above || tree.get<int64_t>() > std::numeric_limits<T>::max() ||
        tree.get<int64_t>() < std::numeric_limits<T>::min()) {
      ar.fail("the number is too large");
    }
    value = static_cast<T>(tree.get<int64_t>());
  } else {
    if (!tree.is_number()) ar.fail_type("a number");
    value = tree.get<T>();
  }
}
template <class T>
void load(TreeInputArchive& ar, std::vector<T>& list) {
  if (!ar.current().is_array()) ar.fail_type("a list in brackets");
  auto& elements = ar.current().get_ref<Json::array_t&>();
  ar.count<T>(elements.size());
  list.reserve(elements.size());
  for (size_t i = 0; i < elements.size(); ++i) {
    ar.inside(i, elements[i], [&] { ar(list.emplace_back()); });
    elements[i] = nullptr;
  }
}
template <class T>
void load(TreeInputArchive& ar, std::map<std::string, T>& map) {
  if (!ar.current().is_object()) ar.fail_type("an object in braces");
  auto& members = ar.current().get_ref<Json::object_t&>();
  ar.count<T>(members.size());
  for (auto& [name, member] : members) {
    ar.inside(name, member, [&, &key = name] { ar(map[key]); });
    member = nullptr;
  }
}
template <class T>
void load(TreeInputArchive& ar, cereal::NameValuePair<T>& pair) {
  if (!ar.load_field(pair.name, pair.value)) {
    ar.fail(std::string("the field \"") + pair.name + "\" is missing");
  }
}
template <class T>
void load(TreeInputArchive& ar, OptionalField<T>& f) {
  if (!ar.load_field(f.name, f.value)) f.value = std::move(f.standard);
}
inline void load(TreeInputArchive& ar, Rest& r) { r.fields = std::move(ar.current()); }

}  // namespace sinew
