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
