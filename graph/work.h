// Work that a node does when somebody asks for it, and not whenever it is evaluated: a search that
// takes seconds to hours. What it finds becomes a literal of one of its own inputs, so that it is
// saved, shared and undone like everything else, and evaluating the node stays quick.
//
// A node declares it: d.work("Search", found, search), with an input that holds the result and a
// function void search(Exec& e, WorkSite& site). The function sees the inputs as exec() does.
// Whoever runs it (an editor, a command) is the site: it takes what has been found so far, says
// when to stop, runs trials on as many cores and machines as there are, and evaluates the graph
// itself with other numbers.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graph/result.h"
#include "graph/value.h"

namespace sinew {

class Exec;

// Another value for a parameter of the graph: "node.input", as --set names it.
struct WorkSetting {
  std::string parameter;
  Json value;
};

class WorkSite {
 public:
  virtual ~WorkSite() = default;

  // Asked for between trials. What was published stays.
  virtual bool stopped() const = 0;
  // How much is done, 0 to 1, and a line for people: "trial 57 of 100, best 0.31".
  virtual void progress(double part, const std::string& words) = 0;
  // What is known so far, as the literal of the declared input. The last call counts.
  virtual void publish(Value result) = 0;

  // costs[i] = trial(i, lane) for i < count: in parallel, each once. Trials with the same lane
  // never run at the same time; lanes count from 0 to lanes() - 1. Every process of a search that
  // runs on several machines sees all costs, in the same order. Returns false if it was stopped:
  // then the costs mean nothing.
  virtual bool spread(std::size_t count,
                      const std::function<double(std::size_t i, std::size_t lane)>& trial,
                      std::span<double> costs) = 0;
  virtual std::size_t lanes() const = 0;

  // The number that arrives at the float input `input` of the node itself, at a frame, with some
  // parameters of the graph set otherwise. Not in a group. Each lane has an evaluator of its own.
  virtual Result<double> number(std::span<const WorkSetting> settings, int input, int frame,
                                std::size_t lane) = 0;
  // What is wrong with a parameter that shall be varied, and else its value now and its range.
  struct Parameter {
    double value = 0, low = 0, high = 0;
    bool whole = false;  // only whole numbers
  };
  virtual Result<Parameter> parameter(const std::string& name) = 0;
};

// As a node declares it.
struct WorkInfo {
  std::string label;  // on the button: "Search"
  int result = -1;    // the input whose literal it becomes
  std::function<void(Exec&, WorkSite&)> run;
};

}  // namespace sinew
