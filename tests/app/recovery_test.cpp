// What is not saved survives a crash, and is offered only where something would be lost.
#include "app/editor/recovery.h"

#include <unistd.h>

#include <fstream>

#include "app/cli/program.h"
#include "app/library/text_diff.h"
#include "graph/atomic_file.h"
#include "tests/app/editor_fixture.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using editor::RecoveryWriter;

fs::path fresh_folder() {
  static int count = 0;
  const fs::path folder =
      fs::temp_directory_path() /
      ("sinew_recovery_" + std::to_string(getpid()) + "_" + std::to_string(++count));
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

GraphDoc document(const std::string& title) {
  GraphDoc doc;
  doc.meta.title = title;
  NodeDoc node;
  node.id = "n";
  node.type = "note";
  doc.graph.nodes.push_back(node);
  return doc;
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> all;
  for (const auto& entry : fs::directory_iterator(folder)) all.push_back(entry.path());
  return all;
}

// What a program leaves that is killed: the copy, and no lock on it.
void leave_work(const fs::path& folder, const GraphDoc& doc, const fs::path& original) {
  static int count = 0;
  const fs::path left = folder / ("killed" + std::to_string(++count) + ".recovery");
  RecoveryWriter writer(folder);
  writer.keep(doc, original, doc.meta.title);
  writer.wait();
  ASSERT_TRUE(fs::exists(writer.file()));
  fs::rename(writer.file(), left);
}

TEST(Recovery, ACleanEndLeavesNothing) {
  const fs::path folder = fresh_folder();
  {
    RecoveryWriter writer(folder);
    writer.keep(document("a"), "", "a");
    writer.wait();
    EXPECT_EQ(files_in(folder).size(), 2u) << "the copy and its lock";
    EXPECT_TRUE(editor::find_left_work(folder).empty()) << "whoever holds it still lives";
  }
  EXPECT_TRUE(files_in(folder).empty());
  fs::remove_all(folder);
}

TEST(Recovery, SavingRemovesTheCopy) {
  const fs::path folder = fresh_folder();
  RecoveryWriter writer(folder);
  writer.keep(document("a"), "", "a");
  writer.wait();
  writer.clear();
  writer.wait();
  EXPECT_FALSE(fs::exists(writer.file()));
  fs::remove_all(folder);
}

TEST(Recovery, WhatAKilledProgramLeftIsFound) {
  const fs::path folder = fresh_folder();
  leave_work(folder, document("lost"), "");
  RecoveryWriter ours(folder);
  ours.keep(document("ours"), "", "ours");
  ours.wait();
  const auto left = editor::find_left_work(folder);
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].title, "lost");
  EXPECT_EQ(left[0].text, write_document(document("lost")));
  EXPECT_TRUE(left[0].original.empty());
  // It is removed when the work that takes its place is safe.
  ours.keep(document("lost"), "", "lost", left[0]);
  ours.wait();
  EXPECT_TRUE(editor::find_left_work(folder).empty());
  EXPECT_TRUE(fs::exists(ours.file()));
  fs::remove_all(folder);
}

TEST(Recovery, IsOfferedOnlyIfItDiffers) {
  const fs::path folder = fresh_folder();
  const fs::path file = folder / "doc.json";
  ASSERT_TRUE(save_document(document("saved"), file));
  leave_work(folder / "r", document("saved"), file);
  EXPECT_TRUE(editor::find_left_work(folder / "r").empty());
  EXPECT_TRUE(files_in(folder / "r").empty()) << "nothing would be lost, so nothing is kept";
  leave_work(folder / "r", GraphDoc{}, "");
  EXPECT_TRUE(editor::find_left_work(folder / "r").empty()) << "an empty document is no work";
  leave_work(folder / "r", document("changed"), file);
  EXPECT_EQ(editor::find_left_work(folder / "r").size(), 1u);
  std::ofstream(folder / "r" / "1-2-3.recovery") << "{ broken";
  EXPECT_EQ(editor::find_left_work(folder / "r").size(), 1u);
  fs::remove_all(folder);
}

