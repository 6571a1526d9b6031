// SPDX-License-Identifier: MIT
#include "soft/check/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "soft/check/checks.h"
#include "soft/machine.h"

namespace hipwright::soft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string_view> names_on(std::string_view text) {
  const auto options = parse_checks(text);
  EXPECT_TRUE(options) << text;
  std::vector<std::string_view> names;
  for (const CheckName& check : kChecks)
    if ((*options).*check.on) names.push_back(check.name);
  return names;
}

TEST(CheckOptions, AreIncludedOrExcluded) {
  EXPECT_EQ(names_on("all").size(), kChecks.size());
  EXPECT_THAT(names_on("races"), ElementsAre("races"));
  EXPECT_THAT(names_on("waits,bounds"), ElementsAre("waits", "bounds"));
  EXPECT_EQ(names_on("-races").size(), kChecks.size() - 1);
  EXPECT_THAT(names_on("-registers,-races,-waits,-bounds,-formats"),
              ElementsAre("lanes", "barriers", "alignment"));
  EXPECT_TRUE(any_check(*parse_checks("lanes")));
  EXPECT_FALSE(any_check(every_check(false)));
}

TEST(CheckOptions, UnknownNamesAreRejected) {
  for (const char* text : {"", "race", "races,", ",races", "all,races", "-", "1"}) {
    const auto options = parse_checks(text);
    ASSERT_FALSE(options) << text;
    EXPECT_THAT(options.error().message(), HasSubstr("Choose all, registers, lanes")) << text;
  }
}

// Every kernel has one mistake: its check finds it, all others say nothing.
constexpr std::string_view kMistakes = R"(
extern "C" __global__ void registers(int* p) {
  int value;
  asm volatile("" : "=v"(value));
  p[tid_x] = value;
}
extern "C" __global__ void lanes(int* p) {
  if (tid_x < 8) p[tid_x] = __builtin_amdgcn_ds_bpermute(4 * (tid_x + 8), tid_x);
}
extern "C" __global__ void races(int* p) {
  __shared__ static int line[256];
  line[tid_x] = 0;
  sync();
  line[tid_x] = tid_x;
  p[tid_x] = line[255 - tid_x];
}
extern "C" __global__ void bounds(int* p) { p[256 + tid_x] = 1; }
extern "C" __global__ void alignment(int* p) {
  if (tid_x < 32) *(volatile int*)((char*)p + 4 * tid_x + 2) = 1;
}
)";

TEST(CheckOptions, EachIsSwitchedIndependently) {
  for (const char* target : {"gfx942", "gfx1100"}) {
    for (const char* kernel : {"registers", "lanes", "races", "bounds", "alignment"}) {
      for (const CheckName& check : kChecks) {
        Machine machine(target, kMistakes);
        CheckOptions options = every_check(false);
        options.*check.on = true;
        options.report = true;
        Checks checks(options);
        machine.engine.watch = checks.watch_factory();
        int* const p = machine.zeros<int>(256);
        const bool failed = machine.launch(kernel, over(1, 256), p)->failure.has_value();
        const bool wanted = check.name == kernel;
        EXPECT_EQ(!checks.findings().empty(), wanted)
            << target << " " << kernel << " " << check.name << "\n"
            << checks.findings().text();
        // Without its check the access is what it always is: a fault.
        EXPECT_EQ(failed, std::string_view(kernel) == "bounds" && !wanted) << check.name;
      }
    }
  }
}

}  // namespace
}  // namespace hipwright::soft
