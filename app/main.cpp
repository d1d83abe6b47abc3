// The program: the editor, and without a screen the command line below.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <optional>
#include <system_error>

#include "app/cli/export_command.h"
#include "app/cli/gallery_command.h"
#include "app/cli/presets_command.h"
#include "app/cli/program.h"
#include "app/cli/render_command.h"
#include "app/cli/say.h"
#include "app/cli/search_command.h"
#include "app/cli/sweep_command.h"
#include "app/editor/run_editor.h"
#include "app/library/pack_trial.h"
#include "app/window/window.h"
#ifdef SINEW_HAS_PICTURES
#include "app/cli/library_check.h"
#include "app/cli/preview_command.h"
#endif

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

// An option with one value; `value` is what the help calls it.
CLI::Option* add_word(CLI::App* app, const char* name, const char* value, std::string& word,
                      const char* doc) {
  return app->add_option(name, word, doc)->type_name(value);
}

// Options that may be given several times, each with one value.
CLI::Option* add_list(CLI::App* app, const char* name, const char* value,
                      std::vector<std::string>& list, const char* doc) {
  return app->add_option(name, list, doc)
      ->type_name(value)
      ->take_all()
      ->allow_extra_args(false)
      ->expected(1);
}

void add_threads(CLI::App* app, int& threads, const char* doc) {
  app->add_option("--threads", threads, doc)
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""));
}

void declare_render(CLI::App* command, RenderOptions& render) {
  add_word(command, "FILE", "", render.file, "A document")->required();
  add_word(command, "-o", "OUT", render.out,
           "Where to: a picture (x.png), a folder of pictures (frames/), or a film (x.gif, x.mp4)");
  add_word(command, "--frames", "A:B", render.frames,
           "A:B, A:B:STEP or N; unless given, the first frame for a picture, and for a folder or a "
           "film the whole timeline");
  add_word(command, "--size", "WxH", render.size, "Pixels; 1280x720 unless given");
  add_word(command, "--view", "NAME", render.view,
           "A camera of the document, or three-quarter, front, back, left, right, top, bottom, "
           "low, high");
  add_list(command, "--show", "NODE.SOCKET", render.show,
           "What is seen; the viewers unless given. A field shows as colours on its body");
  add_list(command, "--overlay", "NAMES", render.overlays,
           "What is drawn over and around, besides ground, legend and labels: grid, wire, "
           "vertices, normals, bounds, axes; several with commas, no- before a name takes it away, "
           "none takes all");
  add_word(command, "--shading", "NAME", render.shading, "clay, facets, normals, unlit or veil");
  add_word(command, "--section", "PLANE", render.section,
           "Cuts bodies open: x, y or z through the middle, y=0.25 at a place; takes away what "
           "lies to the positive side, or with a minus (-x) to the negative");
  add_word(command, "--map", "NAME", render.map,
           "The colours of a field: sequential, diverging, strain or phase");
  add_word(command, "--sheet", "CxR", render.sheet,
           "Columns and rows: one picture with many frames side by side; --size is that of each");
  command->add_flag("--turntable", render.turntable, "The camera goes once round");
  add_word(command, "--renderer", "NAME", render.renderer, "auto, vulkan or opengl");
  add_list(command, "--set", "NODE.PARAM=VALUE", render.set, "For this run only");
  add_threads(command, render.threads, "How many threads evaluate; all cores unless given");
  command->add_flag("--json", render.json, "For machines");
}

