// SPDX-License-Identifier: MIT
// The kernels that the cpu device can run.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "device/failure.h"
#include "hipwright/cpu_kernel.h"

namespace hipwright::device::cpu {

struct RegisteredKernel {
  std::string name;
  std::vector<std::size_t> argument_sizes;
  CpuFunction function;
};

// Replaces a kernel of the same name; functions looked up before keep the old one.
void register_kernel(RegisteredKernel kernel);
// The error suggests similar registered names.
Outcome<std::shared_ptr<const RegisteredKernel>> find_kernel(const std::string& name);

}  // namespace hipwright::device::cpu
