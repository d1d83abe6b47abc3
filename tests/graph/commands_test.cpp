// Single commands and the history: what they change, what they refuse, what is one step.
#include "graph/commands.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "graph/registry.h"
#include "tests/graph/document_samples.h"

namespace sinew {
namespace {

const Registry& no_nodes() {
  static const Registry registry;
  return registry;
}

GraphDoc parse(std::string_view text) {
  Result<GraphDoc> doc = parse_document(text, no_nodes());
  if (!doc) throw std::runtime_error(doc.error());
  return std::move(*doc);
}

// box -> twist -> view, and a group.
GraphDoc small_document() {
  return parse(R"({"sinew": 1,
    "nodes": [{"id": "box", "type": "mesh.box"}, {"id": "twist", "type": "deform.twist"},
              {"id": "show", "type": "view"}, {"id": "bell", "type": "group", "group": "bell"}],
    "links": ["box.mesh -> twist.mesh", "twist.mesh -> show.value"],
    "groups": {"bell": {"inputs": [{"id": "mesh", "type": "mesh"}],
                        "nodes": [{"id": "in", "type": "group.input"}]}},
    "layout": {"nodes": {"box": {"at": [0, 0]}, "twist": {"at": [200, 10]},
                         "show": {"at": [400, 0]}}}})");
}

NodeDoc node(std::string id, std::string type) {
  NodeDoc n;
  n.id = std::move(id);
  n.type = std::move(type);
  return n;
}

LinkDoc link(std::string from, std::string from_socket, std::string to, std::string to_socket) {
  return {{std::move(from), std::move(from_socket)}, {std::move(to), std::move(to_socket)}};
}

Command one(Edit edit, std::string merge_key = "") {
  Command command;
  command.title = "Edit";
  command.edits.push_back(std::move(edit));
  command.merge_key = std::move(merge_key);
  return command;
}

// Applies, undoes and redoes, with a look at the bytes each time.
void expect_undoable(GraphDoc& doc, Command command) {
  History history(doc);
  const std::string before = write_document(doc);
  const Result<void> applied = history.apply(std::move(command));
  ASSERT_TRUE(applied) << applied.error();
  const std::string after = write_document(doc);
  EXPECT_NE(before, after);
  EXPECT_EQ(parse(after), doc) << "what commands make can be read back";
  history.undo();
  EXPECT_EQ(write_document(doc), before);
  history.redo();
  EXPECT_EQ(write_document(doc), after);
}

std::string refusal(GraphDoc& doc, Command command) {
  History history(doc);
  const std::string before = write_document(doc);
  const Result<void> applied = history.apply(std::move(command));
  EXPECT_EQ(write_document(doc), before);
  EXPECT_FALSE(history.can_undo());
  return applied ? "no error" : applied.error();
}

TEST(Commands, AddNodePicksAFreeId) {
  GraphDoc doc = small_document();
  expect_undoable(doc, add_node(doc, "", node("", "mesh.box"), 10, 20.5));
  EXPECT_EQ(doc.graph.nodes.back().id, "box2");
  EXPECT_EQ(doc.graph.layout.nodes.at("box2"), Json::parse(R"({"at": [10, 20.5]})"));
  expect_undoable(doc, add_node(doc, "bell", node("in", "group.output"), 0, 0));
  EXPECT_EQ(doc.groups.at("bell").graph.nodes.back().id, "in2");
}

TEST(Commands, RemoveNodesTakesTheirLinksAndLayout) {
  GraphDoc doc = small_document();
  expect_undoable(doc, remove_nodes(doc, "", {"twist", "nobody"}));
  EXPECT_EQ(doc.graph.nodes.size(), 3u);
  EXPECT_TRUE(doc.graph.links.empty());
  EXPECT_EQ(doc.graph.layout.nodes.count("twist"), 0u);
  EXPECT_TRUE(remove_nodes(doc, "", {"nobody"}).edits.empty());
}

TEST(Commands, ALinkReplacesTheOneOfASingleSocketInItsPlace) {
  GraphDoc doc = small_document();
  expect_undoable(doc, add_link(doc, "", link("bell", "mesh", "twist", "mesh"), false));
  EXPECT_EQ(doc.graph.links, (std::vector<LinkDoc>{link("bell", "mesh", "twist", "mesh"),
                                                   link("twist", "mesh", "show", "value")}));
  expect_undoable(doc, add_link(doc, "", link("box", "mesh", "twist", "mesh"), true));
  EXPECT_EQ(doc.graph.links.size(), 3u);
  EXPECT_TRUE(add_link(doc, "", link("box", "mesh", "twist", "mesh"), true).edits.empty());
}

TEST(Commands, RenameKeepsPlaceLinksAndLayout) {
  GraphDoc doc = small_document();
  expect_undoable(doc, rename_node(doc, "", "twist", "neck"));
  EXPECT_EQ(doc.graph.nodes[1].id, "neck");
  EXPECT_EQ(doc.graph.links[0], link("box", "mesh", "neck", "mesh"));
  EXPECT_EQ(doc.graph.links[1], link("neck", "mesh", "show", "value"));
  EXPECT_EQ(doc.graph.layout.nodes.at("neck"), Json::parse(R"({"at": [200, 10]})"));
  EXPECT_EQ(refusal(doc, rename_node(doc, "", "neck", "box")), "there already is a node 'box'");
  EXPECT_EQ(refusal(doc, rename_node(doc, "", "neck", "a b")),
            "the id 'a b' of a node is not made of letters, digits, '_' and '-'");
}

TEST(Commands, EveryKindOfEditIsUndoable) {
  GraphDoc doc = small_document();
  Meta meta;
  meta.title = "A title";
  meta.tags = {"x"};
  Settings settings;
  settings.fps = 30;
  InterfaceItem item;
  item.id = "height";
  item.type = "float";
  item.standard = 1.5;
  GroupDoc group;
  group.graph.nodes.push_back(node("a", "t"));
  const std::vector<Edit> edits = {
      edit::InsertNode{"bell", 0, node("a", "t")},
      edit::SetParam{"", "box", "size", Json::parse("[1, 2, 3]")},
      edit::SetLabel{"", "box", "Kiste"},
      edit::SetMuted{"", "box", true},
      edit::SetGroupRef{"", "bell", "somewhere/else"},
      edit::InsertLink{"", 1, link("a", "b", "c", "d")},
      edit::EraseLink{"", link("box", "mesh", "twist", "mesh")},
      edit::SetNodeLayout{"", "box", std::nullopt},
      edit::SetGraphLayout{"", "frames", Json::array()},
      edit::InsertGroup{"other", group},
      edit::SetInterface{"bell", {item}, {}},
      edit::SetMeta{"", meta},
      edit::SetMeta{"bell", meta},
      edit::SetSettings{settings},
      edit::EraseGroup{"other"},
      edit::SetParam{"", "box", "size", std::nullopt},
  };
  for (const Edit& edit : edits) {
    SCOPED_TRACE(edit.index());
    expect_undoable(doc, one(edit));
  }
}

TEST(Commands, WhatCannotBeIsRefusedAndChangesNothing) {
  GraphDoc doc = small_document();
  const double nan = std::nan("");
  const std::pair<Edit, std::string> wrong[] = {
      {edit::InsertNode{"", 0, node("box", "t")}, "there already is a node 'box'"},
      {edit::InsertNode{"nowhere", 0, node("a", "t")}, "there is no group 'nowhere'"},
      {edit::InsertNode{"", 99, node("a", "t")}, "there is no such place among the nodes"},
      {edit::InsertNode{"", 0, node("a", "")}, "node 'a' has no type"},
      {edit::EraseNode{"", "twist"}, "node 'twist' still has links"},
      {edit::EraseNode{"", "nobody"}, "there is no node 'nobody'"},
      {edit::SetParam{"nowhere", "a", "x", Json(1)}, "there is no group 'nowhere'"},
      {edit::SetParam{"", "box", "x", Json(nan)},
       "a number that is not finite, text that is not UTF-8, or too much of it"},
      {edit::SetParam{"", "box", "x", Json("\xff")},
       "a number that is not finite, text that is not UTF-8, or too much of it"},
      {edit::SetLabel{"", "box", "\xc0"},
       "a number that is not finite, text that is not UTF-8, or too much of it"},
      {edit::EraseLink{"", link("a", "b", "c", "d")}, "there is no link a.b -> c.d"},
      {edit::InsertLink{"", 9, link("a", "b", "c", "d")}, "there is no such place among the links"},
      {edit::InsertLink{"", 0, link("a", "b", "c", "d e")},
       "a link's end is not the id of a node and of a socket"},
      {edit::SetGraphLayout{"", "nodes", Json(1)}, "the layout of nodes is set node by node"},
      {edit::EraseGroup{"bell"}, "the group 'bell' is still in use"},
      {edit::InsertGroup{"bell", {}}, "there already is a group 'bell'"},
      {edit::InsertGroup{"a\nb", {}}, "'a\nb' cannot be the name of a group"},
      {edit::SetSettings{{0, 0, 100, 0, Json::object()}}, "\"fps\" is 0, but must be above 0"},
      {edit::InsertLink{"", 0, link("show", "value", "box", "size")},
       "links form a cycle: box -> twist -> show -> box"},
      {edit::SetGroupRef{"bell", "in", "bell"}, "the group 'bell' contains itself: bell -> bell"},
  };
  for (const auto& [edit, error] : wrong) EXPECT_EQ(refusal(doc, one(edit)), error);
}

TEST(Commands, ACommandIsAllOrNothing) {
  GraphDoc doc = small_document();
  Command command = remove_nodes(doc, "", {"box", "twist"});
  command.edits.push_back(edit::SetMuted{"", "nobody", true});
  EXPECT_EQ(refusal(doc, command), "there is no node 'nobody'");
}

TEST(History, AStepIsAmendedBelowLaterOnes) {
  GraphDoc doc = small_document();
  History history(doc);
  const std::string before = write_document(doc);
  const auto set = [](const char* node_id, double value) {
    return edit::SetParam{"", node_id, "size", value};
  };
  const auto value = [&](const char* id) { return doc.graph.find(id)->params.at("size"); };
  EXPECT_FALSE(history.amend("work 1", set("box", 1)));
  ASSERT_TRUE(history.apply(one(set("box", 1), "work 1")));
  ASSERT_TRUE(history.apply(one(set("twist", 5))));
  ASSERT_TRUE(history.amend("work 1", set("box", 2)));
  EXPECT_EQ(history.last_edits().size(), 1u);
  EXPECT_EQ(history.position(), 2u);
  EXPECT_EQ(value("box"), Json(2.0));
  history.undo();
  EXPECT_EQ(value("box"), Json(2.0));
  ASSERT_TRUE(history.amend("work 1", set("box", 3)));
  history.redo();
  EXPECT_EQ(value("box"), Json(3.0));
  EXPECT_EQ(value("twist"), Json(5.0));
  history.undo();
  history.undo();
  EXPECT_EQ(write_document(doc), before);
  EXPECT_FALSE(history.is_done("work 1"));
  EXPECT_FALSE(history.amend("work 1", set("box", 4)));
  EXPECT_EQ(write_document(doc), before);
  history.redo();
  EXPECT_EQ(value("box"), Json(3.0));
  // What somebody has set since stays.
  ASSERT_TRUE(history.apply(one(set("box", 9))));
  EXPECT_TRUE(history.is_done("work 1"));
  EXPECT_FALSE(history.amend("work 1", set("box", 4)));
  EXPECT_EQ(value("box"), Json(9.0));
}

TEST(History, OneDragIsOneStep) {
  GraphDoc doc = small_document();
  History history(doc);
  const std::string start = write_document(doc);
  for (int i = 1; i <= 500; ++i) {
    Command move = one(edit::SetNodeLayout{"", "box", Json{{"at", {i, i}}}}, "drag 1");
    move.edits.push_back(edit::SetNodeLayout{"", "twist", Json{{"at", {200 + i, i}}}});
    ASSERT_TRUE(history.apply(std::move(move)));
  }
  EXPECT_EQ(history.position(), 1u);
  EXPECT_EQ(history.titles().size(), 1u);
  const std::string end = write_document(doc);
  history.undo();
  EXPECT_EQ(history.last_edits().size(), 2u) << "500 moves of two nodes are kept as two edits";
  EXPECT_EQ(write_document(doc), start);
  history.redo();
  EXPECT_EQ(write_document(doc), end);
}

TEST(History, DragsAreToldApart) {
  GraphDoc doc = small_document();
  History history(doc);
  const auto turn = [&](double angle, const char* key) {
    ASSERT_TRUE(history.apply(one(edit::SetParam{"", "twist", "angle", Json(angle)}, key)));
  };
  turn(1, "drag 1");
  turn(2, "drag 1");
  turn(3, "drag 2");
  EXPECT_EQ(history.position(), 2u);
  history.seal();
  turn(4, "drag 2");
  EXPECT_EQ(history.position(), 3u) << "the drag had ended";
  turn(5, "");
  turn(6, "");
  EXPECT_EQ(history.position(), 5u) << "without a key nothing merges";
  history.undo();
  history.undo();
  turn(7, "drag 2");
  EXPECT_EQ(history.position(), 4u) << "an undo ends a drag, too";
  EXPECT_FALSE(history.can_redo());
  history.undo();
  EXPECT_EQ(doc.graph.find("twist")->params.at("angle"), 4.0);
}

TEST(History, ADragThatAddsThingsIsUndoneInOrder) {
  GraphDoc doc = small_document();
  History history(doc);
  const std::string start = write_document(doc);
  for (int i = 0; i < 5; ++i) {
    Command command = add_node(doc, "", node("", "mesh.box"), i, i);
    command.merge_key = "spray";
    ASSERT_TRUE(history.apply(std::move(command)));
  }
  const std::string end = write_document(doc);
  EXPECT_EQ(history.position(), 1u);
  history.undo();
  EXPECT_EQ(write_document(doc), start);
  history.redo();
  EXPECT_EQ(write_document(doc), end);
}

TEST(History, EqualLinksAreUndoneAtTheirPlaces) {
  GraphDoc doc =
      parse(R"({"sinew": 1, "nodes": [{"id": "a", "type": "t"}, {"id": "b", "type": "t"}],
    "links": ["a.x -> b.y", "a.z -> b.y", "a.x -> b.y"]})");
  expect_undoable(doc, one(edit::InsertLink{"", 3, link("a", "x", "b", "y")}));
  expect_undoable(doc, remove_nodes(doc, "", {"a"}));
}