CLI::App* declare_export(CLI::App& app, ExportOptions& out) {
  CLI::App* command =
      app.add_subcommand("export", "What is seen, over time, as a file of another tool");
  add_word(command, "FILE", "", out.file, "A document")->required();
  add_word(command, "-o", "OUT", out.out,
           "Where to: x.glb or x.gltf (morph targets), x.usda (points over time), x.pc2 or x.mdd "
           "(a point cache, with x.obj), x.ply or x.obj (a file a frame: x_0000.ply, ...)");
  add_word(command, "--frames", "A:B", out.frames,
           "A:B, A:B:STEP or N; the whole timeline unless given");
  command->add_option("--fps", out.fps, "Frames a second of the file; the document's unless given")
      ->type_name("N")
      ->check(CLI::Range(0.001, 10000.0).description(""));
  add_word(command, "--up", "AXIS", out.up, "y, or z: what points up in the file");
  add_word(command, "--unit", "NAME", out.unit, "Of lengths in the file: m, cm, mm, in or ft");
  command
      ->add_option("--error", out.error,
                   "glTF: how far a vertex may be off, in parts of its body's size; 1e-5 unless "
                   "given. More makes fewer morph targets")
      ->type_name("E")
      ->check(CLI::Range(1e-9, 1.0).description(""));
  command->add_option("--targets", out.targets, "glTF: no more morph targets than that")
      ->type_name("N")
      ->check(CLI::Range(1, 100000).description(""));
  add_list(command, "--show", "NODE.SOCKET", out.show,
           "What leaves; what the viewers show unless given. A field leaves as numbers and "
           "colours on its body");
  add_word(command, "--skeleton", "NODE.SOCKET", out.skeleton,
           "glTF: the pose that goes along, or none; that which leads what is seen unless given");
  add_list(command, "--set", "NODE.PARAM=VALUE", out.set, "For this run only");
  add_threads(command, out.threads, "How many threads evaluate; all cores unless given");
  command->add_flag("--json", out.json, "For machines");
  return command;
}

#ifndef SINEW_HAS_PICTURES
int no_pictures() {
  print_error("", "this Sinew was built without its renderer; ./dev setup says what is missing");
  return call_error;
}
#endif

// What needs the renderer, or says that it is not there.
#ifdef SINEW_HAS_PICTURES
int run_picture_command(const RenderOptions& render) { return run_render(render); }
int run_picture_command(const ExportOptions& out) { return run_export(out); }
int run_picture_command(const SweepOptions& sweep) { return run_sweep(sweep); }
int run_picture_command(const GalleryOptions& gallery) { return run_gallery(gallery); }
int run_picture_command(const PresetsOptions& presets) {
  return presets.act == PresetsOptions::Act::check ? run_library_check(presets)
                                                   : run_preview(presets);
}
#else
template <class Options>
int run_picture_command(const Options&) {
  return no_pictures();
}
#endif

bool can_open_a_window() {
#ifdef SINEW_HAS_PICTURES
  return sinew::has_display();
#else
  return false;
#endif
}

int run_window(const sinew::editor::RunOptions& editor) {
#ifdef SINEW_HAS_PICTURES
  return sinew::editor::run_editor(editor);
#else
  return static_cast<void>(editor), no_pictures();
#endif
}

void declare_window(CLI::App& app, sinew::editor::RunOptions& editor) {
  add_word(&app, "FILE", "", editor.file, "A document to be opened in the editor");
  add_word(&app, "--renderer", "NAME", editor.renderer, "Of the editor: auto, vulkan or opengl");
  add_word(&app, "--size", "WxH", editor.size, "Of the editor's window, in pixels");
  add_list(&app, "--show", "NODE.SOCKET", editor.show,
           "What the editor shows; as the document says unless given");
  add_list(&app, "--set", "NODE.PARAM=VALUE", editor.set,
           "In the editor, as a first step that can be undone");
  add_word(&app, "--script", "FILE", editor.script,
           "Replays actions in the editor, with no window; takes pictures of it");
  add_word(&app, "--out", "DIR", editor.out,
           "Where a script's pictures go; beside the script unless given");
  add_word(&app, "--record", "FILE", editor.record,
           "Writes what is done in the editor as such a script");
  add_word(&app, "--landmarks", "FILE", editor.landmarks,
           "Writes what is where in the editor's window, as JSON, for programs that test it");
}

CLI::App* declare_nodes(CLI::App& app, NodesOptions& nodes) {
  CLI::App* command =
      app.add_subcommand("nodes", "The node types, their sockets, ranges and documentation");
  add_word(command, "TYPE", "", nodes.type, "Only this one, in full, such as mesh.box");
  command->add_flag("--json", nodes.json, "For machines");
  command->add_flag("--markdown", nodes.markdown, "The text of docs/nodes.md");
  return command;
}

