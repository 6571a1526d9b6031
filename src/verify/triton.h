// SPDX-License-Identifier: MIT
// Triton kernels of a Python program: run on several devices by the Python package, and compared.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "verify/verdict.h"

namespace hipwright::verify {

struct TritonOptions {
  std::filesystem::path file;          // a program, or a file of tests
  std::vector<std::string> arguments;  // of the program
  std::vector<std::string> archs;      // of software GPUs
  bool interpreter = true;             // also Triton's own
  unsigned schedules = 1;              // random orders of waves, on the first target
  std::optional<double> relative;      // instead of the tolerances by type
  std::chrono::seconds timeout{600};   // for the program on one device
};

// The error says which Python package is missing.
Result<Pyramid> verify_triton(const TritonOptions& options);

// The checks in what hipwright.triton.compare printed.
Result<std::vector<Check>> checks_of_triton(std::string_view json);

}  // namespace hipwright::verify
