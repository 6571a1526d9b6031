// SPDX-License-Identifier: MIT
#include "lint/baseline.h"

#include <gmock/gmock.h>

#include "lint/tree.h"

namespace hipwright::lint {
namespace {

using testing::HasSubstr;

class Baseline : public TreeTest {};

TEST_F(Baseline, HidesTheFindingsItContains) {
  file("a.cu", kBad);
  file("b/c.cu", kBad);
  const auto known = parse_baseline(baseline_text(run()), "base.json");
  ASSERT_TRUE(known) << known.error().message();
  Options again = options();
  again.baseline = *known;
  EXPECT_TRUE(run(again).findings.empty());
  file("new.cu", kBad);
  EXPECT_THAT(places(run(again)), testing::ElementsAre("new.cu:1 HW101"));
}

TEST_F(Baseline, OfNothingIsEmpty) {
  const auto known = parse_baseline(baseline_text(run()), "base.json");
  ASSERT_TRUE(known) << known.error().message();
  EXPECT_TRUE(known->empty());
}

TEST(BaselineText, DamageIsAnErrorThatNamesTheFile) {
  for (const char* text :
       {"", "[]", "{}", "nonsense", R"({"hipwright_baseline": 2, "findings": []})",
        R"({"hipwright_baseline": 1})", R"({"hipwright_baseline": 1, "findings": [1]})",
        R"({"hipwright_baseline": 1, "findings": [{"fingerprint": 3}]})"}) {
    const auto known = parse_baseline(text, "base.json");
    ASSERT_FALSE(known) << text;
    EXPECT_THAT(known.error().message(), HasSubstr("base.json")) << text;
  }
}

}  // namespace
}  // namespace hipwright::lint
