// SPDX-License-Identifier: MIT
// Random programs whose result does not depend on the machine: integer code without undefined
// behaviour and IEEE arithmetic without contraction. The same text compiles for the host and for
// a GPU.
#pragma once

#include <cstdint>
#include <string>

namespace hipwright::soft {

// C++ without headers. On the host it defines
//   extern "C" void run(const unsigned long* in, unsigned long* out, unsigned count)
// which computes out[i] from in[i] for each i; compiled for amdgcn it defines the kernel `run`
// with the same arguments and 64 threads per workgroup.
struct ProgramOptions {
  unsigned functions = 6;
  unsigned statements = 10;  // per function
};
std::string random_program(std::uint64_t seed, const ProgramOptions& options = {});

}  // namespace hipwright::soft