CLI::App* declare_check(CLI::App& app, CheckOptions& check) {
  CLI::App* command =
      app.add_subcommand("check", "Read and validate documents; say what is wrong and where");
  command->add_option("FILE", check.files, "Documents")->type_name("")->required();
  command->add_flag("--tidy", check.tidy,
                    "Write those that are sound back as Sinew itself would write them");
  command->add_flag("--json", check.json, "For machines");
  return command;
}

CLI::App* declare_eval(CLI::App& app, EvalOptions& eval) {
  CLI::App* command = app.add_subcommand("eval", "Evaluate a document at one frame");
  add_word(command, "FILE", "", eval.file, "A document")->required();
  command
      ->add_option_function<int>(
          "--frame", [&eval](int frame) { eval.frame = frame; },
          "The frame; the document's first unless given")
      ->type_name("N");
  add_list(command, "--set", "NODE.PARAM=VALUE", eval.set,
           "For this run only; inside a group: GROUP/NODE.PARAM=VALUE");
  add_list(command, "--output", "NODE.SOCKET", eval.outputs,
           "What to evaluate; the viewers unless given");
  add_word(command, "-o", "OUT", eval.out_file,
           "Write to this file, by its ending: the first output that can be written so (.obj, "
           ".ply, .stl, ...: a mesh; .json, .csv: the data of a field or chart); .json of anything "
           "else is the report of --json");
  add_threads(command, eval.threads, "How many threads; all cores unless given");
  command->add_flag("--json", eval.json, "For machines");
  return command;
}

CLI::Option* add_number(CLI::App* app, const char* name, std::optional<int>& number,
                        const char* doc) {
  return app
      ->add_option_function<int>(
          name, [&number](int value) { number = value; }, doc)
      ->type_name("N");
}

CLI::App* declare_search(CLI::App& app, SearchOptions& search) {
  CLI::App* command =
      app.add_subcommand("search", "Search for parameters with which a number becomes small");
  add_word(command, "FILE", "", search.file, "A document")->required();
  add_word(command, "--node", "NAME", search.node,
           "The node that searches; the only one that can unless given");
  add_word(command, "--minimise", "NODE.SOCKET", search.minimise,
           "A number of any graph that shall be small: a node that searches for it is added");
  add_word(command, "--maximise", "NODE.SOCKET", search.maximise, "The same, but large");
  add_list(command, "--vary", "NODE.PARAM=LOW:HIGH", search.vary,
           "What may change, and how far; NODE.PARAM alone: as far as the node allows");
  add_number(command, "--frame", search.frame, "At which frame the number is read");
  add_list(command, "--set", "NODE.PARAM=VALUE", search.set,
           "Another value, also in the document that is written");
  add_number(command, "--trials", search.trials, "How many candidates each chain tries");
  add_number(command, "--restarts", search.restarts, "How many chains run side by side");
  add_number(command, "--seed", search.seed, "Another one tries other candidates");
  add_word(command, "--method", "NAME", search.method, "anneal or population");
  add_word(command, "-o", "OUT", search.out_file, "Write the document with what was found");
  command->add_flag("--apply", search.apply, "In OUT, set the parameters to the best candidate");
  command->add_flag("--resume", search.resume, "Go on with a search that was stopped");
  add_threads(command, search.threads, "How many threads; all cores unless given");
  command->add_flag("--json", search.json, "For machines");
  return command;
}

CLI::App* declare_sweep(CLI::App& app, SweepOptions& sweep) {
  CLI::App* command = app.add_subcommand(
      "sweep", "Vary parameters: pictures of all variations side by side, and a table");
  add_word(command, "FILE", "", sweep.file, "A document")->required();
  add_list(command, "--vary", "NODE.PARAM=A:B:N", sweep.vary,
           "N values from A to B, or V,V,... each; several make a grid");
  add_word(command, "-o", "DIR", sweep.out,
           "Where to: a folder for sheet.png, sweep.csv and a picture of each variation");
  add_number(command, "--frame", sweep.frame,
             "Which frame; the one of the document's picture unless given");
  add_word(command, "--size", "WxH", sweep.size, "Pixels of each picture; 320x240 unless given");
  add_word(command, "--view", "NAME", sweep.view, "As for render");
  add_list(command, "--show", "NODE.SOCKET", sweep.show, "As for render");
  add_list(command, "--measure", "NODE.SOCKET", sweep.measure, "A number for the table");
  add_list(command, "--set", "NODE.PARAM=VALUE", sweep.set, "The same in all variations");
  add_word(command, "--renderer", "NAME", sweep.renderer, "auto, vulkan or opengl");
  add_threads(command, sweep.threads, "How many threads evaluate; all cores unless given");
  command->add_flag("--json", sweep.json, "For machines");
  return command;
}

