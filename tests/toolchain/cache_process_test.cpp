// SPDX-License-Identifier: MIT
// Real processes on one cache folder: one compile per kernel, and none of them killed at the wrong
// moment harms the others.
#include <sys/resource.h>

#include <csignal>

#include "toolchain/cache_fixture.h"

namespace hipwright::toolchain {
namespace {

class CacheProcessTest : public CacheTest {
 protected:
  // One line per run of the compiler, in any process.
  void note_compile() const {
    const int file = ::open(log_path().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    EXPECT_EQ(::write(file, "compiled\n", 9), 9);
    ::close(file);
  }
  long compiles_noted() const {
    const auto log = read_file(log_path());
    return log ? std::count(log->begin(), log->end(), '\n') : 0;
  }
  // 0 when the right kernel came back.
  int ask(
      const CacheRequest& request, const std::function<void()>& during = [] {}) const {
    KernelCache cache(options());
    const auto kernel = cache.get_or_compile(request, [&]() -> Result<Compiled> {
      note_compile();
      during();
      return Compiled{.payload = "payload of " + request.source};
    });
    return kernel && (*kernel)->payload() == "payload of " + request.source ? 0 : 1;
  }

 private:
  fs::path log_path() const { return folder_.path() / "compiles"; }
};

TEST_F(CacheProcessTest, ThirtyTwoProcessesCompileOnce) {
  const Signal arrived, finish_compile;
  std::vector<pid_t> children;
  for (int i = 0; i < 32; ++i)
    children.push_back(start([&] {
      arrived.send();
      return ask(request_for("a"), [&] { finish_compile.wait(); });
    }));
  for (int i = 0; i < 32; ++i) arrived.wait();
  // One token for each: if more than one compiled, none would hang and the count would tell.
  for (int i = 0; i < 32; ++i) finish_compile.send();
  for (const pid_t child : children) EXPECT_EQ(wait_for(child), 0);
  EXPECT_EQ(compiles_noted(), 1);
  EXPECT_EQ(files_in(entries()).size(), 1u);
}

TEST_F(CacheProcessTest, DifferentKernelsDoNotWaitForEachOther) {
  const Signal first_compiles, second_done;
  const pid_t first = start([&] {
    return ask(request_for("a"), [&] {
      first_compiles.send();
      second_done.wait();
    });
  });
  first_compiles.wait();
  EXPECT_EQ(ask(request_for("b")), 0);
  second_done.send();
  EXPECT_EQ(wait_for(first), 0);
}

TEST_F(CacheProcessTest, AProcessKilledInTheMiddleOfItsCompileHoldsUpNobody) {
  const Signal compiling, waiting;
  const pid_t victim = start([&] {
    return ask(request_for("a"), [&] {
      compiling.send();
      ::pause();
    });
  });
  compiling.wait();
  std::vector<pid_t> others;
  for (int i = 0; i < 4; ++i)
    others.push_back(start([&] {
      waiting.send();
      return ask(request_for("a"));
    }));
  for (int i = 0; i < 4; ++i) waiting.wait();
  EXPECT_EQ(compiles_noted(), 1);
  ::kill(victim, SIGKILL);
  EXPECT_TRUE(WIFSIGNALED(wait_for(victim)));
  for (const pid_t other : others) EXPECT_EQ(wait_for(other), 0);
  EXPECT_EQ(compiles_noted(), 2);
  EXPECT_EQ(files_in(entries()).size(), 1u);
}

TEST_F(CacheProcessTest, AStoppedProcessIsWaitedForOnlySoLong) {
  const Signal compiling;
  const pid_t stopped = start([&] {
    return ask(request_for("a"), [&] {
      compiling.send();
      ::pause();
    });
  });
  compiling.wait();
  CacheOptions impatient = options();
  impatient.patience = std::chrono::milliseconds{0};
  KernelCache cache(impatient);
  EXPECT_TRUE(cache.get_or_compile(request_for("a"), compiler()));
  EXPECT_EQ(compiles, 1);
  ::kill(stopped, SIGKILL);
  wait_for(stopped);
}

// The kernel ends the process at an exact byte of the entry that it writes.
TEST_F(CacheProcessTest, AProcessKilledWhileItWritesLeavesNoEntry) {
  ASSERT_EQ(wait_for(start([&] { return ask(request_for("warm-up")); })), 0);
  const std::size_t entry_size = fs::file_size(files_in(entries()).at(0));
  for (const rlim_t limit : {rlim_t{0}, rlim_t{1}, rlim_t{40}, rlim_t{entry_size - 1}}) {
    const CacheRequest request = request_for("killed " + std::to_string(limit));
    const pid_t victim = start([&] {
      const rlimit none{0, 0}, bytes{limit, limit};
      ::setrlimit(RLIMIT_CORE, &none);
      const auto no_log = [&]() -> Result<Compiled> {
        ::setrlimit(RLIMIT_FSIZE, &bytes);
        return Compiled{.payload = std::string(1000, 'p')};
      };
      KernelCache cache(options());
      return cache.get_or_compile(request, no_log) ? 0 : 1;
    });
    const int status = wait_for(victim);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ) << status;
    const long before = compiles_noted();
    EXPECT_EQ(ask(request), 0);
    EXPECT_EQ(compiles_noted(), before + 1);
    EXPECT_EQ(ask(request), 0);
    EXPECT_EQ(compiles_noted(), before + 1);
  }
  EXPECT_FALSE(fs::exists(quarantine()));
}

// kill -9 wherever it happens to hit a process that stores without pause.
TEST_F(CacheProcessTest, KillAtAnyMomentLeavesOnlyGoodEntries) {
  const auto request = [](int round, int i) {
    return request_for(std::to_string(round) + "/" + std::to_string(i));
  };
  const auto stored_until_killed = [](int round) { return 1 + round % 5; };
  product.payload = std::string(200'000, 'p');
  for (int round = 0; round < 20; ++round) {
    const Signal stored;
    const pid_t victim = start([&] {
      for (int i = 0;; ++i) {
        if (!ask_anew(request(round, i))) return 1;
        stored.send();
      }
    });
    for (int i = 0; i < stored_until_killed(round); ++i) stored.wait();
    ::kill(victim, SIGKILL);
    EXPECT_TRUE(WIFSIGNALED(wait_for(victim)));
  }
  for (int round = 0; round < 20; ++round)
    for (int i = 0; i <= stored_until_killed(round); ++i) {
      const int before = compiles;
      const auto kernel = ask_anew(request(round, i));
      ASSERT_TRUE(kernel);
      EXPECT_EQ((*kernel)->payload(), product.payload);
      EXPECT_EQ(last.quarantined, 0u);
      const bool was_stored = i < stored_until_killed(round);
      EXPECT_LE(compiles, before + (was_stored ? 0 : 1)) << "what was stored stays stored";
    }
}

}  // namespace
}  // namespace hipwright::toolchain
