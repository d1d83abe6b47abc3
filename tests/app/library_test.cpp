// The library, the welcome, the palette and the sheet of shortcuts.
#include "app/library/library_index.h"

#include <unistd.h>

#include <cstring>
#include <fstream>
#include <set>

#include "app/cli/program.h"
#include "app/editor/page_text.h"
#include "app/editor/preset_pictures.h"
#include "graph/atomic_file.h"
#include "graph/preset_pack.h"
#include "nodes/values.h"
#include "tests/app/editor_fixture.h"
#include "tests/preset_files.h"
#include "tests/presets/pack_maker.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

class LibraryTest : public testing::EditorTest {
 protected:
  LibraryTest()
      : folder_(fs::temp_directory_path() / ("sinew_library_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    wait();
  }
  ~LibraryTest() override {
    end();
    fs::remove_all(folder_);
  }
  void wait() {
    (void)editor().library.update(10);
    frames(3);
  }
  fs::path folder_;
};

TEST_F(LibraryTest, KnowsWhatPresetsSayOfThemselves) {
  const editor::PresetInfo* swim = editor().library.find("sinew/jellyfish-swim");
  ASSERT_TRUE(swim);
  EXPECT_EQ(swim->title, "Swimming jellyfish");
  EXPECT_EQ(swim->category, "Motions");
  EXPECT_EQ(swim->nodes, 11);
  EXPECT_TRUE(swim->moves);
  EXPECT_FALSE(swim->uses.empty());
  for (const editor::PresetInfo& p : editor().library.presets()) {
    EXPECT_TRUE(p.error.empty()) << p.file << ": " << p.error;
    const std::set<std::string> known = {"Characters", "Materials", "Motions", "Studies"};
    EXPECT_TRUE(known.contains(p.category)) << p.file << " has the category " << p.category;
  }
}

TEST_F(LibraryTest, FindsByTitleTagNameAndDescription) {
  const editor::PresetInfo* heart = editor().library.find("heart");
  ASSERT_TRUE(heart);
  EXPECT_GT(editor::preset_score(*heart, "beat"), 0);
  EXPECT_GT(editor::preset_score(*heart, "organ"), 0);
  EXPECT_LT(editor::preset_score(*heart, "zzz"), 0);
  click("library.search");
  type("heart");
  frames(2);
  EXPECT_TRUE(sees("library.preset.heart"));
  EXPECT_FALSE(sees("library.preset.whip"));
}

TEST_F(LibraryTest, TwoClicksOpenAPresetAndItPlays) {
  click("library.search");
  type("heart");
  frames(2);
  double_click("library.preset.heart");
  frames(2);
  EXPECT_EQ(doc().meta.name, "sinew/heart");
  EXPECT_TRUE(editor().session.file().empty()) << "the preset itself is not overwritten by saving";
  EXPECT_FALSE(editor().session.modified());
  EXPECT_TRUE(editor().player.playing());
}

TEST_F(LibraryTest, DraggedOntoTheCanvasItIsAGroup) {
  click("library.search");
  type("whip");
  frames(2);
  drag(place("library.preset.whip"), place("panel.Canvas"));
  frames(2);
  ASSERT_EQ(doc().graph.nodes.size(), 1u);
  EXPECT_EQ(doc().graph.nodes[0].group, "sinew/whip@1.0.0");
  EXPECT_EQ(doc().graph.nodes[0].label, "Whip");
  EXPECT_EQ(editor().session.history().position(), 1u);
}

TEST_F(LibraryTest, AnOwnPresetIsListedWithWhatUsesIt) {
  editor::EditorOptions options;
  options.presets = fs::path(SINEW_SOURCE_DIR) / "presets";
  options.own_presets = folder_;
  options.first_start_welcome = false;
  restart(options);
  wait();
  editor().insert_preset(testing::preset_file("whip"), 0, 0);
  ASSERT_TRUE(editor().actions.run("library.save"));
  frames(3);
  click("preset.name");
  key("Ctrl+A");
  type("my-whips");
  click("preset.space");
  key("Ctrl+A");
  type("ada");
  click("preset.save");
  frames(2);
  ASSERT_TRUE(fs::exists(folder_ / "ada" / "my-whips.json"));
  wait();
  const editor::PresetInfo* mine = editor().library.find("ada/my-whips");
  ASSERT_TRUE(mine);
  EXPECT_TRUE(mine->own);
  const editor::PresetInfo* whip = editor().library.find("sinew/whip");
  ASSERT_TRUE(whip);
  EXPECT_EQ(editor().library.used_by(*whip), std::vector<std::string>{mine->title});
}

TEST_F(LibraryTest, ABrokenPresetSaysSo) {
  std::ofstream(folder_ / "broken.json") << "{";
  const editor::PresetInfo info =
      editor::describe_preset(folder_ / "broken.json", folder_, cli::registry());
  EXPECT_FALSE(info.error.empty());
  EXPECT_EQ(info.title, "Broken");
}

TEST_F(LibraryTest, APresetHasAPicture) {
  const Result<GraphDoc> doc_read =
      load_document(testing::preset_file("bending_bar"), cli::registry());
  ASSERT_TRUE(doc_read);
  Evaluator evaluator;
  const render::Picture picture =
      editor::picture_of(*doc_read, cli::registry(), editor().presets_folder(), evaluator, nullptr);
  ASSERT_EQ(picture.width, editor::PresetPictures::width);
  std::size_t covered = 0;
  for (std::size_t i = 3; i < picture.rgba.size(); i += 4) covered += picture.rgba[i] > 128;
  EXPECT_GT(covered, picture.pixels() / 50);
}

TEST_F(LibraryTest, TheWelcomeOpensSomethingThatMovesWithOneClick) {
  editor::EditorOptions options;
  options.presets = fs::path(SINEW_SOURCE_DIR) / "presets";
  options.first_start_welcome = true;
  restart(options);
  wait();
  ASSERT_TRUE(sees("welcome.new"));
  click("welcome.preset.jellyfish_swim");
  frames(3);
  EXPECT_FALSE(sees("welcome.new"));
  EXPECT_EQ(doc().meta.name, "sinew/jellyfish-swim");
  EXPECT_TRUE(editor().player.playing());
}

// A film plays under the mouse, in the welcome as in the library.
TEST_F(LibraryTest, FilmsPlayUnderTheMouse) {
  editor::EditorOptions options;
  options.presets = fs::path(SINEW_SOURCE_DIR) / "presets";
  options.first_start_welcome = true;
  restart(options);
  wait();
  for (const char* card : {"welcome.preset.jellyfish_swim", "library.preset.heart"}) {
    if (std::string(card).starts_with("library")) {
      key("Escape");
      frames(2);
      click("library.search");
      type("heart");
      frames(2);
    }
    ASSERT_TRUE(sees(card));
    const std::string film = std::string("film") + std::strrchr(card, '.');
    EXPECT_FALSE(sees(film));
    move(place(card));
    frames(3);
    EXPECT_TRUE(sees(film)) << card;
    move(place("panel.Canvas"));
    frames(3);
    EXPECT_FALSE(sees(film));
  }
}

// What is one's own says so, and does not take a place among the program's first.
TEST_F(LibraryTest, ACopyOfAPresetIsThePersons) {
  editor::EditorOptions options;
  options.presets = fs::path(SINEW_SOURCE_DIR) / "presets";
  options.own_presets = folder_ / "own";
  options.first_start_welcome = false;
  restart(options);
  wait();
  editor().open_preset(testing::preset_file("jellyfish_swim"), false);
  frames(2);
  ASSERT_TRUE(doc().meta.extra.contains("featured"));
  ASSERT_EQ(doc().meta.author, "Sinew");
  // It reads a file beside the document, which is elsewhere for the copy.
  std::ofstream(folder_ / "rock.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  editor().drop(folder_ / "rock.obj", place("panel.Canvas").x, place("panel.Canvas").y);
  frames(2);
  ASSERT_TRUE(editor().session.save_as(folder_ / "mine.json"));
  ASSERT_EQ(doc().graph.find("rock")->params.at("file"), "rock.obj");
  ASSERT_TRUE(editor().actions.run("library.save"));
  frames(3);
  click("preset.author");
  key("Ctrl+A");
  type("Ada");
  click("preset.space");
  key("Ctrl+A");
  type("ada");
  click("preset.name");
  key("Ctrl+A");
  type("jelly");
  click("preset.save");
  frames(2);
  const Result<GraphDoc> copy = load_document(folder_ / "own/ada/jelly.json", cli::registry());
  ASSERT_TRUE(copy) << copy.error();
  EXPECT_EQ(copy->meta.author, "Ada");
  EXPECT_FALSE(copy->meta.extra.contains("featured"));
  EXPECT_TRUE(copy->meta.extra.contains("category")) << "what else it says of itself stays";
  const fs::path named = copy->graph.find("rock")->params.at("file").get<std::string>();
  EXPECT_TRUE(fs::exists(folder_ / "own/ada" / named)) << named;
  // Asked once more, the person is known.
  ASSERT_TRUE(editor().actions.run("library.save"));
  frames(3);
  click("preset.name");
  key("Ctrl+A");
  type("jelly-two");
  click("preset.save");
  frames(2);
  EXPECT_EQ(load_document(folder_ / "own/ada/jelly-two.json", cli::registry())->meta.author, "Ada");
  // Whatever an own preset says: the welcome begins with those of the program.
  GraphDoc loud = *copy;
  loud.meta.extra["featured"] = -1;
  loud.meta.name = "ada/loud";
  ASSERT_TRUE(save_document(loud, folder_ / "own/ada/loud.json"));
  editor().refresh_library();
  wait();
  ASSERT_TRUE(editor().actions.run("help.welcome"));
  frames(3);
  EXPECT_TRUE(sees("welcome.preset.jellyfish_swim"));
  EXPECT_FALSE(sees("welcome.preset.loud"));
}

// Who made somebody else's preset is not the person from then on, unless it was typed.
TEST_F(LibraryTest, ASavedPresetOfAStrangerDoesNotMakeThePersonItsAuthor) {
  editor::EditorOptions options;
  options.own_presets = folder_ / "own";
  options.first_start_welcome = false;
  restart(options);
  wait();
  GraphDoc theirs;
  theirs.meta.name = "anna/kite";
  theirs.meta.author = "Anna";
  theirs.meta.title = "Kite";
  ASSERT_TRUE(save_document(theirs, folder_ / "kite.json"));
  ASSERT_TRUE(editor().session.open(folder_ / "kite.json"));
  const auto save_as = [&](const char* name, const char* author) {
    EXPECT_TRUE(editor().actions.run("library.save"));
    frames(3);
    for (const auto& [line, text] :
         {std::pair("author", author), {"space", "ada"}, {"name", name}}) {
      if (!*text) continue;
      click(std::string("preset.") + line);
      key("Ctrl+A");
      type(text);
    }
    click("preset.save");
    frames(2);
    const Result<GraphDoc> copy =
        load_document(folder_ / "own/ada" / (std::string(name) + ".json"), cli::registry());
    return copy ? copy->meta.author : copy.error();
  };
  EXPECT_EQ(save_as("one", ""), "Anna");
  EXPECT_FALSE(editor().preferences.has("library.author"));
  EXPECT_EQ(save_as("two", "Ada"), "Ada");
  EXPECT_EQ(editor().preferences.get<std::string>("library.author", ""), "Ada");
}

TEST_F(LibraryTest, TheTutorialIsReadBesideTheWork) {
  editor::EditorOptions options;
  options.presets = fs::path(SINEW_SOURCE_DIR) / "presets";
  options.first_start_welcome = true;
  restart(options);
  wait();
  click("welcome.tutorial");
  frames(3);
  EXPECT_FALSE(sees("welcome.new"));
  ASSERT_TRUE(sees("tutorial.page"));
  EXPECT_TRUE(sees("tutorial.heading.A swimming jellyfish in ten steps"));
  EXPECT_TRUE(sees("tutorial.picture.pictures/tutorial_01.png"));
  click("tutorial.path");
  frames(2);
  EXPECT_EQ(editor().notices().back().text, "Its path is in the clipboard");
  // The work beside it goes on.
  move(place("panel.Viewport"));
  key("Ctrl+P");
  ASSERT_TRUE(sees("palette.search"));
  key("Escape");
  EXPECT_TRUE(sees("tutorial.page"));
  click("tutorial.page");
  key("Escape");
  frames(2);
  EXPECT_FALSE(sees("tutorial.page"));
}

TEST(PageText, TakesPagesApart) {
  using Kind = editor::PageBlock::Kind;
  const std::vector<editor::PageBlock> page = editor::read_page(
      "# A *title*\n\nOne `word`, and\n[a link](x.md) more.\n\n- an **item**\n"
      "| a | b |\n| --- | --- |\n| 1 | 2 |\n```json\n{\"a\": [1]}\n# no heading\n```\n"
      "![What it shows](pictures/a.png)\nlast [open\n");
  ASSERT_EQ(page.size(), 8u);
  EXPECT_EQ(page[0].kind, Kind::heading);
  EXPECT_EQ(page[0].text, "A title");
  EXPECT_EQ(page[1].text, "One word, and a link more.");
  EXPECT_EQ(page[2].text, "an item");
  EXPECT_EQ(page[3].text, "a    b");
  EXPECT_EQ(page[4].text, "1    2");
  EXPECT_EQ(page[5].kind, Kind::code);
  EXPECT_EQ(page[5].text, "{\"a\": [1]}\n# no heading");
  EXPECT_EQ(page[6].file, "pictures/a.png");
  EXPECT_EQ(page[6].text, "What it shows");
  EXPECT_EQ(page[7].text, "last [open");
}

TEST_F(LibraryTest, ThePaletteFindsAndRuns) {
  key("Ctrl+P");
  ASSERT_TRUE(sees("palette.search"));
  type("add torus");
  key("Return");
  ASSERT_EQ(doc().graph.nodes.size(), 1u);
  EXPECT_EQ(doc().graph.nodes[0].type, "mesh.torus");
  EXPECT_FALSE(sees("palette.search"));
  key("Ctrl+P");
  type("undo");
  key("Return");
  EXPECT_TRUE(doc().graph.nodes.empty());
  key("Ctrl+P");
  EXPECT_TRUE(sees("palette.entry.Undo") || sees("palette.entry.Add: Torus")) << "used last";
  key("Escape");
  EXPECT_FALSE(sees("palette.search"));
  open_preset("jellyfish_swim");
  key("Ctrl+P");
  type("go bell");
  key("Return");
  EXPECT_TRUE(editor().session.is_selected("bell"));
}

TEST_F(LibraryTest, TheSheetShowsTheKeys) {
  key("F1");
  EXPECT_TRUE(sees("shortcuts.search"));
  key("Escape");
  EXPECT_FALSE(sees("shortcuts.search"));
}

// In a menu a shortcut can mean one thing only.
TEST_F(LibraryTest, NoTwoActionsHaveOneKeyInOnePlace) {
  std::map<std::string, std::string> taken;
  for (const editor::Action& a : editor().actions.all()) {
    for (const std::string& key : a.chords()) {
      const std::string place = std::to_string(static_cast<int>(a.where)) + " " + key;
      EXPECT_TRUE(taken.emplace(place, a.id).second)
          << key << " means " << taken[place] << " and " << a.id;
    }
  }
}

TEST_F(LibraryTest, AnInsertedPresetCanBeSetAndIsSeen) {
  open(R"({"sinew": 1, "nodes": [{"id": "ball", "type": "mesh.sphere"},
           {"id": "show", "type": "view"}], "links": ["ball.mesh -> show.value"]})");
  editor().insert_preset(testing::preset_file("jellyfish_swim"), 300, 0);
  settle();
  ASSERT_EQ(doc().graph.nodes.size(), 3u);
  const NodeDoc& group = doc().graph.nodes.back();
  std::vector<std::string> inputs;
  for (const InputInfo& in : editor().session.inputs_of(group)) inputs.push_back(in.name);
  for (const char* name : {"mesh", "height", "period", "speed", "primary", "stiffness"})
    EXPECT_TRUE(std::find(inputs.begin(), inputs.end(), name) != inputs.end()) << name;
  const std::vector<std::string> shown = editor().player.shown();
  EXPECT_EQ(shown.size(), 2u) << "beside what was seen before";
  EXPECT_FALSE(editor().player.shot()->evaluation.failed());
  const auto vertices = [&] {
    const TargetResult* now = editor().player.shot()->result(group.id, 0);
    return now ? now->value.as<Field>().size() : 0;
  };
  const std::size_t own = vertices();
  ASSERT_GT(own, 0u);
  // Another body in the place of its own.
  ASSERT_TRUE(
      editor().session.apply(add_link(doc(), "", {{"ball", "mesh"}, {group.id, "mesh"}}, false)));
  ASSERT_TRUE(editor().session.set_param(group.id, "own_mesh", 0));
  settle();
  EXPECT_FALSE(editor().player.shot()->evaluation.failed());
  EXPECT_NE(vertices(), own);
  EXPECT_GT(vertices(), 0u);
  editor().session.go_to(0);
  EXPECT_EQ(doc().graph.nodes.size(), 2u);
  EXPECT_TRUE(editor().player.shown().empty()) << "one step";
}

