// SPDX-License-Identifier: MIT
#include "base/thread_pool.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <stdexcept>

#include <gtest/gtest.h>

namespace hipwright {
namespace {

TEST(ThreadPool, ParallelForVisitsEveryIndexOnce) {
  ThreadPool pool(4);
  std::vector<std::atomic<int>> visits(1000);
  pool.parallel_for(visits.size(), [&](std::size_t i) { ++visits[i]; });
  for (const auto& count : visits) EXPECT_EQ(count, 1);
}

TEST(ThreadPool, ParallelForInsideATaskDoesNotDeadlock) {
  ThreadPool pool(2);
  std::atomic<int> total = 0;
  pool.parallel_for(4, [&](std::size_t) { pool.parallel_for(8, [&](std::size_t) { ++total; }); });
  EXPECT_EQ(total, 32);
}

TEST(ThreadPool, WorksWhereNoThreadsCanBeStarted) {
  const pid_t pid = fork();
  if (pid == 0) {
    // No machine has room for such stacks.
    pthread_attr_t large;
    pthread_attr_init(&large);
    pthread_attr_setstacksize(&large, std::size_t{1} << 50);
    pthread_setattr_default_np(&large);
    ThreadPool pool(4);
    std::atomic<int> sum = 0;
    pool.parallel_for(10, [&](std::size_t i) { sum += static_cast<int>(i); });
    const bool works = pool.submit([] { return 7; }).get() == 7;
    _exit(works && sum == 45 && pool.size() == 1 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_EQ(status, 0);
}

TEST(ThreadPool, ExceptionReachesTheCallerAndTheRestStillRuns) {
  ThreadPool pool(3);
  std::atomic<int> ran = 0;
  EXPECT_THROW(pool.parallel_for(10,
                                 [&](std::size_t i) {
                                   ++ran;
                                   if (i == 3) throw std::runtime_error("three");
                                 }),
               std::runtime_error);
  EXPECT_EQ(ran, 10);
}

TEST(ThreadPool, SubmitReturnsValuesAndDestructionFinishesTheQueue) {
  std::atomic<int> done = 0;
  {
    ThreadPool pool(1);
    for (int i = 0; i < 20; ++i) pool.submit([&] { ++done; });
    EXPECT_EQ(pool.submit([] { return 42; }).get(), 42);
  }
  EXPECT_EQ(done, 20);
}

}  // namespace
}  // namespace hipwright