TEST(History, ANodeThatLinksWaitedForIsUndone) {
  GraphDoc doc = parse(R"({"sinew": 1, "nodes": [{"id": "a", "type": "t"}],
    "links": ["box.x -> a.y", "a.x -> box2.y"]})");
  expect_undoable(doc, add_node(doc, "", node("", "mesh.box"), 0, 0));
  EXPECT_EQ(doc.graph.nodes.back().id, "box3") << "a new node must not be linked by accident";
  expect_undoable(doc, rename_node(doc, "", "box3", "box"));
  EXPECT_EQ(refusal(doc, rename_node(doc, "", "a", "box2")), "links form a cycle: box2 -> box2");
}

TEST(History, WithoutEditsThereIsNoStep) {
  GraphDoc doc = small_document();
  History history(doc);
  EXPECT_TRUE(history.apply({}));
  EXPECT_FALSE(history.can_undo());
  history.undo();
  history.redo();
}

TEST(History, AChangeBehindItsBackIsNotMadeWorse) {
  GraphDoc doc = small_document();
  History history(doc);
  ASSERT_TRUE(history.apply(add_node(doc, "", node("x", "t"), 0, 0)));
  doc.graph.nodes.pop_back();
  const std::string changed = write_document(doc);
  history.undo();
  EXPECT_EQ(write_document(doc), changed);
  EXPECT_FALSE(history.can_undo());
}