CLI::App* declare_gallery(CLI::App& app, GalleryOptions& gallery) {
  CLI::App* command = app.add_subcommand(
      "gallery", "A library as a web page: pictures that move, models that turn, packs to take");
  command->add_option("PRESET", gallery.words, "Names or files; all unless given")->type_name("");
  add_word(command, "-o", "DIR", gallery.out, "Where to: a folder for index.html and packs/");
  add_word(command, "--library", "DIR", gallery.library,
           "The folder of your own presets; the usual one unless given");
  command->add_flag("--own", gallery.own_only, "Without what comes with the program");
  add_word(command, "--title", "TEXT", gallery.title, "What stands above it");
  command->add_flag("--json", gallery.json, "For machines");
  return command;
}

// The acts on the library, each a command below "presets".
CLI::App* declare_presets(CLI::App& app, PresetsOptions& presets) {
  using Act = PresetsOptions::Act;
  CLI::App* command = app.add_subcommand("presets", "The library: list, search, show, share");
  command->require_subcommand(0, 1);
  add_word(command, "--library", "DIR", presets.library,
           "The folder of your own presets; the usual one unless given");
  command->add_flag("--json", presets.json, "For machines");
  const auto act = [&](const char* name, const char* doc, Act which) {
    CLI::App* sub = command->add_subcommand(name, doc);
    sub->fallthrough();
    sub->callback([&presets, which] { presets.act = which; });
    return sub;
  };
  const auto takes = [&](CLI::App* sub, const char* what, const char* doc, int least, int most) {
    sub->add_option(what, presets.words, doc)->type_name("")->required()->expected(least, most);
  };
  constexpr int many = 10000;
  CLI::App* list = act("list", "All presets", Act::list);
  add_word(list, "--category", "NAME", presets.category, "Only these: Motions, Materials, ...");
  add_word(list, "--tag", "NAME", presets.tag, "Only those with this tag");
  takes(act("search", "Presets by letters of their titles, names, tags and descriptions",
            Act::search),
        "WORDS", "What it is about", 1, many);
  takes(act("show", "What a preset is, and what can be set", Act::show), "PRESET",
        "Its name or its file", 1, 1);
  CLI::App* install = act("install", "Take packs (.sinew) into your library", Act::install);
  takes(install, "FILE", "Packs", 1, many);
  install->add_flag("--replace", presets.replace, "Also where another version is there");
  CLI::App* pack = act("pack", "A preset with all that it reads, as one file", Act::pack);
  takes(pack, "PRESET", "Its name or its file", 1, 1);
  add_word(pack, "-o", "OUT.sinew", presets.out, "Where to; NAME.sinew unless given");
  takes(act("diff", "What differs between two presets, or a pack and what is installed", Act::diff),
        "PRESET", "Names, files or packs", 1, 2);
  CLI::App* upgrade =
      act("upgrade", "Newer versions of the presets that a document holds", Act::upgrade);
  takes(upgrade, "FILE", "A document", 1, 1);
  add_word(upgrade, "-o", "OUT", presets.out, "Where to; nothing is written unless given");
  CLI::App* trial = act("try", "What a pack reads, in a process of its own", Act::try_files);
  takes(trial, "FOLDER", "", 1, 1);
  trial->group("");  // nobody needs it but this program
  const auto may_name = [&](CLI::App* sub) {
    sub->add_option("PRESET", presets.words, "Names or files; all unless given")->type_name("");
  };
  may_name(act("preview", "Draw the previews that are missing or old", Act::preview));
  may_name(act("check", "Whether presets keep what a library promises", Act::check));
  CLI::App* put = act("put", "A motion onto another mesh, or a material onto a document", Act::put);
  takes(put, "PRESET", "Its name or its file", 1, 1);
  add_word(put, "--on", "WHAT", presets.on,
           "A mesh (hat.obj), a node type that makes one (cast.teapot), or for a material a "
           "document");
  add_word(put, "-o", "OUT.json", presets.out, "The document that is written");
  return command;
}

