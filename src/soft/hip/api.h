// SPDX-License-Identifier: MIT
// The HIP API as the runtime's C++ sources see it, and what every entry point does around its own
// work.
#pragma once

#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__
#endif
#include <hip/hip_deprecated.h>
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>

#include <new>
#include <string_view>
#include <utility>

#include "base/device_event.h"
#include "base/error.h"

// Of hip_ext.h and of the compiler's own protocol, which no header of the host API declares.
extern "C" {
hipError_t hipExtModuleLaunchKernel(hipFunction_t function, std::uint32_t threads_x,
                                    std::uint32_t threads_y, std::uint32_t threads_z,
                                    std::uint32_t block_x, std::uint32_t block_y,
                                    std::uint32_t block_z, std::size_t shared_bytes,
                                    hipStream_t stream, void** params, void** extra,
                                    hipEvent_t start, hipEvent_t stop, std::uint32_t flags);
hipError_t hipHccModuleLaunchKernel(hipFunction_t function, std::uint32_t threads_x,
                                    std::uint32_t threads_y, std::uint32_t threads_z,
                                    std::uint32_t block_x, std::uint32_t block_y,
                                    std::uint32_t block_z, std::size_t shared_bytes,
                                    hipStream_t stream, void** params, void** extra,
                                    hipEvent_t start, hipEvent_t stop);
void** __hipRegisterFatBinary(const void* wrapper);
void __hipUnregisterFatBinary(void** handle);
void __hipRegisterFunction(void** handle, const void* host_function, char* device_function,
                           const char* device_name, unsigned thread_limit, void* thread_id,
                           void* block_id, void* block_dim, void* grid_dim, int* wave_size);
void __hipRegisterVar(void** handle, void* variable, char* host_name, char* device_name,
                      int is_extern, std::size_t size, int is_constant, int is_global);
void __hipRegisterManagedVar(void** handle, void** pointer, void* initial_value, const char* name,
                             std::size_t size, unsigned alignment);
void __hipRegisterSurface(void** handle, void* variable, char* host_name, char* device_name,
                          int type, int is_extern);
void __hipRegisterTexture(void** handle, void* variable, char* host_name, char* device_name,
                          int type, int is_normalised, int is_extern);
}

namespace hipwright::soft::hip {

// Remembers the result for hipGetLastError of this thread and returns it.
hipError_t record(hipError_t result) noexcept;

// To the file of HIPWRIGHT_SOFT_EVENTS; without one, the text goes to standard error.
void notify(const DeviceEvent& event);
// A message without consequences: "hipwright: …".
void say(std::string_view text);
// A finding of the checks, as it is.
void say_finding(const std::string& text);
// A request that hardware rejects, too, and the code that the caller gets for it.
hipError_t refuse(hipError_t code, const Error& error);
// Reports once per process that `what` is not implemented, and returns hipErrorNotSupported.
hipError_t not_implemented(const char* what) noexcept;

// Runs an entry point that leaves pending work (pending_work.h) alone: no exception leaves it, and
// its result is remembered.
template <class Body>
hipError_t async_api(Body&& body) noexcept {
  try {
    return record(std::forward<Body>(body)());
  } catch (const std::bad_alloc&) {
    return record(hipErrorOutOfMemory);
  } catch (const std::exception& error) {
    notify({.kind = EventKind::kLimit, .text = error.what()});
    return record(hipErrorUnknown);
  }
}

// Runs all pending work of streams (pending_work.h).
hipError_t finish_work();

// The same after all work submitted before; a failure of that work is the result.
template <class Body>
hipError_t api(Body&& body) noexcept {
  return async_api([&] {
    const hipError_t late = finish_work();
    return late != hipSuccess ? late : std::forward<Body>(body)();
  });
}

// hipError_t from a function called inside an entry point: anything but success ends it.
#define HIP_TRY(...)                                                                              \
  do {                                                                                            \
    if (const hipError_t hip_status = (__VA_ARGS__); hip_status != hipSuccess) return hip_status; \
  } while (false)

}  // namespace hipwright::soft::hip