// ---- Clipboard ----------------------------------------------------------------------------------

TEST(Clipboard, InnerLinksAndLayoutComeAlong) {
  GraphDoc doc = small_document();
  const std::string text = write_fragment(doc, "", {"twist", "box"});
  EXPECT_EQ(text, R"({
  "sinew": 1,
  "nodes": [
    {"id": "box", "type": "mesh.box"},
    {"id": "twist", "type": "deform.twist"}
  ],
  "links": [
    "box.mesh -> twist.mesh"
  ],
  "layout": {
    "nodes": {
      "box": {"at": [0, 0]},
      "twist": {"at": [200, 10]}
    }
  }
}
)");
  Result<Command> paste = paste_fragment(doc, "", text, no_nodes(), 1000, 500);
  ASSERT_TRUE(paste) << paste.error();
  expect_undoable(doc, *paste);
  EXPECT_EQ(doc.graph.links.back(), link("box2", "mesh", "twist2", "mesh"));
  EXPECT_EQ(doc.graph.layout.nodes.at("box2"), Json::parse(R"({"at": [1000, 500]})"));
  EXPECT_EQ(doc.graph.layout.nodes.at("twist2"), Json::parse(R"({"at": [1200, 510]})"));
}

TEST(Clipboard, GroupsComeAlongAndEqualOnesAreShared) {
  const GraphDoc source = parse(R"({"sinew": 1,
    "nodes": [{"id": "a", "type": "group", "group": "outer"}],
    "groups": {"outer": {"nodes": [{"id": "i", "type": "group", "group": "inner@1.0"}]},
               "inner@1.0": {"nodes": [{"id": "n", "type": "t"}]},
               "unused": {}}})");
  const std::string text = write_fragment(source, "", {"a"});

  GraphDoc empty;
  Result<Command> paste = paste_fragment(empty, "", text, no_nodes(), 0, 0);
  ASSERT_TRUE(paste) << paste.error();
  expect_undoable(empty, *paste);
  EXPECT_EQ(empty.groups.size(), 2u);

  GraphDoc same = source;
  paste = paste_fragment(same, "", text, no_nodes(), 0, 0);
  ASSERT_TRUE(paste);
  expect_undoable(same, *paste);
  EXPECT_EQ(same.groups, source.groups);

  GraphDoc other = source;
  other.groups.at("inner@1.0").graph.nodes[0].label = "changed";
  paste = paste_fragment(other, "", text, no_nodes(), 0, 0);
  ASSERT_TRUE(paste);
  expect_undoable(other, *paste);
  EXPECT_EQ(other.graph.find("a2")->group, "outer-2") << "its content differs by what it contains";
  EXPECT_EQ(other.groups.at("outer-2").graph.nodes[0].group, "inner-2@1.0");
  EXPECT_EQ(other.groups.at("inner-2@1.0"), source.groups.at("inner@1.0"));
  EXPECT_EQ(other.groups.at("outer"), source.groups.at("outer"));
}

