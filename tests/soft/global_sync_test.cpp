// SPDX-License-Identifier: MIT
// Global wave sync: barriers and semaphores between the workgroups of a launch.
#include <gtest/gtest.h>

#include <vector>

#include "soft/machine.h"

namespace hipwright::soft {
namespace {

// The barrier's operand is what its counter becomes for the next round: arrivals less one.
constexpr std::string_view kSource = R"(
extern "C" __global__ void rounds(u32* counts, u32* out, u32 groups, u32 rounds) {
  for (u32 i = 0; i < rounds; ++i) {
    if (tid_x == 0) __atomic_fetch_add(counts + i, 1, __ATOMIC_RELAXED);
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
    sync();
    if (tid_x == 0) __builtin_amdgcn_ds_gws_barrier(groups - 1, 0);
    sync();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
    if (tid_x == 0 && __atomic_load_n(counts + i, __ATOMIC_RELAXED) != groups) out[group_x] = 1;
  }
}
extern "C" __global__ void own_barrier(u32* count, u32* out, u32 groups, u32* ready) {
  if (group_x == 0) {
    __builtin_amdgcn_ds_gws_init(groups - 1, 5);
    __atomic_store_n(ready, 1, __ATOMIC_RELEASE);
  }
  while (__atomic_load_n(ready, __ATOMIC_ACQUIRE) == 0) __builtin_amdgcn_s_sleep(1);
  if (tid_x == 0) __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
  __builtin_amdgcn_ds_gws_barrier(groups - 1, 5);
  if (tid_x == 0) out[group_x] = __atomic_load_n(count, __ATOMIC_RELAXED);
}
// One token goes round: who has it adds without an atomic.
extern "C" __global__ void tokens(u32* sum, u32* ready) {
  if (group_x == 0) {
    __builtin_amdgcn_ds_gws_init(1, 3);
    __atomic_store_n(ready, 1, __ATOMIC_RELEASE);
  }
  while (__atomic_load_n(ready, __ATOMIC_ACQUIRE) == 0) __builtin_amdgcn_s_sleep(1);
  for (int i = 0; i < 5; ++i) {
    __builtin_amdgcn_ds_gws_sema_p(3);
    if (tid_x == 0) {
      u32 old = __atomic_load_n(sum, __ATOMIC_RELAXED);
      __builtin_amdgcn_s_sleep(1);
      __atomic_store_n(sum, old + 1, __ATOMIC_RELAXED);
    }
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
    __builtin_amdgcn_ds_gws_sema_v(3);
  }
}
extern "C" __global__ void uninitialised() { __builtin_amdgcn_ds_gws_barrier(0, 7); }
)";

class GlobalSync : public testing::TestWithParam<std::string> {};

TEST_P(GlobalSync, WorkgroupsWait) {
  using namespace toolchain;
  HIPWRIGHT_NEEDS_CLANG();
  constexpr std::uint32_t kGroups = 12;
  for (const auto kind :
       {Schedule::Kind::kParallel, Schedule::Kind::kDeterministic, Schedule::Kind::kRandom}) {
    Machine machine(GetParam(), kSource);
    machine.engine.schedule.kind = kind;
    LaunchRequest cooperative = over(kGroups, 128);
    cooperative.cooperative = true;
    auto* out = machine.zeros<std::uint32_t>(kGroups);
    machine.run("rounds", cooperative, machine.zeros<std::uint32_t>(4), out, kGroups, 4U);
    for (std::uint32_t i = 0; i < kGroups; ++i) EXPECT_EQ(out[i], 0U) << i;

    machine.run("own_barrier", over(kGroups, 64), machine.zeros<std::uint32_t>(1), out, kGroups,
                machine.zeros<std::uint32_t>(1));
    for (std::uint32_t i = 0; i < kGroups; ++i) EXPECT_EQ(out[i], kGroups) << i;

    auto* sum = machine.zeros<std::uint32_t>(1);
    machine.run("tokens", over(kGroups, 64), sum, machine.zeros<std::uint32_t>(1));
    EXPECT_EQ(*sum, 5 * kGroups);

    const auto outcome = machine.launch("uninitialised", over(1, 64));
    ASSERT_TRUE(outcome && outcome->failure);
    EXPECT_EQ(outcome->failure->fault.kind, Fault::Kind::kUnsupported);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, GlobalSync, testing::Values("gfx90a", "gfx942", "gfx950"),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace hipwright::soft
