// SPDX-License-Identifier: MIT
#include "base/process.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/stop.h"

namespace hipwright {
namespace {

using std::chrono::milliseconds;

TEST(Run, CapturesOutputErrorAndExitCode) {
  const Finished finished = run({.argv = {"sh", "-c", "echo out; echo err >&2; exit 3"}}).value();
  EXPECT_EQ(finished.out, "out\n");
  EXPECT_EQ(finished.err, "err\n");
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_FALSE(finished.ok());
}

TEST(Run, FeedsInputLargerThanAPipeWhileReadingOutput) {
  const std::string big(3'000'000, 'x');
  EXPECT_EQ(run({.argv = {"cat"}, .input = big}).value().out, big);
}

TEST(Run, ChildThatStopsReadingDoesNotKillUs) {
  const Finished finished = run({.argv = {"true"}, .input = std::string(1'000'000, 'x')}).value();
  EXPECT_TRUE(finished.ok());
}

TEST(Run, ThreadsSurviveChildrenThatDoNotRead) {
  const std::string big(400'000, 'x');
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) EXPECT_TRUE(run({.argv = {"true"}, .input = big}).value().ok());
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(Run, EnvironmentAndDirectoryReachTheChild) {
  const Finished finished = run({.argv = {"sh", "-c", "pwd; echo $HW_A; echo $HOME"},
                                 .directory = "/",
                                 .environment = {{"HW_A", "1"}, {"HOME", "/h"}}})
                                .value();
  EXPECT_EQ(finished.out, "/\n1\n/h\n");
}

TEST(Run, TimeoutEndsTheChildrenOfTheChildToo) {
  const auto folder = TemporaryDirectory::create().value();
  const std::string pid_file = (folder.path() / "pid").string();
  const Finished finished =
      run({.argv = {"sh", "-c", "sleep 100 & echo $! > " + pid_file + "; wait"},
           .timeout = milliseconds(500)})
          .value();
  EXPECT_TRUE(finished.timed_out);
  EXPECT_FALSE(finished.ok());
  const pid_t grandchild = std::stoi(read_file(pid_file).value());
  // Killed it is; its end may take the kernel a moment. No handle: it is gone already.
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, grandchild, 0));
  if (handle < 0) return;
  pollfd ended{handle, POLLIN, 0};
  EXPECT_EQ(poll(&ended, 1, 10'000), 1) << "the grandchild still runs";
  close(handle);
}

TEST(Run, WhatAProgramLeavesInTheBackgroundEndsWithIt) {
  const TemporaryDirectory folder = TemporaryDirectory::create().value();
  const std::string number = (folder.path() / "pid").string();
  // Without its output, so that run() does not wait for it.
  ASSERT_TRUE(
      run({.argv = {"sh", "-c", "sleep 1000 >/dev/null 2>&1 & echo $! > " + number}}).value().ok());
  const pid_t pid = std::stoi(read_file(number).value());
  const int handle = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (handle < 0) return;  // nothing is left of it
  pollfd ended{handle, POLLIN, 0};
  EXPECT_EQ(::poll(&ended, 1, 10'000), 1);
  ::close(handle);
}

class StoppedRun : public testing::Test {
 protected:
  StoppedRun() { catch_interrupts(); }
  ~StoppedRun() override { forget_stop(); }
};

TEST_F(StoppedRun, EndsRunningProgramsAndStartsNoMore) {
  stop_on_interrupt();
  EXPECT_FALSE(stop_requested());
  const auto ended = run({.argv = {"sh", "-c", "trap '' TERM; kill -INT $PPID; sleep 1000"}});
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().what, "stopped");
  EXPECT_EQ(stop_signal(), SIGINT);
  const TemporaryDirectory folder = TemporaryDirectory::create().value();
  EXPECT_FALSE(run({.argv = {"touch", (folder.path() / "f").string()}}));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST_F(StoppedRun, AProgramInTheForegroundEndsAsItWantsTo) {
  const auto code = run_in_foreground({.argv = {"sh", "-c",
                                                "sleep 1000 & trap 'kill $!; exit 7' TERM; "
                                                "kill -TERM $PPID; wait"}});
  ASSERT_TRUE(code) << code.error().message();
  EXPECT_EQ(*code, 7);
  EXPECT_EQ(stop_signal(), SIGTERM);
}

// Python raises KeyboardInterrupt only where SIGINT was not ignored at its start.
TEST_F(StoppedRun, AProgramInTheForegroundCanBeInterrupted) {
  const auto code = run_in_foreground(
      {.argv = {"sh", "-c", "test \"$HW_A\" = 1 && kill -INT $$"}, .environment = {{"HW_A", "1"}}});
  ASSERT_TRUE(code) << code.error().message();
  EXPECT_EQ(*code, 128 + SIGINT);
}

TEST_F(StoppedRun, AProgramInTheForegroundThatIsMissingIsNamed) {
  const auto code = run_in_foreground({.argv = {"no-such-program-here"}});
  ASSERT_FALSE(code);
  EXPECT_THAT(code.error().message(), testing::HasSubstr("no-such-program-here"));
}

TEST_F(StoppedRun, WithoutARequestTheProcessEnds) {
  EXPECT_EXIT(std::raise(SIGTERM), testing::ExitedWithCode(128 + SIGTERM), "interrupted");
}

TEST_F(StoppedRun, TheSecondSignalEndsTheProcess) {
  EXPECT_EXIT(
      {
        stop_on_interrupt();
        std::raise(SIGINT);
        std::raise(SIGINT);
      },
      testing::ExitedWithCode(130), "interrupted");
}

TEST_F(StoppedRun, IgnoredSignalsStayIgnored) {
  EXPECT_EXIT(
      {
        forget_stop();
        std::signal(SIGHUP, SIG_IGN);
        catch_interrupts();
        std::raise(SIGHUP);
        std::_Exit(stop_requested() ? 1 : 0);
      },
      testing::ExitedWithCode(0), "");
}

TEST(Run, SignalsAreReported) {
  const Finished finished = run({.argv = {"sh", "-c", "kill -SEGV $$"}}).value();
  EXPECT_EQ(finished.signal, SIGSEGV);
  EXPECT_EQ(finished.exit_code, 128 + SIGSEGV);
}

TEST(Run, MissingProgramIsAnErrorThatNamesIt) {
  const auto finished = run({.argv = {"no-such-program-here"}});
  ASSERT_FALSE(finished);
  EXPECT_THAT(finished.error().message(), testing::HasSubstr("no-such-program-here"));
  EXPECT_FALSE(run({.argv = {}}));
  EXPECT_FALSE(run({.argv = {"/etc/passwd"}}));
  EXPECT_FALSE(run({.argv = {"true"}, .directory = "/no/such/folder"}));
}

TEST(Run, ManyThreadsAtOnceKeepTheirOutputsApart) {
  std::vector<std::thread> threads;
  std::vector<std::string> outputs(16);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    threads.emplace_back([&, i] {
      outputs[i] = run({.argv = {"echo", std::to_string(i)}}).value().out;
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < outputs.size(); ++i) EXPECT_EQ(outputs[i], std::to_string(i) + "\n");
}

TEST(ShellQuoted, SurvivesAShell) {
  const std::vector<std::string> words = {"printf", "%s|", "plain", "two words",
                                          "it's",   "",    "$HOME", "a\nb"};
  EXPECT_EQ(run({.argv = {"sh", "-c", shell_quoted(words)}}).value().out,
            "plain|two words|it's||$HOME|a\nb|");
}

}  // namespace
}  // namespace hipwright
