// What the canvas does to the document, as commands: each is one step, whatever it is made of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/editor/panels/canvas/model.h"

namespace sinew::editor::canvas {

// Puts a command together from others, each made for the document as the ones before leave it.
class Steps {
 public:
  Steps(const Session& session, std::string title);

  const GraphDoc& doc() const { return doc_; }
  const GraphBody& body() const { return *doc_.body(graph_); }
  void add(Command command);
  void add(Edit edit);
  void link(const LinkDoc& link, bool multi);
  void unlink(const LinkDoc& link);
  // Nothing if a part was refused: applying it would say why.
  Command take() { return std::move(command_); }

 private:
  GraphDoc doc_;
  std::string graph_;
  Command command_;
};

LinkDoc link_doc(const Model& model, const Link& link);

// ---- Places. Where a node has none in the document, it gets the one that it is seen at.
Command move_nodes(const Session& session, const Model& model, const std::vector<int>& nodes,
                   const std::vector<ImVec2>& to, std::string title);
// A member of the layout of nodes, such as "collapsed"; no value takes it away.
Command set_layout(const Session& session, const Model& model, const std::vector<int>& nodes,
                   const char* member, const std::optional<Json>& value, std::string title);

// ---- Links
// Sets a link, and takes away the one that was dragged off.
Command connect(const Session& session, const LinkDoc& link, bool multi,
                const std::optional<LinkDoc>& detached);
Command remove_links(const Session& session, const std::vector<LinkDoc>& links);
// Puts a node into a link, by the sockets that fit; nothing if none do.
std::optional<Command> insert_on_link(const Session& session, const Model& model, int node,
                                      const Link& link, const std::optional<Command>& first);
// A reroute in the middle of a link.
std::optional<Command> bend_link(const Session& session, const Model& model, const Link& link,
                                 ImVec2 at);

// ---- Nodes
struct Added {
  Command command;
  std::string id;
};
// A node and, if one is given, its link: the other end is `end`, at an output if `from_output`.
struct LinkEnd {
  bool is_output = true;
  Endpoint at;
  const TypeInfo* type = nullptr;    // of an output
  const InputInfo* input = nullptr;  // of an input
  // Where the node is to go in between: the input that the output is linked with now, whose
  // declaration is `input`.
  std::optional<Endpoint> beyond;
};
Added add_node_with_link(const Session& session, NodeDoc node, ImVec2 at,
                         const std::optional<LinkEnd>& end);
// Takes nodes away and joins what came in with what went out.
Command dissolve(const Session& session, const Model& model, const std::vector<int>& nodes);

// ---- Groups
Result<Command> group_nodes(const Session& session, const Model& model,
                            const std::vector<int>& nodes, std::string* instance);
Result<Command> ungroup(const Session& session, const std::string& instance);

// ---- Frames
Json frames_json(const Session& session);
Command set_frames(const Session& session, Json frames, std::string title);

}  // namespace sinew::editor::canvas
