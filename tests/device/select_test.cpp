// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/device.h"

namespace hipwright::device {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Selector, NamesAKindAnIndexOrTargets) {
  EXPECT_FALSE(parse_selector("auto")->kind.has_value());
  EXPECT_EQ(parse_selector("hip")->kind, Kind::kHip);
  EXPECT_EQ(parse_selector("hip")->index, -1);
  EXPECT_EQ(parse_selector("cuda:3")->kind, Kind::kCuda);
  EXPECT_EQ(parse_selector("cuda:3")->index, 3);
  EXPECT_EQ(parse_selector("cpu")->kind, Kind::kCpu);
  EXPECT_EQ(parse_selector("soft:gfx942")->kind, Kind::kSoft);
  EXPECT_THAT(parse_selector("soft:gfx942,MI210")->targets, ElementsAre("gfx942", "gfx90a"));
  EXPECT_THAT(parse_selector("soft:MI300X#1")->targets, ElementsAre("gfx942#1"));
}

TEST(Selector, UnknownDevicesAreRejectedWithAListOfKnownOnes) {
  for (const char* text : {"", "gpu", "hip:", "hip:x", "hip:-1", "hip:1x", "hip:99999999999",
                           "cpu:0", "soft", "soft:", "soft:gfx942,", "soft:gfx942#",
                           "soft:gfx942#x", "soft:#1", "soft:gfx9999", "Auto"}) {
    const auto selector = parse_selector(text);
    ASSERT_FALSE(selector) << text;
    EXPECT_EQ(selector.error().kind, FailureKind::kConfiguration) << text;
    EXPECT_THAT(selector.error().message(), HasSubstr("soft:TARGET")) << text;
  }
}

TEST(Failure, NamesCallDeviceCodeAndAdvice) {
  Failure failure(FailureKind::kMemory, "hipMalloc", "hip:0", "out of memory", "Free something.");
  failure.code = 2;
  failure.code_name = "hipErrorOutOfMemory";
  EXPECT_EQ(failure.message(),
            "hipMalloc failed on hip:0: out of memory (hipErrorOutOfMemory, 2). Free something.");
}

}  // namespace

}  // namespace hipwright::device
