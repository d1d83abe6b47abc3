#include "app/cli/ranks.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <stdexcept>

#include "app/mpi/module.h"

namespace sinew::cli {

namespace {

constexpr const char* module_name = "libsinew_mpi.so";

int number_of(const char* variable) {
  const char* text = std::getenv(variable);
  return text ? std::atoi(text) : 0;
}

// What one process says of its share of trials.
enum class Share { done, stopped, failed };

}  // namespace

struct Ranks::Module {
  explicit Module(void* loaded) : handle(loaded) {}

  template <class F>
  bool find(F*& function, const char* name) {
    function = reinterpret_cast<F*>(dlsym(handle, name));
    return function != nullptr;
  }
  bool find_all() {
    return find(open, "sinew_mpi_open") && find(rank, "sinew_mpi_rank") &&
           find(size, "sinew_mpi_size") && find(allgather, "sinew_mpi_allgather") &&
           find(largest, "sinew_mpi_largest") && find(close, "sinew_mpi_close");
  }

  void* handle;  // never closed: MPI does not like to be unloaded
  decltype(sinew_mpi_open)* open = nullptr;
  decltype(sinew_mpi_rank)* rank = nullptr;
  decltype(sinew_mpi_size)* size = nullptr;
  decltype(sinew_mpi_allgather)* allgather = nullptr;
  decltype(sinew_mpi_largest)* largest = nullptr;
  decltype(sinew_mpi_close)* close = nullptr;
};

Result<std::unique_ptr<Ranks>> Ranks::open() {
  if (std::max(number_of("OMPI_COMM_WORLD_SIZE"), number_of("PMI_SIZE")) <= 1)
    return std::unique_ptr<Ranks>();
  std::error_code ec;
  const std::filesystem::path folder =
      std::filesystem::read_symlink("/proc/self/exe", ec).parent_path();
  std::string why;
  for (const auto& path : {folder / module_name, folder.parent_path() / "lib" / module_name}) {
    if (!std::filesystem::exists(path, ec)) continue;
    // Global, since MPI loads parts of itself that look for each other.
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!handle) {
      why = dlerror();
      continue;
    }
    auto module = std::make_unique<Module>(handle);
    if (!module->find_all()) return Error{fmt::format("{} is of another version", path.string())};
    if (module->open() != 0) return Error{"the processes that mpirun has started cannot meet"};
    return std::unique_ptr<Ranks>(new Ranks(std::move(module)));
  }
  return Error{fmt::format(
      "mpirun has started several processes, but {} {}; run without mpirun, or build Sinew with "
      "libopenmpi-dev",
      module_name, why.empty() ? "is not beside the program" : "cannot be loaded: " + why)};
}

Ranks::Ranks(std::unique_ptr<Module> module) : module_(std::move(module)) {
  rank_ = module_->rank();
  size_ = module_->size();
}

Ranks::~Ranks() {
  int largest = 0;
  if (!broken_) module_->largest(1, &largest);
  module_->close();
}

int Ranks::here() const { return std::max(1, number_of("OMPI_COMM_WORLD_LOCAL_SIZE")); }

std::vector<double> Ranks::gather(const std::vector<double>& mine) {
  std::vector<double> all(mine.size() * static_cast<size_t>(size_));
  if (module_->allgather(mine.data(), static_cast<int>(mine.size()), all.data()) != 0) {
    broken_ = true;
    throw std::runtime_error("another process cannot be reached");
  }
  return all;
}

bool Ranks::together() {
  int largest = 0;
  broken_ = broken_ || module_->largest(0, &largest) != 0 || largest != 0;
  return !broken_;
}

RanksSite::RanksSite(Ranks& ranks, const GraphDoc& doc, GraphPtr graph, std::string node,
                     Context context, const LocalSiteOptions& options)
    : LocalSite(doc, std::move(graph), std::move(node), std::move(context), options),
      ranks_(ranks),
      stop_(options.stop) {
  if (!ranks_.together()) throw std::runtime_error("another process failed");
  lanes_ = 0;
  for (const double lanes : ranks_.gather({static_cast<double>(LocalSite::lanes())}))
    lanes_ += static_cast<size_t>(lanes);
}

bool RanksSite::spread(std::size_t count,
                       const std::function<double(std::size_t, std::size_t)>& trial,
                       std::span<double> costs) {
  if (!ranks_.together()) throw std::runtime_error("another process failed");
  const size_t size = static_cast<size_t>(ranks_.size()), rank = static_cast<size_t>(ranks_.rank());
  const size_t most = (count + size - 1) / size;  // of one process
  std::vector<size_t> mine;
  for (size_t i = rank; i < count; i += size) mine.push_back(i);
  Share share = Share::done;
  std::exception_ptr thrown;
  try {
    if (!spread_some(mine, trial, costs) || (stop_ && stop_->load())) share = Share::stopped;
  } catch (...) {
    thrown = std::current_exception();
    share = Share::failed;
  }
  std::vector<double> said(most + 1, 0);
  said[most] = static_cast<double>(share);
  for (size_t k = 0; k < mine.size(); ++k) said[k] = costs[mine[k]];
  const std::vector<double> all = ranks_.gather(said);
  for (size_t r = 0; r < size; ++r) {
    const Share of_one = static_cast<Share>(static_cast<int>(all[r * (most + 1) + most]));
    stopped_ = stopped_ || of_one == Share::stopped;
    if (of_one == Share::failed && r != rank && share != Share::failed)
      throw std::runtime_error(fmt::format("process {} failed", r));
    for (size_t k = 0; r + k * size < count; ++k) costs[r + k * size] = all[r * (most + 1) + k];
  }
  if (thrown) std::rethrow_exception(thrown);
  return !stopped_;
}

}  // namespace sinew::cli
