// SPDX-License-Identifier: MIT
// A table of kernels, each with the verdict that the checks must reach. The kernel has the name of
// its case: a finding names the kernel, and so the case.
#pragma once
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

// Three arrays of zeros, this many ints each.
constexpr int kInts = 8192;
using Kernel = void (*)(int*, int*, int*);

struct Case {
  const char* name;
  // "right"; or the kinds of findings of which one must be reported. " on gfx9" and the like: the
  // case exists on targets with that prefix only.
  const char* verdict;
  Kernel kernel = nullptr;  // launched over groups × threads
  int groups = 1, threads = 128;
  int shared = 0;            // bytes of dynamic shared memory
  void (*host)() = nullptr;  // or what the host does
};

inline void must(hipError_t error, const char* what) {
  if (error == hipSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, hipGetErrorName(error));
  std::exit(3);
}
#define MUST(call) must(call, #call)

inline int* ints(int count = kInts) {
  int* memory = nullptr;
  MUST(hipMalloc(&memory, count * sizeof(int)));
  MUST(hipMemset(memory, 0, count * sizeof(int)));
  return memory;
}

inline void run(const Case& each) {
  if (each.host) {
    each.host();
  } else {
    int *a = ints(), *b = ints(), *c = ints();
    each.kernel<<<each.groups, each.threads, each.shared>>>(a, b, c);
    static_cast<void>(hipGetLastError());
    if (hipDeviceSynchronize() == hipSuccess)
      for (int* memory : {a, b, c}) MUST(hipFree(memory));
  }
  // A kernel that stopped leaves the device unusable.
  if (hipDeviceSynchronize() != hipSuccess) MUST(hipDeviceReset());
  static_cast<void>(hipGetLastError());
}

// PROGRAM list: the table. PROGRAM: all cases. PROGRAM NAME…: these.
template <int kCount>
int run_table(const Case (&table)[kCount], int count, char** words) {
  const bool lists = count == 2 && std::strcmp(words[1], "list") == 0;
  hipDeviceProp_t properties;
  if (!lists) MUST(hipGetDeviceProperties(&properties, 0));
  for (const Case& each : table) {
    if (lists) {
      std::printf("%s\t%s\n", each.name, each.verdict);
      continue;
    }
    const char* only = std::strstr(each.verdict, " on ");
    if (only && std::strncmp(properties.gcnArchName, only + 4, std::strlen(only + 4)) != 0)
      continue;
    bool wanted = count == 1;
    for (int i = 1; i < count; ++i) wanted |= std::strcmp(words[i], each.name) == 0;
    if (wanted) run(each);
  }
  return 0;
}

#define AGENT __HIP_MEMORY_SCOPE_AGENT
#define SYSTEM __HIP_MEMORY_SCOPE_SYSTEM
#define GROUP __HIP_MEMORY_SCOPE_WORKGROUP
#define WAVE __HIP_MEMORY_SCOPE_WAVEFRONT
#define RELAXED __ATOMIC_RELAXED
#define ACQUIRE __ATOMIC_ACQUIRE
#define RELEASE __ATOMIC_RELEASE
#define ACQ_REL __ATOMIC_ACQ_REL
#define SEQ_CST __ATOMIC_SEQ_CST
#define STORE __hip_atomic_store
#define LOAD __hip_atomic_load

#define KERNEL(name) \
  __global__ void name(int* a [[maybe_unused]], int* b [[maybe_unused]], int* c [[maybe_unused]])
#define DEVICE static __device__ inline __attribute__((always_inline))
#define PAUSE __builtin_amdgcn_s_sleep(1)
