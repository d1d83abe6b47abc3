// Folders for a while: nobody else's, not to be foretold, and gone when nobody needs them.
#include "graph/scratch_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <set>

namespace sinew {
namespace {

namespace fs = std::filesystem;

class ScratchFolders : public ::testing::Test {
 protected:
  ScratchFolders() {
    std::string name = (fs::temp_directory_path() / "sinew_scratch_test_XXXXXX").string();
    place = ::mkdtemp(name.data());
  }
  ~ScratchFolders() override { fs::remove_all(place); }
  std::set<std::string> there() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(place))
      names.insert(entry.path().filename().string());
    return names;
  }
  fs::path place;
};

TEST_F(ScratchFolders, AreForThisUserAndGo) {
  std::set<fs::path> seen;
  for (int i = 0; i < 50; ++i) {
    const Result<ScratchFolder> made = ScratchFolder::make(place / "deep", "work");
    ASSERT_TRUE(made) << made.error();
    EXPECT_TRUE(made->path().filename().string().starts_with(".work-"));
    struct stat status {};
    ASSERT_EQ(::stat(made->path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0700u);
    std::ofstream(made->path() / "file") << "x";
    seen.insert(made->path());
  }
  EXPECT_EQ(seen.size(), 50u);  // no name comes again, so none follows from a number
  EXPECT_TRUE(fs::is_empty(place / "deep"));
}

TEST_F(ScratchFolders, WhatAKilledProcessLeftGoesAndWhatIsInUseStays) {
  const Result<ScratchFolder> used = ScratchFolder::make(place, "work");
  ASSERT_TRUE(used);
  const pid_t child = ::fork();
  if (child == 0) {
    // Killed before anything is tidied up.
    const Result<ScratchFolder> left = ScratchFolder::make(place, "work");
    if (left) fs::create_directory(left->path() / "inside");
    ::raise(SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  // As older versions named theirs; and what is somebody else's business.
  fs::create_directory(place / ".work-4242-0");
  fs::create_directory(place / ".workshop");
  std::ofstream(place / ".work-file") << "no folder";
  fs::create_directory(place / "target");
  fs::create_directory_symlink(place / "target", place / ".work-link");
  EXPECT_EQ(there().size(), 7u);
  std::set<fs::path> seen;
  remove_left_folders(place, "work", [&](const fs::path& left) { seen.insert(left); });
  EXPECT_EQ(seen.size(), 2u);
  EXPECT_EQ(there(), (std::set<std::string>{used->path().filename().string(), ".workshop",
                                            ".work-file", ".work-link", "target"}));
}

TEST_F(ScratchFolders, WhereNoneCanBeMadeThatIsSaid) {
  std::ofstream(place / "file") << "no folder";
  const Result<ScratchFolder> none = ScratchFolder::make(place / "file", "work");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().find("no folder can be made"), std::string::npos) << none.error();
}

}  // namespace
}  // namespace sinew
