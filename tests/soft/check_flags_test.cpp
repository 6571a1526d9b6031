// SPDX-License-Identifier: MIT
// Flags: what orders memory between waves and workgroups, in machine code that does not say which
// accesses are atomic; and the waits without which a flag or a barrier orders nothing.
#include <gmock/gmock.h>

#include <algorithm>

#include "soft/check/checks.h"
#include "soft/machine.h"

namespace hipwright::soft {
namespace {

constexpr std::string_view kKernels = R"hip(
static __device__ void wait_for(int* flag) {
  while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0)
    __builtin_amdgcn_s_sleep(1);
}
// Workgroup 0 writes, the others wait for its flag.
template <int kOrder>
static __device__ void pass(int* data, int* flag, int* out) {
  if (group_x == 0) {
    data[tid_x] = tid_x + 1;
    sync();
    if (tid_x == 0) __hip_atomic_store(flag, 1, kOrder, __HIP_MEMORY_SCOPE_AGENT);
  } else {
    if (tid_x == 0) wait_for(flag);
    sync();
    out[group_x * size_x + tid_x] = data[tid_x];
  }
}
extern "C" __global__ void messages(int* data, int* flag, int* out) {
  pass<__ATOMIC_RELEASE>(data, flag, out);
}
extern "C" __global__ void relaxed_messages(int* data, int* flag, int* out) {
  pass<__ATOMIC_RELAXED>(data, flag, out);
}
// Every workgroup needs the sum of those before it.
extern "C" __global__ void look_back(const int* in, int* states, int* sums, int* out) {
  if (tid_x != 0) return;
  int before = 0;
  if (group_x != 0) {
    wait_for(&states[group_x - 1]);
    before = sums[group_x - 1];
  }
  sums[group_x] = before + in[group_x];
  __hip_atomic_store(&states[group_x], 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  out[group_x] = before;
}
// Threads fence for themselves, then one of them tells.
extern "C" __global__ void fence_then_barrier(int* data, int* count, int* out) {
  data[group_x * size_x + tid_x] = group_x;
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
  sync();
  __shared__ static int last;
  if (tid_x == 0)
    last = __hip_atomic_fetch_add(count, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) == grid_x / size_x - 1;
  sync();
  if (!last) return;
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
  int sum = 0;
  for (u32 i = tid_x; i < grid_x; i += size_x) sum += data[i];
  out[tid_x] = sum;
}
// The fence reaches the workgroup only.
extern "C" __global__ void narrow_fence(int* data, int* count, int* out) {
  if (tid_x != 0) return;
  data[group_x] = group_x;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  if (__hip_atomic_fetch_add(count, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) != grid_x / size_x - 1) return;
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
  int sum = 0;
  for (u32 i = 0; i < grid_x / size_x; ++i) sum += data[i];
  *out = sum;
}
template <int kOrder>
static __device__ void share(const int* in, int* out) {
  __shared__ static int flag, value;
  if (tid_x == 0) flag = 0;
  sync();
  if (tid_x == 0) {
    value = in[0];
    __hip_atomic_store(&flag, 1, kOrder, __HIP_MEMORY_SCOPE_WORKGROUP);
  } else if (tid_x == 64) {
    while (__hip_atomic_load(&flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WORKGROUP) == 0) {}
    *out = value;
  }
}
extern "C" __global__ void shared_flag(const int* in, int* out) { share<__ATOMIC_RELEASE>(in, out); }

#if defined(__gfx1201__)
#define STORE "ds_store_b32 %0, %1\n"
#define WAIT "s_wait_dscnt 0\n"
#define BARRIER "s_barrier_signal -1\ns_barrier_wait -1\n"
#elif defined(__gfx1100__)
#define STORE "ds_store_b32 %0, %1\n"
#define WAIT "s_waitcnt lgkmcnt(0)\n"
#define BARRIER "s_barrier\n"
#else
#define STORE "ds_write_b32 %0, %1\n"
#define WAIT "s_waitcnt lgkmcnt(0)\n"
#define BARRIER "s_barrier\n"
#endif
typedef __attribute__((address_space(3))) int SharedInt;
static __device__ u32 shared_address(int* p) { return (u32)(u64)(SharedInt*)p; }
extern "C" __global__ void waited_barrier(int* out) {
  __shared__ static int line[128];
  asm volatile(STORE WAIT BARRIER ::"v"(shared_address(&line[tid_x])), "v"(tid_x) : "memory");
  out[tid_x] = line[127 - tid_x];
}
extern "C" __global__ void late_wait(int* out) {
  __shared__ static int line[128];
  asm volatile(STORE BARRIER WAIT BARRIER ::"v"(shared_address(&line[tid_x])), "v"(tid_x) : "memory");
  out[tid_x] = line[127 - tid_x];
}
extern "C" __global__ void unwaited_barrier(int* out) {
  __shared__ static int line[128];
  asm volatile(STORE BARRIER ::"v"(shared_address(&line[tid_x])), "v"(tid_x) : "memory");
  out[tid_x] = line[127 - tid_x];
}
#if defined(__gfx942__) || defined(__gfx950__)
template <bool kWait, bool kBarrier>
static __device__ void direct(const int* in, int* out) {
  __shared__ static int line[128];
  u32 first = __builtin_amdgcn_readfirstlane(shared_address(&line[tid_x]));
  asm volatile("s_mov_b32 m0, %0\nglobal_load_lds_dword %1, off" ::"s"(first), "v"(in + tid_x) : "memory");
  if (kWait) asm volatile("s_waitcnt vmcnt(0)" ::: "memory");
  if (kBarrier) asm volatile("s_barrier" ::: "memory");
  int value;
  asm volatile("ds_read_b32 %0, %1\ns_waitcnt lgkmcnt(0)" : "=v"(value)
               : "v"(shared_address(&line[kBarrier ? 127 - tid_x : tid_x])) : "memory");
  out[tid_x] = value;
}
extern "C" __global__ void direct_load(const int* in, int* out) {
  direct<true, false>(in, out);
}
extern "C" __global__ void direct_load_barrier(const int* in, int* out) {
  direct<true, true>(in, out);
}
extern "C" __global__ void direct_load_unwaited(const int* in, int* out) {
  direct<false, false>(in, out);
}
extern "C" __global__ void direct_load_unwaited_barrier(const int* in, int* out) {
  direct<false, true>(in, out);
}
#endif
)hip";

class Flags : public testing::TestWithParam<std::string> {
 protected:
  static constexpr int kGroups = 6;
  bool is_gfx9() const { return GetParam().starts_with("gfx9"); }
  // What the checks say of a launch.
  template <class... T>
  std::vector<CheckFinding> checked(Machine& machine, const char* kernel, LaunchRequest request,
                                    T... arguments) {
    Checks checks{CheckOptions{}};
    machine.engine.watch = checks.watch_factory();
    machine.run(kernel, request, arguments...);
    machine.engine.watch = {};
    return checks.findings().all();
  }
  template <class... T>
  void expect_clean(Machine& machine, const char* kernel, LaunchRequest request, T... arguments) {
    for (const CheckFinding& each : checked(machine, kernel, request, arguments...))
      ADD_FAILURE() << kernel << ": " << text_of(each);
  }
  template <class... T>
  void expect(FindingKind kind, Machine& machine, const char* kernel, LaunchRequest request,
              T... arguments) {
    const auto all = checked(machine, kernel, request, arguments...);
    std::string text;
    for (const CheckFinding& each : all) text += text_of(each);
    EXPECT_TRUE(std::ranges::any_of(all, [&](const auto& each) { return each.kind == kind; }))
        << kernel << " has no " << name_of(kind) << ". " << text;
  }
};

TEST_P(Flags, RightProgramsGiveNoFinding) {
  using namespace toolchain;
  HIPWRIGHT_NEEDS_CLANG();
  Machine machine(GetParam(), kKernels, {"-O3", "-g"});
  const auto zeros = [&](std::size_t count = 1) { return machine.zeros<int>(count); };
  for (const auto kind :
       {Schedule::Kind::kDeterministic, Schedule::Kind::kParallel, Schedule::Kind::kRandom}) {
    machine.engine.schedule.kind = kind;
    expect_clean(machine, "messages", over(kGroups, 128), zeros(128), zeros(),
                 zeros(kGroups * 128));
    int* sums = zeros(kGroups);
    expect_clean(machine, "look_back", over(kGroups, 64),
                 machine.upload(std::vector<int>(kGroups, 2)), zeros(kGroups), sums,
                 zeros(kGroups));
    EXPECT_EQ(sums[kGroups - 1], 2 * kGroups);
    expect_clean(machine, "fence_then_barrier", over(kGroups, 128), zeros(kGroups * 128), zeros(),
                 zeros(128));
    int* out = zeros();
    expect_clean(machine, "shared_flag", over(1, 128), machine.upload(std::vector<int>(1, 7)), out);
    EXPECT_EQ(*out, 7);
    expect_clean(machine, "waited_barrier", over(1, 128), zeros(128));
    expect_clean(machine, "late_wait", over(1, 128), zeros(128));
    if (GetParam() != "gfx942" && GetParam() != "gfx950") continue;
    expect_clean(machine, "direct_load", over(1, 128), zeros(128), zeros(128));
    expect_clean(machine, "direct_load_barrier", over(1, 128), zeros(128), zeros(128));
  }
}

TEST_P(Flags, MissingReleasesAndWaitsAreErrors) {
  using namespace toolchain;
  HIPWRIGHT_NEEDS_CLANG();
  Machine machine(GetParam(), kKernels, {"-O3", "-g"});
  const auto zeros = [&](std::size_t count = 1) { return machine.zeros<int>(count); };
  for (const auto kind : {Schedule::Kind::kDeterministic, Schedule::Kind::kRandom}) {
    machine.engine.schedule.kind = kind;
    // In WGP mode a workgroup's fence does all that a device's release does.
    if (is_gfx9()) {
      // On gfx908 compilers wait for all stores before every barrier.
      if (GetParam() != "gfx908")
        expect(FindingKind::kGridRace, machine, "relaxed_messages", over(kGroups, 128), zeros(128),
               zeros(), zeros(kGroups * 128));
      expect(FindingKind::kGridRace, machine, "narrow_fence", over(kGroups, 64), zeros(kGroups),
             zeros(), zeros());
    }
    expect(FindingKind::kMissingWait, machine, "unwaited_barrier", over(1, 128), zeros(128));
    if (GetParam() != "gfx942" && GetParam() != "gfx950") continue;
    expect(FindingKind::kMissingWait, machine, "direct_load_unwaited", over(1, 128), zeros(128),
           zeros(128));
    expect(FindingKind::kMissingWait, machine, "direct_load_unwaited_barrier", over(1, 128),
           zeros(128), zeros(128));
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Flags, testing::ValuesIn(all_targets()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace hipwright::soft
