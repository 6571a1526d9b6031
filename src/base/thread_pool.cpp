// SPDX-License-Identifier: MIT
#include "base/thread_pool.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>

namespace hipwright {

std::size_t usable_threads() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) == 0)
    return static_cast<std::size_t>(std::max(1, CPU_COUNT(&set)));
  return std::max(1U, std::thread::hardware_concurrency());
}

namespace {

// Shared by the threads of one parallel_for. Helpers that start after the last index was taken
// find nothing to do, so the caller waits only for bodies that run, never for the queue.
struct Loop {
  std::atomic<std::size_t> next = 0;
  std::size_t count = 0;
  const std::function<void(std::size_t)>* body = nullptr;

  std::mutex mutex;
  std::condition_variable all_done;
  std::size_t done = 0;
  std::exception_ptr failure;

  void run() {
    for (std::size_t i = next++; i < count; i = next++) {
      std::exception_ptr thrown;
      try {
        (*body)(i);
      } catch (...) {
        thrown = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      if (thrown && !failure) failure = thrown;
      if (++done == count) all_done.notify_all();
    }
  }
};

}  // namespace

ThreadPool::ThreadPool(std::size_t threads) {
  const std::size_t count = threads == 0 ? usable_threads() : threads;
  for (std::size_t i = 0; i < count; ++i) {
    try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      break;  // the system refuses more threads; without any, the callers do the work
    }
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  ready_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::enqueue(std::function<void()> task) {
  if (threads_.empty()) return task();
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(task));
  }
  ready_.notify_one();
}

void ThreadPool::work() {
  while (true) {
    std::function<void()> task;
    {
      std::unique_lock lock(mutex_);
      ready_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
      if (queue_.empty()) return;
      task = std::move(queue_.front());
      queue_.pop_front();
    }
    task();
  }
}

void ThreadPool::parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) {
  if (count == 0) return;
  auto loop = std::make_shared<Loop>();
  loop->count = count;
  loop->body = &body;
  const std::size_t threads = std::min(size(), count);
  for (std::size_t i = 1; i < threads; ++i) enqueue([loop] { loop->run(); });
  loop->run();
  std::unique_lock lock(loop->mutex);
  loop->all_done.wait(lock, [&] { return loop->done == count; });
  if (loop->failure) std::rethrow_exception(loop->failure);
}

}  // namespace hipwright
