// SPDX-License-Identifier: MIT
#pragma once

#include "soft/hip/stream_work.h"

namespace hipwright::soft::hip {

// Runs a kernel to its end. A kernel that faults is reported on standard error and leaves its
// error with the device.
hipError_t run_kernel(Runtime& runtime, const KernelWork& work);

// Checks the shape of a launch and submits it, with the events around it if there are any.
struct LaunchShape {
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1}, threads{0, 0, 0};
  std::size_t dynamic_lds = 0;
  bool cooperative = false;
  hipEvent_t start = nullptr, stop = nullptr;
};
hipError_t launch_function(const FoundFunction& found, const LaunchShape& shape, void** parameters,
                           void** extra, hipStream_t stream);

}  // namespace hipwright::soft::hip
