// SPDX-License-Identifier: MIT
#include "port/report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/json.h"

namespace hipwright::port {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class PortReport : public testing::Test {
 protected:
  void SetUp() override {
    auto made = TemporaryDirectory::create();
    ASSERT_TRUE(made);
    folder_.emplace(*std::move(made));
  }
  Ported of(const std::string& text, Mode mode) {
    EXPECT_TRUE(write_file_atomic(folder_->path() / "a.cu", text));
    Options options;
    options.path = folder_->path();
    options.mode = mode;
    auto ported = port(options);
    EXPECT_TRUE(ported);
    return *std::move(ported);
  }
  std::optional<TemporaryDirectory> folder_;
};

constexpr const char* kText =
    "#include <cuda_runtime.h>\n"
    "void f(float** p, cudaGraphConditionalHandle h) {\n"
    "  cudaMalloc(p, 4);  // a < b && \"c\" \xFF\n"
    "}\n";

// The same changes, whether they end up as names or as branches.
TEST_F(PortReport, CountsWhatIsMeantInBothModes) {
  for (const Mode mode : {Mode::kHip, Mode::kDual}) {
    const Ported ported = of(kText, mode);
    const Summary all = summarise(ported);
    ASSERT_TRUE(all.phases.contains(Phase::kSource));
    const PhaseCount& source = all.phases.at(Phase::kSource);
    EXPECT_EQ(source.codes.at("HP201").changes, 1U);
    EXPECT_EQ(source.codes.at("HP202").to_do, 1U);
    EXPECT_EQ(source.files, 1U);
    EXPECT_EQ(all.changed, 1U);
    ASSERT_EQ(all.to_do.size(), 1U);
    EXPECT_EQ(all.errors, 1U);
    EXPECT_EQ(all.to_do[0]->position.line, 2U);
  }
}

TEST_F(PortReport, TextSaysPhaseCodeAndPlace) {
  const std::string text = summary_text(of(kText, Mode::kHip), 10, false);
  EXPECT_THAT(text, HasSubstr("2 source translation"));
  EXPECT_THAT(text, HasSubstr("HP201"));
  EXPECT_THAT(text, HasSubstr("a.cu:2: HIP has no counterpart of cudaGraphConditionalHandle"));
  EXPECT_THAT(text, HasSubstr("1 places are left to you, 1 of which will not compile"));
}

TEST_F(PortReport, JsonHasEveryChangeWithPlaceAndReason) {
  const auto json = parse_json(json_report(of(kText, Mode::kDual)), "report");
  ASSERT_TRUE(json);
  const Json& file = (*json)["files"][0];
  EXPECT_EQ(file["path"], "a.cu");
  bool found = false;
  for (const Json& change : file["changes"])
    if (change["code"] == "HP201") {
      EXPECT_EQ(change["before"], "cudaMalloc");
      EXPECT_EQ(change["after"], "hipMalloc");
      EXPECT_EQ(change["line"], 3);
      EXPECT_EQ(change["phase"], 2);
      found = true;
    }
  EXPECT_TRUE(found);
  EXPECT_EQ((*json)["left_to_do"][0]["code"], "HP202");
  EXPECT_EQ((*json)["left_to_do"][0]["line"], 2);
  EXPECT_EQ((*json)["added"][0]["path"], "hip_names.h");
}

TEST_F(PortReport, SarifNamesRuleAndRegion) {
  const auto json = parse_json(sarif_report(of(kText, Mode::kHip)), "sarif");
  ASSERT_TRUE(json);
  const Json& run = (*json)["runs"][0];
  const Json& result = run["results"][0];
  EXPECT_EQ(result["ruleId"], "HP202");
  EXPECT_EQ(result["level"], "error");
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
  EXPECT_EQ(run["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()]["id"], "HP202");
}

TEST_F(PortReport, HtmlIsOneFileAndShowsAnyBytesAsText) {
  const std::string page = html_report(of(kText, Mode::kHip), "<my> project");
  EXPECT_THAT(page, HasSubstr("Port of &lt;my&gt; project"));
  EXPECT_THAT(
      page,
      HasSubstr("<b>cuda</b>Malloc(p, 4);  // a &lt; b &amp;&amp; &quot;c&quot; \xEF\xBF\xBD"));
  EXPECT_THAT(page, HasSubstr("<b>hip</b>Malloc(p, 4);"));
  EXPECT_THAT(page, HasSubstr("<details id=\"HP202\">"));
  for (const char* outside : {"http://", "https://", "src=", "\xFF", "<my>"})
    EXPECT_THAT(page, Not(HasSubstr(outside)));
}

TEST(PortCodes, EveryOneHasAPageUnderItsCode) {
  ASSERT_GT(all_codes().size(), 8U);
  for (const Code& code : all_codes()) {
    EXPECT_THAT(explanation(code), testing::StartsWith("# " + std::string(code.code) + " ("));
    EXPECT_EQ(find_code(code.name), &code);
  }
}

TEST(PortCodes, InDocsAreThoseOfTheSources) {
  const fs::path docs = fs::path(HIPWRIGHT_TESTS_DIR) / "../docs/port";
  const auto pages = code_pages();
  constexpr const char* kHow = "run: hipwright port codes --write-docs docs/port";
  for (const auto& [name, content] : pages)
    EXPECT_EQ(read_file(docs / name).value_or("missing"), content) << name << "\n" << kHow;
  for (const auto& entry : fs::directory_iterator(docs)) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(pages.contains(name) || !name.starts_with("HP")) << name << "\n" << kHow;
  }
}

}  // namespace
}  // namespace hipwright::port
