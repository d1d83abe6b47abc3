// Charts from wanted shapes: an activation, backwards. [Ijiri09, section 7]
#include <charconv>
#include <cmath>

#include "nodes/kernels/fit_skin.h"
#include "nodes/kernels/inverse_charts.h"
#include "nodes/kernels/soft_body.h"
#include "nodes/procdef/pattern.h"

namespace sinew {
namespace {

constexpr double worth_a_word = 0.05;  // of the size

In<TetMesh> body;
InList<TetMesh> shapes;
In<std::string> times;
In<Frames> frames;
TravelInputs travel;
In<float> limit;
In<kernels::ChartLink> volume;
In<int> points, refine;
Out<Chart> primary, secondary, tertiary;
Out<float> error;

void declare(Declaration& d) {
  d.id("procdef.inverse", 1).label("Find Charts").category("ProcDef");
  d.doc(
      "Finds the charts with which a body comes nearest to wanted shapes at given times. Give the "
      "activation that plays them the same frames, amplitude, phase, speed, period and volume.");
  d.in(body, "body").doc("The solid at rest.");
  d.in(shapes, "shapes")
      .accepts<Mesh>()
      .doc(
          "The wanted shapes in the order of their times, anywhere in space: this solid deformed, "
          "or its surface deformed as a mesh.");
  d.in(times, "times", std::string())
      .doc(
          "When each shape is wanted, as parts of the cycle, such as \"0 0.25 0.5\". Empty: evenly "
          "spread over the cycle.");
  d.in(frames, "frames")
      .optional()
      .doc("The three directions at each vertex; without them the axes x, y, z.");
  travel.declare(
      d, "How much each vertex takes part; where it is below 0 the charts act the other way.");
  d.in(volume, "volume", kernels::ChartLink::keep_both)
      .choices({"as_drawn", "keep_both", "keep_secondary"})
      .doc(
          "as_drawn: three charts are found; else one, from which the other two follow as in the "
          "activation.");
  d.in(limit, "limit", 4.0f)
      .range(1.01, 20)
      .doc("No direction is ever longer than this many times its length, or shorter by as much.");
  d.in(points, "points", 8)
      .range(3, 24)
      .doc("Of each chart, evenly spread over the cycle. Where no shape says anything, back to 1.");
  d.in(refine, "refine", 2)
      .range(0, 10)
      .doc(
          "Rounds of correction by letting the body come to rest under the charts. 0: stretches "
          "only, which is quick, and too weak where neighbours pull at each other.");
  d.out(primary, "primary").doc("Along the primary direction.");
  d.out(secondary, "secondary").doc("Along the secondary direction.");
  d.out(tertiary, "tertiary").doc("Along the tertiary direction.");
  d.out(error, "error")
      .doc(
          "How far from the wanted shapes the body comes to rest: a root mean square, as part of "
          "its "
          "size.");
}

// Numbers between blanks, commas or semicolons; false after an error.
bool read_times(Exec& e, std::size_t count, std::vector<double>& list) {
  const std::string& text = e.get(times);
  const auto apart = [](char c) {
    return c == ',' || c == ';' || c == ' ' || c == '\t' || c == '\n';
  };
  for (std::size_t at = 0; at < text.size();) {
    if (apart(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && !apart(text[end])) ++end;
    double value = 0;
    const char* const last = text.data() + end;
    const auto [stop, flaw] = std::from_chars(text.data() + at, last, value);
    if (flaw != std::errc() || stop != last || !(std::abs(value) < 1e6)) {
      return e.error("'times': \"{}\" is not a number; write them as \"0 0.25 0.5\"",
                     text.substr(at, std::min<std::size_t>(end - at, 40))),
             false;
    }
    list.push_back(value);
    at = end;
  }
  if (list.empty()) {
    for (std::size_t k = 0; k < count; ++k) {
      list.push_back(static_cast<double>(k) / static_cast<double>(count));
    }
  }
  if (list.size() == count) return true;
  return e.error("'times' needs one number for each shape: {} instead of {}", count, list.size()),
         false;
}

// The vertices of the solid in each wanted shape; false after an error.
bool read_shapes(Exec& e, std::vector<kernels::WantedShape>& list) {
  const TetMesh& solid = e.get(body);
  const std::vector<Value>& wanted = e.values(shapes.index);
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (wanted[k].is<TetMesh>()) {
      list[k].positions = wanted[k].as<TetMesh>().positions;
      if (list[k].positions.size() == solid.vertex_count()) continue;
      return e.error("shape {} has {} vertices but the body has {}; deform this solid", k + 1,
                     list[k].positions.size(), solid.vertex_count()),
             false;
    }
    const Mesh& mesh = wanted[k].as<Mesh>();
    if (const std::size_t skin = kernels::surface_size(solid); mesh.vertex_count() != skin) {
      return e.error(
                 "shape {} has {} vertices but the body's surface has {}; deform the mesh of a "
                 "tet.surface of it",
                 k + 1, mesh.vertex_count(), skin),
             false;
    }
    if (solid.vertex_count() > kernels::SkinFit::most_vertices) {
      return e.error("the body has {} vertices; meshes as shapes are possible up to {}",
                     solid.vertex_count(), kernels::SkinFit::most_vertices),
             false;
    }
    const auto fit = e.prepared<kernels::SkinFit>(
        "skin fit",
        [&] {
          return stoppable(e, [&](CancelView stop) { return kernels::SkinFit(solid, stop); });
        },
        body);
    list[k].positions = fit->solve(mesh.positions);
  }
  return true;
}

void report(Exec& e, const kernels::FoundCharts& found) {
  std::size_t worst = 0;
  for (std::size_t k = 0; k < found.error.size(); ++k) {
    if (found.error[k] > found.error[worst]) worst = k;
  }
  if (found.error[worst] < worth_a_word) return;
  e.warning(
      "shape {} is out of reach: {:.0f} % of the body's size off, {:.0f} % before any charts; "
      "other frames, amplitudes or another volume may come nearer",
      worst + 1, 100 * found.error[worst], 100 * found.rest_error[worst]);
}

void exec(Exec& e) {
  const TetMesh& solid = e.get(body);
  if (solid.tet_count() == 0) {
    return e.error("the body has no tetrahedra; fill a mesh with tet.from_mesh");
  }
  std::vector<kernels::WantedShape> wanted(e.values(shapes.index).size());
  if (wanted.empty()) return e.error("'shapes' has no links; link at least one wanted shape");
  kernels::InverseSettings settings;
  if (!read_frames(e, frames, solid.vertex_count(), settings.frames)) return;
  if (!travel.fits(e, solid.vertex_count())) return;
  std::vector<double> moments;
  if (!read_times(e, wanted.size(), moments) || !read_shapes(e, wanted)) return;
  for (std::size_t k = 0; k < wanted.size(); ++k) wanted[k].time = moments[k];
  travel.read(e, settings);
  settings.link = e.get(volume);
  settings.limit = static_cast<double>(e.get(limit));
  settings.points = e.get(points);
  settings.refine = e.get(refine);
  kernels::FoundCharts found = stoppable(e, [&](CancelView stop) {
    const kernels::MatchBody match(solid, kernels::vertex_masses(solid, 1000, {}), stop);
    return kernels::find_charts(solid, match, wanted, settings, stop);
  });
  report(e, found);
  e.set(error, to_float(kernels::overall_error(found.error)));
  e.set(primary, std::move(found.charts[0]));
  e.set(secondary, std::move(found.charts[1]));
  e.set(tertiary, std::move(found.charts[2]));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(procdef_inverse, declare, exec)
