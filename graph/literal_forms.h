// How a person changes a literal that is more than a few numbers: as a sheet of numbers, as several
// curves over one another, or by choosing one of the candidates that it holds. It stands beside
// TypeInfo and not in it, since the graph never asks: only interfaces do, and they learn here all
// that they need of a type that they do not know.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "graph/value.h"

namespace sinew {

// What is known of a number: as InputInfo says it of an input.
struct NumberForm {
  std::string name, unit, doc;
  double standard = 0;
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
};

// A literal taken apart. Each row has a number for each of the form's `lead` and for each column.
struct Sheet {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
  std::vector<double> whole;  // those of the form's `whole`

  bool operator==(const Sheet&) const = default;
};

struct SheetForm {
  std::string row, column;        // what one of them is: "pose", "mode"
  std::vector<NumberForm> lead;   // the first numbers of every row, which are always there
  NumberForm cell;                // the numbers of the columns
  std::vector<NumberForm> whole;  // numbers of the literal as a whole
  std::function<Sheet(const void*)> read;
  // The literal, or what is wrong with the sheet: two columns of the same name, say.
  std::function<Result<Json>(const Sheet&)> write;
};

// Several curves in one literal, each as a chart is written (docs/format.md). Only their points and
// the period can be changed.
struct CurvesForm {
  struct Curve {
    std::string name;
    Json chart;
  };
  std::string doc;  // what a hand does to the others when it changes one
  std::function<std::vector<Curve>(const void*)> read;
  // The literal, with another chart for one of them.
  std::function<Result<Json>(const void*, std::size_t which, const Json& chart)> write;
};

// What work has found (graph/work.h), to choose from.
struct Candidates {
  struct One {
    double cost = 0;
    uint64_t trial = 0;
    std::vector<double> values;  // as many as there are names
  };
  std::vector<std::string> names;
  std::vector<One> list;  // the best first
  uint64_t trials = 0;
  double start_cost = 0;    // of what it began with
  bool unfinished = false;  // it was stopped, and can go on

  bool empty() const { return list.empty(); }
};

// Frames that the literal names (TypeInfo::frames, with_frame), taken away and added.
struct FramesForm {
  // The literal without the n-th of them.
  std::function<Json(Json, std::size_t)> without;
  // With one more, which changes as little as it can; as it is where there is one at that frame.
  std::function<Json(Json, double frame)> with_new;
};

struct LiteralForms {
  std::optional<SheetForm> sheet;
  std::optional<CurvesForm> curves;
  std::function<Candidates(const void*)> candidates;
  std::optional<FramesForm> frames = {};
};

// Once for each type, when types are registered; and what was said then, empty where nothing was.
void add_literal_forms(const TypeInfo& type, LiteralForms forms);
const LiteralForms& literal_forms(const TypeInfo& type);

}  // namespace sinew
