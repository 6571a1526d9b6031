// SPDX-License-Identifier: MIT
// Records a trace of a program that knows nothing of it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace hipwright::trace {

struct RecordOptions {
  std::vector<std::string> command;
  std::filesystem::path output = "trace.json";
  bool stacks = false;  // Python's call stacks: large
  bool memory = false;  // allocations
};

struct Recorded {
  int exit_code = 0;                          // of the program
  std::vector<std::filesystem::path> traces;  // one per rank
  std::string with;                           // "torch.profiler", "rocprofv3"
};

// A program started with Python (python, torchrun, accelerate, pytest, vllm, …) is traced with
// PyTorch's profiler, any other with rocprofv3.
bool is_python_program(const std::string& program);

Result<Recorded> record(const RecordOptions& options);

}  // namespace hipwright::trace
