// SPDX-License-Identifier: MIT
#include "port/report/report.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/json.h"
#include "paths.h"

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
  EXPECT_THAT(text, HasSubstr("a.cu:2: cudaGraphConditionalHandle has no HIP counterpart"));
  EXPECT_THAT(text, HasSubstr("1 place to do by hand, 1 of which will not compile"));
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

// "×" has two bytes and is one column; SARIF's default unit is UTF-16, so the unit is declared.
TEST_F(PortReport, SarifCountsColumnsInCodePoints) {
  const std::string text =
      "#include <cuda_runtime.h>\n"
      "void f(/* \xC3\x97\xF0\x9F\x99\x82 */ cudaGraphConditionalHandle h);\n";
  const auto json = parse_json(sarif_report(of(text, Mode::kHip)), "sarif");
  ASSERT_TRUE(json);
  const Json& run = (*json)["runs"][0];
  EXPECT_EQ(run["columnKind"], "unicodeCodePoints");
  const Json& physical = run["results"][0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(physical["region"]["startColumn"], 17);
  EXPECT_EQ(physical["region"]["endColumn"], 43);
  EXPECT_EQ(physical["contextRegion"]["snippet"]["text"],
            "void f(/* \xC3\x97\xF0\x9F\x99\x82 */ cudaGraphConditionalHandle h);");
}

TEST_F(PortReport, SarifFingerprintsSurviveLinesAbove) {
  const auto first = [&](const std::string& text) {
    const Json json = *parse_json(sarif_report(of(text, Mode::kHip)), "sarif");
    return json["runs"][0]["results"][0]["partialFingerprints"]["hipwright/v1"].get<std::string>();
  };
  const std::string line = "void f(cudaGraphConditionalHandle h);\n";
  EXPECT_EQ(first(line), first("// one more line\n" + line));
  EXPECT_NE(first(line), first("void g(cudaGraphConditionalHandle h);\n"));
}

// What the schema of SARIF 2.1.0 asks of the parts that are written.
TEST_F(PortReport, SarifIsWhatTheSchemaAsksFor) {
  const std::string text =
      std::string(kText) + "void g() { cudaProfilerStop(); cudaStrange(1); }\n";
  const auto json = parse_json(sarif_report(of(text, Mode::kDual)), "sarif");
  ASSERT_TRUE(json);
  EXPECT_EQ((*json)["version"], "2.1.0");
  ASSERT_TRUE((*json)["runs"].is_array());
  ASSERT_EQ((*json)["runs"].size(), 1U);
  const Json& run = (*json)["runs"][0];
  const Json& driver = run["tool"]["driver"];
  EXPECT_TRUE(driver["name"].is_string());
  ASSERT_TRUE(driver["rules"].is_array());
  std::set<std::string> ids;
  for (const Json& rule : driver["rules"]) {
    EXPECT_TRUE(ids.insert(rule["id"].get<std::string>()).second) << rule["id"];
    EXPECT_FALSE(rule["shortDescription"]["text"].get<std::string>().empty());
    EXPECT_FALSE(rule["help"]["text"].get<std::string>().empty());
  }
  ASSERT_TRUE(run["results"].is_array());
  ASSERT_FALSE(run["results"].empty());
  for (const Json& result : run["results"]) {
    EXPECT_FALSE(result["message"]["text"].get<std::string>().empty());
    const std::string level = result["level"];
    EXPECT_TRUE(level == "error" || level == "warning" || level == "note") << level;
    const std::size_t index = result["ruleIndex"];
    ASSERT_LT(index, driver["rules"].size());
    EXPECT_EQ(driver["rules"][index]["id"], result["ruleId"]);
    for (const Json& location : result["locations"]) {
      const Json& physical = location["physicalLocation"];
      const Json& region = physical["region"];
      for (const char* key : {"startLine", "startColumn", "endLine", "endColumn"})
        EXPECT_GE(region[key].get<int>(), 1) << key;
      EXPECT_GE(region["endLine"].get<int>(), region["startLine"].get<int>());
      const std::string uri = physical["artifactLocation"]["uri"];
      EXPECT_FALSE(uri.empty() || uri.front() == '/') << uri;
      for (const char c : uri)
        EXPECT_TRUE(c > ' ' && c < 127 &&
                    std::string_view("\"<>\\^`{|}").find(c) == std::string_view::npos)
            << uri;
    }
  }
}

TEST_F(PortReport, NotesAreCounted) {
  const Summary all =
      summarise(of("#include <cuda_runtime.h>\nvoid f(cudaStream_t s, void* p) {\n"
                   "  cudaMallocAsync(&p, 4, s); cudaDeviceReset(); }\n",
                   Mode::kHip));
  std::size_t notes = 0;
  for (const auto& [phase, count] : all.phases) notes += count.notes;
  EXPECT_EQ(notes, all.notes);
  const std::string text = summary_text(of(kText, Mode::kHip), 0, false);
  EXPECT_THAT(text, HasSubstr("to do  notes"));
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
  const fs::path docs = tests_folder() / "../docs/port";
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
