// SPDX-License-Identifier: MIT
#include "base/sarif.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"

namespace hipwright {
namespace {

Json run_of(const SarifRun& run) {
  const auto json = parse_json(sarif_text(run), "sarif");
  EXPECT_TRUE(json);
  return (*json)["runs"][0];
}

SarifResult result_at(const std::string& path) {
  return {.rule = "T2",
          .level = Severity::kError,
          .message = "wrong",
          .path = path,
          .region = {{3, 5}, {3, 9}}};
}

TEST(Sarif, ResultsNameTheirRuleByIdAndIndex) {
  const Json run = run_of({.rules = {{.id = "T1"}, {.id = "T2", .level = Severity::kError}},
                           .results = {result_at("a.cu")}});
  const Json& result = run["results"][0];
  EXPECT_EQ(result["ruleId"], "T2");
  EXPECT_EQ(result["ruleIndex"], 1);
  EXPECT_EQ(result["level"], "error");
  const Json& rules = run["tool"]["driver"]["rules"];
  EXPECT_FALSE(rules[0].contains("defaultConfiguration"));
  EXPECT_EQ(rules[1]["defaultConfiguration"]["level"], "error");
}

TEST(Sarif, PathsBelowTheRootAreRelativeAndOthersAbsolute) {
  const Json run = run_of(
      {.results = {result_at("my folder/a.cu"), result_at("/src/a.cu"), result_at("../a.cu")}});
  const auto artifact = [&](std::size_t i) {
    return run["results"][i]["locations"][0]["physicalLocation"]["artifactLocation"];
  };
  EXPECT_EQ(artifact(0)["uri"], "my%20folder/a.cu");
  EXPECT_EQ(artifact(0)["uriBaseId"], "%SRCROOT%");
  EXPECT_EQ(artifact(1)["uri"], "file:///src/a.cu");
  EXPECT_FALSE(artifact(1).contains("uriBaseId"));
  EXPECT_THAT(artifact(2)["uri"].get<std::string>(), testing::StartsWith("file:///"));
}

TEST(Sarif, UnknownPropertiesAreOmitted) {
  const Json result = run_of({.results = {result_at("a.cu")}})["results"][0];
  EXPECT_FALSE(result.contains("ruleIndex"));
  EXPECT_FALSE(result.contains("partialFingerprints"));
  EXPECT_FALSE(result.contains("fixes"));
  EXPECT_FALSE(result["locations"][0]["physicalLocation"].contains("contextRegion"));
}

TEST(Sarif, FixesSayWhatIsReplacedByWhat) {
  SarifResult result = result_at("a.cu");
  result.fixes = {
      {"use the wave size", false, {{{{3, 5}, {3, 7}}, "64"}, {{{4, 1}, {4, 1}}, "\n"}}}};
  const Json fix = run_of({.results = {result}})["results"][0]["fixes"][0];
  EXPECT_EQ(fix["description"]["text"], "use the wave size");
  EXPECT_EQ(fix["properties"]["safe"], false);
  const Json& change = fix["artifactChanges"][0];
  EXPECT_EQ(change["artifactLocation"]["uri"], "a.cu");
  EXPECT_EQ(change["replacements"][0]["deletedRegion"]["endColumn"], 7);
  EXPECT_EQ(change["replacements"][1]["insertedContent"]["text"], "\n");
}

TEST(Sarif, NotificationsAreAboutTheRun) {
  const Json run = run_of({.notifications = {{"a.bin", "binary: not read"}}});
  const Json& said = run["invocations"][0]["toolExecutionNotifications"][0];
  EXPECT_EQ(said["message"]["text"], "binary: not read");
  EXPECT_EQ(said["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a.bin");
}

}  // namespace
}  // namespace hipwright