TEST_F(LibraryTest, WhatMovesOffersSomethingToSet) {
  for (const editor::PresetInfo& p : editor().library.presets()) {
    if (!p.moves || p.file.stem() == "three_pebbles") continue;
    editor().session.make_new();
    editor().insert_preset(p.file, 0, 0);
    ASSERT_EQ(doc().graph.nodes.size(), 1u) << p.file;
    EXPECT_GE(editor().session.inputs_of(doc().graph.nodes[0]).size(), 3u) << p.file;
    EXPECT_TRUE(p.meta.extra.contains("picture_frame")) << p.file;
  }
}

TEST_F(LibraryTest, TheFirstTagIsTheCategory) {
  fs::create_directories(folder_ / "ada");
  std::ofstream(folder_ / "ada" / "eel.json")
      << R"({"sinew": 1, "meta": {"title": "Eel", "tags": ["fish", "long"]}})";
  std::ofstream(folder_ / "ada" / "plain.json") << R"({"sinew": 1, "meta": {"title": "Plain"}})";
  const auto category = [&](const char* name) {
    return editor::describe_preset(folder_ / "ada" / name, folder_, cli::registry()).category;
  };
  EXPECT_EQ(category("eel.json"), "Fish");
  EXPECT_EQ(category("plain.json"), "Ada");
}

