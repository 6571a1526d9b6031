// SPDX-License-Identifier: MIT
#include "verify/devices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hipwright::verify {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(Devices, SayWhyCodeDoesNotRun) {
  EXPECT_THAT(why_not_run({"gfx1100", "gfx942"}, "soft:gfx942"), IsEmpty());
  EXPECT_THAT(why_not_run({"gfx1100"}, "soft:gfx942"), HasSubstr("compiled only for gfx1100"));
  // A device that is not here is not the compiler's fault.
  const std::string absent = why_not_run({"gfx942"}, "soft:gfx9999");
  EXPECT_THAT(absent, Not(IsEmpty()));
  EXPECT_THAT(absent, Not(HasSubstr("compiled only for")));
}

}  // namespace
}  // namespace hipwright::verify
