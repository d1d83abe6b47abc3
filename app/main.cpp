// The program. Without a screen it is the command line below.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>

#include "app/cli/program.h"

#ifndef SINEW_VERSION
#error "the build names the version"
#endif

int main(int argc, char** argv) {
  using namespace sinew::cli;
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
  eval_command->add_option("--set", eval.set, "NODE.PARAM=VALUE, for this run only")
      ->take_all()
      ->allow_extra_args(false);
  eval_command->add_option("--output", eval.outputs, "NODE.SOCKET; the viewers unless given")
      ->take_all()
      ->allow_extra_args(false);
  eval_command->add_option("-o", eval.out_file, "Write the output: a mesh, a field or JSON");
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
    print_error("", e.what());
    return call_error;
  }
}
