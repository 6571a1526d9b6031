// SPDX-License-Identifier: MIT
#include "verify/verdict.h"

#include <gtest/gtest.h>

#include "verify/report/report.h"

namespace hipwright::verify {
namespace {

Check made(Level level, Verdict verdict, std::string subject = "a.cu", std::string evidence = "") {
  return {.level = level,
          .subject = std::move(subject),
          .question = "compiles",
          .verdict = verdict,
          .evidence = std::move(evidence)};
}

TEST(Verdict, ALevelIsCheckedIfAllItsChecksWereMade) {
  Pyramid pyramid{"tree", {made(Level::kStatic, Verdict::kPass)}};
  EXPECT_TRUE(is_checked(pyramid, Level::kStatic, Level::kStatic));
  EXPECT_FALSE(is_checked(pyramid, Level::kStatic, Level::kBuild)) << "a level without checks";
  pyramid.checks.push_back(made(Level::kBuild, Verdict::kFail));
  pyramid.checks.push_back(made(Level::kFunctional, Verdict::kPass));
  pyramid.checks.push_back(made(Level::kNumerical, Verdict::kNotChecked));
  EXPECT_TRUE(is_checked(pyramid, Level::kStatic, Level::kFunctional))
      << "the level above does not count";
  EXPECT_FALSE(is_checked(pyramid, Level::kStatic, Level::kNumerical));
  pyramid.checks.push_back(made(Level::kBuild, Verdict::kNotChecked));
  EXPECT_FALSE(is_checked(pyramid, Level::kStatic, Level::kFunctional)) << "one open check below";
  EXPECT_TRUE(is_checked(pyramid, Level::kStatic, Level::kStatic));
  pyramid.checks.back().is_declined = true;
  pyramid.checks.erase(pyramid.checks.begin());
  EXPECT_FALSE(is_checked(pyramid, Level::kStatic, Level::kFunctional));
  EXPECT_TRUE(is_checked(pyramid, Level::kBuild, Level::kFunctional))
      << "neither the level below nor what the options exclude counts";
}

TEST(Verdict, OfALevelIsThatOfItsWorstCheck) {
  const auto verdict = [](std::vector<Verdict> verdicts) {
    Pyramid pyramid{"tree", {made(Level::kStatic, Verdict::kPass)}};
    for (const Verdict each : verdicts) pyramid.checks.push_back(made(Level::kBuild, each));
    return verdict_of(pyramid, Level::kBuild);
  };
  using enum Verdict;
  EXPECT_EQ(verdict({kPass, kPass}), kPass);
  EXPECT_EQ(verdict({kPass, kFail}), kFail);
  EXPECT_EQ(verdict({kFail, kPass}), kFail);
  EXPECT_EQ(verdict({kPass, kNotChecked}), kNotChecked);
  EXPECT_EQ(verdict({kNotChecked, kFail}), kFail);
  EXPECT_EQ(verdict({}), kNotChecked);
}

TEST(TextReport, StatesOneReasonOnce) {
  Pyramid pyramid{"tree", {}};
  for (const char* subject : {"a.cu", "b.cu", "c.cu", "d.cu", "e.cu"})
    pyramid.checks.push_back(
        made(Level::kBuild, Verdict::kNotChecked, subject, "hipfft is not installed"));
  pyramid.checks.push_back(made(Level::kBuild, Verdict::kNotChecked, "f.cu", "another reason"));
  EXPECT_EQ(text_report(pyramid, false),
            "build       not checked 0 passed, 0 failed, 6 not checked\n"
            "    not checked a.cu: compiles\n"
            "    not checked b.cu: compiles\n"
            "    not checked c.cu: compiles\n"
            "    not checked 2 more\n"
            "      hipfft is not installed\n"
            "    not checked f.cu: compiles\n"
            "      another reason\n");
}

}  // namespace
}  // namespace hipwright::verify
