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
#include "app/cli/render_command.h"
#include "app/window/viewer.h"

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

// Options that may be given several times, each with one value.
CLI::Option* add_list(CLI::App* app, const char* name, std::vector<std::string>& list,
                      const char* doc) {
  return app->add_option(name, list, doc)->take_all()->allow_extra_args(false);
}

void declare_render(CLI::App* command, RenderOptions& render) {
  command->add_option("FILE", render.file, "A document")->required();
  command->add_option(
      "-o", render.out,
      "Where to: a picture (.png), a folder of pictures (frames/), or a film (.gif, "
      ".mp4)");
  command->add_option("--frames", render.frames,
                      "A:B, A:B:STEP or N; for a picture the first frame unless given, else the "
                      "whole timeline");
  command->add_option("--size", render.size, "WIDTHxHEIGHT in pixels; 1280x720 unless given");
  command->add_option("--view", render.view,
                      "A camera of the document, or three-quarter, front, back, left, right, top, "
                      "bottom, low, high");
  add_list(command, "--show", render.show, "NODE.SOCKET; the viewers unless given");
  add_list(command, "--overlay", render.overlays,
           "What is drawn over and around: ground, grid, wire, vertices, normals, bounds, axes, "
           "legend, labels; several with commas, no- before a name takes it away");
  command->add_option("--shading", render.shading, "clay, facets, normals, unlit or veil");
  command->add_option("--section", render.section,
                      "Cuts bodies open: z, -x, y=0.25; what lies beyond goes");
  command->add_option("--map", render.map,
                      "The colours of a field: sequential, diverging, strain or phase");
  command->add_option("--sheet", render.sheet,
                      "COLUMNSxROWS: one picture with many frames side by side; --size is that of "
                      "each");
  command->add_flag("--turntable", render.turntable, "The camera goes once round");
  command->add_option("--renderer", render.renderer, "auto, vulkan or opengl");
  add_list(command, "--set", render.set, "NODE.PARAM=VALUE, for this run only");
  command
      ->add_option("--threads", render.threads, "How many threads evaluate; all cores unless given")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--json", render.json, "For machines");
}

#ifndef SINEW_HAS_PICTURES
int no_pictures() {
  print_error("", "this Sinew was built without its renderer; ./dev setup says what is missing");
  return call_error;
}
#endif

int run_picture_command(const RenderOptions& render) {
#ifdef SINEW_HAS_PICTURES
  return run_render(render);
#else
  return static_cast<void>(render), no_pictures();
#endif
}

int run_window(const sinew::ViewerOptions& viewer) {
#ifdef SINEW_HAS_PICTURES
  return sinew::run_viewer(viewer);
#else
  return static_cast<void>(viewer), no_pictures();
#endif
}

int run(int argc, char** argv) {
  CLI::App app{"Sinew: node graphs that make soft things move.", "sinew"};
  app.set_version_flag("--version", "sinew " SINEW_VERSION);
  app.require_subcommand(0, 1);
  sinew::ViewerOptions viewer;
  app.add_option("FILE", viewer.file, "A document to be opened in a window");
  app.add_option("--renderer", viewer.renderer, "Of the window: auto, vulkan or opengl");
  app.add_option("--size", viewer.size, "Of the window: WIDTHxHEIGHT in pixels");
  add_list(&app, "--show", viewer.show, "In the window: NODE.SOCKET; the viewers unless given");
  add_list(&app, "--set", viewer.set, "In the window: NODE.PARAM=VALUE, for this run only");

  RenderOptions render;
  CLI::App* render_command =
      app.add_subcommand("render", "Pictures and films of a document, with no window");
  declare_render(render_command, render);

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
  if (app.get_subcommands().empty() && viewer.file.empty()) {
    fmt::print("{}", app.help());
    return done;
  }
  try {
    if (app.get_subcommands().empty()) return run_window(viewer);
    if (*render_command) return run_picture_command(render);
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
