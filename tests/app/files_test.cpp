// Files as a person handles them: nothing is lost without a question, and dialogs do what their
// buttons say.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "app/editor/folder_list.h"
#include "app/library/meta_words.h"
#include "graph/atomic_file.h"
#include "tests/app/editor_fixture.h"
#include "tests/preset_files.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

class FilesTest : public testing::EditorTest {
 protected:
  FilesTest() : folder_(fs::temp_directory_path() / ("sinew_files_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    editor().preferences.set("folder.documents", folder_.string());
  }
  ~FilesTest() override {
    std::error_code ec;
    fs::remove_all(folder_, ec);
  }

  void write(const std::string& name, const std::string& content) {
    std::ofstream(folder_ / name) << content;
  }
  void change() {
    NodeDoc note;
    note.type = "note";
    ASSERT_TRUE(editor().session.apply(add_node(doc(), "", note, 0, 0)));
    frames(2);
  }
  void wait_for(const std::string& landmark) {
    for (int i = 0; i < 200 && !sees(landmark); ++i) {
      usleep(2000);
      frame();
    }
  }

  fs::path folder_;
};

TEST_F(FilesTest, NewAsksWhenThereAreChangesAndOnlyThen) {
  editor().new_document();
  frames(2);
  EXPECT_FALSE(editor().asking());
  change();
  key("Ctrl+N");
  ASSERT_TRUE(sees("answer.Save"));
  click("answer.Cancel");
  EXPECT_EQ(doc().graph.nodes.size(), 1u);
  key("Ctrl+N");
  key("Escape");
  EXPECT_EQ(doc().graph.nodes.size(), 1u);
  EXPECT_FALSE(editor().asking());
  key("Ctrl+N");
  click("answer.Discard");
  EXPECT_TRUE(doc().graph.nodes.empty());
  EXPECT_FALSE(editor().session.modified());
}

TEST_F(FilesTest, TheQuestionLeadsToTheSaveDialogAndOn) {
  change();
  editor().quit();
  frames(2);
  key("Return");  // Save
  wait_for("dialog.name");
  key("Ctrl+A");
  type("first");
  key("Return");
  EXPECT_TRUE(editor().closing());
  EXPECT_TRUE(fs::exists(folder_ / "first.json"));
}

TEST_F(FilesTest, SavingOverAFileAsks) {
  write("taken.json", "old");
  change();
  key("Ctrl+S");
  wait_for("dialog.item.taken.json");
  click("dialog.item.taken.json");
  click("dialog.ok");
  frames(2);
  ASSERT_TRUE(sees("answer.Replace"));
  key("Escape");
  EXPECT_TRUE(sees("dialog.ok")) << "the dialog stays";
  EXPECT_EQ(*read_file(folder_ / "taken.json", 1000), "old");
  click("dialog.ok");
  click("answer.Replace");
  frames(2);
  EXPECT_FALSE(editor().asking());
  EXPECT_FALSE(editor().session.modified());
  EXPECT_EQ(*read_file(folder_ / "taken.json", 100000), text());
}

TEST_F(FilesTest, OpensWithTheKeyboardAlone) {
  fs::create_directories(folder_ / "sub");
  write("sub/one.json", write_document(GraphDoc{}));
  write("sub/.hidden.json", "");
  write("sub/other.txt", "");
  write("zebra.json", "");
  key("Ctrl+O");
  wait_for("dialog.item.sub");
  EXPECT_TRUE(sees("dialog.item.zebra.json"));
  type("su");
  key("Return");
  wait_for("dialog.item.one.json");
  EXPECT_FALSE(sees("dialog.item.other.txt"));
  EXPECT_FALSE(sees("dialog.item..hidden.json"));
  key("Backspace");
  wait_for("dialog.item.zebra.json");
  key("Return");  // the folder it came from is chosen
  wait_for("dialog.item.one.json");
  key("Down");
  key("Return");
  frames(2);
  EXPECT_EQ(editor().session.file(), folder_ / "sub" / "one.json");
  EXPECT_EQ(editor().preferences.get<std::string>("folder.documents", ""),
            (folder_ / "sub").string());
}

TEST_F(FilesTest, RecentFilesAreRemembered) {
  write("one.json", write_document(GraphDoc{}));
  write("two.json", write_document(GraphDoc{}));
  editor().open_file(folder_ / "one.json");
  frames(2);
  editor().open_file(folder_ / "two.json");
  frames(2);
  ASSERT_EQ(editor().recent.all().size(), 2u);
  EXPECT_EQ(editor().recent.all()[0].path, folder_ / "two.json");
  click("menu.File");
  move(place("menu.file.recent"));
  frames(30);
  ASSERT_TRUE(sees("recent.one.json"));
  click("recent.one.json");
  EXPECT_EQ(editor().session.file(), folder_ / "one.json");
  fs::remove(folder_ / "two.json");
  for (int i = 0; i < 100 && !editor().recent.all()[1].missing; ++i) {
    editor().recent.look();
    usleep(2000);
  }
  EXPECT_TRUE(editor().recent.all()[1].missing);
}

TEST_F(FilesTest, MeshesThatAreDroppedBecomeNodesAndAreSeen) {
  write("cube a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  write("b.stl", "solid b\nendsolid b\n");
  const ImVec2 at = place("panel.Canvas");
  editor().drop(folder_ / "cube a.obj", at.x, at.y);
  editor().drop(folder_ / "b.stl", at.x, at.y);
  frames(2);
  ASSERT_EQ(doc().graph.nodes.size(), 4u);
  EXPECT_EQ(doc().graph.links.size(), 2u);
  EXPECT_EQ(doc().graph.nodes[0].id, "cube_a");
  EXPECT_EQ(doc().graph.nodes[0].params.at("file"), (folder_ / "cube a.obj").string());
  EXPECT_EQ(editor().session.history().position(), 1u) << "one drop is one step";
  ASSERT_TRUE(editor().session.save_as(folder_ / "doc.json"));
  editor().drop(folder_ / "b.stl", at.x, at.y);
  frames(2);
  ASSERT_EQ(doc().graph.nodes.size(), 6u) << "seen as what is there is seen";
  EXPECT_EQ(doc().graph.nodes[4].params.at("file"), "b.stl") << "beside the document";
  EXPECT_EQ(doc().graph.links.size(), 3u);
  // Nothing lies on anything else, wherever it was dropped.
  editor().drop(folder_ / "cube a.obj", place("panel.Viewport").x, place("panel.Viewport").y);
  frames(2);
  editor().drop(folder_ / "cube a.obj", place("panel.Viewport").x, place("panel.Viewport").y);
  frames(2);
  ASSERT_EQ(doc().graph.nodes.size(), 10u);
  for (const NodeDoc& a : doc().graph.nodes)
    for (const NodeDoc& b : doc().graph.nodes) {
      if (a.id >= b.id) continue;
      const auto at_a = library::place_of(doc().graph.layout, a.id),
                 at_b = library::place_of(doc().graph.layout, b.id);
      ASSERT_TRUE(at_a && at_b);
      EXPECT_TRUE(std::abs(at_a->first - at_b->first) >= 200 ||
                  std::abs(at_a->second - at_b->second) >= 100)
          << a.id << " and " << b.id;
    }
}

// What a document reads is found from where it is saved, in the groups, too; and undone is undone.
TEST_F(FilesTest, ASavedDocumentNamesItsFilesAsSeenFromItself) {
  fs::create_directories(folder_ / "work/meshes");
  fs::create_directories(folder_ / "given/away/far/from/here");
  write("work/a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  write("work/meshes/b.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const ImVec2 at = place("panel.Canvas");
  editor().drop(folder_ / "work/a.obj", at.x, at.y);
  editor().drop(folder_ / "work/meshes/b.obj", at.x, at.y);
  frames(2);
  GraphDoc given = doc();
  NodeDoc inner = *given.graph.find("a");
  given.groups["pair"].graph.nodes.push_back(inner);
  NodeDoc border;
  border.id = "input";
  border.type = "group.input";
  inner.id = "handed";
  inner.params.clear();
  given.groups["pair"].graph.nodes.push_back(inner);
  given.groups["pair"].graph.nodes.push_back(border);
  given.groups["pair"].graph.links.push_back({{"input", "mesh_file"}, {"handed", "file"}});
  given.groups["pair"].inputs.push_back({"mesh_file", "Mesh file", "text", "", "", Json::object()});
  NodeDoc instance;
  instance.id = "pair";
  instance.type = "group";
  instance.group = "pair";
  instance.params["mesh_file"] = (folder_ / "work/meshes/b.obj").string();
  given.graph.nodes.push_back(instance);
  editor().session.adopt(given, {}, true);
  const auto names = [&] {
    const GraphDoc& d = doc();
    return std::vector<std::string>{d.graph.find("a")->params.at("file"),
                                    d.graph.find("b")->params.at("file"),
                                    d.groups.at("pair").graph.find("a")->params.at("file"),
                                    d.graph.find("pair")->params.at("mesh_file")};
  };
  const std::vector<std::string> whole = names();
  ASSERT_TRUE(editor().session.save_as(folder_ / "work/doc.json"));
  EXPECT_EQ(names(), (std::vector<std::string>{"a.obj", "meshes/b.obj", "a.obj", "meshes/b.obj"}));
  EXPECT_FALSE(editor().session.modified());
  EXPECT_EQ(text().find(folder_.string()), std::string::npos) << "no place of this machine";
  ASSERT_TRUE(editor().session.save());
  EXPECT_EQ(names()[1], "meshes/b.obj");
  ASSERT_TRUE(editor().session.save_as(folder_ / "given/doc.json"));
  EXPECT_EQ(names(), (std::vector<std::string>{"../work/a.obj", "../work/meshes/b.obj",
                                               "../work/a.obj", "../work/meshes/b.obj"}));
  ASSERT_TRUE(editor().session.save_as(folder_ / "given/away/far/from/here/doc.json"));
  EXPECT_EQ(names(), whole) << "far away: the whole path";
  ASSERT_TRUE(editor().session.save_as(folder_ / "work/again.json"));
  EXPECT_EQ(names()[0], "a.obj");
  editor().session.undo();
  EXPECT_EQ(names(), whole);
  // What cannot be saved is as it was.
  const Result<void> refused = editor().session.save_as(folder_ / "nowhere/at/all/doc.json");
  EXPECT_FALSE(refused);
  EXPECT_EQ(names(), whole);
}

TEST_F(FilesTest, WhatCannotBeUsedIsSaid) {
  write("poem.txt", "a rose");
  write("other.json", "{\"a\": 1}");
  editor().drop(folder_ / "poem.txt", 700, 200);
  editor().drop(folder_ / "other.json", 700, 200);
  frames(2);
  EXPECT_EQ(editor().notices().size(), 2u);
  EXPECT_TRUE(doc().graph.nodes.empty());
}

TEST_F(FilesTest, ADocumentOpensOnTheViewAndBecomesAGroupOnTheCanvas) {
  const fs::path preset = testing::preset_file("jellyfish_swim");
  change();
  const ImVec2 view = place("panel.Viewport"), canvas = place("panel.Canvas");
  editor().drop(preset, view.x, view.y);
  frames(2);
  EXPECT_TRUE(sees("answer.Discard"));
  key("Escape");
  editor().drop(preset, canvas.x, canvas.y);
  settle();
  ASSERT_EQ(doc().graph.nodes.size(), 2u);
  ASSERT_TRUE(doc().groups.contains("sinew/jellyfish-swim@1.0.0"));
  const GroupDoc& group = doc().groups.at("sinew/jellyfish-swim@1.0.0");
  ASSERT_EQ(group.outputs.size(), 1u);
  EXPECT_EQ(group.outputs[0].name, "Excitation");
  EXPECT_TRUE(editor().session.graph()->messages().empty());
  editor().session.undo();
  EXPECT_TRUE(doc().groups.empty());
}

// Every preset can be used inside of another document, and says the same there.
TEST_F(FilesTest, EveryPresetIsAGroup) {
  for (const auto& file : fs::recursive_directory_iterator(editor().presets_folder())) {
    if (file.path().extension() != ".json") continue;
    editor().session.make_new();
    editor().insert_preset(file.path(), 0, 0);
    frame();
    ASSERT_EQ(doc().graph.nodes.size(), 1u) << file.path();
    for (const NodeMessage& m : editor().session.graph()->messages())
      EXPECT_NE(m.message.severity, Severity::error) << file.path() << ": " << m.message.text;
  }
}

TEST_F(FilesTest, AnUnreadableFileBecomesANotice) {
  write("broken.json", "{");
  editor().open_file(folder_ / "broken.json");
  frames(2);
  ASSERT_EQ(editor().notices().size(), 1u);
  EXPECT_EQ(editor().notices()[0].kind, editor::NoticeKind::error);
  ASSERT_TRUE(sees("toast.0"));
  click("toast.0");
  frames(2);
  EXPECT_FALSE(sees("toast.0"));
}

TEST_F(FilesTest, AFolderOfTenThousandFilesIsRead) {
  fs::create_directories(folder_ / "many");
  for (int i = 0; i < 10000; ++i) std::ofstream(folder_ / "many" / ("f" + std::to_string(i)));
  editor::FolderList list;
  list.open(folder_ / "many");
  ASSERT_TRUE(list.update(20));
  EXPECT_EQ(list.entries().size(), 10000u);
  EXPECT_EQ(list.entries()[10].name, "f10") << "numbers are sorted as numbers";
  list.open(folder_ / "nowhere");
  ASSERT_TRUE(list.update(20));
  EXPECT_EQ(list.error(), "There is no such folder.");
}

TEST_F(FilesTest, AQuestionKeepsItsSize) {
  change();
  key("Ctrl+N");
  ASSERT_TRUE(sees("answer.Save"));
  frames(3);
  const ImVec2 save = place("answer.Save"), cancel = place("answer.Cancel");
  frames(120);
  EXPECT_EQ(place("answer.Save").x, save.x);
  EXPECT_EQ(place("answer.Cancel").x, cancel.x);
  key("Escape");
}

TEST_F(FilesTest, BakedFoldersAreNotListed) {
  fs::create_directories(folder_ / "swim.json.bake");
  fs::create_directories(folder_ / "sub");
  editor::FolderList list;
  list.open(folder_);
  ASSERT_TRUE(list.update(20));
  std::vector<std::string> names;
  for (const std::size_t i : list.chosen({"json"}, false, editor::FolderOrder::name))
    names.push_back(list.entries()[i].name);
  EXPECT_EQ(names, std::vector<std::string>{"sub"});
}

TEST_F(FilesTest, WhatIsTakenBackIsNoChange) {
  write("ball.json", R"({"sinew": 1, "nodes": [{"id": "ball", "type": "mesh.sphere"}]})");
  ASSERT_TRUE(editor().session.open(folder_ / "ball.json"));
  ASSERT_TRUE(editor().session.set_param("ball", "radius", 2.0));
  EXPECT_TRUE(editor().session.modified());
  ASSERT_TRUE(editor().session.set_param("ball", "radius", std::nullopt));
  EXPECT_FALSE(editor().session.modified());
  ASSERT_TRUE(editor().session.set_param("ball", "radius", 3.0));
  ASSERT_TRUE(editor().session.save());
  EXPECT_FALSE(editor().session.modified());
  editor().session.undo();
  EXPECT_TRUE(editor().session.modified());
  editor().session.redo();
  EXPECT_FALSE(editor().session.modified());
}

}  // namespace
}  // namespace sinew
