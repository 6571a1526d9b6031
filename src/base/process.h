// SPDX-License-Identifier: MIT
// Runs another program: no shell, captured output. Its process group ends with it, at a timeout, at
// an interrupt and with this process (base/cleanup.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace hipwright {

struct ProcessCommand {
  std::vector<std::string> argv;    // argv[0] is looked up in PATH unless it has a slash
  std::filesystem::path directory;  // empty: the current one
  std::vector<std::pair<std::string, std::string>> environment;  // added to the current one
  std::string input;                                             // fed to standard input
  std::optional<std::chrono::milliseconds> timeout;
  bool cleans_up = false;  // runs to its end even if a stop is requested
  // Of standard output and of standard error, keep this many bytes from the end. 0: all.
  std::size_t output_limit = 0;
  // Called with the process id once the program runs.
  std::function<void(int process)> started = nullptr;
};

struct Finished {
  int exit_code = 0;  // 128 + signal number when a signal ended it
  int signal = 0;
  bool timed_out = false;
  double seconds = 0;
  // Of the program and those of its children that it waited for.
  double cpu_seconds = 0;
  std::uint64_t peak_resident_bytes = 0;  // the largest single process
  std::string out;
  std::string err;

  bool ok() const { return exit_code == 0 && !timed_out; }
};

// Starts the program and waits for it. An error means that it could not be started; a program that
// ran and failed returns Finished with its exit code. Once this process is interrupted
// (base/stop.h), running programs are ended, and all calls fail with stopped().
Result<Finished> run(const ProcessCommand& command);

// Runs a program that keeps this one's standard input, output, errors and terminal, and returns its
// exit code, 128 + the signal if one ended it. Of `command` only argv, directory and environment
// count. The first signal that asks this process to stop is passed on, and the program ends as it
// wants to; the second ends both.
Result<int> run_in_foreground(const ProcessCommand& command);

// Replaces this process with the program; returns only on failure.
Error replace_process(const ProcessCommand& command);

// The full path of a program found through PATH.
std::optional<std::filesystem::path> find_program(const std::string& name);

// For messages: the arguments as one would type them into a shell.
std::string shell_quoted(const std::vector<std::string>& argv);

}  // namespace hipwright
