// Where work runs in one process: trials on its cores, and an evaluator for each lane that keeps
// its results from trial to trial, so that only what depends on a varied parameter runs again.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "graph/evaluator.h"
#include "graph/work.h"

namespace sinew {

struct LocalSiteOptions {
  int threads = 0;  // 0: all cores
  const std::atomic<bool>* stop = nullptr;
  std::function<void(double part, const std::string& words)> progress;
  std::function<void(Value result)> publish;
};

class LocalSite : public WorkSite {
 public:
  // `node` of the document's own graph; `context` says from where simulations run and where files
  // are.
  LocalSite(const GraphDoc& doc, GraphPtr graph, std::string node, Context context,
            LocalSiteOptions options);
  ~LocalSite() override;

  bool stopped() const override;
  void progress(double part, const std::string& words) override;
  void publish(Value result) override;
  // What a trial throws, it throws; of several the first in their order.
  bool spread(std::size_t count,
              const std::function<double(std::size_t i, std::size_t lane)>& trial,
              std::span<double> costs) override;
  std::size_t lanes() const override { return lanes_.size(); }
  Result<double> number(std::span<const WorkSetting> settings, int input, int frame,
                        std::size_t lane) override;
  Result<Parameter> parameter(const std::string& name) override;

 protected:
  // Some of the trials: those in `indices`, by their index in costs.
  bool spread_some(std::span<const std::size_t> indices,
                   const std::function<double(std::size_t i, std::size_t lane)>& trial,
                   std::span<double> costs);

 private:
  struct Lane;  // TBB's arena and an evaluator, kept out of this header

  Result<GraphPtr> with(std::span<const WorkSetting> settings) const;

  GraphDoc doc_;
  GraphPtr graph_;
  std::string node_;
  Context context_;
  LocalSiteOptions options_;
  std::vector<std::unique_ptr<Lane>> lanes_;
};

}  // namespace sinew
