// SPDX-License-Identifier: MIT
#include "hipwright/cpu_kernel.h"

#include "device/cpu/registry.h"
#include "runtime/raise.h"

namespace hipwright {

void register_cpu_kernel(std::string name, std::vector<std::size_t> argument_sizes,
                         CpuFunction function) {
  if (name.empty() || !function)
    runtime::raise_misuse("register_cpu_kernel", "cpu", "a kernel needs a name and a function",
                          "Pass both.");
  device::cpu::register_kernel({std::move(name), std::move(argument_sizes), std::move(function)});
}

}  // namespace hipwright
