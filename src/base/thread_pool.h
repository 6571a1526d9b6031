// SPDX-License-Identifier: MIT
// A fixed set of threads. parallel_for is the main way to use it.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace hipwright {

// How many threads this process may run at a time: its CPU affinity, not the machine's cores.
std::size_t usable_threads();

class ThreadPool {
 public:
  // 0 threads: as many as are usable.
  explicit ThreadPool(std::size_t threads = 0);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool();  // runs what was submitted, then joins

  // How many can work at a time; where the system permits no threads, the caller is the only one.
  std::size_t size() const { return std::max<std::size_t>(1, threads_.size()); }

  template <class F>
  std::future<std::invoke_result_t<F>> submit(F function) {
    auto task =
        std::make_shared<std::packaged_task<std::invoke_result_t<F>()>>(std::move(function));
    auto future = task->get_future();
    enqueue([task] { (*task)(); });
    return future;
  }

  // Calls body(i) for every i in [0, count), the calling thread included; returns when all are
  // done. The first exception is rethrown here. Safe to call from inside a pool task.
  void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body);

 private:
  void enqueue(std::function<void()> task);
  void work();

  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<std::function<void()>> queue_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace hipwright
