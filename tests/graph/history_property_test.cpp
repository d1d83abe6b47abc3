// Thousands of random commands, undone and redone, give the same document byte for byte.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <random>

#include "graph/commands.h"
#include "graph/registry.h"

namespace sinew {
namespace {

// Makes one random command after another for a document, from two numbers each, so that RapidCheck
// can shrink them.
class RandomCommands {
 public:
  explicit RandomCommands(const GraphDoc& doc) : doc_(doc) {}

  static constexpr int kinds = 20;

  Command make(int kind, uint64_t seed) {
    random_.seed(seed);
    const std::string graph = random_graph();
    const size_t nodes = doc_.body(graph)->nodes.size();
    if (nodes < 3) kind = 0;
    if (nodes > 60) kind = 1;
    switch (kind) {
      case 0:
        return add_node(doc_, graph, random_node(), below(1000), 0.25 * below(4000));
      case 1:
        return remove_nodes(doc_, graph, random_ids(graph, nodes > 60 ? 30 : 2));
      case 2:
      case 3:
      case 4:
        return add_link(doc_, graph, random_link(graph), below(2) == 0);
      case 5:
        return one(edit::SetParam{graph, id(graph), word(), random_value()});
      case 6:
        return drag(graph);
      case 7:
        return one(edit::SetMuted{graph, id(graph), below(2) == 0});
      case 8:
        return rename_node(doc_, graph, id(graph), word() + std::to_string(below(12)));
      case 9:
        return group_of(graph);
      case 10:
        return paste(graph);
      case 11:
        return one(edit::SetSettings{random_settings()});
      case 12:
        return one(edit::SetMeta{graph, random_meta()});
      case 13:
        return interface();
      case 14:
        return one(edit::SetLabel{graph, id(graph), text()});
      case 15:
        return one(edit::SetGraphLayout{graph, word(), random_value()});
      case 16:
        return unlink(graph);
      case 17:
        return one(edit::SetGroupRef{graph, id(graph), random_graph()});
      case 18:
        return erase_group();
      default:
        return half_wrong(graph);
    }
  }

 private:
  size_t below(size_t n) { return random_() % n; }
  std::string word() {
    static const char* const words[] = {"mesh", "angle", "size", "weight",
                                        "a",    "b-2",   "neck", "x9"};
    return words[below(std::size(words))];
  }
  std::string text() {
    static const char* const texts[] = {"", "Hals", "Größe \"1\"", "two\nlines", "\t\x01", "日本"};
    return texts[below(std::size(texts))];
  }
  std::string random_graph() {
    const size_t k = below(doc_.groups.size() + 3);
    if (k < 3) return "";
    return std::next(doc_.groups.begin(), static_cast<ptrdiff_t>(k - 3))->first;
  }
  std::string id(const std::string& graph) {
    const auto& nodes = doc_.body(graph)->nodes;
    return nodes.empty() || below(30) == 0 ? "nobody" : nodes[below(nodes.size())].id;
  }
  std::vector<std::string> random_ids(const std::string& graph, size_t at_most) {
    std::vector<std::string> ids;
    for (size_t k = 1 + below(at_most); k > 0; --k) ids.push_back(id(graph));
    return ids;
  }
  std::optional<Json> random_value() {
    switch (below(8)) {
      case 0:
        return std::nullopt;
      case 1:
        return Json(static_cast<int64_t>(random_()) >> below(64));
      case 2:
        return Json(0.125 * static_cast<double>(below(1000)) - 50);
      case 3:
        return Json::array({below(9), 0.5, -1.0 / 3});
      case 4:
        return Json{{"animate", {{"points", {{0, 0}, {below(100) + 1, 1}}}}}};
      case 5:
        return Json(text());
      case 6:
        return below(2) == 0 ? Json(below(2) == 0) : Json();
      default:
        return Json::array();
    }
  }
  NodeDoc random_node() {
    NodeDoc node;
    node.id = below(2) == 0 ? "" : word();
    node.type = "test." + word();
    node.version = 1 + static_cast<int>(below(3));
    node.label = text();
    node.muted = below(5) == 0;
    if (below(6) == 0) node.group = random_graph();
    if (const auto value = random_value()) node.params[word()] = *value;
    if (below(5) == 0) node.extra["later"] = text();
    return node;
  }
  LinkDoc random_link(const std::string& graph) {
    return {{id(graph), word()}, {id(graph), word()}};
  }
  Settings random_settings() {
    Settings settings;
    settings.fps = 1 + static_cast<double>(below(60));
    settings.last_frame = static_cast<int>(below(500));
    settings.seed = static_cast<int64_t>(below(5));
    return settings;
  }
  Meta random_meta() {
    Meta meta;
    meta.title = text();
    meta.version = word();
    for (size_t k = below(3); k > 0; --k) meta.tags.push_back(word());
    return meta;
  }