// Whatever they are called: those that are needed come first, and go last.
TEST(Clipboard, GroupsInsideOfGroupsCanBeTakenBack) {
  for (const auto& [outer, inner] : {std::pair("a", "z"), std::pair("z", "a")}) {
    const GraphDoc source = parse(fmt::format(
        R"({{"sinew": 1, "nodes": [{{"id": "it", "type": "group", "group": "{0}"}}],
            "groups": {{"{0}": {{"nodes": [{{"id": "i", "type": "group", "group": "{1}"}},
                                          {{"id": "j", "type": "group", "group": "{1}"}}]}},
                       "{1}": {{"nodes": [{{"id": "n", "type": "t"}}]}}}}}})",
        outer, inner));
    GraphDoc doc;
    const Result<Command> paste =
        paste_fragment(doc, "", write_fragment(source, "", {"it"}), no_nodes(), 0, 0);
    ASSERT_TRUE(paste) << paste.error();
    expect_undoable(doc, *paste);
    EXPECT_EQ(doc.groups.size(), 2u);
  }
}

TEST(Clipboard, WhatIsNotADocumentIsRefused) {
  const GraphDoc doc = small_document();
  const Result<Command> paste = paste_fragment(doc, "", "hello", no_nodes(), 0, 0);
  ASSERT_FALSE(paste);
  EXPECT_EQ(paste.error(),
            "the text to paste is not a Sinew document: line 1, column 1: not valid JSON: invalid "
            "literal");
}

