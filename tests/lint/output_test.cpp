// SPDX-License-Identifier: MIT
#include "lint/output/output.h"

#include <gmock/gmock.h>

#include "base/json.h"
#include "lint/docs.h"
#include "lint/tree.h"
#include "paths.h"

namespace hipwright::lint {
namespace {

using testing::HasSubstr;
using testing::Not;

// Two findings, one of them behind letters that take two bytes, and a note.
class Output : public TreeTest {
 protected:
  void SetUp() override {
    file("a b.cu", kBad);
    file("z.cu",
         "/* \xC3\xA4\xC3\xA4 */ const int\tWARP_SIZE = 32;\n"
         "__device__ bool f(int n) { return __any(n < WARP_SIZE); }\n");
    file("bin.py", std::string("\0", 1));
    report_ = run();
    ASSERT_EQ(report_.findings.size(), 2U);
  }
  Report report_;
};

TEST_F(Output, TextShowsTheLineAndACaret) {
  EXPECT_EQ(text_output(report_, false),
            "a b.cu:1:9: error: WARP_SIZE is 32 on every target, but gfx9 waves have 64 lanes "
            "[HW101]\n"
            "  #define WARP_SIZE 32\n"
            "          ^~~~~~~~~\n"
            "  unsafe fix: define it as 64 for wave64 targets; host code still sees 32\n"
            "z.cu:1:22: error: WARP_SIZE is 32 on every target, but gfx9 waves have 64 lanes "
            "[HW101]\n"
            "  /* \xC3\xA4\xC3\xA4 */ const int\tWARP_SIZE = 32;\n"
            "                    \t^~~~~~~~~\n"
            "  unsafe fix: define it as 64 for wave64 targets; host code still sees 32\n"
            "2 findings in 2 of 3 files; --fix=unsafe changes 2\n");
  EXPECT_THAT(text_output(report_, true), HasSubstr("\x1B["));
}

TEST_F(Output, TextSendsNoControlBytesToTheTerminal) {
  file("esc.cu", std::string("int \x1B[2J; ") +
                     "constexpr int WARP_SIZE = 32;\n"
                     "__device__ bool f(int n) { return __any(n < WARP_SIZE); }\n");
  const std::string text = text_output(run(), false);
  EXPECT_THAT(text, HasSubstr("?[2J"));
  EXPECT_THAT(text, Not(HasSubstr("\x1B")));
}

TEST_F(Output, JsonHasWhatProgramsRelyOn) {
  const Json json = *parse_json(json_output(report_, true), "json");
  ASSERT_EQ(json["findings"].size(), 2U);
  const Json& first = json["findings"][0];
  EXPECT_EQ(first["code"], "HW101");
  EXPECT_EQ(first["name"], "warp-size-constant");
  EXPECT_EQ(first["path"], "a b.cu");
  EXPECT_EQ(first["line"], 1);
  EXPECT_EQ(first["column"], 9);
  EXPECT_EQ(first["severity"], "error");
  EXPECT_EQ(first["confidence"], "high");
  EXPECT_THAT(first["message"].get<std::string>(), HasSubstr("64 lanes"));
  EXPECT_EQ(first["fix"]["safe"], false);
  EXPECT_EQ(first["fix"]["edits"].size(), 2U);
  EXPECT_EQ(json["notes"][0]["path"], "bin.py");
  EXPECT_EQ(json["statistics"]["rules"]["HW101"], 2);
  EXPECT_FALSE(parse_json(json_output(report_, false), "json")->contains("statistics"));
}

TEST_F(Output, SarifHasRulesRegionsFixesAndFingerprints) {
  const Json json = *parse_json(sarif_output(report_), "sarif");
  EXPECT_EQ(json["version"], "2.1.0");
  const Json& run = json["runs"][0];
  const Json& second = run["results"][1];
  EXPECT_EQ(run["tool"]["driver"]["rules"][second["ruleIndex"].get<int>()]["id"], "HW101");
  EXPECT_EQ(second["level"], "error");
  const Json& region = second["locations"][0]["physicalLocation"]["region"];
  EXPECT_EQ(region["startColumn"], 20) << "columns count code points, as columnKind says";
  EXPECT_EQ(region["endColumn"], 29);
  EXPECT_FALSE(region.contains("snippet")) << "it would have to be the text of the region";
  const Json& line = second["locations"][0]["physicalLocation"]["contextRegion"];
  EXPECT_EQ(line["startLine"], 1);
  EXPECT_EQ(line["snippet"]["text"], report_.findings[1].line.text);
  EXPECT_EQ(run["columnKind"], "unicodeCodePoints");
  EXPECT_EQ(run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "a%20b.cu");
  EXPECT_EQ(second["partialFingerprints"]["hipwright/v1"], report_.findings[1].fingerprint);
  EXPECT_EQ(second["fixes"][0]["artifactChanges"][0]["replacements"].size(), 2U);
  EXPECT_EQ(second["fixes"][0]["properties"]["safe"], false);
  EXPECT_THAT(second["fixes"][0]["description"]["text"].get<std::string>(),
              testing::StartsWith("unsafe, review it: "));
  EXPECT_EQ(run["invocations"][0]["toolExecutionNotifications"].size(), 1U);
  for (const Json& rule : run["tool"]["driver"]["rules"])
    EXPECT_THAT(rule["help"]["markdown"].get<std::string>(), HasSubstr("## What it finds"));
}

TEST_F(Output, SarifPathsOutsideTheBaseAreAbsoluteUris) {
  report_.findings[0].path = "../other/a.cu";
  const Json json = *parse_json(sarif_output(report_), "sarif");
  const Json& place = json["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
  EXPECT_TRUE(place["artifactLocation"]["uri"].get<std::string>().starts_with("file:///"));
  EXPECT_FALSE(place["artifactLocation"].contains("uriBaseId"));
}

TEST_F(Output, GithubEscapesWhatWouldEndACommand) {
  report_.findings[0].path = "a,b:c%.cu";
  report_.findings[0].message = "50%\nmore: yes, more";
  EXPECT_THAT(
      github_output(report_),
      HasSubstr("::error file=a%2Cb%3Ac%25.cu,line=1,col=9,endLine=1,endColumn=18,"
                "title=HW101 warp-size-constant (high confidence)::50%25%0Amore: yes, more\n"));
}

TEST_F(Output, GithubNeverMarksAnArguableFindingAsAnError) {
  report_.findings[0].confidence = Confidence::kLow;
  report_.findings[1].confidence = Confidence::kMedium;
  const std::string text = github_output(report_);
  EXPECT_TRUE(text.starts_with("::notice file=")) << text;
  EXPECT_THAT(text, HasSubstr("HW101 warp-size-constant (low confidence)"));
  EXPECT_THAT(text, HasSubstr("\n::error file="));
  EXPECT_THAT(text, HasSubstr("(medium confidence)"));
}

TEST_F(Output, MarkdownIsATable) {
  report_.findings[0].message = "a|b\n*c*";
  const std::string text = markdown_output(report_);
  EXPECT_THAT(
      text, HasSubstr("| a b.cu:1 | error | high | HW101 warp-size-constant | a\\|b \\*c\\* |\n"));
}

TEST_F(Output, StatisticsCountPerRule) {
  EXPECT_THAT(statistics_text(report_, false), HasSubstr("2  HW101"));
  EXPECT_THAT(output(report_, Format::kMarkdown, {.statistics = true}), HasSubstr("3 files"));
}

TEST(Format, IsOneOfFive) {
  for (const char* word : {"text", "json", "sarif", "github", "markdown"})
    EXPECT_TRUE(parse_format(word)) << word;
  EXPECT_FALSE(parse_format("xml"));
}

// Bytes that are no text at all must not break a format that programs read.
TEST_F(Output, AnyBytesCanBePrinted) {
  file("bytes.cu", std::string("// \xFF\xFE\x80\n/* \xC0 */ ") + kBad);
  const Report report = run();
  ASSERT_EQ(report.findings.size(), 3U);
  EXPECT_TRUE(parse_json(json_output(report, true), "json"));
  EXPECT_TRUE(parse_json(sarif_output(report), "sarif"));
}

TEST(RulePages, InDocsMatchTheRules) {
  const std::filesystem::path docs = tests_folder() / "../docs/rules";
  const auto pages = rule_pages();
  constexpr const char* kHow = "run: hipwright lint rules --write-docs docs/rules";
  for (const auto& [name, content] : pages) {
    const auto committed = read_file(docs / name);
    ASSERT_TRUE(committed) << committed.error().message() << "\n" << kHow;
    EXPECT_EQ(*committed, content) << name << "\n" << kHow;
  }
  for (const auto& entry : std::filesystem::directory_iterator(docs)) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(pages.contains(name) || name[0] != 'H') << name << "\n" << kHow;
  }
}

TEST(RulePages, TheIndexNamesEveryRule) {
  const std::string index = rule_pages().at("README.md");
  for (const Rule& rule : all_rules()) EXPECT_THAT(index, HasSubstr(rule.name));
}

}  // namespace
}  // namespace hipwright::lint
