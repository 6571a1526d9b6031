// SPDX-License-Identifier: MIT
#include "base/thread_pool.h"

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
