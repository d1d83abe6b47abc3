// The program. Without a screen it is the command line below.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <iostream>
#include <system_error>

#include "app/cli/program.h"

#ifndef SINEW_VERSION
#error "the build names the version"
#endif

namespace {

using namespace sinew::cli;

// A standard stream that was closed would lend its number to the next file that is opened, and what
// is printed would end up there. Its place is taken by something that refuses to be written to.
void hold_standard_streams() {
  int fd = open("/dev/null", O_RDONLY);
  while (fd >= 0 && fd <= STDERR_FILENO) fd = open("/dev/null", O_RDONLY);
  if (fd >= 0) close(fd);
}

int run(int argc, char** argv) {
  CLI::App app{"Sinew: node graphs that make soft things move.", "sinew"};
  app.set_version_flag("--version", "sinew " SINEW_VERSION);
  app.require_subcommand(1);

  NodesOptions nodes;
  CLI::App* nodes_command =
      app.add_subcommand("nodes", "The node types, their sockets, ranges and documentation");
  nodes_command->add_option("TYPE", nodes.type, "Only this one, in full, such as mesh.box");
  nodes_command->add_flag("--json", nodes.json, "For machines");
  nodes_command->add_flag("--markdown", nodes.markdown, "The text of docs/nodes.md");

  CheckOptions check;
  CLI::App* check_command =
      app.add_subcommand("check", "Read and validate documents; say what is wrong and where");
  check_command->add_option("FILE", check.files, "Documents")->required();
  check_command->add_flag("--json", check.json, "For machines");

  EvalOptions eval;
  int frame = 0;
  CLI::App* eval_command = app.add_subcommand("eval", "Evaluate a document at one frame");
  eval_command->add_option("FILE", eval.file, "A document")->required();
  CLI::Option* frame_option =
      eval_command->add_option("--frame", frame, "The frame; the document's first unless given");
  eval_command
      ->add_option("--set", eval.set,
                   "NODE.PARAM=VALUE, for this run only; inside a group: GROUP/NODE.PARAM=VALUE")
      ->take_all()
      ->allow_extra_args(false);
  eval_command->add_option("--output", eval.outputs, "NODE.SOCKET; the viewers unless given")
      ->take_all()
      ->allow_extra_args(false);
  eval_command->add_option("-o", eval.out_file,
                           "Write to this file, by its ending: the first output that can be "
                           "written so (.obj, .ply, .stl, ...: a mesh; .json, .csv: the data of a "
                           "field or chart); .json of anything else is the report of --json");
  eval_command->add_option("--threads", eval.threads, "How many threads; all cores unless given")
      ->check(CLI::Range(1, 1024));
  eval_command->add_flag("--json", eval.json, "For machines");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // --help, --version
    print_error("", std::string(e.what()) + "; see sinew --help");
    return call_error;
  }
  if (*frame_option) eval.frame = frame;
  try {
    if (*nodes_command) return run_nodes(nodes);
    if (*check_command) return run_check(check);
    return run_eval(eval);
  } catch (const std::exception& e) {
    // Nothing should get here; if something does, it is still one line and a code.
    if (!std::ferror(stdout)) print_error("", e.what());
    return call_error;
  }
}

}  // namespace

int main(int argc, char** argv) {
  hold_standard_streams();
  const int code = run(argc, argv);
  errno = 0;
  std::cout.flush();
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
  const std::string reason = errno ? ": " + std::generic_category().message(errno) : "";
  print_error("", "cannot write to standard output" + reason);
  return call_error;
}
