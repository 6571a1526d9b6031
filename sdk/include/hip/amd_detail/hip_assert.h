// SPDX-License-Identifier: MIT
// abort() and what <assert.h>'s assert() calls, on the device.
#pragma once

#include <hip/amd_detail/device_library_decls.h>
#include <hip/amd_detail/trap.h>

#if defined(__clang__) && defined(__HIP__)

extern "C" __device__ inline __attribute__((weak)) void abort() {
  __hip_detail::trap();
}

namespace __hip_detail {
// With the terminating zero, as the message functions count.
__device__ inline __UINT64_TYPE__ message_length(const char* text) {
  __UINT64_TYPE__ length = 1;
  while (*text++) ++length;
  return length;
}

__device__ inline __UINT64_TYPE__ append_text(__UINT64_TYPE__ message, const char* text,
                                              bool last = false) {
  return __ockl_fprintf_append_string_n(message, text, message_length(text), last);
}
}  // namespace __hip_detail

// Weak and not inline: one copy per code object, out of the way of the code that asserts.
extern "C" __device__ __attribute__((noinline, weak)) void __assert_fail(const char* assertion,
                                                                         const char* file,
                                                                         unsigned int line,
                                                                         const char* function) {
  __UINT64_TYPE__ message = __ockl_fprintf_stderr_begin();
  message = __hip_detail::append_text(message, "%s:%u: %s: Device-side assertion `%s' failed.\n");
  message = __hip_detail::append_text(message, file);
  message = __ockl_fprintf_append_args(message, 1, line, 0, 0, 0, 0, 0, 0, 0);
  message = __hip_detail::append_text(message, function);
  __hip_detail::append_text(message, assertion, /*last=*/true);
  __hip_detail::trap();
}

extern "C" __device__ __attribute__((noinline, weak)) void __assertfail() {
  __hip_detail::trap();
}

// Also for __host__ __device__ functions, hence not trap() everywhere.
#if defined(NDEBUG)
#define __hip_assert(COND)
#else
#if defined(__GFX11__)
#define __hw_trap __hip_detail::trap
#else
#define __hw_trap __builtin_trap
#endif
#define __hip_assert(COND)    \
  do {                        \
    if (!(COND)) __hw_trap(); \
  } while (0)
#endif

#endif  // clang HIP