TEST_F(LibraryTest, AMotionIsPutOnTheChosenMeshInOneStep) {
  open(R"({"sinew": 1, "nodes": [{"id": "pot", "type": "cast.teapot"}]})");
  editor().put_preset(testing::preset_file("sway"));
  EXPECT_EQ(doc().graph.nodes.size(), 1u) << "nothing is chosen";
  ASSERT_EQ(editor().notices().size(), 1u);
  EXPECT_NE(editor().notices()[0].text.find("Choose the node"), std::string::npos);
  editor().session.select_only("pot");
  const std::size_t before = editor().session.history().position();
  editor().put_preset(testing::preset_file("sway"));
  settle();
  EXPECT_EQ(editor().session.history().position(), before + 1);
  ASSERT_EQ(doc().graph.nodes.size(), 2u);
  EXPECT_EQ(doc().graph.links[0].from.node, "pot");
  for (const NodeMessage& m : editor().session.graph()->messages())
    EXPECT_NE(m.message.severity, Severity::error) << m.message.text;
  editor().session.undo();
  EXPECT_EQ(doc().graph.nodes.size(), 1u);
}

TEST_F(LibraryTest, TheButtonPutsAMaterialOnWhatIsThere) {
  open_preset("shuffle");
  wait();
  click("library.search");
  type("rubber");
  frames(2);
  click("library.preset.rubber");
  frames(2);
  click("library.put_on");
  settle();
  EXPECT_TRUE(std::any_of(doc().graph.nodes.begin(), doc().graph.nodes.end(),
                          [](const NodeDoc& n) { return n.type == "material.feel"; }));
}

