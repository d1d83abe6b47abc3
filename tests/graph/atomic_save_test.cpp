// A save is whole or has not happened, whatever happens to the one who saves.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <random>
#include <thread>

#include "graph/atomic_file.h"
#include "graph/document.h"
#include "graph/registry.h"
#include "tests/graph/document_samples.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using testing::read_text;
using testing::TemporaryFolder;
using testing::write_text;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST(AtomicSave, WritesAndReplaces) {
  const TemporaryFolder folder;
  const fs::path file = folder / "heart.json";
  ASSERT_TRUE(save_document(testing::chain_document(3), file));
  EXPECT_EQ(read_text(file), write_document(testing::chain_document(3)));
  ASSERT_TRUE(save_document(testing::chain_document(2), file));
  const Registry registry;
  const Result<GraphDoc> loaded = load_document(file, registry);
  ASSERT_TRUE(loaded) << loaded.error();
  EXPECT_EQ(*loaded, testing::chain_document(2));
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"heart.json"});
}

TEST(AtomicSave, ANameWithoutFolderAndALongNameWork) {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  const Result<void> plain = write_file_atomically("plain.json", "x");
  const std::string long_name(250, 'n');
  const Result<void> named = write_file_atomically(long_name, "y");
  fs::current_path(before);
  EXPECT_TRUE(plain);
  EXPECT_TRUE(named);
  EXPECT_EQ(read_text(folder / long_name), "y");
}

TEST(AtomicSave, PermissionsAreKept) {
  const TemporaryFolder folder;
  const fs::path file = folder / "a.json";
  write_text(file, "old");
  ASSERT_EQ(chmod(file.c_str(), 0640), 0);
  ASSERT_TRUE(write_file_atomically(file, "new"));
  struct stat status {};
  ASSERT_EQ(stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640u);
  EXPECT_EQ(read_text(file), "new");
}

TEST(AtomicSave, ASymbolicLinkStaysOne) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "real");
  write_text(folder / "real/target.json", "old");
  fs::create_symlink("real/target.json", folder / "link.json");
  fs::create_symlink("link.json", folder / "link2.json");
  ASSERT_TRUE(write_file_atomically(folder / "link2.json", "new"));
  EXPECT_TRUE(fs::is_symlink(folder / "link.json"));
  EXPECT_TRUE(fs::is_symlink(folder / "link2.json"));
  EXPECT_EQ(read_text(folder / "real/target.json"), "new");
  fs::create_symlink("loop", folder / "loop");
  const Result<void> looped = write_file_atomically(folder / "loop", "x");
  ASSERT_FALSE(looped);
  EXPECT_EQ(looped.error(), "cannot be written: too many symbolic links");
}

TEST(AtomicSave, LeftoversOfTheDeadAreRemovedAndThoseOfTheLivingKept) {
  const TemporaryFolder folder;
  const std::string dead = ".a.json.sinew-0123456789abcdef.tmp";
  const std::string other = ".b.json.sinew-0123456789abcdef.tmp";
  const std::string living = ".a.json.sinew-fedcba9876543210.tmp";
  const std::string users = ".a.json.sinew-notes.tmp";
  for (const std::string& name : {dead, other, living, users}) write_text(folder / name, "{");
  const int held = open((folder / living).c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(held, 0);
  ASSERT_EQ(flock(held, LOCK_EX), 0);
  ASSERT_TRUE(write_file_atomically(folder / "a.json", "new"));
  close(held);
  EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{living, users, other, "a.json"}));
}

TEST(AtomicSave, WhatIsNoFileIsRefused) {
  const TemporaryFolder folder;
  const auto error = [](const fs::path& path) {
    const Result<void> saved = write_file_atomically(path, "x");
    return saved ? "no error" : saved.error();
  };
  EXPECT_EQ(error(folder.path()), "cannot be written: it is a folder");
  EXPECT_EQ(error("/dev/null"), "cannot be written: it is not a regular file");
  EXPECT_EQ(error(folder / "missing/a.json"),
            "cannot write into the folder: No such file or directory");
  write_text(folder / "file", "x");
  EXPECT_EQ(error(folder / "file/a.json"), "cannot write into the folder: Not a directory");
}

// Runs in a child process, which may give up its rights; returns what the child wrote to a pipe.
template <class Task>
std::string in_child(const Task& task) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    const std::string text = task();
    const bool done = write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    _exit(done ? 0 : 1);
  }
  close(ends[1]);
  std::string text(1000, '\0');
  const ssize_t got = read(ends[0], text.data(), text.size());
  text.resize(got > 0 ? static_cast<size_t>(got) : 0);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return text;
}

