// A document: plain structures, written and read through cereal, never node classes. Parameters
// stay JSON here and gain their types only when the graph is compiled against a registry, so that
// a node or a field that this build does not know is kept and written back as it was read.
// docs/format.md describes the file.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graph/json.h"
#include "graph/message.h"
#include "graph/result.h"

namespace sinew {

class Registry;

constexpr int document_format = 1;

struct NodeDoc {
  std::string id;     // unique in its graph: letters, digits, '_', '-'
  std::string type;   // "deform.twist"
  int version = 1;    // of the type, when this was saved
  std::string label;  // shown instead of the type's label; may be empty
  bool muted = false;
  std::string group;                   // for type "group": which one
  std::map<std::string, Json> params;  // by input name; what is not here has its standard value
  Json extra = Json::object();         // fields that this build does not know

  bool operator==(const NodeDoc&) const = default;
};

struct Endpoint {
  std::string node;
  std::string socket;

  bool operator==(const Endpoint&) const = default;
};

// Written as "box.mesh -> twist.mesh". For a socket that takes several, the order of links counts.
struct LinkDoc {
  Endpoint from;
  Endpoint to;

  bool operator==(const LinkDoc&) const = default;
};

// What the canvas needs and evaluation does not: positions, colours, frames, cameras.
struct LayoutDoc {
  std::map<std::string, Json> nodes;  // by node id: {"at": [x, y], ...}
  Json extra = Json::object();        // frames, notes' sizes, cameras, ...

  bool operator==(const LayoutDoc&) const = default;
};

struct GraphBody {
  std::vector<NodeDoc> nodes;
  std::vector<LinkDoc> links;
  LayoutDoc layout;

  const NodeDoc* find(std::string_view id) const;
  bool operator==(const GraphBody&) const = default;
};

// One socket of a group. The id is stable: renaming the socket breaks no link.
struct InterfaceItem {
  std::string id;
  std::string name;  // shown; the id if empty
  std::string type;  // value type: "float", "mesh"
  Json standard;     // inputs: the value when an instance sets none; null: must be linked
  std::string doc;
  Json extra = Json::object();

  bool operator==(const InterfaceItem&) const = default;
};

// What a shared preset says about itself.
struct Meta {
  std::string name;     // "namespace/name"
  std::string version;  // semantic
  std::string title;
  std::string description;
  std::string author;
  std::string licence;
  std::vector<std::string> tags;
  Json extra = Json::object();

  bool operator==(const Meta&) const = default;
};

struct GroupDoc {
  Meta meta;
  std::vector<InterfaceItem> inputs;
  std::vector<InterfaceItem> outputs;
  GraphBody graph;
  Json extra = Json::object();

  bool operator==(const GroupDoc&) const = default;
};

struct Settings {
  double fps = 25;
  int first_frame = 0;  // simulations begin here
  int last_frame = 100;
  int64_t seed = 0;
  Json extra = Json::object();

  bool operator==(const Settings&) const = default;
};

struct GraphDoc {
  int format = document_format;
  Meta meta;
  Settings settings;
  GraphBody graph;
  std::map<std::string, GroupDoc> groups;  // by the name that NodeDoc::group uses
  Json extra = Json::object();

  // The graph that a command acts on: "" is the document's own, else a group's; nullptr if none.
  GraphBody* body(std::string_view group);
  const GraphBody* body(std::string_view group) const;
  bool operator==(const GraphDoc&) const = default;
};

// Bounds on what a file may ask of us, so that a hostile one cannot take the machine.
struct DocumentLimits {
  size_t file_bytes = 64u << 20;
  size_t tree_bytes = 112u << 20;  // estimated memory of the parsed tree
  size_t string_bytes = 8u << 20;  // one string: a thumbnail, a painted mask
  int depth = 64;                  // nesting of arrays and objects
  size_t nodes = 200000;           // with groups and their sockets, in the whole document
  size_t links = 400000;
  bool plain = false;  // a text with control characters is an error, whatever it is for
};

// Reads the text of a document: parses it, checks its structure (ids, links' form, duplicates,
// cycles of links, groups inside themselves), runs the upgrades that it needs. The error says
// where: "line 12, column 5: ...". What the upgrades leave to say (a node of a newer version, ...)
// goes to `notes`. A link to a node that does not exist is kept: compiling marks it.
Result<GraphDoc> parse_document(std::string_view text, const Registry& registry,
                                std::vector<NodeMessage>* notes = nullptr,
                                const DocumentLimits& limits = {});

// The canonical text: the same document always gives the same bytes, ending with a newline.
std::string write_document(const GraphDoc& doc);

// From and to a file. What lies in the folder of an installed pack came from a stranger, and is
// opened as such (stranger.h), whoever asks; nothing is saved there. Saving is atomic: temporary
// file, fsync, rename, fsync of the folder. The errors do not name the file: whoever shows them
// does.
struct LoadedDocument {
  GraphDoc doc;
  std::string text;  // as it is in the file
  std::string pack;  // the name of the installed pack that it is; empty: it is none
};
Result<LoadedDocument> load_with_text(const std::filesystem::path& path, const Registry& registry,
                                      std::vector<NodeMessage>* notes = nullptr,
                                      const DocumentLimits& limits = {});
Result<GraphDoc> load_document(const std::filesystem::path& path, const Registry& registry,
                               std::vector<NodeMessage>* notes = nullptr,
                               const DocumentLimits& limits = {});
Result<void> save_document(const GraphDoc& doc, const std::filesystem::path& path);

// Part of a graph as text, for the clipboard: nodes, the links between them, their layout, and the
// groups that they need.
std::string write_fragment(const GraphDoc& doc, std::string_view group,
                           const std::vector<std::string>& node_ids);

bool valid_id(std::string_view id);
// What NodeDoc::group and GraphDoc::groups use: any text without control characters.
bool valid_group_name(std::string_view name);
// `base` if it is free in the graph, else base2, base3, ...; after box2 comes box3.
std::string unused_id(const GraphBody& graph, std::string_view base);

// Which links begin or end at a node, for upgrades of large documents.
class LinkIndex;

// What an upgrade function of a node type sees: one node, and its surroundings in the same graph.
class UpgradeStep {
 public:
  UpgradeStep(NodeDoc& node, GraphBody& graph, LinkIndex* index = nullptr)
      : node_(node), graph_(graph), index_(index) {}

  NodeDoc& node() { return node_; }
  std::map<std::string, Json>& params() { return node_.params; }
  // Renames a socket with its literal and its links.
  void rename_input(std::string_view from, std::string_view to);
  void rename_output(std::string_view from, std::string_view to);
  void remove_input(std::string_view name);

 private:
  NodeDoc& node_;
  GraphBody& graph_;
  LinkIndex* index_;  // none: every link is looked at
};

}  // namespace sinew
