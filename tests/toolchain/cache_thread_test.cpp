// SPDX-License-Identifier: MIT
// Threads that share one cache. Worth most under the tsan preset.
#include <atomic>
#include <latch>
#include <thread>

#include "toolchain/cache_fixture.h"

namespace hipwright::toolchain {
namespace {

constexpr int kThreads = 16;

void on_all_threads(const std::function<void(int)>& body) {
  std::latch together(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] {
      together.arrive_and_wait();
      body(i);
    });
  for (std::thread& thread : threads) thread.join();
}

TEST_F(CacheTest, ThreadsThatAskForTheSameKernelCompileItOnce) {
  for (const bool with_disk : {true, false}) {
    constexpr int kKernels = 100;
    CacheOptions chosen = options();
    if (!with_disk) chosen.directory.clear();
    KernelCache cache(chosen);
    std::atomic<int> runs = 0;
    on_all_threads([&](int) {
      for (int i = 0; i < kKernels; ++i) {
        const std::string code = "code " + std::to_string(i);
        const auto kernel = cache.get_or_compile(request_for(code), [&]() -> Result<Compiled> {
          ++runs;
          return Compiled{.payload = code};
        });
        ASSERT_TRUE(kernel);
        EXPECT_EQ((*kernel)->payload(), code);
      }
    });
    EXPECT_EQ(runs, kKernels);
    EXPECT_EQ(cache.statistics().hits(), static_cast<std::uint64_t>(kKernels * (kThreads - 1)));
  }
}

TEST_F(CacheTest, WithoutMemoryOrDiskThreadsStillGetTheirKernel) {
  KernelCache cache({.memory_entries = 0});
  std::latch compiling(1), finish(1);
  std::atomic<int> runs = 0;
  const auto compile = [&]() -> Result<Compiled> {
    if (++runs == 1) compiling.count_down();
    finish.wait();
    return Compiled{.payload = "code"};
  };
  std::thread first([&] { EXPECT_TRUE(cache.get_or_compile(request_for("a"), compile)); });
  compiling.wait();
  std::atomic<int> answers = 0;
  std::vector<std::thread> rest;
  for (int i = 0; i < 4; ++i)
    rest.emplace_back([&] {
      const auto kernel = cache.get_or_compile(request_for("a"), compile);
      answers += kernel && (*kernel)->payload() == "code";
    });
  finish.count_down();
  first.join();
  for (std::thread& thread : rest) thread.join();
  EXPECT_EQ(answers, 4);
  EXPECT_EQ(cache.statistics().misses, static_cast<std::uint64_t>(runs));
}

TEST_F(CacheTest, MixedTrafficNeverMixesKernelsUp) {
  CacheOptions small = options();
  small.memory_entries = 3;
  KernelCache one(small), two(small);  // as two processes would
  std::atomic<int> wrong = 0;
  on_all_threads([&](int thread) {
    for (int i = 0; i < 60; ++i) {
      const std::string source = std::to_string((i * 7 + thread) % 9);
      const auto kernel =
          (i % 2 == 0 ? one : two).get_or_compile(request_for(source), [&]() -> Result<Compiled> {
            if (source == "8") return fail("cannot compile", "8", "no");
            return Compiled{.payload = "kernel " + source};
          });
      const bool right = source == "8" ? !kernel.has_value()
                                       : kernel && (*kernel)->payload() == "kernel " + source;
      wrong += !right;
      if (thread == 0 && i % 20 == 19) wrong += !one.clear();
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
}  // namespace hipwright::toolchain