TEST_F(LibraryTest, APackThatIsDroppedComesIntoTheLibrary) {
  editor::EditorOptions options;
  options.presets = fs::path(SINEW_SOURCE_DIR) / "presets";
  options.own_presets = folder_ / "own";
  options.first_start_welcome = false;
  restart(options);
  wait();
  const auto drop = [&](const std::string& version) {
    std::ofstream(folder_ / "eel.json")
        << R"({"sinew": 1, "meta": {"name": "ada/eel", "version": ")" << version
        << R"("}, "nodes": [{"id": "a", "type": "mesh.box"}]})";
    const Result<std::string> pack = pack_preset(folder_ / "eel.json", cli::registry());
    ASSERT_TRUE(pack) << pack.error();
    ASSERT_TRUE(write_file_atomically(folder_ / "eel.sinew", *pack));
    const ImVec2 at = place("panel.Viewport");
    editor().drop(folder_ / "eel.sinew", at.x, at.y);
    frames(3);
    wait();
  };
  drop("1.0.0");
  ASSERT_TRUE(editor().library.find("ada/eel"));
  EXPECT_TRUE(editor().library.find("ada/eel")->own);
  // Another version is taken only if somebody says so.
  drop("1.1.0");
  EXPECT_EQ(editor().library.find("ada/eel")->meta.version, "1.0.0");
  click("answer.Replace");
  wait();
  EXPECT_EQ(editor().library.find("ada/eel")->meta.version, "1.1.0");
  // What is not sound is a notice.
  std::ofstream(folder_ / "bad.sinew") << "rubbish";
  const std::size_t notices = editor().notices().size();
  editor().drop(folder_ / "bad.sinew", 700, 200);
  frames(3);
  EXPECT_EQ(editor().notices().size(), notices + 1);
}

