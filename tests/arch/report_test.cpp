// SPDX-License-Identifier: MIT
#include "arch/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "base/process.h"
#include "paths.h"

namespace hipwright::arch {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<const ArchInfo*> everything() {
  std::vector<const ArchInfo*> out;
  for (const ArchInfo& info : all()) out.push_back(&info);
  return out;
}

// Every {"value", "source"} below `value` must name a source that the document explains.
void expect_explained(const Json& value, const Json& sources) {
  if (value.is_object() && value.contains("source")) {
    EXPECT_TRUE(value.contains("value"));
    EXPECT_TRUE(sources.contains(value["source"].get<std::string>())) << value;
  }
  if (value.is_structured())
    for (const Json& part : value) expect_explained(part, sources);
}

TEST(Json, SurvivesARoundTripAndExplainsItsSources) {
  const Json json = overview_json(everything());
  EXPECT_EQ(parse_json(json_text(json), "test").value(), json);
  ASSERT_EQ(json["arches"].size(), all().size());
  EXPECT_EQ(json["sources"].size(), sources().size());
  expect_explained(json["arches"], json["sources"]);
}

TEST(Json, HasWhatTheTableHas) {
  const Json json = details_json(std::vector{parse_target("MI300X:xnack-").value()});
  EXPECT_EQ(json["targets"][0]["target"], "gfx942:xnack-");
  EXPECT_EQ(json["targets"][0]["xnack"], "off");
  EXPECT_EQ(json["targets"][0]["sramecc"], "any");
  const Json& arch = json["arches"][0];
  EXPECT_EQ(arch["gfx"], "gfx942");
  EXPECT_EQ(arch["architecture"], Json({{"value", "CDNA3"}, {"source", "rocm-specs"}}));
  EXPECT_EQ(arch["wave_sizes"]["value"], Json({64}));
  EXPECT_EQ(arch["fp8"]["value"]["format"], "e4m3fnuz/e5m2fnuz");
  EXPECT_EQ(arch["fp8"]["value"]["e4m3_max"], 240);
  EXPECT_EQ(arch["lds_per_workgroup"]["value"], 65536);
  EXPECT_EQ(arch["resources"]["value"]["vgprs_per_simd_lane"], 512);
  EXPECT_EQ(arch["products"][1]["name"]["value"], "MI300X");
  EXPECT_EQ(arch["products"][1]["compute_units"]["value"], 304);
  EXPECT_FALSE(arch["products"][2].contains("bf16_tflops"));  // MI308X: no source
  expect_explained(arch, json["sources"]);
  EXPECT_FALSE(json["sources"].contains("rx9000-specs"));
}

TEST(Json, AGenericTargetListsItsMembersOnce) {
  const Json json = details_json(parse_target_names("gfx9-4-generic gfx950").value());
  EXPECT_EQ(json["targets"].size(), 2u);
  EXPECT_EQ(json["targets"][0]["members"], Json({"gfx942", "gfx950"}));
  EXPECT_EQ(json["arches"].size(), 2u);
}

TEST(Text, OverviewHasALinePerTarget) {
  const std::string text = overview_text(everything(), false);
  EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), all().size() + 1);
  EXPECT_THAT(text, HasSubstr("gfx950   CDNA4         MI350X, MI355X"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(Text, DetailsShowFactsProductsOccupancyAndSources) {
  const std::string text = details_text(parse_target_names("gfx942").value(), false);
  for (const char* part :
       {"e4m3fnuz/e5m2fnuz, e4m3 up to 240", "MI325X", "2614.9",
        "8 waves up to 64 VGPRs, 7 up to 72", "aiter: AITER README", "sramecc, xnack"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_THAT(text, Not(HasSubstr("rx9000-specs")));
}

Finished hipwright(std::vector<std::string> words) {
  words.insert(words.begin(), built_tool());
  return run({.argv = words}).value();
}

TEST(Command, ListsAndShowsAsTextAndJson) {
  const Finished list = hipwright({"arch"});
  EXPECT_TRUE(list.ok());
  EXPECT_EQ(list.out, overview_text(everything(), false));
  EXPECT_EQ(parse_json(hipwright({"arch", "--json"}).out, "stdout").value(),
            overview_json(everything()));
  const auto targets = parse_target_names("RX 7900 XTX, gfx942").value();
  EXPECT_EQ(hipwright({"arch", "show", "RX", "7900", "XTX", "gfx942"}).out,
            details_text(targets, false));
  EXPECT_EQ(
      parse_json(hipwright({"arch", "show", "RX 7900 XTX", "MI300X", "--json"}).out, "stdout"),
      details_json(targets));
}

TEST(Command, AnUnknownTargetIsAUsageErrorWithTheNearestNames) {
  const Finished finished = hipwright({"arch", "show", "gfx924"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.out, "");
  EXPECT_THAT(finished.err, HasSubstr("Did you mean gfx942"));
  EXPECT_EQ(hipwright({"arch", "show"}).exit_code, 2);
}

}  // namespace
}  // namespace hipwright::arch
