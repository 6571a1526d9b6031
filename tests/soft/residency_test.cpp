// SPDX-License-Identifier: MIT
#include "soft/load/residency.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/target.h"

namespace hipwright::soft {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Use {
  unsigned vgprs = 8, sgprs = 16;
  std::uint64_t lds = 0, dynamic_lds = 0, threads = 256;
};

Residency of(const char* gfx, unsigned wave_size, const Use& use) {
  toolchain::Kernel info;
  info.vgprs = use.vgprs;
  info.sgprs = use.sgprs;
  info.lds_bytes = static_cast<decltype(info.lds_bytes)>(use.lds);
  info.max_workgroup_size = 1024;
  const LoadedKernel kernel{.info = &info, .wave_size = wave_size};
  return residency(kernel, *arch::parse_target(gfx)->info, use.threads, use.dynamic_lds);
}

// A compute unit of gfx942 has 4 SIMDs with 8 wave slots, 512 VGPRs and 64 KiB of LDS.
TEST(Residency, WavesFillTheSlots) {
  const Residency full = of("gfx942", 64, {});
  EXPECT_EQ(full.unit, "CU");
  EXPECT_EQ(full.workgroups, 8U);
  EXPECT_EQ(full.waves, 32U);
  EXPECT_EQ(full.per_simd(), 8.0);
  EXPECT_THAT(full.limits, IsEmpty());
}

TEST(Residency, TheScarcestResourceIsNamed) {
  const Residency registers = of("gfx942", 64, {.vgprs = 128});
  EXPECT_EQ(registers.per_simd(), 4.0);  // 512 / 128
  EXPECT_THAT(registers.limits, ElementsAre("VGPRs"));

  const Residency memory = of("gfx942", 64, {.lds = 20000, .dynamic_lds = 480});  // 40 × 512 each
  EXPECT_EQ(memory.workgroups, 3U);
  EXPECT_THAT(memory.limits, ElementsAre("LDS"));

  const Residency both = of("gfx942", 64, {.vgprs = 256, .lds = 32768});
  EXPECT_EQ(both.workgroups, 2U);
  EXPECT_THAT(both.limits, ElementsAre("VGPRs", "LDS"));

  const Residency odd = of("gfx942", 64, {.threads = 320});  // 5 waves into 32 slots
  EXPECT_EQ(odd.waves, 30U);
  EXPECT_THAT(odd.limits, ElementsAre("workgroup"));
}

TEST(Residency, KernelsThatDoNotFitHaveNoWorkgroup) {
  EXPECT_EQ(of("gfx942", 64, {.lds = 65536, .dynamic_lds = 1}).workgroups, 0U);
  EXPECT_EQ(of("gfx950", 64, {.lds = 65536, .dynamic_lds = 1}).workgroups, 2U);  // has 160 KiB
  EXPECT_EQ(of("gfx942", 64, {.threads = 2048}).workgroups, 0U);
  EXPECT_EQ(of("gfx942", 64, {.threads = 0}).workgroups, 0U);
}

// A WGP of gfx1100 has 4 SIMDs with 16 wave slots.
TEST(Residency, TwoComputeUnitsAreOneWhereTheyShareWorkgroups) {
  const Residency full = of("gfx1100", 32, {});
  EXPECT_EQ(full.unit, "WGP");
  EXPECT_EQ(full.waves, 64U);
  EXPECT_EQ(full.workgroups, 8U);
}

}  // namespace
}  // namespace hipwright::soft
