// sinew_bench [FILTER] [--json OUT]: runs the figures whose name or benchmark contains FILTER and
// prints them as a table; with --json also writes them, one entry a figure. Not a test: it always
// ends with 0 unless the call is wrong.
// sinew_bench cancel [NODE]: how long nodes whose name contains NODE go on after a cancel.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/bench/figures.h"

namespace sinew::bench {
namespace {

struct Measured {
  std::vector<double> seconds;  // one per repetition
  std::map<std::string, double> counters;
};

// Keeps what Google Benchmark measured instead of printing it.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.error_occurred) {
        fmt::print(stderr, "error: {}: {}\n", run.benchmark_name(), run.error_message);
        continue;
      }
      if (run.run_type != Run::RT_Iteration) continue;
      Measured& m = measured[run.run_name.function_name];
      m.seconds.push_back(run.real_accumulated_time / static_cast<double>(run.iterations));
      for (const auto& [name, counter] : run.counters) m.counters[name] = counter.value;
    }
  }
  std::map<std::string, Measured> measured;
};

double median(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return x[x.size() / 2];
}

double number_of(const Figure& f, const Measured& m) {
  switch (f.from) {
    case Figure::From::rate:
      return f.items / median(m.seconds) * f.scale;
    case Figure::From::counter:
      return m.counters.at(f.counter);
    case Figure::From::time_per_item:
      break;
  }
  return median(m.seconds) * f.scale / f.items;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

nlohmann::ordered_json entry_of(const Figure& f, const std::map<std::string, Measured>& measured) {
  const double value = number_of(f, measured.at(f.run));
  nlohmann::ordered_json entry = {{"name", f.name}, {"value", value}, {"unit", f.unit}};
  double ratio = 0;
  if (const auto it = measured.find(f.reference); it != measured.end()) {
    const double reference = number_of(f, it->second);
    ratio = f.from == Figure::From::rate ? value / reference : reference / value;
    entry["reference"] = reference;
    entry["ratio"] = ratio;
  }
  if (f.stated) {
    ratio = *f.stated / value;
    entry["reference"] = *f.stated;
    entry["ratio"] = ratio;
  }
  if (f.goal) {
    entry["goal"] = *f.goal;
    if (!f.reference.empty() || f.stated) {
      entry["met"] = ratio >= *f.goal;
    } else {
      entry["met"] = f.from == Figure::From::rate ? value >= *f.goal : value <= *f.goal;
    }
  }
  return entry;
}

void print_table(const nlohmann::ordered_json& entries) {
  fmt::print("{:<50} {:>10} {:<9} {:>10} {:>7} {:>6}  {}\n", "figure", "value", "", "reference",
             "ratio", "goal", "");
  for (const auto& e : entries) {
    const auto optional = [&](const char* key) {
      return e.contains(key) ? fmt::format("{:.4g}", e[key].get<double>()) : std::string();
    };
    const std::string met = e.contains("met") ? (e["met"].get<bool>() ? "met" : "NOT MET") : "";
    fmt::print("{:<50} {:>10.4g} {:<9} {:>10} {:>7} {:>6}  {}\n", e["name"].get<std::string>(),
               e["value"].get<double>(), e["unit"].get<std::string>(), optional("reference"),
               optional("ratio"), optional("goal"), met);
  }
}

int run(const std::string& filter, const std::string& out) {
  std::set<std::string> names;
  std::vector<Figure> chosen;
  for (const Figure& f : figures()) {
    if (!contains(f.name, filter) && !contains(f.run, filter)) continue;
    chosen.push_back(f);
    names.insert(f.run);
    if (!f.reference.empty()) names.insert(f.reference);
  }
  if (chosen.empty()) {
    fmt::print(stderr, "error: no figure's name contains '{}'; there are:\n", filter);
    for (const Figure& f : figures()) fmt::print(stderr, "  {}\n", f.name);
    return 2;
  }
  std::string pattern;
  for (const std::string& name : names) pattern += (pattern.empty() ? "^(" : "|") + name;
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector, pattern + ")(/|$)");
  nlohmann::ordered_json entries = nlohmann::ordered_json::array();
  for (const Figure& f : chosen) {
    if (collector.measured.contains(f.run)) {
      entries.push_back(entry_of(f, collector.measured));
    } else {
      fmt::print(stderr, "error: nothing was measured for '{}' ({})\n", f.name, f.run);
    }
  }
  print_table(entries);
  if (!out.empty()) {
    std::ofstream file(out);
    file << entries.dump(2) << '\n';
    if (!file.flush()) {
      fmt::print(stderr, "error: {}: cannot be written\n", out);
      return 2;
    }
  }
  return 0;
}

}  // namespace
}  // namespace sinew::bench

int main(int argc, char** argv) {
  if (argc > 2 && std::string(argv[1]) == "--measure")
    return sinew::bench::measure_memory(argv + 2);
  if (argc > 1 && argc < 4 && std::string(argv[1]) == "cancel")
    return sinew::bench::measure_cancelling(argc > 2 ? argv[2] : "");
  std::string filter, out;
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    if (arg == "--json" && i + 1 < argc) {
      out = argv[++i];
    } else if (!arg.empty() && arg[0] != '-' && filter.empty()) {
      filter = arg;
    } else {
      fmt::print(stderr, "usage: sinew_bench [FILTER] [--json OUT] | sinew_bench cancel [NODE]\n");
      return 2;
    }
  }
  // Several short repetitions, of which the middle one counts: a neighbour's burst is left out.
  std::string name = argv[0], repetitions = "--benchmark_repetitions=5",
              time = "--benchmark_min_time=0.05";
  char* arguments[] = {name.data(), repetitions.data(), time.data()};
  int count = 3;
  benchmark::Initialize(&count, arguments);
  return sinew::bench::run(filter, out);
}
