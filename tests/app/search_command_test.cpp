// `sinew search`: what it finds, writes and says; stopped and resumed; and on several processes.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/app/run_program.h"

namespace sinew {
namespace {

using namespace testing;
using nlohmann::json;

// cost = |a - 2| + |b - 1|
const char* graph = R"({
  "sinew": 1,
  "nodes": [
    {"id": "a", "type": "value.float", "params": {"value": 0}},
    {"id": "b", "type": "value.float", "params": {"value": 0}},
    {"id": "da", "type": "value.math", "params": {"operation": "subtract", "b": 2}},
    {"id": "db", "type": "value.math", "params": {"operation": "subtract", "b": 1}},
    {"id": "pa", "type": "value.math", "params": {"operation": "absolute"}},
    {"id": "pb", "type": "value.math", "params": {"operation": "absolute"}},
    {"id": "sum", "type": "value.math"}NODE
  ],
  "links": ["a.value -> da.a", "b.value -> db.a", "da.value -> pa.a", "db.value -> pb.a",
            "pa.value -> sum.a", "pb.value -> sum.b"LINK]
})";

std::string document(bool with_search = true) {
  std::string text = graph;
  const std::string node = R"(,
    {"id": "search", "type": "search.numbers",
     "params": {"vary": "a.value -4 to 4\nb.value -4 to 4", "frame": 0, "trials": 60}})";
  text.replace(text.find("NODE"), 4, with_search ? node : "");
  text.replace(text.find("LINK"), 4, with_search ? ", \"sum.value -> search.cost\"" : "");
  return text;
}

const json& node_of(const json& doc, const std::string& id) {
  for (const json& node : doc["nodes"])
    if (node["id"] == id) return node;
  throw std::runtime_error("no node " + id);
}

TEST(SearchCommand, FindsPrintsAndWrites) {
  const TemporaryFolder folder;
  folder.write("x.json", document());
  const Ran plain = run_program({"search", "x.json", "--threads", "2"}, folder.path);
  ASSERT_EQ(plain.code, 0) << plain.err;
  EXPECT_EQ(plain.err, "");
  EXPECT_NE(plain.out.find("61 trials"), std::string::npos) << plain.out;
  EXPECT_NE(plain.out.find("a.value"), std::string::npos) << plain.out;
  EXPECT_EQ(folder.read("x.json"), document()) << "nothing is written unless asked for";

  const Ran written = run_program({"search", "x.json", "-o", "y.json", "--apply"}, folder.path);
  ASSERT_EQ(written.code, 0) << written.err;
  const json doc = json::parse(folder.read("y.json"));
  const json& found = node_of(doc, "search")["params"]["found"];
  EXPECT_EQ(found["trials"], 61);
  EXPECT_EQ(found["start"], 3);
  EXPECT_LT(found["candidates"][0]["cost"].get<double>(), 1);
  EXPECT_FALSE(found.contains("log"));
  EXPECT_EQ(node_of(doc, "a")["params"]["value"], found["candidates"][0]["values"][0]);
  EXPECT_EQ(node_of(doc, "b")["params"]["value"], found["candidates"][0]["values"][1]);
  EXPECT_EQ(run_program({"check", "y.json"}, folder.path).code, 0);
}

TEST(SearchCommand, AnyGraphWithoutANode) {
  const TemporaryFolder folder;
  folder.write("x.json", document(false));
  const std::vector<std::string> call = {"search",   "x.json",      "--minimise", "sum.value",
                                         "--vary",   "a.value=0:4", "--vary",     "b.value=0:4",
                                         "--method", "population",  "--trials",   "200",
                                         "-o",       "y.json",      "--json"};
  const Ran ran = run_program(call, folder.path);
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json report = json::parse(ran.out);
  EXPECT_TRUE(report["ok"]);
  EXPECT_FALSE(report["stopped"]);
  EXPECT_EQ(report["found"]["names"], (json{"a.value", "b.value"}));
  EXPECT_LT(report["found"]["candidates"][0]["cost"].get<double>(), 0.01);
  EXPECT_EQ(node_of(json::parse(folder.read("y.json")), "search")["type"], "search.numbers");
}