// Without a command the first word is a file. One that is no file and has no ending was meant as a
// command. Empty: there is nothing to say against it.
std::string misspelt_command(const CLI::App& app, const std::string& word) {
  std::error_code ec;
  if (word.empty() || word.find_first_of("./") != std::string::npos) return "";
  if (std::filesystem::exists(word, ec)) return "";
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
  const std::string nearest = did_you_mean(word, commands);
  return fmt::format("there is no command and no file '{}'{}", word,
                     nearest.empty() ? "; see sinew --help" : nearest);
}

// What is wrong with the words of a call, beyond what CLI11 has found.
int refuse_call(const CLI::App& app, const std::string& text) {
  const auto commands = app.get_subcommands();
  print_error("", fmt::format("{}; see sinew {}--help", text,
                              commands.empty() ? "" : commands[0]->get_name() + " "));
  return call_error;
}

int run(int argc, char** argv) {
  CLI::App app{"Sinew: node graphs that make soft things move.", "sinew"};
  app.set_version_flag("--version", "sinew " SINEW_VERSION);
  app.require_subcommand(0, 1);
  sinew::editor::RunOptions editor;
  declare_window(app, editor);
  RenderOptions render;
  CLI::App* render_command =
      app.add_subcommand("render", "Pictures and films of a document, with no window");
  declare_render(render_command, render);
  ExportOptions out;
  CLI::App* export_command = declare_export(app, out);
  NodesOptions nodes;
  CLI::App* nodes_command = declare_nodes(app, nodes);
  CheckOptions check;
  CLI::App* check_command = declare_check(app, check);
  SearchOptions search;
  CLI::App* search_command = declare_search(app, search);
  SweepOptions sweep;
  CLI::App* sweep_command = declare_sweep(app, sweep);
  GalleryOptions gallery;
  CLI::App* gallery_command = declare_gallery(app, gallery);
  PresetsOptions presets;
  CLI::App* presets_command = declare_presets(app, presets);
  EvalOptions eval;
  declare_eval(app, eval);

  std::string wrong;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // --help, --version
    wrong = e.what();
  }
  const bool is_window = app.get_subcommands().empty();
  if (is_window)
    if (const std::string text = misspelt_command(app, editor.file); !text.empty())
      return print_error("", text), call_error;
  if (!wrong.empty()) return refuse_call(app, wrong);
  if (!is_window)
    for (const CLI::Option* option : app.get_options())
      if (option->count() > 0)
        return refuse_call(app, fmt::format("{} before a command has no effect",
                                            option->get_positional() ? "'" + editor.file + "'"
                                                                     : option->get_name()));
  if (is_window && editor.file.empty() && editor.script.empty() && !can_open_a_window()) {
    say_lines(app.help());
    return done;
  }
  try {
    if (is_window) return run_window(editor);
    if (*render_command) return run_picture_command(render);
    if (*export_command) return run_picture_command(out);
    if (*nodes_command) return run_nodes(nodes);
    if (*check_command) return run_check(check);
    if (*search_command) return run_search(search);
    if (*sweep_command) return run_picture_command(sweep);
    if (*gallery_command) return run_picture_command(gallery);
    if (*presets_command)
      return presets.needs_pictures() ? run_picture_command(presets) : run_presets(presets);
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
  std::error_code ec;
  sinew::library::try_packs_with(std::filesystem::read_symlink("/proc/self/exe", ec));
  const int code = run(argc, argv);
  errno = 0;
  std::cout.flush();
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
  const std::string reason = errno ? ": " + std::generic_category().message(errno) : "";
  print_error("", "cannot write to standard output" + reason);
  return call_error;
}