TEST(AtomicSave, AFullDiskLeavesTheOldFileAndNothingElse) {
  const TemporaryFolder folder;
  const fs::path file = folder / "a.json";
  write_text(file, "old");
  const std::string error = in_child([&]() -> std::string {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{10000, 10000};  // no file may grow beyond: write() fails as on a full disk
    setrlimit(RLIMIT_FSIZE, &limit);
    const Result<void> saved = write_file_atomically(file, std::string(20000, 'x'));
    return saved ? "no error" : saved.error();
  });
  EXPECT_EQ(error, "cannot be written: File too large; the old file is unchanged");
  EXPECT_EQ(read_text(file), "old");
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"a.json"});
}

TEST(AtomicSave, AFolderThatMayNotBeWrittenIsAClearError) {
  const TemporaryFolder folder;
  const fs::path file = folder / "a.json";
  write_text(file, "old");
  ASSERT_EQ(chmod(folder.path().c_str(), 0555), 0);
  const std::string error = in_child([&]() -> std::string {
    if (geteuid() == 0 && setuid(65534) != 0) return "cannot give up root's rights";
    const Result<void> saved = write_file_atomically(file, "new");
    return saved ? "no error" : saved.error();
  });
  ASSERT_EQ(chmod(folder.path().c_str(), 0755), 0);
  EXPECT_EQ(error, "cannot write into the folder: Permission denied");
  EXPECT_EQ(read_text(file), "old");
}

TEST(AtomicSave, ManyWritersOfOneFileLeaveOneOfTheirContents) {
  const TemporaryFolder folder;
  const fs::path file = folder / "a.json";
  std::vector<std::thread> writers;
  std::atomic<int> failed = 0;
  for (int k = 0; k < 4; ++k) {
    writers.emplace_back([&, k] {
      for (int round = 0; round < 25; ++round) {
        if (!write_file_atomically(file, std::string(50000, static_cast<char>('a' + k)))) ++failed;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(failed, 0);
  const std::string text = read_text(file);
  ASSERT_EQ(text.size(), 50000u);
  EXPECT_EQ(text, std::string(50000, text[0]));
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"a.json"});
}

// ---- kill -9 ------------------------------------------------------------------------------------

struct Saver {
  pid_t pid = -1;
  int output = -1;

  explicit Saver(const fs::path& file) {
    int ends[2];
    if (pipe(ends) != 0) return;
    pid = fork();
    if (pid == 0) {
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      close(ends[1]);
      execl(SINEW_DOCUMENT_HELPER, SINEW_DOCUMENT_HELPER, "save", file.c_str(), nullptr);
      _exit(127);
    }
    close(ends[1]);
    output = ends[0];
  }
  // Waits until one more save is complete.
  bool wait_for_save() const {
    std::string line(6, '\0');
    return read(output, line.data(), line.size()) == 6;
  }
  // Whether it was the kill that ended it.
  bool kill_now() const {
    kill(pid, SIGKILL);
    int status = 0;
    waitpid(pid, &status, 0);
    close(output);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  }
};

TEST(AtomicSave, AKillInTheMiddleNeverLeavesABrokenOrMissingFile) {
  const TemporaryFolder folder;
  const fs::path file = folder / "creature.json";
  const std::string contents[] = {write_document(testing::large_document(0)),
                                  write_document(testing::large_document(1))};
  ASSERT_TRUE(write_file_atomically(file, contents[0]));
  const Registry registry;

  using Clock = std::chrono::steady_clock;
  const Saver first(file);
  ASSERT_TRUE(first.wait_for_save());
  const auto start = Clock::now();
  constexpr int timed = 5;
  for (int k = 0; k < timed; ++k) ASSERT_TRUE(first.wait_for_save());
  const double save_seconds = std::chrono::duration<double>(Clock::now() - start).count() / timed;
  ASSERT_TRUE(first.kill_now());

  std::mt19937 random(17);
  std::uniform_real_distribution<double> moment(0, 2 * save_seconds);
  int in_the_middle = 0, kept_first = 0;
  for (int round = 0; round < 200; ++round) {
    const Saver saver(file);
    ASSERT_TRUE(saver.wait_for_save()) << round;
    std::this_thread::sleep_for(std::chrono::duration<double>(moment(random)));
    ASSERT_TRUE(saver.kill_now()) << round;

    const std::string text = read_text(file);
    ASSERT_TRUE(text == contents[0] || text == contents[1]) << round << ": " << text.size();
    kept_first += text == contents[0];
    // A temporary file that is still there was being written. The next save removes it.
    in_the_middle += names_in(folder.path()).size() > 1;
    ASSERT_LE(names_in(folder.path()).size(), 2u);
  }
  const Result<GraphDoc> doc = load_document(file, registry);
  ASSERT_TRUE(doc) << doc.error();
  // Otherwise the kills did not come in the middle, and nothing was shown.
  EXPECT_GE(in_the_middle, 40);
  EXPECT_GT(kept_first, 0);
  EXPECT_LT(kept_first, 200);
  RecordProperty("killed_in_the_middle", in_the_middle);
  ASSERT_TRUE(write_file_atomically(file, contents[0]));
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"creature.json"});
}

}  // namespace
}  // namespace sinew