  static Command one(Edit edit) {
    Command command;
    command.title = "one";
    command.edits.push_back(std::move(edit));
    return command;
  }
  // One move of a drag; the key changes so seldom that drags of several moves come about.
  Command drag(const std::string& graph) {
    Command command;
    command.merge_key = fmt::format("drag {}", drags_ += below(8) == 0);
    for (const std::string& node : random_ids(graph, 3)) {
      command.edits.push_back(
          edit::SetNodeLayout{graph, node, Json{{"at", {below(1000), below(1000)}}}});
    }
    return command;
  }
  Command group_of(const std::string& graph) {
    if (doc_.groups.size() > 12) return erase_group();
    const auto any = [](const Endpoint&, bool) { return std::string("any"); };
    Result<Command> command = make_group(doc_, graph, random_ids(graph, 5),
                                         fmt::format("g/{}{}", word(), below(100)), any);
    return command ? std::move(*command) : Command();
  }
  // Its instances lose it first.
  Command erase_group() {
    const std::string name = random_graph();
    Command command;
    const auto take_from = [&](const std::string& graph) {
      for (const NodeDoc& node : doc_.body(graph)->nodes) {
        if (node.group == name) command.edits.push_back(edit::SetGroupRef{graph, node.id, ""});
      }
    };
    if (name.empty()) return command;
    take_from("");
    for (const auto& [graph, group] : doc_.groups) take_from(graph);
    command.edits.push_back(edit::EraseGroup{name});
    return command;
  }
  Command paste(const std::string& graph) {
    static const Registry registry;
    const std::string source = random_graph();
    const std::string copied = write_fragment(doc_, source, random_ids(source, 4));
    Result<Command> command = paste_fragment(doc_, graph, copied, registry, below(500), below(500));
    return command ? std::move(*command) : Command();
  }
  Command interface() {
    InterfaceItem item;
    item.id = word();
    item.type = "float";
    item.standard = random_value().value_or(Json());
    return one(edit::SetInterface{random_graph(), {item}, {}});
  }
  Command unlink(const std::string& graph) {
    const auto& links = doc_.body(graph)->links;
    if (links.empty()) return {};
    return one(edit::EraseLink{graph, links[below(links.size())]});
  }
  // Good edits and then one that is refused: nothing may remain of them.
  Command half_wrong(const std::string& graph) {
    Command command = remove_nodes(doc_, graph, random_ids(graph, 3));
    command.edits.push_back(edit::EraseNode{graph, "nobody"});
    return command;
  }

  const GraphDoc& doc_;
  std::mt19937_64 random_;
  size_t drags_ = 0;
};

GraphDoc start_document() {
  static const Registry registry;
  return *parse_document(R"({"sinew": 1, "later": [1.0],
    "nodes": [{"id": "a", "type": "t"}, {"id": "b", "type": "t"}, {"id": "c", "type": "t"}],
    "links": ["a.x -> b.y", "neck3.x -> c.y", "a.x -> b.y"],
    "groups": {"old": {"nodes": [{"id": "i", "type": "group.input"}]}},
    "layout": {"nodes": {"ghost": {"at": [1, 1]}}}})",
                         registry);
}

bool reads_back(const GraphDoc& doc) {
  static const Registry registry;
  const Result<GraphDoc> again = parse_document(write_document(doc), registry);
  return again && *again == doc;
}

TEST(HistoryProperty, TenThousandCommandsAreUndoneAndRedoneByteForByte) {
  GraphDoc doc = start_document();
  const std::string start = write_document(doc);
  History history(doc);
  RandomCommands commands(doc);
  std::mt19937_64 random(20260101);
  int applied = 0, refused = 0;
  std::vector<int> of_kind(RandomCommands::kinds);
  while (applied < 10000) {
    const int kind = static_cast<int>(random() % RandomCommands::kinds);
    Command command = commands.make(kind, random());
    if (command.edits.empty()) continue;
    if (history.apply(std::move(command))) {
      ++applied;
      ++of_kind[kind];
    } else {
      ++refused;
    }
    if (applied % 250 == 0) {
      ASSERT_TRUE(reads_back(doc)) << applied;
    }
  }
  const std::string end = write_document(doc);
  const size_t steps = history.position();
  EXPECT_GT(steps, 8000u);
  EXPECT_LT(steps, 10000u) << "no drags were merged";
  EXPECT_GT(refused, 100) << "nothing was refused";
  for (int kind = 0; kind < RandomCommands::kinds - 1; ++kind) {
    EXPECT_GT(of_kind[kind], 20) << "kind " << kind << " hardly ever happened";
  }
  while (history.can_undo()) history.undo();
  EXPECT_EQ(write_document(doc), start);
  while (history.can_redo()) history.redo();
  EXPECT_EQ(history.position(), steps);
  EXPECT_EQ(write_document(doc), end);
}

// Steps back and forth in between. At each place of the history stands one document, until a new
// command replaces what comes after.
TEST(HistoryProperty, AnyWalkThroughTheHistoryMeetsTheSameDocuments) {
  const bool holds = rc::check("walks meet the same documents", [] {
    GraphDoc doc = start_document();
    History history(doc);
    RandomCommands commands(doc);
    std::vector<std::string> at = {write_document(doc)};
    const auto walk = *rc::gen::container<std::vector<std::pair<int, uint64_t>>>(rc::gen::pair(
        rc::gen::inRange(0, RandomCommands::kinds + 8), rc::gen::arbitrary<uint64_t>()));
    for (const auto& [kind, seed] : walk) {
      if (kind < RandomCommands::kinds) {
        Command command = commands.make(kind, seed);
        const size_t before = history.position();
        const bool has_edits = !command.edits.empty();
        if (!history.apply(std::move(command)) || !has_edits) {
          RC_ASSERT(write_document(doc) == at[before]);
          continue;
        }
        RC_ASSERT(history.position() == before || history.position() == before + 1);
        at.resize(history.position());
        at.push_back(write_document(doc));
        RC_ASSERT(reads_back(doc));
      } else if (kind % 2 == 0) {
        history.undo();
      } else {
        history.redo();
      }
      RC_ASSERT(write_document(doc) == at[history.position()]);
    }
    while (history.can_undo()) {
      history.undo();
      RC_ASSERT(write_document(doc) == at[history.position()]);
    }
  });
  EXPECT_TRUE(holds);
}

}  // namespace
}  // namespace sinew