// It came from a stranger: it opens as one's own new document, which names the pack's files where
// they are, and nothing is saved into the pack.
TEST_F(LibraryTest, AnInstalledPackOpensAsANewDocument) {
  const Result<PresetPack> pack = read_pack(
      testing::bytes_of(testing::good(), {{"files/kite.obj", testing::triangle}}), cli::registry());
  ASSERT_TRUE(pack) << pack.error();
  const Result<InstalledPack> installed = install_pack(*pack, folder_ / "own", false);
  ASSERT_TRUE(installed) << installed.error();
  const auto expect_anchored = [&] {
    EXPECT_TRUE(editor().session.file().empty());
    const GraphDoc& doc = editor().session.doc();
    ASSERT_FALSE(doc.graph.nodes.empty());
    EXPECT_EQ(doc.graph.nodes[0].params.at("file"),
              (folder_ / "own/anna/kite/files/kite.obj").string());
  };
  editor().open_file(installed->document);
  frames(3);
  expect_anchored();
  editor().new_document();
  editor().open_preset(installed->document, false);
  frames(3);
  expect_anchored();
  EXPECT_FALSE(editor().session.save_as(installed->document));
  // As a group on the canvas, too.
  editor().new_document();
  editor().insert_preset(installed->document, 0, 0);
  frames(3);
  ASSERT_FALSE(editor().session.doc().groups.empty());
  const GroupDoc& group = editor().session.doc().groups.begin()->second;
  EXPECT_EQ(group.graph.find("load")->params.at("file"),
            (folder_ / "own/anna/kite/files/kite.obj").string());
  // What else lies there does not open at all.
  std::ofstream(folder_ / "own/anna/kite/aaa.json") << testing::good().dump();
  EXPECT_FALSE(editor().session.open(folder_ / "own/anna/kite/aaa.json"));
}

