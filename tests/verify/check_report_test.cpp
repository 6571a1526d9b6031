// SPDX-License-Identifier: MIT
#include "verify/check_report.h"

#include <gmock/gmock.h>

#include "base/file.h"
#include "base/json.h"

namespace hipwright::verify {
namespace {

using testing::HasSubstr;

CheckReport taken(const std::string& text) {
  const auto folder = TemporaryDirectory::create().value();
  const auto file = folder.path() / "checks.json";
  EXPECT_TRUE(write_file_atomic(file, text));
  return take_report(file).value();
}

TEST(CheckReport, FindingsOfASeverityAreLines) {
  const CheckReport report = taken(R"({"finished": true, "kernels": [1, 2], "findings": [
    {"kind": "race", "what": "two writes", "severity": "warning", "place": {"source": "a.cu:3"}},
    {"kind": "bounds", "what": "outside", "severity": "error"}]})");
  EXPECT_TRUE(report.is_finished);
  EXPECT_EQ(report.kernels, 2U);
  EXPECT_EQ(report.findings.text("warning"), "\nrace: two writes at a.cu:3");
  EXPECT_EQ(report.findings.text("error"), "\nbounds: outside");
}

// The program under test can write what it wants there. What is not understood counts as an error:
// it must not turn into a pass.
TEST(CheckReport, OddFindingsAreErrors) {
  const CheckReport report =
      taken(R"({"finished": true, "findings": [{"kind": "race", "what": "w", "severity": 3},
                {"kind": "race", "what": "w", "severity": "eror"}, "text", 7, {"place": 5}]})");
  EXPECT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings.text("warning"), "");
  const std::string errors = report.findings.text("error");
  EXPECT_EQ(std::ranges::count(errors, '\n'), 5) << errors;
  EXPECT_THAT(errors, HasSubstr("race: w"));
}

TEST(CheckReport, UnfinishedReportsAreSaidToBe) {
  EXPECT_FALSE(taken("{}").is_finished);
  EXPECT_FALSE(taken("[]").is_there);
  EXPECT_FALSE(take_report("/nowhere/checks.json")->is_finished);
}

}  // namespace
}  // namespace hipwright::verify
