// SPDX-License-Identifier: MIT
// The HIP host API, for C and C++, with any compiler.
#pragma once
#define HIP_INCLUDE_HIP_HIP_RUNTIME_API_H  // ROCm's guard: some programs test it

#include <hip/amd_detail/level.h>
#include <hip/amd_detail/require_amd.h>
#include <hip/hip_version.h>
#include <string.h>

#include <hip/driver_types.h>
#include <hip/linker_types.h>
#include <hip/surface_types.h>
#include <hip/texture_types.h>

#include <hip/amd_detail/api/flags.h>

#include <hip/amd_detail/api/array.h>
#include <hip/amd_detail/api/context.h>
#include <hip/amd_detail/api/device.h>
#include <hip/amd_detail/api/error.h>
#include <hip/amd_detail/api/event.h>
#include <hip/amd_detail/api/external.h>
#include <hip/amd_detail/api/graph.h>
#include <hip/amd_detail/api/graph_nodes.h>
#include <hip/amd_detail/api/ipc.h>
#include <hip/amd_detail/api/kernel_launch.h>
#include <hip/amd_detail/api/link.h>
#include <hip/amd_detail/api/managed_memory.h>
#include <hip/amd_detail/api/memory.h>
#include <hip/amd_detail/api/memory_copy.h>
#include <hip/amd_detail/api/memory_pool.h>
#include <hip/amd_detail/api/module.h>
#include <hip/amd_detail/api/occupancy.h>
#include <hip/amd_detail/api/peer.h>
#include <hip/amd_detail/api/profiler.h>
#include <hip/amd_detail/api/stream.h>
#include <hip/amd_detail/api/stream_capture.h>
#include <hip/amd_detail/api/texture.h>
#include <hip/amd_detail/api/texture_reference.h>
#include <hip/amd_detail/api/virtual_memory.h>

#if __HW_ROCM >= 700
#include <hip/amd_detail/api/launch_config.h>
#endif
#if __HW_ROCM >= 701
#include <hip/amd_detail/api/batch_copy.h>
#include <hip/amd_detail/api/library.h>
#endif

#if defined(__cplusplus)
#include <hip/amd_detail/api/launch_overloads.h>
#include <hip/amd_detail/api/memory_overloads.h>
#include <hip/amd_detail/api/occupancy_overloads.h>
#include <hip/amd_detail/api/texture_reference_overloads.h>
#endif

// Last, because it may rename functions declared above.
#include <hip/amd_detail/api/per_thread_stream.h>
