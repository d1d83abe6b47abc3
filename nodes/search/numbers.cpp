// Varies parameters of any graph until a number that the graph computes is as small, or as large,
// as can be found.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <mutex>
#include <sstream>

#include "nodes/search_run.h"

namespace sinew {
namespace {

In<float> cost;
In<std::string> vary;
In<int> frame;
In<bool> maximise;
SearchWords words;
Out<float> cost_out, cost_found;
Out<Found> found_out;

void search(Exec& e, WorkSite& site);

void declare(Declaration& d) {
  d.id("search.numbers", 1)
      .label("Search Numbers")
      .category("Search")
      .doc(
          "Finds the parameters of this graph with which a number becomes as small as can be: link "
          "the number, list the parameters, press Search. Then a candidate can be used.");
  d.in(cost, "cost").range(-1e30, 1e30).doc("What shall be small. It may depend on a simulation.");
  d.in(vary, "vary", std::string())
      .multiline()
      .doc(
          "A parameter on each line: \"worm.speed 0.1 to 5\", or \"worm.speed\" for all that the "
          "node allows; of a vector \"worm.gravity.y\". They are numbers that are set, not linked "
          "and not animated.");
  d.in(frame, "frame", 100)
      .range(-1e6, 1e6)
      .doc("At which frame the number is read; simulations run up to it.");
  d.in(maximise, "maximise", false).doc("The number shall be large instead.");
  words.declare(d);
  d.work("Search", words.found, search);
  d.out(cost_out, "cost").doc("The number, with what is set now.");
  d.out(found_out, "found").doc("The candidates, the best first.");
  d.out(cost_found, "cost_found")
      .doc("The number that the picked candidate had; while there is none, that of now.");
}

bool read_number(const std::string& text, double& number) {
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  return read.ec == std::errc() && read.ptr == end && std::isfinite(number);
}

// One line of `vary`; nothing: an error was said.
std::optional<kernels::SearchVariable> read_line(Exec& e, WorkSite& site, int number,
                                                 const std::string& line) {
  std::istringstream text(line);
  std::string name, low, to, high, more;
  text >> name >> low >> to >> high >> more;
  const Result<WorkSite::Parameter> known = site.parameter(name);
  if (!known) return e.error("'vary', line {}: {}", number, known.error()), std::nullopt;
  kernels::SearchVariable v{name, known->low, known->high, known->value, 0, known->whole};
  if (low.empty()) return v;
  if (!read_number(low, v.low) || to != "to" || !read_number(high, v.high) || !more.empty()) {
    e.error("'vary', line {}: after the name stands a range, such as 0.1 to 5", number);
    return std::nullopt;
  }
  if (v.low > v.high) {
    e.error("'vary', line {}: a range goes from the smaller number to the larger, such as 0.1 to 5",
            number);
    return std::nullopt;
  }
  if (!(v.low >= known->low && v.high <= known->high)) {
    e.error("'vary', line {}: '{}' goes from {:g} to {:g}, and so must a part of it", number, name,
            known->low, known->high);
    return std::nullopt;
  }
  return v;
}

std::optional<kernels::SearchSpace> read_space(Exec& e, WorkSite& site) {
  kernels::SearchSpace space;
  std::istringstream text(e.get(vary));
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    line.erase(std::min(line.find('#'), line.size()));
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    std::optional<kernels::SearchVariable> v = read_line(e, site, number, line);
    if (!v) return std::nullopt;
    for (const kernels::SearchVariable& other : space.variables) {
      if (other.name == v->name) {
        e.error("'vary', line {}: '{}' is there twice", number, v->name);
        return std::nullopt;
      }
    }
    space.variables.push_back(std::move(*v));
  }
  if (space.variables.empty()) {
    e.error("'vary' is empty; write a parameter on each line, such as worm.speed 0.1 to 5");
    return std::nullopt;
  }
  return space;
}

void search(Exec& e, WorkSite& site) {
  const std::optional<kernels::SearchSpace> space = read_space(e, site);
  if (!space) return;
  const double sign = e.get(maximise) ? -1 : 1;
  const int at = e.get(frame);
  std::mutex mutex;
  std::string wrong;  // of one of the trials that failed
  const auto one = [&](std::span<const double> values, std::size_t lane) {
    std::vector<WorkSetting> settings;
    for (std::size_t i = 0; i < values.size(); ++i)
      settings.push_back({space->variables[i].name, values[i]});
    const Result<double> number = site.number(settings, cost.index, at, lane);
    if (number) return sign * *number;
    const std::lock_guard lock(mutex);
    wrong = number.error();
    return std::numeric_limits<double>::quiet_NaN();
  };
  run_search(e, site, words, *space, one);
  if (wrong.empty()) return;
  if (e.failed()) {
    e.messages().back().text += ": " + wrong;
  } else {
    e.warning("some trials failed, one with: {}", wrong);
  }
}

void exec(Exec& e) {
  e.forward(cost_out, cost);
  e.forward(found_out, words.found);
  const FoundCandidate* one = words.picked(e);
  const double sign = e.get(maximise) ? -1 : 1;
  e.set(cost_found, one ? to_float(sign * one->cost) : e.get(cost));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(search_numbers, declare, exec)
