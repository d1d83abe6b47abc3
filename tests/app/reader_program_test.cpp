// Meshes that come through assimp, as a user meets them: the program beside ours that reads them
// may crash, hang or be missing.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

#include "tests/app/run_program.h"

namespace sinew {
namespace {

using namespace testing;
namespace fs = std::filesystem;

std::string document(const std::string& file) {
  return R"({"sinew": 1, "nodes": [{"id": "load", "type": "mesh.load", "params": {"file": ")" +
         file + R"("}}]})";
}

// The processes that read this file.
int readers_of(const fs::path& file) {
  int count = 0;
  std::error_code error;
  for (const auto& process : fs::directory_iterator("/proc", error)) {
    std::ifstream words(process.path() / "cmdline", std::ios::binary);
    std::ostringstream all;
    all << words.rdbuf();
    const std::string text = all.str();
    count += text.find("sinew-read") != std::string::npos &&
             text.find(file.string()) != std::string::npos;
  }
  return count;
}

bool soon(const std::function<bool()>& what) {
  for (int i = 0; i < 3000; ++i) {
    if (what()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

// A file whose reader never ends, and a document that reads it.
struct EndlessFile : public ::testing::Test {
  EndlessFile() {
    folder.write("a.smd", "version 1\nnodes\n0 \"a\" -1\n");
    folder.write("a.json", document("a.smd"));
  }
  bool reading() const { return readers_of(folder / "a.smd") == 1; }
  bool gone() const { return readers_of(folder / "a.smd") == 0; }

  const TemporaryFolder folder;
  const Environment environment{{"SINEW_FORMATS", "smd"}};
};

TEST_F(EndlessFile, CtrlCEndsTheReaderToo) {
  RunningProgram program({"eval", "a.json"}, folder.path, environment);
  ASSERT_TRUE(soon([&] { return reading(); }));
  program.send(SIGINT);
  const Ran ran = program.wait();
  EXPECT_EQ(ran.code, 130);
  EXPECT_EQ(ran.err, "error: a.json: interrupted\n");
  EXPECT_TRUE(gone());
}

TEST_F(EndlessFile, AProgramThatIsKilledTakesItsReaderAlong) {
  RunningProgram program({"eval", "a.json"}, folder.path, environment);
  ASSERT_TRUE(soon([&] { return reading(); }));
  program.send(SIGKILL);
  program.wait();
  EXPECT_TRUE(soon([&] { return gone(); }));
}

TEST(ReaderProgram, AHarmfulFileIsOneLine) {
  const TemporaryFolder folder;
  folder.write("huge.off", "OFF\n353535235358 6 0\n-0.5 -0.5 0.5\n0.5 -0.5 0.5\n-0.5 0.5 0.5\n");
  folder.write("a.json", document("huge.off"));
  const Environment little{{"SINEW_READ_MEMORY", "0.25"}};
  const Ran ran = RunningProgram({"eval", "a.json"}, folder.path, little).wait();
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(ran.err.starts_with("error: a.json: node 'load' (mesh.load): ")) << ran.err;
  EXPECT_NE(ran.err.find("huge.off': reading it takes more than "), std::string::npos) << ran.err;
  EXPECT_EQ(ran.err.find('\n'), ran.err.size() - 1) << ran.err;
}

TEST(ReaderProgram, WithoutItNothingIsReadInTheProgramItself) {
  const TemporaryFolder folder;
  folder.write("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
  folder.write("a.json", document("a.off"));
  EXPECT_EQ(run_program({"eval", "a.json"}, folder.path).code, 0);
  fs::copy_file(SINEW_PROGRAM, folder / "sinew");
  const std::string call = "cd '" + folder.path.string() + "' && ./sinew eval a.json > out 2> err";
  EXPECT_NE(std::system(call.c_str()), 0);
  EXPECT_NE(folder.read("err").find("are read by a program of its own, and '" +
                                    (folder / "sinew-read").string() + "' is not there"),
            std::string::npos)
      << folder.read("err");
}

}  // namespace
}  // namespace sinew
