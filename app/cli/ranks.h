// Several processes of one search, on one machine or many, started by mpirun: `mpirun -n 8 sinew
// search ...`. Each runs the same search; only the trials are shared out, and their costs travel as
// exact bits, so that all agree on what comes next, and the result is that of one process.
//
// MPI is a module (libsinew_mpi.so, beside the program or in ../lib) that is loaded only here.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "graph/local_site.h"

namespace sinew::cli {

class Ranks {
 public:
  // Nothing unless mpirun has started several of us; else the processes, or why they cannot meet.
  static Result<std::unique_ptr<Ranks>> open();
  // Leaves: those that still work together are told, and nobody waits for ever.
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  // How many of them are on this machine.
  int here() const;

  // All give as many numbers; everyone sees all, by rank.
  std::vector<double> gather(const std::vector<double>& mine);
  // Whether all are where this one is: false if one of them has left, or is in trouble. Everything
  // that all do together begins with it.
  bool together();

 private:
  struct Module;
  Ranks(std::unique_ptr<Module> module);

  std::unique_ptr<Module> module_;
  int rank_ = 0, size_ = 1;
  bool broken_ = false;
};

// The cores of all processes.
class RanksSite : public LocalSite {
 public:
  RanksSite(Ranks& ranks, const GraphDoc& doc, GraphPtr graph, std::string node, Context context,
            const LocalSiteOptions& options);

  // Agreed on: the same for all.
  bool stopped() const override { return stopped_; }
  bool spread(std::size_t count,
              const std::function<double(std::size_t i, std::size_t lane)>& trial,
              std::span<double> costs) override;
  // Of all processes together; each uses the first few.
  std::size_t lanes() const override { return lanes_; }

 private:
  Ranks& ranks_;
  const std::atomic<bool>* stop_;
  std::size_t lanes_ = 1;
  bool stopped_ = false;
};

}  // namespace sinew::cli
