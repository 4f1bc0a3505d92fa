#include "runner/fabric_runner.hpp"

#if GOSSAMER_MPI
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace gossamer::tb {
namespace {

class MpiRanks final : public Ranks {
 public:
  MpiRanks(int& argc, char**& argv) {
    int provided = 0;  // any thread may call MPI, but only one at a time
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    int value = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &value);
    size_ = static_cast<unsigned>(value);
    MPI_Comm_rank(MPI_COMM_WORLD, &value);
    rank_ = static_cast<unsigned>(value);
    stderr_ = dup(STDERR_FILENO);
    if (rank_ == 0) return;
    if (std::freopen("/dev/null", "w", stdout) == nullptr ||
        std::freopen("/dev/null", "w", stderr) == nullptr) {
      abort("cannot open /dev/null");
    }
  }
  ~MpiRanks() override { MPI_Finalize(); }

  unsigned size() const override { return size_; }
  unsigned rank() const override { return rank_; }

  void exchange(std::span<Exchange> neighbours) override {
    requests_.resize(2 * neighbours.size());
    std::vector<MPI_Status> statuses(requests_.size());
    std::size_t r = 0;
    for (Exchange& e : neighbours) {
      MPI_Irecv(e.received.data(), static_cast<int>(2 * e.received.size()), MPI_UINT32_T,
                static_cast<int>(e.rank), 0, MPI_COMM_WORLD, &requests_[r++]);
    }
    for (Exchange& e : neighbours) {
      MPI_Isend(e.sent.data(), static_cast<int>(2 * e.sending), MPI_UINT32_T,
                static_cast<int>(e.rank), 0, MPI_COMM_WORLD, &requests_[r++]);
    }
    MPI_Waitall(static_cast<int>(r), requests_.data(), statuses.data());
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      int count = 0;
      MPI_Get_count(&statuses[i], MPI_UINT32_T, &count);
      neighbours[i].receiving = static_cast<std::size_t>(count) / 2;
    }
  }

  void add_up(std::span<std::uint64_t> values) override {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_UINT64_T,
                  MPI_SUM, MPI_COMM_WORLD);
  }

  std::vector<std::string> gather(const std::string& text) override {
    std::vector<std::uint64_t> lengths(size_, 0);
    lengths[rank_] = text.size();
    add_up(lengths);
    std::vector<std::string> texts;
    for (unsigned r = 0; r < size_; ++r) {
      std::string& t = texts.emplace_back(r == rank_ ? text : std::string(lengths[r], ' '));
      MPI_Bcast(t.data(), static_cast<int>(t.size()), MPI_CHAR, static_cast<int>(r),
                MPI_COMM_WORLD);
    }
    return texts;
  }

  void abort(const std::string& why) override {
    const std::string line = fmt::format("gossamer: rank {} of {}: {}\n", rank_, size_, why);
    if (write(stderr_, line.data(), line.size()) < 0) std::perror("gossamer");
    MPI_Abort(MPI_COMM_WORLD, 2);
    std::abort();  // MPI_Abort does not return, but is not declared so
  }

 private:
  unsigned size_ = 1, rank_ = 0;
  int stderr_ = STDERR_FILENO;
  std::vector<MPI_Request> requests_;
};

/// MPI takes a while to start, so it is used only if mpirun has started this process.
bool started_by_mpirun() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

}  // namespace

std::unique_ptr<Ranks> mpi_ranks(int& argc, char**& argv) {
  if (!started_by_mpirun()) return nullptr;
  return std::make_unique<MpiRanks>(argc, argv);
}

}  // namespace gossamer::tb

#else

namespace gossamer::tb {
std::unique_ptr<Ranks> mpi_ranks(int&, char**&) { return nullptr; }
}  // namespace gossamer::tb

#endif
