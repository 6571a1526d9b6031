// SPDX-License-Identifier: MIT
// What instructions see of the launch that runs them. launch/ fills it in.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "toolchain/code_object/kernel_descriptor.h"

namespace hipwright::soft {

struct LaunchRequest;
class GlobalSync;

struct LaunchState {
  std::uint64_t steps_per_wave = 0;  // instructions that a wave may run; 0: no limit
  bool real_time = false;            // clocks show time; else they count instructions
  const toolchain::KernelDescriptor* descriptor = nullptr;
  // s_sendmsg MSG_INTERRUPT calls it; nullptr or empty: the message is ignored.
  const std::function<void()>* interrupt = nullptr;
  std::shared_ptr<GlobalSync> global_sync;
  const LaunchRequest* request = nullptr;  // for reports; instructions do not read it
  // For checks: what lies between the end of the kernel's arguments and that of their block.
  std::uint64_t arguments_end = 0, arguments_block_end = 0;
};

}  // namespace hipwright::soft