TEST(SearchCommand, SaysWhatIsWrongInOneLine) {
  const TemporaryFolder folder;
  folder.write("x.json", document());
  folder.write("plain.json", document(false));
  const auto error = [&](std::vector<std::string> call, int code) {
    call.insert(call.begin(), "search");
    const Ran ran = run_program(call, folder.path);
    EXPECT_EQ(ran.code, code) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_TRUE(ran.err.starts_with("error: ")) << ran.err;
    return ran.err;
  };
  error({"none.json"}, 2);
  EXPECT_NE(error({"plain.json"}, 2).find("--minimise"), std::string::npos);
  EXPECT_NE(error({"x.json", "--node", "seerch"}, 2).find("did you mean 'search'"),
            std::string::npos);
  EXPECT_NE(error({"x.json", "--node", "sum"}, 2).find("nothing to search for"), std::string::npos);
  error({"x.json", "--apply"}, 2);
  error({"x.json", "--trials", "-5"}, 1);
  error({"x.json", "--method", "luck"}, 1);
  error({"x.json", "--set", "search.vary=c.value"}, 1);
  error({"plain.json", "--minimise", "sum.value"}, 2);
  error({"plain.json", "--minimise", "summ.value", "--vary", "a.value"}, 2);
  error({"plain.json", "--minimise", "sum.value", "--vary", "a.value=3"}, 2);
  error({"plain.json", "--minimise", "sum.value", "--vary", "da.a=0:1"}, 1);
  error({"x.json", "-o", "no/such/folder/y.json"}, 2);
}

// Ctrl-C in the middle: what was found is written, and going on from it ends as if nothing had
// been.
TEST(SearchCommand, StoppedAndResumed) {
  const TemporaryFolder folder;
  folder.write("x.json", document());
  // More than any machine makes until it is told to stop.
  const std::vector<std::string> trials = {"--trials", "1000000", "--threads", "2"};
  std::vector<std::string> call = {"search", "x.json", "-o", "stopped.json"};
  call.insert(call.end(), trials.begin(), trials.end());
  RunningProgram program(call, folder.path);
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  program.send(SIGINT);
  const Ran stopped = program.wait();
  ASSERT_EQ(stopped.code, 130) << stopped.err;
  const json found = node_of(json::parse(folder.read("stopped.json")), "search")["params"]["found"];
  ASSERT_TRUE(found.contains("log"));
  const std::string more = std::to_string(found["log"].size() + 200);
  ASSERT_EQ(run_program({"search", "stopped.json", "--resume", "--trials", more, "-o", "all.json"},
                        folder.path)
                .code,
            0);
  ASSERT_EQ(
      run_program({"search", "x.json", "--trials", more, "-o", "once.json"}, folder.path).code, 0);
  EXPECT_EQ(folder.read("all.json"), folder.read("once.json"));
}

// The same file byte by byte, from two processes and from one.
TEST(SearchCommand, SeveralProcessesFindTheSame) {
  // `./dev test` brings both packages: without them this is not tested, and that is a failure.
  ASSERT_EQ(std::system("command -v mpirun >/dev/null 2>&1"), 0) << "install openmpi-bin";
  const std::string module = std::filesystem::path(SINEW_PROGRAM).parent_path() / "libsinew_mpi.so";
  ASSERT_TRUE(std::filesystem::exists(module)) << "install libopenmpi-dev and build anew";
  const TemporaryFolder folder;
  folder.write("x.json", document());
  const auto mpirun = [&](const std::string& words) {
    return std::system(("cd " + folder.path.string() +
                        " && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                        "timeout 120 mpirun --oversubscribe -n 2 " SINEW_PROGRAM " search " +
                        words + " >out.txt 2>err.txt")
                           .c_str());
  };
  for (const std::string method : {"anneal", "population"}) {
    const std::string words = "x.json --threads 1 --restarts 3 --method " + method;
    ASSERT_EQ(mpirun(words + " -o two.json --apply"), 0) << folder.read("err.txt");
    const Ran one = run_program(
        {"search", "x.json", "--restarts", "3", "--method", method, "-o", "one.json", "--apply"},
        folder.path);
    ASSERT_EQ(one.code, 0) << one.err;
    EXPECT_EQ(folder.read("one.json"), folder.read("two.json"));
    const std::string out = folder.read("out.txt");
    EXPECT_EQ(out.find("trials in"), out.rfind("trials in")) << "only one of them prints";
  }
  // What is wrong for all is said once, and nobody waits for ever.
  EXPECT_NE(mpirun("none.json"), 0);
  EXPECT_NE(folder.read("err.txt").find("none.json"), std::string::npos);
  EXPECT_NE(mpirun("x.json --set search.vary=c.value"), 0);
}

TEST(SearchCommand, SaysThatTheModuleIsMissing) {
  const TemporaryFolder folder;
  folder.write("x.json", document());
  std::filesystem::copy_file(SINEW_PROGRAM, folder / "sinew");
  const std::string call = "cd " + folder.path.string() +
                           " && OMPI_COMM_WORLD_SIZE=2 ./sinew search x.json 2>err.txt >out.txt";
  EXPECT_NE(std::system(call.c_str()), 0);
  const std::string err = folder.read("err.txt");
  EXPECT_NE(err.find("libsinew_mpi.so is not beside the program"), std::string::npos) << err;
  EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << err;
}

}  // namespace
}  // namespace sinew
