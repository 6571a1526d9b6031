// SPDX-License-Identifier: MIT
// The plan of a launch: what all its workgroups share (LLVM's AMDGPUUsage, "Initial Kernel
// Execution State" and "Kernel Descriptor").
#pragma once

#include <array>
#include <cstdint>

#include "base/error.h"
#include "soft/exec/workgroup.h"
#include "soft/launch/launch.h"
#include "toolchain/code_object/kernel_descriptor.h"

namespace hipwright::soft {

struct LaunchPlan {
  const LaunchRequest* request = nullptr;
  const LoadedKernel* kernel = nullptr;
  const toolchain::KernelDescriptor* descriptor = nullptr;
  Program* program = nullptr;
  Isa isa = Isa::kGfx942;
  unsigned wave_size = 64;
  std::uint64_t entry = 0;
  std::array<std::uint32_t, 3> grid{};     // workgroups
  std::array<std::uint32_t, 3> threads{};  // of the whole grid
  std::uint64_t groups = 0;
  unsigned waves = 0;                         // of a whole workgroup
  std::uint32_t lds_asked = 0, lds_size = 0;  // the latter is what can be accessed
  std::uint32_t scratch_per_lane = 0;
  std::uint64_t scratch_bytes = 0;                 // of a workgroup
  unsigned vector_rows = 0, accumulator_rows = 0;  // that the kernel has

  // In device memory, one block.
  std::uint64_t block = 0, block_size = 0;
  std::uint64_t packet = 0, queue = 0, kernarg = 0;
};

// Checks the request and writes kernel arguments, dispatch packet and queue to device memory;
// finish() gives that memory back.
Result<LaunchPlan> plan_launch(const Engine& engine, const LaunchRequest& request);
void finish(const LaunchPlan& plan, Memory& memory);

// Makes `group` workgroup `number`: ids, waves with their registers, cleared LDS. The caller has
// allocated its memory: lds, scratch, vectors of every wave.
void start_group(const LaunchPlan& plan, Workgroup& group, std::uint64_t number);

}  // namespace hipwright::soft
