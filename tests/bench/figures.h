// What the benchmarks are for: a figure each, with a unit and, where there is one, a goal. Times
// come from Google Benchmark; a figure makes one number of one run, and compares it with another
// run of the same call, since machines are noisy but noisy alike.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sinew::bench {

struct Figure {
  std::string name;
  std::string run;   // name of the benchmark
  std::string unit;  // decides how the time becomes the number
  // How the number comes about: a counter of the run, or its time.
  enum class From {
    time_per_item,  // seconds * scale / items
    rate,           // items / seconds * scale
    counter,        // the run's counter called `counter`
  } from = From::time_per_item;
  double items = 1;  // in one iteration
  double scale = 1;  // 1e6 for microseconds, 1e-9 for giga
  std::string counter;

  // A goal: at most (or, for rates, at least) so much; or, with a reference, so many times better.
  std::optional<double> goal;
  std::string reference;              // name of the benchmark that it is compared with
  std::optional<double> stated = {};  // or a number that was published, in the same unit
};

const std::vector<Figure>& figures();
// Those of bodies that collide.
std::vector<Figure> contact_figures();
// Those of soft bodies.
std::vector<Figure> soft_figures();
// Those of free-form deformation.
std::vector<Figure> ffd_figures();
// Those of dynamic free-form deformation.
std::vector<Figure> dffd_figures();
// Those of vector offset operators.
std::vector<Figure> voo_figures();
// Those of moving least squares.
std::vector<Figure> mls_figures();
// Those of meshless bodies.
std::vector<Figure> meshless_figures();
std::vector<Figure> meshless_solve_figures();
// Those of the editor's canvas, where it is built.
std::vector<Figure> canvas_figures();
// Those of the renderer, where it is built.
std::vector<Figure> render_figures();
// Those of the editor, where it is built.
std::vector<Figure> editor_figures();

// sinew_bench --measure COMMAND...: how a benchmark learns the memory of another program.
int measure_memory(char** command);

// sinew_bench cancel NODE: prints how long each node goes on after it was told to stop.
int measure_cancelling(const std::string& filter);

}  // namespace sinew::bench
