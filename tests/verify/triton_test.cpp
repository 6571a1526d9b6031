// SPDX-License-Identifier: MIT
#include "verify/triton.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hipwright::verify {

namespace {

using testing::HasSubstr;

TEST(VerifyTriton, ReadsChecks) {
  const auto checks = checks_of_triton(R"({"checks": [
      {"level": "functional", "subject": "a.py", "question": "it runs", "verdict": "not checked",
       "evidence": "why", "device": "soft:gfx942"},
      {"level": "numerical", "subject": "add", "question": "they agree", "verdict": "pass",
       "evidence": "", "device": "interpreter"}]})");
  ASSERT_TRUE(checks) << checks.error().message();
  ASSERT_EQ(checks->size(), 2u);
  EXPECT_EQ(checks->front().verdict, Verdict::kNotChecked);
  EXPECT_EQ(checks->front().setting.kind, "soft");
  EXPECT_EQ(checks->back().level, Level::kNumerical);
  EXPECT_EQ(checks->back().setting.kind, "reference");
}

TEST(VerifyTriton, WhatCannotBeReadIsNoPass) {
  for (const char* text : {"", "[]", "{}", R"({"checks": 1})", R"({"checks": [1]})",
                           R"({"checks": [{"level": "numerical", "verdict": "good"}]})",
                           R"({"checks": [{"level": "static", "verdict": "pass"}]})"})
    EXPECT_FALSE(checks_of_triton(text)) << text;
}

TEST(VerifyTriton, NamesWhatIsMissing) {
  const auto absent = verify_triton({.file = "no-such-file.py", .archs = {"gfx942"}});
  ASSERT_FALSE(absent);
  EXPECT_THAT(absent.error().message(), HasSubstr("no-such-file.py"));
}

}  // namespace

}  // namespace hipwright::verify
