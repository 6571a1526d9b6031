// SPDX-License-Identifier: MIT
// A part of compat.h, which includes them in order.
namespace hip_compat {
// Out of line: with clang 22 a trap inside other code breaks code generation for gfx1100 to
// gfx1103.
template <int = 0>
__device__ __attribute__((noinline, noreturn)) void trap() {
  __builtin_trap();
}
}  // namespace hip_compat

// Ends the kernel with an error.
HIP_COMPAT_DEVICE void __trap() {
  hip_compat::trap();
}

// Stops in the debugger.
HIP_COMPAT_DEVICE void __brkpt() {
  __builtin_debugtrap();
}

// HIP has no profiler counters.
HIP_COMPAT_DEVICE void __prof_trigger(int) {}

// Sleeps approximately: a unit of s_sleep is 64 clocks, about 32 ns.
HIP_COMPAT_DEVICE void __nanosleep(unsigned int ns) {
  for (; ns >= 512; ns -= 512) __builtin_amdgcn_s_sleep(16);
  for (; ns >= 32; ns -= 32) __builtin_amdgcn_s_sleep(1);
}

// A condition the optimizer may rely on.
#if !defined(__assume) && !defined(_MSC_VER)
#define __assume(condition) __builtin_assume(condition)
#endif

// CUDA's names of calling conventions, which matter on Windows only.
#if !defined(CUDART_CB)
#define CUDART_CB
#endif
#if !defined(CUDARTAPI)
#define CUDARTAPI
#endif
#if !defined(CUDA_CB)
#define CUDA_CB
#endif
#if !defined(CUDAAPI)
#define CUDAAPI
#endif

// The lanes of a wave leave a loop together. A lane that acquires a lock in a loop must give it
// back there, or the other lanes wait for it forever; but a compiler that sees that the loop ends
// with the flag moves the work behind the loop. This hides the flag's value from it.
namespace hip_compat {
template <class T>
__host__ __device__ inline void keep_in_loop(T& flag) {
#if defined(__HIP_DEVICE_COMPILE__)
  int value = static_cast<int>(flag);
  asm volatile("" : "+v"(value));
  flag = static_cast<T>(value);
#else
  (void)flag;
#endif
}
}  // namespace hip_compat

// Kernel parameters are in read-only memory anyway.
#if !defined(__grid_constant__)
#define __grid_constant__
#endif
