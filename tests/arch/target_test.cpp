// SPDX-License-Identifier: MIT
#include "arch/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/name_lists.h"

namespace hipwright::arch {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

struct Accepted {
  const char* text;
  const char* id;
};

TEST(ParseTarget, AcceptsWhatPeopleWrite) {
  const Accepted cases[] = {
      {"gfx942", "gfx942"},
      {" gfx942\t", "gfx942"},
      {"GFX90A", "gfx90a"},
      {"gfx942:sramecc+:xnack-", "gfx942:sramecc+:xnack-"},
      {"gfx942:xnack-:sramecc+", "gfx942:sramecc+:xnack-"},
      {"gfx906:xnack+", "gfx906:xnack+"},
      {"gfx1010:xnack-", "gfx1010:xnack-"},
      {"MI300X:xnack+", "gfx942:xnack+"},
      {"gfx9-generic:xnack+", "gfx9-generic:xnack+"},
      {"gfx9-4-generic:sramecc-", "gfx9-4-generic:sramecc-"},
      {"gfx10-1-generic", "gfx10-1-generic"},
      {"gfx10-3-generic", "gfx10-3-generic"},
      {"gfx11-generic", "gfx11-generic"},
      {"gfx12-generic", "gfx12-generic"},
      {"MI300X", "gfx942"},
      {"mi300x", "gfx942"},
      {"AMD Instinct MI300X", "gfx942"},
      {"AMD Instinct™ MI300X", "gfx942"},
      {"AMD Instinct MI300X OAM", "gfx942"},
      {"Radeon Instinct MI50", "gfx906"},
      {"MI50", "gfx906"},
      {"MI50 32GB", "gfx906"},
      {"MI100", "gfx908"},
      {"MI250", "gfx90a"},
      {"MI355X", "gfx950"},
      {"RX 7900 XTX", "gfx1100"},
      {"7900xtx", "gfx1100"},
      {"rx7900xtx", "gfx1100"},
      {"AMD Radeon RX 7900 XTX", "gfx1100"},
      {"AMD Radeon PRO W7900", "gfx1100"},
      {"W7900", "gfx1100"},
      {"Strix Halo", "gfx1151"},
      {"strix-halo", "gfx1151"},
      {"AMD Radeon 8060S Graphics", "gfx1151"},
      {"AMD Ryzen AI Max+ 395", "gfx1151"},
      {"Radeon(TM) 780M", "gfx1103"},
      {"RX 9070 XT", "gfx1201"},
      {"AMD Radeon AI PRO R9700", "gfx1201"},
      {"R9700", "gfx1201"},
      {"MI455X", "gfx1250"},
  };
  for (const Accepted& c : cases) {
    const auto target = parse_target(c.text);
    ASSERT_TRUE(target) << c.text << ": " << target.error().message();
    EXPECT_EQ(target->id(), c.id) << c.text;
    ASSERT_NE(target->info, nullptr) << c.text;
  }
}

TEST(ParseTarget, EveryNameOfTheTableNamesItsTarget) {
  for (const ArchInfo& info : all()) {
    EXPECT_EQ(parse_target(info.gfx).value().info, &info);
    for (const Product& product : info.products)
      EXPECT_EQ(parse_target(product.name).value().info, &info) << product.name;
    for (std::string_view alias : info.aliases)
      EXPECT_EQ(parse_target(alias).value().info, &info) << alias;
  }
}

struct Refused {
  const char* text;
  const char* says;
};

TEST(ParseTarget, ReportsTheMistakeAndTheLikelyTarget) {
  const Refused cases[] = {
      {"", "empty target name"},
      {"   ", "empty target name"},
      {":xnack+", "empty target name"},
      {"gfx924", "Did you mean gfx942"},
      {"gfx94", "Did you mean gfx942"},
      {"gfx1105", "Did you mean gfx1100"},
      {"gfx9-4-genric", "Did you mean gfx9-4-generic"},
      {"mi3oox", "Did you mean MI300X"},
      {"MI350", "Did you mean MI350X"},
      {"RX 7900 XTY", "RX 7900 XTX"},
      {"Strx Halo", "Did you mean Strix Halo"},
      {"MI300", "it matches MI300A, MI300X"},
      {"RX 7900", "it matches RX 7900 XTX, RX 7900 XT, RX 7900 GRE"},
      {"A100", "no gfx name or product matches"},
      {"amd", "List all targets with: hipwright arch"},
      {"MI$300X", "no gfx name or product matches"},
      {"gfx1200:xnack+", "gfx1200 has no xnack"},
      {"gfx1100:sramecc-", "gfx1100 has no sramecc"},
      {"gfx9-generic:sramecc+", "gfx9-generic has no sramecc"},
      {"gfx1250:xnack+", "gfx1250 has no xnack"},
      {"gfx942:xnack+:xnack+", "duplicate feature xnack"},
      {"gfx942:xnack+:xnack-", "duplicate feature xnack"},
      {"gfx942:", "'' is not a target feature"},
      {"gfx942::xnack+", "'' is not a target feature"},
      {"gfx942:xnack", "'xnack' is not a target feature"},
      {"gfx942:+", "'+' is not a target feature"},
      {"gfx942:tgsplit+", "'tgsplit+' is not a target feature"},
  };
  for (const Refused& c : cases) {
    const auto target = parse_target(c.text);
    ASSERT_FALSE(target) << c.text << " became " << target->id();
    EXPECT_THAT(target.error().message(), HasSubstr(c.says)) << c.text;
  }
}

TEST(ParseTarget, NoSuggestionForUnrelatedWords) {
  EXPECT_THAT(parse_target("banana").error().message(), Not(HasSubstr("Did you mean")));
  EXPECT_THAT(parse_target(std::string(100000, 'g')).error().message(),
              Not(HasSubstr("Did you mean")));
}

TEST(ParseTarget, MessagesStayShortAndPrintable) {
  const std::string message =
      parse_target("gfx\x1b[31m" + std::string(5000, '\n')).error().message();
  EXPECT_LT(message.size(), 300u);
  for (char c : message) EXPECT_GE(static_cast<unsigned char>(c), 0x20);
}

std::vector<std::string> ids(const std::vector<Target>& targets) {
  std::vector<std::string> out;
  for (const Target& target : targets) out.push_back(target.id());
  return out;
}

TEST(ParseTargets, SeparatorsAndNamesOfSeveralWords) {
  const auto parsed = [](const char* text) { return ids(parse_targets(text).value()); };
  EXPECT_THAT(parsed("gfx942"), ElementsAre("gfx942"));
  EXPECT_THAT(parsed("gfx942,gfx1100;gfx90a gfx908\ngfx906"),
              ElementsAre("gfx942", "gfx1100", "gfx90a", "gfx908", "gfx906"));
  EXPECT_THAT(parsed("RX 7900 XTX, gfx942"), ElementsAre("gfx1100", "gfx942"));
  EXPECT_THAT(parsed("RX 7900 XTX gfx942 Strix Halo MI300X"),
              ElementsAre("gfx1100", "gfx942", "gfx1151"));
  EXPECT_THAT(parsed("MI250 MI250X"), ElementsAre("gfx90a"));
  EXPECT_THAT(parsed("gfx942:xnack+ RX 7900 XTX gfx90a:xnack-:sramecc+"),
              ElementsAre("gfx942:xnack+", "gfx1100", "gfx90a:sramecc+:xnack-"));
  EXPECT_THAT(parsed(",; gfx942 ,,"), ElementsAre("gfx942"));
  EXPECT_THAT(parsed("gfx942:xnack+ gfx942:xnack-"), ElementsAre("gfx942:xnack+", "gfx942:xnack-"));
  EXPECT_THAT(parsed("gfx9-4-generic,gfx942"), ElementsAre("gfx9-4-generic", "gfx942"));
}

TEST(ParseTargets, DuplicatesCountOnce) {
  EXPECT_THAT(ids(parse_targets("MI300X, gfx942, mi325x").value()), ElementsAre("gfx942"));
  EXPECT_THAT(ids(parse_targets("gfx942:xnack+:sramecc-, gfx942:sramecc-:xnack+").value()),
              ElementsAre("gfx942:sramecc-:xnack+"));
}

TEST(ParseTargets, AnEmptyListIsAnError) {
  for (const char* text : {"", "  ", ",", " ; ,\n"}) {
    ASSERT_FALSE(parse_targets(text)) << text;
    EXPECT_THAT(parse_targets(text).error().message(), HasSubstr("names no target"));
  }
}

TEST(ParseTargets, AProcessorWithAFeatureAndWithoutItCannotBeBuiltTogether) {
  for (const char* text : {"gfx942,gfx942:xnack+", "gfx942:sramecc+ gfx942:xnack+",
                           "MI300X gfx942:sramecc-", "gfx942:xnack+, gfx942:xnack-:sramecc+"}) {
    ASSERT_FALSE(parse_targets(text)) << text;
    EXPECT_THAT(parse_targets(text).error().message(),
                AllOf(HasSubstr("cannot combine targets"), HasSubstr("gfx942")));
    EXPECT_TRUE(parse_target_names(text)) << text;
  }
}

TEST(ParseTargets, TheErrorIsAboutTheWrongName) {
  EXPECT_THAT(parse_targets("gfx942 gfx924 gfx1100").error().message(),
              AllOf(HasSubstr("'gfx924'"), HasSubstr("gfx942")));
  EXPECT_THAT(parse_targets("gfx942, RX 7900 XTY").error().message(), HasSubstr("'RX 7900 XTY'"));
  EXPECT_THAT(parse_targets("RX 7900 XTY gfx942").error().message(), HasSubstr("'RX 7900 XTY'"));
  EXPECT_THAT(parse_targets("gfx942 RX 7900").error().message(), HasSubstr("it matches RX 7900"));
  EXPECT_THAT(parse_targets("gfx942:xnack gfx90a").error().message(),
              HasSubstr("'xnack' is not a target feature"));
}

TEST(Members, OfGenericTargetsAndOfOthers) {
  const auto names = [](const char* text) {
    std::vector<std::string_view> out;
    for (const ArchInfo* info : members(parse_target(text).value())) out.push_back(info->gfx);
    return out;
  };
  EXPECT_THAT(names("gfx9-4-generic"), ElementsAre("gfx942", "gfx950"));
  EXPECT_THAT(names("gfx9-generic"), ElementsAre("gfx900", "gfx906"));
  EXPECT_THAT(names("gfx12-generic"), ElementsAre("gfx1200", "gfx1201"));
  EXPECT_THAT(names("gfx11-generic"), ElementsAre("gfx1100", "gfx1101", "gfx1102", "gfx1103",
                                                  "gfx1150", "gfx1151", "gfx1152", "gfx1153"));
  EXPECT_THAT(names("gfx90a:xnack+"), ElementsAre("gfx90a"));
  EXPECT_TRUE(parse_target("gfx12-generic")->is_generic());
  EXPECT_FALSE(parse_target("gfx1201")->is_generic());
}

TEST(OnlyGfxNames, FeaturesEndWithTheName) {
  EXPECT_EQ(only_gfx_names("gfx90a:sramecc+:xnack-;gfx942"),
            (std::vector<std::string_view>{"gfx90a", "gfx942"}));
  EXPECT_EQ(only_gfx_names("$(gfx1100, 'gfx942:xnack+')"),
            (std::vector<std::string_view>{"gfx1100", "gfx942"}));
  EXPECT_TRUE(only_gfx_names("gfx942 and others").empty());
}

}  // namespace
}  // namespace hipwright::arch