TEST(TextDiff, TellsWhatChanged) {
  const editor::TextDiff diff =
      editor::diff_lines("a\nb\nc\nd\ne\nf\n", "a\nb\nX\nd\ne\nf\ng\n", 1);
  EXPECT_EQ(diff.removed, 1);
  EXPECT_EQ(diff.added, 2);
  ASSERT_EQ(diff.lines.size(), 7u);
  EXPECT_EQ(diff.lines[0].text, "b");
  EXPECT_EQ(diff.lines[4].kind, editor::DiffLine::skipped);
  EXPECT_EQ(diff.lines[6].text, "g");
  EXPECT_TRUE(editor::diff_lines("a\n", "a\n").lines.empty());
  EXPECT_EQ(editor::diff_lines("", "a\nb\n").added, 2);
}

// The editor with a folder for recovery, as the program has it.
class RecoveringEditor : public testing::EditorTest {
 protected:
  RecoveringEditor() : folder_(fresh_folder()) {}
  ~RecoveringEditor() override {
    end();
    fs::remove_all(folder_);
  }
  void start() {
    editor::EditorOptions options;
    options.recovery = folder_;
    restart(options);
    for (int i = 0; i < 100; ++i) {
      usleep(2000);
      frame();
    }
  }
  void change() {
    NodeDoc node;
    node.type = "note";
    ASSERT_TRUE(editor().session.apply(add_node(doc(), "", node, 0, 0)));
  }
  bool has_copy() const {
    for (const fs::path& file : files_in(folder_))
      if (file.extension() == ".recovery") return true;
    return false;
  }
  void wait_for_copy(bool there) {
    for (int i = 0; i < 500 && has_copy() != there; ++i) {
      usleep(2000);
      frame();
    }
  }

  fs::path folder_;
};

TEST_F(RecoveringEditor, KeepsACopyWithinFiveSecondsWhileThereAreChanges) {
  start();
  frames(400);
  EXPECT_FALSE(has_copy());
  change();
  const double changed = editor().now();
  wait_for_copy(true);
  ASSERT_TRUE(has_copy());
  EXPECT_LT(editor().now() - changed, 5);
  editor().session.undo();
  wait_for_copy(false);
  EXPECT_FALSE(has_copy()) << "it is as it was saved";
  change();
  wait_for_copy(true);
  ASSERT_TRUE(editor().session.save_as(folder_ / "doc.json"));
  wait_for_copy(false);
  EXPECT_FALSE(has_copy());
}

TEST_F(RecoveringEditor, OffersWhatWasLeft) {
  const fs::path file = folder_ / "doc.json";
  ASSERT_TRUE(save_document(GraphDoc{}, file));
  leave_work(folder_, document("lost"), file);
  start();
  ASSERT_TRUE(sees("recover.open"));
  key("Ctrl+N");
  EXPECT_TRUE(sees("recover.open")) << "keys do not reach what lies under it";
  click("recover.diff");
  frames(2);
  click("recover.open");
  frames(3);
  EXPECT_FALSE(sees("recover.open"));
  EXPECT_EQ(doc().meta.title, "lost");
  EXPECT_EQ(editor().session.file(), file);
  EXPECT_TRUE(editor().session.modified());
  wait_for_copy(true);
  EXPECT_TRUE(has_copy()) << "still not saved, still kept";
  EXPECT_EQ(*read_file(file, 1000), write_document(GraphDoc{})) << "the file is untouched";
}

TEST_F(RecoveringEditor, WhatIsDiscardedIsGone) {
  leave_work(folder_, document("one"), "");
  leave_work(folder_, document("two"), "");
  start();
  ASSERT_TRUE(sees("recover.discard2"));
  click("recover.discard");
  frames(2);
  EXPECT_EQ(editor::find_left_work(folder_).size(), 1u);
  click("recover.later");
  frames(2);
  EXPECT_FALSE(editor().asking());
  EXPECT_EQ(editor::find_left_work(folder_).size(), 1u);
}

}  // namespace
}  // namespace sinew