TEST_F(LibraryTest, AKeyMayHaveABlankInItsName) {
  const editor::Action* larger = editor().actions.find("view.larger");
  ASSERT_TRUE(larger);
  EXPECT_EQ(larger->chords(), (std::vector<std::string>{"Ctrl+=", "Ctrl+Keypad +"}));
  for (const editor::Action& a : editor().actions.all())
    EXPECT_EQ(a.chords().empty(), a.shortcut.empty()) << a.id;
  const float before = editor().preferences.get("scale", 1.0f);
  key("Ctrl+Keypad +");
  EXPECT_GT(editor().preferences.get("scale", 1.0f), before);
  editor().set_scale(1);
}

TEST_F(LibraryTest, TheDialogOfAPresetKeepsItsSize) {
  editor::EditorOptions options;
  options.presets = fs::path(SINEW_SOURCE_DIR) / "presets";
  options.own_presets = folder_;
  options.first_start_welcome = false;
  restart(options);
  ASSERT_TRUE(editor().actions.run("library.save"));
  frames(5);
  const ImVec2 save = place("preset.save"), title = place("preset.title");
  frames(120);
  EXPECT_EQ(place("preset.save").x, save.x);
  EXPECT_EQ(place("preset.title").x, title.x);
  key("Escape");
}

}  // namespace
}  // namespace sinew
