#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <future>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "support/job.hpp"

namespace gossamer {

/// Calls work(me, all) on up to `threads` threads at once, including this one, that stop together
/// (job.hpp). If the system can start fewer, `all` is smaller.
template <class Work>
void parallel_for(unsigned threads, const Work& work) {
  std::atomic<unsigned> all = 0;  // 0 until they are counted
  std::atomic<int>* const stop = Context::of_this_thread().stop;
  std::vector<std::jthread> others;
  others.reserve(threads - 1);
  try {
    while (others.size() + 1 < threads) {
      others.emplace_back([&, me = static_cast<unsigned>(others.size()) + 1] {
        const Hears heard(stop);
        all.wait(0);
        work(me, all.load());
      });
    }
  } catch (const std::exception&) {  // there are no more threads
  }
  const unsigned counted = static_cast<unsigned>(others.size()) + 1;
  all.store(counted);
  all.notify_all();
  work(0, counted);
}

/// Calls work(me, i) for i = 0 ... count-1 on several threads, and take(i, result) in this order,
/// one at a time: so the outcome does not depend on the threads. `me` is the number of the thread;
/// 0 is this one. Work that throws ends all when its turn to be taken comes; what has not begun by
/// then is dropped, and the exception is thrown here.
template <class Work, class Take>
void ordered_parallel_for(std::size_t count, unsigned threads, const Work& work, const Take& take) {
  using Result = decltype(work(0u, std::size_t{0}));
  std::atomic<std::size_t> begun = 0;
  std::mutex mutex;  // of all that follows
  std::map<std::size_t, std::future<Result>> waiting;
  std::size_t taken = 0;
  std::exception_ptr failure;
  const auto most = static_cast<unsigned>(std::clamp<std::size_t>(count, 1, threads));
  parallel_for(most, [&](unsigned me, unsigned) {
    for (std::size_t i = begun++; i < count; i = begun++) {
      std::packaged_task<Result()> task([&] { return work(me, i); });
      task();
      const std::lock_guard lock(mutex);
      waiting.emplace(i, task.get_future());
      for (; !failure && !waiting.empty() && waiting.begin()->first == taken; ++taken) {
        try {
          take(taken, waiting.extract(waiting.begin()).mapped().get());
        } catch (...) {
          failure = std::current_exception();
          begun = count;
        }
      }
    }
  });
  if (failure) std::rethrow_exception(failure);
}

}  // namespace gossamer