TEST(Clipboard, AGroupCannotBePastedIntoItself) {
  GraphDoc doc = small_document();
  const std::string text = write_fragment(doc, "", {"bell"});
  const Result<Command> paste = paste_fragment(doc, "bell", text, no_nodes(), 0, 0);
  ASSERT_TRUE(paste);
  EXPECT_EQ(refusal(doc, *paste), "the group 'bell' contains itself: bell -> bell");
}

TEST(Clipboard, AThousandNodesOfOneNameArePastedQuickly) {
  GraphDoc doc = testing::chain_document(2000);
  std::vector<std::string> ids;
  for (const NodeDoc& n : doc.graph.nodes) ids.push_back(n.id);
  const Result<Command> paste =
      paste_fragment(doc, "", write_fragment(doc, "", ids), no_nodes(), 0, 0);
  ASSERT_TRUE(paste);
  expect_undoable(doc, *paste);
  EXPECT_EQ(doc.graph.nodes.size(), 4000u);
  EXPECT_EQ(doc.graph.links.size(), 2u * 1999u);
}

// ---- Groups -------------------------------------------------------------------------------------

std::string mesh_or_field(const Endpoint& end, bool) {
  return end.socket == "mesh" ? "mesh" : "field";
}

TEST(MakeGroup, LinksAcrossTheBorderBecomeItsSockets) {
  GraphDoc doc = parse(R"({"sinew": 1,
    "nodes": [{"id": "box", "type": "t"}, {"id": "noise", "type": "t"}, {"id": "smooth", "type": "t"},
              {"id": "bend", "type": "t", "params": {"angle": 3}}, {"id": "merge", "type": "t"}],
    "links": ["box.mesh -> noise.mesh", "box.mesh -> smooth.mesh", "noise.field -> bend.weight",
              "smooth.mesh -> bend.mesh", "smooth.mesh -> merge.meshes", "box.mesh -> merge.meshes",
              "bend.mesh -> merge.meshes"],
    "layout": {"nodes": {"smooth": {"at": [100, 0]}, "bend": {"at": [300, 100]}}}})");
  const Result<Command> command = make_group(doc, "", {"smooth", "bend"}, "ns/soft", mesh_or_field);
  ASSERT_TRUE(command) << command.error();
  expect_undoable(doc, *command);
  EXPECT_EQ(write_document(doc), R"({
  "sinew": 1,
  "nodes": [
    {"id": "box", "type": "t"},
    {"id": "noise", "type": "t"},
    {"id": "soft", "type": "group", "group": "ns/soft"},
    {"id": "merge", "type": "t"}
  ],
  "links": [
    "box.mesh -> noise.mesh",
    "box.mesh -> soft.mesh",
    "noise.field -> soft.weight",
    "soft.mesh -> merge.meshes",
    "box.mesh -> merge.meshes",
    "soft.mesh2 -> merge.meshes"
  ],
  "groups": {
    "ns/soft": {
      "inputs": [
        {"id": "mesh", "type": "mesh"},
        {"id": "weight", "type": "field"}
      ],
      "outputs": [
        {"id": "mesh", "type": "mesh"},
        {"id": "mesh2", "type": "mesh"}
      ],
      "nodes": [
        {"id": "smooth", "type": "t"},
        {"id": "bend", "type": "t", "params": {"angle": 3}},
        {"id": "input", "type": "group.input"},
        {"id": "output", "type": "group.output"}
      ],
      "links": [
        "input.mesh -> smooth.mesh",
        "input.weight -> bend.weight",
        "smooth.mesh -> bend.mesh",
        "smooth.mesh -> output.mesh",
        "bend.mesh -> output.mesh2"
      ],
      "layout": {
        "nodes": {
          "bend": {"at": [300, 100]},
          "input": {"at": [-150, 50]},
          "output": {"at": [550, 50]},
          "smooth": {"at": [100, 0]}
        }
      }
    }
  },
  "layout": {
    "nodes": {
      "soft": {"at": [200, 50]}
    }
  }
}
)");
}

TEST(MakeGroup, SaysWhyItCannotBeDone) {
  GraphDoc doc = small_document();
  const auto error = [&](std::vector<std::string> ids, const char* name, const char* graph = "") {
    const Result<Command> command = make_group(doc, graph, ids, name, mesh_or_field);
    return command ? "no error" : command.error();
  };
  EXPECT_EQ(error({"box", "show"}, "g"),
            "a node outside of the group would lie between nodes inside: take it in, too");
  EXPECT_EQ(error({"nobody"}, "g"), "there is no node 'nobody'");
  EXPECT_EQ(error({}, "g"), "there are no nodes to make a group of");
  EXPECT_EQ(error({"box"}, "bell"), "there already is a group 'bell'");
  EXPECT_EQ(error({"box"}, ""), "'' cannot be the name of a group");
  EXPECT_EQ(error({"in"}, "g", "bell"), "node 'in' is the border of its group and cannot leave it");
}

}  // namespace
}  // namespace sinew
